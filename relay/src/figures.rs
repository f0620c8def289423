//! Figures as SVG files.

use std::fs;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, anyhow};
use trailbrake_shared::plot::figure::{Figure, svg};

const WIDTH: u32 = 720;
const HEIGHT: u32 = 480;

/// Draws figures into a folder, each under its name, and notes where they are.
pub(crate) fn write(
    folder: &Path,
    figures: impl IntoIterator<Item = (String, Figure)>,
    notes: &mut dyn Write,
) -> anyhow::Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("{} cannot be made", folder.display()))?;
    for (name, figure) in figures {
        let drawn = svg::draw(&figure, WIDTH, HEIGHT);
        let drawn = drawn.map_err(|error| anyhow!("{name} could not be drawn: {error}"))?;
        let path = folder.join(format!("{name}.svg"));
        fs::write(&path, drawn).with_context(|| format!("{} cannot be written", path.display()))?;
        writeln!(notes, "written: {}", path.display())?;
    }
    Ok(())
}
