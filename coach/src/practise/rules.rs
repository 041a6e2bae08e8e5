//! What all moves that hold a drawn position have in common, in the words of a teacher.
//!
//! A rule is a sentence that is true or false after each move. It is given as advice only if it is true after
//! every move that holds and false after some move that loses. So "must" means what it says.

use super::lone_pawn::LonePawn;
use super::words::side;
use crate::exercise::after;
use shakmaty::{Bitboard, Chess, Color, Move, Position, Rank, Role, Square};
use tropism::geometry::{
    ahead, beside, chebyshev, edge_distance, is_adjacent, is_distant_opposition, is_opposition,
    king_attacks, promotion_distance,
};
use tropism::text::{counted, joined_by, noun};

/// The rules for a position, at most `most`. Each rules out as many as possible of the losing moves that the
/// ones before it allow.
pub fn rules(position: &Chess, holding: &[Move], losing: &[Move], most: usize) -> Vec<String> {
    let after = |&m: &Move| After::new(position, m).rules();
    let mut held = holding.iter().map(after);
    let mut common = held.next().unwrap_or_default();
    held.for_each(|rules| common.retain(|rule| rules.contains(rule)));
    let mut allowed: Vec<Vec<String>> = losing.iter().map(after).collect();
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

/// A move of the defender.
struct After {
    next: Chess,
    m: Move,
    /// The defender.
    own: Color,
    /// Its king after the move and before, and the attacker's king.
    king: Square,
    was: Square,
    other: Square,
}

impl After {
    fn new(position: &Chess, m: Move) -> After {
        let (next, own) = (after(position, m), position.turn());
        let king = |position: &Chess, side| position.board().king_of(side).unwrap_or(Square::A1);
        let (was, other) = (king(position, own), king(position, !own));
        After { king: king(&next, own), next, m, own, was, other }
    }

    /// All rules that the move follows, the most instructive first.
    fn rules(&self) -> Vec<String> {
        let board = self.next.board();
        let capture = self.m.capture().map(|role| {
            format!("{} must take the {} on {}", side(self.own), noun(role), self.m.to())
        });
        let mut rules: Vec<String> = capture.into_iter().collect();
        if let Some(pawn) = (board.pawns() & board.by_color(!self.own)).single_square() {
            self.against_the_pawn(pawn, &mut rules);
        }
        if let Some(pawn) = (board.pawns() & board.by_color(self.own)).single_square() {
            self.with_the_pawn(pawn, &mut rules);
        }
        let piece = (board.by_color(self.own) & !board.kings() & !board.pawns()).single_square();
        if let Some((square, role)) = piece.and_then(|it| Some((it, board.role_at(it)?))) {
            self.with_the_piece(square, role, &mut rules);
        }
        self.in_general(&mut rules);
        rules
    }

    /// The attacker has a pawn.
    fn against_the_pawn(&self, pawn: Square, rules: &mut Vec<String>) {
        let (king, attacker) = (self.name(), !self.own);
        let end = Square::from_coords(pawn.file(), attacker.fold_wb(Rank::Eighth, Rank::First));
        let is_in_front = |square| ahead(attacker, pawn.into()).contains(square);
        self.oppose(rules);
        if let Some(lone_pawn) = LonePawn::on(&self.next) {
            let keys = lone_pawn.key_squares();
            let reached = self
                .next
                .legal_moves()
                .into_iter()
                .any(|reply| reply.role() == Role::King && keys.contains(reply.to()));
            if keys.any() && !reached && !keys.contains(self.other) {
                let keys: Vec<String> = keys.into_iter().map(|key| key.to_string()).collect();
                let keys = joined_by("or", &keys);
                rules.push(format!("{}'s king must not get to {keys}", side(attacker)));
            }
            let steps = promotion_distance(attacker, pawn);
            if chebyshev(self.king, end) <= steps {
                rules.push(format!(
                    "{king} must be in the square of the pawn: at most {} from {end}",
                    counted(steps.into(), "move")
                ));
            }
        }
        let front = attacker.fold_wb(8, -8);
        if let Some(front) = pawn.offset(front).filter(|&it| chebyshev(it, self.king) <= 1) {
            rules.push(format!("{king} must control {front}, the square in front of the pawn"));
        }
        if is_in_front(self.king) {
            let verb = if is_in_front(self.was) { "stay" } else { "go" };
            rules.push(format!("{king} must {verb} in front of the pawn"));
        }
        if beside(pawn.into()).count() == 1 {
            let corner = king_attacks(end.into()).with(end);
            if corner.contains(self.king) {
                let verb = if corner.contains(self.was) { "stay on" } else { "reach" };
                let corner: Vec<String> = corner.into_iter().map(|it| it.to_string()).collect();
                rules.push(format!("{king} must {verb} {}", joined_by("or", &corner)));
            }
        }
        if chebyshev(self.king, end) < chebyshev(self.was, end) {
            rules.push(format!("{king} must go closer to {end}"));
        }
        if is_adjacent(self.king, pawn) {
            let verb = if is_adjacent(self.was, pawn) { "stay" } else { "go" };
            rules.push(format!("{king} must {verb} next to the pawn"));
        }
    }

    /// The defender has a pawn.
    fn with_the_pawn(&self, pawn: Square, rules: &mut Vec<String>) {
        let king = self.name();
        let end = Square::from_coords(pawn.file(), self.own.fold_wb(Rank::Eighth, Rank::First));
        if self.m.role() == Role::Pawn {
            rules.push("The pawn must advance".to_owned());
        }
        let replies = self.next.legal_moves();
        let mut takes = replies.iter().filter(|reply| reply.is_capture()).peekable();
        if takes.peek().is_some() && takes.all(|&m| after(&self.next, m).is_stalemate()) {
            rules.push("Taking the pawn must be stalemate".to_owned());
        }
        if is_adjacent(self.king, pawn) {
            let verb = if is_adjacent(self.was, pawn) { "stay" } else { "go" };
            rules.push(format!("{king} must {verb} next to its pawn"));
        }
        if chebyshev(self.king, end) <= 1 {
            rules.push(format!("{king} must control {end}, where the pawn becomes a queen"));
        }
        if !ahead(self.own, pawn.into()).contains(self.king) {
            rules.push(format!("{king} must not stand in the pawn's way"));
        }
        self.oppose(rules);
    }

    /// The defender has one piece.
    fn with_the_piece(&self, square: Square, role: Role, rules: &mut Vec<String>) {
        let (king, attacker, piece) = (self.name(), side(!self.own), noun(role));
        let hangs = |position: &Chess| {
            let board = position.board();
            let guards = board.attacks_to(square, self.own, board.occupied());
            board.attacks_to(square, !self.own, board.occupied()).any() && guards.is_empty()
        };
        let hangs_with_check = |reply: &Move| {
            let position = after(&self.next, *reply);
            reply.to() != square && position.is_check() && hangs(&position)
        };
        if !hangs(&self.next) {
            rules.push(format!("{attacker} must not be able to take the {piece} for nothing"));
            if !self.next.legal_moves().iter().any(hangs_with_check) {
                rules.push(format!("{attacker} must have no check that attacks the {piece} too"));
            }
        }
        if role == Role::Bishop {
            let safe = match square.is_light() {
                true => Bitboard::DARK_SQUARES,
                false => Bitboard::LIGHT_SQUARES,
            };
            let corner =
                (Bitboard::CORNERS & safe).into_iter().find(|&it| chebyshev(it, self.king) <= 1);
            if let Some(corner) = corner {
                rules.push(format!(
                    "{king} must be on {corner} or next to it, a corner that its bishop does not reach"
                ));
            }
        }
        match chebyshev(self.king, square) {
            1 => rules.push(format!("The {piece} must be next to its king")),
            2 => {}
            _ => return,
        }
        rules.push(format!("The {piece} must be within two squares of its king"));
    }

    fn in_general(&self, rules: &mut Vec<String>) {
        let king = self.name();
        if self.next.is_check() {
            rules.push(format!("{} must give check", side(self.own)));
        }
        match (edge_distance(self.was), edge_distance(self.king)) {
            (_, 0) => {}
            (0, _) => rules.push(format!("{king} must leave the edge")),
            _ => rules.push(format!("{king} must stay off the edge")),
        }
        if !Bitboard::CORNERS.contains(self.king) {
            rules.push(format!("{king} must not be in a corner"));
        }
        if chebyshev(self.king, self.other) > 2 {
            rules.push(format!("{king} must keep away from {}'s king", side(!self.own)));
        }
        rules.push(match (self.m.role(), self.m.promotion()) {
            (_, Some(role)) => format!("The pawn must become a {}", noun(role)),
            (Role::King, None) => format!("{king} must move"),
            (role, None) => format!("The {} must move", noun(role)),
        });
    }

    fn oppose(&self, rules: &mut Vec<String>) {
        if is_opposition(self.king, self.other) {
            rules.push(format!("{} must take the opposition", self.name()));
        } else if is_distant_opposition(self.king, self.other) {
            rules.push(format!("{} must take the distant opposition", self.name()));
        }
    }

    fn name(&self) -> String {
        format!("{}'s king", side(self.own))
    }
}

/// Where the king to move holds against a lone pawn on the edge, also with a bishop that does not control the
/// corner in front of the pawn. From these four squares the king can always go to the corner, and from the corner
/// it has no move but to them.
pub fn fortress(position: &Chess) -> Option<String> {
    let (board, attacker) = (position.board(), !position.turn());
    let pawn = (board.pawns() & board.by_color(attacker)).single_square()?;
    let corner = Square::from_coords(pawn.file(), attacker.fold_wb(Rank::Eighth, Rank::First));
    let others = board.by_color(attacker) & !board.kings() & !board.pawns();
    let why = match others.single_square() {
        None if others.is_empty() => "a lone pawn on the edge cannot win there".to_owned(),
        Some(piece) if board.bishops().contains(piece) && piece.is_light() != corner.is_light() => {
            format!("the bishop does not control {corner}")
        }
        _ => return None,
    };
    let squares = king_attacks(corner.into()).with(corner).into_iter();
    let squares: Vec<String> = squares.map(|square| square.to_string()).collect();
    let is_edge = Bitboard::CORNERS.contains(corner);
    is_edge.then(|| format!("A king on {} holds: {why}", joined_by("or", &squares)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exercise::holding;
    use shakmaty::Board;
    use std::{collections::BTreeMap, sync::LazyLock};
    use tropism::endgame::set_up;
    use tropism::endgame::{Dtm, Endgames, Material};
    use tropism::random::SplitMix64;
    use tropism::search::Game;

    const ENDINGS: [&str; 6] = ["KPK", "KBPK", "KRKB", "KRKN", "KRKP", "KQKP"];

    static TABLES: LazyLock<Endgames> = LazyLock::new(|| {
        let mut endgames = Endgames::default();
        ENDINGS.iter().for_each(|ending| endgames.build(ending.parse().unwrap()));
        endgames
    });

    fn steps(a: Square, b: Square) -> u32 {
        let files = (a.file() as u32).abs_diff(b.file() as u32);
        files.max((a.rank() as u32).abs_diff(b.rank() as u32))
    }

    fn on_edge(square: Square) -> bool {
        [square.file() as u32, square.rank() as u32].iter().any(|it| [0, 7].contains(it))
    }

    /// Whether a rule is true after a move, by plain arithmetic on the squares that it names.
    fn is_followed(text: &str, position: &Chess, m: Move) -> bool {
        let (own, next) = (position.turn(), after(position, m));
        let [old, board] = [position, &next].map(|position| position.board());
        let [king, was, other] = [(board, own), (old, own), (board, !own)]
            .map(|(board, side)| board.king_of(side).unwrap());
        let words = text.split([' ', ',', ':']);
        let squares: Bitboard = words.clone().filter_map(|it| it.parse::<Square>().ok()).collect();
        let number = words.clone().find_map(|word| word.parse::<u32>().ok());
        let named = || squares.single_square().unwrap();
        let pawn = || board.pawns().single_square();
        let piece = board.by_color(own) & !board.kings() & !board.pawns();
        // The piece that the rule names.
        let piece =
            piece.single_square().filter(|&it| text.contains(noun(board.role_at(it).unwrap())));
        let piece = || piece;
        let hangs = |position: &Chess| {
            let board = position.board();
            piece().is_some_and(|piece| {
                board.attacks_to(piece, !own, board.occupied()).any()
                    && board.attacks_to(piece, own, board.occupied()).is_empty()
            })
        };
        let replies = next.legal_moves();
        let faces = |apart: &[u32]| {
            let ranks = (king.rank() as u32).abs_diff(other.rank() as u32);
            let files = (king.file() as u32).abs_diff(other.file() as u32);
            ranks.min(files) == 0 && apart.contains(&ranks.max(files))
        };
        // Whether the king of the other side, or else this one, stands before the pawn of `side`.
        let is_ahead = |side: Color| {
            pawn().is_some_and(|pawn| {
                let (king, pawn) = (king, pawn);
                let ahead = side.fold_wb(king.rank() > pawn.rank(), king.rank() < pawn.rank());
                king.file() == pawn.file() && ahead
            })
        };
        let next_to_pawn = || pawn().is_some_and(|pawn| steps(king, pawn) == 1);
        let (_, what) = text.split_once(" must ").unwrap();
        match what {
            "take the opposition" => faces(&[2]),
            "take the distant opposition" => faces(&[4, 6]),
            "leave the edge" => on_edge(was) && !on_edge(king),
            "stay off the edge" => !on_edge(was) && !on_edge(king),
            "not be in a corner" => ![0, 7, 56, 63].contains(&(king as u32)),
            "give check" => next.is_check(),
            "advance" => m.role() == Role::Pawn && m.promotion().is_none(),
            "move" => {
                m.promotion().is_none()
                    && text.contains(match m.role() {
                        Role::King => "king",
                        role => noun(role),
                    })
            }
            "be stalemate" => {
                let takes = replies.iter().filter(|reply| reply.is_capture());
                let ends: Vec<bool> = takes.map(|&m| after(&next, m).is_stalemate()).collect();
                !ends.is_empty() && ends.iter().all(|&end| end)
            }
            "be next to its king" => piece().is_some_and(|piece| steps(king, piece) == 1),
            "be within two squares of its king" => piece().is_some_and(|it| steps(king, it) <= 2),
            "stay in front of the pawn" | "go in front of the pawn" => is_ahead(!own),
            "not stand in the pawn's way" => pawn().is_some() && !is_ahead(own),
            "go next to the pawn" | "stay next to the pawn" => next_to_pawn(),
            "go next to its pawn" | "stay next to its pawn" => next_to_pawn(),
            _ if what.starts_with("become a") => {
                m.promotion().is_some_and(|role| what.ends_with(noun(role)))
            }
            _ if what.starts_with("take the") => m.is_capture() && squares.contains(m.to()),
            _ if what.starts_with("keep away") => steps(king, other) > 2,
            _ if what.starts_with("be in the square") => {
                pawn().is_some() && steps(king, named()) <= number.unwrap()
            }
            _ if what.starts_with("reach") || what.starts_with("stay on") => squares.contains(king),
            _ if what.starts_with("go closer") => steps(king, named()) < steps(was, named()),
            _ if what.starts_with("control") => pawn().is_some() && steps(king, named()) <= 1,
            _ if what.starts_with("not get to") => {
                let mut goes = replies.iter().filter(|reply| reply.role() == Role::King);
                pawn().is_some()
                    && !squares.contains(other)
                    && !goes.any(|reply| squares.contains(reply.to()))
            }
            _ if what.ends_with("for nothing") => piece().is_some() && !hangs(&next),
            _ if what.starts_with("have no check") => {
                piece().is_some()
                    && !hangs(&next)
                    && !replies.iter().any(|&reply| {
                        let last = after(&next, reply);
                        Some(reply.to()) != piece() && last.is_check() && hangs(&last)
                    })
            }
            _ if what.contains("or next to it") => {
                let bishop = (board.by_color(own) & board.bishops()).single_square();
                bishop.is_some_and(|it| it.is_light() != named().is_light())
                    && steps(king, named()) <= 1
            }
            _ => panic!("unknown: {text}"),
        }
    }

    /// Random positions of an ending, Black to move.
    fn positions(material: Material, count: usize) -> impl Iterator<Item = Chess> {
        let mut random = SplitMix64(1);
        let boards = (0..count).map(move |_| {
            let mut board = Board::empty();
            for piece in material.pieces() {
                board.set_piece_at(Square::ALL[random.below(64)], piece);
            }
            board
        });
        let boards = boards.filter(move |board| Material::on(board) == Ok(material));
        boards.filter_map(|board| set_up(board, Color::Black))
    }

    /// Every rule for every drawn position of a sample.
    #[test]
    fn must_means_what_it_says() {
        let mut seen = BTreeMap::<String, u32>::new();
        for material in ENDINGS.map(|ending| ending.parse().unwrap()) {
            for position in positions(material, 5000) {
                let moves = TABLES.moves(&position).unwrap();
                if TABLES.probe(&position) != Some(Dtm::Draw) || moves.is_empty() {
                    continue;
                }
                let held: Vec<Move> = holding(&moves).collect();
                let lost: Vec<Move> = moves.iter().map(|&(m, _)| m).skip(held.len()).collect();
                for rule in rules(&position, &held, &lost, 3) {
                    let follows = |&m: &Move| is_followed(&rule, &position, m);
                    assert!(held.iter().all(follows), "{rule} {position:?}");
                    assert!(!lost.iter().all(follows), "{rule} {position:?}");
                    let (_, what) = rule.split_once(" must ").unwrap();
                    let kind: Vec<&str> = what.split(' ').take(3).collect();
                    *seen.entry(kind.join(" ")).or_default() += 1;
                }
            }
        }
        let count = seen.values().sum::<u32>();
        assert!(count > 5000 && seen.len() > 20, "{seen:?}");
    }

    /// By the table, with a king on one of the four squares.
    #[test]
    fn the_corner_holds_against_a_pawn_on_the_edge() {
        for material in ["KPK", "KBPK"].map(|ending| ending.parse().unwrap()) {
            let mut count = 0;
            for position in positions(material, 100_000) {
                let Some(text) = fortress(&position) else { continue };
                let squares =
                    text.split(' ').filter_map(|it| it.trim_matches([',', ':']).parse().ok());
                let squares: Bitboard = squares.take(4).collect();
                if squares.contains(position.board().king_of(Color::Black).unwrap()) {
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
