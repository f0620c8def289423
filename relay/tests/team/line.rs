//! What the pages of a rig say of its team.

use std::net::TcpStream;

use tokio_tungstenite::tungstenite::stream::MaybeTlsStream;
use tokio_tungstenite::tungstenite::{Message, WebSocket, connect};
use trailbrake_shared::wire::{self, TeamLink, TeamStatus, ToBrowser};

use crate::archive::rig;
use crate::program::{Hub, PATIENCE, Running, printed, servers, until};
use crate::recorded::{now, put, recorded_from};

/// A page of a rig.
struct Page(WebSocket<MaybeTlsStream<TcpStream>>);

impl Page {
    fn open(running: &Running) -> Self {
        let address = until(|| {
            let text = running.text();
            let begin = text.find("http://127.0.0.1:")? + "http://".len();
            Some(text[begin..].split(['/', '\n', ' ']).next()?.to_owned())
        });
        let (socket, _) = connect(format!("ws://{address}/live")).expect("a connection");
        if let MaybeTlsStream::Plain(stream) = socket.get_ref() {
            stream.set_read_timeout(Some(PATIENCE)).expect("a limit");
        }
        Self(socket)
    }

    /// Reads until the page shows what is wanted of the team.
    #[track_caller]
    fn shows(&mut self, wanted: impl Fn(&TeamStatus) -> bool) -> TeamStatus {
        let mut last = None;
        until(|| {
            let Message::Binary(bytes) = self.0.read().expect("a message") else { return None };
            match wire::decode(&bytes).expect("a message") {
                ToBrowser::Team(team) => last = team,
                // The status comes twice a second, so that the wait has an end.
                _ => return None,
            }
            last.clone().filter(|team| wanted(team))
        })
    }
}

#[test]
#[ignore = "needs nats-server: run cargo xtask test"]
fn a_rig_shows_how_it_stands_with_its_team() {
    // Which server it is makes no difference to the line.
    let server = servers().remove(0);
    let mut hub = Hub::new(&[]);
    let anna = rig(&hub, "anna");
    // Two recordings wait before there is a hub. They begin after the invitation.
    for (id, name) in [(1, "one"), (2, "two")] {
        put(&anna.library, name, &recorded_from(id, 2, now()));
    }
    let running = anna.start();
    let mut page = Page::open(&running);
    let waits = page.shows(|team| team.link == TeamLink::Offline && team.waiting == 2);
    assert_eq!(waits.rig, "anna");
    assert!(waits.trouble.is_some_and(|words| words.contains("no hub at")));
    anna.recorded(1);
    page.shows(|team| team.link == TeamLink::Offline && team.behind_s > 0);
    hub.start(&server);
    let _serve = hub.serve(None);
    let live = page.shows(|team| team.link == TeamLink::Connected && team.waiting == 0 && team.behind_s < 5);
    assert_eq!(live.trouble, None);
    printed(&["team", "remove", "anna", &hub.dir()]);
    page.shows(|team| team.link == TeamLink::KeyRefused);
    // A page that comes later sees it at once.
    Page::open(&running).shows(|team| team.link == TeamLink::KeyRefused);
}
