//! Settings of this room; commented in `config/sections/recall.toml`.

use serde::{Deserialize, Serialize};

/// Weights of the first stage (research, fitted on dev streams and kept on unseen ones).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Weights {
    pub lexical: f32,
    pub cosine: f32,
    pub entity: f32,
    pub actor: f32,
    pub day: f32,
    pub month: f32,
    pub when: f32,
    pub number: f32,
    pub first_person: f32,
    pub capitalised: f32,
    pub only_question: f32,
    pub filler: f32,
    pub episode: f32,
    pub position: f32,
}

impl Default for Weights {
    fn default() -> Self {
        Weights {
            lexical: 3.18,
            cosine: 2.48,
            entity: 1.64,
            actor: 2.17,
            day: 3.71,
            month: 4.3,
            when: 1.53,
            number: 0.73,
            first_person: 0.73,
            capitalised: 0.19,
            only_question: -1.36,
            filler: -0.29,
            episode: 2.37,
            position: -0.87,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    pub budget_tokens: usize,
    pub max_items: usize,
    pub weights: Weights,
    pub seeds: usize,
    pub entity_step: f32,
    pub vector_step: f32,
    pub conversation_above: f32,
    pub frequent_actor: f32,
    pub expansion_words: usize,
    pub expansion_cosine: f32,
    pub expansion_zero: f32,
    pub expansion_weight: f32,
    pub vocabulary_scan: usize,
    pub exact_below: usize,
    pub candidates: usize,
    pub posting_budget: usize,
    pub episode_postings: usize,
    pub sample: usize,
    pub hop_decay: f32,
    pub version_closeness: f32,
    pub actor_margin: f32,
    pub version_closeness_cued: f32,
    pub claim_lift: f32,
    pub chain_lift: f32,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            budget_tokens: 1_300,
            max_items: 200,
            weights: Weights::default(),
            seeds: 5,
            entity_step: 3.0,
            vector_step: 4.0,
            conversation_above: 0.3,
            frequent_actor: 0.2,
            expansion_words: 8,
            expansion_cosine: 0.52,
            expansion_zero: 0.40,
            expansion_weight: 0.8,
            vocabulary_scan: 20_000,
            exact_below: 4_096,
            candidates: 3_000,
            posting_budget: 1_500_000,
            episode_postings: 20_000,
            sample: 256,
            hop_decay: 0.5,
            version_closeness: 0.9,
            actor_margin: 1.0,
            version_closeness_cued: 0.6,
            claim_lift: 0.0,
            chain_lift: 1.0,
        }
    }
}
