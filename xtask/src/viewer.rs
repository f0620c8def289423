//! `cargo xtask viewer`: the page without a relay, as a folder for any web host.

use std::path::PathBuf;

use anyhow::{Result, bail};

use crate::packages::Seat;
use crate::page_files::{self, Files};
use crate::project::Project;
use crate::toolchain::WasmToolchain;
use crate::web::{self, Purpose};

/// Follows in `index.html` on the line with the name of the page.
const TITLE: &str = "  <title>Trailbrake</title>\n";

/// Tells the page that it has no relay, and the browser that it needs nothing but its own files.
const HEAD: &str = "  <meta name=\"trailbrake-relay\" content=\"none\">\n  <meta http-equiv=\"Content-Security-Policy\" \
    content=\"default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; \
    font-src 'self'; media-src 'self' data: blob:; connect-src 'self'; manifest-src 'self'; worker-src 'self'; \
    base-uri 'none'; form-action 'none'\">\n";

/// The script that keeps the viewer for the time without a connection.
const OFFLINE: &str = "offline.js";
const OFFLINE_SOURCE: &str = "web/viewer/offline.js";

/// Builds the viewer.
pub(crate) fn command(project: &Project, args: &[String]) -> Result<()> {
    if !args.is_empty() {
        bail!("`cargo xtask viewer` takes no options");
    }
    let toolchain = WasmToolchain::obtain(project, Seat::look())?;
    println!("{}", toolchain.describe());
    web::build(project, &toolchain, Purpose::Distribution)?;
    println!("{}", write(project)?.display());
    Ok(())
}

/// Makes the viewer from the page that is in `web/dist`. Returns its folder.
pub(crate) fn write(project: &Project) -> Result<PathBuf> {
    let mut files = page_files::read_plain(&project.dist())?;
    let index = page_files::text_of(&files, "index.html")?;
    if !index.contains(TITLE) {
        bail!("index.html has no line {TITLE:?}");
    }
    files.insert("index.html".to_owned(), index.replace(TITLE, &format!("{HEAD}{TITLE}")).into_bytes());
    let source = std::fs::read_to_string(project.path(OFFLINE_SOURCE))?;
    files.insert(OFFLINE.to_owned(), offline(&source, &files).into_bytes());
    let folder = project.target().join("viewer");
    page_files::replace(&folder, &files)?;
    Ok(folder)
}

/// The offline script, with the files to keep, and a version that changes with them.
fn offline(source: &str, files: &Files) -> String {
    let names: Vec<String> = files.keys().map(|name| format!("{name:?}")).collect();
    source
        .replace("[/* files */]", &format!("[{}]", names.join(", ")))
        .replace("/* version */", &format!("{:08x}", checksum(files)))
}

fn checksum(files: &Files) -> u32 {
    let mut sum = flate2::Crc::new();
    for (name, bytes) in files {
        sum.update(name.as_bytes());
        sum.update(bytes);
    }
    sum.sum()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn the_offline_script_names_every_file_and_changes_with_them() {
        let project = Project::locate().unwrap();
        let source = fs::read_to_string(project.path(OFFLINE_SOURCE)).unwrap();
        let files: Files = [("boot.js".to_owned(), vec![1]), ("index.html".to_owned(), vec![2])].into();
        let script = offline(&source, &files);
        assert!(script.contains(r#"["boot.js", "index.html"]"#), "{script}");
        assert!(!script.contains("/*"), "{script}");
        let later: Files = [("boot.js".to_owned(), vec![1]), ("index.html".to_owned(), vec![3])].into();
        assert_ne!(script, offline(&source, &later));
    }

    #[test]
    fn the_page_has_a_place_for_what_the_viewer_adds() {
        let index = fs::read_to_string(Project::locate().unwrap().path("index.html")).unwrap();
        assert!(index.contains(TITLE) && index.contains("trailbrake-commit"));
    }
}
