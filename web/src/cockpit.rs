//! What every page of the app shares.
//!
//! Telemetry lives in plain buffers and changes hundreds of times a second; nothing reacts to that. Ten times a
//! second the pulse beats, and what is shown as text looks at the buffers then.

use std::time::Duration;

use leptos::prelude::*;

use crate::browser;
use crate::link::{After, Link, Shown};
use crate::route::Page;
use crate::telemetry::{Heard, Telemetry};
use crate::theme::{self, Theme};

/// The pulse's period.
const BEAT: Duration = Duration::from_millis(100);
/// A page this young that is told to reload would do so for ever.
const YOUNG_MS: f64 = 5_000.0;

/// What every page shares. Copies are handles to the same.
#[derive(Clone, Copy)]
pub(crate) struct Cockpit {
    telemetry: StoredValue<Telemetry, LocalStorage>,
    pulse: RwSignal<u32>,
    /// How the link to the relay is.
    pub(crate) link: RwSignal<Shown>,
    /// The page that is shown.
    pub(crate) page: RwSignal<Page>,
    /// The theme that the driver chose.
    pub(crate) theme: RwSignal<Theme>,
}

impl Cockpit {
    /// Starts everything that runs as long as the page is open, and provides it to all components below.
    pub(crate) fn start() -> Self {
        let cockpit = Self {
            telemetry: StoredValue::new_local(Telemetry::default()),
            pulse: RwSignal::new(0),
            link: RwSignal::new(Shown::Connecting),
            page: RwSignal::new(Page::from_hash(&browser::fragment())),
            theme: RwSignal::new(Theme::from_kept(browser::kept(theme::KEY).as_deref())),
        };
        provide_context(cockpit);
        cockpit.follow_address();
        cockpit.follow_theme();
        cockpit.follow_relay();
        cockpit
    }

    /// The cockpit that `start` provided.
    pub(crate) fn here() -> Self {
        // Only a component outside of the app has none, and there is no such component.
        use_context().unwrap_or_else(Self::start)
    }

    /// A value read from the telemetry now and at each beat of the pulse; what depends on it hears only changes.
    pub(crate) fn sampled<T>(self, read: impl Fn(&Telemetry) -> T + Send + Sync + 'static) -> Memo<T>
    where
        T: PartialEq + Send + Sync + 'static,
    {
        Memo::new(move |_| {
            self.pulse.track();
            self.telemetry.with_value(&read)
        })
    }

    /// The driver took note of what went wrong.
    pub(crate) fn clear_faults(self) {
        self.telemetry.update_value(Telemetry::clear_faults);
        self.pulse.update(|beat| *beat = beat.wrapping_add(1));
    }

    fn follow_address(self) {
        window_event_listener(leptos::ev::hashchange, move |_| {
            self.page.set(Page::from_hash(&browser::fragment()));
        });
    }

    fn follow_theme(self) {
        let system_is_light = RwSignal::new(false);
        system_is_light.set(browser::watch_light(move |light| system_is_light.set(light)));
        Effect::new(move |_| {
            let theme = self.theme.get();
            browser::keep(theme::KEY, theme.word());
            browser::show_theme(theme.shown(system_is_light.get()));
        });
    }

    fn follow_relay(self) {
        let link = Link::start(move |message| self.read(message));
        browser::every(BEAT, move || {
            link.tick();
            let now = browser::now_ms();
            self.telemetry.update_value(|telemetry| telemetry.tick(now));
            let shown = link.shown();
            if self.link.get_untracked() != shown {
                self.link.set(shown);
            }
            self.pulse.update(|beat| *beat = beat.wrapping_add(1));
        });
    }

    fn read(self, message: &[u8]) -> After {
        let now = browser::now_ms();
        let mut outcome = None;
        let mut first = false;
        self.telemetry.update_value(|telemetry| {
            let silent = telemetry.sending(now).is_none();
            outcome = Some(telemetry.receive(message, now));
            first = silent && telemetry.sending(now).is_some();
        });
        if first && self.page.get_untracked() == Page::Feeds {
            browser::go_to(Page::Live.hash());
        }
        match outcome {
            Some(Ok(Heard::Reload)) if now > YOUNG_MS => browser::reload(),
            Some(Ok(Heard::Reload) | Err(trailbrake_shared::wire::WireError::Version { .. })) => {
                return After::Outdated;
            }
            _ => {}
        }
        After::GoOn
    }
}
