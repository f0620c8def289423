//! The arrangement of panels in columns, by the preset or the driver, and the rows that the game can fill.

use super::panel::{Panel, Room};
use super::preset::{Preset, PresetPanels, Size};

/// The columns at the side become one if they have no more panels than this, and no timing table.
const MOST_AT_THE_SIDE: usize = 4;
/// Most panels in a row.
const MOST_ABREAST: usize = 3;

/// The panels of each column, from the top. The dash is always the first panel of the left column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Arrangement {
    columns: Vec<Vec<Panel>>,
}

/// The direction in which the driver moves a panel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    Up,
    Down,
    Left,
    Right,
}

impl Direction {
    pub(super) const ALL: [Self; 4] = [Self::Up, Self::Down, Self::Left, Self::Right];
}

/// Panels side by side. Most rows have only one.
pub(super) type Row = Vec<Panel>;

impl Arrangement {
    /// The arrangement of a preset for a window size.
    pub(super) fn of(preset: Preset, size: Size) -> Self {
        Self { columns: preset.panels(size).columns.iter().map(|column| column.to_vec()).collect() }
    }

    /// Reads what [`Self::words`] wrote. `None` if it has not as many columns as this window size. Unknown and repeated
    /// panels are skipped.
    pub(super) fn from_words(words: &str, size: Size) -> Option<Self> {
        let mut seen = Vec::new();
        let mut columns: Vec<Vec<Panel>> = Vec::new();
        for column in words.split('|') {
            let known = column.split(',').filter_map(Panel::from_id);
            let mut panels = Vec::new();
            for panel in known.filter(|panel| *panel != Panel::Dash) {
                if !seen.contains(&panel) {
                    seen.push(panel);
                    panels.push(panel);
                }
            }
            columns.push(panels);
        }
        if columns.len() != size.columns() {
            return None;
        }
        columns.first_mut()?.insert(0, Panel::Dash);
        Some(Self { columns })
    }

    /// The text form for the browser's storage: ids separated by commas, columns by bars.
    pub(super) fn words(&self) -> String {
        let column =
            |panels: &Vec<Panel>| panels.iter().map(|panel| panel.id()).collect::<Vec<_>>().join(",");
        self.columns.iter().map(column).collect::<Vec<_>>().join("|")
    }

    /// The columns, from the left.
    pub(super) fn columns(&self) -> &[Vec<Panel>] {
        &self.columns
    }

    /// The column of a panel and its index there. `None` if the panel is hidden.
    fn place(&self, panel: Panel) -> Option<(usize, usize)> {
        let place = |panels: &Vec<Panel>| panels.iter().position(|other| *other == panel);
        self.columns.iter().enumerate().find_map(|(column, panels)| Some((column, place(panels)?)))
    }

    /// Shows a hidden panel at the end of the last column, or hides a shown one. The dash always stays.
    pub(super) fn switch(&mut self, panel: Panel) {
        if panel == Panel::Dash {
            return;
        }
        match self.place(panel) {
            Some(_) => self.columns.iter_mut().for_each(|panels| panels.retain(|other| *other != panel)),
            None => self.columns.last_mut().into_iter().for_each(|panels| panels.push(panel)),
        }
    }

    /// Moves a panel one step up or down, or to the end of the column beside it. Returns whether that was possible.
    pub(super) fn shift(&mut self, panel: Panel, to: Direction) -> bool {
        let Some((column, place)) = self.place(panel).filter(|_| panel != Panel::Dash) else { return false };
        let column_after = match to {
            Direction::Up | Direction::Down => {
                let other = if to == Direction::Up { place.checked_sub(1) } else { Some(place + 1) };
                let Some(panels) = self.columns.get_mut(column) else { return false };
                let is_free = |other: &usize| panels.get(*other).is_some_and(|panel| *panel != Panel::Dash);
                let Some(other) = other.filter(is_free) else { return false };
                panels.swap(place, other);
                return true;
            }
            Direction::Left => column.checked_sub(1),
            Direction::Right => Some(column + 1),
        };
        let Some(after) = column_after.filter(|after| *after < self.columns.len()) else { return false };
        self.columns.iter_mut().for_each(|panels| panels.retain(|other| *other != panel));
        self.columns.get_mut(after).into_iter().for_each(|panels| panels.push(panel));
        true
    }

    /// Shows a preset's `for_timing` panels in the room of its timing table, if the game sends none.
    pub(super) fn fill_timing(&mut self, preset: PresetPanels, is_sent: impl Fn(Panel) -> bool) {
        if !is_sent(Panel::Timing)
            && let Some(side) = self.columns.iter_mut().find(|panels| panels.contains(&Panel::Timing))
        {
            side.extend(preset.for_timing.iter().filter(|panel| is_sent(**panel)));
        }
    }

    /// The rows of each column, with only the panels that the game can fill and without empty columns. `unchanged` is
    /// the preset unless the driver has changed it. If its left column has no large panel left, one of the preset's
    /// `instead` panels moves there.
    pub(super) fn rows(
        &self,
        size: Size,
        unchanged: Option<PresetPanels>,
        is_sent: impl Fn(Panel) -> bool,
    ) -> Vec<Vec<Row>> {
        let mut columns = self.columns.clone();
        columns.iter_mut().for_each(|panels| panels.retain(|panel| is_sent(*panel)));
        let is_large = |panel: &Panel| panel.room() == Room::Large;
        let lacks_large =
            |columns: &[Vec<Panel>]| !columns.first().is_some_and(|left| left.iter().any(is_large));
        let instead = unchanged.map(|preset| preset.instead).unwrap_or_default();
        if let Some(panel) = instead.iter().copied().find(|panel| lacks_large(&columns) && is_sent(*panel)) {
            columns.iter_mut().for_each(|panels| panels.retain(|other| *other != panel));
            if let Some(left) = columns.first_mut() {
                left.insert(left.len().min(1), panel);
            }
        }
        let sides = columns.get(1..).unwrap_or_default();
        let has_timing = sides.iter().any(|panels| panels.contains(&Panel::Timing));
        if sides.iter().map(Vec::len).sum::<usize>() <= MOST_AT_THE_SIDE && !has_timing {
            // Few panels: they share one wide column.
            let side = columns.drain(1..).flatten().collect();
            columns.push(side);
        }
        columns.retain(|panels| !panels.is_empty());
        let rows = |(column, panels): (usize, Vec<Panel>)| match (column, size) {
            (0, Size::Tablet | Size::Wide) => abreast(&panels),
            _ => panels.into_iter().map(|panel| vec![panel]).collect(),
        };
        columns.into_iter().enumerate().map(rows).collect()
    }
}

/// The rows of the left column. Consecutive panels share rows, except for the dash and the first large panel.
fn abreast(panels: &[Panel]) -> Vec<Row> {
    let large = panels.iter().find(|panel| panel.room() == Room::Large);
    let shares = |panel: &Panel| panel.room() != Room::Glance && Some(panel) != large;
    panels
        .chunk_by(|one, other| shares(one) && shares(other))
        .flat_map(|run| {
            // Rows are balanced: four panels make two rows of two, not one of three and one of one.
            let rows = run.len().div_ceil(MOST_ABREAST);
            run.chunks(run.len().div_ceil(rows.max(1)).max(1)).map(<[Panel]>::to_vec)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(columns: &[Vec<Row>]) -> String {
        let row = |row: &Row| row.iter().map(|panel| panel.id()).collect::<Vec<_>>().join("+");
        let column = |rows: &Vec<Row>| rows.iter().map(row).collect::<Vec<_>>().join(" ");
        columns.iter().map(column).collect::<Vec<_>>().join(" | ")
    }

    fn shown(preset: Preset, size: Size, missing: &[Panel]) -> String {
        let is_sent = |panel: Panel| !missing.contains(&panel);
        let mut arrangement = Arrangement::of(preset, size);
        arrangement.fill_timing(preset.panels(size), is_sent);
        words(&arrangement.rows(size, Some(preset.panels(size)), is_sent))
    }

    #[test]
    fn a_preset_has_each_panel_once_and_the_dash_first() {
        for preset in Preset::ALL {
            for size in Size::ALL {
                let columns = preset.panels(size).columns;
                assert_eq!((columns.len(), columns[0][0]), (size.columns(), Panel::Dash));
                let mut all: Vec<Panel> = columns.concat();
                let count = all.len();
                all.sort_unstable();
                all.dedup();
                assert_eq!(all.len(), count, "{preset:?} {size:?}");
                let arrangement = Arrangement::of(preset, size);
                assert_eq!(Arrangement::from_words(&arrangement.words(), size), Some(arrangement));
            }
        }
    }

    #[test]
    fn panels_that_a_game_cannot_fill_leave_their_room() {
        use Panel::{Braking, Car, Damage, Energy, Forecast, Session, Stage, Timing, Trace, TyreSets, Tyres};
        let (wide, tablet) = (Size::Wide, Size::Tablet);
        assert_eq!(shown(Preset::Driver, wide, &[Stage]), "dash trace tyres+laps | track timing");
        // With only one car, others take the timing table's room.
        assert_eq!(
            shown(Preset::Driver, wide, &[Stage, Timing]),
            "dash trace tyres+laps | track energy events"
        );
        assert_eq!(
            shown(Preset::Rally, wide, &[Timing, Damage]),
            "dash trace stage+laps | track tyres events"
        );
        assert_eq!(shown(Preset::Rally, tablet, &[Timing]), "dash trace stage+laps+track");
        // A server sends no pedals, so that the track map moves to the left column.
        let server = [Trace, Braking, Tyres, Energy, Car, Damage, Stage];
        assert_eq!(shown(Preset::Server, wide, &server), "dash track | timing laps | session events");
        assert_eq!(shown(Preset::Driver, wide, &server), "dash track laps | timing");
        assert_eq!(shown(Preset::Driver, tablet, &[]), "dash trace tyres+laps+track");
        assert_eq!(shown(Preset::Driver, tablet, &server), "dash laps track");
        // Without a timing table, the engineer view has the pedals there.
        assert_eq!(
            shown(Preset::Engineer, wide, &[Timing, Damage, Session, TyreSets, Forecast]),
            "dash trace tyres+energy | track laps car events"
        );
    }

    #[test]
    fn panels_are_switched_and_moved() {
        let mut arrangement = Arrangement::of(Preset::Server, Size::Wide);
        assert_eq!(arrangement.words(), "dash,track|timing,laps|session,events");
        arrangement.switch(Panel::Laps);
        arrangement.switch(Panel::Tyres);
        assert_eq!(arrangement.words(), "dash,track|timing|session,events,tyres");
        assert!(arrangement.shift(Panel::Tyres, Direction::Up));
        assert!(arrangement.shift(Panel::Events, Direction::Left));
        assert!(!arrangement.shift(Panel::Tyres, Direction::Right));
        assert!(!arrangement.shift(Panel::Track, Direction::Up), "the dash is the first");
        assert!(!arrangement.shift(Panel::Dash, Direction::Right));
        arrangement.switch(Panel::Dash);
        assert_eq!(arrangement.words(), "dash,track|timing,events|session,tyres");
        // Panels that the driver has arranged do not move.
        let rows = arrangement.rows(Size::Wide, None, |panel| panel != Panel::Track);
        assert_eq!(words(&rows), "dash | timing events | session tyres");
    }

    #[test]
    fn an_arrangement_of_another_version_is_read_as_far_as_it_is_known() {
        let read = |words| Arrangement::from_words(words, Size::Tablet).map(|read| read.words());
        assert_eq!(read("dash,trace,wings|laps,trace").as_deref(), Some("dash,trace|laps"));
        assert_eq!(read("dash|laps|timing"), None);
    }

    #[test]
    fn four_compact_panels_stand_in_two_rows() {
        use Panel::{Car, Damage, Dash, Energy, Session, Tyres};
        let rows = abreast(&[Dash, Tyres, Energy, Car, Damage]);
        assert_eq!(rows, [vec![Dash], vec![Tyres, Energy], vec![Car, Damage]]);
        assert_eq!(abreast(&[Tyres, Energy, Session]), [vec![Tyres, Energy, Session]]);
    }
}
