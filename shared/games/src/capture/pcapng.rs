//! The pcapng format: sections of blocks that have their length at both ends; each section declares its interfaces.

use trailbrake_model::time::Micros;

use super::damage::Fault;
use super::order::Order;
use super::record::{Part, Record, length};

/// Offset of a block's body; the length follows it again.
const BODY: usize = 8;
/// Length of a block without a body.
const LEAST: usize = 12;

const SECTION: u32 = 0x0a0d_0d0a;
const INTERFACE: u32 = 1;
const OLD_PACKET: u32 = 2;
const SIMPLE_PACKET: u32 = 3;
const PACKET: u32 = 6;

/// The state while reading a pcapng file.
pub(super) struct Pcapng {
    order: Order,
    interfaces: Vec<Interface>,
}

struct Interface {
    link: u16,
    snap_len: u32,
    clock: Clock,
}

impl Pcapng {
    /// Recognises the format by the file's first bytes.
    pub(super) fn open(head: &[u8]) -> Option<Self> {
        // The section type reads the same in both orders; the byte order follows in the section header.
        let section = Order::Big.u32(head, 0)? == SECTION;
        section.then_some(Self { order: Order::Big, interfaces: Vec::new() })
    }

    pub(super) fn part<'a>(&mut self, ahead: &'a [u8]) -> Result<Part<'a>, Fault> {
        const HEAD: Part<'_> = Part::More(LEAST, "the head of a block");
        let (Some(kind), true) = (self.order.u32(ahead, 0), ahead.len() >= LEAST) else { return Ok(HEAD) };
        if kind == SECTION {
            self.order = match ahead.get(BODY..LEAST) {
                Some([0x1a, 0x2b, 0x3c, 0x4d]) => Order::Big,
                Some([0x4d, 0x3c, 0x2b, 0x1a]) => Order::Little,
                _ => return Err(Fault::NoByteOrder),
            };
        }
        let Some(front) = self.order.u32(ahead, 4) else { return Ok(HEAD) };
        let whole = length(front)?;
        if whole < LEAST || !whole.is_multiple_of(4) {
            return Err(Fault::BlockLength { len: front });
        }
        let (Some(body), Some(back)) = (ahead.get(BODY..whole - 4), self.order.u32(ahead, whole - 4)) else {
            return Ok(Part::More(whole, "a block"));
        };
        if front != back {
            return Err(Fault::LengthsDiffer { front, back });
        }
        Ok(Part::Read(whole, self.block(kind, body)?))
    }

    fn block<'a>(&mut self, kind: u32, body: &'a [u8]) -> Result<Option<Record<'a>>, Fault> {
        match kind {
            SECTION => self.interfaces.clear(),
            INTERFACE => {
                let short = Fault::Short { part: "an interface's description" };
                self.interfaces.push(Interface::read(self.order, body).ok_or(short)?);
            }
            PACKET => return self.packet(self.order.u32(body, 0), body).map(Some),
            OLD_PACKET => return self.packet(self.order.u16(body, 0).map(u32::from), body).map(Some),
            SIMPLE_PACKET => return self.simple_packet(body).map(Some),
            _ => {}
        }
        Ok(None)
    }

    /// The packet block and its obsolete form differ only in the width of the interface number.
    fn packet<'a>(&self, interface: Option<u32>, body: &'a [u8]) -> Result<Record<'a>, Fault> {
        const SHORT: Fault = Fault::Short { part: "a packet" };
        let interface = interface.ok_or(SHORT)?;
        let ticks = self.order.halves(body, 4).ok_or(SHORT)?;
        let [kept, was] = [12, 16].map(|at| self.order.u32(body, at));
        let (kept, was) = (kept.ok_or(SHORT)?, was.ok_or(SHORT)?);
        let bytes = usize::try_from(kept).ok().and_then(|kept| body.get(20..)?.get(..kept)).ok_or(SHORT)?;
        let Interface { link, snap_len, clock } = self.interface(interface)?;
        Ok(Record { at: Some(clock.micros(ticks)), interface, link: *link, snap_len: *snap_len, was, bytes })
    }

    /// A packet of interface 0 without a time; its length is the original one, limited by the snap length.
    fn simple_packet<'a>(&self, body: &'a [u8]) -> Result<Record<'a>, Fault> {
        const SHORT: Fault = Fault::Short { part: "a packet" };
        let Interface { link, snap_len, .. } = self.interface(0)?;
        let was = self.order.u32(body, 0).ok_or(SHORT)?;
        let kept = if *snap_len == 0 { was } else { was.min(*snap_len) };
        let bytes = usize::try_from(kept).ok().and_then(|kept| body.get(4..)?.get(..kept)).ok_or(SHORT)?;
        Ok(Record { at: None, interface: 0, link: *link, snap_len: *snap_len, was, bytes })
    }

    fn interface(&self, id: u32) -> Result<&Interface, Fault> {
        usize::try_from(id).ok().and_then(|id| self.interfaces.get(id)).ok_or(Fault::NoInterface { id })
    }
}

impl Interface {
    fn read(order: Order, body: &[u8]) -> Option<Self> {
        let (link, snap_len) = (order.u16(body, 0)?, order.u32(body, 4)?);
        Some(Self { link, snap_len, clock: Clock::read(order, body.get(8..)?) })
    }
}

/// How an interface's timestamps convert to time.
struct Clock {
    unit: Unit,
    /// Seconds added to each timestamp.
    offset: i64,
}

/// The tick: 10⁻ⁿ or 2⁻ⁿ seconds.
enum Unit {
    Decimal(u8),
    Binary(u8),
}

impl Clock {
    /// Reads the clock from the interface's options; microseconds by default.
    fn read(order: Order, mut options: &[u8]) -> Self {
        const END: u16 = 0;
        const UNIT: u16 = 9;
        const OFFSET: u16 = 14;
        let mut clock = Self { unit: Unit::Decimal(6), offset: 0 };
        while let (Some(code), Some(len)) = (order.u16(options, 0), order.u16(options, 2)) {
            let len = usize::from(len);
            let Some(value) = options.get(4..4 + len) else { break };
            match (code, value) {
                (END, _) => break,
                (UNIT, [power, ..]) if power & 0x80 == 0 => clock.unit = Unit::Decimal(*power),
                (UNIT, [power, ..]) => clock.unit = Unit::Binary(power & 0x7f),
                (OFFSET, value) => clock.offset = order.i64(value, 0).unwrap_or_default(),
                _ => {}
            }
            let Some(next) = options.get(4 + len.next_multiple_of(4)..) else { break };
            options = next;
        }
        clock
    }

    fn micros(&self, ticks: u64) -> Micros {
        let ticks = u128::from(ticks);
        let micros = match self.unit {
            Unit::Decimal(power) if power <= 6 => ticks * 10_u128.pow(6 - u32::from(power)),
            // If the power overflows, even the largest tick count is less than a microsecond.
            Unit::Decimal(power) => 10_u128.checked_pow(u32::from(power) - 6).map_or(0, |unit| ticks / unit),
            Unit::Binary(power) => (ticks * 1_000_000) >> power,
        };
        let micros = u64::try_from(micros).unwrap_or(u64::MAX);
        Micros(micros.saturating_add_signed(self.offset.saturating_mul(1_000_000)))
    }
}
