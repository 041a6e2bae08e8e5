//! Games as text: reads a game of a PGN text with its comments and variations, and lists all of them.

use crate::{
    Playground,
    game::{MoveView, fen},
    problem::Problem,
};
use serde::Deserialize;
use serde_json::{Value, json};
use shakmaty::{Chess, Position};
use tropism_coach::notation::{Games, Line, PlayedGame};

#[derive(Deserialize)]
pub(crate) struct PgnRequest {
    text: String,
    /// The number of the game, from 1; the first without it.
    #[serde(default)]
    game: usize,
}

/// The page lists so many games at most.
const MAX_GAMES: usize = 500;

/// The start, the moves and the fault of a game, and the headings of all games.
pub(crate) fn read(request: &PgnRequest, _: &mut Playground) -> Result<Value, Problem> {
    let games: Vec<PlayedGame> = Games::new(&request.text).take(MAX_GAMES).collect();
    let index = request.game.saturating_sub(1);
    let missing = || match games.len() {
        0 => "this text has no game".to_owned(),
        count => format!("this text has {count} games, and no game {}", request.game),
    };
    let game = games.get(index).ok_or_else(|| Problem::Input(missing()))?;
    if game.moves.is_empty()
        && let Some(fault) = game.fault()
    {
        return Err(Problem::Input(fault));
    }
    let headings = games.iter().map(|game| format!("{}: {}", game.number, game.heading()));
    Ok(json!({
        "start": fen(&game.start), "line": line_view(&game.start, &game.text), "tags": game.tags,
        "result": game.result, "fault": game.fault(),
        "games": headings.collect::<Vec<_>>(),
    }))
}

/// A line as the page keeps it. Variations stand at the move that they replace.
fn line_view(start: &Chess, line: &Line) -> Value {
    let mut position = start.clone();
    let moves = line.moves.iter().map(|noted| {
        let variations: Vec<Value> =
            noted.variations.iter().map(|variation| line_view(&position, variation)).collect();
        let MoveView { uci, san, after } = MoveView::new(&position, noted.m);
        position.play_unchecked(noted.m);
        json!({
            "uci": uci, "san": san, "after": after, "nags": noted.nags,
            "comments": noted.comments, "variations": variations,
        })
    });
    let moves: Vec<Value> = moves.collect();
    json!({ "comments": line.comments, "moves": moves })
}
