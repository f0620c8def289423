//! Engine, gearbox, fuel and energy store.

/// The rev limiter, in rpm.
pub const MAX_RPM: u16 = 13_000;

/// Idle speed, in rpm.
pub const IDLE_RPM: u16 = 4_000;

/// Capacity of the energy store, in joules.
pub const STORE_J: f64 = 4e6;

/// Below this energy in the store less power is deployed, in joules.
const NEARLY_EMPTY_J: f64 = 100e3;

/// The most energy deployed per lap, in joules.
const DEPLOYED_PER_LAP_J: f64 = 4e6;

/// The most energy harvested from the brakes per lap, in joules.
const HARVESTED_PER_LAP_J: f64 = 2e6;

/// How far the downshift is delayed with the throttle open, in rpm.
const PULLED_RPM: f64 = 900.0;
/// The throttle from which the gearbox shifts up, and no longer so soon down.
const PULLS: f64 = 0.3;
/// Drivetrain efficiency.
const TRANSMITTED: f64 = 0.94;
/// Fuel flow at full power.
const FUEL_KG_S: f64 = 0.0265;

/// A kind of engine and gearbox.
#[derive(Debug, PartialEq)]
pub struct EngineModel {
    /// The rev limiter, in rpm.
    pub max_rpm: u16,
    /// Idle speed, in rpm.
    pub idle_rpm: u16,
    /// How far above idle the clutch slips at full throttle, in rpm.
    pub(crate) launch_rpm: f64,
    /// Speed in each gear at `gear_rpm`, in m/s.
    pub(crate) gear_rpm: f64,
    pub(crate) gear_speeds_ms: &'static [f64],
    /// Upshifts from here, and downshifts only below this speed in the lower gear, in rpm.
    pub(crate) shift_up_rpm: f64,
    pub(crate) shift_down_rpm: f64,
    /// Duration of an upshift, and of a downshift with the pause before the next one, in seconds.
    pub(crate) shift_s: [f64; 2],
    /// Engine speed of the most power, in rpm.
    pub(crate) peak_rpm: f64,
    /// The most combustion power, and electric power, in watts.
    pub(crate) combustion_w: f64,
    pub(crate) electric_w: f64,
}

impl EngineModel {
    /// Forward gears.
    pub fn gears(&self) -> u8 {
        self.gear_speeds_ms.len() as u8
    }
}

/// Engine, gearbox and energy store of one car.
#[derive(Clone, Debug)]
pub struct Engine {
    model: &'static EngineModel,
    /// −1 reverse, 0 neutral, 1–8.
    pub gear: i8,
    /// Engine speed, in rpm.
    pub rpm: f64,
    /// Fuel on board, in kg.
    pub fuel_kg: f64,
    /// Water temperature, in °C.
    pub temperature_c: f64,
    /// Energy in the store, in joules.
    pub store_j: f64,
    /// Energy harvested from the brakes in this lap, in joules.
    pub harvested_brakes_j: f64,
    /// Energy harvested from the turbocharger in this lap, in joules.
    pub harvested_turbo_j: f64,
    /// Energy deployed in this lap, in joules.
    pub deployed_j: f64,
    /// The deployment mode.
    pub deploy: Deploy,
    /// The deployment mode that the driver forgets, which counts to the lap's limit all the same.
    pub(crate) withheld: Deploy,
    /// Energy not deployed for that in this lap, in joules.
    withheld_j: f64,
    /// The share of the power that a gear which is too high leaves.
    pulling: f64,
    /// Remaining time of the current shift, in seconds.
    shifting_s: f64,
}

/// What the driver does to the engine.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Inputs {
    pub(super) throttle: f64,
    pub(super) brake: f64,
    /// Whether to shift up no further.
    pub(super) keep_gear: bool,
    /// The gear below which not to shift down.
    pub(super) least_gear: i8,
}

/// How fast the energy store is deployed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum Deploy {
    /// Not at all.
    None = 0,
    /// On the longest straights.
    Low = 1,
    /// The usual share of a race.
    #[default]
    Medium = 2,
    /// More than is harvested.
    High = 3,
    /// Everything, to overtake.
    Overtake = 4,
    /// Everything, for one lap.
    Hotlap = 5,
}

impl Deploy {
    /// The mode's share of the electric power.
    fn part(self) -> f64 {
        match self {
            Self::None => 0.0,
            Self::Low => 0.3,
            Self::Medium => 0.55,
            Self::High => 0.75,
            Self::Overtake | Self::Hotlap => 1.0,
        }
    }
}

impl Engine {
    pub(super) fn new(model: &'static EngineModel, fuel_kg: f64) -> Self {
        Self {
            model,
            gear: 1,
            rpm: f64::from(model.idle_rpm),
            fuel_kg,
            temperature_c: 92.0,
            store_j: STORE_J,
            harvested_brakes_j: 0.0,
            harvested_turbo_j: 0.0,
            deployed_j: 0.0,
            deploy: Deploy::Medium,
            withheld: Deploy::None,
            withheld_j: 0.0,
            pulling: 1.0,
            shifting_s: 0.0,
        }
    }

    /// Resets the energy counters, which are per lap.
    pub(crate) fn begin_lap(&mut self) {
        self.harvested_brakes_j = 0.0;
        self.harvested_turbo_j = 0.0;
        self.deployed_j = 0.0;
        self.withheld_j = 0.0;
    }

    /// Selects the gear that fits the speed.
    pub(super) fn engage(&mut self, speed_ms: f64) {
        self.gear = self.gear_upwards(speed_ms);
    }

    /// The gear at a speed on the way up, without a slip of the wheels.
    pub(crate) fn gear_upwards(&self, speed_ms: f64) -> i8 {
        self.gear_at(speed_ms, self.model.shift_up_rpm)
    }

    /// The gear at a speed on the way down.
    pub(crate) fn gear_downwards(&self, speed_ms: f64) -> i8 {
        self.gear_at(speed_ms, self.model.shift_down_rpm)
    }

    /// The lowest gear whose engine speed is no higher.
    fn gear_at(&self, speed_ms: f64, rpm: f64) -> i8 {
        let EngineModel { gear_speeds_ms, gear_rpm, .. } = self.model;
        let passed = gear_speeds_ms.iter().filter(|&&top| top * rpm / gear_rpm < speed_ms).count();
        1 + passed.min(gear_speeds_ms.len() - 1) as i8
    }

    /// Combustion power at the wheels at full throttle, in watts.
    pub(crate) fn power_w(&self) -> f64 {
        self.pulling * self.usual_power_w()
    }

    /// Like `power_w` in a gear that fits the speed.
    pub(crate) fn usual_power_w(&self) -> f64 {
        if self.fuel_kg <= 0.0 || self.rpm > f64::from(self.model.max_rpm) - 50.0 {
            return 0.0;
        }
        let below_peak = (self.rpm / self.model.peak_rpm - 1.0).clamp(-0.7, 0.2);
        TRANSMITTED * self.model.combustion_w * (1.0 - 1.1 * below_peak * below_peak)
    }

    /// Whether the gear changes right now.
    pub(super) fn is_shifting(&self) -> bool {
        self.shifting_s > 0.0
    }

    /// The share of the power that is left during a shift.
    pub(super) fn shift_cut(&self) -> f64 {
        if self.shifting_s > 0.0 { 0.35 } else { 1.0 }
    }

    /// Electric power at the wheels right now, in watts.
    pub(crate) fn electric_w(&self, speed_ms: f64) -> f64 {
        self.electric_w_in(self.deploy, speed_ms)
    }

    fn electric_w_in(&self, mode: Deploy, speed_ms: f64) -> f64 {
        if self.deployed_j + self.withheld_j >= DEPLOYED_PER_LAP_J || speed_ms < 28.0 {
            return 0.0;
        }
        // An almost empty store gives what the turbocharger harvests.
        let left = (self.store_j / NEARLY_EMPTY_J).min(1.0);
        TRANSMITTED * self.model.electric_w * mode.part() * left
    }

    /// Advances gears, fuel and energy by `dt` seconds.
    pub(super) fn run(&mut self, dt: f64, speed_ms: f64, wheel_slip: f64, inputs: Inputs) {
        let Inputs { throttle, brake, .. } = inputs;
        self.shift(dt, speed_ms, wheel_slip, inputs);
        let load = throttle * if self.shifting_s > 0.0 { 0.3 } else { 1.0 };
        self.fuel_kg = (self.fuel_kg - FUEL_KG_S * load * dt).max(0.0);
        self.temperature_c += (88.0 + 24.0 * load - 0.12 * speed_ms - self.temperature_c) * dt / 40.0;
        if throttle > 0.8 {
            let spent = self.electric_w(speed_ms) * throttle * dt;
            self.withheld_j += self.electric_w_in(self.withheld, speed_ms) * throttle * dt;
            self.store_j = (self.store_j - spent).max(0.0);
            self.deployed_j += spent;
            let turbo = 32e3 * dt;
            self.harvested_turbo_j += turbo;
            self.store_j = (self.store_j + turbo).min(STORE_J);
        }
        if brake > 0.05 && speed_ms > 15.0 && self.harvested_brakes_j < HARVESTED_PER_LAP_J {
            let back = self.model.electric_w * brake.min(0.5) * 2.0 * dt;
            self.harvested_brakes_j += back;
            self.store_j = (self.store_j + back).min(STORE_J);
        }
    }

    fn shift(&mut self, dt: f64, speed_ms: f64, wheel_slip: f64, inputs: Inputs) {
        let Inputs { throttle, keep_gear, least_gear, .. } = inputs;
        let model = self.model;
        let rpm_in = |gear: i8| {
            let top = model.gear_speeds_ms.get(gear.max(1) as usize - 1).copied().unwrap_or(f64::MAX);
            speed_ms * (1.0 + wheel_slip) / top * model.gear_rpm
        };
        self.shifting_s -= dt;
        if self.shifting_s <= 0.0 {
            let change = if rpm_in(self.gear) > model.shift_up_rpm
                && self.gear < model.gears() as i8
                && throttle > PULLS
                && !keep_gear
            {
                1
            } else if self.gear > least_gear.max(1)
                && rpm_in(self.gear - 1)
                    < model.shift_down_rpm - if throttle > PULLS { PULLED_RPM } else { 0.0 }
            {
                -1
            } else {
                0
            };
            if change != 0 {
                self.gear += change;
                let [up_s, down_s] = model.shift_s;
                self.shifting_s = if change > 0 { up_s } else { down_s };
            }
        }
        self.pulling = if least_gear > 0 { self.pull(speed_ms) } else { 1.0 };
        // While the clutch slips, the throttle alone sets the revs.
        let floor =
            f64::from(model.idle_rpm) + if throttle > 0.05 { model.launch_rpm * throttle } else { 0.0 };
        let target = rpm_in(self.gear).max(floor).min(f64::from(model.max_rpm));
        self.rpm += (target - self.rpm) * (dt / 0.02).min(1.0);
    }

    /// The share of the power that the gear leaves below the speed from which it is usually driven: torque falls with
    /// the revs, as the turbocharger slows down with them.
    fn pull(&self, speed_ms: f64) -> f64 {
        let EngineModel { gear_speeds_ms, shift_up_rpm, gear_rpm, .. } = self.model;
        let lower = usize::try_from(self.gear - 2).ok().and_then(|index| gear_speeds_ms.get(index));
        let revs = lower.map_or(1.0, |top| speed_ms / (top * shift_up_rpm / gear_rpm)).min(1.0);
        revs * revs
    }
}

#[cfg(test)]
mod tests {
    use super::super::SINGLE_SEATER;
    use super::*;

    #[test]
    fn every_gear_is_used_on_the_way_up_and_down() {
        let mut engine = Engine::new(&SINGLE_SEATER.engine, 50.0);
        let mut seen = [false; 9];
        for step in 0..2400 {
            engine.run(
                1.0 / 240.0,
                f64::from(step) * 0.036,
                0.0,
                Inputs { throttle: 1.0, ..Inputs::default() },
            );
            seen[engine.gear as usize] = true;
            assert!(engine.rpm <= f64::from(MAX_RPM));
        }
        assert_eq!(engine.gear, 8);
        assert!(seen[1..=8].iter().all(|&gear| gear));
        for step in 0..1200 {
            engine.run(
                1.0 / 240.0,
                86.0 - f64::from(step) * 0.07,
                0.0,
                Inputs { brake: 1.0, ..Inputs::default() },
            );
        }
        assert_eq!(engine.gear, 1);
    }

    #[test]
    fn energy_is_spent_and_comes_back_within_the_rules() {
        let mut engine = Engine::new(&SINGLE_SEATER.engine, 50.0);
        engine.deploy = Deploy::Hotlap;
        for _ in 0..240 * 60 {
            engine.run(1.0 / 240.0, 80.0, 0.0, Inputs { throttle: 1.0, ..Inputs::default() });
        }
        assert!(engine.store_j < 0.55 * STORE_J, "{}", engine.store_j);
        assert!((0.99..1.001).contains(&(engine.deployed_j / DEPLOYED_PER_LAP_J)));
        for _ in 0..240 * 60 {
            engine.run(1.0 / 240.0, 60.0, 0.0, Inputs { brake: 1.0, ..Inputs::default() });
        }
        assert!(engine.harvested_brakes_j <= HARVESTED_PER_LAP_J + 1e3 && engine.store_j <= STORE_J);
        assert!(engine.store_j > 0.8 * STORE_J);
    }
}
