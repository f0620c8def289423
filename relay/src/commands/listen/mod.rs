//! `trailbrake` without a subcommand: receives games and serves the page until it is ended.

pub mod banner;
mod browser;

use std::io::Write as _;

use anyhow::Context;

use crate::relaying::{Relay, Settings};
use crate::shutdown;

/// Runs a relay until the user or the system ends it.
pub fn run(settings: Settings) -> anyhow::Result<()> {
    let open_browser = settings.open_browser;
    let relay = Relay::open(settings)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.context("the system gives no threads")?;
    // Before the banner: a reader of it may end the program at once.
    let end = {
        let _within = runtime.enter();
        shutdown::end_signal()
    };
    // It runs without a terminal, too.
    let _ = write!(std::io::stdout(), "{}", banner::block(relay.report()));
    if open_browser {
        browser::open(&relay.report().url());
    }
    runtime.block_on(relay.run(end))
}
