//! Coaching tasks over HTTP: set, changed, continued in another recording and deleted.

use serde_json::{Value, json};
use trailbrake_shared::library::Details;
use trailbrake_shared::recording::Task;

use crate::library::{path, put, recording};
use crate::recording::recording_into;
use crate::running::{Answer, send};

pub(crate) fn new_task(laps: u32) -> Vec<u8> {
    let corner = json!({ "number": 5, "apex_m": 900.0, "from_m": 700.0, "to_m": 1100.0 });
    let target = json!({ "measure": "brake-point", "goal": 805.0, "tolerance": 4.0, "aim": "exact" });
    let mean = |mean: f64| json!({ "laps": 8, "mean": mean, "deviation": 0.07 });
    let baseline = json!({ "time_s": mean(8.0), "value": mean(800.0), "mistakes": 0 });
    json!({
        "author": "Ann", "track": "Spa", "corner": corner, "words": "Brake at the 100 board",
        "target": target, "laps": laps, "baseline": baseline,
    })
    .to_string()
    .into_bytes()
}

/// The tasks in a response, by name.
fn tasks(answer: &Answer) -> Vec<(String, Task)> {
    assert_eq!(answer.status, 200, "{}", answer.text());
    let facts = answer.json::<Details>().facts.into_iter().filter(|(name, _)| name.starts_with("task/"));
    facts.map(|(name, fact)| (name, serde_json::from_value(fact).expect("a task"))).collect()
}

#[tokio::test]
async fn a_task_is_set_changed_continued_and_deleted() {
    let folder = tempfile::tempdir().expect("a folder");
    put(folder.path(), "one", &recording(1, 3.0));
    put(folder.path(), "two", &recording(2, 3.0));
    let relay = recording_into(folder.path(), &[]);
    let address = relay.report.http;
    let refused = send(address, "POST", &path(1, "/tasks"), &new_task(0)).await;
    assert_eq!(refused.status, 400, "{}", refused.text());

    let set = tasks(&send(address, "POST", &path(1, "/tasks"), &new_task(12)).await);
    let [(name, task)] = &set[..] else { panic!("{set:?}") };
    assert_eq!((task.brief.words.as_str(), task.brief.laps), ("Brake at the 100 board", 12));
    let place = path(1, &format!("/tasks/{}", name.replace('/', "%2F")));
    let changed = tasks(&send(address, "PATCH", &place, br#"{"done":true}"#).await);
    assert_eq!(serde_json::to_value(&changed[0].1).expect("JSON")["done"], Value::from(true));

    // The next recording goes on with it, under the same name.
    let body = serde_json::to_vec(task).expect("JSON");
    let continued = tasks(&send(address, "PUT", &path(2, "/tasks"), &body).await);
    assert_eq!(continued, set);

    assert!(tasks(&send(address, "DELETE", &place, b"").await).is_empty());
    let twice = send(address, "DELETE", &place, b"").await;
    assert_eq!(twice.status, 404, "{}", twice.text());
    let unknown = send(address, "PATCH", &path(1, "/tasks/labels"), br#"{"laps":3}"#).await;
    assert_eq!(unknown.status, 404, "{}", unknown.text());
    relay.stop().await;
}
