//! Modes, what each maps to, and the local classifier.
//!
//! The classifier sees the form of the question and what retrieval returned. It is unsure often
//! (research: about .6 on unseen questions) and then says SINGLE_FACT_LOOKUP; the ranking does not
//! depend on it.

use std::sync::{Arc, LazyLock};

use regex::Regex;
use serde::Deserialize;

/// Semantic label of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Mode {
    SingleFactLookup,
    TimeAnchoredLookup,
    LatestVersionResolution,
    LongFormSynthesis,
    MultiHop,
    IclBroadContext,
    Recommendation,
}

impl Mode {
    pub const ALL: [Mode; 7] = [
        Mode::SingleFactLookup,
        Mode::TimeAnchoredLookup,
        Mode::LatestVersionResolution,
        Mode::LongFormSynthesis,
        Mode::MultiHop,
        Mode::IclBroadContext,
        Mode::Recommendation,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Mode::SingleFactLookup => "SINGLE_FACT_LOOKUP",
            Mode::TimeAnchoredLookup => "TIME_ANCHORED_LOOKUP",
            Mode::LatestVersionResolution => "LATEST_VERSION_RESOLUTION",
            Mode::LongFormSynthesis => "LONG_FORM_SYNTHESIS",
            Mode::MultiHop => "MULTI_HOP",
            Mode::IclBroadContext => "ICL_BROAD_CONTEXT",
            Mode::Recommendation => "RECOMMENDATION",
        }
    }

    /// By its name, in any case.
    pub fn parse(name: &str) -> Option<Mode> {
        Mode::ALL.into_iter().find(|m| m.name().eq_ignore_ascii_case(name))
    }
}

/// Execution family.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Procedure {
    Direct,
    MultiHop,
    LongForm,
}

impl Procedure {
    pub fn name(self) -> &'static str {
        match self {
            Procedure::Direct => "direct",
            Procedure::MultiHop => "multi_hop",
            Procedure::LongForm => "long_form",
        }
    }
}

/// What a mode maps to.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Payload {
    pub mode: Mode,
    pub tier: Procedure,
    pub newest_first: bool,
    /// File name without its ending.
    #[serde(skip)]
    pub id: &'static str,
    /// First 16 hexadecimal digits of the BLAKE3 of the file.
    #[serde(skip)]
    pub hash: Arc<str>,
}

macro_rules! payload {
    ($id:literal) => {
        ($id, include_str!(concat!("../../config/modes/", $id, ".toml")))
    };
}

static PAYLOADS: LazyLock<Vec<Payload>> = LazyLock::new(|| {
    let files = [
        payload!("single_fact"),
        payload!("time_anchored"),
        payload!("latest_version"),
        payload!("long_form"),
        payload!("multi_hop"),
        payload!("icl_broad_context"),
        payload!("recommendation"),
    ];
    files
        .into_iter()
        .map(|(id, text)| {
            let mut payload: Payload = toml::from_str(text).expect("a test reads every embedded payload");
            payload.id = id;
            payload.hash = blake3::hash(text.as_bytes()).to_hex()[..16].into();
            payload
        })
        .collect()
});

impl Payload {
    pub fn of(mode: Mode) -> Payload {
        let found = PAYLOADS.iter().find(|p| p.mode == mode);
        found.expect("a test finds a payload for every mode").clone()
    }
}

/// What retrieval says about the question.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Signals {
    pub asks_when: bool,
    pub names_period: bool,
    /// A best hit was replaced by a newer one.
    pub superseded: bool,
    /// Share of the best hits that have the form `label: ...`.
    pub labelled: f32,
}

struct Cue {
    mode: Mode,
    weight: f32,
    pattern: Regex,
}

static CUES: LazyLock<Vec<Cue>> = LazyLock::new(|| {
    let cue = |mode, weight, pattern: &str| Cue {
        mode,
        weight,
        pattern: Regex::new(&format!("(?i){pattern}")).expect("a test compiles every cue"),
    };
    vec![
        cue(Mode::LongFormSynthesis, 2.0, SUMMARY),
        cue(
            Mode::LongFormSynthesis,
            1.5,
            r"^how (?:did|has|have|do|does) .*\b(?:gone|going|go|come about|changed?|develop(?:ed)?|evolved?|unfold(?:ed)?|progress(?:ed)?|far)\b|\bfrom (?:start|beginning|first) to (?:finish|end|last)\b|\bwhat (?:all )?(?:has|have) (?:\w+ ){1,3}(?:been|done|happened)\b|\bover the (?:past|last|whole|course)\b|\beverything\b|\bstep by step\b",
        ),
        cue(
            Mode::TimeAnchoredLookup,
            1.5,
            r"^(?:when|on (?:which|what) (?:day|date)|(?:by|until|since|from) (?:when|which|what)|at what time|what time|which (?:day|date|week|month)|what (?:day|date|week|month)|how long (?:ago|after|before|between|did|was|were|has|have|had))\b|\b(?:which|what|who) (?:\w+ ){0,3}(?:came|happened|was|went) (?:first|earlier|later|last)\b|\b(?:on|by|from) (?:which|what) (?:date|day)\b|\bdays? (?:late|early|later|earlier)\b|\bhow (?:late|early)\b|\b(?:before|after) (?:or (?:before|after)|the|that)\b|\bhow many (?:days|weeks|months|years)\b",
        ),
        cue(Mode::TimeAnchoredLookup, 1.5, r"cu[aá]ndo|\bwann\b|\bquand\b|いつ|何日|qué (?:día|fecha)"),
        cue(
            Mode::LatestVersionResolution,
            1.6,
            r"\b(?:now|current(?:ly)?|latest|at present|at the moment|these days|nowadays|still|most recent(?:ly)?|newest|up to date|as of|in the end|finally|end(?:ed)? up|settled? on|final|by now|today|any ?more|ahora|actual(?:mente)?|zurzeit|derzeit|aktuell\w*|jetzt|maintenant|actuellement)\b|今|現在",
        ),
        cue(Mode::MultiHop, 1.6, CHAIN),
        cue(
            Mode::Recommendation,
            1.8,
            r"\b(?:recommend|suggest(?:ion)?s?|advise|any (?:ideas|tips|advice)|what should (?:i|we)|should (?:i|we)|ideas for|recomienda|empfiehl|empfehlen)\b",
        ),
    ]
});

const SUMMARY: &str = r"\b(?:summar(?:y|i[sz]e)|overview|recap|rundown|digest|sum up|outline|story of|full story|whole story|history of|(?:walk|take|run) me through|catch me up|up to speed|brief me|timeline|tell me (?:everything|all)|(?:pull|put) together|account of|picture of|where (?:do )?(?:we|things) stand|resum\w+|zusammenfass\w+|fasse?\b.*zusammen|overall)\b|まとめ|概要|要約";

const CHAIN: &str = r"\b(?:which led|led to|as a result|because of|caused|in turn|whose|the (?:same )?(?:person|one|customer|company|man|woman|colleague|supplier|place) (?:who|that|which)|what (?:made|caused)|(?:more|less|higher|lower|cheaper|above|below) than|how much (?:more|less|above|below|higher|lower)|(?:difference|compared)|in total|altogether|both|and (?:what|how|why|who|when|where|which)|after all|between .+ and )\b";

static SUMMARY_FORM: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(&format!("(?i){SUMMARY}")).expect("a test compiles every cue"));
static CHAIN_FORM: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(&format!("(?i){CHAIN}")).expect("a test compiles every cue"));
static CHOICE_FORM: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?im)(?:^|\s)\(?a[).:]\s.+\(?b[).:]\s").expect("a test compiles every cue")
});

pub(crate) fn asks_summary(question: &str) -> bool {
    SUMMARY_FORM.is_match(question)
}

pub(crate) fn has_chain(question: &str) -> bool {
    CHAIN_FORM.is_match(question)
}

pub(crate) fn is_multiple_choice(question: &str) -> bool {
    CHOICE_FORM.is_match(question)
}

/// Scores of all modes; the best one at 1 or more wins, SINGLE_FACT_LOOKUP below that.
pub(crate) fn classify(question: &str, signals: Signals) -> (Mode, Vec<(Mode, f32)>) {
    let mut scores: Vec<(Mode, f32)> = Mode::ALL.iter().map(|m| (*m, 0.0)).collect();
    let mut add = |mode: Mode, weight: f32| {
        if let Some(s) = scores.iter_mut().find(|s| s.0 == mode) {
            s.1 += weight;
        }
    };
    add(Mode::SingleFactLookup, 1.0);
    for cue in CUES.iter().filter(|c| c.pattern.is_match(question)) {
        add(cue.mode, cue.weight);
    }
    if signals.asks_when {
        add(Mode::TimeAnchoredLookup, 0.6);
    }
    if signals.names_period {
        add(Mode::TimeAnchoredLookup, 0.9);
    }
    if signals.superseded {
        add(Mode::LatestVersionResolution, 1.1);
    }
    if signals.labelled > 0.8 {
        add(Mode::IclBroadContext, 3.0);
    }
    let best = scores.iter().copied().rev().max_by(|a, b| a.1.total_cmp(&b.1)).map_or(Mode::SingleFactLookup, |s| s.0);
    (best, scores)
}
