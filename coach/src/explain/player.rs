//! One player over many games: where points are lost, what is missed, and what to practise.

use super::game_review::GameReview;
use super::mistakes::ReviewedMove;
use super::summary::{accuracy, counted_marks};
use crate::assess::{TELLING, WhiteValue};
use crate::exercise::{after, fen};
use crate::motifs::{Motif, motifs_of_line};
use serde_json::{Value, json};
use shakmaty::{Chess, Color, Move, Position, Square};
use std::{collections::BTreeSet, fmt};
use tropism::eval::{ENDGAME_PHASE, EvalContext};
use tropism::search::see_ge;
use tropism::text::{capitalized, counted, joined, wrapped};

/// The last move of the opening.
const OPENING_MOVES: u32 = 12;
const PHASES: [&str; 3] = ["opening", "middlegame", "endgame"];
/// What a line without a motif is about.
const QUIET: &str = "quiet moves";
/// The most things to practise, and positions for each.
const THINGS: usize = 3;
const POSITIONS: usize = 3;

/// The moves of one player in reviewed games. Prints as text.
#[derive(Debug)]
pub struct PlayerReport<'a> {
    name: &'a str,
    games: Vec<(&'a GameReview, Color)>,
}

/// A mistake, where it was made, and what it was about.
struct Lapse<'a> {
    review: &'a GameReview,
    reviewed: &'a ReviewedMove,
    missed: &'static str,
    allowed: &'static str,
}

impl<'a> PlayerReport<'a> {
    /// The games of a player, whose name is that in the file or a part of it.
    pub fn new(reviews: &'a [GameReview], name: &'a str) -> PlayerReport<'a> {
        let games = reviews.iter().filter_map(|it| Some((it, it.game.side_of(name)?)));
        PlayerReport { name, games: games.collect() }
    }

    /// The report in JSON, with the games that it is made of.
    pub fn json(&self, games: Vec<Value>) -> Value {
        json!({ "player": self.name, "summary": self.to_string(), "games": games })
    }

    /// The moves of the player, each with its game.
    fn moves(&self) -> impl Iterator<Item = (&'a GameReview, &'a ReviewedMove)> {
        self.games.iter().flat_map(|&(review, side)| {
            let moves = review.moves.iter().filter(move |it| it.side() == side);
            moves.map(move |it| (review, it))
        })
    }

    fn lapses(&self) -> Vec<Lapse<'a>> {
        let mistakes = self.moves().filter(|(_, reviewed)| reviewed.is_mistake());
        let lapse = |(review, reviewed): (&'a GameReview, &'a ReviewedMove)| {
            let ReviewedMove { best, played, .. } = reviewed;
            let (m, start) = (played.moves[0], reviewed.position());
            let taken = m.is_capture().then_some(m.to());
            let missed = idea(start, &best.moves, best.value, None);
            let allowed = idea(&after(start, m), &played.moves[1..], played.value, taken);
            Lapse { review, reviewed, missed, allowed }
        };
        mistakes.map(lapse).collect()
    }

    fn write_phases(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for (index, phase) in PHASES.into_iter().enumerate() {
            let moves = self.moves().map(|(_, reviewed)| reviewed);
            let moves: Vec<&ReviewedMove> =
                moves.filter(|it| phase_of(it.position()) == index).collect();
            let Some(accuracy) = accuracy(&moves) else { continue };
            let (count, lost) = (moves.len(), moves.iter().map(|it| it.loss()).sum::<f64>());
            let marks = joined(&counted_marks(&moves));
            let row = format!(
                "  {phase:<10} {count:>5} moves, accuracy {accuracy:>3.0} %, {lost:>5.2} points lost  {marks}"
            );
            wrapped(f, 0, 4, row.trim_end())?;
        }
        Ok(())
    }
}

impl fmt::Display for PlayerReport<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let results = ["won", "drawn", "lost"].map(|what| {
            let is_so = |&&(review, side): &&(&GameReview, Color)| match review.loser() {
                Some(loser) => what == if loser == side { "lost" } else { "won" },
                None => what == "drawn" && review.game.result == "1/2-1/2",
            };
            format!("{} {what}", self.games.iter().filter(is_so).count())
        });
        let games = counted(self.games.len() as u64, "game");
        wrapped(f, 0, 2, &format!("{}: {games}, {}.", self.name, joined(&results)))?;
        self.write_phases(f)?;
        let lapses = self.lapses();
        let named: BTreeSet<&str> = lapses.iter().flat_map(|it| [it.missed, it.allowed]).collect();
        let things = named.into_iter().map(|what| {
            let mut about: Vec<&Lapse> =
                lapses.iter().filter(|it| [it.missed, it.allowed].contains(&what)).collect();
            about.sort_by(|a, b| b.reviewed.loss().total_cmp(&a.reviewed.loss()));
            let cost = about.iter().map(|lapse| lapse.reviewed.loss()).sum();
            (cost, what, about)
        });
        let mut things: Vec<(f64, &str, Vec<&Lapse>)> = things.collect();
        things.sort_by(|a, b| b.0.total_cmp(&a.0));
        things.retain(|(cost, what, _)| *cost > 0.0 && *what != QUIET);
        things.truncate(THINGS);
        for (number, (cost, what, about)) in things.iter().enumerate() {
            let missed = about.iter().filter(|lapse| lapse.missed == *what).count();
            let allowed = about.iter().filter(|lapse| lapse.allowed == *what).count();
            let (number, name) = (number + 1, capitalized(what));
            let sentence = format!(
                "{number}. {name}: missed {missed}, allowed {allowed}; {cost:.2} points lost."
            );
            writeln!(f)?;
            wrapped(f, 0, 3, &sentence)?;
            for Lapse { review, reviewed, .. } in about.iter().take(POSITIONS) {
                let (name, better) = (reviewed.marked_name(), reviewed.better());
                wrapped(f, 0, 5, &format!("   {}: {name}, better {better}", review.game.title()))?;
                writeln!(f, "     {}", fen(reviewed.position()))?;
            }
        }
        Ok(())
    }
}

/// What a line is about: the motif that decides it, a mate, or neither. On `taken` it only takes back.
fn idea(start: &Chess, line: &[Move], value: WhiteValue, taken: Option<Square>) -> &'static str {
    if matches!(value, WhiteValue::Mate(winner, 1..) if winner == start.turn()) {
        return "mates";
    }
    let found = motifs_of_line(start, line, start.turn());
    let telling = found.iter().filter(|found| found.is_soon() && TELLING.contains(&found.motif));
    let first = line.first().filter(|m| m.is_capture() && Some(m.to()) != taken);
    let takes = first.is_some_and(|&m| see_ge(start, m, 100));
    let plain = if takes { Motif::HangingPiece.title() } else { QUIET };
    telling.map(|found| found.motif.title()).next().unwrap_or(plain)
}

/// The index in [`PHASES`].
fn phase_of(position: &Chess) -> usize {
    match EvalContext::new(position).phase {
        ..=ENDGAME_PHASE => 2,
        _ if position.fullmoves().get() <= OPENING_MOVES => 0,
        _ => 1,
    }
}
