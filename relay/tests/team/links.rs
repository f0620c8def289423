//! Links to the hub's page: what each opens, and that one that was taken away opens nothing.

use futures_util::StreamExt as _;
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use trailbrake_shared::wire::TeamRig;

use crate::archive::rig;
use crate::client::soon;
use crate::http::{Answer, address, ask};
use crate::program::{Hub, error_of, printed, servers};

/// Makes a link, and returns its secret.
fn link(hub: &Hub, name: &str, opens: &[&str]) -> String {
    let dir = hub.dir();
    let own = ["team", "link", name, &dir, "--page", "https://hub.example/"];
    let url = printed(&[&own, opens].concat());
    let secret = url.strip_prefix("https://hub.example/?token=").expect("a link").trim().to_owned();
    assert_eq!(secret.len(), 32, "{url}");
    secret
}

/// A page of somebody who came by a link.
struct Guest<'a> {
    address: &'a str,
    cookie: String,
}

impl<'a> Guest<'a> {
    fn new(address: &'a str, secret: &str) -> Self {
        let welcome = ask(address, "GET", &format!("/?token={secret}"), "");
        assert_eq!(welcome.status, 200, "{}", welcome.head);
        let (_, cookie) = welcome.head.split_once("set-cookie: ").expect("a cookie");
        Self { address, cookie: cookie.split(';').next().expect("a cookie").to_owned() }
    }

    fn asks(&self, method: &str, path: &str) -> Answer {
        ask(self.address, method, path, &format!("Cookie: {}\r\n", self.cookie))
    }

    fn sees(&self) -> Vec<String> {
        let rigs: Vec<TeamRig> = serde_json::from_slice(&self.asks("GET", "/team/rigs").body).expect("rigs");
        rigs.into_iter().map(|rig| rig.name).collect()
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs nats-server: run cargo xtask test"]
async fn a_link_opens_what_its_role_sees_until_it_is_taken_away() {
    let server = servers().remove(0);
    let mut hub = Hub::new(&[]);
    let anna = rig(&hub, "anna");
    rig(&hub, "bob");
    rig(&hub, "cleo");
    hub.start(&server);
    let mut serving = hub.serve(None);
    let page = &address(&mut serving);
    let running = anna.start();
    assert_eq!(ask(page, "GET", "/team/rigs", "").status, 200, "nobody has a link yet");

    let coach = Guest::new(page, &link(&hub, "Max", &["--rigs", "anna,bob"]));
    let organiser = Guest::new(page, &link(&hub, "Mia Müller", &["--organiser"]));
    let driver = Guest::new(page, &link(&hub, "Bob", &["--driver", "bob"]));
    let listed = "anna\nbob\ncleo\nLink of Max: coach of anna, bob\nLink of Mia Müller: organiser\n\
        Link of Bob: driver of bob\n";
    assert_eq!(printed(&["team", "list", &hub.dir()]), listed);

    // From the first link on nobody enters without one, not even from this machine: a proxy may stand there.
    let refused = |answer: Answer| {
        let body = String::from_utf8(answer.body).expect("text");
        assert_eq!(answer.status, 403, "{body}");
        assert!(body.starts_with("Open the link that you were given"), "{body}");
    };
    for path in
        ["/", "/team/rigs", "/rig/anna/library", "/?token=", "/?token=0123456789abcdef0123456789abcdef"]
    {
        refused(ask(page, "GET", path, ""));
    }
    // A client that guesses slows down no others behind the same proxy.
    (0..20).for_each(|guess| refused(ask(page, "GET", &format!("/?token={guess}"), "")));
    assert_eq!(coach.sees(), ["anna", "bob"]);
    assert_eq!(organiser.sees(), ["anna", "bob", "cleo"]);
    assert_eq!(driver.sees(), ["bob"]);

    for (guest, method, path, status, words) in [
        (&coach, "GET", "/rig/anna/library", 200, ""),
        (&coach, "GET", "/rig/cleo/library", 404, "no such rig"),
        (&coach, "GET", "/rig/cleo/live", 404, "no such rig"),
        (&organiser, "GET", "/rig/cleo/library", 200, ""),
        (&driver, "GET", "/rig/bob/library", 200, ""),
        (&driver, "GET", "/rig/anna/library", 404, "no such rig"),
        (&driver, "GET", "/", 200, ""),
        (&driver, "POST", "/rig/bob/room/writing", 403, "read-only"),
        (&driver, "PATCH", "/rig/bob/library/0123456789abcdef0123456789abcdef", 403, "read-only"),
        (&driver, "POST", "/rig/bob/library/bests", 400, ""),
        (&coach, "POST", "/rig/bob/room/writing", 200, ""),
        (&coach, "DELETE", "/rig/bob/room/writing", 200, ""),
        (&coach, "PATCH", "/rig/bob/library/0123456789abcdef0123456789abcdef", 400, "not understood"),
    ] {
        let answer = guest.asks(method, path);
        let body = String::from_utf8_lossy(&answer.body).into_owned();
        assert_eq!(answer.status, status, "{method} {path}: {body}");
        assert!(body.contains(words), "{method} {path}: {body}");
    }

    // Any name that leads here will do, encrypted by a proxy or not; a page from elsewhere will not.
    for (host, origin, status) in [
        ("hub.example", "https://hub.example", 200),
        ("hub.example:8777", "http://hub.example:8777", 200),
        ("hub.example", "https://evil.example", 403),
        ("hub.example; script-src *", "https://hub.example; script-src *", 403),
    ] {
        let more = format!("Origin: {origin}\r\nCookie: {}\r\n", coach.cookie);
        let answer = crate::http::ask_as(page, host, "GET", "/team/rigs", &more);
        assert_eq!(answer.status, status, "{host} {origin}: {}", answer.head);
        let sockets = format!("ws://{host} wss://{host};");
        assert!(status != 200 || answer.head.contains(&sockets), "{}", answer.head);
    }

    // Removing a link closes the pages that it opened.
    let connect = async || {
        let mut request = format!("ws://{page}/rig/anna/live").into_client_request().expect("a request");
        request.headers_mut().insert("Cookie", coach.cookie.parse().expect("a cookie"));
        connect_async(request).await
    };
    let (mut socket, _) = soon("a connection", connect()).await.expect("a connection");
    soon("a message", socket.next()).await.expect("a message").expect("a message");
    assert_eq!(printed(&["team", "unlink", "Max", &hub.dir()]), "");
    soon("the end", async { while matches!(socket.next().await, Some(Ok(_))) {} }).await;
    let (mut socket, _) = soon("a connection", connect()).await.expect("a connection");
    match soon("the reason", socket.next()).await {
        Some(Ok(Message::Close(Some(frame)))) => {
            assert!(frame.reason.starts_with("your link is not valid any more"), "{frame:?}");
        }
        other => panic!("it opens something: {other:?}"),
    }
    refused(coach.asks("GET", "/"));
    assert_eq!(organiser.sees(), ["anna", "bob", "cleo"], "the others stay");

    let file = hub.text("hub.toml");
    for guest in [&organiser, &driver] {
        let (_, secret) = guest.cookie.split_once('=').expect("a secret");
        assert!(!file.contains(secret), "the file holds no secrets");
    }
    running.stop();
    serving.stop();
}

#[test]
fn what_is_wrong_with_a_link_is_said() {
    let hub = Hub::new(&[]);
    let dir = &hub.dir();
    printed(&["team", "add", "anna", dir]);
    link(&hub, "Max", &["--driver", "anna"]);
    for (arguments, words) in [
        (&["link", "Max", dir, "--organiser"][..], "Max has a link already"),
        (&["link", "Mia", dir, "--rigs", "anna,bob"], "bob is not in the team"),
        (&["link", "Mia", dir, "--rigs", "../x"], "can't be part of a rig's name"),
        (&["link", "Mia", dir], "--organiser|--rigs <A,B,C>|--driver <RIG>"),
        (&["link", "Mia", dir, "--organiser", "--driver", "anna"], "cannot be used with"),
        (&["link", " ", dir, "--organiser"], "say whose link it is"),
        (&["unlink", "Mia", dir], "Mia has no link"),
    ] {
        let error = error_of(&[&["team"], arguments].concat());
        assert!(error.contains(words), "{arguments:?}: {error}");
    }
}
