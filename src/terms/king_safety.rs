use crate::eval::meaning::{count, enemy};
use crate::eval::{
    Account, Arrow, EvalContext, Marks, Scope, Side, Sink, Term, Weight, named, the_piece, theme,
};
use crate::geometry::{ahead, step};
use crate::term;
use crate::text::side_name;
use shakmaty::{Bitboard, Color, File, attacks};

term! {
    /// Measures how many enemy pieces are one move from the squares around a king.
    pub(super) struct KingSafety;

    name = "king_safety";
    doc = "A king is in danger when enemy pieces are one move from the squares around it.";
    source = "Chess Programming Wiki, King Safety (attacking king zone, attack units)";
    theme = theme::KING;
    is_spoken_for = true;
    draws = attackers;
    scope = Scope::NotBareKing;

    weights {
        danger = enemy("king").with("point of danger", "points of danger");
        danger_squared per 400 = enemy("king").with_squared("point of danger", "points of danger");
        knight_check =
            enemy("king").with("square for a safe knight check", "squares for a safe knight check");
        bishop_check =
            enemy("king").with("square for a safe bishop check", "squares for a safe bishop check");
        rook_check =
            enemy("king").with("square for a safe rook check", "squares for a safe rook check");
        queen_check =
            enemy("king").with("square for a safe queen check", "squares for a safe queen check");
        castling = count("a castling right", "castling rights");
        discoverer = count("a piece that can discover a check", "pieces that can discover a check");
        flank = enemy("king").with("attacked square on its wing", "attacked squares on its wing");
        flank_twice = enemy("king").with(
            "square on its wing attacked twice and guarded by no pawn",
            "squares on its wing attacked twice and guarded by no pawn",
        );
    }

    parameters {
        knight = "points of a knight one move away" in 0..=40;
        bishop = "points of a bishop one move away" in 0..=40;
        rook = "points of a rook one move away" in 0..=40;
        queen = "points of a queen one move away" in 0..=40;
        knight_checks = "points of a knight's safe check" in 0..=40;
        bishop_checks = "points of a bishop's safe check" in 0..=40;
        rook_checks = "points of a rook's safe check" in 0..=40;
        queen_checks = "points of a queen's safe check" in 0..=40;
        unsafe_check = "points of a square for a check that is guarded, but by no pawn" in 0..=40;
        weak =
            "points of an attacked square beside the king that only the king, or nothing, defends" in 0..=40;
        more_queen_checks = "points of each further square for a queen's safe check" in 0..=40;
        blocker = "points of a piece that stands alone between the king and a line piece" in 0..=40;
        flank_square = "points of an attacked square on the king's wing" in 0..=40;
        guarded = "points less for a defended square on that wing" in 0..=40;
        defender = "points less for a knight or bishop of its own near the king" in 0..=40;
        open_file = "points of a file on or beside the king's without a pawn ahead of it" in 0..=40;
        castle = "points less for a castling right" in 0..=40;
        turn = "points of having the move" in 0..=40;
        attack = "points of any attack" in 0..=40;
        no_queen = "points less without a queen" in 0..=40;
    }
}

/// The index of the queen in an array of the four roles.
const QUEEN: usize = 3;

/// More points count as this many.
const MAX_DANGER: i32 = 128;

impl Term for KingSafety {
    #[inline(always)]
    fn measure<S: Sink>(&self, context: &EvalContext, side: Color, sink: &mut S) {
        const CHECKS: [Weight; 4] = [W.knight_check, W.bishop_check, W.rook_check, W.queen_check];
        let attacker = [self.knight, self.bishop, self.rook, self.queen];
        let check = [self.knight_checks, self.bishop_checks, self.rook_checks, self.queen_checks];
        let (own, enemy) = (context.side(side), context.side(!side));
        let king = enemy.king;
        sink.add(W.castling, own.castling_rights as i32, own.king);
        sink.add_each(W.discoverer, enemy.blockers & own.all);

        let camp = FLANKS[king.file().to_usize()] & camp(!side);
        let attacked = camp & own.attacks;
        sink.add(W.flank, attacked.count() as i32, king);
        let twice = attacked & own.twice & !enemy.pawn_attacks;
        sink.add(W.flank_twice, twice.count() as i32, king);

        let beside = enemy.king_attacks;
        let ring = (beside | step(!side, beside)).with(king);
        let (mut danger, mut attackers) = (self.attack, 0);
        for piece in &own.pieces {
            if (piece.attacks & ring).any() {
                attackers += 1;
                danger += attacker[piece.kind()];
            }
        }
        // Squares that only the enemy king or queen defends, or nothing.
        let only_king = !enemy.twice & (enemy.king_attacks | enemy.queen_attacks);
        let weak = own.attacks & (!enemy.attacks | only_king);
        let safe = !enemy.attacks | (weak & own.twice & only_king);
        let (lines, diagonals) = (
            attacks::rook_attacks(king, context.occupied),
            attacks::bishop_attacks(king, context.occupied),
        );
        let from = [attacks::knight_attacks(king), diagonals, lines, lines | diagonals];
        let by = [own.knight_attacks, own.bishop_attacks, own.rook_attacks, own.queen_attacks];
        let mut guarded_checks = Bitboard::EMPTY;
        for role in 0..4 {
            let all = from[role] & by[role] & !own.all;
            let checks = all & safe;
            if checks.any() {
                danger += check[role];
                if role == QUEEN {
                    danger += self.more_queen_checks * (checks.count() as i32 - 1);
                }
                sink.add(CHECKS[role], checks.count() as i32, king);
            } else if role != QUEEN {
                // A queen is not given up for a check.
                guarded_checks |= all;
            }
        }
        if attackers > i32::from(own.queens.is_empty()) {
            danger += self.unsafe_check * (guarded_checks & !enemy.pawn_attacks).count() as i32;
            danger += self.weak * (weak & beside).count() as i32;
            danger += self.blocker * enemy.blockers.count() as i32;
            danger += self.flank_square * attacked.count() as i32;
            danger -= self.guarded * (camp & enemy.attacks).count() as i32;
            danger -= self.defender * ((enemy.knights | enemy.bishops) & ring).count() as i32;
            danger += self.open_file * open_files(!side, enemy) as i32;
            danger -= self.castle * enemy.castling_rights as i32;
            danger += self.turn * i32::from(context.turn == side);
            danger -= self.no_queen * i32::from(own.queens.is_empty());
            // Attackers help each other, so danger grows faster than its points. Two weights generalise better
            // than one weight for each number of points: positions with much danger are rare.
            let danger = danger.clamp(0, MAX_DANGER);
            sink.add(W.danger, danger, king);
            sink.add(W.danger_squared, danger * danger, king);
        }
    }
}

/// How many of the files on and beside a king's have no pawn of its side, on its rank or ahead.
fn open_files(side: Color, own: &Side) -> u32 {
    let rank = Bitboard::from_rank(own.king.rank());
    let pawns = own.pawns & (rank | ahead(side, rank));
    let is_open = |offset: &i32| {
        let file = own.king.file().offset(*offset);
        file.is_some_and(|file| (pawns & Bitboard::from_file(file)).is_empty())
    };
    (-1..=1).filter(is_open).count() as u32
}

/// The file of a king and up to two files on either side of it.
pub(super) const FLANKS: [Bitboard; 8] = {
    let mut flanks = [Bitboard::EMPTY; 8];
    let mut king = 0;
    while king < 8 {
        let mut file = 0;
        while file < 8 {
            if File::new(file).distance(File::new(king)) <= 2 {
                flanks[king as usize].0 |= Bitboard::from_file(File::new(file)).0;
            }
            file += 1;
        }
        king += 1;
    }
    flanks
};

/// The three ranks nearest to a side's back rank.
const fn camp(side: Color) -> Bitboard {
    match side {
        Color::White => Bitboard(0x0000_0000_00ff_ffff),
        Color::Black => Bitboard(0xffff_ff00_0000_0000),
    }
}

/// Arrows from the pieces that attack squares around a king to that king.
fn attackers(account: &Account) -> Marks {
    let context = account.context();
    let mut marks = Marks::default();
    let measured = |side: &Color| !account.squares(*side, &["danger"]).is_empty();
    for side in Color::ALL.into_iter().filter(measured) {
        let king = context.side(!side).king;
        let around = context.side(!side).king_attacks.with(king);
        let mut attacks = Vec::new();
        for piece in &context.side(side).pieces {
            let attacked = piece.attacks & around;
            if attacked.any() {
                marks.arrows.push(Arrow::straight(piece.square, king, side));
                marks.dots.extend(attacked);
                let piece = the_piece(piece.role, piece.square);
                attacks.push(format!("{piece} attacks {}", named(attacked)));
            }
        }
        if !attacks.is_empty() {
            let king = side_name(!side);
            marks.notes.push(format!("Next to {king}'s king: {}.", attacks.join(", ")));
        }
    }
    marks.dots.sort();
    marks.dots.dedup();
    if !marks.arrows.is_empty() {
        let legend = "Arrows: pieces that attack squares around a king; dots: those squares.";
        marks.legend.push(legend.to_owned());
    }
    marks
}
