//! What a hint says: the best move, why it is good, and what a wrong move would allow.

use super::lone_pawn::LonePawn;
use super::reasons::Played;
use super::rules::{fortress, rules};
use super::words::{moves, no_other_move};
use crate::exercise::{Exercise, after, holding, lost_moves, san};
use shakmaty::{Chess, Move, Position};
use std::fmt;
use tropism::endgame::Dtm;
use tropism::eval::Engine;
use tropism::text::{joined, noun, side_name};

/// How many reasons a hint names.
const REASONS: usize = 3;

/// How many moves a hint names if several hold a draw.
const NAMED: usize = 4;

/// A hint for the side to move: the best move, the reasons for it, and what a wrong move would allow. It is empty if
/// there is no legal move.
pub struct Hint<'a> {
    engine: &'a Engine,
    exercise: &'a Exercise,
    position: &'a Chess,
    /// The legal moves with their values, the best first.
    values: Vec<(Move, Dtm)>,
    value: Dtm,
}

/// The reasons for a move, the most important first, without full stops.
pub fn reasons(position: &Chess, m: Move) -> Vec<String> {
    let played = Played::new(position, m);
    match LonePawn::on(position) {
        Some(lone_pawn) if m.is_promotion() => {
            [lone_pawn.reasons(position, m), played.squares_taken().into_iter().collect()].concat()
        }
        Some(lone_pawn) => lone_pawn.reasons(position, m),
        None => played.reasons(),
    }
}

impl<'a> Hint<'a> {
    /// The hint for the current position of an exercise. The engine says which mistake looks good.
    pub fn new(engine: &'a Engine, exercise: &'a Exercise) -> Hint<'a> {
        let (position, value) = (exercise.position(), exercise.value());
        Hint { engine, exercise, position, values: exercise.moves(), value }
    }

    /// First what the best move is for, then the piece that moves, then all.
    pub fn step(&self, step: usize) -> String {
        let whole = self.to_string();
        let ideas = whole.lines().filter_map(|line| line.strip_prefix("  "));
        let ideas: Vec<&str> = ideas.filter(|idea| !idea.starts_with("No other move")).collect();
        let is_free = self.values.iter().all(|it| it.1 == self.value);
        match (step, self.values.first().and_then(|(m, _)| Some((noun(m.role()), m.from()?)))) {
            (1, _) if !ideas.is_empty() => ideas.join("\n"),
            (..=2, Some((piece, from))) if !is_free => format!("Move the {piece} on {from}."),
            _ => whole.trim_end().to_owned(),
        }
    }

    /// The best move of a decided position and the reasons for it.
    fn best(&self, best: Move, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "Best is {}, {}.", san(self.position, best), self.value)?;
        if self.values.len() == 1 {
            return writeln!(f, "  It is the only legal move.");
        }
        let mut reasons = reasons(self.position, best);
        if reasons.is_empty() {
            reasons.push(no_other_move(matches!(self.value, Dtm::Win(_))).to_owned());
        }
        reasons.iter().take(REASONS).try_for_each(|reason| writeln!(f, "  {reason}."))
    }

    /// The moves that hold a draw, and what they have in common.
    fn hold(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let held: Vec<Move> = holding(&self.values).collect();
        let lost: Vec<Move> = self.values.iter().map(|&(m, _)| m).skip(held.len()).collect();
        if lost.is_empty() {
            return writeln!(f, "Every move holds the draw.");
        }
        let names: Vec<String> = held.iter().map(|&m| san(self.position, m)).collect();
        match &names[..] {
            [only] => writeln!(f, "Only {only} holds the draw.")?,
            names if names.len() <= NAMED => writeln!(f, "{} hold the draw.", joined(names))?,
            names => writeln!(f, "{} moves hold the draw, such as {}.", names.len(), names[0])?,
        }
        for rule in rules(self.position, &held, &lost, REASONS) {
            writeln!(f, "  {rule}.")?;
        }
        fortress(self.position).map_or(Ok(()), |fortress| writeln!(f, "  {fortress}."))
    }

    /// A move that costs two moves or more, or the win, and looks good all the same: the best one by the
    /// engine's evaluation, if possible one that loses no piece at once. A lone pawn is about win or draw,
    /// so there a move that gives the win away comes first, and everywhere stalemate. And what it costs.
    fn mistake(&self) -> Option<String> {
        let loss = |value: Dtm| lost_moves(self.value, value);
        let costly =
            self.values.iter().filter(|&&(_, value)| loss(value).is_none_or(|loss| loss > 1));
        let &(m, value) = costly.max_by_key(|&&(m, value)| {
            let next = after(self.position, m);
            let keeps_all = next.legal_moves().iter().all(|reply| !reply.is_capture());
            let gives_away = LonePawn::on(self.position).is_some() && loss(value).is_none();
            let value = -self.engine.evaluate(&next);
            // Stalemate is what players overlook most.
            (next.is_stalemate(), gives_away && LonePawn::on(&next).is_some(), keeps_all, value)
        })?;
        let name = san(self.position, m);
        Some(match (loss(value), self.value) {
            (None, Dtm::Draw) => {
                let (reply, Dtm::Win(plies)) = self.exercise.best_reply(m)? else { return None };
                let reply = san(&after(self.position, m), reply);
                let (attacker, moves) = (side_name(!self.position.turn()), plies.div_ceil(2));
                format!("{name} would lose: {attacker} answers {reply} and mates in {moves}")
            }
            (None, _) => format!("{name} would give the win away: {}", self.refutation(m, value)),
            (Some(cost), Dtm::Win(_)) => {
                format!("{name} would be slower: mate takes {} longer", moves(cost))
            }
            (Some(cost), _) => {
                format!("{name} would be worse: mate comes {} sooner", moves(cost))
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
                format!("{} takes the {}", san(&next, reply), noun(taken))
            }
            None if value == Dtm::Draw => LonePawn::on(&next)
                .and_then(|lone_pawn| lone_pawn.refutation(&next))
                .unwrap_or_else(|| "the position is drawn".to_owned()),
            None => format!("{value}"),
        }
    }
}

impl fmt::Display for Hint<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.values.first() {
            None => return Ok(()),
            Some(_) if self.value == Dtm::Draw => self.hold(f)?,
            Some(&(best, _)) => self.best(best, f)?,
        }
        if let Some(mistake) = self.mistake() {
            writeln!(f, "{mistake}.")?;
        }
        Ok(())
    }
}
