//! When a concept is named, and from what.
//!
//! At birth, and in passes once it has grown or shrunk by `title_growth` or a good part of it moved: a title is
//! returned to users, so it changes seldom, and only for one that is clearly better.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::emit::{newest_grounds, plan};
use super::features::{TermKey, key};
use super::phrases::{Phrases, title_key};
use super::rules::RulesExecutive;
use super::titles::{Group, Stream, Title, title};
use crate::event::{Event, Ts};
use crate::graph::{Body, Concept, Graph, NodeId, NodeIx, NodePatch, Op, Plan};
use crate::text::{Lang, Role, has_role, is_calendar_word};

/// The type stands for a group that has at least this share of its events, and of which it has at least this share.
const TYPE_SHARE: f32 = 0.6;
/// Events below which a type says nothing.
const TYPE_EVENTS: u32 = 2;
/// Words of a type that only say that something happened or was written down.
const EMPTY_TYPES: &str = " com org net io www http log logs logged event events note notes entry entries message messages \
msg update updates updated report reports record records recorded item items data misc other system info general default type \
kind created deleted changed received sent new one two three ";

impl RulesExecutive {
    /// New titles for those of these clusters that are due.
    pub(super) fn plan_retitled(&mut self, graph: &Graph, clusters: BTreeSet<u32>) -> Vec<Plan> {
        let mut plans = Vec::new();
        for cluster in clusters {
            let Some(concept) = self.concept_of(cluster).cloned() else {
                continue;
            };
            if let Some((patch, grounds)) = self.retitled(graph, cluster) {
                let ops = vec![Op::UpdateNode { id: concept, patch }];
                plans.push(plan("its events changed, so its title may", grounds, ops));
            }
        }
        plans
    }

    /// A new title when the group has grown or shrunk enough since it was last made, with its grounds.
    fn retitled(&mut self, graph: &Graph, cluster: u32) -> Option<(NodePatch, Vec<NodeId>)> {
        let c = self.clusters.get(&cluster)?;
        let (size, at) = (c.size() as f32, c.titled_at as f32);
        let factor = self.settings.title_growth.max(1.0);
        let due = size > at && size >= at * factor || size < at && size * factor <= at;
        if c.size() == 0 || !due || graph.ix(c.concept.as_str()).is_none() {
            return None;
        }
        Some(self.fresh_title(graph, cluster))
    }

    /// Names a cluster whose concept is in the graph. Cost: its candidate words; see [`super::titles`].
    pub(super) fn fresh_title(&mut self, graph: &Graph, cluster: u32) -> (NodePatch, Vec<NodeId>) {
        let old = self
            .concept_of(cluster)
            .and_then(|c| graph.node(graph.ix(c.as_str())?))
            .map(|n| n.title.clone());
        let named = self.name(graph, cluster, old.as_deref());
        let size = self.clusters.get(&cluster).map_or(0, |c| c.size()) as u32;
        let patch = NodePatch {
            title: Some(named.title.as_str().into()),
            text: Some(named.text.as_str().into()),
            time: Some(self.newest(cluster)),
            body: Some(Body::Concept(Concept {
                keywords: named.keywords,
                confidence: named.confidence,
                size,
            })),
            ..NodePatch::default()
        };
        (patch, newest_grounds(self.ids_of(graph, &self.spread(cluster))))
    }

    pub(super) fn newest(&self, cluster: u32) -> Ts {
        let members = self.spread(cluster);
        let times = members.iter().filter_map(|m| self.slot(*m));
        times.map(|s| s.time).max().unwrap_or_default()
    }

    /// At most `title_members` members: half the oldest, half the newest.
    pub(super) fn spread(&self, cluster: u32) -> Vec<u32> {
        let Some(c) = self.clusters.get(&cluster) else {
            return Vec::new();
        };
        let most = (self.settings.title_members as usize).max(2);
        if c.size() <= most {
            return c.members.clone();
        }
        let half = most / 2;
        [&c.members[..half], &c.members[c.size() - (most - half)..]].concat()
    }

    /// Titles a cluster and registers the title.
    pub(super) fn name(&mut self, graph: &Graph, cluster: u32, old: Option<&str>) -> Title {
        let slots = self.spread(cluster);
        let members: Vec<Arc<Phrases>> = slots
            .iter()
            .filter_map(|m| Some(self.slot(*m)?.phrases.clone()))
            .collect();
        let shown = slots.last().and_then(|m| event(graph, self.slot(*m)?.node));
        let example = shown.as_deref().map(|e| head(e, true)).unwrap_or_default();
        let fallback = shown.as_deref().map_or_else(|| "Untitled".into(), fallback);
        let category = self.category(graph, cluster);
        let named = title(
            &Group {
                members: &members,
                category: &category,
                old,
                example: &example,
                fallback: &fallback,
            },
            &Stream {
                holders: &|t| {
                    let of = |t| self.lexicon.holders(t).len();
                    (of(t), of(TermKey(t.0 | 1)))
                },
                is_actor: &|w| self.actors.contains_key(&key(&w.to_lowercase())),
                is_taken: &|t| {
                    let key = title_key(t);
                    self.titles
                        .range((key, 0)..=(key, u32::MAX))
                        .any(|(_, c)| *c != cluster)
                },
                middle: &self.themes.middle(),
                general: self.general,
            },
        );
        let key = title_key(&named.title);
        if let Some(c) = self.clusters.get_mut(&cluster) {
            let old = std::mem::replace(&mut c.title, key);
            c.titled_at = c.size() as u32;
            self.dirty.clusters.insert(cluster);
            self.titles.remove(&(old, cluster));
            self.titles.insert((key, cluster));
        }
        named
    }

    /// The words of the type that stands for this cluster: most of its events have it, and most that have it are here.
    fn category(&self, graph: &Graph, cluster: u32) -> String {
        let Some(c) = self.clusters.get(&cluster) else {
            return String::new();
        };
        let most = c.counts[0].iter().max_by_key(|v| (v.1, std::cmp::Reverse(v.0)));
        let Some(&(value, here)) = most else {
            return String::new();
        };
        let whole = self.attributes.count(0, value).max(c.size() as u32);
        if here < TYPE_EVENTS || (here as f32) < TYPE_SHARE * whole as f32 {
            return String::new();
        }
        let holder = c
            .members
            .iter()
            .filter_map(|m| self.slot(*m))
            .find(|s| s.values[0] == value);
        holder
            .and_then(|s| event(graph, s.node))
            .and_then(|e| Some(type_words(e.kind.as_deref()?)))
            .unwrap_or_default()
    }
}

/// At most two telling words of a type such as `com.shop.invoice_paid` or `PullRequest`.
fn type_words(kind: &str) -> String {
    let mut words: Vec<String> = Vec::new();
    let mut open = false;
    for c in kind.chars().take(80) {
        let small = words
            .last()
            .and_then(|w| w.chars().last())
            .is_some_and(char::is_lowercase);
        if !c.is_alphabetic() || c.is_uppercase() && small {
            open = false;
        }
        if c.is_alphabetic() {
            if !open {
                words.push(String::new());
            }
            if let Some(w) = words.last_mut() {
                w.push(c);
            }
        }
        open = c.is_alphabetic();
    }
    words.retain(|w| {
        let low = w.to_lowercase();
        let short = low.chars().nth(1).is_none() || (low.is_ascii() && low.len() < 3);
        !short
            && !EMPTY_TYPES.contains(&format!(" {low} "))
            && !crate::text::is_stop(&low, Lang::En)
            && !is_calendar_word(&low, Lang::En)
            && !has_role(&low, Role::Time, Lang::En)
    });
    let from = words.len().saturating_sub(2);
    let last = words[from..].iter().map(|w| {
        let capitals = w.chars().all(char::is_uppercase);
        if capitals { w.clone() } else { w.to_lowercase() }
    });
    last.collect::<Vec<_>>().join(" ")
}

fn event(graph: &Graph, ix: NodeIx) -> Option<Arc<Event>> {
    match &graph.node(ix)?.body {
        Body::Event(e) => Some(e.clone()),
        _ => None,
    }
}

/// Title (if wanted) or opening words of an event.
fn head(event: &Event, titled: bool) -> String {
    let text = event
        .title
        .as_deref()
        .filter(|t| titled && !t.trim().is_empty())
        .unwrap_or(&event.text);
    let line = text.trim().lines().next().unwrap_or_default();
    if line.chars().count() <= 60 {
        return line.to_owned();
    }
    let cut: String = line.chars().take(60).collect();
    format!("{}…", cut.rsplit_once(' ').map_or(cut.as_str(), |c| c.0))
}

/// When no word is usable: opening words of the text, or the type.
fn fallback(event: &Event) -> String {
    let text = head(event, event.text.trim().is_empty());
    let kind = event.kind.as_deref().map(str::trim).filter(|k| !k.is_empty());
    match text.trim() {
        "" => kind.unwrap_or("Untitled").to_owned(),
        text => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_read_as_words() {
        for (kind, words) in [
            ("medication_log", "medication"),
            ("PullRequest", "pull request"),
            ("com.shop.billing.invoice.created.v2", "billing invoice"),
            ("note", ""),
            ("HTTPAlert", "HTTPAlert"),
            ("", ""),
        ] {
            assert_eq!(type_words(kind).to_lowercase(), words.to_lowercase(), "{kind}");
        }
    }
}
