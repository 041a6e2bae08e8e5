use crate::eval::meaning::count;
use crate::eval::{EvalContext, Sink, Term};
use crate::geometry::{fork_squares, knight_attacks};
use crate::term;
use shakmaty::{Bitboard, Color};

term! {
    /// Counts safe squares from which a knight attacks two targets at once.
    pub(super) struct KnightForks;

    name = "knight_forks";
    doc = "A knight that can safely fork king, queen, rooks or undefended pieces wins material.";
    source = "Chess Programming Wiki, Knight Pattern (knight forks)";

    weights {
        fork = count("a square for a safe knight fork", "squares for safe knight forks");
        family = count(
            "a square for a safe fork of king and queen",
            "squares for safe forks of king and queen",
        );
    }
}

impl Term for KnightForks {
    #[inline(always)]
    fn measure<S: Sink>(&self, context: &EvalContext, side: Color, sink: &mut S) {
        let (own, enemy) = (context.side(side), context.side(!side));
        let guarded = enemy.pawn_attacks | enemy.knight_attacks;
        let jumps = own.knight_attacks & !own.all & !guarded;
        if jumps.is_empty() {
            return;
        }
        let king = Bitboard::from_square(enemy.king);
        let hanging = (enemy.knights | enemy.bishops) & !enemy.attacks;
        let targets = king | enemy.queens | enemy.rooks | hanging;
        let forks = fork_squares(targets) & jumps;
        if forks.any() {
            sink.add_each(W.fork, forks);
            sink.add_each(W.family, forks & knight_attacks(king) & knight_attacks(enemy.queens));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terms::testing::assert_measured;
    use shakmaty::Square;

    fn forks(fen: &str, expected: &[(&str, i32, Square)]) {
        assert_measured(&KnightForks, fen, Color::White, expected);
    }

    #[test]
    fn king_and_rook() {
        forks("r3k3/8/8/3N4/8/8/8/4K3 w - - 0 1", &[("fork", 1, Square::C7)]);
    }

    #[test]
    fn king_and_queen_are_family() {
        let family = [("fork", 1, Square::C7), ("family", 1, Square::C7)];
        forks("q3k3/8/8/3N4/8/8/8/4K3 w - - 0 1", &family);
    }

    #[test]
    fn a_guard_by_pawn_or_knight_takes_it_away_a_guard_by_bishop_does_not() {
        forks("r3k3/8/3p4/3N4/8/8/8/4K3 w - - 0 1", &[("fork", 1, Square::C7)]);
        forks("r3k3/2p5/8/3N4/8/8/8/4K3 w - - 0 1", &[("fork", 1, Square::C7)]);
        forks("r3k3/8/n7/3N4/8/8/8/4K3 w - - 0 1", &[]);
        forks("r2bk3/8/8/3N4/8/8/8/4K3 w - - 0 1", &[("fork", 1, Square::C7)]);
    }

    #[test]
    fn own_pieces_are_in_the_way_and_far_knights_do_not_fork() {
        forks("r3k3/2P5/8/3N4/8/8/8/4K3 w - - 0 1", &[]);
        forks("r3k3/8/8/8/8/8/8/N3K3 w - - 0 1", &[]);
    }

    #[test]
    fn minor_pieces_are_targets_only_when_undefended() {
        // Bishops c6 and e6 would be forked from d4 and d8: nothing defends them.
        let fork = [("fork", 1, Square::D4)];
        forks("7k/8/2b1b3/8/8/5N2/8/K7 w - - 0 1", &fork);
        // A pawn on d7 defends both.
        forks("7k/3p4/2b1b3/8/8/5N2/8/K7 w - - 0 1", &[]);
    }
}
