use proptest::prelude::*;

use super::*;

fn words(text: &str) -> Words {
    Words::new(text, [10.0, 20.0], 3.0, Ink::Text)
}

#[test]
fn words_take_room_on_both_sides_of_their_place() {
    let at = |words: Words| (words.frame().left, words.frame().right);
    let width = words("1:23.456").width_mm();
    assert!((10.0..16.0).contains(&width), "{width}");
    assert_eq!(at(words("1:23.456")), (10.0, 10.0 + width));
    assert_eq!(at(words("1:23.456").ending()), (10.0 - width, 10.0));
    assert_eq!(at(words("1:23.456").centred()), (10.0 - width / 2.0, 10.0 - width / 2.0 + width));
    assert!(words("1:23.456").bold().width_mm() > width);
}

#[test]
fn what_does_not_fit_is_cut_and_says_so() {
    let cut = words("A driver whose name goes on and on").within(20.0);
    assert_eq!(cut.text, "A driver w…");
    assert!(cut.width_mm() <= 20.0);
    assert_eq!(words("Short").within(20.0).text, "Short");
    let lines = wrapped("one two three four five six", 3.0, 18.0, 2);
    assert_eq!(lines, ["one two", "three fou…"]);
}

#[test]
fn names_are_made_harmless() {
    for (name, harmless) in [
        ("  a\u{0}b\tc\n ", "a b c"),
        ("left\u{202e}thgir", "leftthgir"),
        ("\u{5d0}\u{5d1} 1", "\u{2068}\u{5d0}\u{5d1} 1\u{2069}"),
        ("\u{ffff}\u{fffe}\u{1fffe}", ""),
        ("🏎 Ünal", "🏎 Ünal"),
    ] {
        assert_eq!(words(name).text, harmless, "{name:?}");
    }
    let cut = words(&"\u{5d0}".repeat(1000)).within(30.0).text;
    assert!(cut.starts_with('\u{2068}') && cut.ends_with('\u{2069}'), "{cut:?}");
}

#[test]
fn a_page_is_drawn_in_millimetres_and_its_words_are_words() {
    let mut sheet = Sheet::new("a <b> & c", [50.0, 30.0]);
    sheet.line(vec![[0.0, 0.0], [50.0, 30.0]], Ink::Main, 0.5);
    sheet.line(vec![[0.0, 0.0]], Ink::Main, 0.5);
    sheet.fill(&Frame { left: 1.0, top: 1.0, right: 2.0, bottom: 3.0 }, Ink::Loss);
    sheet.write(words("<script>alert('x')</script> & \"quotes\""));
    sheet.write(words(""));
    insta::assert_snapshot!("sheet", svg::draw(&sheet).expect("a drawing"));
    let html = svg::html(&sheet).expect("a page");
    assert!(html.contains("<title>a &lt;b&gt; &amp; c</title>") && !html.contains("<script"), "{html}");
    assert!(html.contains("@page { size: 50mm 30mm; margin: 0 }"), "{html}");
}

proptest! {
    #[test]
    fn any_words_are_no_wider_than_their_room(text in any::<String>(), room in 3.0_f32..60.0) {
        prop_assert!(words(&text).within(room).width_mm() <= room * 1.001);
        for line in wrapped(&text, 3.0, room, 3) {
            prop_assert!(words(&line).width_mm() <= room * 1.001);
        }
    }

    #[test]
    fn any_words_are_well_formed(text in any::<String>()) {
        let mut sheet = Sheet::new(&text, [50.0, 30.0]);
        sheet.write(words(&text));
        let drawn = svg::draw(&sheet).expect("a drawing");
        prop_assert!(!drawn.chars().any(|letter| letter.is_control() && letter != '\n'));
        prop_assert_eq!(drawn.matches('<').count(), drawn.matches('>').count());
    }
}
