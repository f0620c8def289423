//! Tracks and cars that Gran Turismo does not name: in new recordings, in older ones, and under a name by hand.

use std::path::Path;

use serde_json::{Value, json};
use trailbrake_shared::feed::Feed;
use trailbrake_shared::library::Entry;
use trailbrake_shared::model::{Recognised, Track};
use trailbrake_shared::recording::facts::DECODER;
use trailbrake_shared::recording::{LapTable, SessionSummary};

use crate::library::{list, put};
use crate::library_repair::with_facts;
use crate::recorded::{BEGAN, recorded_from};
use crate::recording::{open, recording_into};
use crate::running::{ask, send, until};

/// The outlines of the layouts.
const LAYOUTS: &str = include_str!("../../../shared/games/src/gran_turismo/tracks/layouts.txt");
const LAYOUT: &str = "Tsukuba Circuit";
const CAR: &str = "Nissan GT-R NISMO GT3 '18";
const MPS: f32 = 50.0;

/// The points of a layout, the first of them once more at the end.
fn points(layout: &str) -> Vec<[f32; 2]> {
    let mut layouts = LAYOUTS.lines().filter_map(|line| line.strip_prefix(' '));
    let line = layouts.find(|line| line.split('\t').next() == Some(layout));
    let numbers = line.and_then(|line| line.split('\t').nth(2)).expect("its points");
    let numbers: Vec<f32> = numbers.split(' ').map(|number| number.parse().expect("a number")).collect();
    let mut points = vec![[0.0, 0.0]];
    for step in numbers.chunks_exact(2) {
        let [x, z] = points[points.len() - 1];
        points.push([x + step[0], z + step[1]]);
    }
    points.remove(0);
    points.push(points[0]);
    points
}

/// A recording of half a lap to the line of a layout, three laps and the beginning of another.
fn driven(layout: &str, id: u128) -> Vec<u8> {
    let points = points(layout);
    let mut ends = vec![0.0];
    for ends_of in points.windows(2) {
        let [[ax, az], [bx, bz]] = [ends_of[0], ends_of[1]];
        ends.push(ends[ends.len() - 1] + (bx - ax).hypot(bz - az));
    }
    let length_m = ends[ends.len() - 1];
    let place = |metres: f32| {
        let at_m = metres.rem_euclid(length_m);
        let next = ends.partition_point(|end| *end <= at_m).min(ends.len() - 1);
        let share = (at_m - ends[next - 1]) / (ends[next] - ends[next - 1]);
        let ([ax, az], [bx, bz]) = (points[next - 1], points[next]);
        [ax + (bx - ax) * share, az + (bz - az) * share]
    };
    let packet = |tick: u32| {
        let metres = tick as f32 / 60.0 * MPS - length_m / 2.0;
        let lap = (metres / length_m).floor() as i16 + 1;
        let last_lap = if lap > 1 { (length_m / MPS * 1000.0) as i32 } else { -1 };
        let [x, z] = place(metres);
        let mut packet = vec![0; 296];
        let mut put = |at: usize, bytes: &[u8]| packet[at..at + bytes.len()].copy_from_slice(bytes);
        put(0, b"0S7G");
        put(4, &x.to_le_bytes());
        put(12, &z.to_le_bytes());
        put(0x34, &1_f32.to_le_bytes());
        put(0x4c, &MPS.to_le_bytes());
        put(0x70, &(tick as i32).to_le_bytes());
        put(0x74, &lap.to_le_bytes());
        put(0x78, &(-1_i32).to_le_bytes());
        put(0x7c, &last_lap.to_le_bytes());
        put(0x8e, &9_u16.to_le_bytes());
        put(0x90, &[0xf4]);
        put(0x124, &3450_i32.to_le_bytes());
        packet
    };
    let seconds = f64::from(length_m / MPS) * 3.7;
    let mut tick = 0;
    recorded_from(Feed::GranTurismo, id, seconds, &mut |until, send| {
        loop {
            let at = BEGAN.plus_seconds(f64::from(tick) / 60.0);
            if at >= until {
                break;
            }
            send(at, &packet(tick));
            tick += 1;
        }
    })
}

/// A recording as a version made it that knew neither tracks nor cars.
fn as_before(recording: &[u8]) -> Vec<u8> {
    let (_, bytes) = with_facts(recording, |facts| {
        let mut summary: SessionSummary = facts.get().expect("a fact").expect("a session");
        let forget = |summary: &mut SessionSummary| {
            summary.info.iter_mut().for_each(|info| info.track = None);
            summary.vehicle.iter_mut().for_each(|vehicle| vehicle.name = None);
        };
        let mut laps: LapTable = facts.get().expect("a fact").expect("laps");
        laps.laps.iter_mut().for_each(|row| row.model = Some("Car 3450".into()));
        laps.sessions.iter_mut().for_each(forget);
        forget(&mut summary);
        facts.put(BEGAN, &summary);
        facts.put(BEGAN, &LapTable { decoder: DECODER - 1, ..laps });
    });
    bytes
}

#[test]
fn a_recording_names_the_track_and_the_car() {
    let recording = open(&driven(LAYOUT, 1));
    let summary: SessionSummary = recording.facts().get().expect("a fact").expect("a session");
    let track = Track { id: LAYOUT.into(), name: Some(LAYOUT.into()), recognised: Some(Recognised::Layout) };
    assert_eq!(summary.track(), Some(&track));
    let entry = Entry::of_recording("one", 0, &recording);
    assert_eq!((entry.track.as_deref(), entry.car.as_deref(), entry.laps), (Some(LAYOUT), Some(CAR), 4));
    assert!(recording.laps().laps.iter().all(|row| row.model.as_deref() == Some(CAR)));
}

#[tokio::test]
async fn older_recordings_gain_the_names_and_one_by_hand_wins() {
    let folder = tempfile::tempdir().expect("a folder");
    let bytes = as_before(&driven(LAYOUT, 1));
    let entry = Entry::of_recording("old", 0, &open(&bytes));
    assert_eq!((entry.track, entry.car.as_deref()), (None, Some("Car 3450")));
    put(folder.path(), "old", &bytes);
    put(folder.path(), "new", &driven(LAYOUT, 2));
    let relay = recording_into(folder.path(), &[]);
    let address = relay.report.http;
    let all_are = async |track: &str| {
        let entries = list(address).await.recordings;
        let is = |entry: &Entry| entry.track.as_deref() == Some(track) && entry.car.as_deref() == Some(CAR);
        (entries.len() == 2 && entries.iter().all(is)).then_some(())
    };
    until(async || all_are(LAYOUT).await).await;
    let bests = async || -> Vec<(Value, Value)> {
        let answer: Value = ask(address, "GET", "/library/bests", &[]).await.json();
        let rows = answer["bests"].as_array().expect("bests").iter();
        rows.map(|row| (row["track"].clone(), row["car"].clone())).collect()
    };
    assert_eq!(bests().await, [(json!(LAYOUT), json!(CAR))]);

    // The shape is written into both in the background; a name for it holds for both.
    let shape = until(async || known_shape(folder.path())).await;
    let name = json!({ "fingerprint": shape, "name": "My hill" }).to_string();
    assert_eq!(send(address, "POST", "/tracks/name", name.as_bytes()).await.status, 200);
    until(async || all_are("My hill").await).await;
    assert_eq!(bests().await, [(json!("My hill"), json!(CAR))]);
    relay.stop().await;
}

/// The track's shape, once it is written into both recordings.
fn known_shape(folder: &Path) -> Option<Value> {
    let shapes = ["old", "new"].map(|name| {
        let bytes = std::fs::read(folder.join(format!("{name}.trailbrake.mcap"))).ok()?;
        let json: Value = serde_json::from_slice(open(&bytes).facts().json("track")?).ok()?;
        Some(json["fingerprint"].clone())
    });
    let [old, new] = shapes;
    old.zip(new).map(|(old, _)| old)
}
