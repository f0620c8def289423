//! The dialog in which a driver types the official time of a lap whose file has none.

use leptos::ev::SubmitEvent;
use leptos::prelude::*;
use trailbrake_shared::time::LapTime;

use crate::cockpit::Playback;
use crate::ui::Dialog;

#[component]
pub(super) fn LapTimeDialog(on_close: Callback<()>) -> impl IntoView {
    let playback = Playback::here();
    let (typed, trouble) = (RwSignal::new(String::new()), RwSignal::new(""));
    let save = move |event: SubmitEvent| {
        event.prevent_default();
        match typed.with(|typed| typed.parse::<LapTime>()) {
            Ok(time) => {
                playback.set_lap_time(time);
                on_close.run(());
            }
            Err(_) => trouble.set("That is no lap time. Type it like 1:18.786."),
        }
    };
    view! {
        <Dialog label="Official lap time" keeps_open=true on_close>
            <form on:submit=save>
                <label class="named">
                    "Official lap time"
                    <input
                        autocomplete="off"
                        autofocus=true
                        inputmode="text"
                        placeholder="1:18.786"
                        data-testid="official-time"
                        on:input=move |event| typed.set(event_target_value(&event))
                    />
                </label>
                <p class="trouble" role="alert">{move || trouble.get()}</p>
                <div class="tools"><button class="primary">"Set"</button></div>
            </form>
        </Dialog>
    }
}
