//! `trailbrake setup`: shows what makes a game send the packets that Trailbrake reads best, and writes it into the game's
//! own files once the driver agrees.

use std::io::{self, BufRead, IsTerminal, Write};
use std::net::IpAddr;
use std::path::PathBuf;

use clap::Args;

use crate::feed_name::FeedName;
use crate::game_setup::GameSetup;

/// What the driver agrees with.
const YES: &str = "yes";

/// What to set up, and where the game is to send.
#[derive(Clone, Debug, Args)]
pub struct Setup {
    /// The game: ea-wrc
    #[arg(value_name = "GAME")]
    pub feed: FeedName,
    /// The game's telemetry folder, if it is not found
    #[arg(long, value_name = "FOLDER")]
    pub folder: Option<PathBuf>,
    /// The address that the game sends to, instead of this computer
    #[arg(long, value_name = "IP")]
    pub address: Option<IpAddr>,
    /// The port that the game sends to, instead of its usual one
    #[arg(long, value_name = "PORT")]
    pub port: Option<u16>,
    /// Write without asking
    #[arg(long)]
    pub yes: bool,
    /// Take out again what was written
    #[arg(long)]
    pub undo: bool,
}

/// Shows what belongs into the game's files, and writes it once the driver agrees.
pub fn run(request: &Setup, notes: impl Write) -> anyhow::Result<()> {
    let stdin = io::stdin();
    match stdin.is_terminal() {
        true => set_up(request, Some(&mut stdin.lock()), notes),
        false => set_up(request, None, notes),
    }
}

/// The same with the place where the driver may answer.
fn set_up(request: &Setup, answers: Option<&mut dyn BufRead>, mut notes: impl Write) -> anyhow::Result<()> {
    let Setup { feed: FeedName(feed), address, port, undo, .. } = *request;
    let plan = GameSetup { feed, folder: request.folder.clone(), address, port, undo }.plan()?;
    write!(notes, "{}", plan.words())?;
    if plan.is_done() {
        writeln!(notes, "nothing to do")?;
    } else if request.yes || agrees(answers, &mut notes)? {
        write!(notes, "{}", plan.carry_out()?)?;
    } else {
        writeln!(notes, "nothing was written")?;
    }
    Ok(())
}

/// Whether the driver agrees. Without a terminal nobody is asked.
fn agrees(answers: Option<&mut dyn BufRead>, notes: &mut impl Write) -> anyhow::Result<bool> {
    let Some(answers) = answers else {
        writeln!(notes, "run it again with --yes to write this")?;
        return Ok(false);
    };
    write!(notes, "Type {YES} to write this: ")?;
    notes.flush()?;
    let mut answer = String::new();
    answers.read_line(&mut answer)?;
    Ok(answer.trim().eq_ignore_ascii_case(YES))
}

#[cfg(test)]
mod tests;
