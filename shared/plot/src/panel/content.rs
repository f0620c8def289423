//! The content of a panel: figures, tables and notes.

use trailbrake_model::Channel;
use trailbrake_model::number;
use trailbrake_model::units::DisplayUnit;

use crate::figure::Figure;

/// The content of a panel.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Content {
    /// The available choices, if any; one of them is shown.
    pub choices: Vec<Choice>,
    /// The figures, from the top.
    pub figures: Vec<Figure>,
    /// The tables below them.
    pub tables: Vec<Table>,
    /// Notes, in sentences: what the reader must know, and what is unavailable.
    pub notes: Vec<String>,
}

/// A choice in a panel.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// Its id in addresses.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Whether it is the one shown.
    pub chosen: bool,
}

/// A table with column heads.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// The title.
    pub title: String,
    /// The column heads; the first is over the row names.
    pub heads: Vec<String>,
    /// The rows.
    pub rows: Vec<Row>,
}

/// A row of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Its name, with the unit where the heads have none.
    pub name: String,
    /// A cell for each further head.
    pub cells: Vec<Cell>,
    /// The part of the lap that it is about.
    pub stretch: Option<LapRange>,
    /// Whether to highlight it: a difference between the laps.
    pub marked: bool,
}

/// A cell of a table.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// No value.
    Nothing,
    /// A number in its display unit, with its decimals.
    Number(f64, usize),
    /// Text.
    Words(String),
}

/// A part of the lap, in metres from the line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LapRange {
    /// Its beginning.
    pub from_m: f64,
    /// Its end.
    pub to_m: f64,
    /// The point of interest in it.
    pub at_m: f64,
}

impl Content {
    /// One figure and one table.
    pub(super) fn of(figure: Figure, table: Table) -> Self {
        Self { figures: vec![figure], tables: vec![table], ..Self::default() }
    }
}

impl Choice {
    /// Choices for these channels, one of which is chosen.
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
    /// An empty table; the first head is over the row names.
    pub(crate) fn new(title: &str, heads: &[&str]) -> Self {
        let heads = heads.iter().map(|head| (*head).to_owned()).collect();
        Self { title: title.to_owned(), heads, rows: Vec::new() }
    }

    /// An empty table for a lap, and for its reference if there is one.
    pub(super) fn beside(title: &str, compared: bool) -> Self {
        Self::new(title, if compared { &["", "lap", "reference"] } else { &["", "lap"] })
    }

    /// Adds a row of numbers, one per column; a missing one is a dash.
    pub(super) fn numbers(&mut self, name: &str, decimals: usize, values: &[Option<f64>]) {
        let columns = self.heads.len().saturating_sub(1);
        self.row(name, values.iter().take(columns).map(|value| Cell::number(*value, decimals)).collect());
    }

    /// Adds a row linked to a part of the lap.
    pub(super) fn leading(&mut self, name: &str, stretch: LapRange, cells: Vec<Cell>) {
        self.rows.push(Row { name: name.to_owned(), cells, stretch: Some(stretch), marked: false });
    }

    /// Adds a row.
    pub(crate) fn row(&mut self, name: &str, cells: Vec<Cell>) {
        self.rows.push(Row { name: name.to_owned(), cells, stretch: None, marked: false });
    }

    /// Removes the columns in which no row has anything.
    pub(crate) fn remove_empty_columns(&mut self) {
        let Self { heads, rows, .. } = self;
        for column in (1..heads.len()).rev() {
            let is_empty = |row: &Row| matches!(row.cells.get(column - 1), None | Some(Cell::Nothing));
            if rows.iter().all(is_empty) {
                heads.remove(column);
                for row in rows.iter_mut().filter(|row| row.cells.len() >= column) {
                    row.cells.remove(column - 1);
                }
            }
        }
    }
}

/// A name with its unit, if any.
pub(super) fn with_unit(name: &str, shown: &DisplayUnit) -> String {
    match shown.suffix {
        "" => name.to_owned(),
        suffix => format!("{name}, {suffix}"),
    }
}

impl Cell {
    /// A number; no value if it is not finite.
    pub(crate) fn number(value: Option<f64>, decimals: usize) -> Self {
        value.filter(|value| value.is_finite()).map_or(Self::Nothing, |value| Self::Number(value, decimals))
    }

    /// The cell as text; a dash for no value.
    pub fn words(&self) -> String {
        match self {
            Self::Nothing => "–".to_owned(),
            Self::Words(words) => words.clone(),
            Self::Number(value, decimals) => number::write(*value, *decimals),
        }
    }
}
