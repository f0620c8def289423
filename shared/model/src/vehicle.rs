//! A car's model, for games that send more than a driver's name.

use serde::{Deserialize, Serialize};

/// The power source of a car.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Power {
    /// A combustion engine.
    Combustion,
    /// Electric motors alone.
    Electric,
    /// A number that this version does not know.
    Other(u8),
}

/// A car's model and its gearbox. Fields a game does not send are `None`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Vehicle {
    /// The game's own id of the model, printed.
    pub id: Option<String>,
    /// The model's name, if this version knows it.
    pub name: Option<String>,
    /// The livery, in the game's own word.
    pub livery: Option<String>,
    /// The car's class, in the game's own letters.
    pub class: Option<String>,
    /// The power source.
    pub power: Option<Power>,
    /// Which wheels are driven, in the game's own letters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub drivetrain: Option<String>,
    /// The number of cylinders.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cylinders: Option<u8>,
    /// The ratios of the forward gears, first gear first.
    pub gear_ratios: Vec<f32>,
    /// The final drive, as the game's ratio for the top speed.
    pub top_speed_ratio: Option<f32>,
    /// The fitted tyres, in the game's own letters.
    pub tyres: Option<String>,
    /// A field of the game that seems to say that no fuel is used; not verified.
    pub fuel_mark: Option<u8>,
}

impl Vehicle {
    /// The model's name, else the game's own word for it; a number is written as `Car 1234`.
    pub fn title(&self) -> Option<String> {
        let id = || {
            let id = self.id.as_deref()?;
            let is_number = id.bytes().all(|letter| letter.is_ascii_digit());
            Some(if is_number { format!("Car {id}") } else { id.to_owned() })
        };
        self.name.clone().or_else(id)
    }

    /// Class, drivetrain and cylinders, as far as the game sends them, such as `B 598 · AWD · 8 cylinders`.
    pub fn specification(&self) -> Option<String> {
        let cylinders = self.cylinders.filter(|count| *count > 0).map(|count| format!("{count} cylinders"));
        let parts: Vec<String> =
            [self.class.clone(), self.drivetrain.clone(), cylinders].into_iter().flatten().collect();
        (!parts.is_empty()).then(|| parts.join(" · "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_car_without_a_name_is_titled_by_its_id() {
        let title = |id: Option<&str>, name: Option<&str>| {
            let (id, name) = (id.map(str::to_owned), name.map(str::to_owned));
            Vehicle { id, name, ..Vehicle::default() }.title()
        };
        assert_eq!(title(Some("1234"), Some("GT-R")).as_deref(), Some("GT-R"));
        assert_eq!(title(Some("1234"), None).as_deref(), Some("Car 1234"));
        assert_eq!(title(None, None), None);
    }

    #[test]
    fn a_specification_holds_what_the_game_sends() {
        let vehicle = Vehicle { class: Some("B 598".into()), cylinders: Some(8), ..Vehicle::default() };
        assert_eq!(vehicle.specification().as_deref(), Some("B 598 · 8 cylinders"));
        let electric = Vehicle { drivetrain: Some("AWD".into()), cylinders: Some(0), ..Vehicle::default() };
        assert_eq!(electric.specification().as_deref(), Some("AWD"));
        assert_eq!(Vehicle::default().specification(), None);
    }
}
