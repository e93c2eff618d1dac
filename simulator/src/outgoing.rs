//! An event on its way: its space, and its JSON as the contract has it.

use serde_json::{Map, Value};

#[derive(Clone, Debug, PartialEq)]
pub struct Outgoing {
    pub space: String,
    /// Without `space`: each target puts it where it belongs.
    pub body: Map<String, Value>,
}

impl Outgoing {
    /// The event alone: what `ingest` takes.
    pub fn value(&self) -> Value {
        Value::Object(self.body.clone())
    }

    /// One line of JSON that names the space too.
    pub fn line(&self) -> String {
        let mut body = self.body.clone();
        body.insert("space".into(), self.space.as_str().into());
        Value::Object(body).to_string()
    }
}
