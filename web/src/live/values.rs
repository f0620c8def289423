//! The panel of other channels: every channel that the game sends and no other panel shows, as numbers.

use leptos::prelude::*;
use trailbrake_shared::model::{Channel, Slot};
use trailbrake_shared::units::Units;

use super::panel::Panel;
use super::place::panel_of;
use crate::cockpit::{Display, TelemetryStore};
use crate::telemetry::Telemetry;
use crate::text::figures::figure;
use crate::ui::RowList;

/// A channel with its values in words.
#[derive(Clone, Debug, PartialEq)]
struct ValueWords {
    channel: Channel,
    values: String,
}

/// Whether the game sends any of these channels.
pub(super) fn is_sent(telemetry: &Telemetry) -> bool {
    sent(telemetry).next().is_some()
}

/// The panel.
#[component]
pub(super) fn ValuePanel() -> impl IntoView {
    let (telemetry, display) = (TelemetryStore::here(), Display::here());
    let words = telemetry.sampled(move |telemetry| words(telemetry, display.units.get()));
    let channels =
        Memo::new(move |_| words.with(|words| words.iter().map(|one| one.channel).collect::<Vec<_>>()));
    let row = move |channel: Channel| {
        let values = Memo::new(move |_| {
            words.with(|words| words.iter().find(|one| one.channel == channel).map(|one| one.values.clone()))
        });
        let suffix = move || display.units.get().shown(channel.unit()).suffix;
        view! {
            <tr data-channel=channel.id()>
                <th scope="row">{channel.label()}</th>
                <td>{move || values.get()}</td>
                <td class="unit">{suffix}</td>
            </tr>
        }
    };
    view! {
        <section class="panel values" aria-label="Other channels">
            <div class="head"><h2>"Other channels"</h2></div>
            <RowList label="List of other channels">
                <table>
                    <tbody>
                        <For each=move || channels.get() key=|channel| *channel let:channel>{row(channel)}</For>
                    </tbody>
                </table>
            </RowList>
        </section>
    }
    .into_any()
}

fn words(telemetry: &Telemetry, units: Units) -> Vec<ValueWords> {
    let words = |(channel, values): (Channel, Vec<Option<f32>>)| {
        let unit = units.shown(channel.unit());
        let values: Vec<String> = values.into_iter().map(|value| figure(value, unit)).collect();
        ValueWords { channel, values: values.join("  ") }
    };
    sent(telemetry).map(words).collect()
}

/// The channels of this panel that the game sends, with their values.
fn sent(telemetry: &Telemetry) -> impl Iterator<Item = (Channel, Vec<Option<f32>>)> {
    let car = telemetry.session().and_then(|session| session.car(session.watched()?));
    let channels = Channel::ALL.iter().copied().filter(|channel| panel_of(*channel) == Panel::Values);
    let values = move |channel| Some((channel, slots(channel).map(|slot| car?.latest.value(slot)).collect()));
    channels.filter_map(values).filter(|(_, values): &(_, Vec<_>)| values.iter().any(Option::is_some))
}

/// The slots of a channel, in order: one, or one for each axis or wheel.
fn slots(channel: Channel) -> impl Iterator<Item = Slot> {
    let first = channel.slot().index();
    (first..first + usize::from(channel.scope().width())).filter_map(Slot::from_index)
}
