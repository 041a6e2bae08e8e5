//! What all moves that hold a drawn position have in common, in the words of a teacher.
//!
//! A rule is a sentence that is true or false after each move. It is given as advice only if it is true after
//! every move that holds and false after some move that loses. So "must" means what it says.

use super::lone_pawn::{LonePawn, promotion_square};
use super::reasons::hangs;
use super::words::{either, king_of, moves};
use crate::exercise::after;
use shakmaty::{Bitboard, Chess, Color, Move, Position, Role, Square};
use tropism::geometry::{
    ahead, beside, chebyshev, edge_distance, is_distant_opposition, is_opposition, king_attacks,
    promotion_distance, step,
};
use tropism::text::{noun, side_name};

/// The rules for a position, at most `most`. Each rules out as many as possible of the losing moves that the
/// ones before it allow.
pub fn rules(position: &Chess, holding: &[Move], losing: &[Move], most: usize) -> Vec<String> {
    let followed = |&m: &Move| Followed::by(position, m);
    let mut held = holding.iter().map(followed);
    let mut common = held.next().unwrap_or_default();
    held.for_each(|rules| common.retain(|rule| rules.contains(rule)));
    let mut allowed: Vec<Vec<String>> = losing.iter().map(followed).collect();
    let mut chosen = Vec::new();
    while chosen.len() < most {
        let left = |rule: &&String| allowed.iter().filter(|rules| rules.contains(rule)).count();
        let Some(best) = common.iter().min_by_key(left) else { break };
        if left(&best) == allowed.len() {
            break;
        }
        allowed.retain(|rules| rules.contains(best));
        chosen.push(best.clone());
    }
    chosen
}

/// The rules that a move of the defender follows.
struct Followed {
    next: Chess,
    m: Move,
    /// The defender.
    own: Color,
    /// Its king after the move and before, and the attacker's king.
    king: Square,
    was: Square,
    other: Square,
    rules: Vec<String>,
}

impl Followed {
    /// All of them, the most instructive first.
    fn by(position: &Chess, m: Move) -> Vec<String> {
        let (next, own) = (after(position, m), position.turn());
        let king = |position: &Chess, side| position.board().king_of(side).unwrap_or(Square::A1);
        let (king, was, other) = (king(&next, own), king(position, own), king(position, !own));
        let board = next.board().clone();
        let mut followed = Followed { next, m, own, king, was, other, rules: Vec::new() };
        let takes =
            |taken| format!("{} must take the {} on {}", side_name(own), noun(taken), m.to());
        followed.rules.extend(m.capture().map(takes));
        let only = |pieces: Bitboard, side| (pieces & board.by_color(side)).single_square();
        if let Some(pawn) = only(board.pawns(), !own) {
            followed.against_the_pawn(pawn);
        }
        if let Some(pawn) = only(board.pawns(), own) {
            followed.with_the_pawn(pawn);
        }
        let piece = only(!board.kings() & !board.pawns(), own);
        if let Some((square, role)) = piece.and_then(|it| Some((it, board.role_at(it)?))) {
            followed.with_the_piece(square, role);
        }
        followed.in_general();
        followed.rules
    }

    /// Adds a rule, if it is followed.
    fn must(&mut self, is_followed: bool, rule: impl Into<String>) {
        self.rules.extend(is_followed.then(|| rule.into()));
    }

    /// Adds what the defender's king must do, if it does.
    fn king_must(&mut self, does: bool, what: &str) {
        self.must(does, format!("{} must {what}", king_of(self.own)));
    }

    /// Adds that the king must stay in a place, or else go there, if it is there.
    fn king_must_be(&mut self, place: Bitboard, [stay, go]: [&str; 2], name: &str) {
        let verb = if place.contains(self.was) { stay } else { go };
        self.king_must(place.contains(self.king), &format!("{verb} {name}"));
    }

    /// The attacker has a pawn.
    fn against_the_pawn(&mut self, pawn: Square) {
        let attacker = !self.own;
        let end = promotion_square(attacker, pawn);
        self.oppose();
        if let Some(lone_pawn) = LonePawn::on(&self.next) {
            let keys = lone_pawn.key_squares();
            let reaches = |m: &Move| m.role() == Role::King && keys.contains(m.to());
            let is_reached =
                keys.contains(self.other) || self.next.legal_moves().iter().any(reaches);
            let rule = format!("{} must not get to {}", king_of(attacker), either(keys));
            self.must(keys.any() && !is_reached, rule);
            let steps = promotion_distance(attacker, pawn);
            let square =
                format!("be in the square of the pawn: at most {} from {end}", moves(steps));
            self.king_must(chebyshev(self.king, end) <= steps, &square);
        }
        for front in step(attacker, pawn.into()) {
            let control = format!("control {front}, the square in front of the pawn");
            self.king_must(chebyshev(front, self.king) <= 1, &control);
        }
        self.king_must_be(ahead(attacker, pawn.into()), ["stay", "go"], "in front of the pawn");
        if beside(pawn.into()).count() == 1 {
            let corner = king_attacks(end.into()).with(end);
            self.king_must_be(corner, ["stay on", "reach"], &either(corner));
        }
        let is_closer = chebyshev(self.king, end) < chebyshev(self.was, end);
        self.king_must(is_closer, &format!("go closer to {end}"));
        self.king_must_be(king_attacks(pawn.into()), ["stay", "go"], "next to the pawn");
    }

    /// The defender has a pawn.
    fn with_the_pawn(&mut self, pawn: Square) {
        let end = promotion_square(self.own, pawn);
        self.must(self.m.role() == Role::Pawn, "The pawn must advance");
        let replies = self.next.legal_moves();
        let mut takes = replies.iter().filter(|reply| reply.is_capture()).peekable();
        let is_stalemate =
            takes.peek().is_some() && takes.all(|&m| after(&self.next, m).is_stalemate());
        self.must(is_stalemate, "Taking the pawn must be stalemate");
        self.king_must_be(king_attacks(pawn.into()), ["stay", "go"], "next to its pawn");
        let control = format!("control {end}, where the pawn becomes a queen");
        self.king_must(chebyshev(self.king, end) <= 1, &control);
        let is_in_the_way = ahead(self.own, pawn.into()).contains(self.king);
        self.king_must(!is_in_the_way, "not stand in the pawn's way");
        self.oppose();
    }

    /// The defender has one piece.
    fn with_the_piece(&mut self, square: Square, role: Role) {
        let (attacker, piece) = (side_name(!self.own), noun(role));
        let hangs_with_check = |reply: &Move| {
            let position = after(&self.next, *reply);
            reply.to() != square && position.is_check() && hangs(position.board(), square)
        };
        let is_safe = !hangs(self.next.board(), square);
        let is_attacked = is_safe && self.next.legal_moves().iter().any(hangs_with_check);
        self.must(is_safe, format!("{attacker} must not be able to take the {piece} for nothing"));
        let rule = format!("{attacker} must have no check that attacks the {piece} too");
        self.must(is_safe && !is_attacked, rule);
        if role == Role::Bishop {
            let is_safe = |corner: &Square| {
                corner.is_light() != square.is_light() && chebyshev(*corner, self.king) <= 1
            };
            if let Some(corner) = Bitboard::CORNERS.into_iter().find(is_safe) {
                let place = "or next to it, a corner that its bishop does not reach";
                self.king_must(true, &format!("be on {corner} {place}"));
            }
        }
        let apart = chebyshev(self.king, square);
        self.must(apart == 1, format!("The {piece} must be next to its king"));
        self.must(apart <= 2, format!("The {piece} must be within two squares of its king"));
    }

    fn in_general(&mut self) {
        self.must(self.next.is_check(), format!("{} must give check", side_name(self.own)));
        let [was_inside, is_inside] = [self.was, self.king].map(|king| edge_distance(king) > 0);
        let verb = if was_inside { "stay off" } else { "leave" };
        self.king_must(is_inside, &format!("{verb} the edge"));
        self.king_must(!Bitboard::CORNERS.contains(self.king), "not be in a corner");
        let away = format!("keep away from {}", king_of(!self.own));
        self.king_must(chebyshev(self.king, self.other) > 2, &away);
        self.rules.push(match (self.m.role(), self.m.promotion()) {
            (_, Some(role)) => format!("The pawn must become a {}", noun(role)),
            (Role::King, None) => format!("{} must move", king_of(self.own)),
            (role, None) => format!("The {} must move", noun(role)),
        });
    }

    fn oppose(&mut self) {
        let (king, other) = (self.king, self.other);
        self.king_must(is_opposition(king, other), "take the opposition");
        self.king_must(is_distant_opposition(king, other), "take the distant opposition");
    }
}

/// Where the king to move holds against a lone pawn on the edge, also with a bishop that does not control the
/// corner in front of the pawn. From these four squares the king can always go to the corner, and from the corner
/// it has no move but to them.
pub fn fortress(position: &Chess) -> Option<String> {
    let (board, attacker) = (position.board(), !position.turn());
    let pawn = (board.pawns() & board.by_color(attacker)).single_square()?;
    let corner = promotion_square(attacker, pawn);
    let others = board.by_color(attacker) & !board.kings() & !board.pawns();
    let why = match others.single_square() {
        None if others.is_empty() => "a lone pawn on the edge cannot win there".to_owned(),
        Some(piece) if board.bishops().contains(piece) && piece.is_light() != corner.is_light() => {
            format!("the bishop does not control {corner}")
        }
        _ => return None,
    };
    let squares = either(king_attacks(corner.into()).with(corner));
    let is_edge = Bitboard::CORNERS.contains(corner);
    is_edge.then(|| format!("A king on {squares} holds: {why}"))
}

#[cfg(test)]
mod tests {
    use super::super::tests::{
        Claim, ENDINGS, Facts, Said, TABLES, checked, from_edge, is_loose, offset, positions, steps,
    };
    use super::*;
    use crate::exercise::holding;
    use std::collections::BTreeMap;
    use tropism::endgame::Dtm;
    use tropism::search::Game;

    fn pawn(it: &Facts) -> Option<Square> {
        it.next.board().pawns().single_square()
    }

    /// The defender's piece.
    fn piece(it: &Facts) -> Option<Square> {
        let board = it.next.board();
        (board.by_color(it.own) & !board.kings() & !board.pawns()).single_square()
    }

    /// The defender's piece, if it is the one that a rule names.
    fn named(it: &Facts, said: &Said) -> Option<Square> {
        let role = |square| it.next.board().role_at(square).unwrap();
        piece(it).filter(|&piece| said.text.contains(noun(role(piece))))
    }

    /// The moves of a king between the piece that a rule names and its king.
    fn apart(it: &Facts, said: &Said) -> Option<u32> {
        named(it, said).map(|piece| steps(it.king, piece))
    }

    fn is_safe(it: &Facts, said: &Said) -> bool {
        named(it, said).is_some_and(|piece| !is_loose(&it.next, piece, it.own))
    }

    fn faces(it: &Facts, apart: &[u32]) -> bool {
        let [files, ranks] = offset(it.king, it.other);
        files.min(ranks) == 0 && apart.contains(&files.max(ranks))
    }

    /// Whether the defender's king stands before the pawn of a side.
    fn is_ahead(it: &Facts, side: Color) -> bool {
        pawn(it).is_some_and(|pawn| {
            let (king, pawn_rank) = (it.king, pawn.rank());
            let ahead = side.fold_wb(king.rank() > pawn_rank, king.rank() < pawn_rank);
            king.file() == pawn.file() && ahead
        })
    }

    fn is_next_to_pawn(it: &Facts, _: &Said) -> bool {
        pawn(it).is_some_and(|pawn| steps(it.king, pawn) == 1)
    }

    /// Whether a reply gives check and attacks the piece, which nothing protects then.
    fn has_double_attack(it: &Facts) -> bool {
        it.next.legal_moves().iter().any(|&reply| {
            let last = after(&it.next, reply);
            let loose = piece(it).filter(|&piece| is_loose(&last, piece, it.own));
            loose.is_some_and(|piece| reply.to() != piece && last.is_check())
        })
    }

    /// What a rule with some words says of a move.
    const CLAIMS: &[Claim<Facts>] = &[
        ("must take the opposition", |it, _| faces(it, &[2])),
        ("must take the distant opposition", |it, _| faces(it, &[4, 6])),
        ("must leave the edge", |it, _| from_edge(it.was) == 0 && from_edge(it.king) > 0),
        ("must stay off the edge", |it, _| from_edge(it.was) > 0 && from_edge(it.king) > 0),
        ("must not be in a corner", |it, _| ![0, 7, 56, 63].contains(&(it.king as u32))),
        ("must give check", |it, _| it.next.is_check()),
        ("must advance", |it, _| it.m.role() == Role::Pawn && !it.m.is_promotion()),
        ("must move", |it, said| !it.m.is_promotion() && said.text.contains(noun(it.m.role()))),
        ("must be stalemate", |it, _| {
            let replies = it.next.legal_moves();
            let mut takes = replies.iter().filter(|reply| reply.is_capture()).peekable();
            takes.peek().is_some() && takes.all(|&m| after(&it.next, m).is_stalemate())
        }),
        ("must be next to its king", |it, said| apart(it, said) == Some(1)),
        ("must be within two squares", |it, said| apart(it, said).is_some_and(|it| it <= 2)),
        ("in front of the pawn", |it, said| match said.squares.single_square() {
            Some(square) => pawn(it).is_some() && steps(it.king, square) <= 1,
            None => is_ahead(it, !it.own),
        }),
        ("must not stand in", |it, _| pawn(it).is_some() && !is_ahead(it, it.own)),
        ("next to the pawn", is_next_to_pawn),
        ("next to its pawn", is_next_to_pawn),
        ("must become a", |it, said| {
            it.m.promotion().is_some_and(|it| said.text.ends_with(noun(it)))
        }),
        ("must take the", |it, said| it.m.is_capture() && said.squares.contains(it.m.to())),
        ("must keep away", |it, _| steps(it.king, it.other) > 2),
        ("must be in the square", |it, said| {
            pawn(it).is_some() && steps(it.king, said.square()) <= said.numbers[0]
        }),
        ("must reach", |it, said| said.squares.contains(it.king)),
        ("must stay on", |it, said| said.squares.contains(it.king)),
        ("must go closer", |it, said| {
            let [was, is] = [it.was, it.king].map(|king| steps(king, said.square()));
            is < was
        }),
        ("must control", |it, said| pawn(it).is_some() && steps(it.king, said.square()) <= 1),
        ("must not get to", |it, said| {
            let mut kings = it.next.legal_moves().into_iter().filter(|m| m.role() == Role::King);
            pawn(it).is_some()
                && !said.squares.contains(it.other)
                && !kings.any(|reply| said.squares.contains(reply.to()))
        }),
        ("for nothing", |it, said| is_safe(it, said)),
        ("must have no check", |it, said| is_safe(it, said) && !has_double_attack(it)),
        ("or next to it", |it, said| {
            let corner = said.square();
            let bishop = piece(it).filter(|&it2| it.next.board().bishops().contains(it2));
            bishop.is_some_and(|bishop| bishop.is_light() != corner.is_light())
                && steps(it.king, corner) <= 1
        }),
    ];

    /// Every rule for every drawn position of a sample.
    #[test]
    fn must_means_what_it_says() {
        let mut seen = BTreeMap::<&str, u32>::new();
        for position in ENDINGS.into_iter().flat_map(|it| positions(it, 5000, 1, &[Color::Black])) {
            let moves = TABLES.moves(&position).unwrap();
            if TABLES.probe(&position) != Some(Dtm::Draw) || moves.is_empty() {
                continue;
            }
            let held: Vec<Move> = holding(&moves).collect();
            let lost: Vec<Move> = moves.iter().map(|&(m, _)| m).skip(held.len()).collect();
            for rule in rules(&position, &held, &lost, 3) {
                let follows = |&m: &Move| checked(CLAIMS, &rule, &Facts::new(&position, m)).1;
                assert!(held.iter().all(follows), "{rule} {position:?}");
                assert!(!lost.iter().all(follows), "{rule} {position:?}");
                let (words, _) = checked(CLAIMS, &rule, &Facts::new(&position, held[0]));
                *seen.entry(words).or_default() += 1;
            }
        }
        let count = seen.values().sum::<u32>();
        assert!(count > 5000 && seen.len() > 20, "{seen:?}");
    }

    /// By the table, with a king on one of the four squares.
    #[test]
    fn the_corner_holds_against_a_pawn_on_the_edge() {
        for ending in ["KPK", "KBPK"] {
            let mut count = 0;
            for position in positions(ending, 100_000, 1, &[Color::Black]) {
                let Some(text) = fortress(&position) else { continue };
                let [squares, _] = Said::new(&text).squares_around(" holds");
                if squares.contains(position.board().king_of(Color::Black).unwrap()) {
                    assert_eq!(squares.count(), 4, "{text}");
                    assert_eq!(TABLES.probe(&position), Some(Dtm::Draw), "{position:?}");
                    count += 1;
                }
            }
            assert!(count > 300, "{count}");
        }
        let game = Game::from_fen("8/8/8/4k3/8/P7/1K6/2B5 b - - 0 1", None).unwrap();
        assert_eq!(
            fortress(game.position().chess()).as_deref(),
            Some("A king on a7, b7, a8 or b8 holds: the bishop does not control a8")
        );
    }
}
