//! How good a driver is, from corner to corner and from lap to lap.

use super::super::random::Random;

/// Share of the grip that a driver leaves unused in the first lap, and more of it in every later lap.
const CAREFUL: f64 = 0.008;
const TIRED_PER_LAP: f64 = 1e-4;

/// Keeps the form of a lap apart from other random numbers.
const FORM: u64 = 0xF0;

/// A driver's skill. Shares are of what the car is capable of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Skill {
    /// Share of the grip used in corners.
    pub(crate) cornering: f64,
    /// Share of the grip used in braking.
    pub(crate) braking: f64,
    /// Share of the traction used.
    pub(crate) traction: f64,
    /// Variation from corner to corner and lap to lap.
    pub(crate) spread: f64,
    /// Probability of a mistake per corner.
    pub(crate) mistakes: f64,
    /// Share of the racing line's offset that the driver uses.
    pub(crate) line: f64,
}

impl Skill {
    /// The skill of a driver's rank in the field (0 is the best), with random variation.
    pub(crate) fn of_rank(rank: usize, cars: usize, chance: &mut Random) -> Self {
        let behind = rank as f64 / cars.max(2) as f64;
        Self {
            cornering: 0.955 - 0.040 * behind + 0.003 * chance.bell(),
            braking: 0.940 - 0.070 * behind + 0.006 * chance.bell(),
            traction: 0.950 - 0.080 * behind + 0.006 * chance.bell(),
            spread: 0.0035 + 0.0035 * behind,
            mistakes: 0.003 + 0.006 * behind,
            line: (0.99 - 0.05 * chance.unit()).min(1.0),
        }
    }

    /// The skill on a rally stage, which leaves a margin.
    pub(crate) fn on_a_stage(self) -> Self {
        Self { cornering: 0.9, spread: STAGE_SPREAD * self.spread, mistakes: 0.0, ..self }
    }
}

/// How much more drivers vary on a road that they hardly know.
const STAGE_SPREAD: f64 = 8.0;

/// How a driver takes one corner in one lap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Attempt {
    pub(crate) cornering: f64,
    pub(crate) braking: f64,
    /// The braking power that the driver plans with, relative to the possible one.
    pub(crate) late: f64,
}

impl Skill {
    /// The attempt at one corner; deterministic for its arguments.
    pub(crate) fn attempt(&self, seed: u64, place: [u64; 4], wetness: f64) -> Attempt {
        let mut chance = Random::of(seed, place);
        let mut attempt = Attempt {
            cornering: self.cornering + self.spread * chance.bell() + self.form(seed, place),
            braking: self.braking + 2.5 * self.spread * chance.bell(),
            late: 1.0,
        };
        if chance.unit() < self.mistakes * (1.0 + 2.0 * wetness) {
            attempt.late = chance.between(1.08, 1.35);
        }
        attempt
    }

    /// What a driver gains or loses in a whole lap: first laps are careful, some laps are better than others, and
    /// concentration fades.
    fn form(&self, seed: u64, [car, lap, _, epoch]: [u64; 4]) -> f64 {
        // Cars start before the line, in the lap before the first.
        let laps = (lap as i64).max(0) as f64;
        let daily = Random::of(seed, [car, lap, epoch, FORM]).bell();
        0.6 * self.spread * daily - CAREFUL * libm::exp(-laps / 2.0) - TIRED_PER_LAP * laps.min(40.0)
    }
}
