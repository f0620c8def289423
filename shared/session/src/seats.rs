//! Seats: the current drivers of a session, and those whose car somebody else took over.

use trailbrake_analysis::laps::Lap;
use trailbrake_model::{Car, Moment, Participant, Presence};

use super::{CarState, ReportedLap, Session, Traces, short_name};

/// One driver's time in one car.
#[derive(Clone, Copy, Debug)]
pub struct Seat<'a> {
    /// The car.
    pub car: Car,
    /// The driver, current or former.
    pub driver: Option<&'a Participant>,
    /// What they drove in it.
    pub state: &'a CarState,
}

impl<'a> Seat<'a> {
    /// The driver's name, where the game sent one.
    pub fn name(&self) -> Option<&'a str> {
        self.driver.map(|driver| driver.name.trim()).filter(|name| !name.is_empty())
    }

    /// The finished laps, each with the car.
    pub(super) fn finished(self) -> impl Iterator<Item = (Car, &'a Lap)> {
        self.state.laps.finished().iter().map(move |lap| (self.car, lap))
    }

    /// All laps, the one under way last.
    pub fn laps(&self) -> impl Iterator<Item = &'a Lap> + use<'a> {
        self.state.laps.finished().iter().chain(self.state.laps.current())
    }
}

impl Session {
    /// All seats by car: former drivers first, then the current one.
    pub fn seats(&self) -> impl Iterator<Item = Seat<'_>> {
        self.cars.iter().flat_map(|(car, state)| {
            let former = self.former.iter().filter(move |(driver, _)| driver.car == car);
            let former = former.map(move |(driver, state)| Seat { car, driver: Some(driver), state });
            former.chain([Seat { car, driver: self.drivers.get(&car), state }])
        })
    }

    /// The seat of a car's lap.
    pub fn seat_of(&self, car: Car, serial: u32) -> Option<Seat<'_>> {
        self.seats().find(|seat| seat.car == car && seat.state.laps.lap(serial).is_some())
    }

    /// The laps of a car's driver of which only the game's report is known. Those that come before a lap of a former
    /// driver are theirs.
    pub fn reported_laps(&self, car: Car) -> impl Iterator<Item = Lap> {
        let former = self.former.iter().filter(|(driver, _)| driver.car == car);
        let former = former.filter_map(|(_, state)| state.laps.finished().last()).map(|lap| lap.number).max();
        let reported = self.reported().laps.iter().filter(move |lap| lap.car == car);
        reported.filter(move |lap| former.is_none_or(|former| lap.number > former)).map(ReportedLap::lap)
    }

    /// The name of a car's driver; the car's number without a name.
    pub fn name(&self, car: Car) -> String {
        let name = self.drivers.get(&car).map(|driver| driver.name.trim());
        name.filter(|name| !name.is_empty()).map_or_else(|| car.to_string(), str::to_owned)
    }

    /// The name of a car's driver in three letters; the car's number without a name.
    pub fn short(&self, car: Car) -> String {
        let short = self.drivers.get(&car).map(|driver| short_name(&driver.name)).unwrap_or_default();
        if short.is_empty() { format!("#{}", u16::from(car.0) + 1) } else { short }
    }

    pub(super) fn take_participants(&mut self, moment: Moment, mut participants: Vec<Participant>) {
        for now in participants.iter_mut().filter(|now| now.name.is_empty() && now.guid.is_none()) {
            // A server sends the names of connected drivers only once.
            if let Some(recalled) = self.recalled_drivers.iter().find(|one| one.car == now.car) {
                now.clone_from(recalled);
            }
        }
        for (car, driver) in self.drivers.iter_mut() {
            if !participants.iter().any(|now| now.car == *car) {
                driver.presence = Some(Presence::Gone);
            }
        }
        for now in &participants {
            let before = self.drivers.get(&now.car);
            if before.is_some_and(|before| before.was_somebody_else(now)) {
                self.take_over(now.car, moment);
            }
            let before = self.drivers.get(&now.car);
            let is_new = before.is_none_or(|before| before.name != now.name);
            let keeps_name = before.is_some_and(|before| now.name.is_empty() && before.guid == now.guid);
            let kept = if keeps_name { before } else { None };
            let name = kept.map_or(&now.name, |before| &before.name).clone();
            self.drivers.insert(now.car, Participant { name, ..now.clone() });
            if is_new && !keeps_name {
                self.lap_table_changed();
            }
        }
        let short = |who: &Participant| (who.car, short_name(&who.name));
        self.log.know(participants.iter().map(short).filter(|(_, short)| !short.is_empty()).collect());
        self.participants = participants;
    }

    /// Another driver takes over a car. Its laps so far stay with the former driver.
    fn take_over(&mut self, car: Car, moment: Moment) {
        let Some((driver, state)) = self.drivers.remove(&car).zip(self.cars.get_mut(car)) else { return };
        let next = CarState { laps: state.laps.of_next_driver(), absent: true, ..CarState::default() };
        let mut state = std::mem::replace(state, next);
        state.laps.session_ended(moment);
        if self.retention.every_car {
            state.traces.break_off(&state.laps);
        } else {
            state.traces = Traces::default();
        }
        if !state.laps.finished().is_empty() {
            self.former.push((driver, state));
        }
        self.picked = self.picked.filter(|picked| *picked != car);
        self.lap_table_changed();
    }
}
