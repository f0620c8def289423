//! Faults at random, for as long as one likes: `cargo xtask team-faults`. Nothing is to be done by hand afterwards.

use std::fs;
use std::time::{Duration, Instant};

use crate::archive::{completes, rig};
use crate::client::seed_of;
use crate::faults::through;
use crate::program::{Hub, Running, servers};
use crate::proxy::Proxy;
use crate::rig::Rig;

/// How long faults are made unless `TRAILBRAKE_TEAM_FAULTS` says otherwise, and the seed unless `TRAILBRAKE_TEAM_SEED`
/// does.
const SECONDS: u64 = 20;
const SEED: u64 = 1;
/// The rigs.
const NAMES: [&str; 3] = ["anna", "bob", "carla"];

/// Numbers that are the same for the same seed.
struct Chance(u64);

impl Chance {
    fn below(&mut self, most: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % most
    }

    fn pause(&mut self, most_ms: u64) {
        std::thread::sleep(Duration::from_millis(200 + self.below(most_ms)));
    }
}

fn number(variable: &str, usual: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// A hub with its archive, and rigs behind links that can be cut.
struct Team {
    hub: Hub,
    program: std::path::PathBuf,
    serve: Option<Running>,
    rigs: Vec<(Rig, Proxy, Option<Running>)>,
    recordings: usize,
}

impl Team {
    fn start(program: &std::path::Path) -> Self {
        let mut hub = Hub::new(&[]);
        let rigs = NAMES.map(|name| {
            let (rig, link) = (rig(&hub, name), Proxy::to(hub.port));
            through(&link, &hub, name);
            let running = rig.start();
            (rig, link, Some(running))
        });
        hub.start(program);
        let serve = Some(hub.serve(None));
        Self { hub, program: program.to_owned(), serve, rigs: rigs.into(), recordings: 0 }
    }

    /// Makes one fault, and returns its name.
    fn fault(&mut self, chance: &mut Chance) -> &'static str {
        let which = chance.below(self.rigs.len() as u64) as usize;
        match chance.below(9) {
            0 => {
                self.hub.kill();
                chance.pause(3000);
                self.hub.start(&self.program);
                "server killed"
            }
            1 => {
                self.hub.kill();
                fs::remove_dir_all(self.hub.path("store-nats")).expect("the store");
                self.hub.start(&self.program);
                "store wiped"
            }
            2 => {
                self.hub.signal("STOP");
                chance.pause(5000);
                self.hub.signal("CONT");
                "server paused"
            }
            3 | 4 => {
                self.serve.take().expect("an archive").kill();
                chance.pause(1000);
                self.serve = Some(self.hub.serve(None));
                "archive killed"
            }
            5 => {
                let (rig, _, running) = &mut self.rigs[which];
                running.take().expect("a rig").kill();
                *running = Some(rig.start());
                "rig killed"
            }
            6 => {
                self.rigs[which].1.cut();
                chance.pause(3000);
                self.rigs[which].1.open();
                "link cut"
            }
            7 => {
                self.rigs[which].1.silence();
                chance.pause(5000);
                self.rigs[which].1.open();
                "link silent"
            }
            _ => {
                self.forge(which);
                "messages forged"
            }
        }
    }

    /// A rig's key sends garbage, also in the names of recordings under way.
    fn forge(&self, which: usize) {
        let name = NAMES[which];
        let seed = seed_of(&self.hub.folder.path().join(format!("{name}.team")));
        let url = format!("nats://127.0.0.1:{}", self.hub.port);
        let ids = crate::rig::parts(&crate::archive::archived(&self.hub, name));
        let ids = ids
            .iter()
            .filter_map(|part| part.path.file_name()?.to_str()?.split('.').next().map(str::to_owned));
        let subjects: Vec<String> = ids.map(|id| format!("tb.rec.{name}.{id}")).collect();
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        runtime.block_on(async {
            let options = async_nats::ConnectOptions::with_nkey(seed);
            let Ok(client) = options.connect(url).await else { return };
            for subject in subjects {
                for _ in 0..20 {
                    let reply = format!("tb.rec.{}.{}", NAMES[(which + 1) % 3], "f".repeat(32));
                    // A server that is away takes nothing.
                    let _ = client.publish_with_reply(subject.clone(), reply, vec![9; 500].into()).await;
                }
            }
            let _ = client.flush().await;
        });
    }

    /// Ends all recordings, and waits until the hub has every one.
    fn end(mut self) -> usize {
        for (which, name) in NAMES.into_iter().enumerate() {
            let (rig, _, running) = &mut self.rigs[which];
            running.take().expect("a rig").stop();
            // A short recording that was broken off is repaired or removed at the start.
            let repairing = rig.start_idle();
            let files = crate::program::until(|| {
                let is_over = crate::rig::parts(&rig.library).is_empty();
                is_over.then(|| crate::rig::finished(&rig.library).len())
            });
            repairing.stop();
            completes(&self.hub, name, rig, files);
            self.recordings += files;
        }
        self.recordings
    }
}

#[test]
#[ignore = "needs nats-server: run cargo xtask test"]
fn after_faults_at_random_every_file_is_equal() {
    let (seconds, seed) = (number("TRAILBRAKE_TEAM_FAULTS", SECONDS), number("TRAILBRAKE_TEAM_SEED", SEED));
    for (number, program) in servers().into_iter().enumerate() {
        let mut chance = Chance(seed.wrapping_add(number as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let mut team = Team::start(&program);
        let (begun, mut faults) = (Instant::now(), Vec::new());
        while begun.elapsed() < Duration::from_secs(seconds) {
            chance.pause(2500);
            faults.push(team.fault(&mut chance));
        }
        println!("{}: {} faults: {}", program.display(), faults.len(), faults.join(", "));
        let recordings = team.end();
        println!("{recordings} recordings, all equal");
    }
}
