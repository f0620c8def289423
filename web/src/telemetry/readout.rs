//! The latest value of every channel of every car: what the figures show.

use std::collections::BTreeMap;

use trailbrake_shared::model::{
    Car, Event, Fact, LapProgress, Moment, Participant, Sample, SessionInfo, Sink, Slot,
};

/// The latest values of one car; a channel that never arrived is not a number.
type Values = [f32; Slot::COUNT];

/// The latest of everything one sender told.
#[derive(Debug, Default)]
pub(crate) struct Readout {
    cars: BTreeMap<Car, Box<Values>>,
    player: Option<Car>,
    /// What the session is like, once told.
    pub(crate) session: Option<Box<SessionInfo>>,
    /// Everyone in it.
    pub(crate) participants: Vec<Participant>,
}

impl Readout {
    /// The car whose figures are shown: the player's, else the one that is watched, else the first.
    pub(crate) fn car(&self) -> Option<Car> {
        let watched = self.session.as_ref().and_then(|session| session.spectating);
        watched.or(self.player).or_else(|| self.cars.keys().next().copied())
    }

    /// The latest value of that car's channel; `None` when it never arrived.
    pub(crate) fn value(&self, slot: Slot) -> Option<f32> {
        let value = *self.cars.get(&self.car()?)?.get(slot.index())?;
        value.is_finite().then_some(value)
    }
}

impl Sink for Readout {
    fn sample(&mut self, sample: &Sample<'_>) {
        let latest = self.cars.entry(sample.car).or_insert_with(|| Box::new([f32::NAN; Slot::COUNT]));
        for &(slot, value) in sample.values {
            if let Some(place) = latest.get_mut(slot.index()) {
                *place = value;
            }
        }
    }

    fn progress(&mut self, _: &LapProgress) {}

    fn event(&mut self, _: Event) {}

    fn fact(&mut self, _: Moment, fact: Fact) {
        match fact {
            Fact::Player(player) => self.player = player,
            Fact::Session(session) => self.session = Some(session),
            Fact::Participants(participants) => self.participants = participants,
            Fact::Setup(..) | Fact::Game(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use trailbrake_shared::model::Channel;

    use super::*;

    #[test]
    fn the_players_latest_value_is_shown_and_absent_ones_are_not() {
        let mut readout = Readout::default();
        let moment = Moment::default();
        for (car, speed) in [(0, 50.0), (3, 61.0), (3, 62.5)] {
            let values = [(Channel::Speed.slot(), speed)];
            readout.sample(&Sample { car: Car(car), moment, values: &values });
        }
        assert_eq!(readout.value(Channel::Speed.slot()), Some(50.0), "nobody is named: the first");
        readout.fact(moment, Fact::Player(Some(Car(3))));
        assert_eq!(readout.value(Channel::Speed.slot()), Some(62.5));
        assert_eq!(readout.value(Channel::Rpm.slot()), None);
    }
}
