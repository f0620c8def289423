//! Single packets with another official time than the ones around them.

use trailbrake_shared::feed::Feed;
use trailbrake_shared::games::gran_turismo::DecipheredPacket;
use trailbrake_shared::laps::Lap;

use super::{PRACTICE, Packets, Stream, laps};

/// The offset of the last lap time in Gran Turismo's packets.
const GRAN_TURISMO_AT: usize = 0x7C;
/// The same for DiRT Rally: its channel 62.
const DIRT_RALLY_AT: usize = 62 * 4;

/// The packet with another last lap time, in milliseconds; `None` if it has none.
fn with_time(feed: Feed, bytes: &[u8], right_ms: u32, wrong_ms: u32) -> Option<Vec<u8>> {
    let seconds = |millis: u32| ((f64::from(millis) / 1e3) as f32).to_le_bytes();
    let wrong = match feed {
        Feed::GranTurismo => {
            put(DecipheredPacket::read(bytes).ok()?.bytes(), GRAN_TURISMO_AT, wrong_ms.to_le_bytes())
        }
        Feed::DirtRally => put(bytes, DIRT_RALLY_AT, seconds(wrong_ms)),
        _ => find(bytes, right_ms.to_le_bytes())
            .and_then(|at| put(bytes, at, wrong_ms.to_le_bytes()))
            .or_else(|| find(bytes, seconds(right_ms)).and_then(|at| put(bytes, at, seconds(wrong_ms)))),
    };
    wrong.filter(|wrong| wrong != bytes)
}

fn put(bytes: &[u8], at: usize, value: [u8; 4]) -> Option<Vec<u8>> {
    let mut bytes = bytes.to_vec();
    bytes.get_mut(at..at + 4)?.copy_from_slice(&value);
    Some(bytes)
}

fn find(bytes: &[u8], value: [u8; 4]) -> Option<usize> {
    bytes.windows(4).position(|window| window == value)
}

/// The packets with one changed: the first from `from_s` on that has a last lap time.
fn with_one(feed: Feed, packets: &Packets, from_s: f64, right_ms: u32, wrong_ms: u32) -> Packets {
    let mut packets = packets.clone();
    let began = packets[0].0;
    let later = packets.iter_mut().filter(|(at, _)| at.seconds_since(began) >= from_s);
    let wrong =
        later.filter_map(|(_, bytes)| Some((with_time(feed, bytes, right_ms, wrong_ms)?, bytes))).next();
    let (wrong, bytes) = wrong.expect("a packet with the time of the lap before");
    *bytes = wrong;
    packets
}

#[test]
fn one_packet_with_another_official_time_changes_no_lap_of_any_feed() {
    // The server sends a lap's time once, and the Lua app none. Unencrypted packets of the older games are taken for
    // newer ones.
    let sends = |Stream { name, feed, .. }: &&Stream| {
        !matches!(feed, Feed::AcServer | Feed::AcLua) && !["Sport", "Gt6"].contains(&name.as_str())
    };
    let mut fed = 0;
    for stream in PRACTICE.iter().filter(sends) {
        let (Stream { name, feed, packets, .. }, expected) = (stream, stream.whole());
        let first_ms = expected[0].time.expect("a time").0;
        let (from_s, to_s) = stream.second_lap().unwrap_or((0.0, stream.ends()[0]));
        for at_s in [from_s + 40.0, to_s - 0.05] {
            let clock_ms = ((at_s - from_s) * 1e3) as u32;
            // The current lap's clock, an arbitrary time, and the largest.
            for wrong_ms in [clock_ms, 61_000, i32::MAX.unsigned_abs()] {
                let stale = with_one(*feed, packets, at_s, first_ms, wrong_ms);
                let found = laps(*feed, &stale, |_| true);
                let table = |laps: &[Lap]| -> Vec<_> {
                    laps.iter().map(|lap| (lap.number, lap.time, lap.flags, lap.sectors)).collect()
                };
                assert_eq!(table(&found), table(expected), "{name}: {wrong_ms} ms at {at_s} s");
                fed += 1;
            }
        }
    }
    assert_eq!(
        fed,
        10 * 6,
        "F1, four sizes of Gran Turismo, Forza, two of Assetto Corsa's feeds, and two of rallies"
    );
}
