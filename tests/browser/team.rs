//! A team's hub: the overview of its rigs, and a rig's page there, which shows what the rig's own page shows. The hub's
//! server and its store are lost meanwhile.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use trailbrake_isolation::free_port;
use trailbrake_shared::time::LapTime;

use crate::PATIENCE;
use crate::chromium::{Chromium, Window};
use crate::library::{Folder, click};
use crate::program::{Program, command};
use crate::recording_links::until;

/// How many laps are finished before a page at the hub joins.
const LAPS: usize = 2;

/// The finished laps that a page lists, earliest first.
const SHOWN: &str = "return [...document.querySelectorAll('.laps [data-lap][data-time]')].map(row => row.innerText).reverse()";

/// A child process that ends with the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A hub's folder, its server and its page.
pub(crate) struct Team {
    folder: Folder,
    port: u16,
    server: Option<Running>,
    _serving: Running,
    pub(crate) url: String,
}

fn printed(arguments: &[&str]) -> String {
    let output = command("team").args(arguments).output().expect("the program runs");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

fn start_server(hub: &Path, port: u16) -> Running {
    let named = std::env::var_os("TRAILBRAKE_NATS_SERVERS").expect("a server: run cargo xtask test");
    let program = std::env::split_paths(&named).next().expect("a server");
    let mut server = Command::new(program);
    server.args(["--config", "nats.conf"]).current_dir(hub).stdout(Stdio::null()).stderr(Stdio::null());
    let server = Running(server.spawn().expect("a server"));
    let began = Instant::now();
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        assert!(began.elapsed() < PATIENCE, "the server does not answer");
        std::thread::sleep(Duration::from_millis(20));
    }
    server
}

impl Team {
    /// A team with these rigs.
    pub(crate) fn new(rigs: &[&str]) -> Self {
        let (folder, port) = (Folder::new("team"), free_port());
        let hub = folder.0.join("hub");
        let dir = hub.to_str().expect("text");
        printed(&["init", dir, "--host", &format!("127.0.0.1:{port}"), "--store-gb", "1"]);
        for rig in rigs {
            let invitation = printed(&["add", rig, dir]);
            fs::write(folder.0.join(format!("{rig}.team")), invitation).expect("a file");
        }
        let server = Some(start_server(&hub, port));
        let mut serving = command("team");
        serving.args(["serve", dir, "--http", "127.0.0.1:0"]).stdout(Stdio::piped());
        let mut serving = serving.spawn().expect("the program runs");
        let mut lines =
            BufReader::new(serving.stdout.take().expect("its output")).lines().map_while(Result::ok);
        let line = lines.find(|line| line.contains("http://")).expect("an address");
        let url = line.split_whitespace().last().expect("an address").to_owned();
        // A full pipe would block the program.
        std::thread::spawn(move || lines.for_each(drop));
        Self { folder, port, server, _serving: Running(serving), url }
    }

    fn hub(&self) -> PathBuf {
        self.folder.0.join("hub")
    }

    fn library(&self, rig: &str) -> PathBuf {
        self.folder.0.join(rig)
    }

    /// A rig that records what games send.
    pub(crate) fn rig(&self, rig: &str, games: &[&str]) -> Program {
        let (library, invitation) = (self.library(rig), self.folder.0.join(format!("{rig}.team")));
        let own =
            ["--recordings", library.to_str().expect("text"), "--team", invitation.to_str().expect("text")];
        Program::recording(&[games, &own].concat())
    }

    /// Another rig drives where anna did, and its laps are compared with hers on one page.
    async fn compare_rigs(&self, hub: &Chromium) {
        let emma = self
            .rig("emma", &["--demo", "f1-2018", "--demo-seed", "5", "--record-demo", "--demo-speed", "6"]);
        hub.client.goto("about:blank").await.expect("nothing");
        hub.client.goto(&self.url).await.expect("the page");
        until(hub, "document.querySelector('[data-rig=emma] .best')?.innerText.startsWith('1:')").await;
        assert!(emma.interrupt());
        let idle = self.rig("emma", &[]);
        self.is_equal("emma");
        drop(idle);

        click(hub, "[data-testid=all-rigs]").await;
        until(hub, "document.querySelector('[data-testid=rig]')?.innerText == 'All rigs'").await;
        let listed = "['anna', 'bob', 'cleo', 'emma'].every(rig =>
            document.querySelector('.list')?.innerText.includes(rig))";
        until(hub, listed).await;
        hub.picture("team-laps").await;
        let best = |entry: &Value| entry["best"].as_u64().expect("a lap");
        let mut driven = all_recordings(hub).await;
        driven.retain(|entry| ["anna", "emma"].iter().any(|rig| entry["rig"] == *rig));
        driven.sort_by_key(best);
        let [quicker, slower] = &driven[..] else { panic!("{driven:?}") };
        // The best lap of all rigs is one click away.
        let slower = slower["id"].as_str().expect("an id");
        hub.client.goto("about:blank").await.expect("nothing");
        hub.client.goto(&format!("{}?rig=-#/analyse?recording={slower}", self.url)).await.expect("the page");
        // A window of this width has no room for the list beside a comparison, so a click opens it.
        until(hub, "document.querySelector('.analyse:not([data-empty]) [data-testid=fold-laps]')").await;
        click(hub, "[data-testid=fold-laps]").await;
        let row = "document.querySelector('#lap-list [data-figure=all-time-best]')?.textContent";
        let time = LapTime(u32::try_from(best(quicker)).expect("a time")).to_string();
        until(hub, &format!("{row}?.includes('{time}')")).await;
        click(hub, "#lap-list [data-testid=all-time-best]").await;
        until(hub, &format!("document.querySelector(\".chip[data-place='1'] b\")?.innerText == '{time}'"))
            .await;
        until(
            hub,
            "document.querySelector('[data-figure=method]')?.innerText.startsWith('aligned by position')",
        )
        .await;
        hub.picture("team-compare").await;
    }

    /// Kills the server, deletes its store, and starts it again.
    fn lose_store(&mut self) {
        drop(self.server.take());
        fs::remove_dir_all(self.hub().join("store-nats")).expect("a store");
        self.server = Some(start_server(&self.hub(), self.port));
    }

    /// Waits until the hub has every recording of a rig, byte for byte.
    fn is_equal(&self, rig: &str) {
        let began = Instant::now();
        let (library, hub) = (self.library(rig), self.hub());
        loop {
            let arguments = ["verify", library.to_str().expect("text"), hub.to_str().expect("text")];
            let output = command("team").args(arguments).output().expect("the program runs");
            let words = String::from_utf8(output.stdout).expect("text");
            if words.ends_with("equal, 0 not\n") && !words.starts_with('0') {
                return;
            }
            assert!(began.elapsed() < PATIENCE, "{rig}: {words}");
            std::thread::sleep(Duration::from_millis(200));
        }
    }
}

/// What the hub says of all rigs' recordings.
async fn all_recordings(hub: &Chromium) -> Vec<Value> {
    let ask = "const request = new XMLHttpRequest(); request.open('GET', '/rig/-/library', false);
        request.send(); return JSON.parse(request.responseText).recordings";
    hub.ask(ask).await.as_array().expect("recordings").clone()
}

async fn shown(chromium: &Chromium) -> Vec<String> {
    let rows = chromium.ask(SHOWN).await;
    let text = |row: &Value| row.as_str().expect("text").to_owned();
    rows.as_array().expect("rows").iter().map(text).collect()
}

/// The engineer's view has every lap.
async fn show_laps(chromium: &Chromium) {
    click(chromium, "[data-testid=view-engineer]").await;
    until(chromium, "document.querySelector('.laps')").await;
}

/// Waits until a page shows a lap with all laps before it.
async fn wait_for_lap(chromium: &Chromium, lap: usize) {
    for number in 1..=lap {
        until(chromium, &format!("document.querySelector('.laps [data-lap=\"{number}\"][data-time]')")).await;
    }
}

/// Waits until both pages show the same laps, at least so many, and returns how many. Gaps to the best lap change with
/// each lap, so the pages are compared until both were read between two laps.
async fn agree(own: &Chromium, hub: &Chromium, least: usize) -> usize {
    let began = Instant::now();
    loop {
        let (here, there) = (shown(own).await, shown(hub).await);
        if here == there && here.len() >= least {
            return here.len();
        }
        assert!(began.elapsed() < PATIENCE, "{here:?} {there:?}");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

#[tokio::test]
#[ignore = "needs a browser and nats-server: run cargo xtask test"]
async fn a_page_at_the_hub_shows_what_the_rigs_own_page_shows() {
    let mut team = Team::new(&["anna", "bob", "cleo", "dora", "emma"]);
    let driven = ["--record-demo", "--demo-speed", "6"];
    let [anna, bob, cleo] = [("anna", "f1-2018"), ("bob", "gran-turismo"), ("cleo", "dirt-rally")]
        .map(|(rig, demo)| team.rig(rig, &[&["--demo", demo], &driven[..]].concat()));

    let own = Chromium::open(Window::ALL[0]).await;
    own.client.goto(&format!("{}/#/live", anna.url)).await.expect("the page");
    until(&own, "document.querySelector('[data-page]') && !document.querySelector('[data-testid=team]')")
        .await;
    show_laps(&own).await;
    wait_for_lap(&own, LAPS).await;

    let hub = Chromium::open(Window::ALL[2]).await;
    hub.client.goto(&team.url).await.expect("the page");
    until(&hub, "document.querySelectorAll('[data-rig]').length == 5").await;
    let recording =
        "[...document.querySelectorAll('[data-rig] .state')].filter(one => one.innerText != 'Offline')";
    until(&hub, &format!("{recording}.length == 3")).await;
    until(&hub, "document.querySelector('[data-rig=anna] .best').innerText.startsWith('1:')").await;
    assert_eq!(hub.text("[data-rig=dora] .state").await, "Offline");
    assert_eq!(hub.text("[data-testid=rigs-online]").await, "3 of 5 online");
    hub.picture("team").await;
    click(&hub, "[data-testid=sort-state]").await;
    click(&hub, "[data-testid=sort-state]").await;
    until(&hub, "document.querySelector('[data-rig]').dataset.rig == 'dora'").await;
    hub.ask(
        "const search = document.querySelector('[data-testid=search-rigs]');
        search.value = 'anna'; search.dispatchEvent(new Event('input'));",
    )
    .await;
    until(&hub, "document.querySelectorAll('[data-rig]').length == 1").await;
    click(&hub, "[data-rig=anna] th a").await;
    until(&hub, "document.querySelector('[data-testid=rig]')?.innerText == 'anna'").await;
    show_laps(&hub).await;
    wait_for_lap(&hub, LAPS).await;
    let shown = agree(&own, &hub, LAPS).await;
    hub.picture("team-rig").await;

    team.lose_store();
    let next = shown + 1;
    wait_for_lap(&own, next).await;
    wait_for_lap(&hub, next).await;
    // Where packets were lost on the way, the page joins late once more.
    agree(&own, &hub, next).await;
    own.check_clean().await;
    own.close().await;

    for rig in [anna, bob, cleo] {
        assert!(rig.interrupt());
    }
    // What was not sent before the end is sent now.
    let idle = ["anna", "bob", "cleo"].map(|rig| team.rig(rig, &[]));
    ["anna", "bob", "cleo"].into_iter().for_each(|rig| team.is_equal(rig));
    drop(idle);
    // The rig's library at the hub.
    let address = format!("{}?rig=bob#/library", team.url);
    hub.client.goto(&address).await.expect("the page");
    until(&hub, "document.querySelector('.list')?.innerText.includes('Gran Turismo')").await;
    team.compare_rigs(&hub).await;
    hub.check_clean().await;
    hub.close().await;
}
