//! `trailbrake team serve`: archives what the rigs send.

use std::path::Path;
use std::thread;

use anyhow::Context;

use crate::shutdown;
use crate::team::{HubFolder, serve};

/// Archives until the user or the system ends it.
pub(super) fn run(dir: &Path) -> anyhow::Result<()> {
    let folder = HubFolder::open(dir)?;
    // Files block a thread, and the connection has another.
    let threads = thread::available_parallelism().map_or(2, |count| count.get().max(2));
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(threads).enable_all().build();
    let runtime = runtime.context("the system gives no threads")?;
    runtime.block_on(async {
        let end = shutdown::end_signal();
        let (ending, shutdown) = shutdown::pair();
        let signalled = async move {
            end.await;
            drop(ending);
        };
        tokio::spawn(signalled);
        tokio::spawn(serve(folder, shutdown)).await?
    })
}
