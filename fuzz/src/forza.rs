//! Forza's packets. They have no header, and noise alone would seldom be recognised.

use trailbrake_shared::games::forza::{Decoder, describe};

use super::datagram::PlainPackets;

/// The lengths of the forms, and one that is none.
const LENGTHS: [usize; 6] = [232, 311, 323, 324, 331, 310];

/// Packets of one game.
pub fn forza(bytes: &[u8]) {
    let packets = PlainPackets { lengths: &LENGTHS, step_us: 8_000, make_believable, describe };
    packets.decode(&mut Decoder::default(), bytes);
}

/// Writes the values that the recogniser checks, and changes nothing else.
fn make_believable(datagram: &mut [u8]) {
    for (place, number) in
        [(0, 1_i32.to_le_bytes()), (8, 7000.0_f32.to_le_bytes()), (56, 1.0_f32.to_le_bytes())]
    {
        if let Some(room) = datagram.get_mut(place..place + 4) {
            room.copy_from_slice(&number);
        }
    }
}
