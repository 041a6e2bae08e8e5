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
mod forks;
mod knight;
mod pawns;

pub use corner::bishop_corner_distance;
pub use distance::{back_rank_distance, centre_manhattan, chebyshev, edge_distance, manhattan};
pub use forks::{fork_squares, fork_targets};
pub use knight::{knight_attacks, knight_distance};
pub use pawns::{ahead, beside, pawn_attacks, step};

/// Plain references and walks over whole domains, for the tests of every geometry file.
#[cfg(test)]
pub(crate) mod reference {
    use shakmaty::{Bitboard, Square};

    /// Every ordered pair of squares: 4096 of them.
    pub(crate) fn pairs() -> impl Iterator<Item = (Square, Square)> {
        Square::ALL.into_iter().flat_map(|a| Square::ALL.into_iter().map(move |b| (a, b)))
    }

    /// File and rank as plain numbers, 0..=7 each.
    pub(crate) fn coordinates(square: Square) -> (i32, i32) {
        let index = square.to_u32() as i32;
        (index % 8, index / 8)
    }

    /// Where a knight on `from` can go, by adding the eight jumps and looking at the board's edge.
    pub(crate) fn knight_jumps(from: Square) -> Bitboard {
        let (file, rank) = coordinates(from);
        [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]
            .into_iter()
            .map(|(df, dr)| (file + df, rank + dr))
            .filter(|(f, r)| (0..8).contains(f) && (0..8).contains(r))
            .map(|(f, r)| Square::new((8 * r + f) as u32))
            .collect()
    }
}
