//! The dialogs of commands: a confirmation for those that do harm, and forms for those with values.

use leptos::ev::SubmitEvent;
use leptos::html::{Input, Select};
use leptos::prelude::*;
use trailbrake_shared::games::ServerCommand;
use trailbrake_shared::model::SessionKind;

use super::actions::{ActionContext, CommandDialog};
use crate::cockpit::TelemetryStore;
use crate::telemetry::Telemetry;
use crate::ui::Dialog;

/// The kinds of sessions that can be chosen, each with the server's number for it.
const KINDS: [(u8, &str); 3] = [(1, "Practice"), (2, "Qualifying"), (3, "Race")];

/// The open dialog of a command, if there is one.
#[component]
pub(super) fn CommandDialogs() -> impl IntoView {
    let context = ActionContext::here();
    move || {
        context.command_dialog.get().map(|dialog| match dialog {
            CommandDialog::Confirm { question, button, command } => {
                view! { <Confirmation question button command/> }.into_any()
            }
            CommandDialog::ChangeSession => view! { <SessionForm/> }.into_any(),
            CommandDialog::Admin => view! { <AdminForm/> }.into_any(),
            CommandDialog::Interval => view! { <IntervalForm/> }.into_any(),
        })
    }
}

/// Asks before a command that does harm.
#[component]
fn Confirmation(question: String, button: &'static str, command: ServerCommand) -> impl IntoView {
    let context = ActionContext::here();
    let on_close = Callback::new(move |()| context.command_dialog.set(None));
    let confirm = move |_| {
        on_close.run(());
        context.send(command.clone());
    };
    view! {
        <Dialog label="Confirm" on_close>
            <p data-figure="question">{question}</p>
            <p class="actions">
                <button type="button" class="primary" data-testid="confirm" on:click=confirm>{button}</button>
            </p>
        </Dialog>
    }
}

/// The form for the new values of a session. Kind and laps begin with those of the current session.
#[component]
fn SessionForm() -> impl IntoView {
    let context = ActionContext::here();
    let on_close = Callback::new(move |()| context.command_dialog.set(None));
    let (kind, laps) = TelemetryStore::here().look(current);
    let (index, name, minutes, laps_field, wait) =
        (NodeRef::new(), NodeRef::new(), NodeRef::new(), NodeRef::new(), NodeRef::new());
    let kind_field = NodeRef::<Select>::new();
    let kind_name = KINDS.iter().find(|(number, _)| *number == kind).map_or("Race", |(_, name)| *name);
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        let number = |field: NodeRef<Input>| text(field).parse::<u32>().unwrap_or_default();
        let chosen = kind_field.get_untracked().and_then(|field| field.value().parse().ok());
        let command = ServerCommand::SetSession {
            index: u8::try_from(number(index).saturating_sub(1)).unwrap_or(u8::MAX),
            name: text(name),
            kind: chosen.unwrap_or(kind),
            laps: number(laps_field),
            seconds: number(minutes).saturating_mul(60),
            wait_seconds: number(wait),
        };
        let question = "Change this session on the server?".to_owned();
        let confirm = CommandDialog::Confirm { question, button: "Change the session", command };
        context.command_dialog.set(Some(confirm));
    };
    let option = move |(number, name): &(u8, &'static str)| {
        view! { <option value=number.to_string() selected=*number == kind>{*name}</option> }
    };
    view! {
        <Dialog label="Change a session" keeps_open=true on_close>
            <h2>"Change a session"</h2>
            <form class="fields" on:submit=submit>
                <NumberField label="Number in the server's list, from 1" id="session-number" value=1 least=1 most=250 field=index/>
                <label class="named">
                    "Name"
                    <input type="text" required maxlength="255" value=kind_name data-testid="session-name" node_ref=name/>
                </label>
                <label class="named">
                    "Kind"
                    <select data-testid="session-kind" node_ref=kind_field>{KINDS.iter().map(option).collect_view()}</select>
                </label>
                <NumberField label="Laps of a race; 0 where it is timed" id="session-laps" value=laps least=0 most=9999 field=laps_field/>
                <NumberField label="Minutes; 0 where laps count" id="session-minutes" value=20 least=0 most=1440 field=minutes/>
                <NumberField label="Seconds of waiting before it" id="session-wait" value=60 least=0 most=3600 field=wait/>
                <p class="actions"><button type="submit" class="primary" data-testid="submit">"Change the session"</button></p>
            </form>
        </Dialog>
    }
}

/// The server's number for the kind of the current session, and the number of its laps; a race if it is unknown.
fn current(telemetry: &Telemetry) -> (u8, u32) {
    let info = telemetry.server().and_then(|session| session.info());
    let kind = info.map_or(3, |info| match info.kind {
        SessionKind::Practice(_) | SessionKind::ShortPractice => 1,
        SessionKind::Qualifying(_) | SessionKind::ShortQualifying => 2,
        _ => 3,
    });
    (kind, info.and_then(|info| info.total_laps).map_or(0, u32::from))
}

/// The form for an administrator's command, as it is typed into the game's chat.
#[component]
fn AdminForm() -> impl IntoView {
    let context = ActionContext::here();
    let on_close = Callback::new(move |()| context.command_dialog.set(None));
    let field = NodeRef::<Input>::new();
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        let words = text(field);
        let question = format!("Send {words} to the server?");
        let command = ServerCommand::Admin { text: words };
        let confirm = CommandDialog::Confirm { question, button: "Send", command };
        context.command_dialog.set(Some(confirm));
    };
    view! {
        <Dialog label="Administrator's command" keeps_open=true on_close>
            <h2>"Administrator's command"</h2>
            <form class="fields" on:submit=submit>
                <label class="named">
                    "As in the game's chat, such as /ballast 3 40"
                    <input type="text" required maxlength="255" value="/" autofocus data-testid="admin-text" node_ref=field/>
                </label>
                <p class="actions"><button type="submit" class="primary" data-testid="submit">"Send"</button></p>
            </form>
        </Dialog>
    }
}

/// The form for the interval at which the server sends positions.
#[component]
fn IntervalForm() -> impl IntoView {
    let context = ActionContext::here();
    let on_close = Callback::new(move |()| context.command_dialog.set(None));
    let field = NodeRef::<Input>::new();
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        on_close.run(());
        context.send(ServerCommand::Interval { millis: text(field).parse().unwrap_or_default() });
    };
    view! {
        <Dialog label="Interval of positions" keeps_open=true on_close>
            <h2>"Interval of positions"</h2>
            <form class="fields" on:submit=submit>
                <NumberField label="Milliseconds between positions" id="interval-ms" value=100 least=50 most=10_000 field/>
                <p class="actions"><button type="submit" class="primary" data-testid="submit">"Set the interval"</button></p>
            </form>
        </Dialog>
    }
}

/// A field for a whole number.
#[component]
fn NumberField(
    label: &'static str,
    id: &'static str,
    value: u32,
    least: u32,
    most: u32,
    field: NodeRef<Input>,
) -> impl IntoView {
    view! {
        <label class="named">
            {label}
            <input
                type="number"
                required
                min=least.to_string()
                max=most.to_string()
                value=value.to_string()
                data-testid=id
                node_ref=field
            />
        </label>
    }
}

/// The text in a field.
fn text(field: NodeRef<Input>) -> String {
    field.get_untracked().map(|field| field.value()).unwrap_or_default()
}
