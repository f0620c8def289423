//! The received telemetry, and the pulse at which the page reads it.

use leptos::prelude::*;
use trailbrake_shared::session::{DriverChoices, Session};

use crate::browser;
use crate::telemetry::{Connection, Telemetry};

/// The telemetry in plain buffers, since it changes hundreds of times a second, and a pulse that beats ten times a second.
/// Copies are handles to the same telemetry.
#[derive(Clone, Copy)]
pub(crate) struct TelemetryStore {
    telemetry: StoredValue<Telemetry, LocalStorage>,
    pulse: RwSignal<u32>,
    /// Where the telemetry comes from now.
    pub(crate) connection: ReadSignal<Connection>,
    set_connection: WriteSignal<Connection>,
    /// Where it comes from while neither the demo runs nor a recording plays.
    home: Connection,
}

impl TelemetryStore {
    /// No telemetry yet, which will come from `home` at first: the relay, or nothing in the viewer.
    pub(crate) fn new(home: Connection) -> Self {
        let (connection, set_connection) = signal(home);
        let mut telemetry = Telemetry::default();
        telemetry.connect(home);
        Self {
            telemetry: StoredValue::new_local(telemetry),
            pulse: RwSignal::new(0),
            connection,
            set_connection,
            home,
        }
    }

    /// The store that the cockpit provided.
    pub(crate) fn here() -> Self {
        expect_context()
    }

    /// Whether this is the viewer, which has no relay.
    pub(crate) fn is_viewer(self) -> bool {
        self.home == Connection::Viewer
    }

    /// Whether the telemetry comes from there.
    pub(crate) fn shows(self, connection: Connection) -> bool {
        self.connection.get() == connection
    }

    /// Takes the telemetry from somewhere, and drops the session so far.
    pub(super) fn connect(self, connection: Connection) {
        self.change(|telemetry| telemetry.connect(connection));
        self.set_connection.set(connection);
        self.beat();
    }

    /// Ends the demo or the playback: returns to the relay's live session.
    pub(super) fn disconnect(self) {
        self.connect(self.home);
    }

    /// Whether live data is shown, or will be once a game sends.
    pub(super) fn shows_games(self) -> bool {
        self.connection.get_untracked() == Connection::Relay
    }

    /// A value read from the telemetry now and at each beat of the pulse. Subscribers run only when it changes.
    pub(crate) fn sampled<T>(self, read: impl Fn(&Telemetry) -> T + Send + Sync + 'static) -> Memo<T>
    where
        T: PartialEq + Send + Sync + 'static,
    {
        self.at_each_beat(Box::new(move || self.telemetry.with_value(&read)))
    }

    /// A value read now and at each beat of the pulse. Takes a boxed closure, so that the memo is compiled once for each
    /// type and not for each closure.
    pub(super) fn at_each_beat<T>(self, read: Box<dyn Fn() -> T + Send + Sync>) -> Memo<T>
    where
        T: PartialEq + Send + Sync + 'static,
    {
        Memo::new(move |_| {
            self.pulse.track();
            read()
        })
    }

    /// Reads the telemetry without tracking, as painters do in each frame.
    pub(crate) fn look<T>(self, read: impl FnOnce(&Telemetry) -> T) -> T {
        self.telemetry.with_value(read)
    }

    /// Reads the telemetry now. Who tracks it reads it again at each beat of the pulse.
    pub(crate) fn track<T>(self, read: impl FnOnce(&Telemetry) -> T) -> T {
        self.pulse.track();
        self.look(read)
    }

    /// Changes the telemetry. The page shows it at the next beat.
    pub(super) fn change<T>(self, change: impl FnOnce(&mut Telemetry) -> T) -> Option<T> {
        self.telemetry.try_update_value(change)
    }

    /// Changes what the driver chose, for this session and those that follow.
    pub(super) fn choose(self, change: impl FnOnce(&mut DriverChoices)) {
        self.change(|telemetry| telemetry.choose(change));
        self.beat();
    }

    /// Applies a driver's choice to the shown session, if there is one.
    pub(crate) fn update_session(self, update: impl FnOnce(&mut Session)) {
        self.change(|telemetry| {
            if let Some(session) = telemetry.session_mut() {
                update(session);
            }
        });
        self.beat();
    }

    /// Shows a fault, given in a driver's words.
    pub(crate) fn complain(self, words: String) {
        self.change(|telemetry| telemetry.complain(words));
        self.beat();
    }

    /// Dismisses all faults.
    pub(crate) fn clear_faults(self) {
        self.change(Telemetry::clear_faults);
        self.beat();
    }

    /// Handles the passing of time. Every beat of the pulse calls this.
    pub(super) fn tick(self) {
        let now = browser::now_ms();
        self.change(|telemetry| telemetry.tick(now));
    }

    /// Lets the pulse beat, so that the page reads the telemetry now.
    pub(super) fn beat(self) {
        self.pulse.update(|beat| *beat = beat.wrapping_add(1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_demo_returns_to_where_the_page_came_from() {
        let owner = Owner::new();
        owner.set();
        for (home, is_viewer) in [(Connection::Relay, false), (Connection::Viewer, true)] {
            let store = TelemetryStore::new(home);
            let now = || (store.connection.get_untracked(), store.look(Telemetry::connection));
            assert_eq!((now(), store.is_viewer()), ((home, home), is_viewer));
            for other in [Connection::Demo, Connection::Replay] {
                store.connect(other);
                assert_eq!((now(), store.shows_games()), ((other, other), false));
                // The viewer is one whatever it shows.
                assert_eq!(store.is_viewer(), is_viewer);
            }
            store.disconnect();
            assert_eq!((now(), store.shows_games()), ((home, home), !is_viewer));
        }
    }
}
