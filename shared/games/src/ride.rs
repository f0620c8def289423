//! Detects jumps and impacts of rally cars from the motion, since no packet reports them.

use trailbrake_model::units::MPS2_PER_G;
use trailbrake_model::{Car, Event, EventKind, Moment, Sink};

/// Packets further apart than this, in seconds, are not compared.
const TOGETHER_S: f64 = 0.2;
/// Free fall is at least this much downward acceleration, in g.
const FALLING_G: f32 = 0.75;
/// In the air, every spring is extended beyond this, in metres.
const HANGING_M: f32 = -0.04;
/// A shorter flight, in seconds, is a bump.
const FLIGHT_S: f64 = 0.2;
/// No tyre generates this much horizontal acceleration, in g.
const HIT_G: f32 = 6.0;
/// Impacts within this many seconds of each other are one impact.
const HIT_OVER_S: f64 = 0.3;
/// A car that moves this many metres further than its speed allows was repositioned.
const PUT_THERE_M: f32 = 1.0;

/// Compares the motion of successive packets.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Ride {
    last: Option<RidePoint>,
    /// The last point on the ground and the last point in the air.
    air: Option<(RidePoint, RidePoint)>,
    /// The time of the last impact, in seconds of the event's clock.
    hit: Option<f64>,
}

/// The motion of a car at one moment.
#[derive(Clone, Copy, Debug)]
pub(super) struct RidePoint {
    /// Seconds on the game's clock.
    pub(super) seconds: f64,
    /// Metres, in the world.
    pub(super) position: [f32; 3],
    /// Metres per second, in the world.
    pub(super) velocity: [f32; 3],
    /// How far each spring is compressed, in metres; extended ones are negative.
    pub(super) springs_m: [f32; 4],
}

impl Ride {
    /// Processes the next packet of a car on its stage.
    pub(super) fn follow(&mut self, now: RidePoint, car: Car, moment: Moment, sink: &mut dyn Sink) {
        let last = self.last.replace(now);
        let Some(last) = last.filter(|last| last.leads_to(&now)) else {
            self.air = None;
            return;
        };
        let seconds = (now.seconds - last.seconds) as f32;
        let [x, y, z] = [0, 1, 2].map(|axis: usize| {
            let at = |point: &RidePoint| point.velocity.get(axis).copied().unwrap_or_default();
            (at(&now) - at(&last)) / seconds / MPS2_PER_G
        });
        let hangs = now.springs_m.iter().all(|&spring| spring < HANGING_M);
        if hangs && y < -FALLING_G {
            let (from, _) = self.air.unwrap_or((last, now));
            self.air = Some((from, now));
        } else if let Some((from, until)) = self.air.take() {
            land(&from, &until, car, moment, sink);
        }
        self.feel(x.hypot(z), now.seconds, car, moment, sink);
    }

    fn feel(&mut self, g: f32, seconds: f64, car: Car, moment: Moment, sink: &mut dyn Sink) {
        if g < HIT_G {
            return;
        }
        let again = self.hit.is_some_and(|hit| (0.0..HIT_OVER_S).contains(&(seconds - hit)));
        self.hit = Some(seconds);
        if !again {
            let kind = EventKind::Hit { milli_g: (g * 1e3).round() as u32 };
            sink.event(Event { moment, car: Some(car), kind });
        }
    }
}

impl RidePoint {
    /// Whether the car drove from this point to `now`, in a time short enough to compare them.
    fn leads_to(&self, now: &Self) -> bool {
        let seconds = now.seconds - self.seconds;
        let length = |parts: [f32; 3]| parts.iter().map(|part| part * part).sum::<f32>().sqrt();
        let [x, y, z] = self.position;
        let [a, b, c] = now.position;
        let furthest = length(self.velocity).max(length(now.velocity)) * seconds as f32 + PUT_THERE_M;
        seconds > 0.0 && seconds <= TOGETHER_S && length([a - x, b - y, c - z]) <= furthest
    }
}

fn land(from: &RidePoint, until: &RidePoint, car: Car, moment: Moment, sink: &mut dyn Sink) {
    let seconds = until.seconds - from.seconds;
    if seconds < FLIGHT_S {
        return;
    }
    let ([x, _, z], [a, _, b]) = (from.position, until.position);
    let kind = EventKind::Landed {
        millis: (seconds * 1e3).round() as u32,
        centimetres: ((x - a).hypot(z - b) * 1e2).round() as u32,
    };
    sink.event(Event { moment, car: Some(car), kind });
}
