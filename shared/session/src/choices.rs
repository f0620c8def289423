//! How a session takes the driver's choices, and how those are carried over to another decoding of the same session.

use trailbrake_analysis::laps::{Lap, LapFlag};
use trailbrake_model::Car;

use super::{CarState, DriverChoices, RecalledSession, Session};

/// Gives a session what the driver chose for every session.
pub fn choose(session: &mut Session, choices: DriverChoices) {
    let nobody = CarState::default();
    let car = session.focus.player.and_then(|player| session.cars.get(player)).unwrap_or(&nobody);
    session.live_comparison.take_choices(choices, car);
    session.name_track_by_book();
}

/// Sets the driver's reference lap; `None` returns to the best that they chose for every session.
pub fn choose_reference(session: &mut Session, serial: Option<u32>) {
    if let Some(car) = session.focus.player.and_then(|player| session.cars.get(player)) {
        session.live_comparison.choose_lap(serial, car);
    }
}

/// Excludes a lap of the driver from statistics, or includes it again.
pub fn exclude_lap(session: &mut Session, serial: u32, excluded: bool) {
    let Some(car) = session.focus.player.and_then(|player| session.cars.get_mut(player)) else { return };
    if car.laps.exclude(serial, excluded) {
        session.live_comparison.find_reference(car);
        session.lap_table_changed();
    }
}

/// Copies the choices from an earlier decoding of a session: the picked car, the reference, the task with its marks, the
/// excluded laps. Serials may differ between the two.
pub fn carry_over(session: &mut Session, before: &Session) {
    session.pick(before.picked());
    let Some(player) = session.player().filter(|player| before.player() == Some(*player)) else { return };
    let same = |session: &Session, lap: &Lap| serial_like(session, player, lap);
    let known = before.car(player).map(|car| car.laps.finished()).unwrap_or_default();
    let chosen =
        before.live_comparison().chosen().and_then(|serial| known.iter().find(|lap| lap.serial == serial));
    if let Some(serial) = chosen.and_then(|lap| same(session, lap)) {
        choose_reference(session, Some(serial));
    }
    let task = before.live_comparison().task().renumbered(&|serial| {
        known.iter().find(|lap| lap.serial == serial).and_then(|lap| same(session, lap))
    });
    session.live_comparison.take_task(task);
    for lap in known.iter().filter(|lap| lap.flags.has(LapFlag::Excluded)) {
        if let Some(serial) = same(session, lap) {
            exclude_lap(session, serial, true);
        }
    }
}

/// The serial of the car's lap with the same run, number and time.
fn serial_like(session: &Session, car: Car, lap: &Lap) -> Option<u32> {
    let what = |lap: &Lap| (lap.run, lap.number, lap.time);
    let laps = session.car(car)?.laps.finished();
    laps.iter().rfind(|other| what(other) == what(lap)).map(|lap| lap.serial)
}

/// Copies the driver's choices from an earlier decoding of a session that is recalled: the reference, and excluded laps.
pub fn recall_choices(recalled: &mut RecalledSession, before: &Session) {
    let Some((player, laps)) = before.player().and_then(|player| Some((player, &before.car(player)?.laps)))
    else {
        return;
    };
    for row in recalled.laps.iter_mut().filter(|row| row.car == player) {
        let same = |lap: &&Lap| (lap.number, lap.time) == (row.lap.number, row.lap.time);
        let Some(lap) = laps.lap(row.lap.serial).filter(same) else { continue };
        row.lap.exclude(lap.flags.has(LapFlag::Excluded));
        if before.live_comparison().chosen() == Some(lap.serial) {
            recalled.chosen = Some(lap.serial);
        }
    }
}

#[cfg(test)]
mod tests {
    use trailbrake_analysis::task::{TaskCorner, TaskLaps, TaskMeasure, TaskTarget};
    use trailbrake_model::time::LapTime;
    use trailbrake_model::{Event, EventKind, Fact, LapProgress, Moment, Sink};

    use super::*;
    use crate::{DeltaTarget, FollowedTask};

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
        choose_reference(&mut before, Some(1));
        exclude_lap(&mut before, 2, true);
        let task = FollowedTask {
            corner: TaskCorner { number: 1, apex_m: 100.0, from_m: 50.0, to_m: 200.0 },
            target: TaskTarget::new(TaskMeasure::BrakePoint, 80.0),
            laps: 12,
            before: TaskLaps::default(),
        };
        choose(&mut before, DriverChoices { task: Some(task.clone()), ..DriverChoices::default() });
        let mut now = session(1, &[83_000, 82_000, 81_000, 80_000]);
        carry_over(&mut now, &before);
        assert_eq!((now.picked(), now.live_comparison().chosen()), (Some(Car(9)), Some(3)));
        assert_eq!(now.live_comparison().task().task(), Some(&task));
        let laps = now.car(DRIVER).expect("the car").laps.finished();
        let excluded = laps.iter().filter(|lap| lap.flags.has(LapFlag::Excluded)).map(|lap| lap.number);
        assert_eq!(excluded.collect::<Vec<_>>(), [4]);
        // A choice of a lap that does not exist here is dropped.
        let mut other = session(1, &[70_000]);
        carry_over(&mut other, &before);
        assert_eq!(other.live_comparison().chosen(), None);
    }

    #[test]
    fn choices_for_every_session_outlast_a_session_and_a_player() {
        let target = DeltaTarget::TheoreticalBest;
        let choices = DriverChoices { target, brake_points: vec![80.0], ..DriverChoices::default() };
        let mut session = session(1, &[81_000, 80_000]);
        choose_reference(&mut session, Some(1));
        choose(&mut session, choices.clone());
        assert_eq!(
            session.live_comparison().target(),
            DeltaTarget::Lap(1),
            "a lap of the session goes first"
        );
        session.fact(Moment::default(), Fact::Player(Some(Car(9))));
        assert_eq!(
            (session.live_comparison().target(), session.live_comparison().choices()),
            (target, &choices)
        );
        session.event(Event { moment: Moment::default(), car: None, kind: EventKind::SessionStarted });
        assert_eq!(
            (session.live_comparison().target(), session.live_comparison().choices()),
            (target, &choices)
        );
    }
}
