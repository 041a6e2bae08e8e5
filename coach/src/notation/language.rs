//! The letters of the pieces in the languages in which games are written.

use shakmaty::Role;
use std::fmt;

/// A language in which games are written. English is the language of PGN.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Language {
    /// `KQRBN`, and `P` for a pawn.
    English,
    /// `KDTLS`: German, and the languages of Scandinavia.
    German,
    /// `RDTFC`.
    French,
    /// `RDTAC`: Spanish and Italian.
    Spanish,
    /// `KDTLP`.
    Dutch,
    /// `RDTBC`.
    Portuguese,
    /// `KHWGS`.
    Polish,
    /// `KDVSJ`.
    Czech,
    /// `Кр Ф Л С К`.
    Russian,
}

/// The signs of the pieces, white and black, in the order of [`ROLES`].
const FIGURINES: [[char; 2]; 6] = [
    ['\u{2654}', '\u{265a}'],
    ['\u{2655}', '\u{265b}'],
    ['\u{2656}', '\u{265c}'],
    ['\u{2657}', '\u{265d}'],
    ['\u{2658}', '\u{265e}'],
    ['\u{2659}', '\u{265f}'],
];

/// The pieces in the order of the letters of a language.
const ROLES: [Role; 6] =
    [Role::King, Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];

impl Language {
    /// All languages. English is the first.
    pub const ALL: [Language; 9] = [
        Language::English,
        Language::German,
        Language::French,
        Language::Spanish,
        Language::Dutch,
        Language::Portuguese,
        Language::Polish,
        Language::Czech,
        Language::Russian,
    ];

    /// The letters of king, queen, rook, bishop and knight. English has one for the pawn as well.
    const fn letters(self) -> &'static [&'static str] {
        match self {
            Language::English => &["K", "Q", "R", "B", "N", "P"],
            Language::German => &["K", "D", "T", "L", "S"],
            Language::French => &["R", "D", "T", "F", "C"],
            Language::Spanish => &["R", "D", "T", "A", "C"],
            Language::Dutch => &["K", "D", "T", "L", "P"],
            Language::Portuguese => &["R", "D", "T", "B", "C"],
            Language::Polish => &["K", "H", "W", "G", "S"],
            Language::Czech => &["K", "D", "V", "S", "J"],
            Language::Russian => &["\u{41a}\u{440}", "\u{424}", "\u{41b}", "\u{421}", "\u{41a}"],
        }
    }

    /// The pieces that a text may begin with, each with the rest of the text. `loose` also takes small letters.
    pub fn pieces(self, text: &str, loose: bool) -> impl Iterator<Item = (Role, &str)> {
        let figurine = text.chars().next().and_then(|first| {
            let role = FIGURINES.iter().position(|signs| signs.contains(&first))?;
            Some((ROLES[role], &text[first.len_utf8()..]))
        });
        let letters = self.letters().iter().zip(ROLES).filter_map(move |(letter, role)| {
            let start = text.get(..letter.len())?;
            let is_same =
                start == *letter || loose && start.to_lowercase() == letter.to_lowercase();
            is_same.then(|| (role, &text[letter.len()..]))
        });
        figurine.into_iter().chain(letters)
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The name of the variant is the name of the language.
        write!(f, "{self:?}")
    }
}
