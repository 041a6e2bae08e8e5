//! Mates that have a name.

use super::found::{FoundMotif, Spot};
use super::line::Step;
use super::motif::Motif;
use super::safety::attackers;
use shakmaty::{Bitboard, Board, Color, File, Position, Role, Square, attacks};
use tropism::geometry::{
    chebyshev, corner_distance, edge_distance, file_distance, is_adjacent, rank_distance, step,
};

/// What can be said about a mate: that it is one, and its name if it has one.
pub fn mate(step: &Step) -> Vec<FoundMotif> {
    let board = step.board();
    let king = board.king_of(!step.side()).filter(|_| step.after.is_checkmate());
    let Some(king) = king else { return Vec::new() };
    let checkers = step.after.checkers();
    let by =
        if checkers.contains(step.to()) { step.to() } else { checkers.first().unwrap_or(king) };
    let picture = Picture {
        board: board.clone(),
        side: step.side(),
        king,
        by,
        checkers,
        ring: attacks::king_attacks(king),
        role: board.role_at(by).unwrap_or(step.role()),
    };
    let named = PATTERNS.iter().find(|(_, fits)| fits(&picture)).map(|&(motif, _)| motif);
    let found = |motif| step.found(motif).by(Spot::on(board, by)).target(Spot::on(board, king));
    [Some(Motif::Mate), named].into_iter().flatten().map(found).collect()
}

/// A mate, and whether the board shows it.
type Pattern = (Motif, fn(&Picture) -> bool);

/// The patterns, the most special first: a mate has one name.
const PATTERNS: [Pattern; 19] = [
    (Motif::SmotheredMate, |it| it.role == Role::Knight && (it.ring & !it.enemies()).is_empty()),
    (Motif::BackRankMate, Picture::is_back_rank),
    (Motif::AnastasiaMate, Picture::is_anastasia),
    // A pawn defends the knight that defends the rook.
    (Motif::HookMate, |it| {
        let knights = it.defenders() & it.own(Role::Knight) & it.ring;
        let by_pawn = |knight| (it.attackers(knight) & it.own(Role::Pawn)).any();
        it.role == Role::Rook && it.is_next_to_king() && knights.into_iter().any(by_pawn)
    }),
    (Motif::ArabianMate, |it| {
        let knights = it.defenders() & it.own(Role::Knight);
        it.role == Role::Rook
            && it.is_in_corner()
            && it.is_next_to_king()
            && knights.into_iter().any(|knight| apart(knight, it.king) == [2, 2])
    }),
    // Two bishops from both sides of the king.
    (Motif::BodenMate, |it| {
        let files = || it.own(Role::Bishop).into_iter().map(|bishop| bishop.file());
        let king = it.king.file();
        it.is_by_bishops() && files().any(|file| file < king) && files().any(|file| file > king)
    }),
    (Motif::DoubleBishopMate, Picture::is_by_bishops),
    (Motif::DovetailMate, Picture::is_dovetail),
    (Motif::EpauletteMate, Picture::is_epaulette),
    (Motif::SwallowstailMate, Picture::is_swallowstail),
    // Two rooks on the king's second rank, one of them next to the king.
    (Motif::BlindSwineMate, |it| {
        it.role == Role::Rook
            && it.king.rank() == (!it.side).backrank()
            && it.is_next_to_king()
            && rank_distance(it.by, it.king) == 1
            && (it.own(Role::Rook) & Bitboard::from(it.by.rank())).more_than_one()
    }),
    // Rook and queen on opposite corners of a box of three by three squares with the king in it.
    (Motif::KillBoxMate, |it| {
        let is_near = |square| chebyshev(it.king, square) <= 2;
        let is_opposite = |queen| apart(queen, it.by) == [2, 2] && is_near(queen);
        it.role == Role::Rook && is_near(it.by) && it.own(Role::Queen).into_iter().any(is_opposite)
    }),
    // Queen and rook two squares apart on a line, and the king diagonally next to both.
    (Motif::TriangleMate, |it| {
        let is_corner = |square| apart(square, it.king) == [1, 1];
        let is_opposite = |rook| matches!(apart(rook, it.by), [0, 2] | [2, 0]) && is_corner(rook);
        it.role == Role::Queen
            && is_corner(it.by)
            && it.own(Role::Rook).into_iter().any(is_opposite)
    }),
    // A rook that a bishop defends stands next to a king away from the corner.
    (Motif::OperaMate, |it| {
        it.role == Role::Rook
            && !it.is_in_corner()
            && it.is_next_to_king()
            && (it.defenders() & it.own(Role::Bishop)).any()
    }),
    // A knight mates in the corner, a rook or queen on the file or rank beside it holds the king there.
    (Motif::CornerMate, |it| {
        let holds = |square| {
            apart(square, it.king).contains(&1) && (it.board.attacks_from(square) & it.ring).any()
        };
        it.role == Role::Knight
            && it.is_in_corner()
            && (it.ring & it.enemies()).any()
            && (it.own(Role::Rook) | it.own(Role::Queen)).into_iter().any(holds)
    }),
    // A bishop mates on the a- or h-file, a rook takes the squares beside.
    (Motif::MorphysMate, |it| {
        it.role == Role::Bishop && is_edge_file(it.king) && it.takes_flight_squares(Role::Rook)
    }),
    // A bishop mates at the edge, and a queen takes flight squares. In the corner it is nearer to Morphy's mate.
    (Motif::BalestraMate, |it| {
        it.role == Role::Bishop
            && it.is_at_edge()
            && !it.is_in_corner()
            && it.takes_flight_squares(Role::Queen)
    }),
    // A rook mates at the edge; a king or pawn defends it, and a knight takes flight squares.
    (Motif::VukovicMate, |it| {
        it.role == Role::Rook
            && it.is_at_edge()
            && it.is_next_to_king()
            && (it.defenders() & (it.own(Role::King) | it.own(Role::Pawn))).any()
            && it.takes_flight_squares(Role::Knight)
    }),
    // A rook mates at the edge, a bishop takes flight squares.
    (Motif::PillsburysMate, |it| {
        it.role == Role::Rook && it.is_at_edge() && it.takes_flight_squares(Role::Bishop)
    }),
];

/// The board after a mate.
struct Picture {
    board: Board,
    /// The side that mates.
    side: Color,
    king: Square,
    /// The piece that mates.
    by: Square,
    role: Role,
    checkers: Bitboard,
    /// The squares around the king.
    ring: Bitboard,
}

impl Picture {
    fn own(&self, role: Role) -> Bitboard {
        self.board.by_piece(role.of(self.side))
    }

    /// The king's own pieces.
    fn enemies(&self) -> Bitboard {
        self.board.by_color(!self.side)
    }

    fn is_next_to_king(&self) -> bool {
        is_adjacent(self.by, self.king)
    }

    fn is_in_corner(&self) -> bool {
        corner_distance(self.king) == 0
    }

    fn is_at_edge(&self) -> bool {
        edge_distance(self.king) == 0
    }

    /// The pieces of the side that mates that attack a square.
    fn attackers(&self, square: Square) -> Bitboard {
        attackers(&self.board, self.side, square)
    }

    /// The pieces that defend the piece that mates.
    fn defenders(&self) -> Bitboard {
        self.attackers(self.by)
    }

    /// Whether a piece of the role takes squares from the king: its own pieces leave them free, and the piece that
    /// mates does not attack them along its line.
    fn takes_flight_squares(&self, role: Role) -> bool {
        let free = self.ring & !self.enemies() & !attacks::ray(self.by, self.king);
        let mut pieces = self.own(role).without(self.by).into_iter();
        pieces.any(|from| (self.board.attacks_from(from) & free).any())
    }

    /// The king stands on its first rank, its own pieces fill the squares before it, and none of them is attacked.
    fn is_back_rank(&self) -> bool {
        let rank = self.king.rank();
        let before_king = self.ring & step(!self.side, rank.into());
        let is_shut = |square| self.enemies().contains(square) && self.attackers(square).is_empty();
        rank == (!self.side).backrank()
            && before_king.into_iter().all(is_shut)
            && (self.checkers & Bitboard::from(rank)).any()
    }

    /// The king on the a- or h-file and its own piece beside it; the knight three files from the king.
    fn is_anastasia(&self) -> bool {
        let beside = self.ring & Bitboard::from(self.king.rank());
        let mut knights = self.own(Role::Knight).into_iter();
        matches!(self.role, Role::Rook | Role::Queen)
            && is_edge_file(self.king)
            && !self.is_in_corner()
            && self.by.file() == self.king.file()
            && (beside & !self.enemies()).is_empty()
            && knights.any(|knight| apart(knight, self.king) == [3, 0])
    }

    /// Whether nothing but two bishops attacks the king and the squares around it.
    fn is_by_bishops(&self) -> bool {
        let bishops = self.own(Role::Bishop);
        let by_bishops = |square| (self.attackers(square) & !bishops).is_empty();
        bishops.more_than_one() && self.ring.with(self.king).into_iter().all(by_bishops)
    }

    /// A queen diagonally next to a king away from the edge. No other piece takes squares, and the king's own pieces
    /// stand only where she does not attack.
    fn is_dovetail(&self) -> bool {
        let by_queen = self.board.attacks_from(self.by);
        let is_hers = |square| self.attackers(square).without(self.by).is_empty();
        self.role == Role::Queen
            && !self.is_at_edge()
            && apart(self.by, self.king) == [1, 1]
            && self.ring.without(self.by).into_iter().all(is_hers)
            && (by_queen & self.ring & self.enemies()).is_empty()
    }

    /// A queen two squares before the king and a rook of its own on each side.
    fn is_epaulette(&self) -> bool {
        let sides = match apart(self.by, self.king) {
            [0, 2] => Bitboard::from(self.king.rank()),
            [2, 0] => Bitboard::from(self.king.file()),
            _ => return false,
        };
        let rooks = self.board.rooks() & self.enemies() & self.ring & sides;
        self.role == Role::Queen && self.is_at_edge() && rooks.count() == 2
    }

    /// A defended queen right before the king, whose own pieces take the two squares diagonally behind it.
    fn is_swallowstail(&self) -> bool {
        let line = attacks::ray(self.by, self.king);
        let behind = self.ring & !attacks::king_attacks(self.by) & !line;
        let tail = behind & !self.board.attacks_from(self.by);
        self.role == Role::Queen
            && !self.is_at_edge()
            && apart(self.by, self.king) == [0, 1]
            && tail.count() == 2
            && (tail & !self.enemies()).is_empty()
    }
}

/// Files and ranks between two squares.
fn apart(a: Square, b: Square) -> [u32; 2] {
    [file_distance(a, b), rank_distance(a, b)]
}

/// Whether a square is on the a- or h-file.
fn is_edge_file(square: Square) -> bool {
    matches!(square.file(), File::A | File::H)
}
