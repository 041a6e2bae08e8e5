//! The exact endgame tables agree with published figures, each entry follows from its best successor, and, if
//! Syzygy tables are available, win, draw and loss agree with them in every position.

use crate::common::{self, chess};
use rayon::prelude::*;
use shakmaty::{
    CastlingMode, Chess, Color, EnPassantMode, FromSetup, Position, PositionError, fen::Fen,
};
use shakmaty_syzygy::{Tablebase, Wdl};
use std::{env, fs, sync::Arc};
use tropism::endgame::{Dtm, Endgames, Material, Squares, Table};

fn solved(name: &str) -> (Arc<Endgames>, Material) {
    (common::solved(name), name.parse().unwrap())
}

fn values(table: &Table) -> impl ParallelIterator<Item = (Color, Squares, Dtm, u64)> {
    Color::ALL.into_par_iter().flat_map(|turn| {
        let positions = table.positions(turn);
        positions.map(move |(squares, value, images)| (turn, squares, value, images))
    })
}

fn longest_mate(name: &str) -> u32 {
    let (endgames, material) = solved(name);
    let plies = values(endgames.table(&material).unwrap()).map(|(_, _, value, _)| match value {
        Dtm::Win(plies) => u32::from(plies),
        Dtm::Draw | Dtm::Loss(_) => 0,
    });
    plies.max().unwrap().div_ceil(2)
}

/// Each value must follow from the values after all legal moves. shakmaty generates the moves, and the lookup
/// maps each position by symmetry to its entry.
fn assert_consistent(name: &str) {
    let (endgames, material) = solved(name);
    let table = endgames.table(&material).unwrap();
    values(table).for_each(|(turn, squares, value, _)| {
        let position = table.position(turn, &squares).unwrap();
        let moves = endgames.moves(&position).unwrap();
        let expected = match moves.first() {
            Some(&(_, best)) => best,
            None if position.is_check() => Dtm::Loss(0),
            None => Dtm::Draw,
        };
        // With colours swapped and the board upside down, it is the same position.
        let setup = position.to_setup(EnPassantMode::Legal).into_mirrored();
        let swapped = Chess::from_setup(setup, CastlingMode::Standard)
            .or_else(PositionError::ignore_impossible_check)
            .unwrap();
        assert_eq!(endgames.probe(&swapped), Some(value), "{squares:?} with colours swapped");
        assert_eq!(value, expected, "{}", Fen::from_position(&position, EnPassantMode::Legal));
    });
}

#[test]
fn published_longest_mates() {
    for (name, moves) in [
        ("KQK", 10),
        ("KRK", 16),
        ("KPK", 28),
        ("KBBK", 19),
        ("KBNK", 33),
        ("KQKR", 35),
        ("KRKN", 40),
        // Two knights cannot force mate, but they can mate if the bare king is badly placed.
        ("KNNK", 1),
        ("KBK", 0),
        ("KNK", 0),
    ] {
        assert_eq!(longest_mate(name), moves, "{name}");
    }
}

/// White to move wins every position. With Black to move there are 223,944 positions; the drawn ones are
/// stalemates or positions where Black captures the piece.
#[test]
fn published_counts_of_queen_and_rook() {
    for (name, white_wins) in [("KQK", 144_508), ("KRK", 175_168)] {
        let (endgames, material) = solved(name);
        let table = endgames.table(&material).unwrap();
        let count = |turn| table.positions(turn).map(|(_, _, images)| images).sum::<u64>();
        let drawn = |turn| {
            let drawn = table.positions(turn).filter(|&(_, value, _)| value == Dtm::Draw);
            drawn.map(|(_, _, images)| images).sum::<u64>()
        };
        assert_eq!((count(Color::White), drawn(Color::White)), (white_wins, 0), "{name}");
        assert_eq!(count(Color::Black), 223_944, "{name}");
    }
}

#[test]
fn each_entry_of_three_pieces_follows_from_its_successors() {
    for name in ["KQK", "KRK", "KBK", "KNK", "KPK"] {
        assert_consistent(name);
    }
}

#[test]
fn each_entry_of_bishop_and_knight_follows_from_its_successors() {
    assert_consistent("KBNK");
}

/// The side with the pawn is Black, as the stronger side and as the weaker one.
#[test]
fn black_pawns_advance_downwards() {
    let mut endgames = Endgames::default();
    let mut value = |fen: &str| {
        let position = chess(fen);
        endgames.build(Material::on(position.board()).unwrap());
        endgames.probe(&position)
    };
    // The king takes the opposition before the pawn, or is stalemate.
    assert_eq!(value("8/8/8/8/2k5/2p5/8/2K5 b - - 0 1"), Some(Dtm::Draw));
    assert_eq!(value("8/8/8/8/8/4k3/4p3/4K3 w - - 0 1"), Some(Dtm::Draw));
    // The king is a step too far away.
    assert_eq!(value("3K4/2p5/8/7k/8/8/8/8 b - - 0 1"), Some(Dtm::Win(25)));
    // The rook attacks the pawn from behind; without it, the pawn would promote.
    assert_eq!(value("8/8/8/8/R7/1k6/2p5/K7 w - - 0 1"), Some(Dtm::Draw));
    assert!(matches!(value("8/8/8/8/8/7p/8/KNk5 w - - 0 1"), Some(Dtm::Loss(_))));
}

#[test]
fn a_line_is_as_long_as_its_distance_and_ends_in_mate() {
    let (endgames, _) = solved("KBNK");
    // Source: Kryukov, longest checkmates.
    let mut position = chess("8/8/7N/8/8/8/8/K1k1B3 w - - 0 1");
    assert_eq!(endgames.probe(&position), Some(Dtm::Win(65)));
    let line = endgames.line(&position).unwrap();
    assert_eq!(line.len(), 65);
    for m in line {
        position = position.play(m).unwrap();
    }
    assert!(position.is_checkmate());
}

/// The source of the corner distance says that bishop and knight mate in a corner that the bishop attacks.
/// Only there can mate be forced, but a mate in the other corners exists if the bare king cooperates.
#[test]
fn bishop_and_knight_can_mate_in_the_wrong_corner_if_the_bare_king_cooperates() {
    for (fen, mate) in [
        // a8 is a light square, which a dark-squared bishop cannot attack.
        ("k7/B1N5/1K6/8/8/8/8/8 b - - 0 1", true),
        ("k7/2N5/1K6/2B5/8/8/8/8 b - - 0 1", false),
    ] {
        assert_eq!(chess(fen).is_checkmate(), mate);
    }
}

/// All positions of every ending with pawns: `cargo test --release --test engine -- --ignored endgame::each`.
#[test]
#[ignore = "checks 150 million positions"]
fn each_entry_of_the_endings_with_pawns_follows_from_its_successors() {
    ALL.iter().filter(|name| name.contains('P')).for_each(|name| assert_consistent(name));
}

const ALL: [&str; 34] = [
    "KQK", "KRK", "KBK", "KNK", "KQQK", "KQRK", "KQBK", "KQNK", "KRRK", "KRBK", "KRNK", "KBBK",
    "KBNK", "KNNK", "KQKQ", "KQKR", "KQKB", "KQKN", "KRKR", "KRKB", "KRKN", "KBKB", "KBKN", "KNKN",
    "KPK", "KQPK", "KRPK", "KBPK", "KNPK", "KPPK", "KQKP", "KRKP", "KBKP", "KNKP",
];

/// With `TROPISM_SYZYGY` naming a folder of tables:
/// `cargo test --release --test engine -- --ignored endgame::syzygy`.
#[test]
#[ignore = "needs Syzygy tables"]
fn syzygy_agrees_on_every_position() {
    let folder = env::var("TROPISM_SYZYGY").expect("TROPISM_SYZYGY names the folder of tables");
    let mut syzygy = Tablebase::new();
    syzygy.add_directory(folder).unwrap();
    for name in ALL {
        let (endgames, material) = solved(name);
        let table = endgames.table(&material).unwrap();
        let count = values(table)
            .map(|(turn, squares, value, _)| {
                let position = table.position(turn, &squares).unwrap();
                // The exact tables ignore the fifty-move rule: wins that it would cancel are wins here.
                let expected = match syzygy.probe_wdl_after_zeroing(&position).unwrap() {
                    Wdl::Win | Wdl::CursedWin => 1,
                    Wdl::Draw => 0,
                    Wdl::Loss | Wdl::BlessedLoss => -1,
                };
                assert_eq!(value.rank().signum(), expected, "{name} {turn} {squares:?}");
            })
            .count();
        println!("{name}: {count} positions agree");
    }
}

/// With `TROPISM_DTM` naming a list of `FEN dm N;` lines:
/// `cargo test --release --test engine -- --ignored endgame::distances`.
#[test]
#[ignore = "needs a list of positions with their distances to mate"]
fn distances_agree_with_a_list() {
    let file = env::var("TROPISM_DTM").expect("TROPISM_DTM names the list");
    let mut endgames = Endgames::default();
    let mut agreed = 0;
    for line in fs::read_to_string(file).unwrap().lines() {
        let Some((fen, moves)) = line.split_once(" dm ") else { continue };
        let position = chess(&format!("{fen} 0 1"));
        let moves: i32 = moves.trim_end_matches(';').trim().parse().unwrap();
        let Ok(material) = Material::on(position.board()) else { continue };
        endgames.build(material);
        let value = match endgames.probe(&position).unwrap() {
            Dtm::Win(plies) => i32::from(plies.div_ceil(2)),
            Dtm::Draw => 0,
            Dtm::Loss(plies) => -i32::from(plies / 2),
        };
        assert_eq!(value, moves, "{line}");
        agreed += 1;
    }
    println!("{agreed} distances agree");
}
