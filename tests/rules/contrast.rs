//! Every colour of text and of lines stands out from every ground in both themes, by WCAG 2.2's contrast ratio.

use std::collections::BTreeMap;

use crate::tree;

const TOKENS: &str = "web/style/10-tokens.css";
const LIGHT: &str = ":root[data-theme=\"light\"]";
const GROUNDS: [&str; 3] = ["bg", "panel", "raised"];
/// Borders and rules between parts, which nobody has to see to understand the page.
const DECORATION: [&str; 2] = ["line", "line-strong"];
/// Colours that are only drawn: the map's scale, small gains and losses on it, the parts of a loss, and areas and large figures
/// that warn.
const DRAWN: [&str; 5] = ["ramp-", "gain-some", "loss-some", "part-", "warn-fill"];
/// Level AA for text, and for what is drawn.
const TEXT: f64 = 4.5;
const DRAWING: f64 = 3.0;

/// The colours that a part of the tokens names.
fn colours(css: &str) -> BTreeMap<&str, [u8; 3]> {
    let declared = css.split("--").skip(1).filter_map(|rest| rest.split_once(':'));
    declared
        .filter_map(|(name, rest)| {
            let digits = rest.trim_start().strip_prefix('#')?.get(..6)?;
            let part = |at: usize| u8::from_str_radix(digits.get(at..at + 2)?, 16).ok();
            Some((name, [part(0)?, part(2)?, part(4)?]))
        })
        .collect()
}

fn luminance(colour: [u8; 3]) -> f64 {
    let [red, green, blue] = colour.map(|part| {
        let part = f64::from(part) / 255.0;
        if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
    });
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}

fn contrast(one: [u8; 3], other: [u8; 3]) -> f64 {
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

#[test]
fn black_on_white_has_the_greatest_contrast() {
    assert!((contrast([0; 3], [255; 3]) - 21.0).abs() < 1e-9);
    assert!((contrast([0x76; 3], [255; 3]) - 4.54).abs() < 0.01);
}

#[test]
fn every_colour_stands_out_from_every_ground() {
    let css = tree::text(TOKENS);
    let (dark, light) = css.split_once(LIGHT).expect("two themes");
    let dark = colours(dark);
    // The light theme names only what differs.
    let mut both = dark.clone();
    both.extend(colours(light));
    let mut faint = Vec::new();
    for (theme, colours) in [("dark", &dark), ("light", &both)] {
        assert!(colours.len() > 25, "{theme}: {}", colours.len());
        for (name, colour) in colours {
            if GROUNDS.contains(name) || DECORATION.contains(name) {
                continue;
            }
            let least = if DRAWN.iter().any(|drawn| name.starts_with(drawn)) { DRAWING } else { TEXT };
            for ground in GROUNDS {
                let ratio = contrast(*colour, colours[ground]);
                if ratio < least {
                    faint.push(format!("{theme}: --{name} on --{ground} has {ratio:.2}, not {least}"));
                }
            }
        }
    }
    assert!(faint.is_empty(), "{faint:#?}");
}
