//! Three things to fix: the causes with the largest expected gain.

use serde::Serialize;
use trailbrake_model::number;
use trailbrake_model::units::Units;

use crate::Corner;
use crate::ledger::{Cause, Ledger, LedgerRow, RowPlace};
use crate::statistics::{deviation, median, t_95};

/// Largest number of things.
const MOST: usize = 3;
/// A lap that lost less by a cause does not have it, seconds.
const LEAST_S: f64 = 0.015;
/// With at least this many laps, what happened in one of them only is an incident.
const LEAST_LAPS: usize = 4;
/// What the lap itself lost counts as much as this part of a habit in all laps.
const LAP_SHARE: f64 = 0.5;
/// The standard error of a median, in those of a mean, for a normal distribution: the root of pi/2.
const MEDIAN_ERROR: f64 = 1.253_314_137_315_5;

/// One thing to fix.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Advice {
    /// The corner or the straight.
    pub row: RowPlace,
    /// The corner's apex, or where the straight begins, metres from the start line.
    pub place_m: f64,
    /// Seconds lost because of the corner or straight, as in the [ledger](crate::ledger).
    pub loss_s: f64,
    /// The cause.
    pub cause: Cause,
    /// What it costs over the stint. `None` for a single lap.
    pub usual: Option<Usual>,
}

/// What a cause costs over the laps of a stint.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Usual {
    /// Number of laps that lost time by it.
    pub laps: usize,
    /// Number of laps compared.
    pub of: usize,
    /// Seconds that it costs: the median over all these laps.
    pub median_s: f64,
    /// Half the width of the median's 95 % interval, seconds. `None` for fewer than three laps.
    pub half_width_s: Option<f64>,
}

/// What to fix first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ThingsToFix {
    /// The causes with the largest expected gain, at most three.
    pub advice: Vec<Advice>,
    /// The largest loss by something that happened in this lap alone. `None` if it is not larger than what is advised.
    pub incident: Option<Advice>,
}

impl ThingsToFix {
    /// The things to fix in a lap on a track with these corners. `others` are more laps of the stint against the same reference: they say how often
    /// each cause costs time, and how much.
    pub fn of(ledger: &Ledger, corners: &[Corner], others: &[&Ledger]) -> Self {
        let all = ledger.rows.iter().filter_map(|row| Advice::of(row, corners, others));
        let (mut incidents, mut advice): (Vec<Advice>, Vec<Advice>) = all.partition(Advice::is_incident);
        advice.sort_by(|a, b| b.expected_s().total_cmp(&a.expected_s()));
        advice.truncate(MOST);
        incidents.sort_by(|a, b| b.cause.cost_s.total_cmp(&a.cause.cost_s));
        let most_s = advice.iter().map(|thing| thing.cause.cost_s).fold(LEAST_S, f64::max);
        Self { advice, incident: incidents.into_iter().next().filter(|one| one.cause.cost_s > most_s) }
    }

    /// The rank of a row of the ledger among the advice, counted from 1.
    pub fn rank(&self, row: RowPlace) -> Option<usize> {
        let place = self.advice.iter().position(|thing| thing.row == row);
        place.map(|place| place + 1)
    }
}

impl Advice {
    pub(super) fn of(row: &LedgerRow, corners: &[Corner], others: &[&Ledger]) -> Option<Self> {
        let (cause, loss_s) = Cause::of(row).zip(row.loss_s)?;
        let corner = row.place.find(corners);
        let costs = others.iter().filter_map(|other| {
            let same = other.row(row.place)?;
            // A lap with another car in the way there does not tell.
            same.loss_s.filter(|_| same.gap_s.is_none()).map(|_| cause.cost_in(same))
        });
        let costs: Vec<f64> = std::iter::once(cause.cost_s).chain(costs).collect();
        Some(Self {
            row: row.place,
            place_m: corner.map_or(row.from_m, |corner| corner.apex_m),
            loss_s,
            cause,
            usual: Usual::of(&costs),
        })
    }

    /// Whether it happened in this lap alone.
    fn is_incident(&self) -> bool {
        self.usual.is_some_and(|usual| usual.of >= LEAST_LAPS && usual.laps == 1)
    }

    /// Seconds that a lap gains without it, as far as the stint shows: what a habit costs, as often as it does. A mistake
    /// in the lap itself is never behind a habit that costs much less.
    fn expected_s(&self) -> f64 {
        let habit =
            self.usual.map(|usual| usual.habit_s().unwrap_or_default() * usual.laps as f64 / usual.of as f64);
        let lap_share = if habit.is_some() { LAP_SHARE } else { 1.0 };
        habit.unwrap_or_default().max(lap_share * self.cause.cost_s)
    }

    /// The corner's apex. `None` for a straight.
    fn apex_m(&self) -> Option<f64> {
        self.row.corner.map(|_| self.place_m)
    }

    /// The name of its place, from a function that names corners by their number: `T5`, `T5–T6 straight`.
    pub fn title(&self, corners: &[Corner], name: &dyn Fn(u16) -> String) -> String {
        let title = self.row.title(corners, name);
        if self.row.corner.is_some() { title } else { format!("{title} straight") }
    }

    /// The cause in a sentence: `Braked 8 m too late: gained 0.012 s, then lost 0.156 s.`
    pub fn cause_sentence(&self, units: &Units) -> String {
        let mut words = self.cause.words(units);
        if let Some(first) = words.get(..1).map(str::to_uppercase) {
            words.replace_range(..1, &first);
        }
        match self.cause.gained_s {
            Some(gained_s) => {
                let costs_s = self.cause.cost_s + gained_s;
                format!("{words}: gained {} s, then lost {} s.", seconds(gained_s), seconds(costs_s))
            }
            None if self.cause.is_symptom() => format!("{words}, cause unknown."),
            None => format!("{words}."),
        }
    }

    /// What to do, in a sentence. `None` if the driver can do nothing there.
    pub fn cure_sentence(&self, units: &Units) -> Option<String> {
        self.cause.cure(units, self.apex_m())
    }

    /// The advice in one line, with the name of its place.
    pub fn sentence(&self, title: &str, units: &Units) -> String {
        let cure = self.cure_sentence(units).map_or_else(String::new, |cure| format!(" {cure}"));
        let usual = self.usual_words().map_or_else(String::new, |usual| format!(", {usual}"));
        let (cause, loss) = (self.cause_sentence(units), number::write_signed(self.loss_s, 3));
        format!("{title}: {cause}{cure} ({loss} s{usual})")
    }

    /// What it usually costs, and how often. `None` for a single lap.
    pub fn usual_words(&self) -> Option<String> {
        let usual = self.usual?;
        let often = format!("in {} of {} laps", usual.laps, usual.of);
        let Some((median_s, half_s)) = usual.habit_s().zip(usual.half_width_s) else { return Some(often) };
        Some(format!("usually {} ± {} s, {often}", number::write(median_s, 2), number::write(half_s, 2)))
    }
}

impl Usual {
    /// The usual cost in some laps. `None` for a single lap.
    fn of(costs_s: &[f64]) -> Option<Self> {
        let of = costs_s.len();
        let median_s = median(costs_s).filter(|_| of > 1)?;
        let half_width_s = deviation(costs_s).filter(|_| of > 2).map(|deviation| {
            let count = of as f64;
            t_95(count - 1.0) * MEDIAN_ERROR * deviation / count.sqrt()
        });
        let laps = costs_s.iter().filter(|cost_s| **cost_s >= LEAST_S).count();
        Some(Self { laps, of, median_s, half_width_s })
    }

    /// Seconds that it usually costs. `None` if that may as well be nothing: the interval includes zero.
    fn habit_s(&self) -> Option<f64> {
        let least_s = self.median_s - self.half_width_s.unwrap_or_default();
        (least_s > 0.0).then_some(self.median_s)
    }
}

fn seconds(seconds: f64) -> String {
    number::write(seconds, 3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_usual_cost_is_the_median_of_all_laps_with_its_interval() {
        let usual = Usual::of(&[0.1, 0.14, 0.0, 0.12, 0.16]).expect("several laps");
        assert_eq!((usual.laps, usual.of, usual.median_s), (4, 5, 0.12));
        let half = usual.half_width_s.expect("an interval");
        assert!((0.02..0.08).contains(&half), "{half}");
        assert_eq!(usual.habit_s(), Some(0.12));
        let now_and_then = Usual::of(&[0.2, 0.0, 0.03, -0.1, 0.15]).expect("several laps");
        assert_eq!((now_and_then.median_s, now_and_then.habit_s()), (0.03, None));
        assert_eq!(Usual::of(&[0.1]), None);
        assert_eq!(Usual::of(&[0.1, 0.2]).expect("two laps").half_width_s, None);
    }
}
