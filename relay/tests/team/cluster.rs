//! Three servers, of which one may fail.

use std::path::Path;

use async_nats::jetstream;
use trailbrake_isolation::free_port;

use crate::archive::is_equal_in;
use crate::client::soon;
use crate::program::{Running, Servers, printed, servers, until};
use crate::rig::{Rig, parts};

#[test]
#[ignore = "needs nats-server: run cargo xtask test"]
fn the_loss_of_a_leader_costs_nothing() {
    for program in servers() {
        let folder = tempfile::tempdir().expect("a folder");
        let hub = folder.path().join("hub");
        let dir = hub.to_str().expect("text").to_owned();
        let ports = [free_port(), free_port(), free_port()];
        let names = ports.map(|port| format!("127.0.0.1:{port}")).join(",");
        printed(&["team", "init", &dir, "--servers", &names, "--store-gb", "1"]);
        let invitation = folder.path().join("anna.team");
        std::fs::write(&invitation, printed(&["team", "add", "anna", &dir])).expect("written");
        let mut three = Servers::start(&program, &hub, ports);
        let mut serve = Running::start(&["team", "serve", &dir], None);
        let rig = Rig::new(folder.path().join("recordings"), invitation);
        let archived = hub.join("library/anna");
        let reaches = |bytes: usize| {
            until(|| parts(&archived).first().map(|one| one.bytes.len()).filter(|len| *len >= bytes))
        };
        let running = rig.start();
        let there = reaches(100_000);
        let leader = leader(&hub, ports);
        three.kill(leader);
        let there = reaches(there + 500_000);
        three.restart(leader);
        reaches(there + 500_000);
        running.stop();
        let running = rig.start_idle();
        serve.says("Archived");
        is_equal_in(&hub, "anna", &rig, 1);
        running.stop();
    }
}

/// The number of the stream's leader.
fn leader(hub: &Path, ports: [u16; 3]) -> usize {
    let seed = std::fs::read_to_string(hub.join("archive.seed")).expect("a seed");
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(soon("the stream's leader", async {
        let urls: Vec<String> = ports.iter().map(|port| format!("nats://127.0.0.1:{port}")).collect();
        let client = async_nats::ConnectOptions::with_nkey(seed).connect(urls).await.expect("a connection");
        let stream = jetstream::new(client).get_stream("REC").await.expect("the stream");
        let leader =
            stream.cached_info().cluster.clone().and_then(|cluster| cluster.leader).expect("a leader");
        let number: usize = leader.trim_start_matches("nats-").parse().expect("a number");
        number - 1
    }))
}
