//! Laps as decoded MCAP: one topic per car with Protocol Buffers messages, so that Foxglove plots `/telemetry.speed`.

mod protobuf;

use trailbrake_model::{Axis, Car, Channel, Columns, Scope, Slot, Wheel};

use super::exported_lap::slots_of;
use super::{About, ExportedLap};
use crate::records::{
    self, Chunk, ChunkIndex, Header, MAGIC, MessageHeader, Metadata, MetadataIndex, Record, Schema,
    Statistics, put, put_metadata, put_summary,
};
use protobuf::{Kind, MessageKind, describe, put_bytes, put_double, put_float, put_whole};

/// A chunk is closed at this size, since readers decompress it as a whole.
const CHUNK: usize = 1 << 20;
/// The id of the file's only schema.
const SCHEMA: u16 = 1;
const ENCODING: &str = "protobuf";
const PACKAGE: &str = "trailbrake";
const MESSAGE: &str = "Telemetry";
/// Field numbers. A channel's number is [`FIRST_CHANNEL`] plus its index in the channel table.
const LAP: u64 = 1;
const CLOCK: u64 = 2;
const FIRST_CHANNEL: u64 = 16;

/// Writes laps in the given order.
pub fn write(laps: &[ExportedLap<'_>], about: &About) -> Vec<u8> {
    let fields = fields_of(laps);
    let mut cars: Vec<Car> = laps.iter().map(|lap| lap.car).collect();
    cars.sort_unstable();
    cars.dedup();
    let mut file = File::new(about, &fields, &cars);
    let mut message = Vec::new();
    for lap in laps {
        let channel = cars.binary_search(&lap.car).unwrap_or_default() as u16;
        for (row, seconds) in lap.columns.seconds().iter().enumerate() {
            let clock_s = seconds - lap.lap.began_s;
            message.clear();
            put_whole(&mut message, LAP, lap.lap.number.into());
            put_double(&mut message, CLOCK, clock_s);
            fields.iter().for_each(|field| field.put(lap.columns, row, &mut message));
            let nanos = lap.received.plus_seconds(clock_s).0.saturating_mul(1000);
            file.put_message(channel, nanos, &message);
        }
    }
    file.finish()
}

/// A file under construction.
struct File {
    out: Vec<u8>,
    chunk: Chunk,
    schema: Schema,
    channels: Vec<records::Channel>,
    metadata: Vec<MetadataIndex>,
    chunks: Vec<ChunkIndex>,
    /// Messages per channel.
    counts: Vec<u64>,
}

impl File {
    fn new(about: &About, fields: &[Field], cars: &[Car]) -> Self {
        let mut out = MAGIC.to_vec();
        let library = concat!("trailbrake ", env!("CARGO_PKG_VERSION")).to_owned();
        put(&mut out, &Header { profile: String::new(), library }, &[]);
        let metadata =
            [session(about), units(fields)].map(|metadata| put_metadata(&mut out, &metadata)).into();
        let schema = schema(fields);
        put(&mut out, &schema, &[]);
        let channel = |(id, car): (u16, &Car)| records::Channel {
            id,
            schema_id: SCHEMA,
            topic: if cars.len() == 1 { "/telemetry".to_owned() } else { format!("/car{}/telemetry", car.0) },
            message_encoding: ENCODING.to_owned(),
            metadata: Vec::new(),
        };
        let channels: Vec<records::Channel> = (0..).zip(cars).map(channel).collect();
        channels.iter().for_each(|channel| put(&mut out, channel, &[]));
        let counts = vec![0; channels.len()];
        Self { out, chunk: Chunk::default(), schema, channels, metadata, chunks: Vec::new(), counts }
    }

    fn put_message(&mut self, channel_id: u16, nanos: u64, message: &[u8]) {
        let Some(count) = self.counts.get_mut(usize::from(channel_id)) else { return };
        *count += 1;
        let sequence = *count as u32;
        let header = MessageHeader { channel_id, sequence, log_time: nanos, publish_time: nanos };
        self.chunk.add(&header, message);
        if self.chunk.len() >= CHUNK {
            self.end_chunk();
        }
    }

    fn end_chunk(&mut self) {
        let offset = self.out.len() as u64;
        let chunk = std::mem::take(&mut self.chunk);
        self.chunks.push(chunk.put_compressed(&mut self.out, offset));
    }

    fn finish(mut self) -> Vec<u8> {
        if self.chunk.len() > 0 {
            self.end_chunk();
        }
        let groups = [
            group(std::slice::from_ref(&self.schema)),
            group(&self.channels),
            group(&[self.statistics()]),
            group(&self.chunks),
            group(&self.metadata),
        ];
        put_summary(&mut self.out, 0, &groups);
        self.out
    }

    fn statistics(&self) -> Statistics {
        Statistics {
            message_count: self.counts.iter().sum(),
            schema_count: 1,
            channel_count: self.channels.len() as u32,
            metadata_count: self.metadata.len() as u32,
            chunk_count: self.chunks.len() as u32,
            message_start_time: self.chunks.iter().map(|chunk| chunk.message_start_time).min().unwrap_or(0),
            message_end_time: self.chunks.iter().map(|chunk| chunk.message_end_time).max().unwrap_or(0),
            channel_message_counts: (0..).zip(self.counts.iter().copied()).collect(),
            ..Statistics::default()
        }
    }
}

/// Encodes records of one kind, with their opcode.
fn group<R: Record>(all: &[R]) -> (u8, Vec<u8>) {
    let mut out = Vec::new();
    all.iter().for_each(|record| put(&mut out, record, &[]));
    (R::OP, out)
}

/// Metadata with the known session details.
fn session(About { game, venue, vehicle, session }: &About) -> Metadata {
    let known = [("game", game), ("track", venue), ("vehicle", vehicle), ("session", session)];
    let known = known.into_iter().filter(|(_, what)| !what.is_empty());
    let metadata = known.map(|(name, what)| (name.to_owned(), what.clone())).collect();
    Metadata { name: "session".to_owned(), metadata }
}

/// Metadata with the label and unit of each channel, for which a message description has no room.
fn units(fields: &[Field]) -> Metadata {
    let words = |Field { channel, .. }: &Field| match channel.unit().symbol() {
        Some(unit) => format!("{}, {unit}", channel.label()),
        None => channel.label().to_owned(),
    };
    let metadata = fields.iter().map(|field| (field.channel.id().to_owned(), words(field))).collect();
    Metadata { name: "channels".to_owned(), metadata }
}

/// A message field: a channel and its slots.
struct Field {
    channel: Channel,
    number: u64,
    slots: Vec<Slot>,
}

fn fields_of(laps: &[ExportedLap<'_>]) -> Vec<Field> {
    let mut channels: Vec<Channel> = slots_of(laps).into_iter().map(Slot::channel).collect();
    channels.dedup();
    channels.into_iter().map(Field::of).collect()
}

impl Field {
    fn of(channel: Channel) -> Self {
        let slots = match channel.scope() {
            Scope::Car => vec![channel.slot()],
            Scope::Wheels => Wheel::ALL.map(|wheel| channel.of(wheel)).to_vec(),
            Scope::Vector => Axis::ALL.map(|axis| channel.along(axis)).to_vec(),
        };
        Self { channel, number: FIRST_CHANNEL + channel as u64, slots }
    }

    /// Appends the values of a row; nothing if all are missing.
    fn put(&self, columns: &Columns, row: usize, message: &mut Vec<u8>) {
        let value = |slot: Slot| columns.value(slot, row).filter(|value| value.is_finite());
        if let ([slot], Scope::Car) = (self.slots.as_slice(), self.channel.scope()) {
            if let Some(value) = value(*slot) {
                put_float(message, self.number, value);
            }
            return;
        }
        let mut parts = Vec::new();
        for (number, slot) in (1..).zip(&self.slots) {
            if let Some(value) = value(*slot) {
                put_float(&mut parts, number, value);
            }
        }
        if !parts.is_empty() {
            put_bytes(message, self.number, &parts);
        }
    }

    fn kind(&self) -> Kind {
        match self.channel.scope() {
            Scope::Car => Kind::Float,
            Scope::Wheels => Kind::Message(WHEELS.0),
            Scope::Vector => Kind::Message(VECTOR.0),
        }
    }
}

/// The nested messages for channels with several slots; part names are in slot order.
const WHEELS: (&str, &[&str]) = ("Wheels", &["fl", "fr", "rl", "rr"]);
const VECTOR: (&str, &[&str]) = ("Vector", &["x", "y", "z"]);

/// The schema of the telemetry messages.
fn schema(fields: &[Field]) -> Schema {
    let own = [("lap", LAP, Kind::Whole), ("clock", CLOCK, Kind::Double)];
    let channels = fields.iter().map(|field| (field.channel.id(), field.number, field.kind()));
    let whole = MessageKind { name: MESSAGE, fields: own.into_iter().chain(channels).collect() };
    let parts = [WHEELS, VECTOR].map(|(name, parts)| {
        let fields = (1..).zip(parts).map(|(number, part)| (*part, number, Kind::Float));
        MessageKind { name, fields: fields.collect() }
    });
    let kinds: Vec<MessageKind> = [whole].into_iter().chain(parts).collect();
    Schema {
        id: SCHEMA,
        name: format!("{PACKAGE}.{MESSAGE}"),
        encoding: ENCODING.to_owned(),
        data: describe(PACKAGE, &kinds),
    }
}
