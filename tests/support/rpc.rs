//! A client of the socket that also sends what no client should.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;

use serde_json::{Value, json};

use super::DEADLINE;

pub struct Rpc {
    stream: UnixStream,
    reader: BufReader<UnixStream>,
    next: u64,
    /// Notifications that came while an answer was awaited.
    notes: VecDeque<Value>,
}

impl Rpc {
    pub fn connect(socket: &Path) -> Rpc {
        let stream = UnixStream::connect(socket).expect("the socket answers");
        stream
            .set_read_timeout(Some(DEADLINE))
            .expect("a time limit above zero");
        let reader = BufReader::new(stream.try_clone().expect("a second handle"));
        Rpc {
            stream,
            reader,
            next: 0,
            notes: VecDeque::new(),
        }
    }

    /// The result, or the error object.
    pub fn call(&mut self, method: &str, params: Value) -> Result<Value, Value> {
        self.try_call(method, params)
            .unwrap_or_else(|e| panic!("{method}: the daemon went away: {e}"))
    }

    /// As `call`; the outer error says that the connection broke.
    pub fn try_call(&mut self, method: &str, params: Value) -> std::io::Result<Result<Value, Value>> {
        self.next += 1;
        let id = self.next;
        let request = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        self.stream.write_all(format!("{request}\n").as_bytes())?;
        loop {
            let mut answer = self.line()?;
            if answer.get("method").is_some() {
                self.notes.push_back(answer);
            } else if answer["id"] == id {
                return Ok(match answer.get("error") {
                    Some(e) => Err(e.clone()),
                    None => Ok(answer["result"].take()),
                });
            }
        }
    }

    pub fn ok(&mut self, method: &str, params: Value) -> Value {
        self.call(method, params)
            .unwrap_or_else(|e| panic!("{method} was refused: {e}"))
    }

    /// The stable code of the error that a call must give, and its message.
    pub fn refused(&mut self, method: &str, params: Value) -> (String, String) {
        match self.call(method, params.clone()) {
            Ok(r) => panic!("{method} {params} was not refused but gave {r}"),
            Err(e) => {
                let text = |v: &Value| {
                    v.as_str()
                        .unwrap_or_else(|| panic!("no code or message: {e}"))
                        .to_owned()
                };
                (text(&e["data"]["code"]), text(&e["message"]))
            }
        }
    }

    pub fn send(&mut self, bytes: &[u8]) {
        self.stream.write_all(bytes).expect("the connection takes bytes");
    }

    /// The next line, whatever it is.
    pub fn line(&mut self) -> std::io::Result<Value> {
        let mut line = String::new();
        if self.reader.read_line(&mut line)? == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
        Ok(serde_json::from_str(&line).unwrap_or_else(|e| panic!("the daemon sent no JSON ({e}): {line}")))
    }

    /// Parameters of the next notification.
    pub fn note(&mut self) -> Value {
        let mut m = match self.notes.pop_front() {
            Some(n) => n,
            None => self.line().expect("a notification"),
        };
        assert!(m.get("method").is_some(), "not a notification: {m}");
        m["params"].take()
    }

    pub fn ingest(&mut self, space: &str, events: Value) -> Value {
        self.ok("ingest", json!({"space": space, "events": events}))["receipts"].take()
    }

    pub fn settle(&mut self, space: &str) {
        let r = self.ok("settle", json!({"space": space, "timeout_ms": 60_000}));
        assert_eq!(r["settled"], true, "{r}");
    }

    /// Ids of the events that a recall returns, best first.
    pub fn recalled(&mut self, space: &str, query: &str) -> Vec<String> {
        let r = self.ok("recall", json!({"space": space, "query": query}));
        super::texts(&r["items"], "event_id")
            .into_iter()
            .map(str::to_owned)
            .collect()
    }

    pub fn export(&mut self, space: &str) -> Value {
        self.ok("export", json!({"space": space}))
    }

    pub fn status(&mut self) -> Value {
        self.ok("status", json!({}))
    }

    pub fn digest(&mut self) -> String {
        let s = self.ok("status", json!({"digest": true}));
        s["digest"].as_str().expect("a digest").to_owned()
    }
}
