//! The table of layouts.

use std::sync::LazyLock;

use super::outline::{Outline, Point};

/// The table; its head says what a line holds.
const TABLE: &str = include_str!("layouts.txt");

/// A layout of a track.
#[derive(Debug)]
pub(super) struct Layout {
    /// The track's name.
    pub(super) track: &'static str,
    /// The layout's name, which names the track, too.
    pub(super) name: &'static str,
    pub(super) outline: Outline,
    /// Whether the same layout may be driven against its direction.
    pub(super) has_reverse: bool,
}

/// All layouts; those of a track are neighbours.
pub(super) static LAYOUTS: LazyLock<Vec<Layout>> = LazyLock::new(read_all);

pub(super) fn read_all() -> Vec<Layout> {
    let mut track = "";
    let mut layouts = Vec::new();
    for line in TABLE.lines().filter(|line| !line.starts_with('#')) {
        match line.strip_prefix(' ') {
            Some(layout) => layouts.extend(read(track, layout)),
            None => track = line,
        }
    }
    layouts
}

fn read(track: &'static str, line: &'static str) -> Option<Layout> {
    let mut parts = line.split('\t');
    let (name, kind, numbers) = (parts.next()?, parts.next()?, parts.next()?);
    let mut points: Vec<Point> = Vec::new();
    let mut numbers = numbers.split(' ').filter_map(|number| number.parse::<f32>().ok());
    while let Some((x, z)) = numbers.next().zip(numbers.next()) {
        let [last_x, last_z] = points.last().copied().unwrap_or_default();
        points.push([last_x + x, last_z + z]);
    }
    let outline = Outline::new(&points, kind != "open");
    Some(Layout { track, name, outline, has_reverse: kind == "loop" })
}
