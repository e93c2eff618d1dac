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
        Mode::ALL
            .into_iter()
            .find(|m| m.name().eq_ignore_ascii_case(name))
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
        pattern: compile(pattern),
    };
    vec![
        cue(Mode::LongFormSynthesis, 2.2, SUMMARY),
        cue(
            Mode::LongFormSynthesis,
            1.8,
            r"^how (?:did|has|have|do|does) .*\b(?:gone|going|go|come about|come along|changed?|develop(?:ed)?|evolved?|unfold(?:ed)?|progress(?:ed)?|far)\b|\bfrom (?:the )?(?:very )?(?:start|beginning|first \w+) to (?:the )?(?:finish|end|last|now)\b|\bwhat (?:all )?(?:has|have) (?:\w+ ){1,3}(?:been|done|happened)\b|\bover the (?:past|last|whole|course)\b|\bstep by step\b|\b(?:in|behind|for|with) each\b|\beach (?:time|case|one)\b|^list (?:all|every|each|the)\b|^describe\b|^write\b|\breport (?:of|on)\b",
        ),
        cue(
            Mode::TimeAnchoredLookup,
            1.6,
            r"^(?:\w+ )?when\b|^(?:on|by|until|since|from|at|in|during|before|after) (?:when|(?:which|what) (?:date|day|time|weekday|week|month|year|hour))\b|^(?:which|what) (?:days?|dates?|times?|weeks?|months?|years?|weekday|hour)\b|^(?:for )?how (?:long|late|early|old)\b|\b(?:which|what|who) (?:\w+ ){0,3}(?:came|happened|was|went) (?:first|earlier|later|last)\b|\b(?:on|by|from|until|since) (?:which|what) (?:date|day)\b|\bdays? (?:late|early|later|earlier)\b|\bbefore or after\b|\bhow many (?:minutes|hours|days|weeks|months|years) (?:.* )?(?:passed|pass|went by|between|elapsed?|until|before|after|from|apart|later|earlier)\b",
        ),
        cue(
            Mode::TimeAnchoredLookup,
            1.6,
            r"cu[aá]ndo|\bwann\b|\bquand\b|いつ|何日|何時|qué (?:día|fecha)|\bwelche[mnrs]? (?:tag|datum)",
        ),
        cue(Mode::LatestVersionResolution, 1.7, NEWEST),
        cue(Mode::MultiHop, 1.5, STRONG_CHAIN),
        cue(Mode::MultiHop, 0.6, CHAIN),
        cue(
            Mode::Recommendation,
            1.8,
            r"\b(?:recommend|suggest(?:ion)?s?|advise|any (?:ideas|tips|advice)|should (?:i|we) (?:get|buy|try|watch|read|cook|make|visit|eat|wear|do|go)|ideas for|recomienda\w*|empfiehl\w*|empfehl\w*)\b",
        ),
    ]
});

const NEWEST: &str = r"\b(?:now|current(?:ly)?|latest|at present|at the moment|these days|nowadays|still|most recent(?:ly)?|newest|up to date|as of|in the end|finally|end(?:ed)? up|settled? on|by now|any ?more|rescheduled|ahora|actual(?:mente)?|zurzeit|derzeit|aktuell\w*|jetzt|maintenant|actuellement)\b|今|現在";

const SUMMARY: &str = r"\b(?:summar(?:y|i[sz]e)|overview|recap|rundown|digest|sum up|outline|(?:full|whole|entire|complete) (?:\w+ ){0,4}(?:story|history|account|picture|affair|business)|(?:story|history|account) of|(?:walk|take|run) me through|catch me up|up to speed|brief me|timeline|tell me (?:everything|all)|(?:pull|put) together|resum\w+|zusammenfass\w+|fasse?\b.*zusammen)\b|まとめ|概要|要約";

/// Forms that name a thing by another thing, or join two by cause.
const STRONG_CHAIN: &str = r"\b(?:led to|lead to|as a result|because of|(?:lay|was|is|lies) behind|underlying|became of|in turn|what (?:made|caused)|(?:person|one|customer|company|man|woman|colleague|supplier|place|value|change|decision) (?:who|that|which|of)\b.*\b(?:who|what|which|how|by whom|whose)|how much (?:more|less|above|below|higher|lower)|by how (?:much|many)|(?:more|less) than .* (?:first|before|originally))\b";

/// Forms that may ask for more than one event; they do not change the label, only the procedure.
const CHAIN: &str = r"^(?:why|how come)\b|\b(?:which|that|who) (?:\w+ ){0,3}(?:led|caused|made|turned|explains?|explained|meant)\b|\b(?:lead|leading|led|due|thanks|owing) to\b|\bwhose\b|\bend(?:ed)? up \w+ing\b|\b(?:compared|difference|in total|altogether|both|between)\b|\band (?:by |in |on |for |with |from |to )?(?:what|how|why|whom?|when|where|which|whose)\b|\b(?:what|which) .+\b(?:that|who|which) (?:i|we|he|she|they|\w+ed)\b|;|\. (?:what|which|who|why|how|when|where)\b|: (?:what|which|who|why|how|when|where|by)\b|\bpor qué\b|\bwarum\b|\bpourquoi\b|なぜ|どうして";

/// The question asks how things stand, not how they stood.
static PRESENT: LazyLock<Regex> = LazyLock::new(|| {
    compile(
        r"\b(?:is|are|am|do|does|has|have|can|may|must|should|will|who's|what's|when's|where's)\b|\bist\b|\bsind\b|\bestá\b|\bes\b",
    )
});
static PAST: LazyLock<Regex> =
    LazyLock::new(|| compile(r"\b(?:did|was|were|had|used to|war|waren|fue|era)\b"));

fn compile(pattern: &str) -> Regex {
    Regex::new(&format!("(?im){pattern}")).expect("a test compiles every pattern")
}

static SUMMARY_FORM: LazyLock<Regex> = LazyLock::new(|| compile(SUMMARY));
static NEWEST_FORM: LazyLock<Regex> = LazyLock::new(|| compile(NEWEST));
static CHAIN_FORM: LazyLock<Regex> = LazyLock::new(|| compile(&format!("{STRONG_CHAIN}|{CHAIN}")));
static CHOICE_FORM: LazyLock<Regex> = LazyLock::new(|| compile(r"(?:^|\s)\(?a[).:]\s.+\(?b[).:]\s"));

pub(crate) fn asks_summary(question: &str) -> bool {
    SUMMARY_FORM.is_match(question)
}

/// Does the question itself say that it wants the newest state?
pub(crate) fn asks_newest(question: &str) -> bool {
    NEWEST_FORM.is_match(question)
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
        add(Mode::TimeAnchoredLookup, 0.7);
    }
    if signals.names_period {
        add(Mode::TimeAnchoredLookup, 0.9);
    }
    if signals.superseded && PRESENT.is_match(question) && !PAST.is_match(question) {
        // "When is the review?" after the review moved asks for the newest date, not for a time.
        add(
            Mode::LatestVersionResolution,
            if signals.asks_when { 2.5 } else { 1.1 },
        );
    }
    if signals.labelled > 0.8 {
        add(Mode::IclBroadContext, 3.0);
    }
    let best = scores
        .iter()
        .copied()
        .rev()
        .max_by(|a, b| a.1.total_cmp(&b.1))
        .map_or(Mode::SingleFactLookup, |s| s.0);
    (best, scores)
}
