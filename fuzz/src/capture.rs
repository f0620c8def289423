//! Captures written by other programs.
#![expect(clippy::expect_used, reason = "bringing the program down is how a target reports what it found")]

use trailbrake_shared::capture::{Damage, Packet, Reader, Step};

/// A capture, read at once and in pieces. Both must give the same result.
pub fn capture(bytes: &[u8]) {
    let at_once = read(bytes, bytes.len().max(1));
    let in_strides = read(bytes, bytes.len() % 61 + 1);
    assert!(at_once == in_strides, "a file says something else when it is handed over in pieces");
}

/// A capture's packets, and how it ends.
fn read(bytes: &[u8], stride: usize) -> Option<(Vec<Packet>, String, Result<(), Damage>)> {
    let mut reader = Reader::open(bytes)?;
    let (mut begin, mut end, mut found) = (0, 0, Vec::new());
    let result = loop {
        let ahead = bytes.get(begin..end).expect("no more is done with than was there");
        match reader.step(ahead, &mut found) {
            Ok(Step::Done(done)) => {
                assert!(done > 0, "every step gets on");
                begin += done;
            }
            Ok(Step::More(wanted)) => {
                assert!(wanted > ahead.len(), "no more is asked for than is missing");
                if end == bytes.len() {
                    break reader.finish(ahead, &mut found);
                }
                end = bytes.len().min(end + stride);
            }
            Err(damage) => break Err(damage),
        }
    };
    Some((found, reader.left_out().to_string(), result))
}
