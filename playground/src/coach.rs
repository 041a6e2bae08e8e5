//! What the coach says: the assessment of a position, and the review of a game.

use crate::engine_file::EngineRequest;
use crate::game::{GameRequest, Played};
use crate::{Playground, problem::Problem};
use serde::Deserialize;
use serde_json::{Value, json};
use shakmaty::Position;
use tropism::{eval::Engine, search::Limits};
use tropism_coach::{Assessment, Explanation, GameReview, Searcher, notation::PlayedGame};

/// The nodes of the review of a whole game, and the least and the most for one of its positions.
const REVIEW: u64 = 2_000_000;
const PER_POSITION: (u64, u64) = (1_000, 50_000);

#[derive(Deserialize)]
pub(crate) struct CoachRequest {
    #[serde(flatten)]
    game: GameRequest,
    #[serde(flatten)]
    engine: EngineRequest,
}

/// The verdict on a position, the reasons, what is threatened, the best move and the mistake that is easiest to make.
pub(crate) fn assess(request: &CoachRequest, page: &mut Playground) -> Result<Value, Problem> {
    let (played, engine) = request.read(page)?;
    let limits = limits(Assessment::DEFAULT_NODES);
    let explanation = Explanation::new(&engine, &played.game);
    let searcher = Searcher::new(&engine, page.table()?);
    let explanation = explanation.with_assessment(&searcher, &played.game, &limits.into());
    let board = played.game.position().chess().board();
    let best = explanation.assessment.as_ref().and_then(|assessment| assessment.best.as_ref());
    let expected = best.map(|best| best.value.expected_points(board));
    let mut answer = explanation.assessment.as_ref().map_or(Value::Null, Assessment::json);
    answer["expected"] = json!(expected);
    Ok(answer)
}

/// The value of each position of a game, and its mistakes.
pub(crate) fn review(request: &CoachRequest, page: &mut Playground) -> Result<Value, Problem> {
    let (played, engine) = request.read(page)?;
    let (least, most) = PER_POSITION;
    let limits = limits((REVIEW / (1 + played.moves.len() as u64)).clamp(least, most));
    let game = PlayedGame::new(played.start, played.moves);
    let searcher = Searcher::new(&engine, page.table()?);
    Ok(GameReview::new(&searcher, game, &limits, || ()).json())
}

fn limits(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

impl CoachRequest {
    fn read(&self, page: &mut Playground) -> Result<(Played, Engine), Problem> {
        Ok((self.game.play()?, self.engine.engine(page)?))
    }
}
