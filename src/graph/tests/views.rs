//! Snapshots stay as they were, and agree with the writer.

use super::*;

#[test]
fn a_snapshot_does_not_see_later_changes() {
    let mut g = with_events(2);
    let before = g.publish();
    let ops = vec![
        concept("c-a", "pump failures"),
        link(&event_id(0), EdgeKind::Grounds, "c-a"),
    ];
    g.apply(&plan(&[0], ops), hours(3)).unwrap();
    g.apply(&plan(&[], vec![Op::RemoveNode { id: event_id(1) }]), hours(3))
        .unwrap();
    let after = g.publish();
    assert_eq!((before.node_count(), before.edge_count()), (2, 0));
    assert!(before.ix(event_id(1).as_str()).is_some() && before.resolve("c-a") == Resolved::Unknown);
    assert_eq!(
        (
            after.count(NodeKind::Event),
            after.count(NodeKind::Concept),
            after.edge_count()
        ),
        (1, 1, 1)
    );
    assert_eq!(
        after.of_kind(NodeKind::Concept).collect::<Vec<_>>(),
        vec![NodeIx(2)]
    );
    let total: f64 = after.nodes().map(|(ix, _)| after.rank(ix)).sum();
    assert!((total - 1.0).abs() < 0.02);
    assert_eq!(after.top_ranked(1).next(), Some(NodeIx(2)));
    assert_eq!(after.rank(NodeIx(1)), 0.0);
}

#[test]
fn edges_come_in_order_from_both_sides() {
    let mut g = with_events(40);
    let mut ops = vec![concept("c-a", "pump failures"), concept("c-b", "night shift")];
    for n in (0..40).rev() {
        ops.push(link(&event_id(n), EdgeKind::Grounds, "c-a"));
        ops.push(link(&event_id(n), EdgeKind::PartOf, "c-a"));
        ops.push(link(&event_id(n), EdgeKind::Grounds, "c-b"));
    }
    g.apply(&plan(&[0], ops), hours(41)).unwrap();
    let a = g.ix("c-a").unwrap();
    let keys: Vec<_> = g.incoming(a).map(|e| (e.source, e.kind)).collect();
    assert_eq!(keys.len(), 80);
    assert!(keys.is_sorted());
    let back: Vec<_> = g.incoming(a).rev().map(|e| (e.source, e.kind)).collect();
    assert!(back.iter().rev().eq(keys.iter()));
    let out: Vec<_> = g.out(NodeIx(7)).map(|e| (e.target, e.kind)).collect();
    assert_eq!(out.len(), 3);
    assert!(out.is_sorted());
    assert_eq!(g.out(a).count(), 0);
}

#[test]
fn deadlines_stand_by_their_end() {
    let mut g = with_events(1);
    let ops = vec![
        new_node("t-late", "late", anchor(hours(50))),
        new_node("t-soon", "soon", anchor(hours(10))),
        new_node("t-past", "past", anchor(hours(1))),
    ];
    g.apply(&plan(&[0], ops), hours(2)).unwrap();
    let names = |from, to| -> Vec<String> {
        g.deadlines(hours(from), hours(to))
            .map(|ix| g.node(ix).unwrap().id.to_string())
            .collect()
    };
    assert_eq!(names(2, 60), ["t-soon", "t-late"]);
    assert_eq!(names(2, 10), ["t-soon"]);
    assert!(names(60, 2).is_empty());
}
