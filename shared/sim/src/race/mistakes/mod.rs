//! Planted mistakes: what a driver does worse than usual, in one corner of one lap each.

mod kind;
mod planted;
mod stretch;

pub use kind::{Mistake, MistakeKind};
pub(super) use planted::Situation;

use super::super::car::Car;
use super::super::circuit::Circuit;
use super::super::driver::{Demands, Intent, Plan};
use planted::PlantedMistake;

/// All planted mistakes of one driver, and how far each of them is.
#[derive(Clone, Debug, Default)]
pub(super) struct PlantedMistakes(Vec<PlantedMistake>);

impl PlantedMistakes {
    /// Those of a car, in corners that the circuit has.
    pub(super) fn of(car: usize, mistakes: &[Mistake], circuit: &Circuit) -> Self {
        let own = mistakes.iter().filter(|mistake| mistake.car == car);
        Self(own.filter_map(|mistake| PlantedMistake::new(mistake, circuit)).collect())
    }

    /// Changes what the driver intends in a corner. `lap` and `corner` count from 0.
    pub(super) fn change_intent(&self, lap: i64, corner: i64, intent: &mut Intent) {
        self.0.iter().for_each(|planted| planted.change_intent(lap, corner, intent));
    }

    /// Changes where a new plan brakes.
    pub(super) fn change_plan(&mut self, plan: &mut Plan, circuit: &Circuit, car: &Car) {
        self.0.iter_mut().for_each(|planted| planted.look_at(plan, circuit, car));
        self.0.iter().for_each(|planted| planted.change_plan(plan, circuit, car));
    }

    /// What they ask of the driver right now.
    pub(super) fn demands(&mut self, now: &Situation) -> Demands {
        let mut demands = Demands::default();
        self.0.iter_mut().for_each(|planted| planted.ask(&mut demands, now));
        demands
    }
}

#[cfg(test)]
mod tests;
