//! Differences between two setups, in the words and units of the game's own screen.

use serde::Serialize;
use trailbrake_model::CarSetup;

/// One setting in two setups.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SettingDifference {
    /// Its name on the game's screen.
    pub setting: &'static str,
    /// Its unit; empty for a plain number.
    pub unit: &'static str,
    /// Its value in the first setup.
    pub one: f32,
    /// Its value in the second setup.
    pub other: f32,
}

impl SettingDifference {
    /// Whether the values differ by enough to show on the screen.
    pub fn differs(&self) -> bool {
        (self.one - self.other).abs() >= SEEN
    }
}

/// Declares the settings: field, name, unit.
macro_rules! settings {
    ($($field:ident $setting:literal $unit:literal;)*) => {
        /// All settings in order: name, unit, and both values.
        fn settings(one: &CarSetup, other: &CarSetup) -> [SettingDifference; [$($setting),*].len()] {
            [$(SettingDifference {
                setting: $setting,
                unit: $unit,
                one: f32::from(one.$field),
                other: f32::from(other.$field),
            },)*]
        }
    };
}

settings! {
    front_wing "Front wing" "";
    rear_wing "Rear wing" "";
    differential_on_throttle_percent "Differential on throttle" "%";
    differential_off_throttle_percent "Differential off throttle" "%";
    front_camber_deg "Front camber" "°";
    rear_camber_deg "Rear camber" "°";
    front_toe_deg "Front toe" "°";
    rear_toe_deg "Rear toe" "°";
    front_suspension "Front suspension" "";
    rear_suspension "Rear suspension" "";
    front_anti_roll_bar "Front anti-roll bar" "";
    rear_anti_roll_bar "Rear anti-roll bar" "";
    front_ride_height "Front ride height" "";
    rear_ride_height "Rear ride height" "";
    brake_pressure_percent "Brake pressure" "%";
    brake_bias_percent "Brake bias to the front" "%";
    front_tyre_psi "Front tyre pressure" "psi";
    rear_tyre_psi "Rear tyre pressure" "psi";
    ballast "Ballast" "";
    fuel_load_kg "Fuel load" "kg";
}

/// Every setting of two setups, in the order of the screen.
pub fn setup_settings(one: &CarSetup, other: &CarSetup) -> Vec<SettingDifference> {
    settings(one, other).into()
}

/// Smaller differences do not show on the screen.
const SEEN: f32 = 0.005;

/// The settings that differ, in the order of the screen.
pub fn setup_differences(one: &CarSetup, other: &CarSetup) -> Vec<SettingDifference> {
    settings(one, other).into_iter().filter(SettingDifference::differs).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_differences_are_listed() {
        let one =
            CarSetup { front_wing: 6, front_camber_deg: -3.0, fuel_load_kg: 11.0, ..CarSetup::default() };
        let other =
            CarSetup { front_wing: 4, front_camber_deg: -3.0, fuel_load_kg: 10.5, ..CarSetup::default() };
        assert_eq!(
            setup_differences(&one, &other),
            [
                SettingDifference { setting: "Front wing", unit: "", one: 6.0, other: 4.0 },
                SettingDifference { setting: "Fuel load", unit: "kg", one: 11.0, other: 10.5 },
            ]
        );
        assert_eq!(setup_differences(&one, &one), []);
    }

    #[test]
    fn every_setting_is_in_the_table() {
        // A setup in JSON has a field for each setting.
        let json = serde_json::to_value(CarSetup::default()).expect("json");
        let fields = json.as_object().expect("an object").len();
        assert_eq!(settings(&CarSetup::default(), &CarSetup::default()).len(), fields);
    }
}
