//! Real streams of later games, with losses: what an independent decoder read of them.

use std::collections::BTreeMap;

use trailbrake_shared::feed::{self, Feed};
use trailbrake_shared::games::Decode;
use trailbrake_shared::games::f1::Decoder;
use trailbrake_shared::laps::LapFlag;
use trailbrake_shared::model::{
    Car, DriverStatus, Event, EventKind, Fact, LapProgress, Moment, PitStatus, RaceEvent, ResultStatus,
    Sample, SessionInfo, SessionKind, Sink,
};
use trailbrake_shared::session::{Receiver, Retention};
use trailbrake_shared::time::Micros;
use trailbrake_shared::wire::Datagram;

/// A datagram and when it was received.
type Received = (Micros, Vec<u8>);

/// All that was decoded of the player's car.
#[derive(Default)]
struct Recorder {
    /// Each value with its frame, by slot.
    values: BTreeMap<String, Vec<(u32, f32)>>,
    progress: Vec<LapProgress>,
    events: Vec<Event>,
    session: Option<SessionInfo>,
    names: Vec<(Car, String)>,
}

impl Sink for Recorder {
    fn sample(&mut self, sample: &Sample<'_>) {
        if sample.car != Car(0) {
            return;
        }
        let frame = sample.moment.frame.expect("a frame");
        for &(slot, value) in sample.values {
            self.values.entry(slot.id()).or_default().push((frame, value));
        }
    }

    fn progress(&mut self, progress: &LapProgress) {
        if progress.car == Car(0) {
            self.progress.push(*progress);
        }
    }

    fn event(&mut self, event: Event) {
        self.events.push(event);
    }

    fn fact(&mut self, _: Moment, fact: Fact) {
        match fact {
            Fact::Session(info) => self.session = Some(*info),
            Fact::Participants(all) => {
                self.names = all.iter().map(|one| (one.car, one.name.clone())).collect();
            }
            _ => {}
        }
    }
}

impl Recorder {
    fn of(stream: &[Received]) -> Self {
        let (mut recorder, mut decoder) = (Self::default(), Decoder::default());
        for (at, bytes) in stream {
            decoder.receive(*at, bytes, &mut recorder).expect("a packet");
        }
        recorder
    }

    fn all(&self, id: &str) -> &[(u32, f32)] {
        self.values.get(id).unwrap_or_else(|| panic!("{id} is not sent"))
    }

    /// The values of a channel, without their frames.
    fn line(&self, id: &str) -> impl Iterator<Item = f32> {
        self.all(id).iter().map(|(_, value)| *value)
    }

    fn count(&self, id: &str, is: impl Fn(f32) -> bool) -> usize {
        self.line(id).filter(|value| is(*value)).count()
    }

    fn most(&self, id: &str) -> f32 {
        self.line(id).fold(f32::MIN, f32::max)
    }

    fn least(&self, id: &str) -> f32 {
        self.line(id).fold(f32::MAX, f32::min)
    }

    /// How many packets were sent in each gear, from neutral on.
    fn gears(&self) -> Vec<usize> {
        (0..=8_u8).map(|gear| self.count("gear", |value| value == f32::from(gear))).collect()
    }

    fn at_frame(&self, id: &str, frame: u32) -> f32 {
        let found = self.all(id).iter().find(|(at, _)| *at == frame);
        found.unwrap_or_else(|| panic!("{id} is not sent in frame {frame}")).1
    }

    fn check(&self, frame: u32, expected: &[(&str, f32)]) {
        for &(id, expected) in expected {
            near(self.at_frame(id, frame), expected, id);
        }
    }

    fn lap_at(&self, frame: u32) -> &LapProgress {
        let found = self.progress.iter().find(|progress| progress.moment.frame == Some(frame));
        found.unwrap_or_else(|| panic!("no lap data in frame {frame}"))
    }

    fn first_behind(&self, is: impl Fn(&LapProgress) -> bool) -> &LapProgress {
        self.progress.iter().find(|progress| is(progress)).expect("lap data")
    }

    /// The speeds at the speed trap, in km/h, with their frames.
    fn speed_traps(&self) -> Vec<(u32, f64)> {
        let trap = |event: &Event| match &event.kind {
            EventKind::Race(race) => match **race {
                RaceEvent::SpeedTrap { mm_per_s, .. } => {
                    Some((event.moment.frame?, f64::from(mm_per_s) * 3.6e-3))
                }
                _ => None,
            },
            _ => None,
        };
        self.events.iter().filter_map(trap).collect()
    }
}

fn near(value: f32, expected: f32, what: &str) {
    let apart = (value - expected).abs();
    assert!(apart <= expected.abs() * 2e-4 + 2e-4, "{what}: {value} is not {expected}");
}

/// The datagrams of a file in which they follow each other, at so many a second.
fn unframed(file: &str, per_second: u64) -> Vec<Received> {
    let bytes = trailbrake_captures::read(file);
    let size_of = Feed::F1.info().codec.and_then(|codec| codec.datagram_size).expect("sizes");
    let (mut all, mut rest) = (Vec::new(), bytes.as_slice());
    while !rest.is_empty() {
        let (datagram, behind) = rest.split_at(size_of(rest).expect("a packet"));
        all.push((Micros(all.len() as u64 * 1_000_000 / per_second), datagram.to_vec()));
        rest = behind;
    }
    all
}

/// The datagrams of a file with the seconds and the size before each.
fn framed(file: &str) -> Vec<Received> {
    let bytes = trailbrake_captures::read(file);
    let (count, mut rest) = bytes.split_first_chunk::<4>().expect("a count");
    let mut all = Vec::new();
    while let Some((seconds, behind)) = rest.split_first_chunk::<4>() {
        let (len, behind) = behind.split_first_chunk::<4>().expect("a size");
        let (datagram, behind) = behind.split_at(u32::from_le_bytes(*len) as usize);
        let at = Micros::default().plus_seconds(f64::from(f32::from_le_bytes(*seconds)));
        all.push((at, datagram.to_vec()));
        rest = behind;
    }
    assert_eq!(all.len(), u32::from_le_bytes(*count) as usize);
    all
}

/// How many packets of each kind there are.
fn check_kinds(stream: &[Received], expected: &[(&str, usize)]) {
    let mut found: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, bytes) in stream {
        let recognised = feed::recognise(bytes).expect("a packet");
        assert_eq!(recognised.feed, Feed::F1);
        *found.entry(recognised.packet).or_default() += 1;
    }
    assert_eq!(found, expected.iter().copied().collect());
}

/// The session that the page would show.
fn received(stream: &[Received]) -> Receiver {
    let mut receiver = Receiver::new(Retention::EVERYTHING);
    for (at, bytes) in stream {
        let sender = ([127, 0, 0, 1], 5000).into();
        let _ = receiver.receive(&Datagram { at: *at, sender, port: 20777, feed: Some(Feed::F1), bytes });
    }
    receiver
}

#[test]
#[ignore = "needs captures"]
fn a_lap_of_a_time_trial_of_2021_is_read() {
    let stream = unframed("next/f1-2021/rebuilt-timetrial-frames-27651-30621.bin.gz", 57);
    check_kinds(
        &stream,
        &[
            ("Motion", 1801),
            ("Session", 199),
            ("Lap Data", 1840),
            ("Event", 351),
            ("Participants", 17),
            ("Car Setups", 197),
            ("Car Telemetry", 1793),
            ("Car Status", 1766),
        ],
    );
    let seen = Recorder::of(&stream);
    let info = seen.session.as_ref().expect("a session");
    assert_eq!((info.kind, info.track_length_m), (SessionKind::TimeTrial, Some(5408.0)));

    let stage = |lap: &LapProgress| (lap.lap, lap.sector, lap.invalid);
    let first = &seen.progress[0];
    assert_eq!((stage(first), first.clock, first.pit), ((1, 2, true), Some(0.0), PitStatus::OnTrack));
    assert_eq!(first.driver, DriverStatus::FlyingLap);
    near(first.distance.expect("a distance"), -456.3306, "the run-up");
    assert_eq!(stage(seen.lap_at(27_711)), (1, 2, false));
    let line = seen.lap_at(28_089);
    assert_eq!(stage(line), (1, 0, false));
    near(line.clock.expect("a clock"), 0.033, "the clock behind the line");
    let [second, third] = [28_720, 29_515].map(|frame| seen.lap_at(frame));
    assert_eq!((stage(second), stage(third)), ((1, 1, false), (1, 2, false)));
    near(second.distance.expect("a distance"), 1812.34, "the end of the first sector");
    let next = seen.first_behind(|lap| lap.lap == 2);
    assert_eq!((next.moment.frame, next.clock), (Some(29_998), Some(0.0)));
    assert_eq!(next.last_lap.map(|time| time.0), Some(89_738));
    near(next.total_distance.expect("a distance"), 5409.89, "the distance of a lap");
    let last = seen.progress.last().expect("lap data");
    near(last.clock.expect("a clock"), 28.593, "the last clock");
    near(last.distance.expect("a distance"), 1801.9067, "the last distance");

    let traps = seen.speed_traps();
    assert_eq!(traps.iter().map(|(frame, _)| *frame).collect::<Vec<_>>(), [28_231, 30_179]);
    assert!((traps[0].1 - 327.0326).abs() < 0.01 && (traps[1].1 - 327.484).abs() < 0.01, "{traps:?}");

    near(seen.most("speed") * 3.6, 327.0, "the highest speed");
    assert_eq!(seen.most("rpm"), 13_503.0);
    assert_eq!(seen.gears()[1..], [31, 132, 214, 215, 216, 286, 329, 370]);
    assert_eq!(seen.count("drs", |open| open == 1.0), 429);
    assert_eq!(seen.count("brake", |brake| brake > 0.05), 207);
    assert_eq!(seen.count("throttle", |throttle| throttle > 0.98), 1273);
    for (id, least, most) in [("g_lateral", -4.517, 4.226), ("g_longitudinal", -4.998, 1.875)] {
        assert!((seen.least(id) - least).abs() < 1e-3 && (seen.most(id) - most).abs() < 1e-3, "{id}");
    }
    seen.check(
        27_651,
        &[("position_x", -458.0509), ("position_y", 97.4634), ("position_z", 665.9296), ("yaw", -1.0695)],
    );
    seen.check(
        30_621,
        &[
            ("position_x", 244.3482),
            ("position_z", -270.7035),
            ("velocity_x", -43.5102),
            ("velocity_z", 57.3363),
            ("g_lateral", 2.8128),
            ("yaw", -0.6393),
            ("speed", 259.0 / 3.6),
            ("throttle", 1.0),
            ("steering", -0.7386),
            ("clutch", 1.0),
            ("gear", 6.0),
            ("rpm", 11_878.0),
        ],
    );
    for (id, value) in [
        ("fuel", 10.0),
        ("fuel_capacity", 110.0),
        ("fuel_laps", 5.4098),
        ("ers_store", 4e6),
        ("fuel_mix", 3.0),
    ] {
        near(seen.least(id), value, id);
        near(seen.most(id), value, id);
    }
    let aged = seen.all("tyre_age").iter().find(|(_, age)| *age == 1.0).expect("a lap on the tyres");
    assert!(aged.0 >= 29_998, "{aged:?}");

    // The page has one whole lap of it, although a third of the frames are missing.
    let receiver = received(&stream);
    let car = receiver.session().and_then(|session| session.car(Car(0))).expect("the car");
    let timed: Vec<_> = car.laps.finished().iter().filter(|lap| lap.time.is_some()).collect();
    let [lap] = timed[..] else { panic!("{timed:?}") };
    assert_eq!((lap.number, lap.time.map(|time| time.0)), (1, Some(89_738)));
    let sectors: Vec<_> =
        (0..3).map(|sector| lap.sectors.get(sector).copied().flatten().map(|time| time.0)).collect();
    assert_eq!(sectors, [Some(29_339), Some(39_090), Some(21_309)]);
    assert!(!lap.flags.has(LapFlag::Invalid), "{:?}", lap.flags);
}

#[test]
#[ignore = "needs captures"]
fn a_car_in_its_garage_in_2023_drives_no_lap() {
    let stream = unframed("next/f1-2023/stream-frames-5544-5556.bin", 160);
    assert_eq!(stream.len(), 100);
    check_kinds(
        &stream,
        &[
            ("Motion", 13),
            ("Session", 1),
            ("Lap Data", 13),
            ("Car Setups", 1),
            ("Car Telemetry", 13),
            ("Car Status", 13),
            ("Car Damage", 7),
            ("Session History", 13),
            ("Tyre Sets", 13),
            ("Motion Ex", 13),
        ],
    );
    let seen = Recorder::of(&stream);
    let info = seen.session.as_ref().expect("a session");
    assert_eq!((info.uid, info.kind), (Some(9_917_546_763_743_117_505), SessionKind::TimeTrial));
    assert_eq!(info.track_length_m, Some(5408.0));
    for lap in &seen.progress {
        near(lap.distance.expect("a distance"), -5317.7, "the distance");
        assert_eq!((lap.lap, lap.position, lap.pit), (1, 1, PitStatus::Pitting));
        assert_eq!((lap.driver, lap.result), (DriverStatus::Garage, ResultStatus::Active));
    }
    let frames: Vec<u32> = seen.progress.iter().filter_map(|lap| lap.moment.frame).collect();
    assert_eq!((frames.len(), frames.first(), frames.last()), (13, Some(&5544), Some(&5556)));
    let session_s = |place: usize| seen.progress[place].moment.session_time.expect("a time");
    assert!((session_s(0) - 276.307).abs() < 1e-3 && (session_s(12) - 276.9).abs() < 1e-3);
    for (axis, expected) in [("x", -353.003), ("y", 91.291), ("z", 48.144)] {
        near(seen.at_frame(&format!("position_{axis}"), 5544), expected, axis);
    }
    seen.check(5544, &[("rpm", 3499.0), ("speed", 0.0)]);
    seen.check(5556, &[("rpm", 3436.0)]);
    let receiver = received(&stream);
    let car = receiver.session().and_then(|session| session.car(Car(0))).expect("the car");
    assert_eq!(car.laps.finished().len(), 0);
}

#[test]
#[ignore = "needs captures"]
fn a_run_up_at_monza_in_2024_is_no_lap() {
    let stream = framed("next/f1-2024/stream-monza-garage-to-line.f32u32.bin");
    check_kinds(
        &stream,
        &[
            ("Motion", 91),
            ("Session", 9),
            ("Lap Data", 143),
            ("Event", 4),
            ("Participants", 1),
            ("Car Setups", 8),
            ("Car Telemetry", 57),
            ("Car Status", 38),
            ("Car Damage", 23),
            ("Session History", 48),
            ("Tyre Sets", 30),
            ("Motion Ex", 73),
            ("Time Trial", 1),
        ],
    );
    assert!((stream.last().expect("packets").0.0 as f64 / 1e6 - 52.34).abs() < 0.01);
    let seen = Recorder::of(&stream);
    let info = seen.session.as_ref().expect("a session");
    assert_eq!((info.uid, info.kind), (Some(6_359_514_433_435_402_870), SessionKind::TimeTrial));
    assert_eq!(info.track.as_ref().and_then(|track| track.name.as_deref()), Some("Monza"));
    assert_eq!((info.track_celsius, info.air_celsius), (Some(42), Some(27)));
    assert_eq!(seen.events[0].kind, EventKind::SessionStarted);

    let first = seen.lap_at(0);
    near(first.distance.expect("a distance"), 78.37, "the first distance");
    assert_eq!((first.lap, first.pit, first.driver), (1, PitStatus::Pitting, DriverStatus::Garage));
    let out = seen.lap_at(536);
    near(out.distance.expect("a distance"), -5719.78, "the way out");
    assert_eq!((out.pit, out.driver), (PitStatus::OnTrack, DriverStatus::FlyingLap));
    let run_up = seen.lap_at(543);
    near(run_up.distance.expect("a distance"), -1407.43, "the run-up");
    assert_eq!(run_up.sector, 2);
    let line = seen.lap_at(1770);
    near(line.clock.expect("a clock"), 1.559, "the clock behind the line");
    near(line.distance.expect("a distance"), 136.37, "the distance behind the line");
    assert_eq!(line.sector, 0);
    let last = seen.progress.last().expect("lap data");
    near(last.clock.expect("a clock"), 24.74, "the last clock");
    near(last.distance.expect("a distance"), 1602.93, "the last distance");
    assert!(seen.progress.iter().all(|lap| lap.lap == 1 && !lap.invalid));

    near(seen.most("speed") * 3.6, 346.0, "the highest speed");
    assert_eq!(seen.most("rpm"), 12_358.0);
    assert_eq!(seen.gears(), [15, 2, 8, 1, 1, 6, 2, 4, 18]);
    let (start, _) = seen.all("rpm")[0];
    seen.check(start, &[("speed", 0.0), ("rpm", 3429.0), ("brake_temperature_fl", 25.0)]);
    seen.check(start, &[("tyre_surface_temperature_fl", 70.0), ("engine_temperature", 110.0)]);
    seen.check(
        3100,
        &[
            ("speed", 289.0 / 3.6),
            ("throttle", 1.0),
            ("gear", 8.0),
            ("rpm", 10_941.0),
            ("brake_temperature_rl", 416.0),
            ("brake_temperature_fl", 489.0),
            ("brake_temperature_fr", 487.0),
            ("tyre_pressure_rl", 22.5607 * 6_894.757),
            ("tyre_pressure_fl", 25.1244 * 6_894.757),
        ],
    );
    near(seen.most("fuel"), 10.0, "fuel");
    near(seen.least("ers_store"), 4e6, "energy");
    near(seen.line("power_engine").next().expect("a power"), 56_532.0, "the first power");
    near(seen.line("power_engine").last().expect("a power"), 543_203.0, "the last power");
    near(seen.most("brake_bias"), 0.58, "the bias at first");
    near(seen.least("brake_bias"), 0.57, "the bias at last");
    seen.check(0, &[("position_x", -581.2469), ("position_z", 527.3655), ("yaw", -1.681)]);
    seen.check(
        3099,
        &[
            ("position_x", -399.467),
            ("position_y", 3.6819),
            ("velocity_x", 62.4851),
            ("velocity_z", -50.3195),
        ],
    );

    // Ghosts are no drivers, and of the lap that was begun none is stored.
    let receiver = received(&stream);
    let session = receiver.session().expect("a session");
    let drivers: Vec<&str> = session.participants().iter().map(|one| one.name.as_str()).collect();
    assert!(!drivers.contains(&"Default Ghost") && !drivers.contains(&"Personal Best"), "{drivers:?}");
    assert!(session.car(Car(0)).expect("the car").laps.finished().iter().all(|lap| lap.time.is_none()));
}

#[test]
#[ignore = "needs captures"]
fn a_lap_at_monza_in_2024_that_never_ends_is_none() {
    let stream = framed("next/f1-2024/stream-monza-on-lap.f32u32.bin");
    check_kinds(
        &stream,
        &[
            ("Motion", 68),
            ("Session", 6),
            ("Lap Data", 109),
            ("Event", 9),
            ("Car Setups", 4),
            ("Car Telemetry", 36),
            ("Car Status", 24),
            ("Car Damage", 23),
            ("Session History", 43),
            ("Tyre Sets", 32),
            ("Motion Ex", 62),
        ],
    );
    let seen = Recorder::of(&stream);
    let (first, last) = (&seen.progress[0], seen.progress.last().expect("lap data"));
    for (lap, clock, distance) in [(first, 214.316, 2414.0), (last, 245.543, 3031.24)] {
        near(lap.clock.expect("a clock"), clock, "a clock");
        near(lap.distance.expect("a distance"), distance, "a distance");
    }
    assert!(seen.progress.iter().all(|lap| (lap.lap, lap.sector, lap.invalid) == (1, 1, false)));
    assert_eq!(last.sectors.first().copied().flatten().map(|time| time.0), Some(28_184));
    near(seen.most("speed") * 3.6, 229.0, "the highest speed");
    assert_eq!((seen.most("rpm"), &seen.gears()[..7]), (11_700.0, &[9, 4, 12, 4, 3, 3, 1][..]));
    seen.check(14_823, &[("speed", 0.0), ("brake_temperature_rl", 627.0), ("brake_temperature_fl", 692.0)]);
    seen.check(16_152, &[("speed", 103.0 / 3.6), ("throttle", 1.0), ("steering", 0.1267), ("gear", 2.0)]);
    for (wheel, on_kerb) in [("fl", true), ("rl", true), ("fr", false), ("rr", false)] {
        let tarmac = seen.at_frame("surface_fr", 16_152);
        assert_eq!(seen.at_frame(&format!("surface_{wheel}"), 16_152) != tarmac, on_kerb, "{wheel}");
    }
    let receiver = received(&stream);
    let car = receiver.session().and_then(|session| session.car(Car(0))).expect("the car");
    assert!(car.laps.finished().iter().all(|lap| lap.time.is_none()), "{:?}", car.laps.finished());
}
