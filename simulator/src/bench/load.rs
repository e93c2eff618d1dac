//! Events that keep coming while something else is measured.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::JoinHandle;

use anyhow::{Result, anyhow};
use gyrus::cli::client::Client;
use indicatif::ProgressBar;

use super::fill::{by_space, ingest};
use crate::pace::Pace;
use crate::send::{Sent, send};
use crate::synth::{Planted, Synth};
use crate::target::Target;

/// A thread that sends by a schedule until it is told to stop.
pub struct Load {
    stop: Arc<AtomicBool>,
    thread: JoinHandle<(Result<Sent>, Synth)>,
}

impl Load {
    pub fn start(mut synth: Synth, pace: Pace, mut target: Box<dyn Target>) -> Load {
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = stop.clone();
        let thread = std::thread::spawn(move || {
            let events = synth
                .by_ref()
                .map(|p| p.event)
                .take_while(|_| !stopped.load(Ordering::Relaxed));
            let sent = send(events, pace, &mut *target, &ProgressBar::hidden());
            (sent, synth)
        });
        Load { stop, thread }
    }

    /// Stops it; everything it sent is acknowledged then. Gives back the stream too.
    pub fn stop(self) -> Result<(Sent, Synth)> {
        self.stop.store(true, Ordering::Relaxed);
        let (sent, synth) = self.thread.join().map_err(|_| anyhow!("the load failed"))?;
        Ok((sent?, synth))
    }
}

/// A thread that sends batch after batch until the daemon dies under it, counting what was acknowledged.
pub struct UntilDeath {
    acked: Arc<AtomicU64>,
    thread: JoinHandle<()>,
}

impl UntilDeath {
    const BATCH: usize = 64;

    pub fn start(mut client: Client, mut synth: Synth) -> UntilDeath {
        let acked = Arc::new(AtomicU64::new(0));
        let count = acked.clone();
        let thread = std::thread::spawn(move || {
            loop {
                let events: Vec<Planted> = synth.by_ref().take(Self::BATCH).collect();
                for (space, list) in by_space(events) {
                    match ingest(&mut client, &space, list) {
                        Ok(stored) => count.fetch_add(stored, Ordering::SeqCst),
                        // The connection broke, as was meant to be.
                        Err(_) => return,
                    };
                }
            }
        });
        UntilDeath { acked, thread }
    }

    pub fn acked(&self) -> u64 {
        self.acked.load(Ordering::SeqCst)
    }

    /// True when it ended although nobody killed the daemon.
    pub fn ended(&self) -> bool {
        self.thread.is_finished()
    }

    /// After the kill: how many events were acknowledged in all.
    pub fn join(self) -> Result<u64> {
        self.thread.join().map_err(|_| anyhow!("the load failed"))?;
        Ok(self.acked.load(Ordering::SeqCst))
    }
}
