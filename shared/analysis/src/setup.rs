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

/// A setting's value: of some settings not every game has one.
trait Setting {
    fn number(self) -> Option<f32>;
}

impl Setting for u8 {
    fn number(self) -> Option<f32> {
        Some(f32::from(self))
    }
}

impl Setting for f32 {
    fn number(self) -> Option<f32> {
        Some(self)
    }
}

impl<T: Setting> Setting for Option<T> {
    fn number(self) -> Option<f32> {
        self.and_then(T::number)
    }
}

/// Declares the settings: field, name, unit.
macro_rules! settings {
    ($($field:ident $setting:literal $unit:literal;)*) => {
        /// All settings that both have, in order: name, unit, and both values.
        fn settings(one: &CarSetup, other: &CarSetup) -> impl Iterator<Item = SettingDifference> {
            let settings = [$(
                one.$field.number().zip(other.$field.number()).map(|(one, other)| SettingDifference {
                    setting: $setting,
                    unit: $unit,
                    one,
                    other,
                }),
            )*];
            settings.into_iter().flatten()
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
    engine_braking_percent "Engine braking" "%";
    front_tyre_psi "Front tyre pressure" "psi";
    rear_tyre_psi "Rear tyre pressure" "psi";
    front_left_tyre_psi "Front left tyre pressure" "psi";
    front_right_tyre_psi "Front right tyre pressure" "psi";
    rear_left_tyre_psi "Rear left tyre pressure" "psi";
    rear_right_tyre_psi "Rear right tyre pressure" "psi";
    next_front_wing "Front wing from the next stop on" "";
    ballast "Ballast" "";
    fuel_load_kg "Fuel load" "kg";
}

/// Every setting of two setups, in the order of the screen.
pub fn setup_settings(one: &CarSetup, other: &CarSetup) -> Vec<SettingDifference> {
    settings(one, other).collect()
}

/// Smaller differences do not show on the screen.
const SEEN: f32 = 0.005;

/// The settings that differ, in the order of the screen.
pub fn setup_differences(one: &CarSetup, other: &CarSetup) -> Vec<SettingDifference> {
    settings(one, other).filter(SettingDifference::differs).collect()
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
        let some = Some(1.0);
        let all = CarSetup {
            front_tyre_psi: some,
            rear_tyre_psi: some,
            front_left_tyre_psi: some,
            front_right_tyre_psi: some,
            rear_left_tyre_psi: some,
            rear_right_tyre_psi: some,
            engine_braking_percent: Some(1),
            next_front_wing: some,
            ..CarSetup::default()
        };
        // A setup in JSON has a field for each setting.
        let json = serde_json::to_value(all).expect("json");
        assert_eq!(settings(&all, &all).count(), json.as_object().expect("an object").len());
    }

    #[test]
    fn settings_of_another_year_are_not_compared() {
        let (one, other) =
            (CarSetup { front_tyre_psi: Some(22.0), ..CarSetup::default() }, CarSetup::default());
        assert_eq!(setup_differences(&one, &other), []);
    }
}
