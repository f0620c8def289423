//! Structures: which fields a packet has, in order. Little endian, packed.

use super::fields::{Field, Form};
use crate::Value;

/// Fields in their order, as in a structure file of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Structure<'a>(pub &'a [Field]);

/// The numbers of a packet.
#[derive(Clone, Copy, Debug)]
pub struct Numbers([Option<f64>; Field::ALL.len()]);

impl Structure<'static> {
    /// The game's default structure, `wrc`, whose packets have no header.
    pub const WRC: Self = Self(Field::ALL.split_at(Field::StageLength as usize + 1).0);
    /// Trailbrake's structure for versions of the game before 1.8: also ids of stage and car.
    pub const WITH_IDS: Self = Self(Field::ALL.split_at(Field::RouteId as usize + 1).0);
    /// Trailbrake's structure: all fields.
    pub const EVERYTHING: Self = Self(Field::ALL);
}

impl Structure<'_> {
    /// The number of bytes, without a header.
    pub fn size(self) -> usize {
        self.0.iter().map(|field| field.form().size()).sum()
    }

    /// Reads the numbers. Fields beyond the last byte are absent.
    pub fn read(self, mut bytes: &[u8]) -> Numbers {
        let mut numbers = Numbers::default();
        for field in self.0 {
            let Some((own, rest)) = bytes.split_at_checked(field.form().size()) else { break };
            numbers.set(*field, number(field.form(), own));
            bytes = rest;
        }
        numbers
    }

    /// The bytes of a packet with these numbers.
    pub fn write(self, numbers: &Numbers) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.size());
        for field in self.0 {
            let number = numbers.get(*field).unwrap_or_default();
            match field.form() {
                Form::Boolean => bytes.push(u8::from(number != 0.0)),
                Form::U8 => bytes.push(number as u8),
                Form::U16 => bytes.extend((number as u16).to_le_bytes()),
                Form::U64 => bytes.extend((number as u64).to_le_bytes()),
                Form::F32 => bytes.extend((number as f32).to_le_bytes()),
                Form::F64 => bytes.extend(number.to_le_bytes()),
            }
        }
        bytes
    }

    /// The fields by the game's names, as sent.
    pub(super) fn describe(self, mut bytes: &[u8]) -> Vec<(&'static str, Value)> {
        let mut fields = Vec::with_capacity(self.0.len());
        for field in self.0 {
            let Some((own, rest)) = bytes.split_at_checked(field.form().size()) else { break };
            let value = match field.form() {
                Form::Boolean | Form::U8 | Form::U16 | Form::U64 => Value::Unsigned(whole(own)),
                Form::F32 => Value::Float(number(Form::F32, own) as f32),
                Form::F64 => Value::Double(number(Form::F64, own)),
            };
            fields.push((field.name(), value));
            bytes = rest;
        }
        fields
    }
}

impl Default for Numbers {
    fn default() -> Self {
        Self([None; Field::ALL.len()])
    }
}

impl Numbers {
    /// A number, if the packet has it.
    pub fn get(&self, field: Field) -> Option<f64> {
        self.0.get(field as usize).copied().flatten()
    }

    /// Sets a number.
    pub fn set(&mut self, field: Field, number: f64) {
        if let Some(own) = self.0.get_mut(field as usize) {
            *own = Some(number);
        }
    }

    /// A number that every structure has.
    pub(super) fn of(&self, field: Field) -> f64 {
        self.get(field).unwrap_or_default()
    }

    /// Three numbers that every structure has.
    pub(super) fn vector(&self, fields: [Field; 3]) -> [f32; 3] {
        fields.map(|field| self.of(field) as f32)
    }

    /// All that the packet has.
    pub(super) fn iter(&self) -> impl Iterator<Item = (Field, f64)> {
        Field::ALL.iter().zip(self.0).filter_map(|(field, number)| Some((*field, number?)))
    }
}

/// The number in the bytes of a field.
fn number(form: Form, bytes: &[u8]) -> f64 {
    let whole = whole(bytes);
    match form {
        Form::F32 => f64::from(f32::from_bits(whole as u32)),
        Form::F64 => f64::from_bits(whole),
        Form::Boolean | Form::U8 | Form::U16 | Form::U64 => whole as f64,
    }
}

/// Up to eight bytes as a whole number.
fn whole(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Offsets and forms of the default structure, from the game's description.
    const WRC: [(&str, usize, Form); 18] = [
        ("packet_uid", 0, Form::U64),
        ("game_total_time", 8, Form::F32),
        ("game_delta_time", 12, Form::F32),
        ("game_frame_count", 16, Form::U64),
        ("shiftlights_fraction", 24, Form::F32),
        ("shiftlights_rpm_valid", 36, Form::Boolean),
        ("vehicle_gear_index", 37, Form::U8),
        ("vehicle_gear_maximum", 40, Form::U8),
        ("vehicle_speed", 41, Form::F32),
        ("vehicle_position_x", 49, Form::F32),
        ("vehicle_left_direction_x", 85, Form::F32),
        ("vehicle_forward_direction_z", 105, Form::F32),
        ("vehicle_hub_position_bl", 121, Form::F32),
        ("vehicle_brake_temperature_fr", 181, Form::F32),
        ("vehicle_engine_rpm_max", 185, Form::F32),
        ("vehicle_handbrake", 213, Form::F32),
        ("stage_current_distance", 221, Form::F64),
        ("stage_length", 229, Form::F64),
    ];

    #[test]
    fn the_structures_have_the_bytes_of_the_description() {
        let sizes = [Structure::WRC, Structure::WITH_IDS, Structure::EVERYTHING].map(Structure::size);
        assert_eq!(sizes, [237, 252 - 4, 275 - 4]);
        for (name, at, form) in WRC {
            let place = Structure::WRC.0.iter().position(|field| field.name() == name).expect(name);
            assert_eq!(Structure(&Structure::WRC.0[..place]).size(), at, "{name}");
            assert_eq!(Structure::WRC.0[place].form(), form, "{name}");
        }
        assert!(Structure::WITH_IDS.0.iter().all(|field| field.data_version() == 2));
        assert_eq!(Field::from_name("stage_progress"), Some(Field::StageProgress));
        assert_eq!(Field::from_name("stage_progress_2"), None);
    }

    #[test]
    fn any_list_of_names_is_a_structure() {
        let names = ["route_id", "stage_length", "vehicle_gear_index", "vehicle_speed", "packet_uid"];
        let fields: Vec<Field> = names.iter().map(|name| Field::from_name(name).expect("a field")).collect();
        let structure = Structure(&fields);
        let bytes = [
            &361_u16.to_le_bytes()[..],
            &4379.5_f64.to_le_bytes(),
            &[3],
            &22.5_f32.to_le_bytes(),
            &17_580_u64.to_le_bytes(),
        ]
        .concat();
        assert_eq!(structure.size(), bytes.len());
        let numbers = structure.read(&bytes);
        let read = [Field::RouteId, Field::StageLength, Field::GearIndex, Field::Speed, Field::PacketUid]
            .map(|field| numbers.get(field));
        assert_eq!(read, [361.0, 4379.5, 3.0, 22.5, 17_580.0].map(Some));
        assert_eq!(numbers.get(Field::GameMode), None);
        assert_eq!(structure.write(&numbers), bytes);
        // What is cut off is absent.
        assert_eq!(structure.read(&bytes[..12]).get(Field::Speed), None);
        let described = structure.describe(&bytes);
        assert_eq!(described[0], ("route_id", Value::Unsigned(361)));
        assert_eq!(described[3], ("vehicle_speed", Value::Float(22.5)));
    }
}
