//! Files to play: scenario files (one JSON object with `events`), JSON arrays, and NDJSON.
//!
//! Only the event's own fields leave: a scenario's gold stays in its file.

use anyhow::{Context, Result, bail};
use serde_json::{Map, Value};

use crate::outgoing::Outgoing;

/// Fields of an event; anything else in a file is not sent.
const FIELDS: [&str; 8] = ["id", "time", "type", "actor", "title", "text", "data", "source"];

/// Reads the events of a file. `space` wins over what an event says; without both it is `fallback`.
///
/// # Errors
/// When the text is neither form, or an event has no id or no content: nothing is sent of such a file.
pub fn parse(text: &str, space: Option<&str>, fallback: &str) -> Result<Vec<Outgoing>> {
    let text = text.trim_start_matches('\u{feff}');
    let events = match serde_json::from_str::<Value>(text) {
        Ok(Value::Array(events)) => numbered(events, "event"),
        Ok(Value::Object(mut file)) if file.contains_key("events") => match file.remove("events") {
            Some(Value::Array(events)) => numbered(events, "event"),
            _ => bail!("`events` is not a list"),
        },
        // One line of NDJSON is a JSON text too.
        Ok(one) => vec![("line 1".into(), one)],
        Err(_) => lines(text)?,
    };
    if events.is_empty() {
        bail!("the file holds no events");
    }
    events
        .into_iter()
        .map(|(at, event)| own_fields(event, space, fallback).context(at))
        .collect()
}

fn numbered(events: Vec<Value>, name: &str) -> Vec<(String, Value)> {
    events
        .into_iter()
        .enumerate()
        .map(|(n, e)| (format!("{name} {}", n + 1), e))
        .collect()
}

fn lines(text: &str) -> Result<Vec<(String, Value)>> {
    text.lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(n, line)| {
            let at = format!("line {}", n + 1);
            let event = serde_json::from_str(line).with_context(|| {
                format!(
                    "{at} is not JSON; a file to play is NDJSON, a JSON array, or a scenario with `events`"
                )
            })?;
            Ok((at, event))
        })
        .collect()
}

fn own_fields(event: Value, space: Option<&str>, fallback: &str) -> Result<Outgoing> {
    let Value::Object(event) = event else {
        bail!("an event must be a JSON object")
    };
    let named = event.get("space").and_then(Value::as_str);
    let space = space.or(named).unwrap_or(fallback).to_owned();
    // null stands for a field that is not there.
    let has = |name: &str| event.get(name).is_some_and(|v| !v.is_null());
    if !has("id") {
        bail!("the event has no `id`");
    }
    if !has("text") && !has("data") {
        bail!("the event has neither `text` nor `data`");
    }
    let body: Map<String, Value> = FIELDS
        .iter()
        .filter(|f| has(f))
        .filter_map(|f| Some(((*f).to_owned(), event.get(*f)?.clone())))
        .collect();
    Ok(Outgoing { space, body })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCENARIO: &str = r#"{"scenario_id": "x-01", "gold": {"concepts": [{"id": "c1"}]}, "events": [
        {"id": "e01", "time": "2026-03-02T08:10:00Z", "type": "note", "actor": "Ann", "title": "Gutter",
         "text": "The gutter drips.", "gold_concept": "c1", "chain": "h1"},
        {"id": "e02", "time": "2026-03-02T09:10:00Z", "type": "note", "actor": "Bo", "title": "Tea",
         "text": "Out of tea.", "gold_concept": null, "chain": null}], "questions": [{"question": "?"}]}"#;

    #[test]
    fn gold_stays_in_the_file() {
        let events = parse(SCENARIO, None, "default").unwrap();
        assert_eq!(events.len(), 2);
        let names: Vec<&str> = events[0].body.keys().map(String::as_str).collect();
        assert_eq!(names, ["id", "time", "type", "actor", "title", "text"]);
        assert_eq!(
            (events[0].space.as_str(), events[0].body["text"].as_str()),
            ("default", Some("The gutter drips."))
        );
        assert!(
            !events
                .iter()
                .any(|e| e.line().contains("gold") || e.line().contains("chain"))
        );
    }

    #[test]
    fn lines_arrays_and_single_events_are_read() {
        let lines = "\u{feff}{\"id\": 1, \"text\": \"a\", \"space\": \"own\"}\n\n{\"id\": \"b\", \"data\": {\"k\": 2}}\r\n";
        let events = parse(lines, None, "default").unwrap();
        assert_eq!(
            events.iter().map(|e| e.space.as_str()).collect::<Vec<_>>(),
            ["own", "default"]
        );
        assert_eq!(events[1].body["data"]["k"], 2);
        assert!(
            parse(lines, Some("given"), "default")
                .unwrap()
                .iter()
                .all(|e| e.space == "given")
        );
        assert_eq!(
            parse(r#"[{"id": "a", "text": "t"}]"#, None, "d").unwrap().len(),
            1
        );
        assert_eq!(parse(r#"{"id": "a", "text": "t"}"#, None, "d").unwrap().len(), 1);
    }

    #[test]
    fn a_broken_file_is_refused_and_the_place_named() {
        let why = |text: &str| format!("{:#}", parse(text, None, "d").unwrap_err());
        assert!(why("{\"id\": \"a\", \"text\": \"t\"}\nnot json").contains("line 2"));
        assert!(
            why(r#"{"events": [{"id": "a", "text": "t"}, {"text": "t"}]}"#)
                .contains("event 2: the event has no `id`")
        );
        assert!(why(r#"[{"id": "a"}]"#).contains("neither `text` nor `data`"));
        assert!(why(r#"{"events": 3}"#).contains("not a list"));
        assert!(why("").contains("no events"));
    }

    #[test]
    fn the_bundled_story_plays() {
        let events = parse(include_str!("../stories/orchard.ndjson"), None, "default").unwrap();
        assert!(events.len() > 30);
        assert!(
            events
                .iter()
                .all(|e| e.body["source"] == "orchard" && e.body["time"].is_string())
        );
    }
}
