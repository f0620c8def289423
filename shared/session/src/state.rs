//! The state of a session, built from everything that the decoders report.

use trailbrake_analysis::laps::{CarLaps, Change, Lap};
use trailbrake_model::{
    Car, Event, EventKind, Fact, LapProgress, Moment, Participant, ResultStatus, Sample, SessionInfo,
    SessionKind, Sink, Track, TrackPrint,
};

use super::cars::Cars;
use super::focus::Focus;
use super::log::Log;
use super::outline::TrackKey;
use super::player_cars::PlayerCars;
use super::recall::{self, RecalledClock};
use super::reported::{Reported, is_news};
use super::seats::Drivers;
use super::session_track::SessionTrack;
use super::traces::Keep;
use super::track_sectors::TrackSectors;
use super::{
    Bests, CarState, LiveComparison, LogEntry, LogKind, Outline, RecalledSession, ReferenceLap, ReportedLap,
    Retention, Seat, SessionSummary, SignalTimes,
};

/// A session as it is now. Its memory does not grow with its length, except for one table row per lap.
#[derive(Clone, Debug, Default)]
pub struct Session {
    retention: Retention,
    game: Option<String>,
    info: Option<Box<SessionInfo>>,
    track: SessionTrack,
    pub(super) focus: Focus,
    player_cars: PlayerCars,
    pub(super) cars: Cars,
    drivers: Drivers,
    pub(super) live_comparison: LiveComparison,
    log: Log,
    signals: SignalTimes,
    /// Signals outside of any session, such as on the way from the menu to the track. They belong to the session that
    /// follows.
    prelude: SignalTimes,
    track_print: Option<TrackPrint>,
    reported: Reported,
    bests: Bests,
    sectors: TrackSectors,
    now: Moment,
    began: bool,
    /// The recorded state before the first packet, until a car moves.
    recalled: Option<Box<RecalledSession>>,
    ended: bool,
    laps_changed: u64,
    facts_changed: u64,
    /// How many sessions were decoded before it.
    number: u32,
}

impl Session {
    /// An empty session that keeps this much of the past.
    pub fn new(retention: Retention) -> Self {
        Self { retention, live_comparison: LiveComparison::new(retention.compares), ..Self::default() }
    }

    /// Marks the session as one whose first packets are not decoded, and gives it what was recorded of them.
    pub fn recalling(mut self, recalled: RecalledSession) -> Self {
        self.drivers.recall(recalled.summary.participants.clone());
        self.recalled = Some(Box::new(recalled));
        self
    }

    /// The session info, once received.
    pub fn info(&self) -> Option<&SessionInfo> {
        self.info.as_deref()
    }

    /// Whether this is a rally stage: point to point, each lap a run.
    pub fn is_stage(&self) -> bool {
        self.info.as_ref().is_some_and(|info| info.kind == SessionKind::Stage)
    }

    /// Whether the game shows a replay.
    fn is_replay(&self) -> bool {
        self.info.as_ref().is_some_and(|info| info.replay == Some(true))
    }

    /// The game, where a feed has several.
    pub fn game(&self) -> Option<&str> {
        self.game.as_deref()
    }

    /// The signals received.
    pub fn signals(&self) -> &SignalTimes {
        &self.signals
    }

    /// The track's shape, while the track has no name.
    pub fn track_print(&self) -> Option<&TrackPrint> {
        self.track_print.as_ref()
    }

    /// What the game reports besides what it measures.
    pub fn reported(&self) -> &Reported {
        &self.reported
    }

    /// The drivers in the session.
    pub fn participants(&self) -> &[Participant] {
        self.drivers.participants()
    }

    /// The player's car.
    pub fn player(&self) -> Option<Car> {
        self.focus.player
    }

    /// Whether the player drove all of a car's lap. `None` if they drove one car throughout.
    pub fn drove(&self, car: Car, lap: &Lap) -> Option<bool> {
        self.player_cars.drove(car, lap)
    }

    /// The watched car: the one the user picked, else the one the player watches, else the player's own; without a
    /// player, the leader.
    pub fn watched(&self) -> Option<Car> {
        self.focus.watched(&self.cars)
    }

    /// The car that the user picked to watch.
    pub fn picked(&self) -> Option<Car> {
        self.focus.picked
    }

    /// Picks a car to watch; `None` returns to the default.
    pub fn pick(&mut self, car: Option<Car>) {
        self.focus.picked = car;
    }

    fn looks_closely(&self, car: Car) -> bool {
        self.focus.looks_closely(car, &self.retention, &self.cars)
    }

    /// Takes values of the player's car or the one that the player watches.
    fn take_of_player(&mut self, sample: &Sample<'_>) {
        let closely = self.looks_closely(sample.car);
        let car = self.cars.of(sample.car);
        let before = car.flag();
        car.take(sample, closely, &self.retention);
        let flag = car.flag();
        if self.focus.player == Some(sample.car) {
            self.live_comparison.look(car.traces.current());
        }
        if flag != before && self.focus.followed() == Some(sample.car) {
            self.log.note(sample.moment, Some(sample.car), LogKind::Flag { flag, sector: None });
        }
    }

    /// A car, once anything is known of it.
    pub fn car(&self, car: Car) -> Option<&CarState> {
        self.cars.get(car)
    }

    /// All known cars.
    pub fn cars(&self) -> impl Iterator<Item = (Car, &CarState)> + Clone {
        self.cars.iter()
    }

    /// All seats by car: former drivers first, then the current one.
    pub fn seats(&self) -> impl Iterator<Item = Seat<'_>> {
        self.drivers.seats(&self.cars)
    }

    /// The seat of a car's lap.
    pub fn seat_of(&self, car: Car, serial: u32) -> Option<Seat<'_>> {
        self.seats().find(|seat| seat.car == car && seat.state.laps.lap(serial).is_some())
    }

    /// The laps of a car's driver of which only the game's report is known.
    pub fn reported_laps(&self, car: Car) -> impl Iterator<Item = Lap> {
        self.drivers.reported_laps(car, &self.reported.laps)
    }

    /// The name of a car's driver; the car's number without a name.
    pub fn name(&self, car: Car) -> String {
        self.drivers.name(car)
    }

    /// The name of a car's driver in three letters; the car's number without a name.
    pub fn short(&self, car: Car) -> String {
        self.drivers.short(car)
    }

    /// The fastest laps and sectors of all cars.
    pub fn bests(&self) -> &Bests {
        &self.bests
    }

    /// The player against the reference lap.
    pub fn live_comparison(&self) -> &LiveComparison {
        &self.live_comparison
    }

    /// The log, oldest entry first.
    pub fn log(&self) -> impl DoubleEndedIterator<Item = &LogEntry> + ExactSizeIterator {
        self.log.entries()
    }

    /// The track outline, once a lap has been driven.
    pub fn outline(&self) -> Option<&Outline> {
        self.track.outline(self.info())
    }

    /// The track without the track book's name for it.
    pub fn own_track(&self) -> Option<&Track> {
        self.track.own()
    }

    /// Where sectors 2 and 3 begin, in metres from the line, once a car was seen entering them.
    pub fn sector_starts_m(&self) -> [Option<f32>; 2] {
        self.sectors.starts_m()
    }

    /// The newest moment received.
    pub fn now(&self) -> Moment {
        self.now
    }

    /// Whether the game reported the end of the session.
    pub fn has_ended(&self) -> bool {
        self.ended
    }

    /// Rises whenever a lap begins, ends, gets its time or is undone, so that lap lists refresh.
    pub fn laps_changed(&self) -> u64 {
        self.laps_changed
    }

    /// Rises whenever the log changes.
    pub fn log_changed(&self) -> u64 {
        self.log.changes()
    }

    /// Rises whenever the game reports a fact.
    pub fn facts_changed(&self) -> u64 {
        self.facts_changed
    }

    /// Bytes taken by the columns of all cars.
    pub fn bytes(&self) -> usize {
        self.seats().map(|seat| seat.state.traces.bytes()).sum()
    }

    /// Counts the sessions of a source: rises whenever another one begins.
    pub fn number(&self) -> u32 {
        self.number
    }

    /// The latest facts that the game reported of the session.
    pub fn summary(&self) -> SessionSummary {
        let player = self.player();
        let vehicle = player.and_then(|car| self.car(car)?.vehicle.as_deref());
        SessionSummary {
            game: self.game.clone(),
            info: self.info().cloned(),
            participants: self.participants().to_vec(),
            result: player.and_then(|car| self.reported.result(car)).cloned(),
            player,
            vehicle: vehicle.cloned(),
            track: self.track_print.clone(),
        }
    }

    pub(super) fn lap_table_changed(&mut self) {
        self.laps_changed += 1;
        let laps = self.seats().map(|seat| (seat.car, &seat.state.laps));
        let reported = ReportedLap::of_cars(&self.reported.past_laps, laps, |_| (0, 0));
        let bests = Bests::of(&mut self.seats().flat_map(|seat| seat.finished())).with(&reported);
        (self.bests, self.reported.laps) = (bests, reported);
    }

    /// Handles laps that began or ended.
    fn turn(&mut self, change: Change, progress: &LapProgress) {
        let car = progress.car;
        let is_player = self.focus.player == Some(car);
        let Some(state) = self.cars.get_mut(car) else { return };
        if is_player && let Some(ended) = change.finished.and_then(|serial| state.laps.lap(serial)) {
            self.live_comparison.line(state.traces.current(), ended);
        }
        state.traces.turn(change, &state.laps);
        if let Some(serial) = change.finished
            && change.recalled
        {
            state.traces.forget(serial);
        }
        let timed = change.finished.or(change.timed).and_then(|serial| state.laps.lap(serial)).cloned();
        if is_player {
            self.live_comparison.turn(change, timed.as_ref(), state);
            self.name_track_by_book();
        }
        if let Some(lap) = timed {
            self.note_lap(car, &lap, progress.moment);
            self.learn_outline(car, &lap);
        }
        self.tidy(car);
        self.lap_table_changed();
    }

    fn note_lap(&mut self, car: Car, lap: &Lap, moment: Moment) {
        let Some(time) = lap.time else { return };
        if self.focus.follows(car) {
            let finished = self.live_comparison.finished().filter(|finished| finished.serial == lap.serial);
            self.log.note_lap(moment, car, lap, time, finished.map(|finished| finished.behind_ms));
        }
        let fastest = self.bests.lap.is_none_or(|(best, _)| time < best);
        // On a stage the driver is alone and always the fastest, and the finish was already logged.
        if self.is_stage() {
            return;
        }
        if fastest && lap.counts().is_some() {
            self.log.note(moment, Some(car), LogKind::Fastest { number: lap.number, time });
        }
    }

    /// Learns the track's outline from a lap.
    pub(super) fn learn_outline(&mut self, car: Car, lap: &Lap) {
        let columns = self.cars.get(car).and_then(|state| state.traces.lap(lap.serial));
        let is_stage = self.is_stage();
        self.track.learn_outline(self.info.as_deref(), lap, columns, is_stage);
    }

    pub(super) fn take_outline(&mut self, outline: Outline) {
        self.track.take_outline(self.info.as_deref(), outline);
    }

    /// Names the track as the track book does, unless the game or the driver names it on this page.
    pub(super) fn name_track_by_book(&mut self) {
        let Some(reference) = self.live_comparison.reference() else { return };
        if !self.track.take_name_in_book(reference.track.as_deref()) {
            return;
        }
        if let Some(info) = &mut self.info {
            let key_before = TrackKey::of(Some(info));
            info.track = self.track.shown();
            self.facts_changed += 1;
            self.track.keep_outline(&key_before, TrackKey::of(Some(info)));
        }
    }

    fn tidy(&mut self, car: Car) {
        let keep = if self.looks_closely(car) {
            let reference = self.live_comparison.reference().and_then(ReferenceLap::serial);
            Keep::Within(self.retention.player_bytes, [reference, self.live_comparison.chosen()])
        } else {
            Keep::LastAndBest
        };
        if let Some(state) = self.cars.get_mut(car) {
            state.traces.tidy(keep, &state.laps);
        }
    }

    /// Applies a restart, rewind or session end to the laps and columns of one car, or of all.
    fn turn_cars(&mut self, which: Option<Car>, laps: impl Fn(&mut CarLaps), back_to: Option<f64>) {
        for (car, state) in self.cars.iter_mut() {
            if which.is_some_and(|which| which != car) {
                continue;
            }
            laps(&mut state.laps);
            state.latest.clock_ran_back();
            match back_to {
                Some(seconds) => state.traces.go_back(seconds, &state.laps),
                None => state.traces.break_off(&state.laps),
            }
            if self.focus.player == Some(car) {
                self.live_comparison.go_back(state.traces.current());
                self.live_comparison.find_reference(state);
            }
        }
        self.lap_table_changed();
    }

    /// Starts another session and drops the state of the last one. The outline stays, since the track may be the same.
    fn start_another_session(&mut self) {
        *self = Self {
            retention: self.retention,
            game: self.game.take(),
            focus: Focus { picked: self.focus.picked, ..Focus::default() },
            signals: std::mem::take(&mut self.prelude),
            track: self.track.of_next_session(),
            live_comparison: self.live_comparison.renewed(),
            now: self.now,
            began: true,
            laps_changed: self.laps_changed + 1,
            facts_changed: self.facts_changed + 1,
            number: self.number.wrapping_add(1),
            ..Self::default()
        };
    }

    fn take_info(&mut self, moment: Moment, mut info: Box<SessionInfo>) {
        let key_before = TrackKey::of(self.info());
        info.track = self.track.take(info.track.take());
        self.log.note_info(moment, self.info.as_deref(), &info);
        if let Some((flag, sector)) = self.sectors.take_flag(&info) {
            self.log.note(moment, None, LogKind::Flag { flag, sector });
        }
        let key = TrackKey::of(Some(&info));
        self.focus.watching = info.watching;
        self.info = Some(info);
        // An outline learnt while the layout was not recognised yet is that layout's.
        if !key_before.names_layout() {
            self.track.keep_outline(&key_before, key);
        }
    }

    /// Takes a progress report that says something new. Returns whether it counts.
    #[cold]
    fn turn_progress(&mut self, progress: &LapProgress) -> bool {
        let Some(state) = self.cars.get_mut(progress.car) else { return false };
        let before = state.progress().copied();
        let Some(change) = state.laps.progress(progress) else { return false };
        if let Some(info) = &self.info {
            state.laps.flag_conditions(info, progress.moment);
        }
        if (Change { noted: false, ..change }) != Change::default() {
            self.turn(change, progress);
        } else if change.noted {
            self.lap_table_changed();
        }
        let now = self.cars.get(progress.car).and_then(|state| state.progress()).copied();
        if let Some((before, now)) = before.zip(now) {
            let (is_stage, is_followed) = (self.is_stage(), self.focus.follows(now.car));
            self.log.note_change(&before, &now, is_stage, is_followed);
            self.sectors.learn(&before, &now);
        }
        true
    }

    fn take_participants(&mut self, moment: Moment, participants: Vec<Participant>) {
        let every_car = self.retention.every_car;
        let changes = self.drivers.take(moment, participants, &mut self.cars, every_car);
        self.focus.picked = self.focus.picked.filter(|picked| !changes.taken_over.contains(picked));
        if changes.is_change_of_seats {
            self.lap_table_changed();
        }
        self.log.know(self.drivers.short_names());
    }

    /// Applies the recalled session once a car moves: only then is the game's clock certain.
    #[inline]
    fn recall(&mut self, moment: Moment) {
        if self.recalled.is_some() {
            self.apply_recalled(moment);
        }
    }

    #[cold]
    fn apply_recalled(&mut self, moment: Moment) {
        let Some(recalled) = self.recalled.take() else { return };
        let RecalledSession { summary, laps, next, chosen, log, until } = *recalled;
        let facts = recall::facts(self.summary().or(summary), self.participants().is_empty());
        facts.into_iter().for_each(|fact| self.fact(moment, fact));
        let clock = RecalledClock(moment);
        recall::recall_laps(&laps, next.as_ref(), clock, &mut self.cars, &mut self.drivers);
        self.log.recall(log.into_iter().map(|entry| clock.entry(entry)), until);
        self.lap_table_changed();
        if let Some(car) = self.focus.player.and_then(|player| self.cars.get(player)) {
            self.live_comparison.choose_lap(chosen, car);
        }
    }
}

impl Sink for Session {
    fn sample(&mut self, sample: &Sample<'_>) {
        self.recall(sample.moment);
        self.now = sample.moment;
        if !self.retention.keeps(sample.car) {
            return;
        }
        if [self.focus.player, self.focus.watching].contains(&Some(sample.car)) {
            return self.take_of_player(sample);
        }
        let closely = self.looks_closely(sample.car);
        self.cars.of(sample.car).take(sample, closely, &self.retention);
    }

    fn progress(&mut self, progress: &LapProgress) {
        self.recall(progress.moment);
        self.now = progress.moment;
        if !self.retention.keeps(progress.car) {
            return;
        }
        if progress.position == 1 {
            self.focus.leader = Some(progress.car);
        }
        let is_replay = self.is_replay();
        let state = self.cars.of(progress.car);
        state.absent = progress.result == ResultStatus::Invalid;
        if state.laps.is_old(progress.moment) {
            return;
        }
        let counts = (!is_replay && state.laps.drive_on(progress)) || self.turn_progress(progress);
        if !counts || self.focus.player != Some(progress.car) {
            return;
        }
        let (cars, info) = (self.cars.iter(), self.info.as_deref());
        self.live_comparison.traffic.look(self.focus.player, cars, info, progress.moment.at);
        if let Some(state) = self.cars.get(progress.car) {
            self.live_comparison.progress(progress, state.laps.current(), state.traces.current());
        }
    }

    fn wants_all(&self, car: Car) -> bool {
        // Any other watched car is looked at closely.
        self.looks_closely(car)
            || (self.focus.watching == Some(car) && self.focus.is_watched(car, &self.cars))
    }

    fn event(&mut self, event: Event) {
        let moment = event.moment;
        self.now = moment;
        match &event.kind {
            // It had started before; this is only where decoding begins.
            EventKind::SessionStarted if self.recalled.is_some() && !self.began => {
                self.began = true;
                return;
            }
            EventKind::SessionStarted => self.start_another_session(),
            EventKind::SessionEnded => {
                self.ended = true;
                self.turn_cars(event.car, |laps| laps.session_ended(moment), None);
            }
            EventKind::Rewound { .. } => {
                self.turn_cars(event.car, |laps| laps.rewound(moment), Some(moment.seconds()));
                self.log.go_back(moment.seconds());
                self.player_cars.go_back(moment.seconds());
            }
            EventKind::Restarted => {
                self.reported.begin_again();
                self.ended = false;
                self.turn_cars(event.car, |laps| laps.restarted(moment), None);
            }
            EventKind::Paused => {
                self.cars.iter_mut().for_each(|(_, state)| state.laps.paused(moment));
                self.lap_table_changed();
            }
            EventKind::Recovered | EventKind::Penalty { .. } => {
                if let Some(state) = event.car.and_then(|car| self.cars.get_mut(car)) {
                    state.laps.recovered(moment);
                }
                self.lap_table_changed();
            }
            EventKind::Signal { signal, .. } => {
                if self.ended || !self.began {
                    self.prelude.note(*signal, moment.seconds());
                }
                return self.signals.note(*signal, moment.seconds());
            }
            kind if !is_news(kind, event.car, self.watched()) => return,
            _ => {}
        }
        self.log.note(moment, event.car, LogKind::Game(event.kind));
    }

    fn fact(&mut self, moment: Moment, fact: Fact) {
        self.facts_changed += 1;
        match fact {
            Fact::Game(game) => self.game = Some(game),
            Fact::Player(player) => {
                let before = std::mem::replace(&mut self.focus.player, player);
                if let Some(car) = player {
                    self.player_cars.drive(car, moment.seconds());
                }
                if before != player {
                    self.live_comparison = self.live_comparison.renewed();
                    if let Some(car) = before {
                        self.tidy(car);
                    }
                    if let Some(car) = player.and_then(|player| self.cars.get(player)) {
                        self.live_comparison.find_reference(car);
                    }
                }
            }
            Fact::Session(info) => self.take_info(moment, info),
            Fact::Participants(participants) => self.take_participants(moment, participants),
            // A setup that is not sent makes no car.
            Fact::Setup(car, None) => drop(self.cars.get_mut(car).and_then(|state| state.setup.take())),
            Fact::Setup(car, setup) => self.cars.of(car).setup = setup,
            Fact::Vehicle(car, vehicle) => self.cars.of(car).vehicle = Some(vehicle),
            Fact::Track(print) => self.track_print = Some(print),
            report => {
                if self.reported.take(report) {
                    self.lap_table_changed();
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
