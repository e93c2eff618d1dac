//! Answers as text for a model, within a budget of o200k tokens.

use serde_json::Value;

use crate::text::count_tokens;

/// Tokens that the frame of a recall takes, at most: mode, trace id, the first sources.
pub const FRAME: usize = 80;

/// The answer of a tool out of the answer of its method.
pub fn answer(tool: &str, v: &Value, budget: usize) -> String {
    match tool {
        "remember" => remember(v),
        "recall" => recall(v, budget),
        "context" => context(v, budget),
        "list_intents" => intents(v, budget),
        "give_feedback" => cut(&intent(&v["intent"]), budget),
        "explain" => explain(v, budget),
        "forget" => forget(v, budget),
        "status" => cut(&status(v), budget),
        _ => cut(&v.to_string(), budget),
    }
}

fn text<'a>(v: &'a Value, key: &str) -> &'a str {
    v[key].as_str().unwrap_or_default()
}

fn list<'a>(v: &'a Value, key: &str) -> &'a [Value] {
    v[key].as_array().map_or(&[], Vec::as_slice)
}

fn texts<'a>(v: &'a Value, key: &str) -> Vec<&'a str> {
    list(v, key).iter().filter_map(Value::as_str).collect()
}

/// A time to the minute.
fn minute(v: &Value, key: &str) -> String {
    let t = text(v, key);
    t.get(..16).unwrap_or(t).replace('T', " ")
}

/// `head`, as many items as fit, and how many did not.
pub fn fit(head: &str, items: &[String], budget: usize) -> String {
    let joined = |n: usize| {
        let mut out = head.to_owned();
        for item in &items[..n] {
            out.push('\n');
            out.push_str(item);
        }
        if n < items.len() {
            out.push_str(&format!(
                "\n({} more left out for the token budget)",
                items.len() - n
            ));
        }
        out
    };
    // Parts counted alone are a good guess; the whole is counted in the end.
    let mut n = 0;
    let mut used = count_tokens(head) + 12;
    while n < items.len() {
        used += count_tokens(&items[n]) + 1;
        if used > budget {
            break;
        }
        n += 1;
    }
    let mut out = joined(n);
    while count_tokens(&out) > budget && n > 0 {
        n -= 1;
        out = joined(n);
    }
    cut(&out, budget)
}

/// The beginning of a text that fits.
pub fn cut(text: &str, budget: usize) -> String {
    const END: &str = "… (cut)";
    if count_tokens(text) <= budget {
        return text.to_owned();
    }
    let ends: Vec<usize> = text.char_indices().map(|(i, _)| i).collect();
    let fits = |n: &usize| count_tokens(&format!("{}{END}", &text[..*n])) <= budget;
    // Tokens grow with the text, nearly always; the last step makes sure.
    let mut n = ends.partition_point(fits);
    while n > 0 {
        let candidate = format!("{}{END}", &text[..ends[n - 1]]);
        if count_tokens(&candidate) <= budget {
            return candidate;
        }
        n -= 1;
    }
    String::new()
}

fn remember(v: &Value) -> String {
    let r = &v["receipts"][0];
    match text(r, "status") {
        "stored" => format!("stored as {} (id {})", text(r, "node"), text(r, "id")),
        "duplicate" => format!("known already: {} (id {})", text(r, "node"), text(r, "id")),
        "erased" => "this was erased on request before and is not stored again".into(),
        _ => format!("not stored: {}", text(r, "reason")),
    }
}

fn recall(v: &Value, budget: usize) -> String {
    let mut out = text(v, "context").trim_end().to_owned();
    if v["abstain"] == true {
        let said = format!("Memory does not cover this. {}", text(v, "note"));
        out = if out.is_empty() {
            said
        } else {
            format!("{said}\nThe nearest it holds:\n{out}")
        };
    } else if !text(v, "note").is_empty() {
        out.push_str(&format!("\n\nNote: {}", text(v, "note")));
    }
    out.push_str(&format!(
        "\n\nmode {}, procedure {}, trace {}\nevents, best first:",
        text(v, "mode"),
        text(v, "procedure"),
        text(v, "trace_id")
    ));
    if count_tokens(&out) > budget {
        return cut(&out, budget);
    }
    for item in list(v, "items") {
        let longer = format!("{out} {}", text(item, "event_id"));
        if count_tokens(&longer) > budget {
            break;
        }
        out = longer;
    }
    out
}

fn node_line(n: &Value) -> String {
    let (title, body) = (text(n, "title"), text(n, "text"));
    let shown = match (title.is_empty(), body.is_empty()) {
        (false, false) if body != title => format!("{title}: {body}"),
        (true, _) => body.to_owned(),
        _ => title.to_owned(),
    };
    let shown: String = shown.chars().take(240).collect();
    format!(
        "- {} {} {}: {shown}",
        text(n, "type"),
        text(n, "id"),
        minute(n, "time")
    )
}

fn context(v: &Value, budget: usize) -> String {
    let mut lines = Vec::new();
    for tier in ["immediate", "working", "background"] {
        let nodes = list(v, tier);
        if !nodes.is_empty() {
            lines.push(format!("{tier}:"));
            lines.extend(nodes.iter().map(node_line));
        }
    }
    let head = if lines.is_empty() {
        "nothing in memory yet"
    } else {
        "What matters now:"
    };
    fit(head, &lines, budget)
}

fn intent(i: &Value) -> String {
    let mut out = format!(
        "- {} [{}] {} (category {}, urgency {}, seq {})",
        text(i, "id"),
        text(i, "status"),
        text(i, "title"),
        text(i, "category"),
        i["urgency"],
        i["seq"]
    );
    if i["deadline"].is_string() {
        out.push_str(&format!("\n  due {}", minute(i, "deadline")));
    }
    out.push_str(&format!("\n  why: {}", text(i, "reason")));
    let evidence = texts(i, "evidence");
    if !evidence.is_empty() {
        let shown: Vec<&str> = evidence.iter().take(8).copied().collect();
        out.push_str(&format!("\n  evidence: {}", shown.join(", ")));
    }
    out
}

fn intents(v: &Value, budget: usize) -> String {
    let items: Vec<String> = list(v, "intents").iter().map(intent).collect();
    let head = if items.is_empty() {
        "no intents".into()
    } else {
        format!("{} intents:", items.len())
    };
    fit(&head, &items, budget)
}

fn explain(v: &Value, budget: usize) -> String {
    if v.get("trace").is_some() || v["state"] == "erased" {
        return cut(&v.to_string(), budget);
    }
    let n = &v["node"];
    let mut head = format!(
        "{} ({}): {}",
        text(v, "id"),
        text(v, "state"),
        node_line(n).trim_start_matches("- ")
    );
    if let Some(into) = v["merged_into"].as_str() {
        head.push_str(&format!("\nmerged into {into}"));
    }
    let why = &v["why"];
    head.push_str(&format!("\nmade by {}: {}", text(why, "by"), text(why, "reason")));
    let grounds = list(why, "grounded_in").iter();
    let mut lines: Vec<String> = grounds
        .map(|g| format!("- grounded in {} {}", text(g, "node"), text(g, "event_id")))
        .collect();
    for (arrow, key) in [("<-", "in"), ("->", "out")] {
        for e in list(v, key) {
            lines.push(format!(
                "{arrow} {} {} {}: {}",
                text(e, "type"),
                text(e, "kind"),
                text(e, "node"),
                text(e, "title")
            ));
        }
    }
    fit(&head, &lines, budget)
}

fn forget(v: &Value, budget: usize) -> String {
    let verb = if v["dry_run"] == true {
        "would erase"
    } else {
        "erased"
    };
    let head = format!(
        "{verb} {} events; {} derived nodes go with them, {} are rebuilt",
        list(v, "erased").len(),
        list(v, "derived").len(),
        list(v, "rebuilt").len()
    );
    let ids: Vec<String> = texts(v, "erased").into_iter().map(str::to_owned).collect();
    fit(&head, &ids, budget)
}

fn status(v: &Value) -> String {
    let c = &v["counts"];
    let mut out = format!(
        "gyrus {}: {} events, {} concepts, {} intents, {} dates; backlog {}, lag {}",
        text(v, "version"),
        c["events"],
        c["concepts"],
        c["intents"],
        c["times"],
        v["backlog"],
        v["lag"]
    );
    if v["clock"].is_string() {
        out.push_str(&format!("; the newest event is of about {}", minute(v, "clock")));
    }
    for d in texts(v, "degraded") {
        out.push_str(&format!("\ndegraded: {d}"));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_answer_keeps_its_budget() {
        let long = "Fünf Kisten 漢字 и слова — ".repeat(400);
        let node = json!({"id": "c-1", "type": "concept", "title": "t", "text": long, "time": "2026-01-01T00:00:00Z"});
        let intent = json!({"id": "i-1", "status": "pending", "title": long, "reason": long, "evidence": ["a"], "urgency": 1, "seq": 3});
        let many = |v: &Value| vec![v.clone(); 300];
        let all = json!({
            "receipts": [{"status": "rejected", "reason": "x"}],
            "context": long, "abstain": true, "items": many(&json!({"event_id": "e17"})),
            "immediate": many(&node), "working": many(&node), "intents": many(&intent), "intent": intent,
            "id": "c-1", "state": "live", "node": node, "why": {"by": "fold", "reason": long, "grounded_in": many(&json!({"node": "e-1"}))},
            "in": many(&json!({"node": "e-1", "title": long})), "erased": many(&json!("e-0123456789")),
            "degraded": many(&json!("something is not as it should be")),
        });
        for tool in super::super::TOOLS {
            for budget in [100, 137, 1_000] {
                let out = answer(tool.name, &all, budget);
                let n = count_tokens(&out);
                assert!(n <= budget && n > 0, "{}: {n} of {budget}", tool.name);
            }
        }
        assert!(answer("list_intents", &all, 2_000).contains("left out"));
        assert_eq!(cut("short", 100), "short");
    }
}
