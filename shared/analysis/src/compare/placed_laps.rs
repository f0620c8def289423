//! Comparing in two steps: the laps are placed on one line, and what they did there is compared. Each takes about half of
//! the time, so that a page can draw in between.

use super::common_line::common_line;
use super::placed_pair::PlacedPair;
use super::{Comparison, NoComparison, OwnLine, STEP_M, StartLineShift};
use crate::coverage::PlacedCoverage;
use crate::laps::Lap;
use crate::ledger::{Ledger, LedgerChannels, LedgerLaps};
use crate::losses;
use crate::{
    Answer, Combo, Corner, CornerTable, Fingerprint, LapColumns, Method, PlacedLap, TrackBook, find_corners,
};

/// A lap whose median offset from the line is larger than this is on another track, metres.
const FAR_M: f64 = 40.0;

/// One of the compared laps.
#[derive(Clone, Copy, Debug)]
pub struct ComparedLap<'a> {
    /// The lap, with its official times.
    pub lap: &'a Lap,
    /// Its samples.
    pub columns: &'a LapColumns<'a>,
    /// Its track and car.
    pub combo: &'a Combo,
    /// The line that it drove, as far as that is learnt.
    pub own_line: &'a OwnLine,
}

/// A lap and its reference, placed on one line.
#[derive(Debug)]
pub struct PlacedLaps<'a> {
    laps: [&'a LapColumns<'a>; 2],
    /// The lap shifted to the reference's start line, if its own is elsewhere.
    begun: Option<LapColumns<'a>>,
    start_line_shift: Option<StartLineShift>,
    placed: [PlacedLap; 2],
    corners: Vec<Corner>,
    track: Option<Fingerprint>,
    sameness: Option<Answer>,
    in_metres: bool,
    began_m: [f64; 2],
    strangers: Option<NoComparison>,
}

impl<'a> PlacedLaps<'a> {
    /// Places a lap and its reference. Laps of different tracks are placed only if `anyway` is set.
    pub fn of(
        lap: &ComparedLap<'a>,
        reference: &ComparedLap<'a>,
        book: &TrackBook,
        anyway: bool,
    ) -> Result<Self, NoComparison> {
        let laps = [(lap.columns, lap.combo), (reference.columns, reference.combo)];
        Self::with_combos(laps, [lap.own_line, reference.own_line], book, anyway)
    }

    /// Places laps of whose track nothing is known. Their own lines are learnt, as far as they are not yet.
    pub(super) fn new(
        laps: [&'a LapColumns<'a>; 2],
        own_lines: [&OwnLine; 2],
        book: &TrackBook,
    ) -> Result<Self, NoComparison> {
        if laps.iter().any(|lap| lap.len() < 2) {
            return Err(NoComparison::Empty);
        }
        let common = common_line(laps, own_lines)?;
        let start_line_shift = common.as_ref().and_then(|common| common.start_line_shift);
        let [lap, reference] = laps;
        let begun = start_line_shift.map(|start_line_shift| start_line_shift.begun(lap));
        let in_order = [begun.as_ref().unwrap_or(lap), reference];
        let (placed, corners, track, in_metres) =
            match common.as_ref().and_then(|common| Some((common.place(in_order, own_lines)?, &common.line)))
            {
                Some((placed, line)) => {
                    for one in &placed {
                        near(one)?;
                    }
                    let found = find_corners(line);
                    let track = common.as_ref().filter(|common| common.is_track);
                    let track = track.map(|common| Fingerprint::of(&common.line));
                    let corners = match &track {
                        Some(track) => book.corners(track, found),
                        None => found,
                    };
                    (placed, corners, track, true)
                }
                None => {
                    let measured = PlacedPair::of(in_order)?;
                    let corners = measured.corners(in_order);
                    (measured.placed, corners, None, measured.in_metres)
                }
            };
        let sameness = common.as_ref().and_then(|common| common.answer);
        let began_m = common.map(|common| common.began_m).unwrap_or_default();
        Ok(Self {
            laps,
            begun,
            start_line_shift,
            placed,
            corners,
            track,
            sameness,
            in_metres,
            began_m,
            strangers: None,
        })
    }

    /// Places laps whose track and car may be known.
    pub(super) fn with_combos(
        laps: [(&'a LapColumns<'a>, &Combo); 2],
        own_lines: [&OwnLine; 2],
        book: &TrackBook,
        anyway: bool,
    ) -> Result<Self, NoComparison> {
        let [(lap, combo), (reference, other)] = laps;
        let laps = [lap, reference];
        let placed = match Self::new(laps, own_lines, book) {
            // Shapes are better evidence than names.
            Ok(placed) if placed.method() != Method::Position && combo.is_elsewhere(other) => {
                Err(NoComparison::OtherName)
            }
            placed => placed,
        };
        placed.or_else(|why| if anyway { Self::anyway(laps, why) } else { Err(why) })
    }

    /// Places laps by lap fraction that can't be placed on one line.
    pub(super) fn anyway(laps: [&'a LapColumns<'a>; 2], why: NoComparison) -> Result<Self, NoComparison> {
        if why == NoComparison::Empty {
            return Err(why);
        }
        let PlacedPair { placed, in_metres } = PlacedPair::of(laps).map_err(|_| why)?;
        Ok(Self {
            laps,
            begun: None,
            start_line_shift: None,
            placed,
            corners: Vec::new(),
            track: None,
            sameness: None,
            in_metres,
            began_m: [0.0; 2],
            strangers: Some(why),
        })
    }

    /// Compares what they did there.
    pub fn compare(self) -> Comparison {
        let method = self.method();
        let Self { laps: [lap, reference], begun, start_line_shift, placed, corners, .. } = self;
        let laps = [begun.as_ref().unwrap_or(lap), reference];
        let [one, other] = &placed;
        let [lap, reference] = laps;
        let table = |lap: &LapColumns<'_>, placed: &PlacedLap| CornerTable::of(lap, placed, &corners);
        let tables = [table(lap, one), table(reference, other)];
        let at = |place: f64| Some(one.clock_at(place)? - other.clock_at(place)?);
        let [own, best] = [one, other].map(PlacedCoverage::new);
        let received = |place: f64| Some(own.clock_at(place)? - best.clock_at(place)?);
        let (losses, straights) = losses::by_corner(&corners, &tables, one.length_m, &received);
        let length_m = one.length_m;
        let is_by_place = self.strangers.is_none();
        let ledger = if is_by_place {
            let channels = laps.map(LedgerChannels::of);
            Ledger::of(&LedgerLaps {
                channels: channels.each_ref(),
                placed: placed.each_ref(),
                tables: tables.each_ref(),
                losses: &losses,
                in_metres: self.in_metres,
            })
        } else {
            Ledger::default()
        };
        Comparison {
            method,
            residual_m: residual_m(&placed).filter(|_| is_by_place),
            length_m,
            in_metres: self.in_metres,
            delta: delta(laps, length_m, &at),
            minis: losses::by_mini_sector(length_m, &received),
            losses,
            ledger,
            straights: if is_by_place { straights } else { Vec::new() },
            track: self.track,
            sameness: self.sameness,
            corners,
            tables,
            placed,
            start_line_shift,
            strangers: self.strangers,
            began_m: self.began_m,
        }
    }

    fn method(&self) -> Method {
        let [one, other] = &self.placed;
        one.method.max(other.method)
    }
}

/// Compares a lap with a reference.
///
/// Both are placed on the line of the quicker one, so swapping them flips the sign of every delta and changes nothing
/// else. If one begins elsewhere, both are placed on the reference's line, and the lap is shifted to its start line.
pub fn compare(lap: &LapColumns<'_>, reference: &LapColumns<'_>) -> Result<Comparison, NoComparison> {
    let own_lines = [&OwnLine::default(), &OwnLine::default()];
    Ok(PlacedLaps::new([lap, reference], own_lines, &TrackBook::default())?.compare())
}

/// Like [`compare`], for laps whose track and car may be known, with the corners of a track book. Laps of different tracks
/// are compared only if `anyway` is set: by lap fraction, without corners and straights, since a corner of one lap is
/// nowhere on the other.
pub fn compare_combos(
    laps: [(&LapColumns<'_>, &Combo); 2],
    book: &TrackBook,
    anyway: bool,
) -> Result<Comparison, NoComparison> {
    let own_lines = [&OwnLine::default(), &OwnLine::default()];
    Ok(PlacedLaps::with_combos(laps, own_lines, book, anyway)?.compare())
}

/// Refuses a lap that is too far from the line.
fn near(placed: &PlacedLap) -> Result<(), NoComparison> {
    let mut far: Vec<f64> = placed.offset_m.iter().flatten().map(|offset| offset.abs()).collect();
    far.sort_by(f64::total_cmp);
    match far.get(far.len() / 2) {
        Some(middle) if *middle > FAR_M => Err(NoComparison::Far { metres: *middle }),
        _ => Ok(()),
    }
}

/// The larger residual of both laps. By speed, it is how far one lap was stretched to the length of the other, and
/// `None` if one of them has none.
fn residual_m([one, other]: &[PlacedLap; 2]) -> Option<f64> {
    let (of_one, of_other) = (one.residual_m, other.residual_m);
    if one.method.max(other.method) == Method::Speed {
        return of_one.zip(of_other).map(|(one, other)| one.max(other));
    }
    of_one.into_iter().chain(of_other).reduce(f64::max)
}

fn delta(laps: [&LapColumns<'_>; 2], length_m: f64, at: &dyn Fn(f64) -> Option<f64>) -> Vec<(f64, f64)> {
    let steps = (length_m / STEP_M).floor() as usize;
    let mut points: Vec<(f64, f64)> =
        (0..=steps).map(|step| step as f64 * STEP_M).filter_map(|place| Some((place, at(place)?))).collect();
    let [lap, reference] = laps;
    let last_m = points.last().map_or(f64::NEG_INFINITY, |(place, _)| *place);
    if let Some((time, best)) = lap.time.zip(reference.time)
        && last_m > length_m - 2.0 * STEP_M
    {
        while points.pop_if(|(place, _)| *place >= length_m).is_some() {}
        points.push((length_m, time.minus(best) as f64 / 1e3));
    }
    points
}
