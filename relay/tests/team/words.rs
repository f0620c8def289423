//! What is wrong with a team is said in words that a driver can act on.

use std::ffi::OsString;
use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use async_nats::jetstream::{self, stream};
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};

use crate::archive::{archived, is_equal, rig};
use crate::client::Peer;
use crate::faults::share_all;
use crate::program::{Hub, Running, error_of, printed, servers, until};
use crate::recorded::{put, recorded};
use crate::rig::finished;

/// Changes a rig's invitation.
fn edit(hub: &Hub, name: &str, from: &str, to: &str) {
    let path = hub.folder.path().join(format!("{name}.team"));
    let text = fs::read_to_string(&path).expect("an invitation");
    assert!(text.contains(from));
    fs::write(path, text.replace(from, to)).expect("written");
}

#[test]
#[ignore = "needs nats-server: run cargo xtask test"]
fn connections_are_encrypted_and_another_authoritys_certificate_is_refused() {
    for server in servers() {
        let mut hub = Hub::new(&["--encrypt"]);
        let anna = rig(&hub, "anna");
        share_all(&hub, "anna");
        put(&anna.library, "real", &recorded(1, 15));
        hub.start(&server);
        let serve = hub.serve(None);
        let mut running = anna.start_idle();
        running.says("connected as anna");
        is_equal(&hub, "anna", &anna, 1);
        running.stop();
        serve.stop();
        // The hub was made again in another folder.
        let mut other = Hub::new(&["--encrypt"]);
        let old = (format!("127.0.0.1:{}", hub.port), format!("127.0.0.1:{}", other.port));
        edit(&hub, "anna", &old.0, &old.1);
        other.start(&server);
        let mut running = anna.start_idle();
        running.says("its certificate is another's");
        running.stop();
    }
}

#[test]
#[ignore = "needs nats-server: run cargo xtask test"]
fn an_expired_certificate_is_named_as_such() {
    for server in servers() {
        let mut hub = Hub::new(&["--encrypt"]);
        let past = SystemTime::now() - Duration::from_secs(3600);
        let mut authority = CertificateParams::new(Vec::new()).expect("names");
        authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let authority = CertifiedIssuer::self_signed(authority, KeyPair::generate().expect("a key"));
        let authority = authority.expect("a certificate");
        let mut expired = CertificateParams::new(vec!["127.0.0.1".to_owned()]).expect("names");
        expired.not_after = past.into();
        let key = KeyPair::generate().expect("a key");
        let certificate = expired.signed_by(&key, &authority).expect("a certificate");
        for (name, text) in [
            ("authority.pem", authority.pem()),
            ("server.pem", certificate.pem()),
            ("server-key.pem", key.serialize_pem()),
        ] {
            fs::write(hub.path(name), text).expect("written");
        }
        let anna = rig(&hub, "anna");
        hub.start(&server);
        let mut running = anna.start_idle();
        running.says("has expired");
        running.stop();
        hub.serve(None).fails("has expired");
    }
}

#[test]
#[ignore = "needs nats-server: run cargo xtask test"]
fn a_wrong_or_removed_key_is_named_as_such() {
    for server in servers() {
        let mut hub = Hub::new(&[]);
        let (anna, bob) = (rig(&hub, "anna"), rig(&hub, "bob"));
        hub.start(&server);
        let _serve = hub.serve(None);
        // Bob's name with anna's key.
        edit(&hub, "anna", "rig = \"anna\"", "rig = \"bob\"");
        let mut running = anna.start_idle();
        running.says("the invitation's key is not that of bob");
        running.stop();
        let mut running = bob.start_idle();
        running.says("connected as bob");
        printed(&["team", "remove", "bob", &hub.dir()]);
        running.says("the key is no longer valid");
        running.stop();
        assert!(archived(&hub, "bob").exists(), "its recordings stay");
        printed(&["team", "forget", "bob", &hub.dir()]);
        assert!(!archived(&hub, "bob").exists());
    }
}

#[test]
#[ignore = "needs nats-server: run cargo xtask test"]
fn a_server_that_can_not_be_used_is_described() {
    for server in servers() {
        let mut hub = Hub::new(&[]);
        hub.invite("anna");
        let config = hub.text("nats.conf");
        let (before, rest) = config.split_once("jetstream {").expect("a part");
        let after = rest.split_once("}\n").expect("its end").1;
        let (after, rest) = after.split_once("  jetstream: {").expect("a part of the account");
        let rest = rest.split_once("}\n").expect("its end").1;
        fs::write(hub.path("nats.conf"), format!("{before}{after}{rest}")).expect("written");
        hub.start(&server);
        hub.serve(None).fails("runs without JetStream");
        hub.kill();
        fs::write(hub.path("nats.conf"), config).expect("written");
        hub.start(&server);
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        runtime.block_on(async {
            let archive = Peer::archive(&hub).await;
            let context = jetstream::new(archive.client);
            let other = stream::Config {
                name: "REC".into(),
                subjects: vec!["tb.rec.>".into()],
                ..Default::default()
            };
            context.create_stream(other).await.expect("a stream");
        });
        hub.serve(None).fails("has a stream REC that is not Trailbrake's (subjects, discard");
    }
}

#[test]
fn a_server_that_is_too_old_is_named() {
    let hub = Hub::new(&[]);
    let listener = TcpListener::bind(("127.0.0.1", hub.port)).expect("a port");
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let info = r#"{"server_id":"X","version":"2.7.4","proto":1,"max_payload":1048576,"headers":true,"nonce":"abcdefghijk"}"#;
            // The other end may be gone.
            let _ = stream.write_all(format!("INFO {info}\r\n").as_bytes());
            let _ = stream.read(&mut [0; 4096]);
            let _ = stream.write_all(b"PONG\r\n");
            let _ = stream.read(&mut [0; 4096]);
        }
    });
    hub.serve(None).fails("nats-server 2.7.4 is too old: install 2.9 or newer");
}

#[test]
fn without_nats_server_the_program_says_how_to_install_it() {
    let hub = Hub::new(&[]);
    let nowhere = OsString::from("/no/such/folder");
    Running::with_path(&["team", "serve", &hub.dir()], nowhere).fails("sudo apt install nats-server");
}

#[test]
#[ignore = "needs nats-server: run cargo xtask test"]
fn two_archives_in_one_folder_and_two_rigs_with_one_invitation_are_noticed() {
    let server = servers().remove(0);
    let mut hub = Hub::new(&[]);
    let anna = rig(&hub, "anna");
    share_all(&hub, "anna");
    hub.start(&server);
    let mut serve = hub.serve(None);
    serve.says("Archive");
    until(|| archived(&hub, "anna").exists().then_some(()));
    hub.serve(None).fails("only one does at a time");
    let other =
        crate::rig::Rig::new(PathBuf::from(hub.folder.path()).join("other"), invitation(&hub, "anna"));
    put(&anna.library, "one", &recorded(1, 15));
    put(&other.library, "two", &recorded(2, 15));
    let (first, second) = (anna.start_idle(), other.start_idle());
    serve.says("two programs use the invitation of anna");
    // Neither is lost, and they are not mixed.
    until(|| (finished(&archived(&hub, "anna")).len() == 2).then_some(()));
    drop((first, second));
}

fn invitation(hub: &Hub, name: &str) -> PathBuf {
    Path::new(hub.folder.path()).join(format!("{name}.team"))
}

#[test]
fn mistakes_with_an_invitation_are_explained() {
    let hub = Hub::new(&[]);
    let path = hub.invite("anna");
    let path = path.to_str().expect("text");
    let usual = ["--config=/dev/null", "--no-open", "--http=127.0.0.1:0", "--recordings=/no/such"];
    let error = |more: &[&str]| error_of(&[&usual[..], more].concat());
    assert!(error(&["--team=/no/such.team"]).contains("can't be read"));
    assert!(error(&["--no-record", "--team", path]).contains("nothing is"));
    edit(&hub, "anna", "version = 1", "version = 2");
    assert!(error(&["--team", path]).contains("update Trailbrake on this rig"));
    fs::write(path, "seed = ").expect("written");
    assert!(error(&["--team", path]).contains("ask the hub's owner for a new one"));
}
