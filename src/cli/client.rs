//! A small client of the socket: one request at a time, and the notifications of a subscription.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};

use super::CliError;

pub struct Client {
    stream: UnixStream,
    reader: BufReader<UnixStream>,
    next: u64,
}

impl Client {
    pub fn connect(socket: &Path) -> Result<Client, CliError> {
        let refused = |e: std::io::Error| CliError::NoDaemon {
            socket: socket.display().to_string(),
            reason: e.to_string(),
        };
        let stream = UnixStream::connect(socket).map_err(refused)?;
        stream
            .set_read_timeout(Some(Duration::from_secs(600)))
            .map_err(refused)?;
        let reader = BufReader::new(stream.try_clone().map_err(refused)?);
        Ok(Client {
            stream,
            reader,
            next: 0,
        })
    }

    pub fn call(&mut self, method: &str, params: Value) -> Result<Value, CliError> {
        self.next += 1;
        let request = json!({"jsonrpc": "2.0", "id": self.next, "method": method, "params": params});
        let line = format!("{request}\n");
        self.stream
            .write_all(line.as_bytes())
            .map_err(CliError::io("sending the request"))?;
        loop {
            let mut answer = self.read()?;
            if answer["id"] != self.next {
                continue;
            }
            if let Some(e) = answer.get("error") {
                return Err(CliError::Refused {
                    code: e["data"]["code"].as_str().unwrap_or("unknown").to_string(),
                    message: e["message"].as_str().unwrap_or("the daemon refused").to_string(),
                });
            }
            return Ok(answer["result"].take());
        }
    }

    /// The next notification's parameters; waits without limit.
    pub fn notification(&mut self) -> Result<Value, CliError> {
        self.stream
            .set_read_timeout(None)
            .map_err(CliError::io("waiting for changes"))?;
        loop {
            let mut m = self.read()?;
            if m.get("method").is_some() {
                return Ok(m["params"].take());
            }
        }
    }

    fn read(&mut self) -> Result<Value, CliError> {
        let mut line = String::new();
        let n = self
            .reader
            .read_line(&mut line)
            .map_err(CliError::io("reading the answer"))?;
        if n == 0 {
            return Err(CliError::Other("the daemon closed the connection".into()));
        }
        serde_json::from_str(&line).map_err(|e| CliError::Other(format!("the answer is not JSON: {e}")))
    }
}
