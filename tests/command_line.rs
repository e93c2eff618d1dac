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
