//! Converts packets to the model. A lap's times are known from its first packet on, but are sent to the sink when a
//! game would send them: at the end of the sector or lap.

use std::collections::BTreeMap;

use trailbrake_model::time::{LapTime, Micros};
use trailbrake_model::{
    Car, Channel, DriverStatus, Event, EventKind, Fact, LapProgress, LapRemarks, Moment, Participant,
    PitStatus, ResultStatus, Sample, SectorTimes, SessionInfo, SessionKind, Sink, Slot, Track, Vehicle,
};

use super::GAME;
use super::layout::{Head, Header, Lap, Values, texts};
use super::packet::{Kind, Packet, Remark};
use crate::table::ONLY_VERSION;
use crate::{Decode, Rejected};

/// A limit far above the number of channels that exist.
const MOST_CHANNELS: usize = 1024;

/// Decodes the packets of imported laps.
#[derive(Default)]
pub struct Decoder {
    session: Option<u32>,
    cars: BTreeMap<u8, CarLaps>,
    /// The values of the current packet; kept to reuse the allocation.
    values: Vec<(Slot, f32)>,
}

/// The state of one car.
#[derive(Default)]
struct CarLaps {
    /// The last head packet without its header. Head packets are repeated.
    head: Vec<u8>,
    name: String,
    /// The names in each packet of channels, by the index of its first channel.
    named: BTreeMap<u16, Vec<u8>>,
    /// The slots of the values, in their order; `None` for unknown names.
    channels: Vec<Option<Slot>>,
    lap: Option<OpenLap>,
    run: Option<u8>,
    /// The official time of the previous lap.
    official: Option<LapTime>,
}

/// The current lap.
#[derive(Clone, Copy)]
struct OpenLap {
    run: u8,
    number: u16,
    began_us: u64,
    time: Option<LapTime>,
    sectors: SectorTimes,
    remarks: u16,
    /// The number of rows received.
    rows: u32,
}

impl Decode for Decoder {
    fn receive(&mut self, at: Micros, datagram: &[u8], sink: &mut dyn Sink) -> Result<(), Rejected> {
        let packet = Packet::read(datagram)?;
        let header = packet.header();
        let moment = Moment { at, session_time: Some(header.time_us as f64 / 1e6), frame: None };
        if self.session != Some(header.session) {
            (self.session, self.cars) = (Some(header.session), BTreeMap::new());
            sink.event(Event { moment, car: None, kind: EventKind::SessionStarted });
        }
        match &packet {
            Packet::Head(head) => {
                self.head(head, datagram, moment, sink);
                Ok(())
            }
            Packet::Channels(packet) => {
                self.cars.entry(header.car).or_default().channels(packet.first, packet.names)
            }
            Packet::Lap(lap) => {
                self.cars.entry(header.car).or_default().lap(lap, moment, sink);
                Ok(())
            }
            Packet::Values(values) => self.values(values, moment, sink),
        }
    }
}

impl Decoder {
    fn head(&mut self, head: &Head, datagram: &[u8], moment: Moment, sink: &mut dyn Sink) {
        // A head packet is new only if something after its header differs.
        let content = datagram.get(Header::size(ONLY_VERSION)..).unwrap_or_default();
        let car = Car(head.header.car);
        let driven = self.cars.entry(car.0).or_default();
        if driven.head == content {
            return;
        }
        content.clone_into(&mut driven.head);
        driven.name = head.driver.read();
        let known = |text: String| Some(text).filter(|text| !text.is_empty());
        if let Some(game) = known(head.game.read()) {
            sink.fact(moment, Fact::Game(game));
        }
        if head.player != 0 {
            sink.fact(moment, Fact::Player(Some(car)));
        }
        let info = SessionInfo {
            uid: Some(head.header.session.into()),
            kind: SessionKind::from_words(&head.occasion.read()),
            track: known(head.track.read()).map(|track| Track::named(&track, "")),
            ..SessionInfo::default()
        };
        sink.fact(moment, Fact::Session(Box::new(info)));
        let everyone = self.cars.iter().map(|(car, driven)| Participant {
            car: Car(*car),
            name: driven.name.clone(),
            ..Participant::default()
        });
        sink.fact(moment, Fact::Participants(everyone.collect()));
        if let Some(name) = known(head.vehicle.read()) {
            let vehicle = Vehicle { name: Some(name), ..Vehicle::default() };
            sink.fact(moment, Fact::Vehicle(car, Box::new(vehicle)));
        }
    }

    fn values(
        &mut self,
        Values { header, values }: &Values<'_>,
        moment: Moment,
        sink: &mut dyn Sink,
    ) -> Result<(), Rejected> {
        let driven = self.cars.entry(header.car).or_default();
        if driven.channels.len() < values.all().count() {
            return Err(bad(Kind::Values, "no packet before has named all of its channels"));
        }
        let known = driven.channels.iter().zip(values.all());
        let known = known.filter_map(|(slot, value)| Some(((*slot)?, value.read())));
        self.values.clear();
        self.values.extend(known.filter(|(_, value)| value.is_finite()));
        let car = Car(header.car);
        sink.sample(&Sample { car, moment, values: &self.values });
        let value = |channel: Channel| {
            let found = self.values.iter().find(|(slot, _)| *slot == channel.slot());
            found.map(|(_, value)| *value)
        };
        let Some(lap) = driven.lap.as_mut().filter(|lap| lap.is(header)) else {
            return Err(bad(Kind::Values, "no earlier packet announces its lap"));
        };
        lap.rows = lap.rows.saturating_add(1);
        sink.progress(&LapProgress {
            distance: value(Channel::LapDistance),
            total_distance: value(Channel::TotalDistance),
            last_lap: driven.official,
            ..lap.progress(car, moment)
        });
        Ok(())
    }
}

impl CarLaps {
    fn channels(&mut self, first: u16, names: &[u8]) -> Result<(), Rejected> {
        if self.named.get(&first).is_some_and(|known| known == names) {
            return Ok(());
        }
        let mut unnamed = false;
        for (place, name) in (usize::from(first)..).zip(texts(names)) {
            if place >= MOST_CHANNELS {
                return Err(bad(Kind::Channels, "it names more channels than there are"));
            }
            let slot = name.and_then(Slot::headed);
            // Unknown names, from a later version, are skipped. If a channel is named twice, the first one counts.
            let slot = slot.filter(|slot| {
                let first = self.channels.iter().position(|other| other == &Some(*slot));
                first.is_none_or(|first| first == place)
            });
            unnamed |= name.is_none();
            if self.channels.len() <= place {
                self.channels.resize(place + 1, None);
            }
            if let Some(channel) = self.channels.get_mut(place) {
                *channel = slot;
            }
        }
        self.named.insert(first, names.to_vec());
        if unnamed { Err(bad(Kind::Channels, "a name in it is no text")) } else { Ok(()) }
    }

    fn lap(&mut self, lap: &Lap, moment: Moment, sink: &mut dyn Sink) {
        let (header, car) = (&lap.header, Car(lap.header.car));
        if self.run.is_some_and(|run| run != header.run) {
            sink.event(Event { moment, car: Some(car), kind: EventKind::Restarted });
            self.official = None;
        }
        self.run = Some(header.run);
        let time = |millis: u32| (millis > 0).then_some(LapTime(millis));
        let open_lap = OpenLap {
            run: header.run,
            number: header.lap,
            began_us: lap.began_us,
            time: time(lap.time_ms),
            sectors: sectors(time(lap.time_ms), lap.sectors_ms.map(time)),
            remarks: lap.remarks,
            rows: 0,
        };
        let before = self.lap.filter(|before| !before.is(header));
        // Where one lap directly follows another, the new lap's number ends the previous one.
        self.official = before.and_then(|before| before.time).or(self.official);
        let rows = self.lap.filter(|same| same.is(header)).map(|same| same.rows);
        self.lap = Some(OpenLap { rows: rows.unwrap_or_default(), ..open_lap });
        let begins = rows.is_none() && header.time_us == lap.began_us;
        if begins && !open_lap.has(Remark::Incomplete) {
            let progress = LapProgress { last_lap: self.official, ..open_lap.progress(car, moment) };
            sink.progress(&progress);
        }
        if lap.over != 0 {
            self.end(open_lap, car, moment, sink);
        }
    }

    /// Ends a lap that no other lap directly follows.
    fn end(&mut self, lap: OpenLap, car: Car, moment: Moment, sink: &mut dyn Sink) {
        self.lap = None;
        let Some(time) = lap.time else {
            let restarted = lap.has(Remark::Restarted);
            let kind = if restarted { EventKind::Restarted } else { EventKind::SessionEnded };
            sink.event(Event { moment, car: Some(car), kind });
            return;
        };
        self.official = Some(time);
        sink.progress(&LapProgress {
            lap: lap.number.saturating_add(1),
            clock: Some(0.0),
            last_lap: Some(time),
            sector: 0,
            sectors: SectorTimes::default(),
            invalid: false,
            remarks: LapRemarks::default(),
            driver: DriverStatus::OnTrack,
            pit: PitStatus::OnTrack,
            result: ResultStatus::Finished,
            ..lap.progress(car, moment)
        });
    }
}

impl OpenLap {
    fn is(&self, header: &Header) -> bool {
        (self.run, self.number) == (header.run, header.lap)
    }

    fn has(&self, remark: Remark) -> bool {
        self.remarks & remark.bit() != 0
    }

    /// The progress that a game would send at this moment of the lap.
    fn progress(&self, car: Car, moment: Moment) -> LapProgress {
        let clock_s = moment.seconds() - self.began_us as f64 / 1e6;
        let mut over_s = 0.0;
        let mut sectors = self.sectors;
        for sector in sectors.iter_mut() {
            over_s += sector.map_or(f64::INFINITY, LapTime::seconds);
            *sector = sector.filter(|_| clock_s >= over_s);
        }
        // The last sector ends with the lap.
        sectors.complete(None);
        // Remarks on the whole lap are sent at one moment each, chosen so that they do not end the lap early.
        let (driver, pit) = match self.rows {
            0 if self.has(Remark::Out) => (DriverStatus::OutLap, PitStatus::OnTrack),
            1 if self.has(Remark::Pit) => (DriverStatus::OnTrack, PitStatus::Pitting),
            2.. if self.has(Remark::In) => (DriverStatus::InLap, PitStatus::OnTrack),
            _ => (DriverStatus::OnTrack, PitStatus::OnTrack),
        };
        LapProgress {
            car,
            moment,
            lap: self.number,
            clock: Some(clock_s as f32),
            sector: sectors.iter().flatten().count() as u8,
            sectors,
            inferred: self.has(Remark::Inferred),
            invalid: self.has(Remark::Invalid),
            remarks: LapRemarks {
                incomplete: self.has(Remark::Incomplete),
                rewound: self.has(Remark::Rewound),
                paused: self.has(Remark::Paused),
                excluded: self.has(Remark::Excluded),
                unconfirmed: self.has(Remark::Unconfirmed),
                replay: self.has(Remark::Replay),
                reset: self.has(Remark::Reset),
                rain: self.has(Remark::Rain),
            },
            driver,
            pit,
            ..LapProgress::default()
        }
    }
}

/// The sector times. A packet has room for three sectors; if they add up to less than the lap, there is a fourth.
fn sectors(lap: Option<LapTime>, three: [Option<LapTime>; 3]) -> SectorTimes {
    let sum = three.iter().try_fold(0, |sum: u32, time| Some(sum.saturating_add((*time)?.0)));
    let [first, second, third] = three;
    match sum {
        Some(sum) if lap.is_none_or(|lap| lap.0 > sum) => [first, second, third, None].into(),
        _ => three.into(),
    }
}

fn bad(kind: Kind, what: &str) -> Rejected {
    Rejected::BadContent { game: GAME, packet: kind.name(), what: what.to_owned() }
}
