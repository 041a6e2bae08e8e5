//! Generates legal moves in two stages: captures and promotions, then quiet moves.

use super::MoveGenerator;
use shakmaty::{
    Bitboard, CastlingSide, File, Move, MoveList, Position as _, Rank, Role, Square, attacks,
};

impl MoveGenerator<'_> {
    /// Generates all legal captures, with en passant, and all legal promotions.
    pub fn captures(&self, mut give: impl FnMut(Move)) {
        self.pieces(self.them, |to| self.chess.board().role_at(to), &mut give);
        self.pawn_captures(&mut give);
        let last = Bitboard::from_rank(self.turn.relative_rank(Rank::Eighth));
        self.pawn_steps(last, &mut give);
    }

    /// Generates all other legal moves.
    pub fn quiets(&self, mut give: impl FnMut(Move)) {
        self.pieces(!self.occupied, |_| None, &mut give);
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

    /// All legal moves, captures first. A mirrored position has its moves in the same order.
    pub fn all(&self) -> MoveList {
        let mut moves = MoveList::new();
        self.captures(|m| moves.push(m));
        self.quiets(|m| moves.push(m));
        moves
    }

    /// Whether there is a legal move. In nearly every position one piece that can move is found at once.
    pub fn any(&self) -> bool {
        if self.checkers.is_empty() {
            let free = self.us & !self.pinned;
            let board = self.chess.board();
            let pawns = free & board.pawns();
            if (pawns.shift(self.forward()) & !self.occupied).any()
                || (free & !board.kings() & !board.pawns())
                    .into_iter()
                    .any(|from| (board.attacks_from(from) & !self.us).any())
            {
                return true;
            }
        }
        let mut any = false;
        self.captures(|_| any = true);
        any || {
            self.quiets(|_| any = true);
            any
        }
    }

    /// The moves of pieces and king to the targets; `victim` says what stands on one of these.
    #[inline]
    fn pieces(
        &self,
        targets: Bitboard,
        victim: impl Fn(Square) -> Option<Role>,
        give: &mut impl FnMut(Move),
    ) {
        let mut give = |role, from, to| {
            give(Move::Normal { role, from, capture: victim(to), to, promotion: None });
        };
        let reachable = targets & self.check_mask;
        if self.check_mask.any() {
            let occupied = self.occupied;
            let bishop = |from| attacks::bishop_attacks(from, occupied);
            let rook = |from| attacks::rook_attacks(from, occupied);
            let queen = |from| attacks::queen_attacks(from, occupied);
            self.pieces_of(Role::Knight, attacks::knight_attacks, reachable, &mut give);
            self.pieces_of(Role::Bishop, bishop, reachable, &mut give);
            self.pieces_of(Role::Rook, rook, reachable, &mut give);
            self.pieces_of(Role::Queen, queen, reachable, &mut give);
        }
        for to in self.squares(attacks::king_attacks(self.king) & targets) {
            if self.is_safe(to) {
                give(Role::King, self.king, to);
            }
        }
    }

    #[inline]
    fn pieces_of(
        &self,
        role: Role,
        attacks: impl Fn(Square) -> Bitboard,
        reachable: Bitboard,
        give: &mut impl FnMut(Role, Square, Square),
    ) {
        for from in self.squares(self.us & self.chess.board().by_role(role)) {
            let mut to = attacks(from) & reachable;
            if self.pinned.contains(from) {
                to &= attacks::ray(self.king, from);
            }
            for to in self.squares(to) {
                give(role, from, to);
            }
        }
    }

    fn pawn_captures(&self, give: &mut impl FnMut(Move)) {
        let pawns = self.us & self.chess.board().pawns();
        let reachable = self.them & self.check_mask;
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
        for to in self.squares(once & targets & self.check_mask) {
            self.pawn_move(to, self.forward(), give);
        }
        for to in self.squares(twice & targets & self.check_mask) {
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

    /// The squares of a set from the farthest rank of the side to move to the nearest. So moves without a history are
    /// tried forward first, and a mirrored position has its moves in the same order.
    fn squares(&self, set: Bitboard) -> impl Iterator<Item = Square> + use<> {
        let flip = self.turn.is_white();
        let set = if flip { set.flip_vertical() } else { set };
        set.into_iter().map(move |square| if flip { square.flip_vertical() } else { square })
    }
}
