//! What a move changes with king and pawn against king, in the words of players: the square of the pawn,
//! the opposition, key squares.

use super::words::{closer, either, king_of, moves, names};
use crate::exercise::{after, san};
use shakmaty::{Bitboard, Chess, Color, File, Move, Position, Role, Square};
use tropism::endgame::pawn_wins;
use tropism::geometry::{
    ahead, beside, chebyshev, is_adjacent, is_diagonal_opposition, is_opposition, pawn_attacks,
    promotion_distance, step,
};
use tropism::text::{noun, side_name};

/// Where a pawn promotes.
pub fn promotion_square(side: Color, pawn: Square) -> Square {
    Square::from_coords(pawn.file(), (!side).backrank())
}

/// King and pawn against a bare king.
#[derive(Clone, Copy, Debug)]
pub struct LonePawn {
    /// The side that has the pawn.
    side: Color,
    king: Square,
    pawn: Square,
    bare: Square,
    turn: Color,
}

impl LonePawn {
    /// None if other pieces are on the board.
    pub fn on(position: &Chess) -> Option<LonePawn> {
        let board = position.board();
        let pawn = board.pawns().single_square()?;
        let side = board.color_at(pawn)?;
        (board.occupied().count() == 3).then_some(LonePawn {
            side,
            king: board.king_of(side)?,
            pawn,
            bare: board.king_of(!side)?,
            turn: position.turn(),
        })
    }

    /// Whether the pawn wins if `turn` is to move.
    fn wins(&self, turn: Color) -> bool {
        pawn_wins(self.side, turn, self.king, self.pawn, self.bare)
    }

    fn end(&self) -> Square {
        promotion_square(self.side, self.pawn)
    }

    /// Whether the bare king is to move.
    fn is_bare_to_move(&self) -> bool {
        self.turn != self.side
    }

    /// The moves of the pawn to the promotion square.
    fn steps(&self) -> u32 {
        promotion_distance(self.side, self.pawn)
    }

    /// The squares in front of the pawn.
    fn way(&self) -> Bitboard {
        ahead(self.side, self.pawn.into())
    }

    /// The rule of the square: the pawn's king is not in the way, and the bare king needs more moves to
    /// the promotion square than the pawn, one more if it is to move. It must not take the pawn at once
    /// either, as from the first rank it can.
    fn runs(&self) -> bool {
        let first = u32::from(self.is_bare_to_move());
        let hangs = is_adjacent(self.bare, self.pawn) && !is_adjacent(self.king, self.pawn);
        !self.way().contains(self.king)
            && chebyshev(self.bare, self.end()) > self.steps() + first
            && !(self.is_bare_to_move() && hangs)
    }

    /// The squares on which the pawn's king wins whoever is to move, by the rule: two ranks ahead of the
    /// pawn on its file and beside it, from the fifth rank on also one rank ahead; for a pawn on the
    /// edge, the squares that control its corner.
    pub fn key_squares(&self) -> Bitboard {
        let files = beside(self.pawn.into()).with(self.pawn);
        let one = step(self.side, files);
        let two = step(self.side, one);
        match (self.pawn.file(), self.steps()) {
            (File::A | File::H, _) => {
                let beside_the_end = beside(self.end().into());
                beside_the_end | step(!self.side, beside_the_end)
            }
            (_, 4..) => two,
            (_, 2 | 3) => one | two,
            _ => Bitboard::EMPTY,
        }
    }

    /// Whether the king is on a key square and the rule holds. It does not if the black king attacks the
    /// pawn, for example.
    fn is_on_key_square(&self) -> bool {
        self.key_squares().contains(self.king) && Color::ALL.into_iter().all(|turn| self.wins(turn))
    }

    /// What is good about the best move for the side that plays it, the most important first.
    pub fn reasons(&self, position: &Chess, m: Move) -> Vec<String> {
        let next = after(position, m);
        if let Some(role) = m.promotion() {
            return vec![self.promotion(position, role)];
        }
        match LonePawn::on(&next) {
            Some(after) if self.is_bare_to_move() => self.reasons_of_bare_king(&after),
            Some(after) => self.reasons_of_pawn(&after, &next),
            None => Vec::new(),
        }
    }

    fn promotion(&self, position: &Chess, role: Role) -> String {
        let to_queen = |m: &Move| m.from() == Some(self.pawn) && m.promotion() == Some(Role::Queen);
        let is_stalemate = |m: Move| after(position, m).is_stalemate();
        let queen = position.legal_moves().into_iter().find(to_queen);
        match role != Role::Queen && queen.is_some_and(is_stalemate) {
            true => format!("The pawn becomes a {}: a queen would be stalemate", noun(role)),
            false => {
                format!(
                    "The pawn becomes a {}, and the {} king cannot take it",
                    noun(role),
                    !self.side
                )
            }
        }
    }

    fn reasons_of_pawn(&self, next: &LonePawn, position: &Chess) -> Vec<String> {
        let mut reasons = Vec::new();
        let (own, bare) = (king_of(self.side), !self.side);
        let pawn_moved = self.pawn != next.pawn;
        let end = next.end();
        let steps_aside = self.way().contains(self.king) && !next.way().contains(next.king);
        reasons.extend(steps_aside.then(|| format!("{own} steps out of the pawn's way")));
        if next.runs() {
            let [king, pawn] = [chebyshev(next.bare, end), next.steps()];
            reasons.push(format!(
                "The {bare} king is outside the square of the pawn: it needs {} to {end}, the pawn {pawn}",
                moves(king)
            ));
            return reasons;
        }
        if is_adjacent(self.bare, self.pawn) && !is_adjacent(self.king, self.pawn) {
            reasons.push(match is_adjacent(next.king, next.pawn) {
                true => format!("{own} protects the pawn from the {bare} king"),
                false => format!("The pawn steps away from the {bare} king"),
            });
        }
        reasons.extend(next.opposition(if pawn_moved { None } else { Some(self.side) }));
        if !pawn_moved {
            reasons.extend(self.key_squares_nearer(next));
        }
        let controls = is_adjacent(next.king, end) && !is_adjacent(self.king, end);
        reasons.extend(controls.then(|| format!("{own} controls the promotion square, {end}")));
        if pawn_moved {
            if next.steps() == 1 && !position.is_check() {
                reasons.push("The pawn reaches the seventh rank without check".to_owned());
            }
            reasons.push(format!("The pawn is {} from promotion", moves(next.steps())));
        }
        reasons.extend(nearer(&own, self.king, next.king, next.pawn, "its pawn"));
        if !controls {
            reasons.extend(nearer(&own, self.king, next.king, end, &end.to_string()));
        }
        reasons
    }

    fn reasons_of_bare_king(&self, next: &LonePawn) -> Vec<String> {
        let (bare, end) = (king_of(!self.side), self.end());
        let in_square = |king| chebyshev(king, end) <= self.steps();
        let enters = in_square(next.bare) && !in_square(self.bare);
        let blocks = self.way().contains(next.bare) && !self.way().contains(self.bare);
        let reasons = [
            self.runs()
                .then(|| format!("{bare} is outside the square of the pawn and cannot stop it")),
            next.opposition(Some(!self.side)),
            enters.then(|| format!("{bare} enters the square of the pawn")),
            blocks.then(|| format!("{bare} steps in front of the pawn")),
            nearer(&bare, self.bare, next.bare, self.pawn, "the pawn"),
            nearer(&bare, self.bare, next.bare, end, &end.to_string()),
        ];
        reasons.into_iter().flatten().collect()
    }

    /// The opposition of the kings, if it matters, after a move of the king of `taker` or of the pawn.
    /// The diagonal opposition matters if the result depends on who is to move.
    fn opposition(&self, taker: Option<Color>) -> Option<String> {
        // The pawn wins only because the bare king is to move.
        let is_check = pawn_attacks(self.side, self.pawn.into()).contains(self.bare);
        let is_zugzwang =
            self.is_bare_to_move() && !is_check && self.wins(!self.side) && !self.wins(self.side);
        let draw = format!("if {} had to move, it would be a draw", side_name(self.side));
        let (name, apart) = match (self.king, self.bare) {
            (a, b) if is_opposition(a, b) => ("the opposition", "with one square between"),
            (a, b) if is_zugzwang && is_diagonal_opposition(a, b) => {
                ("the diagonal opposition", "on a diagonal with one square between")
            }
            _ if is_zugzwang => {
                return Some(format!("{} is in zugzwang: {draw}", side_name(!self.side)));
            }
            _ => return None,
        };
        let draw = if is_zugzwang { format!("; {draw}") } else { String::new() };
        let who = match taker {
            Some(taker) => format!("{} takes", king_of(taker)),
            None => format!("{} gets", side_name(self.side)),
        };
        let turn = side_name(self.turn);
        Some(format!("{who} {name}: the kings face each other {apart}, and {turn} must move{draw}"))
    }

    /// What a move of the pawn's king does towards the key squares.
    fn key_squares_nearer(&self, next: &LonePawn) -> Option<String> {
        let (own, keys) = (king_of(self.side), next.key_squares());
        if next.is_on_key_square() {
            let (keys, side) = (either(keys), side_name(self.side));
            return (!self.is_on_key_square()).then(|| {
                format!("{own} reaches a key square of the pawn, {keys}: {side} wins, whoever is to move")
            });
        }
        // With the black king out of the way.
        let distance = |king| keys.into_iter().map(|square| chebyshev(king, square)).min();
        let (was, is) = (distance(self.king)?, distance(next.king)?);
        closer(&own, was, is, &format!("the key squares {}", names(keys))).filter(|_| is > 0)
    }

    /// How the other side is saved after a move that gives the win away, if it is more than a capture.
    pub fn refutation(&self, position: &Chess) -> Option<String> {
        let draws =
            |m: &Move| LonePawn::on(&after(position, *m)).is_some_and(|next| !next.wins(next.turn));
        let moves = || position.legal_moves().into_iter().filter(draws);
        let opposition = moves().find(|m| is_opposition(self.king, m.to()));
        let takes = opposition.map(|m| format!("{} takes the opposition", san(position, m)));
        takes.or_else(|| Some(format!("{} draws", san(position, moves().next()?))))
    }
}

/// That a king comes closer to a square.
fn nearer(who: &str, from: Square, to: Square, goal: Square, name: &str) -> Option<String> {
    closer(who, chebyshev(from, goal), chebyshev(to, goal), name)
}

#[cfg(test)]
mod tests {
    use super::super::hint::Hint;
    use super::super::tests::{Claim, Said, TABLES, check_mirrored, checked, offset, steps};
    use super::*;
    use crate::exercise::Exercise;
    use shakmaty::{
        Board,
        Color::{Black, White},
        Rank,
        san::SanPlus,
    };
    use std::collections::BTreeSet;
    use tropism::endgame::{Dtm, set_up};

    /// All positions of White's king and pawn against a bare king.
    fn positions() -> impl Iterator<Item = Chess> {
        let squares = || Square::ALL.into_iter();
        let pawns = squares().filter(|square| !Bitboard::BACKRANKS.contains(*square));
        let places = pawns.flat_map(move |pawn| {
            squares().flat_map(move |king| squares().map(move |bare| [king, pawn, bare]))
        });
        places.flat_map(|places| {
            Color::ALL.into_iter().filter_map(move |turn| position(places, turn))
        })
    }

    fn position(squares: [Square; 3], turn: Color) -> Option<Chess> {
        let mut board = Board::empty();
        for (square, piece) in squares.into_iter().zip([White.king(), White.pawn(), Black.king()]) {
            board.set_piece_at(square, piece);
        }
        (board.occupied().count() == 3).then(|| set_up(board, turn)).flatten()
    }

    /// None if the position is illegal.
    fn position_of(lone: &LonePawn, turn: Color) -> Option<Chess> {
        position([lone.king, lone.pawn, lone.bare], turn)
    }

    /// Whether White wins by the table of distances with `turn` to move.
    fn is_won(lone: &LonePawn, turn: Color) -> bool {
        let value = position_of(lone, turn).and_then(|position| TABLES.probe(&position));
        matches!((value, turn), (Some(Dtm::Win(_)), White) | (Some(Dtm::Loss(_)), Black))
    }

    /// A move.
    struct Facts {
        position: Chess,
        next_position: Chess,
        before: LonePawn,
        /// The same as before if the pawn is promoted.
        next: LonePawn,
        /// Where the pawn promotes.
        end: Square,
    }

    impl Facts {
        fn new(position: &Chess, m: Move) -> Facts {
            let (before, next_position) = (LonePawn::on(position).unwrap(), after(position, m));
            let next = LonePawn::on(&next_position).unwrap_or(before);
            let end = Square::from_coords(before.pawn.file(), Rank::Eighth);
            Facts { position: position.clone(), next_position, before, next, end }
        }

        /// The moves of the pawn to promotion, before the move.
        fn pawn_moves(&self) -> u32 {
            match self.before.pawn.rank() {
                Rank::Second => 5,
                rank => 7 - rank as u32,
            }
        }

        fn is_queen_stalemate(&self) -> bool {
            let mut queen = self.position.legal_moves().into_iter();
            let queen = queen.find(|m| m.promotion() == Some(Role::Queen)).unwrap();
            after(&self.position, queen).is_stalemate()
        }

        fn is_capture_possible(&self) -> bool {
            self.next_position.legal_moves().iter().any(|m| m.is_capture())
        }
    }

    fn is_zugzwang(it: &Facts, said: &Said) -> bool {
        let is_so = is_won(&it.next, Black) && !is_won(&it.next, White);
        !said.text.contains("would be a draw") || is_so && position_of(&it.next, White).is_some()
    }

    /// The squares that are named are key squares, and the king comes closer to the nearest.
    fn key_squares(it: &Facts, said: &Said) -> bool {
        let is_key = |key: Square| {
            let [files, ahead] = offset(key, it.next.pawn);
            let on_edge = matches!(it.next.pawn.file(), File::A | File::H);
            let is_ahead = ahead == 2 || ahead == 1 && it.next.pawn.rank() > Rank::Fourth;
            (files == 1 || !on_edge && files == 0) && (on_edge || is_ahead && key > it.next.pawn)
        };
        let nearest = |king| said.squares.into_iter().map(|key| steps(king, key)).min().unwrap();
        said.squares.into_iter().all(is_key)
            && said.pair() == [it.before.king, it.next.king].map(nearest)
    }

    fn is_closer(it: &Facts, said: &Said) -> bool {
        let kings = match it.before.turn {
            White => [it.before.king, it.next.king],
            Black => [it.before.bare, it.next.bare],
        };
        let goal = if said.text.contains("pawn") { it.next.pawn } else { it.end };
        said.pair() == kings.map(|king| steps(king, goal))
    }

    /// What a sentence with some words claims, by the table and plain arithmetic.
    const CLAIMS: &[Claim<Facts>] = &[
        (": a queen would be stalemate", |it, _| {
            it.is_queen_stalemate() && !it.is_capture_possible()
        }),
        ("The pawn becomes", |it, _| !it.is_queen_stalemate() && !it.is_capture_possible()),
        ("cannot stop it", |it, _| {
            is_won(&it.before, Black) && steps(it.before.bare, it.end) > it.pawn_moves() + 1
        }),
        // The table, and the race itself.
        ("outside the square of the pawn", |it, said| {
            let [king, pawn] = said.pair();
            is_won(&it.next, Black) && king == steps(it.next.bare, it.end) && king > pawn + 1
        }),
        ("enters the square", |it, _| {
            let [was, is] = [it.before.bare, it.next.bare].map(|king| steps(king, it.end));
            is <= it.pawn_moves() && was > it.pawn_moves()
        }),
        ("diagonal opposition", |it, said| {
            offset(it.next.king, it.next.bare) == [2, 2] && is_zugzwang(it, said)
        }),
        ("opposition", |it, said| {
            let apart = offset(it.next.king, it.next.bare);
            [[0, 2], [2, 0]].contains(&apart) && is_zugzwang(it, said)
        }),
        ("zugzwang", is_zugzwang),
        ("reaches a key square", |it, said| {
            said.squares.contains(it.next.king)
                && is_won(&it.next, White)
                && is_won(&it.next, Black)
        }),
        ("key squares", key_squares),
        ("controls", |it, _| steps(it.next.king, it.end) == 1),
        ("without check", |it, _| {
            !it.next_position.is_check() && it.next.pawn.rank() == Rank::Seventh
        }),
        ("protects", |it, _| {
            (steps(it.before.bare, it.before.pawn), steps(it.next.king, it.next.pawn)) == (1, 1)
        }),
        ("steps away", |it, _| {
            steps(it.before.bare, it.before.pawn) == 1 && steps(it.next.bare, it.next.pawn) > 1
        }),
        ("out of the pawn's way", |it, _| {
            let [was, is] = [it.before, it.next].map(|lone| lone.king.file() == lone.pawn.file());
            was && !is
        }),
        ("in front of", |it, _| {
            it.next.bare.file() == it.next.pawn.file() && it.next.bare.rank() > it.next.pawn.rank()
        }),
        ("from promotion", |it, said| said.numbers == [7 - it.next.pawn.rank() as u32]),
        ("closer to", is_closer),
    ];

    /// Every sentence of every hint in every won position, for both sides.
    #[test]
    fn every_sentence_is_true() {
        let mut seen = BTreeSet::new();
        for position in positions() {
            let lone = LonePawn::on(&position).unwrap();
            let moves = TABLES.moves(&position).unwrap();
            let Some(&(best, _)) = moves.first().filter(|_| is_won(&lone, lone.turn)) else {
                continue;
            };
            let facts = Facts::new(&position, best);
            for reason in lone.reasons(&position, best) {
                let (words, is_true) = checked(CLAIMS, &reason, &facts);
                assert!(is_true, "{reason} {position:?}");
                seen.insert(words);
            }
        }
        assert_eq!(seen, CLAIMS.iter().map(|&(words, _)| words).collect());
    }

    #[test]
    fn black_hears_what_white_hears() {
        for position in positions().step_by(97) {
            check_mirrored(&position, |position, m| {
                LonePawn::on(position).unwrap().reasons(position, m)
            });
        }
    }

    /// What a hint says of a mistake is so by the table.
    #[test]
    fn a_mistake_gives_the_win_away_and_its_refutation_draws() {
        let engine = tropism::default_engine().unwrap();
        let (mut opposition, mut draws, mut taken) = (0, 0, 0);
        for position in positions().step_by(997) {
            let lone = LonePawn::on(&position).unwrap();
            if position.turn().is_black() || !is_won(&lone, White) {
                continue;
            }
            let exercise = Exercise::new(TABLES.clone(), position.clone(), White);
            let hint = Hint::new(&engine, &exercise).to_string();
            let Some(mistake) = hint.lines().find(|line| line.contains(" would give the win"))
            else {
                continue;
            };
            let mut next = position.clone();
            let (san, refutation) = mistake.split_once(" would give the win away: ").unwrap();
            next = after(&next, san.parse::<SanPlus>().unwrap().san.to_move(&next).unwrap());
            assert_eq!(TABLES.probe(&next), Some(Dtm::Draw), "{mistake}");
            let (reply, rest) = refutation.split_once(' ').unwrap_or((refutation, ""));
            let Ok(reply) = reply.parse::<SanPlus>() else {
                assert_eq!(refutation, "stalemate.");
                continue;
            };
            let last = after(&next, reply.san.to_move(&next).unwrap());
            match rest {
                "takes the opposition." => {
                    let lone = LonePawn::on(&last).unwrap();
                    assert!(!is_won(&lone, White), "{mistake}");
                    assert!([[0, 2], [2, 0]].contains(&offset(lone.king, lone.bare)), "{mistake}");
                    opposition += 1;
                }
                "draws." => {
                    assert!(!is_won(&LonePawn::on(&last).unwrap(), White), "{mistake}");
                    draws += 1;
                }
                _ => {
                    assert_eq!(last.board().occupied().count(), 2, "{mistake}");
                    taken += 1;
                }
            }
        }
        assert!(opposition > 0 && draws > 0 && taken > 0);
    }

    /// The rule of the square, in all positions: a pawn that runs wins.
    #[test]
    fn the_rules_hold_in_all_positions() {
        let (mut runs, mut on_key_square, mut exceptions) = (0, 0, 0);
        for position in positions() {
            let lone = LonePawn::on(&position).unwrap();
            if lone.runs() {
                assert!(is_won(&lone, lone.turn), "{lone:?}");
                runs += 1;
            }
            if lone.key_squares().contains(lone.king) {
                let wins = lone.is_on_key_square();
                on_key_square += u32::from(wins);
                exceptions += u32::from(!wins);
            }
        }
        assert_eq!((runs, on_key_square, exceptions), (163_640, 14_964, 1482));
    }
}
