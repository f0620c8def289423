//! Trailbrake's page: a Leptos app that decodes telemetry in the browser and draws it.
#![forbid(unsafe_code)]
#![allow(unreachable_pub, reason = "a component's function is made public")]

mod analyse;
mod app;
mod bests;
mod browser;
mod cockpit;
mod connections;
mod dates;
mod demo;
mod driver_settings;
mod figures;
pub mod frame;
mod http;
mod jobs;
mod laps;
mod latest_task;
mod library;
mod link;
mod live;
mod local;
mod outside;
mod overlay;
pub mod painter;
mod replay;
mod room;
mod route;
mod seats;
mod server;
mod settings;
mod sounds;
mod telemetry;
mod theme;
mod ui;
mod words;

use leptos::prelude::*;

pub use outside::read_fragment;

/// Starts the app in the page's body.
pub fn start() {
    browser::explain_panics();
    // A viewer that was sent as one file opens the view inside it, unless the address names another one.
    if let Some(view) = browser::enclosed_view().filter(|_| browser::fragment().is_empty()) {
        browser::name_place(&view);
    }
    frame::start();
    mount_to_body(app::App);
}
