//! The kinds of messages, by their leading bytes.

/// Declares messages: leading bytes, content and the protocol's name.
macro_rules! messages {
    ($(#[$doc:meta])* enum $all:ident { $($message:ident($content:ty) [$($mark:literal),+] $name:literal;)* }) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq)]
        pub enum $all { $(#[doc = $name] $message($content),)* }

        #[allow(dead_code, reason = "requests are not found in streams, and not described")]
        impl $all {
            /// The leading bytes of each message.
            const MARKS: &'static [&'static [u8]] = &[$(&[$($mark),+],)*];

            /// The protocol's name of the message.
            pub const fn name(&self) -> &'static str {
                match self { $(Self::$message(_) => $name,)* }
            }

            /// The datagram in the encoding of a server program.
            pub fn write(&self, flavour: $crate::ac_server::Flavour) -> Vec<u8> {
                let mut bytes = Vec::new();
                match self {$(
                    Self::$message(content) => {
                        bytes.extend([$($mark),+]);
                        <$content as $crate::table::Sent<'_>>::write(content, flavour.version(), &mut bytes);
                    }
                )*}
                bytes
            }

            /// The message at the start of `bytes` and the remaining bytes; `None` if the bytes are too short or begin
            /// no message.
            fn begins(bytes: &[u8], flavour: $crate::ac_server::Flavour) -> Option<(Self, &[u8])> {
                $(if let Some(behind) = bytes.strip_prefix(&[$($mark),+]) {
                    let mut at = 0;
                    let content = <$content as $crate::table::Sent<'_>>::read(behind, &mut at, flavour.version());
                    return Some((Self::$message(content), behind.get(at..)?));
                })*
                None
            }

            /// The fields of the message at the start of `bytes`, by name.
            fn described(bytes: &[u8], flavour: $crate::ac_server::Flavour) -> $crate::Value {
                $(if let Some(behind) = bytes.strip_prefix(&[$($mark),+]) {
                    return <$content as $crate::table::Sent<'_>>::describe(behind, &mut 0, flavour.version());
                })*
                $crate::Value::Record(Vec::new())
            }
        }
    };
}

pub(super) use messages;
