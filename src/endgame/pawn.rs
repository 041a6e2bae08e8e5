//! King and pawn against king, won or drawn.

use super::{Dtm, Endgames, Material, table::Table};
use shakmaty::{Color, Square};
use std::sync::{Arc, LazyLock};

/// A search looks here for every lone pawn, so the table is not looked up by its name.
static TABLE: LazyLock<Option<Arc<Table>>> = LazyLock::new(|| {
    let material = Material::of([Color::White.pawn()]);
    let mut endgames = Endgames::default();
    endgames.build(material);
    endgames.tables.remove(&material)
});

/// Whether `side` wins with its king and a pawn against a bare king, `turn` to move. The first call fills the table
/// of 256 KiB in some milliseconds.
///
/// The answer has no meaning if the position is illegal. The fifty-move rule is not considered.
///
/// ```
/// use shakmaty::{Color::{Black, White}, Square};
/// use tropism::endgame::pawn_wins;
/// // The kings are in opposition in front of the pawn: the side to move loses half a point.
/// let [king, pawn, bare] = [Square::E5, Square::E4, Square::E7];
/// assert!(!pawn_wins(White, White, king, pawn, bare));
/// assert!(pawn_wins(White, Black, king, pawn, bare));
/// ```
pub fn pawn_wins(side: Color, turn: Color, king: Square, pawn: Square, bare: Square) -> bool {
    let upright = |square: Square| if side.is_white() { square } else { square.flip_vertical() };
    let turn = if side.is_white() { turn } else { !turn };
    let squares = [king, bare, pawn].map(upright);
    let value = TABLE.as_ref().and_then(|table| table.get(turn, &squares));
    matches!(value, Some(Dtm::Win(_) | Dtm::Loss(_)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::chebyshev;
    use shakmaty::Color::{Black, White};
    use shakmaty::{
        Bitboard, CastlingMode, Chess, File, FromSetup, Position, PositionError, Rank, Role, Setup,
    };

    /// All squares of a white pawn and both kings with either side to move, legal or not.
    fn all() -> impl Iterator<Item = (Color, Square, Square, Square)> {
        let pawns = Square::ALL.into_iter().filter(|&pawn| !Bitboard::BACKRANKS.contains(pawn));
        pawns.flat_map(|pawn| {
            Square::ALL.into_iter().flat_map(move |king| {
                Square::ALL.into_iter().flat_map(move |bare| {
                    Color::ALL.into_iter().map(move |turn| (turn, king, pawn, bare))
                })
            })
        })
    }

    fn position(turn: Color, king: Square, pawn: Square, bare: Square) -> Option<Chess> {
        let mut setup = Setup { turn, ..Setup::empty() };
        for (square, piece) in [
            (king, Role::King.of(White)),
            (pawn, Role::Pawn.of(White)),
            (bare, Role::King.of(Black)),
        ] {
            setup.board.set_piece_at(square, piece);
        }
        let position = Chess::from_setup(setup, CastlingMode::Standard);
        let position: Option<Chess> = position.or_else(PositionError::ignore_impossible_check).ok();
        position.filter(|position| position.board().occupied().count() == 3)
    }

    /// The rule of key squares: a king two ranks ahead of its pawn, on the same or a neighbouring file,
    /// wins with either side to move, unless the pawn is lost at once.
    #[test]
    fn a_king_on_a_key_square_wins() {
        let mut seen = 0;
        for (turn, king, pawn, bare) in all() {
            let (files, ranks) =
                (pawn.file().distance(king.file()), king.rank() as i32 - pawn.rank() as i32);
            let is_key =
                ranks == 2 && files <= 1 && (Rank::Second..=Rank::Fourth).contains(&pawn.rank());
            let on_edge = matches!(pawn.file(), File::A | File::H);
            if is_key
                && !on_edge
                && chebyshev(bare, pawn) > 1
                && position(turn, king, pawn, bare).is_some()
            {
                assert!(pawn_wins(White, turn, king, pawn, bare), "{turn} {king} {pawn} {bare}");
                seen += 1;
            }
        }
        assert_eq!(seen, 5256);
    }

    #[test]
    fn a_king_in_the_corner_holds_a_pawn_on_the_edge() {
        for (turn, king, pawn, bare) in all() {
            let corner = Square::from_coords(pawn.file(), Rank::Eighth);
            let on_edge = matches!(pawn.file(), File::A | File::H);
            if on_edge && bare == corner {
                assert!(!pawn_wins(White, turn, king, pawn, bare), "{turn} {king} {pawn} {bare}");
            }
        }
    }

    #[test]
    fn textbook_positions() {
        for (king, pawn, bare, white_moves, black_moves) in [
            // The opposition in front of the pawn.
            (Square::E5, Square::E4, Square::E7, false, true),
            // On the sixth rank in front of the pawn the opposition does not matter.
            (Square::E6, Square::E5, Square::E8, true, true),
            // Beside the pawn on the sixth rank it does: the pawn must reach the seventh without check.
            (Square::D6, Square::E6, Square::E8, true, false),
            (Square::D6, Square::E6, Square::D8, false, true),
            // A pawn outside the bare king's reach, and one that the bare king catches.
            (Square::A1, Square::H5, Square::D5, true, false),
            (Square::A1, Square::H5, Square::E5, false, false),
        ] {
            let values = [White, Black].map(|turn| pawn_wins(White, turn, king, pawn, bare));
            assert_eq!(values, [white_moves, black_moves], "{king} {pawn} {bare}");
            let [king, pawn, bare] = [king, pawn, bare].map(Square::flip_vertical);
            let values = [Black, White].map(|turn| pawn_wins(Black, turn, king, pawn, bare));
            assert_eq!(values, [white_moves, black_moves], "{king} {pawn} {bare}");
        }
    }
}
