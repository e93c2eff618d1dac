//! What a question asks for, told from its words.
//!
//! Patterns are compiled once; all are linear in the question.

use std::sync::OnceLock;

use regex::Regex;

use super::calendar;
use super::lang::Lang;
use super::lexicon::set;

/// Instructions to an assistant around what is really asked.
const TASK: &str = r"(?i)\b(?:summari[sz]e|sum up|recap|outline|describe|list|explain|compile|recount|review|sketch|please|overall|so far|all in all|remind me|brief me on|go over|(?:write |need )?a (?:short |brief )?(?:summary|recap|digest|rundown|overview) of|give me (?:an?|the) (?:\w+ )?(?:overview|summary|picture|account|review|rundown|recap)(?: of)?|overview of|tell me(?: (?:everything |all )?about| the (?:whole |full )?story of)?|the (?:whole |full )?(?:story|history|course|business) (?:of|with)|(?:walk|take|run) me through|(?:catch me up on|bring me up to speed on)|(?:pull|put) together|do you (?:know|remember)|fasse? (?:mir )?zusammen|erzähl(?:e)? mir(?: alles)?(?: über| von)?|beschreib(?:e)?|bitte|resume|resúmeme|cuéntame(?: todo)?(?: sobre)?|por favor|raconte[- ]moi|résume|s'il (?:te|vous) plaît)\b";

const ASKS_WHEN: &str = r"(?i)^\W*(?:when|how long ago|on which|what (?:date|day|time)|(?:in )?(?:which|what) (?:month|year)|since when|until when|by when|wann|seit wann|bis wann|an welchem (?:tag|datum)|um wie ?viel uhr|cuándo|cuando|desde cuándo|hasta cuándo|(?:en )?qué (?:día|fecha|mes|año)|a qué hora|quand|depuis quand|à quelle (?:date|heure)|quel jour|quando|wanneer|när|hvornår|når|когда|いつ|何時|何月|何日|什么时候|何时)";

const ASKS_NUMBER: &str = r"(?i)\b(?:how (?:many|much|long|often|old|far|tall|big)|what (?:number|amount|percentage|share|price|count)|wie ?(?:viele?n?|oft|lange|alt|hoch|teuer)|cuánt[oa]s?|combien|quant[oiae]s?|hoeveel|hur många|hvor mange|сколько)\b|いくら|いくつ|何人|何個|何回|多少|几个";

fn pattern(cell: &'static OnceLock<Regex>, text: &'static str) -> &'static Regex {
    // The patterns are constants, and a test compiles each.
    cell.get_or_init(|| Regex::new(text).expect("constant pattern compiles"))
}

/// The question without instructions to the assistant ("give me a summary of"), if at least three words are left;
/// else the question as it is.
pub fn strip_task(question: &str) -> String {
    static TASKS: OnceLock<Regex> = OnceLock::new();
    let rest = pattern(&TASKS, TASK).replace_all(question, " ");
    let words = rest
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|w| !w.is_empty())
        .take(3)
        .count();
    if words >= 3 {
        rest.into_owned()
    } else {
        question.to_owned()
    }
}

/// Does the question ask for a date or a time?
pub fn asks_when(question: &str) -> bool {
    static WHEN: OnceLock<Regex> = OnceLock::new();
    pattern(&WHEN, ASKS_WHEN).is_match(question)
}

/// Does the question ask for a count, an amount or a length of time?
pub fn asks_number(question: &str) -> bool {
    static NUMBER: OnceLock<Regex> = OnceLock::new();
    pattern(&NUMBER, ASKS_NUMBER).is_match(question)
}

/// Words that shape a question more than they say what it is about; the ranker gives them half weight.
const WEAK: &str = "
kind kinds type types sort name names named call called mention mentioned describe described according recent recently
current currently many much long often old time times way ways thing things something anything someone anyone specific particular
exactly happen happens happened favorite favourite share shared plan plans planned planning decide decided like likes liked would
likely consider considered want wants wanted main new first last latest one two both";

/// Is a lower-case word one of those that shape a question?
pub fn is_weak(lower: &str) -> bool {
    static SET: OnceLock<rustc_hash::FxHashSet<&'static str>> = OnceLock::new();
    SET.get_or_init(|| set(&[WEAK])).contains(lower)
}

/// Is a lower-case word a month, a weekday, a year of four digits or a number of one or two?
pub fn is_calendar_word(lower: &str, lang: Lang) -> bool {
    let digits = lower.bytes().all(|b| b.is_ascii_digit());
    let number = digits
        && (matches!(lower.len(), 1 | 2)
            || (lower.len() == 4 && (lower.starts_with("19") || lower.starts_with("20"))));
    number || calendar::name(lower, lang).is_some()
}
