//! Kinds of car, as data.

use super::engine::{EngineModel, IDLE_RPM, MAX_RPM};

/// Mass with driver and without fuel, in kg.
pub(crate) const DRY_MASS_KG: f64 = 733.0;
/// Friction of a fresh, warm, dry tyre under the car's weight alone.
pub(crate) const FRICTION: f64 = 1.64;
/// Downforce coefficient times area, in m².
pub(crate) const DOWNFORCE_AREA_M2: f64 = 4.1;
/// Wheelbase, in metres.
pub(crate) const WHEELBASE_M: f64 = 3.6;

/// A kind of car.
#[derive(Debug, PartialEq)]
pub struct CarModel {
    /// Mass with driver and without fuel, in kg.
    pub(crate) dry_mass_kg: f64,
    /// Friction of a fresh, warm, dry tyre on tarmac under the car's weight alone.
    pub(crate) friction: f64,
    /// Downforce coefficient times area, in m².
    pub(crate) downforce_area_m2: f64,
    /// Drag coefficient times area, in m².
    pub(crate) drag_area_m2: f64,
    /// Rolling resistance, in m/s².
    pub(crate) rolling_ms2: f64,
    /// The driven tyres' share of the grip under power.
    pub(crate) driven_part: f64,
    /// Deceleration at full brake pedal, in m/s².
    pub(crate) brakes_ms2: f64,
    /// Wheelbase, in metres.
    pub(crate) wheelbase_m: f64,
    /// Lateral acceleration from which drivers treat a bend as a corner, in m/s².
    pub(crate) corner_ms2: f64,
    /// The engine and gearbox.
    pub engine: EngineModel,
}

/// A single-seater for circuits.
pub static SINGLE_SEATER: CarModel = CarModel {
    dry_mass_kg: DRY_MASS_KG,
    friction: FRICTION,
    downforce_area_m2: DOWNFORCE_AREA_M2,
    drag_area_m2: 1.48,
    rolling_ms2: 0.16,
    driven_part: 0.7,
    brakes_ms2: 39.0,
    wheelbase_m: WHEELBASE_M,
    corner_ms2: 8.0,
    engine: EngineModel {
        max_rpm: MAX_RPM,
        idle_rpm: IDLE_RPM,
        launch_rpm: 5_000.0,
        gear_rpm: 12_000.0,
        gear_speeds_ms: &[28.0, 37.5, 46.5, 55.5, 64.5, 73.5, 82.5, 92.5],
        shift_up_rpm: 11_900.0,
        shift_down_rpm: 10_700.0,
        shift_s: [0.045, 0.09],
        peak_rpm: 11_500.0,
        combustion_w: 545e3,
        electric_w: 120e3,
    },
};
