//! The sounds that the driver chose on this device.

use leptos::prelude::*;
use trailbrake_shared::sounds::Sounds;

use crate::browser::{self, keys};

/// The stored word of each sound.
const WORDS: [&str; 4] = ["lap-times", "costliest-corner", "corner-names", "countdown"];
/// The offered leads of the long tone before the brake point, in milliseconds.
pub(crate) const LEADS_MS: [u16; 5] = [0, 100, 200, 300, 500];

/// The chosen sounds. Copies are handles to the same state.
#[derive(Clone, Copy)]
pub(crate) struct SoundChoices {
    /// The kinds of sounds that are on.
    pub(crate) sounds: RwSignal<Sounds>,
    /// How long before the brake point the long tone sounds, in milliseconds.
    pub(crate) lead_ms: RwSignal<u16>,
}

impl SoundChoices {
    /// The stored choices. Without any, all sounds are off. Stores every change as long as the page is open.
    pub(super) fn start() -> Self {
        let lead_ms = browser::kept(keys::BRAKE_LEAD).and_then(|kept| kept.parse().ok());
        let lead_ms = lead_ms.filter(|lead_ms| LEADS_MS.contains(lead_ms)).unwrap_or_default();
        let choices = Self {
            sounds: RwSignal::new(read(&browser::kept(keys::SOUNDS).unwrap_or_default())),
            lead_ms: RwSignal::new(lead_ms),
        };
        Effect::new(move |_| browser::keep(keys::SOUNDS, &write(choices.sounds.get())));
        Effect::new(move |_| browser::keep(keys::BRAKE_LEAD, &choices.lead_ms.get().to_string()));
        choices
    }

    /// The choices that the cockpit provided.
    pub(crate) fn here() -> Self {
        expect_context()
    }
}

fn read(words: &str) -> Sounds {
    let [lap_times, costliest_corner, corner_names, countdown] =
        WORDS.map(|word| words.split(',').any(|kept| kept == word));
    Sounds { lap_times, costliest_corner, corner_names, countdown }
}

fn write(sounds: Sounds) -> String {
    let Sounds { lap_times, costliest_corner, corner_names, countdown } = sounds;
    let on = WORDS.into_iter().zip([lap_times, costliest_corner, corner_names, countdown]);
    on.filter(|(_, is_on)| *is_on).map(|(word, _)| word).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_are_kept() {
        assert_eq!(read(""), Sounds::default());
        let some = Sounds { corner_names: true, countdown: true, ..Sounds::default() };
        assert_eq!(write(some), "corner-names,countdown");
        assert_eq!(read(&write(some)), some);
    }
}
