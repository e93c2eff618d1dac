//! Vectors from an OpenAI-compatible `/embeddings` endpoint (hosted, Ollama, vLLM, llama.cpp).
//!
//! This is an edge: it blocks on the network, and only `runtime` may build it. It guarantees that
//! what comes back is complete, in order, finite, of the configured dimension and of unit length,
//! or an error that says what is wrong and whether a retry may help. It never retries by itself
//! (the caller owns backlog and back-off) and never shows the key. Must not know the graph or
//! what the vectors are for.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::vector::to_unit;
use super::{EmbedError, Embedder, EmbedderInfo};

/// A response larger than this many bytes is refused: 256 vectors of 8,192 dimensions need about half.
const MAX_RESPONSE_BYTES: u64 = 64 << 20;
/// How much of an error response is quoted.
const QUOTED_CHARS: usize = 200;

/// Where the model is and what is expected of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct HttpSettings {
    /// Base address; `/embeddings` is appended. Example: `http://localhost:11434/v1`.
    pub url: String,
    pub model: String,
    /// Dimensions of the model's vectors; an answer of another length is an error.
    pub dim: usize,
    /// Name of the environment variable that holds the key; empty: no key is sent.
    pub api_key_env: String,
    /// Most texts in one request.
    pub batch: usize,
    /// Longer texts are cut here, in characters: most models refuse more than 512 to 8,192 tokens.
    pub max_chars: usize,
    /// For a whole request, connection and answer included, in milliseconds.
    pub timeout_ms: u64,
}

impl Default for HttpSettings {
    fn default() -> Self {
        Self {
            url: String::new(),
            model: String::new(),
            dim: 0,
            api_key_env: String::new(),
            batch: 64,
            max_chars: 8_000,
            timeout_ms: 20_000,
        }
    }
}

/// See the module's head.
pub struct HttpEmbedder {
    settings: HttpSettings,
    endpoint: String,
    name: String,
    authorization: Option<String>,
    agent: ureq::Agent,
}

#[derive(Serialize)]
struct Request<'a> {
    model: &'a str,
    input: Vec<&'a str>,
    encoding_format: &'static str,
}

#[derive(Deserialize)]
struct Response {
    data: Vec<Item>,
}

#[derive(Deserialize)]
struct Item {
    index: usize,
    embedding: Vec<f32>,
}

impl HttpEmbedder {
    /// Checks the settings and reads the key; does not connect.
    pub fn new(settings: HttpSettings) -> Result<Self, EmbedError> {
        let name = format!("http/{}", settings.model);
        let refused = |reason: String| EmbedError::Failed {
            name: name.clone(),
            reason,
            retry: false,
        };
        if !settings.url.starts_with("http://") && !settings.url.starts_with("https://") {
            return Err(refused(format!(
                "url {:?} must begin with http:// or https://",
                settings.url
            )));
        }
        for (key, value) in [
            ("dim", settings.dim),
            ("batch", settings.batch),
            ("max_chars", settings.max_chars),
        ] {
            if value == 0 {
                return Err(refused(format!("{key} must be at least 1")));
            }
        }
        let authorization = match settings.api_key_env.as_str() {
            "" => None,
            variable => match std::env::var(variable) {
                Ok(key) if !key.trim().is_empty() => Some(format!("Bearer {}", key.trim())),
                _ => {
                    return Err(refused(format!("environment variable {variable} holds no key")));
                }
            },
        };
        let agent = ureq::Agent::config_builder()
            .timeout_global(Some(Duration::from_millis(settings.timeout_ms)))
            // A redirect would carry texts and key to a place nobody configured.
            .max_redirects(0)
            // Status codes are read below, with what the server says about them.
            .http_status_as_error(false)
            .build()
            .new_agent();
        let endpoint = format!("{}/embeddings", settings.url.trim_end_matches('/'));
        Ok(Self {
            settings,
            endpoint,
            name,
            authorization,
            agent,
        })
    }

    fn embed_batch(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let body = Request {
            model: &self.settings.model,
            input: texts
                .iter()
                .map(|text| first_chars(text, self.settings.max_chars))
                .collect(),
            encoding_format: "float",
        };
        let body = serde_json::to_string(&body).map_err(|error| self.failed(error.to_string(), false))?;
        let mut request = self
            .agent
            .post(&self.endpoint)
            .header("content-type", "application/json");
        if let Some(authorization) = &self.authorization {
            request = request.header("authorization", authorization);
        }
        let mut response = request
            .send(&body)
            .map_err(|error| self.failed(error.to_string(), may_pass(&error)))?;
        let status = response.status().as_u16();
        let answer = response
            .body_mut()
            .with_config()
            .limit(MAX_RESPONSE_BYTES)
            .read_to_string();
        let answer = answer.map_err(|error| self.failed(error.to_string(), may_pass(&error)))?;
        if status != 200 {
            let reason = format!(
                "status {status} from {}: {}",
                self.endpoint,
                first_chars(answer.trim(), QUOTED_CHARS)
            );
            return Err(self.failed(reason, matches!(status, 408 | 429 | 500..)));
        }
        let Response { data } = serde_json::from_str(&answer)
            .map_err(|error| self.failed(format!("unreadable answer: {error}"), false))?;
        self.in_order(data, texts.len())
    }

    /// The vectors by their index: servers need not answer in order.
    fn in_order(&self, data: Vec<Item>, want: usize) -> Result<Vec<Vec<f32>>, EmbedError> {
        let mut vectors = vec![Vec::new(); want];
        for Item { index, mut embedding } in data {
            if embedding.len() != self.settings.dim {
                let (got, want) = (embedding.len(), self.settings.dim);
                return Err(EmbedError::Dimension {
                    name: self.name.clone(),
                    got,
                    want,
                });
            }
            if !embedding.iter().all(|x| x.is_finite()) {
                return Err(self.failed(format!("vector {index} holds a number that is not finite"), false));
            }
            let Some(slot) = vectors.get_mut(index) else {
                return Err(self.failed(format!("vector {index} for a batch of {want} texts"), false));
            };
            to_unit(&mut embedding);
            *slot = embedding;
        }
        match vectors.iter().position(Vec::is_empty) {
            Some(missing) => Err(self.failed(format!("no vector for text {missing} of {want}"), false)),
            None => Ok(vectors),
        }
    }

    fn failed(&self, reason: String, retry: bool) -> EmbedError {
        EmbedError::Failed {
            name: self.name.clone(),
            reason,
            retry,
        }
    }
}

impl Embedder for HttpEmbedder {
    fn info(&self) -> EmbedderInfo {
        EmbedderInfo {
            name: self.name.clone(),
            dim: self.settings.dim,
            degraded: false,
        }
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let mut vectors = Vec::with_capacity(texts.len());
        for batch in texts.chunks(self.settings.batch) {
            vectors.extend(self.embed_batch(batch)?);
        }
        Ok(vectors)
    }
}

/// Whether the same request may succeed later: what the network did may pass, what we sent will not.
fn may_pass(error: &ureq::Error) -> bool {
    use ureq::Error;
    matches!(
        error,
        Error::Io(_) | Error::Timeout(_) | Error::ConnectionFailed | Error::HostNotFound | Error::Protocol(_)
    )
}

fn first_chars(text: &str, limit: usize) -> &str {
    text.char_indices()
        .nth(limit)
        .map_or(text, |(end, _)| &text[..end])
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead, BufReader, Write};
    use std::net::TcpListener;
    use std::sync::mpsc;

    use super::*;

    /// A server that gives each connection the next of `answers` (status and body) and hands over
    /// what it was sent: the head and the body.
    fn serve(answers: Vec<(u16, String)>) -> (String, mpsc::Receiver<(String, String)>) {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let url = format!("http://{}/v1/", listener.local_addr().expect("an address"));
        let (sent, received) = mpsc::channel();
        std::thread::spawn(move || {
            for (status, body) in answers {
                let (stream, _) = listener.accept().expect("a connection");
                let mut reader = BufReader::new(stream);
                let request = read_request(&mut reader);
                let answer = format!(
                    "HTTP/1.1 {status} X\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
                    body.len()
                );
                reader
                    .get_mut()
                    .write_all(answer.as_bytes())
                    .expect("the client listens");
                if sent.send(request).is_err() {
                    return; // the test does not look at requests
                }
            }
        });
        (url, received)
    }

    fn read_request(reader: &mut impl BufRead) -> (String, String) {
        let (mut head, mut length) = (String::new(), 0);
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).expect("a header line");
            if line.trim().is_empty() {
                break;
            }
            let lower = line.to_lowercase();
            if let Some(value) = lower.strip_prefix("content-length:") {
                length = value.trim().parse().expect("a length");
            }
            head += &lower;
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).expect("the whole body");
        (head, String::from_utf8(body).expect("UTF-8"))
    }

    fn settings(url: String) -> HttpSettings {
        HttpSettings {
            url,
            model: "m".into(),
            dim: 2,
            batch: 2,
            timeout_ms: 5_000,
            ..HttpSettings::default()
        }
    }

    fn ask(status: u16, body: &str, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let (url, _requests) = serve(vec![(status, body.to_owned())]);
        HttpEmbedder::new(settings(url))
            .expect("good settings")
            .embed(texts)
    }

    fn failure(result: Result<Vec<Vec<f32>>, EmbedError>) -> (String, bool) {
        match result {
            Err(EmbedError::Failed { reason, retry, .. }) => (reason, retry),
            other => panic!("expected a failure, got {other:?}"),
        }
    }

    #[test]
    fn batches_are_sent_and_come_back_in_order_at_unit_length() {
        let first = r#"{"data":[{"index":1,"embedding":[0,2]},{"index":0,"embedding":[3,4]}]}"#;
        let second = r#"{"data":[{"index":0,"embedding":[-5,0]}]}"#;
        let (url, requests) = serve(vec![(200, first.into()), (200, second.into())]);
        let embedder = HttpEmbedder::new(HttpSettings {
            max_chars: 3,
            ..settings(url)
        })
        .expect("good settings");
        let vectors = embedder.embed(&["éééé", "b", "c"]).expect("three vectors");
        assert_eq!(vectors, [[0.6, 0.8], [0.0, 1.0], [-1.0, 0.0]]);
        let (head, body) = requests.recv().expect("the first request");
        assert!(head.starts_with("post /v1/embeddings "), "{head}");
        assert!(!head.contains("authorization"), "no key is configured");
        assert_eq!(
            body,
            r#"{"model":"m","input":["ééé","b"],"encoding_format":"float"}"#
        );
        assert!(
            requests
                .recv()
                .expect("the second request")
                .1
                .contains(r#"["c"]"#)
        );
    }

    #[test]
    fn the_key_is_sent_and_a_missing_one_is_named() {
        // PATH is set wherever tests run; changing the environment would disturb other tests.
        let (url, requests) = serve(vec![(200, r#"{"data":[{"index":0,"embedding":[1,0]}]}"#.into())]);
        let with_key = HttpSettings {
            api_key_env: "PATH".into(),
            ..settings(url.clone())
        };
        HttpEmbedder::new(with_key)
            .expect("a key")
            .embed(&["a"])
            .expect("one vector");
        let (head, _) = requests.recv().expect("the request");
        let key = std::env::var("PATH").expect("a path").to_lowercase();
        assert!(
            head.contains(&format!("authorization: bearer {}", key.trim())),
            "{head}"
        );

        let without = HttpSettings {
            api_key_env: "GYRUS_TEST_NO_SUCH_KEY".into(),
            ..settings(url)
        };
        let error = HttpEmbedder::new(without).err().expect("no key").to_string();
        assert!(error.contains("GYRUS_TEST_NO_SUCH_KEY"), "{error}");
    }

    #[test]
    fn another_dimension_is_an_error() {
        let error =
            ask(200, r#"{"data":[{"index":0,"embedding":[1,2,3]}]}"#, &["a"]).expect_err("three for two");
        assert!(
            matches!(error, EmbedError::Dimension { got: 3, want: 2, .. }),
            "{error}"
        );
    }

    #[test]
    fn incomplete_and_unreadable_answers_are_errors() {
        let one = r#"{"data":[{"index":0,"embedding":[1,0]}]}"#;
        assert_eq!(
            failure(ask(200, one, &["a", "b"])),
            ("no vector for text 1 of 2".into(), false)
        );
        let outside = r#"{"data":[{"index":7,"embedding":[1,0]}]}"#;
        assert_eq!(
            failure(ask(200, outside, &["a"])),
            ("vector 7 for a batch of 1 texts".into(), false)
        );
        let huge = r#"{"data":[{"index":0,"embedding":[1e39,0]}]}"#;
        // The parser or we: either finds it.
        let said = failure(ask(200, huge, &["a"])).0;
        assert!(said.contains("finite") || said.contains("out of range"), "{said}");
        assert!(
            failure(ask(200, "<html>", &["a"]))
                .0
                .starts_with("unreadable answer")
        );
    }

    #[test]
    fn a_status_says_whether_a_retry_may_help() {
        for (status, retry) in [(400, false), (401, false), (302, false), (429, true), (503, true)] {
            let (reason, got) = failure(ask(status, "too many", &["a"]));
            assert!(
                reason.contains(&status.to_string()) && reason.contains("too many"),
                "{reason}"
            );
            assert_eq!(got, retry, "status {status}");
        }
    }

    #[test]
    fn a_server_that_is_away_or_silent_may_be_retried() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let silent = HttpSettings {
            timeout_ms: 100,
            ..settings(url)
        };
        let embedder = HttpEmbedder::new(silent).expect("good settings");
        assert!(failure(embedder.embed(&["a"])).1, "silent");
        drop(listener);
        assert!(failure(embedder.embed(&["a"])).1, "away");
    }

    #[test]
    fn wrong_settings_are_refused_by_name() {
        let good = settings("http://localhost".into());
        for (wrong, named) in [
            (
                HttpSettings {
                    url: "localhost:80".into(),
                    ..good.clone()
                },
                "url",
            ),
            (
                HttpSettings {
                    dim: 0,
                    ..good.clone()
                },
                "dim",
            ),
            (
                HttpSettings {
                    batch: 0,
                    ..good.clone()
                },
                "batch",
            ),
            (
                HttpSettings {
                    max_chars: 0,
                    ..good.clone()
                },
                "max_chars",
            ),
        ] {
            let error = HttpEmbedder::new(wrong)
                .err()
                .expect("wrong settings")
                .to_string();
            assert!(error.contains(named), "{error}");
        }
        assert_eq!(
            HttpEmbedder::new(good)
                .expect("good settings")
                .embed(&[])
                .expect("nothing asked")
                .len(),
            0
        );
    }
}
