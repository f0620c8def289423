//! The `.ldx` file: XML with the lap beacons of a log, written and read.

use std::fmt;

use trailbrake_analysis::laps::LapFlags;
use trailbrake_model::SectorTimes;
use trailbrake_model::time::LapTime;

use crate::export::ExportedLap;

/// No real log has more.
const MOST_BEACONS: usize = 10_000;

/// Prefix of the ids of the lap details that Trailbrake writes.
const DETAIL: &str = "Trailbrake Lap ";

/// The beacons of a log, and details of its laps.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ldx {
    /// Beacons in seconds from the start of the log, ascending.
    pub seconds: Vec<f64>,
    /// The number of laps.
    pub laps: usize,
    /// The fastest counted lap: its number in the log, from 1, and its time.
    pub fastest: Option<(usize, LapTime)>,
    /// Trailbrake's details of each lap; empty in other programs' files.
    pub details: Vec<LapDetail>,
}

/// Details of a lap besides its end.
#[derive(Clone, Debug, PartialEq)]
pub struct LapDetail {
    /// The lap number.
    pub number: u16,
    /// The official time.
    pub time: Option<LapTime>,
    /// The official sector times.
    pub sectors: SectorTimes,
    /// The lap's flags.
    pub flags: LapFlags,
}

/// Prints as in the file, in milliseconds: `lap 4; time 90125; sectors 30000 30100 30025; valid`.
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
    /// Describes laps that follow one another directly.
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

    /// Reads a file. Everything but beacons and Trailbrake's lap details is ignored.
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

/// Prints the whole file.
impl fmt::Display for Ldx {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "<?xml version=\"1.0\"?>")?;
        writeln!(f, "<LDXFile Locale=\"C\" DefaultLocale=\"C\" Version=\"1.6\">")?;
        writeln!(f, " <Layers>\n  <Layer>\n   <MarkerBlock>")?;
        writeln!(f, "    <MarkerGroup Name=\"Beacons\" Index=\"{}\">", self.seconds.len())?;
        for (nth, seconds) in (1..).zip(&self.seconds) {
            // Microseconds.
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

/// The tags with this opening, without their closing bracket.
fn tags<'a>(text: &'a str, begin: &'a str) -> impl Iterator<Item = &'a str> {
    text.split(begin).skip(1).filter_map(|rest| rest.split('>').next())
}

/// The beacons of a file in seconds, sorted.
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

/// An attribute's value in a tag. Numbers and names need no XML unescaping.
fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    let at = tag.match_indices(name).find(|(at, _)| {
        let before = tag.get(..*at).and_then(|before| before.chars().next_back());
        before.is_none_or(char::is_whitespace)
    })?;
    let rest = tag.get(at.0 + name.len()..)?.trim_start().strip_prefix('=')?.trim_start();
    let quote = rest.chars().next().filter(|quote| ['"', '\''].contains(quote))?;
    rest.get(1..)?.split(quote).next()
}
