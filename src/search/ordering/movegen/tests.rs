//! Compares the generator with shakmaty.

use super::*;
use crate::search::position::tests::each_position;
use crate::testing::mirrored;
use shakmaty::MoveList;

fn sorted(moves: MoveList) -> Vec<Move> {
    let mut moves: Vec<Move> = moves.into_iter().collect();
    moves.sort_by_key(|&m| PackedMove::new(m).bits());
    moves
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
        let list = |position: &Position| {
            let mut moves = Vec::new();
            let generator = MoveGenerator::new(position);
            generator.captures(|m| moves.push((m.role(), m.from(), m.to(), m.promotion())));
            generator.quiets(|m| moves.push((m.role(), m.from(), m.to(), None)));
            moves
        };
        let flipped =
            list(&Position::new(mirrored(chess))).into_iter().map(|(role, from, to, new)| {
                (role, from.map(Square::flip_vertical), to.flip_vertical(), new)
            });
        assert!(flipped.eq(list(position)), "{chess:?}");
    });
}
