//! The timing table: positions and gaps.

use std::cmp::Ordering;

use trailbrake_analysis::laps::Lap;
use trailbrake_model::time::LapTime;
use trailbrake_model::{
    Car, Channel, Columns, LapProgress, MOST_SECTORS, PitStatus, ResultStatus, SessionKind,
};

use super::{CarState, Session};

/// A row of the timing table.
#[derive(Clone, Debug, PartialEq)]
pub struct TimingRow {
    /// The car.
    pub car: Car,
    /// The position, from 1; 0 where unknown.
    pub position: u8,
    /// The driver's name in three letters.
    pub short: String,
    /// The number of the lap under way.
    pub lap: u16,
    /// The time of the last lap.
    pub last: Option<LapTime>,
    /// The time of the best lap.
    pub best: Option<LapTime>,
    /// The gap to the leader.
    pub gap: Gap,
    /// The gap to the car in front.
    pub interval: Gap,
    /// The sectors of the lap under way; of the lap before until the first one is timed. Empty where the game times none.
    pub sectors: Vec<Option<RankedSector>>,
    /// The pit stops so far.
    pub stops: u16,
    /// Penalty seconds, to be added at the end.
    pub penalties: u8,
    /// Whether the car is in the pits.
    pub pit: PitStatus,
    /// The result so far.
    pub result: ResultStatus,
    /// Whether this is the player.
    pub player: bool,
}

/// A sector's time, and how it compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankedSector {
    /// Its time.
    pub time: LapTime,
    /// How it compares.
    pub rank: Rank,
}

/// How a time compares with others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rank {
    /// Nobody was faster.
    Best,
    /// The driver was never faster.
    Personal,
    /// The driver was faster before, or the lap is not counted.
    Slower,
}

/// A car's gap to another one: the leader, or the car in front.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Gap {
    /// This car leads.
    Leader,
    /// Seconds behind the other car at the same position; in practice and qualifying, the difference of the best laps.
    Seconds(f32),
    /// Whole laps behind.
    Laps(u16),
    /// Not known.
    Unknown,
}

/// The timing table of a session, leader first.
pub fn timing_table(session: &Session) -> Vec<TimingRow> {
    let mut cars: Vec<(Car, &CarState, &LapProgress)> = session
        .cars()
        .filter_map(|(car, state)| Some((car, state, state.progress()?)))
        .filter(|(_, _, progress)| progress.result != ResultStatus::Inactive)
        .collect();
    let place = |progress: &LapProgress| (progress.position == 0, progress.position);
    let by_best = cars.iter().all(|(_, _, progress)| progress.position == 0);
    // Where the game sends no positions, best laps rank the cars.
    let ranked = |state: &CarState| best(state).filter(|_| by_best).map_or(u32::MAX, |time| time.0);
    cars.sort_by_key(|(car, state, progress)| (place(progress), ranked(state), *car));
    let Some(&(first, leader, foremost)) = cars.first() else { return Vec::new() };
    let kind = session.info().map(|info| info.kind);
    let kind_known = !matches!(kind, None | Some(SessionKind::Unknown | SessionKind::Other(_)));
    let racing = match kind {
        Some(SessionKind::Race(_)) => true,
        _ if kind_known => false,
        _ => in_order(cars.iter().map(|(_, _, progress)| *progress)),
    };
    // If the game sends neither positions nor the session kind, the leader is unknown.
    let led = kind_known || foremost.position > 0;
    let length = session.info().and_then(|info| info.track_length_m).filter(|length| *length > 0.0);
    let gap = |ahead: &CarState, own: &CarState| {
        if racing {
            return race_gap(ahead, own, length).unwrap_or(Gap::Unknown);
        }
        let times = best(own).zip(best(ahead));
        times.map_or(Gap::Unknown, |(own, ahead)| Gap::Seconds(own.minus(ahead) as f32 / 1e3))
    };
    let in_front = std::iter::once(None).chain(cars.iter().map(|(_, state, _)| Some(*state)));
    cars.iter()
        .zip(in_front)
        .map(|(&(car, state, progress), in_front)| {
            let (gap, interval) = match (car == first, racing) {
                // A car alone has no gap.
                (true, _) if cars.len() == 1 || !led => (Gap::Unknown, Gap::Unknown),
                (false, true) if !led => (Gap::Unknown, Gap::Unknown),
                (true, _) => (Gap::Leader, Gap::Leader),
                (false, _) => (gap(leader, state), gap(in_front.unwrap_or(leader), state)),
            };
            TimingRow {
                car,
                position: progress.position,
                short: session.short(car),
                lap: progress.lap,
                last: state.laps.finished().last().and_then(|lap| lap.time).or(progress.last_lap),
                best: best(state),
                gap,
                interval,
                sectors: sectors(session, car, state),
                stops: latest_lap(state).map_or(0, |lap| lap.stint.saturating_sub(1)),
                penalties: progress.penalties,
                pit: progress.pit,
                result: progress.result,
                player: session.player() == Some(car),
            }
        })
        .collect()
}

/// The lap under way, else the last one.
fn latest_lap(car: &CarState) -> Option<&Lap> {
    car.laps.current().or(car.laps.finished().last())
}

/// The sectors to show, with their ranks.
fn sectors(session: &Session, car: Car, state: &CarState) -> Vec<Option<RankedSector>> {
    let is_timed = |lap: &&Lap| lap.sectors.iter().any(Option::is_some);
    let Some(lap) = [state.laps.current(), state.laps.finished().last()].into_iter().flatten().find(is_timed)
    else {
        return Vec::new();
    };
    let counted = state.laps.finished().iter().filter(|lap| lap.counts().is_some()).map(|lap| lap.sectors);
    let reported = session.reported().laps.iter().filter(|lap| lap.car == car && lap.valid);
    let mut own = [None::<LapTime>; MOST_SECTORS];
    for sectors in counted.chain(reported.map(|lap| lap.sectors)) {
        for (own, time) in own.iter_mut().zip(sectors) {
            *own = [*own, time].into_iter().flatten().min();
        }
    }
    let is_valid = match lap.ended_s {
        Some(_) => lap.counts().is_some(),
        None => !state.progress().is_some_and(|progress| progress.invalid),
    };
    let all = session.bests().sectors;
    let rank = |sector: usize, time: LapTime| {
        let beats = |best: Option<LapTime>| best.is_none_or(|best| time <= best);
        let best_of_all = all.get(sector).copied().flatten();
        if !is_valid {
            Rank::Slower
        } else if best_of_all.is_none_or(|(best, holder)| time < best || (time == best && holder == car)) {
            Rank::Best
        } else if beats(own.get(sector).copied().flatten()) {
            Rank::Personal
        } else {
            Rank::Slower
        }
    };
    let ranked = |(sector, time): (usize, &Option<LapTime>)| {
        time.map(|time| RankedSector { time, rank: rank(sector, time) })
    };
    lap.sectors.iter().enumerate().map(ranked).collect()
}

/// Whether the positions match the order on track. If not, they rank lap times.
fn in_order<'a>(placed: impl Iterator<Item = &'a LapProgress> + Clone) -> bool {
    let (mut right, mut all) = (0, 0);
    for (ahead, behind) in placed.clone().zip(placed.skip(1)) {
        let order = match ahead.lap.cmp(&behind.lap) {
            Ordering::Equal => ahead.distance.zip(behind.distance).and_then(|(a, b)| a.partial_cmp(&b)),
            other => Some(other),
        };
        right += usize::from(order.is_some_and(Ordering::is_ge));
        all += usize::from(order.is_some());
    }
    // During a pass or a pit stop the positions follow a moment later.
    right * 4 >= all * 3
}

fn best(car: &CarState) -> Option<LapTime> {
    let official = car.progress().and_then(|progress| progress.best_lap);
    // If decoding began late, the game may report a faster lap from before.
    official.into_iter().chain(car.laps.best().and_then(|lap| lap.time)).min()
}

/// The time since the leader was at the car's position.
fn race_gap(leader: &CarState, car: &CarState, length_m: Option<f32>) -> Option<Gap> {
    let (ahead, behind) = (leader.progress()?, car.progress()?);
    let metres = ahead.total_distance.zip(behind.total_distance).map(|(ahead, behind)| ahead - behind);
    if metres.is_none() {
        return board_gap(ahead, behind);
    }
    if let Some((metres, length)) = metres.zip(length_m)
        && metres >= length
    {
        return Some(Gap::Laps((metres / length) as u16));
    }
    let laps = leader.laps.finished().iter().rev().take(2).chain(leader.laps.current());
    let mut same = laps.filter(|lap| lap.number == behind.lap && lap.run == leader.laps.run());
    let Some(lap) = same.next() else {
        let laps = ahead.lap.saturating_sub(behind.lap);
        return (laps > 0).then_some(Gap::Laps(laps));
    };
    let then = seconds_at(leader.traces.lap(lap.serial)?, behind.distance?).or(lap.ended_s)?;
    Some(Gap::Seconds((behind.moment.seconds() - then).max(0.0) as f32))
}

/// The gap when the car last crossed the line, where the game sends each car's crossing time.
fn board_gap(ahead: &LapProgress, behind: &LapProgress) -> Option<Gap> {
    let (first, own) = (ahead.race_time?, behind.race_time?);
    match ahead.lap.checked_sub(behind.lap)? {
        0 => Some(Gap::Seconds(own.minus(first) as f32 / 1e3)),
        // The leader has crossed the line once more since then.
        1 => Some(Gap::Seconds(own.minus(first).saturating_add(i64::from(ahead.last_lap?.0)) as f32 / 1e3)),
        laps => Some(Gap::Laps(laps - 1)),
    }
}

/// When a car was at this distance in the lap of these columns; `None` if it did not get that far.
fn seconds_at(columns: &Columns, distance_m: f32) -> Option<f64> {
    let line = columns.line(Channel::LapDistance.slot())?;
    let short_of = |row: usize| line.latest(row).is_none_or(|metres| metres < distance_m);
    let (mut from, mut to) = (0, columns.len());
    while from < to {
        let middle = from + (to - from) / 2;
        if short_of(middle) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    let seconds = columns.seconds();
    let after = *seconds.get(from)?;
    let around =
        from.checked_sub(1).and_then(|row| Some((*seconds.get(row)?, line.value(row)?, line.value(from)?)));
    let Some((before, from_m, to_m)) = around else { return Some(after) };
    let share = f64::from(((distance_m - from_m) / (to_m - from_m)).clamp(0.0, 1.0));
    Some(before + (after - before) * share)
}

#[cfg(test)]
mod tests {
    use trailbrake_model::Sink;

    use super::*;

    fn gaps(positions: &[u8]) -> Vec<Gap> {
        let mut session = Session::default();
        for (car, &position) in (0..).zip(positions) {
            session.progress(&LapProgress { car: Car(car), position, lap: 1, ..LapProgress::default() });
        }
        timing_table(&session).into_iter().map(|row| row.gap).collect()
    }

    #[test]
    fn who_drives_alone_leads_nobody() {
        assert_eq!(gaps(&[1]), [Gap::Unknown]);
        assert_eq!(gaps(&[2, 1])[0], Gap::Leader);
    }

    #[test]
    fn nobody_leads_where_no_positions_are_sent() {
        assert_eq!(gaps(&[0, 0, 0]), [Gap::Unknown; 3]);
    }

    #[test]
    fn positions_on_track_are_distinguished_from_those_of_a_table() {
        let check = |places: &[(u16, Option<f32>)], expected| {
            let cars: Vec<LapProgress> = places
                .iter()
                .map(|&(lap, distance)| LapProgress { lap, distance, ..LapProgress::default() })
                .collect();
            assert_eq!(in_order(cars.iter()), expected, "{places:?}");
        };
        check(&[], true);
        check(&[(3, Some(50.0)), (2, Some(900.0)), (2, Some(800.0)), (2, None), (1, Some(5.0))], true);
        check(&[(2, Some(90.0)), (2, Some(80.0)), (2, Some(81.0)), (2, Some(40.0)), (2, Some(30.0))], true);
        check(&[(2, Some(90.0)), (3, Some(80.0)), (2, Some(81.0)), (2, Some(400.0)), (3, Some(3.0))], false);
    }
}
