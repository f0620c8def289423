//! The columns of the list of rigs, and what they sort and find.

use std::cmp::{Ordering, Reverse};

use trailbrake_shared::session::Gap;
use trailbrake_shared::time::LapTime;
use trailbrake_shared::wire::{Behind, RigState, TeamRig};

use crate::text::figures::{self, lap_time};
use crate::ui::Search;

/// A column.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Column {
    #[default]
    Name,
    State,
    Driver,
    Game,
    Track,
    Lap,
    Last,
    Best,
    Gap,
    Help,
}

/// How the list is sorted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Order {
    pub(super) column: Column,
    pub(super) descending: bool,
}

impl Column {
    pub(super) const ALL: [Self; 10] = [
        Self::Name,
        Self::State,
        Self::Driver,
        Self::Game,
        Self::Track,
        Self::Lap,
        Self::Last,
        Self::Best,
        Self::Gap,
        Self::Help,
    ];

    pub(super) fn label(self) -> &'static str {
        match self {
            Self::Name => "Rig",
            Self::State => "State",
            Self::Driver => "Driver",
            Self::Game => "Game",
            Self::Track => "Track",
            Self::Lap => "Lap",
            Self::Last => "Last",
            Self::Best => "Best",
            Self::Gap => "Gap",
            Self::Help => "Needs help",
        }
    }

    /// The column's id in the page.
    pub(super) fn id(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::State => "state",
            Self::Driver => "driver",
            Self::Game => "game",
            Self::Track => "track",
            Self::Lap => "lap",
            Self::Last => "last",
            Self::Best => "best",
            Self::Gap => "gap",
            Self::Help => "help",
        }
    }

    /// What the column says of a rig; empty where there is nothing to say.
    pub(super) fn words(self, rig: &TeamRig) -> String {
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        let time = |time: Option<LapTime>| time.map(|time| lap_time(Some(time))).unwrap_or_default();
        match self {
            Self::Name => rig.name.clone(),
            Self::State => state_words(rig).to_owned(),
            Self::Driver => text(&rig.drive.driver),
            Self::Game => text(&rig.drive.game),
            Self::Track => text(&rig.drive.track),
            Self::Lap => rig.drive.lap.map(|lap| lap.to_string()).unwrap_or_default(),
            Self::Last => time(rig.drive.last),
            Self::Best => time(rig.drive.best),
            Self::Gap => gap_words(rig),
            Self::Help => text(&rig.help),
        }
    }

    fn compare(self, one: &TeamRig, other: &TeamRig) -> Ordering {
        // What is missing comes last.
        fn known<T: Ord>(one: Option<T>, other: Option<T>) -> Ordering {
            (one.is_none(), one).cmp(&(other.is_none(), other))
        }
        let words = |rig: &TeamRig| Some(self.words(rig)).filter(|words| !words.is_empty());
        match self {
            Self::State => (one.state, one.records).cmp(&(other.state, other.records)).reverse(),
            Self::Lap => known(one.drive.lap.map(Reverse), other.drive.lap.map(Reverse)),
            Self::Last => known(one.drive.last, other.drive.last),
            Self::Best => known(one.drive.best, other.drive.best),
            Self::Gap => known(
                one.gap.map(|gap| (one.drive.session, gap)),
                other.gap.map(|gap| (other.drive.session, gap)),
            ),
            Self::Name | Self::Driver | Self::Game | Self::Track | Self::Help => {
                known(words(one), words(other))
            }
        }
    }
}

impl Order {
    /// The order after a click on a column's head.
    pub(super) fn by(self, column: Column) -> Self {
        Self { column, descending: self.column == column && !self.descending }
    }
}

/// What a rig does, in a word or two.
pub(super) fn state_words(rig: &TeamRig) -> &'static str {
    match (rig.state, rig.records) {
        (RigState::Offline, _) => "Offline",
        (RigState::Behind, _) => "Behind",
        (RigState::Online, true) => "Recording",
        (RigState::Online, false) => "Online",
    }
}

/// A rig's position, and how far it is behind the first rig of its lobby.
fn gap_words(rig: &TeamRig) -> String {
    let Some((position, gap)) = rig.drive.position.zip(rig.gap) else { return String::new() };
    let gap = match gap {
        Behind::Millis(0) => return format!("P{position}"),
        Behind::Millis(millis) => Gap::Seconds((f64::from(millis) / 1e3) as f32),
        Behind::Laps(laps) => Gap::Laps(laps),
    };
    format!("P{position} {}", figures::gap(gap))
}

/// The rigs that match every word of a search, sorted.
pub(super) fn found(rigs: &[TeamRig], words: &str, order: Order) -> Vec<TeamRig> {
    let search = Search::new(words);
    let all = |rig: &TeamRig| Column::ALL.map(|column| column.words(rig)).join(" ");
    let mut found: Vec<TeamRig> = rigs.iter().filter(|rig| search.finds(&all(rig))).cloned().collect();
    found.sort_by(|one, other| {
        let compared = order.column.compare(one, other);
        let compared = if order.descending { compared.reverse() } else { compared };
        compared.then_with(|| one.name.cmp(&other.name))
    });
    found
}

#[cfg(test)]
mod tests {
    use trailbrake_shared::wire::RigDrive;

    use super::*;

    fn rig(name: &str, state: RigState, best: Option<u32>, track: &str) -> TeamRig {
        let track = Some(track.to_owned()).filter(|track| !track.is_empty());
        let drive = RigDrive { best: best.map(LapTime), track, ..RigDrive::default() };
        TeamRig { name: name.to_owned(), state, drive, ..TeamRig::default() }
    }

    fn names(rigs: &[TeamRig]) -> Vec<&str> {
        rigs.iter().map(|rig| rig.name.as_str()).collect()
    }

    fn team() -> Vec<TeamRig> {
        vec![
            rig("cleo", RigState::Online, Some(81_000), "Spa-Francorchamps"),
            rig("anna", RigState::Offline, None, ""),
            rig("bob", RigState::Behind, Some(80_000), "São Paulo"),
        ]
    }

    #[test]
    fn columns_sort_both_ways_and_what_is_missing_comes_last() {
        let sorted = |column, descending| {
            found(&team(), "", Order { column, descending })
                .iter()
                .map(|rig| rig.name.clone())
                .collect::<Vec<_>>()
        };
        assert_eq!(sorted(Column::Name, false), ["anna", "bob", "cleo"]);
        assert_eq!(sorted(Column::Name, true), ["cleo", "bob", "anna"]);
        assert_eq!(sorted(Column::Best, false), ["bob", "cleo", "anna"]);
        assert_eq!(sorted(Column::State, false), ["cleo", "bob", "anna"]);
        assert_eq!(sorted(Column::Track, false), ["cleo", "bob", "anna"]);
        let order = Order::default().by(Column::Best);
        assert_eq!((order.descending, order.by(Column::Best).descending), (false, true));
    }

    #[test]
    fn words_find_rigs_by_anything_in_their_row() {
        let find = |words: &str| found(&team(), words, Order::default());
        assert_eq!(names(&find("spa")), ["cleo"]);
        assert_eq!(names(&find("sao paulo behind")), ["bob"]);
        assert_eq!(names(&find("offline")), ["anna"]);
        assert!(find("monza").is_empty());
    }

    #[test]
    fn gaps_are_written_with_positions_and_sort_by_lobby() {
        let rig = |name: &str, session: u64, position: u8, gap: Option<Behind>| TeamRig {
            gap,
            drive: RigDrive { session: Some(session), position: Some(position), ..RigDrive::default() },
            ..rig(name, RigState::Online, None, "")
        };
        let rigs = [
            rig("alone", 3, 1, None),
            rig("lapped", 1, 12, Some(Behind::Laps(2))),
            rig("other", 2, 1, Some(Behind::Millis(0))),
            rig("close", 1, 5, Some(Behind::Millis(5_500))),
        ];
        let sorted = found(&rigs, "", Order { column: Column::Gap, descending: false });
        assert_eq!(names(&sorted), ["close", "lapped", "other", "alone"]);
        assert_eq!(sorted.iter().map(gap_words).collect::<Vec<_>>(), ["P5 +5.500", "P12 +2 laps", "P1", ""]);
    }

    #[test]
    fn five_hundred_rigs_are_sorted() {
        let rigs: Vec<TeamRig> = (0..500)
            .map(|n| rig(&format!("rig-{n:03}"), RigState::Online, Some(80_000 + (n * 7919) % 1000), ""))
            .collect();
        let sorted = found(&rigs, "", Order { column: Column::Best, descending: false });
        assert!(sorted.len() == 500 && sorted.is_sorted_by_key(|rig| rig.drive.best));
    }
}
