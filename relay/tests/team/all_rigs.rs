//! The recordings of all rigs as one library.

use tokio_tungstenite::connect_async;
use trailbrake_shared::library::{Entry, Listing};

use crate::archive::{is_equal, rig};
use crate::client::soon;
use crate::faults::share_all;
use crate::http::{address, ask, ask_with, get};
use crate::program::{Hub, servers};
use crate::recorded::{put, recorded};
use crate::rig::finished;

fn list(page: &str, query: &str) -> Vec<Entry> {
    let answer = get(page, &format!("/rig/-/library{query}"));
    serde_json::from_slice::<Listing>(&answer.body).expect("a list").recordings
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs nats-server: run cargo xtask test"]
async fn the_recordings_of_all_rigs_are_one_library() {
    let server = servers().remove(0);
    let mut hub = Hub::new(&[]);
    let rigs = ["anna", "bob"].map(|name| (name, rig(&hub, name)));
    hub.start(&server);
    let mut serving = hub.serve(None);
    let page = &address(&mut serving);
    for ((name, rig), seconds) in rigs.iter().zip([15, 20]) {
        share_all(&hub, name);
        put(&rig.library, "one", &recorded(seconds.into(), seconds));
        let idle = rig.start_idle();
        is_equal(&hub, name, rig, 1);
        idle.stop();
    }

    let all = list(page, "");
    let mut names: Vec<_> = all.iter().map(|entry| entry.rig.clone().expect("a rig")).collect();
    names.sort();
    assert_eq!(names, ["anna", "bob"]);
    assert!(all[0].created >= all[1].created, "the newest first");
    assert_eq!(list(page, "?q=bob").len(), 1, "a rig's name is found");
    for entry in &all {
        let (id, name) = (entry.id.expect("an id"), entry.rig.as_deref());
        assert_eq!(list(page, &format!("?id={id}")), std::slice::from_ref(entry));
        let (_, rig) = rigs.iter().find(|(rig, _)| Some(*rig) == name).expect("a rig");
        let file = get(page, &format!("/rig/-/library/{id}/file"));
        assert!(file.body == finished(&rig.library).remove(0).bytes, "byte for byte");
    }

    // A name goes to the rig whose recording it is.
    let bobs = all.iter().find(|entry| entry.rig.as_deref() == Some("bob")).expect("a recording");
    let path = format!("/rig/-/library/{}", bobs.id.expect("an id"));
    let labelled = ask_with(page, "PATCH", &path, r#"{"name":"Wet","tags":[]}"#);
    assert_eq!(labelled.status, 200, "{}", String::from_utf8_lossy(&labelled.body));
    let named = list(page, "?q=wet");
    assert!(named.len() == 1 && named[0].rig == bobs.rig, "{named:?}");

    for (method, path, status, words) in [
        ("GET", "/rig/-/library/0123456789abcdef0123456789abcdef", 404, "No rig that you see"),
        ("GET", "/rig/-/library/..%2fanna", 404, "No rig that you see"),
        ("GET", "/rig/-/library/bin", 404, "No rig that you see"),
        ("POST", "/rig/-/library?name=x", 405, ""),
        ("POST", "/rig/-/tracks/name", 404, "No rig that you see"),
        ("GET", "/rig/-/tracks", 200, ""),
        ("GET", "/rig/-/library/bests", 200, "\"bests\":["),
        ("GET", "/rig/-/library/bests?by=year", 400, "by=day or by=week"),
        ("GET", "/rig/-/settings", 200, "null"),
        ("DELETE", &path, 409, "changed on the rig itself"),
    ] {
        let answer = ask(page, method, path, "");
        let body = String::from_utf8_lossy(&answer.body).into_owned();
        assert_eq!(answer.status, status, "{method} {path}: {body}");
        assert!(body.contains(words), "{method} {path}: {body}");
    }
    soon("a connection", connect_async(format!("ws://{page}/rig/-/live"))).await.expect("a connection");
    serving.stop();
}
