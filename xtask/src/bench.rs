//! `cargo xtask bench`: runs every benchmark, including the page's in a real browser, and makes one table of them.

use std::fmt::Write;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use crate::bench_page;
use crate::chromium::Chromium;
use crate::packages::Seat;
use crate::program;
use crate::project::Project;
use crate::step;

/// The option that writes the table into the documentation.
const DOCS: &str = "--docs";
/// The page of the documentation, and what its table stands between.
const PAGE: &str = "docs/performance.md";
const BEGIN: &str = "<!-- figures: written by cargo xtask bench --docs -->";
const END: &str = "<!-- end of the figures -->";

/// A row of the table.
#[derive(Debug, PartialEq)]
struct Figure {
    group: String,
    name: String,
    value: f64,
    unit: String,
}

/// Runs the benchmarks and prints their figures; the ratios within one run are what counts. The other arguments filter
/// them.
pub(crate) fn command(project: &Project, args: &[String]) -> Result<()> {
    let (docs, filter): (Vec<_>, Vec<_>) = args.iter().partition(|argument| *argument == DOCS);
    // The page is measured as it is delivered: embedded in the program, both in release.
    let program = program::release(project)?;
    let page = bench_page::build(project)?;
    let chromium = Chromium::obtain(Seat::look())?;
    let mut cargo = project.cargo();
    cargo.args(["bench", "--workspace", "--target-dir"]).arg(project.target());
    cargo.env("TRAILBRAKE_BIN", program).env("TRAILBRAKE_BENCH_PAGE", page).envs(chromium.variables());
    let figures = run(if filter.is_empty() { cargo.arg("--benches") } else { cargo.args(filter) })?;
    let file = project.target().join("bench.json");
    fs::write(&file, serde_json::to_vec_pretty(&as_json(&figures))?)?;
    println!("\n{}", as_text(&machine(), &tables(&figures)));
    println!("written: {}", file.display());
    if !docs.is_empty() {
        let path = project.path(PAGE);
        let text = fs::read_to_string(&path)?;
        fs::write(&path, with_tables(&text, &machine(), tables(&figures))?)?;
        println!("written: {}", path.display());
    }
    Ok(())
}

/// Runs a command and shows what it prints, except for its figures.
fn run(command: &mut Command) -> Result<Vec<Figure>> {
    let mut child = command.stdout(Stdio::piped()).spawn().context("cargo can't be started")?;
    let mut figures = Vec::new();
    let output = child.stdout.take().context("cargo has no output")?;
    for line in BufReader::new(output).lines() {
        let line = line?;
        match Figure::read(&line) {
            Some(figure) => figures.push(figure),
            None => println!("{line}"),
        }
    }
    let status = child.wait()?;
    if !status.success() {
        bail!("a benchmark failed: {status}");
    }
    Ok(figures)
}

impl Figure {
    fn read(line: &str) -> Option<Self> {
        let mut parts = line.strip_prefix("figure\t")?.split('\t').map(str::to_owned);
        let (group, name, value, unit) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
        Some(Self { group, name, value: value.parse().ok()?, unit })
    }

    /// The figure with three digits.
    fn words(&self) -> String {
        let decimals = match self.value.abs() {
            value if value >= 100.0 => 0,
            value if value >= 10.0 => 1,
            _ => 2,
        };
        format!("{:.decimals$} {}", self.value, self.unit)
    }
}

/// A table: its title, and its lines.
type Table = (String, String);

/// One table for each group, in the order in which they were measured.
fn tables(figures: &[Figure]) -> Vec<Table> {
    let mut tables = Vec::new();
    for group in figures.chunk_by(|one, other| one.group == other.group) {
        let title = group.first().map_or("", |first| &first.group);
        let mut lines = "| measured | figure |\n|---|---|".to_owned();
        for figure in group {
            // Writing into text never fails.
            let _ = write!(lines, "\n| {} | {} |", figure.name, figure.words());
        }
        tables.push((title.to_owned(), lines));
    }
    tables
}

fn as_text(machine: &str, tables: &[Table]) -> String {
    let tables: Vec<String> =
        tables.iter().map(|(title, lines)| format!("\n### {title}\n\n{lines}\n")).collect();
    format!("{machine}{}", tables.concat())
}

fn as_json(figures: &[Figure]) -> Value {
    let row = |Figure { group, name, value, unit }: &Figure| json!({ "group": group, "name": name, "value": value, "unit": unit });
    figures.iter().map(row).collect()
}

/// The machine's shape, in one line.
fn machine() -> String {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let information = fs::read_to_string(Path::new("/proc/cpuinfo")).unwrap_or_default();
    let model = information.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let model = model.map_or("a processor that does not say its name", |(_, model)| model);
    let rust = step::answer(Command::new("rustc").arg("--version")).unwrap_or_default();
    format!("{} {}, {cores} cores, {model}, {}\n", std::env::consts::OS, std::env::consts::ARCH, rust.trim())
}

/// A page with these tables in place of those of the same titles. Others stay: a run may be of one benchmark.
fn with_tables(text: &str, machine: &str, tables: Vec<Table>) -> Result<String> {
    let (before, rest) =
        text.split_once(BEGIN).with_context(|| format!("{PAGE} has no place for figures"))?;
    let (old, after) = rest.split_once(END).with_context(|| format!("the figures of {PAGE} have no end"))?;
    let title_and_lines = |table: &str| {
        let (title, lines) = table.split_once('\n')?;
        Some((title.to_owned(), lines.trim().to_owned()))
    };
    let mut all: Vec<Table> = old.split("\n### ").skip(1).filter_map(title_and_lines).collect();
    for (title, lines) in tables {
        match all.iter_mut().find(|(known, _)| *known == title) {
            Some((_, known)) => *known = lines,
            None => all.push((title, lines)),
        }
    }
    Ok(format!("{before}{BEGIN}\n\n{}\n{END}{after}", as_text(machine, &all)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_become_tables_in_the_page() {
        let lines = [
            "figure\ta\tone\t0.256\tms",
            "figure\ta\ttwo\t123.4\tMB",
            "not a figure",
            "figure\tb\tthree\t12.34\t%",
        ];
        let figures: Vec<Figure> = lines.iter().filter_map(|line| Figure::read(line)).collect();
        let text = format!("# Head\n\n{BEGIN}\n\n### b\n\nold\n\n### c\n\nkept\n{END}\n\nFoot\n");
        let written = with_tables(&text, "here\n", tables(&figures)).expect("a page");
        let expected = "here\n\n### b\n\n| measured | figure |\n|---|---|\n| three | 12.3 % |\n\
            \n### c\n\nkept\n\
            \n### a\n\n| measured | figure |\n|---|---|\n| one | 0.26 ms |\n| two | 123 MB |\n";
        assert_eq!(written, format!("# Head\n\n{BEGIN}\n\n{expected}\n{END}\n\nFoot\n"));
        let twice = with_tables(&written, "here\n", tables(&figures)).expect("a page");
        assert_eq!(twice, written, "twice is as once");
        assert!(with_tables("no place", "", Vec::new()).is_err());
        assert_eq!(as_json(&figures)[1]["value"], 123.4);
    }
}
