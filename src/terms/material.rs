use crate::eval::meaning::count;
use crate::eval::{Account, EvalContext, Reason, Sink, Term, Weight, theme};
use crate::term;
use crate::text::{Balance, side_name};
use shakmaty::{Color, Position, Role};

term! {
    /// Counts the pieces: the one term that is not about distances.
    pub(super) struct Material;

    name = "material";
    doc = "Each piece has a value of its own, wherever it stands.";
    source = "Shannon 1950, Programming a Computer for Playing Chess";
    theme = theme::MATERIAL;
    says = reasons;

    weights {
        pawn = count("a pawn", "pawns");
        knight = count("a knight", "knights");
        bishop = count("a bishop", "bishops");
        rook = count("a rook", "rooks");
        queen = count("a queen", "queens");
    }
}

impl Term for Material {
    #[inline(always)]
    fn measure<S: Sink>(&self, context: &EvalContext, side: Color, sink: &mut S) {
        const WEIGHTS: [(Role, Weight); 5] = [
            (Role::Pawn, W.pawn),
            (Role::Knight, W.knight),
            (Role::Bishop, W.bishop),
            (Role::Rook, W.rook),
            (Role::Queen, W.queen),
        ];
        for (role, weight) in WEIGHTS {
            sink.add_each(weight, context.side(side).by_role(role));
        }
    }
}

/// Who has what: `White is the exchange up`.
fn reasons(account: &Account) -> Vec<Reason> {
    let value = account.of_theme();
    let side = Color::from_white(value > 0.0);
    let balance = Balance::new(account.position().board(), side);
    let context = account.context();
    // Of a bishop for a knight, the pair of bishops is the reason, where a term counts it.
    let counts_pairs = account.trace.rows.iter().any(|row| row.name() == "pieces");
    if counts_pairs && balance.is_bishop_for_knight() && context.only_bishop_pair().is_some() {
        return Vec::new();
    }
    let clause = balance.clause().map(|clause| format!("{} {clause}", side_name(side)));
    let reason = |clause| account.reason(side, value.abs(), clause, Vec::new());
    clause.map(reason).into_iter().collect()
}
