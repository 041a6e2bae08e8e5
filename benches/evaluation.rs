//! The cost of an evaluation: with each shipped engine, of the context alone, of each term alone on a
//! shared context, and of the summing sink compared with a hand-written sum of the same terms.
#![allow(missing_docs, clippy::expect_used)]

use criterion::{Criterion, criterion_group, criterion_main};
use shakmaty::{CastlingMode, Chess, Color, Square, fen::Fen};
use std::{
    hint::black_box,
    path::Path,
    time::{Duration, Instant},
};
use tropism::{
    eval::{Engine, EvalContext, Score},
    geometry::{back_rank_distance, centre_manhattan, chebyshev, manhattan},
    terms::registry,
};

fn position(fen: &str) -> Chess {
    let fen: Fen = fen.parse().expect("a FEN");
    fen.into_position(CastlingMode::Standard).expect("a position")
}

fn middlegame() -> Chess {
    position("r2q1rk1/1b2bppp/p1n1pn2/1p6/3N4/1BN1B3/PPP2PPP/R2QR1K1 w - - 2 14")
}

/// Some terms of the default engine, with their weights.
fn default_with(terms: &str) -> Engine {
    let text = format!("name = 'some terms'\nbase = 'tropism'\nterms = [{terms}]\n");
    Engine::parse(&text, "bench", &registry()).expect("terms of the default engine")
}

fn evaluation(c: &mut Criterion) {
    let position = middlegame();
    let mut group = c.benchmark_group("middlegame");
    group.bench_function("context alone", |b| b.iter(|| EvalContext::new(black_box(&position))));
    for name in ["tropism", "minimal", "tropism-material"] {
        let path = format!("{}/../engines/{name}.toml", env!("CARGO_MANIFEST_DIR"));
        let engine = Engine::load(Path::new(&path), &registry()).expect("a shipped engine");
        group.bench_function(name, |b| b.iter(|| engine.evaluate(black_box(&position))));
    }
    group.finish();
}

/// Each term, without building the context and without the pawn cache.
fn terms(c: &mut Criterion) {
    let view = EvalContext::new(&middlegame());
    let engine = tropism::default_engine().expect("the default engine");
    let mut group = c.benchmark_group("terms on a shared context");
    group.bench_function("all", |b| b.iter(|| engine.balance(black_box(&view))));
    for term in engine.terms() {
        let alone = default_with(&format!("'{term}'"));
        group.bench_function(term, |b| b.iter(|| alone.balance(black_box(&view))));
    }
    group.finish();
}

/// A hand-written sum of material, placement and mop_up, with the weights in arrays of its own.
struct ByHand {
    /// Pawn, knight, bishop, rook, queen.
    material: [Score; 5],
    /// Knight, bishop, rook, queen: by square, by the distance to the friendly king, and by the distance
    /// to the enemy king.
    squares: [[Score; 32]; 4],
    own_king: [[Score; 8]; 4],
    enemy_king: [[Score; 8]; 4],
    king: [Score; 32],
    centre: Score,
    kings: Score,
    won: Score,
    /// For White and Black the index of each square, its mirror image having the same.
    index: [[u8; 64]; 2],
}

impl ByHand {
    const TERMS: &str = "'material', 'placement', 'mop_up'";

    /// The weights are in the order in which the terms declare them.
    fn new(engine: &Engine) -> ByHand {
        let mut weights = engine.weights();
        let mut next = || weights.next().expect("as many weights as the terms have");
        let material = std::array::from_fn(|_| next());
        let (mut squares, mut own_king, mut enemy_king) =
            ([[Score::ZERO; 32]; 4], [[Score::ZERO; 8]; 4], [[Score::ZERO; 8]; 4]);
        for role in 0..4 {
            squares[role] = std::array::from_fn(|_| next());
            own_king[role] = std::array::from_fn(|_| next());
            enemy_king[role] = std::array::from_fn(|_| next());
        }
        let king = std::array::from_fn(|_| next());
        let [centre, kings, won] = std::array::from_fn(|_| next());
        let index = [Color::White, Color::Black].map(|side| {
            std::array::from_fn(|square| ByHand::half_board_index(side, square as u32))
        });
        ByHand { material, squares, own_king, enemy_king, king, centre, kings, won, index }
    }

    /// Four times the distance from the back rank, plus the files from the edge.
    fn half_board_index(side: Color, square: u32) -> u8 {
        let (file, square) = (square % 8, Square::new(square));
        (4 * back_rank_distance(side, square) + file.min(7 - file)) as u8
    }

    fn index(&self, side: Color, square: Square) -> usize {
        usize::from(self.index[usize::from(side.is_black())][square.to_usize()])
    }

    fn side(&self, view: &EvalContext, side: Color) -> Score {
        let (own, enemy) = (view.side(side), view.side(!side));
        let mut sum = Score::ZERO;
        for (value, pieces) in
            self.material.iter().zip([own.pawns, own.knights, own.bishops, own.rooks, own.queens])
        {
            sum += *value * pieces.count() as i32;
        }
        if !view.is_bare_king_ending {
            for piece in &own.pieces {
                let (role, square) = (piece.kind(), piece.square);
                sum += self.squares[role][self.index(side, square)];
                sum += self.own_king[role][chebyshev(square, own.king) as usize];
                sum += self.enemy_king[role][chebyshev(square, enemy.king) as usize];
            }
            sum += self.king[self.index(side, own.king)];
        }
        let mates = own.pieces_can_mate() && !own.is_bishop_and_knight();
        let decisive = view.pawns().is_empty() && own.points() - enemy.points() >= 4;
        if mates && (enemy.is_bare() || decisive) {
            sum += self.centre * centre_manhattan(enemy.king) as i32;
            sum += self.kings * (14 - manhattan(own.king, enemy.king) as i32);
            if enemy.is_bare() {
                sum += self.won;
            }
        }
        sum
    }

    fn balance(&self, view: &EvalContext) -> Score {
        self.side(view, Color::White) - self.side(view, Color::Black)
    }
}

/// Positions of all phases, a won ending among them.
const PHASES: [&str; 6] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r2q1rk1/1b2bppp/p1n1pn2/1p6/3N4/1BN1B3/PPP2PPP/R2QR1K1 w - - 2 14",
    "2r5/5pkp/1p4p1/1P1p4/3P4/3KP1P1/R6P/8 w - - 0 1",
    "8/8/8/8/5kp1/P7/8/1K1N4 w - - 0 1",
    "8/8/8/4k3/8/8/8/R3K3 w - - 0 1",
];

/// Nanoseconds a position for each of two sums over all positions: the least of many rounds. The sums
/// alternate, so that both meet the same disturbances.
fn least(views: &[EvalContext], sums: [&dyn Fn(&EvalContext) -> Score; 2]) -> [f64; 2] {
    const ROUNDS: usize = 200;
    const SUMS: usize = 500;
    let mut least = [Duration::MAX; 2];
    for _ in 0..ROUNDS {
        for (sum, least) in sums.iter().zip(&mut least) {
            let start = Instant::now();
            for view in views {
                for _ in 0..SUMS {
                    black_box(sum(black_box(view)));
                }
            }
            *least = start.elapsed().min(*least);
        }
    }
    least.map(|time| time.as_secs_f64() * 1e9 / (SUMS * views.len()) as f64)
}

fn by_hand(c: &mut Criterion) {
    let engine = default_with(ByHand::TERMS);
    let hand = ByHand::new(&engine);
    let views = PHASES.map(|fen| EvalContext::new(&position(fen)));
    for view in &views {
        assert_eq!(engine.balance(view), hand.balance(view), "{view:?}");
    }
    let mut group = c.benchmark_group("material, placement, mop_up");
    for (phase, view) in ["opening", "middlegame"].into_iter().zip([&views[0], &views[2]]) {
        group.bench_function(format!("{phase}, summing sink"), |b| {
            b.iter(|| engine.balance(black_box(view)));
        });
        group.bench_function(format!("{phase}, by hand"), |b| {
            b.iter(|| hand.balance(black_box(view)));
        });
    }
    group.finish();
    let [sink, hand] = least(&views, [&|view| engine.balance(view), &|view| hand.balance(view)]);
    let ratio = sink / hand;
    println!(
        "summing sink {sink:.1} ns, by hand {hand:.1} ns, mean of six positions: ratio {ratio:.2}"
    );
}

criterion_group!(benches, evaluation, terms, by_hand);
criterion_main!(benches);
