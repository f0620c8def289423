//! The colours of notes: their names and inks.

use trailbrake_shared::recording::NoteColour;

use crate::painter::Ink;

/// The colours in the chooser: the stored word, and the label.
pub(crate) const COLOURS: [(&str, &str); 5] =
    [("amber", "Amber"), ("red", "Red"), ("green", "Green"), ("blue", "Blue"), ("violet", "Violet")];

/// The ink of a colour. A colour of a later version gets the default ink.
pub(crate) const fn note_ink(colour: &NoteColour) -> Ink {
    match colour {
        NoteColour::Amber | NoteColour::Other(_) => Ink::NoteAmber,
        NoteColour::Red => Ink::NoteRed,
        NoteColour::Green => Ink::NoteGreen,
        NoteColour::Blue => Ink::NoteBlue,
        NoteColour::Violet => Ink::NoteViolet,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_colour_can_be_chosen_and_has_an_ink_of_its_name() {
        for (colour, (word, name)) in NoteColour::ALL.iter().zip(COLOURS) {
            assert_eq!((colour.word(), note_ink(colour).token()), (word, format!("--note-{word}").as_str()));
            assert_eq!(name.to_ascii_lowercase(), word);
        }
        assert_eq!(note_ink(&NoteColour::Other("teal".to_owned())), note_ink(&NoteColour::default()));
    }
}
