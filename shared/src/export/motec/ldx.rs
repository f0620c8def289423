//! Where laps end in a log: the `.ldx` file, which is XML, written and read.

use std::fmt;

use crate::export::ExportedLap;
use crate::laps::LapFlags;
use crate::model::SectorTimes;
use crate::time::LapTime;

/// More than this in no file that somebody drove.
const MOST_BEACONS: usize = 10_000;

/// What the details that Trailbrake writes of each lap are called.
const DETAIL: &str = "Trailbrake Lap ";

/// When the car crossed the line, and what is said of the laps.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ldx {
    /// In seconds from the log's beginning, in order.
    pub seconds: Vec<f64>,
    /// How many laps there are.
    pub laps: usize,
    /// The fastest that counts: which of the laps, counted from 1, and its time.
    pub fastest: Option<(usize, LapTime)>,
    /// What Trailbrake says of each lap; of other programs' files there is none.
    pub details: Vec<LapDetail>,
}

/// What is said of a lap besides where it ends.
#[derive(Clone, Debug, PartialEq)]
pub struct LapDetail {
    /// Its number.
    pub number: u16,
    /// Its official time.
    pub time: Option<LapTime>,
    /// Those of its sectors.
    pub sectors: SectorTimes,
    /// What else is to be said.
    pub flags: LapFlags,
}

/// Prints as in the file: `lap 4; time 90125; sectors 30000 30100 30025; valid`, in milliseconds.
impl fmt::Display for LapDetail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let millis = |time: Option<LapTime>| time.map_or_else(|| "-".to_owned(), |time| time.0.to_string());
        let Self { number, time, sectors, flags } = self;
        let sectors: Vec<String> = sectors.into_iter().map(millis).collect();
        write!(f, "lap {number}; time {}; sectors {}; {flags}", millis(*time), sectors.join(" "))
    }
}

impl LapDetail {
    fn read(text: &str) -> Option<Self> {
        let mut parts = text.split(';').map(str::trim);
        let number = parts.next()?.strip_prefix("lap ")?.parse().ok()?;
        let time = |millis: &str| millis.parse().ok().map(LapTime);
        let whole = time(parts.next()?.strip_prefix("time ")?);
        let sectors = parts.next()?.strip_prefix("sectors ")?.split(' ').map(time).collect();
        Some(Self { number, time: whole, sectors, flags: LapFlags::from_words(parts.next()?) })
    }
}

impl Ldx {
    /// What is written of laps that stand one behind the other.
    pub(super) fn of(laps: &[ExportedLap<'_>]) -> Self {
        let ends = laps.iter().scan(0.0, |at, lap| {
            *at += lap.seconds();
            Some(*at)
        });
        let counting = (1..).zip(laps).filter_map(|(nth, lap)| Some((nth, lap.lap.counts()?)));
        Self {
            seconds: [0.0].into_iter().chain(ends).collect(),
            laps: laps.len(),
            fastest: counting.min_by_key(|(_, time)| *time),
            details: laps.iter().map(LapDetail::of).collect(),
        }
    }

    /// Reads a file. What is no beacon and no word of Trailbrake's is passed over.
    pub fn read(text: &str) -> Self {
        let strings = tags(text, "<String ")
            .filter(|tag| attribute(tag, "Id").is_some_and(|id| id.starts_with(DETAIL)));
        let details = strings.filter_map(|tag| LapDetail::read(attribute(tag, "Value")?));
        let details = details.take(MOST_BEACONS).collect();
        let seconds = beacons(text);
        Self { laps: seconds.len().saturating_sub(1), seconds, details, fastest: None }
    }
}

impl LapDetail {
    fn of(lap: &ExportedLap<'_>) -> Self {
        let lap = lap.lap;
        Self { number: lap.number, time: lap.time, sectors: lap.sectors, flags: lap.flags }
    }
}

/// Prints as the file.
impl fmt::Display for Ldx {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "<?xml version=\"1.0\"?>")?;
        writeln!(f, "<LDXFile Locale=\"C\" DefaultLocale=\"C\" Version=\"1.6\">")?;
        writeln!(f, " <Layers>\n  <Layer>\n   <MarkerBlock>")?;
        writeln!(f, "    <MarkerGroup Name=\"Beacons\" Index=\"{}\">", self.seconds.len())?;
        for (nth, seconds) in (1..).zip(&self.seconds) {
            // In microseconds.
            let time = seconds * 1e6;
            writeln!(
                f,
                "     <Marker Version=\"100\" ClassName=\"BCN\" Name=\"Manual.{nth}\" Flags=\"77\" Time=\"{time:e}\"/>"
            )?;
        }
        writeln!(f, "    </MarkerGroup>\n   </MarkerBlock>\n   <RangeBlock/>\n  </Layer>\n  <Details>")?;
        writeln!(f, "   <String Id=\"Total Laps\" Value=\"{}\"/>", self.laps)?;
        if let Some((nth, time)) = self.fastest {
            let (minutes, millis) = (time.0 / 60_000, time.0 % 60_000);
            let (seconds, millis) = (millis / 1000, millis % 1000);
            writeln!(f, "   <String Id=\"Fastest Time\" Value=\"{minutes}:{seconds:02}.{millis:03}\"/>")?;
            writeln!(f, "   <String Id=\"Fastest Lap\" Value=\"{nth}\"/>")?;
        }
        for (nth, detail) in (1..).zip(&self.details) {
            writeln!(f, "   <String Id=\"{DETAIL}{nth}\" Value=\"{detail}\"/>")?;
        }
        writeln!(f, "  </Details>\n </Layers>\n</LDXFile>")
    }
}

/// The tags that begin like this, without their ends.
fn tags<'a>(text: &'a str, begin: &'a str) -> impl Iterator<Item = &'a str> {
    text.split(begin).skip(1).filter_map(|rest| rest.split('>').next())
}

/// The beacons of a file, in order.
fn beacons(text: &str) -> Vec<f64> {
    let beacons = tags(text, "<Marker ")
        .filter(|marker| attribute(marker, "ClassName").is_none_or(|class| class == "BCN"));
    let times = beacons.filter_map(|marker| attribute(marker, "Time")?.trim().parse::<f64>().ok());
    let mut seconds: Vec<f64> = times
        .map(|micros| micros / 1e6)
        .filter(|at| at.is_finite() && *at >= 0.0)
        .take(MOST_BEACONS)
        .collect();
    seconds.sort_by(f64::total_cmp);
    seconds
}

/// An attribute's value in a tag; numbers and names have nothing in them that XML would write in another way.
fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    let at = tag.match_indices(name).find(|(at, _)| {
        let before = tag.get(..*at).and_then(|before| before.chars().next_back());
        before.is_none_or(char::is_whitespace)
    })?;
    let rest = tag.get(at.0 + name.len()..)?.trim_start().strip_prefix('=')?.trim_start();
    let quote = rest.chars().next().filter(|quote| ['"', '\''].contains(quote))?;
    rest.get(1..)?.split(quote).next()
}
