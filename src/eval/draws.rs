//! Draws that are known without a search: a side that is ahead and still does not win.
//!
//! Each rule was counted on random positions against exact tables. [`KnownDraw`] says how often it is right.

use super::{EvalContext, Side};
use crate::endgame::pawn_wins;
use crate::geometry::{ahead, chebyshev, pawn_attacks, promotion_distance};
use shakmaty::{Bitboard, Color, File, Rank, Square};

/// Why a side does not win, however far it is ahead.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum KnownDraw {
    /// The side cannot force mate.
    CannotMate,
    /// The side has only a pawn against the bare king, or rook pawns on one file. The exact table says that the
    /// foremost does not win. For a lone pawn this is always right, for two pawns in 99.2 % of the positions: a
    /// waiting move of the other pawn seldom helps, because the king before a rook pawn is stalemated or the king
    /// beside it is shut in.
    Pawn,
    /// All pawns are on a rook file, nothing guards the corner where they promote, and the other king is at the
    /// corner or comes there first. No move drives it out: only a pawn could attack the corner, from the next file.
    /// With one pawn against the bare king, a king at the corner always draws and one on the way in 99.9 %.
    Corner,
    /// A knight and a rook pawn on the seventh rank. With the bare king at the corner, the king that comes to guard the
    /// pawn stalemates; the search finds the mate in one, in 0.8 % of the positions. Or the pawn's own king is shut in
    /// the corner: the bare king steps to and fro, and by the colours of the squares the knight never takes the free one
    /// from it. That is always right.
    KnightAndPawn,
    /// Bishops on different colours. All pawns are on one file and the king stands before them, on a square that their
    /// bishop cannot attack, or there is one pawn and the bishop guards a square on its way. A draw in 99.5 % of the
    /// positions, by searches of another engine. With king and bishop before a pawn each it would be 96 %, so that is
    /// no rule.
    Blockade,
    /// The bare king is to move and takes a piece, and the rest does not win.
    LosesPiece,
}

impl KnownDraw {
    /// The draw that a side cannot avoid although it is ahead, if one is known.
    pub fn find(context: &EvalContext, side: Color) -> Option<KnownDraw> {
        let ending = Ending {
            side,
            is_to_move: context.turn == side,
            strong: context.side(side),
            weak: context.side(!side),
        };
        let draw = ending.draw();
        let loses_piece = || ending.loses_piece(context).then_some(KnownDraw::LosesPiece);
        if draw.is_some() { draw } else { loses_piece() }
    }

    /// The reason, for people.
    pub const fn reason(self) -> &'static str {
        match self {
            KnownDraw::CannotMate => "its pieces cannot force mate",
            KnownDraw::Pawn => "its pawns cannot win against the bare king",
            KnownDraw::Corner => {
                "nothing guards the corner where its pawns promote, and the other king comes there"
            }
            KnownDraw::KnightAndPawn => "its knight cannot win with a rook pawn this far advanced",
            KnownDraw::Blockade => {
                "the bishops stand on different colours and its pawns are blockaded"
            }
            KnownDraw::LosesPiece => "the bare king takes a piece that it needs",
        }
    }
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

/// Whether a square of one king is beyond a pawn of `side`.
fn is_beyond(side: Color, king: Square, pawn: Square) -> bool {
    if side.is_white() { king.rank() > pawn.rank() } else { king.rank() < pawn.rank() }
}

/// The two sides, seen from the one that may be ahead.
#[derive(Copy, Clone)]
struct Ending<'a> {
    side: Color,
    is_to_move: bool,
    strong: &'a Side,
    weak: &'a Side,
}

impl Ending<'_> {
    /// A draw that does not depend on captures.
    #[inline]
    fn draw(&self) -> Option<KnownDraw> {
        if !self.strong.can_mate() {
            Some(KnownDraw::CannotMate)
        } else if self.is_drawn_pawn() {
            Some(KnownDraw::Pawn)
        } else if self.is_corner_held() {
            Some(KnownDraw::Corner)
        } else if self.is_knight_and_pawn() {
            Some(KnownDraw::KnightAndPawn)
        } else if self.is_blockade() {
            Some(KnownDraw::Blockade)
        } else {
            None
        }
    }

    /// A lone pawn, or rook pawns on one file, of which the foremost does not win.
    #[inline]
    fn is_drawn_pawn(&self) -> bool {
        let &Ending { side, strong, weak, .. } = self;
        if !weak.is_bare() || strong.has_pieces() {
            return false;
        }
        let Some(pawn) = foremost(side, strong.pawns) else { return false };
        let is_known = strong.pawns.count() == 1
            || promotion_corner(side, strong.pawns).is_some() && is_beyond(side, weak.king, pawn);
        let turn = if self.is_to_move { side } else { !side };
        is_known && !pawn_wins(side, turn, strong.king, pawn, weak.king)
    }

    /// Rook pawns whose corner nothing guards and the other king reaches.
    #[inline]
    fn is_corner_held(&self) -> bool {
        let &Ending { side, strong, weak, .. } = self;
        let Some(corner) = promotion_corner(side, strong.pawns) else { return false };
        let Some(pawn) = foremost(side, strong.pawns) else { return false };
        let wrong_colour =
            if corner.is_light() { Bitboard::DARK_SQUARES } else { Bitboard::LIGHT_SQUARES };
        if strong.all.without(strong.king) != strong.pawns | (strong.bishops & wrong_colour) {
            return false;
        }
        // A pawn that captures on the next file no longer promotes in the corner.
        if (weak.pawns & self.capturable()).any() {
            return false;
        }
        let distance = chebyshev(weak.king, corner);
        let first = promotion_distance(side, pawn).min(chebyshev(strong.king, corner));
        distance <= 1 || distance + u32::from(self.is_to_move) < first
    }

    /// A knight and one rook pawn on the seventh rank, and a king at the corner that the knight does not attack; or the
    /// pawn's own king in the corner, shut in by a king that the knight cannot drive away.
    #[inline]
    fn is_knight_and_pawn(&self) -> bool {
        let &Ending { side, strong, weak, .. } = self;
        let seventh = side.fold_wb(Rank::Seventh, Rank::Second);
        let Some(knight) = strong.knights.first() else { return false };
        if strong.all.count() != 3
            || !weak.is_bare()
            || (strong.pawns & Bitboard::from_rank(seventh)).is_empty()
        {
            return false;
        }
        let Some(corner) = promotion_corner(side, strong.pawns) else { return false };
        let files = weak.king.file().distance(corner.file());
        let ranks = weak.king.rank().distance(corner.rank());
        // Each move changes the colour of both pieces' squares, so the knight never loses a move.
        let waits = (knight.is_light() == weak.king.is_light()) == self.is_to_move;
        files.max(ranks) <= 1 && !strong.knight_attacks.contains(corner)
            || strong.king == corner && files == 2 && ranks <= 1 && waits
    }

    /// Bishops on different colours and nothing else but pawns. The king stands before the pawns of one file, on a
    /// square that their bishop cannot attack, or the bishop holds a lone pawn. It must not be lost at once.
    #[inline]
    fn is_blockade(&self) -> bool {
        let &Ending { side, strong, weak, .. } = self;
        let bishops = strong.bishops.single_square().zip(weak.bishops.single_square());
        let Some((attacker, defender)) = bishops else { return false };
        if attacker.is_light() == defender.is_light()
            || strong.pieces.len() != 1
            || weak.pieces.len() != 1
            || (weak.pawns & self.capturable()).any()
            || self.is_to_move && strong.attacks.contains(defender)
        {
            return false;
        }
        let is_safe = weak.king.is_light() == defender.is_light();
        let held = if is_safe { ahead(!side, weak.king.into()) } else { Bitboard::EMPTY };
        let guarded = weak.bishop_attacks.with(defender);
        let is_guarded = |pawn: Square| (ahead(side, pawn.into()) & guarded).any();
        held.is_superset(strong.pawns) || strong.pawns.single_square().is_some_and(is_guarded)
    }

    /// Where the pawns could capture, now or farther ahead.
    #[inline]
    fn capturable(&self) -> Bitboard {
        let pawns = self.strong.pawns;
        pawn_attacks(self.side, pawns | ahead(self.side, pawns))
    }

    /// The bare king, to move, attacks a piece that nothing guards, and without it the rest does not win.
    ///
    /// A bonus for a won ending is larger than the margins of the search, which then leaves the capture out as
    /// hopeless. So the evaluation must see it.
    #[inline]
    fn loses_piece(&self, context: &EvalContext) -> bool {
        let attacked = self.weak.king_attacks & self.strong.all;
        if self.is_to_move || attacked.is_empty() || !self.weak.is_bare() {
            return false;
        }
        let free = attacked & !context.closed_to_king(self.side);
        free.into_iter().any(|square| self.is_drawn_without(square))
    }

    /// Whether the rest does not win after the bare king has taken the piece on a square.
    fn is_drawn_without(&self, square: Square) -> bool {
        let rest = self.strong.without(square);
        let bare = Side { king: square, all: square.into(), ..self.weak.clone() };
        Ending { is_to_move: true, strong: &rest, weak: &bare, ..*self }.draw().is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{CastlingMode, Chess, Color::White, Position, fen::Fen};

    /// The draw that is known for White, which must be the one for Black with colours swapped.
    fn known(fen: &str) -> Option<KnownDraw> {
        let position: Chess =
            fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
        let mut setup = position.to_setup(shakmaty::EnPassantMode::Legal);
        setup.mirror();
        let mirrored = setup.position(CastlingMode::Standard).unwrap();
        let find = |position: &Chess, side| KnownDraw::find(&EvalContext::new(position), side);
        let draw = find(&position, White);
        assert_eq!(draw, find(&mirrored, !White), "{fen}");
        draw
    }

    fn assert_known(positions: &[(&str, Option<KnownDraw>)]) {
        for &(fen, expected) in positions {
            assert_eq!(known(fen), expected, "{fen}");
        }
    }

    #[test]
    fn pieces_that_cannot_mate() {
        let draw = Some(KnownDraw::CannotMate);
        assert_known(&[
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", draw),
            ("4k3/8/8/8/8/8/8/B3K3 w - - 0 1", draw),
            ("4k3/8/8/8/8/8/8/N3K3 w - - 0 1", draw),
            ("4k3/8/8/8/8/8/8/NN2K3 w - - 0 1", draw),
            ("4k3/8/8/8/8/8/8/B1B1K3 w - - 0 1", draw),
            ("4k1b1/8/8/8/8/8/8/B3K3 w - - 0 1", draw),
            ("4k1n1/8/8/8/8/8/8/N3K3 w - - 0 1", draw),
            ("4k3/8/8/8/8/8/8/BN2K3 w - - 0 1", None),
            ("4k3/8/8/8/8/8/8/BB2K3 w - - 0 1", None),
            ("4k3/8/8/8/8/8/8/NNN1K3 w - - 0 1", None),
        ]);
    }

    #[test]
    fn pawns_on_one_file_against_a_bare_king() {
        let draw = Some(KnownDraw::Pawn);
        assert_known(&[
            // The opposition before a lone pawn.
            ("8/4k3/8/4K3/4P3/8/8/8 w - - 0 1", draw),
            ("8/4k3/8/4K3/4P3/8/8/8 b - - 0 1", None),
            // The king before rook pawns, and a king shut in before its own.
            ("k7/8/K7/P7/P7/P7/8/8 w - - 0 1", draw),
            ("7K/5k2/7P/7P/8/8/8/8 w - - 0 1", draw),
            ("K1k5/P7/8/P7/8/8/8/8 b - - 0 1", draw),
            // Too late, or with a second pawn elsewhere.
            ("8/4k3/1K6/P7/P7/8/8/8 b - - 0 1", None),
            ("k7/8/K7/PP6/8/8/8/8 w - - 0 1", None),
            ("8/4k3/8/4K3/4P3/4P3/8/8 w - - 0 1", None),
            // The king has passed the pawns, so one of them gives the other the move that it needs.
            ("8/4K3/8/8/P1k5/P7/8/8 w - - 0 1", None),
        ]);
    }

    #[test]
    fn rook_pawns_whose_corner_nothing_guards() {
        let draw = Some(KnownDraw::Corner);
        assert_known(&[
            // One bishop or two on dark squares do not guard a8, however many pawns there are.
            ("k7/8/P7/1K6/8/8/3B4/8 w - - 0 1", draw),
            ("1k6/8/P7/P1K5/P7/8/5B2/8 b - - 0 1", draw),
            ("k7/8/P7/1K6/5B2/8/3B4/8 w - - 0 1", draw),
            ("6k1/8/6KP/8/7P/8/4B3/1B6 w - - 0 1", draw),
            ("6k1/8/6KP/8/7P/8/4B3/2B5 w - - 0 1", None),
            // The king comes to the corner first, or it does not.
            ("8/8/8/2k5/8/P7/1K6/2B5 b - - 0 1", draw),
            ("8/8/8/2k5/8/P7/1K6/2B5 w - - 0 1", draw),
            ("8/8/8/2k5/8/P7/3K4/2B5 b - - 0 1", draw),
            ("8/1K6/8/2k5/8/P7/8/2B5 b - - 0 1", None),
            ("8/4k3/P7/8/8/8/1K6/2B5 w - - 0 1", None),
            // A light-squared bishop, a knight, a pawn on another file guard the corner or reach it.
            ("k7/8/P7/1K6/8/8/4B3/8 w - - 0 1", None),
            ("k7/8/P7/1K6/8/5N2/3B4/8 w - - 0 1", None),
            ("k7/8/P7/1P6/1K6/8/3B4/8 w - - 0 1", None),
            ("k7/8/P6P/8/1K6/8/3B4/8 w - - 0 1", None),
            // The defender's pawns do not matter, except on the next file, where they can be captured.
            ("k7/8/P7/1K3p2/5p2/8/3B4/8 w - - 0 1", draw),
            ("k7/p7/P7/8/1K6/8/3B4/8 w - - 0 1", draw),
            ("k7/8/P7/1K6/8/8/1p6/2B5 w - - 0 1", draw),
            ("k7/1p6/8/P7/1K6/8/3B4/8 w - - 0 1", None),
            ("7k/7p/7P/6KP/8/8/8/8 w - - 0 1", draw),
        ]);
    }

    #[test]
    fn a_knight_and_a_rook_pawn_on_the_seventh_rank() {
        let draw = Some(KnownDraw::KnightAndPawn);
        assert_known(&[
            ("k7/P7/8/1N6/3K4/8/8/8 w - - 0 1", draw),
            ("8/Pk6/8/2K5/8/8/4N3/8 b - - 0 1", draw),
            ("8/6kP/8/4K3/5N2/8/8/8 w - - 0 1", draw),
            // The knight guards the corner; the pawn is on the sixth rank or on another file; another pawn.
            ("8/Pk6/1N6/8/8/4K3/8/8 w - - 0 1", None),
            ("k7/8/P7/1N6/3K4/8/8/8 w - - 0 1", None),
            ("1k6/1P6/8/1N6/3K4/8/8/8 w - - 0 1", None),
            ("k7/P7/8/PN6/3K4/8/8/8 w - - 0 1", None),
            // The king is shut in, and the knight arrives at the wrong moment or at the right one.
            ("K1k5/P7/8/8/8/5N2/8/8 w - - 0 1", draw),
            ("K7/P1k5/8/8/8/5N2/8/8 b - - 0 1", draw),
            ("K1k5/P7/8/8/8/5N2/8/8 b - - 0 1", None),
            ("K7/P1k5/8/8/8/5N2/8/8 w - - 0 1", None),
        ]);
    }

    #[test]
    fn blockaded_pawns_with_bishops_on_different_colours() {
        let draw = Some(KnownDraw::Blockade);
        assert_known(&[
            // The king on a square that the bishop cannot attack, before one pawn or two.
            ("3k4/8/3PK3/8/8/6b1/4B3/8 w - - 0 1", draw),
            ("4k3/8/4PK2/8/4PB2/8/2b5/8 w - - 0 1", draw),
            ("4k3/8/4PK2/8/5B2/8/5b2/8 w - - 0 1", None),
            // The bishop alone before a pawn; it is attacked and lost.
            ("8/8/3b4/3P4/8/3K4/4B1k1/8 w - - 0 1", draw),
            ("8/8/3b4/3PK3/8/8/4B1k1/8 w - - 0 1", None),
            // A pawn on another file, a bishop that guards nothing on the way, other pieces.
            ("8/2k5/7b/2P2P2/4K3/3B4/8/8 w - - 0 1", None),
            ("6k1/8/4PK2/8/4P3/8/5b2/3B4 w - - 0 1", None),
            ("3k4/8/3PK3/8/8/6b1/r3B3/R7 w - - 0 1", None),
        ]);
    }

    #[test]
    fn a_bare_king_that_takes_a_piece() {
        let draw = Some(KnownDraw::LosesPiece);
        assert_known(&[
            // The rook; the knight and the bishop; the new queen before the wrong corner.
            ("8/8/8/8/8/1k6/R7/3K4 b - - 0 1", draw),
            ("8/8/8/8/8/1k6/1B6/K2N4 b - - 0 1", None),
            ("8/8/8/8/2N5/1k6/1B6/4K3 b - - 0 1", draw),
            ("Q7/1k6/8/P2K4/8/8/3B4/8 b - - 0 1", draw),
            // Not with the other side to move, nor if the piece is guarded or the rest wins.
            ("8/8/8/8/8/1k6/R7/3K4 w - - 0 1", None),
            ("8/8/8/8/8/1k6/1R6/2K5 b - - 0 1", None),
            ("8/8/8/8/8/1k6/1R6/3K3R b - - 0 1", None),
            ("Q7/1k6/8/P2K4/8/8/4B3/8 b - - 0 1", None),
        ]);
    }
}
