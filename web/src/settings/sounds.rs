//! The section for sounds and voice. Each kind is off by default.

use leptos::prelude::*;
use trailbrake_shared::sounds::{Sounds, Tone};

use crate::browser::{self, Speaker};
use crate::cockpit::{LEADS_MS, SoundChoices};
use crate::ui::Segments;

/// A kind of sound, with access to its setting.
struct Kind {
    name: &'static str,
    is_on: fn(Sounds) -> bool,
    set: fn(&mut Sounds, bool),
}

const KINDS: [Kind; 4] = [
    Kind {
        name: "Lap time and delta",
        is_on: |sounds| sounds.lap_times,
        set: |sounds, on| sounds.lap_times = on,
    },
    Kind {
        name: "Costliest corner of the lap",
        is_on: |sounds| sounds.costliest_corner,
        set: |sounds, on| sounds.costliest_corner = on,
    },
    Kind {
        name: "Corner names",
        is_on: |sounds| sounds.corner_names,
        set: |sounds, on| sounds.corner_names = on,
    },
    Kind {
        name: "Countdown to brake points",
        is_on: |sounds| sounds.countdown,
        set: |sounds, on| sounds.countdown = on,
    },
];

/// The sentence that a sample speaks.
const SAMPLE: &str = "1 minute 17.75, 0.21 slower. Turn 5 cost 0.12: braked 9 metres earlier.";

/// The section.
#[component]
pub(super) fn SoundSettings() -> impl IntoView {
    let sounds = SoundChoices::here();
    let countdown = move || sounds.sounds.get().countdown;
    view! {
        <section aria-label="Sounds and voice">
            <h2>"Sounds and voice"</h2>
            <p class="lead">
                "On this device, while Live shows your car. The voice speaks on straights only; three short tones and "
                "a long one count down to the reference lap's brake point."
            </p>
            {KINDS.iter().map(|kind| view! { <SoundChoice kind/> }).collect_view()}
            <Show when=countdown>
                <LeadChoice/>
            </Show>
            <p class="try">
                <button type="button" data-testid="try-sounds" on:click=move |_| try_sounds(sounds)>
                    "Play a sample"
                </button>
            </p>
        </section>
    }
    .into_any()
}

#[component]
fn SoundChoice(kind: &'static Kind) -> impl IntoView {
    let sounds = SoundChoices::here().sounds;
    let selected = Signal::derive(move || if (kind.is_on)(sounds.get()) { "on" } else { "off" });
    let choose = move |word: &'static str| sounds.update(|sounds| (kind.set)(sounds, word == "on"));
    view! { <Segments label=kind.name options=vec![("off", "Off"), ("on", "On")] selected on_select=choose/> }
}

/// The choice of how long before the brake point the long tone sounds.
#[component]
fn LeadChoice() -> impl IntoView {
    const NAMES: [(&str, &str); 5] =
        [("0", "At it"), ("100", "0.1 s"), ("200", "0.2 s"), ("300", "0.3 s"), ("500", "0.5 s")];
    let lead_ms = SoundChoices::here().lead_ms;
    let options = || LEADS_MS.iter().zip(NAMES);
    let chosen = move || options().find(|(lead, _)| **lead == lead_ms.get()).map_or("0", |(_, (id, _))| id);
    let choose = move |id: &'static str| {
        if let Some((lead, _)) = options().find(|(_, (name, _))| *name == id) {
            lead_ms.set(*lead);
        }
    };
    view! {
        <Segments
            label="Long tone before the brake point"
            options=NAMES.to_vec()
            selected=Signal::derive(chosen)
            on_select=choose
        />
    }
}

/// Plays a sample: the voice and the tones, each if it is switched on, or both if none is.
fn try_sounds(sounds: SoundChoices) {
    let sounds = sounds.sounds.get_untracked();
    if sounds.speaks() || !sounds.countdown {
        browser::say(SAMPLE);
    }
    if sounds.countdown || !sounds.speaks() {
        let now_ms = browser::now_ms();
        let tones = [(Tone::Short, 0.0), (Tone::Short, 500.0), (Tone::Short, 1000.0), (Tone::Long, 1500.0)];
        // Without a loudspeaker there are no tones.
        if let Ok(speaker) = Speaker::open() {
            for (tone, after_ms) in tones {
                let _ = speaker.play(tone, now_ms + 100.0 + after_ms);
            }
        }
    }
}
