//! The program `trailbrake`: runs what its command line asks for.
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
        // The reader of what is printed has seen enough.
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // A terminal that is gone reads nothing.
            let _ = writeln!(io::stderr(), "trailbrake: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Whether the reader of the output has gone. JSON's errors hide that of the pipe.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let of_io = cause.downcast_ref::<io::Error>().map(io::Error::kind);
        let of_json = cause.downcast_ref::<serde_json::Error>().and_then(serde_json::Error::io_error_kind);
        of_io.or(of_json) == Some(io::ErrorKind::BrokenPipe)
    })
}
