//! An ending played against exact tables, for practice and demonstrations.

mod start;

use super::picture::{Cell, Picture};
use crate::endgame::{Dtm, Endgames};
use crate::search::{Game, GameOutcome};
use crate::text::counted;
use shakmaty::{Chess, Color, Move, Position, san::SanPlus};

pub(super) use start::{longest_win, won_position};

/// A game from a position that White, to move, wins.
pub(super) struct Exercise {
    endgames: Endgames,
    start: Chess,
    /// The moves, each with the position after it.
    played: Vec<(Move, Chess)>,
    user: Color,
}

/// How an exercise ended. All but a mate are draws, or soon will be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExerciseResult {
    /// White has mated.
    Mate,
    /// Stalemate.
    Stalemate,
    /// What is left cannot mate.
    InsufficientMaterial,
    /// White made a mistake: the position is no longer won.
    NotWon,
    /// Threefold repetition.
    Repetition,
    /// The fifty-move rule.
    FiftyMoves,
}

impl Exercise {
    /// `endgames` must contain the table of the start position.
    pub(super) fn new(endgames: Endgames, start: Chess, user: Color) -> Exercise {
        Exercise { endgames, start, played: Vec::new(), user }
    }

    pub(super) fn user(&self) -> Color {
        self.user
    }

    pub(super) fn position(&self) -> &Chess {
        self.played.last().map_or(&self.start, |(_, position)| position)
    }

    pub(super) fn is_users_turn(&self) -> bool {
        self.position().turn() == self.user
    }

    /// The value for the side to move.
    pub(super) fn value(&self) -> Dtm {
        self.value_of(self.position())
    }

    fn value_of(&self, position: &Chess) -> Dtm {
        // A position without a table has too few pieces to mate.
        self.endgames.probe(position).unwrap_or(Dtm::Draw)
    }

    /// The legal moves with their values for the side to move, the best first.
    pub(super) fn moves(&self) -> Vec<(Move, Dtm)> {
        self.endgames.moves(self.position()).unwrap_or_default()
    }

    /// The program's move: the best one. If all draw, a capture if there is one.
    pub(super) fn reply(&self) -> Option<Move> {
        let moves = self.moves();
        let &(first, best) = moves.first()?;
        let draws_by_capture = |&&(m, value): &&(Move, Dtm)| value == best && m.is_capture();
        let capture = moves.iter().find(draws_by_capture).filter(|_| best == Dtm::Draw);
        Some(capture.map_or(first, |&(m, _)| m))
    }

    /// Perfect play from the current position to mate.
    pub(super) fn line(&self) -> Vec<Move> {
        self.endgames.line(self.position()).unwrap_or_default()
    }

    /// What a legal move costs, in words.
    pub(super) fn cost(&self, m: Move) -> Option<String> {
        let values = self.moves();
        let &(_, value) = values.iter().find(|&&(other, _)| other == m)?;
        let &(best, best_value) = values.first()?;
        let best = SanPlus::from_move(self.position().clone(), best);
        let best_move = format!("{best} ({best_value})");
        Some(match (best_value, value) {
            _ if best_value == value => "there is no better move".to_owned(),
            (Dtm::Win(least), Dtm::Win(plies)) => {
                let more = counted(((plies - least) / 2).into(), "move");
                format!("mate takes {more} longer than with {best_move}")
            }
            (Dtm::Loss(most), Dtm::Loss(plies)) => {
                let fewer = counted(((most - plies) / 2).into(), "move");
                format!("mate comes {fewer} sooner than with {best_move}")
            }
            _ => "the win is gone".to_owned(),
        })
    }

    /// Plays a legal move. Returns it in SAN with its number, such as `3...Kd7`.
    pub(super) fn play(&mut self, m: Move) -> String {
        let mut position = self.position().clone();
        let number = self.played.len() / 2 + 1;
        let dots = position.turn().fold_wb(".", "...");
        let san = SanPlus::from_move_and_play_unchecked(&mut position, m);
        self.played.push((m, position));
        format!("{number}{dots}{san}")
    }

    /// Takes back the user's last move and the reply. Returns whether there was one.
    pub(super) fn take_back(&mut self) -> bool {
        let parity = self.user.fold_wb(0, 1);
        let last = (0..self.played.len()).rev().find(|ply| ply % 2 == parity);
        if let Some(ply) = last {
            self.played.truncate(ply);
        }
        last.is_some()
    }

    /// How the game ended, or `None` if it goes on.
    pub(super) fn result(&self) -> Option<ExerciseResult> {
        let is_won = match self.value() {
            Dtm::Win(_) => self.position().turn().is_white(),
            Dtm::Loss(_) => self.position().turn().is_black(),
            Dtm::Draw => false,
        };
        match self.game().outcome() {
            Some(GameOutcome::Stalemate) => Some(ExerciseResult::Stalemate),
            Some(GameOutcome::InsufficientMaterial) => Some(ExerciseResult::InsufficientMaterial),
            _ if !is_won => Some(ExerciseResult::NotWon),
            Some(GameOutcome::Checkmate { .. }) => Some(ExerciseResult::Mate),
            Some(GameOutcome::Repetition) => Some(ExerciseResult::Repetition),
            Some(GameOutcome::FiftyMoves) => Some(ExerciseResult::FiftyMoves),
            None => None,
        }
    }

    fn game(&self) -> Game {
        let mut game = Game::new(self.start.clone());
        self.played.iter().for_each(|&(m, _)| game.play(m));
        game
    }

    /// The board as text, with the target square of the last move marked; in colour, as
    /// figurines with both squares marked.
    pub(super) fn picture(&self, title: String, about: String) -> Picture {
        let mut picture = Picture::new(title, about);
        let last_move =
            self.played.last().map(|(last, _)| last.from().into_iter().chain([last.to()]));
        let last_move = last_move.into_iter().flatten().collect();
        picture.show_pieces(self.position().board().clone(), last_move);
        for (square, piece) in self.position().board() {
            let mark = self.played.last().is_some_and(|(last, _)| last.to() == square);
            *picture.cell(square) = Cell { text: piece.char().to_string(), heat: None, mark };
        }
        picture
    }

    /// The number of White's moves so far.
    pub(super) fn used(&self) -> usize {
        self.played.len().div_ceil(2)
    }

    /// The number of White's moves to mate from the start position with perfect play of both sides.
    pub(super) fn minimum(&self) -> usize {
        match self.value_of(&self.start) {
            Dtm::Win(plies) => usize::from(plies.div_ceil(2)),
            Dtm::Draw | Dtm::Loss(_) => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Game;

    fn parse_move(san: &str, position: &Chess) -> Move {
        san.parse::<SanPlus>().unwrap().san.to_move(position).unwrap()
    }

    fn exercise(fen: &str, moves: &str) -> Exercise {
        let start = Game::from_fen(fen, None).unwrap().position().chess().clone();
        let mut endgames = Endgames::default();
        endgames.build(crate::endgame::Material::on(start.board()).unwrap());
        let mut exercise = Exercise::new(endgames, start, Color::White);
        for word in moves.split_whitespace() {
            let m = parse_move(word, exercise.position());
            exercise.play(m);
        }
        exercise
    }

    #[test]
    fn results_of_games() {
        const ROOK: &str = "7k/8/5K2/8/8/8/8/R7 w - - 0 1";
        let result = |fen: &str, moves: &str| exercise(fen, moves).result();
        assert_eq!(result(ROOK, ""), None);
        assert_eq!(result(ROOK, "Kf7 Kh7 Rh1"), Some(ExerciseResult::Mate));
        assert_eq!(result(ROOK, "Kf7 Kh7 Rg1"), None);
        assert_eq!(result(ROOK, "Rg1 Kh7 Rg7 Kh8 Kg6"), Some(ExerciseResult::Stalemate));
        assert_eq!(
            result(ROOK, "Ra7 Kg8 Rg7 Kh8 Rg8 Kxg8"),
            Some(ExerciseResult::InsufficientMaterial)
        );
        assert_eq!(result(ROOK, "Ra7 Kg8 Rg7 Kh8 Rg8"), Some(ExerciseResult::NotWon));
        let round = "Ra2 Kg8 Ra1 Kh8 ";
        assert_eq!(result(ROOK, round), None);
        assert_eq!(result(ROOK, &round.repeat(2)), Some(ExerciseResult::Repetition));
        let late = "7k/8/5K2/8/8/8/8/R7 w - - 98 80";
        assert_eq!(result(late, "Ra2"), None);
        assert_eq!(result(late, "Ra2 Kg8"), Some(ExerciseResult::FiftyMoves));
        assert_eq!(result("7k/8/6K1/8/8/8/8/R7 w - - 99 80", "Ra8"), Some(ExerciseResult::Mate));
    }

    #[test]
    fn moves_are_counted_and_taken_back() {
        let mut exercise = exercise("7k/8/5K2/8/8/8/8/R7 w - - 0 1", "");
        assert_eq!((exercise.minimum(), exercise.used()), (2, 0));
        assert!(!exercise.take_back());
        for word in ["Rb1", "Kh7"] {
            let m = parse_move(word, exercise.position());
            exercise.play(m);
        }
        assert_eq!((exercise.minimum(), exercise.used()), (2, 1));
        assert!(exercise.is_users_turn() && exercise.take_back());
        assert_eq!((exercise.value(), exercise.used()), (Dtm::Win(3), 0));
    }

    #[test]
    fn the_reply_prefers_a_capture_if_all_moves_draw() {
        let exercise = exercise("7k/8/5K2/8/8/8/8/R7 w - - 0 1", "Ra7 Kg8 Rg7 Kh8 Rg8");
        assert!(exercise.reply().unwrap().is_capture());
    }
}
