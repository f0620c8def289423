//! Names for the numbers of format 2018. A number without a name is passed on as a number.

/// The name for a number, if the table has it.
pub fn name<Id: PartialEq + Copy>(table: &[(Id, &'static str)], id: Id) -> Option<&'static str> {
    table.iter().find(|(known, _)| *known == id).map(|(_, name)| *name)
}

/// Teams. Later games use the same ids for renamed teams.
pub const TEAMS: &[(u8, &str)] = &[
    (0, "Mercedes"),
    (1, "Ferrari"),
    (2, "Red Bull"),
    (3, "Williams"),
    (4, "Force India"),
    (5, "Renault"),
    (6, "Toro Rosso"),
    (7, "Haas"),
    (8, "McLaren"),
    (9, "Sauber"),
    (10, "McLaren 1988"),
    (11, "McLaren 1991"),
    (12, "Williams 1992"),
    (13, "Ferrari 1995"),
    (14, "Williams 1996"),
    (15, "McLaren 1998"),
    (16, "Ferrari 2002"),
    (17, "Ferrari 2004"),
    (18, "Renault 2006"),
    (19, "Ferrari 2007"),
    (20, "McLaren 2008"),
    (21, "Red Bull 2010"),
    (22, "Ferrari 1976"),
    (34, "McLaren 1976"),
    (35, "Lotus 1972"),
    (36, "Ferrari 1979"),
    (37, "McLaren 1982"),
    (38, "Williams 2003"),
    (39, "Brawn 2009"),
    (40, "Lotus 1978"),
];

/// The season's drivers, and the fictional drivers of the lower classes.
pub const DRIVERS: &[(u8, &str)] = &[
    (0, "Carlos Sainz"),
    (2, "Daniel Ricciardo"),
    (3, "Fernando Alonso"),
    (6, "Kimi Räikkönen"),
    (7, "Lewis Hamilton"),
    (8, "Marcus Ericsson"),
    (9, "Max Verstappen"),
    (10, "Nico Hülkenberg"),
    (11, "Kevin Magnussen"),
    (12, "Romain Grosjean"),
    (13, "Sebastian Vettel"),
    (14, "Sergio Perez"),
    (15, "Valtteri Bottas"),
    (17, "Esteban Ocon"),
    (18, "Stoffel Vandoorne"),
    (19, "Lance Stroll"),
    (20, "Arron Barnes"),
    (21, "Martin Giles"),
    (22, "Alex Murray"),
    (23, "Lucas Roth"),
    (24, "Igor Correia"),
    (25, "Sophie Levasseur"),
    (26, "Jonas Schiffer"),
    (27, "Alain Forest"),
    (28, "Jay Letourneau"),
    (29, "Esto Saari"),
    (30, "Yasar Atiyeh"),
    (31, "Callisto Calabresi"),
    (32, "Naota Izum"),
    (33, "Howard Clarke"),
    (34, "Wilhelm Kaufmann"),
    (35, "Marie Laursen"),
    (36, "Flavio Nieves"),
    (58, "Charles Leclerc"),
    (59, "Pierre Gasly"),
    (60, "Brendon Hartley"),
    (61, "Sergey Sirotkin"),
];

/// Tracks.
pub const TRACKS: &[(i8, &str)] = &[
    (0, "Melbourne"),
    (1, "Paul Ricard"),
    (2, "Shanghai"),
    (3, "Sakhir"),
    (4, "Catalunya"),
    (5, "Monaco"),
    (6, "Montreal"),
    (7, "Silverstone"),
    (8, "Hockenheim"),
    (9, "Hungaroring"),
    (10, "Spa"),
    (11, "Monza"),
    (12, "Singapore"),
    (13, "Suzuka"),
    (14, "Abu Dhabi"),
    (15, "Texas"),
    (16, "Brazil"),
    (17, "Austria"),
    (18, "Sochi"),
    (19, "Mexico"),
    (20, "Baku"),
    (21, "Sakhir short"),
    (22, "Silverstone short"),
    (23, "Texas short"),
    (24, "Suzuka short"),
];

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
];

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
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_hold_what_the_description_counts() {
        assert_eq!(NATIONALITIES.len(), 86);
        assert_eq!(TRACKS.len(), 25);
        assert_eq!(name(TRACKS, 11), Some("Monza"));
        assert_eq!(name(NATIONALITIES, 78), Some("Spanish"));
        assert_eq!(name(TEAMS, 40), Some("Lotus 1978"));
        assert_eq!(name(DRIVERS, 61), Some("Sergey Sirotkin"));
        assert_eq!(name(TEAMS, 99), None);
    }
}
