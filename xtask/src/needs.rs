//! Runs tests that need something that is not available everywhere, such as captures, and counts those that can't run.
//!
//! Such a test is marked `#[ignore = "needs …"]`. All other tests run first, and the test programs print which were
//! ignored and why. Then the ignored tests whose need is met run by name.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::step;

/// Environment variables through which tests find what they need.
pub(crate) type Variables = Vec<(&'static str, OsString)>;

/// Something that certain tests need.
pub(crate) struct Need {
    /// The reason in their `#[ignore]`.
    pub(crate) reason: &'static str,
    /// `None` if it is not available.
    pub(crate) variables: Option<Variables>,
}

/// Runs `cargo test` with filters, then the ignored tests whose need is met. Prints what did not run.
pub(crate) fn run(cargo: &dyn Fn() -> Command, filters: &[&str], needs: &[Need]) -> Result<()> {
    let variables: Vec<_> = needs.iter().filter_map(|need| need.variables.clone()).flatten().collect();
    let mut first = cargo();
    first.arg("--").args(filters).envs(variables.clone());
    let ignored = read(&mut first)?.ignored;
    let (met, unmet) = sort(&ignored, needs)?;
    if !met.is_empty() {
        let mut second = cargo();
        // Doc tests have no needs.
        second.args(["--tests", "--", "--ignored", "--exact"]).args(&met).envs(variables);
        let ran = read(&mut second)?.passed;
        if ran != met.len() {
            bail!("{} tests have what they need, and {ran} of them ran", met.len());
        }
    }
    println!("{}", summary(&unmet));
    Ok(())
}

/// What test programs print.
#[derive(Default)]
struct Report {
    passed: usize,
    /// Ignored tests: name and reason.
    ignored: Vec<(String, String)>,
    /// The number of ignored tests, as the test programs count them.
    ignored_count: usize,
}

impl Report {
    /// Parses a line. Returns whether it is worth showing.
    fn read_line(&mut self, line: &str) -> bool {
        if let Some(counts) = line.strip_prefix("test result: ") {
            let count = |of: &str| {
                let mut parts = counts.split([';', '.']).map(str::trim);
                parts.find_map(|part| part.strip_suffix(of)?.trim().parse().ok()).unwrap_or(0)
            };
            self.passed += count("passed");
            self.ignored_count += count("ignored");
            return count("passed") + count("failed") > 0;
        }
        let Some((name, result)) = line.strip_prefix("test ").and_then(|test| test.rsplit_once(" ... "))
        else {
            return !line.is_empty() && !line.starts_with("running ");
        };
        if let Some(reason) = result.strip_prefix("ignored") {
            self.ignored.push((name.to_owned(), reason.trim_start_matches(", ").to_owned()));
            return false;
        }
        result != "ok"
    }
}

/// Runs test programs and shows their failures.
fn read(cargo: &mut Command) -> Result<Report> {
    let mut child = cargo.stdout(Stdio::piped()).spawn().context("can't start cargo")?;
    let mut report = Report::default();
    for line in BufReader::new(child.stdout.take().context("cargo has no output")?).lines() {
        let line = line?;
        if report.read_line(&line) {
            println!("{line}");
        }
    }
    step::succeeded(cargo, child.wait()?)?;
    if report.ignored.len() != report.ignored_count {
        bail!("{} tests were ignored, and {} are named", report.ignored_count, report.ignored.len());
    }
    Ok(report)
}

/// The ignored tests whose need is met, and the number of the others by reason.
fn sort<'a>(
    ignored: &'a [(String, String)],
    needs: &[Need],
) -> Result<(Vec<&'a str>, BTreeMap<&'static str, usize>)> {
    let (mut met, mut unmet) = (Vec::new(), BTreeMap::new());
    for (name, reason) in ignored {
        match needs.iter().find(|need| need.reason == reason) {
            Some(need) if need.variables.is_some() => met.push(name.as_str()),
            Some(need) => *unmet.entry(need.reason).or_default() += 1,
            None => bail!("{name} is ignored ({reason:?}), and no need of that name is known"),
        }
    }
    Ok((met, unmet))
}

/// How many tests did not run, and why.
fn summary(unmet: &BTreeMap<&str, usize>) -> String {
    let count: usize = unmet.values().sum();
    if count == 0 {
        return "every test ran".to_owned();
    }
    let short = |reason: &str| reason.split(':').next().unwrap_or_default().to_owned();
    let reasons: Vec<String> =
        unmet.iter().map(|(reason, count)| format!("{} ({count})", short(reason))).collect();
    format!("{count} test{} did not run: {}", if count == 1 { "" } else { "s" }, reasons.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRINTED: &str = "
running 5 tests
test laps::a_lap_ends ... ok
test captures::a_drive ... ignored, needs captures
test captures::a_race ... ignored, needs captures
test page::a_click ... ignored, needs a browser: run cargo xtask test
test figures::a_shape - should panic ... ok

test result: ok. 2 passed; 0 failed; 3 ignored; 0 measured; 0 filtered out; finished in 0.01s

running 2 tests
test peers::a_table ... ignored, needs Python
test laps::a_lap_begins ... FAILED

test result: FAILED. 0 passed; 1 failed; 1 ignored; 0 measured; 4 filtered out; finished in 0.02s
";

    fn needs(captures: Option<Variables>) -> [Need; 3] {
        [
            Need { reason: "needs captures", variables: captures },
            Need { reason: "needs a browser: run cargo xtask test", variables: None },
            Need { reason: "needs Python", variables: None },
        ]
    }

    #[test]
    fn what_did_not_run_is_counted_by_reason() {
        let mut report = Report::default();
        let shown: Vec<&str> = PRINTED.lines().filter(|line| report.read_line(line)).collect();
        assert_eq!(shown.len(), 3, "{shown:?}");
        assert_eq!(shown[1], "test laps::a_lap_begins ... FAILED");
        assert_eq!((report.passed, report.ignored.len(), report.ignored_count), (2, 4, 4));

        let (met, unmet) = sort(&report.ignored, &needs(None)).unwrap();
        assert_eq!(met, [""; 0]);
        assert_eq!(
            summary(&unmet),
            "4 tests did not run: needs Python (1), needs a browser (1), needs captures (2)"
        );
        let (met, unmet) = sort(&report.ignored, &needs(Some(Vec::new()))).unwrap();
        assert_eq!(met, ["captures::a_drive", "captures::a_race"]);
        assert_eq!(summary(&unmet), "2 tests did not run: needs Python (1), needs a browser (1)");
        assert_eq!(summary(&BTreeMap::from([("needs Python", 1)])), "1 test did not run: needs Python (1)");
        assert_eq!(summary(&BTreeMap::new()), "every test ran");
    }

    #[test]
    fn a_reason_that_no_need_has_is_an_error() {
        let ignored = [("laps::a_lap".to_owned(), "slow".to_owned())];
        assert!(sort(&ignored, &needs(None)).unwrap_err().to_string().contains("laps::a_lap"));
    }
}
