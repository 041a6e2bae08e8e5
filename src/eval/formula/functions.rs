//! What the words mean that are more than a function of the geometry or a field of the context.

use crate::eval::EvalContext;
use crate::geometry::{
    Layers, Mover, Terrain, Trajectories, ahead, chebyshev, moves_between, pawn_attacks, step,
};
use arrayvec::ArrayVec;
use shakmaty::{Bitboard, Color, File, Rank, Role, Square, attacks};

/// The number of moves that stands for "no path".
pub(super) const NO_PATH: i32 = 64;

/// The files a to d.
pub(super) const QUEENSIDE: Bitboard = Bitboard(0x0f0f_0f0f_0f0f_0f0f);

pub(super) fn rank(_: &EvalContext, side: Color, number: i32) -> Bitboard {
    let rank = (1..=8).contains(&number).then(|| Rank::new((number - 1) as u32));
    rank.map_or(Bitboard::EMPTY, |rank| {
        Bitboard::from_rank(side.fold_wb(rank, rank.flip_vertical()))
    })
}

pub(super) fn file(_: &EvalContext, _: Color, number: i32) -> Bitboard {
    let file = (1..=8).contains(&number).then(|| File::new((number - 1) as u32));
    file.map_or(Bitboard::EMPTY, Bitboard::from_file)
}

pub(super) fn west(set: Bitboard) -> Bitboard {
    Bitboard((set & !Bitboard::from_file(File::A)).0 >> 1)
}

pub(super) fn east(set: Bitboard) -> Bitboard {
    Bitboard((set & !Bitboard::from_file(File::H)).0 << 1)
}

pub(super) fn first(context: &EvalContext, side: Color, set: Bitboard) -> Square {
    let king = context.side(side).king;
    let first = match side {
        Color::White => set.first(),
        Color::Black => set.flip_vertical().first().map(Square::flip_vertical),
    };
    first.unwrap_or(king)
}

pub(super) fn pieces(context: &EvalContext, side: Color) -> Bitboard {
    let side = context.side(side);
    side.all & !side.pawns & !Bitboard::from_square(side.king)
}

pub(super) fn nearest(_: &EvalContext, side: Color, from: Square, set: Bitboard) -> Square {
    // Seen from the side, so that the mirrored position has the mirrored square.
    let order = |square: &Square| {
        (
            chebyshev(from, *square),
            square.rank().to_u32() ^ side.fold_wb(0, 7),
            square.file().to_u32(),
        )
    };
    set.into_iter().min_by_key(order).unwrap_or(from)
}

pub(super) fn fewest_moves(mover: Mover, from: Bitboard, to: Bitboard, closed: Bitboard) -> i32 {
    let terrain = Terrain { own: closed, ..Terrain::EMPTY };
    moves_between(mover, from, to, &terrain).map_or(NO_PATH, |moves| moves as i32)
}

pub(super) fn reach(mover: Mover, from: Bitboard, moves: i32, closed: Bitboard) -> Bitboard {
    let terrain = Terrain { own: closed, ..Terrain::EMPTY };
    let layers = Layers::new(mover, from, &terrain).take((moves.clamp(-1, NO_PATH) + 1) as usize);
    layers.fold(Bitboard::EMPTY, |reached, layer| reached | layer)
}

pub(super) fn paths(mover: Mover, from: Square, to: Square, closed: Bitboard) -> Bitboard {
    let terrain = Terrain { own: closed, ..Terrain::EMPTY };
    let trajectories = Trajectories::new(mover, from, to, &terrain);
    trajectories.map_or(Bitboard::EMPTY, |paths| paths.squares())
}

/// All squares on the files of a set.
pub(super) fn files(set: Bitboard) -> Bitboard {
    let first_rank = [32, 16, 8].into_iter().fold(set.0, |set, by| set | set >> by) & 0xff;
    Bitboard(first_rank * 0x0101_0101_0101_0101)
}

/// All squares on the ranks of a set.
pub(super) fn ranks(set: Bitboard) -> Bitboard {
    let ranks = Rank::ALL.into_iter().map(Bitboard::from_rank);
    ranks.filter(|&rank| (rank & set).any()).fold(Bitboard::EMPTY, |ranks, rank| ranks | rank)
}

pub(super) fn blocked(context: &EvalContext, side: Color) -> Bitboard {
    context.side(side).pawns & step(!side, context.occupied)
}

pub(super) fn half_open_files(context: &EvalContext, side: Color) -> Bitboard {
    files(context.side(!side).pawns) & !files(context.side(side).pawns)
}

pub(super) fn pawn_spans(context: &EvalContext, side: Color) -> Bitboard {
    let pawns = context.side(side).pawns;
    pawn_attacks(side, pawns | ahead(side, pawns))
}

pub(super) fn outposts(context: &EvalContext, side: Color) -> Bitboard {
    context.outposts(side)
}

/// What the piece or pawn on a square attacks. Masks say what stands there, because branches would be mispredicted.
pub(super) fn attacks_of(context: &EvalContext, _: Color, square: Square) -> Bitboard {
    let (white, black) = (context.side(Color::White), context.side(Color::Black));
    let here = |set: Bitboard| Bitboard(0_u64.wrapping_sub(set.0 >> square as u32 & 1));
    let kings = Bitboard::from_square(white.king) | Bitboard::from_square(black.king);
    let queens = white.queens | black.queens;
    here(queens | white.bishops | black.bishops) & attacks::bishop_attacks(square, context.occupied)
        | here(queens | white.rooks | black.rooks) & attacks::rook_attacks(square, context.occupied)
        | here(white.knights | black.knights) & attacks::knight_attacks(square)
        | here(kings) & attacks::king_attacks(square)
        | here(white.pawns) & pawn_attacks(Color::White, square.into())
        | here(black.pawns) & pawn_attacks(Color::Black, square.into())
}

/// What stands on a square.
fn on_square(context: &EvalContext, square: Square) -> Option<(Color, Role)> {
    let color = Color::ALL.into_iter().find(|&color| context.side(color).all.contains(square))?;
    let is_role = |role: &Role| context.side(color).by_role(*role).contains(square);
    Some((color, Role::ALL.into_iter().find(is_role)?))
}

/// The pieces and pawns of a side that attack a square.
pub(super) fn attackers(context: &EvalContext, color: Color, square: Square) -> Bitboard {
    let side = context.side(color);
    if !side.attacks.contains(square) {
        return Bitboard::EMPTY;
    }
    let diagonal = attacks::bishop_attacks(square, context.occupied);
    let straight = attacks::rook_attacks(square, context.occupied);
    side.pawns & pawn_attacks(!color, square.into())
        | side.knights & attacks::knight_attacks(square)
        | (side.bishops | side.queens) & diagonal
        | (side.rooks | side.queens) & straight
        | Bitboard::from_square(side.king) & attacks::king_attacks(square)
}

/// Those of them that are worth least.
pub(super) fn least_attackers(context: &EvalContext, color: Color, square: Square) -> Bitboard {
    let (attackers, side) = (attackers(context, color, square), context.side(color));
    let ranks = [side.pawns, side.knights | side.bishops, side.rooks, side.queens, attackers];
    let among = ranks.into_iter().map(|rank| rank & attackers).find(|rank| rank.any());
    among.unwrap_or(Bitboard::EMPTY)
}

/// The points of what stands on a square. No branches, because they would be mispredicted.
pub(super) fn points_on(context: &EvalContext, _: Color, square: Square) -> i32 {
    let (white, black) = (context.side(Color::White), context.side(Color::Black));
    let here = |set: Bitboard, role| (set.0 >> square as u32 & 1) as i32 * points(role);
    let minors = white.knights | white.bishops | black.knights | black.bishops;
    here(white.pawns | black.pawns, Role::Pawn)
        + here(minors, Role::Knight)
        + here(white.rooks | black.rooks, Role::Rook)
        + here(white.queens | black.queens, Role::Queen)
}

/// The value of a piece in an exchange, in points. The king captures last, and nothing takes it.
const fn points(role: Role) -> i32 {
    match role {
        Role::Pawn => 1,
        Role::Knight | Role::Bishop => 3,
        Role::Rook => 5,
        Role::Queen => 9,
        Role::King => 0,
    }
}

/// An exchange on a square.
struct Exchange<'a> {
    context: &'a EvalContext,
    square: Square,
    /// The side that begins. Of equal pieces the one nearest to its back rank captures, so that the mirrored position
    /// has the mirrored exchange.
    side: Color,
}

impl Exchange<'_> {
    /// The least valuable piece of a colour that attacks the square over these occupied squares.
    fn attacker(&self, color: Color, occupied: Bitboard) -> Option<(Role, Square)> {
        let (side, square) = (self.context.side(color), self.square);
        let (straight, diagonal) =
            (attacks::rook_attacks(square, occupied), attacks::bishop_attacks(square, occupied));
        let attackers = [
            (Role::Pawn, side.pawns & pawn_attacks(!color, square.into())),
            (Role::Knight, side.knights & attacks::knight_attacks(square)),
            (Role::Bishop, side.bishops & diagonal),
            (Role::Rook, side.rooks & straight),
            (Role::Queen, side.queens & (straight | diagonal)),
            (Role::King, attacks::king_attacks(square) & Bitboard::from_square(side.king)),
        ];
        attackers.into_iter().find_map(|(role, set)| {
            let set = set & occupied;
            set.any().then(|| (role, first(self.context, self.side, set)))
        })
    }
}

/// Static exchange evaluation. Each side captures with its least valuable piece first and stops when that is better.
pub(super) fn exchange(context: &EvalContext, side: Color, square: Square) -> i32 {
    // Own pieces and the king are not captured, and an empty square wins nothing.
    let is_captured = |&(color, role): &(Color, Role)| color != side && role != Role::King;
    let Some((_, role)) = on_square(context, square).filter(is_captured) else { return 0 };
    let exchange = Exchange { context, square, side };
    let mut gains = ArrayVec::<i32, 64>::new();
    let (mut color, mut victim, mut occupied) = (side, points(role), context.occupied);
    while let Some((role, from)) = exchange.attacker(color, occupied) {
        occupied.discard(from);
        // The king may not capture a defended piece.
        if role == Role::King && exchange.attacker(!color, occupied).is_some() {
            break;
        }
        gains.push(victim);
        (victim, color) = (points(role), !color);
    }
    gains.into_iter().rev().fold(0, |best, gain| (gain - best).max(0))
}
