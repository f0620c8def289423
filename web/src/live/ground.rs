//! The outline of the track, learnt from where the cars drive.

use std::borrow::Cow;

use trailbrake_shared::model::{Axis, Car, Channel, Columns, ResultStatus};
use trailbrake_shared::plot::TrackOutline;
use trailbrake_shared::session::{CarState, Outline, OutlinePoint, Session, sketch};

/// A car that moves further than this between two samples, in metres, was reset to another position.
const JUMP_M: f32 = 60.0;

/// The known part of the track's outline.
pub(super) struct Ground {
    pub(super) outline: TrackOutline,
    /// The outline's track: the generation of the telemetry, the game's track id, and the lap length in metres.
    of: Option<(u32, Option<String>, u32)>,
    odometer: Odometer,
    /// The watched car and the time of its last learnt row, in seconds on the game's clock.
    learnt_until: Option<(Car, f64)>,
}

/// The distance that the watched car has driven, for games that send no lap distance.
#[derive(Default)]
struct Odometer {
    car: Option<Car>,
    place: Option<[f32; 2]>,
    metres: f32,
}

impl Odometer {
    /// Moves to a position, and returns the metres from where the car began. Another car, or one that was reset, begins
    /// again at 0.
    fn drive_to(&mut self, car: Car, place: [f32; 2]) -> f32 {
        let step =
            self.place.filter(|_| self.car == Some(car)).map(|[x, y]| (place[0] - x).hypot(place[1] - y));
        self.metres = step.filter(|step| *step < JUMP_M).map_or(0.0, |step| self.metres + step);
        (self.car, self.place) = (Some(car), Some(place));
        self.metres
    }
}

impl Default for Ground {
    fn default() -> Self {
        Self { outline: TrackOutline::open(), of: None, odometer: Odometer::default(), learnt_until: None }
    }
}

impl Ground {
    /// Learns from the cars' positions, until one of them has driven a complete lap.
    pub(super) fn follow(&mut self, session: &Session, generation: u32) {
        let info = session.info();
        let sent_m = info.and_then(|info| info.track_length_m).filter(|metres| *metres > 0.0);
        let track = info.and_then(|info| info.track.as_ref()).map(|track| track.id.clone());
        let of = Some((generation, track, sent_m.unwrap_or_default() as u32));
        if self.of != of {
            let outline = sent_m.map_or_else(TrackOutline::open, |metres| empty_outline(session, metres));
            *self = Self { outline, of, ..Self::default() };
            let sketch = sketch(session).points;
            self.learn_path(&sketch);
            if let Some(OutlinePoint { distance_m, position: [x, _, z] }) = sketch.last() {
                self.odometer =
                    Odometer { car: session.watched(), place: Some([*x, *z]), metres: *distance_m };
            }
        }
        if self.outline.is_whole() {
            return;
        }
        let listed = || session.own_track().and_then(Outline::listed).map(Cow::Owned);
        if let Some(lap) = session.outline().map(Cow::Borrowed).or_else(listed) {
            // If the game sends no lap length, it is the driven distance.
            let driven_m = lap.points.last().map_or(0.0, |point| point.distance_m);
            self.outline = empty_outline(session, sent_m.unwrap_or(driven_m));
            self.learn_path(&lap.points);
            self.outline.finish();
            return;
        }
        let watched = session.watched();
        for (car, state) in session.cars().filter(|(_, state)| takes_part(state) && !state.in_pits()) {
            if Some(car) == watched {
                self.learn_rows(car, state.traces.current(), &|| {
                    sent_m.map_or_else(TrackOutline::open, |metres| empty_outline(session, metres))
                });
            } else if let Some((metres, place)) = state.value(Channel::LapDistance).zip(place(state))
                && !self.counts_metres()
            {
                self.outline.learn(metres, place);
            }
        }
    }

    /// Whether the outline is along the metres that the watched car has driven: on a track of unknown length, even if
    /// the decoder knows the lap distance from the second lap on.
    fn counts_metres(&self) -> bool {
        self.outline.is_open() && self.odometer.place.is_some()
    }

    /// Learns from every complete row since the last call, however far the car drives between two frames.
    fn learn_rows(&mut self, car: Car, columns: &Columns, empty: &dyn Fn() -> TrackOutline) {
        let Some((newest, complete)) = columns.seconds().split_last() else { return };
        let learnt = self.learnt_until.filter(|(known, until)| *known == car && until <= newest);
        let first = learnt.map_or(0, |(_, until)| complete.partition_point(|seconds| *seconds <= until));
        let sends_distance = columns.line(Channel::LapDistance.slot()).is_some();
        for row in first..complete.len() {
            let along = |axis| columns.value(Channel::Position.along(axis), row);
            let Some((x, z)) = along(Axis::X).zip(along(Axis::Z)) else { continue };
            let metres = if sends_distance && !self.counts_metres() {
                columns.latest(Channel::LapDistance.slot(), row)
            } else {
                let metres = self.odometer.drive_to(car, [x, z]);
                if metres == 0.0 {
                    // The car begins again elsewhere: the outline so far does not lead there.
                    self.outline = empty();
                }
                Some(metres)
            };
            if let Some(metres) = metres {
                self.outline.learn(metres, [x, z]);
            }
        }
        if let Some(until) = complete.last() {
            self.learnt_until = Some((car, *until));
        }
    }

    fn learn_path(&mut self, points: &[OutlinePoint]) {
        for OutlinePoint { distance_m, position: [x, _, z] } in points {
            self.outline.learn(*distance_m, [*x, *z]);
        }
    }
}

/// An empty outline of this length, closed unless it is a rally stage.
fn empty_outline(session: &Session, metres: f32) -> TrackOutline {
    if session.is_stage() { TrackOutline::one_way(metres) } else { TrackOutline::new(metres) }
}

/// Whether the car exists and is active, as far as the game says.
pub(super) fn takes_part(state: &CarState) -> bool {
    let result = state.progress().map(|progress| progress.result);
    !matches!(result, Some(ResultStatus::Invalid | ResultStatus::Inactive))
}

pub(super) fn place(state: &CarState) -> Option<[f32; 2]> {
    let along = |axis| state.latest.value(Channel::Position.along(axis));
    Some([along(Axis::X)?, along(Axis::Z)?])
}

#[cfg(test)]
mod tests {
    use trailbrake_shared::feed::Feed;
    use trailbrake_shared::model::{Fact, Moment, Recognised, SessionInfo, Sink, Track};
    use trailbrake_shared::plot::{GrowingMap, MapBox, Polyline, XAxis};
    use trailbrake_shared::session::Receiver;
    use trailbrake_shared::sim::{Demo, Options};
    use trailbrake_shared::time::Micros;
    use trailbrake_shared::wire::Datagram;

    use super::*;

    const BEGAN: Micros = Micros(1_000_000_000);

    /// Drives a demo from its second `from` on for so many seconds, and calls `look` after each of them. The page follows
    /// at `hz` frames per second.
    fn drive(feed: Feed, [from, seconds]: [u32; 2], hz: u32, mut look: impl FnMut(&Session, &Ground)) {
        let options = Options { cars: 2, player: 1, keep_truth: false, ..Options::default() };
        let mut demo = Demo::new(feed, options, BEGAN).expect("a feed with a simulator");
        let (mut receiver, mut ground) = (Receiver::default(), Ground::default());
        for frame in 1..=(from + seconds) * 60 {
            demo.advance(BEGAN.plus_seconds(f64::from(frame) / 60.0), &mut |at, bytes| {
                let sender = ([127, 0, 0, 1], 5000).into();
                if frame > from * 60 {
                    let _ = receiver.receive(&Datagram { at, sender, port: 20777, feed: Some(feed), bytes });
                }
            });
            let Some(session) = receiver.session() else { continue };
            if frame % (60 / hz) == 0 {
                ground.follow(session, 0);
            }
            if frame % 60 == 0 {
                look(session, &ground);
            }
        }
    }

    /// The number of known outline positions at the end of each of so many seconds.
    fn drawn(feed: Feed, seconds: u32, hz: u32) -> Vec<usize> {
        let mut drawn = Vec::new();
        drive(feed, [0, seconds], hz, |_, ground| drawn.push(ground.outline.known()));
        drawn
    }

    #[test]
    fn the_line_so_far_and_the_car_are_in_sight_in_the_first_lap_of_every_feed() {
        let space = MapBox { width: 300.0, height: 260.0, margin: 16.0 };
        for feed in [Feed::GranTurismo, Feed::AcLua, Feed::AcTelemetryTool, Feed::AcRemote, Feed::F1] {
            for from in [0, 30] {
                let mut map = GrowingMap::new(XAxis::MODEL);
                let mut longest = 0.0_f32;
                drive(feed, [from, 40], 10, |session, ground| {
                    let own = session.watched().and_then(|car| place(session.car(car)?));
                    map.follow(&ground.outline, own, space);
                    let projection = map.projection().expect("a projection");
                    let is_inside = |[x, y]: [f32; 2]| {
                        (0.0..=space.width).contains(&x) && (0.0..=space.height).contains(&y)
                    };
                    assert!(own.is_none_or(|own| is_inside(projection.project(own))), "{feed:?}: no car");
                    let mut line = Polyline::default();
                    projection.line(ground.outline.line(), &mut line);
                    let lengths = line.runs().map(|run| {
                        let steps = run
                            .windows(2)
                            .map(|pair| (pair[0][0] - pair[1][0]).hypot(pair[0][1] - pair[1][1]));
                        (steps.sum::<f32>(), run.first() == run.last() && run.len() > 1)
                    });
                    for (length, is_closed) in lengths {
                        assert!(!is_closed, "{feed:?}: closed in the first lap");
                        longest = longest.max(length);
                    }
                });
                assert!(longest > 200.0, "{feed:?} from second {from} on: {longest} px");
            }
        }
    }

    #[test]
    fn the_line_goes_on_over_the_line_of_a_lap_that_was_joined_late() {
        for feed in [Feed::GranTurismo, Feed::AcLua, Feed::AcTelemetryTool, Feed::AcRemote] {
            let mut known = Vec::new();
            drive(feed, [60, 45], 10, |_, ground| known.push(ground.outline.known()));
            let (line, later) = (known[30], known[44]);
            assert!(later > line + 100, "{feed:?}: {line} places, 14 s later {later}");
        }
    }

    #[test]
    fn the_track_is_drawn_from_the_first_metres_on() {
        let feeds = [Feed::GranTurismo, Feed::AcLua, Feed::AcTelemetryTool, Feed::AcRemote, Feed::F1];
        for feed in feeds {
            let drawn = drawn(feed, 40, 60);
            let began = drawn.iter().position(|places| *places > 1).expect("something is drawn");
            assert!(began < 12, "{feed:?} draws from second {began} on: {drawn:?}");
            // The car drives more than a kilometre in half a minute.
            assert!(drawn.last().is_some_and(|places| *places > 120), "{feed:?}: {drawn:?}");
        }
    }

    #[test]
    fn a_fast_demo_on_a_slow_device_draws_as_much() {
        for feed in [Feed::GranTurismo, Feed::AcTelemetryTool, Feed::F1] {
            let [often, rarely] = [60, 1].map(|hz| drawn(feed, 40, hz).pop().expect("a second"));
            assert!(rarely + 25 > often, "{feed:?}: {rarely} of {often} places");
        }
    }

    #[test]
    fn a_layout_that_is_built_in_is_drawn_at_once_and_whole() {
        let mut session = Session::default();
        let mut report = |name: &str, recognised| {
            let track = Track {
                id: "Brands Hatch".to_owned(),
                name: Some(name.to_owned()),
                recognised: Some(recognised),
            };
            let info = SessionInfo { track: Some(track), ..SessionInfo::default() };
            let moment = Moment { at: BEGAN, session_time: Some(0.0), frame: None };
            session.fact(moment, Fact::Session(Box::new(info)));
            let mut ground = Ground::default();
            ground.follow(&session, 0);
            (ground.outline.is_whole(), ground.outline.known())
        };
        assert_eq!(report("Brands Hatch", Recognised::Track), (false, 0));
        let (is_whole, known) = report("Brands Hatch Indy Circuit", Recognised::Layout);
        assert!(is_whole && known > 200, "{known} places");
        assert_eq!(report("A layout that nobody lists", Recognised::Layout), (false, 0));
    }

    #[test]
    fn a_car_that_is_put_elsewhere_starts_again() {
        let mut odometer = Odometer::default();
        let metres = |odometer: &mut Odometer, x: f32| odometer.drive_to(Car(0), [x, 0.0]);
        assert_eq!([5.0, 15.0, 30.0].map(|x| metres(&mut odometer, x)), [0.0, 10.0, 25.0]);
        assert_eq!([500.0, 510.0].map(|x| metres(&mut odometer, x)), [0.0, 10.0]);
        assert_eq!(odometer.drive_to(Car(1), [510.0, 0.0]), 0.0);
    }
}
