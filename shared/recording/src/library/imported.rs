//! The library's answer to an import.

use serde::{Deserialize, Serialize};

use super::Entry;
use crate::MergedNotes;

/// An imported recording as it is in the library now.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ImportedRecording {
    /// Its list entry.
    #[serde(flatten)]
    pub entry: Entry,
    /// What changed among the library's notes, if it already had a copy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub merged: Option<MergedNotes>,
}

impl ImportedRecording {
    /// Reads the JSON of one; the error says what is wrong.
    pub fn read(json: &str) -> Result<Self, String> {
        #[derive(Deserialize)]
        struct Merged {
            #[serde(default)]
            merged: Option<MergedNotes>,
        }
        // Each part skips the other's fields. Parsing both at once would make the page larger.
        let why = |error: serde_json::Error| error.to_string();
        let Merged { merged } = serde_json::from_str(json).map_err(why)?;
        Ok(Self { entry: serde_json::from_str(json).map_err(why)?, merged })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_read_as_it_was_written() {
        let entry = Entry { file: "a.mcap".into(), notes: 2, ..Entry::default() };
        for merged in [None, Some(MergedNotes::default())] {
            let imported = ImportedRecording { entry: entry.clone(), merged };
            let json = serde_json::to_string(&imported).expect("JSON");
            assert_eq!(ImportedRecording::read(&json), Ok(imported));
        }
        assert!(ImportedRecording::read("<html>").is_err());
    }
}
