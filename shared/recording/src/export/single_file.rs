//! Recordings inside the viewer: one page that opens from disk, with nothing else beside it.
//!
//! A recording is base64 in a script element that no browser runs. Base64 takes four letters for three bytes.

use base64::prelude::{BASE64_STANDARD, Engine};

/// Where recordings are put into the viewer.
const ROOM: &str = "<!-- recordings -->";
/// The attribute with the name of an enclosed recording.
pub const RECORDING: &str = "data-recording";
/// The id of the element with the view to open.
pub const VIEW: &str = "view";

/// A recording that is put into the viewer.
#[derive(Clone, Copy, Debug)]
pub struct Enclosed<'a> {
    /// Its file name.
    pub name: &'a str,
    /// The file's bytes.
    pub bytes: &'a [u8],
}

/// Puts recordings, and the fragment of the view to open, into the viewer's page. `None` if the page has no room for
/// them.
pub fn enclose(viewer: &str, recordings: &[Enclosed<'_>], view: &str) -> Option<String> {
    let (before, after) = viewer.split_once(ROOM)?;
    let letters: usize =
        recordings.iter().map(|recording| enclosed_bytes(recording.bytes.len() as u64) as usize + 200).sum();
    let mut page = String::with_capacity(viewer.len() + letters + view.len());
    page.push_str(before);
    if !view.is_empty() {
        page.push_str(&format!("<template id=\"{VIEW}\" data-view=\"{}\"></template>\n", escaped(view)));
    }
    for recording in recordings {
        page.push_str(&format!("<script type=\"text/plain\" {RECORDING}=\"{}\">", escaped(recording.name)));
        BASE64_STANDARD.encode_string(recording.bytes, &mut page);
        page.push_str("</script>\n");
    }
    page.push_str(after);
    Some(page)
}

/// The bytes that a recording takes in a page, but for its name.
pub fn enclosed_bytes(recording: u64) -> u64 {
    recording.div_ceil(3).saturating_mul(4)
}

/// The bytes of an enclosed recording, from its element's text; `None` if the text is damaged.
pub fn bytes(text: &str) -> Option<Vec<u8>> {
    BASE64_STANDARD.decode(text.trim()).ok()
}

/// A text inside an attribute's quotes.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const VIEWER: &str = "<body><!-- recordings --><script type=\"module\">1</script></body>";

    #[test]
    fn recordings_and_view_are_put_in_before_the_app() {
        let recordings = [Enclosed { name: "spa \"wet\" <1>.mcap", bytes: b"\x89MCAP" }];
        let page = enclose(VIEWER, &recordings, "#/analyse?lap=1&to=2").expect("room");
        assert_eq!(
            page,
            "<body><template id=\"view\" data-view=\"#/analyse?lap=1&amp;to=2\"></template>\n\
             <script type=\"text/plain\" data-recording=\"spa &quot;wet&quot; &lt;1>.mcap\">iU1DQVA=</script>\n\
             <script type=\"module\">1</script></body>"
        );
        assert_eq!(enclose("<body></body>", &recordings, ""), None);
    }

    proptest! {
        #[test]
        fn a_recording_comes_out_as_it_went_in(content in proptest::collection::vec(any::<u8>(), 0..2_000)) {
            let page = enclose(VIEWER, &[Enclosed { name: "a", bytes: &content }], "").expect("room");
            let text = page.split_once("\"a\">").and_then(|(_, rest)| rest.split_once("</script>"));
            prop_assert_eq!(text.and_then(|(text, _)| bytes(text)), Some(content));
        }
    }

    #[test]
    fn damaged_text_is_no_recording() {
        assert_eq!(bytes("iU1D*VA="), None);
        assert_eq!(bytes(" iU1DQVA=\n").as_deref(), Some(b"\x89MCAP".as_slice()));
    }
}
