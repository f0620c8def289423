//! The panels below the map: a row of tabs, and the figures and tables of the open panel.

use leptos::html::Section;
use leptos::prelude::*;
use leptos::task::spawn_local;
use trailbrake_shared::plot::panel::{Cell, Choice, Content, PANELS, Row, Table};
use web_sys::HtmlSelectElement;

use super::{CORNERS, PanelContent};
use crate::analyse::{PanelSource, PanelStore, ShownTables, ViewStore};
use crate::browser;
use crate::ui::{Figure, ShownFigure, Tabs};

/// The panel whose figure shows the g at the cursor.
const GRIP: &str = "gg";

/// The tabs of the panels, and a list of all of them: the row of tabs has no room for all.
#[component]
pub(crate) fn PanelTabs() -> impl IntoView {
    let panel = expect_context::<PanelStore>();
    let panels = PANELS.iter().map(|panel| (panel.id, panel.name));
    let tabs: Vec<_> = [(CORNERS, "Corners")].into_iter().chain(panels).collect();
    let selected = Memo::new(move |_| panel.open());
    let option = |(id, name): &(&'static str, &'static str)| view! { <option value=*id>{*name}</option> };
    let options = tabs.iter().map(option).collect_view();
    let choose = move |event: leptos::ev::Event| {
        let list = event_target::<HtmlSelectElement>(&event);
        panel.show(&list.value());
        list.set_value("");
    };
    view! {
        <div class="panel-tabs">
            <Tabs label="Panels" tabs selected on_select=move |id: &'static str| panel.show(id)/>
            <select aria-label="All panels" data-testid="all-panels" on:change=choose>
                <option value="" hidden=true>"More"</option>
                {options}
            </select>
        </div>
    }
}

/// The open panel; empty while the corners are open.
#[component]
pub(crate) fn OpenPanel() -> impl IntoView {
    let (panel, panels, tables) =
        (expect_context::<PanelStore>(), expect_context::<PanelSource>(), expect_context::<ShownTables>());
    let no_corners = Memo::new(move |_| panels.why_no_corners());
    let content = Memo::new(move |_| panels.content());
    let name = Memo::new(move |_| content.with(|content| content.as_ref().map(|content| content.name)));
    let is_empty = move || no_corners.get().is_none() && name.get().is_none();
    let section = NodeRef::<Section>::new();
    Effect::new(move |last: Option<Option<&'static str>>| {
        let name = name.get();
        if let Some(section) = section.get().filter(|_| name.is_some() && last.flatten() != name) {
            spawn_local(async move {
                // The content is rendered by then, so the height is known.
                browser::pause(0).await;
                if let Some(column) = section.parent_element() {
                    browser::scroll_to_show(&column, &section, 0.0);
                }
            });
        }
        name
    });
    on_cleanup(move || panel.figures.set_value(Vec::new()));
    view! {
        <section
            class="open-panel"
            role="tabpanel"
            aria-label=move || name.get().unwrap_or("Corners")
            data-testid="panel"
            hidden=is_empty
            node_ref=section
        >
            {move || no_corners.get().map(|why| view! { <p class="missing">{why}</p> })}
            {move || name.get().map(|name| view! { <PanelHead name content/> })}
            {move || body(panel, panels, tables, content.get())}
        </section>
    }
}

/// The name of the panel, and its choices.
#[component]
fn PanelHead(name: &'static str, content: Memo<Option<PanelContent>>) -> impl IntoView {
    let panel = expect_context::<PanelStore>();
    // A memo of the names only, so that the chooser keeps the focus when another choice is selected.
    let names = Memo::new(move |_| {
        let pair = |choice: &Choice| (choice.id.clone(), choice.name.clone());
        content.with(|content| choices(content).iter().map(pair).collect::<Vec<_>>())
    });
    let chosen = Memo::new(move |_| {
        content.with(|content| {
            choices(content).iter().find(|choice| choice.chosen).map(|choice| choice.id.clone())
        })
    });
    let option = move |(id, name): (String, String)| {
        let value = id.clone();
        let is_chosen = move || chosen.with(|chosen| chosen.as_ref() == Some(&id));
        view! { <option value=value prop:selected=is_chosen>{name}</option> }
    };
    let chooser = move || {
        let names = names.get();
        (names.len() > 1).then(|| {
            view! {
                <select
                    aria-label=format!("Shown in {name}")
                    on:input=move |event| panel.choose(&event_target_value(&event))
                >
                    {names.into_iter().map(option).collect_view()}
                </select>
            }
        })
    };
    view! { <div class="head"><h2>{name}</h2>{chooser}</div> }
}

fn choices(content: &Option<PanelContent>) -> &[Choice] {
    match content {
        Some(PanelContent { content: Ok(content), .. }) => &content.choices,
        _ => &[],
    }
}

/// The figures, tables and notes of a panel.
fn body(
    panel: PanelStore,
    panels: PanelSource,
    shown: ShownTables,
    content: Option<PanelContent>,
) -> AnyView {
    let (id, content) = match content {
        Some(PanelContent { panel: id, content: Ok(content), .. }) => (id, content),
        Some(PanelContent { content: Err(why), .. }) => {
            panel.figures.set_value(Vec::new());
            return view! { <p class="missing">{why}</p> }.into_any();
        }
        None => {
            panel.figures.set_value(Vec::new());
            return ().into_any();
        }
    };
    let Content { figures, tables, notes, .. } = content;
    let figures: Vec<ShownFigure> = figures.into_iter().map(ShownFigure::new).collect();
    panel.figures.set_value(figures.clone());
    let has_titles = figures.len() > 1;
    let figure = |(place, figure): (usize, ShownFigure)| {
        let title = has_titles.then(|| view! { <h3>{figure.figure().title.clone()}</h3> });
        let point = (id == GRIP).then(|| panels.g_at_cursor()).flatten();
        view! { {title} <Figure figure point table=shown.panel testid=format!("figure-{place}")/> }
    };
    view! {
        {figures.into_iter().enumerate().map(figure).collect_view()}
        {tables.into_iter().map(|table| view! { <PanelTable table/> }).collect_view()}
        {notes.into_iter().map(|note| view! { <p class="missing">{note}</p> }).collect_view()}
    }
    .into_any()
}

/// A table of a panel.
#[component]
fn PanelTable(table: Table) -> impl IntoView {
    let Table { title, heads, rows } = table;
    let rows = rows.into_iter().map(|row| table_row(&heads, row)).collect_view();
    view! {
        <table class="telling" aria-label=title>
            <thead>
                <tr>{heads.into_iter().map(|head| view! { <th scope="col">{head}</th> }).collect_view()}</tr>
            </thead>
            <tbody>{rows}</tbody>
        </table>
    }
}

fn table_row(heads: &[String], row: Row) -> impl IntoView + use<> {
    let view = expect_context::<ViewStore>();
    let Row { name, cells, stretch, marked } = row;
    let name = match stretch {
        Some(range) => view! {
            <button type="button" data-testid="range" on:click=move |_| view.show_stretch([range.from_m, range.to_m, range.at_m])>
                {name}
            </button>
        }
        .into_any(),
        None => name.into_any(),
    };
    let cell = |(cell, head): (Cell, &String)| {
        // The columns of the main lap and the reference have their colours.
        let class = ["lap", "reference"].into_iter().find(|lap| head == lap).unwrap_or_default();
        view! { <td class=class>{cell.words()}</td> }
    };
    let cells = cells.into_iter().zip(heads.iter().skip(1)).map(cell).collect_view();
    view! { <tr class:marked=marked><th scope="row">{name}</th>{cells}</tr> }
}
