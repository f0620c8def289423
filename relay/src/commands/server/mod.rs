//! `trailbrake server`: has Assetto Corsa's dedicated server do something, through a Trailbrake that runs.
//!
//! Only the Trailbrake that hears the server's messages can speak to it, so that this asks there, as the page does.

mod desk;
mod words;

use anyhow::{Context, bail};
use trailbrake_shared::feed::Feed;
use trailbrake_shared::games::{Described, ServerCommand, Value};

use crate::commands::options::{Errand, Options, Server, SessionWish, Settings};
use desk::Desk;

/// The message that tells what a session is like.
const SESSION: &str = "SESSION_INFO";
/// The message that tells who has a slot.
const CAR: &str = "CAR_INFO";

/// Does one errand, and prints what became of it.
pub fn run(request: Server) -> anyhow::Result<()> {
    let options = Options { http: request.http, ..Options::default() };
    let settings = Settings::from_parts(options, request.config.as_deref())?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.context("the system gives no threads")?;
    runtime.block_on(async {
        let mut desk = Desk::at(settings.http, Feed::AcServer).await?;
        let done = errand(&mut desk, request.what).await?;
        words::print(&done);
        Ok(())
    })
}

/// What became of an errand: what Trailbrake says, and the server.
struct Done {
    words: String,
    told: Vec<Described>,
}

async fn errand(desk: &mut Desk, what: Errand) -> anyhow::Result<Done> {
    let answered = match &what {
        Errand::Info { .. } => Some(SESSION),
        Errand::Car { .. } => Some(CAR),
        _ => None,
    };
    let command = match what {
        Errand::Say { text } => ServerCommand::Say { text: text.join(" ") },
        Errand::Tell { slot, text } => ServerCommand::Tell { slot, text: text.join(" ") },
        Errand::Kick { slot } => ServerCommand::Kick { slot },
        Errand::Next => ServerCommand::Next,
        Errand::Restart => ServerCommand::Restart,
        Errand::Session(wish) => changed(desk, wish).await?,
        Errand::Info { index } => ServerCommand::SessionInfo { index },
        Errand::Car { slot } => ServerCommand::CarInfo { slot },
        Errand::Interval { millis } => ServerCommand::Interval { millis },
        Errand::Admin { command } => ServerCommand::Admin { text: command.join(" ") },
    };
    let words = desk.ask(command).await?;
    let told = desk.listen(answered).await?;
    if let Some(wanted) = answered
        && !told.iter().any(|message| message.packet == wanted)
    {
        bail!("the server has not answered: is there such a session or slot?");
    }
    Ok(Done { words, told })
}

/// A session as it is, but for what is wished.
async fn changed(desk: &mut Desk, wish: SessionWish) -> anyhow::Result<ServerCommand> {
    desk.ask(ServerCommand::SessionInfo { index: Some(wish.index) }).await?;
    let told = desk.listen(Some(SESSION)).await?;
    let is_wanted = |message: &&Described| {
        message.packet == SESSION && number(message, "session_index") == Some(wish.index.into())
    };
    let now = told.iter().find(is_wanted);
    let now = now.with_context(|| format!("the server does not say what session {} is like", wish.index))?;
    let number = |name| number(now, name).unwrap_or_default();
    Ok(ServerCommand::SetSession {
        index: wish.index,
        name: wish.name.or_else(|| text(now, "name")).unwrap_or_default(),
        kind: wish.kind.map_or_else(|| number("session_type") as u8, |kind| kind.0),
        laps: wish.laps.unwrap_or_else(|| number("laps") as u32),
        // It tells minutes and milliseconds, and wants seconds of both.
        seconds: wish.minutes.unwrap_or_else(|| number("time") as u32).saturating_mul(60),
        wait_seconds: wish.wait.unwrap_or_else(|| number("wait_time") as u32 / 1000),
    })
}

fn number(message: &Described, name: &str) -> Option<u64> {
    match message.fields.at(name)? {
        Value::Unsigned(number) => Some(*number),
        _ => None,
    }
}

fn text(message: &Described, name: &str) -> Option<String> {
    match message.fields.at(name)? {
        Value::Text(text) => Some(text.clone()),
        _ => None,
    }
}
