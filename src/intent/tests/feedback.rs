//! What verdicts do.

use super::*;

#[test]
fn feedback_moves_status_and_threshold_and_repeats_are_idle() {
    let mut s = quiet();
    trouble(&mut s, 110);
    let id = s.intents()[0].0.clone();
    let mut say = verdict(id.as_str(), Verdict::Accept);
    say.note = Some("on it".into());
    let plans = s.engine.feedback(&s.graph, s.now, &say).unwrap();
    s.apply(plans);
    assert_eq!(s.intents()[0].2.status, IntentStatus::ActionScheduled);
    let text = s
        .graph
        .node(s.graph.ix(id.as_str()).unwrap())
        .unwrap()
        .text
        .to_string();
    assert!(text.contains("accepted: on it"), "{text}");
    let before = s.engine.calibration();
    let problem = before.iter().find(|c| c.category == "problem").unwrap();
    assert!(
        (problem.weight - 1.15).abs() < 1e-6 && problem.threshold < 1.0 && problem.acceptance == Some(1.0)
    );
    assert_eq!(s.engine.feedback(&s.graph, s.now, &say).unwrap(), vec![]);
    assert_eq!(s.engine.calibration(), before);

    let plans = s
        .engine
        .feedback(&s.graph, s.now, &verdict(id.as_str(), Verdict::Reject))
        .unwrap();
    s.apply(plans);
    assert_eq!(s.intents()[0].2.status, IntentStatus::Rejected);
    let err = s
        .engine
        .feedback(&s.graph, s.now, &verdict(id.as_str(), Verdict::Accept));
    assert_eq!(
        err,
        Err(FeedbackError::Closed {
            status: IntentStatus::Rejected
        })
    );
    assert!(matches!(
        s.engine
            .feedback(&s.graph, s.now, &verdict("i-none", Verdict::Accept)),
        Err(FeedbackError::Unknown { .. })
    ));
    s.say(
        event("x", 116, "The export failed in a new way"),
        "nightly export",
        vec![],
    );
    s.say(
        event("y", 117, "No luck, the export is stuck"),
        "nightly export",
        vec![],
    );
    s.say(
        event("z", 119, "Export trouble once more"),
        "nightly export",
        vec![],
    );
    assert_eq!(s.intents().len(), 1, "rejected grounds rest for a day");
}

#[test]
fn deferred_intents_sleep_and_wake() {
    let mut s = quiet();
    trouble(&mut s, 110);
    let id = s.intents()[0].0.clone();
    let mut say = verdict(id.as_str(), Verdict::Defer);
    say.until = Some(Ts(100));
    assert!(matches!(
        s.engine.feedback(&s.graph, s.now, &say),
        Err(FeedbackError::Until { .. })
    ));
    say.until = Some(Ts(150 * Ts::HOUR));
    let plans = s.engine.feedback(&s.graph, s.now, &say).unwrap();
    s.apply(plans);
    s.now = Ts(149 * Ts::HOUR);
    s.tick();
    assert_eq!(s.intents()[0].2.status, IntentStatus::Deferred);
    s.now = Ts(150 * Ts::HOUR);
    s.tick();
    assert_eq!(s.intents()[0].2.status, IntentStatus::Pending);
}

#[test]
fn modifying_keeps_what_the_subscriber_set() {
    let mut s = quiet();
    trouble(&mut s, 110);
    let id = s.intents()[0].0.clone();
    let mut say = verdict(id.as_str(), Verdict::Modify);
    assert_eq!(
        s.engine.feedback(&s.graph, s.now, &say),
        Err(FeedbackError::Nothing)
    );
    say.priority = Some(f32::NAN);
    assert!(matches!(
        s.engine.feedback(&s.graph, s.now, &say),
        Err(FeedbackError::Priority { .. })
    ));
    say.priority = Some(0.9);
    say.title = Some("Rewrite the export".into());
    let plans = s.engine.feedback(&s.graph, s.now, &say).unwrap();
    s.apply(plans);
    s.say(
        event("d", 116, "Export stuck for a customer"),
        "nightly export",
        vec![],
    );
    s.say(
        event("e", 117, "Export delayed the invoices"),
        "nightly export",
        vec![],
    );
    let (_, title, i) = &s.intents()[0];
    assert_eq!(
        (title.as_str(), i.priority, i.evidence.len()),
        ("Rewrite the export", 0.9, 5)
    );
}
