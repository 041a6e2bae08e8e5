//! What is good about a move, as a teacher says it: which squares it takes from the other king, where that
//! king must go, which piece comes nearer.

use super::words::{closer, either, king_of, moves, names};
use crate::exercise::after;
use crate::motifs::Step;
use shakmaty::{Bitboard, Board, Chess, Color, Move, Position, Role, Square, attacks};
use std::ops::RangeInclusive;
use tropism::eval::{EvalContext, the_piece};
use tropism::geometry::{
    Layers, Mover, Terrain, chebyshev, edge_distance, knight_distance, manhattan,
    promotion_distance,
};
use tropism::text::{capitalized, counted, joined, noun, side_name};

/// A king with more squares than this in its reach is not shut in.
const SHUT_IN: usize = 32;

/// How near a wrong corner the bare king must be for the corner to matter.
const NEAR: u32 = 3;

/// The most squares that a sentence names.
const NAMED: usize = 4;

/// The most squares of a bare king that a waiting move leaves it to choose from.
const FORCED: usize = 3;

/// What is good about a move of an ending.
impl Step {
    /// The most important first, without full stops. Empty if nothing that can be said in general is good
    /// about the move.
    pub fn reasons(&self) -> Vec<String> {
        if self.after.is_checkmate() {
            return self.mate();
        }
        if let Some(taken) = self.m.capture() {
            let (piece, taken) = (noun(self.m.role()), noun(taken));
            return vec![format!("The {piece} takes the {taken} on {}", self.to())];
        }
        let is_bare = |side| self.board().by_color(side).count() == 1;
        let particular = if is_bare(!self.side()) {
            vec![
                self.saved(),
                self.squares_taken(),
                self.area(),
                self.driven(),
                self.advance(),
                self.king_nearer(),
                self.piece_nearer(),
            ]
        } else if is_bare(self.side()) {
            self.of_a_bare_king()
        } else {
            vec![self.attack(), self.saved(), self.squares_taken(), self.king_nearer()]
        };
        let promotion = self.m.promotion().map(|it| format!("The pawn becomes a {}", noun(it)));
        let mut reasons: Vec<String> =
            promotion.into_iter().chain(particular.into_iter().flatten()).collect();
        if reasons.is_empty() && is_bare(!self.side()) {
            reasons.extend(self.two_moves().or_else(|| self.waiting()));
        }
        reasons
    }

    fn of_a_bare_king(&self) -> Vec<Option<String>> {
        let (board, own) = (self.board(), king_of(self.side()));
        let (from, to) = (self.from(), self.to());
        let hanging = flight(&self.after, self.side()) & board.by_color(!self.side());
        let attack = hanging.any().then(|| {
            let pieces: Vec<String> = hanging.into_iter().map(|it| self.piece(it)).collect();
            format!("{own} attacks {}, which nothing protects", joined(&pieces))
        });
        let wrong = corners(board, !self.side()).and_then(|[_, wrong]| nearest(wrong, to));
        let wrong = wrong.filter(|&corner| chebyshev(to, corner) <= NEAR).and_then(|corner| {
            let goal = format!("{corner}, a wrong corner");
            closer(&own, chebyshev(from, corner), chebyshev(to, corner), &goal)
        });
        let inwards = match (edge_distance(from), edge_distance(to)) {
            (0, 1..) => Some(format!("{own} leaves the edge")),
            (was, is) if is > was => Some(format!("{own} goes towards the centre")),
            _ => None,
        };
        let farther = board.king_of(!self.side()).and_then(|king| {
            let (was, is) = (chebyshev(from, king), chebyshev(to, king));
            let other = king_of(!self.side());
            (is > was).then(|| format!("{own} is 1 move farther from {other} ({was} to {is})"))
        });
        vec![attack, wrong, inwards, self.most_squares(), farther]
    }

    /// The bare king goes where it has more squares next than after any other move.
    fn most_squares(&self) -> Option<String> {
        let squares = |m: Move| flight(&after(&self.before, m), self.side()).count();
        let others = self.before.legal_moves().into_iter().filter(|&m| m != self.m);
        let free = squares(self.m);
        (free > others.map(squares).max().unwrap_or(0)).then(|| {
            let (to, free) = (self.to(), counted(free as u64, "square"));
            format!(
                "On {to} the {} king has {free} to go to, more than on any other square",
                self.side()
            )
        })
    }

    /// Who gives mate, and which squares around the king are taken.
    fn mate(&self) -> Vec<String> {
        let board = self.board();
        let Some(king) = board.king_of(!self.side()) else { return Vec::new() };
        let checkers = self.after.checkers();
        let verb = if checkers.more_than_one() { "attack" } else { "attacks" };
        let who: Vec<String> = checkers.into_iter().map(|square| self.piece(square)).collect();
        let who = joined(&who);
        let mate = format!("Mate: {who} {verb} the king on {king}, which has no square left");
        // The piece that gives mate first. A square that two pieces take is named once.
        let mut left = attacks::king_attacks(king) & !board.by_color(!self.side());
        let others = board.by_color(self.side()) & !checkers;
        let mut takers = Vec::new();
        for square in checkers.into_iter().chain(others) {
            let Some(piece) = board.piece_at(square) else { continue };
            let taken = attacks::attacks(square, piece, board.occupied().without(king)) & left;
            left &= !taken;
            if taken.any() {
                takers.push(format!("{} takes {}", self.piece(square), names(taken)));
            }
        }
        let takers = (!takers.is_empty()).then(|| capitalized(&takers.join("; ")));
        [mate].into_iter().chain(takers).collect()
    }

    /// The pieces that the moved piece attacks, if the king or an unprotected piece is one of them.
    fn attack(&self) -> Option<String> {
        let (board, to) = (self.board(), self.to());
        let targets = board.attacks_from(to) & board.by_color(!self.side()) & !board.pawns();
        let occupied = board.occupied().without(to);
        let hangs = |&square: &Square| board.attacks_to(square, !self.side(), occupied).is_empty();
        let pieces = (targets & !board.kings()).into_iter().filter(hangs);
        let pieces = pieces.map(|it| format!("{}, which nothing protects", self.piece(it)));
        let king = (targets & board.kings()).any().then(|| "the king".to_owned());
        let names: Vec<String> = king.into_iter().chain(pieces).collect();
        let who = capitalized(&self.piece(to));
        (!names.is_empty()).then(|| format!("{who} attacks {}", joined(&names)))
    }

    /// The most valuable piece that could be taken for nothing before the move and not after it.
    fn saved(&self) -> Option<String> {
        let board = self.before.board();
        let replies = self.after.legal_moves();
        let now = |was| if self.from() == was { self.to() } else { was };
        let is_taken = |is| replies.iter().any(|reply| reply.is_capture() && reply.to() == is);
        let pieces = (board.by_color(self.side()) & !board.kings()).into_iter();
        let saved = pieces.filter(|&was| hangs(board, was) && !is_taken(now(was)));
        let was = saved.max_by_key(|&was| board.role_at(was))?;
        let (is, side, role) = (now(was), side_name(!self.side()), self.name(now(was)));
        Some(match is == was {
            true => format!("{side} can no longer take the {role} on {is}"),
            false => format!("The {role} leaves {was}, where {side} could take it"),
        })
    }

    /// The squares to which the other king could move before the move, and can after it.
    fn flights(&self) -> [Bitboard; 2] {
        [&self.before, &self.after].map(|position| flight(position, !self.side()))
    }

    /// The squares that the move takes from the other king.
    pub fn squares_taken(&self) -> Option<String> {
        let [was, is] = self.flights();
        if is.count() >= was.count() {
            return None;
        }
        let named = |squares: Bitboard| match squares.count() {
            count if count <= NAMED => names(squares),
            count => format!("{count} squares"),
        };
        let left = match is.count() {
            0 => "no square is left".to_owned(),
            1 => format!("only {} is left", names(is)),
            _ => format!("{} are left", named(is)),
        };
        let (side, taken) = (side_name(self.side()), named(was & !is));
        Some(format!("{side} takes {taken} from the {} king: {left}", !self.side()))
    }

    /// The squares that the bare king can ever reach while the other pieces stay where they are and it takes
    /// none of them.
    fn area(&self) -> Option<String> {
        let [was, is] = self.reach(0..=64);
        let (before, now) = (was.count(), is.count());
        // Less than an eighth of the area is no progress to speak of.
        if now > SHUT_IN || 8 * now > 7 * before {
            return None;
        }
        let to = self.to();
        let bare = self.board().king_of(!self.side())?;
        // Whether a file or rank becomes the border of the area.
        let cuts = |line: fn(Square) -> u32| {
            let border = line(bare).cmp(&line(to));
            let is_behind = |area: Bitboard| {
                area.into_iter().all(|square| line(square).cmp(&line(to)) == border)
            };
            border.is_ne() && is_behind(is) && !is_behind(was)
        };
        let border = match self.m.role() {
            Role::Rook | Role::Queen if cuts(|square| square.file() as u32) => {
                Some(format!("the {}-file", to.file().char()))
            }
            Role::Rook | Role::Queen if cuts(|square| square.rank() as u32) => {
                Some(format!("rank {}", to.rank().char()))
            }
            _ => None,
        };
        let (role, king) = (self.name(to), format!("{} king", !self.side()));
        let who = border.map_or(format!("The {king}"), |border| {
            format!("The {role} cuts the {king} off on {border}: it")
        });
        Some(format!("{who} is shut into an area of {now} squares ({before} before)"))
    }

    /// Where the bare king must go, or can no longer go.
    fn driven(&self) -> Option<String> {
        let bare = self.board().king_of(!self.side())?;
        let [could, can] = self.flights();
        if can.is_empty() {
            return None;
        }
        let king = format!("The {} king", !self.side());
        let must = |goes: &dyn Fn(Square) -> bool| {
            can.into_iter().all(goes) && !could.into_iter().all(goes)
        };
        let no_longer = |goes: &dyn Fn(Square) -> bool| {
            could.into_iter().any(goes) && !can.into_iter().any(goes)
        };
        if let Some([mating, wrong]) = corners(self.board(), self.side()) {
            let [mating, wrong] = [nearest(mating, bare)?, nearest(wrong, bare)?];
            let goes_to =
                |corner: Square| move |it: Square| chebyshev(it, corner) < chebyshev(bare, corner);
            if must(&goes_to(mating)) {
                return Some(format!(
                    "{king} must go closer to {mating}, a corner of the bishop's colour"
                ));
            }
            if chebyshev(bare, wrong) <= NEAR && no_longer(&goes_to(wrong)) {
                return Some(format!("{king} can no longer go closer to {wrong}, a wrong corner"));
            }
        }
        let edge = edge_distance(bare);
        if must(&|square| edge_distance(square) < edge) {
            let to = if edge == 1 { "to the edge" } else { "closer to the edge" };
            return Some(format!("{king} must go {to}"));
        }
        no_longer(&|square| edge_distance(square) > edge).then(|| match edge {
            0 => format!("{king} can no longer leave the edge"),
            _ => format!("{king} can no longer go towards the centre"),
        })
    }

    fn advance(&self) -> Option<String> {
        let is_pawn = self.m.role() == Role::Pawn && !self.m.is_promotion();
        let steps = promotion_distance(self.side(), self.to());
        is_pawn.then(|| format!("The pawn is {} from promotion", moves(steps)))
    }

    fn king_nearer(&self) -> Option<String> {
        let other = self.board().king_of(!self.side())?;
        let [was, is] = [self.from(), self.to()].map(|square| chebyshev(square, other));
        let goal = format!("the {} king", !self.side());
        closer(&king_of(self.side()), was, is, &goal).filter(|_| self.m.role() == Role::King)
    }

    /// A knight comes nearer to the bare king, or two bishops stand side by side.
    fn piece_nearer(&self) -> Option<String> {
        let board = self.board();
        let (from, to, bare) = (self.from(), self.to(), board.king_of(!self.side())?);
        match self.m.role() {
            Role::Knight => {
                let (was, is) = (knight_distance(from, bare), knight_distance(to, bare));
                let king = format!("{bare}, where the {} king stands", !self.side());
                (is < was).then(|| {
                    format!("The knight is closer to {king}: {} instead of {was}", moves(is))
                })
            }
            Role::Bishop => {
                let other =
                    (board.bishops() & board.by_color(self.side())).without(to).single_square()?;
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
        let [was, is] = self.reach(1..=2);
        let taken = was & !is;
        let is_told = (1..=NAMED).contains(&taken.count()) && is.is_subset(was);
        let (side, taken, bare) = (side_name(self.side()), names(taken), !self.side());
        is_told.then(|| {
            format!("{side} takes {taken}, which the {bare} king could reach in two moves")
        })
    }

    /// A move that only leaves the bare king the turn.
    fn waiting(&self) -> Option<String> {
        let bare = self.board().king_of(!self.side())?;
        let [was, is] = self.flights();
        (was == is && is.count() <= FORCED && !self.after.is_check()).then(|| {
            let (king, squares) = (!self.side(), either(is));
            format!("A waiting move: the {king} king must leave {bare} and go to {squares}")
        })
    }

    /// The squares that the bare king reaches in so many moves while the other pieces stay where they are, before the
    /// move and after it.
    fn reach(&self, moves: RangeInclusive<usize>) -> [Bitboard; 2] {
        [&self.before, &self.after].map(|position| {
            let context = EvalContext::new(position);
            // A piece that can be taken is no gap in the wall: its side moves or protects it.
            let guarded = context.closed_to_king(self.side()) | context.side(self.side()).all;
            let terrain = Terrain { guarded, ..Terrain::EMPTY };
            let king = context.side(!self.side()).king;
            let layers = (0..).zip(Layers::new(Mover::King, king.into(), &terrain));
            let reached = layers.filter(|(after, _)| moves.contains(after));
            reached.fold(Bitboard::EMPTY, |all, (_, layer)| all | layer)
        })
    }

    fn name(&self, square: Square) -> &'static str {
        self.board().role_at(square).map_or("piece", noun)
    }

    /// As in `the rook on h1`, `White's king on f7`.
    fn piece(&self, square: Square) -> String {
        match self.board().piece_at(square) {
            Some(piece) if piece.role == Role::King => {
                format!("{} on {square}", king_of(piece.color))
            }
            Some(piece) => the_piece(piece.role, square),
            None => square.to_string(),
        }
    }
}

/// The squares to which the king of a side can move, if it is its turn.
pub fn flight(position: &Chess, side: Color) -> Bitboard {
    let context = EvalContext::new(position);
    let own = context.side(side);
    own.king_attacks & !context.closed_to_king(!side) & !own.all
}

/// Whether the piece on a square is attacked and nothing protects it.
pub fn hangs(board: &Board, square: Square) -> bool {
    let attackers = |side| board.attacks_to(square, side, board.occupied());
    board.color_at(square).is_some_and(|own| attackers(!own).any() && attackers(own).is_empty())
}

/// With a side's bishop and knight, the corners in which the bishop can mate and the others.
fn corners(board: &Board, driver: Color) -> Option<[Bitboard; 2]> {
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

#[cfg(test)]
mod tests {
    use super::super::tests::{
        Claim, Facts, Said, check_mirrored, checked, from_edge, is_loose, offset, positions, steps,
    };
    use super::*;
    use crate::notation::read_move;
    use shakmaty::Color::{Black, White};
    use std::collections::BTreeSet;
    use tropism::notation::read_fen;

    /// Where the other side's king could go before the move and can go after it.
    fn flights(it: &Facts) -> [Bitboard; 2] {
        [&it.before, &it.next].map(|position| free(position.board(), !it.own))
    }

    /// Whether the other side's king could or can go to some square that `is_there`.
    fn could_and_can(it: &Facts, is_there: impl Fn(Square) -> bool) -> [bool; 2] {
        flights(it).map(|squares| squares.into_iter().any(&is_there))
    }

    /// Whether the other side's king goes only where `is_there`.
    fn must(it: &Facts, is_there: impl Fn(Square) -> bool) -> bool {
        flights(it)[1].into_iter().all(is_there)
    }

    /// Whether the other side's king goes closer to a corner by a move to a square.
    fn nears(it: &Facts, corner: Square) -> impl Fn(Square) -> bool {
        move |square| steps(square, corner) < steps(it.other, corner)
    }

    fn reached(it: &Facts, moves: usize) -> [Bitboard; 2] {
        [&it.before, &it.next].map(|position| reach(position.board(), moves))
    }

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
        let open = |to: &Square| board.attacks_to(*to, White, occupied).is_empty();
        (0..moves).fold(king.into(), |reached, _| {
            let next = |from: Square| attacks::king_attacks(from) & !board.white();
            let near = reached.into_iter().flat_map(next).filter(open).collect::<Bitboard>();
            reached | near
        })
    }

    /// The moves of a knight to a square, by a plain search.
    fn knight_moves(from: Square, to: Square) -> u32 {
        let grow =
            |set: Bitboard| set.into_iter().fold(set, |all, it| all | attacks::knight_attacks(it));
        let sets = std::iter::successors(Some(Bitboard::from_square(from)), |&set| Some(grow(set)));
        (0..).zip(sets).find(|(_, set)| set.contains(to)).unwrap().0
    }

    fn is_corner_of_the_bishop(it: &Facts, corner: Square) -> bool {
        let bishop = it.next.board().bishops().single_square().unwrap();
        assert!(Bitboard::CORNERS.contains(corner));
        corner.is_light() == bishop.is_light()
    }

    fn area(it: &Facts, said: &Said) -> bool {
        let [was, is] = reached(it, 64).map(|area| area.count() as u32);
        said.pair() == [is, was] && is < was
    }

    fn cut_off(it: &Facts, said: &Said) -> bool {
        let (_, line) = said.text.split_once("off on ").unwrap();
        let by_file = line.starts_with("the ");
        let coordinate =
            |square: Square| if by_file { square.file() as u32 } else { square.rank() as u32 };
        let name = if by_file { it.to.file().char() } else { it.to.rank().char() };
        let is_named = line.starts_with(&format!("the {name}-file"))
            || line.starts_with(&format!("rank {name}"));
        let border = coordinate(it.to).cmp(&coordinate(it.other));
        let is_behind = |square| coordinate(it.to).cmp(&coordinate(square)) == border;
        is_named && reached(it, 64)[1].into_iter().all(is_behind) && area(it, said)
    }

    fn squares_taken(it: &Facts, said: &Said) -> bool {
        let [gone, left] = said.squares_around(" king: ");
        let [could, can] = flights(it);
        let taken = could & !can;
        let is_count = |&count: &u32| [can, taken].iter().any(|set| set.count() == count as usize);
        let is_named = match said.numbers.is_empty() {
            true => gone == taken || left == can,
            false => said.numbers.iter().any(is_count),
        };
        let is_all = (gone.is_empty() || gone == taken) && (left.is_empty() || left == can);
        is_named && is_all && can.count() < could.count() && it.next.turn() == !it.own
    }

    /// Every square around the king is named once, by a piece that attacks it.
    fn squares_of_a_mate(it: &Facts, said: &Said) -> bool {
        let board = it.next.board();
        let occupied = board.occupied().without(it.other);
        let named = said.text.split("; ").flat_map(|part| {
            let [who, what] = Said::new(part).squares_around(" takes ");
            let by = who.single_square().unwrap();
            let attackers = |square| board.attacks_to(square, it.own, occupied);
            assert!(what.into_iter().all(|square| attackers(square).contains(by)), "{part}");
            what
        });
        let named: Vec<Square> = named.collect();
        let around = attacks::king_attacks(it.other) & !board.by_color(!it.own);
        let all: Bitboard = named.iter().copied().collect();
        it.next.is_checkmate() && all == around && named.len() == around.count()
    }

    fn attack(it: &Facts, said: &Said) -> bool {
        let (board, occupied) = (it.next.board(), it.next.board().occupied().without(it.to));
        let [who, targets] = said.squares_around(" attacks ");
        let is_loose = |target| {
            board.attacks_from(it.to).contains(target)
                && board.attacks_to(target, !it.own, occupied).is_empty()
        };
        let names_king = said.text.contains("attacks the king");
        (said.text.starts_with("Black's king") || who.contains(it.to))
            && names_king == board.attacks_from(it.to).contains(it.other)
            && targets.into_iter().all(is_loose)
    }

    /// A piece that hung is safe, on its square or on another.
    fn saved(it: &Facts, was: Square, is: Square) -> bool {
        is_loose(&it.before, was, it.own)
            && it.next.legal_moves().iter().all(|reply| reply.to() != is)
    }

    /// What a sentence with some words claims.
    const CLAIMS: &[Claim<Facts>] = &[
        ("Mate: ", |it, said| {
            it.next.is_checkmate() && said.squares == it.next.checkers().with(it.other)
        }),
        (" king: ", squares_taken),
        ("off on ", cut_off),
        ("area of", area),
        ("corner of the bishop", |it, said| {
            is_corner_of_the_bishop(it, said.square()) && must(it, nears(it, said.square()))
        }),
        ("king can no longer go closer", |it, said| {
            !is_corner_of_the_bishop(it, said.square())
                && could_and_can(it, nears(it, said.square())) == [true, false]
        }),
        (", a wrong corner (", |it, said| {
            !is_corner_of_the_bishop(it, said.square())
                && said.pair() == [it.from, it.to].map(|square| steps(square, said.square()))
        }),
        ("must go to the edge", |it, _| {
            from_edge(it.other) == 1 && must(it, |square| from_edge(square) == 0)
        }),
        ("must go closer to the edge", |it, _| {
            must(it, |square| from_edge(square) < from_edge(it.other))
        }),
        ("king can no longer", |it, said| {
            let goes_inwards = |square| from_edge(square) > from_edge(it.other);
            said.text.contains("edge") == (from_edge(it.other) == 0)
                && could_and_can(it, goes_inwards) == [true, false]
        }),
        ("could reach in two moves", |it, said| {
            let [was, is] = reached(it, 2);
            said.squares == was & !is
        }),
        ("A waiting move", |it, said| {
            let [could, can] = flights(it);
            said.squares == can.with(it.other)
                && could == can
                && can.count() < 4
                && !it.next.is_check()
        }),
        ("The knight is closer", |it, said| {
            let moves = [it.to, it.from].map(|square| knight_moves(square, it.other));
            said.numbers == moves && moves[0] < moves[1] && said.squares.contains(it.other)
        }),
        ("side by side", |it, _| {
            let other = it.next.board().bishops().without(it.to).single_square().unwrap();
            offset(it.to, other).iter().sum::<u32>() == 1
        }),
        ("closer to the", |it, said| {
            let distances = [it.from, it.to].map(|square| steps(square, it.other));
            said.pair() == distances && distances[1] < distances[0] && it.m.role() == Role::King
        }),
        ("farther from White's king", |it, said| {
            let distances = [it.from, it.to].map(|square| steps(square, it.other));
            said.pair() == distances && distances[0] < distances[1]
        }),
        ("leaves the edge", |it, _| from_edge(it.from) == 0 && from_edge(it.to) > 0),
        ("goes towards the centre", |it, _| {
            from_edge(it.from) > 0 && from_edge(it.to) > from_edge(it.from)
        }),
        ("more than on any other", |it, said| {
            let count = |m| free(after(&it.before, m).board(), Black).count() as u32;
            let others = it.before.legal_moves().into_iter().filter(|&other| other != it.m);
            said.numbers == [count(it.m)] && others.map(count).all(|other| other < count(it.m))
        }),
        (" attacks ", attack),
        ("leaves ", |it, said| said.square() == it.from && saved(it, it.from, it.to)),
        ("can no longer take", |it, said| {
            said.square() != it.from && saved(it, said.square(), said.square())
        }),
        ("The pawn becomes a ", |it, said| {
            it.m.promotion().is_some_and(|role| said.text.ends_with(noun(role)))
        }),
        ("from promotion", |it, said| {
            said.numbers == [7 - it.to.rank() as u32] && it.m.role() == Role::Pawn
        }),
        (" takes the ", |it, said| it.m.is_capture() && said.square() == it.to),
        (" takes ", squares_of_a_mate),
    ];

    /// Every sentence about every move, good or bad, in random positions of each ending.
    #[test]
    fn every_sentence_is_true() {
        let mut seen = BTreeSet::new();
        for (seed, ending) in (1..).zip(["KQK", "KRK", "KBBK", "KBNK", "KRPK", "KQKR"]) {
            for position in positions(ending, 1000, seed, &Color::ALL) {
                for m in position.legal_moves() {
                    let played = Step::new(1, &position, m).unwrap();
                    let (reasons, facts) = (played.reasons(), Facts::new(&position, m));
                    let says_mate = reasons.iter().any(|reason| reason.starts_with("Mate: "));
                    assert_eq!(says_mate, played.after.is_checkmate());
                    for reason in reasons {
                        assert!(reason.starts_with(char::is_uppercase), "{reason}");
                        let (words, is_true) = checked(CLAIMS, &reason, &facts);
                        assert!(is_true, "{reason} {m:?} {position:?}");
                        seen.insert(words);
                    }
                }
            }
        }
        assert_eq!(seen, CLAIMS.iter().map(|&(words, _)| words).collect());
    }

    #[test]
    fn black_hears_what_white_hears() {
        for (seed, ending) in (1..).zip(["KQK", "KRK", "KRPK", "KQKR"]) {
            for position in positions(ending, 300, seed, &Color::ALL) {
                check_mirrored(&position, |position, m| {
                    Step::new(1, position, m).unwrap().reasons()
                });
            }
        }
    }

    fn reasons(fen: &str, san: &str) -> Vec<String> {
        let position = read_fen(fen, None).unwrap();
        Step::new(1, &position, read_move(san, &position).unwrap()).unwrap().reasons()
    }

    #[test]
    fn the_most_important_reason_comes_first() {
        // Position, move, and what is said.
        for row in include_str!("reasons.txt").lines() {
            let columns: Vec<&str> = row.split(" | ").collect();
            assert_eq!(reasons(columns[0], columns[1]), columns[2..], "{row}");
        }
    }
}
