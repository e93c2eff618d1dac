//! Subcommands that ask a running daemon and print its answer.

use serde_json::{Map, Value, json};

use super::args::{self, To};
use super::client::Client;
use super::{CliError, show};

/// Parameters without those that were not given.
fn params(pairs: &[(&str, Value)]) -> Value {
    let given = pairs.iter().filter(|(_, v)| !v.is_null());
    Value::Object(
        given
            .map(|(k, v)| (k.to_string(), v.clone()))
            .collect::<Map<_, _>>(),
    )
}

fn ask(to: &To, method: &str, params: Value, show: impl FnOnce(&Value)) -> Result<(), CliError> {
    let answer = Client::connect(&to.path())?.call(method, params)?;
    if to.json {
        println!("{answer}");
    } else {
        show(&answer);
    }
    Ok(())
}

pub fn recall(to: &To, a: &args::Recall, method: &str) -> Result<(), CliError> {
    let p = params(&[
        ("space", json!(a.space.space)),
        ("query", json!(a.query)),
        ("mode", json!(a.mode)),
        ("budget_tokens", json!(a.budget)),
        ("now", json!(a.now)),
        ("as_of", json!(a.as_of)),
        ("explain", json!(a.explain)),
    ]);
    ask(to, method, p, show::recall)
}

pub fn context(to: &To, a: &args::Context) -> Result<(), CliError> {
    let p = params(&[("space", json!(a.space.space)), ("max_nodes", json!(a.max_nodes))]);
    ask(to, "context", p, show::context)
}

pub fn intents(to: &To, a: &args::Intents) -> Result<(), CliError> {
    if a.watch {
        return watch(to, a);
    }
    let p = params(&[
        ("space", json!(a.space.space)),
        ("status", json!(a.status)),
        ("after", json!(a.after)),
    ]);
    ask(to, "intents", p, show::intents)
}

fn watch(to: &To, a: &args::Intents) -> Result<(), CliError> {
    let mut client = Client::connect(&to.path())?;
    let p = params(&[
        ("space", json!(a.space.space)),
        ("after", json!(a.after.unwrap_or(0))),
    ]);
    client.call("subscribe", p)?;
    loop {
        let change = client.notification()?;
        if a.status
            .as_deref()
            .is_some_and(|s| change["intent"]["status"] != s)
        {
            continue;
        }
        if to.json {
            println!("{change}");
        } else {
            show::intent(&change["intent"]);
        }
    }
}

pub fn feedback(to: &To, a: &args::Feedback) -> Result<(), CliError> {
    let p = params(&[
        ("space", json!(a.space.space)),
        ("intent", json!(a.intent)),
        ("verdict", json!(a.verdict)),
        ("note", json!(a.note)),
        ("title", json!(a.title)),
        ("priority", json!(a.priority)),
        ("category", json!(a.category)),
        ("until", json!(a.until)),
    ]);
    ask(to, "feedback", p, |v| show::intent(&v["intent"]))
}

pub fn explain(to: &To, a: &args::Explain) -> Result<(), CliError> {
    let p = params(&[("space", json!(a.space.space)), ("id", json!(a.id))]);
    ask(to, "explain", p, show::story)
}

pub fn forget(to: &To, a: &args::Forget) -> Result<(), CliError> {
    let ids = (!a.event_ids.is_empty()).then_some(&a.event_ids);
    let p = params(&[
        ("space", json!(a.space.space)),
        ("event_id", json!(ids)),
        ("actor", json!(a.actor)),
        ("before", json!(a.before)),
        ("all", json!(a.all)),
        ("dry_run", json!(a.dry_run)),
    ]);
    ask(to, "forget", p, show::forgotten)
}

pub fn export(to: &To, a: &args::Space) -> Result<(), CliError> {
    // An export is for programs: JSON with or without --json.
    let answer = Client::connect(&to.path())?.call("export", json!({"space": a.space}))?;
    println!("{answer}");
    Ok(())
}

pub fn settle(to: &To, a: &args::Settle) -> Result<(), CliError> {
    let p = params(&[
        ("space", json!(a.space.space)),
        ("timeout_ms", json!(a.timeout_ms)),
    ]);
    ask(to, "settle", p, |v| {
        println!(
            "{}",
            if v["settled"] == true {
                "settled"
            } else {
                "not settled in time"
            }
        );
    })
}

pub fn status(to: &To, a: &args::Status) -> Result<(), CliError> {
    let p = params(&[("space", json!(a.space)), ("digest", json!(a.digest))]);
    ask(to, "status", p, show::status)
}
