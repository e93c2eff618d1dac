//! What decoding costs an event: alone, in an array, as a CloudEvent, with Unicode to repair.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use gyrus::event::{DecodeCx, Settings, Ts, decode_bytes};

mod stream;

const BATCH: usize = 100;

fn decode(c: &mut Criterion) {
    let settings = Settings::default();
    let cx = DecodeCx::new(Ts(1_760_000_000_000), &settings);
    let one = stream::json(7, 20);
    let batch = format!(
        "[{}]",
        (0..BATCH)
            .map(|n| stream::json(n, 20))
            .collect::<Vec<_>>()
            .join(",")
    );
    let cloud = format!(
        r#"{{"specversion":"1.0","id":"c7","source":"bench","type":"note","time":"2026-01-05T08:00:00Z","space":"bench","datacontenttype":"application/json","data":{one}}}"#
    );
    let broken = one.replace("The ", r"\ud83d The ");
    let mut group = c.benchmark_group("decode");
    for (name, text, events) in [
        ("one", &one, 1),
        ("array", &batch, BATCH),
        ("cloudevent", &cloud, 1),
        ("repaired", &broken, 1),
    ] {
        let decoded = decode_bytes(text.as_bytes(), &cx).expect("records");
        assert!(
            decoded.len() == events && decoded.iter().all(Result::is_ok),
            "{name}: {decoded:?}"
        );
        group.throughput(Throughput::Elements(events as u64));
        group.bench_function(name, |b| b.iter(|| decode_bytes(black_box(text.as_bytes()), &cx)));
    }
    group.finish();
}

criterion_group!(benches, decode);
criterion_main!(benches);
