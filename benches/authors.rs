//! The terms of `authors.toml` in Rust, as their authors would write them.

use shakmaty::{Bitboard, Color, Role, Square, attacks};
use tropism::eval::{EvalContext, Registry, Sink, Term, meaning::count};
use tropism::geometry::{
    Mover, ahead, back_rank_distance, chebyshev, file_distance, promotion_distance, same_diagonal,
};
use tropism::term;

/// The module of a term with one weight.
macro_rules! author {
    ($module:ident $(per $per:tt)?, ($context:ident, $side:ident, $sink:ident) $measure:block) => {
        mod $module {
            use super::*;

            term! {
                /// A term of an author.
                pub struct Author;

                name = concat!("rust_", stringify!($module));
                doc = "A term of an author.";
                source = "benches/authors.toml";

                weights {
                    it $(per $per)? = count("a thing", "things");
                }
            }

            impl Term for Author {
                fn measure<S: Sink>(&self, $context: &EvalContext, $side: Color, $sink: &mut S) {
                    $measure
                }
            }
        }
    };
}

author!(rook_files, (context, side, sink) {
    let (own, enemy) = (context.side(side), context.side(!side));
    let files = |set| set | ahead(Color::White, set) | ahead(Color::Black, set);
    let closed = files(own.pawns);
    let open = !closed & (files(enemy.pawns) | !files(context.pawns()));
    sink.add_each(W.it, own.rooks & open);
});

author!(bad_bishops, (context, side, sink) {
    let own = context.side(side);
    for bishop in own.bishops {
        let colour =
            if bishop.is_light() { Bitboard::LIGHT_SQUARES } else { Bitboard::DARK_SQUARES };
        sink.add(W.it, (own.pawns & colour).count() as i32, bishop);
    }
});

author!(king_zone, (context, side, sink) {
    let (own, enemy) = (context.side(side), context.side(!side));
    let zone = enemy.king_attacks & own.attacks & !enemy.pawn_attacks;
    sink.add(W.it, zone.count() as i32, own.king);
});

author!(outposts, (context, side, sink) {
    sink.add_each(W.it, context.side(side).knights & context.outposts(side));
});

author!(near_king, (context, side, sink) {
    let king = context.side(!side).king;
    let near = |square| 7 - chebyshev(square, king) as i32;
    let sum = context.side(side).pieces.iter().map(|piece| near(piece.square)).sum();
    sink.add(W.it, sum, context.side(side).king);
});

author!(pairs per 100, (context, side, sink) {
    let pieces = &context.side(side).pieces;
    let mut sum = 0;
    for a in pieces {
        for b in pieces {
            sum += chebyshev(a.square, b.square) as i32;
        }
    }
    let pairs = pieces.len() as i32 * (pieces.len() as i32 - 1);
    let mean = (100 * sum).checked_div(pairs).unwrap_or(0);
    sink.add(W.it, mean, context.side(side).king);
});

author!(pins, (context, side, sink) {
    let (own, enemy) = (context.side(side), context.side(!side));
    let lines = Mover::Queen.attacks(own.queens, Bitboard::EMPTY);
    for queen in own.queens {
        for slider in (enemy.bishops | enemy.rooks) & lines {
            let between = attacks::between(slider, queen);
            let is_on_line = same_diagonal(slider, queen) == enemy.bishops.contains(slider);
            let pieces = own.all & !own.pawns & !Bitboard::from_square(own.king);
            if is_on_line
                && (between & context.occupied).count() == 1
                && (between & pieces).any()
            {
                sink.add(W.it, 1, slider);
            }
        }
    }
});

author!(overloaded, (context, side, sink) {
    let (own, enemy) = (context.side(side), context.side(!side));
    let targets = own.all & enemy.attacks & !own.twice & !Bitboard::from_square(own.king);
    for piece in &own.pieces {
        if (piece.attacks & targets).count() >= 2 {
            sink.add(W.it, 1, piece.square);
        }
    }
});

author!(storm, (context, side, sink) {
    let (own, enemy) = (context.side(side), context.side(!side));
    if file_distance(own.king, enemy.king) > 2 {
        for pawn in own.pawns {
            if file_distance(pawn, enemy.king) <= 1 {
                sink.add(W.it, back_rank_distance(side, pawn) as i32, pawn);
            }
        }
    }
});

author!(races, (context, side, sink) {
    let (own, enemy) = (context.side(side), context.side(!side));
    if enemy.has_pieces() {
        return;
    }
    let waits = u32::from(context.turn != side);
    for pawn in own.passed {
        let goal = Square::from_coords(pawn.file(), side.fold_wb(shakmaty::Rank::Eighth, shakmaty::Rank::First));
        if promotion_distance(side, pawn) + waits < chebyshev(enemy.king, goal) {
            sink.add(W.it, 1, pawn);
        }
    }
});

author!(hanging, (context, side, sink) {
    const POINTS: [i32; 6] = [1, 3, 3, 5, 9, 0];
    let (own, enemy) = (context.side(side), context.side(!side));
    for piece in &enemy.pieces {
        if !own.attacks.contains(piece.square) {
            continue;
        }
        let least = || {
            let attacked_by = [
                (1, own.pawn_attacks),
                (3, own.knight_attacks | own.bishop_attacks),
                (5, own.rook_attacks),
                (9, own.queen_attacks),
            ];
            let by = attacked_by.into_iter().find(|(_, attacks)| attacks.contains(piece.square));
            by.map_or(0, |(points, _)| points)
        };
        let worth = POINTS[piece.role as usize - Role::Pawn as usize];
        if !enemy.attacks.contains(piece.square) || least() < worth {
            sink.add(W.it, 1, piece.square);
        }
    }
});

author!(freedom, (context, side, sink) {
    let (own, enemy) = (context.side(side), context.side(!side));
    for piece in &own.pieces {
        let free = piece.attacks & !own.all & !enemy.pawn_attacks;
        sink.add(W.it, free.count() as i32, piece.square);
    }
});

macro_rules! authors {
    ($($module:ident),*) => {
        /// The names of the terms.
        pub const NAMES: &[&str] = &[$(stringify!($module)),*];

        /// Adds all of them, each as `rust_NAME`.
        pub fn add_to(registry: &mut Registry) {
            registry$(.add::<$module::Author>())*;
        }
    };
}
authors!(
    rook_files,
    bad_bishops,
    king_zone,
    outposts,
    near_king,
    pairs,
    pins,
    overloaded,
    storm,
    races,
    hanging,
    freedom
);
