//! Motifs around the king.

use super::found::{FoundMotif, Spot};
use super::line::Line;
use super::motif::Motif;
use shakmaty::{Board, Color, File, Position, Square};
use tropism::geometry::{back_rank_distance, beside, chebyshev, step};

/// All of a line.
pub fn motifs(line: &Line) -> Vec<FoundMotif> {
    let finders = [exposed_king, attacking_f2_f7, side_attack];
    finders.into_iter().filter_map(|find| find(line)).collect()
}

/// Whether a king near its back rank has no own pawn beside or before it.
fn is_exposed(board: &Board, king: Square, side: Color) -> bool {
    let beside = beside(king.into());
    let shield = beside | step(side, beside.with(king));
    back_rank_distance(side, king) <= 2 && (shield & board.by_piece(side.pawn())).is_empty()
}

/// The opponent's king has no pawns around it, and the line gives check between its first and last move.
fn exposed_king(line: &Line) -> Option<FoundMotif> {
    let first = line.own().next()?;
    let board = first.before.board();
    let king = board.king_of(!line.side).filter(|&king| is_exposed(board, king, !line.side))?;
    let check = line.own().skip(1).find(|it| line.goes_on(it) && it.after.is_check())?;
    Some(check.found(Motif::ExposedKing).target(Spot::on(board, king)))
}

/// A capture on f2 or f7 while the king stands beside on its first square.
fn attacking_f2_f7(line: &Line) -> Option<FoundMotif> {
    let (target, home) = line.side.fold_wb((Square::F7, Square::E8), (Square::F2, Square::E1));
    let capture = line.own().find(|it| it.m.is_capture() && it.to() == target)?;
    let board = capture.after.board();
    let is_home = board.king_of(!line.side) == Some(home);
    is_home.then(|| capture.found(Motif::AttackingF2F7).target(Spot::on(board, home)))
}

/// An attack on a castled king: with checks, and captures near its corner. Moves far from there count against it. With
/// fewer pieces, one does not speak of an attack. The themes are those of the puzzles of Lichess, and so are the numbers.
fn side_attack(line: &Line) -> Option<FoundMotif> {
    let first = line.own().next()?;
    let board = first.before.board();
    let king = board.king_of(!line.side)?;
    let (motif, corner, pieces) = match king.file() {
        File::G | File::H => (Motif::KingsideAttack, File::H, 20),
        File::B | File::C => (Motif::QueensideAttack, File::A, 18),
        _ => return None,
    };
    let corner = Square::from_coords(corner, (!line.side).backrank());
    let score: i32 = line
        .own()
        .map(|it| {
            let distance = chebyshev(corner, it.to());
            let check = i32::from(it.after.is_check());
            match it.m.is_capture() && distance <= 3 {
                true => check + 1,
                false => check - i32::from(distance >= 5),
            }
        })
        .sum();
    let is_attack = score >= 2
        && back_rank_distance(!line.side, king) == 0
        && board.occupied().count() >= pieces
        && line.own().any(|it| it.after.is_check());
    is_attack.then(|| first.found(motif).target(Spot::on(board, king)))
}
