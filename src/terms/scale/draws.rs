//! Draws that are known without a search: a side that is ahead and still does not win.
//!
//! Each rule was counted on random positions against exact tables; its comment says how often it is right.

use crate::endgame::pawn_wins;
use crate::eval::{Advantage, ScaleEntry, ScaleScope, Side};
use crate::geometry::{ahead, chebyshev, pawn_attacks, promotion_distance};
use shakmaty::{Bitboard, Color, File, Rank, Square};

/// All of them.
pub(super) fn all() -> [ScaleEntry; 6] {
    [
        ScaleEntry::new(
            "cannot_mate",
            "A side that cannot force mate is never ahead.",
            "its pieces cannot force mate",
            None,
            ScaleScope::FewPawns,
            |advantage| !advantage.strong.can_mate(),
        ),
        ScaleEntry::new(
            "drawn_pawns",
            "A lone pawn, or rook pawns on one file, often do not win against a bare king.",
            "its pawns cannot win against the bare king",
            None,
            ScaleScope::BareKing,
            are_pawns_drawn,
        ),
        ScaleEntry::new(
            "held_corner",
            "Rook pawns do not win where the other king holds a corner that their bishops do not guard.",
            "nothing guards the corner where its pawns promote, and the other king comes there",
            None,
            ScaleScope::RookPawns,
            is_corner_held,
        ),
        ScaleEntry::new(
            "knight_and_pawn",
            "A knight and a rook pawn on the seventh rank do not win where a king is at the corner.",
            "its knight cannot win with a rook pawn this far advanced",
            None,
            ScaleScope::BareKing,
            is_knight_and_pawn,
        ),
        ScaleEntry::new(
            "blockade",
            "With bishops on different colours, pawns do not pass a king or bishop that nothing drives away.",
            "the bishops stand on different colours and its pawns are blockaded",
            None,
            ScaleScope::OppositeBishops,
            is_blockade,
        ),
        ScaleEntry::new(
            "lost_piece",
            "A bare king that takes the piece that wins has a draw.",
            "the bare king takes a piece that it needs",
            None,
            ScaleScope::BareKing,
            is_piece_lost,
        ),
    ]
}

/// The corner where all pawns of a side promote, if they stand on a rook file.
#[inline]
fn promotion_corner(side: Color, pawns: Bitboard) -> Option<Square> {
    let file = pawns.first()?.file();
    let is_rook_file =
        matches!(file, File::A | File::H) && (pawns & !Bitboard::from_file(file)).is_empty();
    is_rook_file.then(|| Square::from_coords(file, side.fold_wb(Rank::Eighth, Rank::First)))
}

/// The pawn that is nearest to promotion, of pawns on one file.
fn foremost(side: Color, pawns: Bitboard) -> Option<Square> {
    if side.is_white() { pawns.last() } else { pawns.first() }
}

/// Where the pawns could capture, now or farther ahead.
#[inline]
fn capturable(advantage: &Advantage<'_>) -> Bitboard {
    let pawns = advantage.strong.pawns;
    pawn_attacks(advantage.side, pawns | ahead(advantage.side, pawns))
}

/// The side has only a pawn, or rook pawns on one file, and the exact table says that the foremost does not win. For a
/// lone pawn this is always right, for two pawns in 99.2 % of the positions: a waiting move of the other pawn seldom
/// helps, because the king before a rook pawn is stalemated or the king beside it is shut in.
fn are_pawns_drawn(advantage: &Advantage<'_>) -> bool {
    let &Advantage { side, strong, weak, is_to_move, .. } = advantage;
    if strong.has_pieces() {
        return false;
    }
    let Some(pawn) = foremost(side, strong.pawns) else { return false };
    let is_known = strong.pawns.count() == 1
        || promotion_corner(side, strong.pawns).is_some() && is_beyond(side, weak.king, pawn);
    let turn = if is_to_move { side } else { !side };
    is_known && !pawn_wins(side, turn, strong.king, pawn, weak.king)
}

/// Whether a square of one king is beyond a pawn of `side`.
fn is_beyond(side: Color, king: Square, pawn: Square) -> bool {
    if side.is_white() { king.rank() > pawn.rank() } else { king.rank() < pawn.rank() }
}

/// All pawns are on a rook file, nothing guards the corner where they promote, and the other king is at the corner or
/// comes there first. No move drives it out: only a pawn could attack the corner, from the next file. With one pawn
/// against the bare king, a king at the corner always draws and one on the way in 99.9 %.
fn is_corner_held(advantage: &Advantage<'_>) -> bool {
    let &Advantage { side, strong, weak, is_to_move, .. } = advantage;
    let Some(corner) = promotion_corner(side, strong.pawns) else { return false };
    let Some(pawn) = foremost(side, strong.pawns) else { return false };
    let wrong_colour =
        if corner.is_light() { Bitboard::DARK_SQUARES } else { Bitboard::LIGHT_SQUARES };
    if strong.all.without(strong.king) != strong.pawns | (strong.bishops & wrong_colour) {
        return false;
    }
    // A pawn that captures on the next file no longer promotes in the corner.
    if (weak.pawns & capturable(advantage)).any() {
        return false;
    }
    let distance = chebyshev(weak.king, corner);
    let first = promotion_distance(side, pawn).min(chebyshev(strong.king, corner));
    distance <= 1 || distance + u32::from(is_to_move) < first
}

/// A knight and a rook pawn on the seventh rank. With the bare king at the corner, the king that comes to guard the
/// pawn stalemates; the search finds the mate in one, in 0.8 % of the positions. Or the pawn's own king is shut in the
/// corner: the bare king steps to and fro, and by the colours of the squares the knight never takes the free one from it.
/// That is always right.
fn is_knight_and_pawn(advantage: &Advantage<'_>) -> bool {
    let &Advantage { side, strong, weak, is_to_move, .. } = advantage;
    let seventh = side.fold_wb(Rank::Seventh, Rank::Second);
    let Some(knight) = strong.knights.first() else { return false };
    if strong.all.count() != 3 || (strong.pawns & Bitboard::from_rank(seventh)).is_empty() {
        return false;
    }
    let Some(corner) = promotion_corner(side, strong.pawns) else { return false };
    let files = weak.king.file().distance(corner.file());
    let ranks = weak.king.rank().distance(corner.rank());
    // Each move changes the colour of both pieces' squares, so the knight never loses a move.
    let waits = (knight.is_light() == weak.king.is_light()) == is_to_move;
    files.max(ranks) <= 1 && !strong.knight_attacks.contains(corner)
        || strong.king == corner && files == 2 && ranks <= 1 && waits
}

/// Bishops on different colours. All pawns are on one file and the king stands before them, on a square that their
/// bishop cannot attack, or there is one pawn and the bishop guards a square on its way. The bishop must not be lost at
/// once. A draw in 99.5 % of the positions, by searches of another engine. With king and bishop before a pawn each it
/// would be 96 %, so that is no rule.
fn is_blockade(advantage: &Advantage<'_>) -> bool {
    let &Advantage { side, strong, weak, is_to_move, .. } = advantage;
    let Some(defender) = weak.bishops.single_square() else { return false };
    if strong.pieces.len() != 1
        || weak.pieces.len() != 1
        || (weak.pawns & capturable(advantage)).any()
        || is_to_move && strong.attacks.contains(defender)
    {
        return false;
    }
    let is_safe = weak.king.is_light() == defender.is_light();
    let held = if is_safe { ahead(!side, weak.king.into()) } else { Bitboard::EMPTY };
    let guarded = weak.bishop_attacks.with(defender);
    let is_guarded = |pawn: Square| (ahead(side, pawn.into()) & guarded).any();
    held.is_superset(strong.pawns) || strong.pawns.single_square().is_some_and(is_guarded)
}

/// The bare king, to move, attacks a piece that nothing guards, and without it the rest does not win. A bonus for a won
/// ending is larger than the margins of the search, which then leaves the capture out as hopeless. So the evaluation
/// must see it.
fn is_piece_lost(advantage: &Advantage<'_>) -> bool {
    let &Advantage { context, side, is_to_move, strong, weak } = advantage;
    let attacked = weak.king_attacks & strong.all;
    if is_to_move || attacked.is_empty() {
        return false;
    }
    let free = attacked & !context.closed_to_king(side);
    free.into_iter().any(|square| {
        let rest = strong.without(square);
        let bare = Side { king: square, all: square.into(), ..weak.clone() };
        let after = Advantage { is_to_move: true, strong: &rest, weak: &bare, ..*advantage };
        let draws = [are_pawns_drawn, is_corner_held, is_knight_and_pawn];
        !rest.can_mate() || draws.iter().any(|applies| applies(&after))
    })
}
