//! Where the car was on the reference lap in the last seconds, to draw both at the same places.

use std::collections::VecDeque;

/// Places are kept for this long, seconds.
const KEPT_S: f64 = 15.0;

/// The car's places on the reference lap.
#[derive(Clone, Debug, Default)]
pub(super) struct Beside {
    /// The game's clock, seconds, and the place, metres from the start line. Behind the line places start again.
    places: VecDeque<(f64, f32)>,
    /// The clock of the lap under way at the newest place, seconds.
    clock_s: Option<f32>,
}

impl Beside {
    /// The places, oldest first: the game's clock, seconds, and metres from the start line.
    pub(super) fn places(&self) -> impl Iterator<Item = (f64, f32)> + '_ {
        self.places.iter().copied()
    }

    /// The newest place, if the car is still on the reference's path, with the clock of the lap under way.
    pub(super) fn now(&self) -> Option<(f64, f32, f32)> {
        let (seconds, place_m) = *self.places.back()?;
        Some((seconds, place_m, self.clock_s?))
    }

    /// Takes a place.
    pub(super) fn locate(&mut self, seconds: f64, place_m: f32, clock_s: f32) {
        while self.places.pop_back_if(|(later, _)| *later >= seconds).is_some() {}
        while self.places.pop_front_if(|(earlier, _)| *earlier < seconds - KEPT_S).is_some() {}
        self.places.push_back((seconds, place_m));
        self.clock_s = Some(clock_s);
    }

    /// The place is unknown.
    pub(super) fn lose(&mut self) {
        self.clock_s = None;
    }

    /// Another lap begins: its places are not known yet.
    pub(super) fn begin(&mut self) {
        self.clock_s = None;
    }

    /// Another reference, or another time.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }
}
