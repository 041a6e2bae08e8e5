//! What a hint says: the best move, why it is good, and what a wrong move would allow.

use super::lone_pawn::LonePawn;
use super::rules::{fortress, rules};
use super::words::moves;
use crate::exercise::{Exercise, after, holding, lost_moves, san};
use crate::motifs::Step;
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
    let Some(step) = Step::new(1, position, m) else { return Vec::new() };
    let Some(lone_pawn) = LonePawn::on(position) else { return step.reasons() };
    let taken = step.squares_taken().filter(|_| m.is_promotion());
    lone_pawn.reasons(position, m).into_iter().chain(taken).collect()
}

impl<'a> Hint<'a> {
    /// The hint for the current position of an exercise. The engine says which mistake looks good.
    pub fn new(engine: &'a Engine, exercise: &'a Exercise) -> Hint<'a> {
        let (position, value) = (exercise.position(), exercise.value());
        Hint { engine, exercise, position, values: exercise.moves(), value }
    }

    /// First what the best move is for, then the piece that moves, then all.
    pub fn step(&self, step: usize) -> String {
        let (_, ideas) = self.best();
        let is_free = self.values.iter().all(|it| it.1 == self.value);
        match (step, self.values.first().and_then(|(m, _)| Some((noun(m.role()), m.from()?)))) {
            (1, _) if !ideas.is_empty() => ideas.join(".\n") + ".",
            (..=2, Some((piece, from))) if !is_free => format!("Move the {piece} on {from}."),
            _ => self.to_string().trim_end().to_owned(),
        }
    }

    /// The best move, or the moves that hold a draw, and what is good about them.
    fn best(&self) -> (String, Vec<String>) {
        let Some(&(best, _)) = self.values.first().filter(|_| self.value != Dtm::Draw) else {
            return self.hold();
        };
        let mut reasons = match self.values.len() {
            1 => vec!["It is the only legal move".to_owned()],
            _ => reasons(self.position, best),
        };
        reasons.truncate(REASONS);
        (format!("Best is {}, {}.", san(self.position, best), self.value), reasons)
    }

    /// The moves that hold a draw, and what they have in common.
    fn hold(&self) -> (String, Vec<String>) {
        let held: Vec<Move> = holding(&self.values).collect();
        let lost: Vec<Move> = self.values.iter().map(|&(m, _)| m).skip(held.len()).collect();
        let names: Vec<String> = held.iter().map(|&m| san(self.position, m)).collect();
        let head = match &names[..] {
            _ if lost.is_empty() => return ("Every move holds the draw.".to_owned(), Vec::new()),
            [only] => format!("Only {only} holds the draw."),
            names if names.len() <= NAMED => format!("{} hold the draw.", joined(names)),
            names => format!("{} moves hold the draw, such as {}.", names.len(), names[0]),
        };
        let rules = rules(self.position, &held, &lost, REASONS).into_iter();
        (head, rules.chain(fortress(self.position)).collect())
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
            Some((reply, taken)) => format!("{} takes the {}", san(&next, reply), noun(taken)),
            None if value == Dtm::Draw => LonePawn::on(&next)
                .and_then(|lone_pawn| lone_pawn.refutation(&next))
                .unwrap_or_else(|| "the position is drawn".to_owned()),
            None => format!("{value}"),
        }
    }
}

impl fmt::Display for Hint<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.values.is_empty() {
            return Ok(());
        }
        let (head, mut ideas) = self.best();
        ideas.extend(match self.value {
            Dtm::Win(_) if ideas.is_empty() => Some("No other move mates sooner".to_owned()),
            Dtm::Loss(_) if ideas.is_empty() => Some("No other move lasts longer".to_owned()),
            _ => None,
        });
        writeln!(f, "{head}")?;
        ideas.iter().try_for_each(|idea| writeln!(f, "  {idea}."))?;
        self.mistake().map_or(Ok(()), |mistake| writeln!(f, "{mistake}."))
    }
}
