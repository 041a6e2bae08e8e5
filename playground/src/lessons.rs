//! Lessons: an ending against the perfect defender, with what each move cost and the level reached.

use crate::{
    app::App,
    body::Body,
    game::{GameRequest, MoveView, Played, fen},
    problem::Problem,
    tables::level,
};
use axum::{Json, extract::State};
use serde::Deserialize;
use serde_json::{Value, json};
use shakmaty::{Color, Move, Position};
use std::sync::Arc;
use tropism::{
    coach::{ExerciseResult, Lesson},
    endgame::{Endgames, Material},
    eval::Engine,
};

/// The endings that have a lesson.
const ENDINGS: [&str; 5] = ["KQK", "KRK", "KBBK", "KBNK", "KPK"];

/// The most moves of a lesson, of both sides together: the fifty-move rule ends it long before.
const MAX_MOVES: usize = 240;

#[derive(Deserialize)]
pub(crate) struct LessonRequest {
    /// One of [`ENDINGS`].
    ending: String,
    /// The game so far; without it, the lesson starts.
    #[serde(default)]
    game: Option<GameRequest>,
    /// Chooses the start position.
    #[serde(default)]
    seed: u64,
    /// The highest level so far.
    #[serde(default)]
    highest: Option<i32>,
}

/// The state of a lesson after the defender's reply, if one is due.
pub(crate) async fn lesson(
    State(app): State<Arc<App>>,
    Body(request): Body<LessonRequest>,
) -> Result<Json<Value>, Problem> {
    app.teach(move |app| request.state(app)).await.map(Json)
}

/// The best move and the reasons for it.
pub(crate) async fn hint(
    State(app): State<Arc<App>>,
    Body(request): Body<LessonRequest>,
) -> Result<Json<Value>, Problem> {
    app.teach(move |app| request.hint(app)).await.map(Json)
}

impl LessonRequest {
    /// The material of the ending, the engine, and the game.
    fn read(&self) -> Result<(Material, Engine, Option<Played>), Problem> {
        let name = ENDINGS.iter().find(|&&known| known == self.ending);
        let material = name.and_then(|name| name.parse::<Material>().ok());
        let material = material.ok_or_else(|| {
            Problem::Input(format!("there is a lesson of {} only", ENDINGS.join(", ")))
        })?;
        let engine = tropism::default_engine();
        let engine = engine.map_err(|_| Problem::Bug("the default engine is wrong"))?;
        let played = match &self.game {
            None => return Ok((material, engine, None)),
            Some(game) => game.play()?,
        };
        let is_of_ending = Material::on(played.start.board()) == Ok(material);
        let is_white = played.start.turn() == Color::White;
        match is_of_ending && is_white && played.moves.len() <= MAX_MOVES {
            true => Ok((material, engine, Some(played))),
            false => Err(Problem::Input(format!("this is no game of the lesson {material}"))),
        }
    }

    fn hint(&self, app: &App) -> Result<Value, Problem> {
        let (material, engine, Some(played)) = self.read()? else {
            return Err(Problem::Input("there is no game to give a hint for".to_owned()));
        };
        let (endgames, _) = app.tables.of(material, &engine);
        let lesson = Lesson::new(endgames, played.start, &played.moves);
        let text = match lesson.result() {
            Some(result) => result_text(result).to_owned(),
            None => lesson.hint(&engine),
        };
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        Ok(json!({ "lines": lines }))
    }

    fn state(&self, app: &App) -> Result<Value, Problem> {
        let (material, engine, played) = self.read()?;
        let (endgames, range) = app.tables.of(material, &engine);
        let (start, moves) = match played {
            Some(played) => (played.start, played.moves),
            None => {
                let start = Lesson::start(&endgames, material, self.seed);
                (start.ok_or(Problem::Bug("the ending has no won position"))?, Vec::new())
            }
        };
        let lesson = Lesson::new(endgames.clone(), start.clone(), &moves);
        let last = Last::new(&endgames, &start, &moves);
        let is_mate = lesson.result() == Some(ExerciseResult::Mate);
        let now = last.as_ref().map(|last| level(&engine, last.lesson.position()));
        let highest = self.highest.max(now);
        // After a mistake the defender shows why it was one.
        let goes_on = matches!(lesson.result(), None | Some(ExerciseResult::NotWon));
        let is_reply_due = goes_on && lesson.position().turn() == Color::Black;
        let reply = is_reply_due.then(|| lesson.reply()).flatten();
        let played: Vec<Move> = moves.iter().copied().chain(reply).collect();
        let after = Lesson::new(endgames, start.clone(), &played);
        Ok(json!({
            "start": fen(&start),
            "reply": reply.map(|reply| MoveView::new(lesson.position(), reply)),
            "cost": last.and_then(|last| last.cost),
            "value": value_text(&after),
            "result": after.result().or(lesson.result()).map(result_text),
            "won": is_mate,
            "used": after.used(),
            "minimum": after.minimum(),
            "level": now,
            "highest": highest,
            "raised": highest > self.highest,
            "share": share(highest, range, is_mate),
        }))
    }
}

/// White's last move: the position after it, and what it cost.
struct Last {
    lesson: Lesson,
    cost: Option<String>,
}

impl Last {
    fn new(endgames: &Endgames, start: &shakmaty::Chess, moves: &[Move]) -> Option<Last> {
        // White begins, so its moves have even numbers.
        let index = moves.len().checked_sub(1)? / 2 * 2;
        let before = Lesson::new(endgames.clone(), start.clone(), moves.get(..index)?);
        let m = *moves.get(index)?;
        let name = MoveView::new(before.position(), m).san;
        let cost = before.cost(m).map(|cost| format!("{name}: {cost}."));
        let lesson = Lesson::new(endgames.clone(), start.clone(), moves.get(..=index)?);
        Some(Last { lesson, cost })
    }
}

/// How far the bar is filled, 0 to 1. Only mate fills it.
fn share(highest: Option<i32>, (low, high): (i32, i32), is_mate: bool) -> f64 {
    const MOST: f64 = 0.95;
    match highest {
        _ if is_mate => 1.0,
        None => 0.0,
        Some(level) => {
            ((f64::from(level) - f64::from(low)) / (f64::from(high) - f64::from(low)))
                .clamp(0.0, 1.0)
                * MOST
        }
    }
}

fn value_text(lesson: &Lesson) -> String {
    format!("{} to move: {}", lesson.position().turn().fold_wb("White", "Black"), lesson.value())
}

fn result_text(result: ExerciseResult) -> &'static str {
    match result {
        ExerciseResult::Mate => "Checkmate.",
        ExerciseResult::Stalemate => "Stalemate, a draw.",
        ExerciseResult::InsufficientMaterial => "Insufficient material, a draw.",
        ExerciseResult::NotWon => "The win is gone: with best play it is a draw.",
        ExerciseResult::Repetition => "Threefold repetition, a draw.",
        ExerciseResult::FiftyMoves => "Fifty-move rule, a draw.",
    }
}
