//! A car's channels over time, as columns that can be drawn without copying.

use super::{Moment, Slot};

/// A packet that arrives up to this many rows late still finds its row; an older one is dropped.
const LATE_ROWS: usize = 32;
/// Fewer values never make a column dense.
const JUDGED_FROM: usize = 8;
/// For how many rows a dense column has room at least.
const LEAST_ROOM: usize = 1024;
/// Stands for the first row with a value where there is none.
const NO_ROW: u32 = u32::MAX;
/// The place of a column that does not exist.
const ABSENT: u16 = u16::MAX;

const _: () = assert!(Slot::COUNT < ABSENT as usize, "a slot's place must fit into two bytes");
const _: () = assert!(size_of::<Column>() == 64, "a column must not take a second line of the cache");

/// Rows of one car's channels. A row is one frame of the game: packets of different kinds with the same frame share it,
/// in any order.
///
/// A channel that was never sent has no column. A rarely sent channel costs memory at its own rate.
#[derive(Clone, Debug, Default)]
pub struct Columns {
    keys: Vec<u64>,
    seconds: Vec<f64>,
    /// For each slot the place of its column; empty while there are no columns, as in cars of which nothing is kept.
    places: Vec<u16>,
    columns: Vec<Column>,
}

/// One channel's values, dense or sparse.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Line<'a> {
    /// Dense: a value for every row from the first on, NaN where none was sent. It may end before the last row.
    Every(&'a [f32]),
    /// Sparse: the rows that have a value, in order, with it.
    Some(&'a [(u32, f32)]),
}

/// Values are added to many columns by turns, so each is within one line of the processor's cache. Either `every` or `some`
/// has values.
#[derive(Clone, Debug)]
#[repr(align(64))]
struct Column {
    slot: Slot,
    /// The first row with a value; [`NO_ROW`] while there is none.
    first: u32,
    /// Dense: values for as many rows as there is room for, NaN where none was sent. Rows behind them have none.
    every: Vec<f32>,
    /// Sparse: rows and their values.
    some: Vec<(u32, f32)>,
}

impl Columns {
    /// Shifts the rows' seconds. Nothing may be added afterwards.
    pub fn shift_seconds(&mut self, by: f64) {
        self.seconds.iter_mut().for_each(|seconds| *seconds += by);
    }

    /// Adds values to the row of their moment; returns false if they arrive too late.
    #[inline]
    pub fn push(&mut self, moment: Moment, values: impl IntoIterator<Item = (Slot, f32)>) -> bool {
        let (seconds, key) = (moment.seconds(), moment.frame.map_or(moment.at.0, u64::from));
        let Some(row) = self.newest_row(seconds, key) else { return self.push_late(seconds, key, values) };
        for (slot, value) in values {
            let place = self.place(slot);
            match self.columns.get_mut(place) {
                Some(column) => column.set(row, value),
                None => self.set_anywhere(row, slot, value),
            }
        }
        true
    }

    #[cold]
    fn push_late(&mut self, seconds: f64, key: u64, values: impl IntoIterator<Item = (Slot, f32)>) -> bool {
        let Some(row) = self.late_row(seconds, key) else { return false };
        values.into_iter().for_each(|(slot, value)| self.set_anywhere(row, slot, value));
        true
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.seconds.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.seconds.is_empty()
    }

    /// Each row's time in seconds: the game's if it sends one, else the time of receipt.
    pub fn seconds(&self) -> &[f64] {
        &self.seconds
    }

    /// The slots that have a column.
    pub fn slots(&self) -> impl Iterator<Item = Slot> + use<'_> {
        self.columns.iter().map(|column| column.slot)
    }

    /// A slot's values; `None` when it was never sent.
    pub fn line(&self, slot: Slot) -> Option<Line<'_>> {
        let line = self.column(slot)?.line();
        if let Line::Every(values) = line {
            return Some(Line::Every(values.get(..self.len()).unwrap_or(values)));
        }
        Some(line)
    }

    /// A slot's value in a row, if one was sent for it.
    pub fn value(&self, slot: Slot, row: usize) -> Option<f32> {
        self.line(slot)?.value(row)
    }

    /// A slot's latest value at or before a row.
    pub fn latest(&self, slot: Slot, row: usize) -> Option<f32> {
        let column = self.column(slot)?;
        if row < column.first as usize { None } else { self.line(slot)?.latest(row) }
    }

    /// The last row at or before a time.
    pub fn row_at(&self, seconds: f64) -> Option<usize> {
        self.seconds.partition_point(|row| *row <= seconds).checked_sub(1)
    }

    /// Removes the rows from a time on, and returns them.
    pub fn split_off(&mut self, seconds: f64) -> Self {
        self.trim();
        let row = self.seconds.partition_point(|earlier| *earlier < seconds);
        let mut tail =
            Self { keys: self.keys.split_off(row), seconds: self.seconds.split_off(row), ..Self::default() };
        for column in &mut self.columns {
            tail.columns.push(column.split_off(row));
        }
        tail.drop_empty();
        self.drop_empty();
        tail
    }

    /// Drops the rows after a time.
    pub fn cut_after(&mut self, seconds: f64) {
        let _ = self.split_off(seconds.next_up());
    }

    /// Adds `by` to every value of a slot.
    pub fn shift(&mut self, slot: Slot, by: f32) {
        let columns = self.columns.iter_mut().filter(|column| column.slot == slot);
        columns.flat_map(Column::values_mut).for_each(|value| *value += by);
    }

    /// Turns a slot's column into that of another slot, unless that is there, too.
    pub fn convert(&mut self, from: Slot, to: Slot, value: impl Fn(f32) -> f32) {
        if self.column(to).is_some() {
            return;
        }
        for column in self.columns.iter_mut().filter(|column| column.slot == from) {
            column.slot = to;
            column.values_mut().for_each(|old| *old = value(*old));
        }
        self.rebuild_places();
    }

    /// Drops every other row, so that a lap that does not end stays within its memory budget.
    pub fn thin(&mut self) {
        self.trim();
        keep_even(&mut self.keys);
        keep_even(&mut self.seconds);
        for column in &mut self.columns {
            keep_even(&mut column.every);
            column.some.retain(|(row, _)| row % 2 == 0);
            column.some.iter_mut().for_each(|(row, _)| *row /= 2);
            column.find_first();
        }
        self.drop_empty();
    }

    /// Keeps only the slots for which `keep` is true.
    pub fn retain(&mut self, keep: impl Fn(Slot) -> bool) {
        self.columns.retain(|column| keep(column.slot));
        self.rebuild_places();
    }

    /// Frees memory reserved for more rows.
    pub fn shrink(&mut self) {
        self.trim();
        self.keys.shrink_to_fit();
        self.seconds.shrink_to_fit();
        for column in &mut self.columns {
            column.every.shrink_to_fit();
            column.some.shrink_to_fit();
        }
    }

    /// Bytes of memory used.
    pub fn bytes(&self) -> usize {
        let columns: usize = self.columns.iter().map(Column::bytes).sum();
        let rows = (self.keys.capacity() + self.seconds.capacity()) * 8;
        size_of::<Self>() + self.places.capacity() * size_of::<u16>() + rows + columns
    }

    /// The newest row if it is that of a moment, or else a new one if the moment is later.
    #[inline]
    fn newest_row(&mut self, seconds: f64, key: u64) -> Option<usize> {
        let len = self.len();
        let newest = len.wrapping_sub(1);
        if let Some(last) = self.seconds.get(newest)
            && let Some(last_key) = self.keys.get(newest)
        {
            if *last == seconds && *last_key == key {
                return Some(newest);
            }
            let is_later = *last < seconds || (*last == seconds && *last_key < key);
            if !is_later {
                return None;
            }
        }
        self.keys.push(key);
        self.seconds.push(seconds);
        Some(len)
    }

    /// The row of a moment before the newest one.
    #[cold]
    fn late_row(&mut self, seconds: f64, key: u64) -> Option<usize> {
        let len = self.len();
        let from = len.saturating_sub(LATE_ROWS);
        let late = self.keys.iter().zip(&self.seconds).enumerate().skip(from).rev();
        let mut before = from;
        for (row, (&other_key, &other)) in late {
            if other_key == key {
                return Some(row);
            }
            if other < seconds || (other == seconds && other_key < key) {
                before = row + 1;
                break;
            }
        }
        if before == from && from > 0 {
            return None;
        }
        self.keys.insert(before, key);
        self.seconds.insert(before, seconds);
        let rows = self.seconds.len();
        self.columns.iter_mut().for_each(|column| column.make_room(before, rows));
        Some(before)
    }

    /// Where a slot's column is; [`ABSENT`] without one.
    #[inline]
    fn place(&self, slot: Slot) -> usize {
        self.places.get(slot.index()).copied().unwrap_or(ABSENT).into()
    }

    fn column(&self, slot: Slot) -> Option<&Column> {
        self.columns.get(self.place(slot))
    }

    /// Sets a value of any row. Adds the slot's column if there is none.
    fn set_anywhere(&mut self, row: usize, slot: Slot, value: f32) {
        if self.column(slot).is_none() {
            let place = u16::try_from(self.columns.len()).unwrap_or(ABSENT);
            note_place(&mut self.places, slot, place);
            self.columns.push(Column { slot, first: NO_ROW, every: Vec::new(), some: Vec::new() });
        }
        let place = self.place(slot);
        if let Some(column) = self.columns.get_mut(place) {
            column.set_anywhere(row, value);
        }
    }

    /// Drops the room for more rows.
    fn trim(&mut self) {
        let rows = self.len();
        self.columns.iter_mut().for_each(|column| column.every.truncate(rows));
    }

    fn drop_empty(&mut self) {
        self.columns.retain(|column| column.first != NO_ROW);
        self.rebuild_places();
    }

    fn rebuild_places(&mut self) {
        self.places.clear();
        for (place, column) in (0..).zip(&self.columns) {
            note_place(&mut self.places, column.slot, place);
        }
    }
}

fn note_place(places: &mut Vec<u16>, slot: Slot, place: u16) {
    places.resize(Slot::COUNT, ABSENT);
    if let Some(entry) = places.get_mut(slot.index()) {
        *entry = place;
    }
}

impl<'a> Line<'a> {
    /// The value in a row, if one was sent for it.
    pub fn value(self, row: usize) -> Option<f32> {
        match self {
            Self::Every(values) => values.get(row).copied().filter(|value| !value.is_nan()),
            Self::Some(values) => {
                let place = values.binary_search_by_key(&row, |(other, _)| *other as usize).ok()?;
                values.get(place).map(|(_, value)| *value)
            }
        }
    }

    /// The latest value at or before a row.
    pub fn latest(self, row: usize) -> Option<f32> {
        match self {
            Self::Every(values) => {
                let until = row.saturating_add(1).min(values.len());
                values.get(..until)?.iter().rev().copied().find(|value| !value.is_nan())
            }
            Self::Some(values) => {
                let after = values.partition_point(|(other, _)| *other as usize <= row);
                values.get(after.checked_sub(1)?).map(|(_, value)| *value)
            }
        }
    }

    /// The last row that has a value, with the value.
    pub fn last(self) -> Option<(usize, f32)> {
        self.iter().next_back()
    }

    /// The rows that have a value, with the value.
    pub fn iter(self) -> impl DoubleEndedIterator<Item = (usize, f32)> + use<'a> {
        let (every, some): (&[f32], &[(u32, f32)]) = match self {
            Self::Every(values) => (values, &[]),
            Self::Some(values) => (&[], values),
        };
        let every = every.iter().copied().enumerate().filter(|(_, value)| !value.is_nan());
        every.chain(some.iter().map(|(row, value)| (*row as usize, *value)))
    }
}

impl Column {
    /// Sets the value of the newest row.
    #[inline]
    fn set(&mut self, row: usize, value: f32) {
        match self.every.get_mut(row) {
            Some(place) => *place = value,
            None => self.set_anywhere(row, value),
        }
    }

    fn set_anywhere(&mut self, row: usize, value: f32) {
        self.first = self.first.min(row as u32);
        if row >= self.every.len() && self.every.last().is_some_and(|last| last.is_nan()) {
            self.reshape(row);
        }
        if self.every.is_empty() {
            let place = self.some.partition_point(|(other, _)| (*other as usize) < row);
            if let Some((_, old)) = self.some.get_mut(place).filter(|(other, _)| *other as usize == row) {
                *old = value;
                return;
            }
            self.some.insert(place, (row as u32, value));
            if self.some.len().is_power_of_two() {
                self.reshape(row + 1);
            }
            return;
        }
        if row >= self.every.len() {
            self.every.resize(room(row + 1), f32::NAN);
        }
        if let Some(place) = self.every.get_mut(row) {
            *place = value;
        }
    }

    /// Chooses the shape that is smaller for this many rows. The limits differ, so that it rarely changes.
    #[cold]
    fn reshape(&mut self, rows: usize) {
        let filled = self.line().iter().count();
        let often = filled >= JUDGED_FROM && filled * 2 > rows;
        let rarely = filled * 4 < rows;
        if often && self.every.is_empty() {
            let mut every = vec![f32::NAN; room(rows)];
            for (row, value) in self.line().iter() {
                if let Some(place) = every.get_mut(row) {
                    *place = value;
                }
            }
            (self.every, self.some) = (every, Vec::new());
        } else if rarely && !self.every.is_empty() {
            self.some = self.line().iter().map(|(row, value)| (row as u32, value)).collect();
            self.every = Vec::new();
        }
    }

    /// Makes room for a row inserted at `before`.
    fn make_room(&mut self, before: usize, rows: usize) {
        if self.first as usize >= before {
            self.first = self.first.saturating_add(1);
        }
        // Only the rows behind it move, not the room ahead of them.
        match self.every.get(before).copied() {
            Some(_) if rows < self.every.len() => {
                self.every.copy_within(before..rows, before + 1);
                self.every.get_mut(before).into_iter().for_each(|place| *place = f32::NAN);
            }
            Some(_) => self.every.insert(before, f32::NAN),
            None => {}
        }
        let later = self.some.iter_mut().rev().take_while(|(row, _)| *row as usize >= before);
        later.for_each(|(row, _)| *row += 1);
    }

    /// Looks for the first value after rows were removed.
    fn find_first(&mut self) {
        let first = self.line().iter().next();
        self.first = first.map_or(NO_ROW, |(row, _)| row as u32);
    }

    /// The values, with those in the room for more rows.
    fn line(&self) -> Line<'_> {
        if self.every.is_empty() { Line::Some(&self.some) } else { Line::Every(&self.every) }
    }

    fn values_mut(&mut self) -> impl Iterator<Item = &mut f32> {
        self.every.iter_mut().chain(self.some.iter_mut().map(|(_, value)| value))
    }

    /// Removes the values from a row on, and returns them.
    fn split_off(&mut self, row: usize) -> Self {
        let every = self.every.split_off(row.min(self.every.len()));
        let mut some = self.some.split_off(self.some.partition_point(|(other, _)| (*other as usize) < row));
        some.iter_mut().for_each(|(other, _)| *other -= row as u32);
        let mut tail = Self { slot: self.slot, first: NO_ROW, every, some };
        self.find_first();
        tail.find_first();
        tail
    }

    fn bytes(&self) -> usize {
        size_of::<Self>() + self.every.capacity() * 4 + self.some.capacity() * 8
    }
}

/// For how many rows a column with so many has room.
fn room(rows: usize) -> usize {
    rows.next_power_of_two().max(LEAST_ROOM)
}

fn keep_even<T>(values: &mut Vec<T>) {
    let mut row = 0_usize;
    values.retain(|_| {
        row += 1;
        row % 2 == 1
    });
}

#[cfg(test)]
mod tests;
