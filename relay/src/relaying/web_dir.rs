//! Serves the page from a folder during development, and reloads browsers when it changes.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;

use crate::relaying::http::Page;

const INTERVAL: Duration = Duration::from_millis(400);

/// Reads the folder repeatedly, until dropped.
///
/// A change counts once two readings agree, so that no browser gets half of a build being written.
pub(crate) async fn watch(folder: PathBuf, page: watch::Sender<Arc<Page>>) {
    let mut last = Page::default();
    loop {
        tokio::time::sleep(INTERVAL).await;
        let folder = folder.clone();
        // An unreadable folder is being written.
        let Ok(Ok(read)) = tokio::task::spawn_blocking(move || Page::read(&folder)).await else { continue };
        if read.is_same(&last) && !read.is_same(&page.borrow()) {
            page.send_replace(Arc::new(read));
        } else {
            last = read;
        }
    }
}
