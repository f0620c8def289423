//! Counts the instructions of the hot loops, which depend on no clock, and compares them with those on record.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::iter;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::thread;

use anyhow::{Context, Result, anyhow, bail};

use crate::packages::{self, Requirement, Seat};
use crate::project::Project;
use crate::step;

/// The program with the loops, and the function in it that is counted.
const PACKAGE: &str = "trailbrake-hot-loops";
const COUNTED: &str = "*hot_loops::measured*";
/// The profile that it is built with: what a driver downloads, with the names of functions.
const PROFILE: &str = "hot-loops";
/// The counts when they were last reviewed: a line per loop, with its name behind the number.
const RECORD: &str = "tests/hot_loops/instructions.txt";
/// A loop that takes so much more than on record fails the check, per cent. Compilers differ by less.
const TOLERANCE: u64 = 5;

/// Filling a session may take as many instructions as decoding what it is filled with, per cent.
const FILLING: u64 = 100;
/// Feeds that may take more: their packets hardly need decoding. Compilers differ by a few per cent.
const HARDLY_DECODED: &[(&str, u64)] = &[("ac-remote", 225), ("ac-server", 140)];

const VALGRIND: Requirement =
    Requirement { variable: "TRAILBRAKE_VALGRIND", names: &["valgrind"], places: &["/usr/bin/valgrind"] };

/// The instructions of each loop, by its name.
type Counts = BTreeMap<String, u64>;

/// Counts the hot loops and compares them with the record, or writes the record.
pub(crate) fn check(project: &Project, seat: Seat, record: bool) -> Result<()> {
    let Some(valgrind) = obtain(seat)? else {
        println!("instructions: not counted, since valgrind is not here (it runs on Linux only)");
        return Ok(());
    };
    let counts = count(project, &valgrind)?;
    let excessive = excessive(&counts);
    if !excessive.is_empty() {
        bail!("filling a session takes too many instructions beside decoding:\n{excessive}");
    }
    let path = project.path(RECORD);
    if record {
        return fs::write(&path, written(&counts)).with_context(|| format!("can't write {}", path.display()));
    }
    let known = fs::read_to_string(&path).unwrap_or_default();
    let grown = grown(&read(&known), &counts);
    if !grown.is_empty() {
        bail!(
            "hot loops take more than {TOLERANCE} % more instructions than on record:\n{grown}See what they do now, \
             and if it is worth that, record it with `cargo xtask check --record`"
        );
    }
    println!("ok    instructions of {} hot loops", counts.len());
    Ok(())
}

/// Finds valgrind, or installs it on a build server. Elsewhere it is not worth a question.
fn obtain(seat: Seat) -> Result<Option<PathBuf>> {
    if VALGRIND.find().is_none() && packages::has_apt() && seat.is_build_server() {
        seat.install_packages("valgrind, to count instructions", &["valgrind"])?;
    }
    Ok(VALGRIND.find())
}

fn count(project: &Project, valgrind: &Path) -> Result<Counts> {
    let mut build = project.cargo();
    build.args(["build", "--quiet", "--profile", PROFILE, "--package", PACKAGE, "--target-dir"]);
    step::quietly("hot loops built", build.arg(project.target()))?;
    let folder = project.target().join(PROFILE);
    let counted = Counted { valgrind, program: folder.join(PACKAGE), inputs: folder.join("inputs") };
    let names = step::answer(&mut project.command(&counted.program)).context("the hot loops don't start")?;
    // Without valgrind, under which a race takes minutes.
    let mut make = project.command(&counted.program);
    step::quietly("hot loops' inputs made", make.arg("make").arg(&counted.inputs))?;
    // Each core takes the next one.
    let waiting = Mutex::new(names.lines());
    let next = || waiting.lock().ok()?.next();
    let work = || -> Result<Counts> {
        iter::from_fn(next).map(|name| Ok((name.to_owned(), counted.count(project, name)?))).collect()
    };
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    thread::scope(|scope| {
        let workers: Vec<_> = (0..cores).map(|_| scope.spawn(work)).collect();
        let mut all = Counts::new();
        for worker in workers {
            all.extend(worker.join().map_err(|_| anyhow!("a thread that counts ended early"))??);
        }
        Ok(all)
    })
}

/// The program that is counted, and what counts it.
struct Counted<'a> {
    valgrind: &'a Path,
    program: PathBuf,
    /// The folder with what the loops work on.
    inputs: PathBuf,
}

impl Counted<'_> {
    /// The instructions of one loop.
    fn count(&self, project: &Project, name: &str) -> Result<u64> {
        let out = self.inputs.join(format!("{}.counted", name.replace([' ', ':'], "-")));
        let mut run = project.command(self.valgrind);
        run.args(["--quiet", "--tool=callgrind", "--collect-atstart=no"]);
        run.arg(format!("--toggle-collect={COUNTED}"));
        run.arg(format!("--callgrind-out-file={}", out.display())).arg(&self.program);
        let answer = step::answer(run.arg(name).arg(&self.inputs));
        answer.with_context(|| format!("{name} does not run under valgrind"))?;
        let written = fs::read_to_string(&out).with_context(|| format!("can't read {}", out.display()))?;
        let total = written.lines().find_map(|line| line.strip_prefix("totals: ")?.trim().parse().ok());
        total.filter(|total| *total > 0).with_context(|| format!("{name} was not counted"))
    }
}

/// Loops that take too many instructions, a line each. A loop without a record is one of them.
fn grown(known: &Counts, counts: &Counts) -> String {
    let mut lines = String::new();
    for (name, now) in counts {
        let was = known.get(name).copied().unwrap_or_default();
        if now * 100 > was * (100 + TOLERANCE) {
            // Writing into text never fails.
            let _ = writeln!(lines, "    {name}: {now}, was {was}");
        }
    }
    lines
}

/// Feeds whose filling takes too many instructions beside their decoding, a line each.
fn excessive(counts: &Counts) -> String {
    let mut lines = String::new();
    for (name, decoding) in counts {
        let Some(feed) = name.strip_suffix(": decoded") else { continue };
        let Some(both) = counts.get(&format!("{feed}: into a session")) else { continue };
        let filling = both.saturating_sub(*decoding);
        let limit = HARDLY_DECODED.iter().find(|(hardly, _)| *hardly == feed);
        let most = limit.map_or(FILLING, |(_, most)| *most);
        if filling * 100 > decoding * most {
            // Writing into text never fails.
            let _ = writeln!(lines, "    {feed}: {filling} after {decoding}, at most {most} %");
        }
    }
    lines
}

fn read(record: &str) -> Counts {
    let line = |line: &str| {
        let (count, name) = line.split_once(' ')?;
        Some((name.to_owned(), count.parse().ok()?))
    };
    record.lines().filter_map(line).collect()
}

fn written(counts: &Counts) -> String {
    counts.iter().map(|(name, count)| format!("{count} {name}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_read_as_it_was_written() {
        let counts = Counts::from([("f1-2018: decoded".to_owned(), 9_440_170), ("two laps".to_owned(), 7)]);
        assert_eq!(written(&counts), "9440170 f1-2018: decoded\n7 two laps\n");
        assert_eq!(read(&written(&counts)), counts);
    }

    #[test]
    fn filling_a_session_may_take_as_many_instructions_as_decoding() {
        let lines = |dirt: u64, remote: u64| {
            excessive(&Counts::from([
                ("ac-remote: decoded".to_owned(), 1000),
                ("ac-remote: into a session".to_owned(), remote),
                ("dirt-rally: decoded".to_owned(), 1000),
                ("dirt-rally: into a session".to_owned(), dirt),
                ("drawn".to_owned(), 9000),
            ]))
        };
        assert_eq!(lines(2000, 3250), "");
        assert_eq!(lines(2001, 3250), "    dirt-rally: 1001 after 1000, at most 100 %\n");
        assert_eq!(lines(900, 3251), "    ac-remote: 2251 after 1000, at most 225 %\n");
    }

    #[test]
    fn more_instructions_than_on_record_are_noticed_and_fewer_are_not() {
        let known = read("1000 decoded\n1000 drawn\n1000 compared\n");
        let counts = read("1050 decoded\n1051 drawn\n10 compared\n5 new\n");
        assert_eq!(grown(&known, &counts), "    drawn: 1051, was 1000\n    new: 5, was 0\n");
    }
}
