//! What changes by itself: laps that are finished, recordings that are opened, addresses that are gone to. The address
//! says what is shown all the same.

use super::address::{self, Granted, Wish};
use super::{Analyse, Aspect, Chosen, Measure, Name, Origin, Sought, State};
use crate::browser;
use crate::cockpit::Cockpit;
use crate::route::Page;
use crate::telemetry::Telemetry;

impl Analyse {
    /// Looks which laps there are now: those of the recording that plays, else those that are driven.
    pub(crate) fn look(&self, cockpit: Cockpit) {
        let playing = cockpit.replay(|replay| Name::Recording(replay.id()));
        let before = self.read(|state| state.played);
        let begun = playing.is_some() && playing != before;
        if playing != before {
            self.change(&[], |state| {
                state.played = playing;
                if playing.is_none() && state.listed == before && !state.chosen.by_hand {
                    // What is driven takes the place of a recording that was closed.
                    state.listed = None;
                }
            });
        }
        let generation = cockpit.look(Telemetry::generation);
        if self.read(|state| state.generation != generation) {
            self.change(&[], |state| {
                state.generation = generation;
                state.forget_live();
            });
        }
        let is_known = |name: Name, laps: usize| {
            self.read(|state| {
                let origin = state.origins.iter().find(|origin| origin.name == name);
                state.listed.is_some() && origin.is_some_and(|origin| origin.catalogue.laps().len() == laps)
            })
        };
        let recorded = cockpit.replay(|replay| {
            let laps = &replay.player.recording().laps().laps;
            let finished = laps.iter().filter(|row| row.lap.ended_s.is_some()).count();
            let same = !begun && is_known(Name::Recording(replay.id()), finished);
            (!same).then(|| Origin::of_recording(replay.opened().into()))
        });
        let found = match recorded {
            Some(recorded) => recorded,
            None => cockpit.look(|telemetry| {
                let source = telemetry.shown()?;
                let finished = source.session.seats().map(|seat| seat.state.laps.finished().len()).sum();
                let same = is_known(Name::Live, finished);
                (!same).then(|| Origin::of_session(&source.session, source.origin.feed)).flatten()
            }),
        };
        if let Some(origin) = found {
            self.list(cockpit, origin, begun);
        }
    }

    /// Knows the laps of an origin. They are listed where that was opened just now, or nothing else is: what is driven
    /// meanwhile takes nobody's place.
    pub(super) fn list(&self, cockpit: Cockpit, origin: Origin, opened: bool) {
        let mut outcome = None;
        let mut stranger = None;
        self.change(&[Aspect::List], |state| {
            let (name, before) = (origin.name, state.listed);
            // Serials of a session that began anew mean other laps.
            let laps = |origin: &Origin| origin.catalogue.laps().len();
            let fewer = |known: &Origin| known.name == name && laps(known) > laps(&origin);
            if name == Name::Live && state.origins.iter().any(fewer) {
                state.forget_live();
            }
            // What could not be had of it may be here now.
            state.missed.retain(|(key, _)| key.of != name || name == Name::Live);
            if opened || before.is_none() {
                state.listed = Some(name);
            }
            let file = origin.opened.as_ref().map(|opened| opened.source.name());
            state.put_origin(origin);
            if let Some(sought) = state.sought.take() {
                match sought.wish.grant(state) {
                    Granted::Not(_) if opened => stranger = file,
                    Granted::Not(wish) => state.sought = Some(Sought { wish, ..sought }),
                    granted => outcome = Some(granted),
                }
            }
            if outcome.is_none() && state.listed == Some(name) {
                state.choose_by_itself(before.is_some_and(|before| before != name));
            }
        });
        if let Some(file) = stranger {
            cockpit.complain([&file, " is another recording than the one that the link names."].concat());
        }
        self.complain_of(cockpit, outcome.as_ref());
        self.settle(cockpit);
        self.ask_shelf();
        self.ask_names(cockpit);
    }

    /// Goes where the address says.
    pub(super) fn follow(&self, cockpit: Cockpit) {
        let fragment = browser::fragment();
        if Page::from_hash(&fragment) != Page::Analyse {
            return;
        }
        self.change(&[], |state| state.place.clone_from(&fragment));
        // What plays may be what the address names.
        self.look(cockpit);
        let Some(wish) = Wish::from_hash(&fragment) else { return self.say_address() };
        let (before, mut outcome) = (self.read(|state| state.chosen.clone()), None);
        const ASPECTS: &[Aspect] =
            &[Aspect::List, Aspect::View, Aspect::Cursor, Aspect::Measure, Aspect::Panel, Aspect::Seen];
        self.change(ASPECTS, |state| {
            state.know_files(&wish);
            state.sought = None;
            outcome = Some(wish.grant(state));
            if let Some(Granted::Not(wish)) = outcome.take_if(|outcome| matches!(outcome, Granted::Not(_))) {
                // Nobody is to take other laps for those of the link.
                state.chosen = Chosen::default();
                state.sought = Sought::of(wish);
            }
        });
        self.complain_of(cockpit, outcome.as_ref());
        match self.read(|state| state.chosen != before) {
            true => self.settle(cockpit),
            false => self.say_address(),
        }
        self.seek(cockpit);
    }

    fn complain_of(&self, cockpit: Cockpit, outcome: Option<&Granted>) {
        if let Some(Granted::WithoutItsLap) = outcome {
            let words =
                "The link names a lap that is not in this recording: the latest is shown, and the best.";
            cockpit.complain(words.to_owned());
        }
    }

    /// The address of what is looked at.
    pub(crate) fn address(&self) -> String {
        self.read(address::fragment)
    }

    /// Says it where this page is the one that is shown, unless somebody has just gone elsewhere: that is followed first.
    pub(super) fn say_address(&self) {
        let fragment = browser::fragment();
        let is_followed = self.read(|state| state.place == fragment) || browser::is_named(&fragment);
        if Page::from_hash(&fragment) == Page::Analyse && is_followed {
            browser::name_place(&self.address());
        }
    }
}

impl State {
    /// The serials of live laps mean other laps from now on.
    fn forget_live(&mut self) {
        self.held.retain(|driven| driven.key.of != Name::Live);
        self.excluded.forget_live();
        self.underway.forget();
        self.missed.retain(|(key, _)| key.of != Name::Live);
        self.origins.retain(|origin| origin.name != Name::Live);
        if self.chosen.all().any(|key| key.of == Name::Live) {
            self.chosen = Chosen::default();
        }
    }

    /// Lays the latest lap beside the best, as long as nobody has chosen and no address asks for others; of another
    /// origin than those before, all of them is looked at.
    fn choose_by_itself(&mut self, others: bool) {
        if self.chosen.by_hand || self.sought.is_some() {
            return;
        }
        if others {
            self.view = self.view.anew();
            (self.measure, self.seen.look) = (Measure::default(), Default::default());
        }
        self.choose_latest();
    }
}
