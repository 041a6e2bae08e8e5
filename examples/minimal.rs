//! The design in one file: a UCI engine of material and four distance terms in Rust, under the library's alpha-beta
//! search. Without the exact tables it mates with bishop and knight by its distances alone.
//!
//! `cargo run --release --example minimal` speaks UCI; `setoption name ExactEndgames value false` switches the tables
//! off.

use std::process::ExitCode;
use tropism::eval::Registry;

/// Drives a losing king from the centre, and brings the winning king near.
mod mop_up {
    use tropism::eval::meaning::{ROOK_STEPS, distance, enemy, own, place};
    use tropism::eval::{EvalContext, Sink, Term, theme};
    use tropism::geometry::{centre_manhattan, manhattan};
    use tropism::{shakmaty::Color, term};

    term! {
        pub struct MopUp;
        name = "king_distance";
        doc = "In a won ending the losing king is driven to the edge and the winning king comes near.";
        source = "Slate and Atkin 1977, Chess 4.5";
        theme = theme::KING;

        weights {
            centre = enemy("king").is(distance(ROOK_STEPS, place("the centre")));
            kings = own("king").is(distance(ROOK_STEPS, enemy("king")).less_than(14));
        }
    }

    impl Term for MopUp {
        fn measure<S: Sink>(&self, context: &EvalContext, side: Color, sink: &mut S) {
            let (own, enemy) = (context.side(side), context.side(!side));
            if enemy.is_bare() && own.pieces_can_mate() && !own.is_bishop_and_knight() {
                sink.add(W.centre, centre_manhattan(enemy.king) as i32, enemy.king);
                sink.add(W.kings, 14 - manhattan(own.king, enemy.king) as i32, own.king);
            }
        }
    }
}

/// Drives a bare king to a corner of the bishop's colour.
mod corner {
    use tropism::eval::meaning::{KNIGHT_MOVES, ROOK_STEPS, distance, enemy, own, place};
    use tropism::eval::{EvalContext, Scope, Sink, Term, theme};
    use tropism::geometry::{bishop_corner_distance, centre_manhattan, knight_distance, manhattan};
    use tropism::{shakmaty::Color, term};

    term! {
        pub struct Corner;
        name = "right_corner";
        doc = "Bishop and knight mate a bare king only in a corner of the bishop's colour.";
        source = "Chess Programming Wiki, KBNK Endgame";
        theme = theme::KING;
        scope = Scope::BareKing;

        weights {
            corner = enemy("king").is(distance(ROOK_STEPS, place("the right corner")).less_than(7));
            centre = enemy("king").is(distance(ROOK_STEPS, place("the centre")));
            kings = own("king").is(distance(ROOK_STEPS, enemy("king")).less_than(14));
            knight = own("knight").is(distance(KNIGHT_MOVES, enemy("king")).less_than(6));
        }
    }

    impl Term for Corner {
        fn measure<S: Sink>(&self, context: &EvalContext, side: Color, sink: &mut S) {
            let (own, bare) = (context.side(side), context.side(!side).king);
            if !own.is_bishop_and_knight() {
                return;
            }
            for (bishop, knight) in own.bishops.into_iter().zip(own.knights) {
                sink.add(W.corner, 7 - bishop_corner_distance(bishop, bare) as i32, bare);
                sink.add(W.centre, centre_manhattan(bare) as i32, bare);
                sink.add(W.kings, 14 - manhattan(own.king, bare) as i32, own.king);
                sink.add(W.knight, 6 - knight_distance(knight, bare) as i32, knight);
            }
        }
    }
}

/// A king belongs near the pawns in an endgame.
mod tropism_of_kings {
    use tropism::eval::meaning::{KING_MOVES, distance, own, place};
    use tropism::eval::{EvalContext, Sink, Term, theme};
    use tropism::{geometry::chebyshev, shakmaty::Color, term};

    term! {
        pub struct NearPawns;
        name = "near_pawns";
        doc = "In the endgame a king belongs near the pawns: its own to escort, the enemy's to stop.";
        source = "Chess Programming Wiki, King Pawn Tropism";
        theme = theme::KING;

        weights {
            distance per 16 = own("king").is(distance(KING_MOVES, place("the pawns on average")));
        }
    }

    impl Term for NearPawns {
        fn measure<S: Sink>(&self, context: &EvalContext, side: Color, sink: &mut S) {
            let (king, pawns) = (context.side(side).king, context.pawns());
            let sum: i32 = pawns.into_iter().map(|pawn| chebyshev(king, pawn) as i32).sum();
            if pawns.any() {
                sink.add(W.distance, 16 * sum / pawns.count() as i32, king);
            }
        }
    }
}

/// Squares from which a knight attacks two pieces.
mod forks {
    use tropism::eval::{EvalContext, Sink, Term, meaning::count, theme};
    use tropism::{geometry::fork_squares, shakmaty::Color, term};

    term! {
        pub struct Forks;
        name = "forks";
        doc = "A knight that can fork king, queen and rooks, safe from pawns and knights, wins material.";
        source = "Chess Programming Wiki, Knight Pattern";
        theme = theme::PIECES;

        weights { fork = count("a square for a safe knight fork", "squares for safe knight forks"); }
    }

    impl Term for Forks {
        fn measure<S: Sink>(&self, context: &EvalContext, side: Color, sink: &mut S) {
            let (own, enemy) = (context.side(side), context.side(!side));
            let jumps = own.knight_attacks & !own.all & !enemy.pawn_attacks & !enemy.knight_attacks;
            let targets = (enemy.queens | enemy.rooks).with(enemy.king);
            sink.add_each(W.fork, fork_squares(targets) & jumps);
        }
    }
}

/// What the counts are worth: centipawns in the middlegame and in the endgame.
const ENGINE: &str = r#"
name = "minimal in Rust"
terms = ["material", "king_distance", "right_corner", "near_pawns", "forks"]
material = { pawn = [85, 105], knight = [330, 300], bishop = [345, 320], rook = [470, 530], queen = [970, 980] }
king_distance = { centre = [0, 47], kings = [0, 16] }
right_corner = { corner = [0, 400], centre = [0, 60], kings = [0, 60], knight = [0, 40] }
near_pawns = { distance = [0, -12] }
forks = { fork = [14, 10] }
"#;

fn main() -> ExitCode {
    let mut registry: Registry = tropism::terms::registry();
    registry.add::<mop_up::MopUp>().add::<corner::Corner>();
    registry.add::<tropism_of_kings::NearPawns>().add::<forks::Forks>().set_default(ENGINE);
    tropism_program::main(registry)
}
