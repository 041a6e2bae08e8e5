//! Ways of kings, for drawings.

use super::{Arrow, EvalContext};
use crate::geometry::{Mover, Terrain, Trajectories};
use shakmaty::{Bitboard, Color, Square};

/// The most shortest paths among which the straightest is looked for: more than a king has on an empty
/// board.
const MOST_PATHS: usize = 500;

/// An arrow along the shortest way of a king, if there is one. `side` is that of the king.
pub fn king_path(context: &EvalContext, side: Color, from: Square, to: Square) -> Option<Arrow> {
    shortest(context, from, to, side).map(|squares| Arrow { squares, side })
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
pub fn straightest(
    mover: Mover,
    from: Square,
    to: Square,
    terrain: &Terrain,
) -> Option<Vec<Square>> {
    let shortest = Trajectories::new(mover, from, to, terrain).filter(|_| from != to)?;
    shortest.paths().take(MOST_PATHS).min_by_key(|path| bend(path, from, to))
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
