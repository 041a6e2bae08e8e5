//! Lessons: an ending against the perfect defender, with what each move cost and the moves to mate.

use crate::game::{GameRequest, MoveView, Played, fen};
use crate::{Playground, problem::Problem};
use serde::Deserialize;
use serde_json::{Value, json};
use shakmaty::{Chess, Color, Move, Position};
use tropism::endgame::{Dtm, Endgames, Material};
use tropism_coach::{Exercise, ExerciseResult, Hint, hard_draw, won_position};

/// The endings that have a lesson, the easiest first.
const ENDINGS: [&str; 5] = ["KQK", "KRK", "KPK", "KBBK", "KBNK"];

/// The ending in which Black holds a draw.
const DEFENCE: &str = "KPK";

/// The most moves of a lesson, of both sides together: the fifty-move rule ends it long before.
const MAX_MOVES: usize = 240;

#[derive(Deserialize)]
pub(crate) struct LessonRequest {
    /// One of [`ENDINGS`].
    ending: String,
    /// Whether the user holds a draw with Black, in [`DEFENCE`].
    #[serde(default)]
    defend: bool,
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

impl LessonRequest {
    /// The tables of the ending, its material, and the game.
    fn read(&self) -> Result<(Endgames, Material, Option<Played>), Problem> {
        let known = |&&known: &&&str| known == self.ending && (!self.defend || known == DEFENCE);
        let name = ENDINGS.iter().find(known);
        let material = name.and_then(|name| name.parse::<Material>().ok());
        let material = material.ok_or_else(|| {
            Problem::Input(format!("there is a lesson of {} only", ENDINGS.join(", ")))
        })?;
        let endgames = Endgames::of_ending(material);
        let played = match &self.game {
            None => return Ok((endgames, material, None)),
            Some(game) => game.play()?,
        };
        let value = endgames.probe(&played.start);
        let fits = match played.start.turn() {
            Color::White => !self.defend && matches!(value, Some(Dtm::Win(_))),
            Color::Black => self.defend && value == Some(Dtm::Draw),
        };
        let is_of_ending = Material::on(played.start.board()) == Ok(material);
        match is_of_ending && fits && played.moves.len() <= MAX_MOVES {
            true => Ok((endgames, material, Some(played))),
            false => Err(Problem::Input(format!("this is no game of the lesson {material}"))),
        }
    }

    /// The lesson after some moves.
    fn at(&self, endgames: &Endgames, start: &Chess, moves: &[Move]) -> Exercise {
        let user = if self.defend { Color::Black } else { Color::White };
        Exercise::new(endgames.clone(), start.clone(), user).after(moves)
    }

    /// What the user's last move cost.
    fn last_cost(&self, endgames: &Endgames, start: &Chess, moves: &[Move]) -> Option<String> {
        // The user begins, so the user's moves have even numbers.
        let index = moves.len().checked_sub(1)? / 2 * 2;
        let before = self.at(endgames, start, moves.get(..index)?);
        let m = *moves.get(index)?;
        let name = MoveView::new(before.position(), m).san;
        before.cost(m).map(|cost| format!("{name}: {cost}."))
    }

    /// The best move and the reasons for it.
    pub(crate) fn hint(&self, _: &mut Playground) -> Result<Value, Problem> {
        let (endgames, _, Some(played)) = self.read()? else {
            return Err(Problem::Input("there is no game to give a hint for".to_owned()));
        };
        let engine = tropism::default_engine();
        let engine = engine.map_err(Problem::Engine)?;
        let lesson = self.at(&endgames, &played.start, &played.moves);
        let text = match lesson.result() {
            Some(result) => result.to_string(),
            None => Hint::new(&engine, &lesson).to_string(),
        };
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        let best = lesson.moves().first().map(|&(best, _)| MoveView::new(lesson.position(), best));
        Ok(json!({ "lines": lines, "best": best }))
    }

    /// The state of a lesson after the defender's reply, if one is due.
    pub(crate) fn state(&self, _: &mut Playground) -> Result<Value, Problem> {
        let (endgames, material, played) = self.read()?;
        let (start, moves) = match played {
            Some(played) => (played.start, played.moves),
            None => {
                let start = match self.defend {
                    false => won_position(&endgames, material, self.seed, 1),
                    true => hard_draw(&endgames, material, self.seed),
                };
                let none = || Problem::Malformed("the ending has no such position".to_owned());
                (start.ok_or_else(none)?, Vec::new())
            }
        };
        let lesson = self.at(&endgames, &start, &moves);
        let is_mate = lesson.result() == Some(ExerciseResult::Mate);
        // After a mistake the other side shows why it was one.
        let goes_on =
            matches!(lesson.result(), None | Some(ExerciseResult::NotWon | ExerciseResult::Lost));
        let is_reply_due = goes_on && lesson.position().turn() != start.turn();
        let reply = is_reply_due.then(|| lesson.reply()).flatten();
        let played: Vec<Move> = moves.iter().copied().chain(reply).collect();
        let after = self.at(&endgames, &start, &played);
        let is_won = match self.defend {
            false => is_mate,
            true => after.result().or(lesson.result()).is_some_and(is_held),
        };
        // A draw is held move by move, so the bar counts these.
        let (now, minimum) = match self.defend {
            false => (moves_to_mate(&after), after.minimum()),
            true if is_won => (Some(0), Exercise::HELD),
            true if after.result().is_some() => (None, Exercise::HELD),
            true => (Exercise::HELD.checked_sub(after.used()), Exercise::HELD),
        };
        let best = self.best.into_iter().chain(now).min();
        Ok(json!({
            "start": fen(&start),
            "reply": reply.map(|reply| MoveView::new(lesson.position(), reply)),
            "cost": self.last_cost(&endgames, &start, &moves),
            "value": value_text(&after),
            "result": after.result().or(lesson.result()).map(|result| result.to_string()),
            "won": is_won,
            "used": after.used(),
            "minimum": minimum,
            "left": now,
            "best": best,
            "share": share(best, minimum),
        }))
    }
}

/// Whether the game ended as the defender wants.
fn is_held(result: ExerciseResult) -> bool {
    !matches!(result, ExerciseResult::Lost | ExerciseResult::Mate | ExerciseResult::NotWon)
}

/// White's moves to mate; `None` if the win is gone.
fn moves_to_mate(lesson: &Exercise) -> Option<usize> {
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

fn value_text(lesson: &Exercise) -> String {
    format!("{} to move: {}", lesson.position().turn().fold_wb("White", "Black"), lesson.value())
}
