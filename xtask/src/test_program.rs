//! The workspace's test programs: builds them in one go, and lists their tests.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use cargo_metadata::Message;
use serde::Deserialize;

use crate::project::Project;
use crate::step;

/// The package of this program.
const OWN: &str = env!("CARGO_PKG_NAME");

/// A program that cargo built of tests.
pub(crate) struct TestProgram {
    /// Its package and, for integration tests, its own name.
    pub(crate) name: String,
    /// Whether it holds the tests inside a crate, and not those beside it.
    pub(crate) is_unit: bool,
    file: PathBuf,
    /// The folder of its package, in which it runs.
    folder: PathBuf,
    pub(crate) tests: Vec<Test>,
}

/// A test as its program lists it.
#[derive(Debug, PartialEq)]
pub(crate) struct Test {
    pub(crate) name: String,
    /// Why it is ignored, unless asked for.
    pub(crate) ignored: Option<String>,
}

impl TestProgram {
    /// Builds the test programs of these packages, or of the whole workspace if none is named.
    pub(crate) fn build(project: &Project, packages: &[&str]) -> Result<Vec<Self>> {
        match packages {
            // Separately, so that xtask's libraries keep the features they were built with and are not compiled again.
            [] => {
                let mut programs = Self::build_some(project, &["--workspace", "--exclude", OWN])?;
                programs.extend(Self::build_some(project, &["--package", OWN])?);
                Ok(programs)
            }
            _ => {
                let packages = packages.iter().flat_map(|package| ["--package", package]);
                Self::build_some(project, &packages.collect::<Vec<_>>())
            }
        }
    }

    fn build_some(project: &Project, selection: &[&str]) -> Result<Vec<Self>> {
        let mut cargo = project.cargo();
        cargo.args(["test", "--no-run", "--message-format", "json-render-diagnostics", "--target-dir"]);
        cargo.arg(project.target()).args(selection);
        // Cargo's progress and what the compiler finds go to the terminal.
        let output = cargo.stderr(Stdio::inherit()).output().context("can't start cargo")?;
        step::succeeded(&cargo, output.status)?;
        let mut programs = Vec::new();
        for message in Message::parse_stream(output.stdout.as_slice()) {
            let Message::CompilerArtifact(artifact) = message? else { continue };
            let Some(file) = artifact.executable.filter(|_| artifact.profile.test) else { continue };
            let folder = artifact.manifest_path.parent().context("a manifest lies in no folder")?;
            let package = folder.file_name().unwrap_or_default();
            let target = &artifact.target;
            let name = match target.is_test() {
                true => format!("{package}: {}", target.name),
                false => format!("{package}: {}", target.src_path.file_name().unwrap_or_default()),
            };
            let mut program = Self {
                name,
                is_unit: !target.is_test(),
                file: file.into(),
                folder: folder.into(),
                tests: Vec::new(),
            };
            program.tests = program.list(project)?;
            programs.push(program);
        }
        Ok(programs)
    }

    /// A command that runs it, with its results as JSON. Where it runs and what it knows is as with `cargo test`.
    pub(crate) fn command(&self, project: &Project) -> Command {
        let mut command = project.command(&self.file);
        command.current_dir(&self.folder).env("CARGO_MANIFEST_DIR", &self.folder);
        command.env("CARGO", project.cargo().get_program());
        // The test harness gives times and reads in JSON only on demand of somebody who knows that both may change.
        command.env("RUSTC_BOOTSTRAP", "1").args(["-Z", "unstable-options", "--format", "json"]);
        command
    }

    fn list(&self, project: &Project) -> Result<Vec<Test>> {
        let output = self.command(project).arg("--list").stderr(Stdio::inherit()).output();
        let output = output.with_context(|| format!("can't start {}", self.name))?;
        if !output.status.success() {
            bail!("{} lists no tests", self.name);
        }
        let text = String::from_utf8(output.stdout).context("the list of tests is no text")?;
        let tests = text.lines().map(listed).collect::<Result<Vec<_>>>()?;
        Ok(tests.into_iter().flatten().collect())
    }
}

/// A line of the list.
#[derive(Deserialize)]
struct Listed {
    event: String,
    name: Option<String>,
    #[serde(default)]
    ignore: bool,
    #[serde(default)]
    ignore_message: String,
}

/// The test that a line of the list names; `None` for other lines.
fn listed(line: &str) -> Result<Option<Test>> {
    let line: Listed = serde_json::from_str(line).with_context(|| format!("a list of tests has {line:?}"))?;
    let name = line.name.filter(|_| line.event == "discovered");
    Ok(name.map(|name| Test { name, ignored: line.ignore.then_some(line.ignore_message) }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_names_tests_and_why_they_are_ignored() {
        let test = |name: &str, ignored: Option<&str>| {
            Some(Test { name: name.to_owned(), ignored: ignored.map(str::to_owned) })
        };
        for (line, expected) in [
            (r#"{ "type": "suite", "event": "discovery" }"#, None),
            (
                r#"{ "type": "test", "event": "discovered", "name": "laps::a_lap", "ignore": false, "ignore_message": "" }"#,
                test("laps::a_lap", None),
            ),
            (
                r#"{ "type": "test", "event": "discovered", "name": "a_race", "ignore": true, "ignore_message": "needs captures" }"#,
                test("a_race", Some("needs captures")),
            ),
        ] {
            assert_eq!(listed(line).unwrap(), expected);
        }
        assert!(listed("running 3 tests").is_err());
    }
}
