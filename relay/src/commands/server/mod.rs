//! `trailbrake server`: sends commands to Assetto Corsa's dedicated server through a running Trailbrake.
//!
//! Only the Trailbrake that receives the server's messages can send to it, so this connects there, as the page does.

mod connection;
mod reply;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::str::FromStr;

use anyhow::{Context, bail};
use clap::{Args, Subcommand};
use trailbrake_shared::feed::Feed;
use trailbrake_shared::games::{Described, ServerCommand, Value};

use crate::commands::options::{Options, settings_of};
use connection::ServerConnection;
use reply::Reply;

/// The message that describes a session.
const SESSION: &str = "SESSION_INFO";
/// The message that names the driver of a slot.
const CAR: &str = "CAR_INFO";

/// What to have Assetto Corsa's dedicated server do, through a Trailbrake that runs.
#[derive(Clone, Debug, Args)]
pub struct Server {
    /// What to do.
    #[command(subcommand)]
    pub what: ServerAction,
    /// Where the running Trailbrake serves its page
    #[arg(long, value_name = "IP:PORT", global = true)]
    pub http: Option<SocketAddr>,
    /// Read options from this file instead of the usual one
    #[arg(long, value_name = "FILE", global = true)]
    pub config: Option<PathBuf>,
}

/// What to have the server do.
#[derive(Clone, Debug, PartialEq, Eq, Subcommand)]
pub enum ServerAction {
    /// Send a chat message to everybody
    Say {
        /// The message
        #[arg(required = true, num_args = 1.., trailing_var_arg = true, allow_hyphen_values = true)]
        text: Vec<String>,
    },
    /// Send a chat message to one driver
    Tell {
        /// The driver's slot, from 0
        slot: u8,
        /// The message
        #[arg(required = true, num_args = 1.., trailing_var_arg = true, allow_hyphen_values = true)]
        text: Vec<String>,
    },
    /// Kick a driver
    Kick {
        /// The driver's slot, from 0
        slot: u8,
    },
    /// Start the next session
    Next,
    /// Restart the session
    Restart,
    /// Change a session; what is not given stays as it is
    Session(SessionChange),
    /// Show a session
    Info {
        /// The session, from 0; by default the current one
        index: Option<u8>,
    },
    /// Show who is in a slot
    Car {
        /// The slot, from 0
        slot: u8,
    },
    /// Set how often the server sends car positions
    Interval {
        /// Milliseconds, from 50 on
        millis: u16,
    },
    /// Run an administrator's chat command, such as /help
    Admin {
        /// The command, with its slash
        #[arg(required = true, num_args = 1.., trailing_var_arg = true, allow_hyphen_values = true)]
        command: Vec<String>,
    },
}

/// What a session is to be.
#[derive(Clone, Debug, PartialEq, Eq, Args)]
pub struct SessionChange {
    /// Which one, from 0
    pub index: u8,
    /// Its name
    #[arg(long)]
    pub name: Option<String>,
    /// practice, qualifying or race
    #[arg(long = "type", value_name = "TYPE")]
    pub kind: Option<SessionType>,
    /// Laps of a race
    #[arg(long)]
    pub laps: Option<u32>,
    /// How long it takes
    #[arg(long, value_parser = clap::value_parser!(u32).range(0..=71_582_788))]
    pub minutes: Option<u32>,
    /// Seconds to wait before it starts
    #[arg(long, value_name = "SECONDS")]
    pub wait: Option<u32>,
}

/// A kind of session, by name or by the server's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SessionType(pub u8);

impl SessionType {
    const NAMES: [(&'static str, u8); 4] = [("booking", 0), ("practice", 1), ("qualifying", 2), ("race", 3)];
}

impl FromStr for SessionType {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let known = Self::NAMES.iter().find(|(name, _)| *name == text).map(|(_, number)| *number);
        known.or_else(|| text.parse().ok()).map(Self).ok_or_else(|| {
            let names: Vec<&str> = Self::NAMES.iter().map(|(name, _)| *name).collect();
            format!("the types of session are {}, or a number of the server's", names.join(", "))
        })
    }
}

/// Runs one command, and prints its outcome.
pub fn run(request: Server) -> anyhow::Result<()> {
    let options = Options { http: request.http, ..Options::default() };
    let settings = settings_of(options, request.config.as_deref())?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.context("the system gives no threads")?;
    runtime.block_on(async {
        let feed = Feed::taking_commands().context("no game takes commands")?;
        let mut connection = ServerConnection::at(settings.http, feed).await?;
        let done = act(&mut connection, request.what).await?;
        reply::print(&done);
        Ok(())
    })
}

async fn act(connection: &mut ServerConnection, what: ServerAction) -> anyhow::Result<Reply> {
    let answered = match &what {
        ServerAction::Info { .. } => Some(SESSION),
        ServerAction::Car { .. } => Some(CAR),
        _ => None,
    };
    let command = match what {
        ServerAction::Say { text } => ServerCommand::Say { text: text.join(" ") },
        ServerAction::Tell { slot, text } => ServerCommand::Tell { slot, text: text.join(" ") },
        ServerAction::Kick { slot } => ServerCommand::Kick { slot },
        ServerAction::Next => ServerCommand::Next,
        ServerAction::Restart => ServerCommand::Restart,
        ServerAction::Session(wish) => changed(connection, wish).await?,
        ServerAction::Info { index } => ServerCommand::SessionInfo { index },
        ServerAction::Car { slot } => ServerCommand::CarInfo { slot },
        ServerAction::Interval { millis } => ServerCommand::Interval { millis },
        ServerAction::Admin { command } => ServerCommand::Admin { text: command.join(" ") },
    };
    let words = connection.ask(command).await?;
    let messages = connection.listen(answered).await?;
    if let Some(wanted) = answered
        && !messages.iter().any(|message| message.packet == wanted)
    {
        bail!("the server has not answered: is there such a session or slot?");
    }
    Ok(Reply { words, messages })
}

/// The session as it is, with the requested changes.
async fn changed(connection: &mut ServerConnection, wish: SessionChange) -> anyhow::Result<ServerCommand> {
    connection.ask(ServerCommand::SessionInfo { index: Some(wish.index) }).await?;
    let messages = connection.listen(Some(SESSION)).await?;
    let is_wanted = |message: &&Described| {
        message.packet == SESSION && number(message, "session_index") == Some(wish.index.into())
    };
    let now = messages.iter().find(is_wanted);
    let now = now.with_context(|| format!("the server does not say what session {} is like", wish.index))?;
    let number = |name| number(now, name).unwrap_or_default();
    Ok(ServerCommand::SetSession {
        index: wish.index,
        name: wish.name.or_else(|| text(now, "name")).unwrap_or_default(),
        kind: wish.kind.map_or_else(|| number("session_type") as u8, |kind| kind.0),
        laps: wish.laps.unwrap_or_else(|| number("laps") as u32),
        // The server reports minutes and milliseconds, but takes seconds for both.
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
