//! EA SPORTS WRC's packets, with marks and without. Noise alone would seldom be recognised.

use trailbrake_shared::games::ea_wrc::{Decoder, SessionMark, describe};

use super::datagram::PlainPackets;

/// The lengths of the structures, two of them with a mark, and one that is none.
const LENGTHS: [usize; 4] = [275, 252, 237, 100];
/// The length of the structure without a mark.
const DEFAULT: usize = 237;

/// Packets of one game.
pub fn ea_wrc(bytes: &[u8]) {
    let packets = PlainPackets { lengths: &LENGTHS, step_us: 8_000, make_believable, describe };
    packets.decode(&mut Decoder::default(), bytes);
}

/// Writes the values that the recogniser checks, and changes nothing else.
fn make_believable(datagram: &mut [u8]) {
    if datagram.len() != DEFAULT {
        return mark(datagram);
    }
    let number = f32::to_le_bytes;
    // The direction ahead, and the engine.
    for (place, bytes) in [(97, number(0.0)), (101, number(0.0)), (105, number(1.0)), (185, number(8500.0))] {
        if let Some(room) = datagram.get_mut(place..place + 4) {
            room.copy_from_slice(&bytes);
        }
    }
}

/// Gives a packet the mark that its first byte chooses.
fn mark(datagram: &mut [u8]) {
    let chosen = datagram.first().map_or(0, |first| usize::from(*first) % SessionMark::ALL.len());
    if let (Some(room), Some(mark)) =
        (datagram.first_chunk_mut::<{ SessionMark::SIZE }>(), SessionMark::ALL.get(chosen))
    {
        *room = mark.bytes();
    }
}
