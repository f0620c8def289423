//! What stands around the track: by what it is coloured, what the colours mean, and what is told at the cursor.

use std::rc::Rc;

use leptos::prelude::document;
use trailbrake_shared::analysis::Unavailable;
use trailbrake_shared::model::Wheel;
use trailbrake_shared::plot::colouring::{Band, ColouredLap, Colouring};
use web_sys::Element;

use crate::analyse::{Analyse, Look, Seen, Shown, wheel_of};
use crate::dom::{Drawing, Part, button, part, value};
use crate::painter::ink_of;

/// By what choosers say which of them they are.
pub(super) const COLOUR: &str = "track-colour";
pub(super) const WHEEL: &str = "track-wheel";

/// The track's colours, and the elements that tell of them.
pub(super) struct Colours {
    head: Option<Drawing>,
    legend: Option<Drawing>,
    said: Option<Drawing>,
    tools: Option<Drawing>,
    /// The lap, coloured, if it can be.
    pub(super) coloured: Option<Rc<ColouredLap>>,
}

impl Colours {
    /// Those of no lap yet.
    pub(super) fn begin() -> Self {
        let drawing = |id: &str| document().get_element_by_id(id).map(|host| Drawing::begin(&host));
        let ids = ["track-head", "track-legend", "track-value", "track-tools"];
        let [head, legend, said, tools] = ids.map(drawing);
        Self { head, legend, said, tools, coloured: None }
    }

    /// Draws what the track is moved about with, where there is one.
    pub(super) fn tools(&mut self, shown: Option<&Shown>, seen: Seen) {
        let is_seen = shown.and_then(|shown| shown.laps.first()).is_some_and(|lap| !lap.way.is_empty());
        let several = shown.is_some_and(|shown| shown.laps.len() > 1);
        let tool = |words: &str, action: &str, name: &str| {
            button(words, "", action).set("aria-label", name).set("title", name)
        };
        let pressed = |part: Part, is: bool| part.set("aria-pressed", if is { "true" } else { "false" });
        let follow = tool("Follow", "map-follow", "Follow the lanes");
        let lines = tool("Lines", "map-lines", "Lines of all laps, also from afar");
        let tools = vec![
            Some(pressed(follow, seen.look == Look::Follows)),
            several.then(|| pressed(lines, seen.lines)),
            Some(tool("All", "map-all", "Show all of the track")),
            Some(tool("−", "map-out", "Show more of the track")),
            Some(tool("+", "map-in", "Show the track nearer")),
        ];
        if let Some(drawing) = &mut self.tools {
            drawing.draw(if is_seen { tools } else { Vec::new() });
        }
    }

    /// Colours laps, and says what the colours mean.
    pub(super) fn show(&mut self, shown: Option<&Shown>, seen: Seen) {
        self.coloured = None;
        let Some(shown) = shown else {
            [&mut self.head, &mut self.legend]
                .into_iter()
                .flatten()
                .for_each(|drawing| drawing.draw(Vec::new()));
            return;
        };
        let by = seen.by(shown);
        let is_seen = shown.laps.first().is_some_and(|lap| !lap.way.is_empty());
        let coloured = shown.coloured(by, seen.wheel);
        if let Some(head) = &mut self.head {
            let title = Some(part("h2", "").says("Track"));
            let choosers = is_seen.then(|| choosers(shown, by, seen.wheel));
            head.draw(vec![title, choosers]);
        }
        if let Some(legend) = &mut self.legend {
            legend.draw(match &coloured {
                _ if !is_seen => vec![Some(unseen())],
                Ok(coloured) => meanings(coloured),
                Err(why) => vec![Some(part("span", "").says(&format!("No colours: {why}.")))],
            });
        }
        self.coloured = coloured.ok().filter(|_| is_seen).map(Rc::new);
    }

    /// Says what is told at a row of the main lap.
    pub(super) fn say(&mut self, row: Option<usize>) {
        let said = self.coloured.as_ref().zip(row).and_then(|(coloured, row)| coloured.says(row));
        if let Some(drawing) = &mut self.said {
            drawing
                .draw(vec![said.map(|words| part("b", "").set("data-figure", "track-value").says(&words))]);
        }
    }
}

/// Takes on what was chosen.
pub(super) fn chosen(analyse: Analyse, chooser: &str, field: &Element) {
    let chosen = value(field);
    analyse.see(|seen| match chooser {
        COLOUR => seen.by = Colouring::of_id(&chosen),
        _ => seen.wheel = wheel_of(&chosen),
    });
}

/// Why there is no track to be seen.
fn unseen() -> Part {
    let words = "This game does not tell where the car is, so there is no track to draw. \
        Lanes and tables need no places.";
    part("span", "").set("data-figure", "unseen").says(words)
}

/// By what the track is coloured, and by which wheel.
fn choosers(shown: &Shown, by: Colouring, wheel: Option<Wheel>) -> Part {
    let option = |value: &str, words: &str| part("option", "").set("value", value).says(words);
    let colourings = shown.colourings().into_iter().map(|(offered, why)| {
        let words = match &why {
            None => offered.title().to_owned(),
            Some(Unavailable::NotSent(_)) => format!("{}: not sent by this game", offered.title()),
            Some(why) => format!("{}: {why}", offered.title()),
        };
        option(offered.id(), &words).mark("disabled", why.is_some())
    });
    let select = |action: &str, name: &str, options: Vec<Part>, chosen: &str| {
        part("select", "")
            .set("data-action", action)
            .set("aria-label", name)
            .with_all(options)
            .put("value", chosen)
    };
    let wheels = || {
        let all = [option("", "All wheels")].into_iter();
        let wheels = all.chain(Wheel::ALL.map(|wheel| option(wheel.short(), wheel.short())));
        select(WHEEL, "Which wheel", wheels.collect(), wheel.map_or("", |wheel| wheel.short()))
    };
    part("span", "choosers").perhaps(shown.is_per_wheel(by).then(wheels)).with(select(
        COLOUR,
        "Colour the track by",
        colourings.collect(),
        by.id(),
    ))
}

/// What the colours mean.
fn meanings(coloured: &ColouredLap) -> Vec<Option<Part>> {
    let swatch = |Band { tone, .. }: &Band| {
        part("i", "").style("background", &format!("var({})", ink_of(*tone).token()))
    };
    let bands = coloured.bands.iter();
    let mut parts = match &coloured.ends {
        Some([low, high]) => {
            let scale = part("span", "scale").with_all(bands.map(swatch).collect());
            vec![part("span", "").says(low), scale, part("span", "").says(high)]
        }
        None => bands.map(|band| part("span", "class").with(swatch(band)).says(&band.says)).collect(),
    };
    parts.push(part("span", "about").says(&coloured.about));
    parts.into_iter().map(Some).collect()
}
