//! Times and zones.

use serde_json::json;

use super::*;

fn in_zone(zone: &str, time: Value) -> Result<(String, TimeMark), Rejection> {
    let settings = Settings {
        zone: zone.into(),
        ..Settings::default()
    };
    let e = with(&settings, |cx| {
        decode_json(json!({"id": "a", "text": "x", "time": time}), cx)
    })?;
    Ok((e.time.rfc3339(), e.time_mark))
}

fn given(time: Value) -> String {
    let (time, mark) = in_zone("Asia/Tokyo", time).unwrap();
    assert_eq!(mark, TimeMark::Given);
    time
}

fn assumed(zone: &str, time: &str) -> String {
    let (time, mark) = in_zone(zone, time.into()).unwrap();
    assert_eq!(mark, TimeMark::AssumedZone);
    time
}

#[test]
fn an_offset_moves_the_day() {
    assert_eq!(given("2031-07-01T01:30+09:00".into()), "2031-06-30T16:30:00Z");
    assert_eq!(given("2031-06-30T22:30:00-03:30".into()), "2031-07-01T02:00:00Z");
}

#[test]
fn the_ways_to_write_an_instant() {
    for same in [
        "2031-07-01T01:30:00Z",
        "2031-07-01t01:30:00z",
        "2031-07-01 01:30Z",
        "2031-07-01T01:30:00.000000000+00:00",
        "2031-07-01T03:30:00+0200",
        "2031-07-01T03:30:00+02",
        "2031-07-01 03:30:00 +02:00",
        "2031-07-01T01:30:00-00:00",
    ] {
        assert_eq!(given(same.into()), "2031-07-01T01:30:00Z", "{same}");
    }
    assert_eq!(
        given("2031-07-01T01:30:00.1239Z".into()),
        "2031-07-01T01:30:00.123Z"
    );
    assert_eq!(given("2031-07-01T01:30:00,5Z".into()), "2031-07-01T01:30:00.500Z");
    assert_eq!(given("2016-12-31T23:59:60Z".into()), "2017-01-01T00:00:00Z");
    assert_eq!(given(json!(1_940_635_800)), "2031-07-01T01:30:00Z");
    assert_eq!(given(json!(1_940_635_800.25)), "2031-07-01T01:30:00.250Z");
    assert_eq!(given(json!(1_940_635_800_123_i64)), "2031-07-01T01:30:00.123Z");
    assert_eq!(given(json!(-86_400)), "1969-12-31T00:00:00Z");
    assert_eq!(given(json!(0)), "1970-01-01T00:00:00Z");
}

#[test]
fn a_time_without_offset_takes_the_zone_and_is_marked() {
    assert_eq!(assumed("UTC", "2031-07-01T01:30:00"), "2031-07-01T01:30:00Z");
    assert_eq!(assumed("Asia/Tokyo", "2031-07-01T01:30"), "2031-06-30T16:30:00Z");
    assert_eq!(assumed("Asia/Tokyo", "2031-07-01"), "2031-06-30T15:00:00Z");
    assert_eq!(
        assumed("America/New_York", "2031-01-05 08:00:00.5"),
        "2031-01-05T13:00:00.500Z"
    );
}

#[test]
fn hours_that_the_clock_repeats_or_skips_have_one_reading() {
    // Berlin, 28 October 2029, 03:00 back to 02:00: the first 02:30 is summer time.
    assert_eq!(
        assumed("Europe/Berlin", "2029-10-28T02:30"),
        "2029-10-28T00:30:00Z"
    );
    // Berlin, 25 March 2029, 02:00 on to 03:00: 02:30 is half an hour after the change.
    assert_eq!(
        assumed("Europe/Berlin", "2029-03-25T02:30"),
        "2029-03-25T01:30:00Z"
    );
    // Samoa skipped 30 December 2011 altogether.
    assert_eq!(
        assumed("Pacific/Apia", "2011-12-30T12:00"),
        "2011-12-30T22:00:00Z"
    );
}

#[test]
fn a_missing_time_is_the_receipt_and_marked() {
    let e = json(json!({"id": "a", "text": "x"})).unwrap();
    assert_eq!((e.time, e.time_mark), (RECEIVED, TimeMark::Received));
    let e = json(json!({"id": "a", "text": "x", "time": null})).unwrap();
    assert_eq!((e.time, e.time_mark), (RECEIVED, TimeMark::Received));
}

#[test]
fn a_bad_time_says_field_value_and_what_is_accepted() {
    for bad in [
        json!("next Tuesday"),
        json!(""),
        json!("2031-02-29"),
        json!("2031-13-01T00:00:00Z"),
        json!("2031-07-01T24:00:00Z"),
        json!("2031-07-01T01:30:00+25:00"),
        json!("2031-07-01T01:30:00+01:75"),
        json!("2031-07-01T01:30:00Zulu"),
        json!("2031-07-01T01"),
        json!("01/07/2031"),
        json!("2031-07-01Z"),
        json!("\u{662}\u{660}31-07-01"),
        json!("12031-07-01"),
        json!(1e15),
        json!(-1e14),
        json!(1e300),
        json!(u64::MAX),
        json!(true),
        json!({"seconds": 4}),
        json!(["2031-07-01"]),
    ] {
        let refused = in_zone("UTC", bad.clone()).expect_err(&bad.to_string());
        assert_eq!(refused.code, "bad-time", "{bad}");
        assert_eq!(refused.id.as_deref(), Some("a"));
        for part in ["`time`", "RFC 3339", "zone"] {
            assert!(refused.reason.contains(part), "{refused}");
        }
        if let Some(s) = bad.as_str() {
            assert!(refused.reason.contains(s), "{refused}");
        }
    }
    let long = "y".repeat(5_000);
    let refused = in_zone("UTC", long.into()).unwrap_err();
    assert!(refused.reason.len() < 400, "the value is shortened: {refused}");
}

#[test]
fn an_unknown_zone_is_the_settings_fault() {
    let refused = in_zone("Mars/Olympus", "2031-07-01".into()).unwrap_err();
    assert_eq!(refused.code, "bad-zone");
    assert!(refused.reason.contains("event.zone") && refused.reason.contains("Mars/Olympus"));
    assert!(
        in_zone("Mars/Olympus", "2031-07-01T00:00:00Z".into()).is_ok(),
        "no zone is needed here"
    );
}

#[test]
fn a_producer_cannot_set_the_time_of_receipt() {
    let e = json(json!({"id": "a", "text": "x", "gyrus_received": 5})).unwrap();
    assert_eq!((e.received, e.time), (RECEIVED, RECEIVED));
    assert!(e.extra.is_empty());
    let own = from_json(json!({"id": "a", "text": "x", "time": "2031-07-01T00:00:00Z", "gyrus_received": 5}))
        .unwrap();
    assert_eq!(own.received, Ts(5));
}
