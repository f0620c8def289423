//! Laps as decoded MCAP: a topic for each channel, whose messages are JSON, so that Foxglove plots `/speed.value`.

use std::collections::BTreeMap;
use std::io::Cursor;

use mcap::records::{MessageHeader, Metadata};
use mcap::{McapError, WriteOptions, Writer};

use super::driven::slots_of;
use super::{About, DrivenLap};
use crate::model::{Axis, Channel, Columns, Scope, Wheel};

/// Writes laps, in the order in which they are given.
pub fn write(laps: &[DrivenLap<'_>], about: &About) -> Result<Vec<u8>, McapError> {
    let library = concat!("trailbrake ", env!("CARGO_PKG_VERSION"));
    let options = WriteOptions::new().compression(None).library(library);
    let mut file = File { writer: options.create(Cursor::new(Vec::new()))?, sequence: 0 };
    file.describe(about)?;
    let mut topics: BTreeMap<String, u16> = BTreeMap::new();
    let first = laps.first().map(|lap| lap.car);
    let alone = laps.iter().all(|lap| Some(lap.car) == first);
    let channels = channels_of(laps);
    for lap in laps {
        let prefix = if alone { String::new() } else { format!("/car{}", lap.car.0) };
        let lap_topic = file.topic(&mut topics, &format!("{prefix}/lap"), &Shape::lap())?;
        let mut shapes = Vec::new();
        for channel in &channels {
            let shape = Shape::of(*channel);
            let topic = file.topic(&mut topics, &format!("{prefix}/{}", channel.id()), &shape)?;
            shapes.push((*channel, topic, shape));
        }
        for (row, seconds) in lap.columns.seconds().iter().enumerate() {
            let clock = seconds - lap.lap.began_s;
            let nanos = (lap.received.plus_seconds(clock).0).saturating_mul(1000);
            file.say(lap_topic, nanos, &format!("{{\"number\":{},\"clock\":{clock:.6}}}", lap.lap.number))?;
            for (channel, topic, shape) in &shapes {
                if let Some(message) = shape.message(lap.columns, *channel, row) {
                    file.say(*topic, nanos, &message)?;
                }
            }
        }
    }
    file.writer.finish()?;
    Ok(file.writer.into_inner().into_inner())
}

fn channels_of(laps: &[DrivenLap<'_>]) -> Vec<Channel> {
    let mut channels: Vec<Channel> = slots_of(laps).into_iter().map(|slot| slot.channel()).collect();
    channels.dedup();
    channels
}

struct File {
    writer: Writer<Cursor<Vec<u8>>>,
    sequence: u32,
}

impl File {
    fn describe(&mut self, About { game, venue, vehicle, session }: &About) -> Result<(), McapError> {
        let known = [("game", game), ("track", venue), ("vehicle", vehicle), ("session", session)];
        let known = known.into_iter().filter(|(_, what)| !what.is_empty());
        let metadata = known.map(|(name, what)| (name.to_owned(), what.clone())).collect();
        self.writer.write_metadata(&Metadata { name: "session".to_owned(), metadata })
    }

    /// The number of a topic, which is declared when it is first asked for.
    fn topic(
        &mut self,
        known: &mut BTreeMap<String, u16>,
        name: &str,
        shape: &Shape,
    ) -> Result<u16, McapError> {
        if let Some(id) = known.get(name) {
            return Ok(*id);
        }
        let schema = self.writer.add_schema(&shape.name, "jsonschema", shape.schema().as_bytes())?;
        let id = self.writer.add_channel(schema, name, "json", &BTreeMap::new())?;
        known.insert(name.to_owned(), id);
        Ok(id)
    }

    fn say(&mut self, channel_id: u16, nanos: u64, json: &str) -> Result<(), McapError> {
        self.sequence = self.sequence.wrapping_add(1);
        let (sequence, log_time, publish_time) = (self.sequence, nanos, nanos);
        let header = MessageHeader { channel_id, sequence, log_time, publish_time };
        self.writer.write_to_known_channel(&header, json.as_bytes())
    }
}

/// What the messages of a topic look like: numbers under names.
struct Shape {
    name: String,
    about: String,
    fields: Vec<&'static str>,
}

impl Shape {
    fn lap() -> Self {
        let about = "The lap's number, and seconds since it began".to_owned();
        Self { name: "trailbrake.lap".to_owned(), about, fields: vec!["number", "clock"] }
    }

    fn of(channel: Channel) -> Self {
        let fields = match channel.scope() {
            Scope::Car => vec!["value"],
            Scope::Wheels => Wheel::ALL.iter().map(|wheel| field_of(*wheel)).collect(),
            Scope::Vector => vec!["x", "y", "z"],
        };
        let about = match channel.unit().symbol() {
            Some(unit) => format!("{}, {unit}", channel.label()),
            None => channel.label().to_owned(),
        };
        Self { name: format!("trailbrake.{}", channel.id()), about, fields }
    }

    /// The JSON schema. Nothing in it is anybody's text but ours.
    fn schema(&self) -> String {
        let field = |field: &&str| format!("\"{field}\":{{\"type\":\"number\"}}");
        let fields: Vec<String> = self.fields.iter().map(field).collect();
        let Self { name, about, .. } = self;
        format!(
            "{{\"title\":\"{name}\",\"description\":\"{about}\",\"type\":\"object\",\"properties\":{{{}}}}}",
            fields.join(",")
        )
    }

    /// What was sent of a channel in a row; `None` where that is nothing.
    fn message(&self, columns: &Columns, channel: Channel, row: usize) -> Option<String> {
        let slots = match channel.scope() {
            Scope::Car => vec![channel.slot()],
            Scope::Wheels => Wheel::ALL.iter().map(|wheel| channel.of(*wheel)).collect(),
            Scope::Vector => [Axis::X, Axis::Y, Axis::Z].map(|axis| channel.along(axis)).to_vec(),
        };
        let sent = self.fields.iter().zip(slots).filter_map(|(field, slot)| {
            let value = columns.value(slot, row).filter(|value| value.is_finite())?;
            Some(format!("\"{field}\":{value}"))
        });
        let sent: Vec<String> = sent.collect();
        (!sent.is_empty()).then(|| format!("{{{}}}", sent.join(",")))
    }
}

fn field_of(wheel: Wheel) -> &'static str {
    match wheel {
        Wheel::FrontLeft => "fl",
        Wheel::FrontRight => "fr",
        Wheel::RearLeft => "rl",
        Wheel::RearRight => "rr",
    }
}
