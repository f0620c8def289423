//! Where laps end in a log: the `.ldx` file, which is XML, written and read.

use std::fmt;

use crate::export::DrivenLap;
use crate::time::LapTime;

/// More than this in no file that somebody drove.
const MOST_BEACONS: usize = 10_000;

/// When the car crossed the line, and the best of the laps.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Beacons {
    /// In seconds from the log's beginning, in order.
    pub seconds: Vec<f64>,
    /// How many laps there are.
    pub laps: usize,
    /// The fastest that counts: which of the laps, counted from 1, and its time.
    pub fastest: Option<(usize, LapTime)>,
}

impl Beacons {
    /// The beacons of laps that stand one behind the other.
    pub(super) fn of(laps: &[DrivenLap<'_>]) -> Self {
        let ends = laps.iter().scan(0.0, |at, lap| {
            *at += lap.seconds();
            Some(*at)
        });
        let counting = (1..).zip(laps).filter_map(|(nth, lap)| Some((nth, lap.lap.counts()?)));
        Self {
            seconds: [0.0].into_iter().chain(ends).collect(),
            laps: laps.len(),
            fastest: counting.min_by_key(|(_, time)| *time),
        }
    }
}

/// Prints as the file.
impl fmt::Display for Beacons {
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
        writeln!(f, "  </Details>\n </Layers>\n</LDXFile>")
    }
}

/// The beacons of an `.ldx` file, in order. What is not a beacon is passed over.
pub fn read_ldx(text: &str) -> Vec<f64> {
    let markers = text.split("<Marker ").skip(1).filter_map(|rest| rest.split('>').next());
    let beacons = markers.filter(|marker| attribute(marker, "ClassName").is_none_or(|class| class == "BCN"));
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
