//! The reference lap around the car: its channels before and behind the car's place, and its ghost on the track.

use trailbrake_model::{Channel, Columns, Drawing, Line, Slot};

use super::Session;

const CLOCK: Slot = Channel::LapClock.slot();

/// Where the reference was when its lap clock was that of the car.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ghost {
    /// Metres from the start line.
    pub place_m: f32,
    /// Position in the game's world, in metres: x, y up, z.
    pub position: [f32; 3],
}

impl Ghost {
    /// Where the reference, or the theoretical best if the delta is against it, was at the same time of its lap. `None`
    /// without a lap clock, and while the car's place is unknown.
    pub fn of(session: &Session) -> Option<Self> {
        let comparison = session.live_comparison();
        let (curve, locator) = comparison.compared_curve()?;
        let (_, _, clock_s) = comparison.beside().now()?;
        let time_s = curve.time().seconds() as f32;
        let place_m = match clock_s {
            late if late > time_s && session.is_stage() => curve.length_m(),
            late if late > time_s => curve.place_at(late - time_s)?,
            clock_s => curve.place_at(clock_s)?,
        };
        let position = locator.line()?.at(place_m.into()).position.map(|metres| metres as f32);
        Some(Self { place_m, position })
    }
}

/// The reference's channels around the car, along the game's clock.
///
/// Up to now a row has the values at the place where the car was then, so that both are compared by place. From now on
/// it has those that the car would have if it drove on as the reference did. On a circuit the lap's beginning follows its
/// end.
#[derive(Clone, Debug)]
pub struct ReferenceWindow<const N: usize> {
    channels: [Channel; N],
    rows: Vec<(f64, [f32; N])>,
    now_s: Option<f64>,
}

impl<const N: usize> ReferenceWindow<N> {
    /// An empty window of these channels.
    pub fn new(channels: [Channel; N]) -> Self {
        Self { channels, rows: Vec::new(), now_s: None }
    }

    /// The rows, oldest first: seconds on the game's clock and the channels' values, NaN where one was not sent.
    pub fn rows(&self) -> &[(f64, [f32; N])] {
        &self.rows
    }

    /// The game's clock at the car's place; `None` while that is unknown.
    pub fn now_s(&self) -> Option<f64> {
        self.now_s
    }

    /// Fills the window for the player's place now, with so many seconds behind and ahead of it. It is empty without a
    /// reference, and while another car is watched.
    pub fn fill(&mut self, session: &Session, behind_s: f64, ahead_s: f64) {
        self.rows.clear();
        self.now_s = None;
        let player = session.player().filter(|player| session.watched() == Some(*player));
        let Some(car) = player.and_then(|player| session.car(player)) else { return };
        let comparison = session.live_comparison();
        let reference = comparison.reference().zip(comparison.reference_columns(car));
        let Some((reference, columns)) = reference else { return };
        let Some(clocks) = columns.line(CLOCK) else { return };
        let lap = ReferenceRows {
            columns,
            clocks,
            lines: self.channels.map(|channel| (channel, columns.line(channel.slot()))),
        };
        let Some((now_s, place_m, _)) = comparison.beside().now() else { return };
        self.now_s = Some(now_s);
        for (seconds, place_m) in
            comparison.beside().places().filter(|(seconds, _)| *seconds >= now_s - behind_s)
        {
            if let Some(clock_s) = reference.curve.clock_at(place_m) {
                self.rows.push((seconds, lap.at(clock_s)));
            }
        }
        let Some(clock_s) = reference.curve.clock_at(place_m) else { return };
        let end_s = reference.curve.time().seconds();
        self.follow(&lap, f64::from(clock_s), end_s, [now_s, now_s + ahead_s]);
        let again_s = now_s + end_s - f64::from(clock_s);
        if !session.is_stage() && again_s < now_s + ahead_s {
            self.follow(&lap, 0.0, end_s, [again_s, now_s + ahead_s]);
        }
    }

    /// Adds the reference's rows after a time on its clock, which is the first of these times of the game.
    fn follow(&mut self, lap: &ReferenceRows<'_, N>, from_s: f64, end_s: f64, [begin_s, until_s]: [f64; 2]) {
        for row in lap.row_after(from_s as f32)..lap.columns.len() {
            let Some(clock_s) = lap.clocks.value(row).map(f64::from) else { continue };
            let seconds = begin_s + clock_s - from_s;
            if clock_s >= end_s || seconds > until_s {
                break;
            }
            if self.rows.last().is_none_or(|(last, _)| seconds > *last) {
                self.rows.push((seconds, lap.row(row)));
            }
        }
    }
}

/// The reference lap's columns.
struct ReferenceRows<'a, const N: usize> {
    columns: &'a Columns,
    clocks: Line<'a>,
    lines: [(Channel, Option<Line<'a>>); N],
}

impl<const N: usize> ReferenceRows<'_, N> {
    /// The first row after a time on the lap's clock.
    fn row_after(&self, clock_s: f32) -> usize {
        let (mut from, mut to) = (0, self.columns.len());
        while from < to {
            let middle = from + (to - from) / 2;
            match self.clocks.latest(middle) {
                Some(other) if other > clock_s => to = middle,
                _ => from = middle + 1,
            }
        }
        from
    }

    fn row(&self, row: usize) -> [f32; N] {
        self.lines.map(|(_, line)| line.and_then(|line| line.latest(row)).unwrap_or(f32::NAN))
    }

    /// The values at a time on the lap's clock.
    fn at(&self, clock_s: f32) -> [f32; N] {
        let after = self.row_after(clock_s);
        let before = self.row(after.saturating_sub(1));
        let clock = |row: usize| self.clocks.latest(row);
        let share = || {
            let (from_s, to_s) =
                clock(after.checked_sub(1)?).zip(clock(after).filter(|_| after < self.columns.len()))?;
            (to_s > from_s).then(|| (clock_s - from_s) / (to_s - from_s))
        };
        let Some(share) = share() else { return before };
        let next = self.row(after);
        let mut values = before;
        for ((value, next), (channel, _)) in values.iter_mut().zip(next).zip(&self.lines) {
            if channel.drawing() != Drawing::Step {
                *value += (next - *value) * share;
            }
        }
        values
    }
}
