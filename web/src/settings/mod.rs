//! The Settings page. The relay keeps settings for all its pages; this browser keeps those of appearance, units and
//! sounds.

mod actions;
mod section;
mod sounds;

use leptos::prelude::*;
use trailbrake_shared::settings::Section;
use trailbrake_shared::units::{QUANTITIES, Unit, Units};

use crate::browser;
use crate::cockpit::{Display, Navigation, TelemetryStore};
use crate::driver_settings::SettingsStore;
use crate::theme::Theme;
use crate::ui::{ActionButton, PageDialog, PageDialogs, Segments, provide_actions};
use actions::{Action, IMPERIAL, METRIC};
use section::SettingsSection;
use sounds::SoundSettings;

/// The systems of units, each with its name and its units as `Units::from_words` reads them.
const SYSTEMS: [(&str, &str); 2] = [("Metric", METRIC), ("Imperial", IMPERIAL)];

/// The page.
#[component]
pub(crate) fn Settings() -> impl IntoView {
    let (display, navigation) = (Display::here(), Navigation::here());
    // A page at a hub keeps its own settings, as the viewer does.
    let is_viewer = TelemetryStore::here().is_viewer() || browser::home().is_hub();
    provide_actions::<Action>(display);
    let settings = SettingsStore::here();
    // Another page may have changed the settings.
    settings.reload();
    let themes = Theme::ALL.iter().map(|theme| (theme.word(), theme.label())).collect();
    let theme = Signal::derive(move || display.theme.get().word());
    let choose_theme = move |word: &'static str| display.theme.set(Theme::from_kept(Some(word)));
    let systems = SYSTEMS.iter().map(|(name, _)| (*name, *name)).collect();
    let system = Signal::derive(move || {
        let units = display.units.get();
        let known = SYSTEMS.iter().find(|(_, words)| Units::from_words(words) == units);
        known.map_or("", |(name, _)| *name)
    });
    let choose_system = move |chosen: &'static str| {
        let words = SYSTEMS.iter().find(|(name, _)| *name == chosen).map_or("", |(_, words)| *words);
        display.units.set(Units::from_words(words));
    };
    view! {
        <main id="main" node_ref=navigation.main class="settings" tabindex="-1" data-page="settings">
            <h1>"Settings"</h1>
            <p class="lead">{move || lead(is_viewer, settings)}</p>
            {move || settings.report().get().warning.map(|words| view! { <p class="trouble" role="alert">{words}</p> })}
            <section aria-label="Appearance">
                <h2>"Appearance"</h2>
                <Segments label="Theme" options=themes selected=theme on_select=choose_theme/>
            </section>
            <section aria-label="Units">
                <h2>"Units"</h2>
                <Segments label="All units" options=systems selected=system on_select=choose_system/>
                {QUANTITIES.iter().map(|(unit, name)| view! { <UnitChoice unit=*unit name/> }).collect_view()}
            </section>
            <SoundSettings/>
            {Section::ALL.map(|section| view! {
                <Show when=move || is_shown(is_viewer, settings, section)>
                    <SettingsSection section/>
                </Show>
            })}
            <section aria-label="Program">
                <h2>"Program"</h2>
                <ActionButton action=PageDialog::About/>
            </section>
            <PageDialogs/>
        </main>
    }
    .into_any()
}

fn lead(is_viewer: bool, settings: SettingsStore) -> &'static str {
    match (is_viewer, settings.report().with(|report| report.owner)) {
        (true, _) => "Kept in this browser.",
        (false, true) => {
            "Theme, units and sounds are kept in this browser, everything else by Trailbrake for all its pages."
        }
        (false, false) => {
            "Theme, units, sounds and your name are kept on this device. Everything else is set on the computer that \
             Trailbrake runs on."
        }
    }
}

fn is_shown(is_viewer: bool, settings: SettingsStore, section: Section) -> bool {
    !section.is_of_relay() || (!is_viewer && settings.report().with(|report| report.owner))
}

/// The choice of a quantity's unit.
#[component]
fn UnitChoice(unit: Unit, name: &'static str) -> impl IntoView {
    let display = Display::here();
    let options = unit.choices().iter().map(|choice| (choice.suffix, choice.suffix)).collect();
    let selected = Signal::derive(move || display.units.get().shown(unit).suffix);
    let choose = move |suffix: &'static str| display.units.update(|units| units.choose(unit, suffix));
    view! { <Segments label=name options selected on_select=choose/> }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_unit_of_a_system_is_known() {
        for (name, words) in SYSTEMS {
            assert_eq!(Units::from_words(words).words(), words, "{name}");
        }
    }
}
