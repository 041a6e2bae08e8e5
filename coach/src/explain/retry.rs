//! Practice with the mistakes of games: who made one finds the better move.

use super::game_review::{GameReview, ReviewView};
use super::mistakes::{Pair, ReviewedMove, purpose};
use crate::assess::{Searcher, answer};
use crate::exercise::san;
use crate::picture::Picture;
use crate::practise::{PracticeOptions, complaint, draw, next_line, read};
use shakmaty::{Color, Move, Position};
use std::io::{self, BufRead, Write};
use tropism::eval::Engine;
use tropism::search::{Game, Limits, TranspositionTable};
use tropism::text::{counted, noun, side_name};

const HELP: &str = "Write a move as Nf3 or g1f3, a promotion as e8=Q or e7e8q. Signs such as x and + and capitals are optional.
hint   what the better move is for; then the piece that moves; then the move
show   the better move
skip   go to the next mistake
board  draw the board again
help   this list
quit   leave";

/// The mistakes of games, one after another.
pub struct Retry<'a> {
    searcher: Searcher<'a>,
    limits: &'a Limits,
    tasks: Vec<Task<'a>>,
}

struct Task<'a> {
    review: &'a GameReview,
    ply: usize,
    reviewed: &'a ReviewedMove,
}

/// How a task ended.
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
        engine: &'a Engine,
        table: &'a TranspositionTable,
        limits: &'a Limits,
        reviews: &'a [GameReview],
        view: ReviewView<'_>,
    ) -> Retry<'a> {
        let marked = reviews.iter().flat_map(|review| {
            let moves = review.moves.iter().enumerate();
            moves.map(move |(ply, reviewed)| Task { review, ply, reviewed })
        });
        let view = ReviewView { all: false, ..view };
        let is_asked =
            |task: &Task| task.reviewed.is_mistake() && view.shows(task.review, task.reviewed);
        let tasks = marked.filter(is_asked).collect();
        Retry { searcher: Searcher::new(engine, table), limits, tasks }
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
        if self.tasks.is_empty() {
            return writeln!(
                out,
                "There is nothing to practise: none of these moves is marked as a mistake."
            );
        }
        let mut ends = [0; 3];
        for (index, task) in self.tasks.iter().enumerate() {
            let number = format!("Mistake {} of {}", index + 1, self.tasks.len());
            writeln!(out, "{number}, {}.", task.review.game.title())?;
            let Some(end) = self.ask(task, &mut input, out, options)? else { break };
            ends[end as usize] += 1;
        }
        let [found, helped, missed] = ends;
        let of = counted(self.tasks.len() as u64, "mistake");
        writeln!(
            out,
            "Of {of} you corrected {found} alone and {helped} with help; {missed} you gave up."
        )
    }

    /// Asks for one mistake; none if the user leaves.
    fn ask(
        &self,
        task: &Task,
        input: &mut impl BufRead,
        out: &mut impl Write,
        options: PracticeOptions,
    ) -> io::Result<Option<End>> {
        let mut game = Game::new(task.review.game.start.clone());
        task.review.game.moves[..task.ply].iter().for_each(|&m| game.play(m));
        let reviewed = task.reviewed;
        let side = side_name(reviewed.side);
        writeln!(
            out,
            "{side} played {}. Find a better move; `help` lists the commands.",
            reviewed.name
        )?;
        task.draw(out, options)?;
        let mut hints = 0;
        loop {
            let Some(word) = next_line(input, out, options)? else { return Ok(None) };
            match word.to_lowercase().as_str() {
                "" => {}
                "hint" => {
                    hints += 1;
                    writeln!(out, "{}", self.hint(&game, reviewed, hints))?;
                }
                "show" | "skip" => {
                    if word.eq_ignore_ascii_case("show") {
                        self.say_best(&game, reviewed, out)?;
                    }
                    return Ok(Some(End::Missed));
                }
                "board" => task.draw(out, options)?,
                "help" => writeln!(out, "{HELP}")?,
                "quit" | "exit" => return Ok(None),
                _ => match read(&word, game.position().chess()) {
                    Ok(m) if self.judge(&game, task, m, out)? => {
                        return Ok(Some(if hints == 0 { End::Found } else { End::Helped }));
                    }
                    Ok(_) => {}
                    Err(misread) => {
                        writeln!(out, "{}", complaint(game.position().chess(), &word, misread))?;
                    }
                },
            }
        }
    }

    /// Says how good a move is, and whether it is good enough.
    fn judge(&self, game: &Game, task: &Task, m: Move, out: &mut impl Write) -> io::Result<bool> {
        let reviewed = task.reviewed;
        if reviewed.best.moves.first() == Some(&m) {
            self.say_best(game, reviewed, out)?;
            return Ok(true);
        }
        let name = san(game.position().chess(), m);
        if task.review.game.moves[task.ply] == m {
            let why = reviewed.reasons.first().map(|why| format!(" {why}.")).unwrap_or_default();
            writeln!(out, "{name} is the move that was played.{why} Try another.")?;
            return Ok(false);
        }
        let attempt = Pair::tried(&self.searcher, game, reviewed.best.clone(), m, self.limits);
        let value = attempt.played.value.figure();
        if attempt.is_good() {
            writeln!(out, "{name} ({value}) is good.")?;
            self.say_best(game, reviewed, out)?;
            return Ok(true);
        }
        let why = answer(&self.searcher, game, &attempt.played, self.limits);
        let why = why.map(|why| format!(" {}.", why.text)).unwrap_or_default();
        writeln!(
            out,
            "{name} ({value}) costs {:.2} of a point.{why} Try another.",
            attempt.loss()
        )?;
        Ok(false)
    }

    /// First what the better move is for, then its piece, then the move.
    fn hint(&self, game: &Game, reviewed: &ReviewedMove, hints: u32) -> String {
        let Some(&m) = reviewed.best.moves.first() else { return String::new() };
        let why = purpose(&self.searcher, game, &reviewed.best);
        match (hints, why, m.from()) {
            (1, Some((_, why)), _) => match why.strip_prefix("It ") {
                Some(why) => format!("The better move {why}"),
                None => format!("After the better move: {why}"),
            },
            (..=2, _, Some(from)) => format!("Move the {} on {from}.", noun(m.role())),
            _ => format!("The better move is {}.", san(game.position().chess(), m)),
        }
    }

    fn say_best(
        &self,
        game: &Game,
        reviewed: &ReviewedMove,
        out: &mut impl Write,
    ) -> io::Result<()> {
        let why = purpose(&self.searcher, game, &reviewed.best);
        let why = why.map(|(_, why)| format!(" {why}")).unwrap_or_default();
        let (line, value) = (&reviewed.best_san, reviewed.best.value.figure());
        let first = line.split(' ').next().unwrap_or_default();
        writeln!(out, "Best is {first} ({value}).{why}\n  {line}\n")
    }
}

impl Task<'_> {
    /// The board from the side of the one who moves.
    fn draw(&self, out: &mut impl Write, options: PracticeOptions) -> io::Result<()> {
        let position = self.review.game.position(self.ply);
        let title = format!("Before {}", self.reviewed.name);
        let about = format!("{} to move", side_name(position.turn()));
        let last = self.ply.checked_sub(1).map(|ply| self.review.game.moves[ply]);
        let mut picture = Picture::of_pieces(title, about, position.board(), last);
        if options.flipped != (position.turn() == Color::Black) {
            picture.flip();
        }
        draw(&picture, out, options)
    }
}
