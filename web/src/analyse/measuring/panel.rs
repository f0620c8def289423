//! The laps between the two measuring cursors: length, time, time lost, and statistics of every channel of the lanes.

use leptos::prelude::*;
use trailbrake_shared::analysis::{Area, SectionStatistics, Unavailable};
use trailbrake_shared::model::Slot;
use trailbrake_shared::number::{self, write_signed};
use trailbrake_shared::units::{Unit, Units};

use crate::analyse::messages::NO_CURSOR;
use crate::analyse::{Analyse, Measure, Part as LapRange, ShownLaps, Strip, slots};
use crate::text::figures::NONE;

/// Reads one statistic.
type Read = fn(&SectionStatistics) -> f64;

/// The columns of the table: test id, label, tooltip, and the statistic.
const COLUMNS: [(&str, &str, &str, Read); 5] = [
    ("first", "start", "The value at the start", |section| section.first.into()),
    ("last", "end", "The value at the end", |section| section.last.into()),
    ("min", "min", "The lowest value", |section| section.low.into()),
    ("max", "max", "The highest value", |section| section.high.into()),
    ("mean", "mean", "The mean over time", |section| section.mean),
];

/// A row of a channel: test id, CSS class, and symbol.
type RowKind = (&'static str, &'static str, &'static str);

const LAPS: [RowKind; 2] = [("lap", "ink main", "■"), ("reference", "ink reference", "□")];
const APART: RowKind = ("apart", "soft", "Δ");

/// The text of the panel.
#[derive(Clone, Debug, PartialEq)]
struct MeasuredWords {
    places: String,
    /// `None` if the laps have no data there.
    area: Option<AreaWords>,
}

#[derive(Clone, Debug, PartialEq)]
struct AreaWords {
    length: String,
    seconds: String,
    /// The reference's time, the time lost against it, and the CSS class of the loss; `None` without a reference.
    compared: Option<(String, String, &'static str)>,
    channels: Vec<ChannelWords>,
}

/// A channel of the panel.
#[derive(Clone, Debug, PartialEq)]
struct ChannelWords {
    id: String,
    name: String,
    unit: &'static str,
    /// Its sum over time; empty if the sum has no meaning.
    sum: String,
    rows: Vec<(RowKind, [String; 5])>,
}

/// The panel of the measured part; empty until both measuring cursors are placed.
#[component]
pub(crate) fn MeasuredPanel() -> impl IntoView {
    let analyse = Analyse::here();
    let words = Memo::new(move |_| {
        let (shown, (from_m, to_m)) = analyse.comparison.shown().zip(analyse.measure.state.get().area_m())?;
        Some(
            analyse
                .lanes
                .state
                .with(|lanes| measured(&shown, &lanes.strips, analyse.units.get(), from_m, to_m)),
        )
    });
    let there = Memo::new(move |_| words.with(Option::is_some));
    let places = move || words.with(|words| words.as_ref().map(|words| words.places.clone()));
    let area = Memo::new(move |_| words.with(|words| words.as_ref().and_then(|words| words.area.clone())));
    let has_area = Memo::new(move |_| area.with(Option::is_some));
    view! {
        <section class="measured" id="measured" aria-label="Between the measuring cursors">
            <Show when=move || there.get()>
                <div class="head"><h2>"Measured"</h2><span data-figure="places">{places}</span></div>
                <Show
                    when=move || has_area.get()
                    fallback=|| view! { <p class="missing">"No data in this part of these laps."</p> }
                >
                    <Lengths area/>
                </Show>
                <p class="tools">
                    <button type="button" class="quiet" data-testid="zoom-measured" on:click=move |_| zoom(analyse)>
                        "Zoom to it"
                    </button>
                    <button
                        type="button"
                        class="quiet"
                        data-testid="clear-measure"
                        on:click=move |_| analyse.measure.change(|measure| *measure = Measure::default())
                    >
                        "Clear"
                    </button>
                </p>
                <Show when=move || has_area.get()>
                    <Channels area/>
                </Show>
            </Show>
        </section>
    }
    .into_any()
}

/// The length of the part, the time of each lap, and the time lost.
#[component]
fn Lengths(area: Memo<Option<AreaWords>>) -> impl IntoView {
    let words = move |get: fn(&AreaWords) -> String| move || area.with(|area| area.as_ref().map(get));
    let compared = move || area.with(|area| area.as_ref().and_then(|area| area.compared.clone()));
    view! {
        <p class="lengths">
            <span data-figure="length">{words(|area| area.length.clone())}</span>
            <span class="ink main" data-figure="seconds">{words(|area| area.seconds.clone())}</span>
            {move || compared().map(|(reference, lost, class)| view! {
                <span class="ink reference" data-figure="reference-seconds">{reference}</span>
                <b class=class data-figure="area-lost">{lost}</b>
            })}
        </p>
    }
}

/// The statistics of every channel of the lanes.
#[component]
fn Channels(area: Memo<Option<AreaWords>>) -> impl IntoView {
    let channel = move |id: &str| {
        area.with(|area| area.as_ref()?.channels.iter().find(|channel| channel.id == id).cloned())
    };
    let ids = Memo::new(move |_| {
        let ids =
            |area: &AreaWords| area.channels.iter().map(|channel| channel.id.clone()).collect::<Vec<_>>();
        area.with(|area| area.as_ref().map(ids).unwrap_or_default())
    });
    view! {
        <div class="scrolls" tabindex="0" role="group" aria-label="Channels between the measuring cursors">
            <table>
                <thead>
                    <tr>
                        <td></td>
                        {COLUMNS.map(|(_, words, title, _)| view! { <th scope="col" title=title>{words}</th> })}
                    </tr>
                </thead>
                <For each=move || ids.get() key=|id: &String| id.clone() let:id>
                    {
                        let words = Memo::new(move |_| channel(&id));
                        view! { <tbody>{move || words.get().map(channel_rows)}</tbody> }
                    }
                </For>
            </table>
        </div>
    }
}

fn channel_rows(channel: ChannelWords) -> impl IntoView {
    let ChannelWords { id, name, unit, sum, rows } = channel;
    let slot = id.clone();
    let row = move |((of, class, sign), values): (RowKind, [String; 5])| {
        let cell = |((figure, ..), words): ((&'static str, &str, &str, Read), String)| {
            view! { <td data-figure=figure>{words}</td> }
        };
        view! {
            <tr data-slot=slot.clone() data-of=of>
                <th scope="row" class=class>{sign}</th>
                {COLUMNS.into_iter().zip(values).map(cell).collect_view()}
            </tr>
        }
    };
    view! {
        <tr class="channel" data-slot=id>
            <th colspan="6" scope="rowgroup">
                {name}<span class="faint">{unit}</span>
                {(!sum.is_empty()).then(|| view! { <span class="sum">{sum}</span> })}
            </th>
        </tr>
        {rows.into_iter().map(row).collect_view()}
    }
}

/// Places a measuring cursor at the cursor, or shows a message that there is no cursor.
pub(crate) fn put(analyse: Analyse, which: usize) {
    if !analyse.measure.drop_at_cursor(which) {
        analyse.messages.show(NO_CURSOR);
    }
}

/// Zooms the lanes to the measured part.
pub(crate) fn zoom(analyse: Analyse) {
    let area = analyse.measure.state.get_untracked().area_m();
    let Some((shown, (from_m, to_m))) = analyse.comparison.shown().zip(area) else { return };
    analyse.view.change(&|view, whole| {
        let ends = shown.on_axis(view.axis, from_m).zip(shown.on_axis(view.axis, to_m));
        view.show(ends.map(|(from, to)| LapRange { from, to }), whole);
    });
}

fn measured(shown: &ShownLaps, strips: &[Strip], units: Units, from_m: f64, to_m: f64) -> MeasuredWords {
    let area = Area::between(shown.comparison(), from_m, to_m).map(|area| {
        let [lap_s, reference_s] = area.seconds.map(|seconds| format!("{} s", number::write(seconds, 3)));
        let class = if area.lost_s > 0.0 { "loss" } else { "gain" };
        AreaWords {
            length: format!("{} m", number::write(area.to_m - area.from_m, 1)),
            seconds: lap_s,
            compared: shown.compared.then(|| (reference_s, write_signed(area.lost_s, 3), class)),
            channels: channels(shown, strips, units, &area),
        }
    });
    MeasuredWords { places: format!("{} to {} m", number::write(from_m, 1), number::write(to_m, 1)), area }
}

/// A channel of one lap in the measured part.
type Section = Result<SectionStatistics, Unavailable>;

fn channels(shown: &ShownLaps, strips: &[Strip], units: Units, area: &Area) -> Vec<ChannelWords> {
    let Some(main) = shown.laps.first() else { return Vec::new() };
    let (own, best) = (main.columns(), shown.laps.get(1).unwrap_or(main).columns());
    let channel = |(slot, name): (Slot, String)| {
        let sections = area.channel([&own, &best], slot);
        let sections = sections.get(..if shown.compared { 2 } else { 1 }).unwrap_or_default();
        let mut rows = Vec::new();
        for (lap, kind) in sections.iter().zip(LAPS) {
            rows.push((kind, row(slot, units, kind, &|get: Read| lap.as_ref().ok().map(get))));
        }
        if let [own, best] = sections {
            let apart = |get: Read| Some(get(own.as_ref().ok()?) - get(best.as_ref().ok()?));
            rows.push((APART, row(slot, units, APART, &apart)));
        }
        let unit = units.shown(slot.channel().unit()).suffix;
        ChannelWords { id: slot.id(), name, unit, sum: sum(sections, units), rows }
    };
    slots(shown, strips).into_iter().map(channel).collect()
}

/// The sums over time of a channel, one for each lap; empty if the sum has no meaning.
fn sum(sections: &[Section], units: Units) -> String {
    let sums: Vec<(f64, Unit)> = sections.iter().filter_map(|section| section.as_ref().ok()?.sum).collect();
    let Some((_, unit_of)) = sums.first() else { return String::new() };
    let unit = units.shown(*unit_of);
    let (what, decimals) = match unit_of {
        Unit::Metres => ("distance (from speed)", unit.decimals),
        Unit::Seconds => ("full-pedal equivalent", 1),
        _ => ("sum over time", unit.decimals),
    };
    let sums: Vec<String> = sums.iter().map(|(sum, _)| number::write(unit.value(*sum), decimals)).collect();
    format!("{what} {} {}", sums.join(" · "), unit.suffix)
}

/// A row of values. Differences are signed, `+` included.
fn row(slot: Slot, units: Units, kind: RowKind, value: &dyn Fn(Read) -> Option<f64>) -> [String; 5] {
    let unit = slot.channel().unit();
    let shown = units.shown(unit);
    COLUMNS.map(|(name, _, _, get)| {
        // The mean of integers is not an integer.
        let decimals = match (name, unit) {
            ("mean", Unit::Count) => 2,
            ("mean", Unit::Ratio | Unit::MetresPerSecond) => shown.decimals.max(1),
            _ => shown.decimals,
        };
        let words = value(get).map(|value| match kind == APART {
            // A unit's offset, such as that of °F, does not apply to differences.
            true => write_signed(value * shown.scale, decimals),
            false => number::write(shown.value(value), decimals),
        });
        words.unwrap_or_else(|| NONE.to_owned())
    })
}
