//! The four wheels of a car: tyres, brakes, suspension.

use trailbrake_model::Wheel;

use super::GRAVITY;

/// The order of the wheels in a car.
pub const WHEELS: [Wheel; 4] = [Wheel::RearLeft, Wheel::RearRight, Wheel::FrontLeft, Wheel::FrontRight];

/// A tyre compound.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Compound {
    /// Most grip, shortest life.
    Ultrasoft,
    /// Between ultrasoft and medium.
    #[default]
    Soft,
    /// Longest life.
    Medium,
    /// For a wet track.
    Intermediate,
    /// For standing water.
    Wet,
}

impl Compound {
    /// The share of the best friction that this compound has at a wetness of 0–1.
    pub fn hold(self, wetness: f64) -> f64 {
        match self {
            Self::Ultrasoft => 1.0 - 0.50 * wetness,
            Self::Soft => 0.992 - 0.50 * wetness,
            Self::Medium => 0.982 - 0.50 * wetness,
            Self::Intermediate => 0.88 - 0.25 * wetness,
            Self::Wet => 0.74 - 0.07 * wetness,
        }
    }

    /// The right compound for a wetness of 0–1.
    pub fn for_wetness(wetness: f64) -> Self {
        match wetness {
            w if w < 0.4 => Self::Soft,
            w if w < 0.75 => Self::Intermediate,
            _ => Self::Wet,
        }
    }

    /// Whether the compound has a tread.
    pub fn treaded(self) -> bool {
        matches!(self, Self::Intermediate | Self::Wet)
    }

    /// Wear per kilowatt-second of sliding, in per cent.
    fn wear_rate(self) -> f64 {
        match self {
            Self::Ultrasoft => 6.5e-5,
            Self::Soft => 4.2e-5,
            Self::Medium => 2.8e-5,
            Self::Intermediate | Self::Wet => 4.5e-5,
        }
    }
}

/// A wheel with its tyre, brake and spring.
#[derive(Clone, Copy, Debug)]
pub struct WheelState {
    /// Tyre surface temperature, in °C.
    pub surface_c: f64,
    /// Tyre carcass temperature, in °C.
    pub inner_c: f64,
    /// Tyre pressure, in psi.
    pub pressure_psi: f64,
    /// Tyre wear, in per cent.
    pub wear: f64,
    /// Brake disc temperature, in °C.
    pub brake_c: f64,
    /// Speed of the tread, in m/s.
    pub speed_ms: f64,
    /// Slip ratio: tread speed relative to the ground, positive if faster.
    pub slip: f64,
    /// Suspension compression, in mm.
    pub suspension_mm: f64,
    /// Suspension velocity, in mm/s.
    pub suspension_mm_s: f64,
    /// Suspension acceleration, in mm/s².
    pub suspension_mm_s2: f64,
}

/// Inputs to the wheels from the rest of the car.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Load {
    pub(super) speed_ms: f64,
    pub(super) yaw_rate: f64,
    pub(super) lateral: f64,
    pub(super) longitudinal: f64,
    pub(super) vertical: f64,
    pub(super) brake: f64,
    pub(super) slip_rear: f64,
    pub(super) bump_mm: f64,
    pub(super) locked: bool,
    pub(super) kerb_left_mm: f64,
    pub(super) kerb_right_mm: f64,
    pub(super) air_c: f64,
    pub(super) wetness: f64,
    pub(super) compound: Compound,
    pub(super) airborne: bool,
    pub(super) landed_ms: f64,
    pub(super) suspension_mm: [f64; 2],
}

/// How fast the wheels drop in the air, as a time constant in seconds.
const HANGS_S: f64 = 0.03;
/// Compression of the springs by a landing, in metres per m/s.
const LANDING_S: f64 = 0.035;

/// New wheels, out of the tyre blankets.
pub(super) fn fresh(surface_c: f64) -> [WheelState; 4] {
    WHEELS.map(|wheel| WheelState {
        surface_c,
        inner_c: surface_c - 2.0,
        pressure_psi: cold_pressure(wheel) + 1.2,
        wear: 0.0,
        brake_c: 180.0,
        speed_ms: 0.0,
        slip: 0.0,
        suspension_mm: 0.0,
        suspension_mm_s: 0.0,
        suspension_mm_s2: 0.0,
    })
}

/// Advances all four wheels by `dt` seconds.
pub(super) fn roll(wheels: &mut [WheelState; 4], dt: f64, load: &Load) {
    for (state, wheel) in wheels.iter_mut().zip(WHEELS) {
        state.roll(dt, wheel, load);
    }
}

/// The share of friction left by tyre temperature and wear.
pub(super) fn condition(wheels: &[WheelState; 4], compound: Compound) -> f64 {
    let best_c = if compound.treaded() { 70.0 } else { 96.0 };
    let sum: f64 = wheels
        .iter()
        .map(|wheel| {
            let off = (wheel.inner_c - best_c) / 60.0;
            // Wear costs little at first and much at the end.
            let worn = wheel.wear / 100.0;
            (1.0 - (0.25 * off * off).min(0.12)) * (1.0 - 0.06 * worn - 0.12 * worn * worn)
        })
        .sum();
    sum / 4.0
}

fn cold_pressure(wheel: Wheel) -> f64 {
    if front(wheel) { 21.6 } else { 19.8 }
}

fn front(wheel: Wheel) -> bool {
    matches!(wheel, Wheel::FrontLeft | Wheel::FrontRight)
}

fn left(wheel: Wheel) -> bool {
    matches!(wheel, Wheel::FrontLeft | Wheel::RearLeft)
}

impl WheelState {
    fn roll(&mut self, dt: f64, wheel: Wheel, load: &Load) {
        // Half the track width times the yaw rate: the outer wheels are faster.
        let outward = if left(wheel) { -1.0 } else { 1.0 };
        let ground = (load.speed_ms + outward * 0.8 * load.yaw_rate).max(0.0);
        let braking_slip = -0.06 * load.brake;
        let target_slip = match (front(wheel), load.locked) {
            (true, true) => -0.65,
            (true, false) => braking_slip,
            (false, _) => 0.7 * braking_slip + load.slip_rear,
        };
        self.slip += (target_slip - self.slip) * (dt / 0.03).min(1.0);
        self.speed_ms = (ground * (1.0 + self.slip)).max(0.0);

        let weight = self.weight(wheel, load);
        self.heat(dt, wheel, load, weight);
        let cold = cold_pressure(wheel);
        self.pressure_psi = cold * (self.inner_c + 273.15) / (25.0 + 273.15) * 0.86;
        self.spring(dt, wheel, load, weight);
    }

    /// This wheel's share of the car's weight; one quarter at rest.
    fn weight(&self, wheel: Wheel, load: &Load) -> f64 {
        let outward = if left(wheel) { -1.0 } else { 1.0 };
        let forward = if front(wheel) { -1.0 } else { 1.0 };
        (0.25 + outward * 0.0045 * load.lateral + forward * 0.003 * load.longitudinal).clamp(0.02, 0.6)
    }

    fn heat(&mut self, dt: f64, wheel: Wheel, load: &Load, weight: f64) {
        let slide_kw = weight * load.speed_ms * (0.045 * load.lateral.abs() + 0.03 * load.longitudinal.abs());
        let locked = if load.locked && front(wheel) { 14.0 } else { 0.0 };
        let ground_c = load.air_c + 8.0 - 12.0 * load.wetness;
        self.surface_c += dt
            * (0.75 * slide_kw
                + locked
                + 3.0 * load.slip_rear.abs() * load.speed_ms * f64::from(u8::from(!front(wheel)))
                - (0.013 + 0.0018 * load.speed_ms + 0.05 * load.wetness) * (self.surface_c - ground_c)
                - 0.35 * (self.surface_c - self.inner_c));
        self.inner_c += dt
            * (0.055 * (self.surface_c - self.inner_c) + 0.0006 * (self.brake_c - self.inner_c)
                - 0.004 * (self.inner_c - ground_c));
        let share = if front(wheel) { 0.29 } else { 0.21 };
        self.brake_c += dt
            * (18.0 * share * load.brake * load.speed_ms
                - (0.012 + 0.0015 * load.speed_ms) * (self.brake_c - load.air_c - 40.0).max(-50.0));
        self.wear =
            (self.wear + dt * 4.4 * load.compound.wear_rate() * (10.0 * slide_kw + locked)).min(100.0);
    }

    fn spring(&mut self, dt: f64, wheel: Wheel, load: &Load, weight: f64) {
        let [hanging_mm, pressed_mm] = load.suspension_mm;
        if load.airborne {
            let moved_mm = (hanging_mm - self.suspension_mm) * (dt / HANGS_S).min(1.0);
            self.suspension_mm += moved_mm;
            (self.suspension_mm_s, self.suspension_mm_s2) = (moved_mm / dt, 0.0);
            return;
        }
        self.suspension_mm = (self.suspension_mm + LANDING_S * 1e3 * load.landed_ms).min(pressed_mm);
        let wing = 0.0016 * load.speed_ms * load.speed_ms;
        let kerb = if left(wheel) { load.kerb_left_mm } else { load.kerb_right_mm };
        let target = 60.0 * (weight - 0.25) + wing + 6.0 * load.vertical / GRAVITY + kerb + load.bump_mm;
        let before = self.suspension_mm_s;
        // A damped spring of about 6 Hz, integrated implicitly for stability.
        let (stiffness, damping) = (1400.0, 52.0);
        let push = stiffness * (target - self.suspension_mm) - damping * before;
        self.suspension_mm_s += dt * push / (1.0 + dt * damping + dt * dt * stiffness);
        self.suspension_mm = (self.suspension_mm + dt * self.suspension_mm_s).clamp(hanging_mm, pressed_mm);
        self.suspension_mm_s2 = (self.suspension_mm_s - before) / dt;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Repeats ten seconds of straight, braking and cornering.
    fn drive(compound: Compound, seconds: usize) -> [WheelState; 4] {
        let mut wheels = fresh(85.0);
        for step in 0..seconds * 60 {
            let phase = (step / 60) % 10;
            let (speed_ms, lateral, longitudinal, brake) = match phase {
                0..=4 => (75.0, 2.0, 6.0, 0.0),
                5 | 6 => (55.0, 5.0, -35.0, 0.8),
                _ => (45.0, 24.0, 2.0, 0.0),
            };
            let load = Load {
                speed_ms,
                lateral,
                longitudinal,
                brake,
                air_c: 24.0,
                compound,
                suspension_mm: [-200.0, 200.0],
                ..Load::default()
            };
            roll(&mut wheels, 1.0 / 60.0, &load);
        }
        wheels
    }

    #[test]
    fn temperatures_settle_where_tyres_and_brakes_work() {
        for seconds in [600, 610, 3600] {
            for wheel in drive(Compound::Soft, seconds) {
                assert!((65.0..125.0).contains(&wheel.inner_c), "{wheel:?}");
                assert!((60.0..150.0).contains(&wheel.surface_c), "{wheel:?}");
                assert!((150.0..1100.0).contains(&wheel.brake_c), "{wheel:?}");
                assert!((18.0..26.0).contains(&wheel.pressure_psi), "{wheel:?}");
            }
        }
    }

    #[test]
    fn softer_tyres_wear_faster_and_wear_costs_hold() {
        let worn = |compound| drive(compound, 1500).iter().map(|wheel| wheel.wear).fold(0.0, f64::max);
        let (ultra, soft, medium) = (worn(Compound::Ultrasoft), worn(Compound::Soft), worn(Compound::Medium));
        assert!(ultra > soft && soft > medium && medium > 3.0 && ultra < 95.0, "{ultra} {soft} {medium}");
        let mut wheels = fresh(96.0);
        let new = condition(&wheels, Compound::Soft);
        wheels.iter_mut().for_each(|wheel| wheel.wear = 60.0);
        assert!(condition(&wheels, Compound::Soft) < new - 0.03);
    }

    #[test]
    fn the_right_tyre_for_the_wetness_holds_best() {
        for step in 0..=20 {
            let wetness = f64::from(step) / 20.0;
            let chosen = Compound::for_wetness(wetness).hold(wetness);
            for other in [Compound::Soft, Compound::Intermediate, Compound::Wet] {
                assert!(chosen >= other.hold(wetness) - 0.02, "{wetness}: {other:?}");
            }
        }
    }
}
