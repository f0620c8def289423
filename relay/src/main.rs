//! The program `trailbrake`: runs its command line.
#![forbid(unsafe_code)]

use std::io::{self, Write as _};
use std::process::ExitCode;

use clap::Parser;
use tracing_subscriber::EnvFilter;
use trailbrake_relay::commands::{CommandLine, Outcome};

fn main() -> ExitCode {
    let line = CommandLine::parse();
    let filter = EnvFilter::try_from_env("TRAILBRAKE_LOG").unwrap_or_else(|_| EnvFilter::new("warn"));
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr).init();
    match line.run() {
        Ok(Outcome::Done) => ExitCode::SUCCESS,
        Ok(Outcome::Rejections) => ExitCode::FAILURE,
        // The reader closed the pipe: it has seen enough.
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // Without a terminal the message is lost.
            let _ = writeln!(io::stderr(), "trailbrake: {error:#}");
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
