//! Cues of an event's form that the ranker weighs: time and number words, first person, fillers, names.
//!
//! Counted over tokens, so the cost is linear. English in full; other languages by their commonest words.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use super::lang::Lang;
use super::scan::{Kind, Token, is_apostrophe};
use super::{Cues, Word, calendar};

const TIME: u8 = 1;
const NUMBER: u8 = 2;
const FIRST: u8 = 4;
const FILLER: u8 = 8;

/// (language, time words, number words, first-person words, words a filler opens with).
type Row = (Lang, &'static str, &'static str, &'static str, &'static str);

const ROWS: &[Row] = &[
    (
        Lang::En,
        "yesterday today tonight tomorrow ago recently week weekend since year years month months",
        "one two three four five six seven eight nine ten eleven twelve dozen hundred thousand once twice couple several few
         second third fourth another",
        "i my mine me we our",
        "wow thanks cool awesome sounds great nice congrats totally absolutely definitely sure glad yeah yep bye hey",
    ),
    (
        Lang::De,
        "gestern heute morgen übermorgen vorgestern neulich kürzlich woche wochenende seit jahr jahre jahren monat monate monaten",
        "zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dutzend hundert tausend einmal zweimal mehrere paar zweite dritte",
        "ich mein meine meinen meiner mich mir wir unser unsere uns",
        "danke super toll klasse prima genau klar schön ja hallo tschüss stimmt",
    ),
    (
        Lang::Es,
        "ayer hoy mañana anoche recientemente semana semanas desde año años mes meses",
        "dos tres cuatro cinco seis siete ocho nueve diez once doce docena cien mil vez veces varios varias segundo tercero",
        "yo mi mis me nosotros nuestro nuestra nos",
        "gracias genial claro vale vaya perfecto hola adiós estupendo bueno",
    ),
    (
        Lang::Fr,
        "hier demain récemment semaine semaines depuis an ans année années mois",
        "deux trois quatre cinq six sept huit neuf dix onze douze douzaine cent mille fois plusieurs deuxième troisième",
        "je j mon ma mes moi nous notre nos",
        "merci super génial ouais oui bravo salut bonjour parfait cool",
    ),
    (
        Lang::It,
        "ieri oggi domani recentemente settimana settimane anno anni mese mesi",
        "due tre quattro cinque sei sette otto nove dieci undici dodici dozzina cento mille volta volte parecchi secondo terzo",
        "io mio mia miei mie mi noi nostro nostra",
        "grazie bello fantastico certo ciao perfetto bravo",
    ),
    (
        Lang::Pt,
        "ontem hoje amanhã recentemente semana semanas desde ano anos mês meses",
        "dois duas três quatro cinco seis sete oito nove dez onze doze dúzia cem mil vez vezes vários segundo terceiro",
        "eu meu minha meus minhas nós nosso nossa",
        "obrigado obrigada ótimo legal claro oi tchau perfeito",
    ),
    (
        Lang::Nl,
        "gisteren vandaag morgen overmorgen onlangs week weken weekend sinds jaar jaren maand maanden",
        "twee drie vier vijf zes zeven acht negen tien elf twaalf dozijn honderd duizend eens tweemaal meerdere paar tweede derde",
        "ik mijn mij wij we ons onze",
        "bedankt dank leuk super prima geweldig ja hoi doei",
    ),
];

const SEASONS: &str = "night week weekend month year summer winter fall spring morning past";

/// Counts the cues of the parts of one event.
pub(super) struct Counter {
    lang: Lang,
    counts: Cues,
    began: bool,
}

impl Counter {
    pub(super) fn new(lang: Lang) -> Self {
        Counter {
            lang,
            counts: Cues::default(),
            began: false,
        }
    }

    /// Reads one part (title or text); the first with a word decides about the filler.
    pub(super) fn read(&mut self, text: &str, tokens: &[Token<'_>], words: &[Word]) {
        if !self.began && !words.is_empty() {
            self.began = true;
            self.counts.filler = opens_with_filler(tokens, words, self.lang);
        }
        let mut i = 0;
        while i < words.len() {
            i += self.word(text, tokens, words, i);
        }
        let end = tokens.last().map_or(0, |t| t.start + t.surface.len());
        let quotes = text[..end].bytes().filter(|b| *b == b'"').count().div_ceil(2);
        self.counts.capitalised = capped(self.counts.capitalised, quotes, 3);
    }

    /// Returns how many words the cue took.
    fn word(&mut self, text: &str, tokens: &[Token<'_>], words: &[Word], i: usize) -> usize {
        let (t, w) = (&tokens[i], &words[i]);
        let c = &mut self.counts;
        let class = class(head(t.surface, &w.lower), self.lang);
        c.first_person = capped(c.first_person, usize::from(class & FIRST != 0), 3);
        c.number = capped(
            c.number,
            if t.kind == Kind::Code {
                whole_numbers(t.surface)
            } else {
                usize::from(class & NUMBER != 0)
            },
            2,
        );
        if w.capitalised && !w.stop && self.lang != Lang::De && follows_inside(text, t) {
            c.capitalised = capped(c.capitalised, 1, 3);
        }
        let next = |k: usize| words.get(i + k).map_or("", |w| &*w.lower);
        let taken = if self.lang == Lang::En {
            english_time(&w.lower, next(1), next(2))
        } else {
            0
        };
        if taken > 0 {
            // The words of a longer cue may still count as numbers or first person; those of these cues do not.
            c.time = capped(c.time, 1, 2);
            return taken;
        }
        let time = class & TIME != 0
            || is_year(t.surface)
            || (t.kind == Kind::Word && is_calendar(&w.lower, self.lang));
        c.time = capped(c.time, usize::from(time), 2);
        1
    }

    /// `text` is the event's own text, without title.
    pub(super) fn finish(mut self, text: &str) -> Cues {
        let end = text.trim_end();
        let asks =
            end.ends_with(['?', '？', '؟']) || (self.lang == Lang::El && end.ends_with([';', '\u{37e}']));
        self.counts.only_question = asks && self.counts.first_person == 0;
        self.counts
    }
}

fn capped(count: u8, more: usize, cap: u8) -> u8 {
    count.saturating_add(more.min(usize::from(cap)) as u8).min(cap)
}

/// The part of a contraction before its apostrophe ("we'll" is a "we"), else the key.
fn head<'a>(surface: &'a str, lower: &'a str) -> &'a str {
    match surface.find(is_apostrophe) {
        Some(at) if surface[..at].eq_ignore_ascii_case("i") => "i",
        Some(at) if surface[..at].eq_ignore_ascii_case("we") => "we",
        Some(at) if surface[..at].eq_ignore_ascii_case("j") => "j",
        _ => lower,
    }
}

fn class(lower: &str, lang: Lang) -> u8 {
    static TABLES: OnceLock<Vec<FxHashMap<&'static str, u8>>> = OnceLock::new();
    let tables = TABLES.get_or_init(|| {
        let mut tables = vec![FxHashMap::default(); Lang::COUNT];
        for (lang, time, number, first, filler) in ROWS {
            for (words, class) in [(time, TIME), (number, NUMBER), (first, FIRST), (filler, FILLER)] {
                for w in words.split_whitespace() {
                    *tables[*lang as usize].entry(w).or_default() |= class;
                }
            }
        }
        tables
    });
    tables[lang as usize].get(lower).copied().unwrap_or(0)
}

/// Length of an English time cue of two or three words at this place, or 0.
fn english_time(a: &str, b: &str, c: &str) -> usize {
    let span = || {
        SEASONS.split_whitespace().any(|s| s == b)
            || matches!(calendar::name(b, Lang::En), Some(calendar::Name::Weekday(_)))
    };
    match (a, b, c) {
        ("the", "other", "day") => 3,
        ("for", _, "year" | "years") => 3,
        ("last" | "next" | "this", _, _) if span() => 2,
        ("few", "days" | "weeks", _)
        | ("couple", "of", _)
        | ("just", "got" | "started" | "finished" | "went" | "had", _) => 2,
        _ => 0,
    }
}

fn is_calendar(lower: &str, lang: Lang) -> bool {
    // Short names and "may" are too often other words.
    lower.chars().count() > 3 && calendar::name(lower, lang).is_some()
}

fn is_year(surface: &str) -> bool {
    surface.len() == 4
        && (surface.starts_with("19") || surface.starts_with("20"))
        && surface.bytes().all(|b| b.is_ascii_digit())
}

/// Runs of digits that stand alone between punctuation.
fn whole_numbers(surface: &str) -> usize {
    surface
        .split(|c: char| !c.is_alphanumeric())
        .filter(|p| !p.is_empty() && p.chars().all(|c| c.is_numeric()))
        .count()
}

/// Does the word stand within a sentence: after a small letter or a comma, and a space?
fn follows_inside(text: &str, t: &Token<'_>) -> bool {
    let mut before = text[..t.start].chars().rev();
    t.surface.chars().nth(1).is_some()
        && before.next() == Some(' ')
        && before
            .next()
            .is_some_and(|c| c.is_lowercase() || matches!(c, ',' | ';' | ':' | '-'))
}

fn opens_with_filler(tokens: &[Token<'_>], words: &[Word], lang: Lang) -> bool {
    let word = |k: usize| words.get(k).map_or("", |w: &Word| &*w.lower);
    if class(word(0), lang) & FILLER != 0 {
        return true;
    }
    if lang != Lang::En {
        return false;
    }
    let contracted = tokens[0].surface.chars().any(is_apostrophe);
    matches!(
        (word(0), word(1)),
        ("thank", "you") | ("that", "is") | ("no", "problem") | ("take", "care")
    ) || (contracted && word(0) == "that")
}
