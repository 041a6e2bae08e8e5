use super::king_safety::FLANKS;
use super::nearest;
use crate::eval::meaning::{Distance, RANKS, count, distance, enemy, own};
use crate::eval::{
    Account, ENDGAME_PHASE, EvalContext, MAX_NAMED, Reason, Scope, Side, Sink, Term, Weight,
    the_piece, theme,
};
use crate::geometry::{ahead, rank_distance, step};
use crate::term;
use crate::text::{joined, side_name};
use shakmaty::{Bitboard, Color, File, Rank, Square};

term! {
    /// Measures the distance of the pawns in front of a king, its own and the enemy's.
    pub(super) struct Shelter;

    name = "shelter";
    doc = "A king is safe behind pawns of its own, and less safe the nearer enemy pawns come.";
    source = "Chess Programming Wiki, King Safety (pawn shield, pawn storm)";
    theme = theme::KING;
    says = reasons;
    scope = Scope::NotBareKing;
    pawns_and_kings = true;

    weights {
        own[8] = own("pawn").is(on_file().missing(NONE, "no pawn ahead of the king on its file"));
        own_beside[8] = own("pawn")
            .is(beside().missing(NONE, "no pawn ahead of the king on a neighbouring file"));
        storm[8] =
            enemy("pawn").is(on_file().missing(NONE, "no enemy pawn ahead of the king on its file"));
        storm_beside[8] = enemy("pawn")
            .is(beside().missing(NONE, "no enemy pawn ahead of the king on a neighbouring file"));
        storm_blocked[8] = enemy("pawn blocked by a pawn").is(beside());
        open =
            own("king").with("open file on or beside its own", "open files on or beside its own");
        no_pawns = count("a king without pawns on its wing", "kings without pawns on their wing");
    }
}

/// The index for a missing pawn.
const NONE: u32 = 7;

fn on_file() -> Distance {
    distance(RANKS, own("king on its file")).preposition("ahead of")
}

fn beside() -> Distance {
    distance(RANKS, own("king on a neighbouring file"))
        .preposition("ahead of")
        .zero("beside the king")
}

impl Term for Shelter {
    #[inline(always)]
    fn measure<S: Sink>(&self, context: &EvalContext, side: Color, sink: &mut S) {
        const WEIGHTS: [(Weight, Weight); 2] = [(W.own, W.storm), (W.own_beside, W.storm_beside)];
        let (own, enemy) = (context.side(side), context.side(!side));
        if (FLANKS[own.king.file().to_usize()] & context.pawns()).is_empty() {
            sink.add(W.no_pawns, 1, own.king);
        }
        let king = own.king;
        let rank = Bitboard::from_rank(king.rank());
        let front = rank | ahead(side, rank);
        for offset in -1..=1 {
            let Some(file) = king.file().offset(offset) else { continue };
            let (shelter, storm) = WEIGHTS[usize::from(offset != 0)];
            let ahead = front & Bitboard::from_file(file);
            for (weight, pawns) in [(shelter, own.pawns), (storm, enemy.pawns)] {
                let pawn = nearest(side, ahead & pawns);
                let ranks = pawn.map_or(NONE, |pawn| rank_distance(king, pawn));
                sink.add(weight.at(ranks), 1, pawn.unwrap_or(king));
            }
            if let Some(pawn) = nearest(side, ahead & enemy.pawns & step(side, own.pawns)) {
                sink.add(W.storm_blocked.at(rank_distance(king, pawn)), 1, pawn);
            }
            if (Bitboard::from_file(file) & context.pawns()).is_empty() {
                sink.add(W.open, 1, king);
            }
        }
    }
}

/// Whose king is less safe, and why. In an endgame kings need no shelter.
fn reasons(account: &Account) -> Vec<Reason> {
    let context = account.context();
    let value = account.of_terms(&["shelter", "king_safety"]);
    if context.phase <= ENDGAME_PHASE {
        return Vec::new();
    }
    let (side, weaker) = (Color::from_white(value > 0.0), Color::from_white(value <= 0.0));
    let (own, enemy) = (context.side(weaker), context.side(side));
    let king = own.king;
    let bare = bare_files(own, weaker);
    let near = own.king_attacks.with(king);
    let attackers = enemy.pieces.iter().filter(|piece| (piece.attacks & near).any());
    let attackers = attackers.map(|piece| the_piece(piece.role, piece.square));
    let attackers: Vec<String> = attackers.take(MAX_NAMED).collect();
    let at_home = king.rank() == weaker.fold_wb(Rank::First, Rank::Eighth);
    let is_central = |king: Square| matches!(king.file(), File::D | File::E);
    let in_centre = at_home && is_central(king);
    let verb = match (attackers.len(), bare.is_empty()) {
        (2.., _) => "is under attack",
        (_, false) if !in_centre => "is exposed",
        _ if in_centre && !is_central(enemy.king) => "is still in the centre",
        _ => return Vec::new(),
    };
    let mut details = Vec::new();
    if !bare.is_empty() {
        let plural = if bare.len() == 1 { "" } else { "s" };
        let files: Vec<String> = bare.iter().map(|file| format!("{}-", file.char())).collect();
        details.push(format!("no pawn shelters it on the {}file{plural}", joined(&files)));
    }
    match &attackers[..] {
        [] => {}
        [one] => details.push(format!("{one} attacks squares beside it")),
        several => details.push(format!("{} attack squares beside it", joined(several))),
    }
    let clause = format!("{}'s king on {king} {verb}", side_name(weaker));
    vec![account.reason(side, value.abs(), clause, details)]
}

/// The files of a king and beside it on which no pawn of its side stands ahead of it.
fn bare_files(own: &Side, side: Color) -> Vec<File> {
    let king = own.king;
    let files = File::ALL.into_iter().filter(|file| file.distance(king.file()) <= 1);
    let is_bare = |file: &File| {
        let square = Square::from_coords(*file, king.rank());
        (ahead(side, square.into()).with(square) & own.pawns).is_empty()
    };
    files.filter(is_bare).collect()
}
