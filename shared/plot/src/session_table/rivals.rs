//! The laps that a time trial is driven against.

use trailbrake_model::time::LapTime;
use trailbrake_model::{Rival, RivalLap};

use super::reports::words;
use crate::panel::{Cell, Table};

const HEADS: [&str; 7] = ["Lap", "Time", "S1", "S2", "S3", "Team", "Driven with"];
/// What a lap was driven with, in the order of the game's packet.
const AIDS: [&str; 5] = ["traction control", "automatic gears", "ABS", "equal cars", "own setup"];

/// The laps, as the game orders them.
pub(super) fn table(title: &str, rivals: &[RivalLap]) -> Table {
    let mut table = Table::new(title, &HEADS);
    for lap in rivals {
        let whose = match lap.whose {
            Rival::SessionBest => "Best of this session",
            Rival::PersonalBest => "Your best ever",
            Rival::Other => "Rival",
        };
        let whose = if lap.valid { whose.to_owned() } else { format!("{whose} (invalid)") };
        let time = |time: Option<LapTime>| words(time.map(|time| time.to_string()).as_deref());
        let aids = AIDS.iter().zip(lap.aids).filter(|(_, on)| *on).map(|(aid, _)| *aid);
        let aids = aids.collect::<Vec<_>>().join(", ");
        let aids = if aids.is_empty() { "no aids".to_owned() } else { aids };
        let mut cells = vec![time(lap.time)];
        cells.extend(lap.sectors.map(time));
        cells.extend([words(lap.team.name.as_deref()), Cell::Words(aids)]);
        table.row(&whose, cells);
    }
    table
}
