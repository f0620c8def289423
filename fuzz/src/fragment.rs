//! Address fragments: links that somebody sent.

/// A fragment, or text that was pasted, read as each page reads it.
pub fn fragment(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let found = trailbrake_web::read_fragment(&text);
    assert_eq!(found, trailbrake_web::read_fragment(&found), "a search leads to itself");
}
