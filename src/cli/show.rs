//! Answers as text for a person.

use serde_json::Value;

fn text<'a>(v: &'a Value, key: &str) -> &'a str {
    v[key].as_str().unwrap_or_default()
}

fn list(v: &Value) -> &[Value] {
    v.as_array().map_or(&[], Vec::as_slice)
}

pub fn recall(v: &Value) {
    println!(
        "mode {}, procedure {}, {} tokens",
        text(v, "mode"),
        text(v, "procedure"),
        v["tokens"]
    );
    if v["abstain"] == true {
        println!("memory does not cover this");
    }
    if !text(v, "note").is_empty() {
        println!("note: {}", text(v, "note"));
    }
    if let Some(answer) = v["answer"].as_str() {
        let cited: Vec<&str> = list(&v["citations"]).iter().filter_map(Value::as_str).collect();
        println!("answer: {answer}");
        println!("from: {}", cited.join(", "));
    }
    println!();
    println!("{}", text(v, "context").trim_end());
    println!("\ntrace {}", text(v, "trace_id"));
    if let Some(t) = v.get("trace") {
        println!("{t:#}");
    }
}

pub fn context(v: &Value) {
    for tier in ["immediate", "working", "background"] {
        println!("{tier}");
        for n in list(&v[tier]) {
            println!(
                "  {:.3}  {:8} {}  {}",
                n["score"].as_f64().unwrap_or_default(),
                text(n, "type"),
                text(n, "id"),
                title(n)
            );
        }
    }
}

fn title(n: &Value) -> String {
    let t = text(n, "title");
    let shown = if t.is_empty() { text(n, "text") } else { t };
    shown.chars().take(80).collect()
}

pub fn intents(v: &Value) {
    if list(&v["intents"]).is_empty() {
        println!("no intents");
    }
    list(&v["intents"]).iter().for_each(intent);
}

pub fn intent(i: &Value) {
    println!("{}  [{}] {}", text(i, "id"), text(i, "status"), text(i, "title"));
    println!("    why: {}", text(i, "reason"));
    let evidence: Vec<&str> = list(&i["evidence"]).iter().filter_map(Value::as_str).collect();
    println!(
        "    category {}, urgency {}, evidence {}",
        text(i, "category"),
        i["urgency"],
        evidence.join(", ")
    );
    if let Some(d) = i["deadline"].as_str() {
        println!("    due {d}");
    }
}

pub fn story(v: &Value) {
    if v.get("trace").is_some() || v["state"] == "erased" {
        println!("{v:#}");
        return;
    }
    let n = &v["node"];
    println!("{}  {} `{}`", text(v, "id"), text(n, "type"), title(n));
    if let Some(m) = v["merged_into"].as_str() {
        println!("  merged into {m}");
    }
    let why = &v["why"];
    println!("  made by {}: {}", text(why, "by"), text(why, "reason"));
    for g in list(&why["grounded_in"]) {
        println!("    from {} {}", text(g, "node"), text(g, "event_id"));
    }
    for (arrow, key) in [("<-", "in"), ("->", "out")] {
        for e in list(&v[key]) {
            println!(
                "  {arrow} {} {} `{}` ({:.2})",
                text(e, "type"),
                text(e, "node"),
                text(e, "title"),
                e["weight"].as_f64().unwrap_or_default()
            );
        }
    }
}

pub fn forgotten(v: &Value) {
    let verb = if v["dry_run"] == true {
        "would erase"
    } else {
        "erased"
    };
    println!("{verb} {} events", list(&v["erased"]).len());
    if v["dry_run"] != true {
        println!(
            "{} derived nodes went with them, {} were rebuilt",
            list(&v["derived"]).len(),
            list(&v["rebuilt"]).len()
        );
    }
}

pub fn status(v: &Value) {
    let c = &v["counts"];
    println!("gyrus {}, up {} s", text(v, "version"), v["uptime_s"]);
    println!(
        "{} spaces: {} events, {} concepts, {} intents, {} times, {} edges",
        v["spaces"], c["events"], c["concepts"], c["intents"], c["times"], c["edges"]
    );
    println!(
        "stored {} since start, lag {}, backlog {}, dead letters {}",
        v["stored"], v["lag"], v["backlog"], v["dead_letters"]
    );
    println!(
        "embedder {} ({} dimensions), {} bytes on disk",
        text(&v["embedder"], "name"),
        v["embedder"]["dim"],
        v["disk_bytes"]
    );
    for s in list(&v["shards"]) {
        match s["topic"].as_str() {
            Some(t) => println!(
                "shard {}: {t}[{}] at {}, lag {}",
                s["id"], s["partition"], s["offset"], s["lag"]
            ),
            None => println!("shard {}: local", s["id"]),
        }
    }
    for d in list(&v["degraded"]) {
        println!("degraded: {}", d.as_str().unwrap_or_default());
    }
    for k in list(&v["calibration"]) {
        println!(
            "category {}: weight {}, threshold {}",
            text(k, "category"),
            k["weight"],
            k["threshold"]
        );
    }
    if let Some(d) = v["digest"].as_str() {
        println!("digest {d}");
    }
}
