use crate::eval::meaning::{Distance, MOVES, ROOK_STEPS, distance, place};
use crate::eval::{EvalContext, Meaning, meaning::enemy};
use crate::geometry::{DistanceMap, Mover, Terrain, mobility};
use shakmaty::{Bitboard, Color, Square};

/// The last index of the arrays of the bare king's distance to the centre: cut off.
const CUT_OFF_FROM_CENTRE: u32 = 11;

/// What the weights of the bare king's mobility mean.
pub(super) const FLIGHT_SQUARES: Meaning =
    enemy("king").with("square to go to", "squares to go to");
pub(super) const WITHIN_TWO_MOVES: Meaning =
    enemy("king").with("square within two moves", "squares within two moves");
pub(super) const REACHABLE: Meaning =
    enemy("king").with("square it can ever reach", "squares it can ever reach");
pub(super) const MOVES_TO_CENTRE: Meaning = enemy("king").is(distance(MOVES, place("the centre"))
    .zero("in the centre")
    .or_more(CUT_OFF_FROM_CENTRE - 1)
    .last(CUT_OFF_FROM_CENTRE, "cut off from the centre"));

/// A king's distance from the centre on an empty board.
pub(super) const FROM_CENTRE: Distance =
    distance(ROOK_STEPS, place("the centre")).zero("in the centre");

/// The mobility-graph distances of a bare king: its moves to each square, where every square that the
/// other side attacks is closed.
pub(super) struct KingMobility {
    bare: Square,
    map: DistanceMap,
}

/// The corners that a bishop can attack.
pub(super) fn bishop_corners(bishop: Square) -> Bitboard {
    let colour = if bishop.is_light() { Bitboard::LIGHT_SQUARES } else { Bitboard::DARK_SQUARES };
    Bitboard::CORNERS & colour
}

impl KingMobility {
    /// For the bare king that `side` wants to mate.
    pub(super) fn new(context: &EvalContext, side: Color) -> KingMobility {
        let bare = context.side(!side).king;
        let terrain = Terrain { guarded: context.closed_to_king(side), ..Terrain::EMPTY };
        KingMobility { bare, map: mobility(Mover::King, bare, &terrain) }
    }

    /// How many squares it can go to now, 0 to 8.
    pub(super) fn flight_squares(&self) -> u32 {
        self.map.at(1).count() as u32
    }

    /// How many squares are within two moves, its own square included: 1 to 25.
    pub(super) fn within_two_moves(&self) -> u32 {
        (self.map.at(1) | self.map.at(2) | self.bare).count() as u32
    }

    /// How many squares it can ever reach, its own square included: 1 to 64.
    pub(super) fn reachable(&self) -> u32 {
        self.map.reached().count() as u32
    }

    /// Its moves to the farthest square that it can reach, at most `most`.
    pub(super) fn farthest(&self, most: u32) -> u32 {
        self.map.longest().unwrap_or_default().min(most)
    }

    /// Its moves to the nearest square of a set, at most `cut_off - 1`; `cut_off`, the last index of an
    /// array, if it can reach none.
    pub(super) fn distance_to(&self, to: Bitboard, cut_off: u32) -> u32 {
        self.map.nearest(to).map_or(cut_off, |moves| moves.min(cut_off - 1))
    }

    /// Its moves to the centre, 0 to 10, or 11 if it is cut off.
    pub(super) fn distance_to_centre(&self) -> u32 {
        self.distance_to(Bitboard::CENTER, CUT_OFF_FROM_CENTRE)
    }
}
