//! The phrases that state something, by language. General words of asking, promising, choosing, failing and closing;
//! nothing of any field of work. Phrases are parted by `|`; `*` ends a beginning.

use super::phrases::Class;
use crate::text::Lang;

/// A class and its phrases.
pub type Row = (Class, &'static str);

/// Something failed, was late, was complained about.
pub const TROUBLE: Class = 1;
/// Words of trouble that deny it.
pub const NO_TROUBLE: Class = 1 << 1;
/// Said to have happened before.
pub const AGAIN: Class = 1 << 2;
/// Somebody has to do something.
pub const OBLIGE: Class = 1 << 3;
/// An offer that is only polite, or a case that may never come.
pub const POLITE: Class = 1 << 4;
/// Only imagined.
pub const IMAGINED: Class = 1 << 5;
/// A prohibition, when it opens the sentence.
pub const FORBIDS_FIRST: Class = 1 << 6;
/// A prohibition wherever it stands.
pub const FORBIDS: Class = 1 << 7;
/// Speaks to the reading machine.
pub const INJECTS: Class = 1 << 8;
/// Done, paid, sent.
pub const DONE: Class = 1 << 9;
/// Weaker than done: something that was open goes to its end. Counts only for what it clearly speaks of.
pub const CLOSES: Class = 1 << 10;
/// Called off, not needed.
pub const WITHDRAWN: Class = 1 << 11;
/// Before a word of completion: it is wanted or denied.
pub const NOT_YET: Class = 1 << 12;
/// An end by itself, no limit for anyone.
pub const UNTIL: Class = 1 << 13;
/// Before a word of completion: it describes a thing.
pub const ARTICLE: Class = 1 << 14;
/// The one spoken to.
pub const YOU: Class = 1 << 15;
/// Opens a question that asks for an act.
pub const ASK: Class = 1 << 16;
/// A wish or a plea without a question.
pub const PLEAD: Class = 1 << 17;
/// Still open: nothing came, somebody waits.
pub const OPEN: Class = 1 << 18;
/// The speaker will do something, or said so.
pub const PROMISE: Class = 1 << 19;
/// A choice is open: whether, which of them.
pub const WHETHER: Class = 1 << 20;
/// Speaks of deciding.
pub const DECIDE: Class = 1 << 21;
/// Joins alternatives.
pub const OR: Class = 1 << 22;
/// Thanks, relief.
pub const THANKS: Class = 1 << 23;
/// Something ends at the time that stands beside it.
pub const ENDS: Class = 1 << 24;
/// Comes by the clock.
pub const HABIT: Class = 1 << 25;
/// Says itself that something has happened too often.
pub const RECURS: Class = 1 << 26;

/// Before "until": somebody is given time.
pub const GIVEN: Class = 1 << 27;

/// The rows of a language, and whether its words are parted by spaces.
pub fn rows(lang: Lang) -> (&'static [Row], bool) {
    match lang {
        Lang::En => (EN, true),
        Lang::De => (super::lists_de_nl::DE, true),
        Lang::Nl => (super::lists_de_nl::NL, true),
        Lang::Es => (super::lists_romance::ES, true),
        Lang::Fr => (super::lists_romance::FR, true),
        Lang::It => (super::lists_romance::IT, true),
        Lang::Pt => (super::lists_romance::PT, true),
        Lang::Ja => (JA, false),
        Lang::Zh => (ZH, false),
        _ => (ANY, true),
    }
}

/// Attempts at the machine come in English whatever the language.
pub const INJECTIONS: Row = (
    INJECTS,
    "ignore all previous | ignore previous | ignore the previous | ignore earlier | ignore your instructions
     | ignore all instructions | disregard all | disregard previous | disregard your | system prompt | you are now
     | as an ai | override your | your instructions | previous instructions",
);

const ANY: &[Row] = &[INJECTIONS];

const EN: &[Row] = &[
    INJECTIONS,
    (
        TROUBLE,
        "fail* | error* | broke* | breaks down | crash* | jam | jams | jammed | outage* | refus* | timeout* | timed out
         | delay* | stuck | leak* | complain* | overdue | defect* | fault* | malfunction* | incident* | stall* | degrad*
         | flood* | overheat* | late | missed | missing | wrong | lost | unable | denied | rejected | declined | lapsed
         | blocked | cannot | can't | won't | problem | problems | trouble | issue | issues | sick | pain | worse
         | gave up | went down | goes down | gone down | is down | out of order | not working | stopped working
         | cracked | torn | tore | ruined | damaged | dead | bounced | unusable",
    ),
    (
        NO_TROUBLE,
        "no problem | no issue | no issues | no problems | no errors | no error | without error | no trouble",
    ),
    (
        AGAIN,
        "again | once more | another | second time | third time | fourth time | keeps | still | yet another | as before
         | same as last | the third | the fourth | back again",
    ),
    (
        OBLIGE,
        "must | need to | needs to | have to | has to | please | could you | can you | would you | required | due
         | deadline | needs | asks for | asked for | wants | waiting for | awaiting | make sure | remember to",
    ),
    (
        POLITE,
        "if you need | let me know if | in case you | if we can | if i can | any time | anytime | feel free | if you like
         | should you need | if you ever | whenever you like | no rush",
    ),
    (
        IMAGINED,
        "would have | could have | should have | suppose | imagine | hypothetically | what if | were to | i wish
         | one day | some day | someday | if we won | if i won | daydream*",
    ),
    (FORBIDS_FIRST, "do not | don't | never | avoid | no need"),
    (
        FORBIDS,
        "must not | mustn't | should not | shouldn't | may not | not allowed | forbidden | prohibited | please do not
         | please don't | do not ever",
    ),
    (
        DONE,
        "paid | sent | done | finished | signed | settled | resolved | fixed | completed | filed | delivered | submitted
         | cancelled | canceled | repaired | replaced | registered | renewed | uploaded | handed | already",
    ),
    (
        CLOSES,
        "sorted | approved | accepted | arrived | collected | agreed | booked | bought | ordered | installed | moved
         | swapped | transferred | received | passed | confirmed | chose | chosen | decided | got it | got them
         | picked up | dropped off | went through | has gone | have gone | is in | are in | is here | are here | is back
         | all set | told | typed | wrote back | written | posted | closed | cleared | attached | works now | back to normal
         | as promised | here it is | here they are | said yes | said no | it is done | off to
         | went off | went out | handed over | in the post | on its way | posted off | signed up
         | said he'd come | it's done | is done | all done | that's that | put it right | put right | mended
         | up and running | back in | fitted | went well | sorted out | ticked off | crossed off | dealt with
         | taken care of | returned | refunded | answered | replied | rang back | called back | settled on
         | went with | went for | plumped for | picked | it's off | gone off | have it now | has it now
         | got the | got my | got his | got her | got their | made it",
    ),
    (
        WITHDRAWN,
        "never mind | nevermind | ignore me | scratch that | forget it | called off | ignore that | no longer needed
         | no longer need | not needed any more | can stop | no need any more | has been withdrawn | withdrawn
         | don't bother | needn't | changed my mind | after all",
    ),
    (
        NOT_YET,
        "not | no | to | be | must | should | will | until | unless | when | once | if | get | needs | before | by
         | without | never | isn't | aren't | wasn't | haven't | hasn't | hadn't | didn't | don't | doesn't | won't | can't",
    ),
    (UNTIL, "until | till"),
    (
        GIVEN,
        "have until | has until | had until | got until | given until | gives you until | give you until | give us until
         | gives us until | open until | time until | hold it until | hold them until | hold that until | hold yours until
         | keep it until | keep them until | can take until | accepted until | taken until | entries until | you until
         | have till | has till | got till | open till | time till | us until | me until",
    ),
    (ARTICLE, "the | a | an | our | my | your | his | her | their | its | this | that | every | each | any"),
    (YOU, "you | your | yours | you're | you'd | you've | you'll | yourself"),
    (
        ASK,
        "could you | can you | would you | will you | could i | can i | may i | might i | could we | can we | may we
         | would it be | is it possible | would there be | is there any | any chance | is there a chance | do you | are you
         | have you | did you | is that | is it | shall i | shall we | should i | should we | would someone
         | could someone | can someone | can anyone | could anyone | who can | when can | when will | what about
         | how about | where is my | where are my
         | would it be possible | would you mind | do you mind | any idea when | any idea whether | any idea if
         | any news | any word | how soon | is anyone able | are you able | can somebody | could somebody
         | mind if | do we have | have we got | have you got | did you manage | did you ever
         | what's happening with | where are we with | where do we stand | what do you think | what would you
         | what shall we | what should we | how much would | how long would | what's the chance | would anyone
         | is there a way | is there somewhere | do i get | when do we | when do i | when might
         | who is going to | who's going to",
    ),
    (
        PLEAD,
        "please | kindly | grateful | would do | would do nicely | would help | would like | i'd like | we'd like
         | they'd like | he'd like | she'd like | i need | we need | they need | he needs | she needs | need you
         | needs you | asked for | asked if | asked me | asked us | asks for | asks if | asks whether | is asking
         | are asking | wants | i want | we want | would love | if you could | let me have | send me | send us | tell me
         | let us know | let me know | hear from you | come back to | get back to | back to me | back to us
         | waiting for you | waiting on you | would appreciate | i'd appreciate | appreciate it | would rather
         | sooner it was | wondering if | wonder if | wonders if | could i | could we | hoping you | hopes you
         | requests | requested | don't forget | remind me
         | would you mind | don't suppose you | if it's not too much | if you get a minute | if you get a chance
         | when you get a minute | when you get a moment | when you have a moment | when you have a minute
         | when you can | could do with | could use a | could use some | would be handy | would be useful
         | would be great | would be good | would be nice | would be helpful | would be a help | it'd be good
         | it'd be nice | i was hoping | we were hoping | i'm hoping | in need of | glad of | much obliged
         | let me know when | let me know which | let me know what | let me know how | let us have
         | drop me a line | give me a call | give me a ring | give us a ring | give me a shout | call me
         | ring me | text me | write to me | i'm asking | we're asking | begging | wants to know | want to know
         | like to know | keeps asking | asked again | asking again | would prefer | i'd prefer | insists
         | insisted | mind sending | by return | looking forward to your | look forward to hearing | await your
         | reply to | rsvp | confirm",
    ),
    (
        OPEN,
        "still no | still nothing | still not | still waiting | still looking | not yet | nothing yet | no answer
         | no reply | no word | no news | nothing back | haven't heard | hasn't answered | hasn't replied | hasn't come
         | haven't had | don't have | without an answer | waiting | awaiting | outstanding | reminder | as yet | only me
         | chasing | to chase | when you get a chance | unanswered | pending | overdue | not a word | not a single
         | nothing to tell | in the dark | can't until | can't without | until we | until i | until you | until they
         | unless we | unless you | unless i
         | still hasn't | still haven't | still isn't | still to | yet to | nobody has | no one has
         | never heard | hasn't said | haven't decided | haven't got round | haven't done | haven't sent
         | haven't paid | left hanging | on hold | in limbo | not done | not sorted | not heard | no sign of
         | no decision | up in the air | open question | tbc | tbd | to be confirmed | to be decided
         | to be agreed | second time of asking | asked twice | last chased | has not | have not | hasn't got
         | haven't got | remains open | nobody answered | no one answered | ran out of time | never got to
         | rolls over | roll on | next time",
    ),
    (
        PROMISE,
        "i'll | we'll | i will | we will | i shall | we shall | i'm going to | we're going to | i am going to
         | we are going to | i promised | we promised | promised | promises | i said i'd | said i'd | said i would
         | said we'd | said we would | told him i'd | told her i'd | told them i'd | told them we'd | i told * i'd
         | count on me | leave it with me | leave it to me | leave that with me | give me a day | give me until
         | see to it | will see to | i owe you | we owe you | owes me | owes us | you have my word | consider it done
         | told * i'd | told * * i'd | told * i would | told * * i would | told * i'll | told * we'd | told * * we'd
         | said that i'd | said that i would | assured * | swore * i'd | was promised | were promised | will be with you
         | you shall have | let * have it | let * have them | i'm on it | i agreed to | we agreed to | i offered to | i undertook to | my job to | i've told * i
         | i told her i'd | i told him i'd | i told them i'd | i've said i'll | i gave my word
         | gave her my word | gave him my word | i swore | i vowed | pledged | you'll have it | you'll have them
         | you'll get it | you'll get them | you will have it | you will get it | expect it from me | i mean to
         | i intend to | we intend to | i've agreed to | i have agreed to | we've agreed to | agreed i'd
         | volunteered to | put me down for | i'm down for | shook on it | must remember to | mustn't forget
         | don't let me forget | note to self | remember to | i undertook | he'll have it | she'll have it
         | they'll have it | i can do that for | let me sort | let me look into | i'll see | bear with me",
    ),
    (
        WHETHER,
        "whether | which it is | which way | which one | which of | which day | which date | which to | whichever
         | one or the other | yes or no | either way
         | or not | one way or the other | one way or another | which would you | which should | which do you
         | which we | which you | which i | which they | either of them | the one or the other | yes or a no
         | a or b | this or that | if we should | if we want | if i should",
    ),
    (
        DECIDE,
        "decide | decides | decision | decisions | choose | choice | undecided | make up * mind | settle on | pick
         | go back and forth | torn between | can't agree | cannot agree | in two minds | verdict | sign off | sign-off
         | go-ahead | your call | approval | approve
         | can't decide | cannot decide | can't make up | toss-up | toss up | on the fence | dithering | dither
         | weighing | mulling | think it over | thinking it over | sleep on it | thinking about it
         | go for it or | plump for | need an answer | needs an answer | need a yes | want an answer
         | deliberating | to be decided | hold a place | hold the place | sit on it | keep it open
         | first refusal",
    ),
    (OR, "or"),
    (
        THANKS,
        "thank you | thanks | thank god | hooray | hurray | at last | finally | lovely | splendid | perfect | brilliant
         | wonderful | much better | relieved",
    ),
    (
        ENDS,
        "due | deadline | expires | expire | expiring | runs out | run out | running out | closes | close | shuts
         | ends | lapses | lapse | last day | last date | cut-off | cutoff | no later than | at the latest | latest by
         | renews | locking | lock | locks | final date
         | up for renewal | closing date | entries close | falls due | payable | must be in | has to be in
         | needs to be in | is up on | deadline | submission | hand in | hand-in | due in | due back | due by
         | final reminder | early bird | last orders | cut off",
    ),
    (
        RECURS,
        "third time | fourth time | fifth time | sixth time | third such | third bad | third failure | third * this week
         | third * since | third * this month | third * * since | third * * this week | fourth * since | fourth * this
         | third in a row | times in a row | times this week | times this month | twice this week | twice this month
         | again and again | time and again | yet again | over and over | can't go on | cannot go on | go on like this
         | has to stop | have to stop | must stop | enough is enough | that makes two | that makes three | that makes four
         | keeps happening | keeps failing | keeps coming back | keeps breaking | keeps going | happened again
         | late again | down again | broken again | failed again | stuck again | same problem | same fault | same error
         | same thing again | same story | every single time | not again | no better than",
    ),
    (
        HABIT,
        "every | always | as usual | as ever | as always | usually | each week | each month | routine | routinely",
    ),
];

const JA: &[Row] = &[
    (INJECTS, "指示を無視"),
    (
        TROUBLE,
        "故障 | 失敗 | 障害 | 遅れ | 壊れ | エラー | 不具合 | 止まっ | 苦情 | 動かな",
    ),
    (AGAIN, "また | 再び | 再度 | 三回目 | 三度目"),
    (
        OBLIGE,
        "必要 | なければ | ください | 下さい | 締め切り | 締切 | 期限",
    ),
    (IMAGINED, "もしも | だったら | 仮に"),
    (FORBIDS, "しないで | 禁止 | てはいけ"),
    (
        DONE,
        "済み | 完了 | 終わりました | 送りました | 払いました | 解決しました | 直りました",
    ),
    (CLOSES, "届きました | 決まりました | 受け取りました | 片付"),
    (WITHDRAWN, "不要になり | 取り消し | 中止になり | 結構です"),
    (
        ASK,
        "いただけますか | もらえますか | くれますか | できますか | ませんか | でしょうか",
    ),
    (
        PLEAD,
        "お願い | ください | 下さい | ほしい | 欲しい | いただきたい",
    ),
    (OPEN, "まだ | 待って | 返事がな | 返信がな | 未回答"),
    (
        PROMISE,
        "しておきます | やっておきます | 約束し | しますので | お送りします | 用意します",
    ),
    (WHETHER, "かどうか | どちら | どっち"),
    (DECIDE, "決め | 決定 | 判断 | 選ぶ"),
    (THANKS, "ありがとう | 助かりました | おかげさま"),
    (ENDS, "期限 | 締切 | 締め切り | 切れ | 満了"),
    (UNTIL, "まで"),
    (RECURS, "三回目 | 三度目 | 何度も | 繰り返し | またして | 今週三"),
];

const ZH: &[Row] = &[
    (
        TROUBLE,
        "故障 | 失败 | 失敗 | 坏了 | 壞了 | 延误 | 延誤 | 错误 | 錯誤 | 投诉 | 投訴 | 出问题 | 卡住",
    ),
    (AGAIN, "又 | 再次 | 第三次"),
    (OBLIGE, "必须 | 必須 | 需要 | 请 | 請 | 截止"),
    (IMAGINED, "如果 | 假如 | 要是"),
    (FORBIDS, "不要 | 禁止 | 不得"),
    (DONE, "已经 | 已經 | 完成了 | 付了 | 寄了 | 发了 | 解决了 | 修好"),
    (CLOSES, "收到了 | 决定了 | 决定好 | 搞定"),
    (WITHDRAWN, "不用了 | 取消了 | 算了"),
    (ASK, "能不能 | 可以吗 | 可不可以 | 能否 | 可否"),
    (PLEAD, "请 | 請 | 麻烦 | 麻煩 | 希望 | 想要"),
    (OPEN, "还没 | 還沒 | 还在等 | 等着 | 没有回复 | 尚未"),
    (PROMISE, "我会 | 我會 | 我们会 | 答应 | 答應 | 保证"),
    (WHETHER, "是否 | 还是 | 還是 | 哪一个 | 哪个"),
    (DECIDE, "决定 | 決定 | 选择 | 選擇"),
    (THANKS, "谢谢 | 謝謝 | 感谢 | 太好了"),
    (ENDS, "截止 | 到期 | 期限"),
    (UNTIL, "直到"),
    (RECURS, "第三次 | 一再 | 又一次 | 反复 | 反覆"),
];
