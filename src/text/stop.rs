//! Stop words: short lists of function words, own selection, one list a language.

use std::sync::OnceLock;

use rustc_hash::FxHashSet;

use super::lang::Lang;
use super::lexicon::set;

/// Articles, pronouns, prepositions, auxiliaries, contractions without apostrophe, chat noise.
const EN: &str = "
a an the this that these those each every
i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself she her hers herself
it its itself they them their theirs themselves who whom whose which what
am is are was were be been being do does did doing have has had having can could may might must shall should will would
and or but nor so if than then because as while until till
of in on at to from by for with about into onto over under between through during before after above below up down out
off against towards toward upon within via per
not no only just very too also more most other some such same own few both all any again further once ever here there
when where why how now
im ive ill id youre youve youll youd hes shes weve were theyre theyve thats whats lets theres
isnt arent wasnt werent dont doesnt didnt cant couldnt wont wouldnt shouldnt havent hasnt hadnt aint
get got yeah yep yes hey hi hello oh ok okay wow
s t d ll m re ve";

const DE: &str = "
der die das den dem des ein eine einen einem einer eines ich du er sie es wir ihr mich dich sich uns euch mir dir ihm ihnen
mein meine meinen meiner dein deine sein seine seinen seiner ihre ihren ihrer ihrem unser unsere unseren euer kein keine keinen
dieser diese dieses diesen diesem jeder jede jedes alle alles man und oder aber denn sondern wenn als dass daß ob weil
da damit so wie zu zum zur von vom bei beim mit nach aus auf an am in im ins für gegen ohne um über unter vor hinter neben
zwischen durch seit bis ist sind war waren bin bist sei wird werden wurde wurden worden hat haben hatte hatten habe kann können
konnte soll sollen muss müssen will wollen darf nicht auch nur noch schon sehr mehr mal hier dort dann nun also ja nein doch
was wer wen wem wann wo warum wieso welche welcher welches wohin woher jetzt etwas";

const ES: &str = "
el la los las un una unos unas lo al del de a en con por para sin sobre entre hasta desde hacia según durante y e o u pero
si no que quien quienes cual cuales cuando donde como porque qué quién cuál cuáles cuándo dónde cómo cuánto cuántos cuánta
cuántas yo tú él ella ellos ellas nosotros usted ustedes me te se nos le les mi mis tu tus su sus nuestro nuestra nuestros
este esta estos estas ese esa esos esas eso esto aquel aquella es son era eran fue fueron ser sido soy está están estaba estoy
estar ha han he había haber hay tiene tengo muy más menos ya también tan solo sólo ni sí todo toda todos todas otro otra
algo nada cada pues hace";

const FR: &str = "
le la les un une des du de d l au aux à en dans par pour avec sans sur sous entre vers chez depuis pendant et ou mais donc or
ni car si que qu qui quoi dont où quand comment pourquoi combien quel quelle quels quelles je j tu il elle on nous vous ils
elles me m te t se s lui leur leurs y ce c cet cette ces cela ça mon ma mes ton ta tes son sa ses notre nos votre vos est
sont était étaient être été suis es sommes êtes ai as a avons avez ont avait avoir eu fait ne n pas plus très aussi bien même tout
toute tous toutes autre autres comme alors puis déjà encore";

const IT: &str = "
il lo la i gli le un uno una di del dello della dei degli delle a al allo alla ai agli alle da dal dalla dai in nel nella nei
nelle con su sul sulla sui per tra fra e ed o ma se che chi cui non né come quando dove perché quale quali quanto quanti cosa
io tu lui lei noi voi loro mi ti si ci vi ne mio mia tuo tua suo sua nostro nostra questo questa questi queste quello quella
è sono era erano essere stato stata ho hai ha abbiamo hanno aveva avere più meno molto anche già ancora solo sì tutto tutti
tutta altro altra poi così";

const PT: &str = "
o a os as um uma uns umas de do da dos das em no na nos nas ao à aos às por pelo pela para com sem sobre entre até desde e ou
mas se que quem qual quais quando onde como porque não nem eu tu ele ela nós você vocês eles elas me te lhe lhes meu minha seu
sua seus suas nosso nossa este esta isto esse essa isso aquele aquela é são era eram foi foram ser sido está estão estava ter
tem tinha há havia muito mais menos já também só sim todo toda todos todas outro outra";

const NL: &str = "
de het een en of maar want dus als dat die dit deze der den ik jij je hij zij ze wij we jullie u mij me hem haar ons hun hen
mijn jouw zijn onze uw is was waren ben bent wordt worden werd heeft hebben had hebt kan kunnen kon zal zullen moet moeten
niet geen ook nog al wel naar van voor met aan op in bij om uit over onder door tot tegen te er hier daar dan nu zo wat wie
waar wanneer waarom hoe welke veel meer zeer iets alles omdat";

const SV: &str = "
och att det som en ett den de är var vara på i för med till av från om inte jag du han hon vi ni dem mig dig honom henne oss er
min mitt mina din ditt sin sitt vår deras har hade kan kunde ska skulle vill måste men eller när där hur vad vem varför vilken
så också bara mycket mer än nu här då detta denna dessa blir blev efter under över mellan utan";

const DA: &str = "
og at det som en et den de er var være på i for med til af fra om ikke jeg du han hun vi dem mig dig ham hende os jer min mit
mine din dit sin sit vores deres har havde kan kunne skal skulle vil ville må men eller når hvor hvad hvem hvorfor hvordan
hvilken så også kun meget mere end nu her der denne dette disse bliver blev efter under over mellem uden";

const NO: &str = "
og å at det som en et ei den de er var være på i for med til av fra om ikke jeg du han hun vi dere dem meg deg ham henne oss
min mitt mine din ditt sin sitt vår deres har hadde kan kunne skal skulle vil ville må men eller når hvor hva hvem hvorfor
hvordan hvilken så også bare mye mer enn nå her der denne dette disse blir ble etter under over mellom uten";

const FI: &str = "
ja on ei se että hän minä sinä me te he ne oli ovat olen olet olemme olla ollut mutta tai kun jos niin kuin myös vain tämä
tuo nämä joka jotka mikä mitä kuka missä milloin miksi miten minun sinun hänen meidän heidän sen sitä tätä en et emme eivät
nyt sitten vielä jo hyvin kanssa ennen jälkeen";

const TR: &str = "
ve bir bu şu o da de ile için mi mı mu mü ne kim nerede nasıl neden niçin hangi ben sen biz siz onlar beni seni onu bizi sizi
bana sana ona bize size var yok değil çok daha en gibi kadar sonra önce ama veya ya eğer çünkü her hiç olarak olan oldu";

const PL: &str = "
i w na z do że się nie to jest są był była było być jak ale lub czy o po od za przez dla przy pod nad ten ta te tego tej tym co
kto kiedy gdzie dlaczego który która które ja ty on ona my wy oni mnie mi cię ci go jej jego ich już tylko także bardzo jeszcze
może oraz bo więc";

const RU: &str = "
и в во не что он на я с со как а то все она так его но да ты к у же вы за бы по только ее мне было вот от меня еще нет о из
ему теперь когда даже ну ли если уже или ни быть был него до вас нибудь опять уж вам ведь там потом себя ничего ей может они
тут где есть надо ней для мы тебя их чем была сам чтоб без будто чего раз тоже себе под будет ж тогда кто этот того потому
этого какой ним здесь этом один почти мой тем чтобы нее были куда зачем всех при два об другой хоть после над больше тот
через эти нас про всего них какая много эту моя это эта";

const EL: &str = "
ο η το οι τα του της των τον την και να σε με για από που είναι ήταν δεν μη θα ένα μια ένας αυτό αυτή αυτός στο στη στην στον
στα τους τις μου σου μας σας ως ή αν όταν πως πώς τι ποιος πού γιατί πολύ πιο";

const AR: &str = "
في من على إلى عن مع هذا هذه ذلك تلك التي الذي الذين هو هي هم نحن أنا أنت كان كانت يكون أن إن لا لم لن ما ماذا متى أين كيف
لماذا هل و أو ثم قد كل بعض بعد قبل عند حتى بين";

/// Bigrams of hiragana that carry grammar only.
const JA: &str = "
です ます した して ない から まで いる ある する こと もの この その あの どの ここ そこ でし まし だっ たい れる られ せる ので
のに には では とは にも でも とも ても って いっ なっ なり なる った んで いま いう よう ため さん です たち ませ せん だけ など
ほど より とい うと かっ くな すが すか たか たが たの るの るこ のは のが のを ので しま てい いま れた れて おり なく なけ
は が を に で と も の へ や か ね よ";

const ZH: &str = "的 了 是 在 我 你 他 她 们 和 就 都 也 很 这 那 有 不 我们 你们 他们 她们 这个 那个 什么 怎么 一个 没有 因为 所以 但是 如果 可以 已经 还是 或者";

const KO: &str = "
이 그 저 것 수 등 및 에서 으로 에게 까지 부터 하고 하는 합니 니다 습니 했다 있다 있는 있습 없다 그리 리고 하지 지만 입니 그런 이런
은 는 을 를 에 의 와 과 도";

/// The list of a language, words separated by white space.
pub(super) fn list(lang: Lang) -> &'static str {
    match lang {
        Lang::En => EN,
        Lang::De => DE,
        Lang::Es => ES,
        Lang::Fr => FR,
        Lang::It => IT,
        Lang::Pt => PT,
        Lang::Nl => NL,
        Lang::Sv => SV,
        Lang::Da => DA,
        Lang::No => NO,
        Lang::Fi => FI,
        Lang::Tr => TR,
        Lang::Pl => PL,
        Lang::Ru => RU,
        Lang::El => EL,
        Lang::Ar => AR,
        Lang::Ja => JA,
        Lang::Zh => ZH,
        Lang::Ko => KO,
        Lang::Other => "",
    }
}

/// Is a lower-case word (without apostrophes) a stop word of the language?
pub fn is_stop(lower: &str, lang: Lang) -> bool {
    static SETS: OnceLock<Vec<FxHashSet<&'static str>>> = OnceLock::new();
    SETS.get_or_init(|| Lang::ALL.iter().map(|&l| set(&[list(l)])).collect())[lang as usize].contains(lower)
}
