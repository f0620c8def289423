//! Sounds and voice: off by default, switched by kind, kept, and played while a demo drives.

use crate::chromium::{Chromium, Window};
use crate::program::Program;
use crate::recording_links::until;

/// Collects what the page says and plays.
const LISTEN: &str = "
    window.said = [];
    window.played = [];
    speechSynthesis.speak = (utterance) => window.said.push(utterance.text);
    AudioBufferSourceNode.prototype.start = function (when) {
        window.played.push([when, this.buffer.duration, this.context.currentTime]);
    };";

async fn switch(chromium: &Chromium, kind: &str, choice: &str) {
    let input = format!("document.querySelector('input[name=\"{kind}\"][value=\"{choice}\"]')");
    until(chromium, &input).await;
    chromium.ask(&format!("{input}.click()")).await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn each_kind_of_sound_is_switched_by_itself() {
    let program = Program::start(&[]);
    let chromium = Chromium::open(Window::ALL[0]).await;
    let settings = format!("{}/#/settings", program.url);
    chromium.client.goto(&settings).await.expect("the page");
    let on = "return document.querySelectorAll('[aria-label=\"Sounds and voice\"] input[value=on]:checked').length";
    until(&chromium, "document.querySelector('[data-testid=try-sounds]')").await;
    assert_eq!(chromium.ask(on).await, 0, "nothing is on by default");
    switch(&chromium, "Lap time and delta", "on").await;
    switch(&chromium, "Countdown to brake points", "on").await;
    switch(&chromium, "Long tone before the brake point", "200").await;
    for window in Window::ALL.into_iter().chain([Window { width: 390, height: 844, theme: "dark" }]) {
        chromium.look(window).await;
        chromium
            .ask("document.querySelector('[data-testid=try-sounds]').scrollIntoView({block: 'end'})")
            .await;
        chromium.picture(&format!("sounds-{}-{}", window.width, window.theme)).await;
    }
    chromium.client.goto("about:blank").await.expect("nothing");
    chromium.client.goto(&settings).await.expect("the page");
    until(&chromium, "document.querySelector('[data-testid=try-sounds]')").await;
    assert_eq!(chromium.ask(on).await, 2, "choices are kept");

    chromium.ask(LISTEN).await;
    chromium.ask("document.querySelector('[data-testid=try-sounds]').click()").await;
    assert_eq!(chromium.ask("return [said.length, played.length]").await.to_string(), "[1,4]");
    chromium.ask(LISTEN).await;
    chromium.ask("location.hash = '#/live?demo=gran-turismo&seed=6&speed=6'").await;
    // Two laps: a lap time after each line, tones before the brake points of the second.
    until(&chromium, "said.some((words) => /^1 minute [0-9.]+, [0-9.]+ (slower|faster)$/.test(words))").await;
    let only_times = chromium.ask("return said.every((words) => words.includes('minute'))").await;
    assert_eq!(only_times, true, "nothing but lap times");
    // Short tones count down to a long one. A page that is late leaves out what is past.
    until(&chromium, "played.filter(([, long]) => long > 0.2).length >= 3").await;
    until(&chromium, "played.filter(([, long]) => long < 0.2).length >= 6").await;
    let late =
        chromium.ask("return played.filter(([when, , now]) => when < now || when > now + 1).length").await;
    assert_eq!(late, 0, "each is scheduled in time");
    chromium.check_clean().await;
    chromium.close().await;
}
