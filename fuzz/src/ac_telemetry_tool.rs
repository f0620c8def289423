//! The Telemetry Tool's packets: records of cars with markers that noise never has.

use trailbrake_shared::games::Decode;
use trailbrake_shared::games::ac_telemetry_tool::layout::{Driver, TELEMETRY, TEST_FLOAT, TEST_INT};
use trailbrake_shared::games::ac_telemetry_tool::{Decoder, datagram_size, describe};
use trailbrake_shared::games::table::ONLY_VERSION;
use trailbrake_shared::time::Micros;

use super::datagram::{Taken, consume};

/// Packets of one plugin. Four bytes precede each: how many of its records get their markers, the time since the
/// previous one in units of 10 ms, and its length, little-endian.
pub fn ac_telemetry_tool(bytes: &[u8]) {
    let mut decoder = Decoder::default();
    let (mut rest, mut at) = (bytes, 0);
    while let Some(([marks, time, len_low, len_high], following)) = rest.split_first_chunk() {
        at += u64::from(*time) * 10_000;
        let len = usize::from(u16::from_le_bytes([*len_low, *len_high])).min(following.len());
        let (content, after) = following.split_at(len);
        let datagram = marked(usize::from(*marks), content);
        consume(decoder.receive(Micros(at), &datagram, &mut Taken));
        consume(describe(&datagram));
        consume(datagram_size(&datagram));
        rest = after;
    }
}

/// The content with markers in the given number of records; with 0 unchanged.
fn marked(records: usize, content: &[u8]) -> Vec<u8> {
    let mut datagram = content.to_vec();
    if let Some((first, rest)) = datagram.split_first_mut()
        && records > 0
    {
        *first = TELEMETRY;
        for record in rest.chunks_exact_mut(Driver::size(ONLY_VERSION)).take(records) {
            let driver = Driver::of_bytes(record, ONLY_VERSION);
            let marked = Driver { test_float: TEST_FLOAT, test_int: TEST_INT, ..driver };
            record.copy_from_slice(&marked.bytes(ONLY_VERSION));
        }
    }
    datagram
}
