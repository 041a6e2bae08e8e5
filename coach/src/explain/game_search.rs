//! What a search finds in each position of a game.

use crate::assess::{SearchedLine, Searcher, WhiteValue};
use crate::notation::PlayedGame;
use tropism::search::{Game, Limits};

/// Searches every position of a game, and calls `progress` after each. The line of a finished game is empty.
pub fn search_positions(
    searcher: &Searcher,
    played: &PlayedGame,
    limits: &Limits,
    progress: &mut dyn FnMut(),
) -> Vec<SearchedLine> {
    searcher.table.clear();
    let mut game = Game::new(played.start.clone());
    let mut games = vec![game.clone()];
    for &m in &played.moves {
        game.play(m);
        games.push(game.clone());
    }
    // From the last position to the first: what one search finds is in the table for the search of
    // the position before it. Otherwise the later search often knows more, and a move looks like a
    // mistake because its refutation is found one move late.
    let mut found = Vec::with_capacity(games.len());
    while let Some(game) = games.pop() {
        // Players may go on after a third repetition or fifty quiet moves, if nobody claims the draw.
        let outcome = game.outcome().filter(|_| found.is_empty());
        let line = outcome.map_or_else(
            || searcher.line(&game, limits),
            |outcome| {
                let mate = outcome.winner().map(|winner| WhiteValue::Mate(winner, 0));
                let value = mate.unwrap_or(WhiteValue::Centipawns(0));
                SearchedLine { value, depth: 0, moves: Vec::new() }
            },
        );
        found.push(line);
        progress();
    }
    found.reverse();
    found
}
