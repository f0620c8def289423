//! One game of the table: its ports, what arrives, what is wrong, and how to set it up.

use leptos::prelude::*;
use trailbrake_shared::feed::FeedInfo;
use trailbrake_shared::games::{Outlook, TalkStatus};
use trailbrake_shared::number::thousands;
use trailbrake_shared::sim::SPOKEN;

use super::words;
use crate::demo::Wish;
use crate::telemetry::{FeedRow, PortNote, PortWords};
use crate::words::sentence;

/// The game's rows of the table.
#[component]
pub(super) fn FeedConnection(info: &'static FeedInfo, rows: Memo<Vec<FeedRow>>) -> impl IntoView {
    let row = Memo::new(move |_| rows.with(|rows| rows.iter().find(|row| row.feed == info.feed).cloned()));
    let state = of(row, words::state);
    let ports = of(row, |row| row.ports.clone());
    let per_second = of(row, |row| row.per_second);
    let sender = of(row, words::sender);
    let packets = of(row, |row| row.packets);
    let notes = of(row, |row| row.notes.clone());
    let talk = of(row, |row| row.talk.clone());
    let setup = of(row, words::setup);
    let demo = SPOKEN.contains(&info.feed).then(|| Wish::fragment(info.feed));
    view! {
        <tbody data-feed=info.id data-state=move || state.get()>
            <tr>
                <th scope="row"><span class="dot"></span>{info.game}</th>
                <td>{move || port_list(ports.get())}</td>
                <td class="number" class:soft=move || per_second.get() == 0 data-testid="rate">
                    {move || thousands(per_second.get().into())}
                </td>
                <td class:soft=move || sender.with(Option::is_none)>
                    {move || sender.get().unwrap_or_else(|| crate::figures::NONE.to_owned())}
                </td>
                <td class:soft=move || packets.get() == 0 data-testid="recognised">
                    {move || words::recognised(packets.get(), info.codec.is_some())}
                </td>
            </tr>
            <tr class="more">
                <td colspan="5">
                    {move || notes.get().into_iter().map(note).collect_view()}
                    {move || talk.get().map(talk_line)}
                    <p>
                        {move || setup.get()} " "
                        {demo.map(|demo| view! { <a href=demo data-testid="feed-demo">"Demo"</a> })}
                    </p>
                </td>
            </tr>
        </tbody>
    }
}

/// A part of the row that changes by itself.
fn of<T>(row: Memo<Option<FeedRow>>, read: impl Fn(&FeedRow) -> T + Send + Sync + 'static) -> Memo<T>
where
    T: Default + PartialEq + Send + Sync + 'static,
{
    Memo::new(move |_| row.with(|row| row.as_ref().map(&read).unwrap_or_default()))
}

fn port_list(ports: Vec<PortWords>) -> AnyView {
    if ports.is_empty() {
        return view! { <span class="soft">"none to open"</span> }.into_any();
    }
    let port = |port: PortWords| {
        let number = port.port.map(|number| view! { <b>{number}</b> " " });
        view! { <span class="port" class:closed=port.closed>{number}{port.words}</span> }
    };
    ports.into_iter().map(port).collect_view().into_any()
}

fn note(note: PortNote) -> impl IntoView {
    view! { <p class="note" data-testid=note.testid><b>{note.what}</b> " " {note.advice}</p> }
}

/// How a conversation with the game stands.
fn talk_line(talk: TalkStatus) -> impl IntoView {
    let (outlook, class) = match talk.outlook {
        Outlook::Good => ("good", ""),
        Outlook::Waiting => ("waiting", ""),
        Outlook::Trouble => ("trouble", "note"),
    };
    view! { <p class=class data-testid="talk" data-outlook=outlook>{sentence(&talk.words)}</p> }
}
