//! The report printed from the page has the same words and numbers as `trailbrake report` for the same laps.

use crate::analyse::{choose, recorded};
use crate::chromium::{Chromium, Window};
use crate::program::{Program, command};
use crate::recorded::RecordedRace;
use crate::recording_links::{serving, until};
use crate::replay::drop_file;

/// Every piece of text in an SVG, in order.
fn texts(svg: &str) -> Vec<String> {
    let pieces = svg.split("<text").skip(1).filter_map(|piece| {
        let (_, rest) = piece.split_once('>')?;
        rest.split_once("</text>").map(|(words, _)| words.trim().to_owned())
    });
    pieces.collect()
}

/// The texts of the report that `trailbrake report` writes.
fn written(recorded: &RecordedRace, lap: u32, reference: u32) -> Vec<String> {
    let out = recorded.folder().join("report.svg");
    let mut command = command("report");
    command.arg(&recorded.file).arg("--out").arg(&out);
    command.args(["--lap", &lap.to_string(), "--reference", &reference.to_string()]);
    let answer = command.output().expect("an answer");
    assert!(answer.status.success(), "{}", String::from_utf8_lossy(&answer.stderr));
    texts(&std::fs::read_to_string(out).expect("a report"))
}

/// The texts of the page's report, once it is ready.
async fn shown(chromium: &Chromium) -> Vec<String> {
    chromium.ask("document.querySelector('[data-testid=report]').click()").await;
    until(
        chromium,
        "document.querySelector('img.paper')?.complete && document.querySelector('img.paper').naturalWidth > 0",
    )
    .await;
    let svg = chromium
        .ask("return decodeURIComponent(document.querySelector('img.paper').src.split(',')[1])")
        .await;
    texts(svg.as_str().expect("a picture"))
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn the_page_prints_what_the_command_line_prints() {
    let recorded = recorded("printed");
    let program = serving(&recorded);
    let chromium = Chromium::open(Window::ALL[0]).await;
    let link = format!("{}/#/analyse?recording={}", program.url, recorded.id);
    chromium.client.goto(&link).await.expect("the page");
    until(&chromium, "document.querySelector('[data-figure=apart]')").await;
    choose(&chromium, 2, 3).await;
    let watch = "window.said = []; new MutationObserver(() => said.push(
        document.querySelector('[role=dialog] [role=status]')?.textContent ?? ''))
        .observe(document.body, { childList: true, subtree: true, characterData: true })";
    chromium.ask(watch).await;
    let (shown, written) = (shown(&chromium).await, written(&recorded, 2, 3));
    // It shows its progress meanwhile.
    let progress = chromium.ask("return said.join('|')").await;
    let progress = progress.as_str().expect("words");
    assert!(progress.contains("reading lap 1 of") && progress.contains("comparing lap"), "{progress}");
    // Mini-sectors divide the sectors further: their best can't be slower than the best sectors of the same laps.
    let theoretical = |name: &str| {
        let title = format!("Theoretical best, {name} (");
        let place = shown
            .iter()
            .position(|words| words.starts_with(&title))
            .unwrap_or_else(|| panic!("{title}: {shown:?}"));
        shown[place + 1].replace(':', "0").parse::<f64>().expect("a time")
    };
    assert!(theoretical("mini-sectors") <= theoretical("sectors"), "{shown:?}");
    assert!(written.len() > 100 && written.iter().any(|words| words.contains("too early")), "{written:?}");
    assert_eq!(shown, written);
    chromium.picture("report-1400-dark").await;

    // The report can be downloaded, and only the report is printed.
    let taken = chromium
        .ask(
            "return [...document.querySelectorAll('[role=dialog] a[download]')]
        .map(link => [link.download, decodeURIComponent(link.href.split(',').slice(1).join()).slice(0, 15)])",
        )
        .await;
    assert_eq!(
        taken,
        serde_json::json!([["lap-report.svg", "<svg width=\"210"], ["lap-report.html", "<!DOCTYPE html>"]])
    );
    chromium.devtools("Emulation.setEmulatedMedia", serde_json::json!({ "media": "print" })).await;
    let seen = chromium.ask("return [...document.querySelectorAll('body *')]
        .filter(one => one.children.length == 0 && one.getClientRects().length > 0).map(one => one.id || one.className)").await;
    assert_eq!(seen, serde_json::json!(["paper"]), "on paper");
    chromium.devtools("Emulation.setEmulatedMedia", serde_json::json!({ "media": "" })).await;
    chromium.look(Window { width: 390, height: 844, theme: "dark" }).await;
    chromium.picture("report-390-dark").await;
    chromium.check_clean().await;
    chromium.close().await;
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn a_dropped_recording_is_printed_too() {
    let recorded = recorded("printed-alone");
    let program = Program::start(&[]);
    let chromium = Chromium::open(Window::ALL[0]).await;
    chromium.client.goto(&format!("{}/#/analyse", program.url)).await.expect("the page");
    chromium.until("#nothing b", |text| text == "No laps yet").await;
    let bytes = std::fs::read(&recorded.file).expect("the file");
    drop_file(&chromium, "coach.trailbrake.mcap", &bytes).await;
    until(&chromium, "document.querySelector('[data-figure=apart]')").await;
    choose(&chromium, 3, 2).await;
    assert_eq!(shown(&chromium).await, written(&recorded, 3, 2));
    chromium.check_clean().await;
    chromium.close().await;
}
