//! Squares, sets of squares, and the distances between them.
//!
//! Nothing here knows a chess position: the currency is shakmaty's [`Square`](shakmaty::Square)
//! and [`Bitboard`](shakmaty::Bitboard), and every function is pure. Each names the text it comes
//! from and is tested against a plain reference over its whole domain.
//!
//! | what | function | source |
//! |---|---|---|
//! | king moves between two squares | [`chebyshev`] | Chess Programming Wiki, *Distance* |
//! | rook steps between two squares | [`manhattan`] | *Distance*; Isenberg 2002 |
//! | rook steps to the four centre squares | [`centre_manhattan`] | *Center Manhattan-Distance* |
//! | king moves to the edge | [`edge_distance`] | *Distance* |
//! | ranks from the side's own back rank | [`back_rank_distance`] | *Distance* (rank distance) |
//! | knight moves between two squares | [`knight_distance`] | *Knight-Distance* |
//! | squares attacked by a set of knights | [`knight_attacks`] | *Knight Pattern* |
//! | squares from which a knight would fork | [`fork_squares`], [`fork_targets`] | *Knight Pattern* |
//! | squares a set of pawns attacks, steps to, has ahead | [`pawn_attacks`], [`step`], [`beside`], [`ahead`] | Chess Programming Wiki, *Fill Algorithms* |
//! | rook steps to the mating corner of KBNK | [`bishop_corner_distance`] | *KBNK Endgame* (Isenberg) |
//!
//! Squares between which something is measured live in `distance`, what a knight sees in
//! `knight` and `forks`, what a pawn sees in `pawns`, what only corners know in `corner`.

mod corner;
mod distance;
mod fill;
mod forks;
mod knight;
pub mod layout;
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
pub use fill::{Mover, Terrain, Waves, king_attacks, moves_between};
pub use forks::{fork_squares, fork_targets};
pub use knight::{
    KnightJump, knight_attacks, knight_attacks_stepwise, knight_distance, knight_distance_between,
    knight_fill,
};
pub use mobility::{DistanceMap, mobility};
pub use pawns::{ahead, beside, pawn_attacks, step};
pub use relation::{
    combined_distance, combined71_distance, is_adjacent, is_diagonal_opposition,
    is_distant_opposition, is_knight_distance, is_opposition, same_diagonal, same_line,
    same_rank_or_file, udr_distance,
};
pub use trajectory::{Paths, Trajectories, sum_rule};

/// Plain references, walks over whole domains, and readers of printed boards, for the tests of
/// every geometry file.
#[cfg(test)]
pub(crate) mod reference;
