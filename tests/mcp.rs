//! MCP: memory as tools, over stdio and HTTP.

mod support;

use gyrus::text::count_tokens;
use serde_json::{Value, json};
use support::Launch;
use support::fresh::{STORY, fresh};
use support::http::Http;
use support::mcp::{Mcp, Session};

const ALL: [&str; 7] = [
    "remember",
    "recall",
    "context",
    "list_intents",
    "give_feedback",
    "explain",
    "status",
];

fn names(tools: &Value) -> Vec<&str> {
    support::texts(&tools["tools"], "name")
}

#[test]
fn every_tool_works_over_stdio_and_stays_within_its_budget() {
    let mut f = fresh(&[]);
    f.told("farm");
    let (mut mcp, info) = Mcp::start(&f.daemon.launch.socket(), &["--space", "farm", "--budget", "500"]);
    assert_eq!(info["serverInfo"]["name"], "gyrus");
    assert!(info["capabilities"]["resources"]["subscribe"] == true && info["instructions"].is_string());
    let tools = mcp.ok("tools/list", json!({}));
    assert_eq!(names(&tools), ALL);
    for t in tools["tools"].as_array().unwrap() {
        let plain = t["inputSchema"].to_string();
        assert!(
            !plain.contains("anyOf") && !plain.contains("oneOf") && !plain.contains("\"type\":["),
            "{plain}"
        );
        assert_eq!(t["annotations"]["destructiveHint"], false, "{t}");
    }
    let mut say = |name: &str, args: Value| {
        let budget = args["budget_tokens"].as_u64().unwrap_or(500) as usize;
        let (text, failed) = mcp.tool(name, args);
        assert!(
            count_tokens(&text) <= budget,
            "{name}: {} tokens",
            count_tokens(&text)
        );
        (text, failed)
    };
    let (found, _) = say(
        "recall",
        json!({"query": "When does the organic inspector come?"}),
    );
    assert!(
        found.contains("25 September") && found.contains("o50") && found.contains("trace q-"),
        "{found}"
    );
    let (short, _) = say(
        "recall",
        json!({"query": "When does the organic inspector come?", "budget_tokens": 150}),
    );
    assert!(short.len() < found.len() && short.contains("Okafor"), "{short}");
    let (none, _) = say("recall", json!({"query": "Qwertzuiop asdfghjkl?"}));
    assert!(none.contains("does not cover"), "{none}");
    let (all, _) = say("list_intents", json!({"status": "any"}));
    let id = all
        .split_whitespace()
        .find(|w| w.starts_with("i-"))
        .unwrap()
        .to_owned();
    assert!(all.contains("why:"), "{all}");
    let (why, failed) = say("explain", json!({"id": id}));
    assert!(!failed && why.contains("made by intent"), "{why}");
    let trace = found.split_whitespace().find(|w| w.starts_with("q-")).unwrap();
    assert!(
        say("explain", json!({"id": trace.lines().next().unwrap()}))
            .0
            .contains("payload")
    );
    assert!(say("context", json!({"max_nodes": 200})).0.contains("concept c-"));
    assert!(
        say("status", json!({}))
            .0
            .contains(&format!("{} events", STORY.lines().count()))
    );
    let memory = json!({"text": "The bank of the farm is Rabo in Zutphen.", "actor": "Ines"});
    assert!(say("remember", memory.clone()).0.starts_with("stored"));
    assert!(say("remember", memory).0.starts_with("known already"));
    let (now, _) = say("recall", json!({"query": "What is the name of the farm's bank?"}));
    assert!(now.contains("Rabo"), "{now}");
    // In a space of its own.
    assert!(say("recall", json!({"query": "bank", "space": "empty"})).1);
    let intent = f.asked("pier")["id"].as_str().unwrap().to_owned();
    let done = say(
        "give_feedback",
        json!({"space": "pier", "intent": intent, "verdict": "accept", "note": "ordered"}),
    );
    assert!(done.0.contains("[action_scheduled]"), "{}", done.0);

    for (tool, args, said) in [
        ("recall", json!({}), "`query` is needed"),
        ("recall", json!({"query": "x", "nonsense": 1}), "nonsense"),
        ("recall", json!({"query": "x", "mode": "fast"}), "unknown mode"),
        ("remember", json!({"text": "x", "time": "yesterday"}), "time"),
        (
            "give_feedback",
            json!({"intent": "i-0", "verdict": "maybe"}),
            "verdict",
        ),
        ("explain", json!({"id": "c-00000000000000000000"}), "not_found"),
        ("forget", json!({"actor": "Ines"}), "not offered"),
    ] {
        let (text, failed) = say(tool, args);
        assert!(
            (failed || tool == "remember") && text.contains(said),
            "{tool}: {text}"
        );
    }
    assert!(mcp.call("tools/call", json!({"name": "nonsense"})).is_err());
    mcp.close();
}

#[test]
fn forget_is_offered_only_when_it_is_allowed() {
    let f = fresh(&[]);
    let (mut mcp, _) = Mcp::start(&f.daemon.launch.socket(), &["--allow-forget"]);
    let tools = mcp.ok("tools/list", json!({}));
    let forget = tools["tools"]
        .as_array()
        .unwrap()
        .iter()
        .find(|t| t["name"] == "forget")
        .unwrap();
    assert_eq!(forget["annotations"]["destructiveHint"], true);
    mcp.tool(
        "remember",
        json!({"text": "A secret of Ivo.", "actor": "Ivo", "id": "s1"}),
    );
    assert!(
        mcp.tool("forget", json!({"actor": "Ivo", "dry_run": true}))
            .0
            .starts_with("would erase 1")
    );
    assert!(
        mcp.tool("forget", json!({"actor": "Ivo"}))
            .0
            .starts_with("erased 1")
    );
    assert!(
        !mcp.tool("recall", json!({"query": "secret of Ivo"}))
            .0
            .contains("A secret")
    );
    assert!(mcp.tool("forget", json!({})).1);
}

#[test]
fn it_outlives_a_restart_of_the_daemon_and_goes_on_telling_of_changes() {
    let dir = tempfile::tempdir().unwrap();
    let launch = Launch::new(dir.path());
    // Before the daemon is there.
    let (mut mcp, _) = Mcp::start(&launch.socket(), &["--space", "pier", "--patience", "60"]);
    assert_eq!(names(&mcp.ok("tools/list", json!({}))).len(), ALL.len());
    let daemon = launch.start();
    let uri = "gyrus://spaces/pier/intents";
    let listed = mcp.ok("resources/list", json!({}));
    assert_eq!(support::texts(&listed["resources"], "uri"), [uri]);
    let read = |mcp: &mut Mcp| -> Value {
        let r = mcp.ok("resources/read", json!({"uri": uri}));
        serde_json::from_str(r["contents"][0]["text"].as_str().unwrap()).unwrap()
    };
    assert_eq!(read(&mut mcp)["intents"], json!([]));
    mcp.ok("resources/subscribe", json!({"uri": uri}));
    for (n, text) in [
        "The ferry timetable is wrong on the pier sign. Please replace the ferry timetable by Friday.",
        "A second complaint about the ferry timetable on the pier; it must be replaced before Friday.",
        "Who orders the new ferry timetable for the pier? It is needed by Friday.",
    ]
    .into_iter()
    .enumerate()
    {
        let time = format!("2033-05-02T0{}:00:00Z", n + 7);
        let (said, failed) = mcp.tool("remember", json!({"text": text, "time": time, "actor": "Ivo"}));
        assert!(!failed && said.starts_with("stored"), "{said}");
    }
    let note = mcp.note();
    assert_eq!(
        (&note["method"], &note["params"]["uri"]),
        (&json!("notifications/resources/updated"), &json!(uri))
    );
    let before = read(&mut mcp);
    assert!(!before["intents"].as_array().unwrap().is_empty());

    daemon.kill();
    let daemon = launch.start();
    assert_eq!(read(&mut mcp)["intents"], before["intents"]);
    // Its subscription is there again: a verdict given elsewhere is told.
    let id = before["intents"][0]["id"].as_str().unwrap().to_owned();
    let verdict = json!({"space": "pier", "intent": id, "verdict": "reject"});
    daemon.rpc().ok("feedback", verdict);
    loop {
        let note = mcp.note();
        assert_eq!(note["method"], "notifications/resources/updated");
        if read(&mut mcp)["intents"].to_string().contains("rejected") {
            break;
        }
    }
    // A daemon that is away for good is said to be.
    daemon.stop();
    let (mut hasty, _) = Mcp::start(&launch.socket(), &["--patience", "0"]);
    let (said, failed) = hasty.tool("status", json!({}));
    assert!(
        failed && said.contains("gyrus serve") && said.contains("no_daemon"),
        "{said}"
    );
    assert!(
        mcp.call("resources/read", json!({"uri": "file:///etc/passwd"}))
            .is_err()
    );
}

#[test]
fn over_http_a_token_sees_only_its_tools_and_spaces() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("tokens");
    let (reader, owner) = ("reader-token-0123456789abcdef", "owner-token-0123456789abcdef");
    let entry = |name: &str, token: &str, spaces: &str, may: &str| {
        format!("[[token]]\nname = \"{name}\"\ntoken = \"{token}\"\nspaces = [\"{spaces}\"]\nmay = [{may}]\n")
    };
    let text = entry("r", reader, "farm", "\"read\"")
        + &entry("o", owner, "*", "\"read\", \"write\", \"feedback\", \"admin\"");
    std::fs::write(&file, text).unwrap();
    let launch = Launch::new(dir.path())
        .arg("--http", "127.0.0.1:0")
        .set("http.tokens", file.display())
        .set("mcp.forget", true);
    let daemon = launch.start();
    let http = Http::of(&daemon);
    let mut all = Session::start(&http.with_token(owner));
    assert_eq!(names(&all.ok("tools/list", json!({}))).len(), ALL.len() + 1);
    for (space, text) in [
        ("farm", "The audit is on Monday."),
        ("other", "The audit is on Tuesday."),
    ] {
        assert!(
            all.tool("remember", json!({"space": space, "text": text}))
                .0
                .starts_with("stored")
        );
    }
    let mut few = Session::start(&http.with_token(reader));
    assert_eq!(
        names(&few.ok("tools/list", json!({}))),
        ["recall", "context", "list_intents", "explain", "status"]
    );
    assert!(
        few.tool("recall", json!({"query": "When is the audit?", "space": "farm"}))
            .0
            .contains("Monday")
    );
    for (tool, args) in [
        ("recall", json!({"query": "audit", "space": "other"})),
        ("recall", json!({"query": "audit"})),
        ("remember", json!({"text": "x", "space": "farm"})),
        ("forget", json!({"actor": "x", "space": "farm"})),
    ] {
        let (said, failed) = few.tool(tool, args);
        assert!(failed && said.contains("forbidden"), "{tool}: {said}");
    }
    assert_eq!(
        support::texts(&few.ok("resources/list", json!({}))["resources"], "uri"),
        ["gyrus://spaces/farm/intents"]
    );
    assert!(
        few.call("resources/read", json!({"uri": "gyrus://spaces/other/intents"}))
            .is_err()
    );
    assert!(
        few.call(
            "resources/subscribe",
            json!({"uri": "gyrus://spaces/other/intents"})
        )
        .is_err()
    );
    few.ok(
        "resources/subscribe",
        json!({"uri": "gyrus://spaces/farm/intents"}),
    );
    daemon.stop();
}
