//! What the game reports besides what it measures: rules, results, laps before ours, tyres, the lobby, rivals.

use std::collections::BTreeMap;

use trailbrake_model::{
    Car, CarResult, EventKind, Fact, LobbyPlayer, PastLap, PastLaps, RaceEvent, RivalLap, Rule, TyreSet,
};

use super::ReportedLap;

/// The positions of so many laps are reported at once.
const LAPS_OF_A_REPORT: u16 = 50;

/// The latest reports.
#[derive(Clone, Debug, Default)]
pub struct Reported {
    /// The session's rules and the player's aids.
    pub rules: Vec<Rule>,
    /// The results at the end.
    pub results: Vec<CarResult>,
    /// All laps of each car, as the game lists them.
    pub past_laps: BTreeMap<Car, PastLaps>,
    /// Those of them of which nothing else was received, ordered by car and number.
    pub laps: Vec<ReportedLap>,
    /// The sets of tyres of each car.
    pub tyre_sets: BTreeMap<Car, Vec<TyreSet>>,
    /// Who waits in the lobby.
    pub lobby: Vec<LobbyPlayer>,
    /// The laps that a time trial is driven against.
    pub rivals: Vec<RivalLap>,
    /// The position of each car in each lap, by lap.
    pub positions: BTreeMap<u16, Vec<u8>>,
}

impl Reported {
    /// A car's result.
    pub fn result(&self, car: Car) -> Option<&CarResult> {
        self.results.iter().find(|result| result.car == car)
    }

    /// Forgets what was driven: the session begins again. Rules and rivals stay.
    pub(super) fn begin_again(&mut self) {
        let (rules, rivals) = (std::mem::take(&mut self.rules), std::mem::take(&mut self.rivals));
        *self = Self { rules, rivals, ..Self::default() };
    }

    /// Takes a report. Other facts are none. Returns whether it reports other laps than before.
    pub(super) fn take(&mut self, fact: Fact) -> bool {
        match fact {
            Fact::Rules(rules) => self.rules = rules,
            Fact::Results(results) => self.results = results,
            Fact::PastLaps(car, laps) => {
                let is_same = self.past_laps.get(&car).is_some_and(|before| driven(before).eq(driven(&laps)));
                self.past_laps.insert(car, *laps);
                return !is_same;
            }
            Fact::TyreSets(car, sets) => drop(self.tyre_sets.insert(car, sets)),
            Fact::Lobby(lobby) => self.lobby = lobby,
            Fact::Rivals(rivals) => self.rivals = rivals,
            Fact::Positions { first_lap, laps } => {
                // A packet has fifty laps, and those behind it are further on.
                let behind = first_lap.saturating_add(LAPS_OF_A_REPORT);
                self.positions.retain(|lap, _| *lap < first_lap || *lap >= behind);
                self.positions.extend((first_lap..).zip(laps));
            }
            Fact::Player(_)
            | Fact::Session(_)
            | Fact::Participants(_)
            | Fact::Setup(..)
            | Fact::Game(_)
            | Fact::Vehicle(..)
            | Fact::Track(_) => {}
        }
        false
    }
}

/// The laps of a report that were driven to their end.
fn driven(report: &PastLaps) -> impl Iterator<Item = &PastLap> {
    report.laps.iter().filter(|lap| lap.time.is_some())
}

/// Whether an event is news to somebody who watches a car: what others do among themselves is not.
pub(super) fn is_news(kind: &EventKind, of: Option<Car>, watched: Option<Car>) -> bool {
    let EventKind::Race(event) = kind else { return true };
    let is_own = of.is_some() && of == watched;
    match &**event {
        RaceEvent::StartLights { .. } => false,
        RaceEvent::SpeedTrap { .. } => is_own,
        RaceEvent::Overtook { car: other } | RaceEvent::Contact { with: other, .. } => {
            is_own || Some(*other) == watched
        }
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_others_do_among_themselves_is_no_news() {
        let news = |event, of: u8, watched: u8| {
            is_news(&EventKind::Race(Box::new(event)), Some(Car(of)), Some(Car(watched)))
        };
        let passes = |other| RaceEvent::Overtook { car: Car(other) };
        assert!(news(passes(3), 4, 4) && news(passes(4), 3, 4) && !news(passes(5), 3, 4));
        let trap = || RaceEvent::SpeedTrap { mm_per_s: 90_000, fastest: false };
        assert!(news(trap(), 4, 4) && !news(trap(), 3, 4));
        assert!(news(RaceEvent::Won, 3, 4) && !news(RaceEvent::StartLights { lit: 1 }, 4, 4));
    }

    #[test]
    fn positions_of_later_laps_join_those_of_earlier_ones() {
        let mut reported = Reported::default();
        reported.take(Fact::Positions { first_lap: 1, laps: vec![vec![1, 2], vec![2, 1]] });
        reported.take(Fact::Positions { first_lap: 51, laps: vec![vec![2, 1]] });
        let laps = |reported: &Reported| reported.positions.keys().copied().collect::<Vec<_>>();
        assert_eq!(laps(&reported), [1, 2, 51]);
        // A lap that a flashback undid is gone.
        reported.take(Fact::Positions { first_lap: 1, laps: vec![vec![1, 2]] });
        assert_eq!(laps(&reported), [1, 51]);
        reported.begin_again();
        assert!(laps(&reported).is_empty());
    }
}
