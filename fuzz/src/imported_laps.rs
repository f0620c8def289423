//! Packets of imported laps with arbitrary contents.
#![expect(clippy::expect_used, reason = "bringing the program down is how a target reports what it found")]

use std::hint::black_box;

use trailbrake_shared::games::Decode as _;
use trailbrake_shared::games::Text;
use trailbrake_shared::games::imported_laps::layout::{Head, Header, Lap};
use trailbrake_shared::games::imported_laps::{Decoder, Kind, MARK, VERSION, describe};
use trailbrake_shared::games::table::ONLY_VERSION;
use trailbrake_shared::model::{Event, Fact, LapProgress, Moment, Sample, Sink};
use trailbrake_shared::session::{Retention, Session, timing_table};
use trailbrake_shared::time::Micros;

/// The packets of a recording of imported laps. Their headers are valid, so that fuzzing gets past recognition.
///
/// Four bytes precede each packet's content: its kind; the signed step in tenths of a second since the previous packet;
/// session, car and run with two bits each, and the lap number; and the content's length, if the kind does not fix it.
/// Missing content is zero.
pub fn imported_laps(bytes: &[u8]) {
    let mut decoder = Decoder::default();
    let mut sink = Numbers { session: Session::new(Retention::EVERYTHING) };
    let (mut rest, mut time_us, mut at) = (bytes, 10_000_000_u64, 0);
    while let Some(([kind, step, whose, len], following)) = rest.split_first_chunk() {
        let kind = Kind::ALL.get(usize::from(*kind) % Kind::ALL.len()).expect("one of the kinds");
        time_us = time_us.saturating_add_signed(i64::from(step.cast_signed()) * 100_000);
        at += 16_667;
        let size = match kind {
            Kind::Head => Head::size(ONLY_VERSION),
            Kind::Lap => Lap::size(ONLY_VERSION),
            Kind::Channels => Header::size(ONLY_VERSION) + 2 + usize::from(*len),
            Kind::Values => Header::size(ONLY_VERSION) + usize::from(len % 64) * 4,
        };
        let header = Header {
            mark: Text(*MARK),
            version: VERSION,
            kind: kind.id(),
            size: u16::try_from(size).expect("a short packet"),
            session: u32::from(whose & 3),
            car: whose >> 2 & 3,
            run: whose >> 4 & 3,
            lap: u16::from(whose >> 6),
            time_us,
        };
        let (content, after) = following.split_at((size - Header::size(ONLY_VERSION)).min(following.len()));
        let mut datagram = header.bytes(ONLY_VERSION);
        datagram.extend_from_slice(content);
        datagram.resize(size, 0);
        let described = describe(&datagram).expect("a whole packet has its fields");
        assert_eq!(described.packet, kind.name(), "it is what it says");
        if let Err(refusal) = decoder.receive(Micros(at), &datagram, &mut sink) {
            black_box(refusal.to_string());
        }
        rest = after;
    }
    black_box(timing_table(&sink.session));
}

/// A session whose values must all be finite.
struct Numbers {
    session: Session,
}

impl Sink for Numbers {
    fn sample(&mut self, sample: &Sample<'_>) {
        assert!(sample.values.iter().all(|(_, value)| value.is_finite()), "{sample:?}");
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
