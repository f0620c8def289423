//! Recognises tracks by the path that the car drives, since the game does not name them: the track once the path is sure to
//! be on one, the layout once only one is left.

mod choice;
mod layouts;
mod outline;
mod search;

use std::collections::VecDeque;

use trailbrake_model::{Recognised, Track};

use choice::Choice;
use layouts::{LAYOUTS, Layout};
use outline::{Point, apart, heading};
use search::Search;

/// A path is followed in steps of at least this length, metres.
const STEP_M: f32 = 12.0;
/// A car that is this much further on than a step ago was put elsewhere, metres.
const PUT_M: f32 = 150.0;
/// The direction of a path is that of so many steps.
const WAY_STEPS: usize = 4;
/// The end of the name of a layout that is driven against the direction in which it is listed.
const REVERSE: &str = ", reverse";
/// Metres between the points of a layout's path.
const LISTED_STEP_M: f32 = 5.0;
/// Steps that are kept until the track is known.
const MOST_STEPS: usize = 400;

/// Recognises the track of a session.
#[derive(Debug)]
pub(super) struct Recogniser {
    layouts: &'static [Layout],
    search: Search,
    /// The ends of the last steps; `None` where the car was put elsewhere.
    steps: VecDeque<Option<Point>>,
    /// The track, once known, and which of its layouts it may be.
    track: Option<(&'static str, Choice)>,
    found: Option<FoundTrack>,
}

/// A recognised track.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FoundTrack {
    track: &'static str,
    layout: Option<FoundLayout>,
}

/// A recognised layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct FoundLayout {
    name: &'static str,
    /// Whether it is driven against the direction in which it is listed.
    is_reverse: bool,
}

impl Default for Recogniser {
    fn default() -> Self {
        Self::among(&LAYOUTS)
    }
}

impl Recogniser {
    fn among(layouts: &'static [Layout]) -> Self {
        let (search, steps) = (Search::default(), VecDeque::new());
        Self { layouts, search, steps, track: None, found: None }
    }

    /// What is recognised by now.
    pub(super) fn found(&self) -> Option<FoundTrack> {
        self.found
    }

    /// The car is put elsewhere on the track.
    pub(super) fn leave(&mut self) {
        self.search = Search::default();
        if let Some((_, choice)) = &mut self.track {
            choice.leave();
        }
        if self.steps.back().is_some_and(Option::is_some) {
            self.keep(None);
        }
    }

    /// A lap begins here.
    pub(super) fn cross_line(&mut self, here: Point) {
        self.search.cross_line(self.layouts);
        if let Some((_, choice)) = &mut self.track {
            choice.cross_line(self.layouts, here);
        }
        self.conclude();
    }

    /// The car is here now.
    pub(super) fn drive(&mut self, here: Point) {
        let moved_m = self.steps.back().copied().flatten().map(|last| apart(last, here));
        match moved_m {
            Some(moved_m) if moved_m < STEP_M => {}
            Some(moved_m) if moved_m <= PUT_M => {
                self.keep(Some(here));
                self.step(here, moved_m);
            }
            _ => {
                self.leave();
                self.keep(Some(here));
            }
        }
    }

    fn keep(&mut self, step: Option<Point>) {
        if self.steps.len() >= MOST_STEPS {
            self.steps.pop_front();
        }
        self.steps.push_back(step);
    }

    fn step(&mut self, here: Point, moved_m: f32) {
        if let Some((_, choice)) = &mut self.track {
            choice.drive(self.layouts, here, way(self.steps.iter().rev(), here), moved_m);
        }
        let is_lost = self.track.as_ref().is_none_or(|(_, choice)| choice.is_lost());
        if is_lost && let Some(track) = self.search.drive(self.layouts, here, moved_m) {
            self.search = Search::default();
            if self.track.as_ref().is_none_or(|(known, _)| *known != track) {
                self.track = Some((track, self.retrace(track)));
            }
        }
        self.conclude();
    }

    /// Takes over what the track and its choice say by now.
    fn conclude(&mut self) {
        self.found = self.track.as_ref().map(|(track, choice)| {
            let chosen = choice.chosen();
            let layout = chosen.and_then(|chosen| {
                let name = self.layouts.get(chosen.layout)?.name;
                Some(FoundLayout { name, is_reverse: chosen.is_reverse })
            });
            FoundTrack { track, layout }
        });
    }

    /// Which layouts of a track it may be after the steps so far.
    fn retrace(&self, track: &str) -> Choice {
        let mut choice = Choice::of(self.layouts, track);
        let mut last = None;
        for (count, step) in (1..).zip(&self.steps) {
            match (last, *step) {
                (Some(last), Some(here)) => {
                    let way = way(self.steps.iter().take(count).rev(), here);
                    choice.drive(self.layouts, here, way, apart(last, here));
                }
                (_, None) => choice.leave(),
                (None, Some(_)) => {}
            }
            last = *step;
        }
        choice
    }
}

impl FoundTrack {
    /// The track as facts have it.
    pub(super) fn fact(self) -> Track {
        let Self { track, layout } = self;
        let name = match layout {
            Some(FoundLayout { name, is_reverse: true }) => [name, REVERSE].concat(),
            Some(FoundLayout { name, .. }) => name.to_owned(),
            None => track.to_owned(),
        };
        let recognised = if layout.is_some() { Recognised::Layout } else { Recognised::Track };
        Track { id: track.to_owned(), name: Some(name), recognised: Some(recognised) }
    }
}

/// The path of a recognised layout: points of x and z in the order in which they are driven, and whether the last leads to
/// the first.
pub fn listed_path(track: &Track) -> Option<(Vec<Point>, bool)> {
    let name = track.layout().filter(|_| track.recognised == Some(Recognised::Layout))?;
    let (name, is_reverse) = name.strip_suffix(REVERSE).map_or((name, false), |name| (name, true));
    let layout = LAYOUTS.iter().find(|layout| layout.name == name)?;
    let outline = &layout.outline;
    let steps = (outline.length_m() / LISTED_STEP_M) as u32;
    let mut points: Vec<Point> = (0..steps).map(|step| outline.point(step as f32 * LISTED_STEP_M)).collect();
    if is_reverse {
        points.reverse();
    }
    Some((points, outline.is_loop()))
}

/// The direction of a path to `here` over its last steps, newest first.
fn way<'a>(steps: impl Iterator<Item = &'a Option<Point>>, here: Point) -> Option<Point> {
    let before = steps.take(WAY_STEPS + 1).map_while(|step| *step).last()?;
    heading(before, here)
}

#[cfg(test)]
mod tests;
