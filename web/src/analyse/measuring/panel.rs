//! The laps between the two measuring cursors: length, time, time lost, and statistics of every channel of the lanes.

use leptos::prelude::*;
use trailbrake_shared::analysis::{Area, SectionStatistics, Unavailable};
use trailbrake_shared::model::Slot;
use trailbrake_shared::number::{self, write_signed};
use trailbrake_shared::units::{Unit, Units};

use crate::analyse::messages::{Messages, NO_CURSOR};
use crate::analyse::{
    ComparisonStore, LaneStore, Measure, MeasureStore, Part as LapRange, ShownLaps, Strip, ViewStore, slots,
};
use crate::reactive::{EachRow, Rows};
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

/// A channel of one lap in the measured part.
type Section = Result<SectionStatistics, Unavailable>;

/// The measured part of the laps.
#[derive(Clone, Debug, PartialEq)]
struct Measured {
    from_m: f64,
    to_m: f64,
    /// `None` if the laps have no data there.
    area: Option<Area>,
    /// Whether there is a reference.
    compared: bool,
    channels: Vec<MeasuredChannel>,
}

/// A channel in the measured part.
#[derive(Clone, Debug, PartialEq)]
struct MeasuredChannel {
    slot: Slot,
    name: String,
    /// Its statistics in the lap, and in the reference if there is one.
    sections: Vec<Section>,
}

/// The panel of the measured part; empty until both measuring cursors are placed.
#[component]
pub(crate) fn MeasuredPanel() -> impl IntoView {
    let (comparison, view, lanes, measure) = (
        expect_context::<ComparisonStore>(),
        expect_context::<ViewStore>(),
        expect_context::<LaneStore>(),
        expect_context::<MeasureStore>(),
    );
    let measured = Memo::new(move |_| {
        let (shown, (from_m, to_m)) = comparison.shown().zip(measure.state.get().area_m())?;
        Some(lanes.state.with(|lanes| measured(&shown, &lanes.strips, from_m, to_m)))
    });
    let there = Memo::new(move |_| measured.with(Option::is_some));
    let has_area =
        Memo::new(move |_| measured.with(|measured| measured.as_ref().is_some_and(|it| it.area.is_some())));
    let places = move || measured.with(|measured| measured.as_ref().map(place_words));
    let lengths = move || measured.with(|measured| measured.as_ref().and_then(lengths));
    let channels = Memo::new(move |_| {
        measured.with(|measured| measured.as_ref().map(|it| it.channels.clone())).unwrap_or_default()
    });
    let channels = Rows::new(channels, |channel| channel.slot);
    view! {
        <section class="measured" id="measured" aria-label="Between the measuring cursors">
            <Show when=move || there.get()>
                <div class="head"><h2>"Measured"</h2><span data-figure="places">{places}</span></div>
                <Show
                    when=move || has_area.get()
                    fallback=|| view! { <p class="missing">"No data in this part of these laps."</p> }
                >
                    {lengths}
                </Show>
                <p class="tools">
                    <button type="button" class="quiet" data-testid="zoom-measured" on:click=move |_| zoom(comparison, view, measure)>
                        "Zoom to it"
                    </button>
                    <button
                        type="button"
                        class="quiet"
                        data-testid="clear-measure"
                        on:click=move |_| measure.change(|measure| *measure = Measure::default())
                    >
                        "Clear"
                    </button>
                </p>
                <Show when=move || has_area.get()>
                    <Channels channels/>
                </Show>
            </Show>
        </section>
    }
    .into_any()
}

fn place_words(measured: &Measured) -> String {
    format!("{} to {} m", number::write(measured.from_m, 1), number::write(measured.to_m, 1))
}

/// The length of the part, the time of each lap, and the time lost.
fn lengths(measured: &Measured) -> Option<AnyView> {
    let area = measured.area.as_ref()?;
    let [lap_s, reference_s] = area.seconds.map(|seconds| format!("{} s", number::write(seconds, 3)));
    let class = if area.lost_s > 0.0 { "loss" } else { "gain" };
    let compared = measured.compared.then(|| {
        view! {
            <span class="ink reference" data-figure="reference-seconds">{reference_s}</span>
            <b class=class data-figure="area-lost">{write_signed(area.lost_s, 3)}</b>
        }
    });
    Some(
        view! {
            <p class="lengths">
                <span data-figure="length">{format!("{} m", number::write(area.to_m - area.from_m, 1))}</span>
                <span class="ink main" data-figure="seconds">{lap_s}</span>
                {compared}
            </p>
        }
        .into_any(),
    )
}

/// The statistics of every channel of the lanes.
#[component]
fn Channels(channels: Rows<Slot, MeasuredChannel>) -> impl IntoView {
    let units = expect_context::<RwSignal<Units>>();
    view! {
        <div class="scrolls" tabindex="0" role="group" aria-label="Channels between the measuring cursors">
            <table>
                <thead>
                    <tr>
                        <td></td>
                        {COLUMNS.map(|(_, words, title, _)| view! { <th scope="col" title=title>{words}</th> })}
                    </tr>
                </thead>
                <EachRow rows=channels let:channel>
                    <tbody>{move || channel.with(|channel| channel_rows(channel, units.get()))}</tbody>
                </EachRow>
            </table>
        </div>
    }
}

fn channel_rows(channel: &MeasuredChannel, units: Units) -> impl IntoView + use<> {
    let MeasuredChannel { slot, name, sections } = channel;
    let id = slot.id();
    let row = |kind: RowKind, value: &dyn Fn(Read) -> Option<f64>| {
        let (of, class, sign) = kind;
        let cell = |((figure, ..), words): ((&'static str, &str, &str, Read), String)| {
            view! { <td data-figure=figure>{words}</td> }
        };
        view! {
            <tr data-slot=id.clone() data-of=of>
                <th scope="row" class=class>{sign}</th>
                {COLUMNS.into_iter().zip(row_words(*slot, units, kind, value)).map(cell).collect_view()}
            </tr>
        }
    };
    let laps = sections.iter().zip(LAPS);
    let mut rows: Vec<_> =
        laps.map(|(lap, kind)| row(kind, &|get: Read| lap.as_ref().ok().map(get))).collect();
    if let [own, best] = sections.as_slice() {
        rows.push(row(APART, &|get: Read| Some(get(own.as_ref().ok()?) - get(best.as_ref().ok()?))));
    }
    let sum = sum(sections, units);
    view! {
        <tr class="channel" data-slot=slot.id()>
            <th colspan="6" scope="rowgroup">
                {name.clone()}<span class="faint">{units.shown(slot.channel().unit()).suffix}</span>
                {(!sum.is_empty()).then(|| view! { <span class="sum">{sum}</span> })}
            </th>
        </tr>
        {rows}
    }
}

/// Places a measuring cursor at the cursor, or shows a message that there is no cursor.
pub(crate) fn put(measure: MeasureStore, messages: Messages, which: usize) {
    if !measure.drop_at_cursor(which) {
        messages.show(NO_CURSOR);
    }
}

/// Zooms the lanes to the measured part.
pub(crate) fn zoom(comparison: ComparisonStore, view: ViewStore, measure: MeasureStore) {
    let area = measure.state.get_untracked().area_m();
    let Some((shown, (from_m, to_m))) = comparison.shown().zip(area) else { return };
    view.change(&|view, whole| {
        let ends = shown.on_axis(view.axis, from_m).zip(shown.on_axis(view.axis, to_m));
        view.show(ends.map(|(from, to)| LapRange { from, to }), whole);
    });
}

fn measured(shown: &ShownLaps, strips: &[Strip], from_m: f64, to_m: f64) -> Measured {
    let area = Area::between(shown.comparison(), from_m, to_m);
    let channels = area.as_ref().map(|area| channels(shown, strips, area)).unwrap_or_default();
    Measured { from_m, to_m, area, compared: shown.compared, channels }
}

fn channels(shown: &ShownLaps, strips: &[Strip], area: &Area) -> Vec<MeasuredChannel> {
    let Some(main) = shown.laps.first() else { return Vec::new() };
    let (own, best) = (main.columns(), shown.laps.get(1).unwrap_or(main).columns());
    let channel = |(slot, name): (Slot, String)| {
        let mut sections = area.channel([&own, &best], slot).to_vec();
        sections.truncate(if shown.compared { 2 } else { 1 });
        MeasuredChannel { slot, name, sections }
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

/// The values of a row. Differences are signed, `+` included.
fn row_words(slot: Slot, units: Units, kind: RowKind, value: &dyn Fn(Read) -> Option<f64>) -> [String; 5] {
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
