//! Numbers to words: classes and drivetrains.

use super::packet::Kind;

/// The classes of Motorsport 2023, by number. Two captured cars fit: 3 with index 598, and 6 with index 838.
const MOTORSPORT: [&str; 9] = ["E", "D", "C", "B", "A", "S", "R", "P", "X"];
/// The classes of the Horizon games, by number.
const HORIZON: [&str; 8] = ["D", "C", "B", "A", "S1", "S2", "R", "X"];
/// Before Horizon 6 there was no R, and 6 was X, whose cars have the highest index.
const HIGHEST_INDEX: i32 = 999;

/// A class with its performance index, such as `S1 800`. A number without a known letter is shown as it is.
pub(super) fn class(kind: Kind, class: i32, index: i32) -> String {
    let letters: &[&str] = match kind {
        Kind::Horizon if class == 6 && index == HIGHEST_INDEX => &["X"; 7],
        Kind::Horizon => &HORIZON,
        Kind::Dash2023 => &MOTORSPORT,
        // Motorsport 7 has sent 8 with index 231, which fits no list.
        Kind::Sled | Kind::Dash => &[],
    };
    let letter = usize::try_from(class).ok().and_then(|class| letters.get(class));
    letter.map_or_else(|| format!("{class} {index}"), |letter| format!("{letter} {index}"))
}

/// Which wheels are driven, as the games write it.
pub(super) fn drivetrain(number: i32) -> String {
    match number {
        0 => "FWD".to_owned(),
        1 => "RWD".to_owned(),
        2 => "AWD".to_owned(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_have_the_letters_of_their_game() {
        for (kind, number, index, expected) in [
            (Kind::Horizon, 4, 800, "S1 800"),
            (Kind::Horizon, 0, 100, "D 100"),
            (Kind::Horizon, 6, 998, "R 998"),
            (Kind::Horizon, 6, 999, "X 999"),
            (Kind::Horizon, 7, 999, "X 999"),
            (Kind::Dash2023, 3, 598, "B 598"),
            (Kind::Dash2023, 6, 838, "R 838"),
        ] {
            assert_eq!(class(kind, number, index), expected);
        }
    }

    #[test]
    fn unknown_numbers_are_shown_as_they_are() {
        assert_eq!(class(Kind::Dash, 8, 231), "8 231");
        assert_eq!(class(Kind::Horizon, 9, 1), "9 1");
        assert_eq!(class(Kind::Horizon, -1, i32::MIN), format!("-1 {}", i32::MIN));
        assert_eq!([0, 1, 2, 7].map(drivetrain), ["FWD", "RWD", "AWD", "7"]);
    }
}
