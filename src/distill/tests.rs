//! What events state, and what holds of it: small situations in several languages.

use super::*;
use crate::event::{TimeMark, Ts};
use crate::graph::NodeIx;

fn event(actor: &str, day: i64, text: &str) -> Event {
    Event {
        space: "s".into(),
        source: String::new(),
        id: format!("{actor}-{day}"),
        time: Ts(day * Ts::DAY + 1_900_000_800_000),
        time_mark: TimeMark::Given,
        received: Ts(0),
        kind: None,
        actor: Some(actor.into()),
        title: None,
        text: text.into(),
        data: None,
        extra: Default::default(),
    }
}

fn distil(e: &Event) -> Vec<Triple> {
    Distilled::of(e, &text::analyse(e)).triples
}

/// "subject | predicate attribute | object", with `!` where it is denied and `@speaker`.
fn line(t: &Triple) -> String {
    let attribute = t
        .attribute
        .as_ref()
        .map_or(String::new(), |a| format!(" {}", a.key));
    let speaker = t
        .speaker
        .as_ref()
        .map_or(String::new(), |s| format!(" @{}", s.key));
    let denied = match (t.negated, t.past) {
        (true, _) => "!",
        (_, true) => "~",
        _ => "",
    };
    format!(
        "{} | {denied}{}{attribute} | {}{speaker}",
        t.subject.key,
        t.predicate.name(),
        t.object.key
    )
}

fn said(actor: &str, text: &str) -> Vec<String> {
    distil(&event(actor, 0, text)).iter().map(line).collect()
}

/// A ledger with one event for each text, a day apart.
struct Told {
    ledger: Ledger,
    events: Vec<Event>,
}

fn told(texts: &[(i64, &str, &str)]) -> Told {
    let mut t = Told {
        ledger: Ledger::new(Settings::default()),
        events: Vec::new(),
    };
    for (i, (day, actor, text)) in texts.iter().enumerate() {
        let e = event(actor, *day, text);
        t.ledger
            .add(NodeIx(i as u32), &e, Distilled { triples: distil(&e) });
        t.events.push(e);
    }
    t
}

impl Told {
    /// Versions that the question's best slot has, as "object standing".
    fn of(&self, question: &str, as_of: Option<i64>) -> Vec<String> {
        let view = self.ledger.publish();
        let words = text::words(question, Section::Text);
        let lang = text::guess(question, Lang::En);
        let as_of = as_of.map(|d| Ts(d * Ts::DAY + 1_900_000_800_000));
        let asked = view.asked(question, &words, lang, as_of, true);
        let best = asked
            .strong()
            .next()
            .unwrap_or_else(|| panic!("nothing fits {question}: {:?}", asked.fits));
        best.versions
            .iter()
            .map(|c| {
                format!(
                    "{}{} {}",
                    if c.negated { "!" } else { "" },
                    c.object.key,
                    c.standing.name()
                )
            })
            .collect()
    }
}

#[test]
fn a_new_value_replaces_the_old_one_by_event_time() {
    let t = told(&[
        (0, "ola", "The passcode of the boathouse is 5519."),
        (9, "ola", "The passcode of the boathouse is 6620 now."),
        // Comes in last, but is older than both.
        (-4, "kim", "The passcode of the boathouse is 1108."),
    ]);
    let q = "What is the passcode of the boathouse?";
    assert_eq!(
        t.of(q, None),
        ["1108 superseded", "5519 superseded", "6620 current"]
    );
    assert_eq!(t.of(q, Some(5)), ["1108 superseded", "5519 current"]);
}

#[test]
fn a_changed_mind_keeps_both_and_the_newer_one_holds() {
    let t = told(&[
        (0, "ola", "I love smoked eel."),
        (60, "ola", "I can't stand smoked eel any more."),
    ]);
    let q = "Does Ola like smoked eel?";
    assert_eq!(t.of(q, None), ["smoked eel superseded", "!smoked eel current"]);
    assert_eq!(t.of(q, Some(30)), ["smoked eel current"]);
}

#[test]
fn a_correction_closes_the_wrong_claim_as_never_true() {
    let t = told(&[
        (0, "ola", "The ferry's berth is B4."),
        (1, "ola", "Correction: the ferry's berth is C7, not B4."),
    ]);
    let view = t.ledger.publish();
    let claims = view.claims_in(NodeIx(1), None);
    let wrong = claims.iter().find(|c| &*c.object.key == "b4").unwrap();
    assert_eq!(
        (wrong.standing, wrong.to),
        (Standing::Corrected, Some(wrong.from))
    );
    assert_eq!(wrong.closed_by.map(|e| e.1), Some(NodeIx(1)));
    assert_eq!(
        t.of("Which berth does the ferry have?", None).last().unwrap(),
        "c7 current"
    );
}

#[test]
fn an_erased_superseder_reopens_what_it_had_replaced() {
    let mut t = told(&[
        (0, "ola", "The rehearsal is on Tuesday."),
        (1, "ola", "The rehearsal moved to Thursday."),
    ]);
    let objects = |t: &Told| -> Vec<(String, Standing)> {
        let claims = t.ledger.publish().claims_in(NodeIx(0), None);
        claims
            .iter()
            .map(|c| (c.object.shown.to_string(), c.standing))
            .collect()
    };
    assert_eq!(objects(&t).len(), 2);
    assert_eq!(objects(&t)[0].1, Standing::Superseded);
    t.ledger.erase(NodeIx(1));
    assert_eq!(objects(&t), [("on Tuesday".to_string(), Standing::Current)]);
    t.ledger.erase(NodeIx(0));
    let view = t.ledger.publish();
    assert!(view.is_empty() && view.names.is_empty() && view.recent.is_empty() && view.pointing.is_empty());
    assert!(view.of_event.is_empty() && view.runs.is_empty());
}

#[test]
fn what_holds_does_not_depend_on_the_order_of_arrival() {
    let texts = [
        (0, "ola", "The passcode of the boathouse is 5519."),
        (3, "kim", "The passcode of the boathouse was 1108."),
        (5, "kim", "Correction: the passcode of the boathouse is 7731."),
        (8, "ola", "The passcode of the boathouse is 7731."),
        (9, "ola", "The passcode of the boathouse is 9024 now."),
    ];
    let q = "What is the passcode of the boathouse?";
    let forward = told(&texts).of(q, None);
    let mut turned = texts;
    turned.reverse();
    assert_eq!(told(&turned).of(q, None), forward);
    turned.swap(0, 3);
    assert_eq!(told(&turned).of(q, None), forward);
    assert_eq!(forward.last().unwrap(), "9024 current");
}

#[test]
fn reported_speech_is_about_the_one_who_is_quoted() {
    assert_eq!(
        said("ola", "Tomas told me: \"I cannot eat shrimps.\""),
        ["toma | !can | eat shrimp @toma"]
    );
    assert_eq!(
        said("ola", "Tomas told me that he lives in Bergen."),
        ["toma | lives_in | bergen @toma"]
    );
    assert_eq!(
        said("ola", "Tomas says the sluice is closed."),
        ["sluice | is | closed @toma"]
    );
    assert_eq!(
        said("ola", "\"I live in Bergen\", said Tomas."),
        ["toma | lives_in | bergen @toma"]
    );
    assert_eq!(
        said("ola", "I told Tomas that I live in Bergen."),
        ["ola | lives_in | bergen"]
    );
    assert_eq!(
        said("ola", "Tomas me dijo que vive en Bergen."),
        ["toma | lives_in | bergen @toma"]
    );
}

#[test]
fn what_is_denied_asked_or_imagined_is_not_claimed() {
    for text in [
        "Do you live in Bergen?",
        "If the sluice is closed, call me.",
        "I would live in Bergen.",
        "Maybe the sluice is closed.",
        "Whatever happens, do not restart turbine 9.",
        "Ojalá la llave esté en el cajón.",
        "Vielleicht ist die Schleuse offen.",
    ] {
        assert_eq!(said("ola", text), [] as [&str; 0], "{text}");
    }
    assert_eq!(
        said("ola", "The sluice is not closed."),
        ["sluice | !is | closed"]
    );
    assert_eq!(
        said("ola", "I don't like eel."),
        ["ola | !like | eel".replace("like", "likes")]
    );
}

#[test]
fn evidence_is_counted_and_an_echo_is_none() {
    let t = told(&[
        (0, "ola", "The boiler controller listens on port 9183."),
        (
            1,
            "agent",
            "2 May ola: The boiler controller listens on port 9183., thanks",
        ),
        (2, "kim", "The boiler controller listens on port 9183."),
    ]);
    let claims = t.ledger.publish().claims_in(NodeIx(0), None);
    assert_eq!(claims.len(), 1, "{claims:?}");
    assert_eq!(claims[0].count, 2);
    assert_eq!(
        claims[0].evidence.iter().map(|e| e.1.0).collect::<Vec<_>>(),
        [0, 2]
    );
}

#[test]
fn values_of_two_things_never_meet() {
    let t = told(&[
        (0, "ola", "Locker code for bay 21 is 6617."),
        (1, "ola", "Locker code for bay 22 is 6671."),
    ]);
    assert_eq!(t.of("locker code bay 21", None), ["6617 current"]);
    assert_eq!(t.of("locker code bay 22", None), ["6671 current"]);
}

#[test]
fn statements_are_read_in_several_languages() {
    for (text, expected) in [
        (
            "El código de la taquilla 8 es 4410.",
            "taquilla 8 | attribute código | 4410",
        ),
        ("Ahora vivo en Sevilla.", "ola | lives_in | sevilla"),
        ("No soporto las aceitunas.", "ola | !likes | aceituna"),
        (
            "Der Code von Schrank 8 ist 4410.",
            "schrank 8 | attribute code | 4410",
        ),
        ("Ich wohne jetzt in Köln.", "ola | lives_in | köln"),
        ("Ich mag keine Oliven.", "ola | !likes | oliven"),
        (
            "Le code du casier 8 est 4410.",
            "casier 8 | attribute code | 4410",
        ),
        ("J'habite à Lyon.", "ola | lives_in | lyon"),
        ("Je n'aime plus les olives.", "ola | !likes | olive"),
        (
            "Il codice dell'armadietto è 4410.",
            "armadietto | attribute codice | 4410",
        ),
        ("倉庫の鍵は赤い箱の中にある。", "倉庫 | attribute 鍵 | 赤い箱の中"),
        ("私は納豆が嫌いです。", "ola | !likes | 納豆"),
        ("仓库的钥匙在红色箱子里。", "仓库 | attribute 钥匙 | 红色箱子里"),
        ("我喜欢绿茶。", "ola | likes | 绿茶"),
    ] {
        assert_eq!(said("ola", text), [expected], "{text}");
    }
}

#[test]
fn a_chain_leads_from_one_claim_to_the_next() {
    let t = told(&[
        (0, "ola", "My sister Mira lives in Bergen."),
        (1, "ola", "The ladder is behind the shed."),
        (2, "kim", "Mira moved to Trondheim."),
    ]);
    let view = t.ledger.publish();
    let question = "Where does Ola's sister live?";
    let words = text::words(question, Section::Text);
    let asked = view.asked(question, &words, Lang::En, None, true);
    let best = asked.strong().next().expect("a fit");
    assert_eq!(&*best.current().expect("it holds").object.key, "trondheim");
    assert_eq!(&*best.by.as_ref().expect("by a chain").object.key, "mira");
}

#[test]
fn a_profile_holds_what_is_true_now() {
    let t = told(&[
        (0, "ola", "I live in Bergen. I'm allergic to nuts."),
        (1, "ola", "I moved to Trondheim."),
        (2, "kim", "Ola is the manager of the harbour café."),
    ]);
    let view = t.ledger.publish();
    let card = view.profile(&Name::of_actor("ola").unwrap(), None).unwrap();
    let lines: Vec<String> = card
        .claims
        .iter()
        .map(|c| format!("{} {}", c.subject.key, c.object.key))
        .collect();
    assert_eq!(lines, ["harbour café ola", "ola trondheim", "ola allergic nut"]);
}

#[test]
fn a_run_is_bounded_by_silence_and_by_size() {
    let mut ledger = Ledger::new(Settings {
        run_events: 4,
        ..Settings::default()
    });
    let at = |minute: i64| Event {
        time: Ts(minute * 60_000),
        ..event("ola", 0, "x")
    };
    for (ix, minute) in [0, 10, 20, 200, 30, 40, 50].into_iter().enumerate() {
        ledger.add(NodeIx(ix as u32), &at(minute), Distilled::default());
    }
    let view = ledger.publish();
    let run = view.run("", Ts(20 * 60_000), NodeIx(2)).unwrap();
    assert_eq!(run.events, [0, 1, 2, 4, 5].map(NodeIx));
    assert_eq!((run.from, run.to, run.cut), (Ts(0), Ts(40 * 60_000), true));
    assert_eq!(
        view.run("", Ts(200 * 60_000), NodeIx(3)).unwrap().events,
        [NodeIx(3)]
    );
}

#[test]
fn no_text_makes_it_panic() {
    let long = "a, b; (c) \"d ".repeat(400);
    for text in [
        "",
        "\"",
        "I",
        "is",
        "The is",
        "'s is's",
        "can't",
        "My",
        "I'm",
        ": :",
        "Bram said",
        "used to",
        "no",
        &long,
        "moved to",
        "I can",
    ] {
        let e = event("ola", 0, text);
        assert!(distil(&e).len() <= MAX_TRIPLES);
    }
}

#[test]
fn any_row_of_words_is_read_without_panic_and_taken_out_again() {
    let pool = [
        "I",
        "my",
        "She",
        "it",
        "the",
        "a",
        "is",
        "isn't",
        "I'm",
        "was",
        "used",
        "to",
        "said",
        "told",
        "me",
        "that",
        "\"",
        ":",
        ",",
        ".",
        "Ana",
        "Ana's",
        "of",
        "from",
        "in",
        "instead",
        "of",
        "not",
        "no",
        "longer",
        "now",
        "can't",
        "stand",
        "like",
        "moved",
        "has",
        "been",
        "changed",
        "switched",
        "took",
        "over",
        "looks",
        "after",
        "by",
        "Friday",
        "42",
        "port",
        "since",
        "2031",
        "(",
        "ich",
        "mag",
        "keine",
        "dass",
        "wohnt",
        "kann",
        "vive",
        "no",
        "me",
        "gusta",
        "según",
        "n'aime",
        "plus",
        "d'Ana",
        "dell'armadio",
        "の",
        "は",
        "です",
        "我",
        "在",
        "?",
        "who",
        "and",
        "responsible",
        "for",
        "4 May",
        "’s",
        "'",
        "according",
    ];
    let mut seed = 7u64;
    let mut next = |n: usize| {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % n
    };
    let mut ledger = Ledger::new(Settings::default());
    let mut stated = 0;
    for ix in 0..4_000u32 {
        let words: Vec<&str> = (0..2 + next(14)).map(|_| pool[next(pool.len())]).collect();
        let e = event("ola", i64::from(ix), &words.join(" "));
        let triples = distil(&e);
        stated += triples.len();
        assert!(triples.len() <= MAX_TRIPLES);
        ledger.add(NodeIx(ix), &e, Distilled { triples });
    }
    assert!(stated > 200, "{stated}: the words are read at all");
    for ix in 0..4_000 {
        ledger.publish().claims_in(NodeIx(ix), None);
        ledger.erase(NodeIx(ix));
    }
    let view = ledger.publish();
    assert!(view.is_empty() && view.names.is_empty() && view.recent.is_empty() && view.pointing.is_empty());
}
