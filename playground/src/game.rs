//! The position of a request, and moves as the page reads them.

use crate::problem::Problem;
use serde::{Deserialize, Serialize};
use shakmaty::{Chess, EnPassantMode, Move, Position, fen::Fen, san::SanPlus, uci::UciMove};
use tropism::search::Game;

/// The longest FEN, in characters.
const MAX_FEN: usize = 200;

/// The most moves of a game, of both sides together.
const MAX_MOVES: usize = 1000;

/// A start position and the moves from there.
#[derive(Deserialize)]
pub(crate) struct GameRequest {
    /// A FEN.
    start: String,
    /// Moves as UCI writes them.
    #[serde(default)]
    moves: Vec<String>,
}

/// A move as the page shows it. In Chess960 the king takes the rook to castle.
#[derive(Serialize)]
pub(crate) struct MoveView {
    pub(crate) uci: String,
    pub(crate) san: String,
    /// The FEN after it.
    pub(crate) after: String,
}

/// A game that has been played out.
pub(crate) struct Played {
    pub(crate) start: Chess,
    pub(crate) moves: Vec<Move>,
    pub(crate) game: Game,
}

impl GameRequest {
    pub(crate) fn play(&self) -> Result<Played, Problem> {
        let start = read_fen(&self.start)?;
        if self.moves.len() > MAX_MOVES {
            let text = format!(
                "the game has more than {MAX_MOVES} moves of both sides together; set up a later position"
            );
            return Err(Problem::Input(text));
        }
        let mut game = Game::new(start.clone());
        let mut moves = Vec::new();
        for word in &self.moves {
            let m = word.parse::<UciMove>().ok();
            let m = m.and_then(|m| m.to_move(game.position().chess()).ok()).ok_or_else(|| {
                let word: String = word.chars().take(10).collect();
                Problem::Input(format!(
                    "{word:?} is no legal move in {}",
                    fen(game.position().chess())
                ))
            })?;
            game.play(m);
            moves.push(m);
        }
        Ok(Played { start, moves, game })
    }
}

/// Reads a FEN.
pub(crate) fn read_fen(text: &str) -> Result<Chess, Problem> {
    if text.len() > MAX_FEN {
        return Err(Problem::Input(format!("a FEN has at most {MAX_FEN} characters")));
    }
    let game = Game::from_fen(text.trim(), None);
    let game = game.map_err(|error| Problem::Input(error.to_string()))?;
    Ok(game.position().chess().clone())
}

pub(crate) fn fen(position: &Chess) -> String {
    Fen::from_position(position, EnPassantMode::Legal).to_string()
}

impl MoveView {
    pub(crate) fn new(position: &Chess, m: Move) -> MoveView {
        let mut after = position.clone();
        let san = SanPlus::from_move_and_play_unchecked(&mut after, m).to_string();
        let uci = m.to_uci(position.castles().mode()).to_string();
        MoveView { uci, san, after: fen(&after) }
    }
}

/// Moves in a row.
pub(crate) fn views(start: &Chess, moves: &[Move]) -> Vec<MoveView> {
    let mut position = start.clone();
    let view = |&m: &Move| {
        let view = MoveView::new(&position, m);
        position.play_unchecked(m);
        view
    };
    moves.iter().map(view).collect()
}
