//! Who may change something. The table lists every route that does, and a test asks the running relay whether it lists
//! them all.

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::path::Path;

use crate::recording::recording_into;
use crate::room::{send_from_tablet, tablet_access};
use crate::running::{OWN_PAGE, ask, send};

/// Whether a tablet may do it.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Tablet {
    /// Only the owner may.
    Never,
    /// While the owner allows tablets to write.
    WhileAllowed,
    /// Every page that is in may.
    Always,
}
use Tablet::{Always, Never, WhileAllowed};

/// Every request that changes something, or that is sent like one: method, route, and whether a tablet may.
const CHANGES: [(&str, &str, Tablet); 27] = [
    ("POST", "/tablets", Never),
    ("DELETE", "/tablets", Never),
    ("POST", "/room/writing", Never),
    ("DELETE", "/room/writing", Never),
    ("PATCH", "/settings", Never),
    ("POST", "/game-files/{feed}", Never),
    ("POST", "/team/invitation", Never),
    ("PUT", "/team", Never),
    ("PATCH", "/team", Never),
    ("DELETE", "/team", Never),
    ("POST", "/library", WhileAllowed),
    ("PATCH", "/library/{id}", WhileAllowed),
    ("DELETE", "/library/{id}", WhileAllowed),
    ("POST", "/library/{id}/trim", WhileAllowed),
    ("POST", "/library/{id}/notes", WhileAllowed),
    ("DELETE", "/library/{id}/notes/{*name}", WhileAllowed),
    ("POST", "/library/{id}/tasks", WhileAllowed),
    ("PUT", "/library/{id}/tasks", WhileAllowed),
    ("PATCH", "/library/{id}/tasks/{*name}", WhileAllowed),
    ("DELETE", "/library/{id}/tasks/{*name}", WhileAllowed),
    ("POST", "/library/repair/{file}", WhileAllowed),
    ("DELETE", "/library/bin", WhileAllowed),
    ("POST", "/library/bin/{id}", WhileAllowed),
    ("POST", "/tracks/name", WhileAllowed),
    ("POST", "/tracks/corner", WhileAllowed),
    ("DELETE", "/rejects", Always),
    // It only asks, with the shape of a track in its body.
    ("POST", "/library/bests", Always),
];

const METHODS: [&str; 4] = ["POST", "PUT", "PATCH", "DELETE"];

/// The changes that this program knows: without teams, none of theirs.
fn changes() -> impl Iterator<Item = (&'static str, &'static str, Tablet)> {
    CHANGES.into_iter().filter(|(_, route, _)| has(route))
}

fn has(route: &str) -> bool {
    cfg!(feature = "team") || !route.starts_with("/team")
}

/// Every route of this program that the sources of the server name.
fn routes() -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src/relaying/http")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let source = std::fs::read_to_string(&path).expect("a source");
            for other in [".nest(", ".route_service(", ".nest_service(", ".fallback_service("] {
                assert!(!source.contains(other), "{}: this test does not follow {other}", path.display());
            }
            for call in source.split(".route(").skip(1) {
                let literal = call.trim_start().strip_prefix('"').and_then(|rest| rest.split('"').next());
                let route = literal.expect("a route is a literal");
                if has(route) {
                    found.insert(route.to_owned());
                }
            }
        }
    }
    assert!(found.len() > 15, "{found:?}");
    found
}

/// A path of a route, about something that is not there.
fn path_of(route: &str) -> String {
    route
        .replace("{id}", &"f".repeat(32))
        .replace("{*name}", "nothing")
        .replace("{file}", "nothing.mcap")
        .replace("{feed}", "ea-wrc")
}

#[tokio::test]
async fn the_table_lists_every_route_that_changes_something() {
    let folder = tempfile::tempdir().expect("a folder");
    let relay = recording_into(folder.path(), &["--lan-address=127.0.0.3"]);
    let mut answered = BTreeSet::new();
    for route in routes() {
        for method in METHODS {
            // Where there is no such route, the relay says that the method does not exist.
            let answer = send(relay.report.http, method, &path_of(&route), b"").await;
            assert!(![403, 500].contains(&answer.status), "{method} {route}: {}", answer.text());
            if answer.status != 405 {
                answered.insert((method, route.clone()));
            }
        }
    }
    let listed: BTreeSet<_> = changes().map(|(method, route, _)| (method, route.to_owned())).collect();
    assert_eq!(listed.len(), changes().count(), "a change is listed twice");
    assert_eq!(answered, listed);
    relay.stop().await;
}

#[tokio::test]
async fn changes_need_the_origin_and_the_header_of_our_own_page() {
    let folder = tempfile::tempdir().expect("a folder");
    let relay = recording_into(folder.path(), &["--lan-address=127.0.0.4"]);
    let own = relay.report.http;
    let origin = format!("http://{own}");
    let refused = async |method: &str, path: &str, headers: &[(&str, &str)], words: &str| {
        let answer = ask(own, method, path, headers).await;
        assert_eq!(answer.status, 403, "{method} {path} {headers:?}: {}", answer.text());
        assert!(answer.text().contains(words), "{method} {path} {headers:?}: {}", answer.text());
    };
    for (method, route, _) in changes() {
        let path = path_of(route);
        refused(method, &path, &[OWN_PAGE], "the request lacks its origin").await;
        refused(method, &path, &[("origin", &origin)], "lacks their header, X-Trailbrake").await;
        for foreign in ["http://evil.example", "null", "http://localhost"] {
            refused(method, &path, &[("origin", foreign), OWN_PAGE], "only to its own pages").await;
        }
        let renamed = [("host", "evil.example"), ("origin", "http://evil.example"), OWN_PAGE];
        refused(method, &path, &renamed, "does not answer to this name").await;
    }
    relay.stop().await;
}

#[tokio::test]
async fn a_tablet_changes_only_what_the_table_says() {
    let folder = tempfile::tempdir().expect("a folder");
    let relay = recording_into(folder.path(), &["--lan", "--lan-address=127.0.0.1"]);
    let (address, cookie) = tablet_access(&relay).await;
    let check = async |may_write: bool| {
        for (method, route, tablet) in changes() {
            let answer = send_from_tablet(address, &cookie, method, &path_of(route), b"").await;
            let words = match tablet {
                Never => "Only the computer that Trailbrake runs on may do this.",
                WhileAllowed if !may_write => "may change recordings, notes and tasks",
                WhileAllowed | Always => {
                    assert_ne!(answer.status, 403, "{method} {route}: {}", answer.text());
                    continue;
                }
            };
            assert_eq!(answer.status, 403, "{method} {route}: {}", answer.text());
            assert!(answer.text().contains(words), "{method} {route}: {}", answer.text());
        }
    };
    check(false).await;
    assert_eq!(send(relay.report.http, "POST", "/room/writing", b"").await.status, 200);
    check(true).await;
    without_the_link(address).await;
    relay.stop().await;
}

/// Nobody on the network changes anything without the link.
async fn without_the_link(address: SocketAddr) {
    let origin = format!("http://{address}");
    for (method, route, _) in changes() {
        let answer = ask(address, method, &path_of(route), &[("origin", &origin), OWN_PAGE]).await;
        assert_eq!(answer.status, 403, "{method} {route}");
        assert!(answer.text().starts_with("Open the link"), "{method} {route}: {}", answer.text());
    }
}
