//! The server: counts laps, reports events and carries out its plugin's requests.

use trailbrake_games::ac_server::layout::{
    CarUpdate, Chat, ClientLoaded, EndSession, Error, LapCompleted, Version,
};
use trailbrake_games::ac_server::{Flavour, Message, Request};

use super::super::race::{Options, Race, Request as Event};
use super::super::random::Random;
use super::board::{Count, leaderboard};
use super::contacts::{Contact, Contacts, SECOND_S};
use super::people::{self, CHATTER, Seat};
use super::plan::Plan;

/// The most players.
const MOST_PEOPLE: usize = 10;
/// Seconds between two driving mistakes.
const MISTAKE_EVERY_S: f64 = 25.0;
/// Track grip at the start, and its gain per lap up to 1.
const GRIP_AT_FIRST: f64 = 0.94;
const GRIP_PER_LAP: f64 = 0.001;

/// A server with players.
#[derive(Clone, Debug)]
pub struct Server {
    options: Options,
    plans: Vec<Plan>,
    current: usize,
    sessions: u64,
    race: Race,
    /// Seconds of the run before the current session.
    before_s: f64,
    seats: Vec<Seat>,
    counts: Vec<Count>,
    laps: u32,
    contacts: Contacts,
    happened: Vec<Contact>,
    /// Messages to send later, with their times in seconds.
    later: Vec<(f64, Message)>,
    chatter: usize,
    mistakes: u64,
    interval_s: Option<f64>,
    positions_sent_s: f64,
    outbox: Vec<Message>,
}

impl Server {
    /// A newly started server without players.
    pub fn new(options: Options) -> Self {
        let options = Options { cars: options.cars.min(MOST_PEOPLE), ..options };
        let plans = Plan::evening();
        let first = plans.first().map(|plan| plan.options(&options)).unwrap_or_default();
        let seats = Seat::entry_list(options.cars);
        let mut server = Self {
            race: Race::new(first),
            plans,
            current: 0,
            sessions: 0,
            before_s: 0.0,
            counts: vec![Count::default(); seats.len()],
            seats,
            laps: 0,
            contacts: Contacts::default(),
            happened: Vec::new(),
            later: Vec::new(),
            chatter: 0,
            mistakes: 0,
            interval_s: None,
            positions_sent_s: 0.0,
            outbox: vec![Message::Version(Version { protocol_version: 4 })],
            options,
        };
        server.announce();
        server
    }

    /// Seconds since the server started.
    pub fn run_s(&self) -> f64 {
        self.before_s + self.race.run_s()
    }

    /// The simulated race.
    pub fn race(&self) -> &Race {
        &self.race
    }

    /// Whether a player is driving this car.
    pub fn drives(&self, car: usize) -> bool {
        self.seats.get(car) == Some(&Seat::Drives)
    }

    /// All contacts so far, in order.
    pub fn contacts(&self) -> &[Contact] {
        &self.happened
    }

    /// Advances by one frame.
    pub fn step(&mut self) {
        self.race.step();
        while !self.race.at_frame() {
            self.race.step();
        }
        let now_s = self.run_s();
        self.let_in(now_s);
        self.chat(now_s);
        self.err(now_s);
        self.count_laps();
        self.touch(now_s);
        self.send_positions(now_s);
        if self.race.session().ended {
            self.end_session();
        }
    }

    /// Takes the pending messages, each as a datagram.
    pub(super) fn take_messages(&mut self) -> Vec<Vec<u8>> {
        std::mem::take(&mut self.outbox).iter().map(|message| message.write(Flavour::Vanilla)).collect()
    }

    /// Receives a plugin's datagram; anything but a request is ignored.
    pub fn receive(&mut self, datagram: &[u8]) {
        let Some(request) = Request::read(datagram) else { return };
        match request {
            Request::Interval(interval) => {
                let seconds = f64::from(interval.milliseconds) / 1e3;
                self.interval_s = Some(seconds).filter(|seconds| *seconds > 0.0);
            }
            Request::CarInfo(slot) => match self.seats.get(usize::from(slot.car_id)) {
                Some(seat) => {
                    let info = people::car_info(usize::from(slot.car_id), *seat);
                    self.outbox.push(Message::CarInfo(info));
                }
                None => self.refuse(&format!("there is no car {}", slot.car_id)),
            },
            Request::Chat(chat) => self.answer(usize::from(chat.car_id), &chat.message.0),
            Request::Broadcast(text) => {
                let first = self.seats.iter().position(|seat| *seat == Seat::Drives);
                if let Some(slot) = first {
                    self.answer(slot, &text.text.0);
                }
            }
            Request::SessionInfo(wanted) => {
                let index = usize::try_from(wanted.session_index).unwrap_or(self.current);
                self.send_session(index);
            }
            Request::SetSession(wish) => {
                let index = usize::from(wish.session_index);
                if let Some(plan) = self.plans.get_mut(index) {
                    *plan = Plan::wished(&wish);
                }
                self.send_session(index);
            }
            Request::Kick(slot) => self.kick(usize::from(slot.car_id)),
            Request::NextSession(()) => self.go_to((self.current + 1) % self.plans.len().max(1)),
            Request::RestartSession(()) => self.go_to(self.current),
            Request::Admin(text) => self.administer(&text.text.0),
        }
    }

    fn administer(&mut self, command: &str) {
        match command.split_whitespace().collect::<Vec<_>>().as_slice() {
            ["/next_session" | "/ksns"] => self.go_to((self.current + 1) % self.plans.len().max(1)),
            ["/restart_session" | "/ksrs"] => self.go_to(self.current),
            ["/kick_id" | "/kick", slot] => match slot.parse() {
                Ok(slot) => self.kick(slot),
                Err(_) => self.refuse("whom?"),
            },
            _ => self.refuse(&format!("{command} is no command")),
        }
    }

    fn refuse(&mut self, why: &str) {
        self.outbox.push(Message::Error(Error { text: why.into() }));
    }

    /// A driver who receives a chat message acknowledges it.
    fn answer(&mut self, slot: usize, text: &str) {
        if !self.drives(slot) {
            return self.refuse(&format!("nobody drives car {slot}"));
        }
        let chat = Chat { car_id: slot as u8, message: format!("copy: {text}").into() };
        self.later.push((self.run_s() + 0.5, Message::Chat(chat)));
    }

    fn kick(&mut self, slot: usize) {
        match self.seats.get_mut(slot) {
            Some(seat) if seat.is_connected() => {
                *seat = Seat::Kicked;
                if let Some(count) = self.counts.get_mut(slot) {
                    count.leave();
                }
                self.outbox.push(Message::ConnectionClosed(people::connection(slot)));
            }
            _ => self.refuse(&format!("nobody drives car {slot}")),
        }
    }

    fn send_session(&mut self, index: usize) {
        match self.plans.get(index) {
            Some(plan) => {
                let session = plan.describe([index, self.current, self.plans.len()], &self.race);
                self.outbox.push(Message::SessionInfo(session));
            }
            None => self.refuse(&format!("there is no session {index}")),
        }
    }

    fn announce(&mut self) {
        let places = [self.current, self.current, self.plans.len()];
        let session = self.plans.get(self.current).map(|plan| plan.describe(places, &self.race));
        self.outbox.extend(session.map(Message::NewSession));
    }

    fn end_session(&mut self) {
        let report_file =
            self.plans.get(self.current).map(|plan| plan.file(self.sessions)).unwrap_or_default();
        self.outbox.push(Message::EndSession(EndSession { report_file: report_file.into() }));
        self.go_to((self.current + 1) % self.plans.len().max(1));
    }

    /// Starts a session, possibly the same one again. The players stay.
    fn go_to(&mut self, index: usize) {
        let Some(plan) = self.plans.get(index) else { return };
        self.before_s = self.run_s();
        self.current = index;
        self.sessions += 1;
        let seed = self.options.seed.wrapping_add(self.sessions);
        self.race = Race::new(Options { seed, ..plan.options(&self.options) });
        self.counts.iter_mut().for_each(|count| *count = Count::default());
        self.contacts = Contacts::default();
        self.laps = 0;
        self.announce();
    }

    fn let_in(&mut self, now_s: f64) {
        for (slot, seat) in self.seats.iter_mut().enumerate() {
            match *seat {
                Seat::Comes(at_s) if now_s >= at_s => {
                    *seat = Seat::loads(now_s);
                    self.outbox.push(Message::NewConnection(people::connection(slot)));
                }
                Seat::Loads(until_s) if now_s >= until_s => {
                    *seat = Seat::Drives;
                    self.outbox.push(Message::ClientLoaded(ClientLoaded { car_id: slot as u8 }));
                }
                _ => {}
            }
        }
    }

    fn chat(&mut self, now_s: f64) {
        if let Some((_, slot, text)) = CHATTER.get(self.chatter).filter(|(at_s, ..)| now_s >= *at_s) {
            self.chatter += 1;
            if self.drives(*slot) {
                let chat = Chat { car_id: *slot as u8, message: (*text).into() };
                self.outbox.push(Message::Chat(chat));
            }
        }
        let due = self.later.extract_if(.., |(at_s, _)| now_s >= *at_s).map(|(_, message)| message);
        self.outbox.extend(due);
    }

    /// Makes a random driver brake too late.
    fn err(&mut self, now_s: f64) {
        if now_s >= MISTAKE_EVERY_S * (self.mistakes + 1) as f64 {
            self.mistakes += 1;
            let mut chance = Random::of(self.options.seed, [self.mistakes, 5, 0, 0]);
            let car = (chance.unit() * self.race.cars() as f64) as usize;
            self.race.request(Event::RunWide { car });
        }
    }

    fn count_laps(&mut self) {
        let is_race = self.plans.get(self.current).is_some_and(Plan::is_race);
        let mut ended = Vec::new();
        for (slot, count) in self.counts.iter_mut().enumerate() {
            let drives = self.seats.get(slot) == Some(&Seat::Drives);
            let lap = if drives { self.race.car(slot).and_then(|car| count.look(&car)) } else { None };
            ended.extend(lap.map(|lap| (slot, lap)));
        }
        for (slot, lap) in ended {
            self.laps += 1;
            let grip = (GRIP_AT_FIRST + GRIP_PER_LAP * f64::from(self.laps)).min(1.0);
            self.outbox.push(Message::LapCompleted(LapCompleted {
                car_id: slot as u8,
                lap_time: lap.time_ms,
                cuts: lap.cuts,
                leaderboard: leaderboard(&self.counts, is_race),
                grip_level: grip as f32,
            }));
        }
    }

    fn touch(&mut self, now_s: f64) {
        let seats = &self.seats;
        let drives = |car: usize| seats.get(car) == Some(&Seat::Drives);
        for contact in self.contacts.look(&self.race, now_s, drives) {
            let mut reports = contact.reports().into_iter();
            self.outbox.extend(reports.next());
            self.later.extend(reports.map(|report| (now_s + SECOND_S, report)));
            self.happened.push(contact);
        }
    }

    fn send_positions(&mut self, now_s: f64) {
        let passed_s = now_s - self.positions_sent_s;
        let Some(interval_s) = self.interval_s.filter(|interval_s| passed_s >= interval_s - 1e-6) else {
            return;
        };
        // Stay on the interval's grid, unless the last update was long ago.
        self.positions_sent_s =
            if passed_s < 2.0 * interval_s { self.positions_sent_s + interval_s } else { now_s };
        let length_m = self.race.circuit.length_m;
        let cars = (0..self.race.cars()).filter(|car| self.seats.get(*car) == Some(&Seat::Drives));
        for (slot, car) in cars.filter_map(|slot| Some((slot, self.race.car(slot)?))) {
            self.outbox.push(Message::CarUpdate(CarUpdate {
                car_id: slot as u8,
                world_position: car.motion.position.map(|metres| metres as f32),
                velocity: car.motion.velocity.map(|speed| speed as f32),
                gear: u8::try_from(car.gear + 1).unwrap_or(0),
                engine_rpm: car.rpm.clamp(0.0, f64::from(u16::MAX)) as u16,
                normalised_spline_position: (car.lap.distance_m / length_m).rem_euclid(1.0) as f32,
            }));
        }
    }
}
