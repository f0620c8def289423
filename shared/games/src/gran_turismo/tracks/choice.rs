//! Decides on which layout of a known track the car is: each is followed, and where they part, one of them misses the car.

use super::layouts::Layout;
use super::outline::{Point, apart};
use super::search::{BESIDE_M, ahead};

/// A car further beside an outline than this, in metres, has left it.
const LEFT_M: f32 = 40.0;
/// An outline that was left for longer than this, in metres, is searched again.
const AWAY_M: f32 = 60.0;
/// Distances beside two outlines that differ by less than this say nothing, and by more than the second everything,
/// metres.
const PARTED_M: [f32; 2] = [8.0, 24.0];
/// A layout is left once it missed the car for this long, in metres, more than another.
const MISSED_M: f32 = 45.0;
/// A car that comes back to a layout this much further on than it drove, in metres, drove another one meanwhile.
const JUMP_M: f32 = 250.0;
/// A car that was further from every layout than the first for longer than the second is on a layout that is not listed.
const ELSEWHERE_M: f32 = 80.0;
const UNLISTED_M: f32 = 250.0;
/// A car that was on no layout for longer than this, in metres, may be on another track.
const LOST_M: f32 = 1500.0;
/// What a layout has missed is remembered up to this many metres, so that a mistake is put right.
const MOST_MISSED_M: f32 = 1500.0;
/// A lap begins within this distance of its layout's line, metres.
const LINE_M: f32 = 100.0;

/// The layouts of a track, and how well they explain the path.
#[derive(Debug)]
pub(super) struct Choice {
    candidates: Vec<Candidate>,
    /// For how long the car has been far from all of them, metres.
    elsewhere_m: f32,
    /// For how much longer it has been on none of them than on one, metres.
    lost_m: f32,
    /// Whether it is on a layout of the track that is not listed.
    is_unlisted: bool,
    /// How often it has crossed the line since it was last far from all of them.
    lines_since: u8,
}

/// A layout in one direction.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    layout: usize,
    backwards: bool,
    /// The place on it; `None` while the car is not on it.
    at_m: Option<f32>,
    /// The last place on it and the metres driven since, unless the car was put elsewhere.
    left: Option<(f32, f32)>,
    /// For how long it missed the car where another layout did not, metres.
    missed_m: f32,
    /// Whether the lap began far from its line, where another layout's is.
    has_other_line: bool,
}

/// A layout that explains the path alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Chosen {
    /// The layout's index.
    pub(super) layout: usize,
    /// Whether it is driven against its direction.
    pub(super) is_reverse: bool,
}

impl Choice {
    /// All layouts of a track.
    pub(super) fn of(layouts: &[Layout], track: &str) -> Self {
        let own = (0..).zip(layouts).filter(|(_, layout)| layout.track == track);
        let both = own.flat_map(|(index, layout)| {
            let backwards = layout.has_reverse.then_some(true);
            [Some(false), backwards]
                .into_iter()
                .flatten()
                .map(move |backwards| Candidate::new(index, backwards))
        });
        Self { candidates: both.collect(), elsewhere_m: 0.0, lost_m: 0.0, is_unlisted: false, lines_since: 0 }
    }

    /// The car is put elsewhere on the track.
    pub(super) fn leave(&mut self) {
        for candidate in &mut self.candidates {
            (candidate.at_m, candidate.left) = (None, None);
        }
    }

    /// The car drove `moved_m` to `here`, on its way in a direction.
    pub(super) fn drive(&mut self, layouts: &[Layout], here: Point, way: Option<Point>, moved_m: f32) {
        let mut nearest_m = LEFT_M;
        let mut offs = Vec::with_capacity(self.candidates.len());
        for candidate in &mut self.candidates {
            let off_m = candidate.follow(layouts, here, way, moved_m).min(LEFT_M);
            nearest_m = nearest_m.min(off_m);
            offs.push(off_m);
        }
        if nearest_m >= LEFT_M {
            self.lost_m = (self.lost_m + moved_m).min(2.0 * LOST_M);
            let is_near = |candidate: &Candidate| {
                let outline = layouts.get(candidate.layout).map(|layout| &layout.outline);
                let near = outline.and_then(|outline| outline.nearest(here, 0.0..outline.length_m()));
                near.is_some_and(|place| place.off_m <= ELSEWHERE_M)
            };
            if !self.candidates.iter().any(is_near) {
                (self.elsewhere_m, self.lines_since) = (self.elsewhere_m + moved_m, 0);
                self.is_unlisted |= self.elsewhere_m > UNLISTED_M;
            }
            return;
        }
        self.lost_m = (self.lost_m - moved_m).max(0.0);
        self.elsewhere_m = 0.0;
        let [least_m, most_m] = PARTED_M;
        for (candidate, off_m) in self.candidates.iter_mut().zip(offs) {
            let parted = ((off_m - nearest_m - least_m) / (most_m - least_m)).clamp(0.0, 1.0);
            candidate.missed_m += moved_m * parted;
        }
        let least_missed_m = self.candidates.iter().map(|one| one.missed_m).fold(f32::MAX, f32::min);
        for candidate in &mut self.candidates {
            candidate.missed_m = (candidate.missed_m - least_missed_m).min(MOST_MISSED_M);
        }
    }

    /// A lap begins here. After a whole lap on a listed layout, what was far from all of them before was an excursion.
    pub(super) fn cross_line(&mut self, layouts: &[Layout], here: Point) {
        self.lines_since = self.lines_since.saturating_add(1);
        self.is_unlisted &= self.lines_since < 2;
        let is_here = |candidate: &Candidate| {
            layouts.get(candidate.layout).is_some_and(|layout| apart(layout.outline.start(), here) <= LINE_M)
        };
        let any = self.candidates.iter().any(is_here);
        for candidate in &mut self.candidates {
            candidate.has_other_line = any && !is_here(candidate);
        }
    }

    /// Whether the car may be on another track by now: it was on no layout for long.
    pub(super) fn is_lost(&self) -> bool {
        self.lost_m >= LOST_M
    }

    /// The only layout that is left, if the car is on a listed one.
    pub(super) fn chosen(&self) -> Option<Chosen> {
        let best =
            self.candidates.iter().min_by(|one, other| one.against_m().total_cmp(&other.against_m()))?;
        let misses = |other: &Candidate| other.against_m() > best.against_m() + MISSED_M;
        let is_alone = self.candidates.iter().all(|other| std::ptr::eq(other, best) || misses(other));
        (is_alone && !self.is_unlisted).then_some(Chosen { layout: best.layout, is_reverse: best.backwards })
    }
}

impl Candidate {
    fn new(layout: usize, backwards: bool) -> Self {
        Self { layout, backwards, at_m: None, left: None, missed_m: 0.0, has_other_line: false }
    }

    /// What speaks against it, in metres.
    fn against_m(&self) -> f32 {
        self.missed_m + if self.has_other_line { 1.5 * MISSED_M } else { 0.0 }
    }

    /// Follows the car; returns how far it is beside the outline.
    fn follow(&mut self, layouts: &[Layout], here: Point, way: Option<Point>, moved_m: f32) -> f32 {
        let Some(outline) = layouts.get(self.layout).map(|layout| &layout.outline) else { return f32::MAX };
        if let Some((_, driven_m)) = &mut self.left {
            *driven_m += moved_m;
        }
        if let Some(at_m) = self.at_m {
            let place = outline.nearest(here, ahead(at_m, self.backwards, moved_m));
            if let Some(place) = place {
                self.at_m = Some(place.at_m);
                if place.off_m <= LEFT_M {
                    self.left = Some((place.at_m, 0.0));
                } else if self.left.is_none_or(|(_, driven_m)| driven_m > AWAY_M) {
                    self.at_m = None;
                }
                return place.off_m;
            }
            self.at_m = None;
        }
        let Some(way) = way else { return f32::MAX };
        let [ahead, against] = outline.passing(here, way, BESIDE_M);
        let Some(place) = (if self.backwards { against } else { ahead }) else { return f32::MAX };
        if let Some((left_m, driven_m)) = self.left {
            let along_m = if self.backwards { left_m - place.at_m } else { place.at_m - left_m };
            let along_m = if outline.is_loop() { along_m.rem_euclid(outline.length_m()) } else { along_m };
            // The short way around: it may have been left and joined in the same place.
            let beyond_m = (along_m - driven_m).min(outline.length_m() - along_m);
            if beyond_m > JUMP_M {
                self.missed_m += beyond_m;
            }
        }
        self.at_m = Some(place.at_m);
        self.left = Some((place.at_m, 0.0));
        place.off_m
    }
}
