//! `cargo xtask`: sets up, builds, runs, tests and checks Trailbrake.
#![forbid(unsafe_code)]

mod archive;
mod axe;
mod bench;
mod bench_page;
mod cargo_tool;
mod check;
mod chromium;
mod dev;
mod dist;
mod firefox;
mod fuzz;
mod instructions;
mod kills;
mod licences;
mod load;
mod long;
mod lua;
mod memory;
mod namespace;
mod nats;
mod needs;
mod npm;
mod packages;
mod page_files;
mod page_parts;
mod page_size;
mod peers;
mod pictures;
mod program;
mod project;
mod setup;
mod single_file;
mod soak;
mod step;
mod system;
mod team;
mod test;
mod test_program;
mod test_run;
mod toolchain;
mod viewer;
mod walk;
mod web;
mod why;
mod wine;

use std::env;
use std::process::ExitCode;

use anyhow::{Result, bail};

use crate::project::Project;

/// A subcommand of `cargo xtask`.
struct Command {
    name: &'static str,
    options: &'static str,
    says: &'static str,
    run: fn(&Project, &[String]) -> Result<()>,
}

const COMMANDS: &[Command] = &[
    Command {
        name: "run",
        options: "[--no-open] [OPTIONS]",
        says: "set up, build and start Trailbrake, with its own options",
        run: program::run_command,
    },
    Command {
        name: "test",
        options: "",
        says: "run every test, those in a real browser included",
        run: test::command,
    },
    Command {
        name: "check",
        options: "[--record]",
        says: "format, lints, documentation, licences, the page's size, instructions of hot loops",
        run: check::command,
    },
    Command { name: "web", options: "[--dev]", says: "build the page into web/dist", run: web::command },
    Command {
        name: "build",
        options: "",
        says: "build the page and the program around it, in release",
        run: program::build_command,
    },
    Command {
        name: "dist",
        options: "[SYSTEM]...",
        says: "make the archives for download, and try out each",
        run: dist::command,
    },
    Command {
        name: "windows",
        options: "",
        says: "build the program for Windows and try it out, under Wine if need be",
        run: dist::windows,
    },
    Command {
        name: "viewer",
        options: "",
        says: "make the page without a relay, as a folder for any web host",
        run: viewer::command,
    },
    Command {
        name: "dev",
        options: "[OPTIONS]",
        says: "rebuild on change; the page reloads by itself",
        run: dev::command,
    },
    Command {
        name: "bench",
        options: "[--docs] [--bench NAME]",
        says: "run the benchmarks, as one table; what counts are the ratios",
        run: bench::command,
    },
    Command {
        name: "peers",
        options: "",
        says: "have other programs and libraries read our files",
        run: peers::command,
    },
    Command {
        name: "pictures",
        options: "",
        says: "take the README's pictures again, in a real browser",
        run: pictures::command,
    },
    Command {
        name: "kills",
        options: "[N]",
        says: "kill the program a hundred times while it records, and see what is lost",
        run: kills::command,
    },
    Command {
        name: "why",
        options: "[N]",
        says: "plant a thousand mistakes, and see how well their causes are found",
        run: why::command,
    },
    Command {
        name: "long",
        options: "[MINUTES]",
        says: "open a race of three hours in the browser, and see what it costs",
        run: long::command,
    },
    Command {
        name: "memory",
        options: "[MINUTES]",
        says: "show a race of two hours in the browser, and see that its memory stays flat",
        run: memory::command,
    },
    Command {
        name: "soak",
        options: "[--minutes N]",
        says: "run all simulated games for half an hour, and see that nothing is lost and nothing grows",
        run: soak::command,
    },
    Command {
        name: "fuzz",
        options: "[--minutes N] [--keep] [TARGET]...",
        says: "search for bytes from outside that bring the program down, two minutes for each way in",
        run: fuzz::command,
    },
    Command {
        name: "load",
        options: "[PACKETS]",
        says: "send fifty thousand packets a second through the program, and see that all are recorded",
        run: load::command,
    },
    Command {
        name: "team-load",
        options: "[--rigs N] [--minutes M]",
        says: "send what a hundred rigs record to a hub, and see that it is there, once and soon",
        run: team::load,
    },
    Command {
        name: "team-faults",
        options: "[--seconds S] [--seed N]",
        says: "kill, pause and cut what a team consists of, and see that every file is equal afterwards",
        run: team::faults,
    },
    Command {
        name: "setup",
        options: "",
        says: "only find or install what building and testing need",
        run: setup::command,
    },
];

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
