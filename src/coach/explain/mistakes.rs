//! The marks of a game's moves, and why a mistake is one.

use super::game_search::SearchedPosition;
use crate::coach::assess::WhiteValue;
use super::swings::{Swing, swings};
use crate::eval::{Engine, Trace};
use crate::notation::{PlayedGame, after};
use crate::text::{line_in_san, side_name};
use shakmaty::{Chess, Color, Move, Position, san::SanPlus};

/// The losses of expected points from which a move has a mark.
///
/// Lichess has the same steps, 0.10, 0.20 and 0.30, on a scale from -1 (loss) to 1 (win). Here a loss is 0 and
/// a win is 1, so fewer moves are marked. By the model of `search::wdl`, from an equal position with all
/// pieces on the board, 0.10 is 36 centipawns, 0.20 is 75 and 0.30 is 121.
const LOSSES: [(f64, Mark); 3] =
    [(0.30, Mark::Blunder), (0.20, Mark::Mistake), (0.10, Mark::Inaccuracy)];

/// The most plies of a line that is shown.
const MAX_PLIES: usize = 12;
/// The end of a line is one of this many last positions.
const MAX_CUT: usize = 6;
/// A line ends where the static evaluation is this close to the value of the search, in centipawns.
const CLOSE: i32 = 25;
/// The most reasons for a mistake, and the smallest, in centipawns.
const MAX_REASONS: usize = 3;
const SMALLEST: f64 = 20.0;

/// How bad a move is.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Mark {
    Inaccuracy,
    Mistake,
    Blunder,
}

impl Mark {
    /// The mark of a move that loses so many expected points.
    fn of_loss(loss: f64) -> Option<Mark> {
        // Points are thousandths: a difference of 0.1 may be a little less in floating point.
        LOSSES.into_iter().find(|(least, _)| loss + 1e-9 >= *least).map(|(_, mark)| mark)
    }

    /// The mark as players write it.
    pub fn sign(self) -> &'static str {
        match self {
            Mark::Inaccuracy => "?!",
            Mark::Mistake => "?",
            Mark::Blunder => "??",
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Mark::Inaccuracy => "Inaccuracy",
            Mark::Mistake => "Mistake",
            Mark::Blunder => "Blunder",
        }
    }

    /// The numeric annotation glyph of the PGN standard.
    pub fn nag(self) -> u8 {
        match self {
            Mark::Inaccuracy => 6,
            Mark::Mistake => 2,
            Mark::Blunder => 4,
        }
    }
}

/// A move of the game, compared with the best move of the search.
#[derive(Clone, Debug)]
pub struct ReviewedMove {
    /// The move as players write it, `22.Nd5`.
    pub name: String,
    pub san: SanPlus,
    /// The value of the position before the move, with the best move.
    pub best_value: WhiteValue,
    /// The value of the position after the move.
    pub value: WhiteValue,
    /// The best move and the line that follows.
    pub best_line: Vec<Move>,
    /// The same in SAN.
    pub best_san: String,
    pub is_best: bool,
    /// The line of the search after the move.
    pub reply_line: Vec<Move>,
    /// The expected points that the side to move loses, 0 to 1.
    pub loss: f64,
    pub mark: Option<Mark>,
    /// Why the move is a mistake, in sentences.
    pub reasons: Vec<String>,
}

impl ReviewedMove {
    /// The move with its mark, `9...b5?`.
    pub fn marked_name(&self) -> String {
        format!("{}{}", self.name, self.mark.map_or("", Mark::sign))
    }

    /// What a mistake is and what was better.
    pub fn verdict(&self) -> Option<String> {
        let name = self.mark?.name();
        Some(format!(
            "{name}, costs {:.2} of a point; better is {} ({})",
            self.loss,
            self.best_san,
            self.best_value.figure()
        ))
    }
}

/// Reviews all moves of a game. `searched` has each of its positions.
pub fn review_moves(
    engine: &Engine,
    game: &PlayedGame,
    searched: &[SearchedPosition],
) -> Vec<ReviewedMove> {
    let mut position = game.start.clone();
    let mut reviewed = Vec::with_capacity(game.moves.len());
    for (ply, (&m, pair)) in game.moves.iter().zip(searched.windows(2)).enumerate() {
        let [before, next] = pair else { break };
        let value = next.value;
        let is_best = before.line.first() == Some(&m);
        let turn = position.turn();
        // Both values on one board: what a value means depends on the material.
        let board = position.board();
        let points = |value: WhiteValue| value.expected_points(board) * turn.fold_wb(1.0, -1.0);
        let loss = if is_best { 0.0 } else { points(before.value) - points(value) };
        let loss = loss.max(0.0);
        let mark = Mark::of_loss(loss);
        let lines = Lines { engine, start: &position, played: m, before, next };
        let (best_line, reasons) = match mark {
            Some(_) => lines.compare(),
            None => (shortened(&before.line), Vec::new()),
        };
        reviewed.push(ReviewedMove {
            name: game.name(ply..ply + 1).0,
            san: SanPlus::from_move(position.clone(), m),
            best_value: before.value,
            value,
            best_san: line_in_san(&position, best_line),
            best_line: best_line.to_vec(),
            is_best,
            reply_line: shortened(&next.line).to_vec(),
            loss,
            mark,
            reasons,
        });
        position.play_unchecked(m);
    }
    reviewed
}

fn shortened(line: &[Move]) -> &[Move] {
    &line[..line.len().min(MAX_PLIES)]
}

/// The played line and the best line from one position.
struct Lines<'a> {
    engine: &'a Engine,
    start: &'a Chess,
    played: Move,
    before: &'a SearchedPosition,
    next: &'a SearchedPosition,
}

impl<'a> Lines<'a> {
    /// The best line to the position that its value comes from, and why the played line is worse.
    fn compare(&self) -> (&'a [Move], Vec<String>) {
        let side = self.start.turn();
        let mut played_line = vec![self.played];
        played_line.extend(shortened(&self.next.line));
        let best_line = shortened(&self.before.line);
        let mut reasons = Vec::new();
        let best_end = match self.before.value {
            WhiteValue::Mate(winner, moves) if winner == side => {
                reasons.push(format!("{} misses a mate in {moves}", side_name(side)));
                None
            }
            WhiteValue::Mate(..) => None,
            WhiteValue::Centipawns(value) => Some(self.end(best_line, value)),
        };
        match self.next.value {
            WhiteValue::Mate(winner, moves) => {
                let line = line_in_san(self.start, &played_line);
                reasons.push(format!("{} mates in {moves}: {line}", side_name(winner)));
            }
            WhiteValue::Centipawns(value) => {
                let (plies, end) = self.end(&played_line, value);
                let line = line_in_san(self.start, &played_line[..plies]);
                reasons.push(format!("The played line is {line}"));
                if let Some((_, best_end)) = &best_end {
                    reasons.extend(differences(best_end, &end, side));
                }
            }
        }
        let plies = best_end.map_or(best_line.len(), |(plies, _)| plies);
        (&best_line[..plies], reasons)
    }

    /// The last position of a line whose static evaluation is about the value of the search, and the
    /// plies until there. In the middle of an exchange the evaluation is another one, and its terms
    /// explain nothing.
    fn end(&self, line: &[Move], value: i32) -> (usize, Trace) {
        let shortest = line.len().saturating_sub(MAX_CUT).max(1).min(line.len());
        let ends = (shortest..=line.len()).rev().map(|plies| {
            let trace = self.engine.trace(&after(self.start, &line[..plies]));
            let distance = (trace.turn.fold_wb(trace.value, -trace.value) - value).abs();
            (distance.max(CLOSE), (plies, trace))
        });
        // Of equal distances the first is taken: the longest line.
        let closest = ends.min_by_key(|(distance, _)| *distance);
        closest.map_or_else(|| (0, self.engine.trace(self.start)), |(_, end)| end)
    }
}

/// The terms that are worse for a side at the end of the played line than at the end of the best
/// line.
fn differences(best: &Trace, played: &Trace, side: Color) -> Option<String> {
    let is_worse = |swing: &Swing| side.fold_wb(-swing.change, swing.change) >= SMALLEST;
    let worse = swings(best, played).into_iter().filter(is_worse);
    let worse: Vec<String> = worse.take(MAX_REASONS).map(|swing| swing.sentence()).collect();
    let worse = (!worse.is_empty()).then(|| worse.join("; "))?;
    Some(format!("At its end, compared with the end of the better line: {worse}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_begin_at_their_losses() {
        let marks = [0.099, 0.3 - 0.2, 0.199, 0.2, 0.299, 0.3, 1.0].map(Mark::of_loss);
        let signs = marks.map(|mark| mark.map_or("", Mark::sign));
        assert_eq!(signs, ["", "?!", "?!", "?", "?", "??", "??"]);
    }
}
