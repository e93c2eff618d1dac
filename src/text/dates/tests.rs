//! Tests of reading dates, from the word to the day.

use chrono::DateTime;

use super::pattern::grammar;
use super::resolve::Tense;
use super::*;
use crate::text::Granularity;

const THURSDAY: &str = "2031-02-27T10:00:00Z";

fn ts(at: &str) -> Ts {
    Ts::from(chrono::DateTime::parse_from_rfc3339(at).unwrap().to_utc())
}

/// "start/end granularity[!]" of the dates of a text; "!" marks a deadline; one-day spans leave out the end.
fn said_at(text: &str, at: &str) -> Vec<String> {
    mentions(text, ts(at)).iter().map(show).collect()
}

fn show(d: &DateMention) -> String {
    let short = |t: Ts| t.rfc3339().replace("T00:00:00Z", "").replace(":00Z", "");
    let mark = if d.deadline { "!" } else { "" };
    match d.granularity {
        Granularity::Minute => format!("{}{mark}", short(d.start)),
        Granularity::Day if d.end.0 - d.start.0 == Ts::DAY => format!("{}{mark}", short(d.start)),
        g => format!("{}/{} {g:?}{mark}", short(d.start), short(d.end)),
    }
}

fn check(cases: &[(&str, &[&str])]) {
    for (text, want) in cases {
        assert_eq!(said_at(text, THURSDAY), *want, "{text}");
    }
}

#[test]
fn days_around_today() {
    check(&[
        ("The invoice goes out the day after tomorrow.", &["2031-03-01"]),
        (
            "The pump broke the day before yesterday, and yesterday's visit fell through",
            &["2031-02-25", "2031-02-26"],
        ),
        ("Tomorrow we test. Today we rest.", &["2031-02-28", "2031-02-27"]),
        ("See you tonight", &["2031-02-27"]),
        ("Last night it rained", &["2031-02-26"]),
    ]);
    let d = &mentions("The invoice goes out the day after tomorrow.", ts(THURSDAY))[0];
    assert_eq!(
        (&*d.surface, d.granularity, d.deadline),
        ("the day after tomorrow", Granularity::Day, false)
    );
}

#[test]
fn counted_units() {
    check(&[
        ("Back in 3 days", &["2031-03-02"]),
        ("Delivery in two weeks", &["2031-03-13"]),
        ("We moved two months ago", &["2030-12-01/2031-01-01 Month"]),
        ("It started 5 years ago", &["2026-01-01/2027-01-01 Year"]),
        ("Call me in 2 hours", &["2031-02-27T12:00"]),
        ("It failed ten days ago", &["2031-02-17"]),
        ("It leaked a week ago", &["2031-02-17/2031-02-24 Week"]),
        ("Pay within 10 days", &["2031-03-09!"]),
        ("Two calls in the last 3 days", &["2031-02-24/2031-02-28 Week"]),
        ("in a minute", &[]),
    ]);
}

#[test]
fn calendar_units_and_weekdays() {
    check(&[
        ("next week", &["2031-03-03/2031-03-10 Week"]),
        ("last month", &["2031-01-01/2031-02-01 Month"]),
        ("this year", &["2031-01-01/2032-01-01 Year"]),
        ("We met last Thursday", &["2031-02-20"]),
        ("We meet next Thursday", &["2031-03-06"]),
        ("Lunch this Friday?", &["2031-02-28"]),
        ("The inspector will come on Tuesday", &["2031-03-04"]),
        ("The inspector came on Tuesday", &["2031-02-25"]),
        ("He said he will call on Monday", &["2031-03-03"]),
        ("We painted it Saturday", &["2031-02-22"]),
        ("Tuesday next week works", &["2031-03-04"]),
        ("We hiked last weekend", &["2031-02-22/2031-02-24 Day"]),
        ("the weekend will be wet", &["2031-03-01/2031-03-03 Day"]),
        ("The next day it was gone", &[]),
        ("Black Friday deals", &[]),
    ]);
}

#[test]
fn weekdays_with_a_day_and_recurring_ones() {
    check(&[
        ("The fair is on Sunday the 9th", &["2031-03-09"]),
        ("They put the match back to Friday 14 March", &["2031-03-14"]),
        ("Moved from Friday 28 November to another day", &["2031-11-28"]),
        ("Delivery was promised for Friday", &["2031-02-28"]),
        ("Closed since Monday", &["2031-02-24"]),
        ("He ran the course in 20 minutes", &[]),
        ("No tea within an hour of eating", &[]),
    ]);
    for text in ["The choir meets every Tuesday at 10", "No bins on Tuesdays"] {
        let d = &mentions(text, ts(THURSDAY))[0];
        assert!(d.recurring, "{text}");
        assert_eq!(&d.start.rfc3339()[..10], "2031-03-04", "{text}");
    }
    assert!(!mentions("See you Tuesday", ts(THURSDAY))[0].recurring);
}

#[test]
fn deadlines() {
    check(&[
        ("Send the form by Friday", &["2031-02-28!"]),
        ("Rent is due on the 3rd.", &["2031-03-03!"]),
        ("Deadline: 14 March", &["2031-03-14!"]),
        ("Hand it in before March 10th", &["2031-03-10!"]),
        ("No later than 5 April 2031", &["2031-04-05!"]),
        ("Closed until next Monday", &["2031-03-03!"]),
        ("The report was due last Monday", &["2031-02-24!"]),
        ("It worked until yesterday", &["2031-02-26"]),
        ("Finish by the end of the month", &["2031-02-28!"]),
        ("The deadline is tomorrow at 17:00", &["2031-02-28T17:00!"]),
        ("I like tea more than Friday fish", &["2031-02-28"]),
        ("We meet on Friday", &["2031-02-28"]),
    ]);
}

#[test]
fn dates_in_full_and_in_digits() {
    check(&[
        ("3 March 2026", &["2026-03-03"]),
        ("the 3rd of March, 2026", &["2026-03-03"]),
        ("March 3rd", &["2031-03-03"]),
        ("Mar. 3, 2026", &["2026-03-03"]),
        ("It opened on 1 December", &["2030-12-01"]),
        ("It opens on 1 December", &["2030-12-01"]),
        ("It will open on 1 December", &["2031-12-01"]),
        ("Monday, 3 March 2031", &["2031-03-03"]),
        ("2031-03-01 and 2031/03/02", &["2031-03-01", "2031-03-02"]),
        ("from 2031-03-01T09:30:00+02:00 on", &["2031-03-01T07:30"]),
        (
            "03/04/2026 or 13/04/2026 or 04/13/2026",
            &["2026-04-13", "2026-04-13"],
        ),
        ("30 February 2031", &[]),
        (
            "In June 2030 and early May 2031",
            &["2030-06-01/2030-07-01 Month", "2031-05-01/2031-05-11 Week"],
        ),
        ("the last week of June 2030", &["2030-06-24/2030-07-01 Week"]),
        ("since 2029", &["2029-01-01/2030-01-01 Year"]),
        ("We flew there in November", &["2030-11-01/2030-12-01 Month"]),
    ]);
}

#[test]
fn times_of_day() {
    check(&[
        ("Standup at 14:00", &["2031-02-27T14:00"]),
        ("Come at 3 pm tomorrow", &["2031-02-28T15:00"]),
        ("Tomorrow at 3", &["2031-02-28T15:00"]),
        ("Friday 10:30am, room 4", &["2031-02-28T10:30"]),
        ("3 p.m. on Monday works", &["2031-03-03T15:00"]),
        ("The score was 10:40", &[]),
        ("Only 3 came", &[]),
    ]);
}

#[test]
fn traps() {
    check(&[
        ("You may 3 times retry, and they march 10 miles", &[]),
        ("We may march on. The sun sat low.", &[]),
        ("Meet on the 3rd floor", &[]),
        ("Room 12 of 30", &[]),
        ("In May it rained", &["2030-05-01/2030-06-01 Month"]),
        ("Version 4.7.0 and 1.2.3", &[]),
        ("Call 555-2031", &[]),
    ]);
}

#[test]
fn other_languages() {
    check(&[
        (
            "Die Rechnung geht übermorgen raus und morgen nicht",
            &["2031-03-01", "2031-02-28"],
        ),
        ("Das ist die Sache von gestern und am Morgen", &["2031-02-26"]),
        (
            "Wir kommen in drei Tagen und nicht am nächsten Montag",
            &["2031-03-02", "2031-03-03"],
        ),
        (
            "Das war vor zwei Wochen und ist nicht gut",
            &["2031-02-10/2031-02-17 Week"],
        ),
        (
            "Bitte das Formular bis zum 3. März um 14:30 Uhr abgeben",
            &["2031-03-03T14:30!"],
        ),
        (
            "La factura sale pasado mañana y no el lunes",
            &["2031-03-01", "2031-03-03"],
        ),
        ("Se rompió hace tres días por la mañana", &["2031-02-24"]),
        ("Hay que pagar antes del 5 de marzo de 2031", &["2031-03-05!"]),
        (
            "La facture part après-demain et pas lundi prochain",
            &["2031-03-01", "2031-03-03"],
        ),
        ("Il y a deux jours le four était en panne", &["2031-02-25"]),
        (
            "C'est pour aujourd'hui et pas pour le 3 mars",
            &["2031-02-27", "2031-03-03"],
        ),
        (
            "明日の午後3時に会議、明後日までに提出",
            &["2031-02-28T15:00", "2031-03-01!"],
        ),
        (
            "2031年3月1日に開始、昨日は休みでした",
            &["2031-03-01", "2031-02-26"],
        ),
        ("3日前に壊れた。来週の月曜日に直す", &["2031-02-24", "2031-03-03"]),
        ("明天开会，3天后交", &["2031-02-28", "2031-03-02"]),
    ]);
}

#[test]
fn questions_name_dates() {
    let now = ts(THURSDAY);
    let day = |y, m, d| NaiveDate::from_ymd_opt(y, m, d).unwrap().num_days_from_ce();
    assert_eq!(
        question_dates("What broke on 3 March 2030?", now),
        [DateSpan::Day {
            first: day(2030, 3, 3),
            last: day(2030, 3, 3)
        }]
    );
    assert_eq!(
        question_dates("Who visited in may 2030?", now),
        [DateSpan::Month {
            first: day(2030, 5, 1),
            last: day(2030, 5, 31)
        }]
    );
    assert_eq!(
        question_dates("What happened in june?", now),
        [DateSpan::MonthOfAnyYear { month: 6 }]
    );
    assert_eq!(
        question_dates("Who called on July 4?", now),
        [DateSpan::DayOfAnyYear { month: 7, day: 4 }]
    );
    assert_eq!(
        question_dates("What did we decide yesterday?", now),
        [DateSpan::Day {
            first: day(2031, 2, 26),
            last: day(2031, 2, 26)
        }]
    );
    assert_eq!(
        question_dates("What failed last week?", now),
        [DateSpan::Day {
            first: day(2031, 2, 17),
            last: day(2031, 2, 23)
        }]
    );
    assert_eq!(
        question_dates("What happened on Friday?", now),
        [DateSpan::Day {
            first: day(2031, 2, 21),
            last: day(2031, 2, 21)
        }]
    );
    assert_eq!(question_dates("Who is Omar?", now), []);
    assert_eq!(question_dates("Who called at 3 pm?", now), []);
}

#[test]
fn far_times_are_survived() {
    for at in [
        i64::MIN,
        i64::MAX,
        8_210_266_876_799_999,
        -8_334_601_228_800_000,
        0,
    ] {
        for text in [
            "tomorrow",
            "in 999 years",
            "999 weeks ago",
            "next Monday",
            "the 31st",
            "by 29 February",
            "last month",
        ] {
            mentions(text, Ts(at));
            question_dates(text, Ts(at));
        }
    }
}

#[test]
fn every_table_compiles() {
    for t in table::TABLES {
        assert!(grammar(t.lang).is_some());
    }
    assert!(unspaced::find("", DateTime::UNIX_EPOCH, Tense::Unknown).is_empty());
}
