//! The channels dialog: which lanes are shown, in which order, and how high.

use leptos::prelude::*;

use super::channel_row::ChannelRow;
use super::layouts::Layouts;
use crate::analyse::actions::Action;
use crate::analyse::{ComparisonStore, LaneChoice, LaneStore, choices};
use crate::reactive::{EachRow, Rows};
use crate::ui::{ActionButton, Dialog, Search};

/// Search words that no channel has in its name, each with parts of the channel ids that it finds.
const GROUPS: &[(&str, &[&str])] = &[
    ("tyres wheels", &["tyre_", "camber", "slip_angle", "combined_slip"]),
    ("suspension dampers", &["suspension", "height"]),
    ("ers hybrid battery", &["ers_", "energy"]),
    ("turbo", &["boost"]),
    ("engine", &["rpm", "oil_", "water_", "boost"]),
    ("aids", &["abs", "traction", "tcs", "asm", "stability"]),
    ("weather", &["rain", "temperature_of", "air_", "track_t"]),
];

#[component]
pub(super) fn ChannelDialog(on_close: Callback<()>) -> impl IntoView {
    let (comparison, lanes) = (expect_context::<ComparisonStore>(), expect_context::<LaneStore>());
    let wanted = RwSignal::new(String::new());
    let channels = Memo::new(move |_| channels(comparison, lanes));
    let found = Memo::new(move |_| {
        let search = Search::new(&wanted.get());
        let mut found = channels.get();
        found.retain(|choice| search.finds(&words(choice)));
        found
    });
    let found = Rows::new(found, |choice| choice.id.clone());
    view! {
        <Dialog label="Channels" on_close>
            <input
                id="command"
                type="search"
                placeholder="Find a channel"
                aria-label="Find a channel"
                autocomplete="off"
                autofocus=true
                on:input=move |event| wanted.set(event_target_value(&event))
            />
            <div class="found" id="found">
                <EachRow rows=found let:choice><ChannelRow choice/></EachRow>
            </div>
            <Show when=move || found.is_empty()>
                <p class="missing" role="status">"No channel found."</p>
            </Show>
            <Layouts/>
            <ActionButton action=Action::ResetLanes class="quiet">"Reset to default"</ActionButton>
        </Dialog>
    }
}

fn channels(comparison: ComparisonStore, lanes: LaneStore) -> Vec<LaneChoice> {
    let Some(shown) = comparison.shown() else { return Vec::new() };
    lanes.state.with(|lanes| choices(&shown, &lanes.strips))
}

/// The text that a search matches: the channel's name, its id and its search words.
fn words(choice: &LaneChoice) -> String {
    let groups = GROUPS.iter().filter(|(_, ids)| ids.iter().any(|id| choice.id.contains(id)));
    let mut words = vec![choice.name.as_str(), &choice.id];
    words.extend(groups.map(|(words, _)| *words));
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn channels_are_found_by_what_they_are_about() {
        let choice = |id: &str, name: &str| LaneChoice {
            id: id.to_owned(),
            name: name.to_owned(),
            percent: None,
            sent: true,
        };
        let finds = |wanted, id, name| Search::new(wanted).finds(&words(&choice(id, name)));
        assert!(finds("wheel pressure", "tyre_pressure_fl", "Tyre pressure FL"));
        assert!(finds("damper", "suspension_position_fl", "Suspension FL"));
        assert!(!finds("turbo", "speed", "Speed"));
    }
}
