//! The talk with the server: requests positions and participants, and passes on the user's commands.

use core::net::{IpAddr, SocketAddr};
use std::collections::VecDeque;

use trailbrake_model::time::Micros;

use super::command::{Command, SHORTEST_INTERVAL_MS};
use super::layout::{Interval, SessionIndex, Slot};
use super::message::{Message, ParsedMessage};
use super::request::Request;
use crate::{Outgoing, Outlook, Talk, TalkOptions, TalkStatus, Via};

/// Seconds between two datagrams: servers lose faster ones.
const PACE_S: f64 = 0.02;
/// The default interval of positions, milliseconds.
const USUAL_INTERVAL_MS: u16 = 100;
/// Seconds between session requests while nothing has been received.
const ASK_AGAIN_S: f64 = 5.0;
/// Seconds to wait for a slot's answer: some servers do not answer for empty slots.
const SLOT_S: f64 = 0.3;
/// After this many unanswered slots in a row the entry list has ended.
const MOST_SILENT_SLOTS: u8 = 12;
/// Maximum number of queued requests.
const MOST_WAITING: usize = 64;
/// A server silent for this many seconds may be gone; one without drivers is silent too.
const SILENT_S: f64 = 10.0;

/// The talk with one server.
#[derive(Debug)]
pub struct Talker {
    server: Option<SocketAddr>,
    interval_ms: u16,
    /// The socket that the server's messages arrive on.
    via: Via,
    /// Address and time of the last message.
    last_message: Option<(IpAddr, Micros)>,
    waiting: VecDeque<Request>,
    /// The next datagram may be sent at this time.
    free_at: Micros,
    /// When to request the session again; `None` once the server has described it.
    ask_at: Option<Micros>,
    questions: Questions,
}

/// The progress of requesting the participants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Questions {
    /// They are requested once the session is known.
    Later,
    /// The server has just started and will announce everybody who joins its first session.
    Needless,
    /// `slot` was requested and counts as unanswered from `until` on; the `silent` slots before it were unanswered.
    Slot { slot: u8, until: Micros, silent: u8 },
    /// All slots were requested; the server announces newcomers.
    Done,
}

impl Talker {
    /// Creates a talk that has not sent anything yet.
    pub fn new(options: &TalkOptions) -> Self {
        Self {
            server: options.address,
            interval_ms: USUAL_INTERVAL_MS,
            via: Via::Any,
            last_message: None,
            waiting: VecDeque::new(),
            free_at: Micros(0),
            ask_at: options.address.map(|_| Micros(0)),
            questions: Questions::Later,
        }
    }

    /// Queues a command, or returns why it can't.
    fn take(&mut self, command: &Command) -> Result<(), String> {
        let request = command.request().map_err(|error| error.to_string())?;
        let Some(_) = self.server else { return Err(self.where_to()) };
        if self.waiting.len() >= MOST_WAITING {
            return Err(format!("{MOST_WAITING} requests are waiting already; try again in a moment"));
        }
        if let Request::Interval(Interval { milliseconds }) = request {
            self.interval_ms = milliseconds.max(SHORTEST_INTERVAL_MS);
        }
        self.waiting.push_back(request);
        Ok(())
    }

    /// What the user must configure so that the server can be reached.
    fn where_to(&self) -> String {
        let ip = self.last_message.map_or_else(|| "ADDR".to_owned(), |(ip, _)| ip.to_string());
        format!(
            "start Trailbrake with --ac-server {ip}:PORT, where PORT is UDP_PLUGIN_LOCAL_PORT in the server's \
             server_cfg.ini; the server's own messages do not contain it"
        )
    }

    fn ask_for_positions(&mut self) {
        if self.server.is_some() {
            self.waiting.retain(|request| !matches!(request, Request::Interval(_)));
            self.waiting.push_back(Request::Interval(Interval { milliseconds: self.interval_ms }));
        }
    }

    /// The session is known. Drivers who were already connected are requested once per session.
    fn session_is_known(&mut self, now: Micros) {
        self.ask_at = None;
        self.ask_for_positions();
        match self.questions {
            Questions::Later if self.server.is_some() => self.ask_about(0, 0, now),
            Questions::Needless => self.questions = Questions::Done,
            Questions::Later | Questions::Slot { .. } | Questions::Done => {}
        }
    }

    fn ask_about(&mut self, slot: u8, silent: u8, now: Micros) {
        self.waiting.push_back(Request::CarInfo(Slot { car_id: slot }));
        let turn_s = PACE_S * self.waiting.len() as f64;
        self.questions = Questions::Slot { slot, until: now.plus_seconds(turn_s + SLOT_S), silent };
    }

    fn next_slot(&mut self, slot: u8, silent: u8, now: Micros) {
        match slot.checked_add(1).filter(|_| silent < MOST_SILENT_SLOTS) {
            Some(next) => self.ask_about(next, silent, now),
            None => self.questions = Questions::Done,
        }
    }
}

impl Talk for Talker {
    fn poll(&mut self, now: Micros, send: &mut dyn FnMut(Outgoing<'_>)) {
        let Some(to) = self.server else { return };
        if self.ask_at.is_some_and(|at| now >= at) {
            self.ask_at = Some(now.plus_seconds(ASK_AGAIN_S));
            self.waiting.push_back(Request::SessionInfo(SessionIndex { session_index: -1 }));
        }
        if let Questions::Slot { slot, until, silent } = self.questions
            && now >= until
        {
            self.next_slot(slot, silent.saturating_add(1), now);
        }
        if now < self.free_at {
            return;
        }
        if let Some(request) = self.waiting.pop_front() {
            self.free_at = now.plus_seconds(PACE_S);
            send(Outgoing { via: self.via, to, bytes: &request.datagram() });
        }
    }

    fn receive(&mut self, now: Micros, via: Via, from: SocketAddr, datagram: &[u8]) -> bool {
        let Ok(ParsedMessage { message, .. }) = ParsedMessage::read(datagram) else { return false };
        if self.server.is_some_and(|server| server.ip() != from.ip()) {
            // Another program at the same port.
            return false;
        }
        (self.via, self.last_message) = (via, Some((from.ip(), now)));
        match (message, self.questions) {
            (Message::Version(_), _) => {
                self.questions = Questions::Needless;
                self.ask_for_positions();
            }
            (Message::NewSession(_), _) => {
                if self.questions != Questions::Needless {
                    // Each session is a recording of its own, which must contain the participants.
                    self.questions = Questions::Later;
                }
                self.session_is_known(now);
            }
            (Message::SessionInfo(session), _)
                if self.ask_at.is_some() && session.session_index == session.current_session_index =>
            {
                self.session_is_known(now);
            }
            (Message::CarInfo(info), Questions::Slot { slot, .. }) if info.car_id == slot => {
                self.next_slot(slot, 0, now);
            }
            (Message::Error(_), Questions::Slot { .. }) => {
                // The slot does not exist, so the previous one was the last. The error is of no interest to others.
                self.questions = Questions::Done;
                return true;
            }
            _ => {}
        }
        false
    }

    fn wake_at(&self) -> Micros {
        let never = Micros(u64::MAX);
        if self.server.is_none() {
            return never;
        }
        let waiting = if self.waiting.is_empty() { never } else { self.free_at };
        let question = match self.questions {
            Questions::Slot { until, .. } => until,
            Questions::Needless | Questions::Later | Questions::Done => never,
        };
        waiting.min(question).min(self.ask_at.unwrap_or(never))
    }

    fn status(&self, now: Micros) -> TalkStatus {
        let silent = self.last_message.is_none_or(|(_, at)| now.seconds_since(at) > SILENT_S);
        let (outlook, words) = match (self.server, self.last_message) {
            (None, None) => (Outlook::Waiting, "no server connected yet".to_owned()),
            (None, Some((ip, _))) => (
                Outlook::Trouble,
                format!("{ip} sends; to request car positions and send commands, {}", self.where_to()),
            ),
            (Some(server), None) => {
                (Outlook::Waiting, format!("{server} has not answered; is that its UDP_PLUGIN_LOCAL_PORT?"))
            }
            (Some(server), Some(_)) if silent => {
                (Outlook::Waiting, format!("{server} says nothing; perhaps nobody drives"))
            }
            (Some(server), Some(_)) => (Outlook::Good, format!("{server} answers")),
        };
        TalkStatus { outlook, words }
    }

    fn obey(&mut self, command: &Command) -> Result<(), String> {
        self.take(command)
    }
}

#[cfg(test)]
mod tests;
