//! Seats: the current drivers of a session, and those whose car somebody else took over.

use std::collections::BTreeMap;

use trailbrake_analysis::laps::Lap;
use trailbrake_model::{Car, Moment, Participant, Presence};

use super::cars::Cars;
use super::{CarState, ReportedLap, Traces, short_name};

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

/// The drivers of a session, current and former.
#[derive(Clone, Debug, Default)]
pub(super) struct Drivers {
    /// The drivers in the session, as the game reports them.
    participants: Vec<Participant>,
    /// The last known driver of each car.
    last: BTreeMap<Car, Participant>,
    /// Former drivers whose car somebody else took over, with what they drove in it.
    former: Vec<(Participant, CarState)>,
    /// The drivers that a recording names. A server sends the names of connected drivers only once.
    recalled: Vec<Participant>,
}

/// What a list of drivers changes.
#[derive(Default)]
pub(super) struct DriverChanges {
    /// The cars that another driver took over.
    pub(super) taken_over: Vec<Car>,
    /// Whether a seat has another driver, or a driver another name.
    pub(super) is_change_of_seats: bool,
}

impl Drivers {
    /// The drivers in the session, as the game reports them.
    pub(super) fn participants(&self) -> &[Participant] {
        &self.participants
    }

    /// Takes the drivers that a recording names.
    pub(super) fn recall(&mut self, recalled: Vec<Participant>) {
        self.recalled = recalled;
    }

    /// All seats by car: former drivers first, then the current one.
    pub(super) fn seats<'a>(&'a self, cars: &'a Cars) -> impl Iterator<Item = Seat<'a>> {
        cars.iter().flat_map(|(car, state)| {
            let former = self.former.iter().filter(move |(driver, _)| driver.car == car);
            let former = former.map(move |(driver, state)| Seat { car, driver: Some(driver), state });
            former.chain([Seat { car, driver: self.last.get(&car), state }])
        })
    }

    /// The laps of a car's driver among those that the game reports. Those that come before a lap of a former driver are
    /// theirs.
    pub(super) fn reported_laps(&self, car: Car, reported: &[ReportedLap]) -> impl Iterator<Item = Lap> {
        let former = self.former.iter().filter(|(driver, _)| driver.car == car);
        let former = former.filter_map(|(_, state)| state.laps.finished().last()).map(|lap| lap.number).max();
        let reported = reported.iter().filter(move |lap| lap.car == car);
        reported.filter(move |lap| former.is_none_or(|former| lap.number > former)).map(ReportedLap::lap)
    }

    /// The name of a car's driver, where the game sent one.
    pub(super) fn last_name(&self, car: Car) -> Option<&str> {
        self.last.get(&car).map(|driver| driver.name.trim()).filter(|name| !name.is_empty())
    }

    /// The name of a car's driver; the car's number without a name.
    pub(super) fn name(&self, car: Car) -> String {
        self.last_name(car).map_or_else(|| car.to_string(), str::to_owned)
    }

    /// The name of a car's driver in three letters; the car's number without a name.
    pub(super) fn short(&self, car: Car) -> String {
        let short = self.last.get(&car).map(|driver| short_name(&driver.name)).unwrap_or_default();
        if short.is_empty() { format!("#{}", u16::from(car.0) + 1) } else { short }
    }

    /// The names of the drivers in the session, in three letters.
    pub(super) fn short_names(&self) -> BTreeMap<Car, String> {
        let short = |who: &Participant| (who.car, short_name(&who.name));
        self.participants.iter().map(short).filter(|(_, short)| !short.is_empty()).collect()
    }

    /// Takes the drivers in the session. What a former driver of a car drove stays with them; all columns of it are kept
    /// if `every_car`.
    pub(super) fn take(
        &mut self,
        moment: Moment,
        mut participants: Vec<Participant>,
        cars: &mut Cars,
        every_car: bool,
    ) -> DriverChanges {
        let mut changes = DriverChanges::default();
        for now in participants.iter_mut().filter(|now| now.name.is_empty() && now.guid.is_none()) {
            if let Some(recalled) = self.recalled.iter().find(|one| one.car == now.car) {
                now.clone_from(recalled);
            }
        }
        for (car, driver) in self.last.iter_mut() {
            if !participants.iter().any(|now| now.car == *car) {
                driver.presence = Some(Presence::Gone);
            }
        }
        for now in &participants {
            let before = self.last.get(&now.car);
            if before.is_some_and(|before| before.was_somebody_else(now))
                && self.take_over(now.car, moment, cars, every_car)
            {
                changes.taken_over.push(now.car);
                changes.is_change_of_seats = true;
            }
            let before = self.last.get(&now.car);
            let is_new = before.is_none_or(|before| before.name != now.name);
            let keeps_name = before.is_some_and(|before| now.name.is_empty() && before.guid == now.guid);
            let kept = if keeps_name { before } else { None };
            let name = kept.map_or(&now.name, |before| &before.name).clone();
            self.last.insert(now.car, Participant { name, ..now.clone() });
            changes.is_change_of_seats |= is_new && !keeps_name;
        }
        self.participants = participants;
        changes
    }

    /// Another driver takes over a car. Its laps so far stay with the former driver. Returns false if nothing is known of
    /// the car.
    fn take_over(&mut self, car: Car, moment: Moment, cars: &mut Cars, every_car: bool) -> bool {
        let Some((driver, state)) = self.last.remove(&car).zip(cars.get_mut(car)) else { return false };
        let next = CarState { laps: state.laps.of_next_driver(), absent: true, ..CarState::default() };
        let mut state = std::mem::replace(state, next);
        state.laps.session_ended(moment);
        if every_car {
            state.traces.break_off(&state.laps);
        } else {
            state.traces = Traces::default();
        }
        if !state.laps.finished().is_empty() {
            self.add_former(driver, state);
        }
        true
    }

    /// Adds a former driver with what they drove in a car.
    pub(super) fn add_former(&mut self, driver: Participant, state: CarState) {
        self.former.push((driver, state));
    }
}
