//! Interprets the relay's responses about a recording's bytes.

use std::ops::Range;

use super::Trouble;

/// The message when the relay does not answer.
pub(super) const SILENT: &str = "Trailbrake does not answer. Is it still running?";

/// The status and headers of a response.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Head {
    pub(super) status: u16,
    /// `Content-Range`.
    pub(super) range: Option<String>,
    /// `ETag`.
    pub(super) tag: Option<String>,
    /// `Content-Disposition`.
    pub(super) disposition: Option<String>,
}

/// The part of a file that a response contains.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    /// The range of its bytes in the file.
    pub(super) range: Range<u64>,
    /// The file's length; `None` while it is being recorded.
    pub(super) whole: Option<u64>,
}

impl Head {
    /// The part of the file that the response contains; `None` if the response is not from Trailbrake's library.
    pub(super) fn piece(&self) -> Option<Piece> {
        let (range, whole) = self.range.as_ref()?.strip_prefix("bytes ")?.split_once('/')?;
        let (first, last) = range.split_once('-')?;
        let (first, last): (u64, u64) = (first.parse().ok()?, last.parse().ok()?);
        let range = first..last.checked_add(1)?;
        let whole = match whole {
            "*" => None,
            whole => Some(whole.parse().ok()?),
        };
        let brings = matches!(self.status, 200 | 206) && !range.is_empty();
        (brings && whole.is_none_or(|whole| range.end <= whole)).then_some(Piece { range, whole })
    }

    /// Checks that the response contains exactly these bytes of the file with this tag. Without a tag it checks the
    /// range only: a file that is still being recorded only grows.
    pub(super) fn brings(&self, wanted: &Range<u64>, tag: Option<&str>) -> Result<(), Trouble> {
        let same = tag.is_none_or(|tag| self.tag.as_deref() == Some(tag));
        match self.piece() {
            Some(piece) if same && piece.range == *wanted => Ok(()),
            // With `If-Range`, the relay returns a changed file in full.
            None if self.status == 200 && self.tag.is_some() => Err(Trouble::Changed),
            Some(_) => Err(Trouble::Changed),
            None => Err(self.refusal("")),
        }
    }

    /// Why the response has no bytes of the file; `body` is its text.
    pub(super) fn refusal(&self, body: &str) -> Trouble {
        let reason = body.trim();
        // The relay's reasons are one line of plain text; other servers send whole pages.
        let plain = !reason.is_empty() && !reason.contains(['<', '\n']);
        match self.status {
            404 => Trouble::Gone(
                "This recording isn't in the library here: it was deleted, or is elsewhere. If it was a file that you opened, \
                 open it again."
                    .into(),
            ),
            // The file has become shorter than the range.
            416 => Trouble::Changed,
            502..=504 => Trouble::Silent(SILENT.to_owned()),
            _ if plain => Trouble::Gone(format!("Trailbrake refuses: {reason}")),
            status => {
                Trouble::Gone(format!("This page's server has no recordings (answer {status})."))
            }
        }
    }

    /// The file's name.
    pub(super) fn file_name(&self) -> Option<&str> {
        let name = self.disposition.as_ref()?.split_once("filename=\"")?.1.split_once('"')?.0;
        (!name.is_empty()).then_some(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(status: u16, range: &str, tag: &str) -> Head {
        let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        Head { status, range: some(range), tag: some(tag), ..Head::default() }
    }

    #[test]
    fn bytes_are_those_that_the_answer_says() {
        let piece = |range: Range<u64>, whole| Some(Piece { range, whole });
        for (status, range, expected) in [
            (206, "bytes 0-0/1", piece(0..1, Some(1))),
            (206, "bytes 936-999/1000", piece(936..1000, Some(1000))),
            (206, "bytes 936-999/*", piece(936..1000, None)),
            (200, "bytes 500-999/1000", piece(500..1000, Some(1000))),
            (206, "bytes 936-1000/1000", None),
            (206, "bytes 9-1/1000", None),
            (206, "bytes */1000", None),
            (206, "bytes 0-18446744073709551615/5", None),
            (206, "", None),
            // A host that returns its first page for every request.
            (200, "", None),
            (404, "bytes 0-0/1", None),
        ] {
            assert_eq!(head(status, range, "\"a\"").piece(), expected, "{status} {range}");
        }
    }

    #[test]
    fn another_tag_or_another_place_means_that_the_file_changed() {
        let (brought, tag) = (head(206, "bytes 10-19/100", "\"a\""), Some("\"a\""));
        assert_eq!(brought.brings(&(10..20), tag), Ok(()));
        assert_eq!(brought.brings(&(10..20), None), Ok(()));
        assert_eq!(brought.brings(&(10..20), Some("\"b\"")), Err(Trouble::Changed));
        assert_eq!(brought.brings(&(10..30), tag), Err(Trouble::Changed));
        assert_eq!(head(200, "", "\"b\"").brings(&(10..20), tag), Err(Trouble::Changed));
        assert!(matches!(head(200, "", "").brings(&(10..20), tag), Err(Trouble::Gone(_))));
        assert_eq!(head(416, "", "").brings(&(10..20), tag), Err(Trouble::Changed));
    }

    #[test]
    fn refusals_have_words() {
        let words = |status, body: &str| head(status, "", "").refusal(body).words();
        assert!(words(404, "there is no such recording\n").contains("deleted"));
        assert_eq!(
            words(403, "The link lacks its token.\n"),
            "Trailbrake refuses: The link lacks its token."
        );
        assert!(words(403, "<html>\n").contains("answer 403"));
        assert_eq!(head(503, "", "").refusal(""), Trouble::Silent(SILENT.into()));
    }

    #[test]
    fn a_download_s_name_is_found() {
        let named = |text: &str| Head { disposition: Some(text.into()), ..Head::default() };
        assert_eq!(named("attachment; filename=\"a-b.mcap\"").file_name(), Some("a-b.mcap"));
        assert_eq!(named("attachment; filename=\"\"").file_name(), None);
        assert_eq!(named("attachment").file_name(), None);
    }
}
