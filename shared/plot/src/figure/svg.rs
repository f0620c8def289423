//! Figures as SVG, for files.

use super::draw::{FigureInk, FigureLook, draw_figure};
use super::{Figure, Tone};
use crate::Colour;
use crate::svg::{SvgError, SvgUnit, svg};

/// CSS pixels, finely divided.
const PIXELS: SvgUnit = SvgUnit { name: "px", parts: 10.0 };
const TEXT_SIZE: f32 = 12.0;
/// White space around the figure, CSS pixels.
const MARGIN: f32 = 8.0;

/// Draws a figure as SVG of this size in CSS pixels. Fails only if the drawing library does.
pub fn draw(figure: &Figure, width: u32, height: u32) -> Result<String, SvgError> {
    let size = [width as f32, height as f32];
    let look = FigureLook { size, margin: MARGIN, text_size: TEXT_SIZE, has_title: true, colour: &colour };
    svg(&figure.title, size, &PIXELS, |brush| {
        draw_figure(figure, brush, &look);
    })
}

/// Colours that also differ for colour-blind readers, on white.
fn colour(ink: FigureInk) -> Colour {
    match ink {
        FigureInk::Grid => Colour::rgb(224, 228, 234),
        FigureInk::Zero => Colour::rgb(160, 168, 180),
        FigureInk::Ticks => Colour::rgb(92, 102, 117),
        FigureInk::Labels => Colour::rgb(60, 68, 80),
        FigureInk::Title => Colour::rgb(20, 25, 31),
        FigureInk::Mark(Tone::Main | Tone::One(0)) => Colour::rgb(0, 90, 181),
        FigureInk::Mark(Tone::Reference | Tone::One(1)) => Colour::rgb(204, 102, 0),
        FigureInk::Mark(Tone::One(2)) => Colour::rgb(0, 128, 100),
        FigureInk::Mark(Tone::One(_)) => Colour::rgb(140, 60, 140),
        FigureInk::Mark(Tone::Faint) => Colour::rgb(150, 160, 175),
        FigureInk::Mark(Tone::Off) => Colour::rgb(170, 51, 85),
    }
}
