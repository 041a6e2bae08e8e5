//! What is good about a move, as a teacher says it: which squares it takes from the other king, where that
//! king must go, which piece comes nearer.

use super::words::{names, side};
use crate::exercise::after;
use shakmaty::{Bitboard, Chess, Color, Move, Piece, Position, Role, Square, attacks};
use tropism::eval::EvalContext;
use tropism::geometry::{
    Layers, Mover, Terrain, chebyshev, edge_distance, knight_distance, manhattan,
    promotion_distance,
};
use tropism::text::{capitalized, counted, joined, joined_by, noun};

/// A king with more squares than this in its reach is not shut in.
const SHUT_IN: usize = 32;

/// How near a wrong corner the bare king must be for the corner to matter.
const NEAR: u32 = 3;

/// The most squares that a sentence names.
const NAMED: usize = 4;

/// The most squares of a bare king that a waiting move leaves it to choose from.
const FORCED: usize = 3;

/// A move and the positions before and after it.
pub struct Played<'a> {
    position: &'a Chess,
    next: Chess,
    m: Move,
    user: Color,
}

impl<'a> Played<'a> {
    pub fn new(position: &'a Chess, m: Move) -> Played<'a> {
        Played { position, next: after(position, m), m, user: position.turn() }
    }

    /// The most important first, without full stops. Empty if nothing that can be said in general is good
    /// about the move.
    pub fn reasons(&self) -> Vec<String> {
        if self.next.is_checkmate() {
            return self.mate();
        }
        if let Some(capture) = self.capture() {
            return vec![capture];
        }
        let mut reasons: Vec<String> = self.promotion().into_iter().collect();
        let theirs = self.next.board().by_color(!self.user);
        let own = self.next.board().by_color(self.user);
        match (own.count(), theirs.count()) {
            (_, 1) => self.against_a_bare_king(&mut reasons),
            (1, _) => self.of_a_bare_king(&mut reasons),
            _ => {
                reasons.extend(self.attack());
                reasons.extend(self.saved());
                reasons.extend(self.squares_taken());
                reasons.extend(self.king_nearer());
            }
        }
        reasons
    }

    fn against_a_bare_king(&self, reasons: &mut Vec<String>) {
        reasons.extend(self.saved());
        reasons.extend(self.squares_taken());
        reasons.extend(self.area());
        reasons.extend(self.driven());
        reasons.extend(self.advance());
        reasons.extend(self.king_nearer());
        reasons.extend(self.piece_nearer());
        if reasons.is_empty() {
            reasons.extend(self.two_moves());
        }
        if reasons.is_empty() {
            reasons.extend(self.waiting());
        }
    }

    fn of_a_bare_king(&self, reasons: &mut Vec<String>) {
        let (from, to) = (self.m.from().unwrap_or(self.m.to()), self.m.to());
        let (board, own) = (self.next.board(), format!("{}'s king", side(self.user)));
        let hanging = flight(&self.next, self.user) & board.by_color(!self.user);
        let hanging: Vec<String> = hanging
            .into_iter()
            .map(|square| format!("the {} on {square}", self.name(square)))
            .collect();
        if !hanging.is_empty() {
            reasons.push(format!("{own} attacks {}, which nothing protects", joined(&hanging)));
        }
        if let Some([_, wrong]) = corners(board, !self.user) {
            reasons.extend(nearer_square(&own, "a wrong corner", from, to, wrong));
        }
        if edge_distance(from) == 0 && edge_distance(to) > 0 {
            reasons.push(format!("{own} leaves the edge"));
        } else if edge_distance(to) > edge_distance(from) {
            reasons.push(format!("{own} goes towards the centre"));
        }
        let squares = |m: Move| flight(&after(self.position, m), self.user).count();
        let most = self.position.legal_moves().into_iter().filter(|&m| m != self.m).map(squares);
        let (free, others) = (squares(self.m), most.max().unwrap_or(0));
        if free > others {
            reasons.push(format!(
                "On {to} the {} king has {} to go to, more than on any other square",
                self.user,
                counted(free as u64, "square")
            ));
        }
        if let Some(king) = board.king_of(!self.user) {
            let (was, is) = (chebyshev(from, king), chebyshev(to, king));
            if is > was {
                reasons.push(format!(
                    "{own} is 1 move farther from {}'s king ({was} to {is})",
                    side(!self.user)
                ));
            }
        }
    }

    /// Who gives mate, and which squares around the king are taken.
    fn mate(&self) -> Vec<String> {
        let board = self.next.board();
        let Some(king) = board.king_of(!self.user) else { return Vec::new() };
        let checkers: Vec<String> =
            self.next.checkers().into_iter().map(|square| self.piece(square)).collect();
        let verb = if checkers.len() > 1 { "attack" } else { "attacks" };
        let mut reasons = vec![format!(
            "Mate: {} {verb} the king on {king}, which has no square left",
            joined(&checkers)
        )];
        // The piece that gives mate first. A square that two pieces take is named once.
        let mut left = attacks::king_attacks(king) & !board.by_color(!self.user);
        let own = board.by_color(self.user);
        let order = self.next.checkers().into_iter().chain(own & !self.next.checkers());
        let mut takers = Vec::new();
        for square in order {
            let Some(piece) = board.piece_at(square) else { continue };
            let taken = attacks::attacks(square, piece, board.occupied().without(king)) & left;
            left &= !taken;
            if taken.any() {
                takers.push(format!("{} takes {}", self.piece(square), names(taken)));
            }
        }
        if !takers.is_empty() {
            reasons.push(capitalized(&takers.join("; ")));
        }
        reasons
    }

    fn promotion(&self) -> Option<String> {
        let role = self.m.promotion()?;
        Some(format!("The pawn becomes a {}", noun(role)))
    }

    fn capture(&self) -> Option<String> {
        let taken = self.m.capture()?;
        Some(format!("The {} takes the {} on {}", noun(self.m.role()), noun(taken), self.m.to()))
    }

    /// The pieces that the moved piece attacks, if the king or an unprotected piece is one of them.
    fn attack(&self) -> Option<String> {
        let (board, to) = (self.next.board(), self.m.to());
        let theirs = board.by_color(!self.user);
        let targets = board.attacks_from(to) & theirs & !board.pawns();
        let hangs = |square: &Square| {
            let guards = board.attacks_to(*square, !self.user, board.occupied().without(to));
            guards.is_empty()
        };
        let pieces = (targets & !board.kings())
            .into_iter()
            .filter(hangs)
            .map(|square| format!("the {} on {square}, which nothing protects", self.name(square)));
        let king = (targets & board.kings()).any().then(|| "the king".to_owned());
        let names: Vec<String> = king.into_iter().chain(pieces).collect();
        let who = capitalized(&self.piece(to));
        (!names.is_empty()).then(|| format!("{who} attacks {}", joined(&names)))
    }

    /// A piece that could be taken for nothing before the move and not after it.
    fn saved(&self) -> Option<String> {
        let board = self.position.board();
        let hanging = |square: &Square| {
            let attackers = board.attacks_to(*square, !self.user, board.occupied());
            let guards = board.attacks_to(*square, self.user, board.occupied());
            attackers.any() && guards.is_empty()
        };
        let pieces = board.by_color(self.user) & !board.kings();
        let was = pieces.into_iter().find(hanging)?;
        let is = if self.m.from() == Some(was) { self.m.to() } else { was };
        if self.next.legal_moves().iter().any(|reply| reply.is_capture() && reply.to() == is) {
            return None;
        }
        let (side, role) = (side(!self.user), self.name(is));
        Some(match is == was {
            true => format!("{side} can no longer take the {role} on {is}"),
            false => format!("The {role} leaves {was}, where {side} could take it"),
        })
    }

    /// The squares that the move takes from the other king.
    pub fn squares_taken(&self) -> Option<String> {
        let [was, is] = [self.position, &self.next].map(|position| flight(position, !self.user));
        if is.count() >= was.count() {
            return None;
        }
        let left = match is.count() {
            0 => "no square is left".to_owned(),
            1 => format!("only {} is left", names(is)),
            count if count <= NAMED => format!("{} are left", names(is)),
            count => format!("{count} squares are left"),
        };
        let (side, taken) = (side(self.user), was & !is);
        let taken = match taken.count() {
            count if count <= NAMED => names(taken),
            count => format!("{count} squares"),
        };
        Some(format!("{side} takes {taken} from the {} king: {left}", !self.user))
    }

    /// The squares that the bare king can ever reach while the other pieces stay where they are and it takes
    /// none of them.
    fn area(&self) -> Option<String> {
        let [was, is] = [self.position, &self.next].map(|position| area(position, self.user));
        let (before, now) = (was.count(), is.count());
        // Less than an eighth of the area is no progress to speak of.
        if now > SHUT_IN || 8 * now > 7 * before {
            return None;
        }
        let to = self.m.to();
        let bare = self.next.board().king_of(!self.user)?;
        // Whether a file or rank becomes the border of the area.
        let cuts = |line: fn(Square) -> u32| {
            let behind = |square: Square| (line(bare) < line(to)) == (line(square) < line(to));
            let within = |square: Square| line(square) != line(to) && behind(square);
            line(bare) != line(to) && is.into_iter().all(within) && !was.into_iter().all(within)
        };
        let (role, king) = (self.name(to), format!("{} king", !self.user));
        let cut_off = match self.m.role() {
            Role::Rook | Role::Queen if cuts(|square| square.file() as u32) => {
                format!("The {role} cuts the {king} off on the {}-file: it", to.file().char())
            }
            Role::Rook | Role::Queen if cuts(|square| square.rank() as u32) => {
                format!("The {role} cuts the {king} off on rank {}: it", to.rank().char())
            }
            _ => format!("The {king}"),
        };
        Some(format!("{cut_off} is shut into an area of {now} squares ({before} before)"))
    }

    /// Where the bare king must go, or can no longer go.
    fn driven(&self) -> Option<String> {
        let bare = self.next.board().king_of(!self.user)?;
        let [could, can] = [self.position, &self.next].map(|position| flight(position, !self.user));
        let king = format!("The {} king", !self.user);
        if can.is_empty() {
            return None;
        }
        let all = |goes: &dyn Fn(Square) -> bool| can.into_iter().all(goes);
        let any = |goes: &dyn Fn(Square) -> bool| could.into_iter().any(goes);
        if let Some([mating, wrong]) = corners(self.next.board(), self.user) {
            let corner = nearest(mating, bare)?;
            let nearer = |square: Square| chebyshev(square, corner) < chebyshev(bare, corner);
            if all(&nearer) && !could.into_iter().all(nearer) {
                return Some(format!(
                    "{king} must go closer to {corner}, a corner of the bishop's colour"
                ));
            }
            let corner = nearest(wrong, bare)?;
            let away = chebyshev(bare, corner);
            let nearer = |square: Square| chebyshev(square, corner) < away;
            if (1..=NEAR).contains(&away) && any(&nearer) && !can.into_iter().any(nearer) {
                return Some(format!("{king} can no longer go closer to {corner}, a wrong corner"));
            }
        }
        let edge = edge_distance(bare);
        let outwards = |square: Square| edge_distance(square) < edge;
        if edge > 0 && all(&outwards) && !could.into_iter().all(outwards) {
            return Some(match edge {
                1 => format!("{king} must go to the edge"),
                _ => format!("{king} must go closer to the edge"),
            });
        }
        let inwards = |square: Square| edge_distance(square) > edge;
        (any(&inwards) && !can.into_iter().any(inwards)).then(|| match edge {
            0 => format!("{king} can no longer leave the edge"),
            _ => format!("{king} can no longer go towards the centre"),
        })
    }

    fn advance(&self) -> Option<String> {
        let is_pawn = self.m.role() == Role::Pawn && !self.m.is_promotion();
        let steps = promotion_distance(self.user, self.m.to());
        is_pawn.then(|| format!("The pawn is {} from promotion", counted(steps.into(), "move")))
    }

    fn king_nearer(&self) -> Option<String> {
        let other = self.next.board().king_of(!self.user)?;
        let (from, to) = (self.m.from()?, self.m.to());
        let (was, is) = (chebyshev(from, other), chebyshev(to, other));
        (self.m.role() == Role::King && is < was).then(|| {
            let side = side(self.user);
            format!("{side}'s king is 1 move closer to the {} king ({was} to {is})", !self.user)
        })
    }

    /// A knight comes nearer to the bare king, or two bishops stand side by side.
    fn piece_nearer(&self) -> Option<String> {
        let board = self.next.board();
        let (from, to, bare) = (self.m.from()?, self.m.to(), board.king_of(!self.user)?);
        match self.m.role() {
            Role::Knight => {
                let (was, is) = (knight_distance(from, bare), knight_distance(to, bare));
                (is < was).then(|| {
                    let moves = counted(is.into(), "move");
                    format!(
                        "The knight is closer to {bare}, where the {} king stands: {moves} instead of {was}",
                        !self.user
                    )
                })
            }
            Role::Bishop => {
                let other =
                    (board.bishops() & board.by_color(self.user)).without(to).single_square()?;
                let beside = |square| manhattan(square, other) == 1;
                (beside(to) && !beside(from)).then(|| {
                    "The bishops stand side by side and control neighbouring diagonals".to_owned()
                })
            }
            _ => None,
        }
    }

    /// The squares that the bare king could reach in two moves and now cannot.
    fn two_moves(&self) -> Option<String> {
        let [was, is] = [self.position, &self.next].map(|position| {
            layers(position, self.user)
                .take(3)
                .skip(1)
                .fold(Bitboard::EMPTY, |all, layer| all | layer)
        });
        let taken = was & !is;
        ((1..=NAMED).contains(&taken.count()) && is.is_subset(was)).then(|| {
            format!(
                "{} takes {}, which the {} king could reach in two moves",
                side(self.user),
                names(taken),
                !self.user
            )
        })
    }

    /// A move that only leaves the bare king the turn.
    fn waiting(&self) -> Option<String> {
        let bare = self.next.board().king_of(!self.user)?;
        let [was, is] = [self.position, &self.next].map(|position| flight(position, !self.user));
        (was == is && is.count() <= FORCED && !self.next.is_check()).then(|| {
            let either: Vec<String> = is.into_iter().map(|square| square.to_string()).collect();
            format!(
                "A waiting move: the {} king must leave {bare} and go to {}",
                !self.user,
                joined_by("or", &either)
            )
        })
    }

    fn name(&self, square: Square) -> &'static str {
        self.next.board().role_at(square).map_or("piece", noun)
    }

    /// As in `the rook on h1`, `White's king on f7`.
    fn piece(&self, square: Square) -> String {
        match self.next.board().piece_at(square) {
            Some(Piece { role: Role::King, color }) => {
                format!("{}'s king on {square}", side(color))
            }
            _ => format!("the {} on {square}", self.name(square)),
        }
    }
}

/// The squares to which the king of a side can move, if it is its turn.
fn flight(position: &Chess, side: Color) -> Bitboard {
    let context = EvalContext::new(position);
    let own = context.side(side);
    own.king_attacks & !context.closed_to_king(!side) & !own.all
}

/// The squares 0, 1, 2, ... moves away from the bare king while the pieces of the side that drives it stay where
/// they are.
fn layers(position: &Chess, driver: Color) -> Layers {
    let context = EvalContext::new(position);
    // A piece that can be taken is no gap in the wall: its side moves or protects it.
    let guarded = context.closed_to_king(driver) | context.side(driver).all;
    let terrain = Terrain { guarded, ..Terrain::EMPTY };
    Layers::new(Mover::King, context.side(!driver).king.into(), &terrain)
}

fn area(position: &Chess, driver: Color) -> Bitboard {
    layers(position, driver).fold(Bitboard::EMPTY, |all, layer| all | layer)
}

/// With a side's bishop and knight, the corners in which the bishop can mate and the others.
fn corners(board: &shakmaty::Board, driver: Color) -> Option<[Bitboard; 2]> {
    let bishop = (board.bishops() & board.by_color(driver)).single_square()?;
    let knight = (board.knights() & board.by_color(driver)).single_square();
    let is_ending = knight.is_some() && board.occupied().count() == 4;
    let corners = Bitboard::CORNERS;
    let mating = match bishop.is_light() {
        true => Bitboard::LIGHT_SQUARES,
        false => Bitboard::DARK_SQUARES,
    };
    is_ending.then_some([corners & mating, corners & !mating])
}

fn nearest(squares: Bitboard, from: Square) -> Option<Square> {
    squares.into_iter().min_by_key(|&square| chebyshev(from, square))
}

/// A sentence about a king that comes nearer to the nearest of some squares.
fn nearer_square(
    who: &str,
    what: &str,
    from: Square,
    to: Square,
    goals: Bitboard,
) -> Option<String> {
    let goal = nearest(goals, to)?;
    let (was, is) = (chebyshev(from, goal), chebyshev(to, goal));
    (is < was && is <= NEAR)
        .then(|| format!("{who} is 1 move closer to {goal}, {what} ({was} to {is})"))
}

#[cfg(test)]
mod tests {
    use super::super::words::tests::{mirrored, mirrored_move, mirrored_words};
    use super::*;
    use shakmaty::Color::{Black, White};
    use shakmaty::{Board, san::SanPlus};
    use std::collections::BTreeMap;
    use tropism::endgame::set_up;
    use tropism::random::SplitMix64;
    use tropism::search::Game;

    /// Squares to which a king can go, by shakmaty alone.
    fn free(board: &Board, side: Color) -> Bitboard {
        let king = board.king_of(side).unwrap();
        let occupied = board.occupied().without(king);
        let near = attacks::king_attacks(king) & !board.by_color(side);
        near.into_iter().filter(|&to| board.attacks_to(to, !side, occupied).is_empty()).collect()
    }

    /// Squares that a bare king reaches in so many moves, White's pieces standing still.
    fn reach(board: &Board, moves: usize) -> Bitboard {
        let king = board.king_of(Black).unwrap();
        let occupied = board.occupied().without(king);
        let mut reached = Bitboard::from_square(king);
        for _ in 0..moves {
            for from in reached {
                let open = |to: &Square| board.attacks_to(*to, White, occupied).is_empty();
                let near = attacks::king_attacks(from) & !board.white();
                let to: Bitboard = near.into_iter().filter(open).collect();
                reached |= to;
            }
        }
        reached
    }

    fn squares(text: &str) -> Bitboard {
        let words = text.split(|c: char| !c.is_ascii_alphanumeric());
        words.filter_map(|word| word.parse::<Square>().ok()).collect()
    }

    fn numbers(text: &str) -> Vec<u32> {
        let words = text.split(|c: char| !c.is_ascii_alphanumeric());
        words.filter_map(|word| word.parse().ok()).collect()
    }

    fn steps(a: Square, b: Square) -> u32 {
        let files = (a.file() as u32).abs_diff(b.file() as u32);
        files.max((a.rank() as u32).abs_diff(b.rank() as u32))
    }

    fn from_edge(square: Square) -> u32 {
        let (file, rank) = (square.file() as u32, square.rank() as u32);
        file.min(7 - file).min(rank).min(7 - rank)
    }

    fn is_corner_of_the_bishop(board: &Board, corner: Square) -> bool {
        let bishop = board.bishops().single_square().unwrap();
        assert!(Bitboard::CORNERS.contains(corner));
        (corner.file() as u32 + corner.rank() as u32) % 2
            == (bishop.file() as u32 + bishop.rank() as u32) % 2
    }

    /// Checks a sentence with the rules of chess and plain arithmetic; gives its kind.
    fn check(text: &str, before: &Chess, m: Move) -> &'static str {
        let next = after(before, m);
        let (old, new, user) = (before.board(), next.board(), before.turn());
        let [bare_was, bare] = [old, new].map(|board| board.king_of(!user).unwrap());
        let (from, to) = (m.from().unwrap(), m.to());
        let [could, can] = [old, new].map(|board| free(board, !user));
        let numbers = numbers(text);
        if let Some(rest) = text.strip_prefix("Mate: ") {
            assert!(next.is_checkmate(), "{text}");
            assert_eq!(squares(rest), next.checkers().with(bare), "{text}");
            "mate"
        } else if text.contains("; ") || text.contains(" takes ") && next.is_checkmate() {
            // Every square around the king is named once, by a piece that attacks it.
            let mut named = Bitboard::EMPTY;
            for part in text.split("; ") {
                let (who, what) = part.split_once(" takes ").unwrap();
                let by = squares(who).single_square().unwrap();
                for square in squares(what) {
                    assert!(!named.contains(square), "{text}");
                    named = named.with(square);
                    let occupied = new.occupied().without(bare);
                    assert!(new.attacks_to(square, user, occupied).contains(by), "{text}");
                }
            }
            assert_eq!(named, attacks::king_attacks(bare) & !new.by_color(!user), "{text}");
            "squares of a mate"
        } else if let Some((taken, left)) = text.split_once(" king: ") {
            let (gone, left) = (squares(taken), squares(left));
            match numbers.is_empty() {
                true => assert!(gone == could & !can || left == can, "{text}"),
                false => assert!(
                    numbers.iter().any(|&count| count as usize == can.count())
                        || numbers.iter().any(|&count| count as usize == (could & !can).count())
                ),
            }
            assert!(gone.is_empty() || gone == could & !can, "{text}");
            assert!(left.is_empty() || left == can, "{text}");
            assert!(can.count() < could.count() && next.turn() == !user, "{text}");
            "squares"
        } else if text.contains("area of") {
            let [was, is] = [old, new].map(|board| reach(board, 64));
            let [.., now, then] = numbers[..] else { panic!("{text}") };
            assert_eq!((now as usize, then as usize), (is.count(), was.count()), "{text}");
            assert!(now < then, "{text}");
            if let Some((_, line)) = text.split_once("off on ") {
                let coordinate = |square: Square| match line.starts_with("the ") {
                    true => square.file() as u32,
                    false => square.rank() as u32,
                };
                let name = [to.file().char(), to.rank().char()];
                let named = line.trim_start_matches("the ").trim_start_matches("rank ");
                assert!(name.contains(&named.chars().next().unwrap()), "{text}");
                let border = coordinate(to).cmp(&coordinate(bare));
                assert!(is.into_iter().all(|it| coordinate(to).cmp(&coordinate(it)) == border));
                return "cut off";
            }
            "area"
        } else if text.contains("corner of the bishop") {
            let corner = squares(text).single_square().unwrap();
            assert!(is_corner_of_the_bishop(new, corner), "{text}");
            assert!(can.into_iter().all(|it| steps(it, corner) < steps(bare, corner)), "{text}");
            "to the corner"
        } else if text.contains("can no longer go closer") {
            let corner = squares(text).single_square().unwrap();
            assert!(!is_corner_of_the_bishop(new, corner), "{text}");
            assert!(can.into_iter().all(|it| steps(it, corner) >= steps(bare, corner)), "{text}");
            assert!(could.into_iter().any(|it| steps(it, corner) < steps(bare, corner)), "{text}");
            "from the wrong corner"
        } else if text.contains(", a wrong corner (") {
            let corner = squares(text).single_square().unwrap();
            assert!(!is_corner_of_the_bishop(new, corner), "{text}");
            assert_eq!(numbers[1..], [steps(from, corner), steps(to, corner)], "{text}");
            "to the wrong corner"
        } else if text.contains("must go to the edge") {
            assert!(from_edge(bare) == 1 && can.into_iter().all(|it| from_edge(it) == 0));
            "to the edge"
        } else if text.contains("must go closer to the edge") {
            assert!(can.into_iter().all(|it| from_edge(it) < from_edge(bare)), "{text}");
            "towards the edge"
        } else if text.contains("can no longer") && text.starts_with("The black king") {
            assert_eq!(text.contains("edge"), from_edge(bare) == 0, "{text}");
            assert!(could.into_iter().any(|it| from_edge(it) > from_edge(bare)), "{text}");
            assert!(can.into_iter().all(|it| from_edge(it) <= from_edge(bare)), "{text}");
            "kept outside"
        } else if text.contains("could reach in two moves") {
            let [was, is] = [old, new].map(|board| reach(board, 2));
            assert_eq!(squares(text), was & !is, "{text}");
            "two moves"
        } else if text.starts_with("A waiting move") {
            let named = squares(text);
            assert_eq!(named, can.with(bare), "{text}");
            assert!(could == can && can.count() < 4 && !next.is_check(), "{text}");
            "waiting"
        } else if text.contains("The knight is closer") {
            // A plain search over knight moves.
            let moves = |from: Square| {
                let mut reached = Bitboard::from_square(from);
                let grow = |set: Bitboard| {
                    set.into_iter().fold(set, |all, it| all | attacks::knight_attacks(it))
                };
                let mut count = 0;
                while !reached.contains(bare) {
                    reached = grow(reached);
                    count += 1;
                }
                count
            };
            assert_eq!(numbers, [moves(to), moves(from)], "{text}");
            assert!(moves(to) < moves(from) && squares(text).contains(bare), "{text}");
            "knight"
        } else if text.contains("side by side") {
            let [one, other] = [to, new.bishops().without(to).single_square().unwrap()];
            let files = (one.file() as u32).abs_diff(other.file() as u32);
            assert_eq!(files + (one.rank() as u32).abs_diff(other.rank() as u32), 1, "{text}");
            "bishops"
        } else if text.contains("closer to the") {
            assert_eq!(numbers[1..], [steps(from, bare), steps(to, bare)], "{text}");
            assert!(steps(to, bare) < steps(from, bare) && m.role() == Role::King, "{text}");
            "king"
        } else if text.contains("farther from White's king") {
            assert_eq!(numbers[1..], [steps(from, bare_was), steps(to, bare)], "{text}");
            assert!(numbers[1] < numbers[2], "{text}");
            "away"
        } else if text.contains("leaves the edge") || text.contains("towards the centre") {
            assert!(from_edge(from) < from_edge(to), "{text}");
            assert_eq!(text.contains("leaves"), from_edge(from) == 0, "{text}");
            "to the centre"
        } else if text.starts_with("On ") {
            let count = free(new, Black).count();
            assert_eq!(numbers, [count as u32], "{text}");
            let others = before.legal_moves().into_iter().filter(|&other| other != m);
            let others = others.map(|m| free(after(before, m).board(), Black).count());
            assert!(others.max().is_none_or(|most| most < count), "{text}");
            "most squares"
        } else if text.contains(" attacks ") {
            let (who, what) = text.split_once(" attacks ").unwrap();
            assert!(who.starts_with("Black's king") || squares(who).contains(to), "{text}");
            assert_eq!(what.contains("the king"), new.attacks_from(to).contains(bare), "{text}");
            for target in squares(what) {
                assert!(new.attacks_from(to).contains(target), "{text}");
                let occupied = new.occupied().without(to);
                assert!(new.attacks_to(target, !user, occupied).is_empty(), "{text}");
            }
            "attack"
        } else if text.contains("leaves ") || text.contains("can no longer take") {
            let is_gone = text.contains("leaves ");
            let was = squares(text).single_square().unwrap();
            assert_eq!(is_gone, was == from, "{text}");
            assert!(old.attacks_to(was, !user, old.occupied()).any(), "{text}");
            assert!(old.attacks_to(was, user, old.occupied()).is_empty(), "{text}");
            let is = if is_gone { to } else { was };
            assert!(next.legal_moves().iter().all(|reply| reply.to() != is), "{text}");
            "saved"
        } else if let Some(role) = text.strip_prefix("The pawn becomes a ") {
            assert_eq!(m.promotion().map(noun), Some(role), "{text}");
            "promotion"
        } else if text.contains("from promotion") {
            assert_eq!(numbers, [7 - to.rank() as u32], "{text}");
            assert_eq!(m.role(), Role::Pawn, "{text}");
            "advance"
        } else if text.contains(" takes the ") {
            assert_eq!(squares(text).single_square(), m.is_capture().then_some(to), "{text}");
            "capture"
        } else {
            panic!("unknown: {text}")
        }
    }

    /// Random legal positions of some pieces, with White and with Black to move.
    fn positions(pieces: &str, random: &mut SplitMix64) -> Vec<Chess> {
        let pieces = pieces.chars().filter_map(Piece::from_char);
        let mut board = Board::empty();
        for piece in pieces {
            if let Some(square) = Square::ALL.get(random.below(64)) {
                board.set_piece_at(*square, piece);
            }
        }
        Color::ALL.into_iter().filter_map(|turn| set_up(board.clone(), turn)).collect()
    }

    /// Every sentence about every move, good or bad, in random positions of each ending.
    #[test]
    fn every_sentence_is_true() {
        let mut random = SplitMix64(1);
        let mut seen = BTreeMap::<&str, u32>::new();
        for pieces in ["KQk", "KRk", "KBBk", "KBNk", "KRPk", "KQkr"] {
            for position in (0..1000).flat_map(|_| positions(pieces, &mut random)) {
                // Hints are for positions that White wins: the pieces are all there.
                if position.board().occupied().count() < pieces.len() {
                    continue;
                }
                for m in position.legal_moves() {
                    let played = Played::new(&position, m);
                    let reasons = played.reasons();
                    let says_mate = reasons.iter().any(|reason| reason.starts_with("Mate: "));
                    assert_eq!(says_mate, played.next.is_checkmate());
                    for reason in reasons {
                        assert!(reason.starts_with(char::is_uppercase), "{reason}");
                        *seen.entry(check(&reason, &position, m)).or_default() += 1;
                    }
                }
            }
        }
        assert_eq!(seen.len(), 24, "{seen:?}");
    }

    /// With colours exchanged, the sentences are the same but for sides and ranks.
    #[test]
    fn black_hears_what_white_hears() {
        let mut random = SplitMix64(2);
        for pieces in ["KQk", "KRk", "KRPk", "KQkr"] {
            for position in (0..300).flat_map(|_| positions(pieces, &mut random)) {
                for m in position.legal_moves() {
                    let reasons = Played::new(&position, m).reasons().join(" ");
                    let (mirror, other) = (mirrored(&position), mirrored_move(&position, m));
                    let others = Played::new(&mirror, other).reasons().join(" ");
                    let expected = mirrored_words(&reasons, true);
                    assert_eq!(mirrored_words(&others, false), expected, "{reasons} / {others}");
                }
            }
        }
    }

    fn reasons(fen: &str, san: &str) -> Vec<String> {
        let game = Game::from_fen(fen, None).unwrap();
        let position = game.position().chess();
        let m = san.parse::<SanPlus>().unwrap().san.to_move(position).unwrap();
        Played::new(position, m).reasons()
    }

    #[test]
    fn the_most_important_reason_comes_first() {
        for (fen, san, expected) in [
            (
                "7k/5K2/8/8/8/8/8/R7 w - - 0 1",
                "Rh1",
                &[
                    "Mate: the rook on h1 attacks the king on h8, which has no square left",
                    "The rook on h1 takes h7; White's king on f7 takes g7 and g8",
                ][..],
            ),
            (
                "8/8/8/8/4Q3/2K5/8/3k4 w - - 0 1",
                "Qe5",
                &["A waiting move: the black king must leave d1 and go to c1"],
            ),
            (
                "8/8/8/8/8/8/8/1k1K1R2 w - - 0 1",
                "Rf2",
                &[
                    "White takes a2 and b2 from the black king: only a1 is left",
                    "The rook cuts the black king off on rank 2: it is shut into an area of 2 squares (34 before)",
                    "The black king can no longer leave the edge",
                ],
            ),
        ] {
            assert_eq!(reasons(fen, san), expected, "{fen}");
        }
    }
}
