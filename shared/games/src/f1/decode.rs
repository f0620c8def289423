//! Converts packets to the model: signs, units and wheel order are converted only here.

use trailbrake_model::time::{LapTime, Micros};
use trailbrake_model::{
    Car, CarSetup, EventKind, Fact, LapProgress, Moment, Rule, SessionInfo, SessionKind, Signal, Sink,
};

use super::buttons::pressed_buttons;
use super::cars::{CarSet, UsedCars};
use super::facts;
use super::lap::{WholeLap, best_lap, best_of, progress};
use super::lap_numbers::{LapNumbers, PlayerIndex};
use super::latest_reports::LatestReports;
use super::layout::{
    self, CarLap, CarSetups, Damage, Event, FinalClassification, Happened, Header, LapData, LapPositions,
    LobbyInfo, MOST_CARS, Motion, MotionEx, Participants, Session, SessionHistory, Status, Telemetry,
    Telemetry2, TimeTrial, TyreSets,
};
use super::packet::{Kind, game, name_of_game, read_event, recognise};
use super::race_control::{car_at, race_event};
use super::reports;
use super::rules::rules;
use super::second_game::SecondGame;
use super::secrets::is_kept_secret;
use super::sector_times::SectorClocks;
use super::signals::Signals;
use super::timeline::{F1, Time};
use crate::decode::without;
use crate::session_clock::{SessionClock, Step};
use crate::table::{Entries, LaidOut, Record, Sent, Table, Values, Version, Visitor};
use crate::{Decode, Rejected, neighbours};

/// Seconds in a minute.
const MINUTE_S: f32 = 60.0;
/// From this format on, the first session packet of a session lacks some fields.
const UNFINISHED_FROM: u16 = 2021;

/// Decodes the packets of one sender.
#[derive(Debug, Default)]
pub struct Decoder {
    clock: SessionClock<F1>,
    cars: Option<u8>,
    player: Option<Option<Car>>,
    player_index: PlayerIndex,
    lap_numbers: LapNumbers,
    sector_clocks: SectorClocks,
    /// The best lap of each car, where the game lists all laps.
    best_laps: [Option<LapTime>; MOST_CARS],
    /// The game that sends.
    game: Option<&'static str>,
    /// The car that the player spectates.
    watching: Option<Car>,
    paused: bool,
    race: bool,
    signals: Signals,
    /// Per kind of packet, the session time of the newest one that gave signals. Late packets give none.
    signalled_at: [f32; Kind::ALL.len()],
    /// The session time of the newest session packet. Late ones are outdated and ignored.
    session_at: Option<f32>,
    rules: Vec<Rule>,
    /// The ghosts of a time trial.
    ghosts: Vec<Car>,
    /// Cars whose drivers keep their fuel, energy and damage secret: they are sent as zeros.
    secret: [bool; MOST_CARS],
    latest: LatestReports,
    second_game: SecondGame,
    /// The cars of which the sink wants all channels: asked with each lap packet, since asking takes a while.
    wanted: Option<CarSet>,
    /// The values of the sample that was given last.
    values: Values,
}

impl Decode for Decoder {
    fn receive(&mut self, at: Micros, datagram: &[u8], sink: &mut dyn Sink) -> Result<(), Rejected> {
        let recognised = recognise(datagram);
        let (kind, version) = recognised.map_err(|reason| neighbours::instead(reason, datagram))?;
        let header = &Header::of_bytes(datagram, version);
        let newest = self.clock.newest().filter(|newest| newest.is_driven());
        let is_of = |newest: &&Time| header.session_uid == 0 || newest.is_of(header.session_uid);
        let end = newest.filter(is_of).filter(|_| comes_after_the_end(kind, header, datagram)).copied();
        let time = end.unwrap_or_else(|| Time::of(header));
        let moment = time.moment(at, header).ok_or_else(|| Rejected::BadContent {
            game: game(version),
            packet: kind.name(),
            what: "its session time is no number that a session can have, so the packet was ignored"
                .to_owned(),
        })?;
        let step = if end.is_some() { Step::Late } else { self.clock.step(time) };
        let is_strange = |newest: &Time| !newest.is_of(header.session_uid);
        let is_other = step == Step::Stray && self.clock.newest().is_some_and(is_strange);
        self.second_game.take(is_other, game(version), kind.name())?;
        if step == Step::Stray {
            return Ok(());
        }
        if let Some(kind) = step.event() {
            // The game continues at the first packet after the change, which is not always this one.
            let session_time = Some(f64::from(self.clock.first().seconds));
            self.turn(kind, Moment { session_time, ..moment }, sink);
        }
        let game_now = name_of_game(header, version);
        if self.game != Some(game_now) {
            self.game = Some(game_now);
            sink.fact(moment, Fact::Game(game_now.to_owned()));
        }
        self.name_player(header, version, moment, sink);
        let takes_all = self.cars_to_take_all_of(kind, version, sink);
        let mut out = Out { sink, moment, version, kind, takes_all, not_numbers: 0 };
        self.take(kind, datagram, &mut out);
        without(game(version), out.kind.name(), out.not_numbers)
    }
}

/// Whether a packet is sent when the session is over: without a frame, and some years without a time.
fn comes_after_the_end(kind: Kind, header: &Header, datagram: &[u8]) -> bool {
    header.frame_identifier == 0
        && header.game_major_version.is_some()
        && match kind {
            Kind::FinalClassification | Kind::SessionHistory | Kind::TyreSets | Kind::LapPositions => true,
            Kind::Event => read_event(datagram).code.0 == *b"SEND",
            _ => false,
        }
}

impl Decoder {
    /// Takes what a packet has besides its header.
    fn take(&mut self, kind: Kind, datagram: &[u8], out: &mut Out<'_>) {
        let version = out.version;
        let body = datagram.get(Header::size(version)..).unwrap_or_default();
        match kind {
            Kind::Motion => {
                let motion = Motion::of_bytes(datagram, version);
                self.channels(&motion, &motion.car, false, out);
            }
            Kind::Session => self.session(&Session::of_bytes(datagram, version), out),
            Kind::LapData => self.laps(&LapData::of_bytes(datagram, version), out),
            Kind::Event => self.event(&read_event(datagram), out),
            Kind::Participants => self.participants(&Participants::of_bytes(datagram, version), out),
            Kind::CarSetups => self.setups(&CarSetups::of_bytes(datagram, version), out),
            Kind::CarTelemetry => {
                let telemetry = Telemetry::of_bytes(datagram, version);
                let signals = self.gives_signals(&telemetry.header);
                self.channels(&telemetry, &telemetry.car, signals, out);
            }
            Kind::CarStatus => {
                let status = Status::of_bytes(datagram, version);
                let signals = self.gives_signals(&status.header);
                self.channels(&status, &status.car, signals, out);
            }
            Kind::CarDamage => self.rare_channels(&Damage::of_bytes(datagram, version).car, out),
            Kind::CarTelemetry2 => self.rare_channels(&Telemetry2::of_bytes(datagram, version).car, out),
            // A spectator's is sent as zeros.
            Kind::MotionEx if body.iter().all(|byte| *byte == 0) => {}
            Kind::MotionEx => self.more_motion(&MotionEx::of_bytes(datagram, version), out),
            Kind::FinalClassification => {
                let results = FinalClassification::of_bytes(datagram, version);
                out.fact(Fact::Results(reports::results(&results, version)));
            }
            Kind::SessionHistory => self.past_laps(&SessionHistory::of_bytes(datagram, version), body, out),
            Kind::TyreSets => self.tyre_sets(&TyreSets::of_bytes(datagram, version), body, out),
            Kind::LobbyInfo if self.latest.is_new(kind, 0, body) => {
                out.fact(Fact::Lobby(reports::lobby(&LobbyInfo::of_bytes(datagram, version), version)));
            }
            Kind::TimeTrial if self.latest.is_new(kind, 0, body) => {
                out.fact(Fact::Rivals(reports::rivals(&TimeTrial::of_bytes(datagram, version), version)));
            }
            Kind::LapPositions => {
                let positions = LapPositions::of_bytes(datagram, version);
                if self.latest.is_new(kind, positions.lap_start, body) {
                    let laps = reports::positions(&positions, version);
                    out.fact(Fact::Positions { first_lap: u16::from(positions.lap_start) + 1, laps });
                }
            }
            Kind::LobbyInfo | Kind::TimeTrial => {}
        }
    }

    fn turn(&mut self, kind: EventKind, moment: Moment, sink: &mut dyn Sink) {
        self.session_at = None;
        self.lap_numbers = LapNumbers::default();
        self.sector_clocks = SectorClocks::default();
        (self.latest, self.best_laps) = (LatestReports::default(), [None; MOST_CARS]);
        self.signalled_at = [f32::MIN; Kind::ALL.len()];
        if kind == EventKind::SessionStarted {
            *self = Self {
                clock: std::mem::take(&mut self.clock),
                signalled_at: self.signalled_at,
                ..Self::default()
            };
        }
        sink.event(trailbrake_model::Event { moment, car: None, kind });
    }

    /// The player may be in none of the arrays: later games have more cars than the older formats have room for.
    fn name_player(&mut self, header: &Header, version: Version, moment: Moment, sink: &mut dyn Sink) {
        let player = car_at(self.player_index.next(header.player_car_index), version);
        if self.player != Some(player) {
            self.player = Some(player);
            self.signals = Signals::default();
            sink.fact(moment, Fact::Player(player));
        }
    }

    /// The cars in use. The player's is one of them, wherever it stands.
    fn used(&self, version: Version) -> UsedCars {
        let most = layout::cars(version);
        UsedCars { first: self.cars.map_or(most, usize::from).min(most), player: self.player.flatten() }
    }

    /// Gives the channels of each car's entry, all of them or those that are kept of every car, and those of the player's
    /// car that the packet has besides.
    fn channels<'a, T: Record + Table + for<'b> Sent<'b, Value = T>>(
        &mut self,
        packet: &impl Record,
        entries: &Entries<'a, T>,
        signals: bool,
        out: &mut Out<'_>,
    ) {
        let mut cars = CarChannels {
            used: self.used(out.version),
            has_secrets: self.keeps_secrets(out.version) || self.secret.contains(&true),
            decoder: self,
            signals,
            out,
            is_player_in: false,
        };
        entries.show(&mut cars);
        let is_player_in = cars.is_player_in;
        // A clip of other cars has no entry of the player's.
        if let Some(Some(player)) = self.player
            && (is_player_in || entries.is_used(usize::from(player.0)))
        {
            self.sample::<true>(player, packet, out);
            self.give_signals(signals, player, out);
        }
    }

    /// Gives the channels of each car's entry of a packet that comes rarely or in one year only, and has nothing else.
    fn rare_channels<'a, T: Record + for<'b> Sent<'b, Value = T>>(
        &mut self,
        entries: &Entries<'a, T>,
        out: &mut Out<'_>,
    ) {
        let used = self.used(out.version);
        for (place, entry) in entries.used().enumerate() {
            let Some((car, entry)) = used.car(place).zip(entry) else { continue };
            if out.kind == Kind::CarDamage && self.is_secret(car, out.version) {
                continue;
            }
            let record = entry.read();
            match out.takes_all.contains(car) {
                true => self.sample::<true>(car, &record, out),
                false => self.sample::<false>(car, &record, out),
            }
        }
    }

    /// Whether what only the car's own driver may see is sent as zeros.
    fn is_secret(&self, car: Car, version: Version) -> bool {
        self.keeps_secrets(version) || self.secret.get(usize::from(car.0)) == Some(&true)
    }

    /// Whether every car is kept secret: while somebody only watches, but in the oldest format.
    fn keeps_secrets(&self, version: Version) -> bool {
        self.watching.is_some() && version != layout::YEAR_2018
    }

    /// Whether signals are given for this car: the spectated car, or the player's own.
    fn is_followed(&self, car: Car) -> bool {
        Some(car) == self.watching.or(self.player.flatten())
    }

    /// The cars of which all channels are decoded; of the others only those that are shown of every car.
    fn cars_to_take_all_of(&mut self, kind: Kind, version: Version, sink: &dyn Sink) -> CarSet {
        let known = self.wanted.filter(|_| kind != Kind::LapData);
        let cars = layout::cars(version);
        let ask = || CarSet::of(|car| usize::from(car.0) < cars && sink.wants_all(car));
        let wanted = *self.wanted.insert(known.unwrap_or_else(ask));
        self.watching.or(self.player.flatten()).map_or(wanted, |followed| wanted.with(followed))
    }

    /// Whether this is the newest packet of its kind; only such packets give signals.
    fn gives_signals(&mut self, header: &Header) -> bool {
        let now = header.session_time;
        let newest =
            self.signalled_at.get_mut(usize::from(header.packet_id)).filter(|newest| **newest <= now);
        newest.map(|newest| *newest = now).is_some()
    }

    /// Gives a record's channels: all of them, or those that are kept of every car.
    #[inline(always)]
    fn sample<const ALL: bool>(&mut self, car: Car, record: &impl Record, out: &mut Out<'_>) {
        self.values.fill::<ALL>(record);
        self.give(car, out);
    }

    /// Gives the values.
    #[inline(always)]
    fn give(&mut self, car: Car, out: &mut Out<'_>) {
        out.not_numbers += self.values.give(out.sink, car, out.moment);
    }

    /// Derives signals from the sample that was given last.
    fn give_signals(&mut self, signals: bool, car: Car, out: &mut Out<'_>) {
        if signals && self.is_followed(car) {
            let Out { sink, moment, .. } = out;
            let mut give = |signal, value| give_signal(*sink, *moment, car, signal, value);
            self.signals.channels(self.values.get(), &mut give);
        }
    }

    fn session(&mut self, session: &Session<'_>, out: &mut Out<'_>) {
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
        // The first packet of a session knows neither the zones nor who is watched.
        let is_whole = out.version.number() < UNFINISHED_FROM || session.num_marshal_zones > 0;
        let watching = facts::watching(session, out.version);
        if is_whole && watching != self.watching {
            (self.watching, self.signals) = (watching, Signals::default());
        }
        let info = facts::session(session, out.version, &self.ghosts);
        let info = SessionInfo { watching: self.watching, ..info };
        self.race = matches!(info.kind, SessionKind::Race(_));
        let zones = session.marshal_zones.iter().take(usize::from(session.num_marshal_zones)).count();
        out.not_numbers += zones - info.marshal_zones.len();
        out.fact(Fact::Session(Box::new(info)));
        let rules = rules(session, facts::weekend(session, out.version));
        if is_whole && rules != self.rules {
            self.rules.clone_from(&rules);
            out.fact(Fact::Rules(rules));
        }
    }

    fn laps(&mut self, laps: &LapData<'_>, out: &mut Out<'_>) {
        let signals = self.gives_signals(&laps.header);
        self.take_ghosts(laps, out.version);
        // Outside races there is no grid, and every grid position is sent as zero.
        let mut grid = HasGrid(false);
        laps.car.show(&mut grid);
        let used = self.used(out.version);
        laps.car.show(&mut CarProgress { decoder: self, signals, grid: grid.0, used, out });
    }

    #[inline(always)]
    fn lap(
        &mut self,
        car: Car,
        mut lap: CarLap,
        version: Version,
        (signals, grid): (bool, bool),
        out: &mut Out<'_>,
    ) {
        let times = [lap.last_lap_time, best_lap(&lap), lap.sector1_time, lap.sector2_time];
        out.not_numbers += times.iter().filter(|time| !time.is_finite()).count();
        [lap.sector1_time, lap.sector2_time] = self.whole_sectors(car, &lap, version);
        let mut progress = progress(car, out.moment, &lap, grid, version);
        match out.takes_all.contains(car) {
            true => self.sample::<true>(car, &WholeLap(&lap), out),
            false => self.sample::<false>(car, &lap, out),
        }
        self.progress(&mut progress, (lap.current_lap_num, lap.current_lap_time), signals, out);
    }

    /// Gives a car's progress if its lap number is to be believed. It is the same code for all layouts.
    #[inline(never)]
    fn progress(
        &mut self,
        progress: &mut LapProgress,
        (number, clock_s): (u8, f32),
        signals: bool,
        out: &mut Out<'_>,
    ) {
        let car = progress.car;
        let best = || self.best_laps.get(usize::from(car.0)).copied().flatten();
        progress.best_lap = progress.best_lap.or_else(best);
        if !self.lap_numbers.accept(usize::from(car.0), number, clock_s) {
            return;
        }
        out.sink.progress(progress);
        self.give_signals(signals, car, out);
        if signals && self.is_followed(car) {
            let race = self.race;
            let Out { sink, moment, .. } = &mut *out;
            let mut give = |signal, value| give_signal(*sink, *moment, car, signal, value);
            self.signals.progress(progress, race, &mut give);
        }
    }

    fn event(&mut self, event: &Event, out: &mut Out<'_>) {
        let happened = Happened::of(event, out.version);
        match happened {
            // A session's first packet already starts it; a later SSTA is a restart.
            Some(Happened::SessionStarted) => {
                if self.clock.begin(Time::of(&event.header)).is_some_and(Time::is_driven) {
                    self.lap_numbers = LapNumbers::default();
                    (self.latest, self.best_laps) = (LatestReports::default(), [None; MOST_CARS]);
                    out.event(EventKind::Restarted);
                }
            }
            Some(Happened::SessionEnded) => out.event(EventKind::SessionEnded),
            Some(Happened::ButtonsPressed(pressed)) => {
                if let Some(player) = self.player.flatten() {
                    self.sample::<true>(player, &pressed_buttons(pressed), out);
                    self.give_signals(true, player, out);
                }
            }
            Some(Happened::FlashedBack(to)) => self.clock.policy.announce_rewind(to.session_time),
            Some(happened) => {
                if let Some((car, event)) = race_event(&happened, out.version) {
                    let kind = EventKind::Race(Box::new(event));
                    out.sink.event(trailbrake_model::Event { moment: out.moment, car, kind });
                }
            }
            None => out.event(EventKind::Other(event.code.read())),
        }
    }

    fn participants(&mut self, participants: &Participants<'_>, out: &mut Out<'_>) {
        let used = participants.num_cars.min(layout::cars(out.version) as u8);
        self.cars = Some(used);
        let player = self.player.flatten();
        for ((car, secret), driver) in (0..).map(Car).zip(&mut self.secret).zip(participants.car.all()) {
            let driver = driver.read();
            *secret = driver.your_telemetry == Some(0) && driver.ai_controlled == 0 && Some(car) != player;
        }
        out.fact(Fact::Participants(facts::participants(participants, used, out.version)));
    }

    /// The ghosts of a time trial. Games before 2022 do not say which cars they are.
    fn take_ghosts(&mut self, laps: &LapData<'_>, version: Version) {
        let ghosts = [laps.time_trial_pb_car, laps.time_trial_rival_car].into_iter().flatten();
        let ghosts = ghosts.filter_map(|car| car_at(car, version));
        if !ghosts.clone().eq(self.ghosts.iter().copied()) {
            self.ghosts = ghosts.collect();
        }
    }

    /// The times of the first two sectors, with their minutes.
    #[inline(always)]
    fn whole_sectors(&mut self, car: Car, lap: &CarLap, version: Version) -> [f32; 2] {
        if (2020..=2022).contains(&version.number()) {
            return self.sector_clocks.whole(usize::from(car.0), lap);
        }
        let minutes = |minutes: Option<u8>| MINUTE_S * f32::from(minutes.unwrap_or_default());
        [lap.sector1_time + minutes(lap.sector1_minutes), lap.sector2_time + minutes(lap.sector2_minutes)]
    }

    fn more_motion(&mut self, motion: &MotionEx, out: &mut Out<'_>) {
        if let Some(player) = self.player.flatten() {
            self.sample::<true>(player, motion, out);
        }
    }

    fn past_laps(&mut self, history: &SessionHistory<'_>, body: &[u8], out: &mut Out<'_>) {
        let Some(car) = car_at(history.car_index, out.version) else { return };
        if !self.latest.is_new(Kind::SessionHistory, car.0, body) {
            return;
        }
        let past = reports::past_laps(history);
        if let Some(best) = self.best_laps.get_mut(usize::from(car.0)) {
            *best = best_of(&past);
        }
        out.fact(Fact::PastLaps(car, Box::new(past)));
    }

    fn tyre_sets(&mut self, sets: &TyreSets<'_>, body: &[u8], out: &mut Out<'_>) {
        let Some(car) = car_at(sets.car_index, out.version) else { return };
        if self.latest.is_new(Kind::TyreSets, car.0, body) {
            out.fact(Fact::TyreSets(car, reports::tyre_sets(sets, out.version)));
        }
    }

    fn setups(&self, setups: &CarSetups<'_>, out: &mut Out<'_>) {
        let used = self.used(out.version);
        for (place, setup) in setups.car.used().enumerate() {
            let Some(car) = used.car(place) else { continue };
            match setup.map(|setup| facts::setup(&setup.read())) {
                // Other people's setups are sent as zeros: their setup is missing.
                None => out.fact(Fact::Setup(car, None)),
                Some(Ok(setup)) => {
                    let next = setups.next_front_wing.filter(|next| next.is_finite());
                    let next_front_wing = next.filter(|_| Some(car) == self.player.flatten());
                    out.fact(Fact::Setup(car, Some(Box::new(CarSetup { next_front_wing, ..setup }))));
                }
                Some(Err(not_numbers)) => out.not_numbers += not_numbers,
            }
        }
    }
}

/// Gives the channels of each car's entry.
struct CarChannels<'d, 'o, 's> {
    decoder: &'d mut Decoder,
    used: UsedCars,
    signals: bool,
    /// Whether anybody keeps anything secret.
    has_secrets: bool,
    out: &'o mut Out<'s>,
    is_player_in: bool,
}

impl<T: Record + Table + for<'a> Sent<'a, Value = T>> Visitor<T> for CarChannels<'_, '_, '_> {
    #[inline(always)]
    fn visit<const LAYOUT: usize>(&mut self, place: usize, is_used: bool, entry: LaidOut<'_, T, LAYOUT>) {
        let Some(car) = self.used.car(place).filter(|_| is_used) else { return };
        let is_secret = self.has_secrets && self.decoder.is_secret(car, self.out.version);
        self.is_player_in |= self.used.player == Some(car);
        if self.out.takes_all.contains(car) {
            self.decoder.values.fill::<true>(&entry.read());
            if is_secret {
                let version = self.out.version;
                self.decoder.values.retain(|slot| !is_kept_secret(slot, version));
            }
        } else {
            self.decoder.values.fill::<false>(&entry.read());
        }
        self.decoder.give(car, self.out);
        self.decoder.give_signals(self.signals, car, self.out);
    }
}

/// Looks whether any car has a grid position.
struct HasGrid(bool);

impl Visitor<CarLap> for HasGrid {
    #[inline(always)]
    fn visit<const LAYOUT: usize>(&mut self, _: usize, _: bool, entry: LaidOut<'_, CarLap, LAYOUT>) {
        self.0 |= entry.read().grid_position > 0;
    }
}

/// Whether there is nothing of a car's lap but its grid position.
#[cold]
fn is_left_out(lap: &[u8], version: Version) -> bool {
    let grid = CarLap::place_of("grid_position", version).unwrap_or_default();
    lap.iter().enumerate().all(|(place, byte)| *byte == 0 || grid.contains(&place))
}

/// Gives each car's progress.
struct CarProgress<'d, 'o, 's> {
    decoder: &'d mut Decoder,
    signals: bool,
    grid: bool,
    used: UsedCars,
    out: &'o mut Out<'s>,
}

impl Visitor<CarLap> for CarProgress<'_, '_, '_> {
    #[inline(always)]
    fn visit<const LAYOUT: usize>(&mut self, place: usize, _: bool, entry: LaidOut<'_, CarLap, LAYOUT>) {
        let Some(car) = self.used.car(place) else { return };
        let lap = entry.read();
        // Of a car that was left out of a clip, the grid position stays. A car in use has a status.
        if lap.result_status == 0 && is_left_out(entry.bytes(), entry.version()) {
            return;
        }
        self.decoder.lap(car, lap, entry.version(), (self.signals, self.grid), self.out);
    }
}

/// The sink, with the values shared by everything in one packet.
struct Out<'a> {
    sink: &'a mut dyn Sink,
    moment: Moment,
    version: Version,
    kind: Kind,
    takes_all: CarSet,
    not_numbers: usize,
}

impl Out<'_> {
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

#[cfg(test)]
mod tests;
