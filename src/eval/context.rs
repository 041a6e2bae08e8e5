//! The shared view of a position, built once and read by all terms.

use super::Score;
use crate::geometry::{ahead, beside, pawn_attacks, step};
use arrayvec::ArrayVec;
use shakmaty::{Bitboard, Board, ByColor, Chess, Color, File, Position, Role, Square, attacks};

/// What a side can have besides king and pawns if no game is to be contradicted: seven pieces and
/// eight promoted pawns.
const MOST_PIECES: usize = 15;

/// A position as terms see it: both sides with their squares, attacks and pawn structure, and the
/// game phase.
#[derive(Clone, Debug)]
pub struct EvalContext {
    /// The side to move.
    pub turn: Color,
    /// All occupied squares.
    pub occupied: Bitboard,
    /// The game phase, 24 (all pieces) to 0 (none): knights and bishops count 1, rooks 2,
    /// queens 4. See [`Score::taper`].
    pub phase: i32,
    /// One side has nothing but its king, and the other's pieces can force mate. See
    /// [`Term::WITH_BARE_KING`](super::Term::WITH_BARE_KING).
    pub mating: bool,
    sides: ByColor<Side>,
}

/// A knight, bishop, rook or queen and what it attacks.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Piece {
    /// What it is.
    pub role: Role,
    /// Where it stands.
    pub square: Square,
    /// The squares it attacks: at a distance of one move, own men's squares included.
    pub attacks: Bitboard,
}

impl Piece {
    /// The place of its role in an array of the four: knight, bishop, rook, queen.
    #[inline]
    pub const fn kind(&self) -> usize {
        // Never negative, and never more than 3, so that an array need not be checked.
        (self.role as usize + 4 - Role::Knight as usize) % 4
    }
}

/// One side of a [`EvalContext`].
#[derive(Clone, Debug)]
pub struct Side {
    /// The king's square.
    pub king: Square,
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
    /// Squares attacked by own bishops.
    pub bishop_attacks: Bitboard,
    /// Squares attacked by own rooks.
    pub rook_attacks: Bitboard,
    /// Squares attacked by own queens.
    pub queen_attacks: Bitboard,
    /// Squares attacked by the own king.
    pub king_attacks: Bitboard,
    /// Squares attacked by anything of ours, own men's squares included where they are defended.
    pub attacks: Bitboard,
    /// Squares attacked by two of our men or more.
    pub twice: Bitboard,
    /// Knights, bishops, rooks and queens, each with its attacks; the first fifteen, which are all
    /// in any game.
    pub pieces: ArrayVec<Piece, MOST_PIECES>,
    /// Own pawns with no enemy pawn ahead on the same or a neighbouring file.
    pub passed: Bitboard,
    /// Own pawns that no own pawn can ever support and whose next square an enemy pawn attacks.
    pub backward: Bitboard,
}

impl EvalContext {
    /// Looks at a position.
    pub fn new(position: &Chess) -> EvalContext {
        EvalContext::ask(position, EvalContext::clone)
    }

    /// Looks at a position and asks something of what is seen. The view stays where it was made: to
    /// hand it out and copy its lists would take as long as a small term.
    #[inline]
    pub(super) fn ask<T>(position: &Chess, question: impl FnOnce(&EvalContext) -> T) -> T {
        let board = position.board();
        let mut view = EvalContext {
            turn: position.turn(),
            occupied: board.occupied(),
            phase: 0,
            mating: false,
            sides: ByColor {
                white: Side::men(board, Color::White),
                black: Side::men(board, Color::Black),
            },
        };
        let ByColor { white, black } = &mut view.sides;
        let phase = white.look(view.occupied) + black.look(view.occupied);
        view.phase = phase.min(Score::MAX_PHASE);
        white.structure(Color::White, black.pawns, black.pawn_attacks);
        black.structure(Color::Black, white.pawns, white.pawn_attacks);
        let mates = |strong: &Side, weak: &Side| weak.is_bare() && strong.pieces_can_mate();
        view.mating = mates(white, black) || mates(black, white);
        question(&view)
    }

    /// One of the sides.
    #[inline]
    pub fn side(&self, color: Color) -> &Side {
        self.sides.get(color)
    }

    /// The pawns of both sides.
    #[inline]
    pub fn pawns(&self) -> Bitboard {
        self.sides.white.pawns | self.sides.black.pawns
    }

    /// The squares that the other side's king cannot go to: all that `side` attacks, even through
    /// that king, which would flee along the line, and the square of `side`'s own king.
    pub fn closed_to_king(&self, side: Color) -> Bitboard {
        let (own, enemy) = (self.side(side), self.side(!side));
        let occupied = self.occupied.without(enemy.king);
        let behind = own.pieces.iter().map(|piece| match piece.role {
            Role::Bishop => attacks::bishop_attacks(piece.square, occupied),
            Role::Rook => attacks::rook_attacks(piece.square, occupied),
            Role::Queen => attacks::queen_attacks(piece.square, occupied),
            _ => Bitboard::EMPTY,
        });
        behind.fold(own.attacks.with(own.king), |closed, lines| closed | lines)
    }

    /// The pawn of `side`, if it and the kings are all that is on the board.
    #[inline]
    pub fn lone_pawn(&self, side: Color) -> Option<Square> {
        let is_alone = self.phase == 0 && self.occupied.count() == 3;
        if is_alone { self.side(side).pawns.first() } else { None }
    }

    /// Whether neither side has the men to force mate: the game is drawn in all but blunders.
    pub fn is_dead_draw(&self) -> bool {
        self.sides.iter().all(|side| !side.can_mate())
    }
}

/// The squares that two pawns attack at once, one from each side.
fn doubly_attacked_by_pawns(color: Color, pawns: Bitboard) -> Bitboard {
    let (left, right) = (Bitboard::from_file(File::A), Bitboard::from_file(File::H));
    let ahead = step(color, pawns);
    Bitboard(((ahead & !left).0 >> 1) & ((ahead & !right).0 << 1))
}

impl Side {
    /// A side whose pieces have not been looked at.
    #[inline(always)]
    fn men(board: &Board, color: Color) -> Side {
        let men = board.by_color(color);
        let pawns = men & board.pawns();
        // shakmaty's positions always have both kings; a1 stands in where the type cannot say so.
        let king = board.king_of(color).unwrap_or(Square::A1);
        let king_attacks = attacks::king_attacks(king);
        let pawn_attacks = pawn_attacks(color, pawns);
        Side {
            king,
            men,
            pawns,
            knights: men & board.knights(),
            bishops: men & board.bishops(),
            rooks: men & board.rooks(),
            queens: men & board.queens(),
            pawn_attacks,
            knight_attacks: Bitboard::EMPTY,
            bishop_attacks: Bitboard::EMPTY,
            rook_attacks: Bitboard::EMPTY,
            queen_attacks: Bitboard::EMPTY,
            king_attacks,
            attacks: pawn_attacks | king_attacks,
            twice: (pawn_attacks & king_attacks) | doubly_attacked_by_pawns(color, pawns),
            pieces: ArrayVec::new(),
            passed: Bitboard::EMPTY,
            backward: Bitboard::EMPTY,
        }
    }

    /// Fills in what the pieces attack. Returns what they count in the game phase.
    fn look(&mut self, occupied: Bitboard) -> i32 {
        let knights = self.look_at(Role::Knight, attacks::knight_attacks);
        let bishops = self.look_at(Role::Bishop, |from| attacks::bishop_attacks(from, occupied));
        let rooks = self.look_at(Role::Rook, |from| attacks::rook_attacks(from, occupied));
        let queens = self.look_at(Role::Queen, |from| attacks::queen_attacks(from, occupied));
        knights + bishops + 2 * rooks + 4 * queens
    }

    /// Fills in what the pieces of one role attack. Returns how many there are.
    fn look_at(&mut self, role: Role, attacks: impl Fn(Square) -> Bitboard) -> i32 {
        let mut of_role = Bitboard::EMPTY;
        let mut count = 0;
        for square in self.by_role(role) {
            let attacks = attacks(square);
            self.twice |= self.attacks & attacks;
            self.attacks |= attacks;
            of_role |= attacks;
            count += 1;
            // Positions that no game leads to may have more.
            let _ = self.pieces.try_push(Piece { role, square, attacks });
        }
        match role {
            Role::Knight => self.knight_attacks = of_role,
            Role::Bishop => self.bishop_attacks = of_role,
            Role::Rook => self.rook_attacks = of_role,
            Role::Queen => self.queen_attacks = of_role,
            Role::Pawn | Role::King => {}
        }
        count
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

    /// Everything attacked by knights and bishops.
    #[inline]
    pub fn minor_attacks(&self) -> Bitboard {
        self.knight_attacks | self.bishop_attacks
    }

    /// Whether the side has more than its king and pawns.
    #[inline]
    pub fn has_pieces(&self) -> bool {
        !self.pieces.is_empty()
    }

    /// Nothing but the king.
    #[inline]
    pub fn is_bare(&self) -> bool {
        self.men == self.king.into()
    }

    /// King, one bishop, one knight, nothing else.
    #[inline]
    pub fn is_bishop_and_knight(&self) -> bool {
        self.bishops.any() && self.knights.any() && self.men.count() == 3
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
    use shakmaty::{CastlingMode, fen::Fen};

    fn view(fen: &str) -> EvalContext {
        let fen: Fen = fen.parse().unwrap();
        EvalContext::new(&fen.into_position::<Chess>(CastlingMode::Standard).unwrap())
    }

    fn set<const N: usize>(squares: [Square; N]) -> Bitboard {
        squares.into_iter().collect()
    }

    #[test]
    fn the_start_position() {
        let view = EvalContext::new(&Chess::default());
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
    fn attacks_by_role_and_by_two() {
        let view = view("4k3/8/8/8/2p1p3/8/1N6/R2QK2B w - - 0 1");
        let (white, black) = (view.side(Color::White), view.side(Color::Black));
        let roles: Vec<_> = white.pieces.iter().map(|piece| (piece.role, piece.square)).collect();
        assert_eq!(
            roles,
            [
                (Role::Knight, Square::B2),
                (Role::Bishop, Square::H1),
                (Role::Rook, Square::A1),
                (Role::Queen, Square::D1),
            ]
        );
        for piece in &white.pieces {
            assert_eq!(piece.attacks & white.attacks, piece.attacks);
        }
        assert_eq!(white.bishop_attacks, set([Square::G2, Square::F3, Square::E4]));
        // Both black pawns attack d3; queen and knight of White meet on d1, and so on.
        assert_eq!(black.twice, set([Square::D3]));
        for (square, twice) in [
            (Square::D1, true),
            (Square::C4, false),
            (Square::A4, true),
            (Square::E2, true),
            (Square::F3, true),
            (Square::A2, false),
            (Square::D3, true),
        ] {
            assert_eq!(white.twice.contains(square), twice, "{square}");
        }
    }

    #[test]
    fn a_bare_king_against_men_that_can_mate() {
        for (fen, mating) in [
            ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", true),
            ("r3k3/8/8/8/8/8/8/4K3 w - - 0 1", true),
            ("4k3/8/8/8/8/8/P7/R3K3 w - - 0 1", true),
            ("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", false),
            ("4k3/8/8/8/8/8/8/N3K3 w - - 0 1", false),
            ("4k3/p7/8/8/8/8/8/R3K3 w - - 0 1", false),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", false),
        ] {
            assert_eq!(view(fen).mating, mating, "{fen}");
        }
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
