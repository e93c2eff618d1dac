//! `gyrus eval`: figures from streams of our own, without a daemon.

use serde_json::json;

use super::CliError;
use super::args::{Eval, EvalWhat};
use crate::eval::calibration;
use crate::space::SpaceSettings;

pub fn run(a: &Eval, as_json: bool) -> Result<(), CliError> {
    let EvalWhat::Calibration { weeks } = a.what;
    let reports = calibration::run(&crate::embed::built_in(), &SpaceSettings::default(), weeks.max(1))
        .map_err(|e| CliError::Other(e.to_string()))?;
    if as_json {
        let rows: Vec<_> = reports
            .iter()
            .map(|r| {
                let thirds: Vec<_> = r
                    .thirds
                    .iter()
                    .map(|s| json!({"emitted": s.emitted, "accepted": s.accepted, "rate": s.rate()}))
                    .collect();
                let thresholds: serde_json::Map<_, _> =
                    r.thresholds.iter().map(|(c, t)| ((*c).to_owned(), json!(t))).collect();
                json!({"taste": r.taste.name, "likes": r.taste.likes, "thirds": thirds, "thresholds": thresholds})
            })
            .collect();
        println!("{}", json!({"weeks": weeks, "users": rows}));
    } else {
        print!("{}", calibration::table(&reports));
    }
    Ok(())
}
