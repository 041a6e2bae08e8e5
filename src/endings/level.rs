//! The level of one position, as a player sees it who remembers how far the game has come.

use super::{
    graph::{AfterMove, state},
    steps::REPLIES_SEEN,
};
use crate::eval::Engine;
use shakmaty::{Chess, Position};

/// The level of a position with the bare king to move: the static evaluation in centipawns, good for the
/// stronger side. `None` where no level counts, because the bare king can win a piece, or is stalemated,
/// within its next two replies. Of a position that is mate there is no level either.
///
/// ```
/// use tropism::{endings::level, search::Game};
/// let engine = tropism::default_engine()?;
/// let level_of = |fen: &str| -> Result<_, Box<dyn std::error::Error>> {
///     Ok(level(&engine, Game::from_fen(fen, None)?.position().chess()))
/// };
/// let centre = level_of("8/8/8/3k4/8/3K4/8/R7 b - - 0 1")?;
/// let edge = level_of("3k4/8/3K4/8/8/8/8/R7 b - - 0 1")?;
/// assert!(centre.is_some() && edge > centre);
/// // The rook is lost.
/// assert_eq!(level_of("8/8/8/8/8/4K3/1k6/R7 b - - 0 1")?, None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn level(engine: &Engine, position: &Chess) -> Option<i32> {
    counts(position, REPLIES_SEEN).then(|| -engine.evaluate(position))
}

/// Whether the bare king wins nothing and is not stalemated within so many replies.
fn counts(position: &Chess, replies: usize) -> bool {
    if !matches!(state(position), AfterMove::Check | AfterMove::Quiet) {
        return false;
    }
    replies == 0
        || position.legal_moves().into_iter().all(|reply| {
            let next = after(position, reply);
            next.legal_moves().into_iter().any(|m| {
                let last = after(&next, m);
                last.is_checkmate() || counts(&last, replies - 1)
            })
        })
}

fn after(position: &Chess, m: shakmaty::Move) -> Chess {
    let mut next = position.clone();
    next.play_unchecked(m);
    next
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::endgame::Endgames;
    use crate::endings::{Graph, position_at, steps::levels_that_count};
    use shakmaty::Color;

    #[test]
    fn a_level_counts_where_it_counts_in_a_proof() {
        let engine = crate::default_engine().unwrap();
        let material = "KRK".parse().unwrap();
        let mut endgames = Endgames::default();
        endgames.build(material, |_| ());
        let table = endgames.table(&material).unwrap();
        let expected = levels_that_count(&Graph::new(table));
        assert!(expected.contains(&true) && expected.contains(&false));
        for (index, &counts) in expected.iter().enumerate() {
            let Some(position) = position_at(table, Color::Black, index) else { continue };
            let expected = counts.then(|| -engine.evaluate(&position));
            assert_eq!(level(&engine, &position), expected, "{position:?}");
        }
    }
}
