//! `cargo xtask team-load` and `team-faults`: many rigs at once, and faults at random, with real servers.

use anyhow::{Context, Result, bail};

use crate::nats;
use crate::packages::Seat;
use crate::project::Project;
use crate::step;

/// Prints how soon the bytes of many rigs are in the archive. Fails if one is missing or late.
pub(crate) fn load(project: &Project, args: &[String]) -> Result<()> {
    let [rigs, minutes] = numbers(args, ["--rigs", "--minutes"], [100, 10])?;
    run(project, "load::", &[("TRAILBRAKE_TEAM_LOAD", format!("{rigs} {}", minutes * 60))])
}

/// Makes faults at random. Fails if a file at the hub is not its rig's afterwards.
pub(crate) fn faults(project: &Project, args: &[String]) -> Result<()> {
    let [seconds, seed] = numbers(args, ["--seconds", "--seed"], [300, 1])?;
    let variables =
        [("TRAILBRAKE_TEAM_FAULTS", seconds.to_string()), ("TRAILBRAKE_TEAM_SEED", seed.to_string())];
    run(project, "chaos::", &variables)
}

/// Runs one of the tests with real servers, in the release build.
fn run(project: &Project, test: &str, variables: &[(&str, String)]) -> Result<()> {
    let [need, _] = nats::needs(project, Seat::look());
    let servers = need.variables.context("there is no nats-server to test with")?;
    let mut cargo = project.cargo();
    cargo.args(["test", "--release", "--package", "trailbrake-relay", "--test", "team", "--target-dir"]);
    cargo.arg(project.target()).args([test, "--", "--ignored", "--nocapture"]);
    cargo.envs(servers).envs(variables.iter().map(|(name, value)| (*name, value)));
    step::run(&mut cargo)
}

/// The values of two options, each with a number.
fn numbers(args: &[String], names: [&str; 2], usual: [u64; 2]) -> Result<[u64; 2]> {
    let mut values = usual;
    let (pairs, rest) = args.as_chunks::<2>();
    for [name, value] in pairs {
        let which = names.iter().position(|known| known == name);
        let number = value.parse().with_context(|| format!("{name} takes a number"))?;
        match which.and_then(|which| values.get_mut(which)) {
            Some(place) => *place = number,
            None => bail!("{name} is not known: there are {}", names.join(" and ")),
        }
    }
    if rest.is_empty() { Ok(values) } else { bail!("{} takes a number", rest.concat()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_have_numbers() {
        let read = |args: &[&str]| {
            let args: Vec<String> = args.iter().map(|arg| (*arg).to_owned()).collect();
            numbers(&args, ["--rigs", "--minutes"], [100, 10])
        };
        assert_eq!(read(&[]).unwrap(), [100, 10]);
        assert_eq!(read(&["--minutes", "1", "--rigs", "7"]).unwrap(), [7, 1]);
        for wrong in [&["--rigs"][..], &["--rigs", "x"], &["--cars", "1"]] {
            read(wrong).unwrap_err();
        }
    }
}
