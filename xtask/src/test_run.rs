//! Runs test programs, those that drive a browser beside the others, and reports what ran, how long, and what failed.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader};
use std::num::NonZero;
use std::process::{Child, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use crate::needs::{self, Need, Unmet};
use crate::project::Project;
use crate::test_program::{Test, TestProgram};

/// A program whose tests neither begin nor end for so long is stopped.
const SILENCE: Duration = Duration::from_secs(15 * 60);
/// How many of the slowest tests are named.
const SLOWEST: usize = 10;
/// How the reason of tests begins that mostly wait for a browser.
const BROWSER: &str = "needs a browser";

/// Builds the test programs of some packages (none: the whole workspace) once, and runs their tests, or those whose name
/// contains one of `filters`.
pub(crate) fn run(project: &Project, packages: &[&str], filters: &[&str], needs: &[Need]) -> Result<()> {
    let started = Instant::now();
    let mut programs = TestProgram::build(project, packages)?;
    println!("ok    tests built ({} s)", started.elapsed().as_secs());
    for program in &mut programs {
        let is_wanted =
            |test: &Test| filters.is_empty() || filters.iter().any(|part| test.name.contains(part));
        program.tests.retain(is_wanted);
    }
    programs.retain(|program| !program.tests.is_empty());
    if programs.is_empty() {
        bail!("no test has a name with {}", filters.join(" or "));
    }
    let mut unmet = Unmet::default();
    let (mut in_browser, mut others) = (Vec::new(), Vec::new());
    for program in &programs {
        let (met, not_met) = needs::sort(&program.tests, needs)?;
        let skipped: Vec<String> = not_met.names().cloned().collect();
        unmet.extend(not_met);
        let names = (!filters.is_empty()).then(|| met.iter().map(|test| test.name.clone()).collect());
        let drives_browser =
            |test: &&Test| test.ignored.as_deref().is_some_and(|why| why.starts_with(BROWSER));
        let lane = if met.iter().any(drives_browser) { &mut in_browser } else { &mut others };
        if !met.is_empty() {
            lane.push(Job { program, count: met.len(), names, skipped });
        }
    }
    // Whole sessions take longest and come first, so that short ones fill the end.
    others.sort_by_key(|job| (job.program.is_unit, std::cmp::Reverse(job.count)));
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    let variables = needs::variables(needs);
    let waiting = Mutex::new(VecDeque::from(others));
    let next = || waiting.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
    // Two programs at a time, with all cores each: browsers and relays wait most of the time, so that one long
    // test leaves no core idle.
    let run_waiting = || {
        let jobs = std::iter::from_fn(next);
        jobs.map(|job| job.run(project, cores, &variables)).collect::<Result<Vec<_>>>()
    };
    let reports = thread::scope(|scope| {
        let beside = scope.spawn(run_waiting);
        // Their pages wait half of the time, so one more than there are cores keeps these busy.
        let browsers = in_browser.into_iter().map(|job| job.run(project, cores + 1, &variables));
        let browsers = browsers.collect::<Result<Vec<_>>>();
        let others = run_waiting()?;
        let beside = beside.join().map_err(|_| anyhow::anyhow!("the runner panicked"))?;
        anyhow::Ok([browsers?, others, beside?])
    })?;
    let reports: Vec<Report> = reports.into_iter().flatten().collect();
    println!("{}", summary(&reports, &unmet));
    let failed = reports.iter().map(|report| report.failures.len()).sum::<usize>();
    if failed > 0 {
        bail!("{failed} test{} failed", if failed == 1 { "" } else { "s" });
    }
    Ok(())
}

/// A program's tests that can run here.
struct Job<'a> {
    program: &'a TestProgram,
    count: usize,
    /// Only these tests; `None` for all but `skipped`.
    names: Option<Vec<String>>,
    /// Tests whose need is not met.
    skipped: Vec<String>,
}

impl Job<'_> {
    fn run(&self, project: &Project, threads: usize, variables: &needs::Variables) -> Result<Report> {
        let name = &self.program.name;
        let mut command = self.program.command(project);
        command.args(["--report-time", "--include-ignored", "--exact"]);
        command.arg(format!("--test-threads={threads}"));
        match &self.names {
            Some(names) => command.args(names),
            None => command.args(self.skipped.iter().flat_map(|name| ["--skip", name])),
        };
        command.envs(variables.iter().cloned());
        let started = Instant::now();
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("can't start {name}"))?;
        let mut report = Report { program: name.clone(), ..Report::default() };
        follow(&mut child, &mut report)?;
        let status = child.wait()?;
        report.seconds = started.elapsed().as_secs_f64();
        let ran = report.passed.len() + report.failures.len();
        if report.failures.is_empty() && (ran != self.count || !status.success()) {
            let words = format!("{} tests have what they need, and {ran} of them ran ({status})", self.count);
            report.failures.push((report.under_way.join(", "), words));
        }
        let mark = if report.failures.is_empty() { "ok   " } else { "FAIL " };
        println!("{mark} {name}: {ran} tests ({:.0} s)", report.seconds);
        Ok(report)
    }
}

/// Reads what a program reports until it ends. Stops it if nothing happens for too long.
fn follow(child: &mut Child, report: &mut Report) -> Result<()> {
    let out = BufReader::new(child.stdout.take().context("a test program has no output")?);
    let (sender, lines) = mpsc::channel();
    thread::spawn(move || {
        for line in out.lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    loop {
        match lines.recv_timeout(SILENCE) {
            Ok(line) => report.read(&line),
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
            Err(RecvTimeoutError::Timeout) => {
                child.kill()?;
                let minutes = SILENCE.as_secs() / 60;
                let words = format!("nothing happened for {minutes} minutes, so the program was stopped");
                report.failures.push((report.under_way.join(", "), words));
                return Ok(());
            }
        }
    }
}

/// What a program's tests did.
#[derive(Default)]
struct Report {
    program: String,
    seconds: f64,
    /// The tests that passed, with their seconds.
    passed: Vec<(String, f64)>,
    /// The tests that failed, with what they printed.
    failures: Vec<(String, String)>,
    /// The tests that began and did not end.
    under_way: Vec<String>,
}

impl Report {
    /// Reads a line of the program's output; what is no event was printed by a test past the harness.
    fn read(&mut self, line: &str) {
        let Ok(event) = serde_json::from_str::<Event>(line) else {
            println!("{line}");
            return;
        };
        let Some(name) = event.name.filter(|_| event.kind == "test") else { return };
        match event.event.as_str() {
            "started" => return self.under_way.push(name),
            "ok" => self.passed.push((name.clone(), event.exec_time)),
            "failed" => {
                println!("FAILED {name} ({:.0} s)", event.exec_time);
                self.failures.push((name.clone(), event.stdout + &event.message));
            }
            _ => return,
        }
        self.under_way.retain(|one| *one != name);
    }
}

/// A line of a test program.
#[derive(Deserialize)]
struct Event {
    #[serde(rename = "type")]
    kind: String,
    event: String,
    name: Option<String>,
    /// Seconds.
    #[serde(default)]
    exec_time: f64,
    #[serde(default)]
    stdout: String,
    #[serde(default)]
    message: String,
}

/// The failures in full, the slowest tests, and what did not run.
fn summary(reports: &[Report], unmet: &Unmet) -> String {
    let mut lines = Vec::new();
    for (report, (name, printed)) in
        reports.iter().flat_map(|report| report.failures.iter().map(move |one| (report, one)))
    {
        lines.push(format!("---- {} {name}\n{}\n", report.program, printed.trim_end()));
    }
    let mut times: Vec<(&str, f64)> = reports
        .iter()
        .flat_map(|report| &report.passed)
        .map(|(name, seconds)| (name.as_str(), *seconds))
        .collect();
    times.sort_by(|one, other| other.1.total_cmp(&one.1));
    lines.push("slowest tests:".to_owned());
    lines.extend(times.iter().take(SLOWEST).map(|(name, seconds)| format!("{seconds:>6.1} s  {name}")));
    lines.push(unmet.summary());
    let failed: usize = reports.iter().map(|report| report.failures.len()).sum();
    lines.push(format!("{} passed, {failed} failed, {} skipped", times.len(), unmet.names().count()));
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRINTED: [&str; 8] = [
        r#"{ "type": "suite", "event": "started", "test_count": 3 }"#,
        r#"{ "type": "test", "event": "started", "name": "laps::a_lap" }"#,
        r#"{ "type": "test", "event": "started", "name": "laps::a_race" }"#,
        r#"{ "type": "test", "event": "started", "name": "laps::a_stint" }"#,
        r#"{ "type": "test", "name": "laps::a_lap", "event": "ok", "exec_time": 1.26 }"#,
        "what a child process printed",
        r#"{ "type": "test", "name": "laps::a_race", "event": "failed", "exec_time": 2.0, "stdout": "left is not right\n" }"#,
        r#"{ "type": "suite", "event": "failed", "passed": 1, "failed": 1, "exec_time": 3.0 }"#,
    ];

    #[test]
    fn a_report_has_times_failures_and_what_never_ended() {
        let mut report = Report { program: "shared: main".to_owned(), ..Report::default() };
        PRINTED.iter().for_each(|line| report.read(line));
        assert_eq!(report.passed, [("laps::a_lap".to_owned(), 1.26)]);
        assert_eq!(report.under_way, ["laps::a_stint"]);
        assert_eq!(
            summary(&[report], &Unmet::default()),
            "---- shared: main laps::a_race\nleft is not right\n\nslowest tests:\n   1.3 s  laps::a_lap\n\
             every test ran\n1 passed, 1 failed, 0 skipped"
        );
    }
}
