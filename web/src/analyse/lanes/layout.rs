//! The lanes on screen with their order and heights, and numbered layouts of them; both as text.

use std::fmt::Write;
use std::ops::RangeInclusive;

use crate::analyse::Axis;

/// A lane's default height, and the allowed heights, per cent of the default.
const USUAL: u16 = 100;
pub(super) const HEIGHTS: RangeInclusive<u16> = 20..=500;

/// A lane on screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Strip {
    /// The lane's id in addresses.
    pub(crate) id: String,
    /// The lane's height, per cent of its default height.
    pub(crate) percent: u16,
}

/// A set of lanes that is saved under a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    /// The layout's number, 1 to 9.
    pub(crate) number: u8,
    pub(crate) name: String,
    pub(crate) axis: Axis,
    pub(super) strips: Vec<Strip>,
}

impl Strip {
    /// A lane of its default height.
    pub(crate) fn usual(id: &str) -> Self {
        Self { id: id.to_owned(), percent: USUAL }
    }

    fn read(text: &str) -> Self {
        let (id, percent) = text.split_once('~').unwrap_or((text, ""));
        let percent = percent.parse().unwrap_or(USUAL);
        Self { id: id.to_owned(), percent: percent.clamp(*HEIGHTS.start(), *HEIGHTS.end()) }
    }
}

/// Parses lanes from an address or the browser's storage. Ids are not checked; heights are clamped.
pub(crate) fn read(text: &str) -> Vec<Strip> {
    text.split(',').filter(|text| !text.is_empty()).map(Strip::read).collect()
}

/// Writes lanes for an address or the browser's storage: `speed,pedals~150`.
pub(crate) fn written(strips: &[Strip]) -> String {
    let mut text = String::new();
    for strip in strips {
        if !text.is_empty() {
            text.push(',');
        }
        text.push_str(&strip.id);
        if strip.percent != USUAL {
            // Writing into text never fails.
            let _ = write!(text, "~{}", strip.percent);
        }
    }
    text
}

impl Layout {
    /// Parses a line of the browser's storage; `None` if it is malformed.
    pub(super) fn read(line: &str) -> Option<Self> {
        let mut words = line.splitn(4, ' ');
        let number = words.next()?.parse().ok().filter(|number| (1..=9).contains(number))?;
        let axis = if words.next()? == "time" { Axis::Time } else { Axis::Distance };
        let strips = read(words.next()?);
        Some(Self { number, axis, strips, name: words.next()?.to_owned() })
    }

    /// A line for the browser's storage: number, axis, lanes, name.
    pub(super) fn written(&self) -> String {
        let axis = if self.axis == Axis::Time { "time" } else { "distance" };
        [&self.number.to_string(), axis, &written(&self.strips), &self.name].join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_and_heights_survive_being_written() {
        let text = "delta,speed~150,tyre_pressure_fl~40";
        let strips = read(text);
        assert_eq!(strips.len(), 3);
        assert_eq!((strips[1].id.as_str(), strips[1].percent), ("speed", 150));
        assert_eq!(written(&strips), text);
        // A height typed into the address must not hide a lane.
        let heights: Vec<u16> = read("a~0,b~9999,c~x,d~").iter().map(|strip| strip.percent).collect();
        assert_eq!(heights, [20, 500, 100, 100]);
        assert_eq!(read(""), []);
    }

    #[test]
    fn layouts_survive_being_written() {
        let layout = Layout {
            number: 3,
            name: "Braking zones".to_owned(),
            axis: Axis::Time,
            strips: read("speed,brake~200"),
        };
        assert_eq!(layout.written(), "3 time speed,brake~200 Braking zones");
        assert_eq!(Layout::read(&layout.written()), Some(layout));
        for line in ["", "0 time speed name", "12 time speed name", "3 time", "x distance speed name"] {
            assert_eq!(Layout::read(line), None, "{line}");
        }
    }
}
