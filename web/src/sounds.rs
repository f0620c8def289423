//! Speaks announcements and plays the countdown tones of the live session.

use leptos::prelude::*;
use trailbrake_shared::sounds::{Announcer, Countdown};

use crate::browser::{self, Speaker};
use crate::cockpit::{Display, SoundChoices, TelemetryStore};
use crate::frame::{self, Phase};

/// The voice and tones of this page.
#[derive(Default)]
struct Player {
    announcer: Announcer,
    countdown: Countdown,
    /// The loudspeaker; opened when the driver turns the countdown on.
    speaker: Option<Speaker>,
    /// The telemetry's generation. When it changes, announcer and countdown start over.
    generation: u32,
}

/// Follows the live session as long as the page is open.
pub(crate) fn start() {
    let (telemetry, display, choices) = (TelemetryStore::here(), Display::here(), SoundChoices::here());
    let player = StoredValue::new_local(Player::default());
    Effect::new(move |_| {
        if choices.sounds.get().countdown {
            player.update_value(Player::open);
        }
    });
    // Browsers allow sound only after a touch or a key.
    for listener in [
        window_event_listener_untyped("pointerdown", move |_| player.update_value(Player::wake)),
        window_event_listener_untyped("keydown", move |_| player.update_value(Player::wake)),
    ] {
        std::mem::forget(listener);
    }
    let frames = frame::on(Phase::Stores, move |_| {
        player.update_value(|player| player.follow(telemetry, display, choices))
    });
    // Never dropped: the subscription lasts as long as the page is open.
    std::mem::forget(frames);
}

impl Player {
    fn open(&mut self) {
        if self.speaker.is_none() {
            // Without a loudspeaker there are no tones.
            self.speaker = Speaker::open().ok();
        }
    }

    fn wake(&mut self) {
        if let Some(speaker) = &self.speaker {
            speaker.wake();
        }
    }

    fn follow(&mut self, telemetry: TelemetryStore, display: Display, choices: SoundChoices) {
        let sounds = choices.sounds.get_untracked();
        let lead_s = f64::from(choices.lead_ms.get_untracked()) / 1e3;
        let units = display.units.get_untracked();
        let now_ms = browser::now_ms();
        let (words, onsets) = telemetry.look(|telemetry| {
            if self.generation != telemetry.generation() {
                self.generation = telemetry.generation();
                (self.announcer, self.countdown) = Default::default();
            }
            let Some(session) = telemetry.session() else { return (None, Vec::new()) };
            let arrived_s = telemetry.arrived_ms() / 1e3;
            let words = self.announcer.follow(session, sounds, &units);
            let onsets = match sounds.countdown {
                true => self.countdown.follow(session, arrived_s, now_ms / 1e3, lead_s),
                false => Vec::new(),
            };
            (words, onsets)
        });
        if let Some(words) = words {
            browser::say(&words);
        }
        if let Some(speaker) = &self.speaker {
            for onset in onsets {
                // The device may refuse one tone and play the next.
                let _ = speaker.play(onset.tone, onset.at_s * 1e3);
            }
        }
    }
}
