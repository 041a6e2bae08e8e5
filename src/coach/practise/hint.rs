//! What a hint says: the best move, why it is good, and what a wrong move would allow.

use super::changes::changes;
use super::lone_pawn::LonePawn;
use super::moves;
use super::reasons::Played;
use super::words::{after, no_other_move, noun};
use crate::coach::exercise::Exercise;
use crate::endgame::Dtm;
use crate::eval::Engine;
use shakmaty::{Chess, Color, Move, Position, san::SanPlus};
use std::fmt::{self, Write};

/// How many changes a hint names.
const REASONS: usize = 3;

/// A hint for the side to move.
pub(super) struct Hint<'a> {
    engine: &'a Engine,
    position: &'a Chess,
    /// The legal moves with their values, the best first.
    values: Vec<(Move, Dtm)>,
    /// The best move and the best reply.
    line: Vec<Move>,
    value: Dtm,
}

impl<'a> Hint<'a> {
    pub(super) fn new(engine: &'a Engine, exercise: &'a Exercise) -> Hint<'a> {
        Hint {
            engine,
            position: exercise.position(),
            values: exercise.moves(),
            line: exercise.line().into_iter().take(2).collect(),
            value: exercise.value(),
        }
    }

    fn user(&self) -> Color {
        self.position.turn()
    }

    /// The reasons for a move, the most important first, without full stops.
    fn reasons(&self, m: Move) -> Vec<String> {
        let played = Played::new(self.position, m);
        let mut reasons = match LonePawn::on(self.position) {
            Some(lone_pawn) if m.is_promotion() => {
                [lone_pawn.reasons(self.position, m), played.squares_taken().into_iter().collect()]
                    .concat()
            }
            Some(lone_pawn) => lone_pawn.reasons(self.position, m),
            None => played.reasons(),
        };
        if reasons.is_empty() {
            reasons.push(no_other_move(self.user()).to_owned());
        }
        reasons.truncate(REASONS);
        reasons
    }

    /// A move that costs two moves or more, or the win, and looks good all the same: the best one by the
    /// engine's evaluation, if possible one that loses no piece at once. A lone pawn is about win or draw,
    /// so there a move that gives the win away comes first. And what it costs.
    fn mistake(&self) -> Option<String> {
        let loss = |value: Dtm| match (self.value, value) {
            (Dtm::Win(least), Dtm::Win(plies)) => Some((plies - least) / 2),
            (Dtm::Loss(most), Dtm::Loss(plies)) => Some((most - plies) / 2),
            (best, value) if best == value => Some(0),
            // The win is gone.
            _ => None,
        };
        let costly =
            self.values.iter().filter(|&&(_, value)| loss(value).is_none_or(|loss| loss > 1));
        let &(m, value) = costly.max_by_key(|&&(m, value)| {
            let next = after(self.position, m);
            let keeps_all = next.legal_moves().iter().all(|reply| !reply.is_capture());
            let gives_away = LonePawn::on(self.position).is_some() && loss(value).is_none();
            (gives_away && LonePawn::on(&next).is_some(), keeps_all, -self.engine.evaluate(&next))
        })?;
        let san = SanPlus::from_move(self.position.clone(), m);
        Some(match (loss(value), self.value) {
            (None, _) => format!("{san} would give the win away: {}", self.refutation(m, value)),
            (Some(cost), Dtm::Win(_)) => {
                format!("{san} would be slower: mate takes {} longer", moves(cost.into()))
            }
            (Some(cost), _) => {
                format!("{san} would be worse: mate comes {} sooner", moves(cost.into()))
            }
        })
    }

    /// How the other side is saved after a move.
    fn refutation(&self, m: Move, value: Dtm) -> String {
        let next = after(self.position, m);
        if next.is_stalemate() {
            return "stalemate".to_owned();
        }
        let capture = next.legal_moves().into_iter().find(|reply| reply.is_capture());
        match capture.and_then(|reply| Some((reply, reply.capture()?))) {
            Some((reply, taken)) => {
                let san = SanPlus::from_move(next.clone(), reply);
                format!("{san} takes the {}", noun(taken))
            }
            None if value == Dtm::Draw => LonePawn::on(&next)
                .and_then(|lone_pawn| lone_pawn.refutation(&next))
                .unwrap_or_else(|| "the position is drawn".to_owned()),
            None => format!("{value}"),
        }
    }

    /// Everything that the best move and the reply change.
    pub(super) fn all(&self) -> String {
        let mut text = String::new();
        let mut last = self.position.clone();
        let line: Vec<String> = self
            .line
            .iter()
            .map(|&m| SanPlus::from_move_and_play_unchecked(&mut last, m).to_string())
            .collect();
        let changes = changes(&self.engine.trace(self.position), &self.engine.trace(&last));
        // Writing into a string cannot fail.
        let _ = match &line[..] {
            [best, reply] => {
                writeln!(
                    text,
                    "Best is {best}, {}. After {best} {reply} the terms of the evaluation count:",
                    self.value
                )
            }
            line => writeln!(text, "Best is {}, {}.", line.concat(), self.value),
        };
        if changes.is_empty() {
            text.push_str("  The same as before.\n");
        }
        // The term with the largest change first.
        let mut terms: Vec<&str> = Vec::new();
        for change in &changes {
            if !terms.contains(&change.term) {
                terms.push(change.term);
            }
        }
        for term in terms {
            let _ = writeln!(text, "  {term}");
            for change in changes.iter().filter(|change| change.term == term) {
                let _ = writeln!(text, "    {}.", change.text);
            }
        }
        text
    }
}

impl fmt::Display for Hint<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(&best) = self.line.first() else { return Ok(()) };
        let san = SanPlus::from_move(self.position.clone(), best);
        writeln!(f, "Best is {san}, {}.", self.value)?;
        match self.values[..] {
            [_] => writeln!(f, "  It is the only legal move.")?,
            _ => self.reasons(best).iter().try_for_each(|reason| writeln!(f, "  {reason}."))?,
        }
        if let Some(mistake) = self.mistake() {
            writeln!(f, "{mistake}.")?;
        }
        Ok(())
    }
}
