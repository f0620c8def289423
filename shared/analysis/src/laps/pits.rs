//! Pit stops, which divide a car's laps into stints.

use trailbrake_model::{LapProgress, PitStatus};

/// A car's pit stops.
#[derive(Clone, Debug, Default)]
pub(super) struct Pits {
    /// Start of each stop at the box, and return to the track.
    stops: Vec<(f64, f64)>,
    /// Start of the current stop, until the car is back on the track.
    boxed: Option<f64>,
    /// When the car was first on the track.
    driven: Option<f64>,
}

impl Pits {
    /// The pit stops of a car in this stint, without the times of those before.
    pub(super) fn before(stint: u16) -> Self {
        let stops = usize::from(stint.saturating_sub(1));
        Self { stops: vec![(f64::NEG_INFINITY, f64::NEG_INFINITY); stops], ..Self::default() }
    }

    pub(super) fn take(&mut self, progress: &LapProgress) {
        match progress.pit {
            PitStatus::OnTrack => {
                let now = progress.moment.seconds();
                let driven = *self.driven.get_or_insert(now);
                self.stops.extend(self.boxed.take().filter(|_| driven < now).map(|boxed| (boxed, now)));
            }
            PitStatus::InPitArea => self.boxed = self.boxed.or(Some(progress.moment.seconds())),
            PitStatus::Pitting | PitStatus::Other(_) => {}
        }
    }

    pub(super) fn stint(&self) -> u16 {
        u16::try_from(self.stops.len()).unwrap_or(u16::MAX).saturating_add(1)
    }

    pub(super) fn go_back(&mut self, seconds: f64) {
        while let Some((boxed, _)) = self.stops.pop_if(|(_, left)| *left > seconds) {
            self.boxed = Some(boxed);
        }
        self.boxed = self.boxed.filter(|boxed| *boxed <= seconds);
        self.driven = self.driven.filter(|driven| *driven <= seconds);
    }
}
