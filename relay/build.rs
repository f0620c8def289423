//! Embeds the web app into the program: `web/dist` as built by `cargo xtask web`, or a page that says how to build it.
//! Also the commit that the program is built from, which `cargo xtask` names.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs, io};

#[path = "src/relaying/http/folder.rs"]
mod folder;

/// The commit that the program is built from.
const COMMIT: &str = "TRAILBRAKE_COMMIT";

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-env-changed={COMMIT}");
    let commit = env::var(COMMIT).unwrap_or_else(|_| "unknown".to_owned());
    println!("cargo::rustc-env=TRAILBRAKE_BUILD={commit}");

    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let web = here.join("../web");
    let built = web.join("dist");
    let placeholder = here.join("placeholder");
    let page = if built.join("index.html").exists() { &built } else { &placeholder };
    // A missing folder can only be watched through its parent.
    println!("cargo::rerun-if-changed={}", if built.exists() { &built } else { &web }.display());
    println!("cargo::rerun-if-changed={}", placeholder.display());

    let mut table = String::from("static EMBEDDED: &[Embedded] = &[\n");
    for file in folder::files(page)? {
        let gzip = match file.gzip {
            Some(gzip) => format!("Some(include_bytes!({:?}))", fs::canonicalize(gzip)?),
            None => "None".to_owned(),
        };
        let plain = fs::canonicalize(file.plain)?;
        writeln!(table, "    ({:?}, include_bytes!({plain:?}), {gzip}),", file.path)
            .map_err(io::Error::other)?;
    }
    table.push_str("];\n");
    let out =
        env::var_os("OUT_DIR").ok_or_else(|| io::Error::other("cargo names no folder for the result"))?;
    fs::write(Path::new(&out).join("embedded.rs"), table)
}
