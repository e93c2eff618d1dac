//! A small stream for tests: events go into a graph, and a label says which concept each belongs to.

use std::sync::Arc;

use super::{IntentCues, IntentEngine, Settings, time_plans};
use crate::event::{Event, TimeMark, Ts};
use crate::graph::{
    Author, Body, Concept, EdgeKind, Graph, Intent, NewNode, NodeId, NodeIx, NodeKind, Op, Plan,
};
use crate::text::{Analysis, DateMention, Granularity};

pub const SPACE: &str = "test";

pub fn event(id: &str, hours: i64, text: &str) -> Event {
    Event {
        space: SPACE.into(),
        source: String::new(),
        id: id.into(),
        time: Ts(hours * Ts::HOUR),
        time_mark: TimeMark::Given,
        received: Ts(hours * Ts::HOUR),
        kind: None,
        actor: None,
        title: None,
        text: text.into(),
        data: None,
        extra: Default::default(),
    }
}

pub fn date(surface: &str, start: i64, hours: i64, deadline: bool) -> DateMention {
    DateMention {
        surface: surface.into(),
        start: Ts(start * Ts::HOUR),
        end: Ts((start + hours) * Ts::HOUR),
        granularity: Granularity::Day,
        deadline,
        recurring: false,
    }
}

pub fn concept_id(label: &str) -> NodeId {
    NodeId::derive(NodeKind::Concept, SPACE, &[label])
}

pub fn add_edge(source: &NodeId, target: &NodeId, kind: EdgeKind) -> Op {
    Op::AddEdge {
        source: source.clone(),
        target: target.clone(),
        kind,
        weight: None,
        inferred: false,
    }
}

pub struct Stream {
    pub graph: Graph,
    pub engine: IntentEngine,
    pub now: Ts,
    /// All plans so far, in words.
    pub log: Vec<String>,
    /// Records as a store would hold them.
    pub stored: std::collections::BTreeMap<Vec<u8>, Vec<u8>>,
}

impl Stream {
    pub fn new() -> Stream {
        Stream::with(Settings::default())
    }

    pub fn with(settings: Settings) -> Stream {
        Stream {
            graph: Graph::new(SPACE.into(), Default::default()),
            engine: IntentEngine::new(SPACE.into(), settings),
            now: Ts(0),
            log: Vec::new(),
            stored: Default::default(),
        }
    }

    /// Folds an event into the concept `label` (none when empty); a label that starts with `=` means a repeat.
    pub fn say(&mut self, event: Event, label: &str, dates: Vec<DateMention>) -> NodeIx {
        self.now = self.now.max(event.time);
        let (label, kind) = match label.strip_prefix('=') {
            Some(l) => (l, EdgeKind::Reinforces),
            None => (label, EdgeKind::Grounds),
        };
        let time = event.time;
        // Dates are given, the rest is read.
        let analysis = Analysis {
            dates,
            ..crate::text::analyse(&event)
        };
        let cues = Arc::new(IntentCues::of(&event, &analysis));
        let ix = self
            .graph
            .add_event(Arc::new(event), self.now)
            .expect("a new event");
        let id = self.graph.node(ix).expect("just added").id.clone();
        self.tick();
        let mut touched = Vec::new();
        if !label.is_empty() {
            let concept = concept_id(label);
            let mut ops = Vec::new();
            if self.graph.ix(concept.as_str()).is_none() {
                let body = Body::Concept(Concept::default());
                ops.push(Op::AddNode(NewNode {
                    id: concept.clone(),
                    title: label.into(),
                    text: "".into(),
                    time,
                    body,
                }));
            }
            ops.push(add_edge(&id, &concept, kind));
            self.apply(vec![Plan {
                by: Author::Fold,
                reasoning: "test".into(),
                grounded_in: vec![id],
                ops,
            }]);
            touched.extend(self.graph.ix(concept.as_str()));
        }
        let plans = time_plans(&self.graph, self.now, ix, &analysis);
        self.apply(plans);
        let plans = self.engine.observe(&self.graph, self.now, ix, &cues, &touched);
        self.apply(plans);
        ix
    }

    pub fn tick(&mut self) {
        let plans = self.engine.tick(&self.graph, self.now);
        self.apply(plans);
    }

    pub fn apply(&mut self, plans: Vec<Plan>) {
        for plan in plans {
            self.graph
                .apply(&plan, self.now)
                .unwrap_or_else(|e| panic!("{e}: {plan:?}"));
            self.log.push(format!("{plan:?}"));
        }
        for record in self.engine.take_records() {
            match record.value {
                Some(v) => self.stored.insert(record.key, v),
                None => self.stored.remove(&record.key),
            };
        }
    }

    pub fn restart(&mut self, settings: Settings) {
        let records = self.stored.iter().map(|(k, v)| crate::state::StateRecord {
            key: k.clone(),
            value: Some(v.clone()),
        });
        self.engine = IntentEngine::restore(SPACE.into(), settings, records.collect::<Vec<_>>());
    }

    /// All intents with their node ids and titles, oldest first.
    pub fn intents(&self) -> Vec<(NodeId, String, Intent)> {
        self.graph
            .of_kind(NodeKind::Intent)
            .filter_map(|ix| self.graph.node(ix))
            .filter_map(|n| match &n.body {
                Body::Intent(i) => Some((n.id.clone(), n.title.to_string(), (**i).clone())),
                _ => None,
            })
            .collect()
    }
}
