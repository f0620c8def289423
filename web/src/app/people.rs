//! The People dialog: who else has a page of this relay open, and what the relay's owner allows them.

use leptos::prelude::*;
use leptos::task::spawn_local;
use trailbrake_shared::number::count;
use trailbrake_shared::wire::Member;

use crate::cockpit::TelemetryStore;
use crate::http;
use crate::room::{Members, Room, page_label};
use crate::ui::Dialog;

/// Another page's row in the list.
#[derive(Clone, Debug, PartialEq)]
struct Person {
    title: String,
    /// The device, the page that it shows, and whom it follows.
    about: String,
    /// Whether this page may follow it: not if that would close a circle.
    can_be_followed: bool,
    is_followed: bool,
}

/// The button in the header, while somebody else is in the room.
#[component]
pub(super) fn PeopleButton() -> impl IntoView {
    let room = Room::here();
    let is_open = RwSignal::new(false);
    let others = Memo::new(move |_| room.members.with(|members| members.others().count()));
    let label = move || format!("People: {}", others.get() + 1);
    let on_close = Callback::new(move |()| is_open.set(false));
    view! {
        <Show when=move || others.get() != 0>
            <button
                type="button"
                class="people"
                aria-label=label
                title=label
                data-testid="people"
                on:click=move |_| is_open.set(true)
            >
                <svg viewBox="0 0 16 16" aria-hidden="true">
                    <circle cx="6" cy="5.500" r="2.500"/>
                    <path d="M1.500 13.500a4.500 4.500 0 0 1 9 0M10.500 3.300a2.500 2.500 0 0 1 0 4.400M12 9.600a4.500 4.500 0 0 1 2.500 3.900"/>
                </svg>
                <span>{move || others.get() + 1}</span>
            </button>
        </Show>
        <Show when=move || is_open.get()>
            <PeopleDialog on_close/>
        </Show>
    }
    .into_any()
}

#[component]
fn PeopleDialog(on_close: Callback<()>) -> impl IntoView {
    let (telemetry, room) = (TelemetryStore::here(), Room::here());
    let ids = Memo::new(move |_| {
        room.members.with(|members| members.others().map(|member| member.id).collect::<Vec<u32>>())
    });
    let is_owner = Memo::new(move |_| room.members.with(Members::is_owner));
    let rules = Memo::new(move |_| room.members.with(Members::rules));
    let own = move || if is_owner.get() { "You · this is Trailbrake's own computer" } else { "You" };
    let cut_off =
        move || (is_owner.get() && rules.get().cut_off != 0).then(|| cut_off_words(rules.get().cut_off));
    view! {
        <Dialog label="People" on_close>
            <h2>"People"</h2>
            <ul class="people-list" data-testid="people-list">
                <li>{own}</li>
                <For each=move || ids.get() key=Clone::clone let:id>
                    <PersonRow id on_close/>
                </For>
            </ul>
            <label class="choice">
                <input
                    type="checkbox"
                    data-testid="show-cursors"
                    prop:checked=move || room.shows_cursors.get()
                    on:change=move |event| room.shows_cursors.set(event_target_checked(&event))
                />
                "Show their cursors"
            </label>
            <Show when=move || is_owner.get()>
                <label class="choice">
                    <input
                        type="checkbox"
                        data-testid="tablets-may-write"
                        prop:checked=move || rules.get().tablets_may_write
                        on:change=move |event| let_tablets_write(telemetry, event_target_checked(&event))
                    />
                    "Tablets may change recordings, notes and tasks, and command a server"
                </label>
            </Show>
            {move || room.read_only().map(|why| view! { <p class="soft">{why}</p> })}
            {move || cut_off().map(|words| view! { <p class="soft" data-figure="cut-off">{words}</p> })}
        </Dialog>
    }
    .into_any()
}

#[component]
fn PersonRow(id: u32, on_close: Callback<()>) -> impl IntoView {
    let room = Room::here();
    let person = Memo::new(move |_| {
        let followed = room.following.with(|following| following.as_ref().map(|following| following.id()));
        room.members.with(|members| person(members, id, followed))
    });
    let is = move |get: fn(&Person) -> bool| person.with(|person| person.as_ref().is_some_and(get));
    let words = move |get: fn(&Person) -> &String| {
        move || person.with(|person| person.as_ref().map(|person| get(person).clone()))
    };
    let press = move |_| {
        if is(|person| person.is_followed) {
            room.stop_following();
        } else if is(|person| person.can_be_followed) {
            room.follow(id);
            on_close.run(());
        }
    };
    let reason = move || (!is(|person| person.can_be_followed)).then_some("They follow you");
    view! {
        <li data-testid="person">
            <span>
                <b>{words(|person| &person.title)}</b>
                <small class="soft">{words(|person| &person.about)}</small>
            </span>
            <button
                type="button"
                class="button plain"
                title=reason
                aria-disabled=move || reason().map(|_| "true")
                data-testid="follow"
                on:click=press
            >
                {move || if is(|person| person.is_followed) { "Stop" } else { "Follow" }}
            </button>
        </li>
    }
}

fn person(members: &Members, id: u32, followed: Option<u32>) -> Option<Person> {
    let member = members.get(id)?;
    let can_be_followed = members.can_follow(id);
    let leader = member.presence.following.and_then(|leader| members.get(leader)).map(Member::title);
    let follows = match leader {
        Some(leader) => format!("follows {leader}"),
        None if !can_be_followed => "follows you".to_owned(),
        None => String::new(),
    };
    let device = if member.presence.name.is_empty() { String::new() } else { member.device() };
    let about = [device, page_label(&member.presence.view).to_owned(), follows];
    Some(Person {
        title: member.title(),
        about: about.into_iter().filter(|words| !words.is_empty()).collect::<Vec<_>>().join(" · "),
        can_be_followed,
        is_followed: followed == Some(id),
    })
}

fn cut_off_words(pages: u32) -> String {
    format!("{} cut off for sending too much.", count(pages as usize, "page was", "pages were"))
}

/// Allows tablets to write, or forbids it. The room then sends the new rules to every page, including this one.
fn let_tablets_write(telemetry: TelemetryStore, may_write: bool) {
    spawn_local(async move {
        let method = if may_write { "POST" } else { "DELETE" };
        if let Err(failed) = http::ask(method, "/room/writing", None).await {
            telemetry.complain(failed.words());
        }
    });
}
