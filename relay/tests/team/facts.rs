//! What people write about finished recordings: it follows to the hub and back, and overwrites nothing.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;

use trailbrake_shared::recording::facts::Labels;
use trailbrake_shared::recording::{Opening, read_whole};

use crate::archive::{archived, is_equal, rig};
use crate::faults::{share_all, through};
use crate::http;
use crate::program::{Hub, Running, servers, until};
use crate::proxy::Proxy;
use crate::recorded::{put, recorded};
use crate::rig::finished;

/// Changes a recording as the rig's own page does.
fn patch(running: &mut Running, path: &str, body: &str) {
    running.says("http://");
    let text = running.text();
    let address = text.split("http://").nth(1).and_then(|rest| rest.split('/').next()).expect("an address");
    let mut stream = TcpStream::connect(address).expect("a connection");
    let request = format!(
        "PATCH {path} HTTP/1.1\r\nhost: {address}\r\norigin: http://{address}\r\nx-trailbrake: page\r\ncontent-length: {}\r\n\
         connection: close\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).expect("sent");
    let mut answer = String::new();
    // The relay may hang up at once behind its answer.
    let _ = stream.read_to_string(&mut answer);
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
}

#[test]
#[ignore = "needs nats-server: run cargo xtask test"]
fn a_later_name_follows_to_the_hub() {
    for server in servers() {
        let mut hub = Hub::new(&[]);
        let anna = rig(&hub, "anna");
        share_all(&hub, "anna");
        put(&anna.library, "one", &recorded(0xabc, 15));
        hub.start(&server);
        let serve = hub.serve(None);
        let mut running = anna.start_idle();
        is_equal(&hub, "anna", &anna, 1);
        let before = finished(&anna.library).remove(0).bytes;
        for name in ["Quali, wet", "Quali, dry"] {
            patch(
                &mut running,
                &format!("/library/{:032x}", 0xabc),
                &format!(r#"{{"name":"{name}","tags":["a"]}}"#),
            );
            until(|| (finished(&anna.library).first()?.bytes != before).then_some(()));
            is_equal(&hub, "anna", &anna, 1);
        }
        running.stop();
        assert!(!serve.stop().contains("Ignored"));
    }
}

/// The name of the only finished recording in a folder.
fn name(folder: &Path) -> Option<String> {
    let file = finished(folder).pop()?.bytes;
    let mut opening = Opening::new(file.len() as u64);
    read_whole(&mut opening, &file);
    opening.finish().ok()?.facts().get::<Labels>().ok()??.name
}

#[test]
#[ignore = "needs nats-server: run cargo xtask test"]
fn a_name_from_the_hub_reaches_the_rigs_own_file() {
    for server in servers() {
        let mut hub = Hub::new(&[]);
        let anna = rig(&hub, "anna");
        share_all(&hub, "anna");
        let link = Proxy::to(hub.port);
        through(&link, &hub, "anna");
        put(&anna.library, "one", &recorded(0xabc, 15));
        hub.start(&server);
        let mut serving = hub.serve(None);
        let page = http::address(&mut serving);
        let mut running = anna.start_idle();
        is_equal(&hub, "anna", &anna, 1);
        let at_hub = |name: &str| {
            let path = format!("/rig/anna/library/{:032x}", 0xabc);
            let body = format!(r#"{{"name":"{name}","tags":[]}}"#);
            let answer = http::ask_with(&page, "PATCH", &path, &body);
            assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
        };
        let arrives = |expected: &str| {
            until(|| (name(&anna.library).as_deref() == Some(expected)).then_some(()));
            is_equal(&hub, "anna", &anna, 1);
        };
        at_hub("Quali, wet");
        arrives("Quali, wet");
        patch(&mut running, &format!("/library/{:032x}", 0xabc), r#"{"name":"Quali, damp","tags":[]}"#);
        arrives("Quali, damp");
        until(|| (name(&archived(&hub, "anna")).as_deref() == Some("Quali, damp")).then_some(()));

        // A rig that was offline is reminded.
        link.cut();
        running.says("no hub at");
        at_hub("Quali, drying");
        link.open();
        arrives("Quali, drying");

        // One that was away compares at its start.
        running.stop();
        at_hub("Quali, dry");
        let running = anna.start_idle();
        arrives("Quali, dry");
        running.stop();
        assert!(!serving.stop().contains("Ignored"));
    }
}
