//! The names under which the browser stores what the driver chose on this device. They stand in one table, so that no two
//! are the same and none is changed by accident: a choice that is stored under another name is lost.

/// The theme. `theme.js` reads it before the first paint.
pub(crate) const THEME: &str = "trailbrake.theme";
/// The display units.
pub(crate) const UNITS: &str = "trailbrake.units";
/// The driver's settings of a page without a relay. With one, the relay keeps them.
pub(crate) const SETTINGS: &str = "trailbrake.settings";
/// The name of who writes notes.
pub(crate) const AUTHOR: &str = "trailbrake.author";
/// The sounds that are on.
pub(crate) const SOUNDS: &str = "trailbrake.sounds";
/// How long before the brake point the long tone sounds.
pub(crate) const BRAKE_LEAD: &str = "trailbrake.brake-lead";
/// The delta's target.
pub(crate) const DELTA: &str = "trailbrake.delta";
/// The brake points of each track.
pub(crate) const BRAKE_POINTS: &str = "trailbrake.brake-points";
/// The coaching task.
pub(crate) const TASK: &str = "trailbrake.task";
/// The tracks that the driver has named.
pub(crate) const TRACKS: &str = "trailbrake.tracks";
/// Whether Live shows lanes or pedals.
pub(crate) const TRACE: &str = "trailbrake-trace";
/// Live's preset for a kind of session, whose id follows.
pub(crate) const LIVE_PRESET: &str = "trailbrake-live-preset";
/// Live's panels of a preset on a screen, whose ids follow.
pub(crate) const LIVE_PANELS: &str = "trailbrake-live-panels";
/// A folded or widened column of Analyse.
pub(crate) const ANALYSE_LEFT: &str = "trailbrake.analyse.left";
pub(crate) const ANALYSE_RIGHT: &str = "trailbrake.analyse.right";
/// Analyse's lanes on screen, its saved layouts, and whether lanes keep their whole range in a part of the lap.
pub(crate) const LANES: &str = "trailbrake-lanes";
pub(crate) const LAYOUTS: &str = "trailbrake-layouts";
pub(crate) const NO_FIT: &str = "trailbrake-no-fit-lanes";
/// The excluded laps of a recording, whose id follows.
pub(crate) const EXCLUDED: &str = "trailbrake-excluded-";
/// The unsaved notes of a recording, whose id follows.
pub(crate) const NOTES: &str = "trailbrake.notes.";
/// How a table of another program is read, whose columns' key follows.
pub(crate) const TABLE: &str = "trailbrake.table.";
/// The demo's position, which the tab stores.
pub(crate) const DEMO: &str = "trailbrake.demo";
