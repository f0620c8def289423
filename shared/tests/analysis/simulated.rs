//! Laps received from a simulated game, with the simulator's truth.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, OnceLock};

use trailbrake_shared::analysis::LapColumns;
use trailbrake_shared::feed::Feed;
use trailbrake_shared::laps::Lap;
use trailbrake_shared::model::{Axis, Channel, Columns, Moment, Slot};
use trailbrake_shared::session::{Receiver, Retention};
use trailbrake_shared::sim::circuit::{CIRCUITS, Circuit, Plan, invented};
use trailbrake_shared::sim::race;
use trailbrake_shared::sim::random::Random;
use trailbrake_shared::sim::truth::LapTruth;
use trailbrake_shared::sim::{Demo, Options};
use trailbrake_shared::time::Micros;
use trailbrake_shared::wire::Datagram;

use super::driver_actions::DriverAction;

/// How a run is driven and received.
#[derive(Clone, Debug)]
pub(super) struct Simulation {
    pub(super) feed: Feed,
    pub(super) options: Options,
    pub(super) seconds: u32,
    /// Frames per second that the game sends.
    pub(super) hz: u32,
    /// Standard deviation of the noise on positions, in metres.
    pub(super) noise_m: f64,
    /// The fraction of datagrams that are lost.
    pub(super) loses: f64,
}

/// A lap of the player as received, and its truth.
pub(super) struct SimulatedLap {
    pub(super) lap: Lap,
    pub(super) columns: Columns,
    pub(super) known: TrueLap,
}

/// A lap as the simulator knows it.
#[derive(Clone)]
pub(super) struct TrueLap {
    /// The lap time, and metres along the middle of the track, at each frame.
    pub(super) points: Vec<(f64, f64)>,
    /// The state of driver and car at each frame.
    pub(super) did: Vec<DriverAction>,
    pub(super) truth: LapTruth,
}

impl SimulatedLap {
    /// A copy.
    pub(super) fn again(&self) -> Self {
        let Self { lap, columns, known } = self;
        Self { lap: lap.clone(), columns: columns.clone(), known: known.clone() }
    }

    pub(super) fn columns(&self) -> LapColumns<'_> {
        LapColumns::new(&self.lap, &self.columns)
    }

    /// The same lap with only some of its rows, chosen by the lap clock, and only some channels.
    pub(super) fn only(&self, when: impl Fn(f64) -> bool, which: impl Fn(Channel) -> bool) -> Self {
        let mut columns = Columns::default();
        let slots: Vec<Slot> = self.columns.slots().filter(|slot| which(slot.channel())).collect();
        for (row, seconds) in (0..).zip(self.columns.seconds()) {
            if when(seconds - self.lap.began_s) {
                let moment = Moment { at: Micros(0), session_time: Some(*seconds), frame: Some(row as u32) };
                let values = slots.iter().filter_map(|slot| Some((*slot, self.columns.value(*slot, row)?)));
                columns.push(moment, values.collect::<Vec<_>>());
            }
        }
        Self { lap: self.lap.clone(), columns, known: self.known.clone() }
    }
}

impl TrueLap {
    /// When the lap was at a place along the middle of the track.
    pub(super) fn time_at(&self, centre_m: f64) -> f64 {
        let after = self.points.partition_point(|(_, metres)| *metres <= centre_m);
        let after = after.clamp(1, self.points.len() - 1);
        let ((from_s, from), (to_s, to)) = (self.points[after - 1], self.points[after]);
        from_s + (to_s - from_s) * (centre_m - from) / (to - from)
    }

    /// The place along the middle of the track at a time.
    pub(super) fn place_at(&self, seconds: f64) -> f64 {
        let after = self.points.partition_point(|(time, _)| *time <= seconds).clamp(1, self.points.len() - 1);
        let ((from_s, from), (to_s, to)) = (self.points[after - 1], self.points[after]);
        from + (to - from) * (seconds - from_s) / (to_s - from_s)
    }
}

/// The player's timed laps of a run, which is driven once for all tests.
pub(super) fn simulated_once(simulation: &Simulation) -> Arc<Vec<SimulatedLap>> {
    type Run = Arc<OnceLock<Arc<Vec<SimulatedLap>>>>;
    static RUNS: Mutex<BTreeMap<String, Run>> = Mutex::new(BTreeMap::new());
    // All options and their values.
    let name = format!("{simulation:?}");
    let run = RUNS.lock().expect("no panic").entry(name).or_default().clone();
    run.get_or_init(|| Arc::new(simulate(simulation).0)).clone()
}

/// The plan of an invented circuit, which is drawn once for all tests; `None` for one of the catalogue.
pub(super) fn plan_of(circuit: usize, number: u64) -> Option<Plan> {
    static PLANS: Mutex<BTreeMap<u64, Arc<OnceLock<Plan>>>> = Mutex::new(BTreeMap::new());
    if circuit < CIRCUITS.len() {
        return None;
    }
    let plan = PLANS.lock().expect("no panic").entry(number).or_default().clone();
    Some(plan.get_or_init(|| invented(number)).clone())
}

/// Drives and receives a run; returns the player's timed laps, and the circuit.
pub(super) fn simulate(simulation: &Simulation) -> (Vec<SimulatedLap>, Circuit) {
    let ([laps], circuit) = simulate_at(simulation, [simulation.hz]);
    (laps, circuit)
}

/// Drives a run once, and receives it at several rates: the laps at each, and the circuit.
pub(super) fn simulate_at<const N: usize>(
    simulation: &Simulation,
    rates: [u32; N],
) -> ([Vec<SimulatedLap>; N], Circuit) {
    let mut demo = Demo::new(simulation.feed, simulation.options.clone(), Micros(1_000_000)).expect("a demo");
    let player = demo.race().player();
    let mut receptions = rates.map(|hz| Reception::new(simulation, hz));
    let mut driven: BTreeMap<u32, Vec<DriverAction>> = BTreeMap::new();
    for frame in 1..=simulation.seconds * 60 {
        // Until just before the step after the frame.
        demo.drive(f64::from(frame) / 60.0 - 0.001, &mut |at, bytes| {
            receptions.iter_mut().for_each(|reception| reception.receive(simulation, frame, at, bytes));
        });
        let state = race::car_state(demo.race(), player).expect("a car");
        let did = driven.entry(state.lap.number).or_default();
        if did.last().is_none_or(|last| last.metres < state.lap.distance_m) {
            did.push(DriverAction {
                seconds: state.lap.time_s,
                metres: state.lap.distance_m,
                speed_ms: state.motion.speed_ms,
                throttle: state.throttle,
                brake: state.brake,
                gear: i32::from(state.gear),
                deployed_j: state.deployed_j,
            });
        }
    }
    let finished: Vec<&LapTruth> =
        demo.truth().sessions[0].finished.iter().filter(|known| known.car == player).collect();
    let laps = receptions.map(|reception| reception.laps(&finished, &driven, simulation.noise_m));
    (laps, demo.race().circuit.clone())
}

/// What is received of a run at one rate.
struct Reception {
    hz: u32,
    chance: Random,
    receiver: Receiver,
}

impl Reception {
    fn new(simulation: &Simulation, hz: u32) -> Self {
        let retention = Retention { player_bytes: usize::MAX, ..Retention::default() };
        let chance = Random::new(simulation.options.seed ^ 0xD1CE);
        Self { hz, chance, receiver: Receiver::new(retention) }
    }

    fn receive(&mut self, simulation: &Simulation, frame: u32, at: Micros, bytes: &[u8]) {
        let is_sent = frame.is_multiple_of(60 / self.hz);
        if !is_sent || self.chance.unit() < simulation.loses {
            return;
        }
        let sender = SocketAddr::from(([127, 0, 0, 1], 5000));
        let feed = Some(simulation.feed);
        self.receiver.receive(&Datagram { at, sender, port: 20777, feed, bytes }).expect("a packet");
    }

    /// The player's timed laps, with noise on their positions.
    fn laps(
        mut self,
        finished: &[&LapTruth],
        driven: &BTreeMap<u32, Vec<DriverAction>>,
        noise_m: f64,
    ) -> Vec<SimulatedLap> {
        let session = self.receiver.session().expect("a session");
        let car = session.player().or(session.watched()).expect("a player");
        let state = session.car(car).expect("a car");
        let mut laps = Vec::new();
        for lap in state.laps.finished().iter().filter(|lap| lap.time.is_some()) {
            let number = u32::from(lap.number);
            let truth = finished.iter().find(|known| known.number == number);
            let (Some(truth), Some(did), Some(columns)) =
                (truth, driven.get(&number), state.traces.lap(lap.serial))
            else {
                continue;
            };
            let columns = noisy(columns, noise_m, &mut self.chance);
            let points = did.iter().map(|did| (did.seconds, did.metres)).collect();
            let known = TrueLap { points, did: did.clone(), truth: (*truth).clone() };
            laps.push(SimulatedLap { lap: lap.clone(), columns, known });
        }
        laps
    }
}

/// The same columns with noise on their positions.
pub(super) fn noisy(columns: &Columns, noise_m: f64, chance: &mut Random) -> Columns {
    let axes = Axis::ALL.map(|axis| Channel::Position.along(axis));
    changed(columns, |_, slot, value| {
        let noise = if axes.contains(&slot) { noise_m * chance.bell() } else { 0.0 };
        value + noise as f32
    })
}

/// The same columns with every value changed by a function of row, channel and value.
pub(crate) fn changed(columns: &Columns, mut change: impl FnMut(usize, Slot, f32) -> f32) -> Columns {
    let mut new = Columns::default();
    let slots: Vec<Slot> = columns.slots().collect();
    for (row, seconds) in columns.seconds().iter().enumerate() {
        let moment = Moment { at: Micros(0), session_time: Some(*seconds), frame: Some(row as u32) };
        let values =
            slots.iter().filter_map(|slot| Some((*slot, change(row, *slot, columns.value(*slot, row)?))));
        let values: Vec<_> = values.collect();
        new.push(moment, values);
    }
    new
}
