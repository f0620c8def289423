//! `cargo xtask`: sets up, builds, runs, tests and checks Trailbrake, with one word each.
#![forbid(unsafe_code)]

mod dist;
mod packages;
mod project;
mod step;
mod toolchain;
mod web;

use std::env;
use std::process::ExitCode;

use anyhow::{Result, bail};

use crate::project::Project;

/// One word after `cargo xtask`.
struct Command {
    name: &'static str,
    options: &'static str,
    says: &'static str,
    run: fn(&Project, &[String]) -> Result<()>,
}

const COMMANDS: &[Command] = &[Command {
    name: "web",
    options: "[--dev]",
    says: "build the web app into web/dist",
    run: web::command,
}];

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    match dispatch(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("\ncargo xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn dispatch(args: &[String]) -> Result<()> {
    let Some((name, rest)) = args.split_first() else {
        print!("{}", help());
        return Ok(());
    };
    if matches!(name.as_str(), "help" | "--help" | "-h") {
        print!("{}", help());
        return Ok(());
    }
    match COMMANDS.iter().find(|command| command.name == name) {
        Some(command) => (command.run)(&Project::locate()?, rest),
        None => bail!("there is no command `{name}`\n\n{}", help()),
    }
}

fn help() -> String {
    let mut text = "cargo xtask COMMAND\n\n".to_owned();
    for Command { name, options, says, .. } in COMMANDS {
        let call = format!("{name} {options}");
        text += &format!("  {call:<32} {says}\n");
    }
    text
}
