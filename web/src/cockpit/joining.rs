//! Loads the session so far: reads the current recordings until the page has caught up with the live data.

use std::rc::Rc;

use leptos::task::spawn_local;

use super::TelemetryStore;
use crate::browser;
use crate::frame;
use crate::replay::{Source, Trouble, open_underway};
use crate::telemetry::{Needs, Telemetry, Ticket};

/// How long the page decodes at a time, in milliseconds.
const WORK_MS: f64 = 20.0;
/// The same for a hidden page, whose timers browsers run rarely.
const HIDDEN_WORK_MS: f64 = 400.0;
/// Attempts to open the recordings, and the milliseconds between them: a recording may end at that moment.
const TRIES: usize = 3;
const BETWEEN_MS: i32 = 700;

/// Loads the session so far if the page connected in the middle of it.
pub(super) fn join_session(telemetry: TelemetryStore) {
    if !telemetry.shows_games() {
        return;
    }
    let wanted = telemetry.change(Telemetry::recordings_to_join).flatten();
    let Some((ticket, ids)) = wanted else { return };
    spawn_local(async move {
        let mut trouble = None;
        for _ in 0..TRIES {
            let mut opened = Vec::new();
            for id in &ids {
                match open_underway(*id).await {
                    Ok(one) => opened.push(one),
                    Err(why) => trouble = Some(why),
                }
            }
            if opened.is_empty() {
                browser::pause(BETWEEN_MS).await;
                continue;
            }
            let recordings: Vec<_> = opened.iter().map(|one| &one.recording).collect();
            telemetry.change(|telemetry| telemetry.read_to_join(ticket, &recordings));
            let sources = opened.into_iter().map(|one| one.source).collect();
            match load(telemetry, ticket, sources).await {
                Ok(()) => return,
                Err(why) => {
                    trouble = Some(why.words());
                    break;
                }
            }
        }
        telemetry.change(|telemetry| telemetry.give_up_join(ticket));
        if let Some(why) = trouble {
            telemetry.complain(format!("The laps before this page was opened could not be loaded. {why}"));
        }
    });
}

/// Reads and decodes the recordings until the session has caught up with the live data.
async fn load(telemetry: TelemetryStore, ticket: Ticket, sources: Vec<Rc<Source>>) -> Result<(), Trouble> {
    loop {
        let until = browser::now_ms() + if browser::is_hidden() { HIDDEN_WORK_MS } else { WORK_MS };
        let mut has_time = || browser::now_ms() < until;
        let needs = telemetry.change(|telemetry| telemetry.work_on_join(ticket, &mut has_time));
        match needs.unwrap_or(Needs::Nothing) {
            Needs::Bytes(place, range) => {
                let Some(source) = sources.get(place) else { return Ok(()) };
                let bytes = source.bytes(range).await?;
                telemetry.change(|telemetry| telemetry.give_to_join(ticket, place, &bytes));
            }
            Needs::Time => browser::pause(0).await,
            Needs::Nothing => break,
        }
    }
    telemetry.beat();
    frame::request();
    Ok(())
}
