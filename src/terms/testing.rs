use crate::eval::{Declared, EvalContext};
use shakmaty::{CastlingMode, Chess, Color, Square, fen::Fen};

/// The position of a FEN.
pub(crate) fn position(fen: &str) -> Chess {
    let fen: Fen = fen.parse().unwrap();
    fen.into_position(CastlingMode::Standard).unwrap()
}

/// What `term` counts for `side`: the name of each weight, its index, the count, the square.
pub(crate) fn measured<T: Declared>(
    term: &T,
    fen: &str,
    side: Color,
) -> Vec<(String, i32, Square)> {
    let mut contributions = Vec::new();
    term.measure(&EvalContext::new(&position(fen)), side, &mut contributions);
    let mut names = Vec::new();
    for spec in T::entry().weights {
        match spec.length {
            None => names.push(spec.name.to_string()),
            Some(length) => names.extend((0..length).map(|i| format!("{} {i}", spec.name))),
        }
    }
    contributions
        .into_iter()
        .map(|seen| (names[seen.weight.index()].clone(), seen.count, seen.square))
        .collect()
}

/// Asserts what is counted, in order.
pub(crate) fn assert_measured<T: Declared>(
    term: &T,
    fen: &str,
    side: Color,
    expected: &[(&str, i32, Square)],
) {
    let expected: Vec<_> =
        expected.iter().map(|&(name, count, square)| (name.to_owned(), count, square)).collect();
    assert_eq!(measured(term, fen, side), expected, "{} for {side:?} in {fen}", T::entry().name);
}
