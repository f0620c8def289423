//! The hub's page with a certificate.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::sync::Arc;

use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::CertificateDer;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};

use crate::program::{Hub, Running, error_of, printed, servers, until};

/// Asks a page for `/team/rigs` as a browser that trusts an authority; returns the answer, or why there is none.
fn ask(address: &str, authority: &Path, more: &str) -> Result<String, String> {
    let mut roots = RootCertStore::empty();
    let certificate = CertificateDer::from_pem_file(authority).expect("a certificate");
    roots.add(certificate).expect("an authority");
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("versions")
        .with_root_certificates(roots)
        .with_no_client_auth();
    let name = "127.0.0.1".try_into().expect("a name");
    let connection = ClientConnection::new(Arc::new(config), name).expect("a connection");
    let stream = TcpStream::connect(address).expect("the page");
    let mut stream = StreamOwned::new(connection, stream);
    let request = format!(
        "GET /team/rigs{more}Host: {address}\r\nOrigin: https://{address}\r\nConnection: close\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).map_err(|error| error.to_string())?;
    let mut answer = String::new();
    // A browser does not mind an end that was not announced.
    let _ = stream.read_to_string(&mut answer);
    Ok(answer)
}

#[test]
#[ignore = "needs nats-server: run cargo xtask test"]
fn a_page_with_a_certificate_is_encrypted_and_takes_a_renewed_one() {
    let server = servers().remove(0);
    // Their own authorities make certificates for this machine.
    let [mut hub, other] = [0; 2].map(|_| Hub::new(&["--encrypt"]));
    let files = tempfile::tempdir().expect("a folder");
    let [cert, key] = ["cert.pem", "key.pem"].map(|name| files.path().join(name));
    let issue = |from: &Hub| {
        fs::copy(from.path("server.pem"), &cert).expect("copied");
        fs::copy(from.path("server-key.pem"), &key).expect("copied");
    };
    issue(&hub);
    hub.start(&server);
    let [cert_text, key_text] = [&cert, &key].map(|path| path.to_str().expect("text"));
    let dir = &hub.dir();
    let options = ["team", "serve", dir, "--http=127.0.0.1:0", "--cert", cert_text, "--key", key_text];
    let mut serving = Running::start(&options, Some(&server));
    serving.says("https://127.0.0.1:");
    let text = serving.text();
    let (_, address) = text.split_once("https://").expect("an address");
    let address = address.split('/').next().expect("an address");
    let [own, others] = [&hub, &other].map(|hub| hub.path("authority.pem"));

    let first = " HTTP/1.1\r\n";
    let answer = ask(address, &own, first).expect("an answer");
    assert!(answer.starts_with("HTTP/1.1 200 OK") && answer.ends_with("[]"), "{answer}");
    assert!(answer.contains(&format!("wss://{address}")), "{answer}");
    let refused = ask(address, &others, first).expect_err("another authority");
    assert!(refused.contains("certificate"), "{refused}");

    // A plain request gets an explanation; silent and malformed connections do no harm.
    let mut silent = TcpStream::connect(address).expect("the page");
    let mut plain = TcpStream::connect(address).expect("the page");
    plain.write_all(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n").expect("asked");
    let mut answer = String::new();
    plain.read_to_string(&mut answer).expect("an answer");
    assert!(answer.starts_with("HTTP/1.1 400") && answer.contains("begins with https://"), "{answer}");
    silent.write_all(&[0x16, 3, 1, 0xff, 0xff, 0, 0]).expect("sent");

    // The cookie of an encrypted page is sent over encrypted connections only.
    let url = printed(&["team", "link", "Max", dir, "--organiser", "--page", &format!("https://{address}")]);
    let (_, secret) = url.trim().split_once("?token=").expect("a secret");
    let answer = ask(address, &own, &format!("?token={secret}{first}")).expect("an answer");
    assert!(answer.starts_with("HTTP/1.1 200 OK") && answer.contains("; Secure\r\n"), "{answer}");
    assert!(ask(address, &own, first).expect("an answer").starts_with("HTTP/1.1 403"));

    // A renewed certificate counts at once; a broken one does not take the page away.
    issue(&other);
    until(|| ask(address, &others, first).ok());
    fs::write(&cert, "").expect("written");
    ask(address, &others, first).expect("an answer");
    serving.says("the page keeps its previous certificate");
    drop(silent);
    serving.stop();
}

#[test]
fn a_certificate_that_is_none_is_said() {
    let hub = Hub::new(&["--encrypt"]);
    let other = Hub::new(&["--encrypt"]);
    let dir = hub.dir();
    let [cert, key, foreign] =
        [hub.path("server.pem"), hub.path("server-key.pem"), other.path("server-key.pem")]
            .map(|path| path.to_str().expect("text").to_owned());
    for (options, words) in [
        (&["--cert", &cert][..], "--key <FILE>"),
        (&["--cert", "nowhere.pem", "--key", &key], "nowhere.pem can't be read"),
        (&["--cert", &key, "--key", &key], "holds no certificate"),
        (&["--cert", &cert, "--key", &cert], "holds no key"),
        (&["--cert", &cert, "--key", &foreign], "does not fit"),
    ] {
        let error = error_of(&[&["team", "serve", &dir, "--http=127.0.0.1:0"], options].concat());
        assert!(error.contains(words), "{options:?}: {error}");
    }
}
