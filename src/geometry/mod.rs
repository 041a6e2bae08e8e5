//! Squares, sets of squares, and the distances between them, as the literature of chess programming
//! describes them.
//!
//! Nothing here depends on a chess position. The types are shakmaty's [`Square`](shakmaty::Square)
//! and [`Bitboard`](shakmaty::Bitboard), and every function is pure. Each function names its source and is
//! tested against a plain reference over its whole domain: all 64 squares, all 4096 pairs of squares, all sets
//! of one and two squares, and random sets. `tropism geometry NAME SQUARE` draws a board of it, and `tropism
//! geometry --list` lists what can be drawn.
//!
//! # How to read it
//!
//! 1. *From square to square.* [`chebyshev`] counts the moves of a king, [`manhattan`] the steps of
//!    a rook, [`knight_distance`] the moves of a knight. The distances to parts of the board follow:
//!    [`centre_manhattan`], [`edge_distance`], [`corner_distance`], [`promotion_distance`].
//!    [`layout`] shows how such distances are stored, and which layout is fastest.
//! 2. *The relation of two squares as one number*, whatever the direction: [`combined_distance`],
//!    [`udr_distance`], and the questions that they answer, such as [`is_opposition`] and
//!    [`same_line`].
//! 3. *Sets.* The squares that knights attack, [`knight_attacks`]; the squares from which they fork,
//!    [`fork_squares`]; the squares ahead of pawns, [`ahead`].
//! 4. *Breadth-first search.* [`Layers`] are the squares that any [`Mover`] reaches in 0, 1, 2, ...
//!    moves over any [`Terrain`].
//! 5. *Maps and paths.* [`mobility`] gives the distance of every square for one piece in a position,
//!    and [`Trajectories`] are all shortest paths of a piece from one square to another.
//!
//! # The sources
//!
//! - *Distance*, *Knight-Distance*, *Knight Pattern* and *KBNK Endgame*: pages of the Chess
//!   Programming Wiki, 2018.
//! - *Isenberg*: Gerd Isenberg, "unique distance relationship", Computer Chess Club, 15 August 2002.
//!
//! Every system that they describe, with its function and the test that proves it:
//!
#![doc = include_str!("systems.md")]
//!
//! The sets that pawns need, [`pawn_attacks`], [`step`], [`beside`] and [`ahead`], are not from these
//! texts; the evaluation terms use them (`every_set_of_one_and_two_squares`). Systems that the texts only link
//! to, such as Euclidean distance, vector attacks or knight's tours, are left out.
//!
//! # Errors in the sources
//!
//! A test shows each of them.
//!
//! - *Isenberg*'s printed table of D + T has 5 for the offset (4, 1). The formula gives 9, and 5 is
//!   a knight's move (`the_printed_table_of_combined_distance_has_one_misprint`).
//! - His `UDRDist` is not divisible by 16 for a square and itself, although it is on one rank and file
//!   (`udr_is_divisible_by_16_on_ranks_and_files_but_not_on_the_square_itself`).
//! - *Knight-Distance* says that its fill runs until the target set is a subset of the attacks. Its
//!   program stops when the two sets meet, and some targets never become a subset
//!   (`the_fill_stops_when_the_sets_meet_and_not_when_the_target_is_a_subset`).
//! - *KBNK Endgame* says that mate is delivered in a corner that the bishop can attack. A king that
//!   helps can be mated in the other corners too
//!   (`bishop_and_knight_can_mate_in_the_wrong_corner_if_the_lone_king_helps`).
//!
//! [`layout`] compares their statements on speed with measurements.

mod corner;
mod distance;
mod fill;
mod forks;
mod knight;
pub mod layout;
pub mod lines;
mod mobility;
mod pawns;
mod relation;
mod steps;
mod trajectory;

pub use corner::{bishop_corner_distance, colour_corner_distance, corner_distance};
pub use distance::{
    back_rank_distance, centre_distance, centre_manhattan, chebyshev, edge_distance, file_distance,
    manhattan, promotion_distance, rank_distance,
};
pub use fill::{Layers, Mover, Terrain, king_attacks, moves_between};
pub use forks::{fork_squares, fork_targets};
pub use knight::{
    KnightJump, knight_attacks, knight_attacks_stepwise, knight_distance, knight_distance_between,
    knight_fill,
};
pub use mobility::{DistanceMap, mobility};
pub use pawns::{ahead, beside, pawn_attacks, step};
pub use relation::{
    combined_distance, combined71_distance, is_adjacent, is_diagonal_opposition,
    is_distant_opposition, is_knight_distance, is_opposition, relation_number, same_diagonal,
    same_line, same_rank_or_file, udr_distance,
};
pub use trajectory::{Paths, Trajectories, sum_rule};

/// Plain references, all pairs of squares, and parsers of printed boards, for the tests.
#[cfg(test)]
pub(crate) mod reference;
