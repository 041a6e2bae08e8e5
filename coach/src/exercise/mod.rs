//! An ending played against exact tables.

mod start;

use super::picture::Picture;
use shakmaty::{Chess, Color, EnPassantMode, Move, Position, fen::Fen, san::SanPlus};
use std::fmt;
use tropism::endgame::{Dtm, Endgames};
use tropism::geometry::chebyshev;
use tropism::search::{Game, GameOutcome};
use tropism::text::{capitalized, castling_mode, counted, line_in_san};

#[cfg(test)]
pub(super) use start::random_board;
pub use start::{hard_draw, won_position};

/// How many of its next moves the attacker of a drawn position looks at.
const LOOK_AHEAD: u32 = 2;

/// A game from a position. If one side wins it, this side has to mate; if it is a draw, the user has to hold
/// it for [`HELD`](Exercise::HELD) moves.
///
/// ```
/// use tropism::{endgame::{Dtm, Endgames}, search::Game};
/// use tropism_coach::{Exercise, Hint};
/// let mut endgames = Endgames::default();
/// endgames.build("KRK".parse()?);
/// let start = Game::from_fen("7k/8/5K2/8/8/8/8/R7 w - - 0 1", None)?;
/// let exercise = Exercise::new(endgames, start.position().chess().clone(), shakmaty::Color::White);
/// assert_eq!((exercise.value(), exercise.minimum()), (Dtm::Win(3), 2));
/// let hint = Hint::new(&tropism::default_engine()?, &exercise).to_string();
/// assert!(hint.contains("mate in 2."));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Exercise {
    endgames: Endgames,
    start: Chess,
    /// The moves, each with the position after it.
    played: Vec<(Move, Chess)>,
    pub(super) user: Color,
    /// The side that wins the start position, or tries to.
    pub(super) attacker: Color,
    /// Whether the start position is a draw, which the user has to hold.
    pub(super) is_drawn: bool,
}

/// How an exercise ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExerciseResult {
    /// The attacker of a won position has mated.
    Mate,
    /// The rules end the game as a draw.
    Drawn(GameOutcome),
    /// The attacker made a mistake: the position is no longer won.
    NotWon,
    /// The defender of a drawn position made a mistake: it is lost now.
    Lost,
    /// The defender has held a drawn position for long enough.
    Held,
}

/// In a sentence.
impl fmt::Display for ExerciseResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ExerciseResult::Mate => "Checkmate.",
            ExerciseResult::NotWon => "The win is gone: with best play it is a draw.",
            ExerciseResult::Lost => "The draw is gone.",
            ExerciseResult::Held => "The draw is held.",
            ExerciseResult::Drawn(how) => return write!(f, "{}.", capitalized(&how.to_string())),
        })
    }
}

impl Exercise {
    /// Whoever holds a draw for so many moves has shown how.
    pub const HELD: usize = 20;

    /// `endgames` must contain the table of the start position; without it every position counts as drawn.
    pub fn new(endgames: Endgames, start: Chess, user: Color) -> Exercise {
        let winner = endgames.probe(&start).and_then(|value| winner(value, start.turn()));
        let (attacker, is_drawn) = (winner.unwrap_or(!user), winner.is_none());
        Exercise { endgames, start, played: Vec::new(), user, attacker, is_drawn }
    }

    /// The exercise after some more legal moves of both sides.
    pub fn after(mut self, moves: &[Move]) -> Exercise {
        for &m in moves {
            self.play(m);
        }
        self
    }

    /// Whether the user has reached the goal, or has been mated in a lost position: nothing is left to play.
    pub(super) fn is_finished(&self) -> bool {
        match self.result() {
            None | Some(ExerciseResult::NotWon | ExerciseResult::Lost) => false,
            Some(ExerciseResult::Mate) => true,
            Some(_) => self.is_drawn,
        }
    }

    /// The current position.
    pub fn position(&self) -> &Chess {
        self.played.last().map_or(&self.start, |(_, position)| position)
    }

    pub(super) fn is_users_turn(&self) -> bool {
        self.position().turn() == self.user
    }

    /// The exact value for the side to move.
    pub fn value(&self) -> Dtm {
        self.value_of(self.position())
    }

    fn value_of(&self, position: &Chess) -> Dtm {
        // A position without a table has too few pieces to mate.
        self.endgames.probe(position).unwrap_or(Dtm::Draw)
    }

    /// The legal moves with their values for the side to move, the best first.
    pub fn moves(&self) -> Vec<(Move, Dtm)> {
        self.endgames.moves(self.position()).unwrap_or_default()
    }

    /// The program's move: the best one. If all draw, the one that sets most problems, or else a capture. `None` if
    /// there is no legal move.
    pub fn reply(&self) -> Option<Move> {
        let moves = self.moves();
        let &(first, best) = moves.first()?;
        if best != Dtm::Draw {
            return Some(first);
        }
        let draws = moves.iter().filter(|&&(_, value)| value == best).map(|&(m, _)| m);
        if self.is_drawn && !self.is_users_turn() {
            let effort = |m: Move| (m, self.ease_after(m));
            let easiest_last = draws.map(effort).min_by(|(_, a), (_, b)| a.total_cmp(b));
            return easiest_last.map(|(m, _)| m);
        }
        Some(draws.into_iter().find(|m| m.is_capture()).unwrap_or(first))
    }

    /// How easily the user holds after a move of the attacker, lower if it is harder.
    fn ease_after(&self, m: Move) -> f64 {
        const AGAIN: f64 = 1.0;
        const FAR: f64 = 0.001;
        let next = after(self.position(), m);
        let before = self.played.iter().map(|(_, position)| position);
        let is_again = before.chain([&self.start]).any(|position| position.board() == next.board());
        let kings = Color::ALL.map(|side| next.board().king_of(side));
        let apart = match kings {
            [Some(one), Some(other)] => f64::from(chebyshev(one, other)),
            _ => 0.0,
        };
        let again = if is_again { AGAIN } else { 0.0 };
        holding_chance(&self.endgames, &next, LOOK_AHEAD) + again + FAR * apart
    }

    /// The best reply to a legal move, and its value for the side that replies.
    pub(super) fn best_reply(&self, m: Move) -> Option<(Move, Dtm)> {
        self.endgames.moves(&after(self.position(), m))?.first().copied()
    }

    /// What a legal move costs, in words without a full stop; `None` if the table is missing.
    pub fn cost(&self, m: Move) -> Option<String> {
        let values = self.moves();
        let &(_, value) = values.iter().find(|&&(other, _)| other == m)?;
        let &(best, best_value) = values.first()?;
        let best_move = format!("{} ({best_value})", san(self.position(), best));
        let is_win = matches!(best_value, Dtm::Win(_));
        Some(match lost_moves(best_value, value).map(|lost| (lost, counted(lost.into(), "move"))) {
            Some((0, _)) => "there is no better move".to_owned(),
            Some((_, lost)) if is_win => format!("mate takes {lost} longer than with {best_move}"),
            Some((_, lost)) => format!("mate comes {lost} sooner than with {best_move}"),
            None if is_win => "the win is gone".to_owned(),
            None => "the draw is gone".to_owned(),
        })
    }

    /// Plays a legal move. Returns it in SAN with its number, such as `3...Kd7`.
    pub fn play(&mut self, m: Move) -> String {
        let name = line_in_san(self.position(), &[m]);
        self.played.push((m, after(self.position(), m)));
        name
    }

    /// Takes back the user's last move and the reply. Returns whether there was one.
    pub(super) fn take_back(&mut self) -> bool {
        let parity = usize::from(self.start.turn() != self.user);
        let last = (0..self.played.len()).rev().find(|ply| ply % 2 == parity);
        if let Some(ply) = last {
            self.played.truncate(ply);
        }
        last.is_some()
    }

    /// How the game ended, or `None` if it goes on.
    pub fn result(&self) -> Option<ExerciseResult> {
        let is_won = winner(self.value(), self.position().turn()) == Some(self.attacker);
        match self.game().outcome() {
            Some(how @ (GameOutcome::Stalemate | GameOutcome::InsufficientMaterial)) => {
                Some(ExerciseResult::Drawn(how))
            }
            _ if is_won && self.is_drawn => Some(ExerciseResult::Lost),
            _ if !is_won && !self.is_drawn => Some(ExerciseResult::NotWon),
            Some(GameOutcome::Checkmate { .. }) => Some(ExerciseResult::Mate),
            Some(how) => Some(ExerciseResult::Drawn(how)),
            None => {
                (self.is_drawn && self.used() >= Exercise::HELD).then_some(ExerciseResult::Held)
            }
        }
    }

    fn game(&self) -> Game {
        let mut game = Game::new(self.start.clone());
        self.played.iter().for_each(|&(m, _)| game.play(m));
        game
    }

    /// The board as text, with the target square of the last move marked; in colour, as
    /// figurines with both squares marked.
    pub(super) fn picture(&self, title: String, about: String, is_flipped: bool) -> Picture {
        let last = self.played.last().map(|&(last, _)| last);
        Picture::of_pieces(title, about, self.position().board(), last, is_flipped)
    }

    /// The number of moves so far of the side that has to mate, or to hold a draw.
    pub fn used(&self) -> usize {
        let counted = if self.is_drawn { self.user } else { self.attacker };
        (self.played.len() + usize::from(self.start.turn() == counted)) / 2
    }

    /// The number of moves to mate from the start position with perfect play of both sides; 0 for a draw.
    pub fn minimum(&self) -> usize {
        match self.value_of(&self.start) {
            Dtm::Win(plies) | Dtm::Loss(plies) => usize::from(plies.div_ceil(2)),
            Dtm::Draw => 0,
        }
    }
}

/// The side that wins by an exact value for the side to move.
pub fn winner(value: Dtm, turn: Color) -> Option<Color> {
    match value {
        Dtm::Win(_) => Some(turn),
        Dtm::Loss(_) => Some(!turn),
        Dtm::Draw => None,
    }
}

/// By how many moves a mate comes later than by the best value, or earlier for the side that is mated. `None` if the
/// result is another one.
pub fn lost_moves(best: Dtm, value: Dtm) -> Option<u8> {
    match (best, value) {
        (Dtm::Win(least), Dtm::Win(plies)) => Some((plies - least) / 2),
        (Dtm::Loss(most), Dtm::Loss(plies)) => Some((most - plies) / 2),
        _ => (best == value).then_some(0),
    }
}

/// A position as a FEN.
pub fn fen(position: &Chess) -> String {
    Fen::from_position(position, EnPassantMode::Legal).to_string()
}

/// Legal moves in UCI.
pub fn uci(start: &Chess, moves: &[Move]) -> Vec<String> {
    let mode = castling_mode(start);
    moves.iter().map(|m| m.to_uci(mode).to_string()).collect()
}

/// A legal move in SAN.
pub fn san(position: &Chess, m: Move) -> String {
    SanPlus::from_move(position.clone(), m).to_string()
}

/// The position after a legal move.
pub fn after(position: &Chess, m: Move) -> Chess {
    let mut next = position.clone();
    next.play_unchecked(m);
    next
}

/// How probable it is that a defender who moves at random holds a draw during its next moves, while each of the
/// attacker's moves makes it least probable. More than 1 if there is no problem.
fn holding_chance(endgames: &Endgames, position: &Chess, moves: u32) -> f64 {
    const NO_PROBLEM: f64 = 1.5;
    let replies = endgames.moves(position).unwrap_or_default();
    if !is_problem(&replies) {
        return NO_PROBLEM;
    }
    let chances = holding(&replies).map(|m| {
        if moves == 1 {
            return 1.0;
        }
        let next = after(position, m);
        let attacks = endgames.moves(&next).unwrap_or_default();
        let draws = attacks.iter().filter(|(_, value)| *value == Dtm::Draw);
        draws
            .map(|&(m, _)| holding_chance(endgames, &after(&next, m), moves - 1))
            .fold(1.0, f64::min)
    });
    chances.sum::<f64>() / replies.len() as f64
}

/// Whether there is a move, and no capture or promotion holds: these are easily found.
fn is_problem(moves: &[(Move, Dtm)]) -> bool {
    !moves.is_empty() && !holding(moves).any(|m| m.is_capture() || m.is_promotion())
}

/// Whether a drawn position is hard to hold: at least half of the moves lose, and the others are no checks,
/// captures or promotions, and leave the attacker a next problem to set. Not all mistakes lose a piece at once.
fn is_hard(endgames: &Endgames, position: &Chess) -> bool {
    let all = |position: &Chess| endgames.moves(position).unwrap_or_default();
    let moves = all(position);
    let held: Vec<Move> = holding(&moves).collect();
    let goes_on = |&m: &Move| {
        let next = after(position, m);
        let mut draws = all(&next).into_iter().filter(|(_, value)| *value == Dtm::Draw);
        !next.is_check() && draws.any(|(m, _)| is_problem(&all(&after(&next, m))))
    };
    // Where every mistake loses a piece at once, the position is easy.
    let loses_quietly = |&(m, _): &(Move, Dtm)| {
        all(&after(position, m)).first().is_some_and(|(reply, _)| !reply.is_capture())
    };
    endgames.probe(position) == Some(Dtm::Draw)
        && is_problem(&moves)
        && 2 * held.len() <= moves.len()
        && held.iter().all(goes_on)
        && moves.iter().skip(held.len()).any(loses_quietly)
}

/// The moves that do not lose.
pub fn holding(moves: &[(Move, Dtm)]) -> impl Iterator<Item = Move> {
    moves.iter().filter(|(_, value)| value.rank() >= 0).map(|&(m, _)| m)
}

#[cfg(test)]
mod tests {
    use super::*;
    const ROOK: &str = "7k/8/5K2/8/8/8/8/R7 w - - 0 1";

    fn parse_move(san: &str, position: &Chess) -> Move {
        san.parse::<SanPlus>().unwrap().san.to_move(position).unwrap()
    }

    fn exercise(fen: &str, user: Color, moves: &str) -> Exercise {
        let start = Game::from_fen(fen, None).unwrap().position().chess().clone();
        let mut endgames = Endgames::default();
        endgames.build(tropism::endgame::Material::on(start.board()).unwrap());
        moves.split_whitespace().fold(Exercise::new(endgames, start, user), |exercise, word| {
            let m = parse_move(word, exercise.position());
            exercise.after(&[m])
        })
    }

    /// The lines of `results.txt`: a position, moves and the result.
    #[test]
    fn results_of_games() {
        for line in include_str!("results.txt").lines().filter(|line| line.contains('|')) {
            let mut parts = line.split('|').map(str::trim);
            let [fen, moves, result] = [(); 3].map(|()| parts.next().unwrap());
            let found = exercise(fen, Color::White, moves).result();
            assert_eq!(format!("{found:?}"), result, "{line}");
        }
    }

    #[test]
    fn moves_are_counted_and_taken_back() {
        let mut start = exercise(ROOK, Color::White, "");
        assert_eq!((start.minimum(), start.used()), (2, 0));
        assert!(!start.take_back());
        let mut exercise = exercise(ROOK, Color::White, "Rb1 Kh7");
        assert_eq!((exercise.minimum(), exercise.used()), (2, 1));
        assert!(exercise.is_users_turn() && exercise.take_back());
        assert_eq!((exercise.value(), exercise.used()), (Dtm::Win(3), 0));
    }

    /// Black holds king and pawn against king, to move.
    fn defence(moves: &str) -> Exercise {
        exercise("8/4k3/8/3KP3/8/8/8/8 b - - 0 1", Color::Black, moves)
    }

    #[test]
    fn a_draw_is_held_or_lost() {
        let mut start = defence("");
        assert!(start.is_drawn && start.is_users_turn() && start.minimum() == 0);
        assert_eq!((start.result(), start.used()), (None, 0));
        let wrong = parse_move("Kd8", start.position());
        assert_eq!(start.cost(wrong).as_deref(), Some("the draw is gone"));
        assert_eq!(start.play(wrong), "1...Kd8");
        assert_eq!((start.result(), start.used()), (Some(ExerciseResult::Lost), 1));
        // White's king reaches a key square.
        let reply = start.reply().unwrap();
        assert_eq!(start.play(reply), "2.Ke6");
        assert!(!start.is_finished() && start.take_back() && !start.take_back());
        let end = defence("Kd7 e6+ Ke7 Ke5 Ke8 Kd6 Kd8 e7+ Ke8 Ke6");
        assert_eq!(end.result(), Some(ExerciseResult::Drawn(GameOutcome::Stalemate)));
        assert!(end.is_finished() && end.used() == 5);
        let again = "Kd7 Kd4 Ke7 Kd5 ".repeat(2) + "Kd7";
        assert_eq!(defence(&again).result(), Some(ExerciseResult::Drawn(GameOutcome::Repetition)));
    }

    /// Against the attacker's problems, a defender that moves at random is soon lost.
    #[test]
    fn the_attacker_sets_problems() {
        let mut random = tropism::random::SplitMix64(1);
        let (mut lost, mut moves) = (0, 0);
        for seed in 0..20 {
            let mut exercise = defence("");
            exercise.start = hard_draw(&exercise.endgames, "KPK".parse().unwrap(), seed).unwrap();
            while exercise.result().is_none() {
                let m = match exercise.is_users_turn() {
                    true => exercise.moves()[random.below(exercise.moves().len())].0,
                    false => exercise.reply().unwrap(),
                };
                exercise.play(m);
                moves += usize::from(!exercise.is_users_turn());
                // The attacker keeps the draw.
                assert!(!exercise.is_users_turn() || exercise.value() == Dtm::Draw);
            }
            lost += u32::from(exercise.result() == Some(ExerciseResult::Lost));
        }
        assert!(lost > 15 && moves < 60, "{lost} {moves}");
    }

    #[test]
    fn the_reply_prefers_a_capture_if_all_moves_draw() {
        let exercise = exercise(ROOK, Color::White, "Ra7 Kg8 Rg7 Kh8 Rg8");
        assert!(exercise.reply().unwrap().is_capture());
    }
}
