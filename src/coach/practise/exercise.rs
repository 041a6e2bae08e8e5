//! A game of practice: what has been played, and what tables say of it.

use crate::endgame::{Dtm, Endgames};
use shakmaty::{Chess, Color, Move, Position, san::SanPlus};

/// A game from a position that White, to move, wins.
pub(in crate::coach) struct Exercise {
    endgames: Endgames,
    start: Chess,
    /// The moves and the position after each.
    played: Vec<(Move, Chess)>,
    user: Color,
}

/// How a game has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::coach) enum Ending {
    Mate,
    Stalemate,
    /// The men that are left can mate nobody.
    TooFewMen,
    /// With best play of the other side White no longer wins.
    NotWon,
    Repetition,
    FiftyMoves,
}

impl Exercise {
    /// The tables must know the start's ending.
    pub(in crate::coach) fn new(endgames: Endgames, start: Chess, user: Color) -> Exercise {
        Exercise { endgames, start, played: Vec::new(), user }
    }

    pub(in crate::coach) fn user(&self) -> Color {
        self.user
    }

    pub(in crate::coach) fn position(&self) -> &Chess {
        self.played.last().map_or(&self.start, |(_, position)| position)
    }

    pub(in crate::coach) fn is_users_turn(&self) -> bool {
        self.position().turn() == self.user
    }

    /// The move that led here.
    pub(in crate::coach) fn last(&self) -> Option<Move> {
        self.played.last().map(|&(m, _)| m)
    }

    /// The value for the side to move.
    pub(in crate::coach) fn value(&self) -> Dtm {
        self.value_of(self.position())
    }

    fn value_of(&self, position: &Chess) -> Dtm {
        // Captures lead to no ending that has no table.
        self.endgames.probe(position).unwrap_or(Dtm::Draw)
    }

    /// The moves from here with their values for the side to move, the best first.
    pub(in crate::coach) fn moves(&self) -> Vec<(Move, Dtm)> {
        self.endgames.moves(self.position()).unwrap_or_default()
    }

    /// The program's move: the best, and of several that draw one that takes something.
    pub(in crate::coach) fn reply(&self) -> Option<Move> {
        let moves = self.moves();
        let &(first, best) = moves.first()?;
        let takes = |&&(m, value): &&(Move, Dtm)| value == best && m.is_capture();
        let capture = moves.iter().find(takes).filter(|_| best == Dtm::Draw);
        Some(capture.map_or(first, |&(m, _)| m))
    }

    /// Perfect play from here to mate.
    pub(in crate::coach) fn line(&self) -> Vec<Move> {
        self.endgames.line(self.position()).unwrap_or_default()
    }

    /// Plays a legal move; gives it in SAN with its number.
    pub(in crate::coach) fn play(&mut self, m: Move) -> String {
        let mut position = self.position().clone();
        let number = self.played.len() / 2 + 1;
        let dots = position.turn().fold_wb(".", "...");
        let san = SanPlus::from_move_and_play_unchecked(&mut position, m);
        self.played.push((m, position));
        format!("{number}{dots} {san}")
    }

    /// Goes back to where the user's last move was to be made; whether there was one.
    pub(in crate::coach) fn take_back(&mut self) -> bool {
        let users = self.user.fold_wb(0, 1);
        let last = (0..self.played.len()).rev().find(|ply| ply % 2 == users);
        if let Some(ply) = last {
            self.played.truncate(ply);
        }
        last.is_some()
    }

    pub(in crate::coach) fn ending(&self) -> Option<Ending> {
        let position = self.position();
        let is_won = match self.value() {
            Dtm::Win(_) => position.turn().is_white(),
            Dtm::Loss(_) => position.turn().is_black(),
            Dtm::Draw => false,
        };
        let before = std::iter::once(&self.start).chain(self.played.iter().map(|(_, after)| after));
        if position.is_checkmate() && is_won {
            Some(Ending::Mate)
        } else if position.is_stalemate() {
            Some(Ending::Stalemate)
        } else if position.is_insufficient_material() {
            Some(Ending::TooFewMen)
        } else if !is_won {
            Some(Ending::NotWon)
        } else if before.filter(|other| *other == position).count() >= 3 {
            Some(Ending::Repetition)
        } else if position.halfmoves() >= 100 {
            Some(Ending::FiftyMoves)
        } else {
            None
        }
    }

    /// White's moves so far.
    pub(in crate::coach) fn used(&self) -> usize {
        self.played.len().div_ceil(2)
    }

    /// White's moves to mate from the start when both sides play perfectly.
    pub(in crate::coach) fn minimum(&self) -> usize {
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

    fn exercise(fen: &str, moves: &str) -> Exercise {
        let start = Game::from_fen(fen, None).unwrap().position().chess().clone();
        let mut endgames = Endgames::default();
        endgames.build(crate::endgame::Material::on(start.board()).unwrap(), |_| ());
        let mut exercise = Exercise::new(endgames, start, Color::White);
        for word in moves.split_whitespace() {
            let m = super::super::words::read(word, exercise.position()).unwrap();
            exercise.play(m);
        }
        exercise
    }

    #[test]
    fn how_games_end() {
        const ROOK: &str = "7k/8/5K2/8/8/8/8/R7 w - - 0 1";
        let ending = |fen: &str, moves: &str| exercise(fen, moves).ending();
        assert_eq!(ending(ROOK, ""), None);
        assert_eq!(ending(ROOK, "Kf7 Kh7 Rh1"), Some(Ending::Mate));
        assert_eq!(ending(ROOK, "Kf7 Kh7 Rg1"), None);
        assert_eq!(ending(ROOK, "Rg1 Kh7 Rg7 Kh8 Kg6"), Some(Ending::Stalemate));
        assert_eq!(ending(ROOK, "Ra7 Kg8 Rg7 Kh8 Rg8 Kxg8"), Some(Ending::TooFewMen));
        assert_eq!(ending(ROOK, "Ra7 Kg8 Rg7 Kh8 Rg8"), Some(Ending::NotWon));
        let round = "Ra2 Kg8 Ra1 Kh8 ";
        assert_eq!(ending(ROOK, round), None);
        assert_eq!(ending(ROOK, &round.repeat(2)), Some(Ending::Repetition));
        let late = "7k/8/5K2/8/8/8/8/R7 w - - 98 80";
        assert_eq!(ending(late, "Ra2"), None);
        assert_eq!(ending(late, "Ra2 Kg8"), Some(Ending::FiftyMoves));
        assert_eq!(ending("7k/8/6K1/8/8/8/8/R7 w - - 99 80", "Ra8"), Some(Ending::Mate));
    }

    #[test]
    fn moves_are_counted_and_taken_back() {
        let mut exercise = exercise("7k/8/5K2/8/8/8/8/R7 w - - 0 1", "");
        assert_eq!((exercise.minimum(), exercise.used()), (2, 0));
        assert!(!exercise.take_back());
        for word in ["Rb1", "Kh7"] {
            let m = super::super::words::read(word, exercise.position()).unwrap();
            exercise.play(m);
        }
        assert_eq!((exercise.minimum(), exercise.used()), (2, 1));
        assert!(exercise.is_users_turn() && exercise.take_back());
        assert_eq!((exercise.value(), exercise.used()), (Dtm::Win(3), 0));
    }

    #[test]
    fn of_two_draws_the_reply_takes_what_hangs() {
        let exercise = exercise("7k/8/5K2/8/8/8/8/R7 w - - 0 1", "Ra7 Kg8 Rg7 Kh8 Rg8");
        assert!(exercise.reply().unwrap().is_capture());
    }
}
