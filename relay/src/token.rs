//! The secret of a link.

use std::fmt;
use std::hint::black_box;

use anyhow::Context;

/// 128 random bits, printed as 32 hexadecimal digits.
#[derive(Clone)]
pub struct Token(String);

impl Token {
    /// A new token, from the system's random numbers.
    pub fn random() -> anyhow::Result<Self> {
        let mut bytes = [0_u8; 16];
        getrandom::fill(&mut bytes).ok().context("the system gives no random numbers for a link")?;
        Ok(Self(bytes.iter().map(|byte| format!("{byte:02x}")).collect()))
    }

    /// Whether an offered token is this one, in constant time.
    pub(crate) fn is(&self, offered: &str) -> bool {
        let (own, offered) = (self.0.as_bytes(), offered.as_bytes());
        let difference = own.iter().zip(offered).fold(0, |all, (a, b)| black_box(all | (a ^ b)));
        own.len() == offered.len() && difference == 0
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Keeps the token out of logs.
impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_whole_token_is_the_token() {
        let token = Token::random().expect("a token");
        let text = token.to_string();
        assert_eq!(text.len(), 32);
        assert!(token.is(&text));
        assert!(!token.is(&text[..31]));
        assert!(!token.is(&format!("{text}0")));
        assert!(!token.is(""));
        assert!(!token.is(&Token::random().expect("a token").to_string()));
        assert!(!format!("{token:?}").contains(&text));
    }
}
