//! The two measuring cursors: lap distances between which the laps are measured.

mod moving;
mod panel;

pub(crate) use moving::MeasureStore;
pub(super) use panel::{MeasuredPanel, put, zoom};

/// Placing a cursor within this distance of where it is removes it, metres.
const SAME_M: f64 = 0.05;

/// The measuring cursors in metres from the line, first the one of the key I, then the one of the key O.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Measure {
    pub(crate) places_m: [Option<f64>; 2],
}

impl Measure {
    /// Places a cursor, or removes it if it is there already.
    pub(crate) fn drop(&mut self, which: usize, at_m: f64) {
        let there =
            self.places_m.get(which).copied().flatten().is_some_and(|place| (place - at_m).abs() < SAME_M);
        self.put(which, Some(at_m).filter(|_| !there));
    }

    /// Places a cursor; `None` removes it.
    pub(crate) fn put(&mut self, which: usize, at_m: Option<f64>) {
        if let Some(place) = self.places_m.get_mut(which) {
            *place = at_m;
        }
    }

    /// The area between the cursors, the end nearer to the line first; `None` until both are placed.
    pub(crate) fn area_m(&self) -> Option<(f64, f64)> {
        let [one, other] = self.places_m;
        let (one, other) = one.zip(other)?;
        Some((one.min(other), one.max(other)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_drop_at_the_same_place_takes_a_cursor_away() {
        let mut measure = Measure::default();
        measure.drop(0, 800.0);
        assert_eq!((measure.places_m, measure.area_m()), ([Some(800.0), None], None));
        measure.drop(1, 300.0);
        assert_eq!(measure.area_m(), Some((300.0, 800.0)));
        measure.drop(0, 900.0);
        assert_eq!(measure.area_m(), Some((300.0, 900.0)));
        measure.drop(0, 900.01);
        assert_eq!(measure.places_m, [None, Some(300.0)]);
    }
}
