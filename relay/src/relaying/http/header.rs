//! Headers of requests.

use axum::http::{HeaderMap, HeaderName};

/// The value of a header that a request has exactly once.
pub(super) fn single(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?;
    values.next().is_none().then(|| value.to_str().ok()).flatten()
}
