//! Scrubbing: after an erasure the store's folder is written anew, so that nothing erased stays on disk.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::store::{StoreError, Vault};

/// Collects requests; one scrub serves all that came before it.
pub struct Scrubber {
    vault: Arc<Vault>,
    due: AtomicBool,
    wake: tokio::sync::Notify,
}

impl Scrubber {
    /// An erasure whose scrub an earlier process did not live to do is requested at once.
    pub fn new(vault: Arc<Vault>) -> Result<Scrubber, StoreError> {
        let owed = vault.scrub_owed()?;
        let scrubber = Scrubber {
            vault,
            due: AtomicBool::new(false),
            wake: tokio::sync::Notify::new(),
        };
        if owed {
            scrubber.request();
        }
        Ok(scrubber)
    }

    pub fn request(&self) {
        self.due.store(true, Ordering::SeqCst);
        self.wake.notify_one();
    }

    pub fn is_due(&self) -> bool {
        self.due.load(Ordering::SeqCst)
    }

    /// Waits for a request.
    pub async fn requested(&self) {
        self.wake.notified().await;
    }

    /// Scrubs if one is due. Blocking.
    pub fn run(&self) -> Result<(), StoreError> {
        if self.due.swap(false, Ordering::SeqCst)
            && let Err(e) = self.vault.scrub()
        {
            // Still owed.
            self.due.store(true, Ordering::SeqCst);
            return Err(e);
        }
        Ok(())
    }
}
