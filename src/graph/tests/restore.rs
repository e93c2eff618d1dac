//! Restarts, dirt and damage.

use super::*;

#[test]
fn the_digest_ignores_order_and_indexes_and_sees_every_field() {
    let build = |order: [usize; 3]| {
        let mut g = Graph::new("s".into(), Settings::default());
        for n in order {
            g.add_event(event(n, n as i64), hours(5)).unwrap();
        }
        let mut ops = vec![concept("c-a", "pump failures")];
        ops.extend(order.map(|n| link(&event_id(n), EdgeKind::Grounds, "c-a")));
        g.apply(&plan(&order, ops), hours(6)).unwrap();
        g
    };
    let mut a = build([0, 1, 2]);
    let b = build([2, 0, 1]);
    assert_eq!(a.digest(), b.digest());
    a.publish();
    assert_eq!(a.digest(), b.digest());
    let mut seen = vec![a.digest()];
    let patches = [
        NodePatch {
            pinned: Some(true),
            ..NodePatch::default()
        },
        NodePatch {
            title: Some("pumps".into()),
            ..NodePatch::default()
        },
        NodePatch {
            accessed: 1,
            ..NodePatch::default()
        },
        NodePatch {
            time: Some(hours(50)),
            ..NodePatch::default()
        },
        NodePatch {
            body: Some(Body::Concept(Concept {
                confidence: 0.5,
                ..Concept::default()
            })),
            ..NodePatch::default()
        },
    ];
    for patch in patches {
        a.apply(
            &plan(&[0], vec![Op::UpdateNode { id: id("c-a"), patch }]),
            hours(7),
        )
        .unwrap();
        assert!(!seen.contains(&a.digest()));
        seen.push(a.digest());
    }
    a.apply(
        &plan(&[0], vec![link(&event_id(0), EdgeKind::Grounds, "c-a")]),
        hours(7),
    )
    .unwrap();
    assert!(!seen.contains(&a.digest()));
}

#[test]
fn the_store_hears_of_each_change_once() {
    let mut g = with_events(2);
    assert_eq!(g.take_dirty().nodes, vec![NodeIx(0), NodeIx(1)]);
    assert_eq!(g.take_dirty(), Dirty::default());
    let ops = vec![
        concept("c-a", "pump failures"),
        link(&event_id(0), EdgeKind::Grounds, "c-a"),
    ];
    g.apply(&plan(&[0], ops), hours(3)).unwrap();
    assert_eq!(g.take_dirty().nodes, vec![NodeIx(0), NodeIx(2)]);
    g.apply(&plan(&[], vec![Op::RemoveNode { id: id("c-a") }]), hours(3))
        .unwrap();
    let dirty = g.take_dirty();
    assert_eq!((dirty.nodes, dirty.removed), (vec![NodeIx(0)], vec![NodeIx(2)]));
    assert_eq!(dirty.redirects, vec![(id("c-a"), None)]);
}

#[test]
fn indexes_are_not_reused_after_removal_and_restart() {
    let mut g = with_events(3);
    g.apply(&plan(&[], vec![Op::RemoveNode { id: event_id(2) }]), hours(3))
        .unwrap();
    let mut again = reopen(&g);
    assert_eq!(again.digest(), g.digest());
    assert_eq!(again.take_dirty(), Dirty::default());
    assert_eq!(again.add_event(event(7, 7), hours(7)).unwrap(), NodeIx(3));
    assert_eq!(g.add_event(event(7, 7), hours(7)).unwrap(), NodeIx(3));
    assert_eq!(again.digest(), g.digest());
}

#[test]
fn damaged_records_are_refused() {
    let g = with_events(2);
    let record = |n: u32| (NodeIx(n), g.node(NodeIx(n)).unwrap().clone(), Vec::new());
    let edge = |s, t| Edge {
        source: NodeIx(s),
        target: NodeIx(t),
        kind: EdgeKind::Causes,
        weight: 0.5,
        at: hours(1),
        created: hours(1),
        inferred: false,
        provenance: g.node(NodeIx(0)).unwrap().provenance.clone(),
    };
    let open = |nodes, redirects| Graph::restore("s".into(), Settings::default(), nodes, redirects, 2).err();
    assert!(open(vec![record(0), record(1)], vec![]).is_none());
    assert!(matches!(
        open(vec![record(0), record(0)], vec![]),
        Some(RestoreError::Twice(..))
    ));
    for (s, t) in [(1, 0), (0, 5), (0, 0)] {
        let mut first = record(0);
        first.2 = vec![edge(s, t)];
        assert!(matches!(
            open(vec![first, record(1)], vec![]),
            Some(RestoreError::Edge(..))
        ));
    }
    let mut other = record(0);
    other.1.kind = NodeKind::Concept;
    assert!(matches!(open(vec![other], vec![]), Some(RestoreError::Kind(_))));
    let to = |a: &str, b: &str| (id(a), Some(id(b)));
    for redirects in [
        vec![to("c-a", "c-b")],
        vec![to("c-a", "c-b"), to("c-b", "c-a")],
        vec![to("c-a", "c-a")],
    ] {
        assert!(matches!(
            open(vec![record(0)], redirects),
            Some(RestoreError::Redirect(_))
        ));
    }
    // A chain, as an older record may hold one, resolves to its end.
    let chain = vec![
        to("c-a", "c-b"),
        (id("c-b"), Some(event_id(0))),
        (id("c-x"), None),
        to("c-y", "c-x"),
    ];
    let g = Graph::restore("s".into(), Settings::default(), vec![record(0)], chain, 2).unwrap();
    assert_eq!(
        (g.resolve("c-a"), g.resolve("c-y")),
        (Resolved::Merged(NodeIx(0)), Resolved::Erased)
    );
}
