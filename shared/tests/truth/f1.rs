//! Frame by frame: the session has the race's true values for each car, as precisely as F1 2018 sends them, and every
//! event at its time.

use std::collections::BTreeMap;
use std::net::SocketAddr;

use trailbrake_shared::feed::Feed;
use trailbrake_shared::games::f1::{Kind, recognise};
use trailbrake_shared::model::{
    Car, Channel, DriverStatus, Flag, PitStatus, ResultStatus, SafetyCar, SessionKind, Signal, Weather, Wheel,
};
use trailbrake_shared::session::{LogKind, Receiver, Retention, Session};
use trailbrake_shared::sim::car::Compound;
use trailbrake_shared::sim::race;
use trailbrake_shared::sim::race::{SafetyCar as Field, Sky};
use trailbrake_shared::sim::state::{self, CarState, Outcome, PitState, Run};
use trailbrake_shared::sim::{Demo, Options, Request, Start};
use trailbrake_shared::time::Micros;
use trailbrake_shared::wire::Datagram;

const PLAYER: usize = 1;
const CARS: usize = 4;

/// A race and the session decoded from its packets, compared at each frame.
struct Compared {
    demo: Demo,
    receiver: Receiver,
    /// The race's state at the frame before, by car.
    before: Vec<CarState>,
    /// How often the player's car changed, by signal.
    changes: BTreeMap<Signal, u64>,
    /// The race's seconds of penalty, pit visits, and flags beside the track.
    penalties: [u64; CARS],
    pit_visits: [usize; CARS],
    yellow: bool,
}

impl Compared {
    fn new(options: Options) -> Self {
        Self {
            demo: Demo::new(Feed::F1, options, Micros(0)).expect("a demo"),
            receiver: Receiver::new(Retention { every_car: true, ..Retention::default() }),
            before: Vec::new(),
            changes: BTreeMap::new(),
            penalties: [0; CARS],
            pit_visits: [0; CARS],
            yellow: false,
        }
    }

    fn run(mut self, seconds: u32) -> Self {
        for frame in 1..=seconds * 60 {
            let (mut slow, receiver) = (Vec::new(), &mut self.receiver);
            // Until just before the step after the frame.
            self.demo.drive(f64::from(frame) / 60.0 - 0.001, &mut |at, bytes| {
                let sender = SocketAddr::from(([127, 0, 0, 1], 5000));
                let datagram = Datagram { at, sender, port: 20777, feed: None, bytes };
                receiver.receive(&datagram).expect("a packet that is understood");
                slow.extend(recognise(bytes).map(|(kind, _)| kind));
            });
            let race = self.demo.race();
            if race::session_state(race).paused {
                continue;
            }
            let cars: Vec<CarState> = (0..CARS).filter_map(|car| race::car_state(race, car)).collect();
            for (car, known) in cars.iter().enumerate() {
                self.check_car(car, known, slow.contains(&Kind::CarStatus));
            }
            if slow.contains(&Kind::Session) {
                self.check_session();
            }
            self.count(&cars);
            self.before = cars;
        }
        self
    }

    fn is_oldest(&self) -> bool {
        self.demo.race().options().year == 2018
    }

    fn session(&self) -> &Session {
        self.receiver.session().expect("a session")
    }

    fn check_car(&self, car: usize, known: &CarState, status: bool) {
        let seen = self.session().car(Car(car as u8)).expect("a car");
        let at = format!("car {car} after {:.2} s", self.demo.race().session_s());
        let value = |channel: Channel| f64::from(seen.value(channel).expect("a value"));
        let check = |channel: Channel, expected: f64, within: f64| {
            assert!(
                (value(channel) - expected).abs() <= within,
                "{at}, {channel:?}: {} is not {expected}",
                value(channel)
            );
        };
        // Whole km/h, whole per cent.
        check(Channel::Speed, known.motion.speed_ms, 0.14);
        check(Channel::Throttle, known.throttle, 0.0051);
        check(Channel::Brake, known.brake, 0.0051);
        check(Channel::Steering, -known.steer, 0.0051);
        check(Channel::Gear, f64::from(known.gear), 0.0);
        check(Channel::Rpm, known.rpm, 0.51);
        check(Channel::Drs, f64::from(u8::from(known.drs)), 0.0);
        check(Channel::LapDistance, known.lap.distance_m, 0.01);
        check(Channel::GLateral, known.motion.lateral_ms2 / 9.81, 0.01);
        check(Channel::GLongitudinal, known.motion.longitudinal_ms2 / 9.81, 0.01);
        let sent = [Wheel::RearLeft, Wheel::RearRight, Wheel::FrontLeft, Wheel::FrontRight];
        for (wheel, known) in sent.into_iter().zip(&known.wheels) {
            let surface =
                seen.latest.value(Channel::TyreSurfaceTemperature.of(wheel)).expect("a temperature");
            assert!((f64::from(surface) - known.surface_c).abs() <= 0.51, "{at}");
        }
        let progress = seen.progress().expect("progress");
        let lap = &known.lap;
        assert_eq!((u32::from(progress.lap), progress.sector), (lap.number, lap.sector), "{at}");
        assert_eq!((progress.position, progress.grid), (lap.position, lap.grid_position), "{at}");
        assert_eq!((progress.invalid, progress.penalties), (lap.invalid, lap.penalty_s), "{at}");
        let pit = match lap.pit {
            PitState::Track => PitStatus::OnTrack,
            PitState::Lane => PitStatus::Pitting,
            PitState::Stopped => PitStatus::InPitArea,
        };
        let driver = match lap.run {
            Run::Garage => DriverStatus::Garage,
            Run::Flying => DriverStatus::FlyingLap,
            Run::In => DriverStatus::InLap,
            Run::Out => DriverStatus::OutLap,
            Run::Track => DriverStatus::OnTrack,
        };
        let result = match lap.outcome {
            Outcome::Active => ResultStatus::Active,
            Outcome::Finished => ResultStatus::Finished,
            Outcome::Retired => ResultStatus::Retired,
        };
        assert_eq!((progress.pit, progress.driver, progress.result), (pit, driver, result), "{at}");
        if !status {
            return;
        }
        check(Channel::PitLimiter, f64::from(u8::from(known.limiter)), 0.0);
        check(Channel::DrsAllowed, f64::from(u8::from(known.drs_allowed)), 0.0);
        check(Channel::Fuel, known.fuel_kg, 1e-4);
        // Later games send damage and wear more rarely.
        let is_worn = seen.value(Channel::DamageFrontLeftWing).is_some();
        assert!(is_worn || !self.is_oldest(), "{at}");
        if is_worn {
            check(
                Channel::DamageFrontLeftWing,
                known.wing_damage / 100.0,
                if self.is_oldest() { 0.0101 } else { 0.05 },
            );
        }
        check(Channel::ErsStore, known.store_j, 1.0);
        // Later games have fewer modes.
        if self.is_oldest() {
            check(Channel::ErsMode, f64::from(known.deploy as u8), 0.0);
        }
        check(Channel::ErsHarvestedMguK, known.harvested_brakes_j, 1.0);
        check(Channel::ErsHarvestedMguH, known.harvested_turbo_j, 1.0);
        check(Channel::ErsDeployed, known.deployed_j, 1.0);
        for (wheel, known) in sent.into_iter().zip(&known.wheels).filter(|_| is_worn) {
            let wear = seen.latest.value(Channel::TyreWear.of(wheel)).expect("wear");
            assert!((f64::from(wear) - known.wear / 100.0).abs() <= 0.0101, "{at}");
        }
        let flag = match lap.flag {
            state::Flag::None => Flag::None,
            state::Flag::Green => Flag::Green,
            state::Flag::Yellow => Flag::Yellow,
        };
        assert_eq!(Flag::from_number(value(Channel::Flag) as i8), flag, "{at}");
        let tyres = match known.compound {
            Compound::Ultrasoft => "Ultra soft",
            Compound::Soft => "Soft",
            Compound::Medium => "Medium",
            Compound::Intermediate => "Intermediate",
            Compound::Wet => "Wet",
        };
        let tyres = match tyres {
            _ if self.is_oldest() => tyres,
            "Ultra soft" => "Soft",
            "Soft" => "Medium",
            "Medium" => "Hard",
            wet => wet,
        };
        let compound_word =
            Feed::F1.word(Channel::TyreCompound, value(Channel::TyreCompound) as i32, self.session().info());
        assert_eq!(compound_word.as_deref(), Some(tyres), "{at}");
    }

    fn check_session(&self) {
        let known = race::session_state(self.demo.race());
        let info = self.session().info().expect("a session");
        let weather = match known.sky {
            Sky::Clear => Weather::Clear,
            Sky::LightCloud => Weather::LightCloud,
            Sky::Overcast => Weather::Overcast,
            Sky::LightRain => Weather::LightRain,
            Sky::HeavyRain => Weather::HeavyRain,
            Sky::Storm => Weather::Storm,
        };
        let safety_car = match known.safety_car {
            Field::None => SafetyCar::None,
            Field::Full => SafetyCar::Full,
            Field::Virtual => SafetyCar::Virtual,
        };
        assert_eq!((info.weather, info.safety_car), (Some(weather), Some(safety_car)));
        assert_eq!((info.kind, info.total_laps), (SessionKind::Race(1), Some(u16::from(known.laps))));
        assert_eq!((info.paused, info.uid), (Some(false), Some(known.uid)));
        assert_eq!(info.seconds_left, Some(u32::from(known.left_s)));
        let yellow = |flag: bool| if flag { Flag::Yellow } else { Flag::None };
        let zones: Vec<Flag> = known.zones.iter().map(|zone| yellow(*zone == state::Flag::Yellow)).collect();
        assert_eq!(info.marshal_zones.iter().map(|zone| zone.flag).collect::<Vec<_>>(), zones);
    }

    fn count(&mut self, cars: &[CarState]) {
        for (car, (was, is)) in self.before.iter().zip(cars).enumerate() {
            self.penalties[car] += u64::from(is.lap.penalty_s - was.lap.penalty_s);
            let in_pits = |state: &CarState| state.lap.pit != PitState::Track;
            self.pit_visits[car] += usize::from(!in_pits(was) && in_pits(is));
        }
        self.yellow |= race::session_state(self.demo.race()).zones.contains(&state::Flag::Yellow);
        let Some((was, is)) = self.before.get(PLAYER).zip(cars.get(PLAYER)) else { return };
        let percent = |share: f64| (share * 100.0).round() as i32;
        for (signal, changed) in [
            (Signal::GearChange, was.gear != is.gear),
            (Signal::Drs, was.drs != is.drs),
            (Signal::LapChange, was.lap.number != is.lap.number),
            (Signal::SectorChange, was.lap.sector != is.lap.sector),
            (Signal::PositionChange, was.lap.position != is.lap.position),
            (Signal::LastLapTime, was.lap.last_ms != is.lap.last_ms),
            (Signal::BestLapTime, was.lap.best_ms != is.lap.best_ms),
            (Signal::Brake, percent(was.brake) == 0 && percent(is.brake) > 0),
            (Signal::Throttle, percent(was.throttle) == 0 && percent(is.throttle) > 0),
            (Signal::RaceFinish, was.lap.outcome != is.lap.outcome && is.lap.outcome == Outcome::Finished),
        ] {
            *self.changes.entry(signal).or_default() += u64::from(changed);
        }
    }

    fn logged(&self, which: impl Fn(&LogKind) -> bool) -> Vec<(Option<Car>, &LogKind)> {
        let log = self.session().log().filter(|entry| which(&entry.kind));
        log.map(|entry| (entry.car, &entry.kind)).collect()
    }
}

#[test]
fn each_year_sends_what_the_race_knows() {
    for year in 2019..=2026 {
        let requests = vec![(20.0, Request::RunWide { car: 0 })];
        let grid = Options { start: Start::Grid, cars: CARS, laps: 2, player: PLAYER, ..Options::default() };
        let compared = Compared::new(Options { requests, again: false, year, ..grid }).run(110);
        let laps = compared.session().cars().map(|(_, car)| car.laps.finished().len());
        assert_eq!(laps.sum::<usize>(), CARS, "{year}");
    }
}

#[test]
fn the_session_knows_of_every_car_what_the_race_knows() {
    let wide = |at: f64, car: usize| (at, Request::RunWide { car });
    let requests = vec![
        (30.0, Request::Weather(Sky::Overcast)),
        wide(40.0, 0),
        (60.0, Request::SafetyCar { virtually: true, seconds: 20.0 }),
        (100.0, Request::Pit { car: PLAYER, tyres: Compound::Medium }),
        wide(140.0, 0),
        (150.0, Request::Retire { car: 3 }),
        (180.0, Request::SafetyCar { virtually: false, seconds: 30.0 }),
        wide(240.0, 0),
        wide(330.0, 0),
    ];
    let options = Options {
        start: Start::Grid,
        cars: CARS,
        laps: 6,
        player: PLAYER,
        again: false,
        requests,
        ..Options::default()
    };
    let compared = Compared::new(options).run(720);
    let session = compared.session();

    let counted: BTreeMap<Signal, u64> =
        compared.changes.keys().map(|signal| (*signal, session.signals().count(*signal))).collect();
    assert_eq!(counted, compared.changes);
    // All but what this race need not have: DRS, a change of position.
    let rare = [Signal::Drs, Signal::PositionChange];
    assert!(counted.iter().all(|(signal, count)| *count > 0 || rare.contains(signal)), "{counted:?}");
    assert_eq!(session.signals().count(Signal::RaceStart), 1);
    assert_eq!(session.signals().count(Signal::TyreCompound), 1);
    assert!(session.signals().count(Signal::PitLimiter) >= 2);

    let safety_car: Vec<SafetyCar> = compared
        .logged(|kind| matches!(kind, LogKind::SafetyCar(_)))
        .into_iter()
        .map(
            |(_, kind)| if let LogKind::SafetyCar(safety_car) = kind { *safety_car } else { SafetyCar::None },
        )
        .collect();
    assert_eq!(safety_car, [SafetyCar::Virtual, SafetyCar::None, SafetyCar::Full, SafetyCar::None]);
    assert_eq!(compared.logged(|kind| *kind == LogKind::Weather(Weather::Overcast)).len(), 1);
    for car in 0..CARS {
        let own = |kind: fn(&LogKind) -> bool| {
            compared
                .logged(kind)
                .into_iter()
                .filter(|(of, _)| *of == Some(Car(car as u8)))
                .collect::<Vec<_>>()
        };
        assert_eq!(own(|kind| *kind == LogKind::PitIn).len(), compared.pit_visits[car], "car {car}");
        let penalties = own(|kind| matches!(kind, LogKind::Penalty { .. }));
        let penalty_s: u64 = penalties
            .iter()
            .map(|(_, kind)| if let LogKind::Penalty { seconds } = kind { u64::from(*seconds) } else { 0 })
            .sum();
        assert_eq!(penalty_s, compared.penalties[car], "car {car}");
        let results = own(|kind| matches!(kind, LogKind::Result(_)));
        let result = if car == 3 { ResultStatus::Retired } else { ResultStatus::Finished };
        assert_eq!(results, [(Some(Car(car as u8)), &LogKind::Result(result))]);
    }
    assert_eq!((compared.pit_visits[PLAYER], compared.penalties[0]), (1, 5));
    assert!(compared.yellow, "nobody was in the way");
    assert!(!compared.logged(|kind| matches!(kind, LogKind::Flag { flag: Flag::Yellow, .. })).is_empty());
    assert!(session.has_ended());
}
