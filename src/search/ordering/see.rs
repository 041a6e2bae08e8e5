//! Static exchange evaluation: the material result of a series of captures on one square.

use shakmaty::{Bitboard, Board, Chess, Color, Move, Position, Role, Square, attacks};

/// The value of a piece in an exchange, in centipawns. Their order matters more than the numbers.
pub const fn see_value(role: Role) -> i32 {
    match role {
        Role::Pawn => 100,
        Role::Knight => 320,
        Role::Bishop => 330,
        Role::Rook => 500,
        Role::Queen => 950,
        Role::King => 20_000,
    }
}

/// Whether `m` and the captures that follow on its target square win at least `threshold` centipawns for the
/// side to move. Both sides capture with the least valuable piece first and stop when that is better. Pins are
/// ignored.
pub fn see_ge(chess: &Chess, m: Move, threshold: i32) -> bool {
    let board = chess.board();
    let mut occupied = board.occupied();
    let (role, from, capture, to, promotion) = match m {
        Move::Normal { role, from, capture, to, promotion } => (role, from, capture, to, promotion),
        Move::EnPassant { from, to } => {
            // The captured pawn does not stand on the target square. Lines through its own square open.
            occupied.discard(Square::from_coords(to.file(), from.rank()));
            (Role::Pawn, from, Some(Role::Pawn), to, None)
        }
        // Castling captures nothing.
        Move::Castle { .. } | Move::Put { .. } => return threshold <= 0,
    };
    let promoted = promotion.map_or(0, |new| see_value(new) - see_value(Role::Pawn));
    let mut balance = capture.map_or(0, see_value) + promoted - threshold;
    if balance < 0 {
        return false;
    }
    balance -= see_value(promotion.unwrap_or(role));
    if balance >= 0 {
        return true;
    }

    let diagonal = board.bishops_and_queens();
    let straight = board.rooks_and_queens();
    occupied.discard(from);
    let mut attackers = attackers_of(board, to, occupied);
    let mut side = !chess.turn();
    loop {
        attackers &= occupied;
        let own = attackers & board.by_color(side);
        if own.is_empty() {
            break;
        }
        let Some((next, square)) = least_valuable(chess, own, side) else { break };
        if next == Role::King && (attackers & board.by_color(!side)).any() {
            // The king may not capture a defended piece, so this side has no more captures.
            break;
        }
        occupied.discard(square);
        // Line pieces behind the one that captured now attack the square. Behind a knight there are none.
        if next != Role::Knight {
            attackers |= attacks::bishop_attacks(to, occupied) & diagonal;
            attackers |= attacks::rook_attacks(to, occupied) & straight;
        }
        side = !side;
        balance = -balance - 1 - see_value(next);
        if balance >= 0 {
            break;
        }
    }
    side != chess.turn()
}

/// The attackers of both sides. Asked for one side at a time, the board would look up every line twice.
fn attackers_of(board: &Board, square: Square, occupied: Bitboard) -> Bitboard {
    let pawns = attacks::pawn_attacks(Color::Black, square) & board.white()
        | attacks::pawn_attacks(Color::White, square) & board.black();
    (pawns & board.pawns())
        | (attacks::knight_attacks(square) & board.knights())
        | (attacks::bishop_attacks(square, occupied) & board.bishops_and_queens())
        | (attacks::rook_attacks(square, occupied) & board.rooks_and_queens())
        | (attacks::king_attacks(square) & board.kings())
}

/// The least valuable attacker; among equals the one nearest to its own back rank, so that a mirrored exchange is
/// the same.
fn least_valuable(chess: &Chess, pieces: Bitboard, side: Color) -> Option<(Role, Square)> {
    Role::ALL.into_iter().find_map(|role| {
        let pieces = pieces & chess.board().by_role(role);
        let square = match side {
            Color::White => pieces.first()?,
            Color::Black => pieces.flip_vertical().first()?.flip_vertical(),
        };
        Some((role, square))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{CastlingMode, fen::Fen, san::San};

    /// The exact value of an exchange, by finding the highest threshold that it reaches.
    fn value(fen: &str, san: &str) -> i32 {
        let fen: Fen = fen.parse().unwrap();
        let chess: Chess = fen.into_position(CastlingMode::Standard).unwrap();
        let m = san.parse::<San>().unwrap().to_move(&chess).unwrap();
        (-2000..2000).rev().find(|&t| see_ge(&chess, m, t)).unwrap()
    }

    #[test]
    fn exchanges_counted_by_hand() {
        for line in include_str!("exchanges.txt").lines().filter(|line| !line.starts_with('#')) {
            let (san, rest) = line.split_once(' ').unwrap();
            let (expected, fen) = rest.split_once(' ').unwrap();
            assert_eq!(value(fen, san).to_string(), expected, "{line}");
        }
    }
}
