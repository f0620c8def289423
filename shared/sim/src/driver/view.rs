//! What a driver sees and wants at one moment.

use super::super::car::Car;
use super::super::circuit::Circuit;
use super::plan::Plan;
use super::shortcut::Shortcut;
use super::skill::Skill;

/// A driver's lateral position and limits beyond the usual line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DriverIntent {
    /// Offset to the left of the racing line, in metres.
    pub(crate) shift_m: f64,
    /// Offsets between which other cars leave room, in metres.
    pub(crate) room_m: [f64; 2],
    /// During a pit visit: how far beyond the middle of the pit lane, in metres.
    pub(crate) pit_m: Option<f64>,
    /// A straight cut across the inside of a corner.
    pub(crate) shortcut: Option<Shortcut>,
    /// The highest speed behind the car ahead, in m/s.
    pub(crate) follow_ms: f64,
    /// Whether to stay off the throttle, whatever the plan says.
    pub(crate) lift: bool,
    /// Whether to stand still on the brake.
    pub(crate) hold: bool,
    /// What planted mistakes ask besides.
    pub(crate) demands: Demands,
}

/// What planted mistakes ask of a driver at one moment; the default asks for nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Demands {
    /// Whether to stay off the throttle.
    pub(crate) lift: bool,
    /// Whether to press neither pedal.
    pub(crate) roll: bool,
    /// The share of the usual brake pedal that is pressed at most.
    pub(crate) most_brake: f64,
    /// How long the brake pedal takes to its peak, in seconds; 0 if it takes no longer than usual.
    pub(crate) build_up_s: f64,
    /// The throttle that is pressed at most.
    pub(crate) most_throttle: f64,
    /// Offset to the left of the usual line, in metres.
    pub(crate) shift_m: f64,
    /// The gear below which the driver does not shift down.
    pub(crate) least_gear: i8,
    /// Whether to deploy no electric energy.
    pub(crate) saves_energy: bool,
}

impl Default for Demands {
    fn default() -> Self {
        Self {
            lift: false,
            roll: false,
            most_brake: 1.0,
            build_up_s: 0.0,
            most_throttle: 1.0,
            shift_m: 0.0,
            least_gear: 0,
            saves_energy: false,
        }
    }
}

/// The inputs of a driver's decision.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View<'a> {
    pub(crate) circuit: &'a Circuit,
    pub(crate) car: &'a Car,
    pub(crate) skill: &'a Skill,
    pub(crate) plan: &'a Plan,
    pub(crate) wish: DriverIntent,
    /// The share of the best friction that tyres and weather leave.
    pub(crate) hold: f64,
    /// Share of the drag removed by the slipstream of the car ahead.
    pub(crate) slipstream: f64,
}
