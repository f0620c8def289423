//! The component of each panel, and whether the game can fill it.

use leptos::prelude::*;
use trailbrake_shared::plot::session_table::SessionTable;

use super::braking::{self, BrakingPanel};
use super::car::{self, CarPanel};
use super::conditions::{self, SessionPanel};
use super::damage::{self, DamagePanel};
use super::dash::Dash;
use super::energy::{self, EnergyPanel};
use super::events::EventPanel;
use super::lap_list::{self, LapPanel};
use super::panel::Panel;
use super::positions::{self, PositionPanel};
use super::report::{self, ReportPanel};
use super::stage::{self, StagePanel};
use super::timing::{self, TimingPanel};
use super::trace::{self, TracePanel};
use super::track::{self, TrackPanel};
use super::tyres::{self, TyrePanel};
use super::values::{self, ValuePanel};
use crate::telemetry::Telemetry;

/// Whether the game sends what a panel shows.
pub(super) fn is_sent(panel: Panel, telemetry: &Telemetry) -> bool {
    match panel {
        Panel::Dash | Panel::Events => true,
        Panel::Laps => lap_list::is_sent(telemetry),
        Panel::Trace => trace::is_sent(telemetry),
        Panel::Track => track::is_sent(telemetry),
        Panel::Timing => timing::is_sent(telemetry),
        Panel::Braking => braking::is_sent(telemetry),
        Panel::Tyres => tyres::is_sent(telemetry),
        Panel::Energy => energy::is_sent(telemetry),
        Panel::Car => car::is_sent(telemetry),
        Panel::Damage => damage::is_sent(telemetry),
        Panel::Session => conditions::is_sent(telemetry),
        Panel::Stage => stage::is_sent(telemetry),
        Panel::TyreSets => report::is_sent(SessionTable::TyreSets, telemetry),
        Panel::Forecast => report::is_sent(SessionTable::Forecast, telemetry),
        Panel::Rules => report::is_sent(SessionTable::Rules, telemetry),
        Panel::Positions => positions::is_sent(telemetry),
        Panel::Values => values::is_sent(telemetry),
    }
}

/// The panels that the game can fill.
pub(super) fn all_sent(telemetry: &Telemetry) -> Vec<Panel> {
    Panel::ALL.iter().copied().filter(|panel| is_sent(*panel, telemetry)).collect()
}

/// A panel's component.
pub(super) fn component(panel: Panel) -> AnyView {
    match panel {
        Panel::Dash => view! { <Dash/> }.into_any(),
        Panel::Trace => view! { <TracePanel/> }.into_any(),
        Panel::Track => view! { <TrackPanel/> }.into_any(),
        Panel::Timing => view! { <TimingPanel/> }.into_any(),
        Panel::Braking => view! { <BrakingPanel/> }.into_any(),
        Panel::Tyres => view! { <TyrePanel/> }.into_any(),
        Panel::Energy => view! { <EnergyPanel/> }.into_any(),
        Panel::Car => view! { <CarPanel/> }.into_any(),
        Panel::Damage => view! { <DamagePanel/> }.into_any(),
        Panel::Session => view! { <SessionPanel/> }.into_any(),
        Panel::Stage => view! { <StagePanel/> }.into_any(),
        Panel::TyreSets => view! { <ReportPanel panel table=SessionTable::TyreSets/> }.into_any(),
        Panel::Forecast => view! { <ReportPanel panel table=SessionTable::Forecast/> }.into_any(),
        Panel::Rules => view! { <ReportPanel panel table=SessionTable::Rules/> }.into_any(),
        Panel::Positions => view! { <PositionPanel/> }.into_any(),
        Panel::Laps => view! { <LapPanel/> }.into_any(),
        Panel::Events => view! { <EventPanel/> }.into_any(),
        Panel::Values => view! { <ValuePanel/> }.into_any(),
    }
}
