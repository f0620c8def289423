//! Trailbrake's page: a Leptos app that decodes telemetry in the browser and draws it.
#![forbid(unsafe_code)]
#![allow(unreachable_pub, reason = "a component's function is made public")]

mod analyse;
mod app;
mod browser;
mod cockpit;
mod connections;
mod demo;
mod driver_settings;
pub mod frame;
mod http;
mod jobs;
mod laps;
mod library;
mod link;
mod live;
mod outside;
pub mod painter;
mod reactive;
mod replay;
mod room;
mod route;
mod server;
mod settings;
mod sounds;
mod team;
mod telemetry;
mod text;
mod theme;
mod ui;

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
