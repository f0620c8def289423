//! Pages as SVG, alone or in an HTML page that prints on one sheet.

use super::{Ink, Item, Sheet};
use crate::svg::{SvgError, SvgUnit, escaped, svg};
use crate::{Colour, Lettering};

/// Millimetres, finely divided.
const MILLIMETRES: SvgUnit = SvgUnit { name: "mm", parts: 20.0 };

/// Draws a page as SVG. Fails only if the drawing library does.
pub fn draw(sheet: &Sheet) -> Result<String, SvgError> {
    svg(&sheet.title, sheet.size_mm, &MILLIMETRES, |brush| {
        for item in &sheet.items {
            match item {
                Item::Line { points, ink, width_mm } => {
                    brush.line(points.iter().copied(), colour(*ink), *width_mm);
                }
                Item::Area { edge, ink } => brush.area(edge.iter().copied(), colour(*ink)),
                Item::Words(words) => {
                    let lettering = Lettering {
                        colour: colour(words.ink),
                        size: words.size_mm,
                        bold: words.bold,
                        anchor: words.anchor,
                    };
                    brush.text(&words.text, words.at, lettering);
                }
            }
        }
    })
}

/// An HTML page without scripts or external resources that prints on one sheet of paper.
pub fn html(sheet: &Sheet) -> Result<String, SvgError> {
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

/// Colours that also differ in grey and for colour-blind readers.
fn colour(ink: Ink) -> Colour {
    match ink {
        Ink::Text => Colour::rgb(20, 25, 31),
        Ink::Soft => Colour::rgb(75, 87, 99),
        Ink::Hairline => Colour::rgb(200, 207, 215),
        Ink::Shade => Colour::rgb(240, 242, 245),
        Ink::Main => Colour::rgb(6, 72, 136),
        Ink::Reference => Colour::rgb(217, 128, 32),
        Ink::Loss => Colour::rgb(176, 52, 24),
        Ink::Gain => Colour::rgb(10, 125, 133),
        Ink::LossTint => Colour::rgb(240, 196, 181),
        Ink::GainTint => Colour::rgb(203, 234, 236),
        Ink::Paper => Colour::rgb(255, 255, 255),
    }
}
