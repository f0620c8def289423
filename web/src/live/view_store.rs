//! The preset and the arrangement of panels that the driver chose on this device.

use std::collections::BTreeMap;

use leptos::prelude::*;

use super::arrangement::{Arrangement, Row};
use super::panel::Panel;
use super::preset::{Preset, PresetPanels, Size};
use crate::browser::{self, keys};
use crate::cockpit::TelemetryStore;
use crate::telemetry::Telemetry;

/// The view: window size, preset and arrangement. Copies are handles to the same state.
#[derive(Clone, Copy)]
pub(super) struct ViewStore {
    pub(super) size: RwSignal<Size>,
    /// The preset that fits what the game sends.
    fitting: Memo<Preset>,
    /// The preset that the driver picked in place of each fitting one, so that stages and circuits have their own.
    picked: RwSignal<BTreeMap<Preset, Preset>>,
    /// The arrangements that the driver changed.
    changed: RwSignal<BTreeMap<(Preset, Size), Arrangement>>,
}

impl ViewStore {
    /// Reads the stored view, and follows the window's size.
    pub(super) fn kept(telemetry: TelemetryStore) -> Self {
        let size = RwSignal::new(Size::of(browser::window_width()));
        let resized = window_event_listener(leptos::ev::resize, move |_| {
            let now = Size::of(browser::window_width());
            if size.get_untracked() != now {
                size.set(now);
            }
        });
        on_cleanup(move || resized.remove());
        let picked = |fitting: Preset| {
            let kept = browser::kept(&preset_key(fitting))?;
            Some((fitting, Preset::from_id(&kept)?))
        };
        let all = Preset::ALL.into_iter().flat_map(|preset| Size::ALL.map(|size| (preset, size)));
        let changed = all.filter_map(|(preset, size)| {
            let kept = browser::kept(&panels_key(preset, size))?;
            Some(((preset, size), Arrangement::from_words(&kept, size)?))
        });
        Self {
            size,
            fitting: telemetry.sampled(fitting),
            picked: RwSignal::new(Preset::ALL.into_iter().filter_map(picked).collect()),
            changed: RwSignal::new(changed.collect()),
        }
    }

    /// The preset that is shown.
    pub(super) fn preset(self) -> Preset {
        let fitting = self.fitting.get();
        self.picked.with(|picked| picked.get(&fitting).copied()).unwrap_or(fitting)
    }

    /// Shows a preset, now and in later sessions with the same fitting preset.
    pub(super) fn pick(self, preset: Preset) {
        let fitting = self.fitting.get_untracked();
        browser::keep(&preset_key(fitting), preset.id());
        self.picked.update(|picked| {
            picked.insert(fitting, preset);
        });
    }

    /// The arrangement that is shown, in a game that can fill the panels `sent`.
    pub(super) fn arrangement(self, sent: &[Panel]) -> Arrangement {
        let of = (self.preset(), self.size.get());
        let changed = self.changed.with(|changed| changed.get(&of).cloned());
        changed.unwrap_or_else(|| {
            let mut arrangement = Arrangement::of(of.0, of.1);
            arrangement.fill_timing(of.0.panels(of.1), |panel| sent.contains(&panel));
            arrangement
        })
    }

    /// The preset's panels, unless the driver has changed them.
    fn unchanged(self) -> Option<PresetPanels> {
        let (preset, size) = (self.preset(), self.size.get());
        let is_changed = self.changed.with(|changed| changed.contains_key(&(preset, size)));
        (!is_changed).then(|| preset.panels(size))
    }

    /// The rows of each column, with only the panels `sent` that the game can fill.
    pub(super) fn rows(self, sent: &[Panel]) -> Vec<Vec<Row>> {
        self.arrangement(sent).rows(self.size.get(), self.unchanged(), |panel| sent.contains(&panel))
    }

    /// Changes and stores the arrangement.
    pub(super) fn change(self, sent: &[Panel], change: impl FnOnce(&mut Arrangement)) {
        let (preset, size) = untrack(|| (self.preset(), self.size.get()));
        let mut arrangement = untrack(|| self.arrangement(sent));
        change(&mut arrangement);
        browser::keep(&panels_key(preset, size), &arrangement.words());
        self.changed.update(|changed| {
            changed.insert((preset, size), arrangement);
        });
    }

    /// Whether the driver has changed the shown arrangement.
    pub(super) fn is_changed(self) -> bool {
        self.unchanged().is_none()
    }

    /// Discards the driver's changes to the shown arrangement.
    pub(super) fn reset(self) {
        let of = untrack(|| (self.preset(), self.size.get()));
        browser::forget(&panels_key(of.0, of.1));
        self.changed.update(|changed| {
            changed.remove(&of);
        });
    }
}

fn preset_key(fitting: Preset) -> String {
    format!("{}.{}", keys::LIVE_PRESET, fitting.id())
}

fn panels_key(preset: Preset, size: Size) -> String {
    format!("{}.{}.{}", keys::LIVE_PANELS, preset.id(), size.id())
}

/// The preset that fits the session: a rally stage, a server or a driver.
fn fitting(telemetry: &Telemetry) -> Preset {
    let is_stage = telemetry.session().is_some_and(|session| session.is_stage());
    if is_stage {
        Preset::Rally
    } else if telemetry.server().is_some() {
        Preset::Server
    } else {
        Preset::Driver
    }
}
