//! Each operation, its checks, and what a rejected plan leaves.

use super::*;
use EdgeKind::*;

/// Events 0 to 5; concept c-a over 0, 1, 2 and c-b over 3, 4; intent i-a grounded in 0 and triggered by c-a.
fn small() -> Graph {
    let mut g = with_events(6);
    let e = event_id;
    let mut ops = vec![concept("c-a", "pump failures")];
    ops.extend([0, 1, 2].map(|n| link(&e(n), Grounds, "c-a")));
    g.apply(&plan(&[0, 1, 2], ops), hours(6)).unwrap();
    let mut ops = vec![concept("c-b", "night shift")];
    ops.extend([3, 4].map(|n| link(&e(n), Grounds, "c-b")));
    g.apply(&plan(&[3, 4], ops), hours(6)).unwrap();
    let ops = vec![
        intent("i-a", "repair the pump", vec![e(0)]),
        link(&id("c-a"), Triggers, "i-a"),
    ];
    g.apply(&plan(&[0], ops), hours(6)).unwrap();
    g
}

fn at(g: &Graph, name: &str) -> NodeIx {
    g.ix(name).unwrap()
}

fn size(g: &Graph, name: &str) -> u32 {
    match &g.node(at(g, name)).unwrap().body {
        Body::Concept(c) => c.size,
        _ => panic!("not a concept"),
    }
}

fn rejected(g: &mut Graph, plan: Plan) -> PlanError {
    let before = g.digest();
    let _ = g.take_dirty();
    let next = g.next_ix();
    let error = g.apply(&plan, hours(9)).unwrap_err();
    assert_eq!(g.digest(), before);
    assert_eq!(g.take_dirty(), Dirty::default());
    assert_eq!(g.next_ix(), next);
    error
}

#[test]
fn a_plan_reports_what_it_did() {
    let mut g = with_events(3);
    let ops = vec![
        concept("c-a", "pump failures"),
        link(&event_id(0), Grounds, "c-a"),
    ];
    let applied = g.apply(&plan(&[0, 1], ops), hours(4)).unwrap();
    assert_eq!(applied.added, vec![NodeIx(3)]);
    assert_eq!(applied.touched, vec![NodeIx(0)]);
    let node = g.node(NodeIx(3)).unwrap();
    assert_eq!(node.provenance.grounded_in, vec![event_id(0), event_id(1)]);
    assert_eq!(size(&g, "c-a"), 1);
    let edge = g.edge(NodeIx(0), NodeIx(3), Grounds).unwrap();
    assert_eq!(edge.weight, 0.9);
    assert_eq!(edge.provenance.grounded_in, vec![event_id(0)]);
}

#[test]
fn every_check_rejects_without_a_trace() {
    let e = event_id;
    let mut bare = plan(&[0], vec![concept("c-z", "other things")]);
    bare.reasoning = " ".into();
    let mut unknown = plan(&[0], vec![]);
    unknown.grounded_in.push(id("c-a"));
    let weight = |w| Op::AddEdge {
        source: e(0),
        target: id("c-b"),
        kind: Grounds,
        weight: Some(w),
        inferred: false,
    };
    let patch = |name: &NodeId, patch| Op::UpdateNode {
        id: name.clone(),
        patch,
    };
    let title = NodePatch {
        title: Some("new".into()),
        ..NodePatch::default()
    };
    let body = NodePatch {
        body: Some(anchor(hours(9))),
        ..NodePatch::default()
    };
    let merge = |a: &NodeId, b: &NodeId| Op::MergeNodes {
        keep: a.clone(),
        absorb: b.clone(),
    };
    let nan = Body::Concept(Concept {
        confidence: f32::NAN,
        ..Concept::default()
    });
    type Case = (Plan, fn(&PlanError) -> bool);
    let cases: Vec<Case> = vec![
        (bare, |x| matches!(x, PlanError::NoReasoning { op: 0 })),
        (unknown, |x| matches!(x, PlanError::UnknownGround { .. })),
        (plan(&[], vec![concept("c-z", "other things")]), |x| {
            matches!(x, PlanError::NoGrounds { .. })
        }),
        (plan(&[0], vec![concept("c-a", "other things")]), |x| {
            matches!(x, PlanError::IdTaken { .. })
        }),
        (plan(&[0], vec![concept("i-z", "other things")]), |x| {
            matches!(x, PlanError::IdKind { .. })
        }),
        (plan(&[0], vec![concept("c-z", " ")]), |x| {
            matches!(x, PlanError::Invalid { .. })
        }),
        (plan(&[0], vec![new_node("c-z", "other", nan)]), |x| {
            matches!(x, PlanError::Invalid { .. })
        }),
        (
            plan(&[0], vec![new_node("e-z", "other", Body::Event(event(9, 9)))]),
            |x| matches!(x, PlanError::EventImmutable { .. }),
        ),
        (plan(&[0], vec![patch(&e(0), title)]), |x| {
            matches!(x, PlanError::EventImmutable { .. })
        }),
        (plan(&[0], vec![patch(&id("c-a"), body)]), |x| {
            matches!(x, PlanError::Invalid { .. })
        }),
        (plan(&[0], vec![weight(0.0)]), |x| {
            matches!(x, PlanError::Weight { .. })
        }),
        (plan(&[0], vec![weight(f32::NAN)]), |x| {
            matches!(x, PlanError::Weight { .. })
        }),
        (plan(&[0], vec![link(&id("c-a"), Grounds, "c-b")]), |x| {
            matches!(x, PlanError::Ends { .. })
        }),
        (plan(&[0], vec![link(&e(0), Grounds, "c-none")]), |x| {
            matches!(x, PlanError::UnknownNode { .. })
        }),
        (plan(&[0], vec![link(&id("c-a"), RelatedTo, "c-a")]), |x| {
            matches!(x, PlanError::SelfEdge { .. })
        }),
        (
            plan(
                &[0],
                vec![Op::RemoveEdge {
                    source: e(5),
                    target: id("c-a"),
                    kind: Grounds,
                }],
            ),
            |x| matches!(x, PlanError::UnknownEdge { .. }),
        ),
        (plan(&[0], vec![merge(&id("c-a"), &id("i-a"))]), |x| {
            matches!(x, PlanError::Merge { .. })
        }),
        (plan(&[0], vec![merge(&e(0), &e(1))]), |x| {
            matches!(x, PlanError::Merge { .. })
        }),
        (plan(&[0], vec![merge(&id("c-a"), &id("c-a"))]), |x| {
            matches!(x, PlanError::Merge { .. })
        }),
    ];
    for (mut bad, expected) in cases {
        let mut g = small();
        let error = rejected(&mut g, bad.clone());
        assert!(expected(&error), "{error}");
        // The same, after operations of every kind that hold.
        let at = bad.ops.len();
        let good = vec![
            concept("c-y", "valve leaks"),
            link(&e(5), Grounds, "c-y"),
            link(&e(0), Grounds, "c-a"),
            Op::RemoveEdge {
                source: e(1),
                target: id("c-a"),
                kind: Grounds,
            },
            Op::RemoveNode { id: e(2) },
            merge(&id("c-y"), &id("c-b")),
            concept("c-x", "valve leak"),
        ];
        bad.ops.splice(0..0, good);
        let error = rejected(&mut g, bad);
        assert!(!error.to_string().is_empty() && at < 2);
    }
}

#[test]
fn reinforcing_has_diminishing_returns_and_starts_from_the_decayed_weight() {
    let mut g = small();
    let (s, t) = (at(&g, event_id(0).as_str()), at(&g, "c-a"));
    let again = plan(&[0], vec![link(&event_id(0), Grounds, "c-a")]);
    let first = g.edge(s, t, Grounds).unwrap().weight;
    g.apply(&again, hours(6)).unwrap();
    let second = g.edge(s, t, Grounds).unwrap().weight;
    g.apply(&again, hours(6)).unwrap();
    let third = g.edge(s, t, Grounds).unwrap().weight;
    assert!(first < second && second < third && third < 1.0);
    assert!(third - second < second - first);
    assert_eq!(size(&g, "c-a"), 3);
    let decayed = g.edge(s, t, Grounds).unwrap().effective(hours(206), 0.005);
    assert!((decayed - third * (-1.0f32).exp()).abs() < 1e-5);
    g.apply(&again, hours(206)).unwrap();
    let after = g.edge(s, t, Grounds).unwrap();
    assert!((after.weight - (decayed + (1.0 - decayed) * 0.25 * 0.9)).abs() < 1e-6);
    assert_eq!(after.at, hours(206));
}

#[test]
fn a_near_duplicate_reinforces_what_is_there() {
    let mut g = small();
    let ops = vec![
        concept("c-new", "Pump failure"),
        link(&event_id(5), Grounds, "c-new"),
    ];
    let applied = g.apply(&plan(&[5, 0], ops), hours(7)).unwrap();
    let (a, five, zero) = (
        at(&g, "c-a"),
        at(&g, event_id(5).as_str()),
        at(&g, event_id(0).as_str()),
    );
    assert_eq!(applied.collapsed, vec![(id("c-new"), a)]);
    assert!(applied.added.is_empty());
    assert_eq!(g.resolve("c-new"), Resolved::Merged(a));
    assert_eq!(g.edge(five, a, Reinforces).unwrap().weight, 0.7);
    assert!(g.edge(five, a, Grounds).is_none());
    assert!(g.edge(zero, a, Grounds).unwrap().weight > 0.9);
    assert_eq!(size(&g, "c-a"), 4);
    assert_eq!(g.take_dirty().redirects, vec![(id("c-new"), Some(id("c-a")))]);
    assert_eq!(
        rejected(&mut g, plan(&[5], vec![concept("c-new", "x y")])),
        PlanError::IdTaken {
            op: 0,
            id: id("c-new")
        }
    );
}

#[test]
fn numbers_names_and_other_words_keep_titles_apart() {
    use crate::graph::titles::similarity;
    assert!(similarity("late deliveries", "Late delivery") < 0.85);
    assert!(similarity("pump failures in the hall", "pump failure in the hall") >= 0.85);
    assert!(similarity("order 12345 is late again", "order 12346 is late again") == 0.0);
    assert!(
        similarity(
            "moved with Marianna to the lake house",
            "moved with Marianne to the lake house"
        ) == 0.0
    );
    assert!(
        similarity(
            "delivery accepted by the customer",
            "delivery not accepted by the customer"
        ) == 0.0
    );
    assert!(similarity("", "") == 0.0);
    assert!(similarity("ポンプ故障の報告", "ポンプ故障の報告") == 1.0);
}

#[test]
fn merging_moves_edges_and_redirects_in_one_step() {
    let mut g = small();
    let e = event_id;
    let extra = vec![
        link(&e(0), Grounds, "c-b"),
        link(&id("c-b"), PartOf, "c-a"),
        link(&id("c-b"), Triggers, "i-a"),
        Op::UpdateNode {
            id: id("c-b"),
            patch: NodePatch {
                accessed: 3,
                ..NodePatch::default()
            },
        },
        concept("c-c", "third thing"),
    ];
    g.apply(&plan(&[0], extra), hours(6)).unwrap();
    let (a, b) = (at(&g, "c-a"), at(&g, "c-b"));
    let merge = |keep: &str, absorb: &str| {
        plan(
            &[],
            vec![Op::MergeNodes {
                keep: id(keep),
                absorb: id(absorb),
            }],
        )
    };
    let applied = g.apply(&merge("c-a", "c-b"), hours(7)).unwrap();
    assert_eq!((applied.merged, applied.removed), (vec![(a, b)], vec![b]));
    assert_eq!(size(&g, "c-a"), 5);
    assert_eq!(g.node(a).unwrap().access, 3);
    assert_eq!(g.incoming(a).count(), 5);
    assert_eq!(g.out(a).count(), 1);
    let both = g.edge(at(&g, e(0).as_str()), a, Grounds).unwrap();
    assert!((both.weight - 0.99).abs() < 1e-6);
    assert_eq!(g.node(a).unwrap().provenance.grounded_in.len(), 5);
    g.apply(&merge("c-c", "c-a"), hours(7)).unwrap();
    let c = at(&g, "c-c");
    assert_eq!(
        (g.resolve("c-a"), g.resolve("c-b")),
        (Resolved::Merged(c), Resolved::Merged(c))
    );
    let dirty = g.take_dirty();
    assert_eq!(
        dirty.redirects,
        vec![(id("c-a"), Some(id("c-c"))), (id("c-b"), Some(id("c-c")))]
    );
    // Edges find their way; changes must name the live node.
    g.apply(&plan(&[5], vec![link(&e(5), Grounds, "c-b")]), hours(8))
        .unwrap();
    assert_eq!(size(&g, "c-c"), 6);
    let gone = plan(&[], vec![Op::RemoveNode { id: id("c-b") }]);
    assert_eq!(rejected(&mut g, gone), PlanError::Merged { op: 0, id: id("c-b") });
    g.apply(&plan(&[], vec![Op::RemoveNode { id: id("c-c") }]), hours(8))
        .unwrap();
    assert_eq!(
        (g.resolve("c-a"), g.resolve("c-c")),
        (Resolved::Erased, Resolved::Erased)
    );
}

#[test]
fn erasing_an_event_takes_what_came_only_from_it() {
    let mut g = small();
    let e = event_id;
    let ops = vec![
        concept("c-only", "from five alone"),
        link(&e(5), Grounds, "c-only"),
        new_node("t-only", "friday", anchor(hours(90))),
        link(&id("t-only"), DeadlineFor, "i-a"),
        link(&id("c-a"), DerivedFrom, "c-b"),
    ];
    g.apply(&plan(&[5], ops), hours(7)).unwrap();
    let five = at(&g, e(5).as_str());
    let applied = g
        .apply(&plan(&[], vec![Op::RemoveNode { id: e(5) }]), hours(8))
        .unwrap();
    assert_eq!(applied.removed.len(), 3);
    for gone in [e(5).as_str(), "c-only", "t-only"] {
        assert_eq!(g.resolve(gone), Resolved::Erased);
    }
    // The edge between two concepts that live on was grounded in five alone.
    assert!(g.edge(at(&g, "c-a"), at(&g, "c-b"), DerivedFrom).is_none());
    assert!(g.take_dirty().removed.is_empty(), "the store never knew them");
    assert_eq!(
        g.add_event(event(5, 5), hours(9)).unwrap_err(),
        PlanError::Erased { op: 0, id: e(5) }
    );
    assert!(g.nodes().all(|(_, n)| !n.provenance.grounded_in.contains(&e(5))));
    assert!(g.grounded.iter().all(|(ix, _)| *ix != five));

    // i-a is named by the concept's other grounds, c-a by its members.
    g.apply(&plan(&[], vec![Op::RemoveNode { id: e(1) }]), hours(8))
        .unwrap();
    assert_eq!(size(&g, "c-a"), 2);
    g.apply(&plan(&[4], vec![link(&e(4), Grounds, "c-a")]), hours(8))
        .unwrap();
    g.apply(
        &plan(
            &[],
            vec![Op::RemoveNode { id: e(0) }, Op::RemoveNode { id: e(2) }],
        ),
        hours(8),
    )
    .unwrap();
    assert_eq!(g.node(at(&g, "c-a")).unwrap().provenance.grounded_in, vec![e(4)]);
    assert_eq!(g.resolve("i-a"), Resolved::Erased);
}

#[test]
fn lifecycle_needs_no_reasoning_and_archived_nodes_leave_the_lists() {
    let mut g = small();
    let mut quiet = plan(&[], vec![]);
    quiet.reasoning = "".into();
    let flags = NodePatch {
        archived: Some(true),
        pinned: Some(true),
        ..NodePatch::default()
    };
    quiet.ops = vec![Op::UpdateNode {
        id: id("i-a"),
        patch: flags,
    }];
    let i = at(&g, "i-a");
    g.publish();
    assert_eq!(g.open_intents().collect::<Vec<_>>(), vec![i]);
    g.apply(&quiet, hours(30)).unwrap();
    assert_eq!(g.open_intents().count(), 0);
    assert!(g.recent(100).all(|ix| ix != i) && g.top_ranked(100).all(|ix| ix != i));
    assert_eq!(g.node(i).unwrap().touched, hours(6));
    assert!(g.node(i).unwrap().pinned);
    let read = NodePatch {
        accessed: 2,
        ..NodePatch::default()
    };
    quiet.ops = vec![Op::UpdateNode {
        id: event_id(0),
        patch: read,
    }];
    g.apply(&quiet, hours(31)).unwrap();
    assert_eq!(g.recent(1).next(), g.ix(event_id(0).as_str()));
}

#[test]
fn instants_at_the_end_of_the_range_do_not_overflow() {
    let mut g = small();
    let again = plan(
        &[0],
        vec![
            link(&event_id(0), Grounds, "c-a"),
            link(&event_id(0), RelatedTo, "c-b"),
        ],
    );
    for now in [Ts(i64::MIN), Ts(i64::MAX), Ts(i64::MIN)] {
        g.apply(&again, now).unwrap();
        g.publish();
    }
    assert!(g.edges().all(|e| (0.0..=1.0).contains(&e.weight)));
}
