//! The letters of the pieces in the languages in which games are written.

use shakmaty::Role;

/// A language in which games are written: its name, and the letters of king, queen, rook, bishop and knight.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Language(pub &'static str, pub &'static [&'static str]);

/// The language of PGN. It has a letter for the pawn as well.
pub const ENGLISH: Language = Language("English", &["K", "Q", "R", "B", "N", "P"]);

/// All languages, English first.
pub const LANGUAGES: [Language; 9] = [
    ENGLISH,
    // And the languages of Scandinavia.
    Language("German", &["K", "D", "T", "L", "S"]),
    Language("French", &["R", "D", "T", "F", "C"]),
    // And Italian.
    Language("Spanish", &["R", "D", "T", "A", "C"]),
    Language("Dutch", &["K", "D", "T", "L", "P"]),
    Language("Portuguese", &["R", "D", "T", "B", "C"]),
    Language("Polish", &["K", "H", "W", "G", "S"]),
    Language("Czech", &["K", "D", "V", "S", "J"]),
    Language("Russian", &["Кр", "Ф", "Л", "С", "К"]),
];

/// The pieces in the order of the letters of a language, each with its white and its black sign.
const PIECES: [(Role, &str); 6] = [
    (Role::King, "♔♚"),
    (Role::Queen, "♕♛"),
    (Role::Rook, "♖♜"),
    (Role::Bishop, "♗♝"),
    (Role::Knight, "♘♞"),
    (Role::Pawn, "♙♟"),
];

impl Language {
    /// The pieces that a text may begin with, each with the rest of the text. `loose` also takes small letters.
    pub fn pieces(self, text: &str, loose: bool) -> impl Iterator<Item = (Role, &str)> {
        let figurine = text.chars().next().and_then(|first| {
            let (role, _) = PIECES.into_iter().find(|(_, signs)| signs.contains(first))?;
            Some((role, &text[first.len_utf8()..]))
        });
        let letters = self.1.iter().zip(PIECES).filter_map(move |(letter, (role, _))| {
            let start = text.get(..letter.len())?;
            let is_same =
                start == *letter || loose && start.to_lowercase() == letter.to_lowercase();
            is_same.then(|| (role, &text[letter.len()..]))
        });
        figurine.into_iter().chain(letters)
    }
}
