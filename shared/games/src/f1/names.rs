//! Names for the numbers of all formats. A number without a name is passed on as a number.

mod drivers;
mod penalties;
mod teams;
mod tracks;

pub use drivers::DRIVERS;
pub use penalties::{INFRINGEMENTS, PENALTIES};
pub use teams::TEAMS;
pub use tracks::TRACKS;

/// A number, the first and the last year in which it has this meaning, and the name.
pub type Row = (u16, u16, u16, &'static str);

/// The name for a number in a year, if the table has it.
pub fn of_year(table: &[Row], id: u16, year: u16) -> Option<&'static str> {
    let row = table.iter().find(|(known, first, last, _)| *known == id && (*first..=*last).contains(&year));
    row.map(|(_, _, _, name)| *name)
}

/// The nationality for a number in a year.
pub fn nationality(number: u8, year: u16) -> Option<&'static str> {
    // Number 56 was taken out, and those behind it moved up.
    const MOVED_IN: u16 = 2021;
    match number {
        56..=84 if year >= MOVED_IN => name(NATIONALITIES, number + 1),
        85.. if year >= MOVED_IN => name(LATER_NATIONALITIES, number),
        _ => name(NATIONALITIES, number),
    }
}

/// The name for a number, if the table has it.
pub fn name<Id: PartialEq + Copy>(table: &[(Id, &'static str)], id: Id) -> Option<&'static str> {
    table.iter().find(|(known, _)| *known == id).map(|(_, name)| *name)
}

/// Nationalities. Later formats lack number 56, so their numbers from there on are one lower.
pub const NATIONALITIES: &[(u8, &str)] = &[
    (1, "American"),
    (2, "Argentinian"),
    (3, "Australian"),
    (4, "Austrian"),
    (5, "Azerbaijani"),
    (6, "Bahraini"),
    (7, "Belgian"),
    (8, "Bolivian"),
    (9, "Brazilian"),
    (10, "British"),
    (11, "Bulgarian"),
    (12, "Cameroonian"),
    (13, "Canadian"),
    (14, "Chilean"),
    (15, "Chinese"),
    (16, "Colombian"),
    (17, "Costa Rican"),
    (18, "Croatian"),
    (19, "Cypriot"),
    (20, "Czech"),
    (21, "Danish"),
    (22, "Dutch"),
    (23, "Ecuadorian"),
    (24, "English"),
    (25, "Emirian"),
    (26, "Estonian"),
    (27, "Finnish"),
    (28, "French"),
    (29, "German"),
    (30, "Ghanaian"),
    (31, "Greek"),
    (32, "Guatemalan"),
    (33, "Honduran"),
    (34, "Hong Konger"),
    (35, "Hungarian"),
    (36, "Icelander"),
    (37, "Indian"),
    (38, "Indonesian"),
    (39, "Irish"),
    (40, "Israeli"),
    (41, "Italian"),
    (42, "Jamaican"),
    (43, "Japanese"),
    (44, "Jordanian"),
    (45, "Kuwaiti"),
    (46, "Latvian"),
    (47, "Lebanese"),
    (48, "Lithuanian"),
    (49, "Luxembourger"),
    (50, "Malaysian"),
    (51, "Maltese"),
    (52, "Mexican"),
    (53, "Monegasque"),
    (54, "New Zealander"),
    (55, "Nicaraguan"),
    (56, "North Korean"),
    (57, "Northern Irish"),
    (58, "Norwegian"),
    (59, "Omani"),
    (60, "Pakistani"),
    (61, "Panamanian"),
    (62, "Paraguayan"),
    (63, "Peruvian"),
    (64, "Polish"),
    (65, "Portuguese"),
    (66, "Qatari"),
    (67, "Romanian"),
    (68, "Russian"),
    (69, "Salvadoran"),
    (70, "Saudi"),
    (71, "Scottish"),
    (72, "Serbian"),
    (73, "Singaporean"),
    (74, "Slovakian"),
    (75, "Slovenian"),
    (76, "South Korean"),
    (77, "South African"),
    (78, "Spanish"),
    (79, "Swedish"),
    (80, "Swiss"),
    (81, "Thai"),
    (82, "Turkish"),
    (83, "Uruguayan"),
    (84, "Ukrainian"),
    (85, "Venezuelan"),
    (86, "Welsh"),
    (87, "Barbadian"),
    (88, "Vietnamese"),
];

/// Those that have other numbers from 2021 on than one less.
const LATER_NATIONALITIES: &[(u8, &str)] = &[
    (85, "Barbadian"),
    (86, "Welsh"),
    (87, "Vietnamese"),
    (88, "Algerian"),
    (89, "Bosnian"),
    (90, "Filipino"),
];

/// Further tyre compounds as the games show them from 2019 on.
pub const SHOWN_COMPOUNDS: &[(u8, &str)] = &[
    (9, "Dry"),
    (10, "Wet"),
    (11, "Super soft"),
    (12, "Soft"),
    (13, "Medium"),
    (14, "Hard"),
    (15, "Wet"),
    (16, "Soft"),
    (17, "Medium"),
    (18, "Hard"),
    (19, "Super soft"),
    (20, "Soft"),
    (21, "Medium"),
    (22, "Hard"),
];

/// The compounds of a season.
pub const COMPOUNDS_OF_SEASON: &[(u8, &str)] = &[
    (7, "Intermediate"),
    (8, "Wet"),
    (9, "Dry"),
    (10, "Wet"),
    (11, "Super soft"),
    (12, "Soft"),
    (13, "Medium"),
    (14, "Hard"),
    (15, "Wet"),
    (16, "C5"),
    (17, "C4"),
    (18, "C3"),
    (19, "C2"),
    (20, "C1"),
    (21, "C0"),
    (22, "C6"),
];

/// The classes of cars.
pub const FORMULAS: &[(u8, &str)] = &[
    (0, "F1"),
    (1, "F1 classic"),
    (2, "F2"),
    (3, "F1 generic"),
    (4, "Beta"),
    (5, "Supercars"),
    (6, "Esports"),
    (7, "F2 2021"),
    (8, "F1 World"),
    (9, "F1 elimination"),
    (13, "F1 2026"),
];

/// The modes of the game.
pub const GAME_MODES: &[(u8, &str)] = &[
    (0, "Event"),
    (3, "Grand prix"),
    (4, "Grand prix '23"),
    (5, "Time trial"),
    (6, "Split screen"),
    (7, "Online custom"),
    (8, "Online league"),
    (11, "Career invitational"),
    (12, "Championship invitational"),
    (13, "Championship"),
    (14, "Online championship"),
    (15, "Online weekly event"),
    (17, "Story"),
    (19, "Career '22"),
    (20, "Career '22 online"),
    (21, "Career '23"),
    (22, "Career '23 online"),
    (23, "Driver career '24"),
    (24, "Career '24 online"),
    (25, "My Team career '24"),
    (26, "Curated career '24"),
    (27, "My Team career '25"),
    (28, "Driver career '25"),
    (29, "Career '25 online"),
    (30, "Challenge career '25"),
    (75, "Story APXGP"),
    (127, "Benchmark"),
];

/// What the games run on.
pub const PLATFORMS: &[(u8, &str)] = &[(1, "Steam"), (3, "PlayStation"), (4, "Xbox"), (6, "Origin")];

/// Why a car's race ended.
pub const END_REASONS: &[(u8, &str)] = &[
    (1, "Retired"),
    (2, "Finished"),
    (3, "Terminal damage"),
    (4, "Inactive"),
    (5, "Not enough laps"),
    (6, "Black flag"),
    (7, "Red flag"),
    (8, "Mechanical failure"),
    (9, "Session skipped"),
    (10, "Session simulated"),
];

/// Why DRS was disabled.
pub const DRS_REASONS: &[(u8, &str)] =
    &[(0, "Wet track"), (1, "Safety car"), (2, "Red flag"), (3, "Not enough laps driven")];

/// The safety cars.
pub const SAFETY_CARS: &[(u8, &str)] = &[(1, "Safety car"), (2, "Virtual safety car"), (3, "Formation lap")];

/// How hard two cars touched.
pub const SEVERITIES: &[(u8, &str)] = &[(0, "Light"), (1, "Medium"), (2, "Hard")];

/// Tyre compounds of modern cars.
pub const COMPOUNDS: &[(u8, &str)] = &[
    (0, "Hyper soft"),
    (1, "Ultra soft"),
    (2, "Super soft"),
    (3, "Soft"),
    (4, "Medium"),
    (5, "Hard"),
    (6, "Super hard"),
    (7, "Intermediate"),
    (8, "Wet"),
];

/// Tyre compounds of classic cars.
pub const CLASSIC_COMPOUNDS: &[(u8, &str)] = &[
    (0, "Dry"),
    (1, "Dry"),
    (2, "Dry"),
    (3, "Dry"),
    (4, "Dry"),
    (5, "Dry"),
    (6, "Dry"),
    (7, "Wet"),
    (8, "Wet"),
];

/// Traction control levels.
pub const TRACTION_CONTROL: &[(u8, &str)] = &[(0, "Off"), (1, "Medium"), (2, "High")];

/// Fuel mixes.
pub const FUEL_MIXES: &[(u8, &str)] = &[(0, "Lean"), (1, "Standard"), (2, "Rich"), (3, "Maximum")];

/// Modes of ERS deployment.
pub const ERS_MODES: &[(u8, &str)] =
    &[(0, "None"), (1, "Low"), (2, "Medium"), (3, "High"), (4, "Overtake"), (5, "Hotlap")];

/// Controller buttons: the bit, and the names on the two makes of console.
pub const BUTTONS: &[(u32, &str)] = &[
    (0x0001, "Cross / A"),
    (0x0002, "Triangle / Y"),
    (0x0004, "Circle / B"),
    (0x0008, "Square / X"),
    (0x0010, "D-pad left"),
    (0x0020, "D-pad right"),
    (0x0040, "D-pad up"),
    (0x0080, "D-pad down"),
    (0x0100, "Options / menu"),
    (0x0200, "L1 / LB"),
    (0x0400, "R1 / RB"),
    (0x0800, "L2 / LT"),
    (0x1000, "R2 / RT"),
    (0x2000, "Left stick"),
    (0x4000, "Right stick"),
    (0x8000, "Right stick left"),
    (0x1_0000, "Right stick right"),
    (0x2_0000, "Right stick up"),
    (0x4_0000, "Right stick down"),
    (0x8_0000, "Special"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_mean_what_they_mean_in_a_year() {
        assert_eq!(of_year(TRACKS, 11, 2018), Some("Monza"));
        assert_eq!(of_year(TRACKS, 42, 2026), Some("Madrid"));
        assert_eq!(of_year(TRACKS, 42, 2025), None);
        assert_eq!(
            [2018, 2020, 2025].map(|year| of_year(TEAMS, 4, year)),
            [Some("Force India"), Some("Racing Point"), Some("Aston Martin")]
        );
        assert_eq!(of_year(TEAMS, 40, 2018), Some("Lotus 1978"));
        assert_eq!(of_year(TEAMS, 99, 2018), None);
        assert_eq!(of_year(TEAMS, 486, 2026), Some("Cadillac '26"));
        assert_eq!(of_year(DRIVERS, 61, 2018), Some("Sergey Sirotkin"));
        assert_eq!(of_year(DRIVERS, 161, 2025), Some("Gabriel Bortoleto"));
        assert_eq!(
            [2020, 2022].map(|year| of_year(INFRINGEMENTS, 41, year)),
            [Some("Retired terminally damaged"), Some("Retired mechanical failure")]
        );
    }

    #[test]
    fn nationalities_moved_up_in_2021() {
        let of = |number| [2018, 2020, 2021, 2025].map(|year| nationality(number, year));
        assert_eq!(of(29), [Some("German"); 4]);
        assert_eq!((of(78)[1], of(77)[2], of(77)[3]), (Some("Spanish"), Some("Spanish"), Some("Spanish")));
        assert_eq!(of(86), [Some("Welsh"); 4]);
        assert_eq!((of(84)[2], of(90)[3], of(91)[3]), (Some("Venezuelan"), Some("Filipino"), None));
    }

    #[test]
    fn no_number_has_two_names_in_a_year() {
        for table in [TEAMS, DRIVERS, TRACKS, PENALTIES, INFRINGEMENTS] {
            for year in 2018..=2026 {
                for (id, first, last, _) in table {
                    assert!(first <= last, "{id}");
                    let same = |row: &&Row| row.0 == *id && (row.1..=row.2).contains(&year);
                    assert!(table.iter().filter(same).count() <= 1, "{id} in {year}");
                }
            }
        }
    }
}
