//! Ways of pieces, for drawings.

use super::{Arrow, EvalContext};
use crate::geometry::{
    Mover, Terrain, Trajectories, chebyshev, file_distance, manhattan, rank_distance,
};
use shakmaty::{Bitboard, Color, Square};

/// The most shortest paths among which the straightest is looked for: more than a king has on an empty
/// board.
const MAX_PATHS: usize = 500;

/// How the length of a way is counted.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Walk {
    /// Moves of a king on an empty board.
    King,
    /// Steps along ranks and files.
    RookSteps,
    /// Ranks, along the file of its beginning.
    Ranks,
    /// Files, along the rank of its beginning.
    Files,
    /// Moves of a piece that never enters some squares.
    Moves(Mover, Bitboard),
}

impl Walk {
    /// Moves of a knight on an empty board.
    pub const KNIGHT: Walk = Walk::Moves(Mover::Knight, Bitboard::EMPTY);

    /// An arrow along a shortest way, with its length. `side` is that of the piece that goes it. `None` if there is no
    /// way, or nothing to go.
    pub fn way(
        self,
        context: &EvalContext,
        side: Color,
        from: Square,
        to: Square,
    ) -> Option<Arrow> {
        let corner = Square::from_coords(from.file(), to.rank());
        let beside = Square::from_coords(to.file(), from.rank());
        let (mut squares, length) = match self {
            Walk::King => {
                let direct = straightest(Mover::King, from, to, &Terrain::EMPTY)?;
                // A king goes around pieces, if that takes no longer: the number is that of the distance.
                let is_king = context.side(side).king == from;
                let around = shortest(context, from, to, side).filter(|_| is_king);
                let way = around.filter(|around| around.len() == direct.len()).unwrap_or(direct);
                (way, chebyshev(from, to))
            }
            Walk::RookSteps => (vec![from, beside, to], manhattan(from, to)),
            Walk::Ranks => (vec![from, corner], rank_distance(from, to)),
            Walk::Files => (vec![from, beside], file_distance(from, to)),
            Walk::Moves(mover, closed) => {
                let way = straightest(mover, from, to, &Terrain { own: closed, ..Terrain::EMPTY })?;
                let moves = way.len() as u32 - 1;
                (way, moves)
            }
        };
        squares.dedup();
        (length > 0).then_some(Arrow { squares, side, length: Some(length) })
    }
}

/// The straightest shortest path of a king around the pieces and the squares that are closed to it. If every
/// path leads over closed squares, around the pieces only. `None` if there is none, or the king is there.
pub fn shortest(
    context: &EvalContext,
    from: Square,
    to: Square,
    side: Color,
) -> Option<Vec<Square>> {
    if from == to {
        return None;
    }
    let pieces = context.occupied.without(from).without(to);
    let closed = match context.side(!side).king == to {
        // The squares next to the goal are closed, too.
        true => Bitboard::EMPTY,
        false => context.closed_to_king(!side).without(to),
    };
    let path = |guarded: Bitboard| {
        let terrain = Terrain { own: pieces, guarded, ..Terrain::EMPTY };
        straightest(Mover::King, from, to, &terrain)
    };
    path(closed).or_else(|| path(Bitboard::EMPTY))
}

/// The straightest of the shortest paths of a piece. `None` if there is none, or the piece is there.
fn straightest(mover: Mover, from: Square, to: Square, terrain: &Terrain) -> Option<Vec<Square>> {
    let shortest = Trajectories::new(mover, from, to, terrain).filter(|_| from != to)?;
    shortest.paths().take(MAX_PATHS).min_by_key(|path| bend(path, from, to))
}

/// How far the squares of a path are from the straight line, in all.
fn bend(path: &[Square], from: Square, to: Square) -> i32 {
    let offset = |square: Square| {
        let at = |square: Square| (square.file() as i32, square.rank() as i32);
        let ((file, rank), (file_from, rank_from)) = (at(square), at(from));
        (file - file_from, rank - rank_from)
    };
    let (files, ranks) = offset(to);
    let from_line = |&square: &Square| {
        let (file, rank) = offset(square);
        (file * ranks - rank * files).abs()
    };
    path.iter().map(from_line).sum()
}
