//! What a session takes of the page's memory, counted to the byte. A program of its own, since it counts every
//! allocation.
#![forbid(unsafe_code)]
#![allow(clippy::expect_used, clippy::panic, reason = "a test says what it expects by panicking")]

use std::alloc::System;

use cap::Cap;
use trailbrake_shared::feed::Feed;
use trailbrake_shared::session::{Receiver, Retention};
use trailbrake_shared::sim::{Demo, Options};
use trailbrake_shared::time::Micros;
use trailbrake_shared::wire::Datagram;

#[global_allocator]
static HEAP: Cap<System> = Cap::new(System, usize::MAX);

/// How long each half of the session lasts, seconds.
const HALF_S: u32 = 900;
/// Bytes that are kept of the player's laps: a quarter of the usual, for a quarter of the time.
const PLAYER_BYTES: usize = 16 << 20;
/// What a session may take, columns, tables and log together: twice what is kept of the player's laps.
const MOST: usize = 2 * PLAYER_BYTES;
/// What the second half may add: rows of the lap table, and at its end the laps under way may be longer.
const MOST_MORE: usize = 4 << 20;

/// A page that has received everything so far.
struct Page(Receiver);

impl Page {
    fn open() -> Self {
        Self(Receiver::new(Retention { player_bytes: PLAYER_BYTES, ..Retention::default() }))
    }

    /// Closes it. Returns the laps of all cars that it knew, and the bytes that it took.
    fn close(self) -> (usize, usize) {
        let session = self.0.session().expect("a session");
        let laps = session.cars().map(|(_, car)| car.laps.finished().len()).sum();
        let before = HEAP.allocated();
        drop(self);
        (laps, before - HEAP.allocated())
    }
}

#[test]
fn the_second_half_of_a_race_of_twenty_cars_takes_no_more_memory_than_the_first() {
    let options = Options { seed: 5, duration_s: 2_000, keep_truth: false, ..Options::default() };
    let mut demo = Demo::new(Feed::F1, options, Micros(0)).expect("a demo");
    let (mut first, mut both) = (Some(Page::open()), Page::open());
    let mut after_first = None;
    for second in 1..=2 * HALF_S {
        demo.advance(Micros(0).plus_seconds(second.into()), &mut |at, bytes| {
            let sender = ([127, 0, 0, 1], 5000).into();
            let datagram = Datagram { at, sender, port: 20777, feed: Some(Feed::F1), bytes };
            for page in first.iter_mut().chain([&mut both]) {
                page.0.receive(&datagram).expect("a packet");
            }
        });
        if second == HALF_S {
            after_first = first.take().map(Page::close);
        }
    }
    let (laps, bytes) = after_first.expect("the first half");
    let (all_laps, all_bytes) = both.close();
    println!("{laps} laps in {bytes} bytes after the first half, {all_laps} in {all_bytes} after both");
    assert!(all_laps > laps * 3 / 2, "{laps} laps, then {all_laps}");
    assert!(all_bytes <= bytes + MOST_MORE, "{bytes} bytes, then {all_bytes}");
    assert!(all_bytes <= MOST, "{all_bytes} bytes");
}
