//! Tests of when a page joins a session, and of what it shows then.

use trailbrake_shared::feed::Feed;
use trailbrake_shared::recording::recorder::{Action, Policy};
use trailbrake_shared::recording::{Opening, Recorder, Recording, read_whole};
use trailbrake_shared::session::Session;
use trailbrake_shared::sim::{Demo, Options};
use trailbrake_shared::wire::{self, RecordingStatus, Status, ToBrowser};

use super::super::{Connection, Telemetry};
use super::*;

const BEGAN: Micros = Micros(1_000_000_000);
const ID: RecordingId = RecordingId(7);

fn hello(telemetry: &mut Telemetry, seconds: f64) {
    greet(telemetry, seconds, 0.0);
}

/// The greeting of a relay that was started at `started_s`; the page's clock agrees with it.
fn greet(telemetry: &mut Telemetry, seconds: f64, started_s: f64) {
    let (now, started) = (BEGAN.plus_seconds(seconds), BEGAN.plus_seconds(started_s));
    let hello = ToBrowser::Hello { relay: String::new(), now, started };
    telemetry.receive(&wire::encode(&hello).expect("a message"), seconds * 1e3).expect("a greeting");
}

/// The relay's status: it is recording since `began_s`, or not at all.
fn status(telemetry: &mut Telemetry, began_s: Option<f64>) {
    let underway = began_s.map(|seconds| RecordingStatus {
        id: ID.to_string(),
        file: String::new(),
        began: BEGAN.plus_seconds(seconds),
        last: BEGAN.plus_seconds(seconds),
        bytes: 0,
        in_memory: false,
    });
    let recorder = RecorderStatus { underway: underway.into_iter().collect(), ..RecorderStatus::default() };
    let status = Status { recorder, ..Status::default() };
    telemetry.receive(&wire::encode(&ToBrowser::Status(status)).expect("a message"), 0.0).expect("a status");
}

/// The packets of a race, in order.
fn race(seconds: f64) -> Vec<(Micros, Vec<u8>)> {
    race_of(Options::default(), BEGAN, seconds)
}

fn race_of(options: Options, began: Micros, seconds: f64) -> Vec<(Micros, Vec<u8>)> {
    let options = Options { cars: 2, player: 1, keep_truth: false, ..options };
    let mut packets = Vec::new();
    let mut demo = Demo::new(Feed::F1, options, began).expect("a demo");
    demo.drive(seconds, &mut |at, bytes| packets.push((at, bytes.to_vec())));
    packets
}

fn datagram((at, bytes): &(Micros, Vec<u8>)) -> Datagram<'_> {
    let sender = ([127, 0, 0, 1], 5000).into();
    Datagram { at: *at, sender, port: 20777, feed: Some(Feed::F1), bytes }
}

fn arrive(telemetry: &mut Telemetry, packets: &[(Micros, Vec<u8>)]) {
    for packet in packets {
        let message = wire::encode(&ToBrowser::Batch(vec![datagram(packet)])).expect("a message");
        telemetry.receive(&message, 0.0).expect("a packet");
    }
}

/// The unfinished recording of these packets, and its bytes.
fn recorded(packets: &[(Micros, Vec<u8>)]) -> (Recording, Vec<u8>) {
    let mut recorder = Recorder::new(Policy::default(), "test", Box::new(|| ID));
    packets.iter().for_each(|packet| recorder.receive(&datagram(packet)));
    recorder.flush();
    let mut bytes = Vec::new();
    for action in recorder.actions() {
        if let Action::Append { bytes: more, .. } = action {
            bytes.extend(more);
        }
    }
    let file = recorder.files().next().expect("a recording").0;
    bytes.extend(recorder.tail(file).expect("what opens it"));
    let mut opening = Opening::new(bytes.len() as u64);
    read_whole(&mut opening, &bytes);
    (opening.finish().expect("a recording"), bytes)
}

fn work(telemetry: &mut Telemetry, ticket: Ticket, bytes: &[u8]) {
    let mut rounds = 0;
    loop {
        let mut steps = 0;
        let needs = telemetry.work_on_join(ticket, &mut || {
            steps += 1;
            steps < 3
        });
        match needs {
            Needs::Bytes(place, range) => {
                telemetry.give_to_join(ticket, place, &bytes[range.start as usize..range.end as usize]);
            }
            Needs::Time => rounds += 1,
            Needs::Nothing => break,
        }
        assert!(rounds < 100_000, "it catches up");
    }
}

fn packets(telemetry: &Telemetry) -> u64 {
    telemetry.shown().map_or(0, |source| source.packets)
}

#[test]
fn a_page_that_connects_late_has_every_packet_once() {
    let race = race(30.0);
    let (connected, opened) = (race.len() / 2, race.len() * 2 / 3);
    let mut telemetry = Telemetry::default();
    hello(&mut telemetry, 15.0);
    arrive(&mut telemetry, &race[connected..opened]);
    assert_eq!(packets(&telemetry), (opened - connected) as u64, "what arrives is shown at once");
    status(&mut telemetry, Some(0.0));
    let generation = telemetry.generation();
    let (ticket, ids) = telemetry.recordings_to_join().expect("the recording under way");
    assert_eq!(ids, [ID]);
    assert_eq!(telemetry.recordings_to_join(), None);
    let (recording, bytes) = recorded(&race[..opened]);
    telemetry.read_to_join(ticket, &[&recording]);
    telemetry.tick(1_000.0);
    telemetry.session_mut().expect("a session").pick(Some(trailbrake_shared::model::Car(0)));
    arrive(&mut telemetry, &race[opened..opened + 50]);
    assert_eq!(telemetry.joining_share(), Some(0.0));
    work(&mut telemetry, ticket, &bytes);
    assert_eq!((packets(&telemetry), telemetry.joining_share()), (opened as u64 + 50, None));
    assert_ne!(telemetry.generation(), generation);
    telemetry.tick(2_000.0);
    assert_eq!(telemetry.per_second(), 50, "what was read does not arrive");
    assert_eq!(telemetry.session().and_then(|session| session.picked()).map(|car| car.0), Some(0));
    arrive(&mut telemetry, &race[opened + 50..]);
    assert_eq!(packets(&telemetry), race.len() as u64);
    status(&mut telemetry, Some(0.0));
    assert_eq!(telemetry.recordings_to_join(), None, "it is known");
}

#[test]
fn what_began_while_the_page_was_open_is_not_joined_and_what_began_before_is() {
    let mut telemetry = Telemetry::default();
    hello(&mut telemetry, 10.0);
    assert_eq!(telemetry.joining_share(), Some(0.0));
    status(&mut telemetry, None);
    assert_eq!((telemetry.joining_share(), telemetry.recordings_to_join()), (None, None));
    status(&mut telemetry, Some(11.0));
    assert_eq!(telemetry.recordings_to_join(), None);

    // The relay lists a recording only once it is sure to be kept.
    let mut telemetry = Telemetry::default();
    hello(&mut telemetry, 10.0);
    status(&mut telemetry, None);
    status(&mut telemetry, Some(7.0));
    assert!(telemetry.recordings_to_join().is_some());
}

#[test]
fn a_demo_or_a_recording_is_not_joined_and_the_game_is_once_they_end() {
    let mut telemetry = Telemetry::default();
    hello(&mut telemetry, 10.0);
    for other in [Connection::Demo, Connection::Replay] {
        telemetry.connect(other);
        hello(&mut telemetry, 12.0);
        status(&mut telemetry, Some(0.0));
        assert_eq!((telemetry.joining_share(), telemetry.recordings_to_join()), (None, None));
        telemetry.connect(Connection::Relay);
        status(&mut telemetry, Some(0.0));
        let (ticket, _) = telemetry.recordings_to_join().expect("the recording under way");
        telemetry.give_up_join(ticket);
        assert_eq!(telemetry.joining_share(), None);
        assert_eq!(telemetry.work_on_join(ticket, &mut || true), Needs::Nothing);
    }
}

#[test]
fn a_relay_that_was_started_again_takes_no_lap_away() {
    let race = race(200.0);
    let restarted = race.len() * 3 / 4;
    let laps = |telemetry: &Telemetry| {
        let session = telemetry.session().expect("a session");
        session.cars().map(|(_, car)| car.laps.finished().len()).sum::<usize>()
    };
    let mut telemetry = Telemetry::default();
    hello(&mut telemetry, 0.0);
    status(&mut telemetry, None);
    arrive(&mut telemetry, &race[..restarted]);
    let before = laps(&telemetry);
    assert!(before > 0);
    greet(&mut telemetry, 155.0, 150.2);
    let words = "Trailbrake was away for 155 s and was started again: what games sent meanwhile is missing.";
    assert_eq!(telemetry.faults().first().map(|fault| fault.words.as_str()), Some(words));
    status(&mut telemetry, Some(150.5));
    let (ticket, _) = telemetry.recordings_to_join().expect("the recording under way");
    let (recording, bytes) = recorded(&race[restarted..]);
    telemetry.read_to_join(ticket, &[&recording]);
    work(&mut telemetry, ticket, &bytes);
    assert_eq!((laps(&telemetry), telemetry.joining_share()), (before, None));
}

#[test]
fn a_relay_that_was_started_again_takes_no_lap_away_however_many_were_driven_since() {
    let race = race(420.0);
    let index = |seconds: f64| race.partition_point(|(at, _)| *at < BEGAN.plus_seconds(seconds));
    let (crashed, restarted) = (index(100.0), index(150.0));
    let times = |telemetry: &Telemetry| -> Vec<_> {
        let session = telemetry.session().expect("a session");
        session.cars().flat_map(|(_, car)| car.laps.finished().iter().filter_map(|lap| lap.time)).collect()
    };
    let mut telemetry = Telemetry::default();
    hello(&mut telemetry, 0.0);
    status(&mut telemetry, None);
    arrive(&mut telemetry, &race[..crashed]);
    let before = times(&telemetry);
    assert!(!before.is_empty());
    greet(&mut telemetry, 155.0, 150.2);
    status(&mut telemetry, Some(150.5));
    let (ticket, _) = telemetry.recordings_to_join().expect("the recording under way");
    // The page is slow: the recording has more laps by now than it had before the crash.
    let (recording, bytes) = recorded(&race[restarted..]);
    telemetry.read_to_join(ticket, &[&recording]);
    work(&mut telemetry, ticket, &bytes);
    let now = times(&telemetry);
    assert!(before.iter().all(|time| now.contains(time)), "{before:?} {now:?}");
    assert_eq!(telemetry.joining_share(), None);
}

#[test]
fn a_page_that_slept_through_a_change_of_session_shows_the_new_one() {
    let old = race(100.0);
    let new = race_of(Options { seed: 9, ..Options::default() }, BEGAN.plus_seconds(150.0), 200.0);
    let times = |telemetry: &Telemetry| -> Vec<_> {
        let cars = telemetry.session().into_iter().flat_map(Session::cars);
        cars.flat_map(|(_, car)| car.laps.finished().iter().filter_map(|lap| lap.time)).collect()
    };
    let mut awake = Telemetry::default();
    hello(&mut awake, 150.0);
    arrive(&mut awake, &new);

    let mut telemetry = Telemetry::default();
    hello(&mut telemetry, 0.0);
    status(&mut telemetry, None);
    arrive(&mut telemetry, &old);
    assert!(!times(&telemetry).is_empty());
    // The relay was started again meanwhile, and the game is silent now.
    greet(&mut telemetry, 360.0, 120.0);
    status(&mut telemetry, Some(150.0));
    let (ticket, _) = telemetry.recordings_to_join().expect("the recording under way");
    let (recording, bytes) = recorded(&new);
    telemetry.read_to_join(ticket, &[&recording]);
    work(&mut telemetry, ticket, &bytes);
    assert_eq!(times(&telemetry), times(&awake));
}

#[test]
fn a_page_that_slept_shows_what_one_that_stayed_awake_shows() {
    let race = race(420.0);
    let index = |seconds: f64| race.partition_point(|(at, _)| *at < BEGAN.plus_seconds(seconds));
    let (asleep, awake, loaded) = (index(100.0), index(330.0), index(331.0));
    let shown = |telemetry: &Telemetry| {
        let session = telemetry.session().expect("a session");
        let laps: Vec<_> = session.cars().map(|(car, state)| (car, state.laps.finished().to_vec())).collect();
        let comparison = session.live_comparison();
        (laps, comparison.delta(), comparison.points().to_vec(), session.log().len())
    };
    let mut never = Telemetry::default();
    hello(&mut never, 0.0);
    arrive(&mut never, &race[..loaded]);

    let mut telemetry = Telemetry::default();
    hello(&mut telemetry, 0.0);
    status(&mut telemetry, None);
    arrive(&mut telemetry, &race[..asleep]);
    status(&mut telemetry, Some(0.1));
    assert_eq!(telemetry.recordings_to_join(), None, "it was open from the start");
    // It connects again, and has missed what was sent meanwhile.
    hello(&mut telemetry, 330.0);
    arrive(&mut telemetry, &race[awake..loaded]);
    status(&mut telemetry, Some(0.1));
    let (ticket, _) = telemetry.recordings_to_join().expect("the recording under way");
    let (recording, bytes) = recorded(&race[..loaded]);
    telemetry.read_to_join(ticket, &[&recording]);
    work(&mut telemetry, ticket, &bytes);
    assert_eq!(shown(&telemetry), shown(&never));
    assert!(shown(&telemetry).1.is_ok(), "a delta");

    for page in [&mut telemetry, &mut never] {
        arrive(page, &race[loaded..]);
    }
    assert_eq!(shown(&telemetry), shown(&never));
}
