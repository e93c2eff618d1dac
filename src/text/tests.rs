//! Tests of the text room: any script, any length, no panic.

use super::*;
use proptest::prelude::*;

pub(super) fn event(title: Option<&str>, text: &str, at: &str) -> Event {
    let time = Ts::from(chrono::DateTime::parse_from_rfc3339(at).unwrap().to_utc());
    Event {
        space: "s".into(),
        source: String::new(),
        id: "1".into(),
        time,
        time_mark: crate::event::TimeMark::Given,
        received: time,
        kind: None,
        actor: None,
        title: title.map(str::to_owned),
        text: text.to_owned(),
        data: None,
        extra: Default::default(),
    }
}

fn said(text: &str) -> Analysis {
    analyse(&event(None, text, "2031-02-27T10:00:00Z"))
}

fn lowers(text: &str) -> Vec<String> {
    words(text, Section::Text)
        .into_iter()
        .map(|w| w.lower.into())
        .collect()
}

fn stems(text: &str) -> Vec<String> {
    words(text, Section::Text)
        .into_iter()
        .map(|w| w.stem.into())
        .collect()
}

fn names(text: &str) -> Vec<(String, bool)> {
    entities(text)
        .into_iter()
        .map(|e| (e.name.into(), e.sure))
        .collect()
}

#[test]
fn codes_and_numbers_stay_whole() {
    assert_eq!(
        lowers("Valve AB-12 at 10:40, see #2291 (v4.7.0)."),
        ["valve", "ab-12", "at", "10:40", "see", "2291", "v4.7.0"]
    );
    assert_eq!(
        lowers("a 3-day trip, and/or 24/7"),
        ["a", "3", "day", "trip", "and", "or", "24/7"]
    );
    assert_eq!(&*words("see #2291", Section::Text)[1].surface, "#2291");
    assert_eq!(stems("12,000 12000"), ["12000", "12000"]);
}

#[test]
fn apostrophes_and_possessives_fold() {
    assert_eq!(
        lowers("Mara’s boiler doesn’t hum, the Greens' does"),
        ["mara", "boiler", "doesnt", "hum", "the", "greens", "does"]
    );
    assert_eq!(
        lowers("l'eau de l’école est froide pour nous")[..2],
        ["eau", "de"]
    );
}

#[test]
fn composed_and_decomposed_letters_meet() {
    assert_eq!(lowers("cafe\u{301} ＡＢＣ ﬁne"), ["café", "abc", "fine"]);
    assert_eq!(stems("café cafe"), ["cafe", "cafe"]);
}

#[test]
fn irregular_forms_share_a_stem() {
    for (a, b) in [
        ("bought", "buying"),
        ("children", "kid"),
        ("thought", "think"),
        ("went", "going"),
        ("wrote", "writing"),
    ] {
        assert_eq!(stems(a), stems(b), "{a} {b}");
    }
}

#[test]
fn scripts_without_spaces_become_bigrams() {
    assert_eq!(lowers("東京都"), ["東京", "京都"]);
    assert_eq!(lowers("猫"), ["猫"]);
    assert_eq!(lowers("APIを見る"), ["api", "を見", "見", "見る"]);
    assert!(lowers("黒い猫がいる").contains(&"猫".to_owned()));
    assert_eq!(lowers("회의를"), ["회의", "의를"]);
    assert!(lowers("กรุงเทพ").len() > 2);
}

#[test]
fn languages_are_told_apart() {
    for (text, lang) in [
        ("The boiler was repaired by the plumber", Lang::En),
        ("Die Heizung ist seit gestern kaputt und niemand kommt", Lang::De),
        ("La caldera está rota desde ayer y nadie viene", Lang::Es),
        (
            "La chaudière est en panne depuis hier et personne ne vient",
            Lang::Fr,
        ),
        ("De ketel is kapot en niemand heeft tijd voor ons", Lang::Nl),
        ("Котёл сломался, и никто не пришёл", Lang::Ru),
        ("ボイラーが壊れました", Lang::Ja),
        ("锅炉昨天坏了", Lang::Zh),
        ("보일러가 고장났습니다", Lang::Ko),
        ("Boiler", Lang::En),
        ("Can't wait for the boiler, keep ya posted", Lang::En),
        ("Rechnung nicht bezahlt", Lang::De),
        ("¿Repararon Marta y Luis?", Lang::Es),
        ("", Lang::En),
    ] {
        assert_eq!(guess(text, Lang::En), lang, "{text}");
    }
    assert_eq!(guess("Kessel 7", Lang::De), Lang::De);
}

#[test]
fn stems_follow_the_language() {
    let w = words("Die Rechnungen sind noch nicht da", Section::Text);
    assert_eq!(&*w[1].stem, "rechnung");
    assert!(w[0].stop && !w[1].stop);
    assert!(!words("The soldiers die young", Section::Text)[2].stop);
}

#[test]
fn frequent_words_have_a_higher_zipf() {
    assert!(zipf("the") > zipf("boiler") && zipf("boiler") > zipf("zyxgor"));
    assert!((zipf("zyxgor") - 3.883).abs() < 0.01);
    assert_eq!(zipf("the"), zipf("the"));
}

#[test]
fn tokens_are_counted_exactly() {
    assert_eq!(count_tokens(""), 0);
    assert_eq!(count_tokens("hello world"), 2);
    assert_eq!(count_tokens("12345"), 2);
}

#[test]
fn entities_know_where_they_stand() {
    let found = names("Boiler AB-12 failed. Later Mara's team called QRT about it, in March.");
    assert!(found.contains(&("boiler".into(), false)));
    assert!(found.contains(&("ab-12".into(), true)));
    assert!(found.contains(&("mara".into(), true)));
    assert!(found.contains(&("qrt".into(), true)));
    assert!(!found.iter().any(|(n, _)| n == "march" || n == "it" || n == "the"));
    assert!(names("We saw \"Night Train\" with Ana Lopez.").contains(&("night train".into(), true)));
    assert!(names("We met Ana Lopez there").contains(&("ana lopez".into(), true)));
}

#[test]
fn contractions_and_hyphens() {
    let w = words("She'll come, I'm late, we can't, Mara'd know", Section::Text);
    let kept: Vec<_> = w.iter().filter(|w| !w.stop).map(|w| &*w.lower).collect();
    assert_eq!(kept, ["come", "late", "mara", "know"]);
    let found = names("We saw Harbour-12 and Ana Lopez-Marin there");
    for name in ["harbour", "harbour-12", "ana lopez-marin", "marin"] {
        assert!(found.contains(&(name.into(), true)), "{name} {found:?}");
    }
    assert_eq!(
        lowers("Harbour-12 INCIDENT-12 idx-07"),
        ["harbour", "12", "incident-12", "idx-07"]
    );
    assert_ne!(stems("evening"), stems("even"));
}

#[test]
fn capitals_that_say_nothing_do_not_make_names() {
    let found = names("Wir haben die Rechnung und das Angebot für den Keller noch nicht bekommen");
    assert!(found.iter().all(|(_, sure)| !sure), "{found:?}");
    let found = names("PLEASE SEND THE BOILER REPORT TODAY");
    assert!(found.iter().all(|(_, sure)| !sure), "{found:?}");
    let found = names("田中さんがボイラーのAPIを確認");
    for name in ["田中", "ボイラー", "api"] {
        assert!(found.contains(&(name.into(), true)), "{found:?}");
    }
}

#[test]
fn cues_are_counted() {
    let c = said("Thanks! I told Omar yesterday that we need three more by next week").cues;
    assert_eq!(
        (
            c.time,
            c.number,
            c.first_person,
            c.capitalised,
            c.filler,
            c.only_question
        ),
        (2, 1, 2, 1, true, false)
    );
    let c = said("Did the plumber come?").cues;
    assert!(c.only_question && !c.filler);
    assert!(!said("Did my plumber come?").cues.only_question);
}

#[test]
fn questions_are_understood() {
    assert_eq!(
        strip_task("Please give me a summary of the boiler repair work").trim(),
        "the boiler repair work"
    );
    assert_eq!(strip_task("describe Omar"), "describe Omar");
    assert!(asks_when("When did it break?") && !asks_when("Who came when it broke?"));
    assert!(asks_number("And how many valves?") && !asks_number("How did it go?"));
    assert!(asks_when("いつ壊れた?") && asks_number("Wie viele Ventile?"));
}

#[test]
fn odd_unicode_is_survived() {
    for text in [
        "\u{301}",
        "\u{301}a",
        "👩‍👩‍👧 hi",
        "שלום עולם",
        "مرحبا بالعالم",
        "\u{202e}abc",
        "a\u{200d}",
        "#",
        "#\u{301}7",
        "İI",
        "ǅ",
        "\0",
        "''s",
    ] {
        let a = said(text);
        assert_eq!(a, said(text));
    }
    assert_eq!(lowers("soft\u{ad}ware"), ["software"]);
}

#[test]
fn long_texts_are_bounded() {
    let a = said(&"boiler hums ".repeat(170_000));
    assert!(a.truncated && a.words.len() == MAX_TOKENS);
    for text in [
        "a".repeat(2 << 20),
        "東".repeat(1 << 18),
        "\"".repeat(1 << 20),
        " ".repeat(1 << 20),
        "é\u{301}".repeat(1 << 18),
    ] {
        assert!(said(&text).words.len() <= MAX_TOKENS + 2);
    }
}

/// Words out of which dates, names and quotes are made, with the marks that stand between them.
const PARTS: &[&str] = &[
    "by",
    "Friday",
    "the",
    "3rd",
    "of",
    "March",
    "2031",
    "next",
    "week",
    "in",
    "two",
    "days",
    "ago",
    "at",
    "10:40",
    "pm",
    "morgen",
    "vor",
    "hace",
    "il y a",
    "明日",
    "まで",
    "2031-02-30",
    "31",
    "February",
    "\"",
    "“",
    "-",
    ". ",
    ":",
    "\n",
    "AB-12",
    "Ana",
    "'s",
    "é",
    "\u{301}",
    "まで",
    "#7",
    "ー",
    "日",
];

proptest! {
    #[test]
    fn any_row_of_date_words_is_read(parts in proptest::collection::vec(0..PARTS.len(), 0..30), at in any::<i64>(), spaced in any::<bool>()) {
        let text = parts.iter().map(|&i| PARTS[i]).collect::<Vec<_>>().join(if spaced { " " } else { "" });
        let mut e = event(None, &text, "2031-02-27T10:00:00Z");
        let a = analyse(&e);
        for d in &a.dates {
            prop_assert!(d.start < d.end, "{:?} in {}", d, text);
            prop_assert!(nfc(&text).contains(&*d.surface));
        }
        prop_assert_eq!(&a, &analyse(&e));
        e.time = Ts(at);
        analyse(&e);
        question_dates(&text, Ts(at));
    }

    #[test]
    fn any_text_is_analysed_the_same_twice(text in "\\PC*", title in proptest::option::of(".*")) {
        let e = event(title.as_deref(), &text, "2031-02-27T10:00:00Z");
        let a = analyse(&e);
        prop_assert_eq!(&a, &analyse(&e));
        for w in &a.words {
            let whole = if w.section == Section::Title { nfc(title.as_deref().unwrap_or_default()) } else { nfc(&text) };
            prop_assert!(whole.contains(&*w.surface));
        }
        count_tokens(&text);
        strip_task(&text);
        question_dates(&text, e.time);
    }
}
