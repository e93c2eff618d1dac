//! Questions and marked events, each timed.

use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use chrono::{DateTime, SecondsFormat, Utc};
use gyrus::cli::client::Client;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use super::figures::Latency;
use super::fill::ingest;
use crate::words::{capital, invent};

/// An event that no recall returns for so long is lost.
const FOUND_WAIT: Duration = Duration::from_secs(60);

pub fn status(client: &mut Client) -> Result<Value> {
    Ok(client.call("status", json!({}))?)
}

/// Events in all spaces.
pub fn events(client: &mut Client) -> Result<u64> {
    Ok(status(client)?["counts"]["events"].as_u64().unwrap_or(0))
}

/// Asks every question once, and all again until `at_least` has passed.
pub fn recall(client: &mut Client, questions: &[(String, String)], at_least: Duration) -> Result<Latency> {
    let started = Instant::now();
    let mut times = Vec::new();
    while times.is_empty() || started.elapsed() < at_least {
        for (space, question) in questions {
            let asked = Instant::now();
            client.call("recall", json!({"space": space, "query": question}))?;
            times.push(ms(asked));
        }
    }
    Ok(Latency::of(times))
}

/// Sends `count` events, each with two invented words of its own, and asks for each until it comes back.
/// Gives the time until the receipt, and the time until the recall that held it had answered.
pub fn queryable(
    client: &mut Client,
    space: &str,
    name: &str,
    time: DateTime<Utc>,
    count: u64,
) -> Result<(Latency, Latency)> {
    // Any seed will do, as long as it is not the stream's own: the words must be new.
    let mut rng = ChaCha8Rng::seed_from_u64(0x6d61_726b);
    rng.set_stream(name.bytes().map(u64::from).sum());
    let (mut durable, mut found) = (Vec::new(), Vec::new());
    for n in 0..count {
        let marker = format!("{} {}", invent(&mut rng), invent(&mut rng));
        let id = format!("probe-{name}-{n}");
        let event = json!({
            "id": id,
            "time": (time + chrono::Duration::seconds(n as i64)).to_rfc3339_opts(SecondsFormat::Secs, true),
            "type": "note",
            "title": format!("Key of the {marker}"),
            "text": format!("{} keeps the key of the {marker} behind the blue door of shed {n}.", capital(&invent(&mut rng))),
            "source": "gyrus-sim-probe",
        });
        let sent = Instant::now();
        if ingest(client, space, vec![event])? != 1 {
            bail!("marked event {id} was not stored");
        }
        durable.push(ms(sent));
        let question = format!("Where is the key of the {marker}?");
        loop {
            let answer = client.call("recall", json!({"space": space, "query": question}))?;
            if answer["items"]
                .as_array()
                .into_iter()
                .flatten()
                .any(|i| i["event_id"] == id.as_str())
            {
                found.push(ms(sent));
                break;
            }
            if sent.elapsed() > FOUND_WAIT {
                bail!(
                    "marked event {id} is stored, and no recall returned it within {} s",
                    FOUND_WAIT.as_secs()
                );
            }
        }
    }
    Ok((Latency::of(durable), Latency::of(found)))
}

fn ms(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1e3
}
