//! Assertions for the tests of terms, those of an author's crate among them. They panic, as tests do.

use crate::eval::{Contribution, Declared, Engine, EvalContext};
use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, Position, Square, fen::Fen};

/// The position of a FEN.
///
/// # Panics
///
/// If it is not the FEN of a legal position.
#[expect(clippy::expect_used, reason = "a test fails by a panic")]
pub fn position(fen: &str) -> Chess {
    let fen: Fen = fen.parse().expect(fen);
    fen.into_position(CastlingMode::Standard).expect("a legal position")
}

/// The position with the colours exchanged and the board turned upside down.
///
/// # Panics
///
/// Never: the mirror of a legal position is legal.
#[expect(clippy::expect_used, reason = "a test fails by a panic")]
pub fn mirrored(position: &Chess) -> Chess {
    let setup = position.to_setup(EnPassantMode::Legal).into_mirrored();
    setup.position(position.castles().mode()).expect("the mirror of a legal position")
}

/// What `term` counts for `side`: the name of each weight, with its index if it is an array, the count and the square.
///
/// # Panics
///
/// If it is not the FEN of a legal position, or the term reports a weight that it does not declare.
pub fn measured<T: Declared>(term: &T, fen: &str, side: Color) -> Vec<(String, i32, Square)> {
    let mut contributions: Vec<Contribution> = Vec::new();
    term.measure(&EvalContext::new(&position(fen)), side, &mut contributions);
    let mut names = Vec::new();
    for spec in T::entry().weights {
        match spec.length {
            None => names.push(spec.name.to_string()),
            Some(length) => names.extend((0..length).map(|i| format!("{} {i}", spec.name))),
        }
    }
    let named = contributions.into_iter();
    named.map(|seen| (names[seen.weight.index()].clone(), seen.count, seen.square)).collect()
}

/// Asserts what a term counts for a side, in order.
///
/// # Panics
///
/// If it counts something else.
#[track_caller]
pub fn assert_measured<T: Declared>(
    term: &T,
    fen: &str,
    side: Color,
    expected: &[(&str, i32, Square)],
) {
    let expected: Vec<_> =
        expected.iter().map(|&(name, count, square)| (name.to_owned(), count, square)).collect();
    assert_eq!(measured(term, fen, side), expected, "{} for {side:?} in {fen}", T::entry().name);
}

/// Asserts that each term of an engine counts the same in the mirrored position, for the other side and on the mirrored
/// squares, and that the values are the same for the side to move.
///
/// # Panics
///
/// If a count or a value differs.
#[track_caller]
pub fn assert_mirrors(engine: &Engine, position: &Chess) {
    let mirror = mirrored(position);
    let (here, there) = (engine.trace(position), engine.trace(&mirror));
    for (row, other) in here.rows.iter().zip(&there.rows) {
        for side in Color::ALL {
            let sorted = |contributions: &[Contribution], flip: fn(Square) -> Square| {
                let seen = contributions.iter();
                let seen = seen.map(|seen| (seen.weight.index(), seen.count, flip(seen.square)));
                let mut seen: Vec<_> = seen.collect();
                seen.sort_unstable();
                seen
            };
            assert_eq!(
                sorted(row.contributions(side), |square| square),
                sorted(other.contributions(!side), |square| square.flip_vertical()),
                "{} for {side:?} in {position:?}",
                row.name()
            );
        }
        assert_eq!([row.white, row.black], [other.black, other.white], "{}", row.name());
    }
    assert_eq!(engine.evaluate(position), engine.evaluate(&mirror), "{position:?}");
}
