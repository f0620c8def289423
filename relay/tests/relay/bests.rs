//! The best laps of the library over HTTP.

use serde_json::{Value, json};
use trailbrake_shared::model::{Car, SessionInfo, Track};
use trailbrake_shared::recording::facts::DECODER;
use trailbrake_shared::recording::{Info, LapTable, RecordingId, SessionSummary, Writer};
use trailbrake_shared::time::Micros;

use crate::library::{path, put, recording};
use crate::recorded::BEGAN;
use crate::recording::recording_into;
use crate::running::{ask, send};

const WEEK_US: u64 = 7 * 86_400_000_000;

/// A recording of two laps of the player and a faster one of another driver, `weeks` after the first.
fn laps(id: u128, weeks: u64, track: Option<&str>, times_ms: [u32; 2]) -> Vec<u8> {
    let began = Micros(BEGAN.0 + weeks * WEEK_US);
    let (feed, program) = ("f1-2018".to_owned(), "the tests".to_owned());
    let info =
        Info { id: RecordingId(id), parent: None, created: began, feed, program, others_left_out: false };
    let mut writer = Writer::new(&info);
    let track = track.map(|name| Track { id: "1".into(), name: Some(name.into()), recognised: None });
    let info = Some(SessionInfo { track, ..SessionInfo::default() });
    writer.write_last(began, &SessionSummary { info, player: Some(Car(0)), ..SessionSummary::default() });
    let row = |car: u8, number: u16, time_ms: u32, flag: &str| {
        json!({ "car": car, "from": began, "to": began, "lap": {
            "serial": number, "number": number, "run": 0, "stint": 1, "time": time_ms,
            "sectors": [null, null, null], "flags": [flag], "began_s": 0.0, "ended_s": 90.0
        } })
    };
    let [first, second] = times_ms;
    let rows = json!({ "decoder": DECODER, "laps": [
        row(0, 1, first, "valid"), row(0, 2, second, "valid"), row(0, 3, 1_000, "invalid"), row(1, 1, 2_000, "valid")
    ] });
    writer.write_last(began, &serde_json::from_value::<LapTable>(rows).expect("a table"));
    let mut bytes = writer.bytes();
    bytes.extend(writer.finish());
    bytes
}

#[tokio::test]
async fn the_best_laps_are_served_and_nothing_is_read_twice() {
    let folder = tempfile::tempdir().expect("a folder");
    put(folder.path(), "a", &laps(1, 0, Some("Spa"), [91_000, 90_000]));
    put(folder.path(), "b", &laps(2, 1, Some("Spa"), [89_500, 93_000]));
    put(folder.path(), "c", &laps(3, 1, Some("Monza"), [80_000, 80_000]));
    put(folder.path(), "d", &laps(4, 1, None, [70_000, 70_000]));
    let long = recording(5, 60.0);
    put(folder.path(), "long", &long);
    let relay = recording_into(folder.path(), &[]);
    let address = relay.report.http;
    let fetch = async |query: &str| -> Value {
        ask(address, "GET", &format!("/library/bests{query}"), &[]).await.json()
    };

    let first = fetch("").await;
    assert_eq!(first["trouble"], Value::Null);
    let bests = first["bests"].as_array().expect("a list");
    let rows: Vec<_> = bests.iter().map(|one| (&one["game"], &one["track"], &one["best"]["time"])).collect();
    let game = json!("F1 2018 to 25");
    assert_eq!(rows, [(&game, &json!("Monza"), &json!(80_000)), (&game, &json!("Spa"), &json!(89_500))]);
    let spa = &bests[1];
    assert_eq!((&spa["best"]["recording"], &spa["best"]["serial"]), (&json!(RecordingId(2)), &json!(1)));
    let weeks = spa["progress"].as_array().expect("weeks");
    let times: Vec<_> = weeks.iter().map(|week| (&week["laps"], &week["best"], &week["median_s"])).collect();
    assert_eq!(
        times,
        [(&json!(2), &json!(90_000), &json!(90.5)), (&json!(2), &json!(89_500), &json!(91.25))]
    );
    // Only the ends of the files were read, and only the index of the long one.
    assert_eq!(first["looked"]["files"], 5);
    let read = first["looked"]["bytes"].as_u64().expect("bytes");
    assert!(read < 80_000 * 5 && read < long.len() as u64, "{read} of {}", long.len());

    // Only the best laps that a recording can be compared with.
    let of = |id: u128| format!("?of={}", RecordingId(id));
    assert_eq!(fetch(&of(1)).await["bests"], json!([spa]));
    assert_eq!(fetch(&of(4)).await["bests"], json!([]), "nobody knows where it was driven");
    assert_eq!(ask(address, "GET", "/library/bests?of=7", &[]).await.status, 404);

    // Best laps and list share what they have read.
    let listing: Value = ask(address, "GET", "/library", &[]).await.json();
    assert_eq!(listing["looked"]["bytes"], 0);
    assert_eq!(fetch("?by=day").await["looked"]["bytes"], 0);

    // A deleted recording takes its laps out, and a new one adds its own.
    assert_eq!(send(address, "DELETE", &path(2, ""), b"").await.status, 200);
    assert_eq!(fetch("").await["bests"][1]["best"]["time"], 90_000);
    put(folder.path(), "e", &laps(6, 2, Some("Spa"), [88_000, 88_500]));
    let again = fetch("?by=week").await;
    assert_eq!((&again["bests"][1]["best"]["time"], &again["looked"]["files"]), (&json!(88_000), &json!(1)));
    relay.stop().await;
}

#[tokio::test]
async fn the_best_laps_are_behind_the_same_access_check_as_everything() {
    let folder = tempfile::tempdir().expect("a folder");
    let relay = recording_into(folder.path(), &[]);
    let address = relay.report.http;
    assert_eq!(ask(address, "GET", "/library/bests?by=year", &[]).await.status, 400);
    for header in [("host", "evil.example"), ("origin", "http://evil.example")] {
        assert_eq!(ask(address, "GET", "/library/bests", &[header]).await.status, 403, "{header:?}");
    }
    relay.stop().await;
}
