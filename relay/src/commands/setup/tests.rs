use std::path::Path;

use serde_json::{Value, json};
use trailbrake_shared::feed::Feed;

use super::*;
use crate::game_setup::tests::{CONFIG, game};

fn request(folder: &Path) -> Setup {
    let folder = Some(folder.to_owned());
    Setup { feed: FeedName(Feed::EaWrc), folder, address: None, port: None, yes: true, undo: false }
}

/// Sets the game up; returns what was printed.
fn run_with(request: &Setup, answer: Option<&str>) -> Result<String, String> {
    let mut notes = Vec::new();
    let mut answers = answer.map(str::as_bytes);
    let answers = answers.as_mut().map(|answers| answers as &mut dyn BufRead);
    let done = set_up(request, answers, &mut notes);
    done.map(|()| String::from_utf8(notes).expect("text")).map_err(|error| format!("{error:#}"))
}

fn text(folder: &Path, file: &str) -> Option<String> {
    std::fs::read_to_string(folder.join(file)).ok()
}

fn structure(folder: &Path) -> Value {
    serde_json::from_str(&text(folder, "udp/trailbrake.json").expect("a structure")).expect("JSON")
}

#[test]
fn the_game_is_set_up_and_as_it_was_after_undo() {
    let folder = game(3);
    let printed = run_with(&request(folder.path()), None).expect("done");
    let config: Value =
        serde_json::from_str(&text(folder.path(), "config.json").expect("a file")).expect("JSON");
    let entries = config["udp"]["packets"].as_array().expect("a list");
    assert_eq!(entries.len(), 6);
    let expected = json!({
        "structure": "trailbrake", "packet": "session_update", "ip": "127.0.0.1", "port": 20777, "frequencyHz": 60,
        "bEnabled": true
    });
    assert_eq!(entries[2], expected);
    assert_eq!(
        (entries[1]["packet"].as_str(), entries[1]["frequencyHz"].as_i64()),
        (Some("session_start"), Some(0))
    );
    assert_eq!(config["dBox"]["bEnabled"], true);
    let structure = structure(folder.path());
    assert_eq!((&structure["id"], &structure["versions"]["data"]), (&json!("trailbrake"), &json!(3)));
    assert_eq!(structure["header"]["channels"], json!(["packet_4cc"]));
    let packets = structure["packets"].as_array().expect("packets");
    assert_eq!(packets.len(), 5);
    assert!(packets.iter().all(|packet| packet["channels"] == packets[0]["channels"]));
    assert_eq!(packets[0]["channels"][0], "packet_uid");
    for words in ["udp/trailbrake.json", "stage_result_status", "session_pause", "before-trailbrake"] {
        assert!(printed.replace('\\', "/").contains(words), "{printed}");
    }
    assert_eq!(text(folder.path(), "config.json.before-trailbrake").as_deref(), Some(CONFIG));
    assert!(run_with(&request(folder.path()), None).expect("done").contains("nothing to do"));

    let undo = Setup { undo: true, ..request(folder.path()) };
    run_with(&undo, None).expect("done");
    assert_eq!(text(folder.path(), "config.json").as_deref(), Some(CONFIG));
    assert_eq!(text(folder.path(), "udp/trailbrake.json"), None);
    assert!(run_with(&undo, None).expect("done").contains("nothing to do"));
}

#[test]
fn the_structure_has_what_the_version_of_the_game_can_send() {
    let folder = game(2);
    run_with(&request(folder.path()), None).expect("done");
    assert_eq!(structure(folder.path())["versions"]["data"], 2);
    assert!(!structure(folder.path()).to_string().contains("stage_result_status"));
    // A type that Trailbrake would not read.
    let folder = game(3);
    let list = folder.path().join("readme/channels.json");
    let other = std::fs::read_to_string(&list).expect("a file");
    let at = other.find("\"id\":\"game_mode\"").expect("the channel");
    let (before, after) = other.split_at(at);
    std::fs::write(&list, [before, &after.replacen("uint8", "uint16", 1)].concat()).expect("a file");
    run_with(&request(folder.path()), None).expect("done");
    assert_eq!(structure(folder.path())["versions"]["data"], 2);
    // Nor is there a list.
    std::fs::remove_file(&list).expect("a file");
    run_with(&request(folder.path()), None).expect("done");
    assert_eq!(structure(folder.path())["versions"]["data"], 2);
    std::fs::write(&list, r#"{"channels": [{"id": "vehicle_speed", "type": "float32"}]}"#).expect("a file");
    let error = run_with(&request(folder.path()), None).expect_err("a reason");
    assert!(error.contains("packet_uid"), "{error}");
}

#[test]
fn nothing_is_written_without_a_yes() {
    for (answer, words) in [
        (None, "run it again with --yes"),
        (Some("no\n"), "nothing was written"),
        (Some(""), "nothing was written"),
    ] {
        let folder = game(3);
        let printed = run_with(&Setup { yes: false, ..request(folder.path()) }, answer).expect("done");
        assert!(printed.contains(words) && printed.contains("\"packet\": \"session_update\""), "{printed}");
        assert_eq!(text(folder.path(), "config.json").as_deref(), Some(CONFIG));
        assert!(
            !folder.path().join("udp").exists()
                && !folder.path().join("config.json.before-trailbrake").exists()
        );
    }
    let folder = game(3);
    run_with(&Setup { yes: false, ..request(folder.path()) }, Some("Yes\n")).expect("done");
    assert_ne!(text(folder.path(), "config.json").as_deref(), Some(CONFIG));
}

#[test]
fn the_game_sends_where_the_driver_says() {
    let folder = game(3);
    let address = Some([192, 168, 1, 9].into());
    run_with(&Setup { address, port: Some(20790), ..request(folder.path()) }, None).expect("done");
    let config = text(folder.path(), "config.json").expect("a file");
    assert_eq!(config.matches("\"ip\": \"192.168.1.9\", \"port\": 20790").count(), 5);
}

#[test]
fn mistakes_are_named_and_nothing_is_written() {
    let folder = game(3);
    let error = run_with(&request(&folder.path().join("elsewhere")), None).expect_err("a reason");
    assert!(error.contains("start EA SPORTS WRC once") && error.contains("--folder"), "{error}");
    std::fs::write(folder.path().join("config.json"), "{ \"schema\": 2, ").expect("a file");
    let error = run_with(&request(folder.path()), None).expect_err("a reason");
    assert!(error.contains("nothing was written") && error.contains("broken"), "{error}");
    assert!(!folder.path().join("udp").exists());
    std::fs::remove_file(folder.path().join("config.json")).expect("a file");
    let error = run_with(&request(folder.path()), None).expect_err("a reason");
    assert!(error.contains("config.json is missing"), "{error}");
    let other = Setup { feed: FeedName(Feed::Forza), ..request(folder.path()) };
    let error = run_with(&other, None).expect_err("a reason");
    assert!(error.contains("own menus") && error.contains("docs/games/forza.md"), "{error}");
}
