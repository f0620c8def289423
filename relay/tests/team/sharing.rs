//! Hubs that share a server: each has an account of its own, and knows nothing of the others.

use async_nats::ConnectErrorKind;
use async_nats::jetstream::{self, stream};
use futures_util::StreamExt as _;

use crate::archive::{is_equal, rig};
use crate::client::{Peer, seed_of, soon};
use crate::faults::share_all;
use crate::program::{Hub, error_of, printed, servers};
use crate::recorded::{put, recorded};

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs nats-server: run cargo xtask test"]
async fn hubs_that_share_a_server_know_nothing_of_each_other() {
    for program in servers() {
        let mut league = Hub::new(&[]);
        let rigs = [rig(&league, "anna")];
        league.start(&program);
        // The server runs already.
        let cup = league.sharing();
        let rigs = [&rigs[0], &rig(&cup, "anna")];
        let hubs = [&league, &cup];
        let served = hubs.map(|hub| hub.serve(None));
        for ((hub, rig), seed) in hubs.iter().zip(rigs).zip([1, 2]) {
            share_all(hub, "anna");
            put(&rig.library, "real", &recorded(seed, 15));
            let mut running = rig.start_idle();
            running.says("connected as anna");
            is_equal(hub, "anna", rig, 1);
            running.stop();
        }

        let [mut ours, theirs] = [Peer::archive(&league).await, Peer::archive(&cup).await];
        let mut all = ours.client.subscribe("tb.>").await.expect("a subscription");
        ours.settle().await;
        let [own, stranger] = [Peer::rig(&league, "anna").await, Peer::rig(&cup, "anna").await];
        stranger.client.publish("tb.rig.anna", "of the other hub".into()).await.expect("sent");
        stranger.client.flush().await.expect("sent");
        own.client.publish("tb.rig.anna", "own".into()).await.expect("sent");
        let first = soon("a message", all.next()).await.expect("a message");
        assert_eq!(first.payload.as_ref(), b"own");

        // Neither fills the other's store.
        for archive in [&ours, &theirs] {
            let more = stream::Config {
                name: "MORE".into(),
                subjects: vec!["more".into()],
                max_bytes: 500_000_000,
                ..stream::Config::default()
            };
            let refused = jetstream::new(archive.client.clone()).create_stream(more).await;
            let words = refused.expect_err("more than the account may keep").to_string();
            assert!(words.contains("insufficient") || words.contains("storage"), "{words}");
        }

        printed(&["team", "remove", "anna", &cup.dir()]);
        let seed = seed_of(&cup.folder.path().join("anna.team"));
        let refused = Peer::open(&cup, seed, "_INBOX_anna").await;
        assert_eq!(refused.err(), Some(ConnectErrorKind::AuthorizationViolation));
        Peer::rig(&league, "anna").await.finds_archive("anna").await;

        served.into_iter().for_each(|served| drop(served.stop()));
        // Who deletes a hub's folder removes it from the server.
        let archive = cup.text("archive.seed");
        std::fs::remove_dir_all(cup.path("")).expect("deleted");
        league.invite("bob");
        assert!(Peer::open(&league, archive, "_INBOX").await.is_err());
    }
}

#[test]
fn what_is_wrong_with_sharing_is_said() {
    let league = Hub::new(&[]);
    let cup = league.sharing();
    let third = cup.folder.path().join("third");
    let third = third.to_str().expect("text");
    let words = error_of(&["team", "init", third, "--share", &cup.dir()]);
    assert!(words.contains("shares the servers of"), "{words}");
    let words = error_of(&["team", "init", third, "--share", third]);
    assert!(words.contains("no hub's folder"), "{words}");
    let words = error_of(&["team", "init", third, "--share", &league.dir(), "--host", "hub.example"]);
    assert!(words.contains("cannot be used with"), "{words}");
    cup.serve(None).fails("no nats-server runs: start the hub whose server this one shares");
}
