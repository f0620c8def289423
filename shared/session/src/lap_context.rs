//! What a session knows of a lap besides its channels.

use trailbrake_analysis::CloseCar;
use trailbrake_analysis::laps::Lap;
use trailbrake_model::{Car, CarSetup, EventKind, Rule};

use super::{LogKind, Session};

/// A lap's setup, the rules it was driven under, and the log events around it.
#[derive(Clone, Debug, Default)]
pub struct LapContext {
    /// The car's setup, where the game sends it.
    pub setup: Option<Box<CarSetup>>,
    /// The session's rules and the driver's aids, if the player drove it and the game sends them.
    pub rules: Vec<Rule>,
    /// Landings and impacts that the decoder reported for this car, in seconds on the lap's clock. Includes events
    /// outside the lap.
    pub events: Vec<(f64, EventKind)>,
    /// Pauses and rewinds, in seconds on the lap's clock. Includes those outside the lap.
    pub cuts: Vec<(f64, EventKind)>,
    /// Where other cars were close, if the player drove it.
    pub close: Vec<CloseCar>,
}

impl LapContext {
    /// The context of a car's lap.
    pub fn of(session: &Session, car: Car, lap: &Lap) -> Self {
        let (mut events, mut cuts) = (Vec::new(), Vec::new());
        for entry in session.log() {
            let kind = match &entry.kind {
                LogKind::Game(EventKind::Landed { millis, centimetres }) => {
                    EventKind::Landed { millis: *millis, centimetres: *centimetres }
                }
                LogKind::Game(EventKind::Hit { milli_g }) => EventKind::Hit { milli_g: *milli_g },
                LogKind::Game(cut @ (EventKind::Paused | EventKind::Rewound { .. })) => {
                    cuts.push((entry.seconds - lap.began_s, cut.clone()));
                    continue;
                }
                _ => continue,
            };
            if entry.car == Some(car) {
                events.push((entry.seconds - lap.began_s, kind));
            }
        }
        let setup = session.car(car).and_then(|car| car.setup.clone());
        let (rules, close) = if session.player() == Some(car) {
            (session.reported().rules.clone(), session.live_comparison().traffic.of_lap(lap.number))
        } else {
            Default::default()
        };
        Self { setup, rules, events, cuts, close }
    }
}

#[cfg(test)]
mod tests {
    use trailbrake_analysis::laps::CarLaps;
    use trailbrake_model::time::Micros;
    use trailbrake_model::{Event, LapProgress, Moment, Sink};

    use super::*;
    use crate::Retention;

    #[test]
    fn pauses_ways_back_and_jumps_stand_on_the_lap_s_clock() {
        let moment =
            |seconds: f64| Moment { at: Micros(0), session_time: Some(seconds), ..Moment::default() };
        let mut session = Session::new(Retention::default());
        let mut laps = CarLaps::default();
        let begins =
            LapProgress { lap: 1, clock: Some(0.0), moment: moment(100.0), ..LapProgress::default() };
        laps.progress(&begins);
        let sent_events = [
            (110.0, None, EventKind::Paused),
            (115.5, None, EventKind::Rewound { millis: 2500 }),
            (120.0, Some(Car(0)), EventKind::Landed { millis: 600, centimetres: 1200 }),
            (121.0, Some(Car(1)), EventKind::Landed { millis: 500, centimetres: 900 }),
            (122.0, None, EventKind::Go),
        ];
        for (seconds, car, kind) in sent_events.clone() {
            Sink::event(&mut session, Event { moment: moment(seconds), car, kind });
        }
        let besides = LapContext::of(&session, Car(0), laps.current().expect("a lap"));
        let [paused, rewound, landed, ..] = sent_events.map(|(seconds, _, kind)| (seconds - 100.0, kind));
        assert_eq!((besides.cuts, besides.events), (vec![paused, rewound], vec![landed]));
    }
}
