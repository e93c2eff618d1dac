//! Settings of this room; the values and their sources stand in `config/default.toml`.

use serde::{Deserialize, Serialize};

/// Numbers of concept formation. Features are ordered: text vector, word mean, words, entities, soft overlap.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Weights of the five standardised pair features in the content logit.
    pub weights: [f32; 5],
    /// Content logit of an average pair.
    pub bias: f32,
    /// Prior mean of the five raw features.
    pub prior_mean: [f32; 5],
    /// Prior standard deviation of the five raw features.
    pub prior_sd: [f32; 5],
    /// Pseudo pairs behind the prior deviations.
    pub prior_pairs: f32,
    /// Pseudo pairs behind the prior means: fewer, since they differ between languages.
    pub prior_mean_pairs: f32,
    /// Pairs that were never compared count as `bias` less this.
    pub unknown: f32,
    /// Length damping of the overlap of words.
    pub damp_words: f32,
    /// Length damping of the overlap of entities.
    pub damp_entities: f32,
    /// Exponents that undo the attenuation of the soft lift: type, actor, source.
    pub lift_power: [f32; 3],
    /// Sharpness of the soft co-membership.
    pub lift_sharpness: f32,
    /// Pseudo pairs at lift 1.
    pub lift_pairs: f32,
    /// Upper limit of the coherence of an attribute.
    pub coherence_max: f32,
    /// Join threshold of a short stream, in logits.
    pub theta: f32,
    /// Growth of the threshold for each unit of ln(events / growth_from).
    pub growth: f32,
    /// Events from which the threshold grows.
    pub growth_from: f32,
    /// Events at which it stops growing.
    pub growth_until: f32,
    /// A cluster speaks with at most this many members about an event (and at least with all it was compared with).
    pub voices: u32,
    /// Logits that a cluster of more than `voices` members must make up for, for each unit of ln(members / voices).
    pub crowd: f32,
    /// Logits that two single events must agree by beyond the threshold to found a concept, for each unit of
    /// ln(events / pass_all): among many events some two are alike by chance.
    pub birth: f32,
    /// Events between passes.
    pub period: u32,
    /// The same, while each event is compared with all others.
    pub period_small: u32,
    /// Rounds of moves and merges within a pass.
    pub rounds: u32,
    /// Up to this many events, each is compared with all others.
    pub compare_all: u32,
    /// Up to this many events, a pass considers all of them.
    pub pass_all: u32,
    /// Events a pass considers in a larger space.
    pub pass_active: u32,
    /// Candidates that share the most telling terms.
    pub from_terms: u32,
    /// Candidates of near vectors.
    pub from_vectors: u32,
    /// The most recent events are candidates, too.
    pub from_recent: u32,
    /// Candidates that the four cheap features leave over.
    pub shortlist: u32,
    /// Of these, compared fully.
    pub compared: u32,
    /// Of these, kept.
    pub kept: u32,
    /// Further partners an event, picked by hash, that alone feed the statistics.
    pub sampled: u32,
    /// From this many events on, one such partner is enough.
    pub sampled_until: u32,
    /// Members at most that a title is made from.
    pub title_members: u32,
    /// A concept is named anew once its size has changed by this factor since its last title, 1 to 10.
    pub title_growth: f32,
    /// Weight of an event's GROUNDS edge to its concept.
    pub grounds_weight: f32,
    /// Holders at most of a name that links successive events.
    pub chain_holders: u32,
    /// Links at most from an event to earlier ones through shared names.
    pub chain_links: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            weights: [0.36, 0.34, 0.32, 0.25, 0.28],
            bias: -3.11,
            prior_mean: [0.185, 0.264, 0.025, 0.021, 0.28],
            prior_sd: [0.123, 0.135, 0.034, 0.077, 0.059],
            prior_pairs: 100.0,
            prior_mean_pairs: 20.0,
            unknown: 0.3,
            damp_words: 25.0,
            damp_entities: 15.0,
            lift_power: [1.6, 0.5, 1.6],
            lift_sharpness: 1.5,
            lift_pairs: 30.0,
            coherence_max: 0.9,
            theta: -1.95,
            growth: 0.5,
            growth_from: 48.0,
            growth_until: 5_000.0,
            voices: 12,
            crowd: 0.5,
            birth: 2.0,
            period: 10,
            period_small: 3,
            rounds: 8,
            compare_all: 64,
            pass_all: 256,
            pass_active: 40,
            from_terms: 24,
            from_vectors: 16,
            from_recent: 4,
            shortlist: 16,
            compared: 8,
            kept: 8,
            sampled: 3,
            sampled_until: 1_024,
            title_members: 16,
            title_growth: 1.5,
            grounds_weight: 0.9,
            chain_holders: 8,
            chain_links: 2,
        }
    }
}

impl Settings {
    /// Join threshold for a stream of `n` events.
    pub(super) fn theta(&self, n: usize) -> f32 {
        let n = (n as f32).min(self.growth_until.max(self.growth_from));
        self.theta + self.growth * (n / self.growth_from.max(1.0)).max(1.0).ln()
    }

    /// What two single events must agree by beyond the threshold, in a stream of `n` events.
    pub(super) fn birth(&self, n: usize) -> f32 {
        let n = (n as f32).min(self.growth_until.max(self.growth_from));
        self.birth * (n / self.pass_all.max(1) as f32).max(1.0).ln()
    }

    /// Content logit of a pair that was never compared.
    pub(super) fn floor(&self) -> f32 {
        self.bias - self.unknown
    }
}
