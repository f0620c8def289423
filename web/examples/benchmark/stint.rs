//! A stint compared with its fastest lap, for `tests/benches/stint.rs`.

use std::net::SocketAddr;

use trailbrake_shared::analysis::{Combo, ComparedLap, LapColumns, OwnLine, PlacedLaps, TrackBook};
use trailbrake_shared::feed::Feed;
use trailbrake_shared::laps::Lap;
use trailbrake_shared::session::Receiver;
use trailbrake_shared::sim::{Demo, Options};
use trailbrake_shared::time::Micros;
use trailbrake_shared::wire::Datagram;
use wasm_bindgen::prelude::wasm_bindgen;

/// When the stint begins.
const BEGAN: Micros = Micros(1_795_000_000_000_000);

/// A simulated stint of F1.
#[wasm_bindgen]
pub struct SimulatedStint(Receiver);

#[wasm_bindgen]
impl SimulatedStint {
    /// Drives so many seconds. Nothing if there is no such demo.
    pub fn simulate(seconds: f64) -> Option<Self> {
        let options = Options { seed: 11, cars: 1, player: 0, ..Options::default() };
        let mut receiver = Receiver::default();
        let sender = SocketAddr::from(([127, 0, 0, 1], 50_000));
        Demo::new(Feed::F1, options, BEGAN)?.drive(seconds, &mut |at, bytes| {
            let datagram = Datagram { at, sender, port: 20_777, feed: Some(Feed::F1), bytes };
            let _ = receiver.receive(&datagram);
        });
        Some(Self(receiver))
    }

    /// Places each lap on one line with the fastest one. How many could be placed.
    pub fn place(&self) -> usize {
        self.each(|_| Some(())).len()
    }

    /// Places each lap and compares it with the fastest one. How many have a ledger.
    pub fn compare(&self) -> usize {
        self.each(|placed| placed.compare().ledger.loss_s()).len()
    }
}

impl SimulatedStint {
    /// Something of each lap, placed with the fastest one.
    fn each<T>(&self, of: impl Fn(PlacedLaps<'_>) -> Option<T>) -> Vec<T> {
        let laps = self.laps();
        let fastest = laps.iter().min_by_key(|(lap, _)| lap.time);
        let Some((fastest, best)) = fastest else { return Vec::new() };
        let (combo, own_line, book) = (Combo::default(), OwnLine::default(), TrackBook::default());
        let compared = |lap, columns| ComparedLap { lap, columns, combo: &combo, own_line: &own_line };
        let placed = laps.iter().filter_map(|(lap, columns)| {
            PlacedLaps::of(&compared(lap, columns), &compared(fastest, best), &book, false).ok()
        });
        placed.filter_map(of).collect()
    }

    fn laps(&self) -> Vec<(&Lap, LapColumns<'_>)> {
        let car = self.0.session().and_then(|session| session.cars().next());
        let Some((_, car)) = car else { return Vec::new() };
        let timed = car.laps.finished().iter().filter(|lap| lap.time.is_some());
        timed.filter_map(|lap| Some((lap, LapColumns::new(lap, car.traces.lap(lap.serial)?)))).collect()
    }
}
