//! Drivers: their skill, their plan, and how they steer and use the pedals.

mod build_up;
mod constants;
mod entries;
mod hairpin;
mod pedals;
mod plan;
mod shortcut;
mod skill;
mod slowest_place;
mod steering;
mod view;

pub use constants::PEDAL_ON;
pub(crate) use constants::SIDEWAYS_MS;
pub(super) use entries::ENTRIES;
pub use entries::Entry;
pub(crate) use plan::{Intent, Plan};
pub(crate) use shortcut::Shortcut;
pub(crate) use skill::Skill;
pub(crate) use slowest_place::SlowestPlace;

pub(crate) use steering::{PIT_RAMP_M, PIT_SETTLE_M};
pub(crate) use view::{Demands, DriverIntent, View};

use super::car::Controls;
use hairpin::Handbrake;
use pedals::Pedals;
use steering::Hands;

/// A driver at the wheel.
#[derive(Clone, Debug, Default)]
pub(crate) struct Driver {
    pedals: Pedals,
    hands: Hands,
    handbrake: Handbrake,
}

impl Driver {
    /// Throttle, 0–1.
    pub(crate) fn throttle(&self) -> f64 {
        self.pedals.throttle
    }

    /// Follows the plan and sets the controls for the next `dt` seconds.
    pub(crate) fn drive(&mut self, dt: f64, view: &View) -> Controls {
        self.pedals.press(dt, view);
        let handbrake = view.car.model.rallied && self.handbrake.pull(dt, view);
        Controls {
            throttle: self.pedals.throttle,
            brake: if handbrake { 0.0 } else { self.pedals.brake },
            curvature: self.hands.steer(dt, view),
            keep_gear: self.pedals.brakes_soon(view),
            least_gear: view.wish.demands.least_gear,
            handbrake,
        }
    }
}
