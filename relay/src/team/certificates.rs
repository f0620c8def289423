//! A hub's own authority, and the certificate of its servers.

use std::time::{Duration, SystemTime};

use anyhow::Context;
use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, ExtendedKeyUsagePurpose, IsCa, KeyPair,
    KeyUsagePurpose,
};

/// Certificates are valid from a day ago, since clocks differ.
const BEFORE: Duration = Duration::from_secs(24 * 3600);
/// Ten years: a hub outlives the season that it was made for.
pub(super) const VALID: Duration = Duration::from_secs(10 * 365 * 24 * 3600);

/// What `init` makes: the authority's certificate, which rigs get, and certificate and key of the servers. The
/// authority's key is dropped, so that nobody ever signs another certificate with it.
pub(super) struct Certificates {
    pub(super) authority: String,
    pub(super) server: String,
    pub(super) server_key: String,
}

impl Certificates {
    /// Certificates for servers of these names and addresses.
    pub(super) fn new(hosts: &[String], from: SystemTime, valid: Duration) -> anyhow::Result<Self> {
        let begin = from - BEFORE;
        let mut authority = CertificateParams::new(Vec::new())?;
        authority.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
        authority.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::DigitalSignature];
        authority.distinguished_name.push(DnType::CommonName, "Trailbrake team");
        (authority.not_before, authority.not_after) = (begin.into(), (from + valid).into());
        let authority = CertifiedIssuer::self_signed(authority, KeyPair::generate()?)?;

        // The archive of the same machine comes by loopback.
        let own = ["localhost", "127.0.0.1", "::1"].map(str::to_owned);
        let mut names: Vec<String> = hosts.iter().cloned().chain(own).collect();
        names.sort();
        names.dedup();
        let mut server =
            CertificateParams::new(names).context("the servers' names don't fit in a certificate")?;
        server.distinguished_name.push(DnType::CommonName, hosts.first().map_or("localhost", String::as_str));
        // Servers of one hub are each other's clients, too.
        server.extended_key_usages =
            vec![ExtendedKeyUsagePurpose::ServerAuth, ExtendedKeyUsagePurpose::ClientAuth];
        (server.not_before, server.not_after) = (begin.into(), (from + valid).into());
        let key = KeyPair::generate()?;
        let certificate = server.signed_by(&key, &authority)?;
        Ok(Self { authority: authority.pem(), server: certificate.pem(), server_key: key.serialize_pem() })
    }
}
