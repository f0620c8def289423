//! Live coaching through the hub: the pages there and those of the rig itself are in one room.

use futures_util::{SinkExt as _, StreamExt as _};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};
use trailbrake_shared::wire::{self, FromRoom, Member, PageKind, Presence, ToRoom};

use crate::archive::rig;
use crate::client::soon;
use crate::http::address;
use crate::program::{Hub, servers};

/// A page in a room.
struct Page {
    socket: WebSocketStream<MaybeTlsStream<tokio::net::TcpStream>>,
    own: u32,
}

impl Page {
    async fn open(url: String, name: &str, view: &str) -> Self {
        let socket = soon("a connection", connect_async(url)).await.expect("a connection").0;
        let mut page = Self { socket, own: 0 };
        page.own = page
            .finds(|news| match news {
                FromRoom::Welcome { own, .. } => Some(own),
                _ => None,
            })
            .await;
        page.shows(name, view, None).await;
        page
    }

    async fn send(&mut self, message: ToRoom) {
        let bytes = wire::encode(&message).expect("a message");
        self.socket.send(Message::Binary(bytes.into())).await.expect("sent");
    }

    async fn shows(&mut self, name: &str, view: &str, following: Option<u32>) {
        let (name, view) = (name.to_owned(), view.to_owned());
        self.send(ToRoom::Present(Presence { name, view, following })).await;
    }

    /// Waits for a message that a function takes.
    async fn finds<T>(&mut self, mut take: impl FnMut(FromRoom) -> Option<T>) -> T {
        soon("a message of the room", async {
            loop {
                let message = self.socket.next().await.expect("a message").expect("a message");
                if let Message::Binary(bytes) = message
                    && let Some(found) = take(wire::decode_owned(&bytes).expect("a message"))
                {
                    return found;
                }
            }
        })
        .await
    }

    /// Waits until a page is as a function wants it.
    async fn sees(&mut self, is_so: impl Fn(&Member) -> bool) -> Member {
        let wanted = |news| match news {
            FromRoom::Member(member) => Some(member).filter(&is_so),
            _ => None,
        };
        self.finds(wanted).await
    }

    async fn misses(&mut self, id: u32) {
        self.finds(|news| (news == FromRoom::Left(id)).then_some(())).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs nats-server: run cargo xtask test"]
async fn a_coach_at_the_hub_and_the_driver_at_the_rig_see_what_the_other_shows() {
    let server = servers().remove(0);
    let mut hub = Hub::new(&[]);
    let [anna, bob] = ["anna", "bob"].map(|name| rig(&hub, name));
    hub.start(&server);
    let mut serving = hub.serve(None);
    let [mut running, mut other] = [&anna, &bob].map(|rig| rig.start_idle());
    let page = address(&mut serving);
    running.says("connected as anna");
    other.says("connected as bob");

    let mut driver = Page::open(format!("ws://{}/room", address(&mut running)), "", "#/live").await;
    let mut coach = Page::open(format!("ws://{page}/rig/anna/room"), "Max", "#/analyse?recording=0a").await;
    let seen = driver.sees(|member| member.presence.name == "Max").await;
    assert_eq!((seen.kind, seen.presence.view.as_str()), (PageKind::Hub, "#/analyse?recording=0a"));
    let driving = coach.sees(|member| member.kind == PageKind::Own).await;
    assert_eq!((driving.title().as_str(), driving.presence.view.as_str()), ("Driver's PC", "#/live"));

    // The driver follows the coach, and sees the cursor.
    driver.shows("", "#/live", Some(seen.id)).await;
    let follower = coach.sees(|member| member.presence.following.is_some()).await;
    assert_eq!((follower.id, follower.presence.following), (driving.id, Some(coach.own)));
    coach.send(ToRoom::Cursor(Some(812.0))).await;
    driver.finds(|news| (news == FromRoom::Cursor { of: seen.id, at_m: Some(812.0) }).then_some(())).await;

    // Who leaves is gone at the other end; another rig's pages were never there.
    let mut elsewhere = Page::open(format!("ws://{page}/rig/bob/room"), "Mia", "#/live").await;
    let mut bobs = Page::open(format!("ws://{}/room", address(&mut other)), "", "#/settings").await;
    bobs.sees(|member| member.presence.name == "Mia").await;
    elsewhere.sees(|member| member.presence.view == "#/settings").await;
    drop(coach);
    driver.misses(seen.id).await;
    let mut again = Page::open(format!("ws://{page}/rig/anna/room"), "Max", "#/live").await;
    driver.sees(|member| member.presence.name == "Max" && member.id != seen.id).await;
    let driving = again.sees(|member| member.kind == PageKind::Own).await;
    // A rig that is ended leaves with its pages.
    running.signal("KILL");
    again.misses(driving.id).await;
    drop(running);
}
