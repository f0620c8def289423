//! The demo: a simulated race in the page itself. The simulator is a separate WebAssembly module, `bin/demo.rs`, loaded
//! on demand. It produces the same messages as the relay, so the page reads them alike.

use trailbrake_shared::number;
use trailbrake_shared::sim::{DEFAULT_DEMO, DemoGame};
use wasm_bindgen::prelude::*;

use crate::browser::{self, keys};
use crate::route;

/// The maximum speed, as a multiple of real time.
const FASTEST: f64 = 50.0;

/// The latest start, in seconds of the race: more would take long to simulate.
const LATEST_START_S: f64 = 3600.0;

/// The race that an address fragment asks for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Wish {
    pub(crate) game: DemoGame,
    pub(crate) seed: u64,
    /// The speed; 1 is real time.
    pub(crate) speed: f64,
    /// The seconds of the race that are driven at once when it starts.
    pub(crate) from_s: f64,
}

impl Wish {
    /// The fragment that the demo button goes to.
    pub(crate) fn default_fragment() -> String {
        Self::fragment(DEFAULT_DEMO)
    }

    /// The fragment of a game's demo.
    pub(crate) fn fragment(game: DemoGame) -> String {
        format!("#/live?demo={}", game.id)
    }

    /// The race in a fragment, if it names a valid one.
    pub(crate) fn from_hash(hash: &str) -> Option<Self> {
        let value = |key: &str| route::value(hash, key);
        let game = DemoGame::from_id(value("demo")?)?;
        let seed = value("seed").and_then(|seed| seed.parse().ok()).unwrap_or(1);
        let speed = value("speed").and_then(number::read).unwrap_or(1.0);
        let speed = if speed > 0.0 { speed.min(FASTEST) } else { 1.0 };
        let from_s = value("from").and_then(number::read).unwrap_or(0.0);
        let from_s = if from_s > 0.0 { from_s.min(LATEST_START_S) } else { 0.0 };
        Some(Self { game, seed, speed, from_s })
    }
}

/// The longest step of the simulation, in race seconds.
const STEP_S: f64 = 1.0;
/// The interval in race seconds at which the position is stored.
const KEEP_S: f64 = 0.5;

/// A race that runs, or will run once the simulator is loaded.
pub(crate) struct Demo {
    race: Option<Race>,
    wish: Wish,
    /// The time of day at the start of the race, in microseconds.
    began_us: f64,
    /// When the goal was last set, in milliseconds of the page.
    driven_at_ms: f64,
    /// The position that the race should have reached by now, in race seconds.
    goal_s: f64,
    /// The simulated position, in race seconds.
    driven_s: f64,
    /// The last stored position, in race seconds.
    kept_s: f64,
}

/// A race and its position, as the tab stores it for a reload.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Kept {
    game: DemoGame,
    seed: u64,
    began_us: f64,
    driven_s: f64,
}

impl Kept {
    fn read(text: &str) -> Option<Self> {
        let mut words = text.split(' ');
        let game = DemoGame::from_id(words.next()?)?;
        let seed = words.next()?.parse().ok()?;
        let mut number = || number::read(words.next()?).filter(|number| number.is_finite() && *number >= 0.0);
        Some(Self { game, seed, began_us: number()?, driven_s: number()? })
    }

    fn write(&self) -> String {
        let Self { game, seed, began_us, driven_s } = self;
        format!("{} {seed} {began_us:.0} {driven_s:.3}", game.id)
    }
}

#[wasm_bindgen]
extern "C" {
    /// The simulator's module, `bin/demo.rs`.
    pub(crate) type Race;

    /// Loads the module and starts a race.
    #[wasm_bindgen(js_name = startDemo, catch)]
    async fn start_demo(game: &str, seed: u64, began_us: f64) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(method)]
    fn drive(this: &Race, seconds: f64) -> Option<Vec<u8>>;

    #[wasm_bindgen(method)]
    fn obey(this: &Race, message: &[u8]) -> Option<Vec<u8>>;
}

/// Loads the simulator and starts a race at `began_us`, a time of day in microseconds.
pub(crate) async fn load(wish: Wish, began_us: f64) -> Result<Race, String> {
    let started = start_demo(wish.game.id, wish.seed, began_us).await;
    match started {
        Ok(race) if race.is_object() => Ok(race.unchecked_into()),
        _ => Err("The demo can't be loaded. Is Trailbrake still running?".to_owned()),
    }
}

impl Demo {
    /// A race that is not loaded yet. After a reload it continues from its stored position.
    pub(crate) fn waiting(wish: Wish) -> Self {
        let kept = browser::kept_in_tab(keys::DEMO).and_then(|kept| Kept::read(&kept));
        let kept = kept.filter(|kept| (kept.game, kept.seed) == (wish.game, wish.seed));
        Self {
            race: None,
            wish,
            began_us: kept
                .map_or_else(|| js_sys::Date::now() * 1e3 - wish.from_s * 1e6, |kept| kept.began_us),
            driven_at_ms: 0.0,
            goal_s: kept.map_or(wish.from_s, |kept| kept.driven_s),
            driven_s: 0.0,
            kept_s: 0.0,
        }
    }

    /// The time of day at the start of the race, in microseconds.
    pub(crate) fn began_us(&self) -> f64 {
        self.began_us
    }

    /// Removes the stored position, so that the next race starts from the grid.
    pub(crate) fn forget() {
        browser::keep_in_tab(keys::DEMO, None);
    }

    /// Begins the loaded race, unless the driver has asked for a different one since.
    pub(crate) fn begin(&mut self, race: Race, wish: Wish, now_ms: f64) {
        if self.is(wish) {
            (self.race, self.driven_at_ms) = (Some(race), now_ms);
        }
    }

    /// Takes the speed of a wish for the race that already runs. Returns false if the wish is for a different race.
    pub(crate) fn change(&mut self, wish: Wish) -> bool {
        let same = self.is(wish);
        if same {
            self.wish = wish;
        }
        same
    }

    fn is(&self, wish: Wish) -> bool {
        Wish { speed: self.wish.speed, ..wish } == self.wish
    }

    /// Handles a server command, encoded as for the relay. Returns the encoded answer; `None` if there is none, as
    /// before the simulator is loaded.
    pub(crate) fn obey(&self, message: &[u8]) -> Option<Vec<u8>> {
        self.race.as_ref()?.obey(message)
    }

    /// Simulates one step towards now. Returns a message with the packets sent meanwhile, if any, and whether the race
    /// has reached its goal.
    pub(crate) fn drive(&mut self, now_ms: f64) -> (Option<Vec<u8>>, bool) {
        let Some(race) = &self.race else { return (None, true) };
        self.goal_s += (now_ms - self.driven_at_ms) / 1e3 * self.wish.speed;
        self.driven_at_ms = now_ms;
        self.driven_s = self.goal_s.min(self.driven_s + STEP_S);
        let is_there = self.driven_s >= self.goal_s;
        if is_there && self.driven_s - self.kept_s >= KEEP_S {
            self.kept_s = self.driven_s;
            let Wish { game, seed, .. } = self.wish;
            let kept = Kept { game, seed, began_us: self.began_us, driven_s: self.driven_s };
            browser::keep_in_tab(keys::DEMO, Some(&kept.write()));
        }
        (race.drive(self.driven_s), is_there)
    }
}

#[cfg(test)]
mod tests {
    use trailbrake_shared::sim::DEMOS;

    use super::*;

    #[test]
    fn the_button_s_fragment_is_a_race_at_real_speed() {
        let wish = Wish::from_hash(&Wish::default_fragment()).expect("a race");
        assert_eq!(wish, Wish { game: DEFAULT_DEMO, seed: 1, speed: 1.0, from_s: 0.0 });
        for game in DEMOS {
            assert_eq!(Wish::from_hash(&Wish::fragment(game)).map(|wish| wish.game), Some(game));
        }
        let year = |id: &str| Wish::from_hash(&format!("#/live?demo={id}")).and_then(|wish| wish.game.year);
        assert_eq!(["f1-2018", "f1-23", "f1"].map(year), [2018, 2023, 2025].map(Some));
    }

    #[test]
    fn a_fragment_says_seed_and_speed_within_reason() {
        let wish = |hash| Wish::from_hash(hash).expect("a race");
        let game = DemoGame::from_id("f1-2018").expect("a demo");
        assert_eq!(
            wish("#/live?demo=f1-2018&seed=3&speed=12&from=95"),
            Wish { game, seed: 3, speed: 12.0, from_s: 95.0 }
        );
        assert_eq!(wish("#/live?demo=f1-2018&from=1e9").from_s, LATEST_START_S);
        assert_eq!(wish("#/live?demo=f1-2018&from=nan").from_s, 0.0);
        assert_eq!(wish("#/live?speed=999&demo=f1-2018").speed, FASTEST);
        assert_eq!(wish("#/live?demo=f1-2018&speed=-1").speed, 1.0);
        for nothing in ["", "#/live", "#/live?demo=", "#/live?seed=3"] {
            assert_eq!(Wish::from_hash(nothing), None, "{nothing}");
        }
    }

    #[test]
    fn how_far_a_race_is_can_be_kept_and_read() {
        let game = DemoGame::from_id("ac-lua").expect("a demo");
        let kept = Kept { game, seed: 7, began_us: 1_795_271_520_000_000.0, driven_s: 61.25 };
        assert_eq!(kept.write(), "ac-lua 7 1795271520000000 61.250");
        assert_eq!(Kept::read(&kept.write()), Some(kept));
        for nonsense in ["", "ac-lua", "no-feed 7 1 1", "ac-lua 7 1", "ac-lua 7 1 -1", "ac-lua 7 1 inf"] {
            assert_eq!(Kept::read(nonsense), None, "{nonsense}");
        }
    }
}
