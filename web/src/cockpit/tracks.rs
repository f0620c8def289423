//! Names of tracks and corners. The relay's track book names recordings; the browser stores the names that the driver gives
//! to tracks, to recognise them on Live.

use std::sync::Arc;

use leptos::prelude::*;
use leptos::task::spawn_local;
use trailbrake_shared::analysis::{Fingerprint, KnownTrack, LapColumns, ReferenceLine, TrackBook, TrackName};
use trailbrake_shared::model::TrackPrint;
use trailbrake_shared::session::Session;

use super::TelemetryStore;
use crate::browser::{self, keys};
use crate::http::{self, Failed};
use crate::telemetry::Connection;

/// The names of tracks and corners. Copies are handles to the same names.
#[derive(Clone, Copy)]
pub(crate) struct TrackNames {
    telemetry: TelemetryStore,
}

impl TrackNames {
    /// Takes the tracks that the driver has named in this browser.
    pub(super) fn kept(telemetry: TelemetryStore) -> Self {
        let kept = browser::kept(keys::TRACKS).unwrap_or_default();
        let tracks = kept.lines().filter_map(TrackPrint::read).collect();
        telemetry.choose(|choices| choices.tracks = tracks);
        Self { telemetry }
    }

    /// The names that the cockpit provided.
    pub(crate) fn here() -> Self {
        expect_context()
    }

    /// Saves the driver's name for the track.
    pub(crate) fn name(self, name: &str) {
        let mut lines = Vec::new();
        // The demo's circuit is invented: its name does not go into the track book.
        let shape = self.telemetry.look(|telemetry| telemetry.session().and_then(shape));
        let shape = shape.filter(|_| {
            self.telemetry.connection.get_untracked() != Connection::Demo && !name.trim().is_empty()
        });
        self.telemetry.change(|telemetry| {
            telemetry.name_track(name);
            lines.extend(telemetry.choices().tracks.iter().map(TrackPrint::write));
        });
        browser::keep(keys::TRACKS, &lines.join("\n"));
        self.telemetry.beat();
        if let Some(shape) = shape {
            self.send(shape, name);
        }
    }

    /// Sends the name to the relay's track book. Without a relay only the browser keeps it.
    fn send(self, fingerprint: Fingerprint, name: &str) {
        let wish = TrackName { fingerprint, name: name.trim().to_owned() };
        let Ok(body) = serde_json::to_string(&wish) else { return };
        spawn_local(async move {
            if let Err(Failed::Refused(why)) = http::ask("POST", "/tracks/name", Some(&body)).await {
                self.telemetry.complain(format!("The track's name is kept in this browser alone. {why}"));
            }
            self.read_book();
        });
    }

    /// Adds a recording's names of its track and corners to the track book.
    pub(super) fn learn(self, track: KnownTrack) {
        self.telemetry.choose(|choices| Arc::make_mut(&mut choices.book).learn(track));
    }

    /// Reads the relay's track book. Without one, corners have numbers.
    pub(super) fn read_book(self) {
        spawn_local(async move {
            let answer = http::ask("GET", "/tracks", None).await;
            if let Some(book) = answer.ok().and_then(|answer| serde_json::from_str::<TrackBook>(&answer).ok())
            {
                self.telemetry.choose(|choices| choices.book = Arc::new(book));
            }
        });
    }
}

/// The track's fingerprint, from the best lap of the player's car, or of the watched car without a player.
fn shape(session: &Session) -> Option<Fingerprint> {
    let car = session.car(session.player().or(session.watched())?)?;
    let lap = car.laps.best()?;
    let line = ReferenceLine::learn(&LapColumns::new(lap, car.traces.lap(lap.serial)?)).ok()?;
    Some(Fingerprint::of(&line))
}
