//! A page that joins late, or jumps in a recording, shows the same values as one that was open from the start.

use std::net::SocketAddr;

use trailbrake_shared::feed::Feed;
use trailbrake_shared::lap_catalogue::LapCatalogue;
use trailbrake_shared::model::Signal;
use trailbrake_shared::recording::recorder::{Action, Policy};
use trailbrake_shared::recording::{
    LapReading, Opening, Reading, Recorder, Recording, RecordingId, SessionJoin, read_whole,
};
use trailbrake_shared::session::{
    Receiver, Retention, Session, log_words, recall_lap, sketch, take_earlier_best, timing_table,
};
use trailbrake_shared::sim::{Demo, Options, Start};
use trailbrake_shared::time::Micros;
use trailbrake_shared::units::Units;
use trailbrake_shared::wire::Datagram;

const BEGAN: Micros = Micros(1_795_271_520_000_000);
const MINUTES: f64 = 6.0;

type Packet = (Micros, Vec<u8>);

fn sent(feed: Feed, seed: u64) -> Vec<Packet> {
    let start = if seed.is_multiple_of(2) { Start::Grid } else { Start::Flying };
    let options = Options { seed, cars: 4, player: 1, start, keep_truth: false, ..Options::default() };
    let mut demo = Demo::new(feed, options, BEGAN).expect("a feed that is spoken");
    let mut packets = Vec::new();
    for tenths in 1..(MINUTES * 600.0) as u32 {
        let now = BEGAN.plus_seconds(f64::from(tenths) / 10.0);
        demo.advance(now, &mut |at, bytes| packets.push((at, bytes.to_vec())));
    }
    packets
}

fn datagram(feed: Feed, (at, bytes): &Packet) -> Datagram<'_> {
    let sender = SocketAddr::from(([127, 0, 0, 1], 5000));
    Datagram { at: *at, sender, port: 20777, feed: Some(feed), bytes }
}

/// The recording under way, as it is opened while packets still arrive.
struct Underway {
    recorder: Recorder,
    bytes: Vec<u8>,
}

impl Underway {
    fn new() -> Self {
        let recorder = Recorder::new(Policy::default(), "test", Box::new(|| RecordingId(1)));
        Self { recorder, bytes: Vec::new() }
    }

    fn receive(&mut self, datagram: &Datagram<'_>) {
        self.recorder.receive(datagram);
        self.recorder.poll(datagram.at);
        self.write();
    }

    fn write(&mut self) {
        for action in self.recorder.actions() {
            match action {
                Action::Append { bytes, .. } => self.bytes.extend(bytes),
                Action::Discard { .. } => panic!("one session is one recording"),
                Action::Open { .. } | Action::Keep { .. } | Action::Close { .. } => {}
            }
        }
    }

    fn open(&mut self) -> (Recording, Vec<u8>) {
        self.recorder.flush();
        self.write();
        let file = self.recorder.files().next().expect("a recording under way").0;
        let mut bytes = self.bytes.clone();
        bytes.extend(self.recorder.tail(file).expect("what opens it"));
        (open(&bytes), bytes)
    }
}

fn open(bytes: &[u8]) -> Recording {
    let mut opening = Opening::new(bytes.len() as u64);
    read_whole(&mut opening, bytes);
    opening.finish().expect("a recording")
}

/// Decodes the available packets of a session join.
fn work(join: &mut SessionJoin, bytes: &[u8], receiver: &mut Receiver) {
    loop {
        while let Some(packet) = join.next_packet() {
            let _ = receiver.receive(&packet.datagram());
        }
        let Some((place, range)) = join.needs() else { return };
        join.give(place, &bytes[range.start as usize..range.end as usize]);
    }
}

/// Everything the page shows of a session.
fn picture(feed: Feed, session: &Session) -> Vec<String> {
    let mut picture = vec![
        format!("{:?} {:?} {:?}", session.game(), session.info(), session.player()),
        format!("{:?}", session.participants()),
        format!("{:?} {:?}", session.bests(), session.sector_starts_m()),
        format!("{:?} {:?}", session.outline(), sketch(session)),
        format!("{:?}", session.track_print()),
    ];
    let catalogue = LapCatalogue::of_session(session, feed);
    picture.extend(
        catalogue.laps().iter().map(|entry| format!("{:?} {:?} {:?}", entry.id, entry.lap, entry.driver)),
    );
    let against = session.live_comparison();
    picture.push(match against.reference() {
        Some(reference) => format!("{} {:?} {:?}", reference.number, reference.curve, reference.zones),
        None => "no reference".to_owned(),
    });
    picture.push(format!("{:?} {:?} {:?}", against.delta(), against.points(), against.finished()));
    picture.push(format!("{:?} {:?} {:?}", against.zones(), against.braking(), against.same_braking()));
    picture.extend(
        session.log().map(|entry| format!("{:?} {}", entry.at, log_words(session, entry, Units::default()))),
    );
    picture.extend(timing_table(session).iter().map(|row| format!("{row:?}")));
    picture.extend(Signal::ALL.iter().map(|signal| format!("{:?}", session.signals().count(*signal))));
    picture
}

fn check(feed: Feed, seed: u64) {
    let packets = sent(feed, seed);
    let (mut from_start, mut underway) = (Receiver::default(), Underway::new());
    // When pages connect, and when they have opened the recording.
    let moments = [0.3, 0.55, 0.8].map(|share| (share * packets.len() as f64) as usize);
    let mut late: Vec<(SessionJoin, Receiver, Vec<u8>)> = Vec::new();
    for (place, packet) in packets.iter().enumerate() {
        let datagram = datagram(feed, packet);
        let _ = from_start.receive(&datagram);
        underway.receive(&datagram);
        late.extend(
            moments.contains(&place).then(|| (SessionJoin::default(), Receiver::default(), Vec::new())),
        );
        let opens = moments.iter().position(|moment| moment + 20 == place);
        for (nth, (join, receiver, bytes)) in late.iter_mut().enumerate() {
            // The page that is just connecting gets this packet from the recording only.
            if moments[nth] < place {
                join.receive(&datagram);
            }
            if opens == Some(nth) {
                let (recording, opened) = underway.open();
                join.add(recording.all_packets());
                *bytes = opened;
            }
            if moments[nth] + 20 <= place {
                work(join, bytes, receiver);
            }
        }
    }
    let expected = picture(feed, from_start.session().expect("a session"));
    for (nth, (join, receiver, _)) in late.iter().enumerate() {
        assert!(join.is_done());
        assert_same(&format!("{feed:?} {seed}, joined at {nth}"), &expected, receiver, feed);
    }

    // A recording played from its middle, while its beginning is decoded as well.
    let (recording, bytes) = underway.open();
    let middle = BEGAN.plus_seconds(MINUTES * 40.0);
    let (mut join, mut receiver) = (SessionJoin::default(), Receiver::default());
    join.add(recording.packets(Micros(0)..middle));
    let mut playing = recording.packets(middle..Micros(u64::MAX));
    while let Some(range) = playing.needs() {
        playing.give(&bytes[range.start as usize..range.end as usize]);
        playing.take().iter().for_each(|packet| join.receive(&packet.datagram()));
    }
    work(&mut join, &bytes, &mut receiver);
    assert_same(&format!("{feed:?} {seed}, replayed"), &expected, &receiver, feed);
}

/// Plays a recording from its middle without decoding what comes before: that is recalled from the facts, and only the
/// best lap is decoded.
fn check_recall(feed: Feed, seed: u64) {
    let packets = sent(feed, seed);
    let (mut from_start, mut underway) = (Receiver::default(), Underway::new());
    for packet in &packets {
        let datagram = datagram(feed, packet);
        let _ = from_start.receive(&datagram);
        underway.receive(&datagram);
    }
    let (recording, bytes) = underway.open();
    let expected = from_start.session().expect("a session");
    let player = expected.player().or(expected.watched()).expect("a car");
    let middle = BEGAN.plus_seconds(MINUTES * 42.0);
    let mut rows = recording.laps().laps.iter();
    let row = rows.find(|row| row.car == player && row.from <= middle && middle < row.to).expect("a lap");
    let start = row.from.plus_seconds(-6.0);
    let recalled = recording.recall(row, start);
    let best = recalled.reference().expect("a lap to compare with").clone();
    let mut reading = LapReading::new(&recording, &best);
    read_whole(&mut reading, &bytes);
    let reference = reading.finish().expect("the best lap");
    let mut receiver = Receiver::recalling(Retention::default(), recalled);
    let mut playing = recording.packets(start..Micros(u64::MAX));
    let mut is_taken = false;
    while let Some(range) = playing.needs() {
        playing.give(&bytes[range.start as usize..range.end as usize]);
        for packet in playing.take() {
            let _ = receiver.receive(&packet.datagram());
            if !is_taken && let Some(session) = receiver.session_mut() {
                is_taken = recall_lap(session, &best, &reference.lap, &reference.columns);
            }
        }
    }
    let what = format!("{feed:?} {seed}, recalled");
    assert!(is_taken, "{what}");
    let session = receiver.session().expect("a session");
    let (from_start, found) = (recalled_picture(feed, expected), recalled_picture(feed, session));
    for (one, other) in from_start.iter().zip(&found) {
        assert_eq!(one, other, "{what}");
    }
    assert_eq!(from_start.len(), found.len(), "{what}");
    let delta_s = [expected, session].map(|session| session.live_comparison().delta().ok());
    if let [Some(one), Some(other)] = delta_s {
        assert!((one - other).abs() < 0.001, "{what}: {one} and {other}");
    } else {
        assert_eq!((delta_s, feed), ([None, None], Feed::AcServer), "{what}");
    }
}

/// What the page shows of a session, without values that only earlier packets give exactly.
fn recalled_picture(feed: Feed, session: &Session) -> Vec<String> {
    let mut picture = vec![
        format!("{:?} {:?}", session.game(), session.player()),
        format!(
            "{:?}",
            session.info().map(|info| (info.kind, &info.track, info.track_length_m, info.total_laps))
        ),
        format!("{:?} {:?}", session.participants(), session.bests()),
        format!("{:?} {:?}", session.outline().map(|outline| outline.complete), session.track_print()),
    ];
    let catalogue = LapCatalogue::of_session(session, feed);
    picture.extend(catalogue.laps().iter().map(|entry| {
        let lap = &entry.lap;
        let what = (lap.number, lap.run, lap.stint, lap.time, &lap.sectors, lap.flags, lap.ended_s.is_some());
        format!("{:?} {what:?} {:?}", entry.id, entry.driver)
    }));
    let reference = session.live_comparison().reference();
    picture.push(format!(
        "{:?}",
        reference.map(|lap| (lap.serial(), lap.number, lap.curve.time(), lap.zones.len()))
    ));
    // A lap's time is accepted only after several packets, so its moment differs by some hundredths.
    picture.extend(session.log().map(|entry| {
        format!("{} {}", (entry.at.0 + 250_000) / 1_000_000, log_words(session, entry, Units::default()))
    }));
    picture.extend(timing_table(session).iter().map(|row| format!("{row:?}")));
    picture
}

fn assert_same(what: &str, expected: &[String], receiver: &Receiver, feed: Feed) {
    let picture = picture(feed, receiver.session().expect("a session"));
    for (one, other) in expected.iter().zip(&picture) {
        assert_eq!(one, other, "{what}");
    }
    assert_eq!(expected.len(), picture.len(), "{what}");
    assert!(expected.len() > 20, "{what}: {expected:?}");
}

macro_rules! feeds {
    ($($name:ident $feed:ident;)*) => { $(
        #[test]
        fn $name() {
            [11, 12].into_iter().for_each(|seed| check(Feed::$feed, seed));
            [13, 14].into_iter().for_each(|seed| check_recall(Feed::$feed, seed));
        }

    )* };
}

feeds! {
    f1 F1;
    gran_turismo GranTurismo;
    forza Forza;
    ac_remote AcRemote;
    ac_telemetry_tool AcTelemetryTool;
    ac_lua AcLua;
    dirt_rally DirtRally;
    ea_wrc EaWrc;
    ac_server AcServer;
}

#[test]
fn a_gap_in_the_packets_costs_the_delta_no_longer_than_it_lasts() {
    for feed in [Feed::AcLua, Feed::AcTelemetryTool, Feed::AcRemote, Feed::GranTurismo, Feed::F1] {
        let mut receiver = Receiver::default();
        let (mut counted, mut lost) = (0, Vec::new());
        for packet in &sent(feed, 12) {
            let seconds = packet.0.seconds_since(BEGAN);
            // One and a half seconds are missing every twenty.
            let since_gap = seconds % 20.0 - 1.5;
            if since_gap < 0.0 {
                continue;
            }
            let _ = receiver.receive(&datagram(feed, packet));
            let against = receiver.session().expect("a session").live_comparison();
            // Two laps must be driven first, and the first seconds of a lap follow the line.
            let clock =
                receiver.session().and_then(|session| session.car(session.player()?)?.progress()?.clock);
            if seconds > 260.0 && since_gap > 0.5 && clock.is_some_and(|clock| clock > 3.0) {
                counted += 1;
                lost.extend(against.delta().err().map(|why| (seconds, why)));
            }
        }
        assert!(counted > 500, "{feed:?}: {counted}");
        assert!(lost.is_empty(), "{feed:?}: {} of {counted}, {:?}", lost.len(), lost.first());
    }
}

#[test]
fn the_first_lap_is_compared_with_the_best_one_of_an_earlier_session() {
    for feed in [Feed::F1, Feed::AcRemote, Feed::DirtRally] {
        let mut underway = Underway::new();
        sent(feed, 11).iter().for_each(|packet| underway.receive(&datagram(feed, packet)));
        let (recording, bytes) = underway.open();
        let rows = recording.laps().laps.iter().filter(|row| row.lap.counts().is_some());
        let best = rows.min_by_key(|row| row.lap.counts()).expect("a lap");
        let mut reading = LapReading::new(&recording, best);
        read_whole(&mut reading, &bytes);
        let best = reading.finish().expect("the lap");

        let mut receiver = Receiver::default();
        let mut compared = 0;
        for packet in &sent(feed, 14) {
            let _ = receiver.receive(&datagram(feed, packet));
            let Some(session) = receiver.session_mut() else { continue };
            if !session.live_comparison().has_earlier() && session.player().is_some() {
                take_earlier_best(session, &best.lap, &best.columns);
            }
            let (against, own) =
                (session.live_comparison(), session.player().and_then(|car| session.car(car)));
            let has_own = own.is_some_and(|car| car.laps.best().is_some());
            let Some(reference) = against.reference() else { continue };
            assert_eq!(reference.serial().is_some(), has_own, "{feed:?}");
            compared += usize::from(!has_own && against.delta().is_ok());
            assert!(session.outline().is_some_and(|outline| outline.points.len() > 100), "{feed:?}");
        }
        assert!(compared > 1_000, "{feed:?}: {compared}");
    }
}
