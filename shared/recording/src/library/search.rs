//! Text as people search for it.

/// Text as people search for it: lower case without accents.
pub fn folded(text: &str) -> String {
    text.chars().map(plain).collect()
}

/// The lower-case letter without its accent, as typed on a keyboard without it. The tables of all alphabets would make
/// the page larger by 12 KB.
fn plain(letter: char) -> char {
    const ACCENTS: [(&str, char); 12] = [
        ("àáâãäåāăąÀÁÂÃÄÅĀĂĄ", 'a'),
        ("çćčċÇĆČĊ", 'c'),
        ("ďđĎĐ", 'd'),
        ("èéêëēęěėÈÉÊËĒĘĚĖ", 'e'),
        ("ìíîïīįıÌÍÎÏĪĮİ", 'i'),
        ("łľĺŁĽĹ", 'l'),
        ("ñńňņÑŃŇŅ", 'n'),
        ("òóôõöøōőÒÓÔÕÖØŌŐ", 'o'),
        ("śšşșŚŠŞȘ", 's'),
        ("ùúûüūůűųÙÚÛÜŪŮŰŲ", 'u'),
        ("ýÿÝŸ", 'y'),
        ("źżžŹŻŽ", 'z'),
    ];
    match letter {
        '\0'..='\x7f' => letter.to_ascii_lowercase(),
        // Greek and Cyrillic: lower case follows 0x20 later.
        'Α'..='Ω' | 'А'..='Я' => char::from_u32(u32::from(letter) + 0x20).unwrap_or(letter),
        _ => {
            ACCENTS.iter().find(|(accented, _)| accented.contains(letter)).map_or(letter, |(_, plain)| *plain)
        }
    }
}

#[cfg(test)]
mod tests {
    use trailbrake_model::time::LapTime;

    use super::*;
    use crate::UNCLAIMED;
    use crate::library::Entry;

    #[test]
    fn accents_are_no_hindrance() {
        assert_eq!(folded("Nürburgring ŽÓFÍN São Łódź Spa 24H"), "nurburgring zofin sao lodz spa 24h");
        assert_eq!(folded("Ş. DEMİRÇELİK Москва ΑΘΗΝΑ"), "s. demircelik москва αθηνα");
    }

    #[test]
    fn every_word_has_to_be_somewhere_in_what_is_shown() {
        let entry = Entry {
            file: "2026-11-21_1432_f1-2018_spa.trailbrake.mcap".into(),
            feed: Some("f1-2018".into()),
            track: Some("Nürburgring".into()),
            best: Some(LapTime(103_512)),
            tags: vec!["Wet".into()],
            ..Entry::default()
        };
        for (words, fits) in [
            ("", true),
            ("nurburgring WET", true),
            ("f1 2018 1:43.5", true),
            ("wet monza", false),
            ("2026-11-21", true),
        ] {
            assert_eq!(entry.has_words(words), fits, "{words}");
        }
        let unclaimed = Entry { feed: Some(UNCLAIMED.into()), ..Entry::default() };
        assert_eq!([entry.game_word(), unclaimed.game_word()], [Some("F1 2018 to 25"), None]);
    }
}
