//! The shape of the track, learnt from where the cars drive.

use trailbrake_shared::model::{Axis, Car, Channel, Columns, ResultStatus};
use trailbrake_shared::plot::TrackOutline;
use trailbrake_shared::session::{CarState, OutlinePoint, Session};

/// A car that moves further than this from one frame to the next was put there.
const JUMP_M: f32 = 60.0;

/// The known part of the track's shape.
pub(super) struct Ground {
    pub(super) outline: TrackOutline,
    /// The track that it is, by the game's id and the lap's length, in the session that is shown.
    of: Option<(u32, Option<String>, u32)>,
    /// Whether it is a whole lap: then nothing is left to learn.
    whole: bool,
    driven: Driven,
    /// The rows of the watched car that were learnt: until when, in seconds of its game.
    learnt: Option<(Car, f64)>,
}

/// How far the watched car was driven, where its game sends no distance.
#[derive(Default)]
struct Driven {
    car: Option<Car>,
    place: Option<[f32; 2]>,
    metres: f32,
}

impl Driven {
    /// Drives on to a place; how far that is from where it began. A car that was put elsewhere starts again.
    fn to(&mut self, car: Car, place: [f32; 2]) -> f32 {
        let step =
            self.place.filter(|_| self.car == Some(car)).map(|[x, y]| (place[0] - x).hypot(place[1] - y));
        self.metres = step.filter(|step| *step < JUMP_M).map_or(0.0, |step| self.metres + step);
        (self.car, self.place) = (Some(car), Some(place));
        self.metres
    }
}

impl Default for Ground {
    fn default() -> Self {
        Self {
            outline: TrackOutline::open(),
            of: None,
            whole: false,
            driven: Driven::default(),
            learnt: None,
        }
    }
}

impl Ground {
    /// Learns from where the cars are, until one of them has driven a whole lap.
    pub(super) fn follow(&mut self, session: &Session, generation: u32) {
        let info = session.info();
        let sent_m = info.and_then(|info| info.track_length_m).filter(|metres| *metres > 0.0);
        let track = info.and_then(|info| info.track.as_ref()).map(|track| track.id.clone());
        let of = Some((generation, track, sent_m.unwrap_or_default() as u32));
        if self.of != of {
            let outline = sent_m.map_or_else(TrackOutline::open, |metres| way(session, metres));
            *self = Self { outline, of, ..Self::default() };
            let sketch = session.sketch().points;
            self.learn_way(&sketch);
            if let Some(OutlinePoint { distance_m, position: [x, _, z] }) = sketch.last() {
                self.driven = Driven { car: session.watched(), place: Some([*x, *z]), metres: *distance_m };
            }
        }
        if self.whole {
            return;
        }
        if let Some(lap) = session.outline() {
            // Where the game does not send it, a lap is as long as it was driven.
            let driven_m = lap.points.last().map_or(0.0, |point| point.distance_m);
            self.outline = way(session, sent_m.unwrap_or(driven_m));
            self.learn_way(&lap.points);
            self.whole = true;
            return;
        }
        let watched = session.watched();
        for (car, state) in session.cars().filter(|(_, state)| takes_part(state) && !state.in_pits()) {
            if Some(car) == watched {
                self.learn_rows(car, state.traces.current(), &|| {
                    sent_m.map_or_else(TrackOutline::open, |metres| way(session, metres))
                });
            } else if let Some((metres, place)) = state.value(Channel::LapDistance).zip(place(state)) {
                self.outline.learn(metres, place);
            }
        }
    }

    /// Learns from every row that has come, however far the car drives between two frames.
    fn learn_rows(&mut self, car: Car, columns: &Columns, empty: &dyn Fn() -> TrackOutline) {
        let Some((newest, complete)) = columns.seconds().split_last() else { return };
        let learnt = self.learnt.filter(|(known, until)| *known == car && until <= newest);
        let first = learnt.map_or(0, |(_, until)| complete.partition_point(|seconds| *seconds <= until));
        let sends_distance = columns.line(Channel::LapDistance.slot()).is_some();
        for row in first..complete.len() {
            let along = |axis| columns.value(Channel::Position.along(axis), row);
            let Some((x, z)) = along(Axis::X).zip(along(Axis::Z)) else { continue };
            let metres = if sends_distance {
                columns.latest(Channel::LapDistance.slot(), row)
            } else {
                let metres = self.driven.to(car, [x, z]);
                if metres == 0.0 {
                    // What was drawn before leads elsewhere.
                    self.outline = empty();
                }
                Some(metres)
            };
            if let Some(metres) = metres {
                self.outline.learn(metres, [x, z]);
            }
        }
        if let Some(until) = complete.last() {
            self.learnt = Some((car, *until));
        }
    }

    fn learn_way(&mut self, points: &[OutlinePoint]) {
        for OutlinePoint { distance_m, position: [x, _, z] } in points {
            self.outline.learn(*distance_m, [*x, *z]);
        }
    }
}

/// The way of so many metres: around, but for a rally stage.
fn way(session: &Session, metres: f32) -> TrackOutline {
    if session.is_stage() { TrackOutline::one_way(metres) } else { TrackOutline::new(metres) }
}

/// Whether there is such a car, as far as the game says.
pub(super) fn takes_part(state: &CarState) -> bool {
    let result = state.progress.map(|progress| progress.result);
    !matches!(result, Some(ResultStatus::Invalid | ResultStatus::Inactive))
}

pub(super) fn place(state: &CarState) -> Option<[f32; 2]> {
    let along = |axis| state.latest.value(Channel::Position.along(axis));
    Some([along(Axis::X)?, along(Axis::Z)?])
}

#[cfg(test)]
mod tests {
    use trailbrake_shared::feed::Feed;
    use trailbrake_shared::session::Receiver;
    use trailbrake_shared::sim::{Options, Show};
    use trailbrake_shared::time::Micros;
    use trailbrake_shared::wire::Datagram;

    use super::*;

    const BEGAN: Micros = Micros(1_000_000_000);

    /// How many places of the track are drawn at the end of each of so many seconds, with so many frames in each.
    fn drawn(feed: Feed, seconds: u32, hz: u32) -> Vec<usize> {
        let options = Options { cars: 2, player: 1, keep_truth: false, ..Options::default() };
        let mut show = Show::new(feed, options, BEGAN).expect("a feed with a simulator");
        let (mut receiver, mut ground, mut drawn) = (Receiver::default(), Ground::default(), Vec::new());
        for frame in 1..=seconds * 60 {
            show.advance(BEGAN.plus_seconds(f64::from(frame) / 60.0), &mut |at, bytes| {
                let sender = ([127, 0, 0, 1], 5000).into();
                let _ = receiver.receive(&Datagram { at, sender, port: 20777, feed: Some(feed), bytes });
            });
            if frame % (60 / hz) == 0 {
                receiver.session().into_iter().for_each(|session| ground.follow(session, 0));
            }
            if frame % 60 == 0 {
                drawn.push(ground.outline.places().count());
            }
        }
        drawn
    }

    #[test]
    fn the_track_is_drawn_from_the_first_metres_on() {
        let feeds = [Feed::GranTurismo, Feed::AcLua, Feed::AcTelemetryTool, Feed::AcRemote, Feed::F12018];
        for feed in feeds {
            let drawn = drawn(feed, 40, 60);
            let began = drawn.iter().position(|places| *places > 1).expect("something is drawn");
            assert!(began < 12, "{feed:?} draws from second {began} on: {drawn:?}");
            // Half a minute is more than a kilometre.
            assert!(drawn.last().is_some_and(|places| *places > 120), "{feed:?}: {drawn:?}");
        }
    }

    #[test]
    fn a_fast_demo_on_a_slow_device_draws_as_much() {
        for feed in [Feed::GranTurismo, Feed::AcTelemetryTool, Feed::F12018] {
            let [often, rarely] = [60, 1].map(|hz| drawn(feed, 40, hz).pop().expect("a second"));
            assert!(rarely + 25 > often, "{feed:?}: {rarely} of {often} places");
        }
    }

    #[test]
    fn a_car_that_is_put_elsewhere_starts_again() {
        let mut driven = Driven::default();
        let metres = |driven: &mut Driven, x: f32| driven.to(Car(0), [x, 0.0]);
        assert_eq!([5.0, 15.0, 30.0].map(|x| metres(&mut driven, x)), [0.0, 10.0, 25.0]);
        assert_eq!([500.0, 510.0].map(|x| metres(&mut driven, x)), [0.0, 10.0]);
        assert_eq!(driven.to(Car(1), [510.0, 0.0]), 0.0);
    }
}
