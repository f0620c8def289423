//! What requests about recordings ask for.

use axum::body::Bytes;
use axum::http::{HeaderMap, Uri};
use serde::de::DeserializeOwned;
use trailbrake_shared::recording::RecordingId;

use crate::library::Refusal;

pub(super) fn named(id: &str) -> Result<RecordingId, Refusal> {
    RecordingId::read(id).ok_or(Refusal::NotThere)
}

pub(super) fn understood<T: DeserializeOwned>(body: &Bytes) -> Result<T, Refusal> {
    serde_json::from_slice(body).map_err(|error| Refusal::Wrong(format!("that is not understood: {error}")))
}

/// What an address says behind a name, decoded.
pub(super) fn asked(uri: &Uri, name: &str) -> Option<String> {
    uri.query()?.split('&').find_map(|pair| pair.strip_prefix(name)).map(decoded)
}

/// The value of a header that a request has exactly once.
pub(super) fn single<'a>(headers: &'a HeaderMap, name: &axum::http::HeaderName) -> Option<&'a str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?;
    values.next().is_none().then(|| value.to_str().ok()).flatten()
}

/// Decodes a value from an address: `%20` is a blank.
fn decoded(value: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = value.as_bytes();
    while let Some((&first, behind)) = rest.split_first() {
        let code = behind.get(..2).and_then(|two| std::str::from_utf8(two).ok());
        let code = code.filter(|_| first == b'%').and_then(|two| u8::from_str_radix(two, 16).ok());
        bytes.push(code.unwrap_or(first));
        rest = behind.get(if code.is_some() { 2 } else { 0 }..).unwrap_or_default();
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_out_of_addresses_are_read() {
        for (value, expected) in
            [("spa.mcap", "spa.mcap"), ("a%20b%C3%A9", "a bé"), ("100%", "100%"), ("%zz", "%zz"), ("", "")]
        {
            assert_eq!(decoded(value), expected);
        }
    }
}
