//! SVG of any size in any unit.

use plotters::prelude::{DrawingBackend, SVGBackend};
use plotters_backend::DrawingErrorKind;

use super::brush::Brush;
use super::sheet::harmless;

/// Why an SVG could not be drawn.
pub type SvgError = DrawingErrorKind<<SVGBackend<'static> as DrawingBackend>::ErrorType>;

/// A unit of length in SVG, and into how many parts it is divided.
pub(super) struct SvgUnit {
    pub(super) name: &'static str,
    pub(super) parts: f32,
}

/// Draws an SVG of this size on white.
pub(super) fn svg(
    title: &str,
    [width, height]: [f32; 2],
    unit: &SvgUnit,
    draw: impl FnOnce(&mut Brush<'_, SVGBackend<'_>>),
) -> Result<String, SvgError> {
    let SvgUnit { name, parts } = unit;
    let [wide, high] = [width, height].map(|length| (length * parts).round() as u32);
    let mut drawn = String::new();
    {
        let mut backend = SVGBackend::with_string(&mut drawn, (wide, high));
        let mut brush = Brush::new(&mut backend, *parts, 1.0);
        draw(&mut brush);
        brush.finish()?;
        backend.present()?;
    }
    // The library's own beginning knows no units.
    let inner = drawn.split_once('>').map_or("", |(_, inner)| inner);
    Ok(format!(
        "<svg width=\"{width}{name}\" height=\"{height}{name}\" viewBox=\"0 0 {wide} {high}\" \
         xmlns=\"http://www.w3.org/2000/svg\" stroke-linejoin=\"round\" \
         style=\"background:#fff;font-variant-numeric:tabular-nums\">\n<title>{}</title>{inner}",
        escaped(&harmless(title))
    ))
}

pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
