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
            [
                "cannot_mate",
                "A side that cannot force mate is never ahead.",
                "its pieces cannot force mate",
            ],
            None,
            ScaleScope::FewPawns,
            |advantage| !advantage.strong.can_mate(),
        ),
        ScaleEntry::new(
            [
                "drawn_pawns",
                "A lone pawn, or rook pawns on one file, often do not win against a bare king.",
                "its pawns cannot win against the bare king",
            ],
            None,
            ScaleScope::BareKing,
            are_pawns_drawn,
        ),
        ScaleEntry::new(
            [
                "held_corner",
                "Rook pawns do not win where the other king holds a corner that their bishops do not guard.",
                "nothing guards the corner where its pawns promote, and the other king comes there",
            ],
            None,
            ScaleScope::RookPawns,
            is_corner_held,
        ),
        ScaleEntry::new(
            [
                "knight_and_pawn",
                "A knight and a rook pawn on the seventh rank do not win where a king is at the corner.",
                "its knight cannot win with a rook pawn this far advanced",
            ],
            None,
            ScaleScope::BareKing,
            is_knight_and_pawn,
        ),
        ScaleEntry::new(
            [
                "blockade",
                "With bishops on different colours, pawns do not pass a king or bishop that nothing drives away.",
                "the bishops stand on different colours and its pawns are blockaded",
            ],
            None,
            ScaleScope::OppositeBishops,
            is_blockade,
        ),
        ScaleEntry::new(
            [
                "lost_piece",
                "A bare king that takes the piece that wins has a draw.",
                "the bare king takes a piece that it needs",
            ],
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

#[cfg(test)]
mod tests {
    use crate::terms::scale::tests::assert_known;

    #[test]
    fn pieces_that_cannot_mate() {
        assert_known(
            "cannot_mate",
            &[
                ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", true),
                ("4k3/8/8/8/8/8/8/B3K3 w - - 0 1", true),
                ("4k3/8/8/8/8/8/8/N3K3 w - - 0 1", true),
                ("4k3/8/8/8/8/8/8/NN2K3 w - - 0 1", true),
                ("4k3/8/8/8/8/8/8/B1B1K3 w - - 0 1", true),
                ("4k1b1/8/8/8/8/8/8/B3K3 w - - 0 1", true),
                ("4k1n1/8/8/8/8/8/8/N3K3 w - - 0 1", true),
                ("4k3/8/8/8/8/8/8/BN2K3 w - - 0 1", false),
                ("4k3/8/8/8/8/8/8/BB2K3 w - - 0 1", false),
                ("4k3/8/8/8/8/8/8/NNN1K3 w - - 0 1", false),
            ],
        );
    }

    #[test]
    fn pawns_on_one_file_against_a_bare_king() {
        assert_known(
            "drawn_pawns",
            &[
                // The opposition before a lone pawn.
                ("8/4k3/8/4K3/4P3/8/8/8 w - - 0 1", true),
                ("8/4k3/8/4K3/4P3/8/8/8 b - - 0 1", false),
                // The king before rook pawns, and a king shut in before its own.
                ("k7/8/K7/P7/P7/P7/8/8 w - - 0 1", true),
                ("7K/5k2/7P/7P/8/8/8/8 w - - 0 1", true),
                ("K1k5/P7/8/P7/8/8/8/8 b - - 0 1", true),
                // Too late, or with a second pawn elsewhere.
                ("8/4k3/1K6/P7/P7/8/8/8 b - - 0 1", false),
                ("k7/8/K7/PP6/8/8/8/8 w - - 0 1", false),
                ("8/4k3/8/4K3/4P3/4P3/8/8 w - - 0 1", false),
                // The king has passed the pawns, so one of them gives the other the move that it needs.
                ("8/4K3/8/8/P1k5/P7/8/8 w - - 0 1", false),
            ],
        );
    }

    #[test]
    fn rook_pawns_whose_corner_nothing_guards() {
        assert_known(
            "held_corner",
            &[
                // One bishop or two on dark squares do not guard a8, however many pawns there are.
                ("k7/8/P7/1K6/8/8/3B4/8 w - - 0 1", true),
                ("1k6/8/P7/P1K5/P7/8/5B2/8 b - - 0 1", true),
                ("k7/8/P7/1K6/5B2/8/3B4/8 w - - 0 1", true),
                ("6k1/8/6KP/8/7P/8/4B3/1B6 w - - 0 1", true),
                ("6k1/8/6KP/8/7P/8/4B3/2B5 w - - 0 1", false),
                // The king comes to the corner first, or it does not.
                ("8/8/8/2k5/8/P7/1K6/2B5 b - - 0 1", true),
                ("8/8/8/2k5/8/P7/1K6/2B5 w - - 0 1", true),
                ("8/8/8/2k5/8/P7/3K4/2B5 b - - 0 1", true),
                ("8/1K6/8/2k5/8/P7/8/2B5 b - - 0 1", false),
                ("8/4k3/P7/8/8/8/1K6/2B5 w - - 0 1", false),
                // A light-squared bishop, a knight, a pawn on another file guard the corner or reach it.
                ("k7/8/P7/1K6/8/8/4B3/8 w - - 0 1", false),
                ("k7/8/P7/1K6/8/5N2/3B4/8 w - - 0 1", false),
                ("k7/8/P7/1P6/1K6/8/3B4/8 w - - 0 1", false),
                ("k7/8/P6P/8/1K6/8/3B4/8 w - - 0 1", false),
                // The defender's pawns do not matter, except on the next file, where they can be captured.
                ("k7/8/P7/1K3p2/5p2/8/3B4/8 w - - 0 1", true),
                ("k7/p7/P7/8/1K6/8/3B4/8 w - - 0 1", true),
                ("k7/8/P7/1K6/8/8/1p6/2B5 w - - 0 1", true),
                ("k7/1p6/8/P7/1K6/8/3B4/8 w - - 0 1", false),
                ("7k/7p/7P/6KP/8/8/8/8 w - - 0 1", true),
            ],
        );
    }

    #[test]
    fn a_knight_and_a_rook_pawn_on_the_seventh_rank() {
        assert_known(
            "knight_and_pawn",
            &[
                ("k7/P7/8/1N6/3K4/8/8/8 w - - 0 1", true),
                ("8/Pk6/8/2K5/8/8/4N3/8 b - - 0 1", true),
                ("8/6kP/8/4K3/5N2/8/8/8 w - - 0 1", true),
                // The knight guards the corner; the pawn is on the sixth rank or on another file; another pawn.
                ("8/Pk6/1N6/8/8/4K3/8/8 w - - 0 1", false),
                ("k7/8/P7/1N6/3K4/8/8/8 w - - 0 1", false),
                ("1k6/1P6/8/1N6/3K4/8/8/8 w - - 0 1", false),
                ("k7/P7/8/PN6/3K4/8/8/8 w - - 0 1", false),
                // The king is shut in, and the knight arrives at the wrong moment or at the right one.
                ("K1k5/P7/8/8/8/5N2/8/8 w - - 0 1", true),
                ("K7/P1k5/8/8/8/5N2/8/8 b - - 0 1", true),
                ("K1k5/P7/8/8/8/5N2/8/8 b - - 0 1", false),
                ("K7/P1k5/8/8/8/5N2/8/8 w - - 0 1", false),
            ],
        );
    }

    #[test]
    fn blockaded_pawns_with_bishops_on_different_colours() {
        assert_known(
            "blockade",
            &[
                // The king on a square that the bishop cannot attack, before one pawn or two.
                ("3k4/8/3PK3/8/8/6b1/4B3/8 w - - 0 1", true),
                ("4k3/8/4PK2/8/4PB2/8/2b5/8 w - - 0 1", true),
                ("4k3/8/4PK2/8/5B2/8/5b2/8 w - - 0 1", false),
                // The bishop alone before a pawn; it is attacked and lost.
                ("8/8/3b4/3P4/8/3K4/4B1k1/8 w - - 0 1", true),
                ("8/8/3b4/3PK3/8/8/4B1k1/8 w - - 0 1", false),
                // A pawn on another file, a bishop that guards nothing on the way, other pieces.
                ("8/2k5/7b/2P2P2/4K3/3B4/8/8 w - - 0 1", false),
                ("6k1/8/4PK2/8/4P3/8/5b2/3B4 w - - 0 1", false),
                ("3k4/8/3PK3/8/8/6b1/r3B3/R7 w - - 0 1", false),
            ],
        );
    }

    #[test]
    fn a_bare_king_that_takes_a_piece() {
        assert_known(
            "lost_piece",
            &[
                // The rook; the knight and the bishop; the new queen before the wrong corner.
                ("8/8/8/8/8/1k6/R7/3K4 b - - 0 1", true),
                ("8/8/8/8/8/1k6/1B6/K2N4 b - - 0 1", false),
                ("8/8/8/8/2N5/1k6/1B6/4K3 b - - 0 1", true),
                ("Q7/1k6/8/P2K4/8/8/3B4/8 b - - 0 1", true),
                // Not with the other side to move, nor if the piece is guarded or the rest wins.
                ("8/8/8/8/8/1k6/R7/3K4 w - - 0 1", false),
                ("8/8/8/8/8/1k6/1R6/2K5 b - - 0 1", false),
                ("8/8/8/8/8/1k6/1R6/3K3R b - - 0 1", false),
                ("Q7/1k6/8/P2K4/8/8/4B3/8 b - - 0 1", false),
            ],
        );
    }
}
