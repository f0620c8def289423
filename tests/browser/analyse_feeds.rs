//! A recording of every feed's demo on the Analyse page: the lanes show what was driven, and channels that the game
//! does not send are named and not drawn.

use std::time::{Duration, Instant};

use serde_json::Value;
use trailbrake_shared::analysis::{Comparison, LapColumns, compare};
use trailbrake_shared::feed::Feed;
use trailbrake_shared::model::{Channel, Drawing, Slot};
use trailbrake_shared::plot::{Pyramid, Series, value_at};
use trailbrake_shared::recording::DecodedLap;
use trailbrake_shared::sim::{Options, SPOKEN};
use trailbrake_shared::units::Unit;

use crate::PATIENCE;
use crate::chromium::{Chromium, Window};
use crate::recorded::RecordedRace;
use crate::recording_links::{address, serving, until};
use crate::replay::press;

/// Long enough for two laps of any demo, and for two runs of a stage.
const SECONDS: f64 = 400.0;
/// The default lanes below the delta. Of alternative channels, the first that the game sends is used.
const LANES: [(&str, &[&[Channel]]); 7] = [
    ("Speed", &[&[Channel::Speed]]),
    ("Pedals", &[&[Channel::Throttle], &[Channel::Brake]]),
    ("Gear", &[&[Channel::Gear, Channel::GearNumber]]),
    ("RPM", &[&[Channel::Rpm]]),
    ("Steering", &[&[Channel::Steering, Channel::SteeringAngle, Channel::SteeringLevel]]),
    ("Lateral g", &[&[Channel::GLateral]]),
    ("Long. g", &[&[Channel::GLongitudinal]]),
];
/// Cursor positions, as fractions of the lap.
const PLACES: [f64; 4] = [0.11, 0.37, 0.62, 0.83];
/// Rows further apart than this are not joined, metres.
const BRIDGE_M: f64 = 60.0;

/// The two laps that the page compares, decoded and compared here.
struct Pair {
    laps: [DecodedLap; 2],
    comparison: Comparison,
}

impl Pair {
    /// The laps that an address names.
    fn of(recorded: &RecordedRace, address: &str) -> Self {
        let lap = |key: &str| {
            let (_, rest) = address.split_once(&format!("&{key}=")).unwrap_or_else(|| panic!("{address}"));
            let serial = rest.split('&').next().and_then(|name| name.rsplit('.').next());
            let serial: u32 = serial.and_then(|serial| serial.parse().ok()).expect("a number");
            let row = recorded.laps.iter().find(|row| row.lap.serial == serial).expect("the lap");
            recorded.driven(row)
        };
        let laps = [lap("lap"), lap("reference")];
        let comparison = {
            let [main, reference] = [0, 1].map(|place: usize| columns(&laps[place]));
            compare(&main, &reference).expect("laps of one track")
        };
        Self { laps, comparison }
    }

    fn sends(&self, channel: Channel) -> bool {
        columns(&self.laps[0]).has(channel.slot())
    }

    /// A channel's value in one of the laps at a track position.
    fn value(&self, lap: usize, slot: Slot, place_m: f64) -> Option<f64> {
        let values = columns(&self.laps[lap]).values(slot)?;
        let values: Vec<f32> = values.into_iter().map(|value| value as f32).collect();
        let x = self.comparison.placed[lap].distance_m.as_slice();
        let series = Series { x, y: values.as_slice(), extents: &Pyramid::over(&values) };
        value_at(&series, place_m, BRIDGE_M, slot.channel().drawing())
    }

    /// The expected rows of a lane's gutter: main lap, reference, and the difference for a single channel without
    /// steps.
    fn rows(&self, channels: &[Channel], place_m: f64) -> Vec<Vec<Option<f64>>> {
        let unit = channels[0].unit();
        let shown = |value: Option<f64>| value.map(|value| unit.shown().value(value));
        let value = |lap, channel: &Channel| shown(self.value(lap, channel.slot(), place_m));
        let row = |lap| channels.iter().map(|channel| value(lap, channel)).collect();
        let mut rows: Vec<Vec<Option<f64>>> = vec![row(0), row(1)];
        if let [channel] = channels
            && channel.drawing() != Drawing::Step
        {
            let [main, reference] = [0, 1].map(|lap: usize| rows[lap][0]);
            rows.push(vec![main.zip(reference).map(|(main, reference)| main - reference)]);
        }
        rows
    }
}

fn columns(lap: &DecodedLap) -> LapColumns<'_> {
    LapColumns::new(&lap.lap, &lap.columns)
}

/// The values that the page shows for a lane at the cursor, row by row; `None` for a dash.
async fn values_shown(chromium: &Chromium, lane: &str) -> Vec<Vec<Option<f64>>> {
    let rows = format!(
        "return [...document.querySelectorAll('#values [data-lane=\"{lane}\"] span')].map(row => row.textContent)"
    );
    let rows: Vec<String> = serde_json::from_value(chromium.ask(&rows).await).expect("rows");
    let number = |text: &str| -> Option<f64> {
        let plain: String = text.chars().filter(|letter| *letter != '\u{202f}').collect();
        plain.replace('−', "-").trim_start_matches('+').parse().ok()
    };
    rows.iter().map(|row| row.split(" · ").map(number).collect()).collect()
}

/// Whether the page shows the expected values, to the last decimal shown.
fn agree(shown: &[Vec<Option<f64>>], expected: &[Vec<Option<f64>>], unit: Unit) -> bool {
    // Half a unit of the last decimal, plus what the address rounds off the cursor's position.
    let least = 0.7 * 0.1_f64.powi(unit.shown().decimals as i32);
    let near = |shown: &Option<f64>, expected: &Option<f64>| match (shown, expected) {
        (Some(shown), Some(expected)) => (shown - expected).abs() <= least,
        (None, None) => true,
        _ => false,
    };
    shown.len() == expected.len()
        && shown.iter().zip(expected).all(|(shown, expected)| {
            shown.len() == expected.len()
                && shown.iter().zip(expected).all(|(shown, expected)| near(shown, expected))
        })
}

/// Opens a feed's recording, and checks every lane at several positions.
async fn check(feed: Feed) {
    let browser = Chromium::open(Window::ALL[0]).await;
    let chromium = &browser;
    let options = Options { cars: 3, player: 1, seed: 12, ..Options::default() };
    let recorded = RecordedRace::show(&format!("lanes-{}", feed.id()), feed, SECONDS, options);
    assert!(recorded.laps.len() >= 2, "{feed:?}: {} laps", recorded.laps.len());
    let program = serving(&recorded);
    let link = format!("{}/#/analyse?recording={}", program.url, recorded.id);
    chromium.client.goto(&link).await.expect("the page");
    until(chromium, "document.querySelector('[data-figure=apart]')").await;
    chromium.ask("document.querySelector('#lap-list .main [data-testid=lap]').click()").await;
    until(chromium, "location.hash.includes('&reference=')").await;
    let chosen = address(chromium).await;
    let pair = Pair::of(&recorded, &chosen);

    let missing = chromium.text("#missing").await;
    let mut expected = 0;
    for (lane, wanted) in LANES {
        let of = |some: &&[Channel]| some.iter().copied().find(|channel| pair.sends(*channel));
        let channels: Vec<Channel> = wanted.iter().filter_map(of).collect();
        assert_eq!(missing.contains(lane), channels.is_empty(), "{feed:?}, {lane}: {missing:?}");
        if channels.is_empty() {
            assert!(values_shown(chromium, lane).await.is_empty(), "{feed:?}, {lane}");
            continue;
        }
        expected += 1;
        let mut seen: Vec<f64> = Vec::new();
        for share in PLACES {
            let place_m = (share * pair.comparison.length_m * 1e3).round() / 1e3;
            chromium.ask(&format!("location.hash = '{chosen}&cursor={place_m}'")).await;
            let expected = pair.rows(&channels, place_m);
            seen.extend(expected.iter().take(1).flatten().flatten());
            let began = Instant::now();
            loop {
                let shown = values_shown(chromium, lane).await;
                if agree(&shown, &expected, channels[0].unit()) {
                    break;
                }
                let waited = began.elapsed();
                assert!(waited < PATIENCE, "{feed:?}, {lane} at {place_m} m: {shown:?} and not {expected:?}");
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        }
        // The status bar also shows the position from the address.
        let last = chromium.ask("return location.hash.split('cursor=')[1]").await;
        let last: f64 = last.as_str().and_then(|last| last.parse().ok()).expect("a place");
        chromium.until("#foot [data-figure=cursor]", |text| text == format!("{last:.1} m")).await;
        let lowest = seen.iter().copied().fold(f64::INFINITY, f64::min);
        let highest = seen.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        assert!(highest > lowest, "{feed:?}, {lane} says nothing: {seen:?}");
    }
    assert!(expected >= 1, "{feed:?} shows no lane");
    chromium.picture(&format!("analyse-{}", feed.id())).await;
    // Lines are drawn: as a data URL, an empty canvas of this size is a tenth as long.
    until(chromium, "document.querySelectorAll('#lanes canvas')[1].toDataURL().length > 20000").await;
    chromium.check_clean().await;
    assert_eq!(
        chromium.ask("return document.querySelectorAll('#note p').length").await,
        Value::from(0),
        "{feed:?}"
    );
    if matches!(feed, Feed::DirtRally | Feed::EaWrc) {
        jumps(chromium).await;
        runs(chromium).await;
    }
    // Leave the page before its relay ends here, or it reports the lost connection.
    chromium.client.goto("about:blank").await.expect("nothing");
    drop(program);
    browser.close().await;
}

/// The key for the next corner also stops at jumps, and the status bar describes the event.
async fn jumps(chromium: &Chromium) {
    press(chromium, "Home").await;
    let mut events = Vec::new();
    for _ in 0..60 {
        press(chromium, "]").await;
        let event =
            chromium.ask("return document.querySelector('#foot [data-figure=event]').textContent").await;
        events.extend(event.as_str().filter(|words| !words.is_empty()).map(str::to_owned));
    }
    assert!(events.iter().any(|words| words.starts_with("Jump: ")), "{events:?}");
}

/// The panels number the runs of a stage as the list does, though the game calls each of them the first.
async fn runs(chromium: &Chromium) {
    chromium.ask("document.querySelector('[data-testid=tab-splits]').click()").await;
    const RUNS: &str = "[...document.querySelectorAll('[data-testid=panel] th[scope=row]')]
        .map(head => head.innerText).filter(words => words.startsWith('run ')).join()";
    until(chromium, RUNS).await;
    const LISTED: &str = "return [...document.querySelectorAll('#lap-list [data-lap]')]
        .map(row => `run ${row.dataset.lap}`).reverse().join()";
    let (expected, listed) = (chromium.ask(&format!("return {RUNS}")).await, chromium.ask(LISTED).await);
    assert_eq!(expected, listed);
    assert!(listed.as_str().is_some_and(|runs| runs.starts_with("run 1,run 2")), "{listed}");
}

macro_rules! feeds {
    ($($name:ident: $feed:ident),* $(,)?) => {
        /// A test of its own for each feed.
        const TESTED: &[Feed] = &[$(Feed::$feed),*];
        $(
            #[tokio::test]
            #[ignore = "needs a browser: run cargo xtask test"]
            async fn $name() {
                check(Feed::$feed).await;
            }
        )*
    };
}

feeds! {
    the_lanes_show_what_was_driven_in_f1_2018: F1,
    the_lanes_show_what_was_driven_in_gran_turismo: GranTurismo,
    the_lanes_show_what_was_driven_in_dirt_rally: DirtRally,
    the_lanes_show_what_was_driven_in_forza: Forza,
    the_lanes_show_what_was_driven_in_ea_wrc: EaWrc,
    the_lanes_show_what_was_driven_in_ac_remote: AcRemote,
    the_lanes_show_what_was_driven_in_ac_telemetry_tool: AcTelemetryTool,
    the_lanes_show_what_was_driven_in_ac_lua: AcLua,
    the_lanes_show_what_was_driven_in_ac_server: AcServer,
}

#[test]
fn the_lanes_of_every_demo_are_tested() {
    assert_eq!(SPOKEN.len(), TESTED.len());
    assert!(SPOKEN.iter().all(|feed| TESTED.contains(feed)), "{SPOKEN:?}");
}
