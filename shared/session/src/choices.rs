//! The driver's choices: what laps are compared with, names and brake points; and how they are carried over to another
//! decoding of the same session.

use std::sync::Arc;

use trailbrake_analysis::TrackBook;
use trailbrake_analysis::laps::{Lap, LapFlag};
use trailbrake_games::listed_path;
use trailbrake_model::{Car, Track};

use super::outline::TrackKey;
use super::{CarState, DeltaTarget, FollowedTask, Outline, Session};

impl Session {
    /// Sets the driver's reference lap; `None` returns to the best one.
    pub fn choose_reference(&mut self, serial: Option<u32>) {
        self.compare_with(serial.map_or(DeltaTarget::SessionBest, DeltaTarget::Lap));
    }

    /// Sets what the delta is against.
    pub fn compare_with(&mut self, target: DeltaTarget) {
        if let Some(car) = self.player.and_then(|player| self.cars.get(player)) {
            self.live_comparison.choose(target, car);
        }
    }

    /// Takes the names of tracks and corners.
    pub fn take_track_book(&mut self, book: Arc<TrackBook>) {
        let nobody = CarState::default();
        let car = self.player.and_then(|player| self.cars.get(player)).unwrap_or(&nobody);
        self.live_comparison.take_book(book, car);
        self.name_track_by_book();
    }

    /// Names the track as the track book does, unless the game or the driver names it on this page.
    pub(super) fn name_track_by_book(&mut self) {
        let Some(reference) = self.live_comparison.reference() else { return };
        let name = reference.track.clone();
        if name == self.name_in_book {
            return;
        }
        let key_before = self.track_key();
        self.name_in_book = name;
        let track = self.track_by_book();
        if let Some(info) = &mut self.info {
            info.track = track;
            self.facts_changed += 1;
            self.keep_outline(key_before);
        }
    }

    /// The track as it is shown: a name in the track book goes before a recognised one, and stands for the game's id.
    pub(super) fn track_by_book(&self) -> Option<Track> {
        let own = self.own_track.as_ref();
        let Some(name) = self.name_in_book.as_ref().filter(|_| !own.is_some_and(Track::is_named)) else {
            return own.cloned();
        };
        let id = own.filter(|own| own.recognised.is_none()).map_or(name, |own| &own.id);
        Some(Track { id: id.clone(), name: Some(name.clone()), recognised: None })
    }

    /// The track without the track book's name for it.
    pub fn own_track(&self) -> Option<&Track> {
        self.own_track.as_ref()
    }

    /// The outline that is built in for the track, once its layout is recognised.
    pub fn listed_outline(&self) -> Option<Outline> {
        let (points, is_loop) = listed_path(self.own_track()?)?;
        Some(Outline::of_path(&points, is_loop))
    }

    pub(super) fn track_key(&self) -> TrackKey {
        TrackKey::of(self.info.as_deref())
    }

    pub(super) fn learn_outline(&mut self, car: Car, lap: &Lap) {
        if self.outline().is_some() || lap.counts().is_none() {
            return;
        }
        let columns = self.cars.get(car).and_then(|state| state.traces.lap(lap.serial));
        if let Some(outline) = columns.map(|columns| Outline::of(columns, !self.is_stage())) {
            self.take_outline(outline);
        }
    }

    pub(super) fn take_outline(&mut self, outline: Outline) {
        if self.outline().is_none() && outline.is_whole() {
            self.outline = Some((self.track_key(), outline));
        }
    }

    /// Counts the sessions of a source: rises whenever another one begins.
    pub fn number(&self) -> u32 {
        self.number
    }

    /// Keeps the outline of the track with this key, which has another key now.
    pub(super) fn keep_outline(&mut self, before: TrackKey) {
        let now = self.track_key();
        if let Some((of, _)) = self.outline.as_mut().filter(|(of, _)| *of == before) {
            *of = now;
        }
    }

    /// Sets the driver's own brake points, metres from the start line.
    pub fn set_points_by_hand(&mut self, points: Vec<f64>) {
        self.live_comparison.set_points_by_hand(points);
    }

    /// Gives the driver a coaching task, or none. It is marked against the reference lap.
    pub fn follow_task(&mut self, task: Option<FollowedTask>) {
        self.live_comparison.follow_task(task);
    }

    /// Copies the choices from an earlier decoding of this session: the picked car, the reference, the task with
    /// its marks, the excluded laps.
    /// Serials may differ between the two.
    pub fn take_choices(&mut self, before: &Self) {
        self.pick(before.picked());
        let Some(player) = self.player().filter(|player| before.player() == Some(*player)) else { return };
        let same = |session: &Self, lap: &Lap| session.serial_like(player, lap);
        let known = before.car(player).map(|car| car.laps.finished()).unwrap_or_default();
        let chosen = before
            .live_comparison()
            .chosen()
            .and_then(|serial| known.iter().find(|lap| lap.serial == serial));
        if let Some(serial) = chosen.and_then(|lap| same(self, lap)) {
            self.choose_reference(Some(serial));
        }
        let task = before.live_comparison().task().renumbered(&|serial| {
            known.iter().find(|lap| lap.serial == serial).and_then(|lap| same(self, lap))
        });
        self.live_comparison.take_task(task);
        for lap in known.iter().filter(|lap| lap.flags.has(LapFlag::Excluded)) {
            if let Some(serial) = same(self, lap) {
                self.exclude_lap(serial, true);
            }
        }
    }

    /// The serial of the car's lap with the same run, number and time.
    fn serial_like(&self, car: Car, lap: &Lap) -> Option<u32> {
        let what = |lap: &Lap| (lap.run, lap.number, lap.time);
        let laps = self.car(car)?.laps.finished();
        laps.iter().rfind(|other| what(other) == what(lap)).map(|lap| lap.serial)
    }
}

#[cfg(test)]
mod tests {
    use trailbrake_analysis::task::{TaskCorner, TaskLaps, TaskMeasure, TaskTarget};
    use trailbrake_model::time::LapTime;
    use trailbrake_model::{Fact, LapProgress, Moment, Sink};

    use super::*;

    const DRIVER: Car = Car(3);

    /// A session of consecutive laps from number `first` on, with these times in milliseconds.
    fn session(first: u16, times: &[u32]) -> Session {
        let mut session = Session::default();
        session.fact(Moment::default(), Fact::Player(Some(DRIVER)));
        let (mut began, mut last_lap) = (0.0, None);
        for (lap, millis) in (first..).zip(times.iter().chain([&60_000])) {
            for clock in [0.0, 0.5] {
                let moment = Moment { session_time: Some(began + clock), ..Moment::default() };
                let clock = Some(clock as f32);
                let progress =
                    LapProgress { car: DRIVER, moment, lap, clock, last_lap, ..LapProgress::default() };
                session.progress(&progress);
            }
            last_lap = Some(LapTime(*millis));
            began += f64::from(*millis) / 1e3;
        }
        session
    }

    #[test]
    fn choices_are_carried_over_to_the_same_laps() {
        let mut before = session(3, &[81_000, 80_000]);
        before.pick(Some(Car(9)));
        before.choose_reference(Some(1));
        before.exclude_lap(2, true);
        let task = FollowedTask {
            corner: TaskCorner { number: 1, apex_m: 100.0, from_m: 50.0, to_m: 200.0 },
            target: TaskTarget::new(TaskMeasure::BrakePoint, 80.0),
            laps: 12,
            before: TaskLaps::default(),
        };
        before.follow_task(Some(task.clone()));
        let mut now = session(1, &[83_000, 82_000, 81_000, 80_000]);
        now.take_choices(&before);
        assert_eq!((now.picked(), now.live_comparison().chosen()), (Some(Car(9)), Some(3)));
        assert_eq!(now.live_comparison().task().task(), Some(&task));
        let laps = now.car(DRIVER).expect("the car").laps.finished();
        let excluded = laps.iter().filter(|lap| lap.flags.has(LapFlag::Excluded)).map(|lap| lap.number);
        assert_eq!(excluded.collect::<Vec<_>>(), [4]);
        // A choice of a lap that does not exist here is dropped.
        let mut other = session(1, &[70_000]);
        other.take_choices(&before);
        assert_eq!(other.live_comparison().chosen(), None);
    }
}
