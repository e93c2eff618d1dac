//! Names of concepts, as a user would judge them.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::world::{World, event};
use crate::embed::built_in;
use crate::event::Event;
use crate::fold::Settings;
use crate::graph::NodeId;

/// A world fed with (actor, title, text).
fn fed(lines: &[(&str, &str, &str)]) -> World {
    let mut w = World::new(built_in(), Settings::default());
    for (i, (actor, title, text)) in lines.iter().enumerate() {
        w.feed(said(i, actor, title, text));
    }
    w
}

fn said(i: usize, actor: &str, title: &str, text: &str) -> Event {
    let mut e = event(&format!("e{i}"), i as i64 * 60, title, text);
    e.actor = (!actor.is_empty()).then(|| actor.into());
    e
}

fn titles(w: &World) -> Vec<String> {
    w.concepts().iter().map(|c| c.title.to_string()).collect()
}

fn has(w: &World, words: &[&str]) -> bool {
    titles(w)
        .iter()
        .any(|t| words.iter().any(|x| t.to_lowercase().contains(x)))
}

const BACKUPS: [(&str, &str, &str); 10] = [
    (
        "Lucía",
        "Copia fallida",
        "La copia de seguridad del servidor falló y hubo pérdida de datos en el archivo.",
    ),
    (
        "Bruno",
        "El coro canta",
        "El coro ensaya el himno en la parroquia con los tenores.",
    ),
    (
        "Lucía",
        "Sin espacio en disco",
        "Otra pérdida de datos: la copia de seguridad no cabía en el disco del servidor.",
    ),
    (
        "Bruno",
        "Faltan tenores",
        "Al ensayo del coro le faltaron dos tenores para el himno.",
    ),
    (
        "Lucía",
        "Disco cambiado",
        "Cambiamos el disco del servidor para evitar la pérdida de datos y repetir la copia.",
    ),
    (
        "Bruno",
        "Partituras",
        "El coro necesita partituras del himno antes del ensayo en la parroquia.",
    ),
    (
        "Lucía",
        "Copia completa",
        "La copia de seguridad terminó en el servidor, sin pérdida de datos.",
    ),
    (
        "Bruno",
        "Concierto",
        "El coro y los tenores cantan el himno en el concierto de la parroquia.",
    ),
    (
        "Lucía",
        "Prueba de copia",
        "Probamos la copia de seguridad del servidor y del disco: ninguna pérdida de datos.",
    ),
    (
        "Bruno",
        "Altos",
        "Los altos del coro ensayan el himno con las partituras nuevas.",
    ),
];

#[test]
fn spanish_nouns_are_joined_by_their_preposition() {
    let w = fed(&BACKUPS);
    let all = titles(&w);
    assert!(
        all.iter()
            .any(|t| t.contains("Pérdida de datos") || t.contains("Copia de seguridad")),
        "{all:?}"
    );
    assert!(!has(&w, &["luc", "bruno"]), "{all:?}");
}

const HEATING: [(&str, &str, &str); 8] = [
    (
        "Ines",
        "Druck zu niedrig",
        "Die Heizungsanlage im Keller verliert Druck, der Techniker prüft das Ventil.",
    ),
    (
        "Jonas",
        "Anmeldung klappt nicht",
        "Das Passwort der Kundin ist gesperrt, die Anmeldung am Konto schlägt fehl.",
    ),
    (
        "Ines",
        "Ventil getauscht",
        "Der Techniker hat das Ventil der Heizungsanlage getauscht, der Druck hält.",
    ),
    (
        "Jonas",
        "Konto gesperrt",
        "Nach drei Versuchen ist das Konto gesperrt, ein neues Passwort hilft bei der Anmeldung.",
    ),
    (
        "Ines",
        "Keller kalt",
        "Im Keller bleibt die Heizungsanlage kalt, das Ventil klemmt und der Druck fällt.",
    ),
    (
        "Jonas",
        "Passwort vergessen",
        "Sie hat das Passwort vergessen; die Anmeldung am Konto geht wieder.",
    ),
    (
        "Ines",
        "Anlage läuft",
        "Die Heizungsanlage läuft, Ventil und Druck sind in Ordnung, sagt der Techniker.",
    ),
    (
        "Jonas",
        "Neues Passwort",
        "Mit dem neuen Passwort gelingt die Anmeldung, das Konto ist frei.",
    ),
];

#[test]
fn german_compounds_stay_whole_and_large() {
    let w = fed(&HEATING);
    let all = titles(&w);
    let good = [
        "Heizungsanlage",
        "Ventil",
        "Druck",
        "Keller",
        "Techniker",
        "Passwort",
        "Anmeldung",
        "Konto",
    ];
    assert!(!all.is_empty());
    for t in &all {
        assert!(t.split(" & ").all(|p| good.contains(&p)), "{all:?}");
    }
}

const MEETINGS: [(&str, &str, &str); 8] = [
    (
        "田中",
        "予約の変更",
        "会議室の予約を佐藤さんが変更した。プロジェクターも必要。",
    ),
    (
        "佐藤",
        "サーバーの障害",
        "データベースのサーバーが停止し、復旧作業を始めた。",
    ),
    (
        "田中",
        "会議室が満室",
        "会議室が満室で予約できない。別のプロジェクターを借りる。",
    ),
    (
        "佐藤",
        "復旧の報告",
        "サーバーの復旧作業が終わり、データベースは正常。",
    ),
    (
        "田中",
        "予約の取り消し",
        "会議室の予約を取り消し、プロジェクターを返した。",
    ),
    (
        "佐藤",
        "再び停止",
        "データベースのサーバーが再び停止、復旧作業を続ける。",
    ),
    (
        "田中",
        "会議室の鍵",
        "会議室の鍵を予約と一緒に受け取る。プロジェクターは故障。",
    ),
    (
        "佐藤",
        "監視の追加",
        "サーバーの監視を追加し、データベースの復旧作業を記録した。",
    ),
];

#[test]
fn japanese_titles_are_runs_of_one_script_and_no_person() {
    let w = fed(&MEETINGS);
    let all = titles(&w);
    let good = [
        "会議室",
        "予約",
        "プロジェクター",
        "サーバー",
        "データベース",
        "復旧作業",
        "停止",
        "満室",
        "監視",
        "障害",
    ];
    assert!(!all.is_empty());
    for t in &all {
        assert!(t.split('・').all(|p| good.contains(&p)), "{all:?}");
    }
}

#[test]
fn a_type_that_marks_the_group_stands_before_its_own_word() {
    let mut w = World::new(built_in(), Settings::default());
    for (i, (actor, title, text)) in HEATING.iter().enumerate() {
        let mut e = said(i, actor, title, text);
        e.kind = Some(if *actor == "Ines" { "repair_order" } else { "note" }.into());
        w.feed(e);
    }
    let all = titles(&w);
    assert!(all.iter().any(|t| t.starts_with("Repair order & ")), "{all:?}");
    assert!(
        !all.iter().any(|t| t == "Repair order" || t.starts_with("Note")),
        "{all:?}"
    );
}

#[test]
fn a_title_stays_while_no_other_is_clearly_better() {
    let mut w = World::new(built_in(), Settings::default());
    for round in 0..6 {
        for (i, (actor, title, text)) in HEATING.iter().enumerate().filter(|(i, _)| i % 2 == 0) {
            w.feed(said(round * 10 + i, actor, &format!("{title} {round}"), text));
        }
    }
    let concepts = w.concepts().len();
    assert!(
        w.renamed() <= concepts,
        "{} renamed, {:?}",
        w.renamed(),
        titles(&w)
    );
}

const ACTORS: [&str; 4] = ["Ines Vogt", "omar", "Ada-Lin", "Tom"];
const TOPICS: [(&str, &str); 4] = [
    (
        "Boiler pressure low",
        "The boiler in the cellar lost pressure and the valve leaks",
    ),
    (
        "Invoice overdue",
        "The invoice of the customer is overdue and the payment reminder went out",
    ),
    (
        "Choir rehearsal",
        "The choir rehearsed the hymn with tenors in the parish hall",
    ),
    (
        "Login broken",
        "The login page rejects every password since the release",
    ),
];
const TAILS: [&str; 6] = [
    ", said Ines.",
    " on Monday morning.",
    ". Omar wants it done by 12 March.",
    " and Ada called twice yesterday.",
    ", again.",
    "; Tom will look in September.",
];

fn line(i: usize, pick: usize) -> Event {
    let (title, text) = TOPICS[pick % 4];
    let tail = TAILS[pick / 4 % 6];
    said(i, ACTORS[pick / 24 % 4], title, &format!("{text}{tail}"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn no_title_is_an_events_own_nor_holds_an_actor_or_a_date(picks in prop::collection::vec(0usize..96, 12..40)) {
        let mut w = World::new(built_in(), Settings::default());
        for (i, p) in picks.iter().enumerate() {
            w.feed(line(i, *p));
        }
        let events: BTreeSet<String> = TOPICS.iter().map(|t| t.0.to_lowercase()).collect();
        let banned = ["ines", "vogt", "omar", "ada", "lin", "tom", "monday", "march", "september", "yesterday", "morning"];
        for c in w.concepts() {
            let title = c.title.to_lowercase();
            prop_assert!(!events.contains(&title), "{}", title);
            let words: Vec<&str> = title.split(|c: char| !c.is_alphanumeric()).collect();
            prop_assert!(!words.iter().any(|x| banned.contains(x) || x.bytes().any(|b| b.is_ascii_digit())), "{}", title);
        }
        let distinct: BTreeSet<&NodeId> = w.concepts().iter().map(|c| &c.id).collect();
        let named: BTreeSet<String> = titles(&w).into_iter().collect();
        prop_assert_eq!(distinct.len(), named.len());
    }
}
