//! A coaching task from the corner it is set for to the mark on Live and the laps in the recording.

use crate::chromium::{Chromium, Window};
use crate::program::Program;
use crate::recorded::Folder;
use crate::recording_links::until;
use crate::replay::press as strike;

const TIMED: &str = "[...document.querySelectorAll('#lap-list [data-lap]')].filter(row => row.dataset.time)";

/// The tasks in the recording under way.
const RECORDED: &str =
    "const asked = new XMLHttpRequest(); asked.open('GET', '/library', false); asked.send();
    const id = JSON.parse(asked.responseText).recordings.find(one => one.underway).id;
    asked.open('GET', `/library/${id}`, false); asked.send();
    const facts = JSON.parse(asked.responseText).facts;
    return Object.entries(facts).filter(([name]) => name.startsWith('task/')).map(([, task]) => task)";

/// Collects the marks that Live shows: at this speed each is there for less than a second.
const MARKS: &str = "window.marks = []; new MutationObserver(() => {
    const task = document.querySelector('[data-figure=task][data-mark]');
    if (task) marks.push([task.dataset.mark, task.innerText]);
}).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true })";

/// The parts of the strip that reach out of their room.
const CUT: &str = "const strip = document.querySelector('.strip').getBoundingClientRect();
    return [...document.querySelectorAll('.strip *')].filter((part) => {
        const { top, bottom, right } = part.getBoundingClientRect();
        return top < strip.top - 1 || bottom > strip.bottom + 1 || right > strip.right + 1
            || (part.scrollWidth > part.clientWidth + 1 && part.clientWidth > 0) ;
    }).map((part) => part.outerHTML)";

pub(crate) async fn press(chromium: &Chromium, testid: &str) {
    chromium.ask(&format!("document.querySelector('[data-testid={testid}]').click()")).await;
}

pub(crate) async fn fill(chromium: &Chromium, testid: &str, value: &str) {
    chromium.ask(&format!("document.querySelector('[data-testid={testid}]').value = '{value}'")).await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn a_task_is_set_driven_and_marked() {
    let folder = Folder(std::env::temp_dir().join(format!("trailbrake-tasks-{}", std::process::id())));
    let path = folder.0.to_string_lossy().into_owned();
    let options = [
        "--demo=f1-2018",
        "--demo-seed",
        "3",
        "--demo-speed",
        "8",
        "--demo-from",
        "150",
        "--record-demo",
        "--recordings",
        &path,
    ];
    let program = Program::recording(&options);
    let chromium = Chromium::open(Window::ALL[0]).await;
    chromium.client.goto(&format!("{}/#/analyse", program.url)).await.expect("the page");
    until(&chromium, &format!("{TIMED}.length >= 2")).await;
    chromium.ask(&format!("{TIMED}[0].querySelector('[data-testid=lap]').click()")).await;
    chromium.ask(&format!("{TIMED}[1].querySelector('[data-testid=reference]').click()")).await;
    until(&chromium, "document.querySelector('#corners tr[data-corner]')").await;

    // Set for the corner that the driver brakes for first.
    strike(&chromium, "Home").await;
    strike(&chromium, "]").await;
    until(&chromium, "document.querySelector('[data-testid=set-task]')").await;
    press(&chromium, "set-task").await;
    until(&chromium, "document.querySelector('[data-testid=task-words]')").await;
    assert_eq!(chromium.text("[role=dialog] h2").await.to_lowercase(), "task for t1");
    let now = chromium.text("[data-figure=task-now]").await;
    assert!(now.starts_with("Now ") && now.contains(" m in "), "{now}");
    for window in Window::ALL.into_iter().chain([Window { width: 390, height: 844, theme: "dark" }]) {
        chromium.look(window).await;
        chromium.picture(&format!("task-{}-{}", window.width, window.theme)).await;
        chromium.check_clean().await;
    }
    chromium.look(Window::ALL[0]).await;
    fill(&chromium, "task-words", "").await;
    fill(&chromium, "task-author", "Ann").await;
    press(&chromium, "save-task").await;
    chromium.until("[data-testid=task-trouble]", |text| text == "Say what to do.").await;
    fill(&chromium, "task-words", "Brake at the 100 board").await;
    fill(&chromium, "task-change", "5").await;
    fill(&chromium, "task-laps", "4").await;
    press(&chromium, "save-task").await;
    until(&chromium, "document.querySelectorAll('#tasks [data-testid=task]').length == 1").await;
    let listed = chromium.text("#tasks").await;
    for words in ["T1: Brake at the 100 board", "active · Ann · brake point 5 m later ± 4 m · 4 laps"] {
        assert!(listed.contains(words), "{listed}");
    }
    let tasks = chromium.ask(RECORDED).await;
    assert_eq!(tasks[0]["words"], "Brake at the 100 board", "{tasks}");

    // Live shows the task, and right after the corner whether it was hit.
    press(&chromium, "drive-task").await;
    chromium.until("[data-testid=drive-task]", |text| text == "On Live").await;
    chromium.ask(MARKS).await;
    chromium.ask("location.hash = '#/live'").await;
    chromium.until("[data-figure=task]", |text| text.contains("Brake at the 100 board")).await;
    until(&chromium, "window.marks.length > 0").await;
    let marks = chromium.ask("return window.marks").await;
    let (mark, words) = (marks[0][0].as_str().expect("a mark"), marks[0][1].as_str().expect("words"));
    assert!(["Hit", "Near", "Miss"].contains(&mark) && words.contains(mark), "{marks}");
    chromium.picture("task-live-1400").await;
    until(&chromium, "!document.querySelector('[data-figure=task][data-mark]')").await;
    chromium.until("[data-figure=task]", |text| text.contains(" of ") && text.ends_with("4 wanted")).await;
    // A dot for each pass beside the count: a hit is filled, anything else is a ring.
    let passes = chromium
        .ask(
            "const dots = [...document.querySelectorAll('[data-figure=passes] i')];
             const ground = 'rgba(0, 0, 0, 0)';
             return { count: dots.length, wrong: dots.filter((dot) =>
                (getComputedStyle(dot).backgroundColor !== ground) !== (dot.dataset.mark === 'Hit')).length,
                said: document.querySelector('[data-figure=passes]').getAttribute('aria-label') }",
        )
        .await;
    let count = passes["count"].as_u64().expect("a count");
    assert!((1..=5).contains(&count) && passes["wrong"] == 0, "{passes}");
    assert!(
        passes["said"]
            .as_str()
            .is_some_and(|said| said.contains("hit") || said.contains("miss") || said.contains("near")),
        "{passes}"
    );
    // Nothing of it is cut on a tablet, beside the last corner.
    chromium.look(Window { width: 1024, height: 768, theme: "dark" }).await;
    chromium.until("[data-figure=last-corner]", |text| text.starts_with('T')).await;
    let cut = chromium.ask(CUT).await;
    assert_eq!(cut, serde_json::json!([]), "cut in the strip");
    chromium.picture("task-live-1024").await;

    // The laps are in the recording, and Analyse says how they went.
    let recorded = format!("(() => {{ {RECORDED} }})()[0].driven?.[0].laps.hits != null");
    until(&chromium, &recorded).await;
    chromium.ask("location.hash = '#/analyse'").await;
    until(&chromium, "document.querySelectorAll('#tasks [data-testid=task]').length == 1").await;
    press(&chromium, "finish-task").await;
    until(&chromium, "document.querySelector('#tasks li.done')").await;
    assert_eq!(chromium.ask(RECORDED).await[0]["done"], true);
    chromium.ask("location.hash = '#/live'").await;
    until(
        &chromium,
        "document.querySelector('[data-figure=speed]') && !document.querySelector('[data-figure=task]')",
    )
    .await;
    chromium.check_clean().await;
    chromium.close().await;
}
