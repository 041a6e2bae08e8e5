//! Whose pieces are more active, and the bishop pair.

use crate::eval::{Account, MAX_NAMED, Piece, Reason, Side, the_piece, theme};
use crate::text::{counted, side_name};
use shakmaty::{Bitboard, Color, File, Rank, Role};

/// Above these game phases development counts, and pieces on their first rank are not called poor.
const OPENING_PHASE: i32 = 20;
const EARLY_PHASE: i32 = 16;
/// A side that reaches fewer squares more is not called more active for them.
const MORE_SQUARES: usize = 4;

pub(super) fn reasons(account: &Account) -> Vec<Reason> {
    bishop_pair(account).into_iter().chain(activity(account)).collect()
}

fn bishop_pair(account: &Account) -> Option<Reason> {
    let side = account.context().only_bishop_pair()?;
    let value = account.of_weight("bishop_pair");
    let clause = format!("{} has the bishop pair", side_name(side));
    let reason = account.reason(side, side.fold_wb(value, -value), clause, Vec::new());
    Some(Reason { theme: theme::MATERIAL.into(), ..reason })
}

/// Whose pieces are more active.
fn activity(account: &Account) -> Option<Reason> {
    let context = account.context();
    let king = |side| account.on_square(&["placement", "pieces"], side, context.side(side).king);
    let all = account.of_terms(&["placement", "mobility", "pieces"]);
    let value = all - (king(Color::White) - king(Color::Black));
    // With other pieces on each side, the terms weigh these, not only their squares.
    let counts = |side: Color| {
        let Side { knights, bishops, rooks, queens, .. } = context.side(side);
        [knights, bishops, rooks, queens].map(|set| set.count())
    };
    if counts(Color::White) != counts(Color::Black) {
        return None;
    }
    let side = Color::from_white(value > 0.0);
    let mut details: Vec<String> = development(account, side).into_iter().collect();
    details.extend(strong_pieces(account, side));
    details.extend(poor_pieces(account, !side));
    if details.is_empty() {
        let [own, enemy] = [side, !side].map(|side| free_squares(account, side));
        if own < enemy + MORE_SQUARES {
            return None;
        }
        let other = side_name(!side);
        details.push(format!(
            "they reach {own} squares that no pawn attacks, {other}'s reach {enemy}"
        ));
    }
    details.truncate(MAX_NAMED);
    let clause = format!("{}'s pieces are more active", side_name(side));
    Some(account.reason(side, value.abs(), clause, details))
}

/// Squares that a side's pieces reach and no enemy pawn attacks.
fn free_squares(account: &Account, side: Color) -> usize {
    let pieces = account.context().side(side).pieces.iter();
    pieces.map(|piece| safe(account, side, piece).count()).sum()
}

fn safe(account: &Account, side: Color, piece: &Piece) -> Bitboard {
    let context = account.context();
    piece.attacks & !context.side(side).all & !context.side(!side).pawn_attacks
}

/// In an opening: who has more knights and bishops off the squares where they start.
fn development(account: &Account, side: Color) -> Option<String> {
    let context = account.context();
    let at_home = |side: Color| {
        let own = context.side(side);
        let rank = Bitboard::from_rank(side.fold_wb(Rank::First, Rank::Eighth));
        let files = |a: File, b: File| Bitboard::from_file(a) | Bitboard::from_file(b);
        // A bishop on its corner or a knight before the king has come back.
        let home = own.knights & files(File::B, File::G) | own.bishops & files(File::C, File::F);
        (home & rank).count() as u64
    };
    let late = at_home(!side);
    (context.phase > OPENING_PHASE && late > at_home(side)).then(|| {
        let verb = if late == 1 { "is" } else { "are" };
        let pieces = counted(late, "minor piece");
        format!("{pieces} of {} {verb} still at home", side_name(!side))
    })
}

/// Knights and bishops on outposts, and rooks on open files.
fn strong_pieces(account: &Account, side: Color) -> Vec<String> {
    let of = |noun: &str, weight: &str| {
        let text =
            |square| format!("the {noun} on {square} has an outpost that no pawn can attack");
        account.squares(side, &[weight]).into_iter().map(text).collect::<Vec<_>>()
    };
    let mut strong = of("knight", "knight_outpost");
    strong.extend(of("bishop", "bishop_outpost"));
    let open = |side| account.squares(side, &["rook_open"]);
    let rook = open(side).first().copied().filter(|_| open(!side).is_empty());
    strong.extend(
        rook.map(|rook| format!("the rook on {rook} has the open {}-file", rook.file().char())),
    );
    strong
}

/// Pieces with hardly a safe square. In a middlegame those on their first rank may just not be developed.
fn poor_pieces(account: &Account, side: Color) -> Vec<String> {
    let context = account.context();
    let own = context.side(side);
    let home = Bitboard::from_rank(side.fold_wb(Rank::First, Rank::Eighth));
    // Beside a king in the centre a rook may just wait for castling.
    let is_home = matches!(own.king.file(), File::D | File::E);
    let shut_in = account.squares(side, &["rook_trapped"]).into_iter().filter(|_| !is_home);
    let shut_in = shut_in.map(|rook| format!("the rook on {rook} is shut in by its king"));
    let mut poor: Vec<String> = shut_in.collect();
    for piece in &own.pieces {
        let safe = safe(account, side, piece).count();
        let few = match piece.role {
            Role::Knight => 1,
            Role::Bishop | Role::Rook => 2,
            _ => 4,
        };
        let is_home = home.contains(piece.square) && context.phase > EARLY_PHASE;
        if safe <= few && !is_home {
            let squares = match safe {
                0 => "no safe square".to_owned(),
                safe => format!("only {} that no pawn attacks", counted(safe as u64, "square")),
            };
            poor.push(format!("{} has {squares}", the_piece(piece.role, piece.square)));
        }
    }
    poor
}
