//! Files that are being imported, one after the other.

use std::collections::VecDeque;
use std::rc::Rc;

use crate::http::Request;

/// A file that is being imported.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Import {
    /// Its number among all of them.
    pub(crate) number: u32,
    /// Its name.
    pub(crate) name: String,
    /// Its length.
    pub(crate) bytes: u64,
    /// How many bytes are sent; `None` while it is queued.
    pub(crate) sent: Option<u64>,
    /// Why it was not imported.
    pub(crate) failed: Option<String>,
}

/// A queued file, with the files that were chosen with it.
type Queued = (u32, web_sys::File, Rc<[web_sys::File]>);

/// The queue of files: one is sent at a time.
#[derive(Default)]
pub(super) struct ImportQueue {
    last: u32,
    queued: VecDeque<Queued>,
    /// The current file, and its request once it is sent.
    pub(super) sending: Option<(u32, Option<Request>)>,
}

impl Import {
    /// How much of it is sent, in whole hundredths.
    pub(crate) fn percent(&self) -> u64 {
        (self.sent.unwrap_or_default().saturating_mul(100) / self.bytes.max(1)).min(100)
    }

    /// Its progress in words.
    pub(crate) fn words(&self) -> String {
        match (&self.failed, self.sent) {
            (Some(words), _) => words.clone(),
            (None, None) => "Queued".to_owned(),
            (None, Some(sent)) if sent >= self.bytes => "Importing…".to_owned(),
            (None, Some(_)) => format!("{} %", self.percent()),
        }
    }
}

impl ImportQueue {
    /// Adds a file; its number.
    pub(super) fn add(&mut self, file: web_sys::File, chosen: &Rc<[web_sys::File]>) -> u32 {
        self.last += 1;
        self.queued.push_back((self.last, file, Rc::clone(chosen)));
        self.last
    }

    /// Removes a queued file.
    pub(super) fn remove(&mut self, number: u32) {
        self.queued.retain(|(queued, ..)| *queued != number);
    }

    /// The next file, when none is being sent.
    pub(super) fn next(&mut self) -> Option<Queued> {
        if self.sending.is_some() {
            return None;
        }
        let next = self.queued.pop_front()?;
        self.sending = Some((next.0, None));
        Some(next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_is_in_words() {
        let mut import = Import { number: 1, name: "a.mcap".into(), bytes: 1000, sent: None, failed: None };
        assert_eq!((import.words().as_str(), import.percent()), ("Queued", 0));
        import.sent = Some(999);
        assert_eq!(import.words(), "99 %");
        // The request is longer than the file.
        import.sent = Some(1200);
        assert_eq!((import.words().as_str(), import.percent()), ("Importing…", 100));
        import.failed = Some("It is damaged.".into());
        assert_eq!(import.words(), "It is damaged.");
    }
}
