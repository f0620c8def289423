//! Packet captures: each UDP datagram is a packet, with time and sender.

use std::io::{self, Read, Write};

use trailbrake_shared::capture::{Damage, Packet, PacketStream};

use super::item::{FileItem, Reception};

/// Bytes read at a time.
const STRIDE: u64 = 1 << 20;

/// Passes on every datagram of a capture, and notes what else it holds.
pub(super) fn each(
    stream: &mut PacketStream,
    file: &mut impl Read,
    notes: &mut dyn Write,
    take: &mut dyn FnMut(FileItem<'_>) -> io::Result<()>,
) -> io::Result<()> {
    let damage = packets(stream, file, |packet| one(&packet, take))?;
    if let Some(Damage { offset, fault }) = damage {
        let bytes = stream.bytes_ahead() as u64 + io::copy(file, &mut io::sink())?;
        let reason = format!("the capture is damaged: {fault}");
        take(FileItem::Reject { reason, offset, bytes: Some(bytes), came: Reception::default() })?;
        writeln!(notes, "read up to byte {offset} of the file; there it is damaged: {fault}")?;
    }
    let reader = stream.reader();
    if reader.assembled() > 0 {
        writeln!(notes, "put together from fragments: {} datagrams", reader.assembled())?;
    }
    if !reader.left_out().is_empty() {
        writeln!(notes, "left out, being no UDP: {}", reader.left_out())?;
    }
    Ok(())
}

/// Passes every datagram to `take`, up to the damage if there is any.
fn packets(
    stream: &mut PacketStream,
    file: &mut impl Read,
    mut take: impl FnMut(Packet) -> io::Result<()>,
) -> io::Result<Option<Damage>> {
    let (mut found, mut piece) = (Vec::new(), Vec::new());
    loop {
        piece.clear();
        file.by_ref().take(STRIDE).read_to_end(&mut piece)?;
        let read = if piece.is_empty() { stream.finish(&mut found) } else { stream.push(&piece, &mut found) };
        found.drain(..).try_for_each(&mut take)?;
        match read {
            Ok(()) if piece.is_empty() => return Ok(None),
            Ok(()) => {}
            Err(damage) => return Ok(Some(damage)),
        }
    }
}

fn one(packet: &Packet, take: &mut dyn FnMut(FileItem<'_>) -> io::Result<()>) -> io::Result<()> {
    let Packet { offset, at, content } = packet;
    match content {
        Ok(datagram) => {
            let (sender, port) = (Some(datagram.sender), Some(datagram.receiver.port()));
            take(FileItem::Packet {
                bytes: &datagram.bytes,
                offset: *offset,
                came: Reception { at: *at, sender, port, feed: None },
            })
        }
        Err(unusable) => {
            let came = Reception { at: *at, ..Reception::default() };
            take(FileItem::Reject { reason: unusable.to_string(), offset: *offset, bytes: None, came })
        }
    }
}
