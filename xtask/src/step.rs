//! Runs other programs: with their output shown, quietly, or with a time limit.

use std::io;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

/// Runs a program with its output shown. Anything but success is an error.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| cannot_start(command))?;
    succeeded(command, status)
}

/// Replaces this process with a program, so that Ctrl-C and the exit status are the program's own.
#[cfg(unix)]
pub(crate) fn become_it(command: &mut Command) -> Result<()> {
    use std::os::unix::process::CommandExt;
    // `exec` returns only if the program could not be started.
    Err(command.exec()).with_context(|| cannot_start(command))
}

/// Runs a program and waits for it, on systems without `exec`.
#[cfg(not(unix))]
pub(crate) fn become_it(command: &mut Command) -> Result<()> {
    run(command)
}

/// Ends a program with a signal, so that it can close its files. Kills it if it does not end.
pub(crate) fn end(child: &mut Child) -> Result<()> {
    #[cfg(unix)]
    {
        const PATIENCE: Duration = Duration::from_secs(5);
        let asked = Instant::now();
        // The shell's own `kill`, since a small system may lack the program.
        Command::new("sh").arg("-c").arg(format!("kill -TERM {}", child.id())).status()?;
        while asked.elapsed() < PATIENCE {
            if child.try_wait()?.is_some() {
                return Ok(());
            }
            thread::sleep(Duration::from_millis(20));
        }
    }
    child.kill()?;
    child.wait()?;
    Ok(())
}

/// Runs a program, and shows its output only if it fails.
pub(crate) fn quietly(title: &str, command: &mut Command) -> Result<()> {
    let started = Instant::now();
    let output = command.stdin(Stdio::null()).output().with_context(|| cannot_start(command))?;
    if output.status.success() {
        println!("ok    {title} ({} s)", started.elapsed().as_secs());
        return Ok(());
    }
    println!("FAIL  {title}");
    print!("{}", String::from_utf8_lossy(&output.stdout));
    eprint!("{}", String::from_utf8_lossy(&output.stderr));
    succeeded(command, output.status)
}

/// Runs a compiler, and shows its output only if it fails or warns, which is also an error.
pub(crate) fn without_warnings(title: &str, command: &mut Command) -> Result<()> {
    let started = Instant::now();
    let output = command.stdin(Stdio::null()).output().with_context(|| cannot_start(command))?;
    let errors = String::from_utf8_lossy(&output.stderr);
    if output.status.success() && !errors.contains("warning") {
        println!("ok    {title} ({} s)", started.elapsed().as_secs());
        return Ok(());
    }
    println!("FAIL  {title}");
    eprint!("{errors}");
    bail!("`{}` gave warnings", as_typed(command))
}

/// A program's standard output, if it runs and succeeds.
pub(crate) fn answer(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// How a program with a time limit ended.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    /// It succeeded.
    Well,
    /// It failed.
    Badly,
    /// It was stopped at the time limit.
    OutOfTime,
    /// The program does not exist here.
    NotFound,
}

/// Runs a program without showing its output, and stops it after `limit`.
pub(crate) fn within(limit: Duration, command: &mut Command) -> Result<Ended> {
    let started = Instant::now();
    let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    let mut child = match child {
        Ok(child) => child,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Ended::NotFound),
        Err(error) => return Err(error).with_context(|| cannot_start(command)),
    };
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(if status.success() { Ended::Well } else { Ended::Badly });
        }
        if started.elapsed() > limit {
            child.kill()?;
            child.wait()?;
            return Ok(Ended::OutOfTime);
        }
        thread::sleep(Duration::from_millis(50));
    }
}

/// A command as typed in a shell.
pub(crate) fn as_typed(command: &Command) -> String {
    let mut words = vec![command.get_program().to_string_lossy().into_owned()];
    words.extend(command.get_args().map(|word| word.to_string_lossy().into_owned()));
    words.join(" ")
}

/// Turns anything but success into an error.
pub(crate) fn succeeded(command: &Command, status: ExitStatus) -> Result<()> {
    if !status.success() {
        bail!("`{}` failed ({status})", as_typed(command));
    }
    Ok(())
}

fn cannot_start(command: &Command) -> String {
    format!("can't start `{}`: is it installed and on the PATH?", command.get_program().to_string_lossy())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_program_differs_from_a_failing_one() {
        let mut missing = Command::new("no-such-program-as-this");
        assert_eq!(within(Duration::from_secs(5), &mut missing).unwrap(), Ended::NotFound);
        let mut failing = Command::new("rustc");
        failing.arg("--no-such-option");
        assert_eq!(within(Duration::from_secs(60), &mut failing).unwrap(), Ended::Badly);
    }

    #[test]
    #[cfg(unix)]
    fn a_program_that_ends_by_itself_is_given_the_time() {
        let folder = std::env::temp_dir().join(format!("trailbrake-xtask-end-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let mut shell = Command::new("sh");
        shell.current_dir(&folder).arg("-c");
        // The file shows that the trap is installed.
        shell.arg("trap 'echo closed > closed; exit 0' TERM; echo > ready; while :; do sleep 0.05; done");
        let mut child = shell.spawn().unwrap();
        while !folder.join("ready").exists() {
            thread::sleep(Duration::from_millis(10));
        }
        end(&mut child).unwrap();
        assert!(folder.join("closed").exists(), "it was killed without a word");
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_command_reads_as_typed() {
        assert_eq!(as_typed(Command::new("cargo").args(["doc", "--no-deps"])), "cargo doc --no-deps");
    }
}
