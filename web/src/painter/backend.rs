//! A canvas as a backend of plotters.

use std::convert::Infallible;
use std::f64::consts::TAU;

use plotters_backend::text_anchor::HPos;
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind,
};
use trailbrake_shared::plot::{TEXT_MIDDLE, TEXT_SHRINKS};
use web_sys::CanvasRenderingContext2d;

type Drawn = Result<(), DrawingErrorKind<Infallible>>;

/// Backend units per device pixel. Backends have integer coordinates, and smooth lines need fractions of pixels.
pub(super) const GRAIN: f32 = 16.0;

/// Draws on a canvas. Consecutive shapes of the same style are drawn as one path.
pub(super) struct CanvasBackend<'a> {
    context: &'a CanvasRenderingContext2d,
    family: &'a str,
    /// Width and height, backend units.
    size: (u32, u32),
    open: Option<Batch>,
}

/// The style that all shapes of the open path share.
#[derive(Clone, Copy, PartialEq)]
struct Batch {
    rgb: (u8, u8, u8),
    alpha: f64,
    /// The width of lines, backend units; `None` for filled shapes.
    stroke: Option<u32>,
}

impl<'a> CanvasBackend<'a> {
    /// A backend for a canvas, whose size is in device pixels.
    pub(super) fn new(
        context: &'a CanvasRenderingContext2d,
        family: &'a str,
        [width, height]: [u32; 2],
    ) -> Self {
        let size = (width * GRAIN as u32, height * GRAIN as u32);
        Self { context, family, size, open: None }
    }

    /// Makes sure that the open path has a style; draws the one before if it has another.
    fn begin(&mut self, colour: BackendColor, stroke: Option<u32>) {
        let batch = Batch { rgb: colour.rgb, alpha: colour.alpha, stroke };
        if self.open != Some(batch) {
            self.flush();
            self.context.begin_path();
            self.open = Some(batch);
        }
    }

    /// Draws the open path.
    fn flush(&mut self) {
        let Some(Batch { rgb, alpha, stroke }) = self.open.take() else { return };
        self.context.set_global_alpha(alpha);
        match stroke {
            Some(width) => {
                self.context.set_stroke_style_str(&css(rgb));
                self.context.set_line_width(pixels(width as i32));
                self.context.stroke();
            }
            None => {
                self.context.set_fill_style_str(&css(rgb));
                self.context.fill();
            }
        }
    }

    /// Adds a line to the open path.
    fn path(&self, points: impl IntoIterator<Item = BackendCoord>) {
        for (place, (x, y)) in points.into_iter().enumerate() {
            match place {
                0 => self.context.move_to(pixels(x), pixels(y)),
                _ => self.context.line_to(pixels(x), pixels(y)),
            }
        }
    }

    fn set_font<S: BackendTextStyle>(&self, style: &S) -> f64 {
        let size = style.size() / TEXT_SHRINKS / f64::from(GRAIN);
        self.context.set_font(&format!("{size}px {}", self.family));
        size
    }
}

impl DrawingBackend for CanvasBackend<'_> {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        self.size
    }

    fn ensure_prepared(&mut self) -> Drawn {
        Ok(())
    }

    fn present(&mut self) -> Drawn {
        self.flush();
        Ok(())
    }

    fn draw_pixel(&mut self, (x, y): BackendCoord, colour: BackendColor) -> Drawn {
        self.draw_rect((x, y), (x + 1, y + 1), &colour, true)
    }

    fn draw_line<S: BackendStyle>(&mut self, from: BackendCoord, to: BackendCoord, style: &S) -> Drawn {
        self.draw_path([from, to], style)
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        (left, top): BackendCoord,
        (right, bottom): BackendCoord,
        style: &S,
        fill: bool,
    ) -> Drawn {
        self.begin(style.color(), (!fill).then(|| style.stroke_width()));
        self.context.rect(pixels(left), pixels(top), pixels(right - left), pixels(bottom - top));
        Ok(())
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Drawn {
        self.begin(style.color(), Some(style.stroke_width()));
        self.path(path);
        Ok(())
    }

    fn draw_circle<S: BackendStyle>(
        &mut self,
        (x, y): BackendCoord,
        radius: u32,
        style: &S,
        fill: bool,
    ) -> Drawn {
        self.begin(style.color(), (!fill).then(|| style.stroke_width()));
        let (x, y, radius) = (pixels(x), pixels(y), pixels(radius as i32));
        // Without the move, circles would be joined by lines.
        self.context.move_to(x + radius, y);
        // Fails only for a negative radius.
        let _ = self.context.arc(x, y, radius, 0.0, TAU);
        Ok(())
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        edge: I,
        style: &S,
    ) -> Drawn {
        self.begin(style.color(), None);
        self.path(edge);
        // In one path, polygons of opposite winding would cut holes into each other.
        self.flush();
        Ok(())
    }

    fn draw_text<S: BackendTextStyle>(&mut self, text: &str, style: &S, (x, y): BackendCoord) -> Drawn {
        self.flush();
        let size = self.set_font(style);
        let colour = style.color();
        self.context.set_global_alpha(colour.alpha);
        self.context.set_fill_style_str(&css(colour.rgb));
        self.context.set_text_align(match style.anchor().h_pos {
            HPos::Left => "left",
            HPos::Center => "center",
            HPos::Right => "right",
        });
        // An error only leaves the text out; there is nothing a driver could do about it.
        let _ = self.context.fill_text(text, pixels(x), pixels(y) + f64::from(TEXT_MIDDLE) * size);
        Ok(())
    }

    fn estimate_text_size<S: BackendTextStyle>(
        &self,
        text: &str,
        style: &S,
    ) -> Result<(u32, u32), DrawingErrorKind<Infallible>> {
        let height = self.set_font(style);
        let width = self.context.measure_text(text).map_or(0.0, |measured| measured.width());
        let units = |pixels: f64| (pixels * f64::from(GRAIN)).ceil() as u32;
        Ok((units(width), units(height)))
    }
}

/// Converts backend units to device pixels.
fn pixels(units: i32) -> f64 {
    f64::from(units) / f64::from(GRAIN)
}

fn css((red, green, blue): (u8, u8, u8)) -> String {
    format!("rgb({red},{green},{blue})")
}
