//! The laps of random sessions are the same from a decoded file, from recordings of it, and from the live session.

use std::collections::BTreeMap;
use std::net::SocketAddr;

use proptest::prelude::*;
use trailbrake_shared::feed::Feed;
use trailbrake_shared::lap_catalogue::{Drivers, LapCatalogue, LapChoice, LapEntry, LapQuery};
use trailbrake_shared::model::Car;
use trailbrake_shared::recording::recorder::{Action, FileId, Policy};
use trailbrake_shared::recording::{Opening, Reading, Recorder, Recording, RecordingId, read_whole};
use trailbrake_shared::session::{Archive, Receiver};
use trailbrake_shared::sim::{Demo, Options, Request, Start};
use trailbrake_shared::time::Micros;
use trailbrake_shared::wire::Datagram;

const BEGAN: Micros = Micros(1_795_271_520_000_000);

/// The parameters of a random session.
#[derive(Clone, Debug)]
struct Plan {
    /// The year of the packets, where the feed has several.
    year: u16,
    seed: u64,
    race: bool,
    laps: u8,
    seconds: f64,
    /// Seconds at its beginning that are not received.
    joined_s: f64,
    /// Lost packets per thousand.
    lost: u64,
}

fn plans(year: u16) -> impl Strategy<Value = Plan> {
    let joined_s = prop_oneof![Just(0.0), 1.0..60.0_f64];
    let plan = (0..1_000_000_u64, any::<bool>(), 1..3_u8, 120.0..330.0_f64, joined_s, 0..20_u64);
    plan.prop_map(move |(seed, race, laps, seconds, joined_s, lost)| Plan {
        year,
        seed,
        race,
        laps,
        seconds,
        // Late enough for laps before, where a game reports them.
        joined_s: if year > 2018 { joined_s * 1.8 } else { joined_s },
        lost,
    })
}

/// The packets of a session that are received.
fn received(feed: Feed, plan: &Plan) -> Vec<(Micros, Vec<u8>)> {
    let options = Options {
        seed: plan.seed,
        year: plan.year,
        cars: 3,
        player: 1,
        circuit: (plan.seed % 3) as usize,
        start: if plan.race { Start::Grid } else { Start::Flying },
        laps: plan.laps,
        keep_truth: false,
        requests: match plan.seed % 4 {
            0 => vec![(70.0, Request::Pause { seconds: 4.0 })],
            1 => vec![(130.0, Request::Rewind { seconds: 6.0 })],
            2 => vec![(90.0, Request::Restart { new_identity: plan.seed % 8 == 2 })],
            _ => Vec::new(),
        },
        ..Options::default()
    };
    let mut demo = Demo::new(feed, options, BEGAN).expect("a feed that is spoken");
    let (mut packets, mut now, mut random) = (Vec::new(), BEGAN, plan.seed);
    while now.seconds_since(BEGAN) < plan.seconds {
        now = now.plus_seconds(0.5);
        demo.advance(now, &mut |at, bytes| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let is_lost = (random >> 33) % 1000 < plan.lost;
            if at.seconds_since(BEGAN) >= plan.joined_s && !is_lost {
                packets.push((at, bytes.to_vec()));
            }
        });
    }
    packets
}

fn datagram(feed: Feed, (at, bytes): &(Micros, Vec<u8>)) -> Datagram<'_> {
    let sender = SocketAddr::from(([127, 0, 0, 1], 5000));
    Datagram { at: *at, sender, port: 20777, feed: Some(feed), bytes }
}

/// The recordings the recorder makes of packets, in the order they began.
fn recordings(feed: Feed, packets: &[(Micros, Vec<u8>)]) -> Vec<Vec<u8>> {
    let mut ids = 0;
    let new_id = Box::new(move || {
        ids += 1;
        RecordingId(ids)
    });
    let mut recorder = Recorder::new(Policy::default(), "test", new_id);
    let mut files: BTreeMap<FileId, Vec<u8>> = BTreeMap::new();
    let mut write = |recorder: &mut Recorder| {
        for action in recorder.actions() {
            match action {
                Action::Open { file, .. } => drop(files.insert(file, Vec::new())),
                Action::Append { file, bytes } => files.get_mut(&file).expect("a file").extend(bytes),
                Action::Discard { file } => drop(files.remove(&file)),
                Action::Keep { .. } | Action::Close { .. } => {}
            }
        }
    };
    for packet in packets {
        recorder.receive(&datagram(feed, packet));
        recorder.poll(packet.0);
        write(&mut recorder);
    }
    recorder.stop();
    write(&mut recorder);
    files.into_values().collect()
}

fn open(bytes: &[u8]) -> Recording {
    let mut opening = Opening::new(bytes.len() as u64);
    read_whole(&mut opening, bytes);
    opening.finish().expect("a recording")
}

/// The queries for every catalogue.
fn queries() -> Vec<LapQuery> {
    let laps =
        [vec![], vec![LapChoice::Best], vec![LapChoice::Numbers(2, 2)], vec![LapChoice::Numbers(1, 3)]];
    let drivers = [Drivers::Player, Drivers::Everyone, Drivers::Car(Car(0)), Drivers::Car(Car(2))];
    let of = |drivers: Drivers| laps.clone().map(|laps| LapQuery { drivers, laps, ..LapQuery::default() });
    drivers.into_iter().flat_map(of).collect()
}

/// All data of a lap except its session number.
fn words(entry: &LapEntry) -> String {
    let lap = serde_json::to_string(&entry.lap).expect("JSON");
    let LapEntry { driver, model, session, .. } = entry;
    format!("{} {driver:?} {model:?} {} {:?} {lap}", entry.id.car, entry.is_player(), session.track)
}

/// A catalogue's answer for one of its sessions.
fn answers(catalogue: &LapCatalogue, session: u16, query: &LapQuery) -> Vec<String> {
    let query = LapQuery { session: Some(session), ..query.clone() };
    let mut answers: Vec<String> = catalogue.select(&query).into_iter().map(words).collect();
    let picked = catalogue.pick(&query, None).ok();
    answers.extend(picked.map(|entry| format!("picked {}", words(entry))));
    if let Some(entry) = picked {
        let reference = catalogue.best_reference(entry, None);
        answers.extend(reference.map(|(found, near)| format!("{near:?} {}", words(found))));
        answers.extend(catalogue.stint(entry).into_iter().map(|entry| format!("stint {}", words(entry))));
    }
    answers
}

fn sessions_of(catalogue: &LapCatalogue) -> u16 {
    catalogue.laps().last().map_or(0, |entry| entry.id.session + 1)
}

/// The rows of a list of all laps.
fn listed(catalogue: &LapCatalogue) -> Vec<String> {
    catalogue.listed(catalogue.laps()).into_iter().map(words).collect()
}

fn same_answers(feed: Feed, one: &LapCatalogue, other: &LapCatalogue) -> Result<(), TestCaseError> {
    prop_assert_eq!(listed(one), listed(other), "{:?}", feed);
    prop_assert_eq!(sessions_of(one), sessions_of(other), "{:?}", feed);
    for query in queries() {
        for session in 0..sessions_of(one) {
            let [one, other] = [one, other].map(|catalogue| answers(catalogue, session, &query));
            prop_assert_eq!(one, other, "{:?}, session {}, {:?}", feed, session, query);
        }
    }
    Ok(())
}

fn check(feed: Feed, plan: &Plan) -> Result<(), TestCaseError> {
    let packets = received(feed, plan);
    let (mut archive, mut live) = (Archive::default(), Receiver::default());
    for packet in &packets {
        let _ = archive.take(&datagram(feed, packet));
        let _ = live.receive(&datagram(feed, packet));
    }
    let of_file = LapCatalogue::of_archive(&archive);
    let recordings = recordings(feed, &packets);
    for bytes in &recordings {
        let recording = open(bytes);
        let recorded = LapCatalogue::of_recording(&recording);
        let mut again = Archive::default();
        let mut reading = recording.all_packets();
        while let Some(range) = reading.needs() {
            reading.give(&bytes[range.start as usize..range.end as usize]);
            reading.take().iter().for_each(|packet| drop(again.take(&packet.datagram())));
        }
        same_answers(feed, &recorded, &LapCatalogue::of_archive(&again))?;
        if recordings.len() == 1 {
            same_answers(feed, &recorded, &of_file)?;
        }
    }
    // Live, the current lap is still being driven; in a file that ends there it is incomplete.
    let session = live.session().expect("a session");
    let of_live = LapCatalogue::of_session(session, feed);
    let finished = |catalogue: &LapCatalogue, number: u16| {
        let laps = catalogue.listed(catalogue.laps()).into_iter();
        let laps = laps.filter(|entry| entry.id.session == number);
        let under_way = |entry: &&LapEntry| {
            session.car(entry.id.car).and_then(|car| car.laps.current()).map(|lap| lap.serial)
                != Some(entry.id.serial)
        };
        laps.filter(under_way).map(words).collect::<Vec<_>>()
    };
    if of_live.laps().iter().any(|entry| entry.lap.ended_s.is_some()) {
        prop_assert_eq!(
            finished(&of_live, 0),
            finished(&of_file, sessions_of(&of_file) - 1),
            "{:?} live",
            feed
        );
    }
    Ok(())
}

/// Where the stage begins is known only once it is driven again, from its start.
#[test]
fn a_stage_that_was_joined_late_and_restarted_is_the_same_wherever_it_comes_from() {
    let plan = Plan {
        year: 2018,
        seed: 626_594,
        race: false,
        laps: 1,
        seconds: 307.408_816_640_368_3,
        joined_s: 37.043_300_666_572_48,
        lost: 10,
    };
    check(Feed::DirtRally, &plan).expect("the same laps");
}

/// Declares one test per feed, so that a failure names the feed.
macro_rules! feeds {
    ($($test:ident $feed:ident $year:expr;)*) => { $(
        #[test]
        fn $test() {
            let cases = ProptestConfig { cases: 4, failure_persistence: None, ..ProptestConfig::default() };
            // Shrinking a complete session takes too long.
            let config = ProptestConfig { max_shrink_iters: 8, ..cases };
            proptest!(config, |(plan in plans($year))| check(Feed::$feed, &plan)?);
        }
    )* };
}

feeds! {
    f1_2018_laps_are_the_same_wherever_they_come_from F1 2018;
    f1_24_laps_are_the_same_wherever_they_come_from F1 2024;
    gran_turismo_laps_are_the_same_wherever_they_come_from GranTurismo 2018;
    forza_laps_are_the_same_wherever_they_come_from Forza 2018;
    ac_remote_laps_are_the_same_wherever_they_come_from AcRemote 2018;
    ac_telemetry_tool_laps_are_the_same_wherever_they_come_from AcTelemetryTool 2018;
    ac_lua_laps_are_the_same_wherever_they_come_from AcLua 2018;
    dirt_rally_laps_are_the_same_wherever_they_come_from DirtRally 2018;
    ea_wrc_laps_are_the_same_wherever_they_come_from EaWrc 2018;
    ac_server_laps_are_the_same_wherever_they_come_from AcServer 2018;
}
