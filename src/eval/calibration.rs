//! Whether feedback teaches: subscribers of different tastes hear the same stream, and each answers by what it cares for.
//!
//! Reported is the acceptance rate in the first and in the last third of the stream. A taste is a set of categories; one
//! verdict in ten goes against it, as people's do.

use super::letters::letters;
use crate::embed::Models;
use crate::event::Ts;
use crate::graph::{Body, IntentStatus};
use crate::intent::{Feedback, Verdict};
use crate::space::{Effect, Input, Prepared, SpaceSettings, SpaceState};

/// One verdict in so many goes against the taste.
const AGAINST: usize = 10;
/// Events prepared at once.
const CHUNK: usize = 64;
/// 2032-05-03, a Monday.
const START: Ts = Ts(1_967_155_200_000);

/// A simulated subscriber.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Taste {
    pub name: &'static str,
    /// Categories that it accepts; it rejects all others.
    pub likes: &'static [&'static str],
}

/// Subscribers with tastes that differ.
pub const TASTES: &[Taste] = &[
    Taste {
        name: "wants dates only",
        likes: &["deadline"],
    },
    Taste {
        name: "keeps promises",
        likes: &["commitment", "deadline"],
    },
    Taste {
        name: "answers people",
        likes: &["request", "decision"],
    },
    Taste {
        name: "decides",
        likes: &["decision"],
    },
    Taste {
        name: "wants all",
        likes: &[
            "deadline",
            "request",
            "commitment",
            "decision",
            "problem",
            "cause",
            "attention",
        ],
    },
];

/// Verdicts of a stretch of the stream.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stretch {
    pub emitted: u32,
    pub accepted: u32,
}

impl Stretch {
    /// Accepted of all that were emitted; `None` when nothing was.
    pub fn rate(&self) -> Option<f32> {
        (self.emitted > 0).then(|| self.accepted as f32 / self.emitted as f32)
    }
}

/// How one subscriber fared.
#[derive(Clone, Debug, PartialEq)]
pub struct UserReport {
    pub taste: Taste,
    /// The first, the middle and the last third of the stream.
    pub thirds: [Stretch; 3],
    /// Categories with their thresholds at the end.
    pub thresholds: Vec<(&'static str, f32)>,
}

/// Plays `weeks` weeks to each taste.
///
/// # Errors
/// When the embedder fails.
pub fn run(
    models: &Models,
    settings: &SpaceSettings,
    weeks: u32,
) -> Result<Vec<UserReport>, crate::embed::EmbedError> {
    TASTES.iter().map(|t| play(t, models, settings, weeks)).collect()
}

fn play(
    taste: &Taste,
    models: &Models,
    settings: &SpaceSettings,
    weeks: u32,
) -> Result<UserReport, crate::embed::EmbedError> {
    let space = "letters";
    let mut state = SpaceState::new(space.into(), models.clone(), settings.clone());
    let events = letters(space, START, weeks);
    let mut thirds = [Stretch::default(); 3];
    let (mut verdicts, mut done) = (0, 0);
    for chunk in events.chunks(CHUNK) {
        for prepared in Prepared::of(chunk.to_vec(), models)? {
            let third = done * 3 / events.len();
            done += 1;
            for (id, liked) in emitted(&state.apply(Input::Event(Box::new(prepared))), taste) {
                verdicts += 1;
                let accepts = liked != (verdicts % AGAINST == 0);
                let said = Feedback {
                    intent: id.as_str().into(),
                    verdict: if accepts { Verdict::Accept } else { Verdict::Reject },
                    note: None,
                    title: None,
                    priority: None,
                    category: None,
                    until: None,
                };
                state.apply(Input::Feedback(said));
                // Liked is what counts: the odd verdict against the taste is noise to the learner, not to the judge.
                thirds[third].emitted += 1;
                thirds[third].accepted += u32::from(liked);
            }
        }
    }
    let view = state.publish();
    Ok(UserReport {
        taste: taste.clone(),
        thirds,
        thresholds: view
            .calibration
            .iter()
            .map(|c| (c.category, c.threshold))
            .collect(),
    })
}

/// Intents that are new, and whether the taste likes them.
fn emitted(effects: &[Effect], taste: &Taste) -> Vec<(String, bool)> {
    let new = effects.iter().filter_map(|e| match e {
        Effect::Intent(node) => match &node.body {
            Body::Intent(i) if i.status == IntentStatus::Pending && i.updated_at == i.emitted_at => {
                Some((node.id.to_string(), taste.likes.contains(&&*i.category)))
            }
            _ => None,
        },
        _ => None,
    });
    new.collect()
}

/// The report as a table with a bar for each rate, for people.
pub fn table(reports: &[UserReport]) -> String {
    let bar = |s: &Stretch| match s.rate() {
        Some(r) => format!(
            "{:<10} {:>4.0}% of {:<3}",
            "#".repeat((r * 10.0).round() as usize),
            r * 100.0,
            s.emitted
        ),
        None => format!("{:<10} none       ", ""),
    };
    let mut out = format!(
        "{:<18} {:<23} {:<23} {:<23} thresholds at the end\n",
        "taste", "first third", "middle", "last third"
    );
    for r in reports {
        let known: Vec<String> = r
            .thresholds
            .iter()
            .filter(|(c, _)| ["deadline", "request", "commitment", "decision"].contains(c))
            .map(|(c, t)| format!("{c} {t:.2}"))
            .collect();
        let bars: Vec<String> = r.thirds.iter().map(bar).collect();
        out += &format!(
            "{:<18} {:<23} {:<23} {:<23} {}\n",
            r.taste.name,
            bars[0],
            bars[1],
            bars[2],
            known.join(", ")
        );
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_taste_hears_more_of_what_it_likes_in_the_end() {
        let models = crate::embed::built_in();
        let some = TASTES
            .iter()
            .filter(|t| ["answers people", "decides", "wants all"].contains(&t.name));
        let reports: Vec<UserReport> = some
            .map(|t| play(t, &models, &SpaceSettings::default(), 10).unwrap())
            .collect();
        assert_eq!(reports.len(), 3);
        println!("{}", table(&reports));
        for r in &reports {
            let (first, last) = (r.thirds[0].rate().expect("it speaks"), r.thirds[2].rate());
            let Some(last) = last else {
                panic!("{}: silent in the end", r.taste.name)
            };
            if r.taste.name == "wants all" {
                assert!(last >= 0.99 && r.thirds[2].emitted * 2 >= r.thirds[0].emitted);
            } else {
                assert!(
                    last > first + 0.1 && last >= 0.7,
                    "{}: {first} -> {last}",
                    r.taste.name
                );
            }
        }
    }
}
