//! Takes laps out of a recording as a clip, a small recording of its own.

use std::ops::Range;

use trailbrake_analysis::KnownTrack;
use trailbrake_games::feed::Feed;
use trailbrake_games::{Anonymise, OtherCars};
use trailbrake_model::time::Micros;
use trailbrake_model::{Car, EventKind, Participant};
use trailbrake_session::{LogEntry, LogKind, ReportedLap};

use super::authored::{self, AuthoredKind};
use super::clip_name::clip_name;
use super::facts::{EventLog, Info, Labels, LapTable, RecordingId, Timeline, Traffic};
use super::{LapRow, Packet, Packets, Reading, Recording, SessionSummary, Writer};

/// Time included before each lap: what a decoder needs to recognise the lap.
const LEAD_US: u64 = 3_000_000;
/// Time included behind it: the official lap time arrives late.
const TRAIL_US: u64 = 2_000_000;

/// Reads the packets of some laps and writes them.
#[derive(Debug)]
pub struct Trim {
    /// The time ranges still to be read, the first one last.
    left: Vec<Packets>,
    writer: Writer,
    info: Info,
    next: u64,
    /// The cars of the laps.
    cars: Vec<Car>,
    others: OtherCars,
    /// Whether a packet differs from what was received, or was dropped.
    changed: bool,
}

impl Trim {
    /// A clip of some laps. It has its own id and names the recording as its parent.
    pub fn new(recording: &Recording, laps: &[LapRow], others: OtherCars, id: RecordingId) -> Self {
        let mut cars: Vec<Car> = laps.iter().map(|row| row.car).collect();
        cars.sort_unstable();
        cars.dedup();
        Self::keeping(recording, laps, cars, others, id)
    }

    /// A clip of some laps that keeps these cars.
    pub(super) fn keeping(
        recording: &Recording,
        laps: &[LapRow],
        cars: Vec<Car>,
        others: OtherCars,
        id: RecordingId,
    ) -> Self {
        let times = stretches(laps);
        let before = recording.info();
        let has_others = Feed::from_id(&before.feed).is_none_or(|feed| feed.leave_out().is_some());
        let info = Info {
            id,
            parent: Some(before.id),
            created: times.first().map_or(before.created, |time| time.start),
            others_left_out: before.others_left_out || has_others && others != OtherCars::Kept,
            ..before.clone()
        };
        let mut trim = Self {
            left: times.iter().rev().map(|time| recording.packets(time.clone())).collect(),
            writer: Writer::new(&info),
            info,
            next: 0,
            cars,
            others,
            changed: false,
        };
        trim.take_facts(recording, laps, &times);
        trim
    }

    /// Sets the clip's own labels.
    pub fn label(&mut self, at: Micros, labels: &Labels) {
        self.writer.write_last(at, labels);
    }

    /// Sets the driver's names for the track and its corners.
    pub fn know_track(&mut self, at: Micros, track: &KnownTrack) {
        self.writer.write_last(at, track);
    }

    /// Bytes of the recording that are still to be read.
    pub fn bytes_left(&self) -> u64 {
        self.left.iter().map(Packets::bytes_left).sum()
    }

    /// Whether no packet has been written so far: without other people, nothing may be left.
    pub fn is_empty(&self) -> bool {
        self.next == 0
    }

    /// Whether a packet differs from what was received, or was dropped, because other people are left out.
    pub fn has_changed_packets(&self) -> bool {
        self.changed
    }

    /// The bytes of the clip since the last call.
    pub fn bytes(&mut self) -> Vec<u8> {
        self.writer.bytes()
    }

    /// The number of bytes of a clip without packets.
    pub(super) fn fact_bytes(mut self) -> u64 {
        let beginning = self.bytes().len();
        (beginning + self.finish().len()) as u64
    }

    /// The clip's last bytes, once nothing more is needed.
    pub fn finish(mut self) -> Vec<u8> {
        if self.changed && !self.info.others_left_out {
            // Packets of an unknown feed came between those of a game that sends nobody else.
            let info = Info { others_left_out: true, ..self.info };
            self.writer.write_last(info.created, &info);
        }
        self.writer.finish()
    }

    fn take_facts(&mut self, recording: &Recording, laps: &[LapRow], times: &[Range<Micros>]) {
        let facts = recording.facts();
        let at = recording.info().created;
        let within = |at: &Micros| times.iter().any(|time| time.contains(at));
        let mut laps = laps.to_vec();
        laps.sort_by_key(|row| (row.session, row.car, row.lap.serial));
        let LapTable { decoder, sessions, reported, .. } = recording.laps();
        let sessions = sessions.iter().map(|session| self.without_others(session.clone())).collect();
        let stays = |lap: &&ReportedLap| self.others != OtherCars::LeftOut || self.cars.contains(&lap.car);
        let reported = reported.iter().filter(stays).copied().collect();
        self.writer.write_last(at, &LapTable { decoder: *decoder, sessions, laps: laps.clone(), reported });
        // A fact that can't be read is dropped.
        if let Ok(Some(mut timeline)) = facts.get::<Timeline>() {
            timeline.marks.retain(|mark| within(&mark.at));
            self.writer.write_last(at, &timeline);
        }
        if let Ok(Some(mut log)) = facts.get::<EventLog>() {
            log.events.retain(|event| within(&event.entry.at) && self.keeps(&event.entry));
            self.writer.write_last(at, &log);
        }
        if let Ok(Some(mut traffic)) = facts.get::<Traffic>() {
            traffic.close.retain(|close| within(&close.from));
            self.writer.write_last(at, &traffic);
        }
        if let Ok(Some(session)) = facts.get::<SessionSummary>() {
            self.writer.write_last(at, &self.without_others(session));
        }
        let tags = facts.get::<Labels>().ok().flatten().unwrap_or_default().tags;
        self.writer.write_last(at, &Labels { name: Some(clip_name(facts, None, &laps)), tags });
        if let Ok(Some(track)) = facts.get::<KnownTrack>() {
            self.writer.write_last(at, &track);
        }
        // A task is about a corner, which every lap has.
        let stays = |name: &str| match AuthoredKind::of(name) {
            Some(AuthoredKind::Note) => {
                authored::moment(name, AuthoredKind::Note).is_some_and(|at| within(&at))
            }
            Some(AuthoredKind::Task) => true,
            None => false,
        };
        for (name, stored) in facts.iter().filter(|(name, _)| stays(name)) {
            self.writer.write_now(name, stored.clone());
        }
    }

    /// Whether an entry concerns nobody who is left out.
    fn keeps(&self, entry: &LogEntry) -> bool {
        if self.others == OtherCars::Kept {
            return true;
        }
        let is_words =
            matches!(&entry.kind, LogKind::Game(EventKind::Chat { .. } | EventKind::Command { .. }));
        !is_words && entry.car.is_none_or(|car| self.cars.contains(&car))
    }

    /// The session with what stays of drivers whose laps are not taken.
    fn without_others(&self, mut session: SessionSummary) -> SessionSummary {
        let is_other = |entry: &Participant| !self.cars.contains(&entry.car);
        match self.others {
            OtherCars::Kept => return session,
            OtherCars::Nameless => {
                for entry in session.participants.iter_mut().filter(|entry| is_other(entry)) {
                    (entry.name, entry.guid) = (String::new(), None);
                }
            }
            OtherCars::LeftOut => session.participants.retain(|entry| !is_other(entry)),
        }
        session.result = session.result.filter(|result| self.cars.contains(&result.car));
        session
    }

    fn take(&mut self, mut packet: Packet) {
        if self.others != OtherCars::Kept {
            let leave_out = Feed::from_id(&packet.feed).map(Feed::leave_out);
            let given = match leave_out {
                Some(Some(Anonymise { others })) => {
                    let received = if self.changed { None } else { Some(packet.bytes.clone()) };
                    let given = others(&mut packet.bytes, &self.cars, self.others);
                    self.changed |= received.is_some_and(|received| received != packet.bytes);
                    given
                }
                // The feed sends data of the driver only.
                Some(None) => true,
                // An unknown feed may contain anything, so its packets are dropped.
                None => false,
            };
            if !given {
                self.changed = true;
                return;
            }
        }
        packet.number = self.next;
        self.next += 1;
        self.writer.keep(packet);
    }
}

/// The time ranges of the laps, in order; overlapping ones are joined.
fn stretches(laps: &[LapRow]) -> Vec<Range<Micros>> {
    let time =
        |row: &LapRow| Micros(row.from.0.saturating_sub(LEAD_US))..Micros(row.to.0.saturating_add(TRAIL_US));
    let mut times: Vec<Range<Micros>> = laps.iter().map(time).collect();
    times.sort_by_key(|time| time.start);
    let mut joined: Vec<Range<Micros>> = Vec::new();
    for time in times {
        match joined.last_mut().filter(|last| time.start <= last.end) {
            Some(last) => last.end = last.end.max(time.end),
            None => joined.push(time),
        }
    }
    joined
}

/// The time that a clip of some laps holds, in microseconds.
pub(super) fn duration_us(laps: &[LapRow]) -> u64 {
    stretches(laps).iter().map(|time| time.end.0.saturating_sub(time.start.0)).sum()
}

impl Reading for Trim {
    fn needs(&self) -> Option<Range<u64>> {
        self.left.iter().rev().find_map(Packets::needs)
    }

    fn give(&mut self, bytes: &[u8]) {
        while self.left.pop_if(|packets| packets.needs().is_none()).is_some() {}
        let Some(packets) = self.left.last_mut() else { return };
        packets.give(bytes);
        for packet in packets.take() {
            self.take(packet);
        }
    }
}
