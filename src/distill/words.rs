//! Function words and a few verbs by language, as data: what part a word plays in a statement.
//!
//! Only words of grammar and the commonest verbs of each relation; what a language lacks here it lacks as claims.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use crate::text::{self, Lang, Section, Word};

pub type Part = u64;

/// Subject pronoun of the speaker; "you"; of a third party; their possessives; "to me".
pub const SELF: Part = 1;
pub const YOU: Part = 1 << 1;
pub const THEY: Part = 1 << 2;
pub const MINE: Part = 1 << 3;
pub const THEIR: Part = 1 << 4;
pub const ME: Part = 1 << 5;
/// Definite and indefinite articles and the like.
pub const THE: Part = 1 << 6;
pub const A: Part = 1 << 7;
/// Verbs of grammar.
pub const BE: Part = 1 << 8;
pub const WAS: Part = 1 << 9;
pub const HAVE: Part = 1 << 10;
pub const DO: Part = 1 << 11;
pub const WILL: Part = 1 << 12;
pub const CAN: Part = 1 << 13;
/// Words under which nothing is claimed: conditions, wishes, guesses.
pub const HYP: Part = 1 << 14;
pub const NOT: Part = 1 << 15;
/// Adverbs that may stand in a verb group; those that speak of the present state.
pub const ADV: Part = 1 << 16;
pub const NOW: Part = 1 << 17;
pub const CORRECT: Part = 1 << 18;
pub const CONJ: Part = 1 << 19;
pub const THAT: Part = 1 << 20;
/// Question words and relatives.
pub const WHO: Part = 1 << 21;
pub const OF: Part = 1 << 22;
pub const PLACE: Part = 1 << 23;
pub const TO: Part = 1 << 24;
pub const SINCE: Part = 1 << 25;
pub const UNTIL: Part = 1 << 26;
pub const FROM: Part = 1 << 27;
pub const AS: Part = 1 << 28;
pub const INSTEAD: Part = 1 << 29;
pub const ACCORDING: Part = 1 << 30;
/// Verbs of relations.
pub const LIKE: Part = 1 << 32;
pub const HATE: Part = 1 << 33;
pub const LIVE: Part = 1 << 34;
pub const MOVE: Part = 1 << 35;
pub const WORK: Part = 1 << 36;
pub const COST: Part = 1 << 37;
pub const USE: Part = 1 << 38;
pub const OWN: Part = 1 << 39;
pub const WANT: Part = 1 << 40;
pub const RUN: Part = 1 << 41;
pub const CAUSE: Part = 1 << 42;
pub const SAY: Part = 1 << 43;
pub const BECOME: Part = 1 << 44;
pub const NAMED: Part = 1 << 45;
/// Adjectives of one who answers for something.
pub const CHARGE: Part = 1 << 46;
/// What pleases stands as the subject ("me gusta").
pub const PLEASE: Part = 1 << 47;
/// Verbs that say what something changed to.
pub const TURN: Part = 1 << 48;

/// Verbs that carry a relation by themselves.
pub const RELATION: Part =
    LIKE | HATE | LIVE | MOVE | WORK | COST | USE | OWN | WANT | RUN | CAUSE | BECOME | PLEASE | TURN;
/// Any verb of the tables.
pub const VERB: Part = RELATION | BE | WAS | HAVE | DO | WILL | CAN | SAY;

type Rows = &'static [(Part, &'static str)];

const EN: Rows = &[
    (SELF, "i we"),
    (YOU, "you"),
    (THEY, "he she it they"),
    (MINE, "my our"),
    (THEIR, "his her its their"),
    (ME, "me us"),
    (THE, "the this that these those"),
    (A, "a an some any every each someone somebody anyone anybody everyone everybody nobody something anything everything nothing there"),
    (BE, "is am are be been being remains stays lies sits stands hangs"),
    (WAS, "was were"),
    (HAVE, "have has had having"),
    (DO, "do does did"),
    (WILL, "will shall"),
    (CAN, "can able"),
    (BE | NOT, "isnt arent aint"),
    (WAS | NOT, "wasnt werent"),
    (HAVE | NOT, "havent hasnt hadnt"),
    (DO | NOT, "dont doesnt didnt"),
    (WILL | NOT, "wont"),
    (CAN | NOT, "cant cannot"),
    (HYP, "if unless whether would could might may maybe perhaps possibly probably suppose supposing imagine wish hope hoping hopefully
        should must ought wouldnt couldnt shouldnt seems seem think guess wonder pretend let"),
    (NOT, "not never no neither"),
    (ADV, "still also already just really always currently only often usually again even quite very so too actually finally
        permanently temporarily officially recently anymore more longer yet absolutely definitely totally simply mostly then"),
    (NOW, "now currently instead nowadays presently henceforth"),
    (CORRECT, "correction actually mistake mistaken wrong typo erratum misspoke"),
    (CONJ, "and or but because so while although though since until when then whereas plus"),
    (THAT, "that"),
    (WHO, "who whom whose which what where when why how"),
    (OF, "of for"),
    (PLACE, "in at on under near behind beside inside beneath above below between next within around opposite outside by over"),
    (TO, "to into onto"),
    (SINCE, "since"),
    (UNTIL, "until till"),
    (FROM, "from"),
    (AS, "as"),
    (INSTEAD, "instead rather"),
    (ACCORDING, "according"),
    (LIKE, "like love enjoy adore prefer"),
    (HATE, "hate dislike detest loathe"),
    (LIVE, "live lives lived living reside"),
    (MOVE, "move relocate shift reschedule postpone transfer"),
    (WORK, "work"),
    (COST, "cost"),
    (USE, "use"),
    (USE | MOVE, "switch migrate"),
    (OWN, "own possess keep"),
    (WANT, "want need"),
    (RUN, "manage oversee supervise maintain handle"),
    (CAUSE, "cause trigger"),
    (SAY, "say tell mention report explain write claim announce confirm reply answer add state note inform"),
    (BECOME, "become"),
    (TURN, "change rise raise increase drop fall reduce cut lower"),
    (NAMED, "called named"),
    (CHARGE, "responsible accountable"),
];

const DE: Rows = &[
    (SELF, "ich wir"),
    (YOU, "du ihr"),
    (THEY, "er sie es"),
    (MINE, "mein meine meinen meinem meiner meines unser unsere unseren unserem unserer"),
    (THEIR, "sein seine seinen seinem seiner ihre ihren ihrem ihrer"),
    (ME, "mir mich uns"),
    (THE, "der die das den dem des dieser diese dieses diesen diesem"),
    (A, "ein eine einen einem einer eines jemand niemand alles etwas nichts man jeder jede jedes"),
    (A | NOT, "kein keine keinen keinem keiner"),
    (BE, "ist bin sind seid bleibt liegt liegen steht hängt"),
    (WAS, "war waren wurde wurden"),
    (HAVE, "hat habe haben hatte hatten"),
    (WILL, "wird werden werde"),
    (CAN, "kann kannst können darf dürfen"),
    (HYP, "wenn falls ob würde würden könnte könnten vielleicht möglicherweise wahrscheinlich wohl hoffentlich angenommen wäre wären
        hätte hätten muss müssen soll sollen sollte sollten wünschte hoffe hoffen glaube"),
    (NOT, "nicht nie niemals"),
    (ADV, "noch auch schon nur immer wieder sehr mehr gerade gern gerne wirklich ganz so meistens endlich"),
    (NOW, "jetzt nun mittlerweile inzwischen derzeit aktuell zurzeit stattdessen künftig neuerdings"),
    (CORRECT, "korrektur eigentlich irrtum falsch berichtigung"),
    (CONJ, "und oder aber denn weil sondern während obwohl da damit"),
    (THAT, "dass daß"),
    (WHO, "wer wen wem wessen welcher welche welches was wo wann warum wie wohin woher"),
    (OF, "von für vom"),
    (PLACE, "in im an am auf unter bei beim hinter neben über vor zwischen"),
    (TO, "nach zu zum zur auf ins"),
    (SINCE, "seit ab"),
    (UNTIL, "bis"),
    (FROM, "aus"),
    (AS, "als"),
    (INSTEAD, "statt anstatt anstelle"),
    (ACCORDING, "laut"),
    (LIKE, "mag mögen magst liebe liebt lieben bevorzuge bevorzugt leiden ausstehen"),
    (HATE, "hasse hasst hassen verabscheue verabscheut"),
    (LIVE, "wohne wohnt wohnen lebe lebt leben"),
    (TURN, "geändert gestiegen gesunken erhöht gesenkt"),
    (MOVE, "verschoben verlegt umgezogen gezogen verschiebt verlegen ziehe zieht ziehen vorverlegt"),
    (WORK, "arbeite arbeitet arbeiten"),
    (COST, "kostet kosten"),
    (USE, "benutze benutzt benutzen nutze nutzt nutzen verwende verwendet verwenden"),
    (OWN, "besitze besitzt besitzen"),
    (WANT, "will wollen brauche braucht brauchen"),
    (RUN, "leitet leite leiten betreut betreue betreuen verantwortet"),
    (CAUSE, "verursacht verursachte verursachten"),
    (SAY, "sagt sagte gesagt erzählt erzählte meldet meldete berichtet berichtete schreibt schrieb erklärt erklärte meint meinte"),
    (NAMED, "heißt heisst heiße"),
    (BE | NAMED, "heißt heisst heiße"),
    (CHARGE, "zuständig verantwortlich"),
];

const ES: Rows = &[
    (SELF, "yo nosotros nosotras"),
    (YOU, "tú usted ustedes"),
    (THEY, "él ella ellos ellas"),
    (MINE, "mi mis nuestro nuestra nuestros nuestras"),
    (THEIR, "su sus"),
    (ME, "me nos"),
    (THE, "el la los las este esta estos estas ese esa esos esas"),
    (A, "un una unos unas alguien nadie algo nada todo cada"),
    (BE, "es son está están sigue siguen queda"),
    (BE | SELF, "soy somos estoy estamos"),
    (WAS, "era eran fue fueron estaba estaban"),
    (HAVE, "tiene tienen ha han"),
    (HAVE | SELF, "tengo tenemos he hemos"),
    (WILL, "será serán estará estarán"),
    (CAN, "puede pueden"),
    (CAN | SELF, "puedo podemos"),
    (HYP, "si quizá quizás tal vez acaso ojalá podría podrían sería serían debería supongamos imagina imaginemos espero creo parece
        gustaría probablemente debe deben"),
    (NOT, "no nunca jamás tampoco"),
    (ADV, "ya también todavía aún siempre sólo solo muy más casi realmente siempre"),
    (NOW, "ahora actualmente hoy ya"),
    (CORRECT, "corrección realidad error equivocado equivocada errata"),
    (CONJ, "y e o u pero porque aunque mientras sino pues"),
    (THAT, "que"),
    (WHO, "quien quién cuyo cuya cual cuál donde dónde cuando cuándo cómo qué"),
    (OF, "de del para"),
    (PLACE, "en sobre bajo junto detrás debajo dentro entre"),
    (TO, "a al hacia hasta"),
    (SINCE, "desde"),
    (UNTIL, "hasta"),
    (AS, "como"),
    (INSTEAD, "lugar vez"),
    (ACCORDING, "según"),
    (PLEASE, "gusta gustan encanta encantan"),
    (LIKE, "prefiere prefieren ama aman adora adoran soporta aguanta"),
    (LIKE | SELF, "prefiero amo adoro soporto aguanto"),
    (HATE, "odia odian detesta detestan"),
    (HATE | SELF, "odio detesto"),
    (LIVE, "vive viven"),
    (LIVE | SELF, "vivo vivimos"),
    (TURN, "cambió cambiado cambiada subió bajó"),
    (MOVE, "mudó mudaron movió trasladó aplazó pasó trasladado aplazado movida movido aplazada trasladada"),
    (MOVE | SELF, "mudé trasladé"),
    (WORK, "trabaja trabajan"),
    (WORK | SELF, "trabajo trabajamos"),
    (COST, "cuesta cuestan"),
    (USE, "usa usan utiliza utilizan"),
    (USE | SELF, "uso usamos utilizo utilizamos"),
    (WANT, "quiere quieren necesita necesitan"),
    (WANT | SELF, "quiero queremos necesito necesitamos"),
    (RUN, "dirige dirigen gestiona gestionan"),
    (CAUSE, "causó provocó causa provoca"),
    (SAY, "dice dijo contó cuenta comentó escribió informó explicó"),
    (BE | NAMED, "llama llaman"),
    (CHARGE, "responsable encargado encargada"),
];

const FR: Rows = &[
    (SELF, "je nous"),
    (YOU, "tu vous"),
    (THEY, "il elle ils elles"),
    (MINE, "mon ma mes notre nos"),
    (THEIR, "son sa ses leur leurs"),
    (ME, "me moi"),
    (THE, "le la les ce cet cette ces"),
    (A, "un une des quelqu personne rien on chaque"),
    (BE, "est suis sont sommes reste restent trouve trouvent"),
    (WAS, "était étaient étais fut"),
    (HAVE, "ai a avons ont"),
    (WILL, "sera seront"),
    (CAN, "peux peut peuvent pouvons"),
    (HYP, "si peut-être peutêtre probablement pourrait pourraient serait seraient devrait supposons imagine espère voudrais crois semble doit doivent"),
    (NOT, "pas jamais"),
    (ADV, "ne n aussi encore toujours très plus déjà seulement vraiment"),
    (NOW, "maintenant désormais actuellement dorénavant"),
    (CORRECT, "correction erreur erratum"),
    (CONJ, "et ou mais car parce donc quoique"),
    (THAT, "que qu"),
    (WHO, "qui dont où quand comment pourquoi quel quelle lequel laquelle"),
    (OF, "de du d pour"),
    (PLACE, "à au aux dans en sur sous chez derrière devant près entre"),
    (TO, "à au aux vers"),
    (SINCE, "depuis"),
    (UNTIL, "jusqu"),
    (AS, "comme"),
    (INSTEAD, "lieu plutôt"),
    (ACCORDING, "selon"),
    (LIKE, "aime aimes aiment aimons adore adorent préfère préfèrent supporte supportent"),
    (HATE, "déteste détestent hais"),
    (LIVE, "habite habitent habitons vis vit vivons vivent"),
    (TURN, "changé changée augmenté baissé"),
    (MOVE, "déménagé déplacé déplacée reporté reportée avancé avancée"),
    (WORK, "travaille travaillent travaillons"),
    (COST, "coûte coûtent"),
    (USE, "utilise utilisent utilisons"),
    (OWN, "possède possèdent"),
    (WANT, "veux veut veulent voulons"),
    (RUN, "dirige dirigent gère gèrent"),
    (CAUSE, "causé provoqué cause provoque"),
    (SAY, "dit raconté écrit expliqué annoncé raconte explique annonce"),
    (BE | NAMED, "appelle appellent"),
    (CHARGE, "responsable chargé chargée"),
];

const IT: Rows = &[
    (SELF, "io noi"),
    (YOU, "tu voi"),
    (THEY, "lui lei loro"),
    (MINE, "mio mia miei mie nostro nostra nostri nostre"),
    (THEIR, "suo sua suoi sue"),
    (ME, "mi ci"),
    (THE, "il lo la i gli le questo questa questi queste"),
    (A, "un uno una qualcuno nessuno qualcosa niente ogni"),
    (BE, "è sono siamo sta stanno resta rimane trova trovano"),
    (WAS, "era erano fu"),
    (HAVE, "ha hanno"),
    (HAVE | SELF, "ho abbiamo"),
    (WILL, "sarà saranno"),
    (CAN, "può possono"),
    (CAN | SELF, "posso possiamo"),
    (HYP, "se forse magari probabilmente potrebbe sarebbe dovrebbe spero credo sembra vorrei supponiamo deve devono"),
    (NOT, "non mai"),
    (ADV, "ancora anche già sempre solo molto più davvero"),
    (NOW, "ora adesso attualmente oggi"),
    (CORRECT, "correzione realtà errore"),
    (CONJ, "e ed o ma perché mentre però"),
    (THAT, "che"),
    (WHO, "chi cui quale dove quando come"),
    (OF, "di del dello della dei degli delle per"),
    (PLACE, "in nel nella nello su sul sulla sotto a al alla dietro presso tra fra"),
    (TO, "a al alla verso"),
    (SINCE, "dal dalla"),
    (AS, "come"),
    (INSTEAD, "invece posto"),
    (ACCORDING, "secondo"),
    (PLEASE, "piace piacciono"),
    (LIKE, "ama amano adora adorano preferisce"),
    (LIKE | SELF, "amo adoro preferisco sopporto"),
    (HATE, "odia odiano detesta"),
    (HATE | SELF, "odio detesto"),
    (LIVE, "vive vivono abita abitano"),
    (LIVE | SELF, "vivo abito viviamo abitiamo"),
    (TURN, "cambiato cambiata salito sceso"),
    (MOVE, "spostato spostata trasferito trasferita rinviato rinviata"),
    (WORK, "lavora lavorano"),
    (WORK | SELF, "lavoro lavoriamo"),
    (COST, "costa costano"),
    (USE, "usa usano utilizza utilizzano"),
    (USE | SELF, "uso usiamo"),
    (WANT, "vuole vogliono"),
    (WANT | SELF, "voglio vogliamo"),
    (RUN, "gestisce gestiscono dirige"),
    (CAUSE, "causato provocato"),
    (SAY, "dice detto disse raccontato scritto spiegato"),
    (BE | NAMED, "chiama chiamano"),
    (CHARGE, "responsabile"),
];

const PT: Rows = &[
    (SELF, "eu nós"),
    (YOU, "tu você vocês"),
    (THEY, "ele ela eles elas"),
    (MINE, "meu minha meus minhas nosso nossa"),
    (THEIR, "seu sua seus suas"),
    (ME, "me mim"),
    (THE, "o a os as este esta esse essa"),
    (A, "um uma uns umas alguém ninguém algo nada cada"),
    (BE, "é são está estão fica ficam continua"),
    (BE | SELF, "sou somos estou estamos"),
    (WAS, "era eram foi foram estava estavam"),
    (HAVE, "tem têm"),
    (HAVE | SELF, "tenho temos"),
    (WILL, "será serão"),
    (CAN, "pode podem"),
    (CAN | SELF, "posso podemos"),
    (HYP, "se talvez provavelmente poderia seria deveria espero acho parece gostaria suponha deve devem"),
    (NOT, "não nunca jamais"),
    (ADV, "ainda também já sempre só muito mais realmente"),
    (NOW, "agora atualmente hoje"),
    (CORRECT, "correção verdade erro errado errada"),
    (CONJ, "e ou mas porque enquanto embora"),
    (THAT, "que"),
    (WHO, "quem cujo qual onde quando como"),
    (OF, "de do da dos das para"),
    (PLACE, "em no na nos nas sobre sob atrás dentro entre"),
    (TO, "a ao à para"),
    (SINCE, "desde"),
    (UNTIL, "até"),
    (AS, "como"),
    (INSTEAD, "vez lugar"),
    (ACCORDING, "segundo"),
    (LIKE, "gosta gostam adora adoram prefere preferem ama"),
    (LIKE | SELF, "gosto adoro prefiro amo suporto"),
    (HATE, "odeia odeiam detesta"),
    (HATE | SELF, "odeio detesto"),
    (LIVE, "mora moram vive vivem"),
    (LIVE | SELF, "moro moramos vivo"),
    (TURN, "alterado alterada subiu baixou"),
    (MOVE, "mudou movido movida adiado adiada transferido transferida"),
    (MOVE | SELF, "mudei"),
    (WORK, "trabalha trabalham"),
    (WORK | SELF, "trabalho trabalhamos"),
    (COST, "custa custam"),
    (USE, "usa usam utiliza"),
    (USE | SELF, "uso usamos"),
    (WANT, "quer querem precisa"),
    (WANT | SELF, "quero queremos preciso"),
    (RUN, "gerencia dirige cuida"),
    (CAUSE, "causou provocou"),
    (SAY, "disse diz contou escreveu explicou informou"),
    (BE | NAMED, "chama chamam"),
    (CHARGE, "responsável"),
];

const NL: Rows = &[
    (SELF, "ik wij we"),
    (YOU, "jij je jullie u"),
    (THEY, "hij zij ze het"),
    (MINE, "mijn ons onze"),
    (THEIR, "zijn haar hun"),
    (ME, "mij"),
    (THE, "de deze dit die"),
    (A, "een iemand niemand iets niets elke elk"),
    (A | NOT, "geen"),
    (BE, "is ben bent blijft zijn ligt liggen staat hangt"),
    (WAS, "was waren werd werden"),
    (HAVE, "heeft heb hebben had hadden"),
    (WILL, "zal zullen"),
    (CAN, "kan kunnen mag mogen"),
    (HYP, "als indien of zou zouden misschien waarschijnlijk wellicht hopelijk stel hoop denk moet moeten"),
    (NOT, "niet nooit"),
    (ADV, "nog ook al alleen altijd weer heel meer graag echt"),
    (NOW, "nu momenteel tegenwoordig inmiddels voortaan"),
    (CORRECT, "correctie eigenlijk fout vergissing"),
    (CONJ, "en of maar want omdat terwijl hoewel"),
    (THAT, "dat"),
    (WHO, "wie wiens welke wat waar wanneer waarom hoe"),
    (OF, "van voor"),
    (PLACE, "in op aan bij onder achter naast boven tussen"),
    (TO, "naar"),
    (SINCE, "sinds vanaf"),
    (UNTIL, "tot"),
    (FROM, "uit"),
    (INSTEAD, "plaats"),
    (ACCORDING, "volgens"),
    (LIKE, "lust houd houdt"),
    (HATE, "haat haten"),
    (LIVE, "woon woont wonen leef leeft"),
    (TURN, "gewijzigd veranderd gestegen gedaald"),
    (MOVE, "verplaatst verschoven verhuisd verhuist"),
    (WORK, "werk werkt werken"),
    (COST, "kost kosten"),
    (USE, "gebruik gebruikt gebruiken"),
    (WANT, "wil willen"),
    (RUN, "leidt beheert"),
    (CAUSE, "veroorzaakt veroorzaakte"),
    (SAY, "zegt zei vertelde vertelt meldt meldde schreef schrijft gezegd"),
    (BE | NAMED, "heet"),
    (CHARGE, "verantwoordelijk"),
];

struct Table {
    lower: FxHashMap<Box<str>, Part>,
    /// Verbs of English, which has regular endings, by their term.
    stem: FxHashMap<Box<str>, Part>,
}

fn table(lang: Lang) -> &'static Table {
    static TABLES: OnceLock<Vec<Table>> = OnceLock::new();
    let tables = TABLES.get_or_init(|| {
        let rows = [
            (Lang::En, EN),
            (Lang::De, DE),
            (Lang::Es, ES),
            (Lang::Fr, FR),
            (Lang::It, IT),
            (Lang::Pt, PT),
            (Lang::Nl, NL),
        ];
        let of = |lang: &Lang| {
            let mut t = Table {
                lower: FxHashMap::default(),
                stem: FxHashMap::default(),
            };
            let own = rows.iter().find(|(l, _)| l == lang).map_or(&[] as Rows, |r| r.1);
            for (part, list) in own {
                for word in list.split_whitespace() {
                    *t.lower.entry(word.into()).or_default() |= part;
                }
                if *lang == Lang::En && part & (RELATION | SAY) != 0 {
                    for word in text::words_in(list, Section::Text, Lang::En) {
                        *t.stem.entry(word.stem).or_default() |= part;
                    }
                }
            }
            t
        };
        Lang::ALL.iter().map(of).collect()
    });
    &tables[lang as usize]
}

/// Endings of English nouns that share their term with a verb ("manager", "statement").
const NOUN_ENDS: [&str; 10] = ["er", "ers", "or", "ors", "ment", "ments", "ion", "ions", "al", "als"];

/// Whether statements of a language are read by words.
pub fn is_known(lang: Lang) -> bool {
    !table(lang).lower.is_empty()
}

/// The parts a word may play, and those of the verb that is cut off behind its apostrophe ("she's").
pub fn parts(w: &Word, lang: Lang) -> (Part, Part) {
    let t = table(lang);
    let of = |lower: &str, stem: Option<&str>| {
        let known = t.lower.get(lower).copied();
        known.unwrap_or_else(|| {
            let verb = stem.and_then(|s| t.stem.get(s)).copied().unwrap_or(0);
            if verb != 0 && NOUN_ENDS.iter().any(|e| lower.ends_with(e)) {
                0
            } else {
                verb
            }
        })
    };
    let mut own = of(&w.lower, Some(&w.stem));
    let mut tail = 0;
    if let Some((head, rest)) = w.surface.split_once(['\'', '’']) {
        match lang {
            Lang::En => {
                tail = match rest {
                    "m" | "re" => BE,
                    "s" if own & (THEY | THAT | WHO) != 0 => BE,
                    "ve" => HAVE,
                    "ll" => WILL,
                    "d" if own & (SELF | THEY | YOU) != 0 => HYP,
                    _ => 0,
                };
            }
            Lang::Fr => {
                // "J'habite", "n'aime", "c'est": the head keeps its part.
                own |= match head.to_lowercase().as_str() {
                    "j" => SELF,
                    "c" => THEY,
                    "qu" => THAT,
                    _ => 0,
                };
            }
            _ => {}
        }
    }
    (own, tail)
}
