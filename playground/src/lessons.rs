//! Lessons: an ending against the perfect defender, with what each move cost and the moves to mate.

use crate::{
    app::App,
    body::Body,
    game::{GameRequest, MoveView, Played, fen},
    problem::Problem,
};
use axum::{Json, extract::State};
use serde::Deserialize;
use serde_json::{Value, json};
use shakmaty::{Chess, Color, Move, Position};
use std::sync::Arc;
use tropism::{
    coach::{ExerciseResult, Lesson},
    endgame::{Dtm, Endgames, Material},
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
    /// The fewest moves to mate so far.
    #[serde(default)]
    best: Option<usize>,
}

/// The state of a lesson after the defender's reply, if one is due.
pub(crate) async fn lesson(
    State(app): State<Arc<App>>,
    Body(request): Body<LessonRequest>,
) -> Result<Json<Value>, Problem> {
    app.calculate(move |_| request.state()).await.map(Json)
}

/// The best move and the reasons for it.
pub(crate) async fn hint(
    State(app): State<Arc<App>>,
    Body(request): Body<LessonRequest>,
) -> Result<Json<Value>, Problem> {
    app.calculate(move |_| request.hint()).await.map(Json)
}

impl LessonRequest {
    /// The tables of the ending, its material, and the game.
    fn read(&self) -> Result<(Endgames, Material, Option<Played>), Problem> {
        let name = ENDINGS.iter().find(|&&known| known == self.ending);
        let material = name.and_then(|name| name.parse::<Material>().ok());
        let material = material.ok_or_else(|| {
            Problem::Input(format!("there is a lesson of {} only", ENDINGS.join(", ")))
        })?;
        let endgames = Endgames::of_ending(material);
        let played = match &self.game {
            None => return Ok((endgames, material, None)),
            Some(game) => game.play()?,
        };
        let is_white = played.start.turn() == Color::White;
        let is_won = matches!(endgames.probe(&played.start), Some(Dtm::Win(_)));
        let is_of_ending = Material::on(played.start.board()) == Ok(material);
        match is_of_ending && is_won && is_white && played.moves.len() <= MAX_MOVES {
            true => Ok((endgames, material, Some(played))),
            false => Err(Problem::Input(format!("this is no game of the lesson {material}"))),
        }
    }

    fn hint(&self) -> Result<Value, Problem> {
        let (endgames, _, Some(played)) = self.read()? else {
            return Err(Problem::Input("there is no game to give a hint for".to_owned()));
        };
        let engine = tropism::default_engine();
        let engine = engine.map_err(|_| Problem::Bug("the default engine is wrong"))?;
        let lesson = Lesson::new(endgames, played.start, &played.moves);
        let text = match lesson.result() {
            Some(result) => result_text(result).to_owned(),
            None => lesson.hint(&engine),
        };
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        Ok(json!({ "lines": lines }))
    }

    fn state(&self) -> Result<Value, Problem> {
        let (endgames, material, played) = self.read()?;
        let (start, moves) = match played {
            Some(played) => (played.start, played.moves),
            None => {
                let start = Lesson::start(&endgames, material, self.seed);
                (start.ok_or(Problem::Bug("the ending has no won position"))?, Vec::new())
            }
        };
        let lesson = Lesson::new(endgames.clone(), start.clone(), &moves);
        let is_mate = lesson.result() == Some(ExerciseResult::Mate);
        // After a mistake the defender shows why it was one.
        let goes_on = matches!(lesson.result(), None | Some(ExerciseResult::NotWon));
        let is_reply_due = goes_on && lesson.position().turn() == Color::Black;
        let reply = is_reply_due.then(|| lesson.reply()).flatten();
        let played: Vec<Move> = moves.iter().copied().chain(reply).collect();
        let after = Lesson::new(endgames.clone(), start.clone(), &played);
        let now = moves_to_mate(&after);
        let best = self.best.into_iter().chain(now).min();
        Ok(json!({
            "start": fen(&start),
            "reply": reply.map(|reply| MoveView::new(lesson.position(), reply)),
            "cost": last_cost(&endgames, &start, &moves),
            "value": value_text(&after),
            "result": after.result().or(lesson.result()).map(result_text),
            "won": is_mate,
            "used": after.used(),
            "minimum": after.minimum(),
            "to_mate": now,
            "best": best,
            "share": share(best, after.minimum()),
        }))
    }
}

/// What White's last move cost.
fn last_cost(endgames: &Endgames, start: &Chess, moves: &[Move]) -> Option<String> {
    // White begins, so its moves have even numbers.
    let index = moves.len().checked_sub(1)? / 2 * 2;
    let before = Lesson::new(endgames.clone(), start.clone(), moves.get(..index)?);
    let m = *moves.get(index)?;
    let name = MoveView::new(before.position(), m).san;
    before.cost(m).map(|cost| format!("{name}: {cost}."))
}

/// White's moves to mate; `None` if the win is gone.
fn moves_to_mate(lesson: &Lesson) -> Option<usize> {
    let is_white = lesson.position().turn() == Color::White;
    match lesson.value() {
        Dtm::Win(plies) if is_white => Some(usize::from(plies.div_ceil(2))),
        Dtm::Loss(plies) if !is_white => Some(usize::from(plies / 2)),
        _ => None,
    }
}

/// How far the bar is filled, 0 to 1: the share of the way to mate that is done.
fn share(best: Option<usize>, minimum: usize) -> f64 {
    let left = best.unwrap_or(minimum).min(minimum);
    1.0 - left as f64 / minimum.max(1) as f64
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
        ExerciseResult::Lost => "The draw is gone.",
        ExerciseResult::Held => "The draw is held.",
    }
}
