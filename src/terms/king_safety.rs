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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{assert_measured, measured};
    use shakmaty::Square;

    const TERM: KingSafety = KingSafety {
        knight: 5,
        bishop: 2,
        rook: 4,
        queen: 3,
        knight_checks: 18,
        bishop_checks: 16,
        rook_checks: 20,
        queen_checks: 22,
        unsafe_check: 6,
        weak: 5,
        more_queen_checks: 5,
        blocker: 5,
        flank_square: 4,
        guarded: 4,
        defender: 5,
        open_file: 3,
        castle: 2,
        turn: 8,
        attack: 10,
        no_queen: 21,
    };

    /// The points of danger from White's pieces.
    fn danger(fen: &str) -> Option<i32> {
        let seen = measured(&TERM, fen, Color::White);
        seen.into_iter().find(|(name, ..)| name == "danger").map(|(_, points, _)| points)
    }

    #[test]
    fn a_queen_and_a_knight_near_a_king() {
        // The knight attacks g7 beside the king and can safely check from e7 and h6; the queen attacks
        // g7 and h8 and can check from c8, g7, g3, c4 and b3. The king alone defends g7 and h8. Points:
        // 10 for an attack, 5 and 3 for the attackers, 18 and 22 for checks, 4 x 5 for further queen checks,
        // 2 x 5 for weak squares, 5 x 4 for attacked squares of the camp, as many less for those the king defends,
        // 3 x 3 for files without a pawn, 8 for being to move.
        assert_measured(
            &TERM,
            "6k1/8/8/5N2/8/2Q5/8/K7 w - - 0 1",
            Color::White,
            &[
                ("castling", 0, Square::A1),
                ("flank", 5, Square::G8),
                ("flank_twice", 1, Square::G8),
                ("knight_check", 2, Square::G8),
                ("queen_check", 5, Square::G8),
                ("danger", 105, Square::G8),
                ("danger_squared", 11025, Square::G8),
            ],
        );
        assert_eq!(danger("6k1/8/8/5N2/8/2Q5/8/K7 b - - 0 1"), Some(97), "without the move");
    }

    #[test]
    fn a_guarded_check_and_a_piece_alone_on_a_line() {
        // A bishop guards both squares for the knight's checks: 2 x 6 instead of 18. It defends g7, which is not
        // weak any more and where the queen cannot check, and two squares of the camp; it shuts off c8 and stands
        // near its king.
        assert_eq!(danger("5bk1/8/8/5N2/8/2Q5/8/K7 w - - 0 1"), Some(105 - 6 - 5 - 10 - 8 - 5));
        // Behind the pawn on e6 a bishop looks at the king; it attacks one square more of the camp, which
        // pawn d7 defends. The pawn keeps the queen from checks on the diagonal.
        assert_eq!(danger("6k1/3p4/4p3/5N2/8/2Q5/B7/K7 w - - 0 1"), Some(105 + 5 + 4 - 4 - 10));
        // Without pawn d7 the capture on e6 is a safe check.
        assert_eq!(danger("6k1/8/4p3/5N2/8/2Q5/B7/K7 w - - 0 1"), Some(105 + 5 + 4 - 10 + 16));
        // Behind two pieces the bishop does not count; f7 defends one more square and closes a file.
        assert_eq!(
            danger("6k1/3p1p2/4p3/5N2/8/2Q5/B7/K7 w - - 0 1"),
            Some(105 + 4 - 4 - 10 - 4 - 3)
        );
    }

    #[test]
    fn castling_rights_and_defenders_lower_the_danger() {
        let fen = |rights: &str| format!("r3k2r/8/8/3N4/8/3Q4/8/4K3 w {rights} - 0 1");
        let [with, without] = ["kq", "-"].map(|rights| danger(&fen(rights)));
        assert_eq!(with.zip(without).map(|(with, without)| without - with), Some(4));
        let seen = measured(&TERM, &fen("kq"), Color::Black);
        assert!(seen.contains(&("castling".to_owned(), 2, Square::E8)), "{seen:?}");
    }

    #[test]
    fn one_piece_without_a_queen_is_no_danger() {
        assert_eq!(danger("6k1/5ppp/8/8/8/8/8/K5R1 w - - 0 1"), None);
    }
}
