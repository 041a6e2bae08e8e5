//! Practice with the mistakes of games: who made one finds the better move.

use super::game_review::{GameReview, ReviewView};
use super::mistakes::ReviewedMove;
use crate::assess::{Searcher, Stake, answer};
use crate::exercise::san;
use crate::picture::Picture;
use crate::practise::{Answer, Dialogue, PracticeOptions, talk};
use shakmaty::{Chess, Color, Move, Position};
use std::io::{self, BufRead, Write};
use tropism::search::Limits;
use tropism::text::{counted, noun, side_name};

/// The mistakes of games, one after another.
pub struct Retry<'a>(Vec<Task<'a>>);

/// A mistake that the user finds a better move for.
struct Task<'a> {
    searcher: Searcher<'a>,
    limits: &'a Limits,
    review: &'a GameReview,
    reviewed: &'a ReviewedMove,
    /// The move before it.
    last: Option<Move>,
    hints: u32,
    /// None while the user tries, or if the user leaves.
    end: Option<End>,
}

/// How a task ended.
#[derive(Copy, Clone)]
enum End {
    /// Found alone, or with hints.
    Found,
    Helped,
    Missed,
}

impl<'a> Retry<'a> {
    /// The marked moves of the reviews that the view shows. `limits` are those of the reviews: the moves that the user
    /// tries are searched like the mistakes.
    pub fn new(
        searcher: Searcher<'a>,
        limits: &'a Limits,
        reviews: &'a [GameReview],
        view: ReviewView<'_>,
    ) -> Retry<'a> {
        let tasks = reviews.iter().flat_map(|review| {
            let last = std::iter::once(None).chain(review.game.moves.iter().copied().map(Some));
            let moves = review.moves.iter().zip(last);
            let asked = moves.filter(|(it, _)| it.is_mistake() && view.shows(review, it));
            asked.map(move |(reviewed, last)| {
                let (hints, end) = (0, None);
                Task { searcher, limits, review, reviewed, last, hints, end }
            })
        });
        Retry(tasks.collect())
    }

    /// Asks for each mistake until a good move is found, or it is shown or skipped.
    ///
    /// # Errors
    ///
    /// If input or output fail.
    pub fn run(
        self,
        mut input: impl BufRead,
        out: &mut impl Write,
        options: PracticeOptions,
    ) -> io::Result<()> {
        if self.0.is_empty() {
            return writeln!(
                out,
                "There is nothing to practise: none of these moves is marked as a mistake."
            );
        }
        let count = self.0.len();
        let mut ends = [0; 3];
        for (index, mut task) in self.0.into_iter().enumerate() {
            let question = task.question(&format!("Mistake {} of {count}", index + 1));
            talk(&mut task, question, &mut input, out, options)?;
            let Some(end) = task.end else { break };
            ends[end as usize] += 1;
        }
        let ([found, helped, missed], of) = (ends, counted(count as u64, "mistake"));
        writeln!(
            out,
            "Of {of} you corrected {found} alone and {helped} with help; {missed} you gave up."
        )
    }
}

impl Task<'_> {
    fn question(&self, number: &str) -> Answer {
        let (side, name) = (side_name(self.reviewed.side()), self.reviewed.name());
        let said = format!(
            "{number}, {}.\n{side} played {name}. Find a better move; `help` lists the commands.",
            self.review.game.title()
        );
        Answer { board: Some(String::new()), ..Answer::said(said) }
    }

    fn ends(&mut self, end: End, said: String) -> Answer {
        self.end = Some(end);
        Answer { is_last: true, ..Answer::said(said) }
    }

    /// First what the better move is for, if that can be said, then its piece, then the move.
    fn hint(&self) -> String {
        let best = &self.reviewed.best;
        let Some(&m) = best.moves.first() else { return String::new() };
        let why = self.reviewed.purpose(&self.searcher, || None);
        match (self.hints, why, m.from()) {
            (1, Some(why), _) => match why.strip_prefix("It ") {
                Some(why) => format!("The better move {why}"),
                None => format!("After the better move: {why}"),
            },
            (1, None, Some(from)) | (2, Some(_), Some(from)) => {
                format!("Move the {} on {from}.", noun(m.role()))
            }
            _ => format!("The better move is {}.", san(self.position(), m)),
        }
    }

    fn best(&self) -> String {
        let why = self.reviewed.purpose(&self.searcher, || None);
        let why = why.map(|why| format!(" {why}")).unwrap_or_default();
        let (better, line) = (self.reviewed.better(), self.reviewed.best_san());
        format!("Best is {better} ({}).{why}\n  {line}\n", self.reviewed.best.value.figure())
    }
}

impl Dialogue for Task<'_> {
    const COMMANDS: &'static str = "hint   what the better move is for; then the piece that moves; then the move\n\
        show   the better move\n\
        skip   go to the next mistake";

    fn position(&self) -> &Chess {
        self.reviewed.position()
    }

    /// The board from the side of the one who moves.
    fn picture(&self, is_flipped: bool) -> Picture {
        let (title, turn) = (format!("Before {}", self.reviewed.name()), self.reviewed.side());
        let about = format!("{} to move", side_name(turn));
        let is_flipped = is_flipped != (turn == Color::Black);
        Picture::of_pieces(title, about, self.position().board(), self.last, is_flipped)
    }

    fn command(&mut self, line: &str) -> Option<Answer> {
        Some(match line {
            "hint" => {
                self.hints += 1;
                Answer::said(self.hint())
            }
            "show" => self.ends(End::Missed, self.best()),
            "skip" => self.ends(End::Missed, String::new()),
            _ => return None,
        })
    }

    /// Says how good a move is, and whether it is good enough.
    fn play(&mut self, m: Move) -> Answer {
        let reviewed = self.reviewed;
        let found = if self.hints == 0 { End::Found } else { End::Helped };
        if reviewed.best.moves.first() == Some(&m) {
            return self.ends(found, self.best());
        }
        let name = san(self.position(), m);
        if reviewed.played.moves.first() == Some(&m) {
            let why = reviewed.reasons.first().map(|why| format!(" {why}.")).unwrap_or_default();
            return Answer::said(format!("{name} is the move that was played.{why} Try another."));
        }
        let attempt = reviewed.tried(&self.searcher, m, self.limits);
        let (value, loss) = (attempt.played.value.figure(), attempt.loss());
        if attempt.is_good() {
            return self.ends(found, format!("{name} ({value}) is good.\n{}", self.best()));
        }
        let (game, line) = (&reviewed.game, &attempt.played);
        let why = answer(&self.searcher, game, line, self.limits, Stake::default());
        let why = why.map(|why| format!(" {}.", why.text)).unwrap_or_default();
        Answer::said(format!("{name} ({value}) costs {loss:.2} of a point.{why} Try another."))
    }
}
