//! Files on their way into the library: one after the other, each with how far it has come.

use std::collections::VecDeque;

use leptos::task::spawn_local;
use trailbrake_shared::library::Entry;

use super::words::key;
use super::{Aspect, Library, title};
use crate::http::{self, Failed, Request};
use crate::words::encoded;

/// A file that is to come into the library.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Arrival {
    /// Its number among all of them.
    pub(crate) number: u32,
    /// Its name.
    pub(crate) name: String,
    /// Its length.
    pub(crate) bytes: u64,
    /// How many bytes are gone; `None` while it waits for others.
    pub(crate) gone: Option<u64>,
    /// Why it did not come in.
    pub(crate) failed: Option<String>,
}

/// Through which files come in, one at a time.
#[derive(Default)]
pub(super) struct Gate {
    last: u32,
    waiting: VecDeque<(u32, web_sys::File)>,
    sending: Option<(u32, Request)>,
}

impl Arrival {
    /// How far it is, in whole hundredths.
    pub(crate) fn percent(&self) -> u64 {
        (self.gone.unwrap_or_default().saturating_mul(100) / self.bytes.max(1)).min(100)
    }

    /// How it stands, in words.
    pub(crate) fn words(&self) -> String {
        match (&self.failed, self.gone) {
            (Some(words), _) => words.clone(),
            (None, None) => "waits".to_owned(),
            (None, Some(gone)) if gone >= self.bytes => "being looked through".to_owned(),
            (None, Some(_)) => format!("{} %", self.percent()),
        }
    }
}

impl Library {
    /// Brings files into the library.
    pub(crate) fn bring(&self, files: &web_sys::FileList) {
        for file in (0..files.length()).filter_map(|place| files.get(place)) {
            self.change(&[Aspect::Arrivals], |state| {
                state.gate.last += 1;
                let (number, name, bytes) = (state.gate.last, file.name(), file.size() as u64);
                state.arrivals.push(Arrival { number, name, bytes, gone: None, failed: None });
                state.gate.waiting.push_back((number, file));
            });
        }
        self.send_next();
    }

    /// Does not want a file any more, or has taken note of why it did not come in.
    pub(crate) fn cancel(&self, number: u32) {
        self.change(&[Aspect::Arrivals], |state| {
            state.arrivals.retain(|one| one.number != number);
            state.gate.waiting.retain(|(waits, _)| *waits != number);
        });
        let sending = self.read(|state| state.gate.sending.clone());
        if let Some((_, request)) = sending.filter(|(sends, _)| *sends == number) {
            request.abort();
        }
    }

    fn send_next(&self) {
        let mut next = None;
        self.change(&[], |state| next = state.gate.next());
        let Some((number, file, request)) = next else { return };
        self.update(number, &|arrival| arrival.gone = Some(0));
        let library = self.clone();
        spawn_local(async move {
            let told = library.clone();
            let gone = move |bytes| told.update(number, &|arrival| arrival.gone = Some(bytes));
            let answer = http::send_file(&request, &file, gone).await;
            library.change(&[], |state| state.gate.sending = None);
            library.settle(number, answer);
            library.send_next();
        });
    }

    fn settle(&self, number: u32, answer: Result<String, Failed>) {
        let entry = answer
            .and_then(|json| serde_json::from_slice::<Entry>(json.as_bytes()).map_err(|_| Failed::Stranger));
        match entry {
            Ok(entry) => {
                self.change(&[Aspect::Arrivals, Aspect::Cursor], |state| {
                    state.arrivals.retain(|one| one.number != number);
                    state.cursor = Some(key(&entry));
                });
                self.say(format!("{} is in the library.", title(&entry)), false);
                self.refresh();
            }
            // One that was cancelled is gone from the list already.
            Err(failed) => self.update(number, &|arrival| arrival.failed = Some(failed.words())),
        }
    }

    fn update(&self, number: u32, change: &dyn Fn(&mut Arrival)) {
        self.change(&[Aspect::Arrivals], |state| {
            state.arrivals.iter_mut().filter(|one| one.number == number).for_each(change);
        });
    }
}

impl Gate {
    /// The next file, when none is on its way.
    fn next(&mut self) -> Option<(u32, web_sys::File, Request)> {
        if self.sending.is_some() {
            return None;
        }
        let (number, file) = self.waiting.pop_front()?;
        let request = Request::open("POST", &format!("/library?name={}", encoded(&file.name())))?;
        self.sending = Some((number, request.clone()));
        Some((number, file, request))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_far_a_file_is_stands_in_words() {
        let mut arrival = Arrival { number: 1, name: "a.mcap".into(), bytes: 1000, gone: None, failed: None };
        assert_eq!((arrival.words().as_str(), arrival.percent()), ("waits", 0));
        arrival.gone = Some(999);
        assert_eq!(arrival.words(), "99 %");
        // What goes over the network is counted with what is around the file.
        arrival.gone = Some(1200);
        assert_eq!((arrival.words().as_str(), arrival.percent()), ("being looked through", 100));
        arrival.failed = Some("It is damaged.".into());
        assert_eq!(arrival.words(), "It is damaged.");
    }
}
