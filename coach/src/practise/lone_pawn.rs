//! What a move changes with king and pawn against king, in the words of players: the square of the pawn,
//! the opposition, key squares.

use super::moves;
use super::words::{names, no_other_move, side};
use crate::exercise::after;
use shakmaty::{Bitboard, Chess, Color, File, Move, Position, Rank, Role, Square, san::SanPlus};
use tropism::endgame::pawn_wins;
use tropism::geometry::{
    ahead, beside, chebyshev, is_adjacent, is_diagonal_opposition, is_opposition, pawn_attacks,
    promotion_distance, step,
};
use tropism::text::{joined_by, noun};

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

    pub fn promotion_square(&self) -> Square {
        Square::from_coords(self.pawn.file(), self.side.fold_wb(Rank::Eighth, Rank::First))
    }

    /// As in `White's king`, the one with the pawn.
    fn own_king(&self) -> String {
        format!("{}'s king", side(self.side))
    }

    /// As in `Black's king`, the bare one.
    fn bare_king(&self) -> String {
        format!("{}'s king", side(!self.side))
    }

    /// Whether the bare king is to move.
    fn is_bare_to_move(&self) -> bool {
        self.turn != self.side
    }

    /// The moves of the pawn to the promotion square.
    pub fn steps(&self) -> u32 {
        promotion_distance(self.side, self.pawn)
    }

    pub fn way(&self) -> Bitboard {
        ahead(self.side, self.pawn.into())
    }

    /// The rule of the square: the pawn's king is not in the way, and the bare king needs more moves to
    /// the promotion square than the pawn, one more if it is to move. It must not take the pawn at once
    /// either, as from the first rank it can.
    fn runs(&self) -> bool {
        let first = u32::from(self.is_bare_to_move());
        let hangs = is_adjacent(self.bare, self.pawn) && !is_adjacent(self.king, self.pawn);
        !self.way().contains(self.king)
            && chebyshev(self.bare, self.promotion_square()) > self.steps() + first
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
                let beside_the_end = beside(self.promotion_square().into());
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

    /// The moves of the pawn's king to the nearest key square, with the black king out of the way.
    fn key_distance(&self) -> Option<u32> {
        self.key_squares().into_iter().map(|square| chebyshev(self.king, square)).min()
    }

    /// What is good about the best move for the side that plays it, the most important first.
    pub fn reasons(&self, position: &Chess, m: Move) -> Vec<String> {
        let next = after(position, m);
        if let Some(role) = m.promotion() {
            return vec![self.promotion(position, role)];
        }
        let reasons = match LonePawn::on(&next) {
            Some(after) if self.is_bare_to_move() => self.reasons_of_bare_king(&after),
            Some(after) => self.reasons_of_pawn(&after, &next),
            None => Vec::new(),
        };
        if reasons.is_empty() {
            return vec![no_other_move(!self.is_bare_to_move()).to_owned()];
        }
        reasons
    }

    fn promotion(&self, position: &Chess, role: Role) -> String {
        let to_queen = |m: &Move| m.from() == Some(self.pawn) && m.promotion() == Some(Role::Queen);
        let is_stalemate = |m: Move| after(position, m).is_stalemate();
        let role_name = noun(role);
        if role != Role::Queen
            && position.legal_moves().into_iter().find(to_queen).is_some_and(is_stalemate)
        {
            return format!("The pawn becomes a {role_name}: a queen would be stalemate");
        }
        format!("The pawn becomes a {role_name}, and the {} king cannot take it", !self.side)
    }

    fn reasons_of_pawn(&self, next: &LonePawn, position: &Chess) -> Vec<String> {
        let mut reasons = Vec::new();
        let (own, bare) = (self.own_king(), !self.side);
        let pawn_moved = self.pawn != next.pawn;
        let end = next.promotion_square();
        if self.way().contains(self.king) && !next.way().contains(next.king) {
            reasons.push(format!("{own} steps out of the pawn's way"));
        }
        if next.runs() {
            let [king, pawn] = [chebyshev(next.bare, end), next.steps()];
            reasons.push(format!(
                "The {bare} king is outside the square of the pawn: it needs {} to {end}, the pawn {pawn}",
                moves(king as usize)
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
        if controls {
            reasons.push(format!("{own} controls the promotion square, {end}"));
        }
        if pawn_moved {
            if next.steps() == 1 && !position.is_check() {
                reasons.push("The pawn reaches the seventh rank without check".to_owned());
            }
            reasons.push(format!("The pawn is {} from promotion", moves(next.steps() as usize)));
        }
        reasons.extend(nearer(&own, self.king, next.king, next.pawn, "its pawn"));
        if !controls {
            reasons.extend(nearer(&own, self.king, next.king, end, &end.to_string()));
        }
        reasons
    }

    fn reasons_of_bare_king(&self, next: &LonePawn) -> Vec<String> {
        let mut reasons = Vec::new();
        let (bare, end) = (self.bare_king(), self.promotion_square());
        if self.runs() {
            reasons.push(format!("{bare} is outside the square of the pawn and cannot stop it"));
        }
        reasons.extend(next.opposition(Some(!self.side)));
        let in_square = |king| chebyshev(king, end) <= self.steps();
        if in_square(next.bare) && !in_square(self.bare) {
            reasons.push(format!("{bare} enters the square of the pawn"));
        }
        if self.way().contains(next.bare) && !self.way().contains(self.bare) {
            reasons.push(format!("{bare} steps in front of the pawn"));
        }
        reasons.extend(nearer(&bare, self.bare, next.bare, self.pawn, "the pawn"));
        reasons.extend(nearer(&bare, self.bare, next.bare, end, &end.to_string()));
        reasons
    }

    /// The opposition of the kings, if it matters, after a move of the king of `taker` or of the pawn.
    /// The diagonal opposition matters if the result depends on who is to move.
    fn opposition(&self, taker: Option<Color>) -> Option<String> {
        // The pawn wins only because the bare king is to move.
        let is_check = pawn_attacks(self.side, self.pawn.into()).contains(self.bare);
        let is_zugzwang =
            self.is_bare_to_move() && !is_check && self.wins(!self.side) && !self.wins(self.side);
        let draw = format!("if {} had to move, it would be a draw", side(self.side));
        let (name, apart) = match (self.king, self.bare) {
            (a, b) if is_opposition(a, b) => ("the opposition", "with one square between"),
            (a, b) if is_zugzwang && is_diagonal_opposition(a, b) => {
                ("the diagonal opposition", "on a diagonal with one square between")
            }
            _ if is_zugzwang => {
                return Some(format!("{} is in zugzwang: {draw}", side(!self.side)));
            }
            _ => return None,
        };
        let draw = if is_zugzwang { format!("; {draw}") } else { String::new() };
        let turn = side(self.turn);
        let facing = format!("the kings face each other {apart}, and {turn} must move{draw}");
        Some(match taker {
            Some(taker) => format!("{}'s king takes {name}: {facing}", side(taker)),
            None => format!("{} gets {name}: {facing}", side(self.side)),
        })
    }

    /// What a move of the pawn's king does towards the key squares.
    fn key_squares_nearer(&self, next: &LonePawn) -> Option<String> {
        let (own, keys) = (self.own_king(), next.key_squares());
        if next.is_on_key_square() {
            return (!self.is_on_key_square()).then(|| {
                let keys: Vec<String> = keys.into_iter().map(|square| square.to_string()).collect();
                format!(
                    "{own} reaches a key square of the pawn, {}: {} wins, whoever is to move",
                    joined_by("or", &keys),
                    side(self.side)
                )
            });
        }
        let (was, is) = (self.key_distance()?, next.key_distance()?);
        (is > 0 && is < was).then(|| {
            format!(
                "{own} is {} closer to the key squares {} ({was} to {is})",
                moves((was - is) as usize),
                names(keys)
            )
        })
    }

    /// How the other side is saved after a move that gives the win away, if it is more than a capture.
    pub fn refutation(&self, position: &Chess) -> Option<String> {
        let draws =
            |m: &Move| LonePawn::on(&after(position, *m)).is_some_and(|next| !next.wins(next.turn));
        let drawing: Vec<Move> = position.legal_moves().into_iter().filter(draws).collect();
        let opposes = |m: &Move| is_opposition(self.king, m.to());
        let san = |m: Move| SanPlus::from_move(position.clone(), m);
        let &first = drawing.first()?;
        Some(match drawing.iter().copied().find(opposes) {
            Some(m) => format!("{} takes the opposition", san(m)),
            None => format!("{} draws", san(first)),
        })
    }
}

/// A sentence about a king that comes closer to a square.
fn nearer(who: &str, from: Square, to: Square, goal: Square, name: &str) -> Option<String> {
    let (was, is) = (chebyshev(from, goal), chebyshev(to, goal));
    (is < was).then(|| format!("{who} is 1 move closer to {name} ({was} to {is})"))
}

#[cfg(test)]
mod tests {
    use super::super::hint::Hint;
    use super::super::words::tests::{mirrored, mirrored_move, mirrored_words};
    use super::*;
    use crate::exercise::Exercise;
    use shakmaty::{
        Board,
        Color::{Black, White},
    };
    use std::{collections::BTreeMap, sync::LazyLock};
    use tropism::endgame::set_up;
    use tropism::endgame::{Dtm, Endgames};

    static TABLES: LazyLock<Endgames> = LazyLock::new(|| {
        let mut endgames = Endgames::default();
        endgames.build("KPK".parse().unwrap());
        endgames
    });

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

    fn offset(a: Square, b: Square) -> (u32, u32) {
        let files = (a.file() as u32).abs_diff(b.file() as u32);
        let ranks = (a.rank() as u32).abs_diff(b.rank() as u32);
        (files.max(ranks), files.min(ranks))
    }

    /// The moves of a king to a square.
    fn steps(a: Square, b: Square) -> u32 {
        offset(a, b).0
    }

    fn number(text: &str) -> u32 {
        text.parse().unwrap()
    }

    /// Checks a sentence against the table and plain arithmetic; gives its kind.
    fn check(text: &str, before: &LonePawn, position: &Chess, m: Move) -> &'static str {
        let next_position = after(position, m);
        let words = text.split([' ', ',', ':', ';', '(', ')']).filter(|word| !word.is_empty());
        let words: Vec<&str> = words.collect();
        let Some(next) = LonePawn::on(&next_position) else {
            let queen = position.legal_moves();
            let queen = queen.into_iter().find(|m| m.promotion() == Some(Role::Queen)).unwrap();
            let says_stalemate = text.ends_with(": a queen would be stalemate");
            assert_eq!(says_stalemate, after(position, queen).is_stalemate(), "{text}");
            assert!(next_position.legal_moves().iter().all(|m| !m.is_capture()), "{text}");
            return if says_stalemate { "underpromotion" } else { "promotion" };
        };
        let end = Square::from_coords(before.pawn.file(), Rank::Eighth);
        if text.contains("would be a draw") {
            assert!(is_won(&next, Black) && !is_won(&next, White), "{text}");
            assert!(position_of(&next, White).is_some(), "{text}");
        }
        if text.contains("cannot stop it") {
            assert!(is_won(before, Black), "{text}");
            let needed =
                if before.pawn.rank() == Rank::Second { 5 } else { 7 - before.pawn.rank() as u32 };
            assert!(steps(before.bare, end) > needed + 1, "{text}");
            "cannot stop"
        } else if text.starts_with("No other move") {
            let values = TABLES.moves(position).unwrap();
            assert!(values.iter().all(|&(_, value)| value.rank() <= values[0].1.rank()));
            assert!(values.contains(&(m, values[0].1)));
            "nothing else"
        } else if text.contains("outside the square of the pawn") {
            // The table, and the race itself.
            assert!(is_won(&next, Black), "{text}");
            let [.., king, _, _, _, _, _, pawn] = words[..] else { panic!("{text}") };
            assert_eq!(number(king), steps(next.bare, end), "{text}");
            assert!(number(king) > number(pawn) + 1, "{text}");
            "square"
        } else if text.contains("enters the square") {
            let needed =
                if before.pawn.rank() == Rank::Second { 5 } else { 7 - before.pawn.rank() as u32 };
            assert!(steps(next.bare, end) <= needed && steps(before.bare, end) > needed, "{text}");
            "enters"
        } else if text.contains("diagonal opposition") {
            assert_eq!(offset(next.king, next.bare), (2, 2), "{text}");
            "diagonal"
        } else if text.contains("opposition") {
            assert_eq!(offset(next.king, next.bare), (2, 0), "{text}");
            "opposition"
        } else if text.contains("zugzwang") {
            "zugzwang"
        } else if text.contains("reaches a key square") {
            assert!(text.contains(&next.king.to_string()), "{text}");
            assert!(is_won(&next, White) && is_won(&next, Black), "{text}");
            "key square"
        } else if text.contains("key squares") {
            let squares: Vec<Square> = words.iter().filter_map(|word| word.parse().ok()).collect();
            for &key in &squares {
                let ahead = key.rank() as u32 - next.pawn.rank() as u32;
                let beside = (key.file() as u32).abs_diff(next.pawn.file() as u32);
                let on_edge = matches!(next.pawn.file(), File::A | File::H);
                assert!(beside == 1 || !on_edge && beside == 0, "{text}");
                assert!(on_edge || ahead == 2 || ahead == 1 && next.pawn.rank() > Rank::Fourth);
            }
            let nearest = |king| squares.iter().map(|&key| steps(king, key)).min().unwrap();
            let [.., was, _, is] = words[..] else { panic!("{text}") };
            assert_eq!([was, is].map(number), [before.king, next.king].map(nearest), "{text}");
            "towards key squares"
        } else if text.contains("controls") {
            assert_eq!(steps(next.king, end), 1, "{text}");
            "controls"
        } else if text.contains("without check") {
            assert!(!next_position.is_check() && next.pawn.rank() == Rank::Seventh);
            "seventh"
        } else if text.contains("protects") {
            assert_eq!((steps(before.bare, before.pawn), steps(next.king, next.pawn)), (1, 1));
            "protects"
        } else if text.contains("steps away") {
            assert!(steps(before.bare, before.pawn) == 1 && steps(next.bare, next.pawn) > 1);
            "steps away"
        } else if text.contains("out of the pawn's way") {
            assert!(
                before.king.file() == before.pawn.file() && next.king.file() != next.pawn.file()
            );
            "way"
        } else if text.contains("in front of") {
            assert!(next.bare.file() == next.pawn.file() && next.bare.rank() > next.pawn.rank());
            "in front"
        } else if text.contains("from promotion") {
            let whole = 7 - next.pawn.rank() as u32;
            assert!(text.contains(&format!(" is {} move", whole)), "{text}");
            "advances"
        } else {
            let [.., was, _, is] = words[..] else { panic!("{text}") };
            let (from, to) = match before.turn {
                White => (before.king, next.king),
                Black => (before.bare, next.bare),
            };
            let goal = if text.contains("pawn") { next.pawn } else { end };
            assert_eq!((number(was), number(is)), (steps(from, goal), steps(to, goal)), "{text}");
            "closer"
        }
    }

    /// Every sentence of every hint in every won position, for both sides.
    #[test]
    fn every_sentence_is_true() {
        let mut seen = BTreeMap::<&str, u32>::new();
        for position in positions() {
            let lone = LonePawn::on(&position).unwrap();
            let moves = TABLES.moves(&position).unwrap();
            let Some(&(best, _)) = moves.first().filter(|_| is_won(&lone, lone.turn)) else {
                continue;
            };
            for reason in lone.reasons(&position, best) {
                *seen.entry(check(&reason, &lone, &position, best)).or_default() += 1;
            }
        }
        assert_eq!(seen.len(), 19, "{seen:?}");
    }

    /// With colours exchanged, the sentences are the same but for sides and ranks.
    #[test]
    fn black_hears_what_white_hears() {
        for position in positions().step_by(97) {
            let mirror = mirrored(&position);
            let [lone, other] = [&position, &mirror].map(|it| LonePawn::on(it).unwrap());
            for m in position.legal_moves() {
                let reasons = lone.reasons(&position, m).join(" ");
                let others = other.reasons(&mirror, mirrored_move(&position, m)).join(" ");
                let expected = mirrored_words(&reasons, true);
                assert_eq!(mirrored_words(&others, false), expected, "{reasons} / {others}");
            }
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
                    assert_eq!(offset(lone.king, lone.bare), (2, 0), "{mistake}");
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
