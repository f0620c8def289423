//! The name and the tags of a recording.

use trailbrake_shared::library::Relabel;
use trailbrake_shared::recording::facts::{LONGEST_LABEL, Labels, MOST_TAGS};
use trailbrake_shared::recording::{Fact, Facts, StoredFact, facts};
use trailbrake_shared::time::Micros;

use super::recordings::Change;
use super::refusal::Refusal;

/// The change of facts for a request to relabel a recording.
pub(crate) fn relabelling(facts: &Facts, wish: &Relabel, now: Micros) -> Result<Change, Refusal> {
    let labels = relabelled(facts, wish)?;
    Ok((Labels::NAME.to_owned(), StoredFact { at: now, json: facts::write(&labels) }))
}

/// The labels after such a request.
pub(super) fn relabelled(facts: &Facts, wish: &Relabel) -> Result<Labels, Refusal> {
    let mut labels: Labels =
        facts.get().map_err(|error| Refusal::Unreadable(error.to_string()))?.unwrap_or_default();
    let plain = |text: &str| {
        let text = text.trim();
        let fits = text.chars().count() <= LONGEST_LABEL && !text.chars().any(char::is_control);
        fits.then(|| text.to_owned()).ok_or_else(|| {
            Refusal::Wrong(format!("a name or a tag is one line of at most {LONGEST_LABEL} letters"))
        })
    };
    if let Some(name) = &wish.name {
        labels.name = Some(plain(name)?).filter(|name| !name.is_empty());
    }
    if let Some(tags) = &wish.tags {
        let mut plain_tags = Vec::new();
        for tag in tags {
            let tag = plain(tag)?;
            if !tag.is_empty() && !plain_tags.contains(&tag) {
                plain_tags.push(tag);
            }
        }
        if plain_tags.len() > MOST_TAGS {
            return Err(Refusal::Wrong(format!("a recording can have {MOST_TAGS} tags")));
        }
        labels.tags = plain_tags;
    }
    Ok(labels)
}
