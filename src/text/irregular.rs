//! Irregular English forms and everyday variants, each with its head word.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

/// One group a line; its first word is the head. A form in two groups belongs to the first.
const GROUPS: &str = "
be am are is was were been
have has had
do does did done
go goes gone went
arise arose arisen
beat beaten
become became
begin began begun
bend bent
bind bound
bite bit bitten
bleed bled
blow blew blown
break broke broken
breed bred
bring brought
build built
burn burnt
buy bought
catch caught
choose chose chosen
come came
creep crept
deal dealt
dig dug
draw drew drawn
dream dreamt
drink drank drunk
drive drove driven
eat ate eaten
fall fell fallen
feed fed
feel felt
fight fought
find found
flee fled
fly flew flown
forbid forbade forbidden
forget forgot forgotten
forgive forgave forgiven
freeze froze frozen
get got gotten
give gave given
grow grew grown
hang hung
hear heard
hide hid hidden
hold held
keep kept
kneel knelt
know knew known
lay laid
lead led
leap leapt
learn learnt
leave left
lend lent
light lit
lose lost
make made
mean meant
meet met
pay paid
ride rode ridden
ring rang rung
rise rose risen
run ran
say said
see saw seen
seek sought
sell sold
send sent
sew sewn
shake shook shaken
shine shone
shoot shot
show shown
shrink shrank shrunk
sing sang sung
sink sank sunk
sit sat
sleep slept
slide slid
speak spoke spoken
spend spent
spill spilt
spin spun
stand stood
steal stole stolen
stick stuck
strike struck
swear swore sworn
sweep swept
swim swam swum
swing swung
take took taken
teach taught
tear tore torn
tell told
think thought
throw threw thrown
understand understood
undertake undertook undertaken
wake woke woken
wear wore worn
weep wept
win won
wind wound
withdraw withdrew withdrawn
write wrote written
overrun overran
oversee oversaw overseen
overtake overtook overtaken
rebuild rebuilt
resend resent
rewrite rewrote rewritten
child children kid kids
person people
man men
woman women
wife wives
life lives
knife knives
leaf leaves
shelf shelves
half halves
loaf loaves
foot feet
tooth teeth
goose geese
mouse mice
ox oxen
criterion criteria
analysis analyses
crisis crises
basis bases
mom mum mama mommy mummy mother moms mums mothers
dad daddy papa father dads fathers
grandma granny grandmother
grandpa granddad grandfather
photo photos photograph photographs picture pictures pic pics
movie movies film films
tv telly television
puppy puppies pup pups
dog dogs doggo doggy
bike bikes bicycle bicycles
fridge refrigerator
phone telephone
info information
education edu
want wanna
";

/// Forms that the stemmer would merge with another word, each with the stem it keeps.
const FIXED: &str = "
evening evening
evenings evening
add add
adds add
added add
adding add
odd odd
odds odd
ebb ebb
ebbed ebb
ebbing ebb
university university
universities university
emergency emergency
emergencies emergency
organ organ
organs organ
policy policy
policies policy
police police
news news
pasted paste
pasting paste
";

/// The stem of a word that must not go through the stemmer.
pub(super) fn fixed(word: &str) -> Option<&'static str> {
    static FIXED_STEMS: OnceLock<FxHashMap<&'static str, &'static str>> = OnceLock::new();
    let stems = FIXED_STEMS.get_or_init(|| FIXED.lines().filter_map(|l| l.split_once(' ')).collect());
    stems.get(word).copied()
}

/// The head word of an irregular form; any other word comes back as it is.
pub(super) fn head(word: &str) -> &str {
    static HEADS: OnceLock<FxHashMap<&'static str, &'static str>> = OnceLock::new();
    let heads = HEADS.get_or_init(|| {
        let mut heads = FxHashMap::default();
        for group in GROUPS.lines() {
            let mut forms = group.split_whitespace();
            let Some(first) = forms.next() else { continue };
            for form in std::iter::once(first).chain(forms) {
                heads.entry(form).or_insert(first);
            }
        }
        heads
    });
    heads.get(word).copied().unwrap_or(word)
}
