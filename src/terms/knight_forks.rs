use crate::eval::meaning::count;
use crate::eval::{
    Account, Arrow, EvalContext, Marks, Reason, Sink, Term, named, the_piece, theme,
};
use crate::geometry::{fork_squares, knight_attacks};
use crate::term;
use crate::text::{joined, side_name};
use shakmaty::{Bitboard, Color, Position, Square};

term! {
    /// Counts safe squares from which a knight attacks two targets at once.
    pub(super) struct KnightForks;

    name = "knight_forks";
    doc = "A knight that can safely fork king, queen, rooks or undefended pieces wins material.";
    source = "Chess Programming Wiki, Knight Pattern (knight forks)";
    theme = theme::PIECES;
    says = reasons;
    draws = marks;

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

/// What a knight forks from a square, and the knights that can jump there.
fn fork(context: &EvalContext, side: Color, square: Square) -> [Bitboard; 2] {
    let (own, enemy) = (context.side(side), context.side(!side));
    let reach = knight_attacks(square.into());
    let hanging = (enemy.knights | enemy.bishops) & !enemy.attacks;
    [reach & (enemy.queens | enemy.rooks | hanging).with(enemy.king), reach & own.knights]
}

/// Who can fork what.
fn reasons(account: &Account) -> Vec<Reason> {
    let value = account.of_terms(&["knight_forks"]);
    let side = Color::from_white(value > 0.0);
    let Some(&square) = account.squares(side, &["fork"]).first() else { return Vec::new() };
    let board = account.position().board();
    let [targets, _] = fork(account.context(), side, square);
    let piece = |at: Square| board.role_at(at).map(|role| the_piece(role, at));
    let targets: Vec<String> = targets.into_iter().filter_map(piece).collect();
    let name = side_name(side);
    let clause = format!("{name}'s knight can fork {} from {square}", joined(&targets));
    vec![account.reason(side, value.abs(), clause, Vec::new())]
}

/// Arrows from each knight to the square of the fork, and from there to the forked pieces.
fn marks(account: &Account) -> Marks {
    let mut marks = Marks::default();
    for side in Color::ALL {
        for square in account.squares(side, &["fork"]) {
            let [targets, knights] = fork(account.context(), side, square);
            marks.rings.push(square);
            marks
                .arrows
                .extend(knights.into_iter().map(|from| Arrow::straight(from, square, side)));
            marks.arrows.extend(targets.into_iter().map(|to| Arrow::straight(square, to, side)));
            let (name, targets) = (side_name(side), named(targets));
            marks.notes.push(format!("{name}'s knight forks {targets} from {square}."));
        }
    }
    marks
}
