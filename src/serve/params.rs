//! Parameters of the methods: read strictly, so that a typing error is an answer and not a surprise.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::RpcError;
use crate::event::{Ts, check_space};

/// The parameters of one call. Each is taken out as it is read; what is left at the end is unknown.
pub struct Params(Map<String, Value>);

impl Params {
    pub fn of(value: Option<Value>) -> Result<Params, RpcError> {
        match value {
            None | Some(Value::Null) => Ok(Params(Map::new())),
            Some(Value::Object(m)) => Ok(Params(m)),
            Some(_) => Err(RpcError::params("params must be an object with named parameters")),
        }
    }

    /// Refuses parameters that no one asked for.
    pub fn finish(self) -> Result<(), RpcError> {
        match self.0.keys().next() {
            None => Ok(()),
            Some(k) => Err(RpcError::params(format!("unknown parameter `{k}`"))),
        }
    }

    /// A string, left where it is.
    pub fn peek(&self, name: &str) -> Option<String> {
        self.0.get(name).and_then(Value::as_str).map(str::to_string)
    }

    pub fn take(&mut self, name: &str) -> Option<Value> {
        self.0.remove(name).filter(|v| !v.is_null())
    }

    pub fn space(&mut self) -> Result<Arc<str>, RpcError> {
        let name = self
            .string("space")?
            .ok_or_else(|| RpcError::params("`space` is needed"))?;
        check_space(&name).map_err(|r| RpcError::params(r.reason))?;
        Ok(name.into())
    }

    pub fn string(&mut self, name: &str) -> Result<Option<String>, RpcError> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::String(s)) => Ok(Some(s)),
            Some(v) => Err(wrong(name, "a string", &v)),
        }
    }

    pub fn needed(&mut self, name: &str) -> Result<String, RpcError> {
        self.string(name)?
            .ok_or_else(|| RpcError::params(format!("`{name}` is needed")))
    }

    pub fn bool(&mut self, name: &str) -> Result<bool, RpcError> {
        match self.take(name) {
            None => Ok(false),
            Some(Value::Bool(b)) => Ok(b),
            Some(v) => Err(wrong(name, "true or false", &v)),
        }
    }

    pub fn count(&mut self, name: &str) -> Result<Option<u64>, RpcError> {
        match self.take(name) {
            None => Ok(None),
            Some(v) => whole(&v)
                .map(Some)
                .ok_or_else(|| wrong(name, "a whole number from 0 to 2^63-1", &v)),
        }
    }

    pub fn number(&mut self, name: &str) -> Result<Option<f64>, RpcError> {
        match self.take(name) {
            None => Ok(None),
            Some(v) => v.as_f64().map(Some).ok_or_else(|| wrong(name, "a number", &v)),
        }
    }

    /// An instant: RFC 3339 with an offset.
    pub fn time(&mut self, name: &str) -> Result<Option<Ts>, RpcError> {
        let Some(s) = self.string(name)? else {
            return Ok(None);
        };
        parse_time(&s).map(Some).ok_or_else(|| {
            RpcError::params(format!(
                "`{name}` must be an RFC 3339 time with an offset, such as 2026-03-02T08:10:00Z"
            ))
        })
    }
}

/// A count as JSON may write it: 42 is 42.0.
fn whole(v: &Value) -> Option<u64> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    let of_float = || {
        let x = v.as_f64()?;
        (x.fract() == 0.0 && (0.0..=EXACT).contains(&x)).then_some(x as u64)
    };
    v.as_u64().or_else(of_float).filter(|n| *n <= i64::MAX as u64)
}

pub fn parse_time(s: &str) -> Option<Ts> {
    chrono::DateTime::parse_from_rfc3339(s)
        .ok()
        .map(|t| Ts(t.timestamp_millis()))
}

fn wrong(name: &str, want: &str, got: &Value) -> RpcError {
    let kind = match got {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    };
    RpcError::params(format!("`{name}` must be {want}, not {kind}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn unknown_and_wrong_parameters_are_named() {
        let mut p = Params::of(Some(json!({"space": "a", "budget": "x", "extra": 1}))).unwrap();
        assert_eq!(&*p.space().unwrap(), "a");
        assert!(
            p.count("budget")
                .unwrap_err()
                .message
                .contains("`budget` must be a whole number from 0 to 2^63-1, not a string")
        );
        assert!(p.finish().unwrap_err().message.contains("`extra`"));
        let count = |v: Value| Params::of(Some(json!({"n": v}))).unwrap().count("n");
        assert_eq!(count(json!(42.0)).unwrap(), Some(42));
        for bad in [json!(-1), json!(0.5), json!(u64::MAX), json!(1e30), json!("1")] {
            assert!(count(bad.clone()).is_err(), "{bad}");
        }
        assert!(Params::of(Some(json!([1]))).is_err());
    }

    #[test]
    fn times_need_an_offset() {
        let mut p = Params::of(Some(
            json!({"now": "2026-03-02T08:10:00", "then": "2026-03-02T08:10:00+01:00"}),
        ))
        .unwrap();
        assert!(p.time("now").is_err());
        assert_eq!(p.time("then").unwrap().unwrap().rfc3339(), "2026-03-02T07:10:00Z");
    }
}
