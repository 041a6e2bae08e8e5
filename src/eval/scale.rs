//! How much of an advantage the material lets a side win with.

use super::{EvalContext, KnownDraw, Score, Side};
use shakmaty::{ByColor, Color};

/// The whole advantage.
const ALL: i32 = 64;
/// Bishops on different colours and pawns: the defender blocks on the squares of its own bishop.
const OPPOSITE_BISHOPS: i32 = 34;
/// The same with other pieces on the board.
const OPPOSITE_BISHOPS_AND_PIECES: i32 = 56;
/// No pawn, and at most a minor piece ahead.
const NO_PAWN: i32 = 8;
/// Pieces and no, one or two pawns: each exchange of pawns brings the draw nearer. The values minimise the
/// loss of predicting the results of 12,761 games.
const FEW_PAWNS: [i32; 3] = [40, 50, 60];

/// How a balance becomes a value: the game phase, and for each side the share of its advantage that
/// the material lets it win with.
///
/// A side that cannot force mate is never ahead. A side that mates a bare king with pieces keeps its whole
/// advantage, so that the mating terms work unscaled.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct ScaleFactor {
    /// The game phase, as in [`EvalContext::phase`].
    pub phase: i32,
    /// What is left of each side's advantage, in 64ths.
    pub shares: ByColor<i32>,
}

impl ScaleFactor {
    /// The factor for the material of a position.
    pub fn new(context: &EvalContext) -> ScaleFactor {
        ScaleFactor {
            phase: context.phase,
            shares: ByColor::new_with(|side| ScaleReason::new(context, side).share()),
        }
    }

    /// White's value in centipawns for a balance of White minus Black.
    #[inline]
    pub fn value(&self, balance: Score) -> i32 {
        value(balance, self.phase, |side| *self.shares.get(side))
    }

    /// The value of [`ScaleFactor::new`] for a single balance: only the share of the side ahead is
    /// computed.
    #[inline]
    pub(super) fn value_once(context: &EvalContext, balance: Score) -> i32 {
        value(balance, context.phase, |side| ScaleReason::new(context, side).share())
    }
}

#[inline]
fn value(balance: Score, phase: i32, share: impl FnOnce(Color) -> i32) -> i32 {
    let value = balance.taper(phase);
    value * share(Color::from_white(value > 0)) / ALL
}

/// Why the material lets a side win with only a share of its advantage.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum ScaleReason {
    /// It does not: the side keeps the whole advantage.
    Whole,
    /// It does not win at all.
    Drawn(KnownDraw),
    /// It has no pawn and is at most a minor piece ahead.
    NoPawn,
    /// Bishops on different colours, and pawns.
    OppositeBishops,
    /// Bishops on different colours, and other pieces.
    OppositeBishopsAndPieces,
    /// It has this many pawns, at most two.
    FewPawns(usize),
}

impl ScaleReason {
    /// The reason that applies to one side.
    pub fn new(context: &EvalContext, side: Color) -> ScaleReason {
        let (strong, weak) = (context.side(side), context.side(!side));
        if let Some(draw) = KnownDraw::find(context, side) {
            ScaleReason::Drawn(draw)
        } else if context.is_bare_king_ending {
            ScaleReason::Whole
        } else if strong.pawns.is_empty() && strong.points() - weak.points() <= 3 {
            ScaleReason::NoPawn
        } else if has_opposite_bishops(strong, weak) {
            match strong.pieces.len() + weak.pieces.len() {
                2 => ScaleReason::OppositeBishops,
                _ => ScaleReason::OppositeBishopsAndPieces,
            }
        } else {
            match strong.pawns.count() {
                few if few < FEW_PAWNS.len() && context.lone_pawn(side).is_none() => {
                    ScaleReason::FewPawns(few)
                }
                _ => ScaleReason::Whole,
            }
        }
    }

    /// The share that is left, in 64ths.
    pub fn share(self) -> i32 {
        match self {
            ScaleReason::FewPawns(few) => FEW_PAWNS.get(few).copied().unwrap_or(ALL),
            ScaleReason::Whole => ALL,
            ScaleReason::Drawn(_) => 0,
            ScaleReason::NoPawn => NO_PAWN,
            ScaleReason::OppositeBishops => OPPOSITE_BISHOPS,
            ScaleReason::OppositeBishopsAndPieces => OPPOSITE_BISHOPS_AND_PIECES,
        }
    }

    /// The reason, for people.
    pub const fn reason(self) -> &'static str {
        match self {
            ScaleReason::FewPawns(0) => "it has no pawn that could still promote",
            ScaleReason::FewPawns(_) => "the last of its pawns may be exchanged",
            ScaleReason::Whole => "the material takes nothing away",
            ScaleReason::Drawn(draw) => draw.reason(),
            ScaleReason::NoPawn => "it has no pawn and is at most a minor piece ahead",
            ScaleReason::OppositeBishops => "the bishops stand on different colours",
            ScaleReason::OppositeBishopsAndPieces => {
                "the bishops stand on different colours, with other pieces"
            }
        }
    }
}

/// One bishop each, on different colours, and as many other pieces on one side as on the other.
fn has_opposite_bishops(strong: &Side, weak: &Side) -> bool {
    strong.pieces.len() == weak.pieces.len()
        && strong
            .bishops
            .single_square()
            .zip(weak.bishops.single_square())
            .is_some_and(|(strong, weak)| strong.is_light() != weak.is_light())
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{CastlingMode, Chess, fen::Fen};

    fn shares(fen: &str) -> (i32, i32) {
        let fen: Fen = fen.parse().unwrap();
        let context =
            EvalContext::new(&fen.into_position::<Chess>(CastlingMode::Standard).unwrap());
        let ScaleFactor { shares, .. } = ScaleFactor::new(&context);
        (shares.white, shares.black)
    }

    #[test]
    fn what_is_left_of_an_advantage() {
        for (fen, expected) in [
            // Neither side can mate; a bare king is mated; a lead of a queen.
            ("4k3/8/8/8/8/8/8/B3K3 w - - 0 1", (0, 0)),
            ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", (ALL, 0)),
            ("4k3/8/8/8/8/8/8/BN2K3 w - - 0 1", (ALL, 0)),
            ("4k2r/8/8/8/8/8/8/Q3K3 w - - 0 1", (FEW_PAWNS[0], NO_PAWN)),
            // Rook against bishop, two minor pieces against one.
            ("4k3/8/8/8/8/8/8/R2bK3 w - - 0 1", (NO_PAWN, 0)),
            ("4k3/8/8/8/8/8/8/BBn1K3 w - - 0 1", (NO_PAWN, 0)),
            ("4k3/1p6/8/8/8/8/8/R2bK3 w - - 0 1", (NO_PAWN, FEW_PAWNS[1])),
            // Bishops on one colour, on both, and with rooks.
            ("4k1b1/pp6/8/8/8/8/PP6/B3K3 w - - 0 1", (OPPOSITE_BISHOPS, OPPOSITE_BISHOPS)),
            ("4kb2/p7/8/8/8/8/P7/B3K3 w - - 0 1", (FEW_PAWNS[1], FEW_PAWNS[1])),
            (
                "r3k1b1/p7/8/8/8/8/P7/B3K2R w - - 0 1",
                (OPPOSITE_BISHOPS_AND_PIECES, OPPOSITE_BISHOPS_AND_PIECES),
            ),
            // The dark-squared bishop does not guard a8, the light-squared one does; a king far away comes too
            // late.
            ("1k6/8/8/8/8/8/P7/B3K3 w - - 0 1", (0, 0)),
            ("1k6/8/8/8/8/8/P7/1B2K3 w - - 0 1", (FEW_PAWNS[1], 0)),
            ("4k3/8/8/8/8/8/P7/B3K3 w - - 0 1", (FEW_PAWNS[1], 0)),
            ("1k6/8/8/8/8/8/PP6/B3K3 w - - 0 1", (FEW_PAWNS[2], 0)),
            ("1k6/8/8/8/8/8/PPP5/B3K3 w - - 0 1", (ALL, 0)),
            // A pawn alone: the opposition, and a king in the corner.
            ("8/4k3/8/4K3/4P3/8/8/8 b - - 0 1", (ALL, 0)),
            ("8/4k3/8/4K3/4P3/8/8/8 w - - 0 1", (0, 0)),
            ("8/8/8/8/p7/1k6/8/K7 b - - 0 1", (0, 0)),
            ("8/8/8/8/p7/1k6/7P/K7 b - - 0 1", (FEW_PAWNS[1], 0)),
        ] {
            assert_eq!(shares(fen), expected, "{fen}");
        }
    }

    #[test]
    fn the_share_is_of_the_side_that_is_ahead() {
        let factor = ScaleFactor { phase: 0, shares: ByColor { white: 32, black: 0 } };
        assert_eq!(factor.value(Score::from_centipawns(0.0, 100.0)), 50);
        assert_eq!(factor.value(Score::from_centipawns(0.0, -100.0)), 0);
    }
}
