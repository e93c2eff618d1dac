//! German and Dutch. See `lists` for the classes.

use super::lists::*;

pub const DE: &[Row] = &[
    INJECTIONS,
    (
        TROUBLE,
        "fehler* | kaputt | ausfall* | ausgefallen | beschwer* | verspät* | störung* | defekt* | panne* | problem
         | probleme | klemmt | hakt | hängt fest | streikt | gestört | zu spät | verloren | fehlt | fehlen | falsch
         | abgelehnt | geht nicht | funktioniert nicht | läuft nicht | abgestürzt | gescheitert | undicht | reklam*",
    ),
    (NO_TROUBLE, "kein problem | keine probleme | ohne fehler | keine störung"),
    (AGAIN, "wieder | erneut | schon wieder | nochmals | noch einmal | zum dritten mal | zum zweiten mal | immer noch"),
    (
        OBLIGE,
        "muss | müssen | musst | bitte | frist | fällig | soll | sollen | brauche | brauchen | braucht | nötig
         | erforderlich | benötig*",
    ),
    (POLITE, "wenn du möchtest | wenn sie möchten | falls sie | falls du | jederzeit | bei bedarf | gerne wieder"),
    (IMAGINED, "angenommen | stell dir vor | hätten wir | hätte ich | wäre ich | würden wir | eines tages | was wäre wenn"),
    (FORBIDS_FIRST, "niemals | nicht | keinesfalls"),
    (FORBIDS, "verboten | darf nicht | dürfen nicht | sollte nicht | auf keinen fall | bitte nicht"),
    (
        DONE,
        "bezahlt | gesendet | geschickt | erledigt | fertig | unterschrieben | abgegeben | repariert | abgesagt
         | eingereicht | beglichen | überwiesen | verschickt | behoben | bereits | abgeschlossen | ersetzt",
    ),
    (
        CLOSES,
        "angekommen | eingetroffen | bestätigt | genehmigt | zugesagt | entschieden | gebucht | bestellt | gekauft
         | ausgetauscht | abgeholt | übergeben | geklärt | läuft wieder | geht wieder | da ist | liegt bei | anbei
         | wie versprochen | eingebaut | geliefert | erhalten | bekommen | gesagt",
    ),
    (WITHDRAWN, "hat sich erledigt | nicht mehr nötig | vergiss es | vergessen sie es | doch nicht | abgeblasen | entfällt"),
    (NOT_YET, "nicht | noch | kein | keine | wird | werden | muss | müssen | soll | bis | sobald | wenn | bevor | ohne | zu | sein"),
    (
        UNTIL,
        "geschlossen bis | gesperrt bis | zu bis | krank bis | weg bis | verreist bis | gültig bis | offen bis | dauert bis
         | läuft bis | urlaub bis | unterwegs bis",
    ),
    (ARTICLE, "der | die | das | den | dem | ein | eine | einen | unser | unsere | mein | meine | ihr | ihre | jeder | jede"),
    (YOU, "du | dich | dir | dein | deine | deinen | euch | euer | eure"),
    (
        ASK,
        "kannst du | könntest du | können sie | könnten sie | könnt ihr | könntet ihr | würden sie | würdest du
         | kann ich | könnte ich | können wir | könnten wir | darf ich | dürfen wir | ist es möglich | wäre es möglich
         | hast du | haben sie | habt ihr | gibt es | wer kann | soll ich | sollen wir | wann kommt | wann bekomme*",
    ),
    (
        PLEAD,
        "bitte | bittet | bat | möchte | möchten | hätte gern* | hätten gern* | würde gern* | würden gern* | brauche
         | brauchen | wäre schön | wäre gut | wäre nett | würde helfen | fragt | fragte | fragen ob | fragt ob
         | wünscht | gib mir bescheid | geben sie mir | melde dich | melden sie sich | sag mir | sagt mir | will wissen
         | dankbar | verlangt | fordert | erwarte | erwartet",
    ),
    (
        OPEN,
        "noch nicht | noch kein | noch keine | noch keinen | immer noch | noch nichts | keine antwort | keine rückmeldung
         | wartet | warten | warte | steht aus | offen | bislang | bisher nichts | erinnerung | nichts gehört | ausstehend",
    ),
    (
        PROMISE,
        "ich werde | wir werden | werde ich | werden wir | ich mache | ich schicke | ich kümmere | ich kümmer | kümmere mich
         | kümmern uns | versprochen | verspricht | versprach | zugesagt | habe gesagt | ich bringe | ich erledige
         | ich übernehme | übernehme ich | mache ich | schicke ich | bringe ich | verlass dich | gib mir zeit
         | ich schulde | ich sorge | sorge dafür | sorgen dafür",
    ),
    (WHETHER, "ob | welche von | welcher von | welches von | welchen tag | entweder | ja oder nein"),
    (
        DECIDE,
        "entscheid* | entschluss | wählen | auswahl | unentschieden | unschlüssig | festlegen | einigen | freigabe
         | genehmigung | zustimmung",
    ),
    (OR, "oder"),
    (THANKS, "danke | dank | endlich | prima | wunderbar | super | erleichtert | gott sei dank"),
    (ENDS, "fällig | frist | läuft ab | laufen ab | abläuft | endet | enden | schließt | letzter tag | spätestens | verfällt | stichtag | kündigungsfrist"),
    (HABIT, "jeden | jede | jedes | immer | wie immer | wie üblich | üblicherweise | regelmäßig | täglich | wöchentlich"),
    (RECURS, "zum dritten mal | zum vierten mal | das dritte mal | schon wieder | immer wieder | so kann es nicht weitergehen | so geht es nicht weiter | das muss aufhören | mal diese woche | mal in dieser woche | mal in folge | derselbe fehler | dasselbe problem | jedes mal wieder | nicht schon wieder"),
];

pub const NL: &[Row] = &[
    INJECTIONS,
    (
        TROUBLE,
        "fout* | kapot | storing* | mislukt* | klacht* | vertraag* | vertraging | probleem | problemen | defect* | te laat
         | vast | geweigerd | kwijt | ontbreekt | werkt niet | doet het niet | lekt | lek | uitgevallen | vastgelopen",
    ),
    (NO_TROUBLE, "geen probleem | geen problemen | zonder fouten"),
    (AGAIN, "weer | opnieuw | alweer | nogmaals | voor de derde | voor de tweede | nog steeds"),
    (OBLIGE, "moet | moeten | graag | alstublieft | alsjeblieft | nodig | vereist | uiterlijk | deadline | dient"),
    (POLITE, "als je wilt | als u wilt | mocht u | mocht je | laat maar weten als | altijd welkom"),
    (IMAGINED, "stel dat | stel je voor | zou hebben | ooit | wat als"),
    (FORBIDS_FIRST, "nooit | niet | geen"),
    (FORBIDS, "mag niet | mogen niet | verboten | niet toegestaan | liever niet"),
    (DONE, "betaald | verstuurd | gestuurd | gedaan | klaar | getekend | ondertekend | ingeleverd | opgelost | hersteld | gerepareerd | afgezegd | al"),
    (CLOSES, "aangekomen | binnen | bevestigd | goedgekeurd | besloten | geboekt | besteld | gekocht | vervangen | opgehaald | geregeld | bijgevoegd | geleverd | ontvangen | gezegd"),
    (WITHDRAWN, "laat maar | niet meer nodig | hoeft niet meer | toch niet | vergeet het | gaat niet door"),
    (NOT_YET, "niet | nog | geen | zal | moet | worden | tot | zodra | als | voordat | zonder | te | zijn"),
    (UNTIL, "tot"),
    (GIVEN, "heeft tot | hebben tot | hebt tot | krijgt tot | tijd tot | open tot"),
    (ARTICLE, "de | het | een | onze | mijn | uw | jouw | zijn | haar | hun | elke | iedere"),
    (YOU, "je | jij | jou | jouw | u | uw | jullie"),
    (ASK, "kun je | kunt u | kan je | kunnen jullie | zou je | zou u | zouden jullie | wil je | wilt u | mag ik | mogen we | kan ik | kunnen we | is het mogelijk | heb je | heeft u | hebben jullie | is er | wie kan | zal ik | zullen we | wanneer komt"),
    (PLEAD, "graag | alstublieft | alsjeblieft | zou graag | wil graag | willen graag | vraagt | vroeg | verzoekt | heeft nodig | hebben nodig | ik heb | laat me weten | laat ons weten | zou fijn zijn | zou helpen | hoor graag | wil weten | stuur me"),
    (OPEN, "nog niet | nog geen | nog steeds | nog niets | geen antwoord | geen reactie | wacht | wachten | openstaand | herinnering | niets gehoord"),
    (PROMISE, "ik zal | we zullen | wij zullen | zal ik | zullen we | ik ga | we gaan | beloofd | belooft | beloofde | toegezegd | ik zei dat ik | ik zorg | ik regel | ik stuur | ik breng | reken op mij | ik neem"),
    (WHETHER, "of we | of hij | of ze | of ik | of het | welke van | welke dag | ja of nee"),
    (DECIDE, "beslis* | besluit* | kiezen | keuze | onbeslist | twijfelen | knoop doorhakken | akkoord | goedkeuring"),
    (OR, "of"),
    (THANKS, "dank | bedankt | dankjewel | eindelijk | gelukkig | prima | geweldig"),
    (ENDS, "uiterlijk | verloopt | loopt af | eindigt | sluit | laatste dag | vervalt | deadline | vervaldatum"),
    (HABIT, "elke | iedere | altijd | zoals altijd | zoals gewoonlijk | gewoonlijk | dagelijks | wekelijks"),
    (RECURS, "voor de derde keer | voor de vierde keer | derde keer | alweer | keer op keer | steeds weer | zo kan het niet langer | dit moet stoppen | keer deze week | keer op rij | dezelfde fout | hetzelfde probleem"),
];
