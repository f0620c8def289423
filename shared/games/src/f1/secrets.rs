//! What the games send as zeros of cars whose drivers keep it secret.

use trailbrake_model::{Channel, Slot};

use crate::table::Version;

/// From this format on, damage has a packet of its own.
const DAMAGE_FROM: u16 = 2021;

/// What is sent as zero of cars whose drivers keep it secret.
const SECRET: [Slot; 12] = [
    Channel::Fuel.slot(),
    Channel::FuelCapacity.slot(),
    Channel::FuelLaps.slot(),
    Channel::FuelMix.slot(),
    Channel::BrakeBias.slot(),
    Channel::ErsStore.slot(),
    Channel::ErsMode.slot(),
    Channel::ErsHarvestedMguK.slot(),
    Channel::ErsHarvestedMguH.slot(),
    Channel::ErsDeployed.slot(),
    Channel::PowerEngine.slot(),
    Channel::PowerMguK.slot(),
];

/// Whether a channel is sent as zero of such a car.
pub(super) fn is_kept_secret(slot: Slot, version: Version) -> bool {
    SECRET.contains(&slot) || version.number() < DAMAGE_FROM && is_damage(slot)
}

/// Whether a channel tells of wear or damage.
fn is_damage(slot: Slot) -> bool {
    matches!(
        slot.channel(),
        Channel::TyreWear
            | Channel::TyreDamage
            | Channel::TyreAge
            | Channel::DamageFrontLeftWing
            | Channel::DamageFrontRightWing
            | Channel::DamageRearWing
            | Channel::DamageEngine
            | Channel::DamageGearbox
    )
}
