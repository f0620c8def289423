//! The lanes: their layout, their lines, and how mouse and touch work on them.

mod arrange;
mod build;
mod canvas;
mod grip;
mod lane_value;
mod layout;
mod panel;
mod pointer;
mod scene;
mod settings;
mod tables;
mod words;

pub(crate) use arrange::LaneStore;
pub(super) use build::{DELTA, bridge, lane_values, usual};
pub(crate) use build::{INKS, LaneChoice, MOST, choices, slots};

pub(super) use canvas::LaneCanvas;
pub(crate) use layout::Strip;
pub(super) use layout::{read, written};
pub(super) use panel::{LanesPanel, picture};
pub(crate) use settings::LaneSettings;
pub(super) use tables::{TABLES, lap_head, tables};
pub(super) use words::not_sent;
