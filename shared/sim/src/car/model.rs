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
    /// Suspension compression with the wheels hanging and fully compressed, in mm.
    pub(crate) suspension_mm: [f64; 2],
    /// Whether the driver presses the clutch to change gear, and turns hairpins with the handbrake.
    pub(crate) rallied: bool,
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
    suspension_mm: [-200.0, 200.0],
    rallied: false,
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

/// A rally car, which leaves the ground over crests.
pub static RALLY_CAR: CarModel = CarModel {
    dry_mass_kg: 1_230.0,
    friction: 1.16,
    downforce_area_m2: 0.0,
    drag_area_m2: 1.85,
    rolling_ms2: 0.25,
    driven_part: 0.8,
    brakes_ms2: 7.5,
    wheelbase_m: 2.6,
    corner_ms2: 3.0,
    suspension_mm: [-92.0, 88.0],
    rallied: true,
    engine: EngineModel {
        max_rpm: 8_000,
        idle_rpm: 1_450,
        launch_rpm: 3_350.0,
        gear_rpm: 8_000.0,
        gear_speeds_ms: &[15.0, 22.0, 29.0, 36.0, 44.0],
        shift_up_rpm: 7_500.0,
        shift_down_rpm: 6_300.0,
        shift_s: [0.16, 0.16],
        peak_rpm: 6_500.0,
        combustion_w: 310e3,
        electric_w: 0.0,
    },
};
