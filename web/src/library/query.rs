//! The search of the library, and its form in the address.

use crate::route::Page;
use crate::text::words::{decoded, encoded};

/// A column of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Column {
    Date,
    Track,
    Car,
    Name,
    Game,
    Driver,
    Laps,
    Best,
    Length,
    Size,
}

/// A filter of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Filter {
    Game,
    Track,
    Car,
    Tag,
}

/// The search, its order, and the recording whose details are open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Query {
    /// The search text. A recording must match every word of it.
    pub(crate) text: String,
    /// The value of each filter. Empty if it is not set.
    filters: [String; 4],
    /// The column that the list is sorted by.
    pub(crate) column: Column,
    /// Whether the largest comes first.
    pub(crate) descending: bool,
    /// Whether the bin is shown instead of the library.
    pub(crate) bin: bool,
    /// The key of the recording whose details are open.
    pub(crate) open: Option<String>,
}

impl Column {
    /// Every column from left to right, with its word in the address and its heading.
    pub(crate) const ALL: [(Self, &'static str, &'static str); 10] = [
        (Self::Date, "date", "Date"),
        (Self::Track, "track", "Track"),
        (Self::Car, "car", "Car"),
        (Self::Name, "name", "Name, tags"),
        (Self::Game, "game", "Game"),
        (Self::Driver, "driver", "Driver"),
        (Self::Laps, "laps", "Laps"),
        (Self::Best, "best", "Best"),
        (Self::Length, "length", "Length"),
        (Self::Size, "size", "Size"),
    ];

    /// Whether its numbers are aligned right.
    pub(crate) const fn is_number(self) -> bool {
        matches!(self, Self::Laps | Self::Best | Self::Length | Self::Size)
    }

    /// Whether the first click sorts in descending order: newest and largest first.
    const fn starts_descending(self) -> bool {
        matches!(self, Self::Date | Self::Laps | Self::Length | Self::Size)
    }
}

impl Filter {
    /// Every filter.
    pub(crate) const ALL: [Self; 4] = [Self::Game, Self::Track, Self::Car, Self::Tag];

    /// The filter's name in the address.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Game => "game",
            Self::Track => "track",
            Self::Car => "car",
            Self::Tag => "tag",
        }
    }

    /// The filter's label while it is not set.
    pub(crate) const fn all(self) -> &'static str {
        match self {
            Self::Game => "All games",
            Self::Track => "All tracks",
            Self::Car => "All cars",
            Self::Tag => "All tags",
        }
    }
}

/// All recordings, the newest first.
impl Default for Query {
    fn default() -> Self {
        Self {
            text: String::new(),
            filters: Default::default(),
            column: Column::Date,
            descending: true,
            bin: false,
            open: None,
        }
    }
}

impl Query {
    /// Reads a search from the address's fragment.
    pub(crate) fn from_hash(hash: &str) -> Self {
        let mut query = Self::default();
        let pairs = hash.split_once('?').map(|(_, pairs)| pairs).unwrap_or_default();
        for pair in pairs.split('&') {
            let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
            let value = decoded(value);
            match key {
                "q" => query.text = value,
                "open" => query.open = Some(value).filter(|value| !value.is_empty()),
                "bin" => query.bin = true,
                "sort" => query.sort(&value),
                _ => {
                    if let Some(filter) = Filter::ALL.into_iter().find(|filter| filter.word() == key) {
                        query.set(filter, value);
                    }
                }
            }
        }
        query
    }

    /// The fragment of this search.
    pub(crate) fn fragment(&self) -> String {
        let mut fragment = Page::Library.hash().to_owned();
        let mut write = |key: &str, value: &str| {
            fragment.push(if fragment.contains('?') { '&' } else { '?' });
            fragment.push_str(key);
            if !value.is_empty() {
                fragment.push('=');
                fragment.push_str(&encoded(value));
            }
        };
        if self.bin {
            write("bin", "");
        }
        if !self.text.is_empty() {
            write("q", &self.text);
        }
        for filter in Filter::ALL.into_iter().filter(|filter| !self.filter(*filter).is_empty()) {
            write(filter.word(), self.filter(filter));
        }
        if (self.column, self.descending) != (Column::Date, true) {
            let word = Column::ALL.into_iter().find(|(column, ..)| *column == self.column);
            let word = word.map(|(_, word, _)| word).unwrap_or_default();
            write("sort", &format!("{}{word}", if self.descending { "-" } else { "" }));
        }
        if let Some(open) = &self.open {
            write("open", open);
        }
        fragment
    }

    /// The value of a filter. Empty if it is not set.
    pub(crate) fn filter(&self, filter: Filter) -> &str {
        self.filters.get(filter as usize).map(String::as_str).unwrap_or_default()
    }

    /// Sets a filter.
    pub(crate) fn set(&mut self, filter: Filter, value: String) {
        if let Some(own) = self.filters.get_mut(filter as usize) {
            *own = value;
        }
    }

    /// The same search with no recording open.
    pub(super) fn without_details(&self) -> Self {
        Self { open: None, ..self.clone() }
    }

    /// Whether a search text or a filter is set.
    pub(crate) fn is_narrowed(&self) -> bool {
        !self.text.is_empty() || self.filters.iter().any(|value| !value.is_empty())
    }

    /// Clears the search text and the filters.
    pub(crate) fn clear(&mut self) {
        self.text.clear();
        self.filters = Default::default();
    }

    /// Sorts by a column. If the list is sorted by it already, reverses the direction.
    pub(crate) fn sort_by(&mut self, column: Column) {
        self.descending = if self.column == column { !self.descending } else { column.starts_descending() };
        self.column = column;
    }

    fn sort(&mut self, value: &str) {
        let word = value.strip_prefix('-').unwrap_or(value);
        if let Some((column, ..)) = Column::ALL.into_iter().find(|(_, own, _)| *own == word) {
            (self.column, self.descending) = (column, word != value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_survives_the_address() {
        for fragment in [
            "#/library",
            "#/library?q=spa%20wet",
            "#/library?bin",
            "#/library?q=a%26b&game=F1%202018&tag=wet%3d1&sort=-best&open=0a",
            "#/library?sort=date",
        ] {
            assert_eq!(Query::from_hash(fragment).fragment(), fragment);
        }
        assert_eq!(Query::from_hash("#/library?sort=weight&colour=red&open="), Query::default());
    }

    #[test]
    fn a_column_is_sorted_the_usual_way_first_and_then_the_other() {
        let mut query = Query::default();
        let mut press = |column| {
            query.sort_by(column);
            query.descending
        };
        assert_eq!([press(Column::Date), press(Column::Date)], [false, true]);
        assert_eq!([press(Column::Best), press(Column::Best), press(Column::Size)], [false, true, true]);
    }

    #[test]
    fn clearing_leaves_order_and_details_as_they_are() {
        let mut query = Query::from_hash("#/library?q=a&car=b&sort=best&open=c");
        query.clear();
        assert_eq!(query.fragment(), "#/library?sort=best&open=c");
    }
}
