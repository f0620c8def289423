//! Checks that every neighbour is named, with made-up packets and captured ones.

use super::*;

/// A packet of zeros, except for the given parts at their offsets.
fn packet(len: usize, parts: &[(usize, &[u8])]) -> Vec<u8> {
    let mut bytes = vec![0; len];
    for (place, part) in parts {
        bytes[*place..place + part.len()].copy_from_slice(part);
    }
    bytes
}

/// A packet of each neighbour, with its expected name.
pub(crate) fn specimens() -> Vec<(&'static str, Vec<u8>)> {
    let one = 1.0_f32.to_le_bytes();
    let rpm = 7000.0_f32.to_le_bytes();
    vec![
        ("F1 2027", packet(1325, &[(0, &[0xeb, 0x07])])),
        ("Live for Speed (OutSim)", packet(280, &[(0, b"LFST")])),
        ("F1 2015 or 2016, or WRC Generations", packet(280, &[(28, &one)])),
        ("BeamNG.drive (MotionSim)", packet(88, &[(0, b"BNG1")])),
        ("the \"legacy\" packet of F1 2017", packet(1289, &[])),
        ("Live for Speed (OutGauge)", packet(92, &[(4, b"XFG\0"), (10, &[3]), (16, &rpm)])),
        ("BeamNG.drive (OutGauge)", packet(96, &[(4, b"beam"), (10, &[3]), (16, &rpm)])),
        ("Live for Speed (OutSim)", packet(64, &[(40, &one)])),
        ("Live for Speed (OutSim)", packet(68, &[(40, &one)])),
        ("Project CARS 2 or Automobilista 2 (Car physics)", packet(559, &[(8, &[1, 1, 0, 2])])),
        ("Project CARS 2 or Automobilista 2 (Race definition)", packet(308, &[(8, &[1, 1, 1, 1])])),
        ("Project CARS 2 or Automobilista 2 (Participants)", packet(1136, &[(8, &[2, 2, 2, 1])])),
        ("Project CARS 2 or Automobilista 2 (Timings)", packet(1059, &[(8, &[1, 1, 3, 1])])),
        ("Project CARS 2 or Automobilista 2 (Game state)", packet(24, &[(8, &[1, 1, 4, 1])])),
        ("Project CARS 2 or Automobilista 2 (Time stats)", packet(1040, &[(8, &[1, 1, 7, 1])])),
        ("Project CARS 2 or Automobilista 2 (Vehicle names)", packet(1164, &[(8, &[1, 2, 8, 1])])),
        ("Project CARS 2 or Automobilista 2 (Class names)", packet(1452, &[(8, &[2, 2, 8, 1])])),
        ("Project CARS (Telemetry)", packet(1367, &[(2, &[0xf4])])),
        ("Project CARS (Names)", packet(1347, &[(2, &[0x05])])),
        ("Project CARS (More names)", packet(1028, &[(2, &[0x02])])),
        ("Assetto Corsa Competizione (Entry list)", packet(11, &[(0, &[4]), (5, &[2])])),
        ("Assetto Corsa Competizione (Broadcasting event)", packet(14, &[(0, &[7, 5, 2, 0, b'o', b'k'])])),
    ]
}

fn what(datagram: &[u8]) -> Option<String> {
    match resembles(datagram)? {
        Rejected::Resembles { what, .. } => Some(what),
        other => panic!("{other:?}"),
    }
}

#[test]
fn every_neighbour_is_named() {
    let specimens = specimens();
    for (name, bytes) in &specimens {
        assert_eq!(what(bytes).as_deref(), Some(*name), "{} bytes", bytes.len());
    }
    for neighbour in NEIGHBOURS {
        let seen = specimens.iter().any(|(_, bytes)| neighbour.claims(bytes).is_some());
        assert!(seen, "{} has no specimen", neighbour.family);
    }
}

#[test]
fn what_makes_no_sense_in_its_place_is_not_named() {
    let nan = f32::NAN.to_le_bytes();
    let strange = [
        packet(280, &[(8, &nan)]),
        packet(92, &[(10, &[21])]),
        packet(96, &[(16, &(-1.0_f32).to_le_bytes())]),
        packet(64, &[(40, &nan)]),
        packet(559, &[(8, &[2, 1, 0, 2])]),
        packet(554, &[(8, &[1, 1, 0, 2])]),
        packet(308, &[(8, &[1, 1, 2, 1])]),
        packet(1367, &[(2, &[0x01])]),
        packet(88, &[(0, b"BNG2")]),
    ];
    for bytes in strange {
        assert_eq!(what(&bytes), None, "{} bytes, starting {:02x?}", bytes.len(), &bytes[..3]);
    }
}

#[test]
fn a_newer_year_is_said_to_be_newer() {
    let message = |name: &str| {
        let (_, bytes) = specimens().into_iter().find(|(known, _)| *known == name).expect("a specimen");
        resembles(&bytes).expect("a neighbour").to_string()
    };
    assert!(message("F1 2027").contains("newer than this version"));
    assert!(message("Project CARS (Telemetry)").ends_with("does not read that game"));
}
