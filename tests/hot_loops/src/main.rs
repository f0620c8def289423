//! The loops that driving and comparing spend their time in, one per run, for counting their instructions.
//!
//! Without arguments it prints the loops' names. `make FOLDER` writes what they work on into a folder, and `LOOP FOLDER` runs
//! one of them on that once, within [`measured`].
#![forbid(unsafe_code)]
#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "a tool for measuring: it says what it expects by panicking"
)]

mod inputs;

use std::hint::black_box;
use std::net::SocketAddr;

use trailbrake_shared::analysis::{LapColumns, compare};
use trailbrake_shared::feed::Feed;
use trailbrake_shared::model::Drawing;
use trailbrake_shared::plot::{Domain, Polyline, Pyramid, Scale, Series, View, trace};
use trailbrake_shared::session::Receiver;
use trailbrake_shared::sim::Demo;
use trailbrake_shared::wire::Datagram;

use crate::inputs::{FEED_OF_LAPS, Inputs, Packets};

/// How many samples a line on the screen has.
const SAMPLES: usize = 100_000;

const COMPARE: &str = "two laps compared";
const DRAW: &str = "a line of 100 000 samples drawn";

/// The only function whose instructions are counted.
#[inline(never)]
fn measured(work: &mut dyn FnMut()) {
    work();
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.as_slice() {
        [] => list(),
        [command, folder] if command == "make" => Inputs::new(folder).make(),
        [wanted, folder] => run(wanted, &Inputs::new(folder)),
        _ => panic!("usage: nothing, make FOLDER, or LOOP FOLDER"),
    }
}

fn list() {
    for feed in Demo::feeds() {
        println!("{}: decoded\n{}: into a session", feed.id(), feed.id());
    }
    println!("{COMPARE}\n{DRAW}");
}

fn run(wanted: &str, inputs: &Inputs) {
    match wanted.split_once(": ") {
        None if wanted == COMPARE => compare_laps(inputs),
        None if wanted == DRAW => draw(),
        Some((feed, "decoded")) => decode(inputs, Feed::from_id(feed).expect("a feed")),
        Some((feed, "into a session")) => fill(inputs, Feed::from_id(feed).expect("a feed")),
        _ => panic!("there is no loop {wanted:?}"),
    }
}

fn decode(inputs: &Inputs, feed: Feed) {
    let [before, later] = inputs.race(feed);
    let codec = feed.info().codec.expect("a feed with packets");
    let mut decoder = (codec.decoder)();
    let mut take = |packets: &Packets| {
        for (at, bytes) in packets {
            decoder.receive(*at, bytes, &mut ()).expect("a good packet");
        }
    };
    take(&before);
    measured(&mut || take(black_box(&later)));
}

fn fill(inputs: &Inputs, feed: Feed) {
    let [before, later] = inputs.race(feed);
    let mut receiver = Receiver::default();
    receive_all(&mut receiver, feed, &before);
    measured(&mut || receive_all(&mut receiver, feed, black_box(&later)));
    assert!(receiver.session().is_some(), "{feed:?}");
}

fn receive_all(receiver: &mut Receiver, feed: Feed, packets: &Packets) {
    let sender = SocketAddr::from(([127, 0, 0, 1], 50_000));
    let port = feed.info().ports.first().copied().unwrap_or(50_000);
    for (at, bytes) in packets {
        let _ = receiver.receive(&Datagram { at: *at, sender, port, feed: Some(feed), bytes });
    }
}

fn compare_laps(inputs: &Inputs) {
    let mut receiver = Receiver::default();
    receive_all(&mut receiver, FEED_OF_LAPS, &inputs.laps());
    let session = receiver.session().expect("a session");
    let (_, car) = session.cars().next().expect("a car");
    let laps = car.laps.finished().iter().filter(|lap| lap.time.is_some());
    let mut laps = laps.filter_map(|lap| Some(LapColumns::new(lap, car.traces.lap(lap.serial)?)));
    let (first, second) = laps.next().zip(laps.next()).expect("two laps");
    measured(&mut || {
        compare(black_box(&second), black_box(&first)).expect("a comparison");
    });
}

fn draw() {
    let y: Vec<f32> = (0..SAMPLES).map(|index| (index as f32 * 0.37).sin()).collect();
    let x: Vec<f64> = (0..SAMPLES).map(|index| index as f64 / 60.0).collect();
    let extents = Pyramid::over(&y);
    let view = View {
        x: Scale::new(Domain::new(0.0, SAMPLES as f64 / 60.0), 0.0, 1_600.0),
        y: Scale::new(Domain::new(-1.0, 1.0), 200.0, 0.0),
        bridge: 0.5,
        drawing: Drawing::Line,
    };
    let mut line = Polyline::default();
    measured(&mut || trace(&Series { x: &x, y: &y, extents: &extents }, black_box(&view), &mut line));
    black_box(&line);
}
