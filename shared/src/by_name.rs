//! Reading a struct whose fields stand in JSON by their names.

/// Declares that a type is read field by field, in whatever order; what is missing is as by default, and what is no
/// field is passed over. A derived reading would also take lists for it and ask for each field in a place of its own,
/// which makes the page several times as large.
macro_rules! read_by_name {
    ($type:ident { $($field:ident),* $(,)? }) => {
        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct ByName;

                impl<'de> serde::de::Visitor<'de> for ByName {
                    type Value = $type;

                    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        f.write_str("fields by name")
                    }

                    fn visit_map<A: serde::de::MapAccess<'de>>(self, mut map: A) -> Result<$type, A::Error> {
                        let mut read = $type::default();
                        while let Some(name) = map.next_key::<String>()? {
                            match name.as_str() {
                                $(stringify!($field) => read.$field = map.next_value()?,)*
                                _ => drop(map.next_value::<serde::de::IgnoredAny>()?),
                            }
                        }
                        Ok(read)
                    }
                }

                deserializer.deserialize_map(ByName)
            }
        }
    };
}

pub(crate) use read_by_name;
