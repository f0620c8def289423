//! What a rig's key allows and what not, each right by itself, at a real server.

use async_nats::ConnectErrorKind;
use async_nats::Event;
use futures_util::StreamExt as _;

use crate::client::{Peer, seed_of, soon};
use crate::program::{Hub, printed, servers};

const ID: &str = "0123456789abcdef0123456789abcdef";

/// A hub with the rigs anna and bob, and its server.
fn hub(program: &std::path::Path) -> Hub {
    let mut hub = Hub::new(&[]);
    hub.invite("anna");
    hub.invite("bob");
    hub.start(program);
    hub
}

#[tokio::test]
#[ignore = "needs nats-server: run cargo xtask test"]
async fn a_rig_sends_what_is_its_own_and_nothing_else() {
    for program in servers() {
        let hub = hub(&program);
        let mut archive = Peer::archive(&hub).await;
        let mut all = archive.client.subscribe("tb.>").await.expect("a subscription");
        archive.settle().await;
        let mut anna = Peer::rig(&hub, "anna").await;
        for subject in [
            format!("tb.rec.bob.{ID}"),
            "tb.live.bob".into(),
            "tb.rig.bob".into(),
            format!("tb.have.bob.{ID}"),
            "tb.ask.anna".into(),
            "tb.ask.bob".into(),
            "tb.rec.anna".into(),
            format!("tb.rec.anna.{ID}.more"),
            "tb.other".into(),
            "other".into(),
            "_INBOX.x".into(),
            "_INBOX_bob.x".into(),
            "_INBOX_anna.x".into(),
            "$JS.API.INFO".into(),
            "$JS.API.STREAM.NAMES".into(),
            "$JS.API.STREAM.CREATE.OTHER".into(),
            "$JS.API.STREAM.UPDATE.REC".into(),
            "$JS.API.STREAM.INFO.REC".into(),
            "$JS.API.STREAM.PURGE.REC".into(),
            "$JS.API.STREAM.DELETE.REC".into(),
            "$JS.API.STREAM.MSG.GET.REC".into(),
            "$JS.API.STREAM.MSG.DELETE.REC".into(),
            "$JS.API.DIRECT.GET.REC".into(),
            format!("$JS.API.DIRECT.GET.REC.tb.rec.anna.{ID}"),
            "$JS.API.CONSUMER.CREATE.REC".into(),
            "$JS.API.CONSUMER.DURABLE.CREATE.REC.x".into(),
            "$JS.API.CONSUMER.MSG.NEXT.REC.x".into(),
            "$JS.ACK.REC.x.1.1.1.1.0".into(),
            "$SYS.REQ.SERVER.PING".into(),
            "$SYS.REQ.ACCOUNT.PING".into(),
        ] {
            anna.client.publish(subject.clone(), "forged".into()).await.expect("sent");
            anna.refused("Publish", &subject).await;
        }
        // A reply subject is no subject that it publishes, which the archive has to know.
        let own = [
            format!("tb.rec.anna.{ID}"),
            "tb.live.anna".into(),
            "tb.rig.anna".into(),
            format!("tb.have.anna.{ID}"),
        ];
        for subject in &own {
            anna.client.publish(subject.clone(), "own".into()).await.expect("sent");
        }
        for subject in &own {
            let message = soon("the rig's own message", all.next()).await.expect("a message");
            assert_eq!((message.subject.as_str(), message.payload.as_ref()), (subject.as_str(), &b"own"[..]));
        }
    }
}

#[tokio::test]
#[ignore = "needs nats-server: run cargo xtask test"]
async fn a_rig_reads_what_is_for_it_and_nothing_else() {
    for program in servers() {
        let hub = hub(&program);
        let archive = Peer::archive(&hub).await;
        let mut anna = Peer::rig(&hub, "anna").await;
        for subject in [
            ">",
            "*",
            "tb.>",
            "tb.*.*",
            "*.ask.anna",
            "tb.ask.*",
            "tb.ask.bob",
            "tb.rec.>",
            "tb.rec.anna.*",
            "tb.live.anna",
            "tb.live.*",
            "tb.rig.*",
            "tb.have.*.*",
            "tb.have.anna.*",
            "_INBOX.>",
            "_INBOX_bob.>",
            "_INBOX_anna",
            "$JS.API.>",
            "$JS.>",
            "$SYS.>",
        ] {
            let refused = anna.client.subscribe(subject).await.expect("asked");
            anna.refused("Subscription", subject).await;
            drop(refused);
        }
        for subject in ["tb.ask.anna", "_INBOX_anna.x"] {
            let mut own = anna.client.subscribe(subject).await.expect("a subscription");
            anna.settle().await;
            archive.client.publish(subject, "for anna".into()).await.expect("sent");
            let message = soon("a message to the rig", own.next()).await.expect("a message");
            assert_eq!(message.payload.as_ref(), b"for anna");
        }
    }
}

#[tokio::test]
#[ignore = "needs nats-server: run cargo xtask test"]
async fn a_removed_rig_loses_its_connection_at_once_and_others_keep_theirs() {
    for program in servers() {
        let hub = hub(&program);
        let (mut anna, mut bob) = (Peer::rig(&hub, "anna").await, Peer::rig(&hub, "bob").await);
        printed(&["team", "remove", "anna", &hub.dir()]);
        anna.event("the end of the connection", |event| matches!(event, Event::Disconnected)).await;
        let seed = seed_of(&hub.folder.path().join("anna.team"));
        let again = Peer::open(&hub, seed, "_INBOX_anna").await;
        assert_eq!(again.err(), Some(ConnectErrorKind::AuthorizationViolation));
        // The other one is not disturbed, also not by a new rig.
        hub.invite("carla");
        Peer::rig(&hub, "carla").await;
        bob.client.publish("tb.ask.x", "refused".into()).await.expect("sent");
        bob.event("a refusal, on the same connection", |event| {
            assert!(!matches!(event, Event::Disconnected), "bob is disturbed");
            matches!(event, Event::ServerError(_))
        })
        .await;
    }
}

#[tokio::test]
#[ignore = "needs nats-server: run cargo xtask test"]
async fn without_a_key_of_the_team_nobody_connects() {
    for program in servers() {
        let hub = hub(&program);
        let stranger = nkeys::KeyPair::new_user().seed().expect("a seed");
        let refused = Peer::open(&hub, stranger, "_INBOX_anna").await;
        assert_eq!(refused.err(), Some(ConnectErrorKind::AuthorizationViolation));
        let nobody = async_nats::connect(format!("nats://127.0.0.1:{}", hub.port)).await;
        assert_eq!(nobody.expect_err("an error").kind(), ConnectErrorKind::AuthorizationViolation);
    }
}
