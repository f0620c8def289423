//! Names that the driver gives to tracks. The browser stores them to recognise a track on Live, the relay's track book
//! stores them to name recordings.

use leptos::prelude::*;
use leptos::task::spawn_local;
use trailbrake_shared::analysis::{Fingerprint, LapColumns, ReferenceLine, TrackName};
use trailbrake_shared::model::TrackPrint;
use trailbrake_shared::session::Session;

use super::Cockpit;
use super::kept_tracks::KEY;
use crate::browser;
use crate::http::{self, Failed};

impl Cockpit {
    /// Saves the driver's name for the track.
    pub(crate) fn name_track(self, name: &str) {
        let mut lines = Vec::new();
        // The demo's circuit is invented: its name does not go into the track book.
        let shape = self.look(|telemetry| telemetry.session().and_then(shape));
        let shape = shape.filter(|_| !self.demonstrating.get_untracked() && !name.trim().is_empty());
        self.telemetry.change(|telemetry| {
            telemetry.name_track(name);
            lines.extend(telemetry.tracks().iter().map(TrackPrint::write));
        });
        browser::keep(KEY, &lines.join("\n"));
        self.telemetry.beat();
        if let Some(shape) = shape {
            self.send_to_track_book(shape, name);
        }
    }

    /// Sends the name to the relay's track book. Without a relay only the browser keeps it.
    fn send_to_track_book(self, fingerprint: Fingerprint, name: &str) {
        let wish = TrackName { fingerprint, name: name.trim().to_owned() };
        let Ok(body) = serde_json::to_string(&wish) else { return };
        spawn_local(async move {
            if let Err(Failed::Refused(why)) = http::ask("POST", "/tracks/name", Some(&body)).await {
                self.complain(format!("The track's name is kept in this browser alone. {why}"));
            }
            self.read_track_book();
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
