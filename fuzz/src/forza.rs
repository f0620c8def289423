//! Forza's packets. They have no header, and noise alone would seldom be recognised.

use trailbrake_shared::games::Decode;
use trailbrake_shared::games::forza::{Decoder, describe};
use trailbrake_shared::time::Micros;

use super::datagram::{Taken, consume};

/// The lengths of the forms, and one that is none.
const LENGTHS: [usize; 6] = [232, 311, 323, 324, 331, 310];

/// More packets of one game reach nothing new, and take time.
const MOST_PACKETS: usize = 64;

/// Packets of one game. Three bytes precede each: its length and whether it is made recognisable, milliseconds since
/// the previous one in units of 8, and the offset of its content.
pub fn forza(bytes: &[u8]) {
    let mut decoder = Decoder::default();
    let (mut rest, mut at, mut packets) = (bytes, 0, 0);
    while packets < MOST_PACKETS
        && let Some(([form, ms, from], following)) = rest.split_first_chunk()
    {
        at += u64::from(*ms) * 8_000;
        let len = LENGTHS.get(usize::from(form >> 1) % LENGTHS.len()).copied().unwrap_or_default();
        let taken = following.len().min(len.saturating_sub(usize::from(*from)));
        let (content, after) = following.split_at(taken);
        let mut datagram = vec![0; len];
        for (to, byte) in datagram.iter_mut().skip(usize::from(*from)).zip(content) {
            *to = *byte;
        }
        if form & 1 == 1 {
            make_believable(&mut datagram);
        }
        consume(decoder.receive(Micros(at), &datagram, &mut Taken));
        consume(describe(&datagram));
        (rest, packets) = (after, packets + 1);
    }
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
