//! The pieces of an ending.

use shakmaty::{Board, ByColor, Color, Piece, Role};
use std::{fmt, str::FromStr};
use thiserror::Error;

/// The pieces of an ending: both kings and at most two others, of which pawns belong to one side.
///
/// The stronger side is White and is named first, so that every ending has one name: `KRKB` and not
/// `KBKR`.
///
/// ```
/// use tropism::endgame::Material;
/// let ending: Material = "kbkr".parse()?;
/// assert_eq!(ending.to_string(), "KRKB");
/// assert!("KPKP".parse::<Material>().is_err());
/// # Ok::<(), tropism::endgame::MaterialError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Material {
    /// For each side the number of pieces of each of [`ROLES`].
    counts: ByColor<[u8; ROLES.len()]>,
}

/// The roles of an ending other than the king, the strongest first.
const ROLES: [Role; 5] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];

/// What a pawn can become.
pub const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

/// Why a name or a board is not an ending that can be solved.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MaterialError {
    /// A letter that stands for no piece.
    #[error("{0:?} is not a piece: use K, Q, R, B, N or P")]
    NoPiece(char),
    /// The name does not have two sides that each begin with a king.
    #[error("an ending is named by two sides, each with its king first, such as KBNK or KQKR")]
    Kings,
    /// Tables leave out captures en passant.
    #[error(
        "pawns of both sides are not solved, because of captures en passant; use pawns of one side, such as KPK or KQKP"
    )]
    PawnsOfBothSides,
    /// More pieces than [`Material::MAX_PIECES`].
    #[error("{0} pieces are too many: at most {max} are solved, kings included", max = Material::MAX_PIECES)]
    TooMany(usize),
}

impl Material {
    /// The largest number of pieces, kings included.
    pub const MAX_PIECES: usize = 4;

    /// The pieces on a board.
    ///
    /// # Errors
    ///
    /// If there are more than [`MAX_PIECES`](Self::MAX_PIECES) pieces, or pawns of both sides.
    pub fn on(board: &Board) -> Result<Material, MaterialError> {
        Material::of(board.iter().map(|(_, piece)| piece)).checked()
    }

    fn checked(self) -> Result<Material, MaterialError> {
        let pieces = 2 + self.counts.iter().flatten().copied().map(usize::from).sum::<usize>();
        if pieces > Material::MAX_PIECES {
            return Err(MaterialError::TooMany(pieces));
        }
        if self.counts.iter().all(|[.., pawns]| *pawns > 0) {
            return Err(MaterialError::PawnsOfBothSides);
        }
        Ok(self)
    }

    /// The ending of some pieces, of which the kings need not be given.
    pub(super) fn of(pieces: impl IntoIterator<Item = Piece>) -> Material {
        let mut counts = ByColor::<[u8; ROLES.len()]>::default();
        for piece in pieces {
            if let Some(i) = ROLES.iter().position(|&role| role == piece.role) {
                let count = &mut counts.get_mut(piece.color)[i];
                // A name may be longer than any number of pieces.
                *count = count.saturating_add(1);
            }
        }
        if counts.white < counts.black {
            counts.swap();
        }
        Material { counts }
    }

    /// Whether there are pawns.
    pub fn has_pawns(&self) -> bool {
        self.counts.iter().any(|[.., pawns]| *pawns > 0)
    }

    /// The endings that one capture or promotion leads to. A promotion that captures leads to an ending
    /// that a capture and then a promotion lead to.
    pub(super) fn next(&self) -> Vec<Material> {
        let pieces = self.pieces();
        let mut next = Vec::new();
        for (changed, piece) in
            pieces.iter().enumerate().filter(|(_, piece)| piece.role != Role::King)
        {
            let others = pieces.iter().enumerate().filter(|&(other, _)| other != changed);
            let others = || others.clone().map(|(_, &piece)| piece);
            next.push(Material::of(others()));
            if piece.role == Role::Pawn {
                let promoted = PROMOTIONS.map(|role| role.of(piece.color));
                next.extend(promoted.map(|queen| Material::of(others().chain([queen]))));
            }
        }
        next
    }

    /// All pieces: White's king, Black's king, White's other pieces, Black's other pieces.
    pub fn pieces(&self) -> Vec<Piece> {
        let others = |color| {
            let counts = *self.counts.get(color);
            ROLES.into_iter().zip(counts).flat_map(move |(role, count)| {
                std::iter::repeat_n(role.of(color), usize::from(count))
            })
        };
        let kings = [Role::King.of(Color::White), Role::King.of(Color::Black)];
        kings.into_iter().chain(others(Color::White)).chain(others(Color::Black)).collect()
    }
}

impl FromStr for Material {
    type Err = MaterialError;

    /// Reads a name such as `KBNK`, in upper or lower case, with or without a `v` between the sides.
    fn from_str(name: &str) -> Result<Material, MaterialError> {
        let (mut kings, mut pieces) = (0, Vec::new());
        for letter in name.chars() {
            match letter.to_ascii_uppercase() {
                'K' => kings += 1,
                'V' if kings > 0 => {}
                upper => {
                    let role = Role::from_char(upper).ok_or(MaterialError::NoPiece(letter))?;
                    pieces.push(role.of(Color::from_white(kings == 1)));
                    if kings == 0 {
                        return Err(MaterialError::Kings);
                    }
                }
            }
        }
        if kings == 2 { Material::of(pieces).checked() } else { Err(MaterialError::Kings) }
    }
}

impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for side in self.counts.iter() {
            write!(f, "K")?;
            for (role, &count) in ROLES.into_iter().zip(side) {
                for _ in 0..count {
                    write!(f, "{}", role.upper_char())?;
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_ending_has_one_name() {
        for (name, shown) in [
            ("KBNK", "KBNK"),
            ("KNBK", "KBNK"),
            ("KKBN", "KBNK"),
            ("kqvkr", "KQKR"),
            ("KNKR", "KRKN"),
            ("KK", "KK"),
            ("KBKB", "KBKB"),
            ("kkp", "KPK"),
            ("KPKN", "KNKP"),
        ] {
            assert_eq!(name.parse::<Material>().unwrap().to_string(), shown, "{name}");
        }
    }

    #[test]
    fn bad_names_give_their_error() {
        for (name, error) in [
            ("", MaterialError::Kings),
            ("K", MaterialError::Kings),
            ("QKK", MaterialError::Kings),
            ("KKK", MaterialError::Kings),
            ("KPKP", MaterialError::PawnsOfBothSides),
            ("KPPKP", MaterialError::TooMany(5)),
            ("KXK", MaterialError::NoPiece('X')),
            ("KQRBK", MaterialError::TooMany(5)),
            ("KQKRN", MaterialError::TooMany(5)),
        ] {
            assert_eq!(name.parse::<Material>(), Err(error), "{name}");
        }
    }

    #[test]
    fn the_ending_of_a_board() {
        let board = Board::from_ascii_board_fen(b"8/6k1/3r4/4K3/3N4/8/8/8").unwrap();
        assert_eq!(Material::on(&board).unwrap().to_string(), "KRKN");
        assert_eq!(Material::on(&Board::new()), Err(MaterialError::TooMany(32)));
        let board = Board::from_ascii_board_fen(b"8/6k1/3r4/4K3/3NN3/8/8/8").unwrap();
        assert_eq!(Material::on(&board), Err(MaterialError::TooMany(5)));
    }

    #[test]
    fn captures_and_promotions_lead_to_other_endings() {
        let next = |name: &str| {
            let next = name.parse::<Material>().unwrap().next().into_iter();
            next.map(|material| material.to_string()).collect::<Vec<_>>().join(" ")
        };
        // A capture may change who is stronger, and so may a promotion.
        assert_eq!(next("KQKR"), "KRK KQK");
        assert_eq!(next("KPK"), "KK KQK KRK KBK KNK");
        assert_eq!(next("KRKP"), "KPK KRK KQKR KRKR KRKB KRKN");
    }
}
