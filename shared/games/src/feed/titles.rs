//! Games by the names that drivers know, and how the laps of each come to Trailbrake.

use super::Feed;

/// A game, and what works with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameTitle {
    /// Its name.
    pub name: &'static str,
    /// What else drivers call it, for a search.
    pub also: &'static str,
    /// The feeds by which it sends its laps.
    pub feeds: &'static [Feed],
    /// What a driver can do if it has none, in a sentence.
    pub advice: &'static str,
}

const RECOGNISED: &str = "Its packets are recognised, but not read yet.";
const SHARED_MEMORY: &str =
    "It sends nothing over the network. Open laps that another program saved as a MoTeC log or CSV.";
const IRACING: &str =
    "Open its .ibt files (Alt+L in the car records one) or laps that Garage 61 exported as CSV.";
const COMPETIZIONE: &str = "Its packets are recognised, but not read yet. Open the MoTeC logs that it saves.";
const OLDER_F1: &str = "Its packets are recognised, but not read. Trailbrake reads F1 2018 and newer.";

const ASSETTO_CORSA: &[Feed] = &[Feed::AcRemote, Feed::AcTelemetryTool, Feed::AcLua, Feed::AcServer];

const fn sending(name: &'static str, also: &'static str, feeds: &'static [Feed]) -> GameTitle {
    GameTitle { name, also, feeds, advice: "" }
}

const fn other(name: &'static str, also: &'static str, advice: &'static str) -> GameTitle {
    GameTitle { name, also, feeds: &[], advice }
}

/// Every game that Trailbrake knows, by name.
pub static GAME_TITLES: &[GameTitle] = &[
    sending("Assetto Corsa", "ac content manager csp", ASSETTO_CORSA),
    other("Assetto Corsa Competizione", "acc", COMPETIZIONE),
    other("Assetto Corsa EVO", "ac evo", SHARED_MEMORY),
    other("Assetto Corsa Rally", "acr", SHARED_MEMORY),
    other("Automobilista 2", "ams2", RECOGNISED),
    other("BeamNG.drive", "beam ng", RECOGNISED),
    sending("DiRT Rally", "dirt rally 1", &[Feed::DirtRally]),
    sending("DiRT Rally 2.0", "dr2", &[Feed::DirtRally]),
    sending("EA SPORTS WRC", "ea wrc 23", &[Feed::EaWrc]),
    other("F1 2016", "", OLDER_F1),
    other("F1 2017", "", OLDER_F1),
    sending("F1 2018", "", &[Feed::F1]),
    sending("F1 2019", "", &[Feed::F1]),
    sending("F1 2020", "", &[Feed::F1]),
    sending("F1 2021", "", &[Feed::F1]),
    sending("F1 22", "f122 f1 2022", &[Feed::F1]),
    sending("F1 23", "f123 f1 2023", &[Feed::F1]),
    sending("F1 24", "f124 f1 2024", &[Feed::F1]),
    sending("F1 25", "f125 f1 2025 2026", &[Feed::F1]),
    sending("Forza Horizon 4", "fh4", &[Feed::Forza]),
    sending("Forza Horizon 5", "fh5", &[Feed::Forza]),
    sending("Forza Horizon 6", "fh6", &[Feed::Forza]),
    sending("Forza Motorsport", "fm 2023 fm8", &[Feed::Forza]),
    sending("Forza Motorsport 7", "fm7", &[Feed::Forza]),
    sending("Gran Turismo 6", "gt6", &[Feed::GranTurismo]),
    sending("Gran Turismo 7", "gt7", &[Feed::GranTurismo]),
    sending("Gran Turismo Sport", "gts gt sport", &[Feed::GranTurismo]),
    other("iRacing", "ir garage 61", IRACING),
    other("Le Mans Ultimate", "lmu", SHARED_MEMORY),
    other("Live for Speed", "lfs", RECOGNISED),
    other("Project CARS", "pcars 1", RECOGNISED),
    other("Project CARS 2", "pcars2", RECOGNISED),
    other("RaceRoom", "r3e raceroom racing experience", SHARED_MEMORY),
    other("rFactor 2", "rf2", SHARED_MEMORY),
    other("WRC Generations", "", RECOGNISED),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::{FEEDS, FeedInfo};
    use super::*;

    #[test]
    fn names_are_sorted_and_differ() {
        let names: Vec<String> = GAME_TITLES.iter().map(|title| title.name.to_lowercase()).collect();
        assert!(names.is_sorted() && names.len() == names.iter().collect::<BTreeSet<_>>().len(), "{names:?}");
    }

    #[test]
    fn every_feed_that_sends_belongs_to_a_game() {
        let named: BTreeSet<Feed> = GAME_TITLES.iter().flat_map(|title| title.feeds).copied().collect();
        let sending = FEEDS.iter().filter(|row| row.networked).map(|row: &FeedInfo| row.feed);
        assert_eq!(named, sending.collect());
    }

    #[test]
    fn a_game_has_feeds_or_advice() {
        for title in GAME_TITLES {
            assert_ne!(title.feeds.is_empty(), title.advice.is_empty(), "{}", title.name);
        }
    }
}
