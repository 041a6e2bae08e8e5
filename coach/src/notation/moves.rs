//! Words that mean moves.

use super::language::Language;
use shakmaty::{
    CastlingSide, Chess, Color, File, Move, Position, Rank, Role, Square, san::SanPlus,
};
use tropism::notation::is_dash;
use tropism::notation::is_zero_width;
use tropism::text::{noun, side_name};

/// Why a word is not understood as a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Misread {
    /// The word does not look like a move.
    NotAMove,
    /// It is a move of the descriptive notation, such as `P-K4`.
    Descriptive,
    /// It does, but no legal move is written this way.
    NoMove(Form),
    /// Several legal moves are.
    Ambiguous(Vec<Move>),
}

/// What a word says about a move.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Form {
    /// Castling.
    Castling(CastlingSide),
    /// A move to a square.
    Move {
        /// The piece, if the word names one or means a pawn.
        role: Option<Role>,
        /// The file where the move starts.
        from_file: Option<File>,
        /// The rank where the move starts.
        from_rank: Option<Rank>,
        /// The file where it ends.
        to_file: File,
        /// The rank where it ends; a pawn's capture can be written without it.
        to_rank: Option<Rank>,
        /// What the pawn becomes.
        promotion: Option<Role>,
    },
}

/// The legal move that a word means, with English letters or figurines.
///
/// It may be SAN, UCI, long algebraic notation, or one of the many forms in between: with or without the signs for
/// captures, checks and promotions, with comments such as `!?`, with squares that SAN leaves out, in wrong case.
///
/// # Errors
///
/// If the word means no legal move, or several.
///
/// ```
/// use tropism::shakmaty::Chess;
/// use tropism_coach::notation::read_move;
/// let start = Chess::default();
/// for word in ["Nf3", "g1f3", "Ng1-f3", "\u{2658}f3!?", "nf3,"] {
///     assert_eq!(read_move(word, &start), read_move("Nf3", &start), "{word}");
/// }
/// let reason = read_move("Nf4", &start).unwrap_err().reason(&start);
/// assert_eq!(reason, "no knight can go to f4");
/// ```
pub fn read_move(word: &str, position: &Chess) -> Result<Move, Misread> {
    read_move_in(Language::English, word, position)
}

/// As [`read_move`], with the letters of a language.
///
/// # Errors
///
/// If the word means no legal move, or several.
pub fn read_move_in(language: Language, word: &str, position: &Chess) -> Result<Move, Misread> {
    // Small letters are files before they are pieces: `bxc3` is a pawn's move if it can be.
    read(language, word, position, &[false, true])
}

/// As [`read_move_in`], but only what people of this language usually write: with letters in the right case, and
/// without a letter for a pawn.
///
/// # Errors
///
/// If the word means no legal move, or several.
pub fn read_usual_move(language: Language, word: &str, position: &Chess) -> Result<Move, Misread> {
    match word.starts_with('P') && language == Language::English {
        true => Err(Misread::NotAMove),
        false => read(language, word, position, &[false]),
    }
}

fn read(language: Language, word: &str, position: &Chess, loose: &[bool]) -> Result<Move, Misread> {
    let (word, _) = split_suffix(word);
    let word = plain(word);
    let legal = position.legal_moves();
    let mut misread = match is_descriptive(&word) {
        true => Misread::Descriptive,
        false => Misread::NotAMove,
    };
    for &loose in loose {
        for form in forms(language, &word, loose) {
            let mut meant: Vec<Move> =
                legal.iter().copied().filter(|&m| form.means(m, position.turn())).collect();
            // In Chess960 the king can step where it would stand after castling.
            if meant.len() > 1 && meant.iter().any(|m| !m.is_castle()) {
                meant.retain(|m| !m.is_castle());
            }
            match (&meant[..], &misread) {
                ([m], _) => return Ok(*m),
                ([], Misread::NotAMove | Misread::Descriptive) => misread = Misread::NoMove(form),
                ([], _) => {}
                _ => return Err(Misread::Ambiguous(meant)),
            }
        }
    }
    Err(misread)
}

/// The move and what follows it without a space: signs of check and mate, marks such as `!?`, `e.p.`, a comma.
pub fn split_suffix(word: &str) -> (&str, &str) {
    const SIGNS: &[char] = &[
        '+', '#', '!', '?', '=', '.', ',', ':', '\u{2020}', '\u{2021}', '\u{b1}', '\u{2213}',
        '\u{221e}', '\u{2a72}', '\u{2a71}', '\u{25a1}', '\u{2191}', '\u{2192}', '\u{21c6}', '~',
        '*', '\u{203c}', '\u{27f3}', '\u{2a00}', '\u{2a01}', '\u{2206}', '\u{394}', '\u{2047}',
        '\u{2048}', '\u{2049}',
    ];
    const WORDS: [&str; 10] =
        ["e.p", "ep", "dbl.ch", "dblch", "dis.ch", "disch", "ch", "mate", "mat", "matt"];
    const LINES: [&str; 4] = ["+/-", "-/+", "+-", "-+"];
    // A new move, as in `7.Bb5N`. On the ranks of promotion it may be a knight.
    let novelty = word.strip_suffix("TN").or_else(|| word.strip_suffix('N'));
    let mut rest =
        novelty.filter(|rest| rest.ends_with(|c| matches!(c, '2'..='7'))).unwrap_or(word);
    loop {
        let shorter = LINES
            .into_iter()
            .find_map(|sign| rest.strip_suffix(sign))
            .or_else(|| rest.strip_suffix(SIGNS))
            .or_else(|| {
                WORDS.into_iter().find_map(|end| {
                    let at = rest.len().checked_sub(end.len())?;
                    rest.get(at..)?.eq_ignore_ascii_case(end).then(|| &rest[..at])
                })
            });
        // A word of signs only is not a move with signs.
        match shorter {
            Some(shorter) => rest = shorter,
            None => return (rest, &word[rest.len()..]),
        }
    }
}

/// Whether a word looks like `P-K4`, `N-KB3` or `QxP`.
fn is_descriptive(word: &str) -> bool {
    let Some((piece, to)) = word.split_once(['-', 'x']) else { return false };
    let is_piece = |text: &str| !text.is_empty() && text.chars().all(|c| "KQRBNPT".contains(c));
    is_piece(piece) && is_piece(to.trim_end_matches(|c| matches!(c, '1'..='8')))
}

/// Signs that look alike become one: dashes, crosses, Cyrillic letters in the names of files.
fn plain(word: &str) -> String {
    let sign = |c| match c {
        c if is_dash(c) => Some('-'),
        '\u{d7}' | '\u{2715}' | '\u{445}' | '\u{425}' => Some('x'),
        '\u{430}' => Some('a'),
        '\u{435}' => Some('e'),
        '\u{441}' => Some('c'),
        '\u{41e}' | '\u{43e}' => Some('O'),
        // They ask for a character as text or as a picture.
        '\u{fe0e}' | '\u{fe0f}' => None,
        c if is_zero_width(c) => None,
        c => Some(c),
    };
    word.chars().filter_map(sign).collect()
}

/// What a word can mean, the likeliest first.
fn forms(language: Language, word: &str, loose: bool) -> Vec<Form> {
    let circles: String = word.chars().filter(|&c| c != '-').collect();
    let is_castling = circles.chars().all(|c| matches!(c, '0' | 'O' | 'o'))
        && (word.contains('-') || !circles.contains('0') || !circles.contains(['O', 'o']));
    match circles.len() {
        2 if is_castling => return vec![Form::Castling(CastlingSide::KingSide)],
        3 if is_castling => return vec![Form::Castling(CastlingSide::QueenSide)],
        _ => {}
    }
    let lower = word.to_lowercase();
    let squares = if loose { &lower } else { word };
    // A capital letter is a file only where all letters are capitals: no bishop for `Bb6` does not mean the pawn's b6.
    let is_piece = word.starts_with(char::is_uppercase)
        && word.contains(char::is_lowercase)
        && (language.pieces(word, false).next().is_some()
            || word.chars().nth(1).is_some_and(|c| matches!(c, 'a'..='h')));
    let without = form(language, None, squares).filter(|_| !(loose && is_piece));
    let with = language.pieces(word, loose).filter_map(|(role, rest)| {
        let rest = if loose { rest.to_lowercase() } else { rest.to_owned() };
        form(language, Some(role), &rest)
    });
    without.into_iter().chain(with).collect()
}

/// Reads what follows the letter of the piece.
fn form(language: Language, role: Option<Role>, text: &str) -> Option<Form> {
    /// A part of the name of a square.
    enum Part {
        File(File),
        Rank(Rank),
    }
    use Part::{File as F, Rank as R};
    let mut parts = Vec::new();
    // A piece must precede a sign.
    if role.is_none() && text.starts_with(['-', 'x', ':']) {
        return None;
    }
    let mut signs = 0;
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let after = &rest[c.len_utf8()..];
        if let Some(file) = File::from_char(c) {
            // In `a8b` the pawn becomes a bishop.
            if after.is_empty() && parts.len() > 1 && matches!(parts.last(), Some(R(_))) {
                break;
            }
            parts.push(F(file));
        } else if let Some(rank) = Rank::from_char(c) {
            parts.push(R(rank));
        } else if matches!(c, '-' | 'x' | ':')
            && after.starts_with(|c| File::from_char(c).is_some())
        {
            signs += 1;
        } else {
            break;
        }
        rest = after;
    }
    let becomes = rest.trim_start_matches(['=', '/', '(', ':', '-']).trim_end_matches(')');
    let promotion = match becomes {
        "" => None,
        _ => {
            let mut named = language.pieces(becomes, true).filter(|(_, rest)| rest.is_empty());
            Some(named.next()?.0)
        }
    };
    let (from_file, from_rank, to_file, to_rank) = match parts[..] {
        [F(file), R(rank)] => (None, None, file, Some(rank)),
        // Nobody writes the file of a pawn twice: `bb6` is a bishop's move.
        [F(from), F(file), _] if role.is_none() && from == file => return None,
        [F(from), F(file), R(rank)] => (Some(from), None, file, Some(rank)),
        [R(from), F(file), R(rank)] => (None, Some(from), file, Some(rank)),
        [F(from), R(start), F(file), R(rank)] => (Some(from), Some(start), file, Some(rank)),
        [F(from), F(file)] if role.is_none() => (Some(from), None, file, None),
        _ => return None,
    };
    // Without a letter, only two squares can mean a piece.
    let pawn = (from_file.is_none() || from_rank.is_none()).then_some(Role::Pawn);
    let role = role.or(pawn);
    (signs <= 1).then_some(Form::Move { role, from_file, from_rank, to_file, to_rank, promotion })
}

impl Form {
    /// Whether a legal move can be written this way.
    fn means(self, m: Move, turn: Color) -> bool {
        match self {
            Form::Castling(side) => m.castling_side() == Some(side),
            Form::Move { role, from_file, from_rank, to_file, to_rank, promotion } => {
                let Some(from) = m.from() else { return false };
                let starts = from_file.is_none_or(|file| file == from.file())
                    && from_rank.is_none_or(|rank| rank == from.rank());
                let ends = |to: Square| {
                    to.file() == to_file && to_rank.is_none_or(|rank| rank == to.rank())
                };
                let is_piece = role.is_none_or(|role| role == m.role());
                let is_castling = m.castling_side().is_some_and(|side| {
                    // As in UCI, by the squares of the king or by those of king and rook.
                    from_file.is_some()
                        && from_rank.is_some()
                        && (ends(side.king_to(turn)) || ends(m.to()))
                });
                // A square alone is no capture of a pawn: in a game it is more likely that a move is missing.
                let may_capture =
                    role != Some(Role::Pawn) || from_file.is_some() || from_rank.is_some();
                let is_move = !m.is_castle()
                    && (may_capture || !m.is_capture())
                    && ends(m.to())
                    && (promotion.is_none() || promotion == m.promotion());
                is_piece && starts && (is_castling || is_move)
            }
        }
    }
}

impl Misread {
    /// The reason in words, such as `no knight can go to f4`.
    pub fn reason(&self, position: &Chess) -> String {
        let turn = side_name(position.turn());
        if position.legal_moves().is_empty() {
            let end = if position.is_check() { "checkmate" } else { "stalemate" };
            return format!("the game is over by {end}");
        }
        match self {
            Misread::Descriptive => {
                "descriptive notation is not read; write algebraic notation, such as e4".to_owned()
            }
            Misread::NotAMove => "this is no move".to_owned(),
            Misread::NoMove(Form::Move { role, promotion: Some(_), .. })
                if role.is_some_and(|role| role != Role::Pawn) =>
            {
                "this is no move".to_owned()
            }
            Misread::Ambiguous(moves) => {
                let name = |&m: &Move| SanPlus::from_move(position.clone(), m).to_string();
                let names: Vec<String> = moves.iter().map(name).collect();
                let (last, others) =
                    names.split_last().map_or(("", &names[..]), |(last, others)| (last, others));
                format!("it can mean {} or {last}", others.join(", "))
            }
            Misread::NoMove(Form::Castling(side)) => {
                let wing = if side.is_king_side() { "king" } else { "queen" };
                format!("{turn} cannot castle on the {wing}'s side")
            }
            Misread::NoMove(Form::Move { to_rank: None, .. }) => {
                "no pawn can capture so".to_owned()
            }
            Misread::NoMove(Form::Move {
                role,
                from_file,
                from_rank,
                to_file,
                to_rank: Some(to_rank),
                ..
            }) => {
                let to = Square::from_coords(*to_file, *to_rank);
                let board = position.board();
                let pieces = board.by_color(position.turn()).into_iter().filter(|square| {
                    role.is_none_or(|role| board.role_at(*square) == Some(role))
                        && from_file.is_none_or(|file| file == square.file())
                        && from_rank.is_none_or(|rank| rank == square.rank())
                });
                let pieces: Vec<Square> = pieces.collect();
                let place = match (from_file, from_rank) {
                    (Some(file), Some(rank)) => {
                        format!(" on {}", Square::from_coords(*file, *rank))
                    }
                    (Some(file), None) => format!(" on the {file}-file"),
                    (None, Some(rank)) => format!(" on rank {rank}"),
                    (None, None) => String::new(),
                };
                let on_square = || board.role_at(Square::from_coords((*from_file)?, (*from_rank)?));
                let piece = role.or_else(on_square).map_or("piece", noun);
                let attacks = |&square: &Square| board.attacks_from(square).contains(to);
                if pieces.is_empty() {
                    format!("{turn} has no {piece}{place}")
                } else if board.by_color(position.turn()).contains(to) {
                    format!(
                        "{to} is occupied by {turn}'s {}",
                        board.role_at(to).map_or("piece", noun)
                    )
                } else if *role != Some(Role::Pawn) && pieces.iter().any(attacks) {
                    format!("the king would be in check after a move of this {piece} to {to}")
                } else {
                    format!("no {piece}{place} can go to {to}")
                }
            }
        }
    }
}
