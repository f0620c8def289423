//! Names of Gran Turismo 7's cars, by the code in the packets.

/// A line for each car: its code and its name.
const CARS: &str = include_str!("cars.txt");

/// The name of a car; `None` for one that is newer than the table.
pub(super) fn name(code: i32) -> Option<&'static str> {
    lines().find(|(known, _)| *known == code).map(|(_, name)| name)
}

fn lines() -> impl Iterator<Item = (i32, &'static str)> {
    let of_cars = CARS.lines().filter(|line| !line.starts_with('#'));
    of_cars
        .filter_map(|line| line.split_once(' '))
        .filter_map(|(code, name)| Some((code.parse().ok()?, name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_a_car_of_its_own_with_a_plain_name() {
        let cars: Vec<(i32, &str)> = lines().collect();
        assert_eq!(cars.len(), CARS.lines().filter(|line| !line.starts_with('#')).count());
        assert!(cars.len() > 500, "{} cars", cars.len());
        assert!(cars.is_sorted_by(|(one, _), (other, _)| one < other), "codes rise, and none is there twice");
        for (code, name) in &cars {
            let words: Vec<&str> = name.split_whitespace().collect();
            assert_eq!(words.join(" "), *name, "{code}");
            assert!(words.first() != words.get(1), "{code}: {name} has its maker twice");
        }
    }

    #[test]
    fn a_car_is_named_by_its_code_and_an_unknown_one_is_not() {
        assert_eq!(name(3450), Some("Nissan GT-R NISMO GT3 '18"));
        // The maker is part of some models' names.
        assert_eq!([1474, 3438].map(name), [Some("Enzo Ferrari '02"), Some("Abarth 595 SS '70")]);
        assert_eq!([0, -1, 999_999].map(name), [None; 3]);
    }
}
