//! Decides what is announced, and when: never in a corner, and only when there is time before the next brake point.

use trailbrake_analysis::Advice;
use trailbrake_model::units::Units;

use super::{Sounds, words};
use crate::{NextCorner, Session};

/// A voice reads this many characters in a second.
const CHARACTERS_PER_S: f64 = 14.0;
/// A sentence ends at least this long before the next brake point, seconds.
const QUIET_S: f64 = 0.7;
/// Corners that cost less are not worth a sentence, seconds.
const LEAST_S: f64 = 0.03;
/// A corner is named from this long before its brake point on, seconds.
const NAMED_S: f64 = 6.0;

/// The announcements for one driver.
#[derive(Clone, Debug, Default)]
pub struct Announcer {
    /// The serial of the last finished lap. `None` before the first look.
    lap: Option<u32>,
    /// Sentences that wait for a straight.
    lap_words: Option<String>,
    corner_words: Option<String>,
    /// The last corner that was named.
    named: Option<u16>,
    /// Until when the voice is busy, in seconds on the game's clock.
    busy_until_s: f64,
}

impl Announcer {
    /// The sentence to say now. Call it several times a second.
    pub fn follow(&mut self, session: &Session, sounds: Sounds, units: &Units) -> Option<String> {
        self.take_lap(session, sounds, units);
        let comparison = session.live_comparison();
        let reference = comparison.reference();
        let next = reference.and_then(|reference| comparison.corners().next(reference, !session.is_stage()));
        if reference.is_some_and(|reference| comparison.corners().in_corner(reference) == Some(true)) {
            return None;
        }
        let now_s = session.now().seconds();
        // The game's clock was set back.
        if self.busy_until_s > now_s + 60.0 {
            self.busy_until_s = now_s;
        }
        if now_s < self.busy_until_s {
            return None;
        }
        let room_s = match (&next, reference.is_some_and(|reference| reference.corners.is_some())) {
            (Some(next), _) => next.ahead_s - QUIET_S,
            // The place is not known yet, and corners exist.
            (None, true) if !self.is_finished(session) => return None,
            (None, _) => f64::INFINITY,
        };
        let words = [&mut self.lap_words, &mut self.corner_words]
            .into_iter()
            .find_map(|words| words.take_if(|words| spoken_s(words) <= room_s));
        let words = words.or_else(|| self.name(next.as_ref(), sounds, room_s))?;
        self.busy_until_s = now_s + spoken_s(&words);
        Some(words)
    }

    /// Whether a stage has ended: no corner is ahead.
    fn is_finished(&self, session: &Session) -> bool {
        session.is_stage() && session.live_comparison().corners().place_m().is_none()
    }

    /// Prepares the sentences about a lap that ended.
    fn take_lap(&mut self, session: &Session, sounds: Sounds, units: &Units) {
        let Some(car) = session.player().and_then(|player| session.car(player)) else { return };
        let last = car.laps.finished().last();
        let serial = last.map_or(0, |lap| lap.serial);
        // The lap that ended before the page was opened is old news.
        let before = *self.lap.get_or_insert(serial);
        let Some((lap, time)) = last.and_then(|lap| Some((lap, lap.time?))) else { return };
        if before == serial {
            return;
        }
        self.lap = Some(serial);
        (self.lap_words, self.corner_words) = (None, None);
        let comparison = session.live_comparison();
        let finished = comparison.finished().filter(|finished| finished.serial == lap.serial);
        if sounds.lap_times {
            self.lap_words = Some(words::lap(time, finished.map(|finished| finished.behind_ms)));
        }
        if sounds.costliest_corner && finished.is_some() {
            let costliest = costliest(comparison.corners().advice(), units);
            self.corner_words = costliest.map(|(title, advice)| words::costly(title, advice, units));
        }
    }

    fn name(&mut self, next: Option<&NextCorner>, sounds: Sounds, room_s: f64) -> Option<String> {
        let next = next.filter(|next| next.ahead_s <= NAMED_S && self.named != Some(next.number))?;
        self.named = Some(next.number);
        let words = words::next(next);
        (sounds.corner_names && spoken_s(&words) <= room_s).then_some(words)
    }
}

/// How long a voice takes for a sentence, seconds.
fn spoken_s(words: &str) -> f64 {
    words.chars().count() as f64 / CHARACTERS_PER_S
}

/// What cost most that the driver can do something about: not a start from the grid.
fn costliest<'a>(advice: &'a [(String, Advice)], units: &Units) -> Option<&'a (String, Advice)> {
    let has_cure = |advice: &Advice| advice.cure_sentence(units).is_some();
    let own = advice.iter().filter(|(_, advice)| advice.cause.cost_s >= LEAST_S && has_cure(advice));
    own.max_by(|(_, a), (_, b)| a.cause.cost_s.total_cmp(&b.cause.cost_s))
}
