//! Recordings inside the viewer's page: their names, the view, and text that should be a recording.

use trailbrake_shared::export::single_file::{self, Enclosed};

/// The page, with room for recordings, and what it has around them.
const VIEWER: &str = "<!-- recordings -->";
/// The angle brackets that open a tag where one recording and a view are enclosed.
const TAGS: usize = 4;

/// A recording's name, its view and its bytes, on a line each. No text becomes a tag, and the bytes come out again.
pub fn single_file(bytes: &[u8]) {
    let _ = single_file::bytes(&String::from_utf8_lossy(bytes));
    let mut lines = bytes.splitn(3, |byte| *byte == b'\n').map(String::from_utf8_lossy);
    let (name, view) = (lines.next().unwrap_or_default(), lines.next().unwrap_or_default());
    let recording = Enclosed { name: &name, bytes };
    let Some(page) = single_file::enclose(VIEWER, &[recording], &view) else { return };
    let tags = if view.is_empty() { TAGS - 2 } else { TAGS };
    assert_eq!(page.matches('<').count(), tags, "{page}");
    let text = page.rsplit_once("</script>").and_then(|(before, _)| Some(before.rsplit_once('>')?.1));
    assert_eq!(text.and_then(single_file::bytes).as_deref(), Some(bytes), "{page}");
}
