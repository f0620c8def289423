//! The page: a Leptos app that decodes the live stream in the browser and draws it.
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
mod library;
mod link;
mod live;
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
    // The viewer that was sent with a view opens that; a link to another view of it wins.
    if let Some(view) = browser::enclosed_view().filter(|_| browser::fragment().is_empty()) {
        browser::name_place(&view);
    }
    frame::start();
    mount_to_body(app::App);
}
