//! Finds braking zones live.

/// Above this pedal travel the brake is on.
const ON: f32 = 0.05;
/// Below this pedal travel it is off again.
const OFF: f32 = 0.02;
/// A braking zone must reach this pedal travel. A foot resting on the pedal stays below it.
const PRESSED: f32 = 0.15;
/// A shorter touch is ignored, seconds.
const SHORTEST_S: f64 = 0.15;
/// A foot that has not pressed after this long is resting, seconds. Braking then begins when it presses.
const RESTING_S: f64 = 0.5;
/// A shorter release belongs to the same braking, as with an anti-lock system, seconds.
const FLUTTER_S: f64 = 0.15;
/// Largest number of points of a curve, however long the brake is held.
const MOST_POINTS: usize = 1200;
/// Two braking zones that begin this near to each other are for the same corner, metres.
pub const SAME_ZONE_M: f32 = 80.0;

/// One braking phase, from brake point to release.
#[derive(Clone, Debug, PartialEq)]
pub struct BrakingZone {
    /// The brake point, metres from the start line.
    pub start_m: f32,
    /// Peak brake, 0 to 1.
    pub peak: f32,
    /// The place of the peak, metres from the start line.
    pub peak_m: f32,
    /// The release, metres from the start line. `None` while the brake is on.
    pub release_m: Option<f32>,
    /// Distance, metres, and pedal travel.
    pub points: Vec<(f32, f32)>,
}

/// Watches the brake pedal of one car.
#[derive(Clone, Debug, Default)]
pub struct BrakeWatch {
    touch: Option<Touch>,
    /// Whether a foot rests on the pedal without pressing.
    resting: bool,
    last: Option<BrakingZone>,
}

#[derive(Clone, Debug)]
struct Touch {
    zone: BrakingZone,
    since_s: f64,
    /// When the pedal was released, if it was.
    off_s: Option<f64>,
}

impl Touch {
    fn is_braking(&self, now_s: f64) -> bool {
        self.zone.peak >= PRESSED && self.off_s.unwrap_or(now_s) - self.since_s >= SHORTEST_S
    }
}

impl BrakeWatch {
    /// Receives the pedal travel at a place and a time. Returns a braking zone once it is complete.
    pub fn sample(&mut self, distance_m: f32, seconds: f64, brake: f32) -> Option<&BrakingZone> {
        match &mut self.touch {
            Some(touch) => {
                if seconds < touch.since_s {
                    self.reset();
                    return None;
                }
                touch.take(distance_m, seconds, brake);
                let over = touch.off_s.is_some_and(|off| seconds - off >= FLUTTER_S);
                let resting = touch.zone.peak < PRESSED && seconds - touch.since_s > RESTING_S;
                if over {
                    return self.finish(seconds);
                }
                if resting {
                    (self.touch, self.resting) = (None, true);
                }
                None
            }
            None => {
                self.resting &= brake >= OFF;
                let on = if self.resting { PRESSED } else { ON };
                if brake > on {
                    self.resting = false;
                    self.touch = Some(Touch::begin(distance_m, seconds, brake));
                }
                None
            }
        }
    }

    /// Ends the current braking, at the line or when the car is no longer watched.
    pub fn finish(&mut self, seconds: f64) -> Option<&BrakingZone> {
        let mut touch = self.touch.take()?;
        if !touch.is_braking(seconds) {
            return None;
        }
        let end = touch.zone.points.last().map(|(distance, _)| *distance);
        touch.zone.release_m = touch.zone.release_m.or(end);
        Some(self.last.insert(touch.zone))
    }

    /// Drops the current braking, for example when the game goes back in time.
    pub fn reset(&mut self) {
        self.touch = None;
    }

    /// The current braking zone, else the last one.
    pub fn latest(&self) -> Option<&BrakingZone> {
        let now = |touch: &&Touch| touch.zone.peak >= PRESSED && touch.zone.points.len() > 2;
        self.touch.as_ref().filter(now).map(|touch| &touch.zone).or(self.last.as_ref())
    }
}

impl Touch {
    fn begin(distance_m: f32, seconds: f64, brake: f32) -> Self {
        let points = vec![(distance_m, brake)];
        let zone =
            BrakingZone { start_m: distance_m, peak: brake, peak_m: distance_m, release_m: None, points };
        Self { zone, since_s: seconds, off_s: None }
    }

    fn take(&mut self, distance_m: f32, seconds: f64, brake: f32) {
        let zone = &mut self.zone;
        if brake > ON {
            (self.off_s, zone.release_m) = (None, None);
        } else if brake < OFF && self.off_s.is_none() {
            (self.off_s, zone.release_m) = (Some(seconds), Some(distance_m));
            zone.points.push((distance_m, brake));
        }
        if self.off_s.is_none() && zone.points.len() < MOST_POINTS {
            zone.points.push((distance_m, brake));
        }
        if brake > zone.peak {
            (zone.peak, zone.peak_m) = (brake, distance_m);
        }
    }
}

impl BrakingZone {
    /// The zone of another lap for the same corner: the nearest brake point within [`SAME_ZONE_M`].
    pub fn same_in<'a>(&self, others: &'a [BrakingZone]) -> Option<&'a BrakingZone> {
        let apart = |other: &BrakingZone| (other.start_m - self.start_m).abs();
        let near = others.iter().filter(|other| apart(other) <= SAME_ZONE_M);
        near.min_by(|a, b| apart(a).total_cmp(&apart(b)))
    }

    /// How much later this zone began than another one, metres; negative for earlier.
    pub fn later_than(&self, other: &Self) -> f32 {
        self.start_m - other.start_m
    }
}

/// A difference in words: `4 m later than best`.
pub fn later(metres: f32, than: &str) -> String {
    match metres.round() {
        0.0 => format!("same point as {than}"),
        metres if metres > 0.0 => format!("{metres} m later than {than}"),
        metres => format!("{} m earlier than {than}", -metres),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const HZ: f64 = 60.0;
    const SPEED: f64 = 60.0;

    /// Drives at 60 m/s with this pedal travel per sample, which is a metre.
    fn drive(pedal: impl IntoIterator<Item = f32>) -> (BrakeWatch, Vec<BrakingZone>) {
        let mut watch = BrakeWatch::default();
        let mut zones = Vec::new();
        for (sample, brake) in pedal.into_iter().enumerate() {
            let seconds = sample as f64 / HZ;
            zones.extend(watch.sample((seconds * SPEED) as f32, seconds, brake).cloned());
        }
        (watch, zones)
    }

    /// Pedal travel, each value held for a number of samples.
    fn pedal(parts: &[(f32, usize)]) -> Vec<f32> {
        parts.iter().flat_map(|(brake, samples)| std::iter::repeat_n(*brake, *samples)).collect()
    }

    #[test]
    fn a_braking_has_start_peak_and_release() {
        let (watch, zones) = drive(pedal(&[(0.0, 100), (0.5, 5), (0.9, 20), (0.3, 20), (0.0, 30)]));
        let [zone] = zones.as_slice() else { panic!("{zones:?}") };
        assert_eq!((zone.start_m, zone.peak, zone.peak_m, zone.release_m), (100.0, 0.9, 105.0, Some(145.0)));
        assert_eq!(zone.points.len(), 46);
        assert_eq!((zone.points[0], zone.points[45]), ((100.0, 0.5), (145.0, 0.0)));
        assert_eq!(watch.latest(), Some(zone));
    }

    #[test]
    fn a_resting_foot_and_a_tap_are_no_braking() {
        let (watch, zones) =
            drive(pedal(&[(0.0, 60), (0.04, 60), (0.08, 300), (0.0, 60), (0.6, 5), (0.0, 60)]));
        assert_eq!((zones.as_slice(), watch.latest()), (&[][..], None));
    }

    #[test]
    fn braking_from_a_resting_foot_begins_when_it_presses() {
        let (_, zones) = drive(pedal(&[(0.0, 60), (0.08, 140), (0.7, 30), (0.0, 30)]));
        assert_eq!(zones.iter().map(|zone| zone.start_m).collect::<Vec<_>>(), [200.0]);
        // The foot stays on the pedal after the release.
        let (_, zones) = drive(pedal(&[(0.08, 100), (0.7, 30), (0.0, 30), (0.7, 30), (0.01, 30)]));
        assert_eq!(zones.iter().map(|zone| zone.start_m).collect::<Vec<_>>(), [100.0, 160.0]);
    }

    #[test]
    fn anti_lock_flutter_is_one_braking() {
        let (_, zones) =
            drive(pedal(&[(0.0, 50), (0.9, 10), (0.0, 4), (0.9, 10), (0.0, 4), (0.9, 10), (0.0, 60)]));
        let [zone] = zones.as_slice() else { panic!("{zones:?}") };
        assert_eq!((zone.start_m, zone.release_m), (50.0, Some(88.0)));
        let (_, zones) = drive(pedal(&[(0.9, 20), (0.0, 20), (0.9, 20), (0.0, 20)]));
        assert_eq!(zones.len(), 2);
    }

    #[test]
    fn the_last_braking_stays_until_the_next_has_begun() {
        let parts = [(0.0, 50), (0.9, 30), (0.0, 60)];
        let (mut watch, zones) = drive(pedal(&parts));
        let shown = |watch: &BrakeWatch| watch.latest().map(|zone| zone.start_m);
        assert_eq!(shown(&watch), Some(50.0));
        watch.sample(1000.0, 20.0, 0.8);
        assert_eq!(shown(&watch), Some(50.0));
        for step in 1..5 {
            watch.sample(1000.0 + step as f32, 20.0 + f64::from(step) / 60.0, 0.8);
        }
        assert_eq!(shown(&watch), Some(1000.0));
        watch.reset();
        assert_eq!((shown(&watch), zones.len()), (Some(50.0), 1));
    }

    #[test]
    fn the_line_ends_a_braking() {
        let (mut watch, zones) = drive(pedal(&[(0.0, 50), (0.9, 30)]));
        assert!(zones.is_empty());
        assert_eq!(watch.finish(2.0).and_then(|zone| zone.release_m), Some(79.0));
        assert_eq!(watch.finish(2.0), None);
    }

    #[test]
    fn the_same_corner_is_the_nearest_start() {
        let (_, zones) =
            drive(pedal(&[(0.0, 100), (0.9, 30), (0.0, 70), (0.9, 30), (0.0, 300), (0.9, 30), (0.0, 20)]));
        let (_, mine) = drive(pedal(&[(0.0, 204), (0.9, 30), (0.0, 20)]));
        let same = mine[0].same_in(&zones).expect("the same corner");
        assert_eq!((same.start_m, mine[0].later_than(same)), (200.0, 4.0));
        let (_, far) = drive(pedal(&[(0.0, 400), (0.9, 30), (0.0, 20)]));
        assert_eq!(far[0].same_in(&zones), None);
    }

    #[test]
    fn differences_are_in_whole_metres() {
        assert_eq!(later(4.2, "best"), "4 m later than best");
        assert_eq!(later(-13.6, "best"), "14 m earlier than best");
        assert_eq!(later(-0.3, "best"), "same point as best");
    }

    proptest! {
        #[test]
        fn zones_come_in_order_and_within_bounds(
            pedal in prop::collection::vec((0.0_f32..1.0, 1_usize..40), 0..60),
        ) {
            let (watch, zones) = drive(super::tests::pedal(&pedal));
            let mut before = -1.0;
            for zone in &zones {
                let release = zone.release_m.expect("a release");
                prop_assert!(zone.start_m > before && zone.start_m <= zone.peak_m && zone.peak_m <= release);
                prop_assert!(zone.peak >= PRESSED && zone.points.len() <= MOST_POINTS + 1);
                prop_assert!(zone.points.iter().all(|(_, brake)| *brake <= zone.peak));
                before = release;
            }
            prop_assert!(watch.latest().is_some() >= !zones.is_empty());
        }
    }
}
