//! `cargo xtask fuzz`: searches for bytes from outside that bring the program down.

use std::ffi::OsStr;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::archive::{Format, Packed};
use crate::cargo_tool::CargoTool;
use crate::packages::Seat;
use crate::project::Project;
use crate::step;

/// The default time for each target, minutes.
const MINUTES: f64 = 2.0;
/// A target that thinks about one input for longer has failed, seconds. The first input also waits for what a target
/// simulates once, which takes long beside other work.
const PATIENCE: &str = "-timeout=120";
/// A server that runs beside a target allocates while it is watched and to the end, which would count as leaks.
const LEAKS: &str = "detect_leaks=0";

const CARGO_FUZZ: CargoTool = CargoTool {
    name: "cargo-fuzz",
    version: "^0.13",
    purpose: "which searches for input that breaks the program",
};

/// Runs each target with the address sanitizer, or only those that are named, and prints what was searched. A run goes on
/// from what was kept and what earlier runs on this machine found. With `--keep`, what reaches most with fewest inputs is
/// kept in the project. Fails with the first input that breaks a target.
pub(crate) fn command(project: &Project, args: &[String]) -> Result<()> {
    let (minutes, args) = match args {
        [flag, minutes, rest @ ..] if flag == "--minutes" => (minutes.parse().context("--minutes N")?, rest),
        rest => (MINUTES, rest),
    };
    let (keeps, wanted) = match args {
        [flag, rest @ ..] if flag == "--keep" => (true, rest),
        rest => (false, rest),
    };
    let targets = targets(project)?;
    if let Some(unknown) = wanted.iter().find(|name| !targets.contains(name)) {
        bail!("there is no fuzz target {unknown}; there are {}", targets.join(", "));
    }
    let tool = CARGO_FUZZ.obtain(project, Seat::look())?;
    println!("| target | inputs | per second | branches | corpus |\n|---|---|---|---|---|");
    for target in targets.iter().filter(|target| wanted.is_empty() || wanted.contains(target)) {
        let searched = search(project, tool.get_program(), target, minutes)?;
        println!("| `{target}` | {} |", searched.join(" | "));
        if keeps {
            keep(project, tool.get_program(), target)?;
        }
    }
    Ok(())
}

/// The names of all targets.
fn targets(project: &Project) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(project.path("fuzz/fuzz_targets")).context("the fuzz targets")? {
        names.extend(entry?.path().file_stem().map(|name| name.to_string_lossy().into_owned()));
    }
    names.sort();
    Ok(names)
}

/// The folder with what runs on this machine found for a target.
fn found(project: &Project, target: &str) -> PathBuf {
    project.target().join("fuzz-corpus").join(target)
}

/// The archive of what is kept for a target.
fn kept(project: &Project, target: &str) -> PathBuf {
    project.path("fuzz/found").join(format!("{target}.tar.gz"))
}

/// The engine with a target, for a command of the tool.
fn engine(project: &Project, tool: &OsStr, command: &str, target: &str) -> Command {
    let mut run = project.command(tool);
    run.args(["fuzz", command, "--features", "engine", "--target-dir"]);
    run.arg(project.target().join("fuzz-search")).arg(target);
    // The sanitizer's flags are for nightly compilers only; the stable one knows them too.
    run.env("RUSTC_BOOTSTRAP", "1");
    // In one piece, as the tool would have it, the page's views take longer to compile than a search lasts.
    run.env("RUSTFLAGS", "-Ccodegen-units=16");
    run
}

/// Leaves out the found inputs that reach nothing new, and keeps the others in the project.
fn keep(project: &Project, tool: &OsStr, target: &str) -> Result<()> {
    let found = found(project, target);
    step::quietly(&format!("{target} minimised"), engine(project, tool, "cmin", target).arg(&found))?;
    let mut files = Vec::new();
    for entry in fs::read_dir(&found).with_context(|| format!("can't read {}", found.display()))? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        files.push(Packed { name, bytes: fs::read(entry.path())?, is_program: false });
    }
    files.sort_by(|one, other| one.name.cmp(&other.name));
    let path = kept(project, target);
    fs::create_dir_all(project.path("fuzz/found")).context("can't make fuzz/found")?;
    Format::TarGz.pack(&path, &files)
}

/// Searches with one target, and returns the figures of its row.
fn search(project: &Project, tool: &OsStr, target: &str, minutes: f64) -> Result<[String; 4]> {
    let found = found(project, target);
    fs::create_dir_all(&found).with_context(|| format!("can't make {}", found.display()))?;
    let kept = kept(project, target);
    if kept.exists() {
        Format::TarGz.unpack(&kept, &found)?;
    }
    let mut run = engine(project, tool, "run", target);
    run.arg(&found).arg(project.path("fuzz/corpus").join(target));
    let seconds = (minutes * 60.0).ceil();
    run.env("ASAN_OPTIONS", LEAKS);
    run.args(["--", "-print_final_stats=1", PATIENCE, &format!("-max_total_time={seconds}")]);
    let output = run.output().with_context(|| format!("can't start {}", step::as_typed(&run)))?;
    let log = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        bail!(
            "{target} failed:\n{}\nThe input is in fuzz/artifacts/{target}: put it into fuzz/corpus/{target}",
            tail(&log)
        );
    }
    figures(&log).with_context(|| format!("{target} printed no figures:\n{}", tail(&log)))
}

/// The inputs, how many a second, the branches that were reached, and the inputs that reach them, from the engine's log.
fn figures(log: &str) -> Option<[String; 4]> {
    let stat = |name: &str| {
        let line = log.lines().find_map(|line| line.strip_prefix("stat::")?.strip_prefix(name));
        Some(line?.trim_start_matches(':').trim().to_owned())
    };
    let last = log.lines().rfind(|line| line.contains(" cov: "))?;
    let of_last = |name: &str| last.split_whitespace().skip_while(|word| *word != name).nth(1);
    let corpus = of_last("corp:")?.split('/').next()?;
    Some([
        stat("number_of_executed_units")?,
        stat("average_exec_per_sec")?,
        of_last("cov:")?.to_owned(),
        corpus.to_owned(),
    ])
}

/// The end of a log.
fn tail(log: &str) -> String {
    let lines: Vec<&str> = log.lines().collect();
    lines.get(lines.len().saturating_sub(60)..).unwrap_or_default().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_engines_figures_are_read() {
        let log = "#2\tINITED cov: 5 ft: 6 corp: 1/1b exec/s: 0 rss: 40Mb\n\
                   #9000\tDONE   cov: 812 ft: 1790 corp: 230/41Kb lim: 4096 exec/s: 4500 rss: 90Mb\n\
                   stat::number_of_executed_units: 9000\nstat::average_exec_per_sec:     4500\n";
        assert_eq!(figures(log), Some(["9000", "4500", "812", "230"].map(str::to_owned)));
        assert_eq!(figures("error: no such target"), None);
    }
}
