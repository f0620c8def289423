//! The players on the server and their chat.

use trailbrake_games::ac_server::layout::{CarInfo, Connection};

use super::super::driver::ENTRIES;

/// Seconds between two players joining.
const EACH_S: f64 = 0.4;
/// Seconds that a game takes to load.
const LOADS_S: f64 = 1.5;
const MODEL: &str = "tb_formula";

/// Scripted chat: time in seconds, slot, text.
pub(super) const CHATTER: [(f64, usize, &str); 5] = [
    (6.0, 3, "hi all"),
    (14.0, 0, "grüß euch"),
    (45.0, 5, "/help"),
    (75.0, 1, "nice pass!"),
    (120.0, 2, "who has a setup for this?"),
];

/// The state of a slot in the entry list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Seat {
    /// Free.
    Empty,
    /// A player joins at this time of the run, in seconds.
    Comes(f64),
    /// The player's game loads until this time, in seconds.
    Loads(f64),
    /// The player drives.
    Drives,
    /// The player was kicked.
    Kicked,
}

impl Seat {
    /// Slots for `people` players who join one after another, plus two that stay empty.
    pub(super) fn entry_list(people: usize) -> Vec<Self> {
        let comes = (0..people).map(|person| Self::Comes(EACH_S * (person as f64 + 1.0)));
        comes.chain([Self::Empty, Self::Empty]).collect()
    }

    pub(super) fn loads(now_s: f64) -> Self {
        Self::Loads(now_s + LOADS_S)
    }

    pub(super) fn is_connected(self) -> bool {
        matches!(self, Self::Loads(_) | Self::Drives)
    }
}

/// Identifies a slot's driver and car, for messages about joining and leaving.
pub(super) fn connection(slot: usize) -> Connection {
    Connection {
        driver_name: name(slot),
        driver_guid: guid(slot),
        car_id: slot as u8,
        car_model: MODEL.into(),
        car_skin: skin(slot),
    }
}

/// The answer to a request about a slot.
pub(super) fn car_info(slot: usize, seat: Seat) -> CarInfo {
    let somebody = |text: String| if seat.is_connected() { text } else { String::new() };
    CarInfo {
        car_id: slot as u8,
        is_connected: u8::from(seat == Seat::Drives),
        model: MODEL.into(),
        skin: skin(slot),
        driver_name: somebody(name(slot)),
        driver_team: somebody(team(slot)),
        driver_guid: somebody(guid(slot)),
    }
}

fn name(slot: usize) -> String {
    ENTRIES.get(slot).map(|entry| entry.name.to_owned()).unwrap_or_default()
}

fn team(slot: usize) -> String {
    ENTRIES.get(slot).map(|entry| format!("Team {}", u16::from(entry.team) + 1)).unwrap_or_default()
}

fn guid(slot: usize) -> String {
    format!("7656119{:010}", 40_000_000 + slot * 7_919)
}

fn skin(slot: usize) -> String {
    ENTRIES.get(slot).map_or_else(|| "00_plain".to_owned(), |entry| format!("{:02}_colours", entry.number))
}
