//! Names of months and weekdays in several languages. Data only.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use super::lang::Lang;

/// A month (1 to 12) or a weekday (0 = Monday).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Name {
    Month(u32),
    Weekday(u32),
}

/// (language, months, weekdays from Monday on): names separated by white space, variants by "/".
const NAMES: &[(Lang, &str, &str)] = &[
    (
        Lang::En,
        "january/jan february/feb march/mar april/apr may june/jun july/jul august/aug september/sept/sep october/oct
         november/nov december/dec",
        "monday/mon tuesday/tue/tues wednesday/wed thursday/thu/thur/thurs friday/fri saturday/sat sunday/sun",
    ),
    (
        Lang::De,
        "januar/jänner februar/feber märz april mai juni juli august september oktober november dezember",
        "montag/montags dienstag/dienstags mittwoch/mittwochs donnerstag/donnerstags freitag/freitags samstag/samstags/sonnabend
         sonntag/sonntags",
    ),
    (
        Lang::Es,
        "enero febrero marzo abril mayo junio julio agosto septiembre/setiembre octubre noviembre diciembre",
        "lunes martes miércoles/miercoles jueves viernes sábado/sabado domingo",
    ),
    (
        Lang::Fr,
        "janvier février/fevrier mars avril mai juin juillet août/aout septembre octobre novembre décembre/decembre",
        "lundi mardi mercredi jeudi vendredi samedi dimanche",
    ),
    (
        Lang::It,
        "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
        "lunedì martedì mercoledì giovedì venerdì sabato domenica",
    ),
    (
        Lang::Pt,
        "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
        "segunda-feira terça-feira quarta-feira quinta-feira sexta-feira sábado domingo",
    ),
    (
        Lang::Nl,
        "januari februari maart april mei juni juli augustus september oktober november december",
        "maandag dinsdag woensdag donderdag vrijdag zaterdag zondag",
    ),
    (
        Lang::Sv,
        "januari februari mars april maj juni juli augusti september oktober november december",
        "måndag tisdag onsdag torsdag fredag lördag söndag",
    ),
];

/// The month or weekday that a lower-case word names in a language.
pub(super) fn name(lower: &str, lang: Lang) -> Option<Name> {
    static TABLES: OnceLock<Vec<FxHashMap<&'static str, Name>>> = OnceLock::new();
    let tables = TABLES.get_or_init(|| {
        let mut tables = vec![FxHashMap::default(); Lang::COUNT];
        for (lang, months, days) in NAMES {
            let table = &mut tables[*lang as usize];
            for (i, names) in months.split_whitespace().enumerate() {
                table.extend(names.split('/').map(|n| (n, Name::Month(i as u32 + 1))));
            }
            for (i, names) in days.split_whitespace().enumerate() {
                table.extend(names.split('/').map(|n| (n, Name::Weekday(i as u32))));
            }
        }
        tables
    });
    tables[lang as usize].get(lower).copied()
}
