//! The HTTP server for the page, the library and the WebSocket, with limits.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::{FromRequest, Request, State, WebSocketUpgrade};
use axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE, HOST, HeaderName, SET_COOKIE};
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use axum::{Extension, Router};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinSet;
use tokio::time::timeout;
use tower_http::limit::RequestBodyLimitLayer;
use tower_http::timeout::RequestBodyTimeoutLayer;

use super::access::{Access, LockedOut, Verdict};
use super::connections::{Connected, Connections};
#[cfg(feature = "team")]
use super::encryption::Encryption;
use super::own_pages::own_pages_change;
use super::owner::{Owner, is_owner};
use super::site::Site;
use super::{game_files, library, rejects, room, settings, tablet_links};
use crate::relaying::device::Device;
use crate::relaying::live::{LONGEST_MESSAGE, NOT_ALLOWED};
use crate::relaying::meter::{Meter, MeteredStream};
use crate::relaying::seats::Visitor;
use crate::relaying::web_socket::{self, End};
use crate::shutdown::Shutdown;

/// Most connections of one listener at the same time.
const CONNECTIONS: usize = 256;
/// Most bytes of a request's first line and headers.
const HEADER_BYTES: usize = 16 << 10;
/// Most headers of a request.
const HEADERS: usize = 64;
/// How long a request's headers may take, and how long a connection may stay idle.
const HEADER_TIME: Duration = Duration::from_secs(15);
/// Most bytes of a request's body, outside the library: no such request needs one.
const BODY_BYTES: usize = 4 << 10;
/// How long a request's body may stop for.
const BODY_TIME: Duration = Duration::from_secs(15);
/// Browsers complain about this header over a plain connection from another machine.
const OPENER_POLICY: HeaderName = HeaderName::from_static("cross-origin-opener-policy");
/// How long open connections may take to end.
const FAREWELL: Duration = Duration::from_secs(1);
/// What a tablet's link shows for a moment. It goes on by itself, and its address leaves the browser's history. Without an
/// icon the browser would look for one that is not there.
const WELCOME: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Trailbrake</title>\
    <link rel=\"icon\" href=\"data:,\">\
    <meta http-equiv=\"refresh\" content=\"0; url=/\"><p><a href=\"/\">Open Trailbrake</a></p></html>\n";

/// The routes of a relay.
pub(crate) fn routes(site: Site) -> Router {
    let app = Router::new()
        .route("/live", get(live))
        .merge(room::routes(site.library.room.clone(), site.live.shutdown.clone()))
        .route("/sample", get(sample))
        .route("/overlay", get(overlay))
        .merge(rejects::routes())
        .merge(tablet_links::routes())
        .fallback(get(page))
        .layer(RequestBodyLimitLayer::new(BODY_BYTES))
        .merge(settings::routes())
        .merge(game_files::routes())
        .merge(library::routes(&site.library));
    #[cfg(feature = "team")]
    let app = app.merge(super::membership::routes());
    // Pages ask, and learn that there are no teams here.
    #[cfg(not(feature = "team"))]
    let app = app.route("/team", get(async || super::json::json(StatusCode::OK, &())));
    app.with_state(site)
}

/// Serves routes at one listener until shutdown.
pub(crate) async fn serve(listener: TcpListener, access: Access, routes: Router, mut shutdown: Shutdown) {
    let app = routes
        .layer(RequestBodyTimeoutLayer::new(BODY_TIME))
        .layer(from_fn(own_pages_change))
        .layer(from_fn_with_state(Arc::new(access.clone()), guard));
    let room = Arc::new(Semaphore::new(CONNECTIONS));
    let shares = Connections::default();
    let mut connections = JoinSet::new();
    loop {
        let accepted = tokio::select! {
            accepted = accept(&listener, &room) => accepted,
            Some(_) = connections.join_next() => continue,
            () = shutdown.wait() => break,
        };
        let (stream, client, permit) = accepted;
        let owner = is_owner(&access, client).then_some(Owner);
        let connected = shares.connect(client.ip(), !access.needs_no_token());
        if owner.is_none() && connected.is_none() && !access.may_be_proxy(client.ip()) {
            tracing::debug!("{} has too many connections", client.ip());
            continue;
        }
        let client = Client { ip: client.ip(), connected: connected.map(Arc::new) };
        let connection = Connection { client, owner, _permit: permit };
        let _ = stream.set_nodelay(true);
        let (app, shutdown) = (app.clone(), shutdown.clone());
        #[cfg(feature = "team")]
        if let Some(encryption) = access.encryption().cloned() {
            connections.spawn(connection.encrypt(stream, encryption, app, shutdown));
            continue;
        }
        connections.spawn(connection.serve(stream, app, shutdown));
    }
    drop(listener);
    let _ = timeout(FAREWELL, async { while connections.join_next().await.is_some() {} }).await;
}

/// The next connection, once there is room for one.
async fn accept(
    listener: &TcpListener,
    room: &Arc<Semaphore>,
) -> (TcpStream, SocketAddr, Option<OwnedSemaphorePermit>) {
    let permit = Arc::clone(room).acquire_owned().await.ok();
    loop {
        match listener.accept().await {
            Ok((stream, client)) => return (stream, client, permit),
            Err(error) => {
                // Too many open files, or the client is gone: try the next one.
                tracing::debug!("a connection could not be accepted: {error}");
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        }
    }
}

/// A client's connection.
struct Connection {
    client: Client,
    owner: Option<Owner>,
    _permit: Option<OwnedSemaphorePermit>,
}

/// Where a request comes from, as a mark on it.
#[derive(Clone)]
struct Client {
    ip: IpAddr,
    /// `None` for the owner's connections beyond a device's share.
    connected: Option<Arc<Connected>>,
}

impl Client {
    /// Waits until the client has to give way to others.
    async fn gives_way(&self) {
        match &self.connected {
            Some(connected) => connected.gives_way().await,
            None => std::future::pending().await,
        }
    }
}

impl Connection {
    #[cfg(feature = "team")]
    async fn encrypt(self, stream: TcpStream, encryption: Arc<Encryption>, app: Router, shutdown: Shutdown) {
        let mut ended = shutdown.clone();
        let encrypted = tokio::select! {
            encrypted = timeout(HEADER_TIME, encryption.encrypt(stream)) => encrypted,
            () = self.client.gives_way() => return,
            () = ended.wait() => return,
        };
        match encrypted {
            Ok(Ok(stream)) => self.serve(stream, app, shutdown).await,
            Ok(Err(error)) => tracing::debug!("a connection was not encrypted: {error}"),
            Err(_) => tracing::debug!("a connection took too long to begin"),
        }
    }

    async fn serve<S>(self, stream: S, app: Router, mut shutdown: Shutdown)
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let (app, client, owner) = (TowerToHyperService::new(app), self.client.clone(), self.owner);
        let visitor = owner.map_or(Visitor::Device(Device::at(client.ip)), |_| Visitor::Owner);
        let meter = Meter::default();
        let stream = MeteredStream::new(stream, meter.clone());
        let marked = service_fn(move |mut request: hyper::Request<Incoming>| {
            request.extensions_mut().insert(client.clone());
            request.extensions_mut().insert(meter.clone());
            request.extensions_mut().insert(visitor);
            owner.map(|owner| request.extensions_mut().insert(owner));
            app.call(request)
        });
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(HEADER_TIME)
            .max_buf_size(HEADER_BYTES)
            .max_headers(HEADERS)
            .serve_connection(TokioIo::new(stream), marked)
            .with_upgrades();
        let mut connection = std::pin::pin!(connection);
        let end = tokio::select! {
            end = connection.as_mut() => end,
            () = self.client.gives_way() => return,
            () = shutdown.wait() => {
                connection.as_mut().graceful_shutdown();
                connection.await
            }
        };
        if let Err(error) = end {
            tracing::debug!("a connection ended early: {error}");
        }
    }
}

/// Checks the access of a request, and adds the security headers to every answer.
async fn guard(
    State(access): State<Arc<Access>>,
    Extension(client): Extension<Client>,
    request: Request,
    next: Next,
) -> Response {
    let host = request.headers().get(HOST).cloned();
    let verdict = access.judge(request.uri(), request.headers(), client.ip, Instant::now());
    let is_known = !matches!(verdict, Verdict::Refuse(_) | Verdict::Lock(_) | Verdict::Wait(_));
    if is_known && let Some(connected) = &client.connected {
        connected.show_key();
    }
    let known = host.filter(|_| is_known);
    let mut answer = match verdict {
        Verdict::Refuse(reason) => (StatusCode::FORBIDDEN, reason).into_response(),
        Verdict::Lock(words) => lock_out(words, request).await,
        Verdict::Wait(reason) => (StatusCode::TOO_MANY_REQUESTS, reason).into_response(),
        Verdict::Welcome(cookie) => welcome(&cookie),
        Verdict::Enter => next.run(request).await,
        #[cfg(feature = "team")]
        Verdict::EnterAs(role) => {
            let mut request = request;
            // A guest with write access has the rights of the owner's own pages.
            if role.may_write() {
                request.extensions_mut().insert(Owner);
                request.extensions_mut().insert(Visitor::Owner);
            }
            request.extensions_mut().insert(role);
            next.run(request).await
        }
    };
    let schemes: &[&str] = if access.is_team() { &["ws", "wss"] } else { &["ws"] };
    protect(answer.headers_mut(), schemes, known.as_ref().and_then(|host| host.to_str().ok()));
    if access.is_trustworthy() {
        answer.headers_mut().insert(OPENER_POLICY, HeaderValue::from_static("same-origin"));
    }
    answer
}

/// Rejects a request without a valid token. A page learns why only from a WebSocket that closes.
async fn lock_out(words: &'static LockedOut, request: Request) -> Response {
    let meter = request.extensions().get::<Meter>().cloned().unwrap_or_default();
    match WebSocketUpgrade::from_request(request, &()).await {
        Ok(upgrade) => meter
            .limit(upgrade, LONGEST_MESSAGE)
            .on_upgrade(|socket| web_socket::end(socket, End::later(words.on_page))),
        Err(_) => (StatusCode::FORBIDDEN, words.instead).into_response(),
    }
}

/// Sets the cookie and goes on to the page. A redirect would not do: after a link on another site or in another app, a
/// browser sends a strict cookie only with what a page of ours asks for.
fn welcome(cookie: &str) -> Response {
    let Ok(cookie) = HeaderValue::from_str(cookie) else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    let mut answer = Html(WELCOME).into_response();
    answer.headers_mut().insert(SET_COOKIE, cookie);
    answer.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    answer
}

/// Adds the security headers. `host` was checked to be our own.
fn protect(headers: &mut HeaderMap, schemes: &[&str], host: Option<&str>) {
    // Not every browser counts a WebSocket as 'self'.
    let socket = |host| schemes.iter().map(|scheme| format!(" {scheme}://{host}")).collect::<String>();
    let socket = host.map(socket).unwrap_or_default();
    let policy = format!(
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
         img-src 'self' data: blob:; font-src 'self'; media-src 'self' data: blob:; \
         connect-src 'self'{socket}; manifest-src 'self'; base-uri 'none'; form-action 'none'; \
         frame-ancestors 'none'"
    );
    let policy = HeaderValue::from_str(&policy).unwrap_or(HeaderValue::from_static("default-src 'none'"));
    headers.insert(HeaderName::from_static("content-security-policy"), policy);
    for (name, value) in [
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("cross-origin-resource-policy", "same-origin"),
    ] {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
}

async fn page(State(site): State<Site>, uri: Uri, headers: HeaderMap) -> Response {
    let page = Arc::clone(&site.page.borrow());
    page.answer(uri.path(), &headers)
}

/// The page at the address of its overlay, which draws nothing but figures.
async fn overlay(State(site): State<Site>, headers: HeaderMap) -> Response {
    let page = Arc::clone(&site.page.borrow());
    page.answer("/", &headers)
}

/// A sample of the last packets, as a file to download.
async fn sample(State(site): State<Site>, owner: Option<Extension<Owner>>) -> Response {
    let now = site.live.clock.now();
    let made = tokio::task::spawn_blocking(move || site.sampling.sample(now, owner.is_some())).await;
    let Ok((name, bytes)) = made else { return StatusCode::INTERNAL_SERVER_ERROR.into_response() };
    let headers = [
        (CONTENT_TYPE, "application/octet-stream".to_owned()),
        (CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\"")),
        (CACHE_CONTROL, "no-store".to_owned()),
    ];
    (headers, bytes).into_response()
}

async fn live(
    State(site): State<Site>,
    owner: Option<Extension<Owner>>,
    Extension(visitor): Extension<Visitor>,
    Extension(meter): Extension<Meter>,
    upgrade: WebSocketUpgrade,
) -> Response {
    meter.limit(upgrade, LONGEST_MESSAGE).on_upgrade(move |socket| async move {
        let is_owner = owner.is_some();
        let may_command = move || match site.library.room.may_write(is_owner) {
            true => Ok(()),
            false => Err(NOT_ALLOWED),
        };
        // A page learns why it has no seat only from a WebSocket that closes.
        match site.live.seats.take(visitor) {
            Ok(_seat) => site.live.talk(socket, &may_command, is_owner).await,
            Err(no_seat) => web_socket::end(socket, End::no_seat(no_seat)).await,
        }
    })
}
