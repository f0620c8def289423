//! Pages as SVG, alone or in an HTML page that prints on one sheet.

use plotters::element::{PathElement, Polygon, Text};
use plotters::prelude::{IntoDrawingArea, SVGBackend};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, FontStyle, IntoFont, RGBColor, ShapeStyle, TextStyle};

use super::{Anchor, At, Ink, Item, Sheet, Words};

/// Drawing units per millimetre, since the drawing library uses integers.
const PARTS: f32 = 20.0;
/// Coordinates are clamped to this, millimetres.
const FURTHEST: f32 = 1e4;
/// The library draws text smaller than requested by this factor.
const SHRINKS: f64 = 1.24;
/// The library centres text vertically. Offset from its baseline to that centre, as a fraction of its size.
const MIDDLE: f32 = 0.27;
const FONTS: &str = "Helvetica, Arial, sans-serif";
/// The beginning of the library's drawing, which is replaced by one with sizes in millimetres.
const BEGINNING: &str = "<svg ";

/// Draws a page as SVG. Fails only if the drawing library does.
pub fn draw(sheet: &Sheet) -> Result<String, Box<dyn std::error::Error>> {
    let [width, height] = sheet.size_mm;
    let parts = |mm: f32| (mm * PARTS).round() as u32;
    let mut drawn = String::new();
    {
        let area = SVGBackend::with_string(&mut drawn, (parts(width), parts(height))).into_drawing_area();
        for item in &sheet.items {
            match item {
                Item::Line { points, ink, width_mm } => {
                    let style = colour(*ink).stroke_width(parts(*width_mm).max(1));
                    area.draw(&PathElement::new(places(points), style))?;
                }
                Item::Area { edge, ink } => {
                    area.draw(&Polygon::new(places(edge), ShapeStyle::from(colour(*ink)).filled()))?;
                }
                Item::Words(words) => {
                    let [x, y] = words.at;
                    let middle = place([x, y - MIDDLE * words.size_mm]);
                    area.draw(&Text::new(words.text.clone(), middle, style(words)))?;
                }
            }
        }
        area.present()?;
    }
    let inner = drawn.split_once('>').map_or("", |(_, inner)| inner);
    let (wide, high) = (parts(width), parts(height));
    Ok(format!(
        "{BEGINNING}width=\"{width}mm\" height=\"{height}mm\" viewBox=\"0 0 {wide} {high}\" \
         xmlns=\"http://www.w3.org/2000/svg\" stroke-linejoin=\"round\" \
         style=\"background:#fff;font-variant-numeric:tabular-nums\">\n<title>{}</title>{inner}",
        escaped(&sheet.title)
    ))
}

/// An HTML page without scripts or external resources that prints on one sheet of paper.
pub fn html(sheet: &Sheet) -> Result<String, Box<dyn std::error::Error>> {
    let [width, height] = sheet.size_mm;
    let title = escaped(&sheet.title);
    let drawn = draw(sheet)?;
    Ok(format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <title>{title}</title>\n<style>\n\
         @page {{ size: {width}mm {height}mm; margin: 0 }}\n\
         html {{ background: #e9ecef }}\n\
         body {{ margin: 0 }}\n\
         svg {{ display: block; margin: 0 auto; max-width: 100%; height: auto }}\n\
         @media screen {{ svg {{ margin: 8mm auto; box-shadow: 0 1mm 5mm #0003 }} }}\n\
         @media print {{ html {{ background: none }} \
         svg {{ print-color-adjust: exact; -webkit-print-color-adjust: exact; break-inside: avoid }} }}\n\
         </style>\n</head>\n<body>\n{drawn}</body>\n</html>\n"
    ))
}

fn places(points: &[At]) -> Vec<(i32, i32)> {
    points.iter().copied().map(place).collect()
}

fn place(at: At) -> (i32, i32) {
    let [x, y] = at.map(|mm| (mm.clamp(-FURTHEST, FURTHEST) * PARTS).round() as i32);
    (x, y)
}

fn style(words: &Words) -> TextStyle<'static> {
    let size = f64::from(words.size_mm * PARTS) * SHRINKS;
    let weight = if words.bold { FontStyle::Bold } else { FontStyle::Normal };
    let anchor = match words.anchor {
        Anchor::Left => HPos::Left,
        Anchor::Middle => HPos::Center,
        Anchor::Right => HPos::Right,
    };
    let font = (FONTS, size, weight).into_font();
    font.color(&colour(words.ink)).pos(Pos::new(anchor, VPos::Center))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Colours that also differ in grey and for colour-blind readers.
fn colour(ink: Ink) -> RGBColor {
    match ink {
        Ink::Text => RGBColor(20, 25, 31),
        Ink::Soft => RGBColor(75, 87, 99),
        Ink::Hairline => RGBColor(200, 207, 215),
        Ink::Shade => RGBColor(240, 242, 245),
        Ink::Main => RGBColor(6, 72, 136),
        Ink::Reference => RGBColor(217, 128, 32),
        Ink::Loss => RGBColor(176, 52, 24),
        Ink::Gain => RGBColor(10, 125, 133),
        Ink::LossTint => RGBColor(240, 196, 181),
        Ink::GainTint => RGBColor(203, 234, 236),
        Ink::Paper => RGBColor(255, 255, 255),
    }
}
