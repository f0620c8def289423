//! The panel that shows each channel. A new channel does not compile without a panel.

use trailbrake_shared::model::Channel::{self, *};

use super::panel::Panel;

/// The panel that shows a channel.
pub(super) const fn panel_of(channel: Channel) -> Panel {
    match channel {
        Speed | Gear | GearNumber | Rpm | RevLights | MaxRpm | Flag | RacePosition | LapClock
        | LapDistance | LapShare => Panel::Dash,
        Throttle | Brake | Steering | SteeringAngle | GLateral | GLongitudinal => Panel::Trace,
        Position => Panel::Track,
        TyreSurfaceTemperature
        | TyreInnerTemperature
        | TyreTemperature
        | TyrePressure
        | TyreWear
        | TyreWearLevel
        | TyreDamage
        | TyreCompound
        | BrakeTemperature
        | TyreDirt
        | TyreLoad
        | CombinedSlip
        | SlipAngle
        | TyreBlisters
        | BrakeDamage
        | Surface => Panel::Tyres,
        Fuel | FuelCapacity | FuelVolume | FuelVolumeCapacity | FuelShare | FuelLevel | FuelMix
        | ErsStore | ErsCapacity | ErsMode | ErsDeployed | ErsHarvestedMguK | ErsHarvestedMguH
        | PowerEngine | PowerMguK | KersLevel | KersCapacity | Drs | DrsAllowed | Boost | BoostLevel
        | EnergyRecovery => Panel::Energy,
        EngineTemperature | WaterTemperature | OilTemperature | OilPressure | BrakeBias | TractionControl
        | TcsActive | Abs | AbsActive | AsmActive | PitLimiter | RevLimiter | Handbrake | Lights
        | SuggestedGear | Clutch => Panel::Car,
        DamageFrontLeftWing
        | DamageFrontRightWing
        | DamageRearWing
        | DamageEngine
        | DamageGearbox
        | DamageExhaust
        | DamageFloor
        | DamageDiffuser
        | DamageSidepod
        | DrsFault
        | ErsFault
        | EngineBlown
        | EngineSeized
        | WearCombustionEngine
        | WearTurbo
        | WearMguK
        | WearMguH
        | WearEnergyStore
        | WearControlElectronics
        | DamageLevelBody
        | DamageLevelSuspension
        | DamageLevelEngine
        | DamageLevelGearbox
        | DamageLevelAero => Panel::Damage,
        SafetyCarDelta | TimeOfDay | TrackTemperature | AirTemperature | Rain => Panel::Session,
        StageProgress => Panel::Stage,
        IdleRpm
        | MaxGears
        | TotalDistance
        | Velocity
        | LocalVelocity
        | Forward
        | Right
        | Up
        | Yaw
        | Pitch
        | Roll
        | AngularVelocity
        | AngularAcceleration
        | GVertical
        | Acceleration
        | FrontWheelsAngle
        | SuspensionPosition
        | SuspensionVelocity
        | SuspensionAcceleration
        | WheelSpeed
        | WheelSlip
        | Slip
        | SlipFront
        | SlipRear
        | Buttons
        | SteeringSpeed
        | WheelAngle
        | ThrottlePedal
        | BrakeApplied
        | ClutchEngagement
        | RpmAfterClutch
        | ShiftRpm
        | GameFlags
        | BodyHeight
        | RoadNormal
        | RoadDistance
        | TyreRadius
        | Wheelbase
        | TorqueVectoring
        | PowertrainUnnamed
        | TopSpeedShown
        | TrackOrder
        | SlipLevel
        | TyreFriction
        | AligningTorque
        | Camber
        | TyreLoadedRadius
        | CentreOfMassHeight
        | RideHeightFront
        | RideHeightRear
        | SteeringLevel
        | ClutchLevel
        | FuelLaps
        | TyreAge
        | TyreCompoundOfSeason
        | TyreForceLateral
        | TyreForceLongitudinal
        | CamberGain
        | DrsDistance
        | ErsHarvestLimit
        | RollFront
        | RollRear
        | BodySlipAngle
        | BodyPitch
        | PitStops
        | PitLaneTime
        | PitStopTime
        | PitStopServesPenalty
        | Warnings
        | CornerCuttingWarnings
        | UnservedDriveThroughs
        | UnservedStopGos
        | SpeedTrap
        | SpeedTrapLap
        | GapAhead
        | GapToLeader
        | NetworkPaused
        | UdpActions
        | ActiveAero
        | ActiveAeroAllowed
        | ActiveAeroDistance
        | OvertakeMode
        | OvertakeModeAllowed
        | OvertakeModeDistance
        | WrongWay => Panel::Values,
    }
}

#[cfg(test)]
mod tests {
    use trailbrake_shared::plot::lane_table::DEFAULT_LANES;

    use super::super::{car, conditions, damage, energy, stage, tyres};
    use super::*;

    #[test]
    fn each_channel_is_shown_by_its_panel() {
        // Channels that the dash draws with each frame, or takes from the car's lap progress.
        let dash = [
            Speed,
            Gear,
            GearNumber,
            Rpm,
            RevLights,
            MaxRpm,
            Flag,
            RacePosition,
            LapClock,
            LapDistance,
            LapShare,
        ];
        let lanes: Vec<Channel> = DEFAULT_LANES.iter().flat_map(|lane| lane.channels).copied().collect();
        for &channel in Channel::ALL {
            let is_shown = match panel_of(channel) {
                Panel::Dash => dash.contains(&channel),
                Panel::Trace => lanes.contains(&channel) && channel != SteeringLevel,
                Panel::Track => channel == Position,
                Panel::Tyres => tyres::shows(channel),
                Panel::Energy => energy::shows(channel),
                Panel::Car => car::shows(channel),
                Panel::Damage => damage::shows(channel),
                Panel::Session => conditions::shows(channel),
                Panel::Stage => stage::shows(channel),
                // The panel lists every channel that `panel_of` gives it.
                Panel::Values => true,
                Panel::Timing
                | Panel::Braking
                | Panel::TyreSets
                | Panel::Forecast
                | Panel::Rules
                | Panel::Positions
                | Panel::Laps
                | Panel::Events => false,
            };
            assert!(is_shown, "{channel:?} is not shown in {:?}", panel_of(channel));
        }
    }
}
