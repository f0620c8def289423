//! What a car's progress changes in its session.

use trailbrake_analysis::laps::Change;
use trailbrake_model::LapProgress;

use super::{LogKind, Session};

impl Session {
    /// Takes a progress report that says something new.
    #[cold]
    pub(super) fn turn_progress(&mut self, progress: &LapProgress) {
        let is_replay = self.is_replay();
        let Some(state) = self.cars.get_mut(progress.car) else { return };
        let before = state.progress().copied();
        let Some(change) = state.laps.progress(progress) else { return };
        if is_replay {
            state.laps.watched_in_replay();
        }
        if (Change { noted: false, ..change }) != Change::default() {
            self.turn(change, progress);
        } else if change.noted {
            self.lap_table_changed();
        }
        self.compare_live(progress);
        let now = self.cars.get(progress.car).and_then(|state| state.progress()).copied();
        if let Some((before, now)) = before.zip(now) {
            self.log_difference(&before, &now);
        }
    }

    /// Compares the player with the reference at this place.
    #[inline]
    pub(super) fn compare_live(&mut self, progress: &LapProgress) {
        if self.player == Some(progress.car)
            && let Some(state) = self.cars.get(progress.car)
        {
            self.live_comparison.progress(progress, state.laps.current(), state.traces.current());
        }
    }

    /// Logs what changed between two progress reports of a car.
    fn log_difference(&mut self, before: &LapProgress, progress: &LapProgress) {
        let (moment, car) = (progress.moment, Some(progress.car));
        match (before.pit.is_in_pits(), progress.pit.is_in_pits()) {
            (false, true) => self.log.note(moment, car, LogKind::PitIn),
            (true, false) => self.log.note(moment, car, LogKind::PitOut),
            _ => {}
        }
        if progress.result.is_over() && !self.is_stage() && before.result != progress.result {
            self.log.note(moment, car, LogKind::Result(progress.result));
        }
        if let Some(seconds) = progress.penalties.checked_sub(before.penalties).filter(|seconds| *seconds > 0)
        {
            self.log.note(moment, car, LogKind::Penalty { seconds });
        }
        if self.follows(progress.car) && progress.invalid && !(before.invalid && before.lap == progress.lap) {
            self.log.note(moment, car, LogKind::Struck { number: progress.lap });
        }
        if before.lap == progress.lap && before.sector.checked_add(1) == Some(progress.sector) {
            let start = self.sector_starts.get_mut(usize::from(before.sector));
            if let Some((start, distance)) = start.filter(|start| start.is_none()).zip(progress.distance) {
                *start = Some(distance);
            }
        }
    }
}
