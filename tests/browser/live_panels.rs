//! The Live page of every feed's demo: panels that the game can't fill are not there, and the others fill the page.

use std::time::Duration;

use crate::chromium::{Chromium, Window};
use crate::program::Program;

/// Each demo, and its panels in the page's order.
const DEMOS: [(&str, &str); 7] = [
    ("f1-2018", "dash trace braking tyres track laps timing events"),
    ("gran-turismo", "dash trace braking tyres track laps events"),
    ("dirt-rally", "dash trace braking track laps events"),
    ("ac-remote", "dash trace braking tyres track laps events"),
    ("ac-telemetry-tool", "dash trace braking tyres track laps timing events"),
    ("ac-lua", "dash trace braking tyres track laps events"),
    ("ac-server", "dash track laps timing events"),
];

/// The panels, and the share of the dashboard that they fill together.
const PANELS: &str = "
    const area = (element) => {
        const { width, height } = element.getBoundingClientRect();
        return width * height;
    };
    const dashboard = document.querySelector('.dashboard');
    const panels = [...dashboard.querySelectorAll('.panel')];
    const filled = panels.map(area).reduce((one, other) => one + other, 0) / area(dashboard);
    return panels.map((panel) => panel.classList[1]).join(' ') + ' ' + Math.round(100 * filled);";

#[tokio::test]
#[ignore = "needs a browser: run cargo xtask test"]
async fn panels_that_a_game_cannot_fill_leave_their_room_to_the_others() {
    let program = Program::start(&[]);
    let chromium = Chromium::open(Window::ALL[0]).await;
    let mut wrong = Vec::new();
    for (demo, expected) in DEMOS {
        chromium.client.goto("about:blank").await.expect("an empty page");
        let url = format!("{}/#/live?demo={demo}&seed=3&speed=8", program.url);
        chromium.client.goto(&url).await.expect("the page");
        chromium
            .until("[data-figure='speed']", |text| text.parse::<u32>().is_ok_and(|speed| speed > 50))
            .await;
        tokio::time::sleep(Duration::from_secs(3)).await;
        for window in Window::ALL {
            chromium.look(window).await;
            tokio::time::sleep(Duration::from_millis(500)).await;
            let panels = chromium.ask(PANELS).await.as_str().unwrap_or_default().to_owned();
            let (names, filled) = panels.rsplit_once(' ').expect("names and a share");
            let is_filled = filled.parse::<u32>().is_ok_and(|percent| (97..=100).contains(&percent));
            if names != expected || !is_filled {
                wrong.push(format!("{demo} at {}: {panels}", window.width));
            }
            let text = chromium.text(".dashboard").await;
            assert!(!text.contains("Not available"), "{demo}: {text}");
            chromium.picture(&format!("live-{demo}-{}-{}", window.width, window.theme)).await;
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
