//! All simulated games at once, faster than real, each recorded and shown: no packet is missing in the files, and neither
//! programs nor pages take more and more memory.
//!
//! Half a minute by default; `cargo xtask soak` runs for half an hour, at whose end memory must not grow any more.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use futures_util::StreamExt;
use trailbrake_shared::recording::Reading;
use trailbrake_shared::sim::SPOKEN;
use trailbrake_shared::wire::{self, ToBrowser};
use trailbrake_tests::recorded::open;

use crate::chromium::{Chromium, Window};
use crate::library::Folder;
use crate::program::Program;

/// The minutes, unless `TRAILBRAKE_SOAK` names another number.
const MINUTES: f64 = 0.5;
/// Times as fast as real.
const SPEED: f64 = 4.0;
/// How many measurements are printed.
const ROWS: u32 = 12;
/// What a program and a page may take more at the end than after three quarters.
const MORE: f64 = 1.05;
/// The folder of the recordings.
const RECORDINGS: &str = "recordings";
/// The lines that a program may write into its log.
const LOG_LINES: usize = 3;
/// A file may take so much of what its packets take.
const MOST_OF_RAW: f64 = 1.25;

/// A program with a simulated game, and what is kept of it.
struct Soaked {
    feed: &'static str,
    program: Program,
    folder: Folder,
    log: PathBuf,
    /// The packets that a WebSocket without a page received.
    received: Arc<AtomicU64>,
}

impl Soaked {
    fn start(feed: &'static str) -> Self {
        let folder = Folder::new(&format!("soak-{feed}"));
        let log = folder.0.join("log.txt");
        let mut command = Command::new(trailbrake_tests::named_file("TRAILBRAKE_BIN"));
        command.stderr(File::create(&log).expect("a log"));
        let recordings = folder.0.join(RECORDINGS);
        let recordings = recordings.to_string_lossy();
        let (demo, speed) = (format!("--demo={feed}"), SPEED.to_string());
        let options = [&demo, "--demo-speed", &speed, "--record-demo", "--recordings", &recordings];
        let program = Program::run_command(command, "127.0.0.1:0", &options);
        let received = Arc::new(AtomicU64::new(0));
        tokio::spawn(receive(format!("{}/live", program.url.replace("http", "ws")), Arc::clone(&received)));
        Self { feed, program, folder, log, received }
    }
}

/// What stands in a folder of recordings.
#[derive(Default)]
struct Recorded {
    packets: u64,
    /// The bytes of these, and of the files.
    raw: u64,
    of_files: u64,
}

impl Recorded {
    /// Reads every recording of a folder. No packet may be missing.
    fn read(folder: &Path) -> Self {
        let mut recorded = Self::default();
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.extension().is_none_or(|ending| ending != "mcap") {
                continue;
            }
            let bytes = fs::read(&path).expect("a recording");
            let mut reading = open(&path, bytes.len() as u64).all_packets();
            let mut next = 0;
            while let Some(range) = reading.needs() {
                reading.give(&bytes[range.start as usize..range.end as usize]);
                for packet in reading.take() {
                    assert_eq!(packet.number, next, "{}: a packet is missing", path.display());
                    next += 1;
                    recorded.raw += packet.bytes.len() as u64;
                }
            }
            assert!(reading.gaps().is_empty() && reading.damaged() == 0, "{}", path.display());
            recorded.packets += next;
            recorded.of_files += bytes.len() as u64;
        }
        recorded
    }
}

/// Reads what a browser would read, and counts the packets.
async fn receive(url: String, received: Arc<AtomicU64>) {
    let (mut socket, _) = tokio_tungstenite::connect_async(url).await.expect("a connection");
    while let Some(Ok(message)) = socket.next().await {
        if let Ok(ToBrowser::Batch(batch)) = wire::decode(&message.into_data()) {
            received.fetch_add(batch.len() as u64, Ordering::Relaxed);
        }
    }
}

/// Memory in bytes: of all programs, and of both pages.
#[derive(Clone, Copy, Debug)]
struct Memory {
    programs: u64,
    pages: u64,
}

impl Memory {
    fn of(soaked: &[Soaked], pages: &[Chromium]) -> Self {
        Self {
            programs: soaked.iter().map(|soaked| soaked.program.resident_bytes()).sum(),
            pages: pages.iter().map(Chromium::page_bytes).sum(),
        }
    }

    fn is_flat(before: u64, end: u64) -> bool {
        // Only Linux reports what a process takes.
        before > 0 && end as f64 <= before as f64 * MORE
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs a browser: run cargo xtask test"]
async fn games_for_a_long_time_lose_no_packet_and_take_no_more_memory() {
    let asked = std::env::var("TRAILBRAKE_SOAK").ok().and_then(|minutes| minutes.parse().ok());
    let minutes: f64 = asked.unwrap_or(MINUTES);
    let soaked: Vec<Soaked> = SPOKEN.iter().map(|feed| Soaked::start(feed.id())).collect();
    let mut pages = Vec::new();
    for place in [0, 1] {
        let page = Chromium::open_alone(Window::ALL[0]).await;
        page.client.goto(&format!("{}/#/live", soaked[place].program.url)).await.expect("the page");
        page.until("[data-figure='speed']", |text| text.parse::<u32>().is_ok_and(|speed| speed > 50)).await;
        pages.push(page);
    }
    let began = Instant::now();
    let mut rows: Vec<Memory> = Vec::new();
    println!("| minutes | programs, MB | pages, MB |\n|---|---|---|");
    for row in 1..=ROWS {
        let due = Duration::from_secs_f64(minutes * 60.0 * f64::from(row) / f64::from(ROWS));
        tokio::time::sleep(due.saturating_sub(began.elapsed())).await;
        let memory = Memory::of(&soaked, &pages);
        let megabytes = |bytes: u64| bytes as f64 / 1e6;
        println!(
            "| {:.1} | {:.0} | {:.0} |",
            due.as_secs_f64() / 60.0,
            megabytes(memory.programs),
            megabytes(memory.pages)
        );
        rows.push(memory);
    }
    for page in pages {
        page.check_clean().await;
        page.close().await;
    }
    println!("\n| game | packets | file, MB | of its packets | lines in the log |\n|---|---|---|---|---|");
    for Soaked { feed, program, folder, log, received } in soaked {
        assert!(program.interrupt(), "{feed}: the program ends well");
        let Recorded { packets, raw, of_files } = Recorded::read(&folder.0.join(RECORDINGS));
        let log = fs::read_to_string(&log).expect("the log");
        let lines = log.lines().count();
        let share = of_files as f64 / raw.max(1) as f64;
        println!("| {feed} | {packets} | {:.1} | {:.0} % | {lines} |", of_files as f64 / 1e6, share * 100.0);
        let received = received.load(Ordering::Relaxed);
        assert!(packets > 0 && received > 0, "{feed}: {packets} packets, {received} received");
        assert!(share < MOST_OF_RAW, "{feed}: {of_files} bytes for {raw}");
        assert!(lines <= LOG_LINES, "{feed} wrote into its log:\n{log}");
    }
    if asked.is_some() {
        let (before, end) = (rows[rows.len() * 3 / 4 - 1], rows[rows.len() - 1]);
        let is_flat =
            Memory::is_flat(before.programs, end.programs) && Memory::is_flat(before.pages, end.pages);
        assert!(is_flat, "{before:?}, then {end:?}");
    }
}
