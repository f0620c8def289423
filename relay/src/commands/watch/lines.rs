//! Turns datagrams into lines.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use serde::Serialize;
use serde_json::{Map, Value, json};
use trailbrake_shared::feed::Feed;
use trailbrake_shared::games::Rejected;
use trailbrake_shared::model::{Argument, Car, Channel, Event, EventKind, Moment, Signal, Slot};
use trailbrake_shared::session::{LogEntry, Origin, Receiver, Session, Source, log_words};
use trailbrake_shared::time::{LapTime, Micros};
use trailbrake_shared::units::Units;
use trailbrake_shared::wire::Datagram;

use super::details::{self, Details};

/// Most reasons for rejections that are printed.
const MOST_COMPLAINTS: usize = 16;

/// What to print, and how.
#[derive(Clone, Copy, Debug)]
pub(super) struct LineOptions {
    /// One feed, or all.
    pub(super) feed: Option<Feed>,
    /// JSON objects, or text.
    pub(super) json: bool,
    /// Samples per second of every sender; `None` for events alone.
    pub(super) samples_per_s: Option<f64>,
}

/// Makes lines from datagrams.
pub(super) struct Lines {
    options: LineOptions,
    receiver: Receiver,
    progress: BTreeMap<Origin, SourceProgress>,
    complaints: BTreeSet<String>,
    new_complaints: Vec<String>,
}

/// What was printed of one sender.
#[derive(Clone, Copy, Debug)]
struct SourceProgress {
    since: Micros,
    /// The newest printed entry of its session's log.
    entry: u64,
    /// When its next sample is due.
    sample: Micros,
}

/// The start of every line.
#[derive(Serialize)]
struct Head<'a> {
    at: u64,
    feed: &'a str,
    sender: String,
    session_time: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    car: Option<Car>,
    #[serde(skip_serializing_if = "Option::is_none")]
    driver: Option<String>,
}

impl Lines {
    pub(super) fn new(options: LineOptions) -> Self {
        Self {
            options,
            receiver: Receiver::default(),
            progress: BTreeMap::new(),
            complaints: BTreeSet::new(),
            new_complaints: Vec::new(),
        }
    }

    /// Takes a datagram and appends its lines to `text`.
    pub(super) fn take(&mut self, datagram: &Datagram<'_>, text: &mut String) {
        let options = self.options;
        let Some(feed) = datagram.feed.filter(|feed| options.feed.is_none_or(|wanted| wanted == *feed))
        else {
            return;
        };
        let (mut signals, mut began) = (Vec::new(), false);
        let outcome = self.receiver.receive_with(datagram, &mut |event| match event.kind {
            EventKind::Signal { signal, value } => signals.push((event.clone(), signal, value)),
            EventKind::SessionStarted => began = true,
            _ => {}
        });
        if let Err(reason) = outcome {
            self.complain(feed, &reason);
        }
        let origin = Origin { feed, sender: datagram.sender };
        let sources = self.receiver.sources();
        self.progress.retain(|known, _| sources.iter().any(|source| source.origin == *known));
        let Some(source) = sources.iter().find(|source| source.origin == origin) else { return };
        let progress = self.progress.entry(origin).or_insert(SourceProgress {
            since: datagram.at,
            entry: 0,
            sample: datagram.at,
        });
        if began {
            progress.entry = 0;
        }
        let line = Line { options, source, since: progress.since };
        let mut entries: Vec<&LogEntry> =
            source.session.log().rev().take_while(|entry| entry.id > progress.entry).collect();
        entries.reverse();
        for entry in entries {
            progress.entry = entry.id;
            line.entry(entry, text);
        }
        for (event, signal, value) in &signals {
            line.signal(event, *signal, *value, text);
        }
        if let Some(rate) = options.samples_per_s.filter(|_| datagram.at >= progress.sample)
            && line.sample(text)
        {
            let next = progress.sample.plus_seconds(1.0 / rate);
            // After a silence no samples are caught up.
            progress.sample = if next > datagram.at { next } else { datagram.at.plus_seconds(1.0 / rate) };
        }
    }

    /// Reasons for rejections since the last call, each once.
    pub(super) fn complaints(&mut self) -> impl Iterator<Item = String> {
        std::mem::take(&mut self.new_complaints).into_iter()
    }

    fn complain(&mut self, feed: Feed, reason: &Rejected) {
        let complaint = format!("{}: {reason}", feed.id());
        if self.complaints.len() < MOST_COMPLAINTS && self.complaints.insert(complaint.clone()) {
            self.new_complaints.push(complaint);
        }
    }
}

/// What the lines of one datagram have in common.
struct Line<'a> {
    options: LineOptions,
    source: &'a Source<Session>,
    since: Micros,
}

impl Line<'_> {
    fn session(&self) -> &Session {
        &self.source.session
    }

    fn entry(&self, entry: &LogEntry, text: &mut String) {
        let says = log_words(self.session(), entry, Units::default());
        self.event(entry.car, entry.kind.name(), details::of(&entry.kind), &says, text);
    }

    fn signal(&self, event: &Event, signal: Signal, value: Option<i32>, text: &mut String) {
        let word = match (signal.argument(), value) {
            (Argument::Choice(channel), Some(number)) => {
                self.source.origin.feed.word(channel, number, self.session().info())
            }
            _ => None,
        };
        let says = match argument_in_words(signal.argument(), value, word.as_deref()) {
            Some(argument) => format!("{}: {argument}", signal.label()),
            None => signal.label().to_owned(),
        };
        let mut details: Details = vec![("value", json!(value))];
        details.extend(word.map(|word| ("word", Value::String(word))));
        self.event(event.car, signal.name(), details, &says, text);
    }

    fn event(&self, car: Option<Car>, name: &str, details: Details, says: &str, text: &mut String) {
        if self.options.json {
            let mut object = self.head(car);
            object.insert("event".to_owned(), json!(name));
            object.extend(details.into_iter().map(|(key, value)| (key.to_owned(), value)));
            object.insert("text".to_owned(), json!(says));
            return write_json(object, text);
        }
        let _ = writeln!(text, "{}  {name:<20}  {says}", self.clock());
    }

    /// Appends everything known about the car of interest; returns false, without a line, where nothing is known.
    fn sample(&self, text: &mut String) -> bool {
        let session = self.session();
        let Some((car, state)) = session.watched().and_then(|car| Some((car, session.car(car)?))) else {
            return false;
        };
        let values: Vec<(Slot, f32)> = (0..Slot::COUNT)
            .filter_map(Slot::from_index)
            .filter_map(|slot| Some((slot, state.latest.value(slot)?)))
            .collect();
        if values.is_empty() {
            return false;
        }
        let lap = state.progress().map(|progress| progress.lap);
        if self.options.json {
            let mut object = self.head(Some(car));
            object.insert("lap".to_owned(), json!(lap));
            let values = values.into_iter().map(|(slot, value)| (slot.id(), short(value)));
            object.insert("values".to_owned(), Value::Object(values.collect()));
            write_json(object, text);
            return true;
        }
        let value = |channel: Channel| state.value(channel);
        let percent = |channel: Channel| value(channel).map(|share| share * 100.0);
        let parts = [
            lap.map(|lap| format!("lap {lap:>2}")),
            value(Channel::Speed).map(|speed| format!("{:>3.0} km/h", speed * 3.6)),
            value(Channel::Gear).map(|gear| format!("gear {}", gear_in_words(gear as i32))),
            value(Channel::Rpm).map(|rpm| format!("{rpm:>5.0} rpm")),
            percent(Channel::Throttle).map(|throttle| format!("throttle {throttle:>3.0} %")),
            percent(Channel::Brake).map(|brake| format!("brake {brake:>3.0} %")),
            percent(Channel::Steering).map(|steering| format!("steering {steering:>+4.0} %")),
            value(Channel::LapDistance).map(|metres| format!("{metres:>6.0} m")),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        // Of a new car, only the position may be known.
        if parts.is_empty() {
            return false;
        }
        let _ = writeln!(text, "{}  {}", self.clock(), parts.join("  "));
        true
    }

    fn head(&self, car: Option<Car>) -> Map<String, Value> {
        let Moment { at, session_time, .. } = self.session().now();
        let Origin { feed, sender } = self.source.origin;
        let head = Head {
            at: at.0,
            feed: feed.id(),
            sender: sender.to_string(),
            session_time: session_time.map(|seconds| (seconds * 1e6).round() / 1e6),
            car,
            driver: car.map(|car| self.session().name(car)),
        };
        match serde_json::to_value(head) {
            Ok(Value::Object(head)) => head,
            _ => Map::new(),
        }
    }

    /// The game's clock where it sends one, else the time since its first packet; and the game, where all are printed.
    fn clock(&self) -> String {
        let now = self.session().now();
        let seconds = now.session_time.unwrap_or_else(|| now.at.seconds_since(self.since));
        let clock = LapTime((seconds.max(0.0) * 1e3) as u32).to_string();
        match self.options.feed {
            Some(_) => format!("{clock:>10}"),
            None => format!("{clock:>10}  {}", self.source.origin.feed.id()),
        }
    }
}

/// A signal's argument in words.
fn argument_in_words(argument: Argument, value: Option<i32>, word: Option<&str>) -> Option<String> {
    let value = value?;
    Some(match argument {
        Argument::Nothing => return None,
        Argument::Gear => gear_in_words(value),
        Argument::Switch => match value {
            0 => "off".to_owned(),
            1 => "on".to_owned(),
            _ => "unknown".to_owned(),
        },
        Argument::Pedal => format!("{} %", (f64::from(value) / 2.55).round()),
        Argument::Rpm => format!("{value} rpm"),
        Argument::Millis => LapTime(value.unsigned_abs()).to_string(),
        Argument::Percent => format!("{value} %"),
        Argument::Lap | Argument::Sector | Argument::Place => value.to_string(),
        Argument::Choice(_) => word.map_or_else(|| value.to_string(), str::to_owned),
    })
}

fn gear_in_words(gear: i32) -> String {
    match gear {
        ..0 => "R".to_owned(),
        0 => "N".to_owned(),
        _ => gear.to_string(),
    }
}

/// A number with the digits of single precision.
fn short(value: f32) -> Value {
    value.to_string().parse::<f64>().map_or(Value::Null, |value| json!(value))
}

fn write_json(object: Map<String, Value>, text: &mut String) {
    let _ = writeln!(text, "{}", Value::Object(object));
}

#[cfg(test)]
mod tests;
