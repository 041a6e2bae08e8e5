use crate::eval::meaning::has;
use crate::eval::{Account, Arrow, EvalContext, Marks, Scope, Sink, Term, theme};
use crate::geometry::{chebyshev, is_distant_opposition, is_opposition};
use crate::term;
use crate::text::side_name;
use shakmaty::Color;

term! {
    /// Counts the right to move, and the opposition, where it is better not to have it.
    pub(super) struct Initiative;

    name = "initiative";
    doc = "The side to move is a move ahead; kings in opposition would rather wait.";
    source = "Chess Programming Wiki, Tempo and Opposition";
    theme = theme::THREATS;
    is_spoken_for = true;
    draws = opposition;
    scope = Scope::NotBareKing;

    weights {
        tempo = has("the move");
        opposition = has("the opposition");
        distant = has("the distant opposition");
    }
}

impl Term for Initiative {
    #[inline(always)]
    fn measure<S: Sink>(&self, context: &EvalContext, side: Color, sink: &mut S) {
        let (own, enemy) = (context.side(side), context.side(!side));
        if context.turn == side {
            sink.add(W.tempo, 1, own.king);
        } else if !own.has_pieces() && !enemy.has_pieces() {
            if is_opposition(own.king, enemy.king) {
                sink.add(W.opposition, 1, own.king);
            } else if is_distant_opposition(own.king, enemy.king) {
                sink.add(W.distant, 1, own.king);
            }
        }
    }
}

/// An arrow between kings in opposition.
fn opposition(account: &Account) -> Marks {
    let mut marks = Marks::default();
    for side in Color::ALL {
        for king in account.squares(side, &["opposition", "distant"]) {
            let enemy = account.context().side(!side).king;
            marks.arrows.push(Arrow::straight(king, enemy, side));
            let (name, apart) = (side_name(side), chebyshev(king, enemy));
            let note = format!("{name} has the opposition: the kings are {apart} moves apart.");
            marks.notes.push(note);
        }
    }
    marks
}
