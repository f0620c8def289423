//! A feed as named on the command line and in the options file.

use std::str::FromStr;

use serde::Deserialize;
use trailbrake_shared::feed::{FEEDS, Feed};

/// A feed by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct FeedName(pub Feed);

impl FromStr for FeedName {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Feed::from_id(name).map(Self).ok_or_else(|| {
            let known: Vec<&str> = FEEDS.iter().map(|row| row.id).collect();
            format!("there is no feed {name:?}; the feeds are {}", known.join(", "))
        })
    }
}

impl TryFrom<String> for FeedName {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        name.parse()
    }
}
