//! Decoding the packets of imported laps.

use trailbrake_shared::feed::Feed;
use trailbrake_shared::games::imported_laps::{
    Heading, LapSummary, Remark, Stamp, channels, head, lap, values,
};
use trailbrake_shared::games::{Decode, Rejected};
use trailbrake_shared::model::{Car, Channel, SessionKind};
use trailbrake_shared::session::{Retention, Session};
use trailbrake_shared::time::{LapTime, Micros};

const HEADING: Heading<'static> = Heading {
    program: "MoTeC .ld",
    game: "Assetto Corsa Competizione",
    driver: "Ada Lovelace",
    vehicle: "Porsche 992 GT3 R",
    track: "Spa",
    occasion: "Practice 2",
    player: true,
};

/// The stamp of a lap's packet.
fn stamp(number: u16, time_us: u64) -> Stamp {
    Stamp { session: 77, car: 3, run: 0, lap: number, time_us }
}

const CHANNELS: [Channel; 3] = [Channel::Speed, Channel::LapDistance, Channel::Gear];

/// A lap: run, number, time and sectors in milliseconds, flags.
type LapFigures = (u16, u16, Option<u32>, [Option<u32>; 3], String);

/// Receives packets of a drive with ten rows per second.
struct Drive {
    decoder: Box<dyn Decode>,
    session: Session,
    at: Micros,
}

impl Drive {
    fn new() -> Self {
        let mut drive = Self {
            decoder: (Feed::ImportedLaps.info().codec.expect("a decoder").decoder)(),
            session: Session::new(Retention::EVERYTHING),
            at: Micros(1_000_000),
        };
        drive.take(&head(stamp(1, 0), &HEADING)).expect("a head");
        for packet in channels(stamp(1, 0), &CHANNELS.map(Channel::slot)) {
            drive.take(&packet).expect("channels");
        }
        drive
    }

    fn take(&mut self, packet: &[u8]) -> Result<(), Rejected> {
        self.at = self.at.plus_seconds(0.01);
        self.decoder.receive(self.at, packet, &mut self.session)
    }

    /// Drives a lap of `seconds` from `began_s`.
    fn lap(&mut self, stamped: Stamp, began_s: u64, seconds: u64, summary: LapSummary) {
        let began_us = began_s * 1_000_000;
        let summary = LapSummary { began_us, ..summary };
        self.take(&lap(Stamp { time_us: began_us, ..stamped }, &summary)).expect("a lap");
        for row in 0..seconds * 10 {
            let time_us = began_us + row * 100_000 + 1;
            let numbers = [50.0, row as f32 * 5.0, 4.0].map(Some);
            let packet = values(Stamp { time_us, ..stamped }, numbers.into_iter());
            self.take(&packet).expect("values");
        }
    }

    fn over(&mut self, stamped: Stamp, at_s: u64, began_s: u64, summary: LapSummary) {
        let (time_us, began_us) = (at_s * 1_000_000, began_s * 1_000_000);
        self.take(&lap(Stamp { time_us, ..stamped }, &LapSummary { began_us, over: true, ..summary }))
            .expect("an end");
    }

    fn figures(&self) -> Vec<LapFigures> {
        let car = self.session.car(Car(3)).expect("the car");
        let laps = car.laps.finished().iter().chain(car.laps.current());
        let millis = |time: Option<LapTime>| time.map(|time| time.0);
        laps.map(|lap| {
            (
                lap.run,
                lap.number,
                millis(lap.time),
                [0, 1, 2].map(|sector| millis(lap.sectors.get(sector).copied().flatten())),
                lap.flags.to_string(),
            )
        })
        .collect()
    }
}

fn timed(millis: u32) -> LapSummary {
    LapSummary { time: Some(LapTime(millis)), ..LapSummary::default() }
}

#[test]
fn what_the_head_says_is_known_of_the_session() {
    let drive = Drive::new();
    let info = drive.session.info().expect("a session");
    assert_eq!((info.kind, info.uid), (SessionKind::Practice(2), Some(77)));
    assert_eq!(info.track.as_ref().and_then(|track| track.name.as_deref()), Some("Spa"));
    assert_eq!(drive.session.game(), Some("Assetto Corsa Competizione"));
    assert_eq!((drive.session.player(), drive.session.name(Car(3))), (Some(Car(3)), "Ada Lovelace".into()));
    let vehicle = drive.session.car(Car(3)).and_then(|car| car.vehicle.as_deref().cloned()).expect("a car");
    assert_eq!(vehicle.name.as_deref(), Some("Porsche 992 GT3 R"));
}

#[test]
fn laps_have_their_official_times_once_they_are_over() {
    let mut drive = Drive::new();
    let sectors = [Some(LapTime(3_000)), Some(LapTime(3_001)), Some(LapTime(4_006))];
    drive.lap(stamp(4, 0), 0, 10, LapSummary { sectors, ..timed(10_007) });
    assert_eq!(drive.figures(), [(0, 4, None, [Some(3_000), Some(3_001), None], String::new())]);
    drive.lap(stamp(5, 0), 10, 10, timed(10_007));
    let whole = [Some(3_000), Some(3_001), Some(4_006)];
    let expected = (0, 4, Some(10_007), whole, "valid".to_owned());
    assert_eq!(drive.figures()[0], expected);
    drive.over(stamp(5, 0), 20, 10, timed(10_007));
    // One that does not follow the lap before, and one without a time.
    drive.lap(stamp(9, 0), 100, 8, timed(8_000));
    drive.over(stamp(9, 0), 108, 100, timed(8_000));
    drive.lap(stamp(10, 0), 120, 7, LapSummary::default());
    drive.over(stamp(10, 0), 127, 120, LapSummary::default());
    let none = [None; 3];
    let valid = || "valid".to_owned();
    let rest = [
        (0, 5, Some(10_007), none, valid()),
        (0, 9, Some(8_000), none, valid()),
        (0, 10, None, none, "incomplete".to_owned()),
    ];
    assert_eq!(drive.figures()[1..], rest);
    let car = drive.session.car(Car(3)).expect("the car");
    let rows: Vec<usize> =
        car.laps.finished().iter().filter_map(|lap| Some(car.traces.lap(lap.serial)?.len())).collect();
    assert_eq!(rows, [100, 100, 80, 70]);
}

#[test]
fn laps_of_another_run_are_numbered_from_one_again() {
    let mut drive = Drive::new();
    drive.lap(stamp(1, 0), 0, 10, timed(10_000));
    drive.over(stamp(1, 0), 10, 0, timed(10_000));
    let again = Stamp { run: 1, ..stamp(1, 0) };
    drive.lap(again, 0, 9, timed(9_000));
    drive.over(again, 9, 0, timed(9_000));
    let figures: Vec<_> =
        drive.figures().into_iter().map(|(run, number, time, ..)| (run, number, time)).collect();
    assert_eq!(figures, [(0, 1, Some(10_000)), (1, 1, Some(9_000))]);
}

#[test]
fn remarks_on_a_lap_become_its_flags() {
    let check = |remark: Remark, flags: &str| {
        let mut drive = Drive::new();
        let summary = LapSummary { remarks: remark.bit(), ..timed(10_000) };
        drive.lap(stamp(2, 0), 0, 10, summary);
        drive.over(stamp(2, 0), 10, 0, summary);
        let (_, _, time, _, lap_flags) = drive.figures().remove(0);
        assert_eq!((time, lap_flags.as_str()), (Some(10_000), flags), "{remark:?}");
    };
    check(Remark::Invalid, "invalid");
    check(Remark::Out, "valid, out");
    check(Remark::In, "valid, in");
    check(Remark::Pit, "valid, pit");
    check(Remark::Rewound, "valid, rewound");
    check(Remark::Inferred, "inferred");
    check(Remark::Incomplete, "incomplete");
    check(Remark::Paused, "valid, paused");
    check(Remark::Excluded, "valid, excluded");
    check(Remark::Unconfirmed, "");
    check(Remark::Replay, "replay");
    check(Remark::Reset, "valid, reset");
    check(Remark::Rain, "valid, rain");
    let mut drive = Drive::new();
    let summary = LapSummary { remarks: Remark::Restarted.bit(), ..LapSummary::default() };
    drive.lap(stamp(2, 0), 0, 10, summary);
    drive.over(stamp(2, 0), 10, 0, summary);
    assert_eq!(drive.figures()[0].4, "incomplete, restarted");
}

#[test]
fn values_without_what_they_are_are_refused_in_words() {
    let mut drive = Drive::new();
    let refused = |outcome: Result<(), Rejected>| outcome.expect_err("a reason").to_string();
    let four = values(stamp(1, 5), [Some(1.0); 4].into_iter());
    assert!(refused(drive.take(&four)).contains("no packet before has named all"));
    let three = values(stamp(1, 5), [Some(1.0); 3].into_iter());
    assert!(refused(drive.take(&three)).contains("no earlier packet announces its lap"));
    let mut later = three.clone();
    later[4] = 2;
    assert!(refused(drive.take(&later)).contains("unknown packet version 2"));
    later[4..6].copy_from_slice(&[1, 9]);
    assert!(refused(drive.take(&later)).contains("unknown packet id 9"));
    assert!(refused(drive.take(&three[..three.len() - 1])).contains("wrong size"));
    let far = [channels(stamp(1, 0), &[Channel::Speed.slot()]).concat()].map(|mut packet| {
        packet[24..26].copy_from_slice(&5000_u16.to_le_bytes());
        packet
    });
    assert!(refused(drive.take(&far[0])).contains("more channels than there are"));
}

#[test]
fn channels_that_are_not_known_here_leave_the_others_their_places() {
    let mut drive = Drive::new();
    let mut packet = channels(stamp(1, 0), &CHANNELS.map(Channel::slot)).concat();
    // One has another unit, as in a later version.
    let at = packet.windows(5).position(|window| window == b"[m/s]").expect("the unit");
    packet[at..at + 5].copy_from_slice(b"[m/h]");
    drive.take(&packet).expect("channels");
    drive.lap(stamp(1, 0), 0, 1, timed(10_000));
    let latest = |channel| drive.session.car(Car(3)).and_then(|car| car.value(channel));
    assert_eq!((latest(Channel::Speed), latest(Channel::Gear)), (None, Some(4.0)));
}

#[test]
fn another_session_is_another_one() {
    let mut drive = Drive::new();
    drive.lap(stamp(1, 0), 0, 10, timed(10_000));
    let other = Stamp { session: 78, ..stamp(1, 0) };
    drive.take(&head(other, &Heading { driver: "Grace", ..HEADING })).expect("a head");
    assert_eq!(drive.session.name(Car(3)), "Grace");
    assert!(drive.session.car(Car(3)).is_none_or(|car| car.laps.finished().is_empty()));
}
