//! Legal moves in the portions that a search wants them: captures and promotions first, quiet moves
//! only if those did not suffice, or one move that is remembered from elsewhere.

use super::position::Position;
use super::table::PackedMove;
use shakmaty::{
    Bitboard, CastlingSide, Chess, Color, File, Move, Position as _, Rank, Role, Square, attacks,
};

/// What the rules allow the side to move: where its king stands, which of its men are pinned to
/// it, and which squares meet a check.
#[derive(Debug)]
pub struct Rules<'a> {
    chess: &'a Chess,
    turn: Color,
    us: Bitboard,
    them: Bitboard,
    occupied: Bitboard,
    king: Square,
    checkers: Bitboard,
    /// Own men that are alone between the king and an enemy line piece.
    pinned: Bitboard,
    /// Squares where a man other than the king may go: all, unless there is a check to meet.
    meets_check: Bitboard,
}

impl<'a> Rules<'a> {
    /// Looks at a position.
    pub fn new(position: &'a Position) -> Rules<'a> {
        let chess = position.chess();
        let board = chess.board();
        let turn = chess.turn();
        let (us, them) = (board.by_color(turn), board.by_color(!turn));
        // shakmaty's positions always have both kings; a1 stands in where the type cannot say so.
        let king = board.king_of(turn).unwrap_or(Square::A1);
        let occupied = board.occupied();
        let checkers = position.checkers();
        let snipers = attacks::rook_attacks(king, Bitboard::EMPTY) & board.rooks_and_queens()
            | attacks::bishop_attacks(king, Bitboard::EMPTY) & board.bishops_and_queens();
        let mut pinned = Bitboard::EMPTY;
        for sniper in snipers & them {
            let between = attacks::between(king, sniper) & occupied;
            if !between.more_than_one() {
                pinned |= between & us;
            }
        }
        let meets_check = match (checkers.first(), checkers.more_than_one()) {
            (None, _) => Bitboard::FULL,
            (Some(checker), false) => attacks::between(king, checker).with(checker),
            // From two checks only the king can go.
            (Some(_), true) => Bitboard::EMPTY,
        };
        Rules { chess, turn, us, them, occupied, king, checkers, pinned, meets_check }
    }

    /// Every legal capture, en passant included, and every legal promotion.
    pub fn captures(&self, mut give: impl FnMut(Move)) {
        self.pieces(self.them, &mut give);
        self.pawn_captures(&mut give);
        let last = Bitboard::from_rank(self.turn.relative_rank(Rank::Eighth));
        self.pawn_steps(last, &mut give);
    }

    /// Every other legal move.
    pub fn quiets(&self, mut give: impl FnMut(Move)) {
        self.pieces(!self.occupied, &mut give);
        let last = Bitboard::from_rank(self.turn.relative_rank(Rank::Eighth));
        self.pawn_steps(!last, &mut give);
        for side in CastlingSide::ALL {
            if let Some(rook) = self.chess.castles().rook(self.turn, side)
                && self.may_castle(side, rook)
            {
                give(Move::Castle { king: self.king, rook });
            }
        }
    }

    /// How many legal moves there are, but not more than `enough`. Cheap in nearly every position:
    /// one man that is free to move answers it.
    pub fn count(&self, enough: usize) -> usize {
        if self.checkers.is_empty() {
            let free = self.us & !self.pinned;
            let board = self.chess.board();
            for from in free & !board.kings() & !board.pawns() {
                if (board.attacks_from(from) & !self.us).count() >= enough {
                    return enough;
                }
            }
            let pawns = free & board.pawns();
            let steps = pawns.shift(self.forward()) & !self.occupied;
            if steps.count() >= enough {
                return enough;
            }
        }
        let mut count = 0;
        self.captures(|_| count += 1);
        self.quiets(|_| count += 1);
        count.min(enough)
    }

    /// A remembered move, if it is legal here.
    pub fn find(&self, packed: PackedMove) -> Option<Move> {
        packed.on_board(self.chess).filter(|&m| self.is_legal(m))
    }

    /// Whether a move is legal that need not even make sense here, but names the men it moves and
    /// takes rightly.
    fn is_legal(&self, m: Move) -> bool {
        match m {
            Move::Normal { role, from, to, promotion, .. } => {
                self.us.contains(from)
                    && !self.us.contains(to)
                    && match role {
                        Role::King => {
                            promotion.is_none()
                                && attacks::king_attacks(from).contains(to)
                                && self.is_safe(to)
                        }
                        Role::Pawn => {
                            let is_last = to.rank() == self.turn.relative_rank(Rank::Eighth);
                            let becomes = promotion.unwrap_or(Role::Pawn);
                            is_last == promotion.is_some()
                                && (!is_last || !matches!(becomes, Role::Pawn | Role::King))
                                && self.pawn_reaches(from, to)
                                && self.is_free(from, to)
                        }
                        _ => {
                            promotion.is_none()
                                && self.chess.board().attacks_from(from).contains(to)
                                && self.is_free(from, to)
                        }
                    }
            }
            Move::EnPassant { from, to } => {
                self.chess.maybe_ep_square() == Some(to)
                    && self.en_passant_pawns(to).contains(from)
                    && self.is_safe_en_passant(from, to)
            }
            Move::Castle { king, rook } => {
                let side = CastlingSide::from_king_side(king < rook);
                king == self.king
                    && self.chess.castles().rook(self.turn, side) == Some(rook)
                    && self.may_castle(side, rook)
            }
            Move::Put { .. } => false,
        }
    }

    fn pieces(&self, targets: Bitboard, give: &mut impl FnMut(Move)) {
        let board = self.chess.board();
        let reachable = targets & self.meets_check;
        if self.meets_check.any() {
            for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
                for from in self.squares(self.us & board.by_role(role)) {
                    let mut to = reachable
                        & match role {
                            Role::Knight => attacks::knight_attacks(from),
                            Role::Bishop => attacks::bishop_attacks(from, self.occupied),
                            Role::Rook => attacks::rook_attacks(from, self.occupied),
                            _ => attacks::queen_attacks(from, self.occupied),
                        };
                    if self.pinned.contains(from) {
                        to &= attacks::ray(self.king, from);
                    }
                    for to in self.squares(to) {
                        give(self.normal(role, from, to));
                    }
                }
            }
        }
        for to in self.squares(attacks::king_attacks(self.king) & targets) {
            if self.is_safe(to) {
                give(self.normal(Role::King, self.king, to));
            }
        }
    }

    fn pawn_captures(&self, give: &mut impl FnMut(Move)) {
        let pawns = self.us & self.chess.board().pawns();
        let reachable = self.them & self.meets_check;
        for (edge, side) in [(File::A, -1), (File::H, 1)] {
            let step = self.forward() + side;
            let able = pawns & !Bitboard::from_file(edge);
            for to in self.squares(able.shift(step) & reachable) {
                self.pawn_move(to, step, give);
            }
        }
        if let Some(to) = self.chess.maybe_ep_square() {
            for from in self.en_passant_pawns(to) {
                if self.is_safe_en_passant(from, to) {
                    give(Move::EnPassant { from, to });
                }
            }
        }
    }

    fn pawn_steps(&self, targets: Bitboard, give: &mut impl FnMut(Move)) {
        let pawns = self.us & self.chess.board().pawns();
        let empty = !self.occupied;
        let once = pawns.shift(self.forward()) & empty;
        let third = Bitboard::from_rank(self.turn.relative_rank(Rank::Third));
        let twice = (once & third).shift(self.forward()) & empty;
        for to in self.squares(once & targets & self.meets_check) {
            self.pawn_move(to, self.forward(), give);
        }
        for to in self.squares(twice & targets & self.meets_check) {
            self.pawn_move(to, 2 * self.forward(), give);
        }
    }

    fn pawn_move(&self, to: Square, step: i32, give: &mut impl FnMut(Move)) {
        let Some(from) = to.offset(-step) else { return };
        if self.pinned.contains(from) && !attacks::ray(self.king, from).contains(to) {
            return;
        }
        let capture = self.chess.board().role_at(to);
        if to.rank() == self.turn.relative_rank(Rank::Eighth) {
            for role in [Role::Queen, Role::Rook, Role::Bishop, Role::Knight] {
                give(Move::Normal { role: Role::Pawn, from, capture, to, promotion: Some(role) });
            }
        } else {
            give(Move::Normal { role: Role::Pawn, from, capture, to, promotion: None });
        }
    }

    fn normal(&self, role: Role, from: Square, to: Square) -> Move {
        let capture = self.chess.board().role_at(to);
        Move::Normal { role, from, capture, to, promotion: None }
    }

    /// Whether a man other than the king may go there, as far as the king is concerned.
    fn is_free(&self, from: Square, to: Square) -> bool {
        self.meets_check.contains(to)
            && (!self.pinned.contains(from) || attacks::ray(self.king, from).contains(to))
    }

    /// Whether the king may stand there. He hides nothing behind him.
    fn is_safe(&self, to: Square) -> bool {
        let occupied = self.occupied.without(self.king);
        self.chess.board().attacks_to(to, !self.turn, occupied).is_empty()
    }

    fn pawn_reaches(&self, from: Square, to: Square) -> bool {
        if self.occupied.contains(to) {
            return attacks::pawn_attacks(self.turn, from).contains(to);
        }
        let once = from.offset(self.forward());
        let is_home = from.rank() == self.turn.relative_rank(Rank::Second);
        once == Some(to)
            || is_home
                && once.is_some_and(|once| !self.occupied.contains(once))
                && from.offset(2 * self.forward()) == Some(to)
    }

    fn en_passant_pawns(&self, to: Square) -> Bitboard {
        attacks::pawn_attacks(!self.turn, to) & self.us & self.chess.board().pawns()
    }

    /// Two men leave a rank at once, so that the usual look at pins is not enough.
    fn is_safe_en_passant(&self, from: Square, to: Square) -> bool {
        let captured = Square::from_coords(to.file(), from.rank());
        let occupied = self.occupied.without(from).without(captured).with(to);
        let board = self.chess.board();
        board.attacks_to(self.king, !self.turn, occupied).without(captured).is_empty()
    }

    fn may_castle(&self, side: CastlingSide, rook: Square) -> bool {
        let board = self.chess.board();
        let attacked = |square, occupied| board.attacks_to(square, !self.turn, occupied).any();
        let king_to = side.king_to(self.turn);
        let without_king = self.occupied.without(self.king);
        let after = without_king.toggled(rook).toggled(side.rook_to(self.turn));
        self.checkers.is_empty()
            && (self.chess.castles().path(self.turn, side) & self.occupied).is_empty()
            && !attacked(king_to, after)
            && !attacks::between(self.king, king_to)
                .into_iter()
                .any(|square| attacked(square, without_king))
    }

    fn forward(&self) -> i32 {
        self.turn.fold_wb(8, -8)
    }

    /// The squares of a set as the side to move sees them, the farthest rank first: among moves of
    /// which nothing is known those that go forward are tried first, and a position and its mirror
    /// give their moves in the same order.
    fn squares(&self, set: Bitboard) -> impl Iterator<Item = Square> + use<> {
        let flip = self.turn.is_white();
        let set = if flip { set.flip_vertical() } else { set };
        set.into_iter().map(move |square| if flip { square.flip_vertical() } else { square })
    }
}

#[cfg(test)]
mod tests {
    use super::super::Game;
    use super::*;
    use shakmaty::MoveList;

    /// Castling, en passant with and without its pins, promotions, checks, double checks and pins;
    /// the last four are Chess960.
    const FENS: [&str; 14] = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        "8/8/8/K2pP2r/8/8/8/7k w - d6 0 2",
        "8/5bk1/8/2Pp4/8/1K6/8/8 w - d6 0 1",
        "8/8/1k6/8/2pP4/8/5BK1/8 b - d3 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        "4k3/8/8/8/4r3/5n2/8/4K2R w K - 0 1",
        "1rqbkrbn/1ppppp1p/1n6/p1N3p1/8/2P4P/PP1PPPP1/1RQBKRBN w FBfb - 0 9",
        "rbbqn1kr/pp2p1pp/6n1/2pp1p2/2P4P/P7/BP1PPPP1/R1BQNNKR w HAha - 0 9",
        "4k3/8/8/8/8/8/8/qR1K3R w HB - 0 1",
        "2k5/8/8/8/8/8/8/rR2K2R w HB - 0 1",
    ];

    fn sorted(moves: MoveList) -> Vec<Move> {
        let mut moves: Vec<Move> = moves.into_iter().collect();
        moves.sort_by_key(|&m| PackedMove::new(m).bits());
        moves
    }

    fn walk(position: &Position, depth: u32, check: &mut impl FnMut(&Position)) {
        check(position);
        if depth > 0 {
            for m in position.chess().legal_moves() {
                walk(&position.play(m), depth - 1, check);
            }
        }
    }

    fn each_position(depth: u32, mut check: impl FnMut(&Position)) {
        for fen in FENS {
            walk(Game::from_fen(fen, None).unwrap().position(), depth, &mut check);
        }
    }

    #[test]
    fn captures_and_quiets_are_together_the_legal_moves() {
        each_position(3, |position| {
            let rules = Rules::new(position);
            let (mut captures, mut all) = (MoveList::new(), MoveList::new());
            rules.captures(|m| captures.push(m));
            assert!(captures.iter().all(|m| m.is_capture() || m.is_promotion()));
            all.extend(captures);
            rules.quiets(|m| {
                assert!(!m.is_capture() && !m.is_promotion());
                all.push(m);
            });
            let legal = position.chess().legal_moves();
            assert_eq!(sorted(all), sorted(legal), "{:?}", position.chess());
        });
    }

    #[test]
    fn counting_stops_when_it_has_enough() {
        let mut without = 0;
        each_position(3, |position| {
            let legal = position.chess().legal_moves().len();
            for enough in [1, 2] {
                let counted = Rules::new(position).count(enough);
                assert_eq!(counted, legal.min(enough), "{:?}", position.chess());
            }
            without += u32::from(legal == 0);
        });
        assert!(without > 0);
    }

    #[test]
    fn every_legal_move_survives_packing() {
        each_position(2, |position| {
            let rules = Rules::new(position);
            for m in position.chess().legal_moves() {
                assert_eq!(rules.find(PackedMove::new(m)), Some(m), "{:?}", position.chess());
            }
        });
    }

    #[test]
    fn no_bits_make_an_illegal_move() {
        each_position(1, |position| {
            let rules = Rules::new(position);
            let legal = position.chess().legal_moves();
            let found: Vec<Move> =
                (0..=u16::MAX).filter_map(|bits| rules.find(PackedMove::from_bits(bits))).collect();
            assert!(found.iter().all(|m| legal.contains(m)), "{:?}", position.chess());
        });
        assert_eq!(Rules::new(&Position::new(Chess::default())).find(PackedMove::NONE), None);
    }

    #[test]
    fn a_mirrored_position_has_its_moves_in_the_same_order() {
        each_position(2, |position| {
            let chess = position.chess();
            let setup = chess.to_setup(shakmaty::EnPassantMode::Legal).into_mirrored();
            let mirrored: Chess = setup.position(chess.castles().mode()).unwrap();
            let list = |position: &Position| {
                let mut moves = Vec::new();
                let rules = Rules::new(position);
                rules.captures(|m| moves.push((m.role(), m.from(), m.to(), m.promotion())));
                rules.quiets(|m| moves.push((m.role(), m.from(), m.to(), None)));
                moves
            };
            let flipped =
                list(&Position::new(mirrored)).into_iter().map(|(role, from, to, new)| {
                    (role, from.map(Square::flip_vertical), to.flip_vertical(), new)
                });
            assert!(flipped.eq(list(position)), "{chess:?}");
        });
    }
}
