//! A plain MCP client: over a process's standard input and output, or over HTTP.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdout, Stdio};

use serde_json::{Value, json};

use super::http::Http;

/// `gyrus mcp` as a client starts it.
pub struct Mcp {
    child: Child,
    out: BufReader<ChildStdout>,
    next: u64,
    notes: VecDeque<Value>,
}

pub fn hello() -> Value {
    json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}})
}

impl Mcp {
    /// Starts it and says hello.
    pub fn start(socket: &Path, args: &[&str]) -> (Mcp, Value) {
        let mut child = super::daemon::gyrus()
            .arg("mcp")
            .arg("--socket")
            .arg(socket)
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .expect("the binary starts");
        let out = BufReader::new(child.stdout.take().expect("it was piped"));
        let mut mcp = Mcp {
            child,
            out,
            next: 0,
            notes: VecDeque::new(),
        };
        let info = mcp.ok("initialize", hello());
        mcp.write(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        (mcp, info)
    }

    fn write(&mut self, message: &Value) {
        let stdin = self.child.stdin.as_mut().expect("it was piped");
        writeln!(stdin, "{message}").expect("it reads");
    }

    /// Every line of standard output must be a message of the protocol.
    fn read(&mut self) -> Value {
        let mut line = String::new();
        self.out.read_line(&mut line).expect("a line");
        let v: Value = serde_json::from_str(&line)
            .unwrap_or_else(|e| panic!("standard output holds no JSON ({e}): {line}"));
        assert_eq!(v["jsonrpc"], "2.0", "{v}");
        v
    }

    pub fn call(&mut self, method: &str, params: Value) -> Result<Value, Value> {
        self.next += 1;
        let id = self.next;
        self.write(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        loop {
            let mut v = self.read();
            if v["id"] == id {
                return match v.get("error") {
                    Some(e) => Err(e.clone()),
                    None => Ok(v["result"].take()),
                };
            }
            self.notes.push_back(v);
        }
    }

    pub fn ok(&mut self, method: &str, params: Value) -> Value {
        self.call(method, params)
            .unwrap_or_else(|e| panic!("{method} was refused: {e}"))
    }

    /// The text of a tool's answer, and whether it is an error.
    pub fn tool(&mut self, name: &str, args: Value) -> (String, bool) {
        let r = self.ok("tools/call", json!({"name": name, "arguments": args}));
        text(&r)
    }

    /// The next notification.
    pub fn note(&mut self) -> Value {
        match self.notes.pop_front() {
            Some(n) => n,
            None => self.read(),
        }
    }

    /// Closes standard input; it must end by itself and well.
    pub fn close(mut self) {
        drop(self.child.stdin.take());
        assert!(self.child.wait().expect("it ends").success());
    }
}

impl Drop for Mcp {
    fn drop(&mut self) {
        // Both fail only when it has ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The text of a tool's answer, and whether it is an error.
pub fn text(result: &Value) -> (String, bool) {
    let content = result["content"].as_array().expect("content");
    assert_eq!(
        (content.len(), &content[0]["type"]),
        (1, &json!("text")),
        "{result}"
    );
    let text = content[0]["text"].as_str().expect("text");
    (text.to_owned(), result["isError"] == true)
}

/// A session over HTTP.
pub struct Session {
    http: Http,
    id: String,
    next: u64,
}

impl Session {
    pub fn start(http: &Http) -> Session {
        let mut s = Session {
            http: http.clone(),
            id: String::new(),
            next: 0,
        };
        s.ok("initialize", hello());
        assert!(!s.id.is_empty());
        let hello = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        assert_eq!(s.post(&hello).status, 202);
        s
    }

    fn post(&mut self, message: &Value) -> super::http::Reply {
        let id = self.id.clone();
        let mut headers = vec![
            ("content-type", "application/json"),
            ("accept", "application/json, text/event-stream"),
            ("mcp-protocol-version", "2025-06-18"),
        ];
        if !id.is_empty() {
            headers.push(("mcp-session-id", &id));
        }
        let reply = self
            .http
            .send("POST", "/mcp", &headers, message.to_string().as_bytes());
        let given = reply.header("mcp-session-id");
        if !given.is_empty() {
            self.id = given.to_owned();
        }
        reply
    }

    pub fn call(&mut self, method: &str, params: Value) -> Result<Value, Value> {
        self.next += 1;
        let id = self.next;
        let reply = self.post(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        assert_eq!(reply.status, 200, "{reply:?}");
        let data = reply.text.lines().filter_map(|l| l.strip_prefix("data:"));
        let mut found = data.filter_map(|d| serde_json::from_str::<Value>(d.trim()).ok());
        let mut v = found
            .find(|v| v["id"] == id)
            .unwrap_or_else(|| panic!("no answer: {reply:?}"));
        match v.get("error") {
            Some(e) => Err(e.clone()),
            None => Ok(v["result"].take()),
        }
    }

    pub fn ok(&mut self, method: &str, params: Value) -> Value {
        self.call(method, params)
            .unwrap_or_else(|e| panic!("{method} was refused: {e}"))
    }

    pub fn tool(&mut self, name: &str, args: Value) -> (String, bool) {
        let r = self.ok("tools/call", json!({"name": name, "arguments": args}));
        text(&r)
    }
}
