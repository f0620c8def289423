//! One packet's known numbers, and whether the packet is the app's at all.

use super::fields::{FIELDS, Field, MOST_PARTS, Shape};
use super::json::{self, Path, Scalar};
use super::{GAME, PACKET};
use crate::Rejected;

/// The longest packet that is read, in bytes.
const LONGEST: usize = 64 << 10;
/// This many known fields identify the app when no single one does.
const ENOUGH: usize = 3;
const ADVICE: &str = "a Lua app that sends to this port should name its values as docs/games/ac-lua.md does";

/// The numbers of one packet as sent, by field and part; `None` where not sent.
#[derive(Clone, Debug)]
pub(super) struct Report {
    sent: [Fields; FIELDS.len()],
    /// Values of known fields that should be numbers but are not.
    not_numbers: usize,
}

/// The numbers sent for one field.
#[derive(Clone, Copy, Debug, Default)]
struct Fields {
    numbers: [Option<f64>; MOST_PARTS],
    /// Whether the field occurred at all.
    named: bool,
    /// The length of the field's list, if it was sent as one.
    listed: usize,
}

/// Recognises the app's datagrams by their keys, since JSON has no header.
pub fn recognise(datagram: &[u8]) -> Result<&'static str, Rejected> {
    Report::read(datagram, &mut |_, _| {}).map(|_| PACKET)
}

impl Report {
    /// Parses a packet, and calls `other` for every value of no known field.
    pub(super) fn read(datagram: &[u8], other: &mut dyn FnMut(&Path, Scalar<'_>)) -> Result<Self, Rejected> {
        let begins = datagram.iter().find(|byte| !byte.is_ascii_whitespace());
        if begins != Some(&b'{') || datagram.len() > LONGEST {
            return Err(Rejected::unknown(datagram));
        }
        let mut report = Self { sent: [Fields::default(); FIELDS.len()], not_numbers: 0 };
        let read = json::read(datagram, &mut |path, scalar| {
            if !report.take(path, scalar) {
                other(path, scalar);
            }
        });
        match read {
            Ok(()) if report.is_recognised() => {
                report.drop_short_lists();
                Ok(report)
            }
            Ok(()) => Err(Rejected::Implausible {
                game: GAME,
                len: datagram.len(),
                what: "it names too few of the app's values".to_owned(),
                advice: ADVICE,
            }),
            // Broken JSON with a known key is a damaged packet of the app.
            Err(error) if report.names_any() => Err(Rejected::BadContent {
                game: GAME,
                packet: PACKET,
                what: format!("it isn't valid JSON: {error}"),
            }),
            Err(_) => Err(Rejected::unknown(datagram)),
        }
    }

    /// A field's first or only number.
    pub(super) fn number(&self, name: &str) -> Option<f64> {
        self.fields()
            .find(|(field, _)| field.name == name)
            .and_then(|(_, numbers)| numbers.first().copied().flatten())
    }

    /// Every field with the numbers of its parts.
    pub(super) fn fields(&self) -> impl Iterator<Item = (&'static Field, &[Option<f64>])> {
        FIELDS.iter().zip(&self.sent).map(|(field, sent)| {
            let parts = field.shape.parts().len();
            (field, sent.numbers.get(..parts).unwrap_or_default())
        })
    }

    pub(super) fn not_numbers(&self) -> usize {
        self.not_numbers
    }

    /// Stores a value if its field is known; returns whether it is.
    fn take(&mut self, path: &Path, scalar: Scalar<'_>) -> bool {
        for (field, sent) in FIELDS.iter().zip(&mut self.sent) {
            if let Some(part) = field.part(path) {
                sent.named = true;
                let number = match scalar {
                    Scalar::Number(number) => Some(number),
                    Scalar::Null => None,
                    Scalar::Other(_) => {
                        self.not_numbers += 1;
                        None
                    }
                };
                if let Some(place) = sent.numbers.get_mut(part) {
                    *place = number;
                }
                sent.listed = path.index().map_or(sent.listed, |index| sent.listed.max(index + 1));
                return true;
            }
        }
        false
    }

    /// A list that is too short is ambiguous: its numbers cannot be assigned to parts.
    fn drop_short_lists(&mut self) {
        for (field, sent) in FIELDS.iter().zip(&mut self.sent) {
            if field.shape != Shape::One && (1..field.shape.parts().len()).contains(&sent.listed) {
                sent.numbers = [None; MOST_PARTS];
            }
        }
    }

    fn is_recognised(&self) -> bool {
        let named = || FIELDS.iter().zip(&self.sent).filter(|(_, sent)| sent.named);
        named().any(|(field, _)| field.distinctive) || named().count() >= ENOUGH
    }

    fn names_any(&self) -> bool {
        self.sent.iter().any(|sent| sent.named)
    }
}

#[cfg(test)]
mod tests;
