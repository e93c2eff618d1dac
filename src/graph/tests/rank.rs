//! Local push against full power iteration.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;

/// PageRank by power iteration: uniform teleport, dangling mass spread uniformly.
fn power_iteration(g: &Graph, now: Ts) -> BTreeMap<NodeIx, f64> {
    let all: Vec<NodeIx> = g.nodes().map(|(ix, _)| ix).collect();
    let n = all.len() as f64;
    let mut rank: BTreeMap<NodeIx, f64> = all.iter().map(|ix| (*ix, 1.0 / n)).collect();
    for _ in 0..300 {
        let mut next: BTreeMap<NodeIx, f64> = all.iter().map(|ix| (*ix, 0.15 / n)).collect();
        for ix in &all {
            let weight = |e: &Edge| f64::from(e.weight) * (-0.005 * now.hours_since(e.at)).exp();
            let sum: f64 = g.out(*ix).map(weight).sum();
            if sum == 0.0 {
                for r in next.values_mut() {
                    *r += 0.85 * rank[ix] / n;
                }
            }
            for e in g.out(*ix) {
                *next.get_mut(&e.target).unwrap() += 0.85 * rank[ix] * weight(e) / sum;
            }
        }
        rank = next;
    }
    rank
}

#[derive(Clone, Debug)]
enum Step {
    Event,
    Link(usize, usize, bool, f32),
    Unlink(usize),
    Remove(usize),
    Publish,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        3 => Just(Step::Event),
        6 => (0..40usize, 0..40usize, any::<bool>(), 0.05..1.0f32).prop_map(|(a, b, c, w)| Step::Link(a, b, c, w)),
        1 => (0..100usize).prop_map(Step::Unlink),
        1 => (0..40usize).prop_map(Step::Remove),
        2 => Just(Step::Publish),
    ];
    proptest::collection::vec(step, 1..120)
}

fn run(g: &mut Graph, steps: &[Step]) -> Ts {
    let mut now = hours(0);
    for (k, step) in steps.iter().enumerate() {
        now = hours(7 * k as i64);
        let name = |g: &Graph, n: usize| g.nodes().nth(n).map(|(_, node)| node.id.clone());
        let ops = match step {
            Step::Event => {
                g.add_event(event(k, 0), now).unwrap();
                continue;
            }
            Step::Publish => {
                g.publish();
                continue;
            }
            Step::Link(a, b, causes, w) => match (name(g, *a), name(g, *b)) {
                (Some(source), Some(target)) if source != target => {
                    let kind = if *causes {
                        EdgeKind::Causes
                    } else {
                        EdgeKind::RelatedTo
                    };
                    vec![Op::AddEdge {
                        source,
                        target,
                        kind,
                        weight: Some(*w),
                        inferred: false,
                    }]
                }
                _ => continue,
            },
            Step::Unlink(n) => {
                let Some(e) = g.edges().nth(*n) else { continue };
                let id = |ix| g.node(ix).unwrap().id.clone();
                vec![Op::RemoveEdge {
                    source: id(e.source),
                    target: id(e.target),
                    kind: e.kind,
                }]
            }
            Step::Remove(n) => match name(g, *n) {
                Some(id) => vec![Op::RemoveNode { id }],
                None => continue,
            },
        };
        g.apply(&plan(&[], ops), now).unwrap();
    }
    now
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_rank_is_within_epsilon_of_power_iteration(steps in steps()) {
        let mut g = Graph::new("s".into(), Settings { rank_publish: 0.0, rank_steps: 1_000_000, ..Settings::default() });
        let now = run(&mut g, &steps);
        let view = g.publish();
        prop_assert_eq!(g.rank_backlog(), 0);
        // Shares do not depend on when they are looked at.
        let exact = power_iteration(&g, Ts(now.0 + 1_000 * HOUR));
        for (ix, want) in exact {
            let got = view.rank(ix);
            // epsilon on the score and epsilon on the sum it is divided by.
            prop_assert!((got - want).abs() <= 2.1 * 0.001 * want, "{:?}: {} instead of {}", ix, got, want);
        }
    }

    #[test]
    fn left_over_residual_bounds_the_error(steps in steps()) {
        let tight = Settings { rank_steps: 3, rank_steps_per_change: 0, ..Settings::default() };
        let mut g = Graph::new("s".into(), tight);
        let now = run(&mut g, &steps);
        g.publish();
        // With all mass at 1 a node, the scores sum to what power iteration's ranks are shares of.
        let exact = power_iteration(&g, now);
        let dangling: f64 = exact.iter().filter(|(ix, _)| g.out(**ix).count() == 0).map(|(_, r)| r).sum();
        let n = exact.len() as f64;
        let scale = n / (0.15 + 0.85 * dangling);
        let error: f64 = exact.iter().map(|(ix, r)| (g.rank.score(*ix) - r * scale).abs()).sum();
        let bound = g.rank.residual_sum() / 0.15;
        prop_assert!(error <= bound + 1e-6, "{} > {}", error, bound);
        for _ in 0..10_000 {
            if g.rank_backlog() == 0 { break }
            g.publish();
        }
        prop_assert_eq!(g.rank_backlog(), 0);
        prop_assert!(g.rank.residual_sum() <= 0.001 * n.max(1.0));
    }
}

#[test]
fn a_restart_gives_the_same_ranks_within_the_bound() {
    let mut g = with_events(50);
    for n in 1..50 {
        let (a, b) = (event_id(n), event_id(n / 3));
        g.apply(
            &plan(
                &[],
                vec![Op::AddEdge {
                    source: a,
                    target: b,
                    kind: EdgeKind::Causes,
                    weight: None,
                    inferred: false,
                }],
            ),
            hours(60),
        )
        .unwrap();
        g.publish();
    }
    let mut again = reopen(&g);
    let (a, b) = (g.publish(), again.publish());
    for (ix, _) in a.nodes() {
        assert!((a.rank(ix) - b.rank(ix)).abs() <= 0.03 * b.rank(ix));
    }
}
