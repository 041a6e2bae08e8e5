//! Trajectories: the shortest paths from one square to another.
//!
//! Source: Chess Programming Wiki, *Distance*, after Boris Stilman, "A Linguistic Geometry of the
//! Chess Model", 1994: a square is on a shortest path if its distances to both ends add up to the
//! distance between them.

use super::{Layers, Mover, Terrain};
use shakmaty::{Bitboard, Square};

/// The sum rule: all squares x with `distance(a, x) + distance(x, b) == distance(a, b)`, for any
/// distance between squares.
///
/// ```text
/// sum_rule f6 h1: squares on the shortest paths of a king, by the sum of distances
///
/// 8   .  .  .  .  .  .  .  .
/// 7   .  .  .  .  .  .  .  .
/// 6   .  .  .  .  . [1] .  .
/// 5   .  .  .  .  1  1  1  .
/// 4   .  .  .  .  1  1  1  1
/// 3   .  .  .  .  .  1  1  1
/// 2   .  .  .  .  .  .  1  1
/// 1   .  .  .  .  .  .  . [1]
///
///     a  b  c  d  e  f  g  h
///
/// 14 squares
/// ```
///
/// ```
/// use shakmaty::Square;
/// use tropism::geometry::{chebyshev, knight_distance, manhattan, sum_rule};
/// assert_eq!(sum_rule(Square::F6, Square::H1, chebyshev).count(), 14);
/// // Every square of the rectangle is on some shortest path of a taxi.
/// assert_eq!(sum_rule(Square::F6, Square::H1, manhattan).count(), 18);
/// // A knight goes from b1 to c3 directly.
/// assert_eq!(sum_rule(Square::B1, Square::C3, knight_distance).count(), 2);
/// ```
pub fn sum_rule(a: Square, b: Square, distance: impl Fn(Square, Square) -> u32) -> Bitboard {
    let whole = distance(a, b);
    let on_a_path = |x: &Square| distance(a, *x) + distance(*x, b) == whole;
    Square::ALL.into_iter().filter(on_a_path).collect()
}

/// All shortest paths of a piece from one square to another over a [`Terrain`]: their squares, their
/// number, and the paths themselves.
///
/// ```text
/// king_trajectories f6 h1: shortest paths of a king on an empty board
///
/// 8   .  .  .  .  .  .  .  .
/// 7   .  .  .  .  .  .  .  .
/// 6   .  .  .  .  . [0] .  .
/// 5   .  .  .  .  1  1  1  .
/// 4   .  .  .  .  2  2  2  2
/// 3   .  .  .  .  .  3  3  3
/// 2   .  .  .  .  .  .  4  4
/// 1   .  .  .  .  .  .  . [5]
///
///     a  b  c  d  e  f  g  h
///
/// 5 moves, 14 squares, 25 shortest paths
/// ```
///
/// ```text
/// trajectories f6 h1: shortest paths of the piece on a square, around all other pieces
///
/// 8   .  .  .  .  .  .  .  .
/// 7   .  .  .  .  .  .  .  .
/// 6   .  .  .  .  1 [0] .  .
/// 5   .  .  .  2  1  .  .  .
/// 4   .  .  3  p  p  p  p  p
/// 3   .  .  .  4  5  6  .  .
/// 2   .  .  .  .  5  6  7  .
/// 1   .  .  .  .  .  6  7 [8]
///
///     a  b  c  d  e  f  g  h
///
/// 8 moves, 14 squares, 16 shortest paths
///
/// position 8/8/5k2/8/3ppppp/8/8/8
/// ```
///
/// ```
/// use shakmaty::Square;
/// use tropism::geometry::{Mover, Terrain, Trajectories};
/// // Stilman's example: a king goes from f6 to h1.
/// let shortest = Trajectories::new(Mover::King, Square::F6, Square::H1, &Terrain::EMPTY);
/// let shortest = shortest.ok_or("no path")?;
/// assert_eq!((shortest.length(), shortest.squares().count(), shortest.count()), (5, 14, 25));
/// let first = shortest.paths().next().ok_or("no path")?;
/// assert_eq!(first, [Square::F6, Square::E5, Square::E4, Square::F3, Square::G2, Square::H1]);
/// # Ok::<(), &str>(())
/// ```
#[derive(Clone, Debug)]
pub struct Trajectories {
    mover: Mover,
    terrain: Terrain,
    /// The squares on shortest paths after 0, 1, ... moves; empty after the last move.
    layers: [Bitboard; 64],
    length: usize,
}

impl Trajectories {
    /// The shortest paths of `mover` from `from` to `to`, or `None` if there is none.
    ///
    /// ```
    /// use shakmaty::Square;
    /// use tropism::geometry::{Mover, Terrain, Trajectories};
    /// let shortest = |to| Trajectories::new(Mover::Bishop, Square::C1, to, &Terrain::EMPTY);
    /// assert!(shortest(Square::B8).is_some() && shortest(Square::C2).is_none());
    /// ```
    pub fn new(mover: Mover, from: Square, to: Square, terrain: &Terrain) -> Option<Trajectories> {
        let mut layers = [Bitboard::EMPTY; 64];
        let mut length = None;
        for (moves, layer) in Layers::new(mover, from.into(), terrain).enumerate() {
            layers[moves] = layer;
            if layer.contains(to) {
                length = Some(moves);
                break;
            }
        }
        let length = length?;
        // Backwards from the end, keep only the squares from which the next layer can be reached.
        layers[length] = to.into();
        for moves in (0..length).rev() {
            let next = layers[moves + 1];
            let leads_on = |&x: &Square| (mover.moves(x.into(), terrain) & next).any();
            layers[moves] = layers[moves].into_iter().filter(leads_on).collect();
        }
        Some(Trajectories { mover, terrain: *terrain, layers, length })
    }

    /// The number of moves.
    pub const fn length(&self) -> u32 {
        self.length as u32
    }

    /// All squares on any of the paths, both ends included.
    pub fn squares(&self) -> Bitboard {
        self.layers.into_iter().fold(Bitboard::EMPTY, |all, layer| all | layer)
    }

    /// The squares where the piece can be after `moves` moves.
    ///
    /// ```
    /// use shakmaty::{Bitboard, Square};
    /// use tropism::geometry::{Mover, Terrain, Trajectories};
    /// let shortest = Trajectories::new(Mover::Knight, Square::A1, Square::B2, &Terrain::EMPTY);
    /// let after_one = shortest.map(|shortest| shortest.after(1));
    /// assert_eq!(after_one, Some(Bitboard::from_square(Square::B3).with(Square::C2)));
    /// ```
    pub fn after(&self, moves: u32) -> Bitboard {
        self.layers.get(moves as usize).copied().unwrap_or(Bitboard::EMPTY)
    }

    /// The number of paths.
    pub fn count(&self) -> u64 {
        // From the end to the start: the paths from a square are those from all its successors.
        let mut counts = [0u64; 64];
        for square in self.layers[self.length] {
            counts[square.to_usize()] = 1;
        }
        for moves in (0..self.length).rev() {
            for square in self.layers[moves] {
                let next = self.successors(moves, square).into_iter();
                counts[square.to_usize()] = next.map(|to| counts[to.to_usize()]).sum();
            }
        }
        self.layers[0].into_iter().map(|from| counts[from.to_usize()]).sum()
    }

    /// The paths themselves, each from its first square to its last, sorted by their squares.
    pub fn paths(&self) -> Paths<'_> {
        let path = Vec::with_capacity(self.length + 1);
        Paths { trajectories: self, path, choices: vec![self.layers[0]] }
    }

    /// The next squares of the shortest paths that are on `square` after `moves` moves.
    fn successors(&self, moves: usize, square: Square) -> Bitboard {
        self.mover.moves(square.into(), &self.terrain) & self.layers[moves + 1]
    }
}

/// The iterator over the paths of [`Trajectories`], depth first.
///
/// ```text
/// knight_trajectories a1 d4: shortest paths of a knight on an empty board
///
/// 8   .  .  .  .  .  .  .  .
/// 7   .  .  .  .  .  .  .  .
/// 6   .  .  .  .  .  .  .  .
/// 5   .  .  .  .  .  .  .  .
/// 4   .  .  . [2] .  .  .  .
/// 3   .  1  .  .  .  .  .  .
/// 2   .  .  1  .  .  .  .  .
/// 1  [0] .  .  .  .  .  .  .
///
///     a  b  c  d  e  f  g  h
///
/// 2 moves, 4 squares, 2 shortest paths
/// ```
///
/// ```
/// use shakmaty::Square;
/// use tropism::geometry::{Mover, Terrain, Trajectories};
/// let shortest = Trajectories::new(Mover::Knight, Square::A1, Square::D4, &Terrain::EMPTY);
/// let paths: Vec<_> = shortest.iter().flat_map(Trajectories::paths).collect();
/// let [a1, c2, b3, d4] = [Square::A1, Square::C2, Square::B3, Square::D4];
/// assert_eq!(paths, [[a1, c2, d4], [a1, b3, d4]]);
/// ```
#[derive(Clone, Debug)]
pub struct Paths<'a> {
    trajectories: &'a Trajectories,
    path: Vec<Square>,
    /// For each square of the path, and for the next one, the squares that are still to be tried.
    choices: Vec<Bitboard>,
}

impl Iterator for Paths<'_> {
    type Item = Vec<Square>;

    fn next(&mut self) -> Option<Vec<Square>> {
        loop {
            match self.choices.last_mut()?.pop_front() {
                None => {
                    self.choices.pop();
                    self.path.pop();
                }
                Some(square) if self.path.len() == self.trajectories.length => {
                    let whole = self.path.iter().copied().chain([square]).collect();
                    return Some(whole);
                }
                Some(square) => {
                    self.choices.push(self.trajectories.successors(self.path.len(), square));
                    self.path.push(square);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::reference::{numbers, pairs, pictures};
    use crate::geometry::{chebyshev, knight_distance, mobility, moves_between};
    use proptest::prelude::*;
    use std::collections::HashSet;

    const EMPTY: Terrain = Terrain::EMPTY;

    #[test]
    fn the_printed_example_from_f6_to_h1_cell_by_cell() {
        let (f6, h1) = (Square::F6, Square::H1);
        // Eight numbers from f6, eight from h1, and their sum; the top rank first.
        let printed = numbers("king moves from f6, from h1, and their sum", 16);
        for square in Square::ALL {
            let row = 24 * (7 - square.rank().to_usize()) + square.file().to_usize();
            let (from, to) = (chebyshev(f6, square), chebyshev(h1, square));
            let cells = [printed[row], printed[row + 8], printed[row + 16]];
            assert_eq!(cells, [from, to, from + to], "{square}");
        }
        let on_a_path = pictures("squares of the shortest king paths from f6 to h1");
        assert_eq!(on_a_path, [sum_rule(f6, h1, chebyshev)]);
        let shortest = Trajectories::new(Mover::King, f6, h1, &EMPTY).unwrap();
        assert_eq!(on_a_path, [shortest.squares()]);
        assert_eq!((shortest.length(), shortest.count(), shortest.paths().count()), (5, 25, 25));
    }

    #[test]
    fn the_sum_rule_gives_the_squares_of_all_shortest_paths_for_king_and_knight() {
        type Distance = fn(Square, Square) -> u32;
        let movers: [(Mover, Distance); 2] =
            [(Mover::King, chebyshev), (Mover::Knight, knight_distance)];
        for (mover, distance) in movers {
            for (a, b) in pairs() {
                let shortest = Trajectories::new(mover, a, b, &EMPTY).unwrap();
                assert_eq!(shortest.squares(), sum_rule(a, b, distance), "{mover:?} {a} {b}");
                assert_eq!(shortest.length(), distance(a, b), "{mover:?} {a} {b}");
            }
        }
    }

    /// Every path is legal, has the right length and ends, and differs from all others. Their number is
    /// the count, and together they cover the squares.
    fn assert_paths(shortest: &Trajectories, from: Square, to: Square) {
        let mut seen = HashSet::new();
        let mut covered = Bitboard::EMPTY;
        for path in shortest.paths() {
            assert_eq!(path.len(), shortest.length() as usize + 1);
            assert_eq!((path.first(), path.last()), (Some(&from), Some(&to)));
            for step in path.windows(2) {
                let reached = shortest.mover.moves(step[0].into(), &shortest.terrain);
                assert!(reached.contains(step[1]), "{path:?}");
            }
            covered |= path.iter().copied().collect::<Bitboard>();
            assert!(seen.insert(path));
        }
        assert_eq!(seen.len() as u64, shortest.count(), "{from} {to}");
        assert_eq!(covered, shortest.squares(), "{from} {to}");
    }

    /// The number of paths of exactly `moves` moves, by recursion over the whole tree.
    fn paths_by_recursion(mover: Mover, from: Square, to: Square, moves: u32) -> u64 {
        if moves == 0 {
            return u64::from(from == to);
        }
        let next = mover.moves(from.into(), &EMPTY);
        next.into_iter().map(|square| paths_by_recursion(mover, square, to, moves - 1)).sum()
    }

    #[test]
    fn all_paths_of_king_and_knight_between_all_pairs() {
        for mover in [Mover::King, Mover::Knight] {
            for (a, b) in pairs() {
                assert_paths(&Trajectories::new(mover, a, b, &EMPTY).unwrap(), a, b);
            }
        }
        // The longest of the knight, a1 to h8 in six moves. The king has most paths straight ahead in the middle.
        for (mover, from, to, moves, count) in [
            (Mover::Knight, Square::A1, Square::H8, 6, 108),
            (Mover::King, Square::E1, Square::E8, 7, 393),
        ] {
            let shortest = Trajectories::new(mover, from, to, &EMPTY).unwrap();
            assert_eq!(shortest.count(), paths_by_recursion(mover, from, to, moves));
            assert_eq!(shortest.count(), count);
        }
    }

    #[test]
    fn around_obstacles_the_paths_are_longer_and_fewer() {
        // A wall from d4 to h4 between f6 and h1: all paths go over c4. Two lead there, over d5, and
        // eight lead on from there, over d3.
        let own: Bitboard =
            [Square::D4, Square::E4, Square::F4, Square::G4, Square::H4].into_iter().collect();
        let walled = Terrain { own, ..EMPTY };
        let shortest = Trajectories::new(Mover::King, Square::F6, Square::H1, &walled).unwrap();
        assert_eq!((shortest.length(), shortest.count()), (8, 2 * 8));
        assert_paths(&shortest, Square::F6, Square::H1);
        // A knight jumps over it, but cannot land on it.
        let shortest = Trajectories::new(Mover::Knight, Square::F6, Square::H1, &walled).unwrap();
        assert_eq!((shortest.length(), shortest.squares() & own), (3, Bitboard::EMPTY));
        assert_paths(&shortest, Square::F6, Square::H1);
    }

    #[test]
    fn no_path_and_no_move() {
        let own = !Bitboard::from_square(Square::A1);
        let shut_in = Terrain { own, ..EMPTY };
        assert!(Trajectories::new(Mover::King, Square::A1, Square::B2, &shut_in).is_none());
        let stay = Trajectories::new(Mover::King, Square::A1, Square::A1, &shut_in).unwrap();
        assert_eq!((stay.length(), stay.count()), (0, 1));
        assert_eq!(stay.paths().collect::<Vec<_>>(), [[Square::A1]]);
        assert_eq!(stay.after(1), Bitboard::EMPTY);
        assert_eq!(stay.after(64), Bitboard::EMPTY);
    }

    proptest! {
        /// Walls block both directions equally, so the rule holds around them too.
        #[test]
        fn the_sum_rule_holds_around_walls(
            a: u64, b: u64, from in 0u32..64, to in 0u32..64
        ) {
            let (from, to) = (Square::new(from), Square::new(to));
            let walls = Terrain { own: Bitboard(a & b).without(from).without(to), ..EMPTY };
            for mover in [Mover::King, Mover::Knight, Mover::Bishop, Mover::Rook, Mover::Queen] {
                let (out, back) = (mobility(mover, from, &walls), mobility(mover, to, &walls));
                if let Some(shortest) = Trajectories::new(mover, from, to, &walls) {
                    let sums = |x: &Square| Some(out.get(*x)? + back.get(*x)?);
                    let on_a_path = |x: &Square| sums(x) == Some(shortest.length());
                    let squares = Square::ALL.into_iter().filter(on_a_path).collect();
                    prop_assert_eq!(shortest.squares(), squares, "{:?}", mover);
                }
            }
        }

        #[test]
        fn paths_over_any_terrain(
            own: u64, enemy: u64, guarded: u64, thin: u64, from in 0u32..64, to in 0u32..64
        ) {
            let terrain = Terrain {
                own: Bitboard(own & !enemy & thin),
                enemy: Bitboard(enemy & !own & thin),
                guarded: Bitboard(guarded & own & enemy),
            };
            let (from, to) = (Square::new(from), Square::new(to));
            for mover in [Mover::King, Mover::Knight, Mover::Bishop, Mover::Rook, Mover::Queen] {
                let shortest = Trajectories::new(mover, from, to, &terrain);
                let length = shortest.as_ref().map(Trajectories::length);
                prop_assert_eq!(length, moves_between(mover, from.into(), to.into(), &terrain));
                if let Some(shortest) = shortest {
                    assert_paths(&shortest, from, to);
                }
            }
        }
    }
}
