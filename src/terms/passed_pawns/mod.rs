mod races;

use crate::eval::meaning::{Distance, KING_MOVES, MOVES, Unit, count, distance, enemy, own, place};
use crate::eval::{Account, EvalContext, Marks, Reason, Scope, Sink, Term, Weight, theme};
use crate::geometry::{
    ahead, back_rank_distance, beside, chebyshev, pawn_attacks, promotion_distance, step,
};
use crate::term;
use crate::terms::placement::{edge, files_from_edge, home};
use crate::text::{counted, noun, side_name};
use races::races;
use shakmaty::{Bitboard, Color, Position, Square};

term! {
    /// Measures the path of passed pawns to promotion, and which kings and rooks are near it.
    pub(super) struct PassedPawns;

    name = "passed_pawns";
    doc = "A passed pawn is worth more the nearer it is to promotion and the less can stop it.";
    source = "Chess Programming Wiki, Passed Pawn, Rule of the Square and Tarrasch Rule";
    theme = theme::PAWNS;
    says = reasons;
    draws = marks;
    scope = Scope::NotBareKing;

    weights {
        way[8] = own("passed pawn").is(home());
        free[8] = own("unblocked passed pawn").is(home());
        safe_step[8] = own("passed pawn with a safe step").is(home());
        safe_way[8] = own("passed pawn with a safe path").is(home());
        connected[8] = own("connected passed pawn").is(home());
        defended[8] = own("defended passed pawn").is(home());
        edge[4] = own("passed pawn").is(edge());
        own_king[8] = own("passed pawn").is(own_king());
        king[8] = own("passed pawn").is(enemy_king());
        own_king_near[8] = own("passed pawn near promotion").is(own_king());
        king_near[8] = own("passed pawn near promotion").is(enemy_king());
        supported[8] = own("passed pawn with a guarded step").is(home());
        attacked[7] = own("passed pawn").is(distance(ATTACKED, place("promotion"))
            .preposition("before")
            .zero("with a path that the enemy does not attack"));
        rook_behind = count("a rook behind a passed pawn", "rooks behind passed pawns");
        rook_chases = count(
            "a passed pawn with an enemy rook behind it",
            "passed pawns with an enemy rook behind them",
        );
        unstoppable[7] = own("unstoppable passed pawn").is(distance(MOVES, place("promotion")));
    }
}

const ATTACKED: Unit = Unit::new("square that the enemy attacks", "squares that the enemy attacks");

/// A pawn with at most this many moves to promotion is near: the kings matter more.
const NEAR: u32 = 3;

/// How far a king is from the square ahead of the pawn.
fn own_king() -> Distance {
    distance(KING_MOVES, own("king"))
        .preposition("between its next square and")
        .zero("with its king on its next square")
}

fn enemy_king() -> Distance {
    distance(KING_MOVES, enemy("king"))
        .preposition("between its next square and")
        .zero("with the enemy king on its next square")
}

impl Term for PassedPawns {
    #[inline(always)]
    fn measure<S: Sink>(&self, context: &EvalContext, side: Color, sink: &mut S) {
        const KINGS: [Weight; 2] = [W.own_king, W.king];
        const KINGS_NEAR: [Weight; 2] = [W.own_king_near, W.king_near];
        let (own, enemy) = (context.side(side), context.side(!side));

        for pawn in own.passed {
            let square = Bitboard::from_square(pawn);
            let next = step(side, square);
            let way = ahead(side, square);
            let home = back_rank_distance(side, pawn);
            let moves = promotion_distance(side, pawn);
            sink.add(W.way.at(home), 1, pawn);
            sink.add(W.edge.at(files_from_edge(pawn)), 1, pawn);
            if (next & context.occupied).is_empty() {
                sink.add(W.free.at(home), 1, pawn);
            }
            if (next & enemy.attacks).is_empty() {
                sink.add(W.safe_step.at(home), 1, pawn);
            }
            if (way & (enemy.attacks | enemy.all)).is_empty() {
                sink.add(W.safe_way.at(home), 1, pawn);
            }
            let sides = beside(square);
            if (own.passed & (sides | step(side, sides) | step(!side, sides))).any() {
                sink.add(W.connected.at(home), 1, pawn);
            }
            if own.pawn_attacks.contains(pawn) {
                sink.add(W.defended.at(home), 1, pawn);
            }
            if (next & own.attacks).any() {
                sink.add(W.supported.at(home), 1, pawn);
            }
            // At most six squares: a pawn never stands on its back rank.
            sink.add(W.attacked.at((way & enemy.attacks).count() as u32), 1, pawn);
            let weights = if moves <= NEAR { KINGS_NEAR } else { KINGS };
            for (weight, king) in weights.into_iter().zip([own.king, enemy.king]) {
                for next in next {
                    sink.add(weight.at(chebyshev(king, next)), 1, pawn);
                }
            }
            let behind = ahead(!side, square);
            if (behind & own.rooks).any() {
                sink.add(W.rook_behind, 1, pawn);
            }
            if (behind & enemy.rooks).any() {
                sink.add(W.rook_chases, 1, pawn);
            }
            if lateness(context, side, pawn).is_some() {
                sink.add(W.unstoppable.at(moves), 1, pawn);
            }
        }
    }
}

/// How many moves too late the enemy king comes to catch a pawn that runs to promotion (the rule of the square).
/// `None` if the king is in time, or if another piece may stop the pawn.
fn lateness(context: &EvalContext, side: Color, pawn: Square) -> Option<u32> {
    let way = ahead(side, pawn.into());
    let end = side.fold_wb(way.last(), way.first())?;
    let enemy = context.side(!side);
    if enemy.has_pieces() || (way & context.occupied).any() {
        return None;
    }
    let needed = chebyshev(enemy.king, end) + u32::from(context.turn == side);
    needed.checked_sub(promotion_distance(side, pawn) + 1).filter(|&late| late > 0)
}

/// What is counted of a passed pawn.
pub(super) const OF_PASSED_PAWNS: [&str; 3] = ["passed_pawns", "pawns", "kpk"];

/// The smallest value of a passed pawn that is a reason, in centipawns.
const SMALLEST: f64 = 30.0;

/// The ways of passed pawns and kings.
fn marks(account: &Account) -> Marks {
    races(account.context())
}

/// The most valuable passed pawn of each side.
fn reasons(account: &Account) -> Vec<Reason> {
    Color::ALL.into_iter().filter_map(|side| of_side(account, side)).collect()
}

fn of_side(account: &Account, side: Color) -> Option<Reason> {
    let context = account.context();
    let (own, enemy) = (context.side(side), context.side(!side));
    let worth = |pawn: &Square| account.on_square(&OF_PASSED_PAWNS, side, *pawn);
    let pawn = own.passed.into_iter().max_by(|a, b| worth(a).total_cmp(&worth(b)))?;
    let value = Some(worth(&pawn)).filter(|&value| value >= SMALLEST)?;
    let way = ahead(side, pawn.into());
    let moves = counted(promotion_distance(side, pawn).into(), "move");
    let mut details = vec![format!("it is {moves} from promotion")];
    let next = step(side, pawn.into()).first()?;
    if let Some(piece) = account.position().board().piece_at(next) {
        let owner = if piece.color == side { "its own" } else { "the" };
        details.push(format!("{owner} {} on {next} blocks it", noun(piece.role)));
    } else if (way & enemy.attacks).is_empty() && (way & context.occupied).is_empty() {
        details.push("its path is free".to_owned());
    }
    if let Some(late) = lateness(context, side, pawn) {
        let (late, king) = (counted(late.into(), "move"), side_name(!side));
        details.push(format!("{king}'s king is {late} too late to catch it"));
    }
    if let Some(guard) = (pawn_attacks(!side, pawn.into()) & own.pawns).first() {
        details.push(format!("the pawn on {guard} protects it"));
    }
    let clause = format!("{} has a passed pawn on {pawn}", side_name(side));
    Some(account.reason(side, value, clause, details))
}
