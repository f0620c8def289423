//! Settings as JSON, between relay and page.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Setting;

/// Settings as texts, by the id of each.
pub type Texts = BTreeMap<String, String>;

/// The same texts under current ids. Where a setting has two texts, that under its current id counts.
pub fn with_current_ids(texts: Texts) -> Texts {
    let mut current = Texts::new();
    for (id, text) in texts {
        match Setting::current_id(&id) {
            now if now == id => drop(current.insert(id, text)),
            now => drop(current.entry(now).or_insert(text)),
        }
    }
    current
}

/// What is wrong with a setting.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// The id of the setting.
    pub setting: String,
    /// What is wrong and what to do, as a sentence.
    pub words: String,
}

impl Problem {
    /// A problem with a setting.
    pub fn new(setting: Setting, words: impl Into<String>) -> Self {
        Self { setting: setting.id(), words: words.into() }
    }
}

/// The settings that a relay keeps, as one of its pages may see them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SettingsReport {
    /// Those that are not the default ones.
    pub texts: Texts,
    /// The ids of those that the command line or the options file sets; they can't be changed on the page.
    pub fixed: Vec<String>,
    /// Whether the page may change them.
    pub owner: bool,
    /// What is wrong with the kept settings, as sentences.
    pub warning: Option<String>,
}
