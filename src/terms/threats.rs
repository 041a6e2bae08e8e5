use crate::eval::meaning::{count, enemy};
use crate::eval::{Account, Arrow, EvalContext, Marks, Meaning, Reason, Scope, Sink, Term, theme};
use crate::geometry::{knight_attacks, lines::alone_before, pawn_attacks, step};
use crate::term;
use shakmaty::{Bitboard, Color, Position, Rank, attacks};

term! {
    /// Counts enemy pieces that can be captured in one move, and pieces that a line holds fast.
    pub(super) struct Threats;

    name = "threats";
    doc = "A piece attacked by a less valuable one, or defended by nothing, must move or be defended.";
    source =
        "Chess Programming Wiki, Hanging Piece and Threats; Levinson and Snyder 1993, Distance";
    theme = theme::THREATS;
    says = reasons;
    draws = marks;
    scope = Scope::NotBareKing;

    weights {
        pawn_minor = attack("a pawn", "a knight or bishop", "knights or bishops");
        pawn_rook = attack("a pawn", "a rook", "rooks");
        pawn_queen = attack("a pawn", "a queen", "queens");
        minor_pawn = attack("a knight or bishop", "a weak pawn", "weak pawns");
        minor_minor = attack("a knight or bishop", "a minor piece", "minor pieces");
        minor_rook = attack("a knight or bishop", "a rook", "rooks");
        minor_queen = attack("a knight or bishop", "a queen", "queens");
        rook_pawn = attack("a rook", "a weak pawn", "weak pawns");
        rook_minor = attack("a rook", "a weak knight or bishop", "weak knights or bishops");
        rook_queen = attack("a rook", "a queen", "queens");
        king = attack("the king", "a weak piece or pawn", "weak pieces or pawns");
        hanging = count("an attack on an undefended piece", "attacks on undefended pieces");
        hanging_pawn = count("an attack on an undefended pawn", "attacks on undefended pawns");
        push = count(
            "a safe pawn push that would attack a piece",
            "safe pawn pushes that would attack a piece",
        );
        knight_queen = enemy("queen").with(
            "safe square from which a knight can attack it",
            "safe squares from which a knight can attack it",
        );
        line_queen = enemy("queen").with(
            "safe square from which a bishop or rook can attack it",
            "safe squares from which a bishop or rook can attack it",
        );
        queen_piece = attack("a queen", "a weak piece", "weak pieces");
        only_queen = count(
            "an attack on a piece or pawn that only a queen defends",
            "attacks on pieces or pawns that only a queen defends",
        );
        queen_line = count(
            "a piece alone between a bishop or rook and the enemy queen",
            "pieces alone between a bishop or rook and the enemy queen",
        );
        pinned = count("a pinned enemy piece", "pinned enemy pieces");
        pinned_twice = count(
            "a pinned enemy piece that is attacked twice",
            "pinned enemy pieces that are attacked twice",
        );
        several = count("a threat more than one", "threats more than one");
        loose = count(
            "a knight, bishop or rook that nothing defends",
            "knights, bishops and rooks that nothing defends",
        );
        restricted = count(
            "a contested square that it guards better",
            "contested squares that it guards better",
        );
    }
}

fn attack(by: &str, one: &str, several: &str) -> Meaning {
    count(format!("an attack by {by} on {one}"), format!("attacks by {by} on {several}"))
}

impl Term for Threats {
    #[inline(always)]
    fn measure<S: Sink>(&self, context: &EvalContext, side: Color, sink: &mut S) {
        let (own, enemy) = (context.side(side), context.side(!side));

        let minors = enemy.knights | enemy.bishops;
        let pieces = minors | enemy.rooks | enemy.queens;
        // Defended by a pawn, or twice where this side attacks only once.
        let strong = enemy.pawn_attacks | (enemy.twice & !own.twice);
        let weak = own.attacks & !strong;

        sink.add_each(W.pawn_minor, own.pawn_attacks & minors);
        sink.add_each(W.pawn_rook, own.pawn_attacks & enemy.rooks);
        sink.add_each(W.pawn_queen, own.pawn_attacks & enemy.queens);

        let by_minor = own.minor_attacks();
        sink.add_each(W.minor_pawn, by_minor & enemy.pawns & weak);
        let other_kind = (own.knight_attacks & enemy.bishops)
            | (own.bishop_attacks & enemy.knights)
            | (by_minor & minors & weak);
        sink.add_each(W.minor_minor, other_kind);
        sink.add_each(W.minor_rook, by_minor & enemy.rooks);
        sink.add_each(W.minor_queen, by_minor & enemy.queens);
        sink.add_each(W.rook_pawn, own.rook_attacks & enemy.pawns & weak);
        sink.add_each(W.rook_minor, own.rook_attacks & minors & weak);
        sink.add_each(W.rook_queen, own.rook_attacks & enemy.queens);
        sink.add_each(W.king, own.king_attacks & enemy.all & weak);

        let undefended = own.attacks & !enemy.attacks;
        sink.add_each(W.hanging, undefended & pieces);
        sink.add_each(W.queen_piece, own.queen_attacks & pieces & weak);
        let only_queen = own.attacks & enemy.queen_attacks & !enemy.twice;
        sink.add_each(W.only_queen, only_queen & enemy.all);
        sink.add_each(W.loose, (own.knights | own.bishops | own.rooks) & !own.attacks);

        let pinned = enemy.blockers & pieces;
        sink.add_each(W.pinned, pinned);
        sink.add_each(W.pinned_twice, pinned & own.twice);

        // The other side can parry one threat with its move, but not several.
        let threatened = (own.pawn_attacks & pieces)
            | (by_minor & (enemy.rooks | enemy.queens))
            | (own.rook_attacks & enemy.queens)
            | (undefended & pieces);
        if threatened.more_than_one() {
            sink.add(W.several, threatened.count() as i32 - 1, enemy.king);
        }
        sink.add_each(W.hanging_pawn, undefended & enemy.pawns);
        sink.add_each(W.restricted, enemy.attacks & own.attacks & !strong & !enemy.all);

        let stands = !enemy.pawn_attacks & (own.attacks | !enemy.attacks);
        sink.add_each(W.push, pawn_attacks(side, pushes(context, side) & stands) & pieces);

        let safe = !own.all & !strong & !enemy.pawn_attacks & (own.twice | !enemy.attacks);
        for queen in enemy.queens {
            sink.add_each(
                W.queen_line,
                alone_before(queen, own.rooks, own.bishops, context.occupied),
            );
            let jumps = knight_attacks(queen.into()) & own.knight_attacks & safe;
            sink.add(W.knight_queen, jumps.count() as i32, queen);
            let lines = (attacks::bishop_attacks(queen, context.occupied) & own.bishop_attacks)
                | (attacks::rook_attacks(queen, context.occupied) & own.rook_attacks);
            sink.add(W.line_queen, (lines & safe & own.twice).count() as i32, queen);
        }
    }
}

/// Where the pawns of a side can advance to now.
fn pushes(context: &EvalContext, side: Color) -> Bitboard {
    let third = Bitboard::from_rank(side.fold_wb(Rank::Third, Rank::Sixth));
    let once = step(side, context.side(side).pawns) & !context.occupied;
    once | (step(side, once & third) & !context.occupied)
}

/// The weights that count an attacked piece, on its square.
const ATTACKS: [&str; 13] = [
    "pawn_minor",
    "pawn_rook",
    "pawn_queen",
    "minor_pawn",
    "minor_minor",
    "minor_rook",
    "minor_queen",
    "rook_pawn",
    "rook_minor",
    "rook_queen",
    "king",
    "hanging",
    "hanging_pawn",
];

/// Nothing: an attack is no lasting reason, and a search finds what comes of it.
fn reasons(_: &Account) -> Vec<Reason> {
    Vec::new()
}

/// Arrows from attackers to attacked pieces.
fn marks(account: &Account) -> Marks {
    let mut marks = Marks::default();
    for side in Color::ALL {
        for target in account.squares(side, &ATTACKS) {
            let board = account.position().board();
            for attacker in board.attacks_to(target, side, account.context().occupied) {
                marks.add_arrow(Arrow::straight(attacker, target, side));
            }
            marks.add_ring(target);
        }
    }
    marks
}
