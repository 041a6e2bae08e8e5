//! The shared view of a position, built once and read by all terms.

use super::Score;
use crate::geometry::{ahead, beside, knight_attacks, pawn_attacks, step};
use shakmaty::{Bitboard, Board, ByColor, Chess, Color, Position, Role, attacks};

/// A position as terms see it: both sides with their squares, attacks and pawn structure, and the
/// game phase.
#[derive(Clone, Debug)]
pub struct View {
    /// The side to move.
    pub turn: Color,
    /// All occupied squares.
    pub occupied: Bitboard,
    /// The game phase, 24 (all pieces) to 0 (none): knights and bishops count 1, rooks 2,
    /// queens 4. See [`Score::taper`].
    pub phase: i32,
    sides: ByColor<Side>,
}

/// One side of a [`View`].
#[derive(Clone, Debug)]
pub struct Side {
    /// The king's square.
    pub king: shakmaty::Square,
    /// All squares with own men, king included.
    pub men: Bitboard,
    /// Own pawns.
    pub pawns: Bitboard,
    /// Own knights.
    pub knights: Bitboard,
    /// Own bishops.
    pub bishops: Bitboard,
    /// Own rooks.
    pub rooks: Bitboard,
    /// Own queens.
    pub queens: Bitboard,
    /// Squares attacked by own pawns.
    pub pawn_attacks: Bitboard,
    /// Squares attacked by own knights.
    pub knight_attacks: Bitboard,
    /// Squares attacked by anything of ours, own men's squares included where they are defended.
    pub attacks: Bitboard,
    /// Own pawns with no enemy pawn ahead on the same or a neighbouring file.
    pub passed: Bitboard,
    /// Own pawns that no own pawn can ever support and whose next square an enemy pawn attacks.
    pub backward: Bitboard,
}

impl View {
    /// Looks at a position.
    pub fn new(position: &Chess) -> View {
        let board = position.board();
        let mut sides = ByColor::new_with(|color| Side::new(board, color));
        let pawns = sides.as_ref().map(|side| (side.pawns, side.pawn_attacks));
        for color in Color::ALL {
            let (enemy_pawns, enemy_attacks) = *pawns.get(!color);
            sides.get_mut(color).structure(color, enemy_pawns, enemy_attacks);
        }
        let phase = (board.knights() | board.bishops()).count()
            + 2 * board.rooks().count()
            + 4 * board.queens().count();
        View {
            turn: position.turn(),
            occupied: board.occupied(),
            phase: (phase as i32).min(Score::MAX_PHASE),
            sides,
        }
    }

    /// One of the sides.
    #[inline]
    pub fn side(&self, color: Color) -> &Side {
        self.sides.get(color)
    }

    /// Whether neither side has the men to force mate: the game is drawn in all but blunders.
    pub fn is_dead_draw(&self) -> bool {
        self.sides.iter().all(|side| !side.can_mate())
    }
}

impl Side {
    fn new(board: &Board, color: Color) -> Side {
        let men = board.by_color(color);
        let pawns = men & board.pawns();
        let knights = men & board.knights();
        let pawn_attacks = pawn_attacks(color, pawns);
        let knight_attacks = knight_attacks(knights);
        // shakmaty's positions always have both kings; a1 stands in where the type cannot say so.
        let king = board.king_of(color).unwrap_or(shakmaty::Square::A1);
        let mut attacked = pawn_attacks | knight_attacks | attacks::king_attacks(king);
        for square in men & board.bishops_and_queens() {
            attacked |= attacks::bishop_attacks(square, board.occupied());
        }
        for square in men & board.rooks_and_queens() {
            attacked |= attacks::rook_attacks(square, board.occupied());
        }
        Side {
            king,
            men,
            pawns,
            knights,
            bishops: men & board.bishops(),
            rooks: men & board.rooks(),
            queens: men & board.queens(),
            pawn_attacks,
            knight_attacks,
            attacks: attacked,
            passed: Bitboard::EMPTY,
            backward: Bitboard::EMPTY,
        }
    }

    /// Fills in what depends on the enemy's pawns.
    fn structure(&mut self, color: Color, enemy_pawns: Bitboard, enemy_attacks: Bitboard) {
        let stopped = ahead(!color, enemy_pawns | beside(enemy_pawns));
        self.passed = self.pawns & !stopped;
        let neighbours = beside(self.pawns);
        let supportable = neighbours | ahead(color, neighbours);
        self.backward = self.pawns & !supportable & step(!color, enemy_attacks);
    }

    /// The squares of all own men of one role.
    #[inline]
    pub fn by_role(&self, role: Role) -> Bitboard {
        match role {
            Role::Pawn => self.pawns,
            Role::Knight => self.knights,
            Role::Bishop => self.bishops,
            Role::Rook => self.rooks,
            Role::Queen => self.queens,
            Role::King => self.king.into(),
        }
    }

    /// Nothing but the king.
    #[inline]
    pub fn is_bare(&self) -> bool {
        self.men == self.king.into()
    }

    /// King, one bishop, one knight, nothing else.
    #[inline]
    pub fn is_bishop_and_knight(&self) -> bool {
        self.men.count() == 3 && self.bishops.any() && self.knights.any()
    }

    /// Whether these men can force mate, now or by promoting a pawn.
    pub fn can_mate(&self) -> bool {
        self.pawns.any() || self.pieces_can_mate()
    }

    /// Whether the pieces alone can force mate: a rook, a queen, bishops on both colours, bishop
    /// and knight, or three knights. Two knights cannot.
    pub fn pieces_can_mate(&self) -> bool {
        (self.rooks | self.queens).any()
            || (self.bishops.any() && self.knights.any())
            || ((self.bishops & Bitboard::LIGHT_SQUARES).any()
                && (self.bishops & Bitboard::DARK_SQUARES).any())
            || self.knights.count() > 2
    }

    /// The customary count of pieces without pawns: knight and bishop 3, rook 5, queen 9.
    pub fn points(&self) -> i32 {
        let minors = (self.knights | self.bishops).count();
        (3 * minors + 5 * self.rooks.count() + 9 * self.queens.count()) as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{CastlingMode, Square, fen::Fen};

    fn view(fen: &str) -> View {
        let fen: Fen = fen.parse().unwrap();
        View::new(&fen.into_position::<Chess>(CastlingMode::Standard).unwrap())
    }

    fn set<const N: usize>(squares: [Square; N]) -> Bitboard {
        squares.into_iter().collect()
    }

    #[test]
    fn the_start_position() {
        let view = View::new(&Chess::default());
        assert_eq!(view.phase, 24);
        let white = view.side(Color::White);
        assert_eq!(white.king, Square::E1);
        assert_eq!(white.pawn_attacks, Bitboard::from_rank(shakmaty::Rank::Third));
        assert_eq!(white.points(), 31);
        assert_eq!(white.passed, Bitboard::EMPTY);
        // Everything but the two corner rooks is defended, and the third rank attacked.
        assert_eq!(white.attacks, Bitboard(0x00ff_ff7e));
        assert!(!view.is_dead_draw());
    }

    #[test]
    fn passed_and_backward_pawns() {
        let view = view("4k3/8/1p6/P2p4/2P4p/4P3/8/4K3 w - - 0 1");
        let (white, black) = (view.side(Color::White), view.side(Color::Black));
        // Only h4 has no enemy pawn ahead on its own or a neighbouring file.
        assert_eq!(white.passed, Bitboard::EMPTY);
        assert_eq!(black.passed, set([Square::H4]));
        // No pawn has a neighbour that could support it; b6 guards c5, d5 e4, c4 b5 and e3 d4,
        // while nothing guards a6 and h3.
        assert_eq!(white.backward, set([Square::C4, Square::E3]));
        assert_eq!(black.backward, set([Square::B6, Square::D5]));
    }

    #[test]
    fn who_can_force_mate() {
        for (men, can) in [
            ("", false),
            ("B", false),
            ("N", false),
            ("NN", false),
            ("BN", true),
            ("NNN", true),
            ("R", true),
            ("Q", true),
            ("P", true),
        ] {
            let fen = format!("4k3/8/8/8/8/8/{}{}/4K3 w - - 0 1", men, 8 - men.len());
            assert_eq!(view(&fen).side(Color::White).can_mate(), can, "{men}");
            assert_eq!(view(&fen).is_dead_draw(), !can, "{men}");
        }
        // Bishops side by side run on both colours, a file apart on one.
        assert!(view("4k3/8/8/8/8/8/BB6/4K3 w - - 0 1").side(Color::White).can_mate());
        assert!(!view("4k3/8/8/8/8/8/B1B5/4K3 w - - 0 1").side(Color::White).can_mate());
    }
}
