//! Who may do what: access tokens, each scoped to spaces and to kinds of operation.
//!
//! The file of tokens is TOML:
//!
//! ```toml
//! [[token]]
//! name = "reader"                # for logs; never secret
//! hash = "blake3:…"              # of the token; or `token = "…"`, the token itself
//! spaces = ["farm", "team/*"]    # names, `prefix*`, or "*" for all
//! may = ["read", "feedback"]     # of read, write, feedback, admin
//! ```
//!
//! A presented token is hashed and compared with every entry in constant time.

use std::path::Path;
use std::sync::Arc;

use serde::Deserialize;
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};

use super::rate::Bucket;
use super::{RpcError, code};

/// What an operation needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// Recall, context, intents, explain, export, status of a space.
    Read,
    /// Ingest and import.
    Write,
    /// Verdicts on intents.
    Feedback,
    /// Forget, and what concerns all spaces.
    Admin,
}

impl Scope {
    pub const ALL: [Scope; 4] = [Scope::Read, Scope::Write, Scope::Feedback, Scope::Admin];

    pub fn name(self) -> &'static str {
        match self {
            Scope::Read => "read",
            Scope::Write => "write",
            Scope::Feedback => "feedback",
            Scope::Admin => "admin",
        }
    }
}

/// What one client may do.
#[derive(Clone, Debug)]
pub struct Access {
    /// Name of the token; empty without one.
    pub name: Arc<str>,
    /// `None`: all.
    spaces: Option<Arc<[String]>>,
    may: Arc<[Scope]>,
    /// Hash of the token; zeros without one.
    hash: [u8; 32],
    pub bucket: Arc<Bucket>,
}

impl Access {
    /// Everything: for a loopback server without tokens, and for the owner of the socket.
    pub fn full(rate: Rate) -> Access {
        Access {
            name: "".into(),
            spaces: None,
            may: Scope::ALL.into(),
            hash: [0; 32],
            bucket: Arc::new(Bucket::new(rate.per_second, rate.burst)),
        }
    }

    pub fn has(&self, scope: Scope) -> bool {
        self.may.contains(&scope)
    }

    /// # Errors
    /// `forbidden`. The answer is the same for a space that exists and for one that does not.
    pub fn check(&self, scope: Scope, space: Option<&str>) -> Result<(), RpcError> {
        if !self.has(scope) {
            return Err(RpcError::new(
                code::FORBIDDEN,
                format!("this token may not {}", scope.name()),
            ));
        }
        let Some(rules) = &self.spaces else { return Ok(()) };
        let covers = |space: &str| {
            rules.iter().any(|rule| match rule.strip_suffix('*') {
                Some(prefix) => space.starts_with(prefix),
                None => rule == space,
            })
        };
        match space {
            Some(space) if covers(space) => Ok(()),
            Some(_) => Err(RpcError::new(code::FORBIDDEN, "this token is not for this space")),
            None => Err(RpcError::new(
                code::FORBIDDEN,
                "this concerns all spaces; a token with spaces = [\"*\"] is needed",
            )),
        }
    }

    /// The spaces that the token names one by one.
    pub fn named_spaces(&self) -> impl Iterator<Item = &str> {
        let all = self.spaces.iter().flat_map(|s| s.iter());
        all.filter(|s| !s.ends_with('*')).map(String::as_str)
    }
}

/// Requests a second of one token.
#[derive(Clone, Copy, Debug)]
pub struct Rate {
    pub per_second: f64,
    pub burst: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    token: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    name: String,
    token: Option<String>,
    hash: Option<String>,
    spaces: Vec<String>,
    may: Vec<Scope>,
}

/// Shortest token that is taken as it is: 128 bits in base64.
const SHORTEST: usize = 22;

/// The tokens of a file.
#[derive(Debug)]
pub struct Tokens(Vec<Access>);

impl Tokens {
    /// # Errors
    /// One sentence with what is wrong and where; it never quotes a token.
    pub fn read(path: &Path, rate: Rate) -> Result<Tokens, String> {
        let at = path.display();
        let text = std::fs::read_to_string(path).map_err(|e| format!("the tokens in {at}: {e}"))?;
        Tokens::parse(&text, rate).map_err(|e| format!("the tokens in {at}: {e}"))
    }

    /// # Errors
    /// As for [`Tokens::read`], without the path.
    pub fn parse(text: &str, rate: Rate) -> Result<Tokens, String> {
        // The parser's own message could quote the line, which may hold a token.
        let file: File = toml::from_str(text).map_err(|e| {
            let line = e
                .span()
                .map_or(0, |s| text[..s.start.min(text.len())].lines().count());
            format!("line {}: {}", line.max(1), e.message())
        })?;
        if file.token.is_empty() {
            return Err("there is no [[token]]".into());
        }
        let tokens: Vec<Access> = file
            .token
            .into_iter()
            .map(|e| entry(e, rate))
            .collect::<Result<_, _>>()?;
        for (n, t) in tokens.iter().enumerate() {
            if tokens[..n].iter().any(|o| o.name == t.name) {
                return Err(format!("`{}` is there twice", t.name));
            }
            if tokens[..n].iter().any(|o| o.hash == t.hash) {
                return Err(format!("`{}` has the token of another entry", t.name));
            }
        }
        Ok(Tokens(tokens))
    }

    /// Whose token it is. Takes the same time wherever, and whether, it is found.
    pub fn find(&self, presented: &str) -> Option<Access> {
        let hash = *blake3::hash(presented.as_bytes()).as_bytes();
        let mut at = 0u32;
        let mut found = Choice::from(0);
        for (n, t) in self.0.iter().enumerate() {
            let same = t.hash.ct_eq(&hash);
            at.conditional_assign(&(n as u32), same);
            found |= same;
        }
        bool::from(found).then(|| self.0[at as usize].clone())
    }

    /// Whether the token of an access is still there, with the same rights.
    pub fn still(&self, access: &Access) -> bool {
        self.0.iter().any(|t| {
            bool::from(t.hash.ct_eq(&access.hash)) && t.spaces == access.spaces && t.may == access.may
        })
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

fn entry(e: Entry, rate: Rate) -> Result<Access, String> {
    let name = e.name;
    let hash = match (e.token, e.hash) {
        (Some(t), None) if t.len() < SHORTEST => {
            return Err(format!(
                "`{name}`: a token needs {SHORTEST} characters; `gyrus token` makes one"
            ));
        }
        (Some(t), None) => *blake3::hash(t.as_bytes()).as_bytes(),
        (None, Some(h)) => h
            .strip_prefix("blake3:")
            .and_then(|hex| blake3::Hash::from_hex(hex).ok())
            .map(|h| *h.as_bytes())
            .ok_or_else(|| format!("`{name}`: `hash` must be blake3: and 64 hexadecimal digits"))?,
        _ => return Err(format!("`{name}`: one of `hash` and `token` is needed")),
    };
    if e.spaces.is_empty() || e.may.is_empty() {
        return Err(format!("`{name}`: `spaces` and `may` must not be empty"));
    }
    let all = e.spaces.iter().any(|s| s == "*");
    Ok(Access {
        name: name.into(),
        spaces: (!all).then(|| e.spaces.into()),
        may: e.may.into(),
        hash,
        bucket: Arc::new(Bucket::new(rate.per_second, rate.burst)),
    })
}

/// The entry of a token file for a new token.
pub fn new_entry(name: &str, token: &str, spaces: &[String], may: &[Scope]) -> String {
    let hash = blake3::hash(token.as_bytes()).to_hex();
    let list = |l: Vec<&str>| toml::Value::from(l.into_iter().map(toml::Value::from).collect::<Vec<_>>());
    let spaces = list(spaces.iter().map(String::as_str).collect());
    let may = list(may.iter().map(|s| s.name()).collect());
    format!(
        "[[token]]\nname = {}\nhash = \"blake3:{hash}\"\nspaces = {spaces}\nmay = {may}\n",
        toml::Value::from(name)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATE: Rate = Rate {
        per_second: 0.0,
        burst: 1.0,
    };
    const TOKEN: &str = "k2Jx9-a-token-that-is-long-enough";

    fn file(spaces: &str, may: &str) -> String {
        format!("[[token]]\nname = \"a\"\ntoken = \"{TOKEN}\"\nspaces = {spaces}\nmay = {may}\n")
    }

    #[test]
    fn a_token_is_for_its_spaces_and_scopes_only() {
        let tokens = Tokens::parse(&file("[\"farm\", \"team/*\"]", "[\"read\"]"), RATE).unwrap();
        assert!(tokens.find("another-token-that-is-long-enough").is_none());
        let a = tokens.find(TOKEN).unwrap();
        assert!(a.check(Scope::Read, Some("farm")).is_ok());
        assert!(a.check(Scope::Read, Some("team/7")).is_ok());
        for (scope, space) in [
            (Scope::Read, Some("farms")),
            (Scope::Read, Some("team")),
            (Scope::Read, None),
            (Scope::Write, Some("farm")),
            (Scope::Admin, Some("farm")),
        ] {
            assert_eq!(a.check(scope, space).unwrap_err().code, code::FORBIDDEN);
        }
        assert!(tokens.still(&a));
        let fewer = Tokens::parse(&file("[\"farm\"]", "[\"read\"]"), RATE).unwrap();
        assert!(!fewer.still(&a));
    }

    #[test]
    fn a_made_entry_is_read_back_and_faults_are_named_without_the_token() {
        let made = new_entry("it's \"a\"", TOKEN, &["*".into()], &Scope::ALL);
        let a = Tokens::parse(&made, RATE).unwrap().find(TOKEN).unwrap();
        assert!(a.check(Scope::Admin, None).is_ok());
        for (text, said) in [
            (String::new(), "no [[token]]"),
            (file("[]", "[\"read\"]"), "must not be empty"),
            (file("[\"a\"]", "[\"reed\"]"), "line 5"),
            (
                file("[\"a\"]", "[\"read\"]").replace("token = \"k2Jx9", "token = k2Jx9"),
                "line 3",
            ),
            (file("[\"a\"]", "[\"read\"]").repeat(2), "twice"),
            (made.replace("blake3:", "md5:"), "hexadecimal"),
        ] {
            let e = Tokens::parse(&text, RATE).unwrap_err();
            assert!(e.contains(said) && !e.contains("k2Jx9"), "{e}");
        }
        assert!(Tokens::parse(&file("[\"a\"]", "[\"read\"]").replace(TOKEN, "short"), RATE).is_err());
    }
}
