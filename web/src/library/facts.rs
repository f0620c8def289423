//! The facts of a recording, as a list of labels and values.

use trailbrake_shared::model::{CarResult, SessionKind, Weather};
use trailbrake_shared::number::{self, count};

use super::contents::OpenRecording;
use super::found::Listed;
use crate::text::figures::{minutes, size};
use crate::text::words::capitalised;

type Row = (&'static str, String);

/// The rows of the facts. Those of the list entry are known at once, the others once the details are loaded.
pub(super) fn rows(one: &Listed, known: Option<&OpenRecording>) -> Vec<Row> {
    let entry = &one.entry;
    let summary = known.map(|known| &known.facts.session);
    let session = summary.and_then(|summary| summary.info.as_ref());
    let length = session.and_then(|session| session.track_length_m).filter(|metres| *metres > 0.0);
    let kilometres = length.map(|metres| format!(" · {} km", number::write(f64::from(metres) / 1e3, 3)));
    let track = entry.track.clone().map(|track| track + &kilometres.unwrap_or_default());
    let specification = summary.and_then(|summary| summary.vehicle.as_ref()?.specification());
    let car: Vec<String> = [entry.car.clone(), specification].into_iter().flatten().collect();
    let weather = session.and_then(|session| session.weather_name.clone().or(weather(session.weather?)));
    let kind = session.and_then(|session| kind(session.kind));
    let people = summary.map(|summary| summary.participants.len()).filter(|count| *count > 1);
    let info = known.and_then(|known| known.facts.info.as_ref());
    let parent = entry.parent.map(|_| match entry.others_left_out {
        true => "Exported from another recording (other drivers left out)".to_owned(),
        false => "Exported from another recording".to_owned(),
    });
    let laps = (entry.laps > 0).then(|| count(entry.laps as usize, "lap", "laps"));
    [
        ("Track", track),
        ("Car", (!car.is_empty()).then(|| car.join(" · "))),
        ("Session", kind),
        ("Weather", weather),
        ("Result", summary.and_then(|summary| summary.result.as_ref()).map(result)),
        ("Cars", people.map(|count| count.to_string())),
        ("Best", entry.best.map(|best| best.to_string())),
        ("Laps", laps),
        ("Length", Some(minutes(entry.seconds))),
        ("Size", Some(size(entry.bytes))),
        ("Source", parent),
        ("Recorded by", info.map(|info| info.program.clone())),
        ("File", Some(entry.file.clone())),
    ]
    .into_iter()
    .filter_map(|(what, how)| Some((what, how?)))
    .collect()
}

/// A result in words: position, grid, points, stops; or how it ended.
fn result(result: &CarResult) -> String {
    let out = result.result.why_out();
    let place = || format!("P{}", result.position);
    let ended = out.map_or_else(place, |out| match &result.reason {
        Some(why) => format!("{out}: {why}"),
        None => out.to_owned(),
    });
    let some = |number: u8, words: &dyn Fn() -> String| (number > 0).then(words);
    let parts = [
        Some(capitalised(&ended)),
        some(result.grid, &|| format!("from P{}", result.grid)),
        some(result.points, &|| count(result.points, "point", "points")),
        some(result.pit_stops, &|| count(result.pit_stops, "stop", "stops")),
        some(result.penalty_s, &|| format!("{} s of penalties", result.penalty_s)),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

/// A kind of session in words. `None` if the game sends none.
fn kind(kind: SessionKind) -> Option<String> {
    let (word, number) = match kind {
        SessionKind::Unknown | SessionKind::Other(_) => return None,
        SessionKind::Practice(number) => ("Practice", number),
        SessionKind::Qualifying(number) => ("Qualifying", number),
        SessionKind::Race(number) => ("Race", number),
        SessionKind::ShortPractice => ("Short practice", 0),
        SessionKind::ShortQualifying => ("Short qualifying", 0),
        SessionKind::OneShotQualifying => ("One-lap qualifying", 0),
        SessionKind::SprintQualifying(number) => ("Sprint qualifying", number),
        SessionKind::ShortSprintQualifying => ("Short sprint qualifying", 0),
        SessionKind::OneShotSprintQualifying => ("One-lap sprint qualifying", 0),
        SessionKind::TimeTrial => ("Time trial", 0),
        SessionKind::Booking => ("Booking", 0),
        SessionKind::Stage => ("Stage", 0),
    };
    Some(if number > 0 { format!("{word} {number}") } else { word.to_owned() })
}

fn weather(weather: Weather) -> Option<String> {
    let word = match weather {
        Weather::Clear => "Clear",
        Weather::LightCloud => "Light cloud",
        Weather::Overcast => "Overcast",
        Weather::LightRain => "Light rain",
        Weather::HeavyRain => "Heavy rain",
        Weather::Storm => "Storm",
        Weather::Other(_) => return None,
    };
    Some(word.to_owned())
}

#[cfg(test)]
mod tests {
    use trailbrake_shared::library::{Entry, RecordingFacts};
    use trailbrake_shared::model::{SessionInfo, Vehicle};
    use trailbrake_shared::session::SessionSummary;
    use trailbrake_shared::time::LapTime;

    use super::*;

    #[test]
    fn an_unknown_fact_has_no_row() {
        let entry = Entry { file: "a.mcap".into(), bytes: 5_000, seconds: 61.0, ..Entry::default() };
        let one = Listed::new(entry, 0);
        let expected = [("Length", "1:01"), ("Size", "5.0 KB"), ("File", "a.mcap")];
        assert_eq!(rows(&one, None), expected.map(|(what, how)| (what, how.to_owned())));
    }

    #[test]
    fn the_game_s_facts_are_beside_the_list_s() {
        let entry = Entry {
            track: Some("Spa".into()),
            car: Some("Car 445".into()),
            laps: 1,
            best: Some(LapTime(103_512)),
            ..Entry::default()
        };
        let info = SessionInfo {
            kind: SessionKind::Practice(2),
            weather: Some(Weather::LightRain),
            track_length_m: Some(7004.0),
            ..SessionInfo::default()
        };
        let result = CarResult { position: 3, grid: 7, points: 15, pit_stops: 1, ..CarResult::default() };
        let vehicle = Vehicle {
            class: Some("B 598".into()),
            drivetrain: Some("RWD".into()),
            cylinders: Some(6),
            ..Vehicle::default()
        };
        let session = SessionSummary {
            info: Some(info),
            result: Some(result),
            vehicle: Some(vehicle),
            ..SessionSummary::default()
        };
        let facts = RecordingFacts { session, ..RecordingFacts::default() };
        let known = OpenRecording { entry: entry.clone(), facts, ..OpenRecording::default() };
        let rows = rows(&Listed::new(entry, 0), Some(&known));
        for (what, how) in [
            ("Track", "Spa · 7.004 km"),
            ("Car", "Car 445 · B 598 · RWD · 6 cylinders"),
            ("Session", "Practice 2"),
            ("Result", "P3 · from P7 · 15 points · 1 stop"),
            ("Weather", "Light rain"),
            ("Laps", "1 lap"),
            ("Best", "1:43.512"),
        ] {
            assert!(rows.contains(&(what, how.to_owned())), "{what}: {rows:?}");
        }
    }
}
