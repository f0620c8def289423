//! Packet captures: each UDP datagram is a packet, with time and sender.

use std::io::{self, Read, Write};

use trailbrake_shared::capture::{Damage, Packet, Reader, Step};

use super::item::{FileItem, Reception};

/// Bytes read at a time.
const STRIDE: u64 = 1 << 20;

/// Passes on every datagram of a capture, and notes what else it holds.
pub(super) fn each(
    reader: &mut Reader,
    file: &mut impl Read,
    notes: &mut dyn Write,
    take: &mut dyn FnMut(FileItem<'_>) -> io::Result<()>,
) -> io::Result<()> {
    let damage = packets(reader, file, |packet| one(&packet, take))?;
    if let Some((Damage { offset, fault }, bytes)) = damage {
        let bytes = bytes as u64 + io::copy(file, &mut io::sink())?;
        let reason = format!("the capture is damaged: {fault}");
        take(FileItem::Reject { reason, offset, bytes: Some(bytes), came: Reception::default() })?;
        writeln!(notes, "read up to byte {offset} of the file; there it is damaged: {fault}")?;
    }
    if reader.assembled() > 0 {
        writeln!(notes, "put together from fragments: {} datagrams", reader.assembled())?;
    }
    if !reader.left_out().is_empty() {
        writeln!(notes, "left out, being no UDP: {}", reader.left_out())?;
    }
    Ok(())
}

/// Passes every datagram to `take`, up to the damage if there is any; returns how many bytes were read from there on.
fn packets(
    reader: &mut Reader,
    file: &mut impl Read,
    mut take: impl FnMut(Packet) -> io::Result<()>,
) -> io::Result<Option<(Damage, usize)>> {
    let (mut ahead, mut begin) = (Vec::new(), 0);
    let mut found = Vec::new();
    loop {
        let rest = ahead.get(begin..).unwrap_or_default();
        let step = reader.step(rest, &mut found);
        let more = match step {
            Ok(Step::Done(bytes)) => {
                begin += bytes;
                None
            }
            Ok(Step::More(bytes)) => Some(bytes as u64),
            Err(damage) => {
                // An unfinished packet can't be completed.
                let _ = reader.finish(&[], &mut found);
                found.drain(..).try_for_each(&mut take)?;
                return Ok(Some((damage, ahead.len() - begin)));
            }
        };
        found.drain(..).try_for_each(&mut take)?;
        let Some(wanted) = more else { continue };
        ahead.drain(..begin);
        begin = 0;
        let had = ahead.len();
        file.by_ref().take(wanted.max(STRIDE)).read_to_end(&mut ahead)?;
        if ahead.len() == had {
            let damage = reader.finish(&ahead, &mut found).err();
            found.drain(..).try_for_each(&mut take)?;
            return Ok(damage.map(|damage| (damage, had)));
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
