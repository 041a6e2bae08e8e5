//! Terms in Rust beside the same terms as data: nanoseconds for both sides of a position, without the context and
//! without the pawn cache. The two alternate, so that both meet the same disturbances; the least of many rounds counts.
//!
//! `cargo bench --bench formulas`
#![allow(missing_docs, clippy::expect_used)]

use shakmaty::{CastlingMode, Chess, fen::Fen};
use std::{
    hint::black_box,
    path::Path,
    time::{Duration, Instant},
};
use tropism::{
    eval::{Engine, EvalContext},
    terms::registry,
};

/// A term in Rust, its weights named like those of the formula.
macro_rules! twin {
    ($module:ident, $Term:ident, $name:literal, [$($weight:ident $([$length:literal])?),*],
     |$context:ident, $side:ident, $sink:ident, $w:ident| $body:block) => {
        mod $module {
            use shakmaty::{Bitboard, Color, Rank};
            use tropism::eval::{EvalContext, Sink, Term, meaning::has};
            use tropism::geometry::*;

            tropism::term! {
                pub(super) struct $Term;
                name = $name;
                doc = "A twin.";
                source = "";
                weights { $($weight $([$length])? = has("it");)* }
            }

            impl Term for $Term {
                #[inline(always)]
                #[allow(unused_imports, reason = "not each term needs all of them")]
                fn measure<S: Sink>(&self, $context: &EvalContext, $side: Color, $sink: &mut S) {
                    let _ = (Bitboard::EMPTY, Rank::First, chebyshev);
                    let $w = W;
                    $body
                }
            }
        }
    };
}

twin!(outposts, Outposts, "outposts", [knight], |context, side, sink, w| {
    let (own, enemy) = (context.side(side), context.side(!side));
    let attackable = ahead(!side, beside(enemy.pawns));
    let ranks = Bitboard::from_rank(side.fold_wb(Rank::Fourth, Rank::Fifth))
        | Bitboard::from_rank(side.fold_wb(Rank::Fifth, Rank::Fourth))
        | Bitboard::from_rank(side.fold_wb(Rank::Sixth, Rank::Third));
    sink.add_each(w.knight, own.knights & own.pawn_attacks & ranks & !attackable);
});
twin!(rook_files, RookFiles, "rook_files", [open, half_open], |context, side, sink, w| {
    let own = context.side(side);
    for rook in own.rooks {
        let file = Bitboard::from_file(rook.file());
        if (file & own.pawns).is_empty() {
            let is_open = (file & context.pawns()).is_empty();
            sink.add(if is_open { w.open } else { w.half_open }, 1, rook);
        }
    }
});
twin!(near_king, NearKing, "near_king", [steps], |context, side, sink, w| {
    let (own, enemy) = (context.side(side), context.side(!side));
    let steps: u32 = own.pieces.iter().map(|piece| manhattan(piece.square, enemy.king)).sum();
    sink.add(w.steps, steps as i32, own.king);
});
twin!(bad_bishop, BadBishop, "bad_bishop", [pawns], |context, side, sink, w| {
    let own = context.side(side);
    for bishop in own.bishops {
        let colour =
            if bishop.is_light() { Bitboard::LIGHT_SQUARES } else { Bitboard::DARK_SQUARES };
        sink.add(w.pawns, (own.pawns & colour).count() as i32, bishop);
    }
});
twin!(space, Space, "space", [squares], |context, side, sink, w| {
    let (own, enemy) = (context.side(side), context.side(!side));
    let behind = ahead(!side, own.pawns);
    let free = behind & !own.pawns & !enemy.attacks;
    sink.add(w.squares, (free & !Bitboard::EDGES).count() as i32, own.king);
});
twin!(rook_distance, RookDistance, "rook_distance", [moves[8]], |context, side, sink, w| {
    let (own, enemy) = (context.side(side), context.side(!side));
    for rook in own.rooks {
        sink.add(w.moves.at(chebyshev(rook, enemy.king)), 1, rook);
    }
});

/// The same terms as data, and one with a name that nothing reads.
const FORMULAS: &str = r#"
[outposts]
doc = "Knights on squares that no pawn can attack."
knight = { each = "knight in own.knights & own.pawn_attacks & (own.rank(4) | own.rank(5) | own.rank(6)) - enemy.ahead(beside(enemy.pawns))", unit = "knights", worth = [10, 5] }
[rook_files]
doc = "Rooks on files without own pawns."
each = "rook in own.rooks"
open = { when = "not any(same_file(rook) & pawns)", unit = "rooks", worth = [20, 10] }
half_open = { when = "not any(same_file(rook) & own.pawns) and any(same_file(rook) & enemy.pawns)", unit = "rooks", worth = [10, 5] }
[near_king]
doc = "Pieces near the enemy king."
steps = { count = "sum(piece in own.pieces: manhattan(piece, enemy.king))", unit = "steps", worth = [-2, -1] }
[bad_bishop]
doc = "Own pawns on the bishop's colour."
each = "bishop in own.bishops"
pawns = { count = "count(own.pawns & same_colour(bishop))", unit = "pawns", worth = [-3, -5] }
[space]
doc = "Safe squares behind the pawns."
squares = { count = "count(enemy.ahead(own.pawns) - own.pawns - enemy.attacks - edge)", unit = "squares", worth = [2, 0] }
[rook_distance]
doc = "Rooks near the enemy king."
each = "rook in own.rooks"
moves = { index = "chebyshev(rook, enemy.king)", unit = "moves", worth = [[0, 0], [21, 3], [18, 2], [12, 2], [8, 1], [3, 0], [0, 0], [-4, -1]] }
[careless]
doc = "A name that nothing reads."
let.unused = "sum(x in all_squares: centre_manhattan(x) * 3)"
pawns = { count = "count(own.pawns)", unit = "pawns", worth = [1, 1] }
"#;

/// The weights of the twins in Rust.
const WORTHS: &str = "
[outposts]\nknight = [10, 5]
[rook_files]\nopen = [20, 10]\nhalf_open = [10, 5]
[near_king]\nsteps = [-2, -1]
[bad_bishop]\npawns = [-3, -5]
[space]\nsquares = [2, 0]
[rook_distance]\nmoves = [[0, 0], [21, 3], [18, 2], [12, 2], [8, 1], [3, 0], [0, 0], [-4, -1]]
";

fn position(fen: &str) -> Chess {
    let fen: Fen = fen.parse().expect("a FEN");
    fen.into_position(CastlingMode::Standard).expect("a position")
}

/// An engine with one term of a text.
fn alone(term: &str, text: &str, is_data: bool) -> Engine {
    let mut registry = registry();
    if !is_data {
        registry.add::<outposts::Outposts>().add::<rook_files::RookFiles>();
        registry.add::<near_king::NearKing>().add::<bad_bishop::BadBishop>();
        registry.add::<space::Space>().add::<rook_distance::RookDistance>();
    }
    let sections = text.split("\n[").filter(|section| {
        section.starts_with(&format!("{term}]")) || section.starts_with(&format!("{term}."))
    });
    let text = sections
        .fold(format!("name = 'x'\nterms = ['{term}']\n"), |text, section| text + "\n[" + section);
    Engine::parse(&text, term, &registry).expect("one term")
}

fn default_with(term: &str) -> Engine {
    let text = format!("name = 'x'\nbase = 'tropism'\nterms = ['{term}']\n");
    Engine::parse(&text, "x", &registry()).expect("a term of the default engine")
}

/// Nanoseconds of each engine for a position: the least of many rounds.
fn least(context: &EvalContext, engines: &[&Engine]) -> Vec<f64> {
    const ROUNDS: usize = 400;
    const SUMS: u32 = 1000;
    let mut least = vec![Duration::MAX; engines.len()];
    for _ in 0..ROUNDS {
        for (engine, least) in engines.iter().zip(&mut least) {
            let start = Instant::now();
            for _ in 0..SUMS {
                black_box(engine.balance(black_box(context)));
            }
            *least = start.elapsed().min(*least);
        }
    }
    least.iter().map(|time| time.as_secs_f64() * 1e9 / f64::from(SUMS)).collect()
}

fn main() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../engines/minimal.toml");
    let minimal = std::fs::read_to_string(path).expect("a shipped engine");
    let middlegame = position("r2q1rk1/1b2bppp/p1n1pn2/1p6/3N4/1BN1B3/PPP2PPP/R2QR1K1 w - - 2 14");
    let ending = position("7k/8/8/8/8/2K5/8/4R3 b - - 0 1");
    let shipped = [
        ("mop_up", "mop_up_distance", &ending),
        ("mop_up", "mop_up_distance", &middlegame),
        ("king_pawn_tropism", "pawn_tropism", &middlegame),
        ("knight_forks", "safe_forks", &middlegame),
    ];
    let shipped = shipped.map(|(rust, data, position)| {
        (data, default_with(rust), alone(data, &minimal, true), position)
    });
    let twins = ["outposts", "rook_files", "near_king", "bad_bishop", "space", "rook_distance"];
    let twins = twins.map(|term| {
        let (rust, data) = (alone(term, WORTHS, false), alone(term, FORMULAS, true));
        let context = EvalContext::new(&middlegame);
        assert_eq!(rust.balance(&context), data.balance(&context), "{term}");
        (term, rust, data, &middlegame)
    });
    println!("{:20} {:>8} {:>8} {:>6}", "term", "Rust, ns", "data, ns", "ratio");
    for (term, rust, data, position) in shipped.iter().chain(&twins) {
        let times = least(&EvalContext::new(position), &[rust, data]);
        println!("{term:20} {:8.1} {:8.1} {:6.2}", times[0], times[1], times[1] / times[0]);
    }
    let careless = alone("careless", FORMULAS, true);
    let times = least(&EvalContext::new(&middlegame), &[&careless]);
    println!("{:20} {:>8} {:8.1}", "careless", "", times[0]);
}
