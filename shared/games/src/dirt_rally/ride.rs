//! Detects jumps and impacts from the motion, since no packet reports them.

use trailbrake_model::units::MPS2_PER_G;
use trailbrake_model::{Event, EventKind, Moment, Sink};

use super::layout::Channels;
use super::stage::DRIVER;

/// Packets further apart than this, in seconds, are not compared.
const TOGETHER_S: f64 = 0.2;
/// Free fall is at least this much downward acceleration, in g.
const FALLING_G: f32 = 0.75;
/// In the air, every spring is extended beyond this, in millimetres.
const HANGING_MM: f32 = -40.0;
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
    last: Option<Point>,
    /// The last point on the ground and the last point in the air.
    air: Option<(Point, Point)>,
    /// The time of the last impact, in seconds of the event's clock.
    hit: Option<f64>,
}

#[derive(Clone, Copy, Debug)]
struct Point {
    seconds: f64,
    position: [f32; 3],
    velocity: [f32; 3],
}

impl Ride {
    /// Processes the next packet of a car on its stage.
    pub(super) fn follow(&mut self, sent: &Channels, moment: Moment, sink: &mut dyn Sink) {
        let now = Point {
            seconds: f64::from(sent.total_time),
            position: sent.position.into(),
            velocity: sent.velocity.into(),
        };
        let last = self.last.replace(now);
        let Some(last) = last.filter(|last| last.leads_to(&now)) else {
            self.air = None;
            return;
        };
        let seconds = (now.seconds - last.seconds) as f32;
        let [x, y, z] = [0, 1, 2].map(|axis: usize| {
            let at = |point: &Point| point.velocity.get(axis).copied().unwrap_or_default();
            (at(&now) - at(&last)) / seconds / MPS2_PER_G
        });
        let hangs = sent.suspension_position.0.iter().all(|&spring| spring < HANGING_MM);
        if hangs && y < -FALLING_G {
            let (from, _) = self.air.unwrap_or((last, now));
            self.air = Some((from, now));
        } else if let Some((from, until)) = self.air.take() {
            self.land(&from, &until, moment, sink);
        }
        self.feel(x.hypot(z), now.seconds, moment, sink);
    }

    fn land(&self, from: &Point, until: &Point, moment: Moment, sink: &mut dyn Sink) {
        let seconds = until.seconds - from.seconds;
        if seconds < FLIGHT_S {
            return;
        }
        let ([x, _, z], [a, _, b]) = (from.position, until.position);
        let kind = EventKind::Landed {
            millis: (seconds * 1e3).round() as u32,
            centimetres: ((x - a).hypot(z - b) * 1e2).round() as u32,
        };
        sink.event(Event { moment, car: Some(DRIVER), kind });
    }

    fn feel(&mut self, g: f32, seconds: f64, moment: Moment, sink: &mut dyn Sink) {
        if g < HIT_G {
            return;
        }
        let again = self.hit.is_some_and(|hit| (0.0..HIT_OVER_S).contains(&(seconds - hit)));
        self.hit = Some(seconds);
        if !again {
            let kind = EventKind::Hit { milli_g: (g * 1e3).round() as u32 };
            sink.event(Event { moment, car: Some(DRIVER), kind });
        }
    }
}

impl Point {
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
