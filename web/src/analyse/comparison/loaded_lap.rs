//! A decoded lap, with its channels as they are drawn.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use trailbrake_shared::analysis::{CloseCar, Combo, ComparedLap, LapColumns, OwnLine, grip_used};
use trailbrake_shared::lap_catalogue::LapEntry;
use trailbrake_shared::laps::Lap;
use trailbrake_shared::model::{Columns, EventKind, Slot};
use trailbrake_shared::plot::panel::PanelLap;
use trailbrake_shared::plot::{Extent, Pyramid};
use trailbrake_shared::recording::DecodedLap;
use trailbrake_shared::session::{LapContext, RivalLap};

use crate::analyse::LapKey;

/// A decoded lap with its channels.
pub(crate) struct LoadedLap {
    pub(crate) key: LapKey,
    pub(crate) lap: Lap,
    /// Its car and track.
    pub(crate) combo: Combo,
    columns: Columns,
    /// The path that it drove, found when a comparison first needs it.
    pub(crate) own_line: OwnLine,
    /// Its context: events, setup.
    context: LapContext,
    /// The channels read so far, for drawing. `None` for a channel that the game did not send.
    drawn: RefCell<Vec<(Slot, Option<Rc<Values>>)>>,
    /// The grip used in each row, once it was asked for.
    grip_used: OnceCell<Option<Rc<Values>>>,
}

/// A channel's values in each row of a lap, with the extents that make drawing cheap.
pub(crate) struct Values {
    pub(crate) values: Vec<f32>,
    pub(crate) extents: Pyramid,
}

impl Values {
    pub(crate) fn new(values: Vec<f32>) -> Self {
        let extents = Pyramid::over(&values);
        Self { values, extents }
    }

    /// A channel of a lap; `None` where the game did not send it.
    pub(crate) fn of(lap: &LapColumns<'_>, slot: Slot) -> Option<Self> {
        let values = lap.values(slot)?;
        Some(Self::new(values.into_iter().map(|value| value as f32).collect()))
    }

    /// The lowest and the highest value.
    pub(crate) fn extent(&self) -> Extent {
        self.extents.extent(self.values.as_slice(), 0..self.values.len())
    }
}

impl LoadedLap {
    pub(crate) fn new(key: LapKey, entry: &LapEntry, decoded: DecodedLap) -> Self {
        let DecodedLap { lap: decoded, columns, context, .. } = decoded;
        // The catalogue knows more of a lap than its own packets do. Its clock and time go with the decoded columns.
        let mut lap = entry.lap.clone();
        (lap.began_s, lap.time) = (decoded.began_s, decoded.time);
        Self {
            key,
            lap,
            combo: entry.combo(),
            columns,
            own_line: OwnLine::default(),
            context,
            drawn: RefCell::default(),
            grip_used: OnceCell::new(),
        }
    }

    /// Landings, impacts, pauses and rewinds with their seconds on the lap's clock, including those outside the lap.
    pub(crate) fn events(&self) -> impl Iterator<Item = &(f64, EventKind)> {
        self.context.events.iter().chain(&self.context.cuts)
    }

    /// Where other cars were close.
    pub(crate) fn close(&self) -> &[CloseCar] {
        &self.context.close
    }

    /// The lap as an input of the panels.
    pub(crate) fn panel_lap(&self) -> PanelLap<'_> {
        PanelLap { columns: self.columns(), context: &self.context }
    }

    /// The lap for Live, with its official time.
    pub(super) fn rival(&self, name: String, lap: Lap) -> RivalLap {
        RivalLap { name, combo: self.combo.clone(), lap, columns: self.columns.clone() }
    }

    /// The lap's columns, for analysis.
    pub(crate) fn columns(&self) -> LapColumns<'_> {
        LapColumns::new(&self.lap, &self.columns).among(&self.context.close)
    }

    /// The lap as an input of a comparison.
    pub(crate) fn compared<'a>(&'a self, columns: &'a LapColumns<'a>) -> ComparedLap<'a> {
        ComparedLap { lap: &self.lap, columns, combo: &self.combo, own_line: &self.own_line }
    }

    /// All channels of the lap, in the order of the channel table.
    pub(crate) fn slots(&self) -> Vec<Slot> {
        let mut slots: Vec<Slot> = self.columns.slots().collect();
        slots.sort();
        slots
    }

    /// A channel's values in each row; `None` where the game did not send it.
    pub(crate) fn values(&self, slot: Slot) -> Option<Rc<Values>> {
        if let Some((_, known)) = self.drawn.borrow().iter().find(|(known, _)| *known == slot) {
            return known.clone();
        }
        let values = Values::of(&self.columns(), slot).map(Rc::new);
        self.drawn.borrow_mut().push((slot, values.clone()));
        values
    }

    /// The grip used in each row; `None` if the game does not send what it follows from.
    pub(crate) fn grip_used(&self) -> Option<Rc<Values>> {
        let used = || grip_used(&self.columns()).map(|values| Rc::new(Values::new(values)));
        self.grip_used.get_or_init(used).clone()
    }
}
