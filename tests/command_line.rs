//! The command line as people and programs see it.

mod support;

use support::fresh::{STORY, fresh};

#[test]
fn commands_print_json_for_programs_and_end_with_a_code_that_tells() {
    let mut f = fresh(&[]);
    let told = f.cli_json(&["ingest", "--space", "farm"], STORY);
    assert_eq!(told["counts"]["stored"], STORY.lines().count());
    assert_eq!(f.cli_json(&["settle", "--space", "farm"], "")["settled"], true);
    for args in [
        vec!["recall", "--space", "farm", "When does the inspector come?"],
        vec![
            "answer",
            "--space",
            "farm",
            "When does the inspector come?",
            "--explain",
        ],
        vec!["context", "--space", "farm"],
        vec!["intents", "--space", "farm"],
        vec!["export", "--space", "farm"],
        vec!["status", "--digest"],
        vec!["forget", "--space", "farm", "--actor", "Teun", "--dry-run"],
    ] {
        assert!(f.cli_json(&args, "").is_object(), "{args:?}");
        // The same for people: something, and no JSON error.
        let out = f.cli(&args, "");
        assert!(
            out.status.success() && !out.stdout.is_empty(),
            "{args:?}: {}",
            String::from_utf8_lossy(&out.stderr)
        );
    }
    let intent = f.asked("pier")["id"].as_str().unwrap().to_owned();
    assert!(f.cli_json(&["feedback", "--space", "pier", &intent, "accept"], "")["intent"].is_object());
    assert!(f.cli_json(&["explain", "--space", "pier", &intent], "")["why"].is_object());

    // An export goes through a file into another space.
    let file = f.dir.path().join("farm.json");
    std::fs::write(&file, f.cli(&["export", "--space", "farm"], "").stdout).unwrap();
    let taken = f.cli_json(&["import", "--space", "copy", file.to_str().unwrap()], "");
    assert_eq!(taken["counts"]["stored"], STORY.lines().count(), "{taken}");

    let ended = |args: &[&str], input: &str| {
        let out = f.cli(args, input);
        (
            out.status.code(),
            String::from_utf8_lossy(&out.stderr).into_owned(),
        )
    };
    let (code, said) = ended(&["recall", "--space", "nowhere", "x"], "");
    assert!(code == Some(1) && said.contains("unknown_space"), "{said}");
    let (code, said) = ended(
        &["ingest", "--space", "farm"],
        "{\"id\":\"g\",\"text\":\"good\"}\nnot json\n",
    );
    assert!(code == Some(1) && said.contains("line 2"), "{said}");
    assert_eq!(ended(&["recal"], "").0, Some(2));
    assert_eq!(ended(&["forget", "--space", "farm"], "").0, Some(1));
    let nobody = support::daemon::gyrus()
        .args(["status", "--socket", "/nonexistent/s"])
        .output()
        .unwrap();
    assert_eq!(nobody.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&nobody.stderr).contains("gyrus serve"));
}

#[test]
fn the_configuration_can_be_printed_and_checked_and_what_is_wrong_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let run = |file: &str, args: &[&str]| {
        let path = dir.path().join("gyrus.toml");
        std::fs::write(&path, file).unwrap();
        let out = support::daemon::gyrus()
            .args(args)
            .arg("--config")
            .arg(&path)
            .output()
            .unwrap();
        let text = |b: &[u8]| String::from_utf8_lossy(b).into_owned();
        (out.status.code(), text(&out.stdout), text(&out.stderr))
    };
    let (code, printed, said) = run("[event]\nzone = \"Europe/Lisbon\"\n", &["config", "print"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(
        printed.contains("Europe/Lisbon") && printed.contains("gyrus.toml"),
        "{printed}"
    );
    // What is printed is itself a configuration.
    let (code, again, said) = run(&printed, &["config", "print"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(again.contains("Europe/Lisbon"));
    assert_eq!(run("", &["config", "check"]).0, Some(0));
    for (file, named) in [
        ("[event]\nzoan = \"UTC\"\n", "event.zoan"),
        ("[event]\nzone = \"Atlantis\"\n", "event.zone"),
        ("[runtime]\nbatch_events = \"many\"\n", "runtime.batch_events"),
        ("[nonsense]\n", "nonsense"),
        ("[event\n", "gyrus.toml"),
    ] {
        for command in [
            &["config", "check"][..],
            &["serve", "--data", "/nonexistent/data"],
        ] {
            let (code, _, said) = run(file, command);
            assert_eq!(code, Some(2), "{file}: {said}");
            assert!(said.contains(named), "{file}: {said}");
        }
    }
}

#[test]
fn completions_and_manual_pages_know_every_command() {
    let run = |args: &[&str]| {
        let out = support::daemon::gyrus().args(args).output().unwrap();
        assert!(out.status.success(), "{args:?}");
        String::from_utf8(out.stdout).unwrap()
    };
    for shell in ["bash", "zsh", "fish"] {
        let text = run(&["completions", shell]);
        assert!(text.contains("doctor") && text.contains("recall"), "{shell}");
    }
    assert!(run(&["man"]).contains(".TH"));
    let dir = tempfile::tempdir().unwrap();
    run(&["man", dir.path().to_str().unwrap()]);
    let page = std::fs::read_to_string(dir.path().join("gyrus-serve.1")).unwrap();
    assert!(page.contains("\\-\\-http"), "{page}");
}

#[test]
fn the_doctor_says_what_is_wrong_and_what_to_do() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("data");
    let examine = |env: &[(&str, &str)]| -> (Option<i32>, Vec<serde_json::Value>) {
        let mut c = support::daemon::gyrus();
        c.args(["doctor", "--json", "--data"]).arg(&data);
        let out = c.envs(env.iter().copied()).output().unwrap();
        let v: serde_json::Value = serde_json::from_slice(&out.stdout).unwrap();
        (out.status.code(), v["findings"].as_array().unwrap().clone())
    };
    let of = |all: &[serde_json::Value], what: &str| {
        let found = all.iter().find(|f| f["what"] == what);
        found
            .unwrap_or_else(|| panic!("nothing of {what} in {all:?}"))
            .clone()
    };
    let (code, all) = examine(&[]);
    let daemon = of(&all, "daemon");
    assert_eq!((code, &daemon["good"]), (Some(1), &false.into()));
    assert!(daemon["advice"].as_str().unwrap().contains("gyrus serve"));
    // With a daemon all is well.
    let launch = support::Launch::new(dir.path());
    let running = launch.start();
    let socket = launch.socket();
    let (code, all) = examine(&[("GYRUS_SOCKET", socket.to_str().unwrap())]);
    assert_eq!(code, Some(0), "{all:?}");
    // An open address, a file of tokens that others may read, no broker, an open store, a wrong key.
    let (_, all) = examine(&[("GYRUS__HTTP__LISTEN", "0.0.0.0:7480")]);
    assert_eq!(of(&all, "http")["good"], false);
    let tokens = dir.path().join("tokens");
    let text = "[[token]]\nname = \"a\"\ntoken = \"a-token-that-is-long-enough\"\nspaces = [\"*\"]\nmay = [\"read\"]\n";
    std::fs::write(&tokens, text).unwrap();
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(&tokens, std::fs::Permissions::from_mode(0o644)).unwrap();
    let (_, all) = examine(&[("GYRUS__HTTP__TOKENS", tokens.to_str().unwrap())]);
    assert!(
        of(&all, "tokens")["advice"]
            .as_str()
            .unwrap()
            .contains("chmod 600")
    );
    let (_, all) = examine(&[("GYRUS__KAFKA__BROKERS", "127.0.0.1:1")]);
    assert_eq!(of(&all, "kafka")["good"], false);
    std::fs::set_permissions(&data, std::fs::Permissions::from_mode(0o777)).unwrap();
    let (_, all) = examine(&[]);
    assert!(of(&all, "store")["advice"].as_str().unwrap().contains("chmod"));
    let (_, all) = examine(&[("GYRUS__HTTP__LISTEN", "nonsense")]);
    assert!(
        of(&all, "configuration")["found"]
            .as_str()
            .unwrap()
            .contains("http.listen")
    );
    running.stop();
}
