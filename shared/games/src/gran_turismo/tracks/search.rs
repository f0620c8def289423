//! Finds the track: follows the outlines that the car may be on, until only those of one track explain its path.

use super::layouts::Layout;
use super::outline::{Point, apart, heading};

/// A car on a track is at most this far beside its outline, metres: half a road's width, and what the outline itself is
/// off.
pub(super) const BESIDE_M: f32 = 22.0;
/// How often the search looks for outlines to follow, in metres driven.
const LOOK_M: f32 = 60.0;
/// A car that was beside an outline for longer than this, in metres, is not on it.
const STRAY_M: f32 = 45.0;
/// A car further beside an outline than this, in metres, is not on it.
const LOST_M: f32 = 45.0;
/// Outlines are compared by their headings every so many metres.
const CHORD_M: f32 = 50.0;
/// What is sure needs this much evidence: this many metres followed are worth as much as a turn of a radian.
const SURE: f32 = 8.0;
const METRES_PER_RADIAN: f32 = 250.0;
/// A lap that begins where an outline's line is, within so many metres, is worth as much as this many radians.
const LINE_M: f32 = 20.0;
const LINE: f32 = 3.0;

/// The search for a track.
#[derive(Debug, Default)]
pub(super) struct Search {
    leads: Vec<Lead>,
    /// The path's point where it looked last, and metres driven since.
    looked: Option<(Point, f32)>,
}

/// An outline that the car may be on.
#[derive(Clone, Copy, Debug)]
struct Lead {
    /// The layout's index.
    layout: usize,
    backwards: bool,
    at_m: f32,
    /// How far it was followed, metres.
    followed_m: f32,
    /// How much it turned meanwhile, radians.
    turned: f32,
    /// Whether a lap began at its line.
    crossed_line: bool,
    /// How far the car has been beside it, metres.
    stray_m: f32,
    /// The outline's point and heading at the last chord.
    chord: (Point, Option<Point>),
}

impl Search {
    /// A lap begins here.
    pub(super) fn cross_line(&mut self, layouts: &[Layout]) {
        for lead in &mut self.leads {
            let length_m = layouts.get(lead.layout).map_or(0.0, |layout| layout.outline.length_m());
            let from_line_m = lead.at_m.min(length_m - lead.at_m);
            lead.crossed_line |= from_line_m <= LINE_M && !lead.backwards;
        }
    }

    /// The car drove `moved_m` to `here`. Returns the track that is sure.
    pub(super) fn drive(&mut self, layouts: &[Layout], here: Point, moved_m: f32) -> Option<&'static str> {
        self.leads.retain_mut(|lead| lead.follow(layouts, here, moved_m));
        let Some((from, driven_m)) = &mut self.looked else {
            self.looked = Some((here, 0.0));
            return None;
        };
        *driven_m += moved_m;
        if *driven_m >= LOOK_M {
            let from = *from;
            self.looked = Some((here, 0.0));
            if let Some(way) = heading(from, here) {
                self.look(layouts, here, way);
            }
        }
        self.sure(layouts)
    }

    /// Looks for outlines that pass here.
    fn look(&mut self, layouts: &[Layout], here: Point, way: Point) {
        for (index, layout) in layouts.iter().enumerate() {
            let places = layout.outline.passing(here, way, BESIDE_M);
            for (place, backwards) in places.into_iter().zip([false, true]) {
                let Some(place) = place else { continue };
                let known = self.leads.iter().any(|lead| {
                    (lead.layout, lead.backwards) == (index, backwards)
                        && apart(layout.outline.point(lead.at_m), layout.outline.point(place.at_m))
                            < 2.0 * BESIDE_M
                });
                if !known {
                    self.leads.push(Lead {
                        layout: index,
                        backwards,
                        at_m: place.at_m,
                        followed_m: 0.0,
                        turned: 0.0,
                        crossed_line: false,
                        stray_m: 0.0,
                        chord: (layout.outline.point(place.at_m), None),
                    });
                }
            }
        }
    }

    /// The track that the car is sure to be on, unless it may as well be on another.
    fn sure(&self, layouts: &[Layout]) -> Option<&'static str> {
        let sure = self.leads.iter().filter(|lead| lead.evidence() >= SURE);
        let best = sure.max_by(|one, other| one.evidence().total_cmp(&other.evidence()))?;
        let track = layouts.get(best.layout)?.track;
        let rival = |lead: &Lead| {
            layouts.get(lead.layout).is_none_or(|layout| layout.track != track)
                && lead.evidence() * 2.0 > best.evidence()
        };
        (!self.leads.iter().any(rival)).then_some(track)
    }
}

impl Lead {
    /// What speaks for it, in radians.
    fn evidence(&self) -> f32 {
        self.followed_m / METRES_PER_RADIAN + self.turned + if self.crossed_line { LINE } else { 0.0 }
    }

    /// Follows the outline; returns whether the car may still be on it.
    fn follow(&mut self, layouts: &[Layout], here: Point, moved_m: f32) -> bool {
        let Some(layout) = layouts.get(self.layout) else { return false };
        let Some(place) = layout.outline.nearest(here, ahead(self.at_m, self.backwards, moved_m)) else {
            return false;
        };
        let (from_m, to_m) = if self.backwards { (place.at_m, self.at_m) } else { (self.at_m, place.at_m) };
        let further_m = (to_m - from_m).rem_euclid(layout.outline.length_m().max(1.0));
        self.at_m = place.at_m;
        if place.off_m > LOST_M {
            return false;
        }
        if place.off_m > BESIDE_M {
            self.stray_m += moved_m;
            return self.stray_m <= STRAY_M;
        }
        self.stray_m = 0.0;
        // A car that turns on the spot comes no further.
        self.followed_m += moved_m.min(further_m);
        let point = layout.outline.point(self.at_m);
        let (last, before) = self.chord;
        if apart(last, point) >= CHORD_M {
            let now = heading(last, point);
            if let Some(([ax, az], [bx, bz])) = before.zip(now) {
                self.turned += (ax * bz - az * bx).atan2(ax * bx + az * bz).abs();
            }
            self.chord = (point, now);
        }
        true
    }
}

/// Where a car is on an outline after it has driven on: it goes on, perhaps through the outside of a hairpin.
pub(super) fn ahead(at_m: f32, backwards: bool, moved_m: f32) -> std::ops::Range<f32> {
    let reach_m = 2.0 * moved_m + 30.0;
    if backwards { at_m - reach_m..at_m } else { at_m..at_m + reach_m }
}
