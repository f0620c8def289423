//! Checks every field of `trailbrake inspect --json` against the simulator's truth.

use std::net::SocketAddr;

use serde_json::{Number, Value, json};
use trailbrake_shared::feed::Feed;
use trailbrake_shared::recording::facts::Labels;
use trailbrake_shared::recording::{
    Authored, Info, Note, NoteColour, Packet, RecordingId, UNCLAIMED, Writer,
};
use trailbrake_shared::sim::truth::{LapMarks, LapTruth, Truth};
use trailbrake_shared::sim::{Demo, Options, Request};

use crate::race::{Folder, run};
use crate::recorded::BEGAN;

const SENDER: ([u8; 4], u16) = ([192, 168, 1, 20], 33739);
/// Indexes of the packets that are dropped.
const LEFT_OUT: std::ops::Range<u64> = 5000..5030;
/// Index at which bytes arrive that no feed recognises.
const NOISE: u64 = 100;
/// Length of a practice session, seconds.
const SESSION_S: u16 = 3600;

/// What a feed's game sends of the simulator's truth.
struct Case {
    feed: Feed,
    /// How long is recorded, and how much longer the demo runs so that the open laps finish.
    seconds: f64,
    more_s: f64,
    game: &'static str,
    /// The session's fields that are not null.
    session: fn(&Truth, f64) -> Value,
    /// The car that the game calls the player's, and the car whose laps are listed as the player's own.
    player: Option<u8>,
    own: usize,
    /// The cars that the game reports, each with its driver's name and fields.
    drivers: fn(&Truth) -> Vec<(usize, String, Value)>,
    /// The simulator's index of a car that the game reports.
    truth_of: fn(&Truth, usize) -> usize,
    /// Whether the game sends sectors, and whether stints are counted.
    sectors: bool,
    stints: bool,
    flags: fn(LapMarks) -> Vec<&'static str>,
}

const CASES: [Case; 4] = [
    Case {
        feed: Feed::F1,
        seconds: 420.0,
        more_s: 90.0,
        game: "F1 2018",
        session: |truth, seconds| {
            let zone = |place: u8| json!({ "start": f64::from(place) / 16.0, "flag": "None" });
            json!({
                "uid": truth.sessions[0].uid, "kind": { "Practice": 1 }, "track_length_m": truth.circuit.length_m.round(),
                "total_laps": 0, "weather": "LightCloud", "track_celsius": 27, "air_celsius": 19,
                "seconds_left": SESSION_S - seconds as u16, "duration_s": SESSION_S, "pit_limit_mps": 80.0_f32 / 3.6,
                "classic": false, "paused": false, "spectating": false, "online": false, "sli_pro": false,
                "safety_car": "None", "marshal_zones": (0..16).map(zone).collect::<Vec<_>>(),
            })
        },
        player: Some(1),
        own: 1,
        drivers: |truth| {
            let numbers = [
                (12, 27, "Finnish", 0, "Mercedes"),
                (21, 21, "Danish", 1, "Ferrari"),
                (4, 10, "British", 2, "Red Bull"),
            ];
            let driver = |(car, (race, number, nation, team, name)): (usize, (u8, u8, &str, u8, &str))| {
                let who = json!({
                    "ai": car != truth.player, "driver": { "number": 100 + car, "name": null }, "race_number": race,
                    "nationality": { "number": number, "name": nation }, "team": { "number": team, "name": name },
                });
                (car, truth.drivers[car].clone(), who)
            };
            numbers.into_iter().enumerate().map(driver).collect()
        },
        truth_of: |_, car| car,
        sectors: true,
        stints: true,
        flags: |marks| {
            let flags = [
                (!marks.invalid, "valid"),
                (marks.invalid, "invalid"),
                (marks.out_lap, "out"),
                (marks.in_lap, "in"),
                (marks.in_lap || marks.out_lap, "pit"),
            ];
            flags.into_iter().filter_map(|(is_set, flag)| is_set.then_some(flag)).collect()
        },
    },
    Case {
        feed: Feed::GranTurismo,
        seconds: 420.0,
        more_s: 90.0,
        game: "Gran Turismo 7",
        session: |_, _| json!({ "kind": "Unknown", "paused": false, "replay": false }),
        player: Some(0),
        own: 0,
        drivers: |_| vec![(0, "Car 1".to_owned(), Value::Null)],
        truth_of: |truth, _| truth.player,
        sectors: false,
        stints: false,
        // The game sends neither track limits nor pit stops.
        flags: |_| vec!["valid"],
    },
    Case {
        feed: Feed::AcServer,
        seconds: 420.0,
        more_s: 90.0,
        game: "Assetto Corsa, dedicated server",
        session: |truth, seconds| {
            let over = truth.sessions[0].finished.iter().filter(|lap| lap.ended_s <= seconds).count();
            // Each lap adds rubber to the track.
            let grip = (0.94 + 0.001 * over as f64) as f32;
            let track = truth.circuit.name.to_lowercase().replace(' ', "_");
            json!({
                "kind": "ShortQualifying", "track": { "id": format!("{track}/full"), "name": format!("{track}, full") },
                "weather_name": "5_light_clouds", "track_celsius": 27, "air_celsius": 19, "duration_s": 600, "online": true,
                "grip": grip,
                "server": {
                    "name": "Karvala evening, everybody welcome", "protocol": 4, "session_name": "Qualify", "session": 0,
                    "sessions": 2, "driven": 0, "elapsed_ms": 0, "wait_ms": 0,
                },
            })
        },
        player: None,
        // Without a player, the first car is watched.
        own: 0,
        drivers: |truth| {
            let driver = |(car, name): (usize, &String)| {
                let guid = format!("7656119{:010}", 40_000_000 + car * 7_919);
                (car, name.clone(), json!({ "guid": guid, "presence": "There" }))
            };
            truth.drivers.iter().enumerate().map(driver).collect()
        },
        truth_of: |_, car| car,
        sectors: false,
        stints: false,
        flags: |marks| vec![if marks.invalid { "invalid" } else { "valid" }],
    },
    Case {
        feed: Feed::DirtRally,
        seconds: 200.0,
        more_s: 0.0,
        game: "DiRT Rally 1 and 2.0",
        session: |_, _| {
            json!({
                "kind": "Stage", "track": { "id": "3901.00@16", "name": null }, "track_length_m": 3901.0, "total_laps": 1,
                "sli_pro": true,
            })
        },
        player: Some(0),
        own: 0,
        drivers: |_| vec![(0, "Car 1".to_owned(), Value::Null)],
        truth_of: |_, car| car,
        sectors: true,
        stints: false,
        flags: |_| vec!["valid"],
    },
];

/// A session's fields by name. What a game does not send is null.
const SESSION: [&str; 24] = [
    "uid",
    "kind",
    "track",
    "track_length_m",
    "total_laps",
    "weather",
    "weather_name",
    "grip",
    "track_celsius",
    "air_celsius",
    "seconds_left",
    "duration_s",
    "pit_limit_mps",
    "classic",
    "paused",
    "spectating",
    "watching",
    "cars",
    "replay",
    "online",
    "sli_pro",
    "safety_car",
    "server",
    "marshal_zones",
];

/// A recorded drive and the simulator's truth about it.
struct Drive {
    bytes: Vec<u8>,
    packets: u64,
    gap: Value,
    note: Note,
    truth: Truth,
}

fn drive(case: &Case) -> Drive {
    let options = Options {
        cars: 3,
        player: 1,
        again: false,
        duration_s: SESSION_S,
        requests: vec![
            (100.0, Request::RunWide { car: 1 }),
            (190.0, Request::Pit { car: 1, tyres: Default::default() }),
        ],
        ..Options::default()
    };
    let mut demo = Demo::new(case.feed, options, BEGAN).expect("a feed that is spoken");
    let info = Info {
        id: RecordingId(7),
        parent: Some(RecordingId(6)),
        created: BEGAN,
        feed: case.feed.id().into(),
        program: "the tests".into(),
        others_left_out: false,
    };
    let mut writer = Writer::new(&info);
    let mut number = 0;
    let mut times = Vec::new();
    let mut take = |at, feed: &str, bytes: Vec<u8>| {
        if !LEFT_OUT.contains(&number) {
            writer.keep(Packet {
                number,
                at,
                sender: SocketAddr::from(SENDER),
                port: 20777,
                feed: feed.into(),
                bytes,
            });
        }
        times.push(at);
        number += 1;
        number
    };
    let (mut now, end) = (BEGAN, BEGAN.plus_seconds(case.seconds));
    while now < end {
        now = now.plus_seconds(0.5);
        demo.advance(now, &mut |at, bytes| {
            if take(at, case.feed.id(), bytes.to_vec()) == NOISE {
                take(at, UNCLAIMED, b"what is this".to_vec());
            }
        });
    }
    while now < end.plus_seconds(case.more_s) {
        now = now.plus_seconds(0.5);
        demo.advance(now, &mut |_, _| {});
    }
    let note = Note {
        recording: info.id,
        at: BEGAN.plus_seconds(120.0),
        author: "Ann".to_owned(),
        text: "brake later".to_owned(),
        car: None,
        distance_m: Some(812.5),
        colour: NoteColour::Amber,
        rank_mm: None,
        ranked: None,
        written: None,
        felt: None,
        others: Vec::new(),
    };
    writer.write_now(&note.name(), note.stored(note.at));
    writer.write_last(BEGAN, &Labels { name: Some("Mine".into()), tags: vec!["wet".into()] });
    let packets = number - (LEFT_OUT.end - LEFT_OUT.start);
    let time = |number: u64| times[number as usize];
    let gap = json!({ "from": time(LEFT_OUT.start - 1), "to": time(LEFT_OUT.end), "lost": 30 });
    Drive {
        bytes: [writer.bytes(), writer.finish()].concat(),
        packets,
        gap,
        note,
        truth: demo.truth().clone(),
    }
}

/// A lap's sectors as the game sends them. On a stage it times the first two splits; the third is passed in the first
/// packet after it.
fn sent_sectors(lap: &LapTruth) -> Vec<u32> {
    const PER_MS: f64 = 60.0 / 1e3;
    match lap.sectors_ms[..] {
        [first, second, third, fourth] => {
            let split = f64::from(first + second + third);
            let late = ((split * PER_MS).ceil() / PER_MS - split).round() as u32;
            vec![first, second, third + late, fourth - late]
        }
        _ => lap.sectors_ms.clone(),
    }
}

/// The expected entry of a lap. A lap that ends after the recording has what is known by then, and is incomplete.
fn lap(case: &Case, drive: &Drive, car: usize, driver: &str, lap: &LapTruth) -> Value {
    let session = &drive.truth.sessions[0];
    let over = lap.ended_s <= case.seconds;
    let began_s = lap.ended_s - f64::from(lap.time_ms) / 1e3;
    let mut passed_s = began_s;
    let sectors: Vec<Option<u32>> = sent_sectors(lap)
        .into_iter()
        .map(|sector| {
            passed_s += f64::from(sector) / 1e3;
            // The last sector ends with the lap.
            (case.sectors && passed_s <= case.seconds && (over || passed_s < lap.ended_s)).then_some(sector)
        })
        .collect();
    let stops = session.pit_stops.iter().filter(|stop| (stop.car, stop.lap < lap.number) == (lap.car, true));
    json!({
        "session": 1, "car": car, "driver": driver, "player": case.player.is_some() && car == case.own, "lap": lap.number, "run": 1,
        "stint": if case.stints { 1 + stops.count() } else { 1 },
        "time_ms": over.then_some(lap.time_ms), "sectors_ms": sectors,
        "flags": if over { (case.flags)(lap.marks) } else { vec!["incomplete"] }, "under_way": false,
    })
}

/// A lap's track: its name, else its length if the id contains one, else its id.
fn track(fields: &Value) -> Option<String> {
    let name = fields["name"].as_str().map(str::to_owned);
    let id = fields["id"].as_str();
    name.or_else(|| match id?.split_once('.') {
        Some((metres, _)) => Some(format!("Unnamed stage ({metres} m)")),
        None => Some(format!("Track {}", id?)),
    })
}

/// The whole expected report.
fn expected(case: &Case, drive: &Drive, file: &str) -> Value {
    let mut session: serde_json::Map<String, Value> =
        SESSION.iter().map(|name| ((*name).to_owned(), Value::Null)).collect();
    session.insert("marshal_zones".to_owned(), json!([]));
    let session_fields = (case.session)(&drive.truth, case.seconds);
    session.extend(session_fields.as_object().expect("fields").clone());
    let track_fields = session["track"].clone();
    let (mut participants, mut laps) = (Vec::new(), Vec::new());
    for (car, name, driver_fields) in (case.drivers)(&drive.truth) {
        let unnamed = json!({ "number": null, "name": null });
        let mut who = json!({
            "car": car, "name": name, "guid": null, "presence": null, "ai": null, "driver": unnamed, "team": unnamed,
            "race_number": null, "nationality": unnamed,
        });
        if let (Some(who), Some(driver_fields)) = (who.as_object_mut(), driver_fields.as_object()) {
            who.extend(driver_fields.clone());
            participants.push(json!(who));
        }
        let truth_of = (case.truth_of)(&drive.truth, car);
        let own = drive.truth.sessions[0].finished.iter().filter(|lap| lap.car == truth_of);
        let begun = own.filter(|lap| lap.ended_s - f64::from(lap.time_ms) / 1e3 < case.seconds);
        laps.extend(begun.map(|truth| {
            let mut printed = lap(case, drive, car, &name, truth);
            if let (Some(printed), Some(track)) = (printed.as_object_mut(), track(&track_fields)) {
                printed.insert("track".to_owned(), json!(track));
            }
            printed
        }));
    }
    let noise =
        "unknown packet (12 bytes, starting 77 68 61 74 20 69 73 20 74 68 69 73), not from a supported game";
    json!({
        "file": file, "bytes": drive.bytes.len(), "gaps": [drive.gap], "notes": [drive.note],
        "rejected": { "packets": 1, "reasons": [{ "reason": noise, "packets": 1 }] },
        "facts": {
            "info": {
                "version": 1, "id": RecordingId(7).to_string(), "parent": RecordingId(6).to_string(), "created": BEGAN,
                "feed": case.feed.id(), "program": "the tests", "others_left_out": false,
            },
            "labels": { "version": 1, "name": "Mine", "tags": ["wet"] },
        },
        "feeds": [{
            "feed": case.feed.id(), "sender": "192.168.1.20:33739", "packets": drive.packets - 1,
            "rejected": { "packets": 0, "reasons": [] },
            "sessions": [{
                "game": case.game, "session": session, "player": case.player, "participants": participants, "laps": laps,
            }],
        }],
    })
}

/// Collects the paths at which two values differ.
fn differences(one: &Value, other: &Value, place: &str, found: &mut Vec<String>) {
    match (one, other) {
        (Value::Object(one), Value::Object(other)) => {
            let mut names: Vec<&String> = one.keys().chain(other.keys()).collect();
            names.sort();
            names.dedup();
            for name in names {
                match (one.get(name), other.get(name)) {
                    (Some(one), Some(other)) => differences(one, other, &format!("{place}.{name}"), found),
                    (one, other) => found.push(format!("{place}.{name}: {one:?} and {other:?}")),
                }
            }
        }
        (Value::Array(one), Value::Array(other)) if one.len() == other.len() => {
            for (nth, (one, other)) in one.iter().zip(other).enumerate() {
                differences(one, other, &format!("{place}[{nth}]"), found);
            }
        }
        // Parsing text may change the last bit of a number.
        (Value::Number(one), Value::Number(other)) if is_same(one, other) => {}
        _ if one == other => {}
        _ => found.push(format!("{place}: {one} and {other}")),
    }
}

fn is_same(one: &Number, other: &Number) -> bool {
    // Many numbers are 32-bit floats, printed as short as possible.
    let near = |(one, other): (f64, f64)| one as f32 == other as f32;
    one == other || one.is_f64() && other.is_f64() && one.as_f64().zip(other.as_f64()).is_some_and(near)
}

#[test]
fn every_field_is_what_was_driven() {
    let mut found = Vec::new();
    for case in &CASES {
        let drive = drive(case);
        let folder = Folder::new(&format!("inspected-{}", case.feed.id()));
        let file = folder.path("one.mcap");
        std::fs::write(&file, &drive.bytes).expect("a file");
        let (printed, _) = run(&folder, "inspect", "one.mcap", &["--json"]).expect("a report");
        let report: Value = serde_json::from_str(&printed).expect("JSON");
        let expected = expected(case, &drive, &file.display().to_string());
        differences(&report, &expected, case.feed.id(), &mut found);
    }
    assert_eq!(found, [""; 0], "printed and expected");
}
