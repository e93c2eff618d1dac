//! What a word does in a name: words of time, words too general to name anything, and the function words
//! that stand before a noun, before a verb, or between two nouns. Data, by language; own selection.
//!
//! A language without a list simply gives no evidence. Knows no sentence and no other room.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use super::lang::Lang;

/// Evidence about a word and its neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Article, possessive, demonstrative or preposition: a noun (or its adjective) follows.
    BeforeNoun,
    /// Subject pronoun, modal or infinitive mark: a verb follows.
    BeforeVerb,
    /// Article or object pronoun: a verb stands before it.
    AfterVerb,
    /// Binds two nouns into one name ("pérdida de datos").
    Joins,
    /// Part of a day, unit of time or relative date.
    Time,
    /// Says too little alone ("thing", "next", "always").
    Vague,
}

/// (language, role, words separated by white space). A word may have several roles.
const LISTS: &[(Lang, Role, &str)] = &[
    (
        Lang::En,
        Role::BeforeNoun,
        "the a an this that these those my our your his her its their no any some every each of for in with from per by on at into about without between under during",
    ),
    (
        Lang::En,
        Role::BeforeVerb,
        "i we you he she it they who to will would can could may might must shall should didnt dont doesnt cannot cant wont not lets",
    ),
    (
        Lang::En,
        Role::AfterVerb,
        "the a an it him her me us them my our his their that",
    ),
    (Lang::En, Role::Joins, "of"),
    (
        Lang::En,
        Role::Time,
        "morning mornings evening evenings afternoon afternoons night nights noon midnight today tomorrow yesterday tonight hour hours minute minutes second seconds day days week weeks month months year years weekend weekends weekday weekdays quarter quarters daily weekly monthly yearly hourly clock dawn dusk early earlier late later ago soon oclock am pm",
    ),
    (
        Lang::En,
        Role::Vague,
        "next whoever always since without else never another around back away way ways whatever nothing everything anything nobody everyone everybody somebody someone something anyone instead again already still yet even almost enough thing things lot lots bit side end part parts kind case cases fact point far left right good bad big small great best better worse worst little long short sure able full half whole alone together done made make makes making use used using uses see seen sees saw look looks looked take takes taken took give gives given gave come comes came go goes went gone put puts keep keeps kept let say says said tell tells told ask asks asked get gets find finds found need needs needed know knows knew known think thinks thought feel feels felt seem seems start starts started stop stops stopped turn turns turned show shows showed set sets run runs ran try tries tried call calls called wait waits waited leave leaves leaving stay stays stayed hold holds held bring brings brought send sends sent become becomes became begin begins began happen happens happened help helps helped work works worked move moves moved although though however perhaps maybe rather quite really actually simply mostly nearly exactly probably likely different similar several many much various certain particular general usual usually often sometimes everywhere somewhere anywhere behind beside beyond across along among despite except besides toward amid whether either neither both own new old high low late early soon ready open close closed least less well people person man men woman women guy number numbers name names total amount item items level rest reason way today now please thanks thank yes working starting getting going making taking coming looking doing being having giving keeping trying putting saying asking wanting seeming becoming beginning euro euros dollar dollars cent cents percent gb mb kb tb km cm mm kg mg ml gram grams kilo kilos litre litres liter liters metre metres meter meters mile miles min mins sec secs hr hrs",
    ),
    (
        Lang::De,
        Role::BeforeNoun,
        "der die das den dem des ein eine einen einem einer eines mein meine meinen dein deine sein seine ihr ihre ihren unser unsere kein keine keinen diese dieser dieses im am vom zum zur ins für mit von bei aus ohne gegen",
    ),
    (Lang::De, Role::BeforeVerb, "ich du er sie es wir man nicht zu"),
    (
        Lang::De,
        Role::Time,
        "morgen morgens abend abends nacht nachts mittag mittags nachmittag vormittag heute gestern vorgestern übermorgen stunde stunden minute minuten sekunde sekunden tag tage tagen woche wochen monat monate monaten jahr jahre jahren wochenende quartal früh spät später bald uhr täglich wöchentlich",
    ),
    (
        Lang::De,
        Role::Vague,
        "euro cent prozent kilo gramm meter liter stück ding dinge sache sachen seite teil teile ende anfang fall fälle punkt weise art mal leute mann frau person zahl name namen grund rest immer nie wieder schon noch sehr viel viele wenig neu neue neuen neuer neues alt alte alten gut gute guten gross groß große großen klein kleine kleinen ganz ganze ganzen letzte letzten nächste nächsten erste ersten zweite anderen andere beide beiden einige mehrere bereits vielleicht außerdem trotzdem deshalb dafür damit darauf dabei dazu davon daran zurück weiter gibt geht kommt macht sagt steht bleibt",
    ),
    (
        Lang::Es,
        Role::BeforeNoun,
        "el la los las un una unos unas del al mi mis tu su sus nuestro nuestra este esta ese esa de con en por para sin sobre",
    ),
    (
        Lang::Es,
        Role::BeforeVerb,
        "yo ella ellos nosotros se nos me no lo que",
    ),
    (Lang::Es, Role::Joins, "de del"),
    (
        Lang::Es,
        Role::Time,
        "mañana tarde tardes noche noches hoy ayer anoche hora horas minuto minutos segundo segundos día días dia dias semana semanas mes meses año años madrugada mediodía medianoche trimestre temprano pronto luego después antes diario semanal mensual",
    ),
    (
        Lang::Es,
        Role::Vague,
        "euro euros céntimos dólares por ciento kilos gramos metros litros cosa cosas vez veces parte partes lado fin final principio caso casos punto modo forma manera gente persona personas número nombre resto nada algo alguien nadie siempre nunca nuevo nueva nuevos nuevas viejo vieja bueno buena gran grande grandes pequeño pequeña mejor peor mismo misma último última próximo próxima primer primera segunda aunque mientras además todavía aún casi quizá entonces ahora aquí allí así dos tres cuatro cinco seis siete ocho nueve diez dice dijo pide hizo hacer va vuelve queda quedó sigue puede debe quiere",
    ),
    (
        Lang::Fr,
        Role::BeforeNoun,
        "le la les un une des du au aux mon ma mes ton ta son sa ses notre nos votre leur leurs ce cet cette ces de l d avec sans pour par en sur",
    ),
    (
        Lang::Fr,
        Role::BeforeVerb,
        "je j tu il elle on nous vous ils elles ne n se s qui pas",
    ),
    (Lang::Fr, Role::Joins, "de du des d à"),
    (
        Lang::Fr,
        Role::Time,
        "matin matins soir soirs soirée nuit nuits midi minuit aujourd hui hier demain heure heures minute minutes seconde secondes jour jours journée semaine semaines mois an ans année années weekend trimestre tôt tard bientôt après avant",
    ),
    (
        Lang::Fr,
        Role::Vague,
        "euro euros centimes pourcent kilos grammes mètres litres chose choses fois part partie parties côté fin début cas point façon manière gens personne personnes nombre nom reste rien quelque toujours jamais nouveau nouvelle nouveaux bon bonne grand grande grands petit petite meilleur même dernier dernière prochain prochaine premier première deux trois quatre cinq six sept huit neuf dix encore déjà presque peut faut fait faire dit va",
    ),
    (
        Lang::It,
        Role::BeforeNoun,
        "il lo la i gli le un uno una del dello della dei degli delle al alla ai nel nella sul sulla mio mia suo sua questo questa di con per senza da",
    ),
    (
        Lang::It,
        Role::BeforeVerb,
        "io tu lui lei noi voi loro si non che",
    ),
    (Lang::It, Role::Joins, "di del della dei delle degli dello"),
    (
        Lang::It,
        Role::Time,
        "mattina mattino sera notte notti mezzogiorno mezzanotte oggi ieri domani ora ore minuto minuti secondo secondi giorno giorni settimana settimane mese mesi anno anni trimestre presto tardi dopo prima",
    ),
    (
        Lang::It,
        Role::Vague,
        "cosa cose volta volte parte parti lato fine inizio caso casi punto modo gente persona persone numero nome resto niente qualcosa sempre mai nuovo nuova nuovi buono buona grande grandi piccolo piccola meglio stesso stessa ultimo ultima prossimo prossima due tre quattro cinque quasi ancora fatto fare dice",
    ),
    (
        Lang::Pt,
        Role::BeforeNoun,
        "o a os as um uma do da dos das no na nos nas ao meu minha seu sua este esta de com sem para por pelo pela",
    ),
    (
        Lang::Pt,
        Role::BeforeVerb,
        "eu ele ela nós eles elas você se não que",
    ),
    (Lang::Pt, Role::Joins, "de do da dos das"),
    (
        Lang::Pt,
        Role::Time,
        "manhã tarde noite noites hoje ontem amanhã hora horas minuto minutos segundo segundos dia dias semana semanas mês meses ano anos trimestre cedo depois antes",
    ),
    (
        Lang::Pt,
        Role::Vague,
        "coisa coisas vez vezes parte partes lado fim início caso casos ponto modo forma gente pessoa pessoas número nome resto nada algo sempre nunca novo nova bom boa grande pequeno pequena melhor mesmo último última próximo próxima dois três quatro cinco quase ainda feito fazer diz",
    ),
    (
        Lang::Nl,
        Role::BeforeNoun,
        "de het een mijn jouw zijn haar ons onze hun dit dat deze die van voor met zonder in op",
    ),
    (Lang::Nl, Role::BeforeVerb, "ik jij je hij zij ze wij we te niet"),
    (Lang::Nl, Role::Joins, "van"),
    (
        Lang::Nl,
        Role::Time,
        "ochtend middag avond nacht vandaag gisteren morgen uur uren minuut minuten seconde seconden dag dagen week weken maand maanden jaar jaren weekend kwartaal vroeg laat later straks",
    ),
    (
        Lang::Nl,
        Role::Vague,
        "ding dingen keer deel einde begin geval punt manier mensen persoon nummer naam rest niets iets altijd nooit nieuw nieuwe oud oude goed goede groot grote klein kleine laatste volgende eerste tweede andere weer alleen gaat komt maakt zegt staat",
    ),
    (
        Lang::Sv,
        Role::Time,
        "morgon kväll natt idag igår imorgon timme timmar minut minuter dag dagar vecka veckor månad månader år helg",
    ),
    (
        Lang::Da,
        Role::Time,
        "morgen aften nat dag dage uge uger måned måneder år time timer minut minutter weekend",
    ),
    (
        Lang::No,
        Role::Time,
        "morgen kveld natt dag dager uke uker måned måneder år time timer minutt minutter helg",
    ),
    (
        Lang::Fi,
        Role::Time,
        "aamu aamulla ilta illalla yö yöllä tänään eilen huomenna tunti tuntia minuutti minuuttia päivä päivää viikko viikkoa kuukausi vuosi",
    ),
    (
        Lang::Tr,
        Role::Time,
        "sabah akşam gece bugün dün yarın saat saati dakika gün günü hafta ay yıl",
    ),
    (
        Lang::Pl,
        Role::Time,
        "rano wieczór wieczorem noc nocy dziś dzisiaj wczoraj jutro godzina godziny godzin minuta minuty minut dzień dni tydzień tygodnia tygodnie miesiąc miesiące rok roku lat poniedziałek wtorek środa środę czwartek piątek sobota sobotę niedziela niedzielę",
    ),
    (
        Lang::Ru,
        Role::Time,
        "утро утра утром вечер вечера вечером ночь ночи ночью сегодня вчера завтра час часа часов минута минуты минут день дня дней неделя недели неделю недель месяц месяца месяцев год года лет понедельник вторник среда среду четверг пятница пятницу суббота субботу воскресенье",
    ),
    (
        Lang::El,
        Role::Time,
        "πρωί βράδυ νύχτα σήμερα χθες αύριο ώρα ώρες λεπτά μέρα ημέρα μέρες εβδομάδα εβδομάδες μήνα μήνας μήνες χρόνο έτος",
    ),
    (
        Lang::Ar,
        Role::Time,
        "صباح الصباح مساء المساء ليلة الليل اليوم أمس غدا ساعة ساعات دقيقة دقائق يوم أيام أسبوع الأسبوع شهر الشهر سنة",
    ),
    (
        Lang::Ja,
        Role::Time,
        "今日 昨日 明日 今朝 今夜 昨夜 今週 先週 来週 今月 先月 来月 今年 去年 来年 午前 午後 時間 時半 毎日 毎週 毎朝 週間 月曜 火曜 水曜 木曜 金曜 土曜 日曜 曜日 月曜日 火曜日 水曜日 木曜日 金曜日 土曜日 日曜日 週末 夕方 朝 昼 夜 日 月 年 時 分 秒",
    ),
    (
        Lang::Ja,
        Role::Vague,
        "今回 前回 次回 自分 全部 一部 必要 可能 場合 状態 以上 以下 以内 予定 最初 最後 最近 本当 今後 全員 一人 二人 三人 私 彼 彼女 人 物 事 方 所 中 上 下 前 後",
    ),
    (
        Lang::Zh,
        Role::Time,
        "今天 昨天 明天 今晚 早上 上午 中午 下午 晚上 小时 分钟 星期 周一 周二 周三 周四 周五 周六 周日 月份 今年 去年 明年 每天 每周",
    ),
    (
        Lang::Zh,
        Role::Vague,
        "时候 一下 一些 需要 可能 进行 问题 情况 自己 大家 开始 结束 现在 今后 以后 之后 之前",
    ),
    (
        Lang::Ko,
        Role::Time,
        "오늘 어제 내일 오전 오후 아침 저녁 시간 분간 월요 화요 수요 목요 금요 토요 일요 요일 이번 지난 다음 매일 매주",
    ),
];

/// Endings by which a word is most likely a noun of some generality.
const NOUN_ENDINGS: &[(Lang, &str)] = &[
    (
        Lang::En,
        "tion sion ment ness ity ance ence ship ery ics logy age ure ism acy",
    ),
    (Lang::De, "ung ungen heit keit schaft tion ismus tät nis"),
    (
        Lang::Es,
        "ción ciones sión dad dades miento mientos aje ura eza ancia encia",
    ),
    (Lang::Fr, "tion tions sion ment age té ance ence ure"),
    (Lang::It, "zione zioni sione mento tà aggio anza enza ura"),
    (Lang::Pt, "ção ções são mento dade agem ância ência ura"),
    (Lang::Nl, "ing heid tie schap teit"),
    (Lang::Sv, "ning het else skap tion"),
    (Lang::Da, "ning hed else skab tion"),
    (Lang::No, "ning het else skap sjon"),
];

/// Does the lower-case word have this role in the language?
pub fn has_role(lower: &str, role: Role, lang: Lang) -> bool {
    static TABLES: OnceLock<Vec<FxHashMap<&'static str, u8>>> = OnceLock::new();
    let tables = TABLES.get_or_init(|| {
        let mut tables = vec![FxHashMap::default(); Lang::COUNT];
        for (lang, role, words) in LISTS {
            for word in words.split_whitespace() {
                *tables[*lang as usize].entry(word).or_default() |= 1 << *role as u8;
            }
        }
        tables
    });
    tables[lang as usize]
        .get(lower)
        .is_some_and(|roles| roles >> role as u8 & 1 == 1)
}

/// Is it an English past form or adverb, told by its ending or by the table of irregular forms? Such words
/// seldom name anything.
pub fn is_past_or_adverb(lower: &str) -> bool {
    let long = |n: usize, e: &str| lower.len() > n && lower.ends_with(e);
    let past = long(4, "ed") && !lower.ends_with("eed");
    let adverb = long(4, "ly")
        && !matches!(
            lower,
            "family" | "supply" | "reply" | "assembly" | "anomaly" | "monopoly" | "butterfly" | "apply"
        );
    past || adverb || super::irregular::head(lower) != lower
}

/// Does the lower-case word end as nouns of the language do?
pub fn ends_as_noun(lower: &str, lang: Lang) -> bool {
    let Some((_, endings)) = NOUN_ENDINGS.iter().find(|(l, _)| *l == lang) else {
        return false;
    };
    endings
        .split(' ')
        .any(|e| lower.len() > e.len() + 2 && lower.ends_with(e))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_belong_to_a_language() {
        assert!(has_role("de", Role::Joins, Lang::Es) && !has_role("de", Role::Joins, Lang::En));
        assert!(has_role("morgen", Role::Time, Lang::De) && has_role("夕方", Role::Time, Lang::Ja));
        assert!(has_role("the", Role::BeforeNoun, Lang::En) && !has_role("the", Role::Vague, Lang::En));
    }

    #[test]
    fn noun_endings_need_a_stem() {
        assert!(ends_as_noun("besprechung", Lang::De) && ends_as_noun("dirección", Lang::Es));
        assert!(is_past_or_adverb("wrote") && is_past_or_adverb("declared") && is_past_or_adverb("quickly"));
        assert!(!is_past_or_adverb("family") && !is_past_or_adverb("feed") && !is_past_or_adverb("invoice"));
        assert!(!ends_as_noun("tion", Lang::En) && !ends_as_noun("lung", Lang::De));
    }
}
