//! The laps of the car that is shown: the one under way on top, then back in time. Of a recording that plays they are
//! all there from the beginning, each a link to where it begins.

use leptos::prelude::*;
use trailbrake_shared::session::Session;

use super::why_missing;
use crate::browser;
use crate::cockpit::Cockpit;
use crate::figures::{NONE, clock, delta};
use crate::laps::{self as rows, Row};
use crate::show::Show;
use crate::telemetry::Telemetry;

/// The panel.
pub(super) fn laps() -> impl IntoView {
    let cockpit = Cockpit::here();
    let running = cockpit.sampled(|telemetry| telemetry.session().and_then(read_running));
    let listed = cockpit.sampled(move |telemetry| {
        let session = telemetry.session();
        let recorded = cockpit.replay(|replay| rows::of_recording(replay, session)).flatten();
        recorded.unwrap_or_else(|| session.map(rows::of_session).unwrap_or_default())
    });
    // The address of the lap that is played now.
    let here = cockpit.sampled(move |telemetry| {
        cockpit.replay(|replay| replay.link_here(telemetry.session().and_then(Session::watched))).flatten()
    });
    // However many laps there are, that one is seen.
    Effect::new(move |_| {
        if here.read().is_some() {
            request_animation_frame(|| browser::bring_into_sight(".laps .scroll", "[aria-current]"));
        }
    });
    let title = cockpit.sampled(|telemetry| match telemetry.session().is_some_and(Session::is_stage) {
        true => "Runs of the stage",
        false => "Laps",
    });
    let missing = cockpit.sampled(|telemetry: &Telemetry| why_missing(telemetry, "laps"));
    view! {
        <section class="panel laps" aria-label="Laps">
            <div class="head">
                <h2>{title}</h2>
                <span data-figure="best">{move || listed.read().best.map(|best| format!("best {best}"))}</span>
            </div>
            <div class="scroll" tabindex="0">
                <table>
                    {move || running.get().map(|(number, words)| view! {
                        <tr class="running">
                            <td class="place">{number}</td>
                            <th scope="row">{words}</th>
                            <td colspan="3">"running"</td>
                        </tr>
                    })}
                    {move || listed.get().rows.into_iter().map(|lap| row(cockpit, lap, here)).collect_view()}
                </table>
                <Show when=move || running.read().is_none() && listed.read().rows.is_empty()>
                    <p class="missing">{missing}</p>
                </Show>
            </div>
        </section>
    }
}

fn row(cockpit: Cockpit, lap: Row, here: Memo<Option<String>>) -> impl IntoView {
    let Row { serial, number, reference, .. } = lap;
    // A time that nobody took is no more than about right.
    let about = if lap.inferred { "≈ " } else { "" };
    let time = lap.time.map_or_else(|| "–:––.–––".to_owned(), |time| format!("{about}{time}"));
    let comparison = match lap.behind {
        _ if !lap.said.is_empty() => lap.said,
        Some(0) => "best".to_owned(),
        Some(behind) => delta(behind),
        None => String::new(),
    };
    let compare = move |label: String| {
        let hint = if reference { "Compared with: press for the best lap" } else { "Compare with this lap" };
        let choose = move |_| cockpit.tell(|session| session.choose_reference(serial.filter(|_| !reference)));
        view! {
            <button type="button" title=hint aria-pressed=reference.to_string() data-action="compare" on:click=choose>
                {label}
            </button>
        }
    };
    let address = lap.address.clone();
    let (time, beside) = match lap.address {
        None => (compare(time).into_any(), None),
        Some(address) => {
            (link(cockpit, address, time).into_any(), Some(serial.map(|_| compare("vs".to_owned()))))
        }
    };
    // A game that times no sectors has none to show.
    let timed = lap.sectors.iter().any(|rank| *rank != "none");
    let time_ms = lap.time.map(|time| time.0.to_string());
    let current = move || (address.is_some() && *here.read() == address).then_some("true");
    view! {
        <tr class:reference=reference aria-current=current data-lap=number.to_string() data-time=time_ms
            data-inferred=lap.inferred.to_string()>
            <td class="place">{number}</td>
            <th scope="row">{time}</th>
            <td class="comparison">{comparison}</td>
            <td class="sectors" aria-hidden="true">
                {timed.then(|| lap.sectors.map(|rank| view! { <i data-rank=rank></i> }))}
            </td>
            {beside.map(|compare| view! { <td class="beside">{compare}</td> })}
        </tr>
    }
}

/// A lap's time, leading to where it begins in the recording.
fn link(cockpit: Cockpit, address: String, time: String) -> impl IntoView {
    let follow = address.clone();
    let again = move |_| {
        // The address would not change, and nothing would follow it.
        if browser::fragment() == follow {
            cockpit.follow_link(&follow);
        }
    };
    view! { <a href=address title="Play from the beginning of this lap" on:click=again>{time}</a> }
}

fn read_running(session: &Session) -> Option<(u16, String)> {
    let car = session.car(session.watched()?)?;
    let words = car.progress?.clock.map_or_else(|| NONE.to_owned(), clock);
    Some((rows::number(car.laps.current()?, session.is_stage()), words))
}
