//! Proves the sentences of hints by other means than those that wrote them.

use crate::exercise::{after, random_board};
use shakmaty::{
    Bitboard, CastlingMode, Chess, Color, EnPassantMode, Move, Position, PositionError, Square,
    uci::UciMove,
};
use std::sync::LazyLock;
use tropism::endgame::{Endgames, Material, set_up};
use tropism::random::SplitMix64;

/// The endings with a drawn position to hold.
pub const ENDINGS: [&str; 6] = ["KPK", "KBPK", "KRKB", "KRKN", "KRKP", "KQKP"];

/// Their exact tables.
pub static TABLES: LazyLock<Endgames> = LazyLock::new(|| {
    let mut endgames = Endgames::default();
    ENDINGS.iter().for_each(|ending| endgames.build(ending.parse().unwrap()));
    endgames
});

/// A move, and where the kings stand.
pub struct Facts {
    pub before: Chess,
    pub next: Chess,
    pub m: Move,
    /// The side that moves.
    pub own: Color,
    pub from: Square,
    pub to: Square,
    /// Its king before the move and after it, and the other king.
    pub was: Square,
    pub king: Square,
    pub other: Square,
}

impl Facts {
    pub fn new(before: &Chess, m: Move) -> Facts {
        let (before, next, own) = (before.clone(), after(before, m), before.turn());
        let king = |position: &Chess, side| position.board().king_of(side).unwrap();
        let [was, king, other] = [king(&before, own), king(&next, own), king(&next, !own)];
        let (from, to) = (m.from().unwrap(), m.to());
        Facts { before, next, m, own, from, to, was, king, other }
    }
}

/// Words of a sentence, and whether such a sentence is true of some facts.
pub type Claim<Facts> = (&'static str, fn(&Facts, &Said) -> bool);

/// A sentence, with the squares and numbers that it names.
pub struct Said<'a> {
    pub text: &'a str,
    pub squares: Bitboard,
    pub numbers: Vec<u32>,
}

impl Said<'_> {
    pub fn new(text: &str) -> Said<'_> {
        let words = || text.split(|c: char| !c.is_ascii_alphanumeric());
        let squares = words().filter_map(|word| word.parse::<Square>().ok()).collect();
        Said { text, squares, numbers: words().filter_map(|word| word.parse().ok()).collect() }
    }

    /// The only square.
    pub fn square(&self) -> Square {
        self.squares.single_square().unwrap_or_else(|| panic!("{}", self.text))
    }

    /// The last two numbers.
    pub fn pair(&self) -> [u32; 2] {
        let &[.., first, second] = &self.numbers[..] else { panic!("{}", self.text) };
        [first, second]
    }

    /// The squares before some words, and those after them.
    pub fn squares_around(&self, words: &str) -> [Bitboard; 2] {
        let (before, after) = self.text.split_once(words).unwrap();
        [before, after].map(|part| Said::new(part).squares)
    }
}

/// The words of the first claim that a sentence makes, and whether it is true.
pub fn checked<Facts>(claims: &[Claim<Facts>], text: &str, facts: &Facts) -> (&'static str, bool) {
    let claim = claims.iter().find(|(words, _)| text.contains(words));
    let &(words, is_true) = claim.unwrap_or_else(|| panic!("unknown: {text}"));
    (words, is_true(facts, &Said::new(text)))
}

/// The moves of a king from square to square.
pub fn steps(a: Square, b: Square) -> u32 {
    let [files, ranks] = offset(a, b);
    files.max(ranks)
}

/// Files and ranks between two squares.
pub fn offset(a: Square, b: Square) -> [u32; 2] {
    [(a.file() as u32).abs_diff(b.file() as u32), (a.rank() as u32).abs_diff(b.rank() as u32)]
}

/// The moves of a king to the edge.
pub fn from_edge(square: Square) -> u32 {
    let (file, rank) = (square.file() as u32, square.rank() as u32);
    file.min(7 - file).min(rank).min(7 - rank)
}

/// Whether a piece could be taken and nothing protects it.
pub fn is_loose(position: &Chess, square: Square, own: Color) -> bool {
    let attackers = |side| position.board().attacks_to(square, side, position.board().occupied());
    attackers(!own).any() && attackers(own).is_empty()
}

/// Random legal positions of an ending.
pub fn positions(
    material: &str,
    count: usize,
    seed: u64,
    turns: &'static [Color],
) -> impl Iterator<Item = Chess> {
    let (material, mut random) = (material.parse::<Material>().unwrap(), SplitMix64(seed));
    let boards = (0..count).filter_map(move |_| random_board(material, &mut random));
    boards.flat_map(|board| turns.iter().filter_map(move |&turn| set_up(board.clone(), turn)))
}

/// With colours exchanged, sentences about a move are the same but for sides and ranks.
pub fn check_mirrored(position: &Chess, reasons: impl Fn(&Chess, Move) -> Vec<String>) {
    let setup = position.to_setup(EnPassantMode::Legal).into_mirrored();
    let mirrored = setup.position(CastlingMode::Standard);
    let mirrored = mirrored.or_else(PositionError::ignore_impossible_check).unwrap();
    for m in position.legal_moves() {
        let uci = match m.to_uci(CastlingMode::Standard) {
            UciMove::Normal { from, to, promotion } => {
                UciMove::Normal { from: from.flip_vertical(), to: to.flip_vertical(), promotion }
            }
            other => other,
        };
        let words = reasons(position, m).join(" ");
        let others = reasons(&mirrored, uci.to_move(&mirrored).unwrap()).join(" ");
        let expected = sorted_words(&words, mirrored_word);
        assert_eq!(
            sorted_words(&others, |_, word| word.to_owned()),
            expected,
            "{words} / {others}"
        );
    }
}

/// The words of sentences, each changed by a function of the word before it and itself.
fn sorted_words(text: &str, change: fn(&str, &str) -> String) -> Vec<String> {
    let words: Vec<&str> = text.split([' ', ',', '.', ':', ';', '(', ')']).collect();
    let first = words.first().map(|word| change("", word));
    let rest = words.windows(2).map(|pair| change(pair[0], pair[1]));
    let mut changed: Vec<String> = first.into_iter().chain(rest).collect();
    changed.sort();
    changed
}

/// The word that a sentence about the position with colours exchanged has instead.
fn mirrored_word(before: &str, word: &str) -> String {
    match (word.parse::<Square>(), word.parse::<u32>()) {
        (Ok(square), _) => square.flip_vertical().to_string(),
        (_, Ok(rank)) if before == "rank" => (9 - rank).to_string(),
        _ => match word {
            "White" => "Black",
            "Black" => "White",
            "white" => "black",
            "black" => "white",
            "White's" => "Black's",
            "Black's" => "White's",
            other => other,
        }
        .to_owned(),
    }
}
