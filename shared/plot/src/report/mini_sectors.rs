//! The mini-sectors: the time lost in each section of equal length.

use trailbrake_model::number::write_signed;

use super::{Report, ink_of};
use crate::Scale;
use crate::sheet::{Frame, Ink, Sheet, Words};

const LETTERS: f32 = 1.9;

/// Draws a bar for each: up for time lost, down for time gained, with its milliseconds.
pub(super) fn write(report: &Report<'_>, sheet: &mut Sheet, scale: &Scale, frame: &Frame) {
    let minis = &report.comparison().minis;
    let most = minis.iter().filter_map(|mini| mini.loss_s).map(f64::abs).fold(0.02, f64::max);
    // Numbers are written above and below the bars.
    let (top, bottom) = (frame.top + LETTERS + 0.4, frame.bottom - LETTERS - 0.4);
    let zero = (top + bottom) / 2.0;
    let reach = (bottom - top) / 2.0;
    for mini in minis {
        let Some(loss) = mini.loss_s else { continue };
        let (left, right) = (scale.pixel(mini.from_m) + 0.2, scale.pixel(mini.to_m) - 0.2);
        let end = zero - (loss / most) as f32 * reach;
        let bar = Frame { left, right, top: end.min(zero), bottom: end.max(zero) };
        sheet.fill(&bar, ink_of(loss));
        if loss < 0.0 && bar.height() > 0.5 {
            // Hollow, so that it differs from a loss in grey, too.
            let inner = Frame { left: left + 0.25, right: right - 0.25, top: zero, bottom: end - 0.25 };
            sheet.fill(&inner, Ink::Paper);
        }
        let number = write_signed(loss * 1e3, 0);
        let y = if loss >= 0.0 { end - 0.5 } else { end + LETTERS * 0.8 + 0.4 };
        let words = Words::new(&number, [(left + right) / 2.0, y], LETTERS, ink_of(loss)).centred();
        if words.width_mm() <= right - left + 0.6 {
            sheet.write(words);
        }
    }
    let (left, right) = scale.pixels();
    sheet.rule(left, right, zero, Ink::Soft, 0.12);
}
