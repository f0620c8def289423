//! A car's channels over time, as columns that can be drawn without copying.

use super::{Moment, Slot};

/// A packet that arrives up to this many rows late still finds its row; an older one is dropped.
const LATE_ROWS: usize = 32;
/// Fewer values never make a column dense, and a shorter gap never makes it sparse.
const JUDGED_FROM: usize = 8;
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
#[derive(Clone, Debug)]
pub struct Columns {
    keys: Vec<u64>,
    seconds: Vec<f64>,
    places: [u16; Slot::COUNT],
    columns: Vec<Column>,
}

/// One channel's values, dense or sparse.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Line<'a> {
    /// Dense: a value for every row from the first on, NaN where none was sent. It may end before the last row.
    Every(&'a [f32]),
    /// Sparse: values for some rows, in order.
    Some {
        /// The rows that have a value.
        rows: &'a [u32],
        /// Their values.
        values: &'a [f32],
    },
}

/// Values are added to many columns by turns, so each is within one line of the processor's cache.
#[derive(Clone, Debug)]
#[repr(align(64))]
struct Column {
    slot: Slot,
    /// The first row with a value; [`NO_ROW`] while there is none.
    first: u32,
    body: Body,
}

#[derive(Clone, Debug)]
enum Body {
    Every(Vec<f32>),
    Some { rows: Vec<u32>, values: Vec<f32> },
}

impl Default for Columns {
    fn default() -> Self {
        Self { keys: Vec::new(), seconds: Vec::new(), places: [ABSENT; Slot::COUNT], columns: Vec::new() }
    }
}

impl Columns {
    /// Shifts the rows' seconds. Nothing may be added afterwards.
    pub fn shift_seconds(&mut self, by: f64) {
        self.seconds.iter_mut().for_each(|seconds| *seconds += by);
    }

    /// Adds values to the row of their moment; returns false if they arrive too late.
    pub fn push(&mut self, moment: Moment, values: impl IntoIterator<Item = (Slot, f32)>) -> bool {
        let Some(row) = self.row_of(moment) else { return false };
        for (slot, value) in values {
            if let Some(column) = self.column_mut(slot) {
                column.set(row, value);
            }
        }
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
        let column = self.column(slot)?;
        Some(match &column.body {
            Body::Every(values) => Line::Every(values),
            Body::Some { rows, values } => Line::Some { rows, values },
        })
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
        let row = self.seconds.partition_point(|earlier| *earlier < seconds);
        let mut tail =
            Self { keys: self.keys.split_off(row), seconds: self.seconds.split_off(row), ..Self::default() };
        for column in &mut self.columns {
            let (slot, body) = (column.slot, column.body.split_off(row));
            column.find_first();
            if let Some(new) = tail.column_mut(slot) {
                new.body = body;
                new.find_first();
            }
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
        if let Some(column) = self.columns.iter_mut().find(|column| column.slot == slot) {
            let (Body::Every(values) | Body::Some { values, .. }) = &mut column.body;
            values.iter_mut().for_each(|value| *value += by);
        }
    }

    /// Turns a slot's column into that of another slot, unless that is there, too.
    pub fn convert(&mut self, from: Slot, to: Slot, value: impl Fn(f32) -> f32) {
        if self.column(to).is_some() {
            return;
        }
        for column in self.columns.iter_mut().filter(|column| column.slot == from) {
            column.slot = to;
            let (Body::Every(values) | Body::Some { values, .. }) = &mut column.body;
            values.iter_mut().for_each(|old| *old = value(*old));
        }
        self.rebuild_places();
    }

    /// Drops every other row, so that a lap that does not end stays within its memory budget.
    pub fn thin(&mut self) {
        keep_even(&mut self.keys);
        keep_even(&mut self.seconds);
        for column in &mut self.columns {
            match &mut column.body {
                Body::Every(values) => keep_even(values),
                Body::Some { rows, values } => {
                    let mut kept = rows.iter().map(|row| row % 2 == 0);
                    values.retain(|_| kept.next().unwrap_or(false));
                    rows.retain(|row| row % 2 == 0);
                    rows.iter_mut().for_each(|row| *row /= 2);
                }
            }
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
        self.keys.shrink_to_fit();
        self.seconds.shrink_to_fit();
        for column in &mut self.columns {
            match &mut column.body {
                Body::Every(values) => values.shrink_to_fit(),
                Body::Some { rows, values } => {
                    rows.shrink_to_fit();
                    values.shrink_to_fit();
                }
            }
        }
    }

    /// Bytes of memory used.
    pub fn bytes(&self) -> usize {
        let columns: usize =
            self.columns.iter().map(|column| size_of::<Column>() + column.body.bytes()).sum();
        size_of::<Self>() + (self.keys.capacity() + self.seconds.capacity()) * 8 + columns
    }

    /// The row of a moment: an existing one, a new last one, or one inserted among the latest.
    #[inline]
    fn row_of(&mut self, moment: Moment) -> Option<usize> {
        let seconds = moment.seconds();
        let key = moment.frame.map_or(moment.at.0, u64::from);
        let newest = self.seconds.last().zip(self.keys.last());
        if newest == Some((&seconds, &key)) {
            return self.len().checked_sub(1);
        }
        if newest.is_none_or(|(last, last_key)| *last < seconds || (*last == seconds && *last_key < key)) {
            self.keys.push(key);
            self.seconds.push(seconds);
            return self.len().checked_sub(1);
        }
        self.late_row(seconds, key)
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
        self.columns.iter_mut().for_each(|column| column.make_room(before));
        Some(before)
    }

    fn column(&self, slot: Slot) -> Option<&Column> {
        self.columns.get(usize::from(*self.places.get(slot.index())?))
    }

    fn column_mut(&mut self, slot: Slot) -> Option<&mut Column> {
        let place = self.places.get_mut(slot.index())?;
        if *place == ABSENT {
            *place = u16::try_from(self.columns.len()).ok()?;
            let body = Body::Some { rows: Vec::new(), values: Vec::new() };
            self.columns.push(Column { slot, first: NO_ROW, body });
        }
        self.columns.get_mut(usize::from(*place))
    }

    fn drop_empty(&mut self) {
        self.columns.retain(|column| column.first != NO_ROW);
        self.rebuild_places();
    }

    fn rebuild_places(&mut self) {
        self.places = [ABSENT; Slot::COUNT];
        for (place, column) in (0..).zip(&self.columns) {
            if let Some(entry) = self.places.get_mut(column.slot.index()) {
                *entry = place;
            }
        }
    }
}

impl<'a> Line<'a> {
    /// The value in a row, if one was sent for it.
    pub fn value(self, row: usize) -> Option<f32> {
        match self {
            Self::Every(values) => values.get(row).copied().filter(|value| !value.is_nan()),
            Self::Some { rows, values } => {
                let row = u32::try_from(row).ok()?;
                values.get(rows.binary_search(&row).ok()?).copied()
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
            Self::Some { rows, values } => {
                let after = rows.partition_point(|other| u64::from(*other) <= row as u64);
                values.get(after.checked_sub(1)?).copied()
            }
        }
    }

    /// The rows that have a value, with the value.
    pub fn iter(self) -> impl Iterator<Item = (usize, f32)> + use<'a> {
        let (every, rows, some): (&[f32], &[u32], &[f32]) = match self {
            Self::Every(values) => (values, &[], &[]),
            Self::Some { rows, values } => (&[], rows, values),
        };
        let every = every.iter().copied().enumerate().filter(|(_, value)| !value.is_nan());
        every.chain(rows.iter().map(|row| *row as usize).zip(some.iter().copied()))
    }
}

impl Column {
    #[inline]
    fn set(&mut self, row: usize, value: f32) {
        match &mut self.body {
            // As good as always: the next row of a channel that comes with every frame.
            Body::Every(values) if values.len() == row => values.push(value),
            Body::Every(_) | Body::Some { .. } => self.set_anywhere(row, value),
        }
    }

    fn set_anywhere(&mut self, row: usize, value: f32) {
        self.first = self.first.min(row as u32);
        match &mut self.body {
            Body::Every(values) => {
                if let Some(place) = values.get_mut(row) {
                    *place = value;
                    return;
                }
                let gap = row - values.len();
                values.resize(row, f32::NAN);
                values.push(value);
                if gap >= JUDGED_FROM {
                    self.reshape(row + 1);
                }
            }
            Body::Some { rows, values } => {
                let row = row as u32;
                if rows.last().is_none_or(|last| *last < row) {
                    rows.push(row);
                    values.push(value);
                } else {
                    match rows.binary_search(&row) {
                        Ok(place) => {
                            if let Some(old) = values.get_mut(place) {
                                *old = value;
                            }
                            return;
                        }
                        Err(place) => {
                            rows.insert(place, row);
                            values.insert(place, value);
                        }
                    }
                }
                if rows.len().is_power_of_two() {
                    self.reshape(row as usize + 1);
                }
            }
        }
    }

    /// Chooses the shape that is smaller for this many rows. The limits differ, so that it rarely changes.
    fn reshape(&mut self, rows: usize) {
        let filled = match &self.body {
            Body::Every(values) => values.iter().filter(|value| !value.is_nan()).count(),
            Body::Some { rows, .. } => rows.len(),
        };
        let often = filled >= JUDGED_FROM && filled * 2 > rows;
        let rarely = filled * 4 < rows;
        match &mut self.body {
            Body::Every(all) if rarely => {
                let sent = || all.iter().enumerate().filter(|(_, value)| !value.is_nan());
                let rows = sent().map(|(row, _)| row as u32).collect();
                self.body = Body::Some { rows, values: sent().map(|(_, value)| *value).collect() };
            }
            Body::Some { rows: sent, values } if often => {
                let mut all = vec![f32::NAN; sent.last().map_or(0, |last| *last as usize + 1)];
                for (row, value) in sent.iter().zip(values.iter()) {
                    if let Some(place) = all.get_mut(*row as usize) {
                        *place = *value;
                    }
                }
                self.body = Body::Every(all);
            }
            Body::Every(_) | Body::Some { .. } => {}
        }
    }

    /// Makes room for a row inserted at `before`.
    fn make_room(&mut self, before: usize) {
        if self.first as usize >= before {
            self.first = self.first.saturating_add(1);
        }
        match &mut self.body {
            Body::Every(values) if before < values.len() => values.insert(before, f32::NAN),
            Body::Every(_) => {}
            Body::Some { rows, .. } => {
                rows.iter_mut().rev().take_while(|row| **row as usize >= before).for_each(|row| *row += 1);
            }
        }
    }

    /// Looks for the first value after rows were removed.
    fn find_first(&mut self) {
        let line = match &self.body {
            Body::Every(values) => Line::Every(values),
            Body::Some { rows, values } => Line::Some { rows, values },
        };
        self.first = line.iter().next().map_or(NO_ROW, |(row, _)| row as u32);
    }
}

impl Body {
    fn split_off(&mut self, row: usize) -> Self {
        match self {
            Self::Every(values) => Self::Every(values.split_off(row.min(values.len()))),
            Self::Some { rows, values } => {
                let place = rows.partition_point(|other| u64::from(*other) < row as u64);
                let mut tail = rows.split_off(place);
                tail.iter_mut().for_each(|other| *other -= row as u32);
                Self::Some { rows: tail, values: values.split_off(place.min(values.len())) }
            }
        }
    }

    fn bytes(&self) -> usize {
        match self {
            Self::Every(values) => values.capacity() * 4,
            Self::Some { rows, values } => (rows.capacity() + values.capacity()) * 4,
        }
    }
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
