//! Three canvases on top of each other, each exactly as many pixels as the screen has there.

use std::cell::Cell;
use std::rc::Rc;

use js_sys::{Array, Reflect};
use leptos::prelude::{document, window};
use wasm_bindgen::prelude::*;
use web_sys::{
    CanvasRenderingContext2d, HtmlCanvasElement, HtmlElement, ResizeObserver, ResizeObserverBoxOptions,
    ResizeObserverEntry, ResizeObserverOptions, ResizeObserverSize,
};

use super::{Align, Ink, Palette, Pen, TextStyle};
use crate::frame;

/// CSS pixels of the strip above a picture that says what its colours mean.
const LEGEND: f32 = 26.0;

/// A sheet's canvases, from the back to the front.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layer {
    /// Grid, axes, names: redrawn when the size or the theme changes.
    Background,
    /// Lines: redrawn when samples arrive.
    Data,
    /// Cursor and figures: redrawn when the cursor moves.
    Cursor,
}

/// How large a sheet is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Size {
    /// Its width in device pixels.
    pub width: u32,
    /// Its height in device pixels.
    pub height: u32,
    /// Device pixels in one CSS pixel.
    pub density: f32,
}

/// The canvases of one figure.
pub struct Sheet {
    canvases: [Canvas; 3],
    size: Size,
    /// The size that the page gives it, as last reported.
    given: Rc<Cell<Size>>,
    palette: Rc<Palette>,
    observer: ResizeObserver,
    _reported: Closure<dyn Fn(Array)>,
}

struct Canvas {
    element: HtmlCanvasElement,
    context: CanvasRenderingContext2d,
}

impl Sheet {
    /// Lays three canvases into an element; `None` when the browser cannot draw.
    pub fn mount(host: &HtmlElement) -> Option<Self> {
        let canvases = [Canvas::mount(host)?, Canvas::mount(host)?, Canvas::mount(host)?];
        let given = Rc::new(Cell::new(Size::default()));
        let seen = Rc::clone(&given);
        let reported = Closure::<dyn Fn(Array)>::new(move |entries: Array| {
            if let Some(entry) = entries.iter().last() {
                seen.set(measured(entry.unchecked_ref()));
                frame::request();
            }
        });
        let observer = ResizeObserver::new(reported.as_ref().unchecked_ref()).ok()?;
        let options = ResizeObserverOptions::new();
        if reports_device_pixels() {
            options.set_box(ResizeObserverBoxOptions::DevicePixelContentBox);
        }
        observer.observe_with_options(host, &options);
        let palette = Palette::current();
        Some(Self { canvases, size: Size::default(), given, palette, observer, _reported: reported })
    }

    /// Takes on the size and the theme that the page has now. Whether either changed, so that every layer has to be
    /// redrawn.
    pub fn refresh(&mut self) -> bool {
        let (given, palette) = (self.given.get(), Palette::current());
        let resized = given != self.size;
        if resized {
            self.size = given;
            for canvas in &self.canvases {
                canvas.element.set_width(given.width);
                canvas.element.set_height(given.height);
            }
        }
        let recoloured = !Rc::ptr_eq(&palette, &self.palette);
        self.palette = palette;
        resized || recoloured
    }

    /// How large it is; nothing can be seen of a sheet without pixels.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Whether there is anything to draw on.
    pub fn is_visible(&self) -> bool {
        self.size.width > 0 && self.size.height > 0
    }

    /// All layers in one canvas, on the ground that figures stand on; `None` while nothing can be seen.
    /// Above it stands what its colours mean.
    pub fn picture(&self, legend: &[(Ink, String)]) -> Option<HtmlCanvasElement> {
        let Size { width, height, density } = self.size;
        if !self.is_visible() {
            return None;
        }
        let whole: HtmlCanvasElement = document().create_element("canvas").ok()?.unchecked_into();
        whole.set_width(width);
        let above = (LEGEND * density).round();
        whole.set_height(height + above as u32);
        let context: CanvasRenderingContext2d = whole.get_context("2d").ok()??.unchecked_into();
        context.set_fill_style_str(self.palette.colour(Ink::Panel));
        context.fill_rect(0.0, 0.0, width.into(), f64::from(height) + f64::from(above));
        for canvas in &self.canvases {
            context.draw_image_with_html_canvas_element(&canvas.element, 0.0, above.into()).ok()?;
        }
        let pen = Pen::new(&context, &self.palette, density);
        let mut left = pen.px(14.0);
        for (ink, words) in legend {
            pen.rectangles([[left, above / 2.0 - pen.px(1.5), pen.px(14.0), pen.px(3.0)]], *ink);
            left += pen.px(20.0);
            pen.text(
                words,
                left,
                above / 2.0 + pen.px(4.0),
                TextStyle { ink: Ink::Text, align: Align::Left },
            );
            left += pen.width(words) + pen.px(18.0);
        }
        Some(whole)
    }

    /// Clears a layer and draws it again.
    pub fn draw(&self, layer: Layer, draw: impl FnOnce(&Pen<'_>)) {
        if let Some(pen) = self.wiped(layer) {
            draw(&pen);
        }
    }

    /// A pen for a layer on which nothing is drawn any more.
    pub(super) fn wiped(&self, layer: Layer) -> Option<Pen<'_>> {
        let canvas = self.canvases.get(layer as usize)?;
        canvas.context.clear_rect(0.0, 0.0, self.size.width.into(), self.size.height.into());
        Some(Pen::new(&canvas.context, &self.palette, self.size.density))
    }
}

impl Drop for Sheet {
    fn drop(&mut self) {
        self.observer.disconnect();
        for canvas in &self.canvases {
            canvas.element.remove();
        }
    }
}

impl Canvas {
    fn mount(host: &HtmlElement) -> Option<Self> {
        let element: HtmlCanvasElement = document().create_element("canvas").ok()?.unchecked_into();
        element.set_attribute("aria-hidden", "true").ok()?;
        host.append_child(&element).ok()?;
        let context = element.get_context("2d").ok()??.unchecked_into();
        Some(Self { element, context })
    }
}

/// Some browsers report sizes in device pixels, and say so; the others refuse to be asked.
fn reports_device_pixels() -> bool {
    let prototype = Reflect::get(&window(), &"ResizeObserverEntry".into())
        .and_then(|class| Reflect::get(&class, &"prototype".into()));
    prototype
        .is_ok_and(|prototype| Reflect::has(&prototype, &"devicePixelContentBoxSize".into()).unwrap_or(false))
}

fn measured(entry: &ResizeObserverEntry) -> Size {
    let density = window().device_pixel_ratio();
    let (width, height) = match reports_device_pixels() {
        true => {
            let first: ResizeObserverSize = entry.device_pixel_content_box_size().get(0).unchecked_into();
            (first.inline_size(), first.block_size())
        }
        // The canvas covers the pixels between its rounded edges.
        false => {
            let edges = entry.target().get_bounding_client_rect();
            let between = |from: f64, to: f64| (to * density).round() - (from * density).round();
            (between(edges.left(), edges.right()), between(edges.top(), edges.bottom()))
        }
    };
    Size { width: width.max(0.0) as u32, height: height.max(0.0) as u32, density: density as f32 }
}
