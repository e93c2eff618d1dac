//! A token bucket: so many requests a second, some saved up.

use std::time::Instant;

use parking_lot::Mutex;

/// Requests saved up, and when that was true.
#[derive(Debug)]
struct Level {
    saved: f64,
    at: Instant,
}

#[derive(Debug)]
pub struct Bucket {
    /// 0: no limit.
    per_second: f64,
    burst: f64,
    level: Mutex<Level>,
}

impl Bucket {
    pub fn new(per_second: f64, burst: f64) -> Bucket {
        Bucket {
            per_second,
            burst,
            level: Mutex::new(Level {
                saved: burst,
                at: Instant::now(),
            }),
        }
    }

    /// Takes one request out; false when there is none.
    pub fn take(&self) -> bool {
        self.take_at(Instant::now())
    }

    fn take_at(&self, now: Instant) -> bool {
        if self.per_second <= 0.0 {
            return true;
        }
        let mut l = self.level.lock();
        let passed = now.saturating_duration_since(l.at).as_secs_f64();
        l.saved = (l.saved + passed * self.per_second).min(self.burst);
        l.at = now;
        let granted = l.saved >= 1.0;
        if granted {
            l.saved -= 1.0;
        }
        granted
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_burst_is_granted_and_then_the_rate() {
        let b = Bucket::new(2.0, 3.0);
        let start = Instant::now();
        let granted = |ms: u64| {
            let now = start + Duration::from_millis(ms);
            (0..10).filter(|_| b.take_at(now)).count()
        };
        assert_eq!(granted(10), 3);
        assert_eq!(granted(20), 0);
        assert_eq!(granted(1_020), 2);
        assert_eq!(granted(100_000), 3);
        assert!((0..100).all(|_| Bucket::new(0.0, 1.0).take()));
    }
}
