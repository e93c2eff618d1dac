//! A graph, an executive and a way to feed both.

use std::sync::Arc;

use crate::embed::{Hashed, Models};
use crate::event::{Event, TimeMark, Ts};
use crate::fold::{Executive, Features, Item, RulesExecutive, Settings};
use crate::graph::{EdgeKind, Graph, Node, NodeId, NodeIx, NodeKind, Plan};
use crate::state::StateRecord;
use crate::text::analyse;

pub fn hashed() -> Models {
    Models {
        embedder: Arc::new(Hashed),
        words: Arc::new(Hashed),
    }
}

pub fn event(id: &str, minute: i64, title: &str, text: &str) -> Event {
    Event {
        space: "s".into(),
        source: String::new(),
        id: id.into(),
        time: Ts(1_770_000_000_000 + minute * 60_000),
        time_mark: TimeMark::Given,
        received: Ts(1_770_000_000_000 + minute * 60_000),
        kind: None,
        actor: None,
        title: (!title.is_empty()).then(|| title.into()),
        text: text.into(),
        data: None,
        extra: Default::default(),
    }
}

pub struct World {
    pub graph: Graph,
    pub exec: RulesExecutive,
    pub models: Models,
    pub settings: Settings,
    pub records: Vec<StateRecord>,
    pub plans: Vec<Plan>,
    now: Ts,
}

impl World {
    pub fn new(models: Models, settings: Settings) -> Self {
        Self {
            graph: Graph::new("s".into(), Default::default()),
            exec: RulesExecutive::new("s".into(), models.clone(), settings.clone()),
            models,
            settings,
            records: Vec::new(),
            plans: Vec::new(),
            now: Ts(0),
        }
    }

    pub fn features(&self, e: &Event) -> Features {
        let text = format!("{}. {}", e.title.as_deref().unwrap_or_default(), e.text);
        let dense = self.models.embedder.embed(&[&text]).expect("local embedder");
        Features::of(e, &analyse(e), &dense[0], &self.models)
    }

    pub fn feed(&mut self, e: Event) -> NodeIx {
        let features = Arc::new(self.features(&e));
        self.now = self.now.max(e.time);
        let e = Arc::new(e);
        let ix = self.graph.add_event(e.clone(), self.now).expect("a new event");
        let id = self.graph.node(ix).expect("just added").id.clone();
        let item = Item {
            ix,
            id: &id,
            event: &e,
            features,
        };
        let plans = self.exec.observe(&self.graph, self.now, item);
        self.apply(plans);
        let plans = self.exec.pass(&self.graph, self.now);
        self.apply(plans);
        ix
    }

    pub fn apply(&mut self, plans: Vec<Plan>) {
        for p in plans {
            if let Err(e) = self.graph.apply(&p, self.now) {
                panic!("{e}\n{p:#?}");
            }
            self.plans.push(p);
        }
        let _ = self.graph.publish();
    }

    pub fn erase(&mut self, ix: NodeIx) {
        let plans = self.exec.erase(&self.graph, self.now, ix);
        self.apply(plans);
        let id = self.graph.node(ix).expect("not erased yet").id.clone();
        let remove = Plan {
            by: crate::graph::Author::Stream,
            reasoning: "erased".into(),
            grounded_in: vec![],
            ops: vec![crate::graph::Op::RemoveNode { id }],
        };
        self.apply(vec![remove]);
        self.plans.pop();
    }

    /// Writes what changed and starts again from the records.
    pub fn restart(&mut self) {
        self.records.extend(self.exec.take_records());
        let items: Vec<_> = self
            .graph
            .nodes()
            .filter_map(|(ix, n)| match &n.body {
                crate::graph::Body::Event(e) => Some((ix, n.id.clone(), Arc::new(self.features(e)))),
                _ => None,
            })
            .collect();
        let before = parts(&self.exec);
        self.exec = RulesExecutive::restore(
            "s".into(),
            self.models.clone(),
            self.settings.clone(),
            self.records.clone(),
            items.into_iter(),
        );
        for (was, is) in before.iter().zip(parts(&self.exec)) {
            let line = was.lines().zip(is.lines()).find(|(a, b)| a != b);
            assert!(*was == is, "before and after the restart: {line:#?}");
        }
    }

    pub fn concepts(&self) -> Vec<&Node> {
        let ixs: Vec<NodeIx> = self.graph.of_kind(NodeKind::Concept).collect();
        ixs.into_iter().filter_map(|ix| self.graph.node(ix)).collect()
    }

    /// How often a concept's title was changed after its birth.
    pub fn renamed(&self) -> usize {
        let mut titles: std::collections::BTreeMap<&NodeId, &str> = Default::default();
        let mut renamed = 0;
        for op in self.plans.iter().flat_map(|p| &p.ops) {
            let (id, title) = match op {
                crate::graph::Op::AddNode(n) => (&n.id, &*n.title),
                crate::graph::Op::UpdateNode { id, patch } => match &patch.title {
                    Some(t) => (id, &**t),
                    None => continue,
                },
                _ => continue,
            };
            renamed += usize::from(titles.insert(id, title).is_some_and(|before| before != title));
        }
        renamed
    }

    /// The concept that an event grounds most strongly.
    pub fn concept_of(&self, event: NodeIx) -> Option<NodeId> {
        let strongest = self
            .graph
            .out(event)
            .filter(|e| matches!(e.kind, EdgeKind::Grounds | EdgeKind::Reinforces))
            .max_by(|a, b| a.weight.total_cmp(&b.weight))?;
        Some(self.graph.node(strongest.target)?.id.clone())
    }

    pub fn members(&self, concept: &NodeId) -> usize {
        let Some(ix) = self.graph.ix(concept.as_str()) else {
            return 0;
        };
        self.graph.incoming(ix).filter(|e| e.kind.is_membership()).count()
    }
}

/// The state, part by part, for comparison.
fn parts(x: &RulesExecutive) -> Vec<String> {
    vec![
        x.slots
            .iter()
            .flatten()
            .map(|s| {
                let links: Vec<_> = s.links.iter().map(|l| (l.earlier, l.sampled, l.raw)).collect();
                format!(
                    "{:?} {} {:?} {links:?} {:?} {:x}\n",
                    s.node, s.cluster, s.time, s.later, s.content
                )
            })
            .collect(),
        format!("{} {:?} {:?}", x.live, x.repeats, x.statistics),
        format!(
            "{:?} {} {:?} {}",
            x.clusters, x.next_cluster, x.changed, x.since_pass
        ),
        format!("{:?} {:?}", x.titles, x.unconfirmed),
        format!("{:?} {:?}", x.attributes.coherence(), x.window),
        format!(
            "{:?} {:?}",
            x.themes,
            x.actors.iter().collect::<std::collections::BTreeMap<_, _>>()
        ),
    ]
}
