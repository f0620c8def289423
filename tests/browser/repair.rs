//! Damaged recordings: the page says what is wrong, repairs them, and deletes those that hold nothing.

use fantoccini::Locator;
use serde_json::json;
use trailbrake_shared::recording::{Opening, Packet, read_whole};

use crate::chromium::{Chromium, Window};
use crate::library::{Folder, cells, click, listed, pictures, press, until};
use crate::recorded::{Race, shortest};

/// All packets of a recording, and the number of gaps between them.
fn left(bytes: &[u8]) -> (Vec<Packet>, usize) {
    let mut opening = Opening::new(bytes.len() as u64);
    read_whole(&mut opening, bytes);
    let mut packets = opening.finish().expect("a recording").all_packets();
    read_whole(&mut packets, bytes);
    let gaps = packets.gaps().len();
    (packets.take(), gaps)
}

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn what_is_damaged_is_repaired_or_goes() {
    let folder = Folder::new("damaged");
    let race = Race::drive(0xe, 0, 240.0);
    let (all, _) = left(&race.bytes);
    // The last tenth of the file is missing, and one bit in the middle is flipped.
    let mut damaged = race.bytes[..race.bytes.len() * 9 / 10].to_vec();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 0x20;
    folder.put("damaged", &damaged);
    folder.put("holiday", &[0xff; 4000]);
    folder.put("named", &shortest(7, "Spa, wet"));
    let program = folder.program();
    let chromium = Chromium::open(Window::ALL[0]).await;
    chromium.client.goto(&format!("{}/#/library", program.url)).await.expect("the page");
    listed(&chromium, 3).await;

    // The row says what is wrong, and its details offer what can be done.
    let row = "[data-testid='row'][data-of='damaged.trailbrake.mcap']";
    let fault = chromium.until(row, |text| text.contains("damaged")).await;
    assert!(fault.contains("was not finished, or its end is damaged"), "{fault}");
    click(&chromium, row).await;
    let why = chromium.until("[data-figure='broken']", |text| !text.is_empty()).await;
    assert!(why.ends_with("it has to be searched from its beginning."), "{why}");
    let actions = chromium.text("#actions").await;
    assert!(actions.contains("Repair") && actions.contains("Delete"), "{actions}");
    pictures(&chromium, "damaged").await;

    // The file now holds the saved packets, and a copy of the damaged file stays.
    click(&chromium, "[data-testid='repair']").await;
    let outcome = chromium.until("[data-figure='repaired']", |text| text.contains("Saved: ")).await;
    let whole = std::fs::read(folder.0.join("damaged.trailbrake.mcap")).expect("the file");
    let (packets, _) = left(&whole);
    assert!(packets.len() < all.len() && packets.len() > all.len() / 2, "{}", packets.len());
    let figures: String = outcome.chars().filter(|letter| *letter != '\u{202f}').collect();
    assert!(figures.contains(&format!("Saved: {} packets, with 1 gap.", packets.len())), "{outcome}");
    let end = packets.last().expect("a packet").number + 1;
    assert!(figures.contains(&format!("({} packets), in lap ", end - packets.len() as u64)), "{outcome}");
    assert!(outcome.contains("damaged.trailbrake.mcap.broken"), "{outcome}");
    let kept = std::fs::read(folder.0.join("damaged.trailbrake.mcap.broken")).expect("the file");
    assert!(kept == damaged);
    chromium.until("[data-figure='toast']", |text| text.ends_with("is repaired.")).await;
    chromium.until("[data-figure='facts']", |text| text.contains("the tests")).await;
    let laps = "return document.querySelectorAll('#laps tbody tr').length > 1";
    until(&chromium, laps, json!(true)).await;
    assert_eq!(cells(&chromium, "length").await.len(), 2, "it is listed as whole");
    pictures(&chromium, "repaired").await;

    // Its ticked laps can't be combined with another recording's: opening that one clears the ticks.
    click(&chromium, "#laps tbody tr:nth-child(1) input").await;
    chromium.until("[data-figure='export']", |text| text.contains("1 lap selected")).await;
    click(&chromium, "#seen .row:not(.cursor) .col-date").await;
    chromium.until("[data-figure='toast']", |text| text.contains("no longer ticked")).await;

    // A file without any packets stays unchanged, says so, and can be deleted and restored.
    let row = "[data-testid='row'][data-of='holiday.trailbrake.mcap']";
    click(&chromium, row).await;
    click(&chromium, "[data-testid='repair']").await;
    let why = chromium.until("[data-figure='job']", |text| text.contains("Nothing in it can be read")).await;
    assert!(why.starts_with("holiday.trailbrake.mcap") && why.contains("It stays as it is."), "{why}");
    click(&chromium, "[data-testid='cancel-job']").await;
    click(&chromium, "[data-testid='delete']").await;
    chromium.until("[data-figure='toast']", |text| text.contains("moved to bin.")).await;
    listed(&chromium, 2).await;
    click(&chromium, "[data-testid='undo']").await;
    listed(&chromium, 3).await;
    click(&chromium, row).await;
    press(&chromium, "Delete").await;
    listed(&chromium, 2).await;
    click(&chromium, "[data-testid='bin']").await;
    listed(&chromium, 1).await;
    click(&chromium, row).await;
    chromium.until("#title", |text| text == "holiday.trailbrake.mcap").await;
    chromium.picture("library-damaged-bin").await;
    click(&chromium, "[data-testid='restore']").await;
    listed(&chromium, 0).await;
    click(&chromium, "[data-testid='leave-bin']").await;
    listed(&chromium, 3).await;
    let back = std::fs::read(folder.0.join("holiday.trailbrake.mcap")).expect("the file");
    assert_eq!(back, [0xff; 4000]);
    assert!(chromium.client.find(Locator::Css(row)).await.is_ok());
    // The relay answers 422 when nothing could be saved.
    chromium.check_clean_but(&["422"]).await;
    chromium.close().await;
}
