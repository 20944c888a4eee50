use super::*;
use winit::keyboard::{NamedKey, NativeKey};

const NO_PLACE: PhysicalKey = PhysicalKey::Unidentified(winit::keyboard::NativeKeyCode::Unidentified);

fn text(text: &str) -> Key {
    Key::Character(text.into())
}

fn press(logical: Key, physical: impl Into<PhysicalKey>) -> Press {
    Press { unmodified: logical.clone(), logical, physical: physical.into(), control: false, shift: false }
}

/// A press with Shift. `unmodified` is the key without Shift.
fn shifted(logical: &str, unmodified: &str, physical: KeyCode) -> Press {
    Press { unmodified: text(unmodified), shift: true, ..press(text(logical), physical) }
}

fn action(press: &Press) -> Option<Action> {
    KeyboardLayout::default().find(press)
}

#[test]
fn no_stroke_means_two_things() {
    let named = [
        NamedKey::Enter,
        NamedKey::Space,
        NamedKey::PageUp,
        NamedKey::PageDown,
        NamedKey::ArrowLeft,
        NamedKey::ArrowRight,
        NamedKey::ArrowUp,
        NamedKey::ArrowDown,
        NamedKey::Tab,
        NamedKey::F2,
        NamedKey::F3,
        NamedKey::F6,
        NamedKey::F11,
        NamedKey::Escape,
    ];
    for (stroke, expected) in strokes() {
        let key = key_of(stroke);
        let pressed = if let Some(named) = named.iter().find(|named| format!("{named:?}") == *stroke) {
            press(Key::Named(*named), NO_PLACE)
        } else {
            assert_eq!(key.chars().count(), 1, "there is no key named {key}");
            let control = stroke.starts_with("ctrl+");
            let shift = stroke.starts_with("ctrl+shift+");
            let written = if shift { key.to_uppercase() } else { key.into() };
            Press { control, shift, ..press(text(&written), NO_PLACE) }
        };
        assert_eq!(action(&pressed).as_ref(), Some(expected), "{stroke}");
    }
    assert_eq!(action(&shifted("Q", "q", KeyCode::KeyQ)), Some(Quit));
    assert_eq!(action(&Press { control: true, ..press(text("c"), KeyCode::KeyC) }), None);
}

#[test]
fn every_preset_up_to_the_ninth_has_its_key() {
    assert_eq!(strokes().filter(|(_, action)| matches!(action, Preset(_))).count(), 9);
}

/// The physical keys of all letters, of the digits 1 to 9 and of four signs, from the top row of the keyboard down.
/// Each string below has the characters of these keys in one layout.
const PLACES: [KeyCode; 39] = {
    use KeyCode::*;
    [
        Digit1,
        Digit2,
        Digit3,
        Digit4,
        Digit5,
        Digit6,
        Digit7,
        Digit8,
        Digit9,
        Minus,
        Equal,
        KeyQ,
        KeyW,
        KeyE,
        KeyR,
        KeyT,
        KeyY,
        KeyU,
        KeyI,
        KeyO,
        KeyP,
        BracketLeft,
        BracketRight,
        KeyA,
        KeyS,
        KeyD,
        KeyF,
        KeyG,
        KeyH,
        KeyJ,
        KeyK,
        KeyL,
        KeyZ,
        KeyX,
        KeyC,
        KeyV,
        KeyB,
        KeyN,
        KeyM,
    ]
};
const AMERICAN: &str = "123456789-=qwertyuiop[]asdfghjklzxcvbnm";

#[test]
fn every_shortcut_has_its_place_in_layouts_without_latin_letters() {
    for row in [
        "123456789-=йцукенгшщзхъфывапролдячсмить",
        "123456789-=;ςερτυθιοπ[]ασδφγηξκλζχψωβνμ",
        "123456789-=/'קראטוןםפ][שדגכעיחלךזסבהנמצ",
        "۱۲۳۴۵۶۷۸۹-=ضصثقفغعهخحجچشسیبلاتنمظطزرذدپ",
    ] {
        let characters = row.chars().zip(PLACES).zip(AMERICAN.chars());
        for ((character, place), american) in characters {
            let key = text(&character.to_string());
            let is_shortcut = AMERICAN.contains(character);
            let meant = if is_shortcut { character } else { american };
            for (control, shift) in [(false, false), (true, false), (true, true), (false, true)] {
                // Shift changes digits and signs.
                if shift && !american.is_alphabetic() {
                    continue;
                }
                let pressed = Press { control, shift, ..press(key.clone(), place) };
                let latin = Press { control, shift, ..press(text(&meant.to_string()), NO_PLACE) };
                assert_eq!(action(&pressed), action(&latin), "{character} in {row}");
            }
        }
    }
    assert_eq!(action(&press(text("ю"), KeyCode::Period)), Some(Step));
    // At the place of `?` a Russian keyboard has a comma, and an Arabic keyboard has the Arabic question mark.
    assert_eq!(action(&shifted(",", ".", KeyCode::Slash)), Some(Help));
    assert_eq!(action(&shifted("؟", "ظ", KeyCode::Slash)), Some(Help));
    assert_eq!(
        action(&press(Key::Unidentified(NativeKey::Xkb(0x100_0000)), KeyCode::KeyB)),
        Some(SelectTool(Tool::Spawn))
    );
}

#[test]
fn the_character_comes_before_the_place() {
    for (character, place) in AMERICAN.chars().zip(PLACES.into_iter().rev()) {
        let key = text(&character.to_string());
        assert_eq!(action(&press(key.clone(), place)), action(&press(key, NO_PLACE)), "{character}");
    }
    // On an AZERTY keyboard a letter acts by its character, not by its place. This holds even if Ctrl with this letter
    // is no stroke. The key of 6 writes a minus.
    assert_eq!(action(&press(text("a"), KeyCode::KeyQ)), Some(NextAxis));
    let control = |key: &str, place| Press { control: true, ..press(text(key), place) };
    assert_eq!(action(&control("a", KeyCode::KeyQ)), None, "it does not quit");
    assert_eq!(action(&control("w", KeyCode::KeyZ)), None, "it does not undo");
    assert_eq!(action(&control("q", KeyCode::KeyA)), Some(Quit));
    for (index, character) in "&é\"'(-è_ç".chars().enumerate() {
        let place = PLACES[index];
        let expected = if character == '-' { Faster(-1) } else { Preset(index) };
        assert_eq!(action(&press(text(&character.to_string()), place)), Some(expected), "{character}");
        let digit = (index + 1).to_string();
        assert_eq!(action(&shifted(&digit, &character.to_string(), place)), Some(Preset(index)), "{digit}");
    }
    assert_eq!(action(&shifted(".", ";", KeyCode::Comma)), Some(Step));
    assert_eq!(action(&shifted("?", ",", KeyCode::KeyM)), Some(Help));
    // A dead key acts. German letters and signs that are not shortcuts have no action.
    assert_eq!(action(&press(Key::Dead(Some('^')), KeyCode::BracketLeft)), Some(Brush(-1)));
    assert_eq!(action(&press(text("z"), KeyCode::KeyY)), Some(Undo));
    assert_eq!(action(&shifted("!", "1", KeyCode::Digit1)), None, "no digit is written");
    let by_alt_gr = |key, unmodified, place| Press { unmodified: text(unmodified), ..press(key, place) };
    assert_eq!(action(&by_alt_gr(text("@"), "q", KeyCode::KeyQ)), None, "an @ does not quit");
    assert_eq!(action(&by_alt_gr(Key::Dead(Some('~')), "é", KeyCode::Digit2)), None);
    assert_eq!(action(&by_alt_gr(text("["), "8", KeyCode::Digit8)), Some(Brush(-1)));
}

#[test]
fn a_press_tells_the_character_of_its_key() {
    let mut layout = KeyboardLayout::default();
    let row = |keys: &str| {
        let mut rows = GROUPS.iter().flat_map(|group| group.rows);
        rows.find(|(written, ..)| *written == keys).expect("there is such a row").2
    };
    assert_eq!(layout.characters_of(row("b")), [""; 0]);
    layout.find(&press(text("и"), KeyCode::KeyB));
    layout.find(&shifted("Е", "е", KeyCode::KeyT));
    layout.find(&press(text("э"), KeyCode::Quote));
    assert_eq!((layout.characters_of(row("b")), layout.characters_of(row("t  Ctrl-T"))), (vec!["и"], vec!["е"]));
    assert_eq!(layout.characters.len(), 2, "{layout:?}");
    layout.find(&press(text("&"), KeyCode::Digit1));
    layout.find(&press(text("é"), KeyCode::Digit2));
    layout.find(&shifted("1", "&", KeyCode::Digit1));
    assert_eq!(layout.characters_of(row("1 – 9")), ["&", "é"]);
    layout.find(&shifted(",", ".", KeyCode::Slash));
    assert_eq!(layout.characters_of(row("?")), [","]);
    // The user has switched to a layout with the characters of the table.
    layout.find(&press(text("b"), KeyCode::KeyB));
    layout.find(&shifted("?", "/", KeyCode::Slash));
    assert_eq!((layout.characters_of(row("b")), layout.characters_of(row("?"))), (vec![], vec![]));
}
