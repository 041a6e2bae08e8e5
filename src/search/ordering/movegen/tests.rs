//! Compares the generator with shakmaty.

use super::*;
use crate::search::Game;
use shakmaty::MoveList;

/// Castling, en passant with and without its pins, promotions, checks, double checks and pins;
/// the last four are Chess960.
const FENS: [&str; 14] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "8/8/8/K2pP2r/8/8/8/7k w - d6 0 2",
    "8/5bk1/8/2Pp4/8/1K6/8/8 w - d6 0 1",
    "8/8/1k6/8/2pP4/8/5BK1/8 b - d3 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "4k3/8/8/8/4r3/5n2/8/4K2R w K - 0 1",
    "1rqbkrbn/1ppppp1p/1n6/p1N3p1/8/2P4P/PP1PPPP1/1RQBKRBN w FBfb - 0 9",
    "rbbqn1kr/pp2p1pp/6n1/2pp1p2/2P4P/P7/BP1PPPP1/R1BQNNKR w HAha - 0 9",
    "4k3/8/8/8/8/8/8/qR1K3R w HB - 0 1",
    "2k5/8/8/8/8/8/8/rR2K2R w HB - 0 1",
];

fn sorted(moves: MoveList) -> Vec<Move> {
    let mut moves: Vec<Move> = moves.into_iter().collect();
    moves.sort_by_key(|&m| PackedMove::new(m).bits());
    moves
}

fn walk(position: &Position, depth: u32, check: &mut impl FnMut(&Position)) {
    check(position);
    if depth > 0 {
        for m in position.chess().legal_moves() {
            walk(&position.play(m), depth - 1, check);
        }
    }
}

fn each_position(depth: u32, mut check: impl FnMut(&Position)) {
    for fen in FENS {
        walk(Game::from_fen(fen, None).unwrap().position(), depth, &mut check);
    }
}

#[test]
fn captures_and_quiets_are_together_the_legal_moves() {
    each_position(3, |position| {
        let generator = MoveGenerator::new(position);
        let (mut captures, mut all) = (MoveList::new(), MoveList::new());
        generator.captures(|m| captures.push(m));
        assert!(captures.iter().all(|m| m.is_capture() || m.is_promotion()));
        all.extend(captures);
        generator.quiets(|m| {
            assert!(!m.is_capture() && !m.is_promotion());
            all.push(m);
        });
        let legal = position.chess().legal_moves();
        assert_eq!(sorted(all), sorted(legal), "{:?}", position.chess());
    });
}

#[test]
fn mates_and_stalemates_have_no_moves() {
    let mut without = 0;
    each_position(3, |position| {
        let has_none = position.chess().legal_moves().is_empty();
        assert_eq!(MoveGenerator::new(position).any(), !has_none, "{:?}", position.chess());
        without += u32::from(has_none);
    });
    assert!(without > 0);
}

#[test]
fn every_legal_move_survives_packing() {
    each_position(2, |position| {
        let generator = MoveGenerator::new(position);
        for m in position.chess().legal_moves() {
            assert_eq!(generator.find(PackedMove::new(m)), Some(m), "{:?}", position.chess());
        }
    });
}

#[test]
fn no_bits_make_an_illegal_move() {
    each_position(1, |position| {
        let generator = MoveGenerator::new(position);
        let legal = position.chess().legal_moves();
        let found: Vec<Move> =
            (0..=u16::MAX).filter_map(|bits| generator.find(PackedMove::from_bits(bits))).collect();
        assert!(found.iter().all(|m| legal.contains(m)), "{:?}", position.chess());
    });
    assert_eq!(MoveGenerator::new(&Position::new(Chess::default())).find(PackedMove::NONE), None);
}

#[test]
fn a_mirrored_position_has_its_moves_in_the_same_order() {
    each_position(2, |position| {
        let chess = position.chess();
        let setup = chess.to_setup(shakmaty::EnPassantMode::Legal).into_mirrored();
        let mirrored: Chess = setup.position(chess.castles().mode()).unwrap();
        let list = |position: &Position| {
            let mut moves = Vec::new();
            let generator = MoveGenerator::new(position);
            generator.captures(|m| moves.push((m.role(), m.from(), m.to(), m.promotion())));
            generator.quiets(|m| moves.push((m.role(), m.from(), m.to(), None)));
            moves
        };
        let flipped = list(&Position::new(mirrored)).into_iter().map(|(role, from, to, new)| {
            (role, from.map(Square::flip_vertical), to.flip_vertical(), new)
        });
        assert!(flipped.eq(list(position)), "{chess:?}");
    });
}
