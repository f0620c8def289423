//! The routes of a hub: its page, the overview of its rigs, and each rig's own below `/rig/NAME`.

use axum::extract::{Request, State};
use axum::http::uri::PathAndQuery;
use axum::http::{Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Extension, Router};
use trailbrake_shared::wire::find_gaps;

use super::all_rigs::{self, ALL_RIGS};
use super::json::json;
use super::rig;
use crate::relaying::rigs::RigSites;
use crate::team::Role;

/// The routes.
pub(crate) fn team_routes(sites: RigSites) -> Router {
    Router::new().route("/team/rigs", get(rigs)).fallback(page_or_rig).with_state(sites)
}

/// The rigs that somebody sees.
async fn rigs(State(sites): State<RigSites>, Extension(role): Extension<Role>) -> Response {
    let mut rigs = sites.overview();
    rigs.retain(|rig| role.sees(&rig.name));
    find_gaps(&mut rigs);
    json(StatusCode::OK, &rigs)
}

async fn page_or_rig(
    State(sites): State<RigSites>,
    Extension(role): Extension<Role>,
    mut request: Request,
) -> Response {
    if let Some((name, own)) = rig_and_path(request.uri()) {
        if name == ALL_RIGS {
            *request.uri_mut() = own;
            return rig::answer(all_rigs::routes(&sites, &role), request).await;
        }
        let Some(rig) = sites.rig(&name).filter(|_| role.sees(&name)) else {
            return (StatusCode::NOT_FOUND, "There is no such rig in the team.\n").into_response();
        };
        *request.uri_mut() = own;
        return rig::answer(rig::routes(&rig, sites.visit()), request).await;
    }
    if ![Method::GET, Method::HEAD].contains(request.method()) {
        return StatusCode::METHOD_NOT_ALLOWED.into_response();
    }
    let path = match request.uri().path() {
        "/overlay" => "/",
        path => path,
    };
    sites.page().answer(path, request.headers())
}

/// The rig of an address below `/rig/NAME`, and the address at the rig itself.
fn rig_and_path(uri: &Uri) -> Option<(String, Uri)> {
    let all = uri.path_and_query()?.as_str();
    let (name, path) = all.strip_prefix("/rig/")?.split_once('/')?;
    let own = ["/", path].concat().parse::<PathAndQuery>().ok()?;
    Some((name.to_owned(), Uri::from(own)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_below_a_rig_is_the_rigs_own() {
        for (address, expected) in [
            ("/rig/anna/live", Some(("anna", "/live"))),
            ("/rig/anna/library?id=0a&q=a/b", Some(("anna", "/library?id=0a&q=a/b"))),
            ("/rig/anna/library/bin/a%2Fb", Some(("anna", "/library/bin/a%2Fb"))),
            ("/rig/anna/", Some(("anna", "/"))),
            ("/rig/..//library", Some(("..", "//library"))),
            ("/rig/anna", None),
            ("/rig/", None),
            ("/", None),
            ("/rigs/anna/live", None),
        ] {
            let found = rig_and_path(&address.parse().expect("an address"));
            let found = found.as_ref().map(|(name, own)| (name.as_str(), own.to_string()));
            assert_eq!(found, expected.map(|(name, own)| (name, own.to_owned())), "{address}");
        }
    }
}
