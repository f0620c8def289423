//! Anybody's lap as the reference on Live: chosen on another page, and given to each session in which it can be that.

use std::sync::Arc;

use leptos::prelude::*;
use trailbrake_shared::analysis::Combo;
use trailbrake_shared::lap_catalogue::LapCatalogue;
use trailbrake_shared::session::{RivalLap, RivalMismatch, take_rival};

use super::{DeltaChoice, TelemetryStore};
use crate::telemetry::{Connection, Telemetry};
use crate::text::words::sentence;

/// A session that lacks the rival's lap.
#[derive(Clone, PartialEq)]
struct Lacking {
    own: Combo,
    /// The source and the session: the next may be on another track.
    session: (u32, u32),
    /// Laps driven so far: the first tells how long the track is.
    laps: usize,
}

/// The rival whose lap the driver chose; it is forgotten when the page is closed. Copies are handles to the same choice.
#[derive(Clone, Copy)]
pub(crate) struct RivalChoice {
    telemetry: TelemetryStore,
    delta: DeltaChoice,
    rival: RwSignal<Option<Arc<RivalLap>>>,
}

impl RivalChoice {
    /// No rival yet.
    pub(crate) fn new(telemetry: TelemetryStore) -> Self {
        Self { telemetry, delta: DeltaChoice::new(telemetry), rival: RwSignal::new(None) }
    }

    /// Gives the chosen lap to later sessions, too.
    pub(super) fn start(telemetry: TelemetryStore) -> Self {
        let choice = Self::new(telemetry);
        let lacking = telemetry.sampled(move |telemetry| {
            choice.rival.with(Option::is_some).then(|| lacking(telemetry)).flatten()
        });
        Effect::new(move |_| {
            if lacking.with(Option::is_some) {
                choice.give();
            }
        });
        choice
    }

    /// The choice that the cockpit provided.
    pub(crate) fn here() -> Self {
        expect_context()
    }

    /// Compares with this lap from now on.
    pub(crate) fn race(self, rival: RivalLap) {
        self.rival.set(Some(Arc::new(rival)));
        self.give();
        self.delta.compare_with_rival();
    }

    /// The chosen rival and their time, in words.
    pub(crate) fn name(self) -> Option<String> {
        self.rival.with(|rival| rival.as_ref().map(|rival| rival.name.clone()))
    }

    /// Gives the live session the lap. If it can't be the reference there, the driver reads why.
    fn give(self) {
        let Some(rival) = self.rival.get_untracked() else { return };
        let Some(own) = self.telemetry.look(own_combo) else { return };
        let mut mismatch = None;
        self.telemetry.update_session(|session| {
            take_rival(session, &rival, &own);
            mismatch = session.live_comparison().rival().and_then(|(_, mismatch)| mismatch.cloned());
        });
        if let Some(why) = mismatch {
            self.telemetry.complain(sentence(&why.to_string()));
        }
    }
}

/// The session, if it has no lap of the rival, or could not take it before a lap was driven.
fn lacking(telemetry: &Telemetry) -> Option<Lacking> {
    let session = &telemetry.shown()?.session;
    match session.live_comparison().rival() {
        None | Some((_, Some(RivalMismatch::LengthUnknown))) => {}
        Some(_) => return None,
    }
    let laps = session.car(session.player()?)?.laps.finished().len();
    Some(Lacking { own: own_combo(telemetry)?, session: (telemetry.generation(), session.number()), laps })
}

/// What is driven now, live or in a demo.
fn own_combo(telemetry: &Telemetry) -> Option<Combo> {
    let is_driven = matches!(telemetry.connection(), Connection::Relay | Connection::Demo);
    let source = telemetry.shown().filter(|_| is_driven)?;
    let player = source.session.player()?;
    let catalogue = LapCatalogue::of_session(&source.session, source.origin.feed);
    Some(catalogue.laps().iter().find(|entry| entry.id.car == player)?.combo())
}
