//! The channel table, which decoders, charts, pickers, exports and unit settings all read.

use serde::{Deserialize, Serialize};

use crate::units::Unit;

/// A wheel, in the internal order: front left, front right, rear left, rear right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Wheel {
    /// Front left.
    FrontLeft,
    /// Front right.
    FrontRight,
    /// Rear left.
    RearLeft,
    /// Rear right.
    RearRight,
}

impl Wheel {
    /// All four, in order.
    pub const ALL: [Self; 4] = [Self::FrontLeft, Self::FrontRight, Self::RearLeft, Self::RearRight];

    /// The suffix of a wheel's channel label.
    pub const fn short(self) -> &'static str {
        match self {
            Self::FrontLeft => "FL",
            Self::FrontRight => "FR",
            Self::RearLeft => "RL",
            Self::RearRight => "RR",
        }
    }
}

/// An axis of a vector channel.
///
/// Every world is right-handed with y up, whatever the game's own is. Seen from above with z up the page, x points
/// left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Axis {
    /// World: to the left of z. Car: left.
    X,
    /// Up.
    Y,
    /// World: across x, in a direction the game chose. Car: ahead.
    Z,
}

impl Axis {
    /// All three, in order.
    pub const ALL: [Self; 3] = [Self::X, Self::Y, Self::Z];
}

/// How many numbers a channel has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Scope {
    /// One number for the car.
    Car,
    /// One number for each wheel.
    Wheels,
    /// Three numbers: x, y and z.
    Vector,
}

impl Scope {
    /// The number of columns of a channel of this scope.
    pub const fn width(self) -> u16 {
        match self {
            Self::Car => 1,
            Self::Wheels => 4,
            Self::Vector => 3,
        }
    }
}

/// How a channel is drawn between samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Drawing {
    /// A straight line from sample to sample.
    Line,
    /// Held until the next sample: gears, switches, states.
    Step,
    /// A line on a scale symmetric about zero: steering, g.
    Centred,
}

/// One number of a sample: a channel, and its wheel or axis if it has several numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Slot(u16);

impl Slot {
    /// The number of slots: the size of a table indexed by slot.
    pub const COUNT: usize = first_slot(Channel::ALL.len()) as usize;

    /// The slot's index in a table of `Slot::COUNT` entries.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The slot at an index of such a table.
    pub fn from_index(index: usize) -> Option<Self> {
        (index < Self::COUNT).then_some(Self(index as u16))
    }

    /// The slot's channel.
    pub fn channel(self) -> Channel {
        let after = Channel::ALL.partition_point(|channel| channel.slot().0 <= self.0);
        Channel::ALL.get(after.saturating_sub(1)).copied().unwrap_or(Channel::Speed)
    }

    /// The index of the slot within its channel, from 0.
    pub fn part(self) -> u16 {
        self.0 - self.channel().slot().0
    }

    /// The stable name in files and links, such as `tyre_pressure_fl` or `position_x`.
    pub fn id(self) -> String {
        let channel = self.channel();
        match channel.scope() {
            Scope::Car => channel.id().to_owned(),
            Scope::Wheels => match Wheel::ALL.get(usize::from(self.part())) {
                Some(wheel) => format!("{}_{}", channel.id(), wheel.short().to_ascii_lowercase()),
                None => channel.id().to_owned(),
            },
            Scope::Vector => {
                let axis = match self.part() {
                    0 => "x",
                    1 => "y",
                    _ => "z",
                };
                format!("{}_{axis}", channel.id())
            }
        }
    }
}

impl Slot {
    /// The id with its storage unit, as tables have it: `speed [m/s]`.
    pub fn heading(self) -> String {
        match self.channel().unit().symbol() {
            Some(unit) => format!("{} [{unit}]", self.id()),
            None => self.id(),
        }
    }

    /// The slot of a heading; `None` if the unit differs.
    pub fn headed(heading: &str) -> Option<Self> {
        let id = heading.split_once(" [").map_or(heading, |(id, _)| id);
        // The id of a wheel or vector slot begins with its channel's id.
        let channels = Channel::ALL.iter().filter(|channel| id.starts_with(channel.id()));
        let mut slots = channels.flat_map(|channel| {
            let first = channel.slot().0;
            (first..first + channel.scope().width()).map(Self)
        });
        slots.find(|slot| slot.heading() == heading)
    }
}

/// The first slot of the channel with a given rank.
#[expect(clippy::indexing_slicing, reason = "computed by the compiler, where a bad index does not build")]
const fn first_slot(rank: usize) -> u16 {
    let mut slot = 0;
    let mut before = 0;
    while before < rank {
        slot += SCOPES[before].width();
        before += 1;
    }
    slot
}

/// Declares the table: variant, id, label, unit, natural range, drawing, scope.
macro_rules! channels {
    ($($variant:ident $id:literal $label:literal $unit:ident $low:literal .. $high:literal $drawing:ident $scope:ident;)*) => {
        /// A measured quantity of a car that changes while it drives.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[repr(u16)]
        pub enum Channel {
            $(#[doc = $label] $variant,)*
        }

        const SCOPES: &[Scope] = &[$(Scope::$scope,)*];

        impl Channel {
            /// Every channel, in the table's order.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The stable name in files, links and exports.
            pub const fn id(self) -> &'static str {
                match self { $(Self::$variant => $id,)* }
            }

            /// The label for drivers.
            pub const fn label(self) -> &'static str {
                match self { $(Self::$variant => $label,)* }
            }

            /// The unit its values are stored in.
            pub const fn unit(self) -> Unit {
                match self { $(Self::$variant => Unit::$unit,)* }
            }

            /// The natural range: a chart starts with it and widens when values exceed it.
            pub const fn range(self) -> (f32, f32) {
                match self { $(Self::$variant => ($low, $high),)* }
            }

            /// How its line is drawn.
            pub const fn drawing(self) -> Drawing {
                match self { $(Self::$variant => Drawing::$drawing,)* }
            }

            /// How many numbers it has.
            pub const fn scope(self) -> Scope {
                match self { $(Self::$variant => Scope::$scope,)* }
            }
        }
    };
}

channels! {
    Speed "speed" "Speed" MetresPerSecond 0.0 .. 95.0 Line Car;
    Throttle "throttle" "Throttle" Ratio 0.0 .. 1.0 Line Car;
    Brake "brake" "Brake" Ratio 0.0 .. 1.0 Line Car;
    Clutch "clutch" "Clutch" Ratio 0.0 .. 1.0 Line Car;
    Steering "steering" "Steering" Ratio -1.0 .. 1.0 Centred Car;
    Gear "gear" "Gear" Count -1.0 .. 8.0 Step Car;
    Rpm "rpm" "RPM" Rpm 0.0 .. 15000.0 Line Car;
    RevLights "rev_lights" "Rev lights" Ratio 0.0 .. 1.0 Line Car;
    MaxRpm "max_rpm" "Maximum RPM" Rpm 0.0 .. 15000.0 Step Car;
    IdleRpm "idle_rpm" "Idle RPM" Rpm 0.0 .. 15000.0 Step Car;
    MaxGears "max_gears" "Number of gears" Count 0.0 .. 9.0 Step Car;
    LapDistance "lap_distance" "Lap distance" Metres 0.0 .. 7000.0 Line Car;
    TotalDistance "total_distance" "Total distance" Metres 0.0 .. 400000.0 Line Car;
    StageProgress "stage_progress" "Share of the stage" Ratio 0.0 .. 1.0 Line Car;
    LapClock "lap_clock" "Lap clock" Seconds 0.0 .. 120.0 Line Car;
    SafetyCarDelta "safety_car_delta" "Delta to the safety car's pace" Seconds -10.0 .. 10.0 Centred Car;
    RacePosition "race_position" "Race position" Count 1.0 .. 20.0 Step Car;
    Position "position" "Position" Metres -2000.0 .. 2000.0 Line Vector;
    Velocity "velocity" "Velocity" MetresPerSecond -95.0 .. 95.0 Centred Vector;
    LocalVelocity "local_velocity" "Velocity in the car's frame" MetresPerSecond -95.0 .. 95.0 Centred Vector;
    Forward "forward" "Direction ahead" Ratio -1.0 .. 1.0 Centred Vector;
    Right "right" "Direction to the right" Ratio -1.0 .. 1.0 Centred Vector;
    Up "up" "Direction up" Ratio -1.0 .. 1.0 Centred Vector;
    Yaw "yaw" "Yaw" Radians -3.2 .. 3.2 Centred Car;
    Pitch "pitch" "Pitch" Radians -0.5 .. 0.5 Centred Car;
    Roll "roll" "Roll" Radians -0.5 .. 0.5 Centred Car;
    AngularVelocity "angular_velocity" "Angular velocity" RadiansPerSecond -2.0 .. 2.0 Centred Vector;
    AngularAcceleration "angular_acceleration" "Angular acceleration" RadiansPerSecondSquared -20.0 .. 20.0 Centred Vector;
    GLateral "g_lateral" "Lateral g" G -5.0 .. 5.0 Centred Car;
    GLongitudinal "g_longitudinal" "Longitudinal g" G -5.0 .. 5.0 Centred Car;
    GVertical "g_vertical" "Vertical g" G -5.0 .. 5.0 Centred Car;
    Acceleration "acceleration" "Acceleration" MetresPerSecondSquared -50.0 .. 50.0 Centred Vector;
    FrontWheelsAngle "front_wheels_angle" "Angle of the front wheels" Radians -0.6 .. 0.6 Centred Car;
    SuspensionPosition "suspension_position" "Suspension travel" Metres -0.1 .. 0.1 Line Wheels;
    SuspensionVelocity "suspension_velocity" "Suspension speed" MetresPerSecond -1.0 .. 1.0 Centred Wheels;
    SuspensionAcceleration "suspension_acceleration" "Suspension acceleration" MetresPerSecondSquared -50.0 .. 50.0 Centred Wheels;
    WheelSpeed "wheel_speed" "Wheel speed" MetresPerSecond 0.0 .. 95.0 Line Wheels;
    WheelSlip "wheel_slip" "Slip ratio" Ratio -1.0 .. 1.0 Centred Wheels;
    Slip "slip" "Slip of the car" Ratio -1.0 .. 1.0 Centred Car;
    SlipFront "slip_front" "Slip of the front axle" Ratio -1.0 .. 1.0 Centred Car;
    SlipRear "slip_rear" "Slip of the rear axle" Ratio -1.0 .. 1.0 Centred Car;
    TyreSurfaceTemperature "tyre_surface_temperature" "Tyre surface temperature" Celsius 20.0 .. 140.0 Line Wheels;
    TyreInnerTemperature "tyre_inner_temperature" "Tyre inner temperature" Celsius 20.0 .. 140.0 Line Wheels;
    TyrePressure "tyre_pressure" "Tyre pressure" Pascals 100000.0 .. 250000.0 Line Wheels;
    TyreWear "tyre_wear" "Tyre wear" Ratio 0.0 .. 1.0 Step Wheels;
    TyreDamage "tyre_damage" "Tyre damage" Ratio 0.0 .. 1.0 Step Wheels;
    TyreCompound "tyre_compound" "Tyre compound" Count 0.0 .. 20.0 Step Car;
    BrakeTemperature "brake_temperature" "Brake temperature" Celsius 0.0 .. 1200.0 Line Wheels;
    EngineTemperature "engine_temperature" "Engine temperature" Celsius 0.0 .. 150.0 Line Car;
    Drs "drs" "DRS" Count 0.0 .. 1.0 Step Car;
    DrsAllowed "drs_allowed" "DRS allowed" Count 0.0 .. 1.0 Step Car;
    TractionControl "traction_control" "Traction control" Count 0.0 .. 2.0 Step Car;
    Abs "abs" "ABS" Count 0.0 .. 1.0 Step Car;
    BrakeBias "brake_bias" "Brake bias to the front" Ratio 0.4 .. 0.8 Step Car;
    FuelMix "fuel_mix" "Fuel mix" Count 0.0 .. 3.0 Step Car;
    Fuel "fuel" "Fuel" Kilograms 0.0 .. 110.0 Line Car;
    FuelCapacity "fuel_capacity" "Fuel capacity" Kilograms 0.0 .. 110.0 Step Car;
    FuelShare "fuel_share" "Fuel, share of the tank" Ratio 0.0 .. 1.0 Line Car;
    PitLimiter "pit_limiter" "Pit limiter" Count 0.0 .. 1.0 Step Car;
    Flag "flag" "Flag shown to the car" Count -1.0 .. 4.0 Step Car;
    ErsStore "ers_store" "ERS store" Joules 0.0 .. 4000000.0 Line Car;
    ErsMode "ers_mode" "ERS mode" Count 0.0 .. 5.0 Step Car;
    ErsHarvestedMguK "ers_harvested_mguk" "ERS harvested by the MGU-K in this lap" Joules 0.0 .. 4000000.0 Line Car;
    ErsHarvestedMguH "ers_harvested_mguh" "ERS harvested by the MGU-H in this lap" Joules 0.0 .. 4000000.0 Line Car;
    ErsDeployed "ers_deployed" "ERS deployed in this lap" Joules 0.0 .. 4000000.0 Line Car;
    KersLevel "kers_level" "KERS level" Count 0.0 .. 1.0 Line Car;
    KersCapacity "kers_capacity" "KERS capacity" Count 0.0 .. 1.0 Step Car;
    DamageFrontLeftWing "damage_front_left_wing" "Damage: front wing, left" Ratio 0.0 .. 1.0 Step Car;
    DamageFrontRightWing "damage_front_right_wing" "Damage: front wing, right" Ratio 0.0 .. 1.0 Step Car;
    DamageRearWing "damage_rear_wing" "Damage: rear wing" Ratio 0.0 .. 1.0 Step Car;
    DamageEngine "damage_engine" "Damage: engine" Ratio 0.0 .. 1.0 Step Car;
    DamageGearbox "damage_gearbox" "Damage: gearbox" Ratio 0.0 .. 1.0 Step Car;
    DamageExhaust "damage_exhaust" "Damage: exhaust" Ratio 0.0 .. 1.0 Step Car;
    Buttons "buttons" "Buttons pressed" Count 0.0 .. 32767.0 Step Car;
    SteeringAngle "steering_angle" "Angle of the steering wheel" Radians -8.0 .. 8.0 Centred Car;
    SteeringSpeed "steering_speed" "Speed of the steering wheel" RadiansPerSecond -10.0 .. 10.0 Centred Car;
    WheelAngle "wheel_angle" "Steering angle of the wheel" Radians -0.6 .. 0.6 Centred Wheels;
    ThrottlePedal "throttle_pedal" "Throttle pedal, before traction control" Ratio 0.0 .. 1.0 Line Car;
    BrakeApplied "brake_applied" "Brake applied, after ABS" Ratio 0.0 .. 1.0 Line Car;
    Handbrake "handbrake" "Handbrake" Ratio 0.0 .. 1.0 Step Car;
    ClutchEngagement "clutch_engagement" "Clutch engagement" Ratio 0.0 .. 1.0 Line Car;
    RpmAfterClutch "rpm_after_clutch" "RPM behind the clutch" Rpm 0.0 .. 15000.0 Line Car;
    SuggestedGear "suggested_gear" "Gear that the game suggests" Count -1.0 .. 8.0 Step Car;
    ShiftRpm "shift_rpm" "RPM at which the shift light comes on" Rpm 0.0 .. 15000.0 Step Car;
    RevLimiter "rev_limiter" "Rev limiter" Count 0.0 .. 1.0 Step Car;
    TcsActive "tcs_active" "Traction control active" Count 0.0 .. 1.0 Step Car;
    AsmActive "asm_active" "Stability control active" Count 0.0 .. 1.0 Step Car;
    Lights "lights" "Lights" Count 0.0 .. 1.0 Step Car;
    GameFlags "game_flags" "The game's own flags" Count 0.0 .. 65535.0 Step Car;
    Boost "boost" "Boost pressure" Pascals -100000.0 .. 200000.0 Line Car;
    OilPressure "oil_pressure" "Oil pressure" Pascals 0.0 .. 1000000.0 Line Car;
    OilTemperature "oil_temperature" "Oil temperature" Celsius 0.0 .. 150.0 Line Car;
    WaterTemperature "water_temperature" "Water temperature" Celsius 0.0 .. 150.0 Line Car;
    FuelVolume "fuel_volume" "Fuel, or charge of an electric car" Litres 0.0 .. 100.0 Line Car;
    FuelVolumeCapacity "fuel_volume_capacity" "Room in the tank" Litres 0.0 .. 100.0 Step Car;
    BodyHeight "body_height" "Height of the body" Metres 0.0 .. 0.3 Line Car;
    RoadNormal "road_normal" "Direction up from the road" Ratio -1.0 .. 1.0 Centred Vector;
    RoadDistance "road_distance" "Distance of the road's plane" Metres -100.0 .. 100.0 Line Car;
    TyreRadius "tyre_radius" "Radius of the tyre" Metres 0.0 .. 0.5 Line Wheels;
    Wheelbase "wheelbase" "Wheelbase on the left side" Metres 1.0 .. 3.5 Line Car;
    Surface "surface" "Surface under the wheel" Count 0.0 .. 9.0 Step Wheels;
    TorqueVectoring "torque_vectoring" "Torque vectoring or active wing" Ratio -1.0 .. 1.0 Centred Wheels;
    EnergyRecovery "energy_recovery" "Energy recovery" Count -1.0 .. 1.0 Centred Car;
    PowertrainUnnamed "powertrain_unnamed" "A value of the powertrain that nobody has named" Count -1.0 .. 2.5 Centred Car;
    TopSpeedShown "top_speed_shown" "Top speed of the gearing, in the player's own unit" Count 0.0 .. 400.0 Step Car;
    TimeOfDay "time_of_day" "Time of day in the game" Seconds 0.0 .. 86400.0 Line Car;
    LapShare "lap_share" "Share of the lap" Ratio 0.0 .. 1.0 Line Car;
    TrackOrder "track_order" "Order on the track" Count 1.0 .. 20.0 Step Car;
    SlipAngle "slip_angle" "Slip angle" Radians -0.3 .. 0.3 Centred Wheels;
    CombinedSlip "combined_slip" "Combined slip, where 1 is the tyre's best" Number 0.0 .. 2.0 Line Wheels;
    SlipLevel "slip_level" "Slip, by a measure of the game's own" Number 0.0 .. 10.0 Line Wheels;
    TyreLoad "tyre_load" "Load on the tyre" Newtons 0.0 .. 8000.0 Line Wheels;
    TyreFriction "tyre_friction" "Lateral friction coefficient" Number 0.0 .. 2.0 Line Wheels;
    AligningTorque "aligning_torque" "Aligning torque" NewtonMetres -150.0 .. 150.0 Centred Wheels;
    Camber "camber" "Camber" Radians -0.1 .. 0.1 Centred Wheels;
    TyreLoadedRadius "tyre_loaded_radius" "Radius of the tyre under load" Metres 0.0 .. 0.5 Line Wheels;
    TyreDirt "tyre_dirt" "Dirt on the tyre, by a measure of the game's own" Number 0.0 .. 5.0 Line Wheels;
    TyreTemperature "tyre_temperature" "Tyre temperature, layer unknown" Celsius 20.0 .. 140.0 Line Wheels;
    TyreWearLevel "tyre_wear_level" "Tyre wear, by a measure of the game's own" Number 0.0 .. 1.0 Step Wheels;
    CentreOfMassHeight "centre_of_mass_height" "Height of the centre of mass" Metres 0.0 .. 1.0 Line Car;
    RideHeightFront "ride_height_front" "Ride height, front" Metres 0.0 .. 0.3 Line Car;
    RideHeightRear "ride_height_rear" "Ride height, rear" Metres 0.0 .. 0.3 Line Car;
    ErsCapacity "ers_capacity" "ERS capacity" Joules 0.0 .. 4000000.0 Step Car;
    BoostLevel "boost_level" "Boost, by a measure of the game's own" Number 0.0 .. 3.0 Line Car;
    AbsActive "abs_active" "ABS active" Count 0.0 .. 1.0 Step Car;
    SteeringLevel "steering_level" "Steering, by a measure of the game's own" Number -1.0 .. 1.0 Centred Car;
    ClutchLevel "clutch_level" "Clutch, by a measure of the game's own" Number 0.0 .. 1.0 Line Car;
    GearNumber "gear_number" "Gear, as the game numbers it" Count -1.0 .. 9.0 Step Car;
    FuelLevel "fuel_level" "Fuel, by a measure of the game's own" Number 0.0 .. 1.0 Line Car;
    DamageLevelBody "damage_level_body" "Damage of the body, by a measure of the game's own" Number 0.0 .. 1.0 Step Car;
    DamageLevelSuspension "damage_level_suspension" "Damage of the suspension, by a measure of the game's own" Number 0.0 .. 1.0 Step Car;
    DamageLevelEngine "damage_level_engine" "Damage of the engine, by a measure of the game's own" Number 0.0 .. 1.0 Step Car;
    DamageLevelGearbox "damage_level_gearbox" "Damage of the gearbox, by a measure of the game's own" Number 0.0 .. 1.0 Step Car;
    DamageLevelAero "damage_level_aero" "Damage of the wings and floor, by a measure of the game's own" Number 0.0 .. 1.0 Step Car;
    TrackTemperature "track_temperature" "Temperature of the track" Celsius 0.0 .. 60.0 Line Car;
    AirTemperature "air_temperature" "Temperature of the air" Celsius 0.0 .. 45.0 Line Car;
    Rain "rain" "Rain" Ratio 0.0 .. 1.0 Line Car;
    FuelLaps "fuel_laps" "Laps that the fuel lasts longer than the race" Number -5.0 .. 20.0 Line Car;
    TyreAge "tyre_age" "Laps on these tyres" Count 0.0 .. 40.0 Step Car;
    TyreCompoundOfSeason "tyre_compound_of_season" "Tyre compound of the season" Count 0.0 .. 22.0 Step Car;
    TyreBlisters "tyre_blisters" "Blisters on the tyre" Ratio 0.0 .. 1.0 Step Wheels;
    TyreForceLateral "tyre_force_lateral" "Lateral force of the tyre" Newtons -8000.0 .. 8000.0 Centred Wheels;
    TyreForceLongitudinal "tyre_force_longitudinal" "Longitudinal force of the tyre" Newtons -8000.0 .. 8000.0 Centred Wheels;
    CamberGain "camber_gain" "Camber gained by the suspension" Radians -0.1 .. 0.1 Centred Wheels;
    BrakeDamage "brake_damage" "Damage of the brake" Ratio 0.0 .. 1.0 Step Wheels;
    DrsDistance "drs_distance" "Distance to where DRS may be opened" Metres 0.0 .. 1000.0 Line Car;
    DrsFault "drs_fault" "DRS broken" Count 0.0 .. 1.0 Step Car;
    ErsFault "ers_fault" "ERS broken" Count 0.0 .. 1.0 Step Car;
    ErsHarvestLimit "ers_harvest_limit" "ERS that may be harvested in a lap" Joules 0.0 .. 9000000.0 Step Car;
    PowerEngine "power_engine" "Power of the engine" Watts 0.0 .. 600000.0 Line Car;
    PowerMguK "power_mguk" "Power of the MGU-K" Watts 0.0 .. 350000.0 Line Car;
    DamageFloor "damage_floor" "Damage: floor" Ratio 0.0 .. 1.0 Step Car;
    DamageDiffuser "damage_diffuser" "Damage: diffuser" Ratio 0.0 .. 1.0 Step Car;
    DamageSidepod "damage_sidepod" "Damage: sidepod" Ratio 0.0 .. 1.0 Step Car;
    WearMguH "wear_mguh" "Wear: MGU-H" Ratio 0.0 .. 1.0 Step Car;
    WearEnergyStore "wear_energy_store" "Wear: energy store" Ratio 0.0 .. 1.0 Step Car;
    WearControlElectronics "wear_control_electronics" "Wear: control electronics" Ratio 0.0 .. 1.0 Step Car;
    WearCombustionEngine "wear_combustion_engine" "Wear: combustion engine" Ratio 0.0 .. 1.0 Step Car;
    WearMguK "wear_mguk" "Wear: MGU-K" Ratio 0.0 .. 1.0 Step Car;
    WearTurbo "wear_turbo" "Wear: turbocharger" Ratio 0.0 .. 1.0 Step Car;
    EngineBlown "engine_blown" "Engine blown" Count 0.0 .. 1.0 Step Car;
    EngineSeized "engine_seized" "Engine seized" Count 0.0 .. 1.0 Step Car;
    RollFront "roll_front" "Roll of the front axle" Radians -0.1 .. 0.1 Centred Car;
    RollRear "roll_rear" "Roll of the rear axle" Radians -0.1 .. 0.1 Centred Car;
    BodySlipAngle "body_slip_angle" "Angle between the car and its direction of motion" Radians -0.3 .. 0.3 Centred Car;
    BodyPitch "body_pitch" "Pitch against the road" Radians -0.1 .. 0.1 Centred Car;
    PitStops "pit_stops" "Pit stops" Count 0.0 .. 5.0 Step Car;
    PitLaneTime "pit_lane_time" "Time in the pit lane" Seconds 0.0 .. 40.0 Line Car;
    PitStopTime "pit_stop_time" "Time at the pit box" Seconds 0.0 .. 10.0 Line Car;
    PitStopServesPenalty "pit_stop_serves_penalty" "A penalty is to be served at this stop" Count 0.0 .. 1.0 Step Car;
    Warnings "warnings" "Warnings" Count 0.0 .. 10.0 Step Car;
    CornerCuttingWarnings "corner_cutting_warnings" "Warnings for leaving the track" Count 0.0 .. 10.0 Step Car;
    UnservedDriveThroughs "unserved_drive_throughs" "Drive-throughs to be served" Count 0.0 .. 3.0 Step Car;
    UnservedStopGos "unserved_stop_gos" "Stop-and-go penalties to be served" Count 0.0 .. 3.0 Step Car;
    SpeedTrap "speed_trap" "Best speed at the speed trap" MetresPerSecond 0.0 .. 100.0 Step Car;
    SpeedTrapLap "speed_trap_lap" "Lap of the best speed at the speed trap" Count 0.0 .. 60.0 Step Car;
    GapAhead "gap_ahead" "Gap to the car ahead" Seconds 0.0 .. 30.0 Line Car;
    GapToLeader "gap_to_leader" "Gap to the leader" Seconds 0.0 .. 90.0 Line Car;
    NetworkPaused "network_paused" "Paused in an online game" Count 0.0 .. 1.0 Step Car;
    UdpActions "udp_actions" "Actions bound to a button" Count 0.0 .. 4095.0 Step Car;
    ActiveAero "active_aero" "Wings set for the straight" Count 0.0 .. 1.0 Step Car;
    ActiveAeroAllowed "active_aero_allowed" "Wings may be set for the straight" Count 0.0 .. 1.0 Step Car;
    ActiveAeroDistance "active_aero_distance" "Distance to where the wings may be set" Metres 0.0 .. 1000.0 Line Car;
    OvertakeMode "overtake_mode" "Overtake mode" Count 0.0 .. 1.0 Step Car;
    OvertakeModeAllowed "overtake_mode_allowed" "Overtake mode allowed" Count 0.0 .. 1.0 Step Car;
    OvertakeModeDistance "overtake_mode_distance" "Distance to where overtake mode is allowed" Metres 0.0 .. 1000.0 Line Car;
    WrongWay "wrong_way" "Driving the wrong way" Count 0.0 .. 1.0 Step Car;
}

impl Channel {
    /// The channel's slot, or the first of its slots.
    pub const fn slot(self) -> Slot {
        Slot(self.first())
    }

    /// The slot of one wheel.
    pub const fn of(self, wheel: Wheel) -> Slot {
        Slot(self.first() + wheel as u16)
    }

    /// The slot of one axis.
    pub const fn along(self, axis: Axis) -> Slot {
        Slot(self.first() + axis as u16)
    }

    #[expect(clippy::indexing_slicing, reason = "the table has an entry for every variant")]
    const fn first(self) -> u16 {
        FIRST_SLOTS[self as usize]
    }

    /// The channel with a given id.
    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|channel| channel.id() == id)
    }
}

#[expect(clippy::indexing_slicing, reason = "computed by the compiler, where a bad index does not build")]
const FIRST_SLOTS: [u16; Channel::ALL.len()] = {
    let mut slots = [0; Channel::ALL.len()];
    let mut rank = 0;
    while rank < slots.len() {
        slots[rank] = first_slot(rank);
        rank += 1;
    }
    slots
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_and_channels_agree() {
        for &channel in Channel::ALL {
            for part in 0..channel.scope().width() {
                let slot = Slot(channel.slot().0 + part);
                assert_eq!((slot.channel(), slot.part()), (channel, part));
                assert_eq!(Slot::from_index(slot.index()), Some(slot));
            }
        }
        assert_eq!(Slot::from_index(Slot::COUNT), None);
    }

    #[test]
    fn ids_are_unique_and_lead_back() {
        let ids: std::collections::BTreeSet<_> =
            (0..Slot::COUNT).filter_map(Slot::from_index).map(Slot::id).collect();
        assert_eq!(ids.len(), Slot::COUNT);
        for slot in (0..Slot::COUNT).filter_map(Slot::from_index) {
            assert_eq!(Slot::headed(&slot.heading()), Some(slot));
        }
        for wrong in ["", "speed", "speed [km/h]", "tyre_pressure [Pa]", "gear []", "gear_fl"] {
            assert_eq!(Slot::headed(wrong), None, "{wrong}");
        }
        for &channel in Channel::ALL {
            assert_eq!(Channel::from_id(channel.id()), Some(channel));
            let (low, high) = channel.range();
            assert!(low < high, "{channel:?}");
        }
    }
}
