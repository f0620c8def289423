//! Drivers: their skill, their plan, and how they steer and use the pedals.

mod entries;
mod hairpin;
mod pedals;
mod plan;
mod shortcut;
mod skill;
mod steering;
mod view;

pub(super) use entries::ENTRIES;
pub use entries::Entry;
pub(crate) use plan::{Intent, Plan};
pub(crate) use shortcut::Shortcut;
pub(crate) use skill::Skill;

pub(crate) use steering::{PIT_RAMP_M, PIT_SETTLE_M};
pub(crate) use view::{Demands, DriverIntent, View};

use super::car::Controls;
use hairpin::Handbrake;
use pedals::Pedals;
use steering::Hands;

/// Pedal travel that counts as braking, or as being on the throttle.
pub const PEDAL_ON: f64 = 0.1;

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
            handbrake,
        }
    }
}
