//! The hub's folder: init, add, remove, list, and what is wrong with them in words.

use std::fs;

use crate::client::seed_of;
use crate::program::{Hub, error_of, printed};

#[test]
fn a_hub_is_made_and_rigs_come_and_go() {
    let hub = Hub::new(&[]);
    let anna = hub.invite("anna");
    let bob = hub.invite("bob");
    assert_eq!(printed(&["team", "list", &hub.dir()]), "anna\nbob\n");
    let config = hub.text("nats.conf");
    for invitation in [&anna, &bob] {
        let seed = seed_of(invitation);
        assert!(
            !config.contains(&seed) && !hub.text("hub.toml").contains(&seed),
            "seeds are in invitations alone"
        );
        let public = nkeys::KeyPair::from_seed(&seed).expect("a key").public_key();
        assert!(config.contains(&public));
    }
    assert!(config.contains(&format!("listen: \"127.0.0.1:{}\"", hub.port)) && !config.contains("tls"));
    assert!(!hub.path("server.pem").exists(), "on loopback nothing is encrypted");
    printed(&["team", "remove", "anna", &hub.dir()]);
    assert_eq!(printed(&["team", "list", &hub.dir()]), "bob\n");
    let anna_key = nkeys::KeyPair::from_seed(&seed_of(&anna)).expect("a key").public_key();
    assert!(!hub.text("nats.conf").contains(&anna_key));
}

#[test]
fn a_hub_that_others_reach_is_encrypted_with_certificates_of_its_own() {
    let folder = tempfile::tempdir().expect("a folder");
    let dir = folder.path().join("hub").to_str().expect("text").to_owned();
    printed(&["team", "init", &dir, "--host", "hub.example"]);
    let invitation = printed(&["team", "add", "anna", &dir]);
    let text = |name: &str| fs::read_to_string(folder.path().join("hub").join(name)).expect("a file");
    assert!(invitation.contains("hub.example:4222") && invitation.contains(text("authority.pem").trim()));
    assert!(!invitation.contains("PRIVATE KEY"));
    let config = text("nats.conf");
    assert!(config.contains("tls {") && config.contains("listen: \"0.0.0.0:4222\""), "{config}");
    #[cfg(unix)]
    for secret in ["archive.seed", "server-key.pem"] {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = fs::metadata(folder.path().join("hub").join(secret)).expect("a file").permissions().mode();
        assert_eq!(mode & 0o077, 0, "{secret} is its owner's alone");
    }
}

#[test]
fn three_servers_have_a_configuration_each() {
    let folder = tempfile::tempdir().expect("a folder");
    let dir = folder.path().join("hub").to_str().expect("text").to_owned();
    printed(&["team", "init", &dir, "--servers", "a.example,b.example:4333,c.example"]);
    let invitation = printed(&["team", "add", "anna", &dir]);
    assert!(invitation.contains(r#"["a.example:4222", "b.example:4333", "c.example:4222"]"#), "{invitation}");
    let second = fs::read_to_string(folder.path().join("hub/nats-2.conf")).expect("a file");
    for words in
        ["0.0.0.0:4333", "0.0.0.0:6333", "nats://a.example:6222", "nats://c.example:6222", "nats-2.pid"]
    {
        assert!(second.contains(words), "{words}: {second}");
    }
    assert!(!second.contains("nats://b.example"), "a server has no route to itself");
}

#[test]
fn mistakes_with_a_hub_are_explained() {
    let hub = Hub::new(&[]);
    hub.invite("anna");
    let dir = hub.dir();
    let long = "a".repeat(33);
    for (arguments, words) in [
        (&["team", "add", "..", &dir][..], "can't be part of a rig's name"),
        (&["team", "add", "con", &dir], "Windows keeps the name"),
        (&["team", "add", "*", &dir], "can't be part of a rig's name"),
        (&["team", "add", &long, &dir], "at most 32 letters, and this has 33"),
        (&["team", "add", "-x", &dir], "begins with a letter"),
        (&["team", "add", "", &dir], "needs a name"),
        (&["team", "add", "anna", &dir], "anna is in the team already"),
        (&["team", "remove", "bob", &dir], "bob is not in the team"),
        (&["team", "add", "bob", "/no/such"], "is no hub's folder"),
        (&["team", "list", "/no/such"], "is no hub's folder"),
        (&["team", "init", &dir, "--host", "hub.example"], "is the folder of a hub already"),
        (&["team", "init", "/dev/null/x", "--host", "hub.example"], "can't be made"),
        (&["team", "init", &format!("{dir}2")], "name this machine with --host"),
        (&["team", "init", &format!("{dir}2"), "--host", "a b"], "is no server"),
        (&["team", "init", &format!("{dir}2"), "--servers", "a,b"], "takes three servers"),
    ] {
        let error = error_of(arguments);
        assert!(error.contains(words), "{arguments:?}: {error}");
    }
    assert!(!hub.folder.path().join("hub2/hub.toml").exists());
    let good = hub.text("hub.toml");
    for (text, words) in [
        (good.replace("version = 1", "version = 2"), "a newer Trailbrake made the hub"),
        ("version = 9".to_owned(), "a newer Trailbrake made the hub"),
        (good.replace("anna", ".."), "is broken"),
        (String::new(), "is broken"),
    ] {
        fs::write(hub.path("hub.toml"), text).expect("written");
        let error = error_of(&["team", "list", &dir]);
        assert!(error.contains(words), "{error}");
    }
}
