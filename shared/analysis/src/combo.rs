//! Track and car of a lap, and the warning for laps in different cars.

use std::fmt::Write;

/// Track and car of a lap, as far as its game sends them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Combo {
    /// The game.
    pub game: Option<String>,
    /// The track's name.
    pub track: Option<String>,
    /// The car's name.
    pub car: Option<String>,
}

impl Combo {
    /// Whether the names say that another lap is of another track. Names of different games are not comparable.
    pub fn is_elsewhere(&self, other: &Self) -> bool {
        self.game == other.game && differ(&self.track, &other.track)
    }

    /// The warning for laps in different or unknown cars, each with its name in the warning. `None` if all cars are the
    /// same.
    pub fn other_cars(laps: &[(&str, &Self)]) -> Option<String> {
        let (_, first) = laps.first()?;
        let cars = |combo: &Self| combo.car.as_ref().map(|car| (combo.game.clone(), car.clone()));
        if laps.iter().all(|(_, combo)| combo.car.is_some() && cars(combo) == cars(first)) {
            return None;
        }
        if laps.iter().all(|(_, combo)| combo.car.is_none()) {
            let words = "The cars of these laps are unknown; they may differ.";
            return Some(words.to_owned());
        }
        let several_games = laps.iter().any(|(_, combo)| combo.game != first.game);
        let mut words = "These laps were driven in different cars".to_owned();
        for (place, (lap, Self { game, car, .. })) in laps.iter().enumerate() {
            let joint = if place == 0 { ": " } else { ", " };
            let car = car.as_deref().unwrap_or("an unknown car");
            // Writing to a string never fails.
            let _ = write!(words, "{joint}{lap} in {car}");
            if let Some(game) = game.as_ref()
                && several_games
            {
                let _ = write!(words, " ({game})");
            }
        }
        words.push('.');
        Some(words)
    }
}

fn differ(one: &Option<String>, other: &Option<String>) -> bool {
    one.as_ref().zip(other.as_ref()).is_some_and(|(one, other)| one != other)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn combo(game: &str, track: &str, car: &str) -> Combo {
        let non_empty = |word: &str| (!word.is_empty()).then(|| word.to_owned());
        Combo { game: non_empty(game), track: non_empty(track), car: non_empty(car) }
    }

    #[test]
    fn a_track_is_another_one_where_one_game_says_so() {
        let spa = combo("F1 2018", "Spa", "");
        assert!(spa.is_elsewhere(&combo("F1 2018", "Monza", "")));
        for same in [combo("F1 2018", "Spa", "Ferrari"), combo("AC", "spa", ""), combo("F1 2018", "", "")] {
            assert!(!spa.is_elsewhere(&same) && !same.is_elsewhere(&spa), "{same:?}");
        }
    }

    #[test]
    fn laps_in_one_car_need_no_word_and_others_do() {
        let ferrari = combo("F1 2018", "Spa", "Ferrari");
        let (mercedes, unavailable) = (combo("F1 2018", "Spa", "Mercedes"), combo("F1 2018", "Spa", ""));
        assert_eq!(Combo::other_cars(&[]), None);
        assert_eq!(Combo::other_cars(&[("Lap 1", &ferrari), ("Lap 2", &ferrari)]), None);
        assert_eq!(
            Combo::other_cars(&[("Lap 1", &ferrari), ("Lap 2", &ferrari), ("Lap 3", &mercedes)]).as_deref(),
            Some(
                "These laps were driven in different cars: Lap 1 in Ferrari, Lap 2 in Ferrari, Lap 3 in Mercedes."
            )
        );
        assert_eq!(
            Combo::other_cars(&[("Lap 1", &ferrari), ("Lap 2", &unavailable)]).as_deref(),
            Some("These laps were driven in different cars: Lap 1 in Ferrari, Lap 2 in an unknown car.")
        );
        let words = Combo::other_cars(&[("Lap 1", &unavailable), ("Lap 1", &unavailable)]).expect("words");
        assert!(words.starts_with("The cars of these laps"), "{words}");
        let elsewhere = combo("AC", "spa", "Ferrari");
        let words = Combo::other_cars(&[("Lap 1", &ferrari), ("Lap 1", &elsewhere)]).expect("words");
        assert!(words.ends_with("Lap 1 in Ferrari (F1 2018), Lap 1 in Ferrari (AC)."), "{words}");
    }
}
