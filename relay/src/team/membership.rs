//! This rig's membership in a team: it can begin, pause and end while the program runs.

use std::collections::HashSet;
use std::sync::Arc;

use anyhow::{anyhow, bail};
use tokio::sync::watch;
use trailbrake_shared::wire::{TeamLink, TeamPlace, TeamStatus};

use super::invitation::Invitation;
use super::membership_file::MembershipFile;
use super::publisher::{RunningPublisher, start};
use super::publisher_plan::PublisherPlan;
use super::rig_source::RigSource;
use super::server_address::ServerAddress;
use crate::clock::Clock;
use crate::library::Library;
use crate::lock::Lock;

/// What is sent, and what reports of it.
pub(crate) struct MembershipParts {
    /// The library; `None` where nothing is recorded.
    pub(crate) library: Option<Arc<Library>>,
    /// The relay of this rig.
    pub(crate) source: Arc<dyn RigSource>,
    pub(crate) clock: Clock,
    /// Reports to the user.
    pub(crate) announce: fn(&str, &str),
    /// What keeps a membership that began on the page; `None` where nothing can be kept.
    pub(crate) file: Option<MembershipFile>,
}

/// The membership. Copies are handles to the same.
#[derive(Clone)]
pub(crate) struct Membership(Arc<Shared>);

struct Shared {
    parts: MembershipParts,
    status: watch::Sender<Option<TeamStatus>>,
    current: Lock<Current>,
}

/// The team that the rig is in, if any.
#[derive(Default)]
struct Current {
    invitation: Option<Invitation>,
    /// Whether the command line names the invitation.
    by_option: bool,
    paused: bool,
    publisher: Option<RunningPublisher>,
}

impl Membership {
    /// The membership that the command line names, or the kept one.
    pub(crate) fn open(parts: MembershipParts, named: Option<Invitation>) -> anyhow::Result<Self> {
        let kept = match (&named, &parts.file) {
            // A file that can't be read keeps nobody from driving.
            (None, Some(file)) => file.read().unwrap_or_else(|error| {
                (parts.announce)("Team", &format!("{error:#}"));
                None
            }),
            _ => None,
        };
        let by_option = named.is_some();
        let (invitation, paused) = match (named, kept) {
            (Some(invitation), _) => (Some(invitation), false),
            (None, Some((invitation, paused))) => (Some(invitation), paused),
            (None, None) => (None, false),
        };
        let current = Current { invitation, by_option, paused, publisher: None };
        let own =
            Self(Arc::new(Shared { parts, status: watch::Sender::new(None), current: Lock::new(current) }));
        own.0.run()?;
        Ok(own)
    }

    /// How the rig stands with its team; `None` without one.
    pub(crate) fn status(&self) -> watch::Receiver<Option<TeamStatus>> {
        self.0.status.subscribe()
    }

    /// The rig's place in its team, if it is in one.
    pub(crate) fn place(&self) -> Option<TeamPlace> {
        let current = self.0.current.lock();
        let invitation = current.invitation.as_ref()?;
        Some(TeamPlace { paused: current.paused, by_option: current.by_option, ..place_in(invitation) })
    }

    /// Joins a team, and keeps that. Takes the place of another one.
    pub(crate) fn join(&self, invitation: Invitation) -> anyhow::Result<()> {
        let Shared { parts, current, .. } = &*self.0;
        if parts.library.is_none() {
            bail!(
                "the team gets what is recorded, and there is no folder for recordings: name one with --recordings"
            );
        }
        let mut own = current.lock();
        own.check_changeable()?;
        let file = parts.file.as_ref();
        let file = file.ok_or_else(|| anyhow!("there is no folder for settings that could keep the team"))?;
        file.write(&invitation, false)?;
        *own = Current { invitation: Some(invitation), ..Current::default() };
        drop(own);
        self.0.run()
    }

    /// Pauses, or goes on. What is recorded meanwhile is sent later.
    pub(crate) fn pause(&self, paused: bool) -> anyhow::Result<()> {
        let Shared { parts, current, .. } = &*self.0;
        let mut own = current.lock();
        let invitation = own.invitation.clone().ok_or_else(|| anyhow!("this rig is in no team"))?;
        if let Some(file) = parts.file.as_ref().filter(|_| !own.by_option) {
            file.write(&invitation, paused)?;
        }
        own.paused = paused;
        drop(own);
        self.0.run()
    }

    /// Leaves the team. What the hub has stays there.
    pub(crate) fn leave(&self) -> anyhow::Result<()> {
        let Shared { parts, current, .. } = &*self.0;
        let mut own = current.lock();
        own.check_changeable()?;
        if let Some(file) = &parts.file {
            file.remove()?;
        }
        *own = Current::default();
        drop(own);
        self.0.run()
    }

    /// Ends the sending, after a moment for what was recorded last.
    pub(crate) fn end(&self) {
        drop(self.0.current.lock().publisher.take());
    }
}

impl Current {
    fn check_changeable(&self) -> anyhow::Result<()> {
        if self.by_option {
            bail!("the command line names the team: start without --team to change it here");
        }
        Ok(())
    }
}

impl Shared {
    /// Starts or ends the publisher, as the membership is now.
    fn run(&self) -> anyhow::Result<()> {
        let mut current = self.current.lock();
        drop(current.publisher.take());
        let Some(invitation) = &current.invitation else {
            // Without a team nothing changes, and no page hears of one.
            self.status.send_if_modified(|status| status.take().is_some());
            self.parts.library.iter().for_each(|library| library.note_unsent(HashSet::new()));
            return Ok(());
        };
        let link = if current.paused { TeamLink::Paused } else { TeamLink::Connecting };
        let rig = invitation.rig.to_string();
        self.status.send_replace(Some(TeamStatus { rig, link, ..TeamStatus::default() }));
        let Some(library) = self.parts.library.clone().filter(|_| !current.paused) else { return Ok(()) };
        let plan = PublisherPlan {
            invitation: invitation.clone(),
            library,
            source: Arc::clone(&self.parts.source),
            clock: self.parts.clock,
            announce: self.parts.announce,
        };
        current.publisher = Some(start(plan, self.status.clone())?);
        Ok(())
    }
}

/// The place in a team that an invitation offers.
pub(crate) fn place_in(invitation: &Invitation) -> TeamPlace {
    let servers = invitation.servers.iter().map(ServerAddress::to_string).collect();
    TeamPlace { rig: invitation.rig.to_string(), servers, ..TeamPlace::default() }
}
