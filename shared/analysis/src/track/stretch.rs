//! A driven part of a lap, recognised by how it turns.

use serde::{Deserialize, Serialize};

use super::fingerprint::{Fingerprint, PARTS, soften, turns_along};
use crate::ReferenceLine;

/// The length of its parts, metres.
const STEP_M: f64 = 10.0;
/// A shorter stretch, or one that turns less in all, tells too little: metres, and radians.
const LEAST_M: f64 = 1_200.0;
const LEAST_TURN: f64 = 3.0;
/// A stretch fits a track if their turns correlate by at least this, and clearly more than on any other track.
const ALIKE: f64 = 0.9;
const CLEARLY: f64 = 0.1;

/// How a driven part of a lap turns along the way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stretch {
    /// The turn in each part, left positive, thousandths of a radian.
    stretch: Vec<i16>,
}

impl Stretch {
    /// The stretch that a line of an unfinished lap leads along; `None` as long as that tells too little.
    pub fn of(line: &ReferenceLine) -> Option<Self> {
        let count = (line.length_m() / STEP_M) as usize;
        let turns = turns_along(line, count, |place_m| (place_m / STEP_M) as usize);
        let whole: f64 = turns.iter().map(|turn| turn.abs()).sum();
        let is_enough = line.length_m() >= LEAST_M && whole >= LEAST_TURN;
        is_enough.then(|| Self { stretch: turns.iter().map(|turn| (turn * 1e3).round() as i16).collect() })
    }

    /// The only one of some tracks on which it can be, by its name. Several shapes may have one name.
    pub fn only_fit<'a>(&self, tracks: impl Iterator<Item = (&'a str, &'a Fingerprint)>) -> Option<&'a str> {
        let mut fits: Vec<(&str, f64)> = tracks.map(|(name, track)| (name, self.alike(track))).collect();
        fits.sort_by(|(_, one), (_, other)| other.total_cmp(one));
        let (best, alike) = fits.first().copied()?;
        let next = fits.iter().find(|(name, _)| *name != best).map_or(0.0, |(_, alike)| *alike);
        (alike >= ALIKE && alike - next >= CLEARLY).then_some(best)
    }

    /// How alike its turns are to a track's where it fits best, at most 1.
    fn alike(&self, track: &Fingerprint) -> f64 {
        let known = soften(track.turns().iter().map(|turn| f64::from(*turn)).collect(), track.closed);
        let part_m = track.length_m / known.len().max(1) as f64;
        let count = (self.stretch.len() as f64 * STEP_M / part_m) as usize;
        // A file may claim anything of a track.
        let is_sane = known.len() == PARTS && part_m.is_finite() && part_m > 0.0;
        if !is_sane || count == 0 || count > known.len() {
            return 0.0;
        }
        let mut own = vec![0.0; count];
        for (step, turn) in self.stretch.iter().enumerate() {
            if let Some(part) = own.get_mut(((step as f64 + 0.5) * STEP_M / part_m) as usize) {
                *part += f64::from(*turn);
            }
        }
        let own = soften(own, false);
        // A stage is driven from its start; on a circuit a lap may begin in the pits, and end there.
        let starts = if track.closed { known.len() } else { known.len() - count + 1 };
        let at = |start: usize| {
            let there: Vec<f64> = known.iter().copied().cycle().skip(start).take(count).collect();
            correlation(&own, &there)
        };
        (0..starts).map(at).fold(0.0, f64::max)
    }
}

/// How alike two rows of turns are, at most 1. Their means are left out, since every circuit turns one way in all.
fn correlation(one: &[f64], other: &[f64]) -> f64 {
    let mean = |turns: &[f64]| turns.iter().sum::<f64>() / turns.len().max(1) as f64;
    let (mean_one, mean_other) = (mean(one), mean(other));
    let (mut product, mut squares) = (0.0, [0.0; 2]);
    for (one, other) in one.iter().zip(other) {
        let (one, other) = (one - mean_one, other - mean_other);
        product += one * other;
        squares = [squares[0] + one * one, squares[1] + other * other];
    }
    let scale = (squares[0] * squares[1]).sqrt();
    if scale > 0.0 { product / scale } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A part of a track whose bends differ with its seed, from a share of the lap to another, `off` m to the side.
    fn line(seed: u32, [from, to]: [f64; 2], off: f64) -> ReferenceLine {
        let steps = (3000.0 * (to - from)) as u32;
        let phase = |bend: u32| {
            f64::from((seed * bend * bend * 7919 + bend * bend * bend * 271) % 1000) / 1000.0
                * std::f64::consts::TAU
        };
        let points: Vec<[f64; 3]> = (0..=steps)
            .map(|step| {
                let share = from + (to - from) * f64::from(step) / f64::from(steps);
                let angle = std::f64::consts::TAU * share;
                let swing: f64 = (2..14_u32)
                    .map(|bend| (f64::from(bend) * angle + phase(bend)).sin() * 0.6 / f64::from(bend * bend))
                    .sum();
                let radius = 800.0 * (1.0 + swing) + off * (40.0 * angle).sin();
                [radius * angle.cos(), 3.0, radius * angle.sin()]
            })
            .collect();
        ReferenceLine::through(&points, 0.0).expect("a line")
    }

    const NAMES: [&str; 6] = ["Mill", "Moor", "Lake", "Hill", "Ford", "Wood"];

    #[test]
    fn a_stretch_is_known_again_anywhere_on_its_track_and_nowhere_else() {
        let seeds = [1, 2, 3, 4, 5, 6];
        let tracks = seeds.map(|seed| Fingerprint::of(&line(seed, [0.0, 1.0], 0.0)));
        let named = || NAMES.into_iter().zip(&tracks);
        for (place, seed) in seeds.into_iter().enumerate() {
            for from in [0.0, 0.17, 0.61, 0.9] {
                for off in [0.0, 0.4] {
                    let driven = Stretch::of(&line(seed, [from, from + 0.5], off)).expect("enough");
                    assert_eq!(driven.only_fit(named()), Some(NAMES[place]), "{seed} from {from}");
                    // Without its own track none is named.
                    let others = named().filter(|(name, _)| *name != NAMES[place]);
                    assert_eq!(driven.only_fit(others), None, "{seed} from {from}");
                }
            }
        }
    }

    #[test]
    fn little_tells_nothing_and_two_tracks_alike_are_none() {
        assert_eq!(Stretch::of(&line(3, [0.0, 0.1], 0.0)), None);
        let track = Fingerprint::of(&line(3, [0.0, 1.0], 0.0));
        let driven = Stretch::of(&line(3, [0.1, 0.6], 0.0)).expect("enough");
        assert_eq!(driven.only_fit([("Mill", &track), ("Moor", &track)].into_iter()), None);
        assert_eq!(driven.only_fit([("Mill", &track), ("Mill", &track)].into_iter()), Some("Mill"));
        assert_eq!(driven.only_fit(std::iter::empty()), None);
    }
}
