//! The server: counts laps, reports events and carries out its plugin's requests.

use trailbrake_games::ac_server::layout::{
    CarUpdate, Chat, ClientLoaded, EndSession, Error, LapCompleted, Version,
};
use trailbrake_games::ac_server::{Flavour, Message, Request};

use super::super::emitter::Emitter;
use super::super::race::{self, Options, Race, Request as Event, car_state, session_state};
use super::super::random::Random;
use super::board::{Count, leaderboard};
use super::contacts::{Contacts, SECOND_S, reports};
use super::people::{self, CHATTER, Seat};
use super::plan::Plan;

/// The most players.
const MOST_PEOPLE: usize = 10;
/// The update interval that plugins usually request.
const USUAL_INTERVAL_S: f64 = 0.1;
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
    seats: Vec<Seat>,
    counts: Vec<Count>,
    laps: u32,
    contacts: Contacts,
    /// Messages to send later, with their times in seconds.
    later: Vec<(f64, Message)>,
    chatter: usize,
    mistakes: u64,
    interval_s: Option<f64>,
    positions_sent_s: f64,
    outbox: Vec<Message>,
}

impl Default for Server {
    /// A newly started server without players, whose plugin has requested nothing.
    fn default() -> Self {
        Self {
            options: Options::default(),
            plans: Plan::evening(),
            current: 0,
            sessions: 0,
            counts: Vec::new(),
            seats: Vec::new(),
            laps: 0,
            contacts: Contacts::default(),
            later: Vec::new(),
            chatter: 0,
            mistakes: 0,
            interval_s: None,
            positions_sent_s: 0.0,
            outbox: vec![Message::Version(Version { protocol_version: 4 })],
        }
    }
}

impl Emitter for Server {
    fn begin(&mut self, options: Options) -> Race {
        self.options = Options { cars: options.cars.min(MOST_PEOPLE), ..options };
        self.seats = Seat::entry_list(self.options.cars);
        self.counts = vec![Count::default(); self.seats.len()];
        let first = self.plans.first().map(|plan| plan.options(&self.options)).unwrap_or_default();
        let race = race::start(first);
        self.announce(&race);
        race
    }

    fn direct(&mut self, race: &mut Race) {
        let now_s = race.run_s();
        self.let_in(now_s);
        self.chat(now_s);
        self.err(race, now_s);
        self.count_laps(race);
        self.touch(race, now_s);
        self.send_positions(race, now_s);
        if session_state(race).ended {
            self.end_session(race);
        }
    }

    fn frame(&mut self, _: &Race, send: &mut dyn FnMut(&[u8])) {
        self.outbox.drain(..).for_each(|message| send(&message.write(Flavour::Vanilla)));
    }

    fn receive(&mut self, race: &mut Race, datagram: &[u8]) {
        // Anything but a request is ignored.
        if let Some(request) = Request::read(datagram) {
            self.grant(race, request);
        }
    }
}

impl Server {
    /// A server whose plugin has requested positions as often as most do.
    pub fn asked() -> Self {
        Self { interval_s: Some(USUAL_INTERVAL_S), ..Self::default() }
    }

    /// Whether a player is driving this car.
    fn drives(&self, car: usize) -> bool {
        self.seats.get(car) == Some(&Seat::Drives)
    }

    fn grant(&mut self, race: &mut Race, request: Request) {
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
            Request::Chat(chat) => self.answer(race, usize::from(chat.car_id), &chat.message),
            Request::Broadcast(text) => {
                let first = self.seats.iter().position(|seat| *seat == Seat::Drives);
                if let Some(slot) = first {
                    self.answer(race, slot, &text.text);
                }
            }
            Request::SessionInfo(wanted) => {
                let index = usize::try_from(wanted.session_index).unwrap_or(self.current);
                self.send_session(race, index);
            }
            Request::SetSession(wish) => {
                let index = usize::from(wish.session_index);
                if let Some(plan) = self.plans.get_mut(index) {
                    *plan = Plan::wished(&wish);
                }
                self.send_session(race, index);
            }
            Request::Kick(slot) => self.kick(usize::from(slot.car_id)),
            Request::NextSession(()) => self.go_to(race, (self.current + 1) % self.plans.len().max(1)),
            Request::RestartSession(()) => self.go_to(race, self.current),
            Request::Admin(text) => self.administer(race, &text.text),
        }
    }

    fn administer(&mut self, race: &mut Race, command: &str) {
        match command.split_whitespace().collect::<Vec<_>>().as_slice() {
            ["/next_session" | "/ksns"] => self.go_to(race, (self.current + 1) % self.plans.len().max(1)),
            ["/restart_session" | "/ksrs"] => self.go_to(race, self.current),
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
    fn answer(&mut self, race: &Race, slot: usize, text: &str) {
        if !self.drives(slot) {
            return self.refuse(&format!("nobody drives car {slot}"));
        }
        let chat = Chat { car_id: slot as u8, message: format!("copy: {text}") };
        self.later.push((race.run_s() + 0.5, Message::Chat(chat)));
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

    fn send_session(&mut self, race: &Race, index: usize) {
        match self.plans.get(index) {
            Some(plan) => {
                let session = plan.describe([index, self.current, self.plans.len()], race);
                self.outbox.push(Message::SessionInfo(session));
            }
            None => self.refuse(&format!("there is no session {index}")),
        }
    }

    fn announce(&mut self, race: &Race) {
        let places = [self.current, self.current, self.plans.len()];
        let session = self.plans.get(self.current).map(|plan| plan.describe(places, race));
        self.outbox.extend(session.map(Message::NewSession));
    }

    fn end_session(&mut self, race: &mut Race) {
        let report_file =
            self.plans.get(self.current).map(|plan| plan.file(self.sessions)).unwrap_or_default();
        self.outbox.push(Message::EndSession(EndSession { report_file }));
        self.go_to(race, (self.current + 1) % self.plans.len().max(1));
    }

    /// Starts a session, possibly the same one again. The players stay.
    fn go_to(&mut self, race: &mut Race, index: usize) {
        let Some(plan) = self.plans.get(index) else { return };
        self.current = index;
        self.sessions += 1;
        let seed = self.options.seed.wrapping_add(self.sessions);
        race::start_another(race, Options { seed, ..plan.options(&self.options) });
        self.counts.iter_mut().for_each(|count| *count = Count::default());
        self.contacts = Contacts::default();
        self.laps = 0;
        self.announce(race);
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
    fn err(&mut self, race: &mut Race, now_s: f64) {
        if now_s >= MISTAKE_EVERY_S * (self.mistakes + 1) as f64 {
            self.mistakes += 1;
            let mut chance = Random::of(self.options.seed, [self.mistakes, 5, 0, 0]);
            let car = (chance.unit() * race.cars() as f64) as usize;
            race.request(Event::RunWide { car });
        }
    }

    fn count_laps(&mut self, race: &Race) {
        let is_race = self.plans.get(self.current).is_some_and(Plan::is_race);
        let mut ended = Vec::new();
        for (slot, count) in self.counts.iter_mut().enumerate() {
            let drives = self.seats.get(slot) == Some(&Seat::Drives);
            let lap = if drives { car_state(race, slot).and_then(|car| count.look(&car)) } else { None };
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

    fn touch(&mut self, race: &mut Race, now_s: f64) {
        let seats = &self.seats;
        let drives = |car: usize| seats.get(car) == Some(&Seat::Drives);
        for contact in self.contacts.look(race, now_s, drives) {
            let mut reported = reports(&contact).into_iter();
            self.outbox.extend(reported.next());
            self.later.extend(reported.map(|report| (now_s + SECOND_S, report)));
            race.note_contact(contact);
        }
    }

    fn send_positions(&mut self, race: &Race, now_s: f64) {
        let passed_s = now_s - self.positions_sent_s;
        let Some(interval_s) = self.interval_s.filter(|interval_s| passed_s >= interval_s - 1e-6) else {
            return;
        };
        // Stay on the interval's grid, unless the last update was long ago.
        self.positions_sent_s =
            if passed_s < 2.0 * interval_s { self.positions_sent_s + interval_s } else { now_s };
        let length_m = race.circuit.length_m;
        let cars = (0..race.cars()).filter(|car| self.seats.get(*car) == Some(&Seat::Drives));
        for (slot, car) in cars.filter_map(|slot| Some((slot, car_state(race, slot)?))) {
            self.outbox.push(Message::CarUpdate(CarUpdate {
                car_id: slot as u8,
                world_position: car.motion.position.map(|metres| metres as f32).into(),
                velocity: car.motion.velocity.map(|speed| speed as f32).into(),
                gear: u8::try_from(car.gear + 1).unwrap_or(0),
                engine_rpm: car.rpm.clamp(0.0, f64::from(u16::MAX)) as u16,
                normalised_spline_position: (car.lap.distance_m / length_m).rem_euclid(1.0) as f32,
            }));
        }
    }
}
