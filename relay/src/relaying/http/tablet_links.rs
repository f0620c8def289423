//! Opens the page to tablets, for the owner.

use std::fmt::Write as _;

use axum::extract::State;
use axum::http::StatusCode;
use axum::middleware::from_fn;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Extension, Router};
use qrcode::{Color, QrCode};
use trailbrake_shared::wire::{TabletLink, TabletLinks};

use super::json::json;
use super::owner::{Owner, owner_only};
use super::site::Site;

/// The routes. Only the owner's pages may change something or see the links.
pub(super) fn routes() -> Router<Site> {
    let changes = post(open).delete(close).layer(from_fn(owner_only));
    Router::new().route("/tablets", get(ask).merge(changes))
}

/// The links; `null` for anybody but the owner.
async fn ask(State(site): State<Site>, owner: Option<Extension<Owner>>) -> Response {
    if owner.is_some() { links(&site) } else { json(StatusCode::OK, &()) }
}

fn links(site: &Site) -> Response {
    let link = |link: &crate::relaying::Link| {
        let (code_size, code_path) = code(&link.url()).unwrap_or_default();
        TabletLink { url: link.url(), code_size, code_path }
    };
    let (wrong_links, wrong_from) = site.tablets.wrong_tokens();
    let links = TabletLinks {
        links: site.tablets.links().iter().map(link).collect(),
        wrong_links,
        wrong_from: wrong_from.map(|ip| ip.to_string()),
    };
    json(StatusCode::OK, &links)
}

async fn open(State(site): State<Site>) -> Response {
    match site.tablets.open() {
        Ok(()) => links(&site),
        Err(error) => (StatusCode::CONFLICT, format!("{error:#}\n")).into_response(),
    }
}

async fn close(State(site): State<Site>) -> Response {
    site.tablets.close();
    links(&site)
}

/// A QR code as a path: its size in modules, and each run of dark modules as a bar one unit high.
fn code(url: &str) -> Option<(u32, String)> {
    let code = QrCode::new(url).ok()?;
    let mut path = String::new();
    for (y, row) in code.to_colors().chunks(code.width()).enumerate() {
        let mut x = 0;
        for run in row.chunk_by(|one, next| one == next) {
            let width = run.len();
            if run.first() == Some(&Color::Dark) {
                let _ = write!(path, "M{x} {y}h{width}v1h-{width}z");
            }
            x += width;
        }
    }
    Some((u32::try_from(code.width()).ok()?, path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_draws_every_dark_module() {
        let url = "http://192.168.1.5:8777/?token=0123456789abcdef0123456789abcdef";
        let (size, path) = code(url).expect("a code");
        let modules = QrCode::new(url).expect("a code");
        assert_eq!(size as usize, modules.width());
        let mut drawn = vec![Color::Light; modules.width() * modules.width()];
        for bar in path.split_terminator('z') {
            let (place, width) = bar.trim_start_matches('M').split_once('h').expect("a bar");
            let (x, y) = place.split_once(' ').expect("a place");
            let width = width.split('v').next().expect("a width");
            let [x, y, width] = [x, y, width].map(|number| number.parse::<usize>().expect("a number"));
            drawn[y * modules.width() + x..][..width].fill(Color::Dark);
        }
        assert_eq!(drawn, modules.to_colors());
    }
}
