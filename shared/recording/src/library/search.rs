//! Searches recordings by their list entries.

use trailbrake_games::feed::Feed;

use super::Entry;
use crate::UNCLAIMED;

impl Entry {
    /// The game, as drivers call it.
    pub fn game_word(&self) -> Option<&str> {
        let feed = self.feed.as_deref().filter(|feed| *feed != UNCLAIMED);
        let known = feed.and_then(Feed::from_id).map(|feed| feed.info().game);
        self.game.as_deref().or(known).or(feed)
    }

    /// The text of a list entry to search in.
    pub fn sought_text(&self) -> String {
        let mut text = folded(&self.file);
        let words = [&self.track, &self.car, &self.driver, &self.name, &self.trouble].map(Option::as_deref);
        let best = self.best.map(|best| best.to_string());
        let tags = self.tags.iter().map(String::as_str);
        for word in words.into_iter().chain([self.game_word(), best.as_deref()]).flatten().chain(tags) {
            text.push('\n');
            text.push_str(&folded(word));
        }
        text
    }

    /// Whether each of these words occurs in the list entry.
    pub fn has_words(&self, words: &str) -> bool {
        let text = self.sought_text();
        folded(words).split_whitespace().all(|word| text.contains(word))
    }
}

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
