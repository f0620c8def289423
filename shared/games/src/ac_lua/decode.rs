//! Decodes packets into channels, and infers laps from the lap clock.

use trailbrake_model::time::Micros;
use trailbrake_model::{
    Car, Channel as C, Event, EventKind, Fact, LapProgress, Moment, SessionInfo, Sink, Slot,
};

use super::laps::{Laps, Point};
use super::report::Report;
use super::{GAME, PACKET};
use crate::decode::{sample_numbers, without};
use crate::pause_detector::PauseDetector;
use crate::session_clock::Step;
use crate::{Decode, Rejected};

/// The app reports one car.
const CAR: Car = Car(0);

/// Decodes the packets of one sender.
#[derive(Debug, Default)]
pub struct Decoder {
    /// When the first packet was received. Session time counts from here, since the app sends none.
    began: Option<Micros>,
    laps: Laps,
    pause_detector: PauseDetector<500>,
    session: Option<SessionInfo>,
    values: Vec<(Slot, f32)>,
}

impl Decode for Decoder {
    fn receive(&mut self, at: Micros, datagram: &[u8], sink: &mut dyn Sink) -> Result<(), Rejected> {
        let report = Report::read(datagram, &mut |_, _| {})?;
        let starts = self.began.is_none();
        let began = *self.began.get_or_insert(at);
        let moment = Moment { at, session_time: Some(at.seconds_since(began)), frame: None };
        if starts {
            sink.event(Event { moment, car: None, kind: EventKind::SessionStarted });
            sink.fact(moment, Fact::Player(Some(CAR)));
        }
        let step = self.pause_detector.compare(datagram, at);
        if let Some(kind) = step.event() {
            sink.event(Event { moment, car: None, kind });
        }
        self.send_session(&report, moment, sink);
        if !step.moves() {
            return Ok(());
        }
        let not_numbers = report.not_numbers() + self.follow(&report, moment, sink);
        without(GAME, PACKET, not_numbers)
    }
}

impl Decoder {
    /// Decodes the car's values. Returns how many cannot be stored in a channel.
    fn follow(&mut self, report: &Report, moment: Moment, sink: &mut dyn Sink) -> usize {
        let clock_ms = report.number("lap_time_ms");
        if let Some(clock_ms) = clock_ms {
            let step = self.laps.step(point(report, clock_ms, moment));
            if !step.moves() {
                return 0;
            }
            if step == Step::Restarts {
                sink.event(Event { moment, car: None, kind: EventKind::Restarted });
            }
        }
        let distance = clock_ms.and(self.laps.metres());
        self.values.clear();
        for (field, numbers) in report.fields() {
            let sent = numbers.iter().enumerate().filter_map(|(part, number)| Some((part, (*number)?)));
            self.values.extend(sent.map(|(part, number)| (field.slot(part), (number * field.scale) as f32)));
        }
        self.values.extend(distance.map(|metres| (C::LapDistance.slot(), metres)));
        let not_numbers = sample_numbers(sink, CAR, moment, &self.values);
        if let Some(clock_ms) = clock_ms {
            sink.progress(&LapProgress {
                car: CAR,
                moment,
                lap: self.laps.number(),
                clock: Some((clock_ms / 1e3) as f32),
                distance,
                last_lap: self.laps.last(),
                best_lap: self.laps.best(),
                inferred: true,
                ..LapProgress::default()
            });
        }
        not_numbers
    }

    /// Sends session information to the sink if it has changed.
    fn send_session(&mut self, report: &Report, moment: Moment, sink: &mut dyn Sink) {
        let degrees = |name: &str| {
            let celsius = report.number(name)?.round();
            (-100.0..=200.0).contains(&celsius).then_some(celsius as i16)
        };
        let now = SessionInfo {
            track_celsius: degrees("weather_track_temp"),
            air_celsius: degrees("weather_ambient_temp"),
            paused: Some(self.pause_detector.is_paused()),
            cars: Some(1),
            ..SessionInfo::default()
        };
        if self.session.as_ref() != Some(&now) {
            sink.fact(moment, Fact::Session(Box::new(now.clone())));
            self.session = Some(now);
        }
    }
}

fn point(report: &Report, clock_ms: f64, moment: Moment) -> Point {
    let position =
        report.fields().find(|(field, _)| field.name == "position").and_then(|(_, parts)| match parts {
            [Some(x), Some(y), Some(z)] => Some([*x, *y, *z]),
            _ => None,
        });
    Point { moment, clock_ms, speed_mps: report.number("speed_ms"), position }
}

#[cfg(test)]
mod tests;
