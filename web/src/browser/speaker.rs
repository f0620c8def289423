//! The device's loudspeaker and speech.

use leptos::prelude::window;
use trailbrake_shared::sounds::{RATE_HZ, Tone};
use wasm_bindgen::JsValue;
use web_sys::{AudioBuffer, AudioContext, AudioContextState, SpeechSynthesisUtterance};

use super::now_ms;

/// Plays tones at given times.
pub(crate) struct Speaker {
    context: AudioContext,
    short: AudioBuffer,
    long: AudioBuffer,
}

impl Speaker {
    /// Opens the loudspeaker. Browsers keep it silent until the user has touched the page.
    pub(crate) fn open() -> Result<Self, JsValue> {
        let context = AudioContext::new()?;
        let buffer = |tone: Tone| {
            let samples = tone.samples();
            let buffer = context.create_buffer(1, samples.len() as u32, RATE_HZ as f32)?;
            buffer.copy_to_channel(&samples, 0)?;
            Ok::<_, JsValue>(buffer)
        };
        let (short, long) = (buffer(Tone::Short)?, buffer(Tone::Long)?);
        Ok(Self { context, short, long })
    }

    /// Resumes the loudspeaker. Call it when the user touches the page.
    pub(crate) fn wake(&self) {
        if self.context.state() == AudioContextState::Suspended {
            // If the browser refuses, the next touch tries again.
            let _ = self.context.resume();
        }
    }

    /// Plays a tone at a time in milliseconds of the page; at once if that has passed.
    pub(crate) fn play(&self, tone: Tone, at_ms: f64) -> Result<(), JsValue> {
        let source = self.context.create_buffer_source()?;
        source.set_buffer(Some(match tone {
            Tone::Short => &self.short,
            Tone::Long => &self.long,
        }));
        source.connect_with_audio_node(&self.context.destination())?;
        let ahead_s = ((at_ms - now_ms()) / 1e3).max(0.0);
        source.start_with_when(self.context.current_time() + ahead_s)
    }
}

/// Speaks a sentence, if the device has a voice.
pub(crate) fn say(words: &str) {
    let spoken = || {
        let utterance = SpeechSynthesisUtterance::new_with_text(words)?;
        utterance.set_lang("en-GB");
        window().speech_synthesis()?.speak(&utterance);
        Ok::<_, JsValue>(())
    };
    // Without a voice the sentence is not spoken; nothing else depends on it.
    let _ = spoken();
}
