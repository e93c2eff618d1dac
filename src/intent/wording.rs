//! The words of an intent: what to do, and why it is said. All from titles in the graph and counts, so an
//! erased event's words go when the intent is worded anew.

use serde::{Deserialize, Serialize};

use crate::event::Ts;
use crate::graph::{Body, Graph, NodeIx};

/// Longest title quoted, in characters.
const QUOTE: usize = 80;
/// Feedback notes kept in an intent's text.
const NOTES: usize = 5;
/// Opens the lines of an intent's text that tell of feedback.
const FEEDBACK: &str = "Feedback ";

/// Which statement the intent rests on. The order is that of the records: new ones go last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Trigger {
    #[default]
    Deadline,
    Recurrence,
    Burst,
    Request,
    Commitment,
    Decision,
    Chain,
}

impl Trigger {
    const ALL: [Trigger; 7] = [
        Trigger::Deadline,
        Trigger::Recurrence,
        Trigger::Burst,
        Trigger::Request,
        Trigger::Commitment,
        Trigger::Decision,
        Trigger::Chain,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Trigger::Deadline => "deadline",
            Trigger::Recurrence => "recurrence",
            Trigger::Burst => "burst",
            Trigger::Request => "request",
            Trigger::Commitment => "commitment",
            Trigger::Decision => "decision",
            Trigger::Chain => "chain",
        }
    }

    pub fn of(name: &str) -> Option<Trigger> {
        Trigger::ALL.into_iter().find(|t| t.name() == name)
    }

    /// The category under which feedback calibrates it: one for each trigger.
    pub fn category(self) -> &'static str {
        match self {
            Trigger::Deadline => "deadline",
            Trigger::Recurrence => "problem",
            Trigger::Burst => "attention",
            Trigger::Request => "request",
            Trigger::Commitment => "commitment",
            Trigger::Decision => "decision",
            Trigger::Chain => "cause",
        }
    }

    /// Rests on what somebody said to somebody, not on how much or how fast.
    pub fn is_stated(self) -> bool {
        matches!(self, Trigger::Request | Trigger::Commitment | Trigger::Decision)
    }

    /// Rests on how much came and how fast.
    pub fn is_dense(self) -> bool {
        matches!(self, Trigger::Recurrence | Trigger::Burst | Trigger::Chain)
    }
}

/// Title, description and reason.
pub struct Words {
    pub title: String,
    pub text: String,
    pub reason: String,
}

/// Words an intent from its grounds as they are now. `usual_gap` in hours, where the concept has a history.
pub fn words(
    graph: &Graph,
    trigger: Trigger,
    concept: Option<NodeIx>,
    evidence: &[NodeIx],
    deadline: Option<Ts>,
    usual_gap: Option<f64>,
) -> Words {
    let name = concept
        .and_then(|c| graph.node(c))
        .map(|n| quote(&n.title))
        .filter(|t| !t.is_empty());
    let events: Vec<(String, Ts)> = evidence.iter().filter_map(|&ix| headline(graph, ix)).collect();
    let newest = events.last().map(|e| e.0.clone()).unwrap_or_default();
    let about = name.clone().unwrap_or_else(|| newest.clone());
    let first = events
        .first()
        .map(|e| e.0.clone())
        .filter(|t| !t.is_empty())
        .unwrap_or_else(|| about.clone());
    let speaker = evidence.first().and_then(|&ix| speaker(graph, ix));
    let said_on = events.first().map(|e| day(e.1)).unwrap_or_default();
    let limit = deadline
        .map(|d| format!("; it names {}", day(d)))
        .unwrap_or_default();
    let back = match n_of(&events) {
        1 => String::new(),
        2 => "; one more event came back to it".to_owned(),
        n => format!("; {} more events came back to it", n - 1),
    };
    let day = deadline.map(day);
    let title = match trigger {
        Trigger::Deadline => {
            format!(
                "Meet the deadline: {first}{}",
                day.as_deref().map(|d| format!(" (by {d})")).unwrap_or_default()
            )
        }
        Trigger::Recurrence => format!("Look into recurring {about}"),
        Trigger::Burst => format!("Follow up on {about}"),
        Trigger::Chain => format!("Close the matter of {about}"),
        Trigger::Request => format!("Answer the request: {first}"),
        Trigger::Commitment => format!("Keep the promise: {first}"),
        Trigger::Decision => format!("Decide: {first}"),
    };
    let n = events.len();
    let events_word = if n == 1 {
        "One event".to_owned()
    } else {
        format!("{n} events")
    };
    let span = match (events.first(), events.last()) {
        (Some(a), Some(b)) if n > 1 => format!(" within {}", hours(b.1.hours_since(a.1))),
        _ => String::new(),
    };
    let of = name
        .as_deref()
        .map(|c| format!(" of \"{c}\""))
        .unwrap_or_default();
    let usual = usual_gap
        .map(|g| format!(", where one every {} was usual", hours(g)))
        .unwrap_or_default();
    let reason = match trigger {
        Trigger::Deadline => {
            format!(
                "{events_word}{of} named a time that is still ahead, {}; the newest is \"{newest}\".",
                day.unwrap_or_default()
            )
        }
        Trigger::Recurrence => {
            format!("{events_word}{of} tell of trouble{span}{usual}; the newest is \"{newest}\".")
        }
        Trigger::Burst => {
            format!("{events_word}{of} came{span}{usual}; the newest is \"{newest}\".")
        }
        Trigger::Chain => {
            format!(
                "{events_word} lead from one to the next{span}, and the last still tells of trouble: \"{newest}\"."
            )
        }
        Trigger::Request => format!(
            "{} asked for something on {said_on} (\"{first}\") and nothing since answers it{back}{limit}.",
            speaker.as_deref().unwrap_or("Somebody")
        ),
        Trigger::Commitment => format!(
            "Something was promised on {said_on} (\"{first}\") and nothing since shows it kept{back}{limit}."
        ),
        Trigger::Decision => format!(
            "A choice has been open since {said_on} (\"{first}\") and nothing since settles it{back}{limit}."
        ),
    };
    let list: Vec<&str> = events
        .iter()
        .map(|e| e.0.as_str())
        .filter(|t| !t.is_empty())
        .collect();
    Words {
        title,
        text: format!("{}: {}", name.unwrap_or_else(|| "Events".into()), list.join("; ")),
        reason,
    }
}

fn n_of(events: &[(String, Ts)]) -> usize {
    events.len().max(1)
}

/// Who wrote an event.
fn speaker(graph: &Graph, ix: NodeIx) -> Option<String> {
    match &graph.node(ix)?.body {
        Body::Event(event) => event.actor.as_deref().map(quote).filter(|a| !a.is_empty()),
        _ => None,
    }
}

/// Title of an event, or the start of its text, and its time.
fn headline(graph: &Graph, ix: NodeIx) -> Option<(String, Ts)> {
    let node = graph.node(ix)?;
    let Body::Event(event) = &node.body else {
        return None;
    };
    let title = event
        .title
        .as_deref()
        .filter(|t| !t.trim().is_empty())
        .unwrap_or(&event.text);
    Some((quote(title), event.time))
}

/// One line, cut at a word when it is long.
pub fn quote(text: &str) -> String {
    let mut line = String::new();
    let mut length = 0;
    for word in text.split_whitespace() {
        let more = word.chars().count() + 1;
        if length + more > QUOTE && length > 0 {
            line.push('…');
            break;
        }
        if length > 0 {
            line.push(' ');
        }
        line.extend(word.chars().take(QUOTE));
        length += more;
    }
    line
}

fn day(t: Ts) -> String {
    let Some(t) = t.datetime() else {
        return t.rfc3339();
    };
    let form = if t.timestamp_millis() % Ts::DAY == 0 {
        "%Y-%m-%d"
    } else {
        "%Y-%m-%d %H:%M UTC"
    };
    t.format(form).to_string()
}

fn hours(h: f64) -> String {
    let (n, unit) = match h {
        h if h < 2.0 => ((h * 60.0).round().max(1.0), "minute"),
        h if h < 48.0 => (h.round(), "hour"),
        h => ((h / 24.0).round(), "day"),
    };
    if n == 1.0 {
        format!("one {unit}")
    } else {
        format!("{n} {unit}s")
    }
}

/// Adds a line on feedback to an intent's text; the oldest lines go.
pub fn with_feedback(text: &str, now: Ts, verdict: &str, note: Option<&str>) -> String {
    let note = note
        .map(quote)
        .filter(|n| !n.is_empty())
        .map(|n| format!(": {n}"))
        .unwrap_or_default();
    let mut notes = feedback_lines(text);
    notes.push(format!("{FEEDBACK}{}: {verdict}{note}", now.rfc3339()));
    let extra = notes.len().saturating_sub(NOTES);
    notes.drain(..extra);
    let told = text
        .lines()
        .filter(|l| !l.starts_with(FEEDBACK))
        .map(str::to_owned);
    told.chain(notes).collect::<Vec<_>>().join("\n")
}

/// Puts a new description before the feedback lines of the old text.
pub fn reworded(old: &str, description: String) -> String {
    std::iter::once(description)
        .filter(|d| !d.is_empty())
        .chain(feedback_lines(old))
        .collect::<Vec<_>>()
        .join("\n")
}

fn feedback_lines(text: &str) -> Vec<String> {
    text.lines()
        .filter(|l| l.starts_with(FEEDBACK))
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn feedback_lines_survive_rewording_and_are_bounded() {
        let mut text = "old words".to_owned();
        for i in 0..9 {
            text = with_feedback(&text, Ts(i * 1000), "deferred", Some("later\nplease"));
        }
        assert_eq!(text.lines().count(), 1 + NOTES);
        let text = reworded(&text, "new".into());
        assert!(text.starts_with("new\nFeedback 1970-01-01T00:00:04Z: deferred: later please"));
        assert!(!text.contains("old words"));
    }

    #[test]
    fn quotes_are_one_bounded_line() {
        assert_eq!(quote(" a\n b "), "a b");
        assert!(quote(&"word ".repeat(99)).chars().count() <= QUOTE + 1);
        assert!(quote(&"x".repeat(999)).chars().count() <= QUOTE + 1);
    }

    #[test]
    fn spans_read_like_speech() {
        assert_eq!(
            (hours(0.001), hours(5.2), hours(72.0)),
            ("one minute".into(), "5 hours".into(), "3 days".into())
        );
    }
}
