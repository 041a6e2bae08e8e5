//! Terms written as data count the same as the terms written in Rust.

use crate::common::{chess, shipped};
use crate::symmetry::{STARTS, random_game};
use shakmaty::{Chess, Position, Square};
use tropism::eval::{Engine, Trace};
use tropism::geometry::{bishop_corner_distance, manhattan};
use tropism::{random::SplitMix64, terms::registry};

/// Six middlegame terms as data.
fn middlegame() -> Engine {
    Engine::parse(include_str!("middlegame.toml"), "middlegame.toml", &registry()).unwrap()
}

/// What a weight of a term counts in a position: for each side the index, the count and the square.
fn counted(trace: &Trace, term: &str, weight: &str) -> [Vec<(usize, i32, Square)>; 2] {
    let row = trace.rows.iter().find(|row| row.name() == term).expect(term);
    assert!(row.entry.weights.iter().any(|spec| spec.name == weight), "{term} has no {weight}");
    [&row.white_contributions, &row.black_contributions].map(|contributions| {
        let of_weight = contributions.iter().filter_map(|contribution| {
            let (spec, index) = row.weight(contribution.weight).unwrap();
            let is_it = spec.name == weight && contribution.count != 0;
            is_it.then_some((index, contribution.count, contribution.square))
        });
        let mut counted: Vec<_> = of_weight.collect();
        counted.sort_unstable();
        counted
    })
}

/// The pairs of equal weights: a term as data, its weight, the term in Rust, its weight.
fn pairs(middlegame: &Engine) -> Vec<[String; 4]> {
    let mut pairs: Vec<[String; 4]> = [
        ["mop_up_distance", "centre", "mop_up", "centre"],
        ["mop_up_distance", "kings", "mop_up", "kings"],
        ["mop_up_distance", "won", "mop_up", "won"],
        ["pawn_tropism", "distance", "king_pawn_tropism", "distance"],
        ["safe_forks", "fork", "knight_forks", "fork"],
        ["safe_forks", "family", "knight_forks", "family"],
    ]
    .map(|pair| pair.map(str::to_owned))
    .into();
    for entry in middlegame.entries() {
        let rust = entry.name.strip_suffix("_data").unwrap();
        pairs.extend(
            entry
                .weights
                .iter()
                .map(|spec| [&*entry.name, &*spec.name, rust, &*spec.name].map(str::to_owned)),
        );
    }
    pairs
}

/// Compares the counts in all positions. Returns how often each pair counted something.
fn compare(positions: &[Chess]) -> Vec<(String, usize)> {
    let (minimal, middlegame) = (shipped("minimal"), middlegame());
    let rust = Engine::parse(
        "name = 'rust'\nbase = 'tropism'\n\
         [mop_up]\n[king_pawn_tropism]\npassed = 6\nbackward = 3\nother = 2\n[knight_forks]\n",
        "rust",
        &registry(),
    );
    let rust = rust.unwrap_or_else(|error| panic!("{error}"));
    let pairs = pairs(&middlegame);
    let mut seen = vec![0; pairs.len()];
    for position in positions {
        let [rust, minimal, middlegame] =
            [&rust, &minimal, &middlegame].map(|engine| engine.trace(position));
        for ([data, weight, term, of_term], seen) in pairs.iter().zip(&mut seen) {
            let trace = if data.ends_with("_data") { &middlegame } else { &minimal };
            let expected = counted(&rust, term, of_term);
            let of_data = counted(trace, data, weight);
            assert_eq!(of_data, expected, "{data}.{weight} in {position:?}");
            *seen += expected.iter().map(Vec::len).sum::<usize>();
        }
        corner_distances(&minimal, position);
    }
    pairs.into_iter().map(|[data, weight, ..]| format!("{data}.{weight}")).zip(seen).collect()
}

/// The corner term has no twin in Rust: its counts are compared with the functions of the geometry.
fn corner_distances(trace: &Trace, position: &Chess) {
    let board = position.board();
    for (side, color) in shakmaty::Color::ALL.into_iter().enumerate() {
        let own = board.by_color(color);
        let [king, enemy] = [color, !color].map(|color| board.king_of(color).unwrap());
        let applies = own.count() == 3
            && (own & board.knights()).any()
            && (own & board.bishops()).any()
            && board.by_color(!color).count() == 1;
        let bishop = (own & board.bishops()).first().filter(|_| applies);
        let expected = |count: u32, square| match bishop {
            Some(_) if count > 0 => vec![(0, count as i32, square)],
            _ => Vec::new(),
        };
        let corner = bishop.map_or(0, |bishop| 7 - bishop_corner_distance(bishop, enemy));
        let found = |weight| counted(trace, "bishop_knight_corner", weight)[side].clone();
        assert_eq!(found("corner"), expected(corner, enemy), "{position:?}");
        assert_eq!(found("kings"), expected(14 - manhattan(king, enemy), king), "{position:?}");
    }
}

#[test]
fn terms_as_data_count_the_same_as_terms_in_rust() {
    let mut positions = Vec::new();
    let mut random = SplitMix64(1);
    for game in 0..60 {
        let picks: Vec<u8> = (0..60).map(|_| random.next() as u8).collect();
        let start = STARTS[game % STARTS.len()];
        random_game(start, &picks, |position| positions.push(position.clone()));
    }
    // Forks of king and queen, and pawns that promote, are too rare in random games.
    positions.extend(
        [
            "q3k3/8/8/3N4/8/8/8/4K3 w - - 0 1",
            "4k3/8/8/8/3n4/8/4P3/Q3K3 b - - 0 1",
            "6k1/8/8/P7/8/8/6p1/K7 w - - 0 1",
            "r2q1rk1/1b2bppp/p2p1n2/1p1Np3/4P3/1B2BQ2/PPP2PPP/2R2RK1 w - - 0 1",
            "2r3k1/5ppp/3qp3/8/2PNn3/1P2Q3/P4PPP/3R2K1 b - - 0 1",
        ]
        .map(chess),
    );
    let seen = compare(&positions);
    assert!(positions.len() > 2000, "{}", positions.len());
    for (weight, seen) in seen {
        assert!(seen > 0, "{weight} was never counted");
    }
}
