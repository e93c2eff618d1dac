//! Random plans, good and bad, against the naive model.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::model::Model;
use super::*;

const TITLES: [&str; 9] = [
    "pump failures",
    "pump failure",
    "Pump Failures",
    "night shift in hall 2",
    "night shift in hall 3",
    "night shifts in hall 2",
    "valve leaks",
    "valve leak",
    "spare parts",
];

fn event_ids() -> impl Strategy<Value = NodeId> {
    (0..9usize).prop_map(event_id)
}

fn concept_ids() -> impl Strategy<Value = NodeId> {
    (0..8usize).prop_map(|n| id(&format!("c-{n}")))
}

fn derived_ids() -> impl Strategy<Value = NodeId> {
    prop_oneof![
        4 => concept_ids(),
        1 => (0..3usize).prop_map(|n| id(&format!("i-{n}"))),
        1 => (0..2usize).prop_map(|n| id(&format!("t-{n}"))),
    ]
}

fn ids() -> impl Strategy<Value = NodeId> {
    prop_oneof![1 => event_ids(), 1 => derived_ids()]
}

fn new_nodes() -> impl Strategy<Value = Op> {
    (
        derived_ids(),
        0..TITLES.len(),
        proptest::collection::vec(0..6usize, 0..3),
    )
        .prop_map(|(name, title, evidence)| {
            let evidence = evidence
                .into_iter()
                .map(event_id)
                .collect::<BTreeSet<_>>()
                .into_iter()
                .collect();
            let body = match &name.0[..1] {
                "c" => Body::Concept(Concept {
                    size: 77,
                    ..Concept::default()
                }),
                "i" => Body::Intent(Box::new(intent_body(evidence))),
                _ => anchor(hours(400)),
            };
            new_node(name.as_str(), TITLES[title], body)
        })
}

fn edges() -> impl Strategy<Value = (NodeId, NodeId, EdgeKind)> {
    prop_oneof![
        6 => (event_ids(), concept_ids(), prop_oneof![Just(EdgeKind::Grounds), Just(EdgeKind::Reinforces)]),
        2 => (concept_ids(), concept_ids(), prop_oneof![Just(EdgeKind::PartOf), Just(EdgeKind::DerivedFrom)]),
        2 => (concept_ids(), (0..3usize).prop_map(|n| id(&format!("i-{n}"))), Just(EdgeKind::Triggers)),
        2 => (ids(), ids(), Just(EdgeKind::RelatedTo)),
        1 => (event_ids(), event_ids(), Just(EdgeKind::Causes)),
        1 => (ids(), ids(), proptest::sample::select(&EdgeKind::ALL[..])),
    ]
}

fn ops() -> impl Strategy<Value = Op> {
    prop_oneof![
        4 => new_nodes(),
        8 => (edges(), proptest::option::of(0.05..1.0f32), any::<bool>()).prop_map(|((source, target, kind), weight, inferred)| {
            Op::AddEdge { source, target, kind, weight, inferred }
        }),
        2 => edges().prop_map(|(source, target, kind)| Op::RemoveEdge { source, target, kind }),
        1 => (ids(), 0..3u32, proptest::option::of(0..TITLES.len())).prop_map(|(id, accessed, title)| {
            let title = title.map(|t| TITLES[t].into());
            Op::UpdateNode { id, patch: NodePatch { accessed, title, ..NodePatch::default() } }
        }),
        1 => ids().prop_map(|id| Op::RemoveNode { id }),
        2 => (concept_ids(), concept_ids()).prop_map(|(keep, absorb)| Op::MergeNodes { keep, absorb }),
        1 => (derived_ids(), derived_ids()).prop_map(|(keep, absorb)| Op::MergeNodes { keep, absorb }),
    ]
}

fn plans() -> impl Strategy<Value = Plan> {
    let grounds = proptest::collection::vec(0..6usize, 0..4);
    (grounds, proptest::collection::vec(ops(), 1..4), 0..20u8).prop_map(|(grounds, ops, said)| {
        let mut p = plan(&grounds, ops);
        if said == 0 {
            p.reasoning = "".into();
        }
        p
    })
}

fn compare(g: &Graph, m: &Model) -> Result<(), TestCaseError> {
    prop_assert_eq!(g.node_count(), m.nodes.len());
    prop_assert_eq!(g.edge_count(), m.edges.len());
    for (name, want) in &m.nodes {
        let ix = g.ix(name.as_str());
        prop_assert!(ix.is_some(), "{} is missing", name);
        let node = g.node(ix.unwrap()).unwrap();
        prop_assert_eq!(node.kind, want.kind);
        prop_assert_eq!(node.access, want.access);
        let grounds: BTreeSet<NodeId> = node.provenance.grounded_in.iter().cloned().collect();
        prop_assert_eq!(&grounds, &want.grounds, "{}", name);
        prop_assert_eq!(grounds.len(), node.provenance.grounded_in.len());
        match &node.body {
            Body::Concept(c) => prop_assert_eq!(c.size as usize, m.members(name).len(), "{}", name),
            Body::Intent(i) => {
                let evidence: BTreeSet<NodeId> = i
                    .evidence
                    .iter()
                    .filter(|e| m.nodes.contains_key(*e))
                    .cloned()
                    .collect();
                let want = want
                    .evidence
                    .iter()
                    .filter(|e| m.nodes.contains_key(*e))
                    .cloned()
                    .collect();
                prop_assert_eq!(evidence, want);
            }
            _ => (),
        }
    }
    for edge in g.edges() {
        let name = |ix| g.node(ix).unwrap().id.clone();
        let key = (name(edge.source), name(edge.target), edge.kind);
        let want = m.edges.get(&key);
        prop_assert!(want.is_some(), "{:?} should not be there", key);
        let want = want.unwrap();
        prop_assert!((f64::from(edge.weight) - want.weight).abs() < 1e-4);
        prop_assert_eq!((edge.at, edge.inferred), (want.at, want.inferred));
        let grounds: BTreeSet<NodeId> = edge.provenance.grounded_in.iter().cloned().collect();
        prop_assert_eq!(&grounds, &want.grounds);
        prop_assert!(g.incoming(edge.target).any(|e| e == edge));
    }
    for (name, to) in &m.redirects {
        match (g.resolve(name.as_str()), m.resolve(name)) {
            (Resolved::Merged(ix), Some(want)) => prop_assert_eq!(&g.node(ix).unwrap().id, &want),
            (Resolved::Erased, None) => (),
            (got, want) => prop_assert!(false, "{} to {:?}: {:?} instead of {:?}", name, to, got, want),
        }
    }
    for kind in NodeKind::ALL {
        prop_assert_eq!(g.of_kind(kind).count(), g.count(kind));
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_graph_does_what_the_model_does(plans in proptest::collection::vec(plans(), 1..60)) {
        let mut g = with_events(6);
        let mut m = Model::default();
        for n in 0..6 {
            m.add_event(event_id(n));
        }
        for (k, p) in plans.iter().enumerate() {
            let now = hours(10 + k as i64);
            let _ = g.take_dirty();
            let before = g.digest();
            match g.apply(p, now) {
                Ok(_) => {
                    prop_assert!(m.apply(p, now), "the model rejects {:?}", p);
                }
                Err(error) => {
                    prop_assert!(!m.apply(p, now), "{}: {:?}", error, p);
                    prop_assert_eq!(g.digest(), before);
                    prop_assert_eq!(g.take_dirty(), Dirty::default());
                }
            }
            if k % 3 == 0 {
                let n = 6 + k / 3 % 3;
                prop_assert_eq!(g.add_event(event(n, n as i64), now).is_ok(), m.add_event(event_id(n)));
                g.publish();
            }
            compare(&g, &m)?;
        }
        let again = reopen(&g);
        prop_assert_eq!(again.digest(), g.digest());
        prop_assert_eq!(&again.grounded, &g.grounded);
        prop_assert_eq!(&again.absorbed, &g.absorbed);
    }

    /// What the store is told suffices: records written after each plan make the same graph.
    #[test]
    fn dirty_records_rebuild_the_graph(plans in proptest::collection::vec(plans(), 1..60), every in 1..5usize) {
        let mut g = with_events(6);
        let mut nodes = std::collections::BTreeMap::new();
        let mut redirects = std::collections::BTreeMap::new();
        for (k, p) in plans.iter().enumerate() {
            let _ = g.apply(p, hours(10 + k as i64));
            if k % every != 0 && k + 1 != plans.len() {
                continue;
            }
            let dirty = g.take_dirty();
            for ix in dirty.nodes {
                nodes.insert(ix, (ix, g.node(ix).unwrap().clone(), g.out(ix).cloned().collect::<Vec<_>>()));
            }
            for ix in dirty.removed {
                prop_assert!(nodes.remove(&ix).is_some());
            }
            redirects.extend(dirty.redirects);
        }
        let again = Graph::restore(
            "s".into(),
            Settings::default(),
            nodes.into_values().collect(),
            redirects.into_iter().collect(),
            g.next_ix(),
        );
        prop_assert!(again.is_ok(), "{:?}", again.err());
        prop_assert_eq!(again.unwrap().digest(), g.digest());
    }
}
