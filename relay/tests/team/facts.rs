//! What people write about finished recordings: it follows to the hub, and overwrites nothing there.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use crate::archive::{is_equal, rig};
use crate::faults::share_all;
use crate::program::{Hub, Running, servers, until};
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
