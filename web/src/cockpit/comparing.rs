//! The choices that apply to every session: the delta's target, brake points, coaching task and names of corners.

use std::sync::Arc;

use leptos::prelude::*;
use leptos::task::spawn_local;
use trailbrake_shared::analysis::{KnownTrack, TrackBook};
use trailbrake_shared::recording::{RecordingId, Task};
use trailbrake_shared::session::{DeltaTarget, Session};

use super::Cockpit;
use super::delta_choice::keep_target;
use crate::browser;
use crate::http;
use crate::route::Page;

impl Cockpit {
    /// Sets the delta's target. One of the bests applies to later sessions too.
    pub(crate) fn compare_with(self, target: DeltaTarget) {
        if keep_target(target) {
            self.target.set_value(target);
        }
        self.update_session(|session| session.compare_with(target));
    }

    /// Compares with a lap of the session; `None` returns to the best that was chosen before.
    pub(crate) fn choose_reference(self, serial: Option<u32>) {
        let target = serial.map_or_else(|| self.target.get_value(), DeltaTarget::Lap);
        self.update_session(|session| session.compare_with(target));
    }

    /// Sets the task that the driver follows on Live. `None` ends it.
    pub(crate) fn follow_task(self, task: Option<Task>) {
        self.active_task.keep(task);
        self.give_choices();
        self.telemetry.beat();
    }

    /// Applies these choices to the shown session, if it has the player's car. Every beat of the pulse calls this.
    pub(super) fn give_choices(self) {
        let (target, book) = (self.target.get_value(), self.book.get_value());
        self.look(|telemetry| self.brake_points.follow(telemetry));
        let points = self.brake_points.points.get_untracked();
        self.telemetry.change(|telemetry| {
            let underway = telemetry.ports.underway().and_then(|ids| RecordingId::read(ids.get(..32)?));
            let Some(session) = telemetry.session_mut().filter(|session| has_player(session)) else { return };
            let comparison = session.live_comparison();
            let (now, own_book) = (comparison.target(), Arc::clone(comparison.track_book()));
            let has_points = comparison.points_by_hand() == points;
            let task = self.active_task.followed(session, underway);
            let has_task = comparison.task().task() == task.as_ref();
            if !matches!(now, DeltaTarget::Lap(_)) && now != target {
                session.compare_with(target);
            }
            if *own_book != *book {
                session.take_track_book(book);
            }
            if !has_points {
                session.set_points_by_hand(points);
            }
            if !has_task {
                session.follow_task(task);
            }
        });
    }

    /// Reads the relay's track book whenever Live is opened: its names may have changed on another page.
    pub(super) fn follow_track_book(self) {
        Effect::new(move |_| {
            if self.page.get() == Page::Live && browser::has_relay() {
                self.read_track_book();
            }
        });
    }

    /// Adds a recording's names of its track and corners to the track book.
    pub(super) fn learn_track(self, track: KnownTrack) {
        self.book.update_value(|book| Arc::make_mut(book).learn(track));
    }

    /// Reads the relay's track book. Without one, corners have numbers.
    pub(super) fn read_track_book(self) {
        spawn_local(async move {
            let answer = http::ask("GET", "/tracks", None).await;
            if let Some(book) = answer.ok().and_then(|answer| serde_json::from_str::<TrackBook>(&answer).ok())
            {
                self.book.set_value(Arc::new(book));
            }
        });
    }
}

fn has_player(session: &Session) -> bool {
    session.player().is_some_and(|player| session.car(player).is_some())
}
