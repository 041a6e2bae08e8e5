//! Positions as people paste them: what is wrong with a FEN, and FENs inside of other texts.

use crate::text::{shortened, side_name};
use shakmaty::{
    Bitboard, CastlingMode, Chess, Color, Piece, PositionError, PositionErrorKinds, Setup,
    fen::{Fen, ParseFenError},
};
use thiserror::Error;

/// The most characters of a wrong text that a message shows.
const MAX_SHOWN: usize = 40;

/// Whether a character is a dash or a minus sign other than `-`.
pub const fn is_dash(c: char) -> bool {
    matches!(c, '\u{2010}'..='\u{2015}' | '\u{2212}')
}

/// Whether a character takes no space and has no meaning: between words it separates them. Control characters come from
/// broken files and from terminals.
pub const fn is_zero_width(c: char) -> bool {
    matches!(
        c,
        '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}' | '\u{feff}'
    ) || is_control(c)
}

/// Whether a character is a control character that is no space.
pub const fn is_control(c: char) -> bool {
    matches!(c, '\0'..='\u{8}' | '\u{e}'..='\u{1f}' | '\u{7f}'..='\u{84}' | '\u{86}'..='\u{9f}')
}

/// An error in a FEN: it cannot be parsed, or the position is illegal.
#[derive(Clone, Debug, Error)]
#[error("{0}")]
pub struct FenError(String);

/// What is wrong with a position, in words.
fn faults(setup: &Setup, error: &PositionError<Chess>) -> String {
    let is = |kind| error.kinds().contains(kind);
    if is(PositionErrorKinds::EMPTY_BOARD) {
        return "the board is empty".to_owned();
    }
    let mut faults = Vec::new();
    for side in Color::ALL {
        match setup.board.by_piece(side.king()).count() {
            0 => faults.push(format!("{} has no king", side_name(side))),
            1 => {}
            kings => faults.push(format!("{} has {kings} kings", side_name(side))),
        }
    }
    if let Some(pawn) = (setup.board.pawns() & Bitboard::BACKRANKS).first() {
        faults.push(format!("there is a pawn on {pawn}"));
    }
    if is(PositionErrorKinds::OPPOSITE_CHECK) {
        let [turn, other] = [setup.turn, !setup.turn].map(side_name);
        faults.push(format!("{other}'s king is in check and {turn} is to move"));
    }
    if faults.is_empty() { error.to_string() } else { faults.join(", ") }
}

/// The position of a FEN of four to six fields, as [`Game::from_fen`](crate::search::Game::from_fen) reads it.
///
/// # Errors
///
/// If the FEN cannot be parsed or nobody can play on in the position.
pub fn read_fen(fen: &str, mode: Option<CastlingMode>) -> Result<Chess, FenError> {
    let setup = parse_fen(fen).map_err(|it| FenError(format!("not a FEN: {it}")))?.into_setup();
    let mode = mode.unwrap_or_else(|| CastlingMode::detect(&setup));
    setup
        .clone()
        .position(mode)
        .or_else(PositionError::ignore_invalid_castling_rights)
        .or_else(PositionError::ignore_invalid_ep_square)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .map_err(|error| FenError(format!("not a playable position: {}", faults(&setup, &error))))
}

/// Reads a FEN. It may stand in quotation marks, in a PGN tag or in a link of Lichess or chess.com.
///
/// # Errors
///
/// If there is none: what is wrong with the text.
pub fn parse_fen(text: &str) -> Result<Fen, String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let text = words.join(" ").replace(is_dash, "-").replace(is_zero_width, "");
    if let Some(variant) = variant(&text) {
        return Err(format!("{variant:?} is a variant; only chess and Chess960 are known"));
    }
    match text.parse::<Fen>() {
        // Pieces in hand, as a ninth rank or in brackets.
        Ok(fen) if fen.as_setup().pockets.is_some() => Err(board_fault(&text)),
        Ok(fen) => Ok(fen),
        Err(error) => pasted(&text).ok_or_else(|| fault(&bare(&text), &error)),
    }
}

/// The FEN in a link or a tag.
fn pasted(text: &str) -> Option<Fen> {
    let bare = bare(text);
    if let Ok(fen) = bare.parse() {
        return Some(fen);
    }
    if !is_link(&bare) {
        return None;
    }
    let link = decoded(&bare);
    // In a query a plus is a space.
    let query = link.split(['#', '&']).find_map(|part| {
        let (_, fen) = part.split_once("fen=")?;
        fen.replace('+', " ").trim().parse().ok()
    });
    // Only one place of a path can begin a board: 7 slashes follow it. To try every slash would read the rest of the
    // link each time.
    let path = |part: &str| {
        let part = part.trim().trim_end_matches('/');
        let (at, _) = part.rmatch_indices('/').nth(7)?;
        part[at + 1..].parse().ok()
    };
    query.or_else(|| link.split(['#', '&', '?']).find_map(path))
}

/// The variant of chess that a link of Lichess names.
fn variant(text: &str) -> Option<&str> {
    const VARIANTS: &str = "atomic antichess crazyhouse horde kingOfTheHill racingKings threeCheck";
    let is_variant = |part: &&str| VARIANTS.split(' ').any(|variant| variant == *part);
    let mut parts = text.split(['/', '?', '=', '&']);
    text.contains("lichess.org/").then(|| parts.find(is_variant))?
}

fn is_link(text: &str) -> bool {
    text.contains("://") || text.contains("lichess.org/") || text.contains("chess.com/")
}

/// The text without quotation marks, brackets and the word FEN around it.
fn bare(text: &str) -> String {
    let is_mark = |c: char| " .;,\"'`[]<>()\u{201c}\u{201d}".contains(c);
    let mut text = text.trim_matches(is_mark);
    for prefix in ["position fen ", "FEN:", "FEN ", "FEN=", "= "] {
        if let Some(start) = text.get(..prefix.len())
            && start.eq_ignore_ascii_case(prefix)
        {
            text = text[prefix.len()..].trim_matches(is_mark);
        }
    }
    text.to_owned()
}

/// A link with its percent signs decoded. Underscores stand for spaces.
fn decoded(link: &str) -> String {
    let mut text = String::new();
    let mut parts = link.split('%');
    text.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let code = part.get(..2).and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match code {
            Some(code) => {
                text.push(char::from(code));
                text.push_str(&part[2..]);
            }
            None => {
                text.push('%');
                text.push_str(part);
            }
        }
    }
    text.replace('_', " ")
}

/// What is wrong with a FEN.
fn fault(text: &str, error: &ParseFenError) -> String {
    let fields: Vec<&str> = text.split(' ').filter(|field| !field.is_empty()).collect();
    let [board, ..] = fields[..] else { return "it is empty".to_owned() };
    if is_link(text) {
        return format!(
            "{:?} has no position in it; give a link of an analysis or an editor, or a FEN",
            shortened(text, MAX_SHOWN)
        );
    }
    let field = |index: usize| shortened(fields.get(index).copied().unwrap_or_default(), MAX_SHOWN);
    match error {
        ParseFenError::InvalidBoard => board_fault(board),
        ParseFenError::InvalidTurn if fields.len() < 2 => {
            "the side to move is missing; write w or b after the board".to_owned()
        }
        ParseFenError::InvalidTurn => format!("the side to move is {:?}; write w or b", field(1)),
        ParseFenError::InvalidCastling => {
            format!("the castling rights are {:?}; write some of KQkq, or -", field(2))
        }
        ParseFenError::InvalidEpSquare => {
            format!("the en passant square is {:?}; write a square such as e3, or -", field(3))
        }
        ParseFenError::InvalidHalfmoveClock => {
            format!("the halfmove clock is {:?}; write a number from 0", field(4))
        }
        ParseFenError::InvalidFullmoves => {
            format!("the move number is {:?}; write a number from 1", field(5))
        }
        _ if fields.len() <= 6 => board_fault(board),
        _ => format!("it has {} fields; a FEN has 4 to 6", fields.len()),
    }
}

/// What is wrong with the first field of a FEN.
fn board_fault(text: &str) -> String {
    let board = text.split(' ').next().unwrap_or_default();
    if board.contains('[') {
        return "pieces in hand belong to crazyhouse; only chess and Chess960 are known".to_owned();
    }
    let ranks: Vec<&str> = board.split('/').collect();
    if ranks.len() == 1 {
        return format!(
            "{:?} is no board; a board has 8 ranks with / between them",
            shortened(board, MAX_SHOWN)
        );
    }
    for (number, rank) in (1..=8).rev().zip(&ranks) {
        let is_piece = |c: char| Piece::from_char(c).is_some();
        let is_known = |c: &char| is_piece(*c) || matches!(c, '1'..='8' | '~');
        if let Some(unknown) = rank.chars().find(|c| !is_known(c)) {
            return format!(
                "rank {number} has {unknown:?}, which is neither a piece nor a number from 1 to 8"
            );
        }
        let squares: u32 =
            rank.chars().filter(|&c| c != '~').map(|c| c.to_digit(10).unwrap_or(1)).sum();
        if squares != 8 && (ranks.len() == 8 || squares > 8) {
            let plural = if squares == 1 { "" } else { "s" };
            return format!("rank {number} has {squares} square{plural} instead of 8");
        }
    }
    match ranks.len() {
        8 => format!("{:?} is no board", shortened(board, MAX_SHOWN)),
        count => format!("the board has {count} ranks instead of 8"),
    }
}
