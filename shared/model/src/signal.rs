//! Signals: the changes that scripts, shift lights and motion rigs wait for, with their names there.

use serde::{Deserialize, Serialize};

use super::Channel;

/// The meaning of a signal's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument {
    /// No number.
    Nothing,
    /// A gear: −1 for reverse, 0 for neutral.
    Gear,
    /// 1 for on, 0 for off.
    Switch,
    /// The position of a pedal, 0 to 255.
    Pedal,
    /// Revolutions per minute.
    Rpm,
    /// A lap number.
    Lap,
    /// A sector number, from 1.
    Sector,
    /// A race position, from 1.
    Place,
    /// Per cent.
    Percent,
    /// Milliseconds.
    Millis,
    /// A level or a choice, numbered as in this channel.
    Choice(Channel),
}

/// Declares the signals: variant, name for scripts, label for drivers, meaning of the number.
macro_rules! signals {
    ($($signal:ident $name:literal $label:literal $argument:ident $(($channel:ident))?;)*) => {
        /// A change that scripts wait for.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum Signal { $(#[doc = $label] $signal,)* }

        impl Signal {
            /// Every signal, in the table's order.
            pub const ALL: &'static [Self] = &[$(Self::$signal,)*];

            /// The stable name for scripts.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$signal => $name,)* }
            }

            /// The label for drivers.
            pub const fn label(self) -> &'static str {
                match self { $(Self::$signal => $label,)* }
            }

            /// The meaning of the signal's number.
            pub const fn argument(self) -> Argument {
                match self { $(Self::$signal => Argument::$argument $((Channel::$channel))?,)* }
            }
        }
    };
}

signals! {
    Running "on_running" "The game runs" Nothing;
    InGameMenu "on_in_game_menu" "In a menu of the game" Nothing;
    AtTrack "on_at_track" "At the track" Nothing;
    InRace "on_in_race" "In the race" Nothing;
    Paused "on_paused" "The race is paused" Nothing;
    RaceEnd "on_race_end" "The race is left" Nothing;
    RaceStart "on_race_start" "The race starts" Lap;
    RaceFinish "on_race_finish" "The race is finished" Lap;
    LapChange "on_lap_change" "Another lap" Lap;
    SectorChange "on_sector_change" "Another sector" Sector;
    PositionChange "on_position_change" "Another place" Place;
    BestLapTime "on_best_lap_time" "Another best lap" Millis;
    LastLapTime "on_last_lap_time" "Another last lap" Millis;
    GearChange "on_gear_change" "Gear changed" Gear;
    SuggestedGear "on_suggested_gear" "Another gear suggested" Gear;
    FlashLights "on_flash_lights" "High beam on" Switch;
    Handbrake "on_handbrake" "Handbrake pulled" Switch;
    Tcs "on_tcs" "Traction control" Switch;
    Asm "on_asm" "Stability control" Switch;
    RevLimit "on_rev_limit" "Rev limiter" Switch;
    Brake "on_brake" "On the brake" Pedal;
    Throttle "on_throttle" "On the throttle" Pedal;
    ShiftLightLow "on_shift_light_low" "Shift light on" Rpm;
    ShiftLightHigh "on_shift_light_high" "Shift light flashes" Rpm;
    Drs "on_drs" "DRS" Switch;
    DrsAllowed "on_drs_allowed" "DRS allowed" Switch;
    PitLimiter "on_pit_limiter" "Pit limiter" Switch;
    TyreCompound "on_tyre_compound" "Other tyres" Choice(TyreCompound);
    FuelMix "on_fuel_mix" "Another fuel mix" Choice(FuelMix);
    ErsMode "on_ers_mode" "Another ERS mode" Choice(ErsMode);
    BrakeBias "on_brake_bias" "Brake bias moved" Percent;
    TractionControl "on_traction_control" "Another level of traction control" Choice(TractionControl);
    Buttons "on_buttons" "Buttons pressed or let go" Choice(Buttons);
}
