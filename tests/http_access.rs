//! HTTP: who gets in, how much, and what a slow one may hold.

mod support;

use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::Command;

use serde_json::{Value, json};
use support::fresh::fresh;
use support::http::Http;
use support::{Launch, until};

const READER: &str = "reader-token-0123456789abcdef";
const WRITER: &str = "writer-token-0123456789abcdef";

fn tokens(may_of_reader: &str) -> String {
    format!(
        "[[token]]\nname = \"reader\"\ntoken = \"{READER}\"\nspaces = [\"farm\"]\nmay = {may_of_reader}\n\
         [[token]]\nname = \"all\"\ntoken = \"{WRITER}\"\nspaces = [\"*\"]\nmay = [\"read\", \"write\", \"feedback\", \"admin\"]\n"
    )
}

#[test]
fn an_open_address_without_tokens_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let (status, said) = Launch::new(dir.path()).arg("--http", "0.0.0.0:0").fails();
    assert_eq!(status.code(), Some(1), "{said}");
    assert!(
        said.contains("no tokens") && said.contains("gyrus token"),
        "{said}"
    );
    let file = dir.path().join("tokens");
    for (text, named) in [("", "no [[token]]"), ("[[token]]\nname = 1\n", "line 2")] {
        std::fs::write(&file, text).unwrap();
        let launch = Launch::new(dir.path())
            .arg("--http", "0.0.0.0:0")
            .set("http.tokens", file.display());
        let (status, said) = launch.fails();
        assert!(status.code() == Some(1) && said.contains(named), "{said}");
    }
    std::fs::write(&file, tokens("[\"read\"]")).unwrap();
    let launch = Launch::new(dir.path())
        .arg("--http", "0.0.0.0:0")
        .set("http.tokens", file.display());
    launch.start().stop();
}

#[test]
fn tokens_are_scoped_and_follow_their_file() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("tokens");
    std::fs::write(&file, tokens("[\"read\"]")).unwrap();
    let launch = Launch::new(dir.path())
        .arg("--http", "127.0.0.1:0")
        .set("http.tokens", file.display());
    let daemon = launch.start();
    let nobody = Http::of(&daemon);
    let (reader, all) = (nobody.with_token(READER), nobody.with_token(WRITER));
    let event = json!([{"id": "1", "text": "The audit is on Monday."}]);
    for path in ["/v1/spaces/farm/intents", "/metrics", "/v1/status"] {
        let refused = nobody.get(path);
        assert_eq!((refused.status, refused.code().as_str()), (401, "unauthorized"));
        assert_eq!(refused.header("www-authenticate"), "Bearer");
        assert_eq!(
            nobody.with_token("wrong-token-0123456789abcdef").get(path).status,
            401
        );
    }
    assert_eq!(nobody.post("/mcp", &json!({})).status, 401);
    for path in ["/healthz", "/readyz", "/openapi.json"] {
        nobody.get(path).ok();
    }
    assert!(nobody.get("/openapi.json").ok()["paths"]["/v1/status"]["get"]["security"].is_array());
    all.post("/v1/spaces/farm/ingest", &event).ok();
    all.post("/v1/spaces/other/ingest", &event).ok();
    reader.get("/v1/spaces/farm/export").ok();
    all.get("/v1/status").ok();
    let none = json!({});
    for reply in [
        reader.post("/v1/spaces/farm/ingest", &event),
        reader.post("/v1/spaces/farm/import", &none),
        reader.post("/v1/spaces/farm/feedback", &none),
        reader.post("/v1/spaces/farm/forget", &json!({"all": true})),
        reader.get("/v1/spaces/other/export"),
        // The same for a space that is not there: nothing is learned.
        reader.get("/v1/spaces/nowhere/export"),
        reader.get("/v1/status"),
    ] {
        assert_eq!(
            (reply.status, reply.code().as_str()),
            (403, "forbidden"),
            "{reply:?}"
        );
    }

    // Rights that are taken away end open streams; rights that are given count at once.
    let mut stream = reader.stream("/v1/spaces/farm/subscribe", None).unwrap();
    std::fs::write(&file, tokens("[\"write\"]")).unwrap();
    until("the new rights count", || {
        reader.post("/v1/spaces/farm/ingest", &event).status == 200
    });
    assert!(stream.next().is_none());
    assert_eq!(reader.get("/v1/spaces/farm/export").code(), "forbidden");
    // A file that cannot be used leaves the tokens that there are.
    std::fs::write(&file, "[[token]]\nname = \"x\"\n").unwrap();
    let pid = daemon.pid().to_string();
    assert!(
        Command::new("kill")
            .args(["-HUP", &pid])
            .status()
            .unwrap()
            .success()
    );
    daemon.says("the old access tokens stay");
    all.get("/v1/status").ok();
    assert!(!daemon.log().contains(READER) && !daemon.log().contains(WRITER));
    daemon.stop();
}

#[test]
fn a_made_token_works_and_is_not_kept() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("tokens");
    let made = support::daemon::gyrus()
        .args([
            "token",
            "robot",
            "--space",
            "farm",
            "--may",
            "read,write",
            "--file",
        ])
        .arg(&file)
        .output()
        .unwrap();
    let token = String::from_utf8(made.stdout).unwrap().trim().to_owned();
    let kept = std::fs::read_to_string(&file).unwrap();
    assert!(token.len() > 40 && kept.contains("blake3:") && !kept.contains(&token));
    use std::os::unix::fs::PermissionsExt;
    assert_eq!(
        std::fs::metadata(&file).unwrap().permissions().mode() & 0o777,
        0o600
    );
    let daemon = Launch::new(dir.path())
        .arg("--http", "127.0.0.1:0")
        .set("http.tokens", file.display())
        .start();
    let robot = Http::of(&daemon).with_token(&token);
    robot
        .post("/v1/spaces/farm/ingest", &json!([{"id": "1", "text": "x"}]))
        .ok();
    assert_eq!(
        robot.post("/v1/spaces/farm/forget", &json!({"all": true})).status,
        403
    );
    daemon.stop();
}

#[test]
fn too_many_requests_are_told_to_slow_down() {
    let f = fresh(&[
        ("http.listen", "127.0.0.1:0"),
        ("http.requests_per_second", "0.001"),
        ("http.burst", "3"),
    ]);
    let http = Http::of(&f.daemon);
    let statuses: Vec<u16> = (0..5).map(|_| http.get("/v1/status").status).collect();
    assert_eq!(statuses, [200, 200, 200, 429, 429]);
    let refused = http.get("/v1/status");
    assert_eq!(
        (refused.code().as_str(), refused.header("retry-after")),
        ("rate_limited", "1")
    );
    http.get("/healthz").ok();
}

#[test]
fn one_who_does_not_read_holds_nobody_up() {
    let mut f = fresh(&[
        ("http.listen", "127.0.0.1:0"),
        ("http.timeout_seconds", "1"),
        ("http.keep_alive_seconds", "0.2"),
    ]);
    let http = Http::of(&f.daemon);
    let address = http.base.trim_start_matches("http://").to_owned();
    let follow = || {
        let mut s = TcpStream::connect(&address).unwrap();
        write!(
            s,
            "GET /v1/spaces/pier/subscribe?after=0 HTTP/1.1\r\nhost: localhost\r\n\r\n"
        )
        .unwrap();
        s
    };
    let deaf: Vec<TcpStream> = (0..50).map(|_| follow()).collect();
    let intent = f.asked("pier");
    for n in 0..60 {
        let changed =
            json!({"intent": intent["id"], "verdict": "modify", "title": format!("Timetable, draft {n}")});
        http.post("/v1/spaces/pier/feedback", &changed).ok();
    }
    // One who reads has the newest form all the same.
    let newest: Value = http.get("/v1/spaces/pier/intents").ok()["intents"][0].take();
    let mut stream = http.stream("/v1/spaces/pier/subscribe?after=0", None).unwrap();
    let seen = loop {
        let sent = stream.next().unwrap();
        if sent.data["seq"] == newest["seq"] {
            break sent;
        }
    };
    assert_eq!(seen.data["title"], "Timetable, draft 59");
    // A request that comes drop by drop is cut off too.
    let mut slow = TcpStream::connect(&address).unwrap();
    write!(slow, "POST /v1/spaces/pier/recall HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{{").unwrap();
    let mut answer = String::new();
    slow.read_to_string(&mut answer).ok();
    assert!(
        answer.starts_with("HTTP/1.1 408") && answer.contains("\"request_timeout\""),
        "{answer}"
    );
    drop(deaf);
    drop(stream);
    until("all streams are closed", || {
        http.get("/metrics").text.contains("gyrus_http_streams 0")
    });
    f.daemon.stop();
}
