//! Three canvases on top of each other, each with exactly one pixel for each device pixel.

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

/// The height of the legend above a picture, CSS pixels.
const LEGEND: f32 = 26.0;

/// A sheet's canvases, from the back to the front.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layer {
    /// Grid, axes, names: redrawn when the size or the theme changes.
    Background,
    /// Lines: redrawn when samples arrive.
    Data,
    /// Cursor and values: redrawn when the cursor moves.
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
    /// The size of the host element, as the browser last reported it.
    host_size: Rc<Cell<Size>>,
    palette: Rc<Palette>,
    observer: ResizeObserver,
    /// The observer's callback, which must live as long as the observer.
    _on_resize: Closure<dyn Fn(Array)>,
}

struct Canvas {
    element: HtmlCanvasElement,
    context: CanvasRenderingContext2d,
}

impl Sheet {
    /// Adds three canvases to an element. `None` if the browser cannot draw.
    pub fn mount(host: &HtmlElement) -> Option<Self> {
        let canvases = [Canvas::mount(host)?, Canvas::mount(host)?, Canvas::mount(host)?];
        let host_size = Rc::new(Cell::new(Size::default()));
        let reported = Rc::clone(&host_size);
        let on_resize = Closure::<dyn Fn(Array)>::new(move |entries: Array| {
            if let Some(entry) = entries.iter().last() {
                reported.set(measured(entry.unchecked_ref()));
                frame::request();
            }
        });
        let observer = ResizeObserver::new(on_resize.as_ref().unchecked_ref()).ok()?;
        let options = ResizeObserverOptions::new();
        if reports_device_pixels() {
            options.set_box(ResizeObserverBoxOptions::DevicePixelContentBox);
        }
        observer.observe_with_options(host, &options);
        let palette = Palette::current();
        Some(Self { canvases, size: Size::default(), host_size, palette, observer, _on_resize: on_resize })
    }

    /// Takes on the current size and theme. Returns whether either changed, so that every layer has to be redrawn.
    pub fn refresh(&mut self) -> bool {
        let (size, palette) = (self.host_size.get(), Palette::current());
        let resized = size != self.size;
        if resized {
            self.size = size;
            for canvas in &self.canvases {
                canvas.element.set_width(size.width);
                canvas.element.set_height(size.height);
            }
        }
        let recoloured = !Rc::ptr_eq(&palette, &self.palette);
        self.palette = palette;
        resized || recoloured
    }

    /// The size; zero until the browser first reported it, and while the host is hidden.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Whether the sheet has any pixels to draw on.
    pub fn is_visible(&self) -> bool {
        self.size.width > 0 && self.size.height > 0
    }

    /// All layers on an opaque ground in one new canvas, below a legend; `None` while the sheet is not visible.
    pub fn picture(&self, legend: &[(Ink, String)]) -> Option<HtmlCanvasElement> {
        let Size { width, height, density } = self.size;
        if !self.is_visible() {
            return None;
        }
        let picture: HtmlCanvasElement = document().create_element("canvas").ok()?.unchecked_into();
        picture.set_width(width);
        let above = (LEGEND * density).round();
        picture.set_height(height + above as u32);
        let context: CanvasRenderingContext2d = picture.get_context("2d").ok()??.unchecked_into();
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
        Some(picture)
    }

    /// Clears a layer and draws on it.
    pub fn draw(&self, layer: Layer, draw: impl FnOnce(&Pen<'_>)) {
        if let Some(pen) = self.wiped(layer) {
            draw(&pen);
        }
    }

    /// Clears a layer and returns a pen for it.
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

/// Whether the browser reports sizes in device pixels. If asked for them, the other browsers throw an error.
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
        // A canvas covers the device pixels between its rounded edges.
        false => {
            let edges = entry.target().get_bounding_client_rect();
            let between = |from: f64, to: f64| (to * density).round() - (from * density).round();
            (between(edges.left(), edges.right()), between(edges.top(), edges.bottom()))
        }
    };
    Size { width: width.max(0.0) as u32, height: height.max(0.0) as u32, density: density as f32 }
}
