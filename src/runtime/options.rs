//! What a daemon is made of, out of a configuration.

use std::path::PathBuf;
use std::sync::Arc;

use crate::config::{Config, Durability as DurabilitySetting, Embedder, EmbedderKind};
use crate::embed::{self, EmbedError, Models};
use crate::space::SpaceSettings;
use crate::store::Durability;
use crate::stream::KafkaSettings;

/// Everything that [`super::Daemon::start`] needs.
pub struct DaemonOptions {
    pub data: PathBuf,
    pub cache_mb: u64,
    pub durability: Durability,
    pub models: Models,
    pub spaces: SpaceSettings,
    pub runtime: super::Settings,
    pub recall: crate::recall::Settings,
    pub context: crate::fold::context::Settings,
    /// `None`: no Kafka; one local shard.
    pub kafka: Option<KafkaSettings>,
    pub events: crate::event::Settings,
}

impl DaemonOptions {
    /// # Errors
    /// When the configured embedder cannot be made.
    pub fn of(config: &Config) -> Result<DaemonOptions, EmbedError> {
        Ok(DaemonOptions {
            data: config.store.dir.clone(),
            cache_mb: config.store.cache_mb,
            durability: match config.store.durability {
                DurabilitySetting::EveryBatch => Durability::EveryBatch,
                DurabilitySetting::Interval => Durability::Interval {
                    ms: config.store.interval_ms,
                },
                DurabilitySetting::Never => Durability::Never,
            },
            models: models(&config.embedder)?,
            spaces: SpaceSettings {
                clock: config.clock.clone(),
                graph: config.graph.clone(),
                fold: config.fold.clone(),
                consolidate: config.consolidate.clone(),
                intent: config.intent.clone(),
                index: config.index.clone(),
                distill: config.distill,
            },
            runtime: config.runtime.clone(),
            recall: config.recall.clone(),
            context: config.context.clone(),
            kafka: (!config.kafka.brokers.is_empty()).then(|| config.kafka.clone()),
            events: config.event.clone(),
        })
    }
}

fn models(e: &Embedder) -> Result<Models, EmbedError> {
    let mut models = embed::built_in();
    match e.kind {
        EmbedderKind::Static => {}
        EmbedderKind::Hashed => models.embedder = Arc::new(embed::Hashed),
        EmbedderKind::Http => {
            models.embedder = Arc::new(embed::http::HttpEmbedder::new(embed::http::HttpSettings {
                url: e.url.clone(),
                model: e.model.clone(),
                dim: e.dim,
                api_key_env: e.key_env.clone(),
                batch: e.batch,
                max_chars: e.max_chars,
                timeout_ms: e.timeout_ms,
            })?);
        }
    }
    Ok(models)
}
