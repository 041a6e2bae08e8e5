//! Exact distance to mate in endings without pawns, by retrograde fill.
//!
//! The same fill that [`geometry`](crate::geometry) does on squares is done here on positions:
//! mates are distance 0; a position with a move to a lost one is won, one ply farther; a position all
//! of whose moves lead to won ones is lost, one ply farther than the longest. What is never reached
//! is drawn. Captures lead into the tables of smaller endings, which are made first.
//!
//! ```
//! use tropism::{endgame::{Dtm, Endgames}, search::Game};
//! let mut endgames = Endgames::default();
//! endgames.build("KRK".parse()?, |_| ());
//! let game = Game::from_fen("7k/8/5K2/8/8/8/8/R7 w - - 0 1", None)?;
//! // 1. Kf7 Kh7 2. Rh1#
//! assert_eq!(endgames.probe(game.position().chess()), Some(Dtm::Win(3)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Of king and pawn against king, [`pawn_wins`] knows who wins, and no distance.
//!
//! `material` names endings, `symmetry` numbers two kings up to turns and mirrors of the board,
//! `table` fills one table, [`Endgames`] holds them all, and a [`TableBuilder`] makes them in the
//! background.

mod material;
mod pawn;
mod symmetry;
mod table;
mod table_builder;

pub use material::{Material, MaterialError};
pub use pawn::pawn_wins;
pub use table::{Squares, Table};
pub use table_builder::TableBuilder;

use shakmaty::{Board, Chess, Move, Position, Square};
use std::{collections::HashMap, fmt, ops::ControlFlow, sync::Arc};
use table::Builder;

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

    /// How good a value is: a shorter mate before a longer one before a draw, then the longest defence.
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

/// How far the filling of a table has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The ending that is being filled.
    pub material: Material,
    /// Distances up to this many plies are done.
    pub ply: u8,
    /// So many positions have their distance.
    pub known: usize,
}

/// The tables of some endings and of everything that captures lead to. A clone shares them.
#[derive(Clone, Default)]
pub struct Endgames {
    tables: HashMap<Material, Arc<Table>>,
}

impl Endgames {
    /// Makes the table of one ending, and first those of the endings it can turn into.
    pub fn build(&mut self, material: Material, mut progress: impl FnMut(Progress)) {
        for material in self.missing(material) {
            // Nothing here ends a build before its time.
            let _ = self.build_one(material, |news| {
                progress(news);
                ControlFlow::Continue(())
            });
        }
    }

    /// The endings whose tables are still to be made for this one, in the order of making.
    fn missing(&self, material: Material) -> Vec<Material> {
        let mut missing = Vec::new();
        self.add_missing(material, &mut missing);
        missing
    }

    fn add_missing(&self, material: Material, missing: &mut Vec<Material>) {
        if self.tables.contains_key(&material) || missing.contains(&material) {
            return;
        }
        for man in material.men() {
            let smaller = material.without(man);
            if smaller != material {
                self.add_missing(smaller, missing);
            }
        }
        missing.push(material);
    }

    /// Makes one table, all smaller ones being there. `progress` may break it off; then nothing is
    /// changed.
    fn build_one(
        &mut self,
        material: Material,
        mut progress: impl FnMut(Progress) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let builder = Builder::new(material, |smaller| self.table(smaller));
        let table = builder.build(|ply, known| progress(Progress { material, ply, known }))?;
        self.tables.insert(material, Arc::new(table));
        ControlFlow::Continue(())
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
    /// None if the tables of its ending have not been built or castling is possible. The halfmove
    /// clock is not looked at.
    pub fn probe(&self, position: &Chess) -> Option<Dtm> {
        let board = position.board();
        if !position.castles().is_empty() {
            return None;
        }
        let table = self.table(&Material::on(board).ok()?)?;
        let turn = position.turn();
        match Endgames::find(table, board, false) {
            Some(squares) => table.get(turn, &squares),
            None => table.get(!turn, &Endgames::find(table, board, true)?),
        }
    }

    /// The squares of a table's men on a board, with colours `swapped` if the stronger side is
    /// Black there; none if these are not the men on the board.
    fn find(table: &Table, board: &Board, swapped: bool) -> Option<Squares> {
        let mut left = board.occupied();
        let mut squares = [Square::A1; Material::MOST_MEN];
        for (place, piece) in squares.iter_mut().zip(table.men()) {
            let color = if swapped { !piece.color } else { piece.color };
            *place = (board.by_piece(piece.role.of(color)) & left).first()?;
            left.discard(*place);
        }
        left.is_empty().then(|| Squares::new(squares.into_iter().take(table.men().len())))
    }

    /// The squares of a table's men on a board, White being the stronger side; none if other men
    /// are there.
    pub(crate) fn squares(table: &Table, position: &Chess) -> Option<Squares> {
        Endgames::find(table, position.board(), false)
    }

    /// The value of each legal move for the side that makes it, the best first.
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

    /// Perfect play of both sides from a position to mate, empty if it is drawn.
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
