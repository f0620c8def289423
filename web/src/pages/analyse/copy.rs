//! The figures that are shown, to be taken along as pictures and as tables: on the clipboard, or else as files.

use leptos::task::spawn_local;
use web_sys::HtmlCanvasElement;

use super::{corner, lanes, map, panels};
use crate::analyse::{Analyse, INKS, State};
use crate::browser::{Handed, hand_out_picture, hand_out_text};
use crate::dom::{Part, button, fill_id, part};
use crate::painter::Ink;

/// Where it is said what became of it.
const SAID: &str = "copied";

/// A figure that is shown.
#[derive(Clone, Copy, PartialEq)]
enum Figure {
    Lanes,
    Track,
    /// The table of corners, which is a table only.
    Corners,
    /// One of the open panel's, counted from the top.
    OfPanel(usize),
}

/// The figures that are shown, each by what it is called, and what a file of it would be called.
fn figures(state: &State) -> Vec<(Figure, String, String)> {
    let Some(shown) = &state.shown else { return Vec::new() };
    let named = |figure, name: &str, file: &str| (figure, name.to_owned(), file.to_owned());
    let mut figures = vec![named(Figure::Lanes, "Lanes", "lanes")];
    if shown.laps.first().is_some_and(|lap| !lap.way.is_empty()) {
        figures.push(named(Figure::Track, "Track", "track"));
    }
    match state.open.panel() {
        None if shown.comparison().corners.is_empty() => {}
        None => figures.push(named(Figure::Corners, "Corners", "corners")),
        Some(panel) => panels::charts(|charts| {
            for (place, chart) in charts.iter().enumerate() {
                let file = match charts.len() {
                    1 => panel.id.to_owned(),
                    _ => [panel.id, "-", &(place + 1).to_string()].concat(),
                };
                figures.push((Figure::OfPanel(place), chart.figure().title.clone(), file));
            }
        }),
    }
    figures
}

impl Figure {
    fn picture(self, legend: &[(Ink, String)]) -> Option<HtmlCanvasElement> {
        match self {
            Self::Lanes => lanes::picture(legend),
            Self::Track => map::picture(legend),
            Self::Corners => None,
            Self::OfPanel(place) => panels::charts(|charts| charts.get(place)?.picture(legend)),
        }
    }

    fn csv(self, state: &State) -> Option<String> {
        match self {
            Self::Lanes => state.lanes_csv(),
            Self::Track => state.track_csv(),
            Self::Corners => {
                let shown = state.shown.as_ref()?;
                let name = |place: usize| shown.laps.get(place).map(|lap| state.lap_name(lap.driven.key));
                let names = [0, 1].map(|place| name(place).unwrap_or_default());
                Some(corner::csv(shown, names.each_ref().map(String::as_str)))
            }
            Self::OfPanel(place) => panels::charts(|charts| Some(charts.get(place)?.figure().csv())),
        }
    }
}

/// Which laps a picture shows, each in its colour, with its time.
fn legend(state: &State) -> Vec<(Ink, String)> {
    let mut legend = Vec::new();
    if let Some(shown) = &state.shown {
        for (lap, ink) in shown.laps.iter().zip(INKS) {
            let mut name = state.lap_name(lap.driven.key);
            if let Some(time) = lap.driven.lap.time {
                name.push_str("  ");
                name.push_str(&time.to_string());
            }
            legend.push((ink, name));
        }
    }
    legend
}

/// What lies over the page: a row for each figure.
pub(super) fn parts(state: &State) -> Vec<Part> {
    let take = |words: &str, action: &'static str, file: &str, name: &str| {
        let says = [name, " as ", if words == "CSV" { "CSV" } else { "picture" }].concat();
        button(words, "", action).set("data-of", file).set("aria-label", &says)
    };
    let row = |(figure, name, file): (Figure, String, String)| {
        let picture = (figure != Figure::Corners).then(|| take("Picture", "copy-picture", &file, &name));
        part("div", "copy-row")
            .with(part("span", "").says(&name))
            .perhaps(picture)
            .with(take("CSV", "copy-csv", &file, &name))
    };
    let rows = figures(state).into_iter().map(row).collect();
    let link = part("div", "copy-row")
        .with(part("span", "").says("Link to this view"))
        .with(button("Link", "", "copy-link").set("aria-label", "Copy the link to this view"));
    vec![
        part("h2", "").says("Copy"),
        part("div", "found").with(link).with_all(rows),
        part("p", "soft").set("id", SAID).set("role", "status"),
    ]
}

/// Does what a press is for; whether it is for anything here.
pub(super) fn pressed(analyse: Analyse, action: &str, of: &str) -> bool {
    let as_picture = match action {
        "copy-link" => {
            copy_link(analyse);
            return true;
        }
        "copy-picture" => true,
        "copy-csv" => false,
        _ => return false,
    };
    let chosen = analyse.read(|state| figures(state).into_iter().find(|(_, _, file)| file == of));
    let Some((figure, name, file)) = chosen else { return true };
    let (picture, text) = match as_picture {
        true => (figure.picture(&analyse.read(legend)), None),
        false => (None, analyse.read(|state| figure.csv(state))),
    };
    spawn_local(async move {
        let (kind, handed) = match (picture, text) {
            (Some(canvas), _) => (".png", hand_out_picture(&canvas, &[&file, ".png"].concat()).await),
            (None, Some(text)) => (".csv", hand_out_text(&text, &[&file, ".csv"].concat()).await),
            (None, None) => return say("There is nothing to be seen of it here."),
        };
        let saved = |why: &str| ["Saved as ", &file, kind, ", since ", why, "."].concat();
        say(&match handed {
            Handed::Copied => {
                ["Copied: ", &name, if as_picture { " as picture." } else { " as CSV." }].concat()
            }
            Handed::SavedWithout => saved("this address has no clipboard"),
            Handed::SavedRefused => saved("the browser keeps its clipboard to itself"),
            Handed::Nowhere => "The browser neither copies it nor saves it.".to_owned(),
        });
    });
    true
}

/// Copies what stands in the address behind this machine's own: that is another one for everybody else.
fn copy_link(analyse: Analyse) {
    let link = analyse.address();
    spawn_local(async move {
        say(match hand_out_text(&link, "trailbrake-link.txt").await {
            Handed::Copied => {
                "Link copied. Paste it (Ctrl V) on any page of Trailbrake where the recording is."
            }
            Handed::SavedWithout | Handed::SavedRefused => {
                "Saved as trailbrake-link.txt. Paste the line in it (Ctrl V) on any page of Trailbrake."
            }
            Handed::Nowhere => "The browser neither copies it nor saves it.",
        });
    });
}

fn say(words: &str) {
    fill_id(SAID, vec![part("span", "").says(words)]);
}
