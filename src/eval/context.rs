//! What all terms read of a position, computed once.

use super::Score;
use crate::geometry::{ahead, beside, lines::alone_before, pawn_attacks, step};
use arrayvec::ArrayVec;
use shakmaty::{Bitboard, Board, ByColor, Chess, Color, File, Position, Role, Square, attacks};

/// The most pieces a side can have in a game, king and pawns not counted: seven at the start and eight
/// promoted pawns.
const MAX_PIECES: usize = 15;

/// A position as terms read it: both sides with their squares, attacks and pawn structure, and the
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
    /// One side has nothing but its king, and the pieces of the other side can force mate. See
    /// [`Scope`](super::Scope).
    pub is_bare_king_ending: bool,
    sides: ByColor<Side>,
}

/// A knight, bishop, rook or queen and what it attacks.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Piece {
    /// What it is.
    pub role: Role,
    /// Where it stands.
    pub square: Square,
    /// The squares it attacks, the squares of its own side included.
    pub attacks: Bitboard,
}

impl Piece {
    /// The index of its role in an array of four: knight, bishop, rook, queen.
    #[inline]
    pub const fn kind(&self) -> usize {
        // Never negative, and never more than 3, so that an array need not be checked.
        (self.role as usize + 4 - Role::Knight as usize) % 4
    }
}

/// One side of an [`EvalContext`].
#[derive(Clone, Debug)]
pub struct Side {
    /// The king's square.
    pub king: Square,
    /// All squares with own pieces, pawns and king included.
    pub all: Bitboard,
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
    /// Squares attacked by its king.
    pub king_attacks: Bitboard,
    /// Squares attacked by any piece, pawn or king of this side, the squares it defends included.
    pub attacks: Bitboard,
    /// Squares attacked by two or more of them.
    pub twice: Bitboard,
    /// Knights, then bishops, rooks and queens, each with its attacks. A position that no game leads to can
    /// have more than fifteen; the others are left out.
    pub pieces: ArrayVec<Piece, MAX_PIECES>,
    /// Own pawns with no enemy pawn ahead on the same or a neighbouring file.
    pub passed: Bitboard,
    /// The castling rights that are left, 0 to 2.
    pub castling_rights: u32,
    /// Pieces of either side that stand alone between its king and an enemy bishop, rook or queen on the
    /// same line: own pieces are pinned, enemy pieces can discover a check.
    pub blockers: Bitboard,
    /// Own pawns without one beside or behind on a neighbouring file, whose next square an enemy pawn attacks.
    pub backward: Bitboard,
}

impl EvalContext {
    /// Squares on a side's ranks 4 to 7 that a pawn of it defends and that no enemy pawn can ever attack.
    pub fn outposts(&self, side: Color) -> Bitboard {
        let enemy = self.side(!side).pawns;
        let attackable = pawn_attacks(!side, enemy | ahead(!side, enemy));
        let ranks = side.fold_wb(Bitboard(0x00ff_ffff_ff00_0000), Bitboard(0x0000_00ff_ffff_ff00));
        self.side(side).pawn_attacks & !attackable & ranks
    }

    /// The context of a position.
    pub fn new(position: &Chess) -> EvalContext {
        EvalContext::with(position, EvalContext::clone)
    }

    /// Calls a function with the context of a position. The context stays where it was made: returning
    /// it would copy its lists, which takes as long as a small term.
    #[inline]
    pub(super) fn with<T>(position: &Chess, read: impl FnOnce(&EvalContext) -> T) -> T {
        let board = position.board();
        let mut context = EvalContext {
            turn: position.turn(),
            occupied: board.occupied(),
            phase: 0,
            is_bare_king_ending: false,
            sides: ByColor {
                white: Side::new(board, Color::White),
                black: Side::new(board, Color::Black),
            },
        };
        let rooks = position.castles().castling_rights();
        let ByColor { white, black } = &mut context.sides;
        white.add_king_state(rooks, black, context.occupied);
        black.add_king_state(rooks, white, context.occupied);
        let phase = white.add_pieces(context.occupied) + black.add_pieces(context.occupied);
        context.phase = phase.min(Score::MAX_PHASE);
        white.add_pawn_structure(Color::White, black.pawns, black.pawn_attacks);
        black.add_pawn_structure(Color::Black, white.pawns, white.pawn_attacks);
        let mates = |strong: &Side, weak: &Side| weak.is_bare() && strong.pieces_can_mate();
        context.is_bare_king_ending = mates(white, black) || mates(black, white);
        read(&context)
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

    /// The squares that the other side's king cannot go to: all squares that `side` attacks, and the
    /// square of its king. Attacks go through the other king: it cannot escape along the line.
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

    /// The side that alone has bishops on both colours.
    pub fn only_bishop_pair(&self) -> Option<Color> {
        let has = |side: Color| {
            let light = self.side(side).bishops & Bitboard::LIGHT_SQUARES;
            light.any() && light != self.side(side).bishops
        };
        Color::ALL.into_iter().find(|&side| has(side) && !has(!side))
    }

    /// Whether neither side has the material to force mate: only a blunder can lose the game.
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
    /// A side without its pieces; [`Side::add_pieces`] adds them.
    #[inline(always)]
    fn new(board: &Board, color: Color) -> Side {
        let all = board.by_color(color);
        let pawns = all & board.pawns();
        // A legal position has both kings; a1 only satisfies the type.
        let king = board.king_of(color).unwrap_or(Square::A1);
        let king_attacks = attacks::king_attacks(king);
        let pawn_attacks = pawn_attacks(color, pawns);
        Side {
            king,
            all,
            pawns,
            knights: all & board.knights(),
            bishops: all & board.bishops(),
            rooks: all & board.rooks(),
            queens: all & board.queens(),
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
            castling_rights: 0,
            blockers: Bitboard::EMPTY,
            backward: Bitboard::EMPTY,
        }
    }

    /// Adds the pieces and what they attack. Returns what they count in the game phase.
    fn add_pieces(&mut self, occupied: Bitboard) -> i32 {
        let knights = self.add_pieces_of(Role::Knight, attacks::knight_attacks);
        let bishops =
            self.add_pieces_of(Role::Bishop, |from| attacks::bishop_attacks(from, occupied));
        let rooks = self.add_pieces_of(Role::Rook, |from| attacks::rook_attacks(from, occupied));
        let queens = self.add_pieces_of(Role::Queen, |from| attacks::queen_attacks(from, occupied));
        knights + bishops + 2 * rooks + 4 * queens
    }

    /// Adds the pieces of one role and what they attack. Returns how many there are.
    fn add_pieces_of(&mut self, role: Role, attacks: impl Fn(Square) -> Bitboard) -> i32 {
        let mut of_role = Bitboard::EMPTY;
        let mut count = 0;
        for square in self.by_role(role) {
            let attacks = attacks(square);
            self.twice |= self.attacks & attacks;
            self.attacks |= attacks;
            of_role |= attacks;
            count += 1;
            // A position that no game leads to can have more pieces than fit.
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

    /// Adds what concerns the king but not its neighbour squares. `rooks` are those that may still castle.
    #[inline]
    fn add_king_state(&mut self, rooks: Bitboard, enemy: &Side, occupied: Bitboard) {
        self.castling_rights = (rooks & self.all).count() as u32;
        let (straight, diagonal) = (enemy.rooks | enemy.queens, enemy.bishops | enemy.queens);
        self.blockers = alone_before(self.king, straight, diagonal, occupied);
    }

    /// Adds what depends on the enemy's pawns.
    fn add_pawn_structure(&mut self, color: Color, enemy_pawns: Bitboard, enemy_attacks: Bitboard) {
        let stopped = ahead(!color, enemy_pawns | beside(enemy_pawns));
        self.passed = self.pawns & !stopped;
        let neighbours = beside(self.pawns);
        let supportable = neighbours | ahead(color, neighbours);
        self.backward = self.pawns & !supportable & step(!color, enemy_attacks);
    }

    /// The side without the piece or pawn on a square. What the others attack is not computed anew.
    pub(crate) fn without(&self, square: Square) -> Side {
        let mut rest = self.clone();
        rest.pieces.retain(|piece| piece.square != square);
        let Side { all, pawns, knights, bishops, rooks, queens, .. } = &mut rest;
        for set in [all, pawns, knights, bishops, rooks, queens] {
            set.discard(square);
        }
        rest
    }

    /// The squares of all pieces of one role.
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
        self.all == self.king.into()
    }

    /// King, one bishop, one knight, nothing else.
    #[inline]
    pub fn is_bishop_and_knight(&self) -> bool {
        self.bishops.any() && self.knights.any() && self.all.count() == 3
    }

    /// Whether the side can force mate, now or by promoting a pawn.
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

    /// The usual value of the pieces in points, pawns not counted: knight and bishop 3, rook 5, queen 9.
    pub fn points(&self) -> i32 {
        let minors = (self.knights | self.bishops).count();
        (3 * minors + 5 * self.rooks.count() + 9 * self.queens.count()) as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::position;

    /// The words of expressions show the rest: `formula/expressions.txt`.
    #[test]
    fn attacks_by_role() {
        let context = EvalContext::new(&position("4k3/8/8/8/2p1p3/8/1N6/R2QK2B w - - 0 1"));
        let white = context.side(Color::White);
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
        assert!(white.pieces.iter().all(|piece| piece.attacks & white.attacks == piece.attacks));
    }
}
