//! The dialog in which a driver says what the columns of a table are.

use std::rc::Rc;

use leptos::ev::Event;
use leptos::prelude::*;
use trailbrake_shared::import::mapped_table::{MappedColumn, Meaning, TableMapping, TablePreview};
use trailbrake_shared::model::Drawing;
use trailbrake_shared::number::{self, thousands};
use wasm_bindgen::JsValue;

use super::{Dialog, Search};
use crate::browser;
use crate::cockpit::TableQuestions;
use crate::reactive::{LocalMemo, LocalSignal};
use crate::replay::UnknownTable;

/// How many columns are listed at once; the others are found by their names.
const MOST_LISTED: usize = 40;
/// With more columns they can be searched.
const FEW: usize = 12;
/// How many values of a column are shown as they stand in the file.
const VALUES: usize = 2;

/// What the dialog works on. Copies are handles to the same.
#[derive(Clone, Copy)]
struct Choosing {
    table: StoredValue<Rc<UnknownTable>, LocalStorage>,
    mapping: LocalSignal<TableMapping>,
    preview: LocalMemo<TablePreview>,
}

/// The dialog about the table that is asked about.
#[component]
pub(crate) fn TableDialog() -> impl IntoView {
    let questions = TableQuestions::here();
    let question = questions.asked.get_untracked();
    question.map(|question| view! { <Columns table=question.table/> })
}

#[component]
fn Columns(table: Rc<UnknownTable>) -> impl IntoView {
    let questions = TableQuestions::here();
    let table = StoredValue::new_local(table);
    let mapping = RwSignal::new_local(table.with_value(|table| table.mapping.clone()));
    let preview =
        LocalMemo::new(move |_| table.with_value(|table| mapping.with(|mapping| table.preview(mapping))));
    let choosing = Choosing { table, mapping, preview };
    let name = table.with_value(|table| table.file.name());
    let trouble = table.with_value(|table| table.trouble.clone());
    let wanted = RwSignal::new(String::new());
    let names = table.with_value(|table| names(table));
    let is_long = names.len() > FEW;
    let listed = Memo::new(move |_| {
        let search = Search::new(&wanted.get());
        let mut found: Vec<(usize, String)> = names.clone();
        found.retain(|(_, name)| search.finds(name));
        let more = found.len().saturating_sub(MOST_LISTED);
        found.truncate(MOST_LISTED);
        (found, more)
    });
    let columns = move || {
        let (found, _) = listed.get();
        found.into_iter().map(|(place, name)| view! { <Column choosing place name/> }).collect_view()
    };
    let more = move || {
        let (_, more) = listed.get();
        (more > 0).then(|| format!("{} more columns: find them by name.", thousands(more as u64)))
    };
    let laps = move || preview.with(|preview| preview.laps.clone());
    let lacks = move || laps().err().map(|why| format!("{why}."));
    let no_time = move || !mapping.with(TableMapping::has_time);
    let set_rows = move |event: Event| {
        let rows = number::read(&event_target_value(&event)).filter(|rows| *rows > 0.0);
        mapping.update(|mapping| mapping.rows_per_second = rows);
    };
    let rows = move || {
        mapping.with(|mapping| mapping.rows_per_second.map(|rows| rows.to_string()).unwrap_or_default())
    };
    view! {
        <Dialog label="Columns" class="csv-columns" keeps_open=true on_close=Callback::new(move |()| questions.close())>
            <h2>{name.clone()}</h2>
            <p class="soft">"What is in which column? Files with the same columns are read alike from now on."</p>
            {trouble.map(|words| view! { <p class="trouble" role="alert">{words}</p> })}
            {is_long.then(|| view! {
                <input
                    type="search"
                    placeholder="Find a column"
                    aria-label="Find a column"
                    autocomplete="off"
                    on:input=move |event| wanted.set(event_target_value(&event))
                />
            })}
            <div class="found" data-testid="columns">
                {columns}
                <p class="missing">{more}</p>
            </div>
            {move || no_time().then(|| view! {
                <label class="named">
                    "Rows per second"
                    <input inputmode="decimal" data-testid="rows" prop:value=rows on:change=set_rows/>
                </label>
            })}
            <p role="status" data-testid="table-laps">{move || laps().ok()}</p>
            <p class="trouble" data-testid="table-trouble">{lacks}</p>
            <div class="tools">
                <button
                    type="button"
                    class="primary"
                    data-testid="open-table"
                    disabled=move || laps().is_err()
                    on:click=move |_| questions.answer(mapping.get_untracked())
                >
                    "Open"
                </button>
                <button type="button" class="quiet" data-testid="save-mapping" on:click=move |_| save(&name, mapping)>
                    "Save for the command line"
                </button>
            </div>
        </Dialog>
    }
}

/// The places and names of the columns, those that are read first.
fn names(table: &UnknownTable) -> Vec<(usize, String)> {
    let mut names: Vec<(usize, String)> = table.sample.names().iter().cloned().enumerate().collect();
    names.sort_by_key(|(_, name)| table.mapping.column(name).is_none());
    names
}

/// A column: its name and values, what it is, and how it is read.
#[component]
fn Column(choosing: Choosing, place: usize, name: String) -> impl IntoView {
    let Choosing { table, mapping, preview } = choosing;
    let fields: Vec<String> =
        table.with_value(|table| table.sample.fields(place).take(VALUES).map(str::to_owned).collect());
    let name = StoredValue::new(name);
    let named = move || name.get_value();
    let column = LocalMemo::new(move |_| mapping.with(|mapping| mapping.column(&named()).cloned()));
    let is = move || column.with(|column| column.as_ref().map(|column| column.is));
    let set =
        move |column: Option<MappedColumn>| mapping.update(|mapping| mapping.set_column(&named(), column));
    let choose = move |event: Event| {
        let is = Meaning::from_id(&event_target_value(&event));
        set(is.map(|is| {
            // A unit that measures the new channel, too, stays.
            let before = column.get().map(|column| column.unit).unwrap_or_default();
            let units = is.units();
            let unit =
                units.iter().find(|unit| **unit == before).or(units.first()).copied().unwrap_or_default();
            MappedColumn { column: named(), is, unit: unit.to_owned(), opposite: false }
        }));
    };
    let choose_unit = move |event: Event| {
        set(column.get().map(|column| MappedColumn { unit: event_target_value(&event), ..column }))
    };
    let turn = move |event: Event| {
        set(column.get().map(|column| MappedColumn { opposite: event_target_checked(&event), ..column }))
    };
    let offered = move || {
        let mut offered = Meaning::offered();
        offered.extend(is().filter(|own| !offered.contains(own)));
        let option = move |meaning: Meaning| {
            view! { <option value=meaning.id() selected=is() == Some(meaning)>{meaning.label()}</option> }
        };
        offered.into_iter().map(option).collect_view()
    };
    let units = move || {
        let own = column.get()?;
        let units = own.is.units();
        let is_choice = units.len() > 1;
        let option =
            |unit: &'static str| view! { <option value=unit selected=unit == own.unit>{unit}</option> };
        let options = units.into_iter().map(option).collect_view();
        is_choice.then(|| view! {
            <select aria-label=format!("Unit of {}", named()) data-unit=named() on:change=choose_unit>{options}</select>
        })
    };
    let sign = move || {
        let own = column.get()?;
        let Meaning::Channel(slot) = own.is else { return None };
        let signed = slot.channel().drawing() == Drawing::Centred || slot.channel().scope().width() == 3;
        signed.then(|| {
            view! {
                <label class="choice">
                    <input type="checkbox" checked=own.opposite on:change=turn/>
                    "Opposite sign"
                </label>
            }
        })
    };
    let read = move || {
        preview.with(|preview| {
            let values = preview.values.iter().find(|(other, _)| *other == named());
            values.map(|(_, values)| values.join(" · ")).unwrap_or_default()
        })
    };
    view! {
        <div class="csv-column" data-column=named()>
            <span><b>{named()}</b><small>{fields.join(" · ")}</small></span>
            <span>
                <select aria-label=format!("What {} is", named()) data-is=named() on:change=choose>
                    <option value="">"Not read"</option>
                    {offered}
                </select>
                {units}
                {sign}
            </span>
            <span class="csv-read">{read}</span>
        </div>
    }
}

/// Saves the mapping as a file for `trailbrake --map`.
fn save(name: &str, mapping: LocalSignal<TableMapping>) {
    let parts = js_sys::Array::of1(&JsValue::from_str(&mapping.with_untracked(TableMapping::to_json)));
    // Fails only where the browser has no room for a few lines.
    if let Ok(blob) = web_sys::Blob::new_with_str_sequence(&parts) {
        drop(browser::save_file(&format!("{name}.map.json"), &blob));
    }
}
