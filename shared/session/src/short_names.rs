//! Short names, as on timing screens.

/// A name in three letters, as on timing screens.
pub fn short_name(name: &str) -> String {
    let last = name.split_whitespace().next_back().unwrap_or_default();
    last.chars().filter(|letter| letter.is_alphanumeric()).map(capital).take(3).collect()
}

/// The initials of a name, such as a tyre compound's, as on timing screens.
pub fn initials(name: &str) -> String {
    name.split_whitespace().filter_map(|word| word.chars().next()).map(capital).collect()
}

/// The capital of a letter in the alphabets of drivers' names. The standard library knows all alphabets, from tables
/// that the page would have to load.
fn capital(letter: char) -> char {
    let code = u32::from(letter);
    let capital = match letter {
        'a'..='z' | 'à'..='ö' | 'ø'..='þ' | 'α'..='ρ' | 'σ'..='ϋ' | 'а'..='я' => code - 0x20,
        'ѐ'..='џ' => code - 0x50,
        'ı' => u32::from('I'),
        // Here capitals and small letters alternate.
        'ā'..='ķ' | 'ŋ'..='ŷ' => code & !1,
        'ĺ'..='ň' | 'ź'..='ž' => (code - 1) | 1,
        'ÿ' => u32::from('Ÿ'),
        _ => code,
    };
    char::from_u32(capital).unwrap_or(letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_short() {
        for (name, short) in [
            ("L. HAMILTON", "HAM"),
            ("K. RÄIKKÖNEN", "RÄI"),
            ("Max Verstappen", "VER"),
            ("speedy_44", "SPE"),
            ("Юрий Лёвин", "ЛЁВ"),
            ("Li", "LI"),
            ("", ""),
        ] {
            assert_eq!(short_name(name), short);
        }
    }

    #[test]
    fn compounds_have_initials() {
        assert_eq!(["Hyper soft", "Medium", "Inter"].map(initials), ["HS", "M", "I"]);
    }

    #[test]
    fn capitals_are_those_of_the_standard_library() {
        // Letters whose capital is two letters or in another alphabet are left as they are.
        let odd = ['ß', 'ŉ', 'ς', 'ΰ'];
        let letters = ('à'..='ž')
            .chain('a'..='z')
            .chain('α'..='ϋ')
            .chain('а'..='џ')
            .filter(|letter| !odd.contains(letter));
        for letter in letters {
            assert_eq!(letter.to_uppercase().collect::<String>(), capital(letter).to_string(), "{letter}");
        }
    }
}
