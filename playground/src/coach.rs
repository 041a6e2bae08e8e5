//! What the coach says: the assessment of a position, and the review of a game.

use crate::{
    app::App,
    engine_file::EngineRequest,
    game::{GameRequest, Played},
    problem::{Body, Problem},
};
use axum::{Json, extract::State};
use serde::Deserialize;
use serde_json::{Value, json};
use shakmaty::Position;
use std::sync::Arc;
use tropism::{
    coach::{Assessment, GameReview},
    eval::Engine,
    notation::PlayedGame,
    search::{Limits, TranspositionTable},
};

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
pub(crate) async fn assess(
    State(app): State<Arc<App>>,
    Body(request): Body<CoachRequest>,
) -> Result<Json<Value>, Problem> {
    let limits = limits(Assessment::DEFAULT_NODES);
    let assess = move |played: Played, engine: &Engine, table: &TranspositionTable| {
        let assessment = Assessment::new(engine, &played.game, table, &limits);
        let board = played.game.position().chess().board();
        let expected = assessment.best.as_ref().map(|best| best.value.expected_points(board));
        let mut answer = assessment.json();
        answer["expected"] = json!(expected);
        answer
    };
    request.study(app, assess).await.map(Json)
}

/// The value of each position of a game, and its mistakes.
pub(crate) async fn review(
    State(app): State<Arc<App>>,
    Body(request): Body<CoachRequest>,
) -> Result<Json<Value>, Problem> {
    let review = move |played: Played, engine: &Engine, table: &TranspositionTable| {
        let (least, most) = PER_POSITION;
        let nodes = (REVIEW / (1 + played.moves.len() as u64)).clamp(least, most);
        let game = PlayedGame::new(played.start, played.moves);
        GameReview::new(engine, game, &limits(nodes), table, || ()).json()
    };
    request.study(app, review).await.map(Json)
}

fn limits(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

impl CoachRequest {
    /// Runs the work where it does not hold up other requests.
    async fn study(
        self,
        app: Arc<App>,
        work: impl FnOnce(Played, &Engine, &TranspositionTable) -> Value + Send + 'static,
    ) -> Result<Value, Problem> {
        let own = Arc::clone(&app);
        let study = move || {
            let (played, engine) = (self.game.play()?, self.engine.engine(&own)?);
            let table = own.hash_table()?;
            let answer = work(played, &engine, &table);
            own.keep_hash_table(table);
            Ok(answer)
        };
        app.studies.run(study).await
    }
}
