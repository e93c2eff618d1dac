//! A plain HTTP client, and a daemon that serves HTTP.

use std::io::{BufRead, BufReader};

use serde_json::Value;

use super::{DEADLINE, Daemon, until};

#[derive(Clone)]
pub struct Http {
    pub base: String,
    pub token: Option<String>,
    agent: ureq::Agent,
}

#[derive(Debug)]
pub struct Reply {
    pub status: u16,
    headers: Vec<(String, String)>,
    pub text: String,
}

impl Reply {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|e| panic!("no JSON ({e}): {self:?}"))
    }

    pub fn header(&self, name: &str) -> &str {
        let found = self.headers.iter().find(|(k, _)| k.eq_ignore_ascii_case(name));
        found.map_or("", |(_, v)| v)
    }

    /// The answer, which must be a good one.
    pub fn ok(&self) -> Value {
        assert_eq!(self.status, 200, "{self:?}");
        self.json()
    }

    /// The stable code of an error, which it must be, in its proper form.
    pub fn code(&self) -> String {
        assert!(self.status >= 400, "{self:?}");
        assert_eq!(
            self.header("content-type"),
            "application/problem+json",
            "{self:?}"
        );
        let v = self.json();
        assert_eq!(v["status"], self.status, "{v}");
        assert!(v["detail"].as_str().is_some_and(|d| !d.is_empty()), "{v}");
        v["code"].as_str().expect("a code").to_owned()
    }
}

impl Http {
    /// The server of a daemon that was started with `--http 127.0.0.1:0`.
    pub fn of(daemon: &Daemon) -> Http {
        until("HTTP is bound", || daemon.log().contains("http at "));
        let log = daemon.log();
        let line = log
            .lines()
            .find_map(|l| l.strip_prefix("http at "))
            .expect("a line");
        Http::at(&format!("http://{line}"))
    }

    pub fn at(base: &str) -> Http {
        let config = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(DEADLINE))
            .build();
        Http {
            base: base.to_owned(),
            token: None,
            agent: config.into(),
        }
    }

    pub fn with_token(&self, token: &str) -> Http {
        Http {
            token: Some(token.to_owned()),
            ..self.clone()
        }
    }

    pub fn send(&self, verb: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Reply {
        let mut request = ureq::http::Request::builder()
            .method(verb)
            .uri(format!("{}{path}", self.base));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        if let Some(token) = &self.token {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        let answer = match verb {
            "GET" => self.agent.run(request.body(()).expect("a request")),
            _ => self.agent.run(request.body(body.to_vec()).expect("a request")),
        };
        let mut answer = answer.unwrap_or_else(|e| panic!("{verb} {path}: {e}"));
        Reply {
            status: answer.status().as_u16(),
            headers: answer
                .headers()
                .iter()
                .map(|(k, v)| (k.to_string(), String::from_utf8_lossy(v.as_bytes()).into_owned()))
                .collect(),
            text: answer.body_mut().read_to_string().unwrap_or_default(),
        }
    }

    pub fn get(&self, path: &str) -> Reply {
        self.send("GET", path, &[], b"")
    }

    pub fn post(&self, path: &str, body: &Value) -> Reply {
        let json = [("content-type", "application/json")];
        self.send("POST", path, &json, body.to_string().as_bytes())
    }

    /// An event stream; `Err` is the answer when it is refused.
    pub fn stream(&self, path: &str, last_id: Option<&str>) -> Result<Stream, Reply> {
        let mut request = self.agent.get(format!("{}{path}", self.base));
        if let Some(id) = last_id {
            request = request.header("last-event-id", id);
        }
        if let Some(token) = &self.token {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        let mut answer = request.call().expect("an answer");
        let status = answer.status().as_u16();
        if status != 200 {
            return Err(Reply {
                status,
                headers: vec![("content-type".into(), "application/problem+json".into())],
                text: answer.body_mut().read_to_string().unwrap_or_default(),
            });
        }
        assert_eq!(answer.headers()["content-type"], "text/event-stream");
        Ok(Stream {
            lines: BufReader::new(Box::new(answer.into_body().into_reader())),
        })
    }
}

type Bytes = Box<dyn std::io::Read + Send>;

pub struct Stream {
    lines: BufReader<Bytes>,
}

#[derive(Debug)]
pub struct Sent {
    pub id: String,
    pub event: String,
    pub data: Value,
}

impl Stream {
    /// The next event; `None` when the stream has ended.
    pub fn next(&mut self) -> Option<Sent> {
        let (mut id, mut event, mut data) = (String::new(), String::new(), String::new());
        loop {
            let mut line = String::new();
            if self.lines.read_line(&mut line).unwrap_or(0) == 0 {
                return None;
            }
            match line.trim_end().split_once(':') {
                Some(("id", v)) => id = v.trim().to_owned(),
                Some(("event", v)) => event = v.trim().to_owned(),
                Some(("data", v)) => data.push_str(v.trim()),
                None if !data.is_empty() => {
                    let data = serde_json::from_str(&data).expect("data is JSON");
                    return Some(Sent { id, event, data });
                }
                _ => {}
            }
        }
    }
}
