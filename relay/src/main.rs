//! The program `trailbrake`: runs its command line.
#![forbid(unsafe_code)]

use std::io::{self, IsTerminal as _, Write as _};
use std::process::ExitCode;

use clap::Parser;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::time::FormatTime;
use trailbrake_relay::commands::{CommandLine, Outcome, Start};
use trailbrake_relay::plain;

/// Stamps log lines with the time of day where the user is.
struct LocalTime;

impl FormatTime for LocalTime {
    fn format_time(&self, line: &mut Writer<'_>) -> std::fmt::Result {
        write!(line, "{}", jiff::Zoned::now().strftime("%F %T"))
    }
}

fn main() -> ExitCode {
    let line = CommandLine::parse();
    let filter = EnvFilter::try_from_env("TRAILBRAKE_LOG").unwrap_or_else(|_| EnvFilter::new("warn"));
    // Older Windows consoles show colours only when asked to.
    tracing_subscriber::fmt()
        .with_target(false)
        .with_timer(LocalTime)
        .with_env_filter(filter)
        .with_writer(anstream::stderr)
        .init();
    let start = Start::here();
    match line.run(start) {
        Ok(Outcome::Done) => ExitCode::SUCCESS,
        Ok(Outcome::Rejections) => ExitCode::FAILURE,
        // The reader closed the pipe: it has seen enough.
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // Without a terminal the message is lost.
            let _ = writeln!(io::stderr(), "{}", plain(&format!("trailbrake: {error:#}")));
            if start == Start::DoubleClick {
                wait_for_enter();
            }
            ExitCode::FAILURE
        }
    }
}

/// Whether the output's reader has gone. JSON errors wrap the pipe's error.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let of_io = cause.downcast_ref::<io::Error>().map(io::Error::kind);
        let of_json = cause.downcast_ref::<serde_json::Error>().and_then(serde_json::Error::io_error_kind);
        of_io.or(of_json) == Some(io::ErrorKind::BrokenPipe)
    })
}

/// Keeps the window open that closes with the program.
fn wait_for_enter() {
    if io::stdin().is_terminal() {
        let _ = writeln!(io::stderr(), "\nPress Enter to close this window.");
        let _ = io::stdin().read_line(&mut String::new());
    }
}
