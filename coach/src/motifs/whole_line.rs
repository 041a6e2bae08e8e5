//! Motifs that need the whole line: sacrifices, quiet and defensive moves, in-between moves, forced draws, the
//! mate or endgame that it is, and what happens around the king.

use super::by_move::hanging_capture;
use super::found::{FoundMotif, Spot};
use super::line::{Line, Step};
use super::motif::Motif;
use super::pins::{Pin, is_costly, pins};
use super::safety::attackers;
use shakmaty::{Bitboard, Board, Chess, Color, File, Position, Role, Square};
use tropism::geometry::{back_rank_distance, beside, chebyshev, step};
use tropism::text::Balance;

/// All of them.
pub fn motifs(line: &Line) -> Vec<FoundMotif> {
    let finders = [
        hanging_piece,
        pin,
        sacrifice,
        intermezzo,
        quiet_move,
        defensive_move,
        stalemate_trick,
        perpetual_check,
        mate_in,
        endgame,
        exposed_king,
        attacking_f2_f7,
        side_attack,
    ];
    finders.into_iter().filter_map(|find| find(line)).collect()
}

/// The first move captures a piece that nothing defends, and the line does not give the gain back.
fn hanging_piece(line: &Line) -> Option<FoundMotif> {
    let first = line.own().next()?;
    let balance = |position: &Chess| balance(position.board(), line.side);
    let keeps = line.own().nth(1).is_none_or(|next| balance(&next.after) >= balance(&first.after));
    hanging_capture(first, line.before(first)).filter(|_| keeps)
}

/// The first pin to the king that costs the opponent something.
fn pin(line: &Line) -> Option<FoundMotif> {
    line.own().find_map(|step| {
        let board = step.board();
        let mut to_king = pins(board, !line.side).filter(|pin| pin.motif == Motif::Pin);
        let pin = to_king.find(|&pin| is_costly(board, pin))?;
        let before = step.before.board();
        let is_same = |old: &Pin| (old.pinned, old.behind) == (pin.pinned, pin.behind);
        let old = pins(before, !line.side).find(is_same);
        Some(old.map_or(pin.found(board, step.ply), |old| old.found(before, step.ply - 1)))
    })
}

/// After a move of the side that is not its first, it has lost at least two pawns' worth, and not because the
/// opponent promoted. The piece that was captured last is the sacrifice.
fn sacrifice(line: &Line) -> Option<FoundMotif> {
    let start = balance(line.own().next()?.before.board(), line.side);
    let down = line.own().skip(1).find(|it| balance(it.after.board(), line.side) <= start - 2)?;
    if replies(line).any(|reply| reply.m.is_promotion()) {
        return None;
    }
    let capture =
        replies(line).filter(|reply| reply.ply < down.ply && reply.m.is_capture()).last()?;
    let by = capture.victim()?;
    Some(FoundMotif::new(Motif::Sacrifice, capture.ply - 1, line.side).by(by))
}

/// The opponent's answers to moves of the side.
fn replies(line: &Line) -> impl Iterator<Item = &Step> {
    line.steps
        .iter()
        .skip_while(|step| step.side() != line.side)
        .filter(|it| it.side() != line.side)
}

/// The opponent captures, the side could recapture at once, but plays something else first.
fn intermezzo(line: &Line) -> Option<FoundMotif> {
    line.combinations().find_map(|it| {
        let (setup, reply, payoff) = (it.setup, it.reply, it.payoff);
        let capture = line.before(setup)?;
        let square = payoff.to();
        let waits = capture.m.is_capture()
            && capture.to() == square
            && payoff.m.is_capture()
            && setup.to() != square
            && setup.before.is_legal(payoff.m)
            // The reply does not capture again from there.
            && !attackers(setup.after.board(), !line.side, square).contains(reply.from());
        let taken = Spot::on(setup.before.board(), square);
        waits.then(|| setup.found(Motif::Intermezzo).target(taken))
    })
}

/// A move that gives no check and escapes none, captures nothing, attacks nothing and brings no pawn forward, and the
/// line goes on.
fn quiet_move(line: &Line) -> Option<FoundMotif> {
    let is_quiet = |step: &&Step| {
        line.goes_on(step)
            && !step.before.is_check()
            && step.role() != Role::King
            && threatens_nothing(step)
    };
    Some(line.own().find(is_quiet)?.found(Motif::QuietMove))
}

/// The last move only has to hold: it gives no check, captures and attacks nothing. Or the line begins with a way out of
/// check that does not capture or give check. In both cases there are other moves. Of a single move nothing says that it
/// has to hold anything.
fn defensive_move(line: &Line) -> Option<FoundMotif> {
    let has_choice = |step: &Step| step.before.legal_moves().len() >= 3;
    let escape = line
        .own()
        .take_while(|it| !it.after.is_check() && !it.m.is_capture() && has_choice(it))
        .find(|it| it.before.is_check());
    let holds = |it: &&Step| has_choice(it) && threatens_nothing(it);
    let last = || line.own().skip(1).last().filter(holds);
    Some(escape.or_else(last)?.found(Motif::DefensiveMove))
}

/// Whether a move gives no check, captures nothing, and its piece attacks nothing where it stands.
fn threatens_nothing(step: &Step) -> bool {
    let board = step.board();
    let is_advanced_pawn = step.m.role() == Role::Pawn && step.rank_of_target() >= 5;
    !step.after.is_check()
        && !step.m.is_capture()
        && !is_advanced_pawn
        && (board.attacks_from(step.to()) & board.by_color(!step.side())).is_empty()
}

/// The side is behind, and the line ends in stalemate.
fn stalemate_trick(line: &Line) -> Option<FoundMotif> {
    let last = line.steps.last()?;
    let start = line.own().next()?.before.board();
    let is_trick = last.after.is_stalemate() && balance(start, line.side) < 0;
    is_trick.then(|| FoundMotif::new(Motif::StalemateTrick, last.ply, line.side))
}

/// Every move of the side gives check, and a position comes back.
fn perpetual_check(line: &Line) -> Option<FoundMotif> {
    let last = line.steps.last()?;
    let all_check = line.own().all(|step| step.after.is_check());
    let comes_back = line.steps.iter().any(|step| {
        let is_same = |position: &Chess| {
            position.board() == last.after.board() && position.turn() == last.after.turn()
        };
        is_same(&step.before)
    });
    (all_check && comes_back).then(|| FoundMotif::new(Motif::PerpetualCheck, last.ply, line.side))
}

/// In how many moves a line mates.
fn mate_in(line: &Line) -> Option<FoundMotif> {
    line.own().last().filter(|step| step.after.is_checkmate())?;
    let motif = match line.own().count() {
        1 => Motif::MateIn1,
        2 => Motif::MateIn2,
        3 => Motif::MateIn3,
        4 => Motif::MateIn4,
        _ => Motif::MateIn5,
    };
    Some(line.own().next()?.found(motif))
}

/// The kind of endgame that a line is played in. A line that begins with the last trade of pieces is not played in the
/// endgame before it.
fn endgame(line: &Line) -> Option<FoundMotif> {
    let first = line.own().next()?;
    let kind = endgame_kind(first.before.board())?;
    let is_left = endgame_kind(first.after.board()) != Some(kind);
    (!is_left).then(|| FoundMotif::new(kind, 0, line.side))
}

/// The kind of endgame that a board shows, if only one kind of piece is left with the kings and pawns, or one queen with
/// rooks.
fn endgame_kind(board: &Board) -> Option<Motif> {
    let pieces = board.occupied() & !board.kings() & !board.pawns();
    let only = |kind: Bitboard| (pieces & !kind).is_empty();
    match pieces.is_empty() {
        true => board.pawns().any().then_some(Motif::PawnEndgame),
        false if only(board.knights()) => Some(Motif::KnightEndgame),
        false if only(board.bishops()) => Some(Motif::BishopEndgame),
        false if only(board.rooks()) => Some(Motif::RookEndgame),
        false if only(board.queens()) => Some(Motif::QueenEndgame),
        false if only(board.rooks_and_queens()) && board.queens().count() == 1 => {
            Some(Motif::QueenRookEndgame)
        }
        false => None,
    }
}

/// How many pawns' worth of material a side has more than its opponent.
fn balance(board: &Board, side: Color) -> i32 {
    Balance::new(board, side).pawns()
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
