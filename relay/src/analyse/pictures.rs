//! Figures of the laps as SVG files.

use std::fs;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, anyhow};
use trailbrake_shared::analysis::dampers::dampers;
use trailbrake_shared::analysis::{LapColumns, consistency, grip, tyres};
use trailbrake_shared::laps::Lap;
use trailbrake_shared::plot::figure::{
    Figure, consistency_figure, damper_figure, grip_figure, svg, trend_figure,
};

use super::Driven;
use super::over::columns;

const WIDTH: u32 = 720;
const HEIGHT: u32 = 480;

/// Draws every figure that the laps give into a folder, and says to `notes` which.
pub(super) fn draw(driven: &Driven<'_>, folder: &Path, notes: &mut dyn Write) -> anyhow::Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("{} cannot be made", folder.display()))?;
    for (name, figure) in figures(driven) {
        let drawn = svg::draw(&figure, WIDTH, HEIGHT);
        let drawn = drawn.map_err(|error| anyhow!("{name} could not be drawn: {error}"))?;
        let path = folder.join(format!("{name}.svg"));
        fs::write(&path, drawn).with_context(|| format!("{} cannot be written", path.display()))?;
        writeln!(notes, "written: {}", path.display())?;
    }
    Ok(())
}

/// The figures with the names of their files.
fn figures(driven: &Driven<'_>) -> Vec<(String, Figure)> {
    let mut figures = Vec::new();
    let laps: Vec<Lap> = driven.laps.iter().map(|driven| driven.lap.clone()).collect();
    if let Ok(told) = consistency(&laps) {
        figures.push(("consistency".to_owned(), consistency_figure(&laps, &told)));
    }
    let Some(chosen) = driven.laps.get(driven.chosen).map(columns) else { return figures };
    if let Ok(grip) = grip(&chosen) {
        figures.push(("grip".to_owned(), grip_figure(&grip)));
    }
    for damper in dampers(&chosen).into_iter().flat_map(|told| told.wheels) {
        let wheel = damper.wheel.short().to_lowercase();
        figures.push((format!("damper-{wheel}"), damper_figure(&damper)));
    }
    let of_stint = |lap: &LapColumns<'_>| lap.stint == chosen.stint && lap.time.is_some();
    let stint: Vec<LapColumns<'_>> = driven.laps.iter().map(columns).filter(of_stint).collect();
    for trend in tyres::trends(&stint).into_iter().flatten() {
        figures.push((trend.channel.id().replace('_', "-"), trend_figure(&trend)));
    }
    figures
}
