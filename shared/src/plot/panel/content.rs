//! What stands in a panel.

use crate::model::Channel;
use crate::number;
use crate::plot::figure::Figure;
use crate::units::DisplayUnit;

/// What a panel tells.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Content {
    /// What can be chosen in it, if anything; one of them is shown.
    pub choices: Vec<Choice>,
    /// The figures, from the top.
    pub figures: Vec<Figure>,
    /// The tables below them.
    pub tables: Vec<Table>,
    /// What a reader has to know, or can't be told of it, in sentences.
    pub notes: Vec<String>,
}

/// Something that can be chosen in a panel.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// What addresses call it.
    pub id: String,
    /// What it is called.
    pub name: String,
    /// Whether it is what is shown.
    pub chosen: bool,
}

/// Rows of facts under the same heads.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// What it is of.
    pub title: String,
    /// What stands above the columns, that of the rows' own names first.
    pub heads: Vec<String>,
    /// The rows.
    pub rows: Vec<Row>,
}

/// A row of facts.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// What it is of, with the unit where the heads have none.
    pub name: String,
    /// A cell for each further head.
    pub cells: Vec<Cell>,
    /// Where on the lap that is.
    pub stretch: Option<LapRange>,
    /// Whether it stands out: what the laps differ in.
    pub marked: bool,
}

/// A fact.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// The game does not tell it.
    Nothing,
    /// A number as it is shown, and how many digits of it behind the point.
    Number(f64, usize),
    /// Words.
    Words(String),
}

/// A part of the lap, metres from the line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LapRange {
    /// Where it begins.
    pub from_m: f64,
    /// Where it ends.
    pub to_m: f64,
    /// The place in it that is meant.
    pub at_m: f64,
}

impl Content {
    /// One figure and one table.
    pub(super) fn of(figure: Figure, table: Table) -> Self {
        Self { figures: vec![figure], tables: vec![table], ..Self::default() }
    }
}

impl Choice {
    /// Channels to choose from, one of which is chosen.
    pub(super) fn of(channels: &[Channel], chosen: Channel) -> Vec<Self> {
        let choice = |channel: &Channel| Self {
            id: channel.id().to_owned(),
            name: channel.label().to_owned(),
            chosen: *channel == chosen,
        };
        channels.iter().map(choice).collect()
    }
}

impl Table {
    /// A table without rows; the first head stands over the rows' names.
    pub(super) fn new(title: &str, heads: &[&str]) -> Self {
        let heads = heads.iter().map(|head| (*head).to_owned()).collect();
        Self { title: title.to_owned(), heads, rows: Vec::new() }
    }

    /// A table of a lap, and of its reference where there is one.
    pub(super) fn beside(title: &str, compared: bool) -> Self {
        Self::new(title, if compared { &["", "lap", "reference"] } else { &["", "lap"] })
    }

    /// Adds a row of numbers, one for each column; what is not told is a dash.
    pub(super) fn numbers(&mut self, name: &str, decimals: usize, values: &[Option<f64>]) {
        let columns = self.heads.len().saturating_sub(1);
        self.row(name, values.iter().take(columns).map(|value| Cell::number(*value, decimals)).collect());
    }

    /// Adds a row that leads to a part of the lap.
    pub(super) fn leading(&mut self, name: &str, stretch: LapRange, cells: Vec<Cell>) {
        self.rows.push(Row { name: name.to_owned(), cells, stretch: Some(stretch), marked: false });
    }

    /// Adds a row.
    pub(super) fn row(&mut self, name: &str, cells: Vec<Cell>) {
        self.rows.push(Row { name: name.to_owned(), cells, stretch: None, marked: false });
    }
}

/// A name with the unit that stands behind it, if it has one.
pub(super) fn with_unit(name: &str, shown: &DisplayUnit) -> String {
    match shown.suffix {
        "" => name.to_owned(),
        suffix => format!("{name}, {suffix}"),
    }
}

impl Cell {
    /// A number, unless it is none.
    pub(super) fn number(value: Option<f64>, decimals: usize) -> Self {
        value.filter(|value| value.is_finite()).map_or(Self::Nothing, |value| Self::Number(value, decimals))
    }

    /// The number as it is written; a dash for nothing.
    pub fn words(&self) -> String {
        match self {
            Self::Nothing => "–".to_owned(),
            Self::Words(words) => words.clone(),
            Self::Number(value, decimals) => number::write(*value, *decimals),
        }
    }
}
