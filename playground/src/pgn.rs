//! Games as text: reads a game of a PGN text with its comments and variations, and lists all of them.

use crate::game::{MoveView, fen};
use crate::{Playground, problem::Problem};
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

/// The start, the moves and the fault of a game, and the headings of all games.
pub(crate) fn read(request: &PgnRequest, _: &mut Playground) -> Result<Value, Problem> {
    let (mut headings, mut wanted) = (Vec::new(), None);
    for game in Games::new(&request.text) {
        headings.push(format!("{}: {}", game.number, heading(&game)));
        if headings.len() == request.game.max(1) {
            wanted = Some(game);
        }
    }
    let missing = || match headings.len() {
        0 => "this text has no game".to_owned(),
        count => format!("this text has {count} games, and no game {}", request.game),
    };
    let game = wanted.ok_or_else(|| Problem::Input(missing()))?;
    if game.moves.is_empty()
        && let Some(fault) = game.fault()
    {
        return Err(Problem::Input(fault));
    }
    Ok(json!({
        "start": fen(&game.start), "line": line_view(&game.start, &game.text), "tags": game.tags,
        "result": game.result, "fault": game.fault(),
        "games": headings,
    }))
}

/// The name of a chapter of a study, or the players.
fn heading(game: &PlayedGame) -> String {
    let chapter = game.tags.iter().find(|(name, _)| name == "ChapterName");
    chapter.map_or_else(|| game.heading(), |(_, chapter)| chapter.clone())
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
