//! The room: who is there, what each page shows, who may write, and what is announced.

use std::net::SocketAddr;

use futures_util::{SinkExt, StreamExt};
use serde_json::json;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};
use trailbrake_shared::games::ServerCommand;
use trailbrake_shared::wire::{
    self, FromRoom, LONGEST_NAME, LONGEST_VIEW, Member, PageKind, Presence, RoomRules, ToRoom,
};

use crate::library::{path, put, recording};
use crate::recorded::BEGAN;
use crate::recording::recording_into;
use crate::running::{Answer, Browser, Running, ask, ask_raw, live_request, send, soon};
use crate::server::{answer, order};

/// A page's end of its WebSocket to the room.
pub(crate) struct Page {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    own: u32,
    is_owner: bool,
}

/// Why the relay ended a connection.
#[derive(Debug)]
pub(crate) struct Closed(u16, String);

impl Page {
    pub(crate) async fn open(address: SocketAddr, cookie: Option<&str>) -> Self {
        let mut request = format!("ws://{address}/room").into_client_request().expect("a request");
        let headers = request.headers_mut();
        headers.insert("origin", format!("http://{address}").parse().expect("an origin"));
        if let Some(cookie) = cookie {
            headers.insert("cookie", cookie.parse().expect("a cookie"));
        }
        let (socket, _) = soon(tokio_tungstenite::connect_async(request)).await.expect("a connection");
        let mut page = Self { socket, own: 0, is_owner: false };
        match page.next().await {
            Ok(FromRoom::Welcome { own, is_owner }) => Self { own, is_owner, ..page },
            other => panic!("{other:?}"),
        }
    }

    /// The page that is on the relay's machine.
    async fn of_owner(relay: &Running) -> Self {
        Self::open(relay.report.http, None).await
    }

    async fn send(&mut self, message: &ToRoom) {
        let bytes = wire::encode(message).expect("a message");
        self.socket.send(Message::Binary(bytes.into())).await.expect("sent");
    }

    async fn show(&mut self, name: &str, view: &str) {
        let presence = Presence { name: name.to_owned(), view: view.to_owned(), following: None };
        self.send(&ToRoom::Present(presence)).await;
    }

    /// The next message that is no beat, or why the connection ended.
    async fn next(&mut self) -> Result<FromRoom, Closed> {
        soon(self.read()).await
    }

    async fn read(&mut self) -> Result<FromRoom, Closed> {
        loop {
            match self.socket.next().await {
                Some(Ok(Message::Binary(bytes))) => match wire::decode_owned(&bytes).expect("a message") {
                    FromRoom::Beat => {}
                    message => return Ok(message),
                },
                Some(Ok(Message::Close(Some(frame)))) => {
                    return Err(Closed(frame.code.into(), frame.reason.to_string()));
                }
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                other => panic!("the relay sent {other:?}"),
            }
        }
    }

    /// Waits until the relay ends the connection.
    pub(crate) async fn closed(&mut self) -> Closed {
        soon(async {
            loop {
                if let Err(closed) = self.read().await {
                    return closed;
                }
            }
        })
        .await
    }

    async fn message(&mut self) -> FromRoom {
        self.next().await.expect("the page is in the room")
    }

    async fn member(&mut self) -> Member {
        match self.message().await {
            FromRoom::Member(member) => member,
            other => panic!("{other:?}"),
        }
    }

    /// The next rules, past everything else.
    async fn rules(&mut self) -> RoomRules {
        soon(async {
            loop {
                if let FromRoom::Rules(rules) = self.message().await {
                    return rules;
                }
            }
        })
        .await
    }
}

/// The address for tablets, and the cookie that a tablet gets by the link.
pub(crate) async fn tablet_access(relay: &Running) -> (SocketAddr, String) {
    let link = &relay.report.tablets[0];
    let welcome = ask(link.address, "GET", &format!("/?token={}", link.token), &[]).await;
    let cookie = welcome.header("set-cookie").expect("a cookie");
    (link.address, cookie.split(';').next().expect("a value").to_owned())
}

/// A change from a tablet's page.
pub(crate) async fn send_from_tablet(
    address: SocketAddr,
    cookie: &str,
    method: &str,
    path: &str,
    body: &[u8],
) -> Answer {
    let head = format!(
        "{method} {path} HTTP/1.1\r\nconnection: close\r\nhost: {address}\r\norigin: http://{address}\r\n\
         x-trailbrake: page\r\ncookie: {cookie}\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    let mut request = head.into_bytes();
    request.extend(body);
    ask_raw(address, &request).await
}

#[tokio::test]
async fn pages_see_each_other_come_look_and_leave() {
    let relay = Running::open_to_tablets();
    let (address, cookie) = tablet_access(&relay).await;
    let mut driver = Page::of_owner(&relay).await;
    assert!(driver.is_owner);
    assert_eq!(driver.rules().await, RoomRules::default());
    driver.show("", "#/live").await;
    let mut coach = Page::open(address, Some(&cookie)).await;
    assert!(!coach.is_owner, "a tablet is not the owner, not even one on this machine");
    coach.rules().await;
    let member = coach.member().await;
    assert_eq!((member.id, member.title().as_str()), (driver.own, "Driver's PC"));
    assert_eq!(member.presence.view, "#/live");

    coach.show("Anna", "#/analyse?recording=0a&lap=0.1.2").await;
    let member = driver.member().await;
    assert_eq!((member.id, member.title().as_str(), member.kind), (coach.own, "Anna", PageKind::Tablet));
    assert_eq!(member.presence.view, "#/analyse?recording=0a&lap=0.1.2");
    coach.send(&ToRoom::Cursor(Some(812.5))).await;
    assert_eq!(driver.message().await, FromRoom::Cursor { of: coach.own, at_m: Some(812.5) });
    coach.send(&ToRoom::Cursor(Some(f64::NAN))).await;
    assert_eq!(driver.message().await, FromRoom::Cursor { of: coach.own, at_m: None });

    // The second tablet finds both as they are now.
    let mut second = Page::open(address, Some(&cookie)).await;
    second.rules().await;
    let mut titles = [second.member().await.title(), second.member().await.title()];
    titles.sort();
    assert_eq!(titles, ["Anna", "Driver's PC"]);
    second.show("", "#/library").await;
    assert_eq!(driver.member().await.title(), "Tablet 2");
    let left = coach.own;
    drop(coach);
    assert_eq!(driver.message().await, FromRoom::Left(left));
    relay.stop().await;
}

#[tokio::test]
async fn without_the_link_nobody_enters_the_room() {
    let relay = Running::open_to_tablets();
    let (address, _) = tablet_access(&relay).await;
    assert_eq!(ask(address, "GET", "/room", &[]).await.status, 403);
    let foreign = [("origin", "http://evil.example")];
    assert_eq!(ask(relay.report.http, "GET", "/room", &foreign).await.status, 403);
    relay.stop().await;
}

#[tokio::test]
async fn hostile_names_and_views_are_harmless() {
    let relay = Running::usual();
    let mut driver = Page::of_owner(&relay).await;
    driver.rules().await;
    let mut other = Page::of_owner(&relay).await;
    let long = "x".repeat(500);
    let far = format!("#/{}", "x".repeat(LONGEST_VIEW));
    for (name, view, clean_name, clean_view) in [
        ("<b>Anna</b>", "#/live", "<b>Anna</b>", "#/live"),
        ("Anna\u{202e}\u{0}\nBob", "javascript:alert(1)", "Anna Bob", ""),
        (long.as_str(), far.as_str(), &long[..LONGEST_NAME], ""),
        ("\u{200b}\u{200b}", "#/live?x=\u{e9}", "", ""),
    ] {
        other.show(name, view).await;
        let presence = driver.member().await.presence;
        assert_eq!((presence.name.as_str(), presence.view.as_str()), (clean_name, clean_view), "{name:?}");
    }
    relay.stop().await;
}

#[tokio::test]
async fn a_page_that_floods_the_room_is_cut_off_and_counted() {
    let relay = Running::usual();
    let mut driver = Page::of_owner(&relay).await;
    driver.rules().await;
    let mut flood = Page::of_owner(&relay).await;
    flood.rules().await;
    for place in 0..1_000 {
        let message = wire::encode(&ToRoom::Cursor(Some(f64::from(place)))).expect("a message");
        // The relay hangs up while the page still sends.
        if flood.socket.send(Message::Binary(message.into())).await.is_err() {
            break;
        }
    }
    assert_eq!(driver.rules().await.cut_off, 1);

    let mut large = Page::of_owner(&relay).await;
    large.rules().await;
    large.show(&"x".repeat(5_000), "#/live").await;
    let Err(Closed(code, reason)) = large.next().await else { panic!("it is still in the room") };
    assert_eq!(code, 1008, "{reason}");
    assert!(reason.contains("over the room's limit"), "{reason}");
    assert_eq!(driver.rules().await.cut_off, 2);

    let mut nonsense = Page::of_owner(&relay).await;
    nonsense.rules().await;
    nonsense.socket.send(Message::Binary(vec![wire::VERSION, 250, 1, 2].into())).await.expect("sent");
    assert!(nonsense.next().await.is_err());
    assert_eq!(driver.rules().await.cut_off, 3);
    driver.show("", "#/live").await;
    let mut late = Page::of_owner(&relay).await;
    assert_eq!(late.rules().await.cut_off, 3);
    assert_eq!(late.member().await.title(), "Driver's PC", "the others go on");
    relay.stop().await;
}

#[tokio::test]
async fn tablets_change_recordings_and_notes_only_while_the_owner_allows_it() {
    let folder = tempfile::tempdir().expect("a folder");
    put(folder.path(), "one", &recording(1, 3.0));
    let relay = recording_into(folder.path(), &["--lan", "--lan-address=127.0.0.1"]);
    let own = relay.report.http;
    let (address, cookie) = tablet_access(&relay).await;
    let mut tablet = Page::open(address, Some(&cookie)).await;
    assert!(!tablet.rules().await.tablets_may_write);
    let note = |text: &str| {
        json!({ "at": BEGAN.plus_seconds(2.0), "author": "Ann", "text": text }).to_string().into_bytes()
    };
    let notes = path(1, "/notes");

    let refused = send_from_tablet(address, &cookie, "POST", &notes, &note("late")).await;
    assert_eq!(refused.status, 403, "{}", refused.text());
    assert!(refused.text().contains("may change recordings"), "{}", refused.text());
    let allowed: RoomRules = send(own, "POST", "/room/writing", b"").await.json();
    assert!(allowed.tablets_may_write);
    assert!(tablet.rules().await.tablets_may_write, "the tablet learns of it at once");
    let written = send_from_tablet(address, &cookie, "POST", &notes, &note("late")).await;
    assert_eq!(written.status, 200, "{}", written.text());

    assert_eq!(send(own, "DELETE", "/room/writing", b"").await.status, 200);
    assert!(!tablet.rules().await.tablets_may_write);
    assert_eq!(send_from_tablet(address, &cookie, "POST", &notes, &note("early")).await.status, 403);
    relay.stop().await;
}

#[tokio::test]
async fn tablets_command_a_server_only_while_the_owner_allows_it() {
    let relay = Running::open_to_tablets();
    let (address, cookie) = tablet_access(&relay).await;
    let mut request = live_request(address);
    request.headers_mut().insert("cookie", cookie.parse().expect("a value"));
    let mut tablet = Browser::open(request).await;
    let mut owner = relay.browser().await;
    // This relay knows no server; whether a command is looked at shows in the answer.
    for (allows, words) in
        [(false, "tablets may not"), (true, "start Trailbrake with"), (false, "tablets may not")]
    {
        let method = if allows { "POST" } else { "DELETE" };
        assert_eq!(send(relay.report.http, method, "/room/writing", b"").await.status, 200);
        for (browser, words) in [(&mut tablet, words), (&mut owner, "start Trailbrake with")] {
            order(browser, 7, ServerCommand::CarInfo { slot: 1 }).await;
            let (id, outcome) = answer(browser).await;
            let why = outcome.expect_err("there is no server");
            assert!(id == 7 && why.contains(words), "{why}");
        }
    }
    relay.stop().await;
}

#[tokio::test]
async fn every_page_learns_that_notes_were_written() {
    let folder = tempfile::tempdir().expect("a folder");
    put(folder.path(), "one", &recording(1, 3.0));
    let relay = recording_into(folder.path(), &[]);
    let mut page = Page::of_owner(&relay).await;
    page.rules().await;
    let note = |author: &str| {
        json!({ "at": BEGAN.plus_seconds(2.0), "author": author, "text": "late" }).to_string().into_bytes()
    };
    // A refused note is not announced.
    assert_eq!(send(relay.report.http, "POST", &path(1, "/notes"), &note("")).await.status, 400);
    let written = send(relay.report.http, "POST", &path(1, "/notes"), &note("Ann")).await;
    assert_eq!(written.status, 200, "{}", written.text());
    assert_eq!(page.message().await, FromRoom::Written(format!("{:032x}", 1)));
    relay.stop().await;
}
