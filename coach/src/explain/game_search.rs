//! What a search finds in each position of a game.

use crate::assess::{SearchedLine, Searcher, WhiteValue};
use crate::notation::PlayedGame;
use shakmaty::Move;
use tropism::eval::Engine;
use tropism::search::{Game, Limits, TranspositionTable};

/// The result of the search of one position.
#[derive(Clone, Debug)]
pub struct SearchedPosition {
    pub value: WhiteValue,
    /// The best line; empty if the game is over.
    pub line: Vec<Move>,
}

/// Searches every position of a game, and calls `progress` after each.
pub fn search_positions(
    engine: &Engine,
    played: &PlayedGame,
    limits: &Limits,
    table: &TranspositionTable,
    progress: &mut dyn FnMut(),
) -> Vec<SearchedPosition> {
    table.clear();
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
        let is_last = found.is_empty();
        found.push(search_position(engine, &game, is_last, limits, table));
        progress();
    }
    found.reverse();
    found
}

fn search_position(
    engine: &Engine,
    game: &Game,
    is_last: bool,
    limits: &Limits,
    table: &TranspositionTable,
) -> SearchedPosition {
    // Players may go on after a third repetition or fifty quiet moves, if nobody claims the draw.
    if let Some(outcome) = game.outcome().filter(|_| is_last) {
        let value = match outcome.winner() {
            Some(winner) => WhiteValue::Mate(winner, 0),
            None => WhiteValue::Centipawns(0),
        };
        return SearchedPosition { value, line: Vec::new() };
    }
    let SearchedLine { value, moves: line, .. } = Searcher { engine, table }.line(game, limits);
    SearchedPosition { value, line }
}
