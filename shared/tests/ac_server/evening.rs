//! An evening on a simulated server, compared with the simulator's truth.

use std::net::SocketAddr;

use trailbrake_shared::feed::Feed;
use trailbrake_shared::games::ac_server::Request;
use trailbrake_shared::laps::LapFlag;
use trailbrake_shared::model::{Car, Channel, EventKind, Presence, ResultStatus, SessionKind};
use trailbrake_shared::session::{LogKind, Receiver, Session, log_words, timing_table};
use trailbrake_shared::sim::ac_server::Server;
use trailbrake_shared::sim::race;
use trailbrake_shared::sim::truth::LapTruth;
use trailbrake_shared::sim::{Demo, Options};
use trailbrake_shared::time::Micros;
use trailbrake_shared::units::Units;
use trailbrake_shared::wire::Datagram;

const CARS: usize = 5;

struct Evening {
    demo: Demo,
    receiver: Receiver,
    /// The reported collisions: car, other car, km/h.
    collisions: Vec<(u8, Option<u8>, f64)>,
}

impl Evening {
    fn begin(asked: bool) -> Self {
        let options = Options { cars: CARS, ..Options::default() };
        let server = if asked { Server::asked() } else { Server::default() };
        let demo = Demo::speaking(Box::new(server), options, Micros(1_000_000));
        Self { demo, receiver: Receiver::default(), collisions: Vec::new() }
    }

    fn until(&mut self, seconds: f64) {
        let (receiver, collisions) = (&mut self.receiver, &mut self.collisions);
        self.demo.drive(seconds, &mut |at, bytes| {
            let sender = SocketAddr::from(([127, 0, 0, 1], 11000));
            let datagram = Datagram { at, sender, port: 12000, feed: Some(Feed::AcServer), bytes };
            let on_event = &mut |event: &trailbrake_shared::model::Event| {
                if let EventKind::Collision(hit) = &event.kind {
                    let kmh = f64::from(hit.mm_per_s) * 3.6e-3;
                    collisions.push((event.car.expect("a car").0, hit.with.map(|car| car.0), kmh));
                }
            };
            receiver.receive_with(&datagram, on_event).expect("a message that is understood");
        });
    }

    fn session(&self) -> &Session {
        self.receiver.session().expect("a session")
    }

    /// The laps since every driver was connected: earlier ones the server did not count.
    fn known(&self, car: usize) -> Vec<&LapTruth> {
        let session = self.demo.truth().sessions.last().expect("a session");
        session.finished.iter().filter(|lap| lap.car == car).collect()
    }

    /// Compares every lap of the current session with the truth; returns how many.
    fn check_laps(&self) -> usize {
        let mut checked = 0;
        for car in 0..CARS {
            let known: Vec<(u32, bool)> =
                self.known(car).iter().map(|lap| (lap.time_ms, lap.marks.invalid)).collect();
            let laps = self.session().car(Car(car as u8)).expect("a car").laps.finished();
            let received: Vec<(u32, bool)> = laps
                .iter()
                .map(|lap| (lap.time.expect("a time").0, lap.flags.has(LapFlag::Invalid)))
                .collect();
            assert_eq!(received, known, "car {car}");
            checked += received.len();
        }
        checked
    }
}

#[test]
fn qualifying_has_the_known_laps_whether_positions_were_asked_for_or_not() {
    for asked in [true, false] {
        let mut evening = Evening::begin(asked);
        evening.until(330.0);
        assert!(evening.check_laps() >= 3 * CARS);
        let session = evening.session();
        assert_eq!(session.info().map(|info| info.kind), Some(SessionKind::ShortQualifying));
        // The leaderboard is ordered by best clean lap.
        let mut best: Vec<(u32, u8)> = (0..CARS)
            .filter_map(|car| {
                let clean = evening.known(car).into_iter().filter(|lap| !lap.marks.invalid);
                Some((clean.map(|lap| lap.time_ms).min()?, car as u8))
            })
            .collect();
        best.sort_unstable();
        let timing = timing_table(session);
        let received: Vec<(u32, u8)> =
            timing.iter().filter_map(|row| Some((row.best?.0, row.car.0))).collect();
        assert_eq!(received, best);
        let with_places = session.car(Car(0)).expect("a car").value(Channel::Speed).is_some();
        assert_eq!(with_places, asked, "what nobody asked for does not come");
    }
}

#[test]
fn timing_has_the_order_of_the_race_to_its_flag() {
    let mut evening = Evening::begin(true);
    evening.until(8.0);
    evening.demo.receive(&Request::NextSession(()).datagram());
    let mut compared = 0;
    for second in 9..420 {
        evening.until(f64::from(second));
        let race = evening.demo.race();
        let ended = race::session_state(race).ended || race.session_s() < 30.0;
        if ended || !evening.session().info().is_some_and(|info| matches!(info.kind, SessionKind::Race(_))) {
            continue;
        }
        // The order of two cars is certain if they are well apart, and after the flag.
        let metres =
            |car: u8| race::car_state(race, usize::from(car)).map(|car| car.lap.total_m).expect("a car");
        let driving =
            |car: u8| evening.session().car(Car(car)).and_then(|car| car.progress()).map(|p| p.result);
        let rows = timing_table(evening.session());
        for pair in rows.windows(2) {
            let [first, second] = [pair[0].car.0, pair[1].car.0];
            let racing = [first, second].iter().all(|car| driving(*car) == Some(ResultStatus::Active));
            if racing {
                assert!(metres(first) > metres(second) - 15.0, "{first} is not ahead of {second}");
                compared += 1;
            }
        }
    }
    assert!(compared > 500, "{compared}");
}

#[test]
fn the_race_s_laps_and_its_winner_are_the_known_ones() {
    let mut evening = Evening::begin(true);
    evening.until(8.0);
    evening.demo.receive(&Request::NextSession(()).datagram());
    // Until all cars have finished, but before the session ends.
    let all_in = |evening: &Evening| {
        (0..CARS).all(|car| {
            let state = race::car_state(evening.demo.race(), car).expect("a car");
            state.lap.outcome == trailbrake_shared::sim::state::Outcome::Finished
        })
    };
    let mut seconds = 10.0;
    while !all_in(&evening) {
        seconds += 0.5;
        assert!(seconds < 600.0, "nobody finishes");
        evening.until(seconds);
    }
    assert_eq!(evening.check_laps(), 4 * CARS);
    let first_in = evening
        .demo
        .truth()
        .sessions
        .last()
        .and_then(|session| session.finished.iter().find(|lap| lap.number == 4).map(|lap| lap.car as u8));
    let timing = timing_table(evening.session());
    assert_eq!(Some(timing[0].car.0), first_in);
    assert!(timing.iter().all(|row| row.result == ResultStatus::Finished));
    let total = |car: u8| -> u32 { evening.known(usize::from(car)).iter().map(|lap| lap.time_ms).sum() };
    let received: Vec<Option<u32>> = timing
        .iter()
        .map(|row| evening.session().car(row.car).and_then(|car| Some(car.progress()?.race_time?.0)))
        .collect();
    let known: Vec<Option<u32>> = timing.iter().map(|row| Some(total(row.car.0))).collect();
    assert_eq!(received, known);
}

#[test]
fn contacts_chat_and_drivers_are_reported_as_they_were() {
    let mut evening = Evening::begin(true);
    evening.until(160.0);
    let contacts = &evening.demo.truth().sessions[0].contacts;
    let known: Vec<(u8, Option<u8>)> =
        contacts.iter().map(|contact| (contact.car as u8, contact.with.map(|with| with as u8))).collect();
    assert!(!known.is_empty(), "nobody touched anything");
    let reported: Vec<(u8, Option<u8>)> =
        evening.collisions.iter().map(|(car, with, _)| (*car, *with)).collect();
    assert_eq!(reported, known);
    for ((.., kmh), known) in evening.collisions.iter().zip(contacts) {
        assert!((kmh - known.kmh).abs() < 0.01, "{kmh} km/h is not {}", known.kmh);
    }
    let session = evening.session();
    let words: Vec<String> = session.log().map(|entry| log_words(session, entry, Units::default())).collect();
    for line in
        ["ŁUK: \u{201c}hi all\u{201d}", "VÄI: \u{201c}grüß euch\u{201d}", "ØST: \u{201c}nice pass!\u{201d}"]
    {
        assert!(words.iter().any(|words| words == line), "{line} is not among {words:?}");
    }
    let there = session.participants().iter().filter(|who| who.presence == Some(Presence::There));
    assert_eq!(there.count(), CARS);

    evening
        .demo
        .receive(&Request::Kick(trailbrake_shared::games::ac_server::layout::Slot { car_id: 2 }).datagram());
    evening.until(161.0);
    let session = evening.session();
    assert_eq!(timing_table(session).len(), CARS - 1);
    assert!(!session.car(Car(2)).expect("a car").takes_part());
    let left =
        |entry: &&trailbrake_shared::session::LogEntry| entry.kind == LogKind::Game(EventKind::Disconnected);
    assert_eq!(session.log().filter(left).count(), 1);
}

#[test]
fn the_leader_is_watched_unless_another_car_is_picked() {
    let mut evening = Evening::begin(true);
    evening.until(60.0);
    assert!(evening.session().outline().is_none(), "nobody has driven a lap");
    evening.until(120.0);
    let leader = timing_table(evening.session())[0].car;
    assert_eq!((evening.session().watched(), evening.session().player()), (Some(leader), None));
    let other = Car((leader.0 + 1) % CARS as u8);
    evening.receiver.session_mut().expect("a session").pick(Some(other));
    assert_eq!(evening.session().watched(), Some(other));
    evening.until(121.0);
    let columns = evening.session().car(other).expect("a car").traces.current();
    assert!(columns.line(Channel::Rpm.slot()).is_some(), "all channels of the watched car are kept");
    evening.receiver.session_mut().expect("a session").pick(None);
    assert_eq!(evening.session().watched(), Some(leader));
    assert!(evening.session().outline().is_some(), "the track is learnt from any clean lap");
}
