//! Exact distance to mate in endings of up to four pieces, by retrograde analysis.
//!
//! The mates have distance 0. A position with a move to a lost position is won, and one ply longer than the shortest of
//! these. A position all of whose moves lead to won positions is lost, and one ply longer than the longest of these.
//! Positions that are neither are drawn. Captures and promotions lead into the tables of other endings, which are made
//! first. The analysis works on sets of squares, as the fills of [`geometry`](crate::geometry) do.
//!
//! ```
//! use tropism::{endgame::{Dtm, Endgames}, search::Game};
//! let mut endgames = Endgames::default();
//! endgames.build("KRK".parse()?);
//! let game = Game::from_fen("7k/8/5K2/8/8/8/8/R7 w - - 0 1", None)?;
//! // 1. Kf7 Kh7 2. Rh1#
//! assert_eq!(endgames.probe(game.position().chess()), Some(Dtm::Win(3)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! For king and pawn against king, [`pawn_wins`] says at once who wins, without a distance.
//!
//! `material` names endings, `symmetry` says which positions share an entry, `table` is one table, and `fill` fills it
//! with the help of `placement`, `moves` and `exits`. [`Endgames`] holds tables, `store` those that the whole program
//! shares, and a [`TableBuilder`] makes them in the background.

mod exits;
mod fill;
mod material;
mod moves;
mod pawn;
mod placement;
mod store;
mod symmetry;
mod table;
mod table_builder;

pub use material::{Material, MaterialError};
pub use pawn::pawn_wins;
pub use store::probe;
pub use table::{Squares, Table};
pub use table_builder::TableBuilder;

use fill::fill;
use shakmaty::{Board, CastlingMode, Chess, Color, Move, Position, PositionError, Setup};
use std::{collections::HashMap, fmt, sync::Arc};

/// Halfmoves without a capture or pawn move after which a game is drawn.
pub(crate) const FIFTY_MOVES: u32 = 100;

/// The value of a position for the side to move, with both sides playing perfectly.
///
/// Distances are in plies and do not count the fifty-move rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dtm {
    /// Mates in so many plies, an odd number.
    Win(u8),
    /// Neither side can force mate.
    Draw,
    /// Is mated in so many plies, an even number: 0 is mate on the board.
    Loss(u8),
}

impl Dtm {
    /// The same value one ply earlier, for the side that moves into it.
    pub fn before(self) -> Dtm {
        match self {
            Dtm::Win(plies) => Dtm::Loss(plies + 1),
            Dtm::Draw => Dtm::Draw,
            Dtm::Loss(plies) => Dtm::Win(plies + 1),
        }
    }

    /// Whether a mate comes before the fifty-move rule ends the game, after so many halfmoves without a capture or pawn
    /// move. A draw is always in time. Captures and pawn moves on the way are not counted, so a mate may be in time
    /// without this.
    pub fn is_in_time(self, halfmoves: u32) -> bool {
        match self {
            Dtm::Win(plies) | Dtm::Loss(plies) => {
                halfmoves.saturating_add(u32::from(plies)) <= FIFTY_MOVES
            }
            Dtm::Draw => true,
        }
    }

    /// A number by which values are compared, better ones higher: a short mate, a long mate, a draw, a
    /// long defence, a short defence.
    pub fn rank(self) -> i32 {
        const MATE: i32 = 1000;
        match self {
            Dtm::Win(plies) => MATE - i32::from(plies),
            Dtm::Draw => 0,
            Dtm::Loss(plies) => i32::from(plies) - MATE,
        }
    }
}

impl fmt::Display for Dtm {
    /// In moves: `mate in 3`, `draw`, `mated in 2`, `mated`.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Dtm::Win(plies) => write!(f, "mate in {}", plies.div_ceil(2)),
            Dtm::Draw => write!(f, "draw"),
            Dtm::Loss(0) => write!(f, "mated"),
            Dtm::Loss(plies) => write!(f, "mated in {}", plies / 2),
        }
    }
}

/// The tables of some endings and of all endings that captures and promotions lead to. A clone shares them.
///
/// [`Endgames::of`] has the tables for a board.
#[derive(Clone, Default)]
pub struct Endgames {
    tables: HashMap<Material, Arc<Table>>,
}

impl fmt::Debug for Endgames {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_set().entries(self.tables.keys()).finish()
    }
}

impl Endgames {
    /// Makes the table of one ending, after those of the endings that captures and promotions lead to.
    pub fn build(&mut self, material: Material) {
        self.missing(material).into_iter().for_each(|material| self.build_one(material));
    }

    /// The endings whose tables are missing for this one, in the order in which they must be made.
    fn missing(&self, material: Material) -> Vec<Material> {
        let mut missing = Vec::new();
        self.add_missing(material, &mut missing);
        missing
    }

    fn add_missing(&self, material: Material, missing: &mut Vec<Material>) {
        if self.tables.contains_key(&material) || missing.contains(&material) {
            return;
        }
        for next in material.next() {
            self.add_missing(next, missing);
        }
        missing.push(material);
    }

    /// Makes one table from the tables of all endings that it leads to.
    fn build_one(&mut self, material: Material) {
        let table = fill(material, |next| self.table(next));
        self.tables.insert(material, Arc::new(table));
    }

    /// The table of an ending that has been built.
    pub fn table(&self, material: &Material) -> Option<&Table> {
        self.tables.get(material).map(Arc::as_ref)
    }

    /// The size of all tables in bytes.
    pub fn size(&self) -> usize {
        self.tables.values().map(|table| table.size()).sum()
    }

    /// The exact value of a position for the side to move.
    ///
    /// None if the table of its ending has not been built or castling is possible. The halfmove clock
    /// is ignored.
    pub fn probe(&self, position: &Chess) -> Option<Dtm> {
        let board = position.board();
        if position.castles().any() {
            return None;
        }
        let table = self.table(&Material::on(board).ok()?)?;
        let turn = position.turn();
        match Endgames::find(table, board, false) {
            Some(squares) => table.get(turn, &squares),
            None => table.get(!turn, &Endgames::find(table, board, true)?),
        }
    }

    /// The squares of a table's pieces on a board; none if the board has other pieces. If the stronger side is Black
    /// there, the board is `swapped`: colours are exchanged and it is upside down.
    fn find(table: &Table, board: &Board, swapped: bool) -> Option<Squares> {
        let mut left = board.occupied();
        let mut squares = Squares::new();
        for piece in table.pieces() {
            let color = if swapped { !piece.color } else { piece.color };
            let square = (board.by_piece(piece.role.of(color)) & left).first()?;
            left.discard(square);
            squares.push(if swapped { square.flip_vertical() } else { square });
        }
        left.is_empty().then_some(squares)
    }

    /// The legal moves, each with its value for the side that plays it, best first.
    ///
    /// None under the same conditions as [`probe`](Self::probe).
    pub fn moves(&self, position: &Chess) -> Option<Vec<(Move, Dtm)>> {
        let mut moves = Vec::new();
        for m in position.legal_moves() {
            let mut after = position.clone();
            after.play_unchecked(m);
            moves.push((m, self.probe(&after)?.before()));
        }
        moves.sort_by_key(|&(_, value)| -value.rank());
        Some(moves)
    }

    /// The moves of both sides from a position to mate under perfect play; empty if it is drawn.
    ///
    /// None under the same conditions as [`probe`](Self::probe).
    pub fn line(&self, position: &Chess) -> Option<Vec<Move>> {
        let mut position = position.clone();
        let mut line = Vec::new();
        while self.probe(&position)? != Dtm::Draw {
            let Some(&(best, _)) = self.moves(&position)?.first() else { break };
            position.play_unchecked(best);
            line.push(best);
        }
        Some(line)
    }
}

/// The position of a board without castling rights; none if shakmaty rejects it as illegal.
pub fn set_up(board: Board, turn: Color) -> Option<Chess> {
    let setup = Setup { board, turn, ..Setup::empty() };
    setup.position(CastlingMode::Standard).or_else(PositionError::ignore_impossible_check).ok()
}
