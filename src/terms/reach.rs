use crate::eval::EvalContext;
use crate::geometry::{DistanceMap, Mover, Terrain, mobility};
use shakmaty::{Bitboard, Color, Square};

/// The last place of an array of ways to the centre.
const FAR_CENTRE: u32 = 11;

/// The mobility-graph distances of a bare king when every square the others attack is closed.
pub(super) struct Reach {
    bare: Square,
    map: DistanceMap,
}

/// The corners that a bishop can attack.
pub(super) fn bishop_corners(bishop: Square) -> Bitboard {
    let colour = if bishop.is_light() { Bitboard::LIGHT_SQUARES } else { Bitboard::DARK_SQUARES };
    Bitboard::CORNERS & colour
}

impl Reach {
    /// Of the king that `side` hunts.
    pub(super) fn new(view: &EvalContext, side: Color) -> Reach {
        let bare = view.side(!side).king;
        let terrain = Terrain { guarded: view.closed_to_king(side), ..Terrain::EMPTY };
        Reach { bare, map: mobility(Mover::King, bare, &terrain) }
    }

    /// The squares so many of its moves away.
    pub(super) fn at(&self, moves: u32) -> Bitboard {
        self.map.at(moves)
    }

    /// How many squares it can go to, 0 to 8.
    pub(super) fn flight(&self) -> u32 {
        self.map.at(1).count() as u32
    }

    /// How many squares are within two moves, its own among them: 1 to 25.
    pub(super) fn flight_two(&self) -> u32 {
        (self.map.at(1) | self.map.at(2) | self.bare).count() as u32
    }

    /// How many squares it could ever reach, 1 to 64.
    pub(super) fn territory(&self) -> u32 {
        self.map.reached().count() as u32
    }

    /// The farthest of them, but not more than `most`.
    pub(super) fn longest_way(&self, most: u32) -> u32 {
        self.map.longest().unwrap_or_default().min(most)
    }

    /// Its moves to the nearest square of a set; `shut_out`, the last place of an array, if it can get to
    /// none. Farther ways than the place before that are not told apart.
    pub(super) fn way(&self, to: Bitboard, shut_out: u32) -> u32 {
        self.map.nearest(to).map_or(shut_out, |moves| moves.min(shut_out - 1))
    }

    /// Its moves to the centre, 0 to 11, which is shut out.
    pub(super) fn way_to_centre(&self) -> u32 {
        self.way(Bitboard::CENTER, FAR_CENTRE)
    }
}
