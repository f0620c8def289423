//! Stands for the recorder of a rig: the archive has the bytes, and the rig has the tail that opens them.

use trailbrake_shared::wire::RigDrive;

use crate::relaying::recorder::{self, Question, RecorderHandle};
use crate::team::{RigName, Rigs};

/// The recorder of a rig, which runs as long as there is a handle.
pub(super) fn start(rigs: Rigs, rig: RigName) -> RecorderHandle {
    let (handle, mut asked) = recorder::elsewhere();
    tokio::spawn(async move {
        while let Some(question) = asked.recv().await {
            // The asker may have gone.
            match question {
                Question::Tail(id, answer) => {
                    let (rigs, rig) = (rigs.clone(), rig.clone());
                    tokio::spawn(async move {
                        if let Some(found) = rigs.tail(&rig, id).await {
                            let _ = answer.send(found);
                        }
                    });
                }
                Question::Drive(answer) => drop(answer.send(RigDrive::default())),
                Question::Write(.., answer) => drop(answer.send(false)),
            }
        }
    });
    handle
}
