//! Who gets in: host, token, rate. And what they hold while they are in: places for requests and streams.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use arc_swap::ArcSwapOption;
use axum::http::{HeaderMap, header};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

use super::problem::Problem;
use crate::config::Http as Settings;
use crate::serve::access::{Access, Rate, Tokens};
use crate::serve::code;

/// Time between looks at the token file.
const LOOK: Duration = Duration::from_secs(1);

pub struct Guard {
    file: Option<PathBuf>,
    rate: Rate,
    tokens: ArcSwapOption<Tokens>,
    /// Counts the times that the tokens were read.
    version: watch::Sender<u64>,
    /// What everyone may do when there are no tokens.
    anyone: Access,
    hosts: Vec<String>,
    requests: Arc<Semaphore>,
    streams: Arc<Semaphore>,
}

impl Guard {
    /// # Errors
    /// When the token file cannot be used; one sentence.
    pub fn new(settings: &Settings) -> Result<Guard, String> {
        let rate = Rate {
            per_second: settings.requests_per_second,
            burst: settings.burst,
        };
        let file = Some(settings.tokens.clone()).filter(|p| !p.as_os_str().is_empty());
        let tokens = match &file {
            Some(path) => Some(Arc::new(Tokens::read(path, rate)?)),
            None => None,
        };
        Ok(Guard {
            file,
            rate,
            tokens: ArcSwapOption::new(tokens),
            version: watch::Sender::new(0),
            anyone: Access::full(rate),
            hosts: settings.allowed_hosts.clone(),
            requests: Arc::new(Semaphore::new(settings.max_concurrent)),
            streams: Arc::new(Semaphore::new(settings.max_streams)),
        })
    }

    pub fn has_tokens(&self) -> bool {
        self.file.is_some()
    }

    /// Lets a request in, as whom it may be.
    ///
    /// # Errors
    /// `wrong_host`, `unauthorized` or `rate_limited`.
    pub fn admit(&self, headers: &HeaderMap) -> Result<Access, Problem> {
        let access = match &*self.tokens.load() {
            Some(tokens) => bearer(headers).and_then(|t| tokens.find(t)).ok_or_else(|| {
                Problem::new(
                    code::UNAUTHORIZED,
                    "a known token is needed: Authorization: Bearer …",
                )
            })?,
            None => {
                self.check_host(headers)?;
                self.anyone.clone()
            }
        };
        if access.bucket.take() {
            Ok(access)
        } else {
            Err(Problem::new(code::RATE_LIMITED, "too many requests; slow down"))
        }
    }

    /// Without tokens a web page in the user's own browser must not get in by a name that points to loopback.
    fn check_host(&self, headers: &HeaderMap) -> Result<(), Problem> {
        let refuse = |what: &str| {
            Err(Problem::new(
                code::WRONG_HOST,
                format!("{what} is not a name of this server; see http.allowed_hosts"),
            ))
        };
        let host = headers.get(header::HOST).and_then(|h| h.to_str().ok());
        if !host.is_some_and(|h| self.is_ours(h)) {
            return refuse("the host");
        }
        if let Some(origin) = headers.get(header::ORIGIN) {
            let origin = origin.to_str().unwrap_or_default();
            let host = origin.split_once("://").map_or(origin, |(_, host)| host);
            if !self.is_ours(host) {
                return refuse("the origin");
            }
        }
        Ok(())
    }

    fn is_ours(&self, host: &str) -> bool {
        let name = match host.rsplit_once(':') {
            Some((name, port)) if !port.is_empty() && port.bytes().all(|b| b.is_ascii_digit()) => name,
            _ => host,
        };
        let address = name.trim_start_matches('[').trim_end_matches(']');
        name.eq_ignore_ascii_case("localhost")
            || address.parse::<std::net::IpAddr>().is_ok_and(|a| a.is_loopback())
            || self.hosts.iter().any(|h| h.eq_ignore_ascii_case(name))
    }

    /// A place among the requests at work.
    ///
    /// # Errors
    /// `overloaded`.
    pub fn request(&self) -> Result<OwnedSemaphorePermit, Problem> {
        let permit = self.requests.clone().try_acquire_owned();
        permit.map_err(|_| Problem::new(code::OVERLOADED, "too many requests at work; try again"))
    }

    /// A place among the open streams.
    ///
    /// # Errors
    /// `overloaded`.
    pub fn stream(&self) -> Result<OwnedSemaphorePermit, Problem> {
        let permit = self.streams.clone().try_acquire_owned();
        permit.map_err(|_| Problem::new(code::OVERLOADED, "too many open streams; close one and try again"))
    }

    /// Comes back when the rights of an access have ended.
    pub async fn revoked(self: Arc<Self>, access: Access) {
        let mut version = self.version.subscribe();
        loop {
            let still = match &*self.tokens.load() {
                Some(tokens) => tokens.still(&access),
                None => true,
            };
            // The sender lives in `self`.
            if !still || version.changed().await.is_err() {
                return;
            }
        }
    }

    /// Reads the tokens anew. Those there are stay when the file cannot be used.
    pub fn reload(&self) {
        let Some(path) = &self.file else { return };
        match Tokens::read(path, self.rate) {
            Ok(tokens) => {
                tracing::info!(tokens = tokens.len(), "the access tokens were read anew");
                self.tokens.store(Some(Arc::new(tokens)));
                self.version.send_modify(|v| *v += 1);
            }
            Err(reason) => tracing::error!(%reason, "the old access tokens stay"),
        }
    }

    /// Reads the tokens anew on SIGHUP and when their file has changed, until the stop.
    pub async fn watch(self: Arc<Self>, mut stop: watch::Receiver<bool>) -> std::io::Result<()> {
        use tokio::signal::unix::{SignalKind, signal};
        let Some(path) = self.file.clone() else {
            let _ = stop.wait_for(|s| *s).await;
            return Ok(());
        };
        let mut hangup = signal(SignalKind::hangup())?;
        let mut seen = stamp(&path);
        loop {
            tokio::select! {
                _ = hangup.recv() => {}
                _ = tokio::time::sleep(LOOK) => {
                    let now = stamp(&path);
                    if now == seen {
                        continue;
                    }
                    seen = now;
                }
                _ = stop.wait_for(|s| *s) => return Ok(()),
            }
            let guard = self.clone();
            // A panic there is a death of this task.
            tokio::task::spawn_blocking(move || guard.reload())
                .await
                .map_err(std::io::Error::other)?;
        }
    }
}

/// What tells one state of a file from another.
fn stamp(path: &std::path::Path) -> Option<(SystemTime, u64)> {
    let m = std::fs::metadata(path).ok()?;
    Some((m.modified().ok()?, m.len()))
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        pairs
            .iter()
            .map(|(k, v)| (k.parse::<header::HeaderName>().unwrap(), v.parse().unwrap()))
            .collect()
    }

    #[test]
    fn without_tokens_only_names_of_loopback_are_answered() {
        let guard = Guard::new(&Settings {
            allowed_hosts: vec!["memory.lan".into()],
            ..Settings::default()
        })
        .unwrap();
        for host in [
            "localhost",
            "LOCALHOST:7480",
            "127.0.0.1:1",
            "[::1]:7480",
            "memory.lan:80",
        ] {
            assert!(guard.admit(&headers(&[("host", host)])).is_ok(), "{host}");
        }
        for (host, origin) in [
            ("evil.example:7480", None),
            ("10.0.0.1", None),
            ("localhost.evil.example", None),
            ("localhost", Some("https://evil.example")),
            ("localhost", Some("null")),
        ] {
            let mut all = vec![("host", host)];
            all.extend(origin.map(|o| ("origin", o)));
            assert_eq!(
                guard.admit(&headers(&all)).unwrap_err().0.code,
                code::WRONG_HOST,
                "{all:?}"
            );
        }
        assert!(
            guard
                .admit(&headers(&[
                    ("host", "localhost"),
                    ("origin", "http://127.0.0.1:5173")
                ]))
                .is_ok()
        );
        assert!(guard.admit(&headers(&[])).is_err());
    }
}
