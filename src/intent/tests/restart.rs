//! A restart at any point changes neither plans nor records.

use super::*;
use proptest::prelude::*;

/// (concept, gap in minutes, wording, kind of date, feedback)
type Step = (usize, i64, usize, u8, u8);

fn play(steps: &[Step], cuts: &[usize]) -> (Vec<String>, std::collections::BTreeMap<Vec<u8>, Vec<u8>>) {
    let settings = Settings {
        allowance_per_event: 0.5,
        ..Settings::default()
    };
    let mut s = Stream::with(settings.clone());
    let texts = [
        "failed",
        "must be ready",
        "was sent",
        "hums",
        "crashed again",
        "is stuck",
        "needs paint",
        "is due",
    ];
    let mut minutes = 0;
    for (n, &(concept, gap, words, when, verdict_of)) in steps.iter().enumerate() {
        if cuts.contains(&n) {
            s.restart(settings.clone());
        }
        minutes += gap;
        let text = format!(
            "The {} {} {}",
            WORDS[concept],
            texts[words],
            WORDS[(n * 5 + words) % 8]
        );
        let mut e = event(&format!("e{n}"), 0, &text);
        e.time = Ts(minutes * 60_000);
        let start = minutes / 60 + 20 * i64::from(when);
        let dates = if when > 0 {
            vec![date("then", start, 24, when > 2)]
        } else {
            vec![]
        };
        let label = if n % 7 == 6 {
            String::new()
        } else {
            format!("{} matters", WORDS[concept])
        };
        let ix = s.say(e, &label, dates);
        if let (true, Some((id, ..))) = (verdict_of < 4, s.intents().last()) {
            let v =
                [Verdict::Accept, Verdict::Modify, Verdict::Defer, Verdict::Reject][usize::from(verdict_of)];
            let said = Feedback {
                title: Some("Mine".into()),
                ..verdict(id.as_str(), v)
            };
            if let Ok(plans) = s.engine.feedback(&s.graph, s.now, &said) {
                s.apply(plans);
            }
        }
        if verdict_of == 5 {
            let plans = s.engine.erase(&s.graph, s.now, ix);
            s.apply(plans);
        }
    }
    (s.log, s.stored)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]
    #[test]
    fn restarts_leave_no_trace(
        steps in proptest::collection::vec((0..4usize, 1..900i64, 0..8usize, 0..5u8, 0..12u8), 5..60),
        cuts in proptest::collection::vec(0..60usize, 1..4),
    ) {
        let straight = play(&steps, &[]);
        let cut = play(&steps, &cuts);
        prop_assert_eq!(straight.0, cut.0);
        prop_assert_eq!(straight.1, cut.1);
    }
}

#[test]
fn the_random_streams_do_speak() {
    let steps: Vec<Step> = (0..60)
        .map(|n| {
            (
                n % 3,
                [30, 700, 90][n % 3] + n as i64 * 7,
                n % 8,
                (n % 5) as u8,
                9,
            )
        })
        .collect();
    let (log, _) = play(&steps, &[]);
    assert!(log.iter().filter(|p| p.contains("Intent(")).count() >= 3);
}
