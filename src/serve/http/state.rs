//! What all handlers share.

use std::sync::Arc;
use std::time::Duration;

use super::guard::Guard;
use crate::config::{Http as HttpSettings, Mcp as McpSettings};
use crate::serve::Methods;

pub struct Http {
    pub methods: Arc<Methods>,
    pub guard: Arc<Guard>,
    pub settings: HttpSettings,
    pub mcp: McpSettings,
}

impl Http {
    /// Longest time for a request to be sent, and to be answered.
    pub fn timeout(&self) -> Duration {
        Duration::from_secs_f64(self.settings.timeout_seconds)
    }
}
