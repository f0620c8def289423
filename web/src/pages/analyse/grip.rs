//! What mouse and fingers can take hold of in the lanes.

use super::lanes;
use crate::analyse::Analyse;

/// The mouse takes hold of what is within so many CSS pixels, a finger within more.
const MOUSE: f32 = 5.0;
const FINGER: f32 = 22.0;
/// Fingers take measuring cursors by what stands at their upper ends: elsewhere a finger moves the cursor.
const FLAG: f32 = 62.0;

/// Something to take hold of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Grip {
    /// One of the measuring cursors.
    Measure(usize),
}

impl Grip {
    /// What lies so many CSS pixels from the lanes' left and upper edges.
    pub(super) fn at(analyse: &Analyse, [x, y]: [f32; 2], touch: bool) -> Option<Self> {
        if x < lanes::gutter() || (touch && y > FLAG) {
            return None;
        }
        let reach = if touch { FINGER } else { MOUSE };
        let places = analyse.read(|state| state.measured());
        let off = |at: f64| lanes::css_of(at).map(|css| (css - x).abs()).filter(|off| *off <= reach);
        let near = places.into_iter().enumerate().filter_map(|(which, at)| Some((which, off(at?)?)));
        near.min_by(|one, other| one.1.total_cmp(&other.1)).map(|(which, _)| Self::Measure(which))
    }

    /// What the style sheet calls it, for the mouse's pointer.
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Measure(_) => "column",
        }
    }

    /// Moves it to a place.
    pub(super) fn drag(self, analyse: &Analyse, [x, _]: [f32; 2]) {
        match self {
            Self::Measure(which) => {
                let at_m = lanes::place_at(x).and_then(|at| analyse.read(|state| state.place_m(at)));
                if let Some(at_m) = at_m {
                    analyse.drag_measure(|measure| measure.put(which, Some(at_m)));
                }
            }
        }
    }

    /// Lets go of it.
    pub(super) fn release(self, analyse: &Analyse) {
        match self {
            Self::Measure(_) => analyse.measure(|_| ()),
        }
    }
}
