//! Similar objects as a table, a row each.

use std::io::{self, Write};

use serde_json::{Map, Value};
use trailbrake_shared::units::Unit;

use super::cell::{Cell, heading};
use super::fields::{ONLY_DRAWN, has_inside, place};

/// A table whose columns are the fields of its rows.
pub(super) struct Table {
    heads: Vec<String>,
    rows: Vec<Vec<Cell>>,
}

/// A column: a field, or a field of a nested object.
type Path = (String, Option<String>);

impl Table {
    /// A table of objects that contain only plain values or objects of plain values; `None` where they are nested
    /// deeper.
    pub(super) fn of(items: &[Value], unit: Option<Unit>) -> Option<Self> {
        let rows: Vec<&Map<String, Value>> = items.iter().filter_map(Value::as_object).collect();
        let values = || rows.iter().flat_map(|row| row.iter()).filter(|(name, _)| is_shown(name));
        let is_flat = |value: &Value| match value {
            Value::Object(fields) => !fields.values().any(has_inside),
            value => !has_inside(value),
        };
        if rows.len() < items.len() || !values().all(|(_, value)| is_flat(value)) {
            return None;
        }
        let mut paths: Vec<Path> = Vec::new();
        for (name, value) in values() {
            match value {
                Value::Object(fields) => {
                    paths.extend(fields.keys().map(|inner| (name.clone(), Some(inner.clone()))))
                }
                _ => paths.push((name.clone(), None)),
            }
        }
        paths.sort_by_cached_key(|(name, inner)| (place(name), inner.as_deref().map(place)));
        paths.dedup();
        // A field that is null in some rows and an object in others gets only the object's columns.
        let nested: Vec<String> =
            paths.iter().filter(|(_, inner)| inner.is_some()).map(|(name, _)| name.clone()).collect();
        paths.retain(|(name, inner)| inner.is_some() || !nested.contains(name));
        let head = |(name, inner): &Path| match (name.as_str(), inner) {
            ("kind", None) => String::new(),
            (_, None) => heading(name),
            ("at", Some(inner)) => heading(inner),
            (_, Some(inner)) => format!("{}: {}", heading(name), heading(inner)),
        };
        // Fields with the same heading in different units share a column.
        let mut columns: Vec<(String, Vec<Path>)> = Vec::new();
        for path in paths {
            let head = head(&path);
            match columns.iter_mut().find(|(known, _)| *known == head) {
                Some((_, paths)) => paths.push(path),
                None => columns.push((head, vec![path])),
            }
        }
        let one = |row: &Map<String, Value>, (name, inner): &Path| {
            let value = match inner {
                Some(inner) => row.get(name).and_then(|value| value.get(inner)),
                None => row.get(name),
            };
            let name = inner.as_ref().unwrap_or(name);
            value.map(|value| Cell::of(name, value, unit))
        };
        let cell = |row: &Map<String, Value>, paths: &[Path]| {
            paths.iter().find_map(|path| one(row, path)).unwrap_or_else(Cell::empty)
        };
        let rows =
            rows.iter().map(|row| columns.iter().map(|(_, paths)| cell(row, paths)).collect()).collect();
        Some(Self { heads: columns.into_iter().map(|(head, _)| head).collect(), rows })
    }

    /// Prints the table, indented by `depth`.
    pub(super) fn write(&self, depth: usize, out: &mut dyn Write) -> io::Result<()> {
        let column = |column: usize| self.rows.iter().filter_map(move |row| row.get(column));
        let columns = self.heads.iter().enumerate().map(|(nth, head)| {
            let longest = column(nth).map(|cell| cell.to_string().chars().count()).max();
            let width = longest.unwrap_or_default().max(head.chars().count());
            (head, width, column(nth).any(|cell| cell.is_number))
        });
        let columns: Vec<(&String, usize, bool)> = columns.collect();
        let line = |cells: Vec<String>| {
            let cells = columns.iter().zip(cells).map(|((_, width, ends), cell)| {
                if *ends { format!("{cell:>width$}") } else { format!("{cell:<width$}") }
            });
            let cells: Vec<String> = cells.collect();
            format!("{}{}", "  ".repeat(depth), cells.join("  ").trim_end())
        };
        writeln!(out, "{}", line(columns.iter().map(|(head, ..)| (*head).clone()).collect()))?;
        for row in &self.rows {
            writeln!(out, "{}", line(row.iter().map(Cell::to_string).collect()))?;
        }
        Ok(())
    }
}

fn is_shown(name: &str) -> bool {
    !ONLY_DRAWN.contains(&name)
}
