//! Mates that have a name.

use super::found::{FoundMotif, Spot};
use super::line::Step;
use super::motif::Motif;
use super::safety::attackers;
use shakmaty::{Bitboard, Board, Color, Position, Role, Square, attacks};
use tropism::geometry::{
    chebyshev, corner_distance, edge_distance, file_distance, is_adjacent, rank_distance,
    same_diagonal, same_rank_or_file, step,
};

/// What can be said about a mate: that it is one, and its name if it has one.
pub fn mate(step: &Step) -> Vec<FoundMotif> {
    let board = step.after.board();
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
    let found = |motif| {
        let found = FoundMotif::new(motif, step.ply, step.side());
        found.by(Spot::on(board, by)).target(Spot::on(board, king))
    };
    [Some(Motif::Mate), named].into_iter().flatten().map(found).collect()
}

/// A mate, and whether the board shows it.
type Pattern = (Motif, fn(&Picture) -> bool);

/// The patterns, the most special first: a mate has one name.
const PATTERNS: [Pattern; 19] = [
    (Motif::SmotheredMate, Picture::is_smothered),
    (Motif::BackRankMate, Picture::is_back_rank),
    (Motif::AnastasiaMate, Picture::is_anastasia),
    (Motif::HookMate, Picture::is_hook),
    (Motif::ArabianMate, Picture::is_arabian),
    (Motif::BodenMate, Picture::is_boden),
    (Motif::DoubleBishopMate, Picture::is_double_bishop),
    (Motif::DovetailMate, Picture::is_dovetail),
    (Motif::EpauletteMate, Picture::is_epaulette),
    (Motif::SwallowstailMate, Picture::is_swallowstail),
    (Motif::BlindSwineMate, Picture::is_blind_swine),
    (Motif::KillBoxMate, Picture::is_kill_box),
    (Motif::TriangleMate, Picture::is_triangle),
    (Motif::OperaMate, Picture::is_opera),
    (Motif::CornerMate, Picture::is_corner),
    (Motif::MorphysMate, Picture::is_morphys),
    (Motif::BalestraMate, Picture::is_balestra),
    (Motif::VukovicMate, Picture::is_vukovic),
    (Motif::PillsburysMate, Picture::is_pillsburys),
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

    /// The pieces that defend the piece that mates.
    fn defenders(&self) -> Bitboard {
        attackers(&self.board, self.side, self.by)
    }

    /// The squares that a piece of the role takes from the king: its own pieces leave them free, and the piece that
    /// mates does not attack them along its line.
    fn flight_squares_taken_by(&self, role: Role) -> Bitboard {
        let line = attacks::ray(self.by, self.king);
        let free = self.ring & !self.enemies() & !line;
        let pieces = self.own(role).without(self.by).into_iter();
        pieces.fold(Bitboard::EMPTY, |taken, from| taken | self.board.attacks_from(from) & free)
    }

    fn is_smothered(&self) -> bool {
        self.role == Role::Knight && (self.ring & !self.enemies()).is_empty()
    }

    /// The king stands on its first rank, its own pieces fill the squares before it, and none of them is attacked.
    fn is_back_rank(&self) -> bool {
        let rank = self.king.rank();
        let before_king = self.ring & step(!self.side, rank.into());
        let is_shut = before_king.into_iter().all(|square| {
            self.enemies().contains(square) && attackers(&self.board, self.side, square).is_empty()
        });
        let along_rank = self.checkers.into_iter().any(|checker| checker.rank() == rank);
        rank == (!self.side).backrank() && is_shut && along_rank
    }

    /// The king on the a- or h-file and its own piece beside it; the knight three files from the king.
    fn is_anastasia(&self) -> bool {
        let beside = attacks::king_attacks(self.king) & Bitboard::from(self.king.rank());
        let knights = self.own(Role::Knight).into_iter();
        let in_line = |knight: Square| {
            knight.rank() == self.king.rank() && file_distance(knight, self.king) == 3
        };
        matches!(self.role, Role::Rook | Role::Queen)
            && file_edge(self.king)
            && !rank_edge(self.king)
            && self.by.file() == self.king.file()
            && (beside & !self.enemies()).is_empty()
            && knights.into_iter().any(in_line)
    }

    fn is_hook(&self) -> bool {
        let knights = self.defenders() & self.own(Role::Knight) & self.ring;
        let by_pawn =
            |knight| (attackers(&self.board, self.side, knight) & self.own(Role::Pawn)).any();
        self.role == Role::Rook && self.is_next_to_king() && knights.into_iter().any(by_pawn)
    }

    fn is_arabian(&self) -> bool {
        let knights = self.defenders() & self.own(Role::Knight);
        let is_diagonal =
            |knight| file_distance(knight, self.king) == 2 && rank_distance(knight, self.king) == 2;
        self.role == Role::Rook
            && corner_distance(self.king) == 0
            && self.is_next_to_king()
            && knights.into_iter().any(is_diagonal)
    }

    /// Whether nothing but two bishops attacks the king and the squares around it.
    fn is_by_bishops(&self) -> bool {
        let bishops = self.own(Role::Bishop);
        let all_by_bishops = self
            .ring
            .with(self.king)
            .into_iter()
            .all(|square| (attackers(&self.board, self.side, square) & !bishops).is_empty());
        bishops.more_than_one() && all_by_bishops
    }

    /// Two bishops from both sides of the king.
    fn is_boden(&self) -> bool {
        let files = || self.own(Role::Bishop).into_iter().map(|bishop| bishop.file());
        let king = self.king.file();
        self.is_by_bishops() && files().any(|file| file < king) && files().any(|file| file > king)
    }

    fn is_double_bishop(&self) -> bool {
        self.is_by_bishops()
    }

    /// A queen diagonally next to a king away from the edge. No other piece takes squares, and the king's own pieces
    /// stand only where she does not attack.
    fn is_dovetail(&self) -> bool {
        let by_queen = self.board.attacks_from(self.by);
        let alone =
            self.ring.without(self.by).into_iter().all(|square| {
                attackers(&self.board, self.side, square).without(self.by).is_empty()
            });
        self.role == Role::Queen
            && edge_distance(self.king) > 0
            && same_diagonal(self.by, self.king)
            && self.is_next_to_king()
            && alone
            && (by_queen & self.ring & self.enemies()).is_empty()
    }

    /// A queen two squares before the king and a rook of its own on each side.
    fn is_epaulette(&self) -> bool {
        let rooks = self.board.rooks() & self.enemies() & self.ring;
        let beside = |square: Square| match self.by.file() == self.king.file() {
            true => square.rank() == self.king.rank(),
            false => square.file() == self.king.file(),
        };
        self.role == Role::Queen
            && edge_distance(self.king) == 0
            && same_rank_or_file(self.by, self.king)
            && chebyshev(self.by, self.king) == 2
            && rooks.into_iter().filter(|&rook| beside(rook)).count() == 2
    }

    /// A defended queen right before the king, whose own pieces take the two squares diagonally behind it.
    fn is_swallowstail(&self) -> bool {
        let line = attacks::ray(self.by, self.king);
        let behind = self.ring & !attacks::king_attacks(self.by) & !line;
        let tail = behind & !self.board.attacks_from(self.by);
        self.role == Role::Queen
            && edge_distance(self.king) > 0
            && self.by.file() == self.king.file()
            && self.is_next_to_king()
            && tail.count() == 2
            && (tail & !self.enemies()).is_empty()
    }

    /// Two rooks on the king's second rank, one of them next to the king.
    fn is_blind_swine(&self) -> bool {
        let rank = Bitboard::from(self.by.rank());
        self.role == Role::Rook
            && self.king.rank() == (!self.side).backrank()
            && self.is_next_to_king()
            && rank_distance(self.by, self.king) == 1
            && (self.own(Role::Rook) & rank).more_than_one()
    }

    /// Rook and queen on opposite corners of a box of three by three squares with the king in it.
    fn is_kill_box(&self) -> bool {
        self.role == Role::Rook
            && self.own(Role::Queen).into_iter().any(|queen| {
                file_distance(queen, self.by) == 2
                    && rank_distance(queen, self.by) == 2
                    && chebyshev(self.king, self.by) <= 2
                    && chebyshev(self.king, queen) <= 2
            })
    }

    /// Queen and rook two squares apart on a line, and the king diagonally next to both.
    fn is_triangle(&self) -> bool {
        let is_corner = |rook| same_diagonal(rook, self.king) && is_adjacent(rook, self.king);
        self.role == Role::Queen
            && is_corner(self.by)
            && self.own(Role::Rook).into_iter().any(|rook| {
                is_corner(rook) && same_rank_or_file(rook, self.by) && chebyshev(rook, self.by) == 2
            })
    }

    /// A rook that a bishop defends stands next to a king away from the corner.
    fn is_opera(&self) -> bool {
        self.role == Role::Rook
            && corner_distance(self.king) > 0
            && self.is_next_to_king()
            && (self.defenders() & self.own(Role::Bishop)).any()
    }

    /// A knight mates in the corner, a rook or queen on the file or rank beside it holds the king there.
    fn is_corner(&self) -> bool {
        let heavy = (self.own(Role::Rook) | self.own(Role::Queen)).into_iter();
        let mut beside = heavy
            .filter(|&it| file_distance(it, self.king) == 1 || rank_distance(it, self.king) == 1);
        self.role == Role::Knight
            && corner_distance(self.king) == 0
            && (self.ring & self.enemies()).any()
            && beside.any(|it| (self.board.attacks_from(it) & self.ring).any())
    }

    /// A bishop mates on the a- or h-file, a rook takes the squares beside.
    fn is_morphys(&self) -> bool {
        self.role == Role::Bishop
            && file_edge(self.king)
            && self.flight_squares_taken_by(Role::Rook).any()
    }

    /// A bishop mates at the edge, and a queen takes flight squares. In the corner it is nearer to Morphy's mate.
    fn is_balestra(&self) -> bool {
        self.role == Role::Bishop
            && edge_distance(self.king) == 0
            && corner_distance(self.king) > 0
            && self.flight_squares_taken_by(Role::Queen).any()
    }

    /// A rook mates at the edge; a king or pawn defends it, and a knight takes flight squares.
    fn is_vukovic(&self) -> bool {
        let defenders = self.own(Role::King) | self.own(Role::Pawn);
        self.role == Role::Rook
            && edge_distance(self.king) == 0
            && self.is_next_to_king()
            && (self.defenders() & defenders).any()
            && self.flight_squares_taken_by(Role::Knight).any()
    }

    /// A rook mates at the edge, a bishop takes flight squares.
    fn is_pillsburys(&self) -> bool {
        self.role == Role::Rook
            && edge_distance(self.king) == 0
            && self.flight_squares_taken_by(Role::Bishop).any()
    }
}

/// Whether a square is on the a- or h-file.
fn file_edge(square: Square) -> bool {
    matches!(u32::from(square.file()), 0 | 7)
}

/// Whether a square is on the first or last rank.
fn rank_edge(square: Square) -> bool {
    matches!(u32::from(square.rank()), 0 | 7)
}
