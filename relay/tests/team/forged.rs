//! What a rig with a key may send and should not: it is ignored, or hurts that rig alone.

use async_nats::jetstream;
use async_nats::{HeaderMap, Request};
use serde_json::Value;

use crate::archive::{archived, is_equal, rig};
use crate::client::{Peer, soon};
use crate::faults::share_all;
use crate::program::{Hub, servers, until};
use crate::recorded::{put, recorded};
use crate::rig::{finished, parts};

const ID: &str = "0123456789abcdef0123456789abcdef";

fn headers(pairs: &[(&str, &str)]) -> HeaderMap {
    let mut headers = HeaderMap::new();
    for (name, value) in pairs {
        headers.insert(*name, *value);
    }
    headers
}

/// The headers of the first three bytes of a tail.
fn tail<'a>(kind: &'a str, size: &'a str, hash: &'a str) -> Vec<(&'a str, &'a str)> {
    let range = [("Tb", "1"), ("Kind", kind), ("From", "0"), ("To", "3")];
    [&range[..], &[("Data", "0"), ("Size", size), ("Sha256", hash)]].concat()
}

/// Sends a message as a rig, and waits until it is stored.
async fn store(peer: &Peer, subject: &str, pairs: &[(&str, &str)], payload: &[u8]) {
    let request = Request::new().headers(headers(pairs)).payload(payload.to_vec().into());
    let answer =
        soon("an acknowledgement", peer.client.send_request(subject.to_owned(), request)).await.expect("one");
    let answer: Value = serde_json::from_slice(&answer.payload).expect("JSON");
    assert!(answer["seq"].is_u64(), "{answer}");
}

/// The hub's answer where to go on.
async fn have(peer: &Peer, rig: &str, id: &str) -> Value {
    let asked = peer.client.request(format!("tb.have.{rig}.{id}"), "".into());
    serde_json::from_slice(&soon("an answer", asked).await.expect("one").payload).expect("JSON")
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs nats-server: run cargo xtask test"]
async fn garbage_is_counted_and_has_no_effect() {
    for server in servers() {
        let mut hub = Hub::new(&[]);
        let anna = rig(&hub, "anna");
        share_all(&hub, "anna");
        hub.start(&server);
        let mut serve = hub.serve(None);
        serve.says("Archive");
        let file = recorded(u128::from_str_radix(ID, 16).expect("a number"), 15);
        let (subject, size) = (format!("tb.rec.anna.{ID}"), file.len().to_string());
        let peer = Peer::rig(&hub, "anna").await;
        peer.finds_archive("anna").await;
        let most = u64::MAX.to_string();
        let hash = "0".repeat(64);
        let data = [("Tb", "1"), ("Kind", "data")];
        let end = [("Tb", "1"), ("Kind", "end"), ("Size", &size), ("Data", "0"), ("Sha256", &hash)];
        for (more, payload) in [
            (vec![], &b"no header"[..]),
            (vec![("Tb", "1")], b""),
            (vec![("Tb", "9"), ("Kind", "data"), ("From", "0"), ("To", "3")], b"abc"),
            ([&data[..], &[("From", "3"), ("To", "0")]].concat(), b"abc"),
            ([&data[..], &[("From", "0"), ("To", "4")]].concat(), b"abc"),
            ([&data[..], &[("From", "-1"), ("To", "2")]].concat(), b"abc"),
            ([&data[..], &[("From", &most), ("To", &most)]].concat(), b""),
            ([&data[..], &[("From", "18446744073709551612"), ("To", &most)]].concat(), b"abc"),
            ([&data[..], &[("From", "0"), ("To", "3"), ("Nats-Stream", "REC")]].concat(), b"abc"),
            // Beyond the file, which does not exist yet.
            ([&data[..], &[("From", "1000000"), ("To", "1000003")]].concat(), b"abc"),
            (vec![("Tb", "1"), ("Kind", "end"), ("From", "0"), ("To", "3")], b"abc"),
            (tail("end", &most, &hash), b"abc"),
            (tail("facts", "3", &hash), b"abc"),
            // A tail whose hash is wrong: it is set aside.
            (tail("end", "3", &hash), b"abc"),
        ] {
            store(&peer, &subject, &more, payload).await;
        }
        store(&peer, "tb.rec.anna.no-id", &data, b"abc").await;
        store(&peer, &subject, &end, b"").await;
        serve.says("not from Trailbrake");
        for _ in 0..2_000 {
            peer.client.publish(subject.clone(), vec![7; 1000].into()).await.expect("sent");
        }
        until(|| finished(&archived(&hub, "anna")).is_empty().then_some(()));
        // After all that the rig sends the recording, twice by chance.
        put(&anna.library, "real", &file);
        let running = anna.start_idle();
        is_equal(&hub, "anna", &anna, 1);
        running.stop();
        let answer = have(&peer, "anna", ID).await;
        assert!(answer["finished"].is_object() && answer["safe"] == file.len(), "{answer}");
        for kind in ["end", "end", "facts"] {
            store(&peer, &subject, &tail(kind, "3", &hash), b"abc").await;
        }
        let sequence = have(&peer, "anna", ID).await["sequence"].clone();
        until_read(&hub, sequence.as_u64().expect("a number"));
        is_equal(&hub, "anna", &anna, 1);
        assert!(!serve.text().contains("Trouble") && !serve.text().contains("panicked"), "{}", serve.text());
    }
}

/// Waits until the archive's position is there.
fn until_read(hub: &Hub, sequence: u64) {
    until(|| {
        let position: Value = serde_json::from_str(&hub.text("library/position.json")).ok()?;
        (position["sequence"].as_u64()? >= sequence).then_some(())
    });
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs nats-server: run cargo xtask test"]
async fn no_rig_makes_bytes_in_anothers_folder() {
    for server in servers() {
        let mut hub = Hub::new(&[]);
        let bob = rig(&hub, "bob");
        share_all(&hub, "bob");
        hub.invite("anna");
        hub.start(&server);
        let mut serve = hub.serve(None);
        let file = recorded(u128::from_str_radix(ID, 16).expect("a number"), 15);
        put(&bob.library, "real", &file);
        let running = bob.start_idle();
        is_equal(&hub, "bob", &bob, 1);
        running.stop();
        let (anna, archive) = (Peer::rig(&hub, "anna").await, Peer::archive(&hub).await);
        let other = "f".repeat(32);
        let forged = format!("tb.rec.bob.{other}");
        let range = headers(&[("Tb", "1"), ("Kind", "data"), ("From", "0"), ("To", "3")]);
        // The server answers where the rig says, also into the stream.
        let own = format!("tb.rec.anna.{other}");
        let sent = anna.client.publish_with_reply_and_headers(
            own.clone(),
            forged.clone(),
            range.clone(),
            "abc".into(),
        );
        sent.await.expect("sent");
        // And so would the archive, if it did not look.
        let question = format!("tb.have.anna.{other}");
        for reply in
            [forged.clone(), "tb.ask.bob".to_owned(), "_INBOX_bob.x".to_owned(), "tb.rec.bob.x".to_owned()]
        {
            anna.client.publish_with_reply(question.clone(), reply, "".into()).await.expect("sent");
        }
        // Other subjects are refused by the server.
        anna.client.publish_with_headers(forged.clone(), range, "abc".into()).await.expect("sent");
        assert!(have(&anna, "anna", &other).await["next"].is_u64(), "it answers the rig itself");
        let stream = jetstream::new(archive.client.clone()).get_stream("REC").await.expect("the stream");
        let stored = stream.get_last_raw_message_by_subject(&forged).await.expect("what the server wrote");
        assert!(
            stored.headers.get("Tb").is_none() && stored.payload.starts_with(b"{\"stream\""),
            "{stored:?}"
        );
        let later = stream.get_info().await.expect("its state").state.last_sequence;
        until_read(&hub, later);
        let folder = archived(&hub, "bob");
        assert!(parts(&folder).is_empty() && finished(&folder).len() == 1, "nothing of anna's came here");
        assert_eq!(finished(&folder)[0].bytes, file);
        assert_eq!(parts(&archived(&hub, "anna"))[0].bytes, b"abc", "a rig hurts itself at most");
        serve.says("not from Trailbrake");
    }
}
