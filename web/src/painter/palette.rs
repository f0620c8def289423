//! The style sheet's colours and font, for canvases.

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::Array;
use leptos::prelude::{document, window};
use trailbrake_shared::number;
use wasm_bindgen::prelude::*;
use web_sys::{CssStyleDeclaration, MutationObserver, MutationObserverInit};

use crate::frame;

/// Declares the inks: name, CSS custom property, and purpose.
macro_rules! inks {
    ($($ink:ident $token:literal $says:literal;)*) => {
        /// A colour by its meaning. The theme decides what it looks like.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Ink {
            $(#[doc = $says] $ink,)*
        }

        impl Ink {
            /// All inks, in the order of the palette.
            pub const ALL: &'static [Self] = &[$(Self::$ink,)*];

            /// Its CSS custom property.
            pub const fn token(self) -> &'static str {
                match self { $(Self::$ink => $token,)* }
            }
        }
    };
}

inks! {
    Panel "--panel" "The ground on which figures stand.";
    Raised "--raised" "The ground of what stands out.";
    Line "--line" "Hairlines.";
    LineStrong "--line-strong" "Zero lines, and the track.";
    Text "--text" "Values.";
    Soft "--soft" "Labels, and other cars.";
    Faint "--faint" "Units and ticks.";
    Main "--main" "The main lap.";
    Reference "--reference" "The reference.";
    Lap3 "--lap-3" "A third lap.";
    Lap4 "--lap-4" "A fourth lap.";
    Lap5 "--lap-5" "A fifth lap.";
    Lap6 "--lap-6" "A sixth lap.";
    Throttle "--throttle" "The throttle.";
    Brake "--brake" "The brake.";
    Coast "--coast" "Neither throttle nor brake.";
    Gain "--gain" "Time gained.";
    Loss "--loss" "Time lost.";
    GainSome "--gain-some" "A little time gained.";
    LossSome "--loss-some" "A little time lost.";
    Best "--best" "Best of all.";
    Personal "--personal" "Best of this driver.";
    Slower "--slower" "Slower than before.";
    Warn "--warn" "What asks for attention.";
    WarnFill "--warn-fill" "The same for areas, and for figures of 24 px and more.";
    NoteAmber "--note-amber" "Amber notes.";
    NoteRed "--note-red" "Red notes.";
    NoteGreen "--note-green" "Green notes.";
    NoteBlue "--note-blue" "Blue notes.";
    NoteViolet "--note-violet" "Violet notes.";
    Peer "--peer" "Somebody else's cursor.";
    PartBroughtIn "--part-brought-in" "Lost before the line.";
    PartBrakePoint "--part-brake-point" "Lost by the brake point or a lift.";
    PartBraking "--part-braking" "Lost by the braking.";
    PartRelease "--part-release" "Lost by the release.";
    PartMinimumSpeed "--part-min-speed" "Lost by the minimum speed.";
    PartLine "--part-line" "Lost by the line.";
    PartThrottle "--part-throttle" "Lost by the throttle.";
    PartGear "--part-gear" "Lost by gears.";
    PartExcursion "--part-excursion" "Lost by an excursion.";
    Ramp1 "--ramp-1" "Step 1 from little to much.";
    Ramp2 "--ramp-2" "Step 2 from little to much.";
    Ramp3 "--ramp-3" "Step 3 from little to much.";
    Ramp4 "--ramp-4" "Step 4 from little to much.";
    Ramp5 "--ramp-5" "Step 5 from little to much.";
    Ramp6 "--ramp-6" "Step 6 from little to much.";
    Ramp7 "--ramp-7" "Step 7 from little to much.";
    Ramp8 "--ramp-8" "Step 8 from little to much.";
}

impl Ink {
    /// Steps from little to much. Each is lighter than the one before on a dark ground, and darker on a light one, so
    /// that their order is visible with any colour vision.
    pub const RAMP: [Self; 8] = [
        Self::Ramp1,
        Self::Ramp2,
        Self::Ramp3,
        Self::Ramp4,
        Self::Ramp5,
        Self::Ramp6,
        Self::Ramp7,
        Self::Ramp8,
    ];
}

/// An ink with an opacity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Paint {
    /// The colour.
    pub ink: Ink,
    /// From 0 (invisible) to 1 (opaque).
    pub opacity: f64,
}

impl Paint {
    /// An ink with an opacity from 0 to 1.
    pub const fn thin(ink: Ink, opacity: f64) -> Self {
        Self { ink, opacity }
    }
}

impl From<Ink> for Paint {
    fn from(ink: Ink) -> Self {
        Self { ink, opacity: 1.0 }
    }
}

/// The theme's colours and font. They are read again whenever the theme changes.
#[derive(Debug, Default)]
pub struct Palette {
    colours: Vec<String>,
    family: String,
    /// The size of small text, in CSS pixels.
    pub small: f32,
}

thread_local! {
    static CURRENT: RefCell<Option<Rc<Palette>>> = const { RefCell::new(None) };
}

impl Palette {
    /// The palette of the current theme. After a change of the theme it is another `Rc`.
    pub fn current() -> Rc<Self> {
        let known = CURRENT.with_borrow(Clone::clone);
        known.unwrap_or_else(|| {
            follow_theme();
            renew()
        })
    }

    /// An ink's colour in CSS syntax; empty without a style sheet.
    pub fn colour(&self, ink: Ink) -> &str {
        self.colours.get(ink as usize).map_or("", String::as_str)
    }

    /// An ink's red, green and blue; black if the style sheet has no `#rrggbb` for it.
    pub fn rgb(&self, ink: Ink) -> (u8, u8, u8) {
        rgb(self.colour(ink)).unwrap_or_default()
    }

    /// The font family.
    pub fn family(&self) -> &str {
        &self.family
    }

    fn read() -> Self {
        let Some(style) = root_style() else { return Self::default() };
        let token = |name: &str| style.get_property_value(name).unwrap_or_default().trim().to_owned();
        Self {
            colours: Ink::ALL.iter().map(|ink| token(ink.token())).collect(),
            family: token("--font"),
            small: number::read(token("--text-s").trim_end_matches("px")).map_or(11.0, |size| size as f32),
        }
    }
}

/// Red, green and blue of a colour in the form `#rrggbb`.
fn rgb(colour: &str) -> Option<(u8, u8, u8)> {
    let number =
        u32::from_str_radix(colour.strip_prefix('#').filter(|digits| digits.len() == 6)?, 16).ok()?;
    let [_, red, green, blue] = number.to_be_bytes();
    Some((red, green, blue))
}

fn root_style() -> Option<CssStyleDeclaration> {
    window().get_computed_style(&document().document_element()?).ok()?
}

fn renew() -> Rc<Palette> {
    let palette = Rc::new(Palette::read());
    CURRENT.set(Some(Rc::clone(&palette)));
    palette
}

/// Reads the palette again and requests a frame whenever the theme changes.
fn follow_theme() {
    let changed = Closure::<dyn Fn()>::new(|| {
        renew();
        frame::request();
    });
    let watched = MutationObserverInit::new();
    watched.set_attribute_filter(&Array::of1(&"data-theme".into()));
    if let (Some(root), Ok(observer)) =
        (document().document_element(), MutationObserver::new(changed.as_ref().unchecked_ref()))
    {
        let _ = observer.observe_with_options(&root, &watched);
    }
    // The observer lives as long as the page, so its callback must not be dropped.
    changed.forget();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_ink_is_a_token_of_both_themes() {
        let sheet = include_str!("../../style/10-tokens.css");
        let light = sheet.split("data-theme=\"light\"").nth(1).expect("a light theme");
        for (place, ink) in Ink::ALL.iter().enumerate() {
            assert_eq!(*ink as usize, place);
            let declared = format!("{}: #", ink.token());
            assert_eq!(sheet.matches(&declared).count(), 2, "{declared}");
            assert!(light.contains(&declared), "{declared}");
            for digits in sheet.split(&declared).skip(1) {
                assert!(
                    rgb(&["#", digits.split(';').next().expect("a value")].concat()).is_some(),
                    "{declared}"
                );
            }
        }
    }

    /// The relative luminance of inks in one of the themes.
    fn luminances(sheet: &str, inks: &[Ink]) -> Vec<f64> {
        let linear = |hex: &str| {
            let share = f64::from(u8::from_str_radix(hex, 16).expect("two digits")) / 255.0;
            if share <= 0.040_45 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
        };
        let of = |ink: &Ink| {
            let (_, rest) = sheet.split_once(&format!("{}: #", ink.token())).expect("a colour");
            0.2126 * linear(&rest[..2]) + 0.7152 * linear(&rest[2..4]) + 0.0722 * linear(&rest[4..6])
        };
        inks.iter().map(of).collect()
    }

    #[test]
    fn numbers_of_notes_are_legible_on_their_colours_and_these_on_the_ground() {
        let sheet = include_str!("../../style/10-tokens.css");
        let (dark, light) = sheet.split_once("data-theme=\"light\"").expect("a light theme");
        let notes = [Ink::NoteAmber, Ink::NoteRed, Ink::NoteGreen, Ink::NoteBlue, Ink::NoteViolet];
        for theme in [dark, light] {
            for ground in luminances(theme, &[Ink::Panel, Ink::Raised]) {
                for note in luminances(theme, &notes) {
                    let contrast = (note.max(ground) + 0.05) / (note.min(ground) + 0.05);
                    assert!(contrast >= 4.5, "{contrast}");
                }
            }
        }
    }

    #[test]
    fn a_ramp_leads_from_the_ground_away_without_any_hue() {
        let sheet = include_str!("../../style/10-tokens.css");
        let (dark, light) = sheet.split_once("data-theme=\"light\"").expect("a light theme");
        let mut lightest_last = luminances(light, &Ink::RAMP);
        lightest_last.reverse();
        for luminances in [luminances(dark, &Ink::RAMP), lightest_last] {
            let contrasts = luminances.windows(2).map(|pair| (pair[1] + 0.05) / (pair[0] + 0.05));
            assert!(contrasts.clone().all(|contrast| contrast > 1.15), "{luminances:?}");
        }
    }
}
