//! `trailbrake compare`: a lap compared with a reference.

mod area;
mod number;
mod report;
mod table;
mod text;

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use trailbrake_shared::analysis::{Comparison, LapComparison};
use trailbrake_shared::plot::figure::{Figure, braking_figures, corners_figure, delta_figure};

use super::lap_arguments::Metres;
use super::pair::{ComparedPair, Pair};
use crate::figures as drawings;
use area::AreaReport;
use report::Report;
use text::ReportText;

/// Which laps to compare, and how to print the result.
#[derive(Clone, Debug, Args)]
pub struct Compare {
    /// The two laps.
    #[command(flatten)]
    pub pair: Pair,
    /// Time lost and channel statistics in a section, in metres from the line, such as 1200..1500
    #[arg(long, value_name = "M..M")]
    pub between: Option<Metres>,
    /// One JSON object
    #[arg(long)]
    pub json: bool,
    /// Draw delta, corners and brake points as SVG into this folder
    #[arg(long, value_name = "DIR")]
    pub figures: Option<PathBuf>,
}

/// Prints the time lost against a reference, and where.
pub fn run(request: &Compare, mut out: impl Write, mut notes: impl Write) -> anyhow::Result<()> {
    let pair = ComparedPair::of(&request.pair, &mut notes)?;
    let area = request.between.as_ref().map(|metres| AreaReport::new(&pair, metres)).transpose()?;
    let report = Report::new(&pair, area);
    if request.json {
        serde_json::to_writer(&mut out, &report)?;
        writeln!(out)?;
    } else {
        write!(out, "{}", ReportText(&report))?;
    }
    if let Some(folder) = &request.figures {
        drawings::write(folder, figures(&pair), &mut notes)?;
    }
    Ok(())
}

/// The figures of both laps, each with its file name.
fn figures(pair: &ComparedPair) -> Vec<(String, Figure)> {
    let LapComparison { comparison, others, numbers, .. } = &pair.compared;
    let mut figures = vec![("delta".to_owned(), delta_figure(comparison))];
    if !comparison.corners.is_empty() {
        figures.push(("corners".to_owned(), corners_figure(comparison)));
    }
    let others = numbers.iter().copied().zip(others);
    let laps: Vec<(u16, &Comparison)> = others.chain([(pair.lap.lap.number, comparison)]).collect();
    let brakings = braking_figures(&laps).into_iter();
    figures.extend(brakings.map(|(turn, figure)| (format!("braking-turn-{turn}"), figure)));
    figures
}
