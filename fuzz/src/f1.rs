//! Packets of a session of F1, of any year, with arbitrary contents.
#![expect(clippy::expect_used, reason = "bringing the program down is how a target reports what it found")]

use std::hint::black_box;

use trailbrake_shared::games::Decode as _;
use trailbrake_shared::games::f1::layout::{Header, MOST_CARS, YEARS};
use trailbrake_shared::games::f1::{Decoder, Kind, VERSION, describe};
use trailbrake_shared::model::{Event, Fact, LapProgress, Moment, Sample, Sink};
use trailbrake_shared::session::{Session, timing_table};
use trailbrake_shared::time::Micros;

/// All packets of one sender of F1. Their headers are valid, so that fuzzing gets past recognition.
///
/// Three bytes precede each packet's content: its kind and year; the signed step in tenths of a second since the previous
/// packet; and the session with the player's index. Missing content is zero.
pub fn f1(bytes: &[u8]) {
    let mut decoder = Decoder::default();
    let mut sink = Numbers::default();
    let (mut rest, mut seconds, mut frame) = (bytes, 10.0_f32, 0);
    while let Some(([kind, step, session], following)) = rest.split_first_chunk() {
        let (of_kind, of_year) = (usize::from(*kind) % Kind::ALL.len(), usize::from(*kind) / Kind::ALL.len());
        let kind = Kind::ALL.get(of_kind).expect("one of the kinds");
        let year = YEARS.at(of_year % YEARS.len());
        let Some(size) = kind.size(year) else {
            rest = following;
            continue;
        };
        seconds += f32::from(step.cast_signed()) / 10.0;
        frame += 1;
        let header = Header {
            packet_format: year.number(),
            packet_version: VERSION,
            packet_id: kind.id(),
            session_uid: u64::from(*session >> 6),
            session_time: seconds,
            frame_identifier: frame,
            player_car_index: *session & 0x1f,
            game_year: Some(u8::from(*session & 0x20 > 0) * 25),
            ..Header::default()
        };
        let content = size - Header::size(year);
        let (content, after) = following.split_at(content.min(following.len()));
        let mut datagram = header.bytes(year);
        datagram.extend_from_slice(content);
        datagram.resize(size, 0);
        describe(&datagram).expect("a whole packet has its fields");
        let at = Micros(u64::from(frame) * 16_667);
        if let Err(refusal) = decoder.receive(at, &datagram, &mut sink) {
            black_box(refusal.to_string());
        }
        rest = after;
    }
    black_box(timing_table(&sink.session));
}

/// A session whose values must all be finite, of cars that an array has room for.
#[derive(Default)]
struct Numbers {
    session: Session,
}

impl Sink for Numbers {
    fn sample(&mut self, sample: &Sample<'_>) {
        assert!(sample.values.iter().all(|(_, value)| value.is_finite()), "{sample:?}");
        assert!(usize::from(sample.car.0) < MOST_CARS, "{sample:?}");
        self.session.sample(sample);
    }

    fn progress(&mut self, progress: &LapProgress) {
        self.session.progress(progress);
    }

    fn event(&mut self, event: Event) {
        self.session.event(event);
    }

    fn fact(&mut self, moment: Moment, fact: Fact) {
        self.session.fact(moment, fact);
    }
}
