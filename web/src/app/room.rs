//! Keeps this page in the room as long as it is open: sends its view, and shows the view of the page it follows.

use std::time::Duration;

use leptos::prelude::*;

use crate::analyse::{AddressFollower, Analyse};
use crate::browser;
use crate::cockpit::{ActiveTask, TelemetryStore};
use crate::driver_settings::author;
use crate::library::Library;
use crate::room::{Room, Step};
use crate::route::Page;

/// How often cursors are sent and followed.
const BEAT: Duration = Duration::from_millis(100);

/// Enters the room, if a relay served the page.
pub(super) fn start(analyse: Analyse, follower: AddressFollower) {
    let (telemetry, active_task) = (TelemetryStore::here(), ActiveTask::here());
    let (library, room) = (Library::here(), Room::here());
    if telemetry.is_viewer() {
        return;
    }
    let reload = move |id| {
        analyse.books.reload(id);
        library.reload_written(id);
        active_task.reload(id);
    };
    room.enter(reload, move |reason| telemetry.complain(reason));
    browser::every(BEAT, move || {
        let fragment = browser::fragment();
        let is_analyse = Page::from_hash(&fragment) == Page::Analyse;
        // The address bar is updated only once a second during playback, so send Analyse's own current address.
        let view = if is_analyse { analyse.address.address() } else { fragment };
        let cursor_m = untrack(|| analyse.view.cursor_m()).filter(|_| is_analyse);
        match room.tick(author(), &view, cursor_m) {
            Step::Rest => {}
            Step::Show(view) => show(follower, &view, is_analyse),
            Step::Point(at_m) => follower.follow_cursor(at_m),
            Step::Stop(why) => why.words().into_iter().for_each(|words| telemetry.complain(words)),
        }
    });
    window_event_listener(leptos::ev::keydown, move |event| {
        if event.key() == "Escape" && !browser::has_open_dialog() {
            room.stop_following();
        }
    });
}

fn show(follower: AddressFollower, view: &str, is_analyse: bool) {
    if is_analyse && Page::from_hash(view) == Page::Analyse {
        // Browsers limit how often the address may change, so within Analyse only the view changes.
        follower.follow_view(view);
    } else {
        browser::go_to(view);
    }
}
