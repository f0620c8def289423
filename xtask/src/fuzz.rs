//! `cargo xtask fuzz`: searches for bytes from outside that bring the program down.

use std::fs;

use anyhow::{Context, Result, bail};

use crate::cargo_tool::CargoTool;
use crate::packages::Seat;
use crate::project::Project;
use crate::step;

/// The default time for each target, minutes.
const MINUTES: f64 = 2.0;
/// A target that thinks about one input for longer has failed, seconds.
const PATIENCE: &str = "-timeout=30";
/// A server that runs beside a target allocates while it is watched, which would count as leaks.
const LEAKS: &str = "-detect_leaks=0";

const CARGO_FUZZ: CargoTool = CargoTool {
    name: "cargo-fuzz",
    version: "^0.13",
    purpose: "which searches for input that breaks the program",
};

/// Runs each target with the address sanitizer, or only those that are named, and prints what was searched. What it finds
/// stays in the target folder, from where the next run goes on. Fails with the first input that breaks a target.
pub(crate) fn command(project: &Project, args: &[String]) -> Result<()> {
    let (minutes, wanted) = match args {
        [flag, minutes, wanted @ ..] if flag == "--minutes" => {
            (minutes.parse().context("--minutes N")?, wanted)
        }
        wanted => (MINUTES, wanted),
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

/// Searches with one target, and returns the figures of its row.
fn search(project: &Project, tool: &std::ffi::OsStr, target: &str, minutes: f64) -> Result<[String; 4]> {
    let found = project.target().join("fuzz-corpus").join(target);
    fs::create_dir_all(&found).with_context(|| format!("can't make {}", found.display()))?;
    let mut run = project.command(tool);
    run.args(["fuzz", "run", "--features", "engine", "--target-dir"])
        .arg(project.target().join("fuzz-search"))
        .arg(target);
    run.arg(&found).arg(project.path("fuzz/corpus").join(target));
    let seconds = (minutes * 60.0).ceil();
    run.args(["--", "-print_final_stats=1", PATIENCE, LEAKS, &format!("-max_total_time={seconds}")]);
    // The sanitizer's flags are for nightly compilers only; the stable one knows them too.
    run.env("RUSTC_BOOTSTRAP", "1");
    // In one piece, as the tool would have it, the page's views take longer to compile than a search lasts.
    run.env("RUSTFLAGS", "-Ccodegen-units=16");
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
