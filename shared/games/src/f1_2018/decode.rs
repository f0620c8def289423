//! Converts packets to the model: signs, units and wheel order are converted only here.

use trailbrake_model::time::{LapTime, Micros};
use trailbrake_model::{Car, EventKind, Fact, LapProgress, Moment, SectorTimes, SessionKind, Signal, Sink};

use super::GAME;
use super::facts;
use super::lap_numbers::{LapNumbers, PlayerIndex};
use super::layout::{CARS, CarLap, Header};
use super::layout::{CarSetups, Event, LapData, Participants, Session, Status, Telemetry};
use super::packet::{Kind, Packet};
use super::signals::Signals;
use super::timeline::{F1, Time};
use crate::decode::without;
use crate::session_clock::{SessionClock, Step};
use crate::table::{Entries, Record, Sent, Values};
use crate::{Decode, Rejected};

/// No lap is longer than a day, in seconds.
const LONGEST_LAP_S: f32 = 86_400.0;

/// Decodes the packets of one sender.
#[derive(Debug, Default)]
pub struct Decoder {
    clock: SessionClock<F1>,
    cars: Option<u8>,
    player: Option<Option<Car>>,
    player_index: PlayerIndex,
    lap_numbers: LapNumbers,
    /// The car that the player spectates.
    watching: Option<Car>,
    paused: bool,
    race: bool,
    signals: Signals,
    /// Per kind of packet, the session time of the newest one that gave signals. Late packets give none.
    signalled_at: [f32; Kind::ALL.len()],
    /// The session time of the newest session packet. Late ones are outdated and ignored.
    session_at: Option<f32>,
}

impl Decode for Decoder {
    fn receive(&mut self, at: Micros, datagram: &[u8], sink: &mut dyn Sink) -> Result<(), Rejected> {
        let packet = Packet::read(datagram)?;
        let header = packet.header();
        let time = Time::of(header);
        let moment = time.moment(at, header).ok_or_else(|| Rejected::BadContent {
            game: GAME,
            packet: packet.kind().name(),
            what: "its session time is no number that a session can have, so the packet was ignored"
                .to_owned(),
        })?;
        let step = self.clock.step(time);
        if step == Step::Stray {
            return Ok(());
        }
        if let Some(kind) = step.event() {
            // The game continues at the first packet after the change, which is not always this one.
            let session_time = Some(f64::from(self.clock.first().seconds));
            self.turn(kind, Moment { session_time, ..moment }, sink);
        }
        self.name_player(header, moment, sink);
        let mut out = Out { sink, moment, kind: packet.kind(), values: Values::default(), not_numbers: 0 };
        match &packet {
            Packet::Motion(motion) => self.channels(motion, &motion.car, false, &mut out),
            Packet::Session(session) => self.session(session, &mut out),
            Packet::LapData(laps) => self.laps(laps, &mut out),
            Packet::Event(event) => self.event(event, &mut out),
            Packet::Participants(participants) => self.participants(participants, &mut out),
            Packet::CarSetups(setups) => self.setups(setups, &mut out),
            Packet::CarTelemetry(telemetry) => self.telemetry(telemetry, &mut out),
            Packet::CarStatus(status) => self.status(status, &mut out),
        }
        without(GAME, out.kind.name(), out.not_numbers)
    }
}

impl Decoder {
    fn turn(&mut self, kind: EventKind, moment: Moment, sink: &mut dyn Sink) {
        self.session_at = None;
        self.lap_numbers = LapNumbers::default();
        self.signalled_at = [f32::MIN; Kind::ALL.len()];
        if kind == EventKind::SessionStarted {
            (self.cars, self.player, self.watching) = (None, None, None);
            self.player_index = PlayerIndex::default();
            (self.paused, self.race, self.signals) = (false, false, Signals::default());
        }
        sink.event(trailbrake_model::Event { moment, car: None, kind });
    }

    /// The player may be in none of the arrays: later games have more cars than this format has room for.
    fn name_player(&mut self, header: &Header, moment: Moment, sink: &mut dyn Sink) {
        let player = car(self.player_index.next(header.player_car_index));
        if self.player != Some(player) {
            self.player = Some(player);
            self.signals = Signals::default();
            sink.fact(moment, Fact::Player(player));
        }
    }

    /// The cars in use.
    fn cars(&self) -> impl Iterator<Item = Car> + use<> {
        (0..).map(Car).take(self.cars.map_or(CARS, usize::from))
    }

    /// Gives the channels of each car's entry, all of them or those that are kept of every car, and those of the player's
    /// car that the packet has besides.
    fn channels<'a, T: Record + Sent<'a, Value = T>>(
        &mut self,
        packet: &impl Record,
        entries: &Entries<'a, T>,
        signals: bool,
        out: &mut Out<'_>,
    ) {
        let mut is_player_in = false;
        for (car, entry) in self.cars().zip(entries.used()) {
            let Some(entry) = entry else { continue };
            is_player_in |= self.player == Some(Some(car));
            match self.takes_all(car, out) {
                true => out.sample::<true>(car, &entry.read()),
                false => out.sample::<false>(car, &entry.read()),
            }
            self.give_signals(signals, car, out);
        }
        // A clip of other cars has no entry of the player's.
        if let Some(Some(player)) = self.player
            && (is_player_in || entries.get(usize::from(player.0)).is_some())
        {
            out.sample::<true>(player, packet);
            self.give_signals(signals, player, out);
        }
    }

    /// Whether signals are given for this car: the spectated car, or the player's own.
    fn is_followed(&self, car: Car) -> bool {
        Some(car) == self.watching.or(self.player.flatten())
    }

    /// Whether all channels of a car are decoded, or only those that are shown of every car.
    fn takes_all(&self, car: Car, out: &Out<'_>) -> bool {
        self.is_followed(car) || out.sink.wants_all(car)
    }

    /// Whether this is the newest packet of its kind; only such packets give signals.
    fn gives_signals(&mut self, header: &Header) -> bool {
        let now = header.session_time;
        let newest =
            self.signalled_at.get_mut(usize::from(header.packet_id)).filter(|newest| **newest <= now);
        newest.map(|newest| *newest = now).is_some()
    }

    /// Derives signals from the sample that was given last.
    fn give_signals(&mut self, signals: bool, car: Car, out: &mut Out<'_>) {
        if signals && self.is_followed(car) {
            let Out { sink, moment, values, .. } = out;
            let mut give = |signal, value| give_signal(*sink, *moment, car, signal, value);
            self.signals.channels(values.get(), &mut give);
        }
    }

    fn session(&mut self, session: &Session, out: &mut Out<'_>) {
        let now = session.header.session_time;
        if self.session_at.is_some_and(|newest| now < newest) {
            return;
        }
        self.session_at = Some(now);
        let paused = session.game_paused != 0;
        if paused != self.paused {
            self.paused = paused;
            out.event(if paused { EventKind::Paused } else { EventKind::Resumed });
        }
        let watching = facts::watching(session);
        if watching != self.watching {
            (self.watching, self.signals) = (watching, Signals::default());
        }
        let info = facts::session(session);
        self.race = matches!(info.kind, SessionKind::Race(_));
        let zones = session.marshal_zones.iter().take(usize::from(session.num_marshal_zones)).count();
        out.not_numbers += zones - info.marshal_zones.len();
        out.fact(Fact::Session(Box::new(info)));
    }

    fn laps(&mut self, laps: &LapData<'_>, out: &mut Out<'_>) {
        let signals = self.gives_signals(&laps.header);
        // Outside races there is no grid, and every grid position is sent as zero.
        let grid = laps.car.all().any(|lap| lap.read().grid_position > 0);
        for (car, lap) in self.cars().zip(laps.car.all()) {
            let lap = lap.read();
            // Of a car that was left out of a clip, the grid position stays. A car in use has a status.
            if lap.result_status == 0 && (CarLap { grid_position: 0, ..lap }) == CarLap::default() {
                continue;
            }
            let times = [lap.last_lap_time, lap.best_lap_time, lap.sector1_time, lap.sector2_time];
            out.not_numbers += times.iter().filter(|time| !time.is_finite()).count();
            let progress = progress(car, out.moment, &lap, grid);
            out.sample::<true>(car, &lap);
            let (number, clock_s) = (lap.current_lap_num, lap.current_lap_time);
            if !self.lap_numbers.accept(usize::from(car.0), number, clock_s) {
                continue;
            }
            out.sink.progress(&progress);
            self.give_signals(signals, car, out);
            if signals && self.is_followed(car) {
                let race = self.race;
                let Out { sink, moment, .. } = &mut *out;
                let mut give = |signal, value| give_signal(*sink, *moment, car, signal, value);
                self.signals.progress(&progress, race, &mut give);
            }
        }
    }

    fn event(&mut self, event: &Event, out: &mut Out<'_>) {
        match event.code.0.as_slice() {
            // A session's first packet already starts it; a later SSTA is a restart.
            b"SSTA" if self.clock.begin(Time::of(&event.header)).is_some_and(Time::is_driven) => {
                self.lap_numbers = LapNumbers::default();
                out.event(EventKind::Restarted);
            }
            b"SSTA" => {}
            b"SEND" => out.event(EventKind::SessionEnded),
            _ => out.event(EventKind::Other(event.code.read())),
        }
    }

    fn participants(&mut self, participants: &Participants<'_>, out: &mut Out<'_>) {
        let used = participants.num_cars.min(CARS as u8);
        self.cars = Some(used);
        out.fact(Fact::Participants(facts::participants(participants, used)));
    }

    fn setups(&self, setups: &CarSetups<'_>, out: &mut Out<'_>) {
        for (car, setup) in self.cars().zip(setups.car.used()) {
            match setup.map(|setup| facts::setup(&setup.read())) {
                // Other people's setups are sent as zeros: their setup is missing.
                None => out.fact(Fact::Setup(car, None)),
                Some(Ok(setup)) => out.fact(Fact::Setup(car, Some(Box::new(setup)))),
                Some(Err(not_numbers)) => out.not_numbers += not_numbers,
            }
        }
    }

    fn telemetry(&mut self, telemetry: &Telemetry<'_>, out: &mut Out<'_>) {
        let signals = self.gives_signals(&telemetry.header);
        self.channels(telemetry, &telemetry.car, signals, out);
    }

    fn status(&mut self, status: &Status<'_>, out: &mut Out<'_>) {
        let signals = self.gives_signals(&status.header);
        self.channels(status, &status.car, signals, out);
    }
}

/// The sink, with the values shared by everything in one packet.
struct Out<'a> {
    sink: &'a mut dyn Sink,
    moment: Moment,
    kind: Kind,
    /// The values of the sample that was given last.
    values: Values,
    not_numbers: usize,
}

impl Out<'_> {
    /// Gives a record's channels: all of them, or those that are kept of every car.
    #[inline(always)]
    fn sample<const ALL: bool>(&mut self, car: Car, record: &impl Record) {
        self.values.fill::<ALL>(record);
        self.not_numbers += self.values.give(self.sink, car, self.moment);
    }

    fn event(&mut self, kind: EventKind) {
        self.sink.event(trailbrake_model::Event { moment: self.moment, car: None, kind });
    }

    fn fact(&mut self, fact: Fact) {
        self.sink.fact(self.moment, fact);
    }
}

fn give_signal(sink: &mut dyn Sink, moment: Moment, car: Car, signal: Signal, value: Option<i32>) {
    let kind = EventKind::Signal { signal, value };
    sink.event(trailbrake_model::Event { moment, car: Some(car), kind });
}

/// The car with an index; `None` outside the arrays.
fn car(index: u8) -> Option<Car> {
    (usize::from(index) < CARS).then_some(Car(index))
}

fn progress(car: Car, moment: Moment, lap: &CarLap, grid: bool) -> LapProgress {
    let number = |value: f32| Some(value).filter(|number| number.is_finite());
    LapProgress {
        car,
        moment,
        lap: u16::from(lap.current_lap_num),
        clock: number(lap.current_lap_time).filter(|clock| clock.abs() < LONGEST_LAP_S),
        distance: number(lap.lap_distance),
        total_distance: number(lap.total_distance),
        last_lap: LapTime::from_seconds(lap.last_lap_time),
        best_lap: LapTime::from_seconds(lap.best_lap_time),
        sector: lap.sector,
        sectors: SectorTimes::from([
            LapTime::from_seconds(lap.sector1_time),
            LapTime::from_seconds(lap.sector2_time),
            None,
        ]),
        inferred: false,
        invalid: lap.current_lap_invalid != 0,
        pit: facts::pit(lap.pit_status),
        driver: facts::driver(lap.driver_status),
        result: facts::result(lap.result_status),
        position: lap.car_position,
        // The game counts grid positions from 0.
        grid: if grid { lap.grid_position.saturating_add(1) } else { 0 },
        penalties: lap.penalties,
        ..LapProgress::default()
    }
}

#[cfg(test)]
mod tests;
