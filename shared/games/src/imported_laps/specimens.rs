//! Packets for tests.

use trailbrake_model::time::LapTime;
use trailbrake_model::{Channel, Slot};

use super::write::{Heading, LapSummary, Stamp, channels, head, lap, values};

fn stamp(number: u16, time_us: u64) -> Stamp {
    Stamp { session: 77, car: 3, run: 0, lap: number, time_us }
}

const HEADING: Heading<'static> = Heading {
    program: "MoTeC .ld",
    game: "Assetto Corsa Competizione",
    driver: "Ada Lovelace",
    vehicle: "Porsche 992 GT3 R",
    track: "Spa",
    occasion: "Practice 2",
    player: true,
};

/// Every kind of packet, with every possible number of values.
pub(crate) fn packets() -> Vec<(String, Vec<u8>)> {
    let slots: Vec<Slot> = (0..Slot::COUNT).filter_map(Slot::from_index).collect();
    let summary = LapSummary { began_us: 5_000_000, time: Some(LapTime(90_125)), ..LapSummary::default() };
    let mut all = vec![
        ("head".to_owned(), head(stamp(1, 5_000_000), &HEADING)),
        ("lap".to_owned(), lap(stamp(1, 5_000_000), &summary)),
        ("one channel".to_owned(), channels(stamp(1, 0), &[Channel::Speed.slot()]).concat()),
    ];
    all.extend(channels(stamp(1, 0), &slots).into_iter().map(|packet| ("channels".to_owned(), packet)));
    for count in 0..slots.len() {
        let numbers = (0..count).map(|nth| Some(nth as f32 / 10.0));
        all.push((format!("{count} values"), values(stamp(1, 5_016_667), numbers)));
        all.push((format!("{count} zeros"), values(stamp(0, 0), (0..count).map(|_| Some(0.0)))));
    }
    all
}
