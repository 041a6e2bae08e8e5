//! The pieces of an ending.

use shakmaty::{Board, ByColor, Color, Piece, Role};
use std::{fmt, str::FromStr};
use thiserror::Error;

/// The pieces of an ending without pawns: both kings and at most two others.
///
/// The stronger side is White and is named first, so that every ending has one name: `KRKB` and not
/// `KBKR`.
///
/// ```
/// use tropism::endgame::Material;
/// let ending: Material = "kbkr".parse()?;
/// assert_eq!(ending.to_string(), "KRKB");
/// assert!("KPK".parse::<Material>().is_err());
/// # Ok::<(), tropism::endgame::MaterialError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Material {
    /// For each side the number of pieces of each of [`ROLES`].
    counts: ByColor<[u8; ROLES.len()]>,
}

/// The roles of an ending other than the king, the strongest first.
const ROLES: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

/// Why a name or a board is not an ending that can be solved.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MaterialError {
    /// A letter that stands for no piece.
    #[error("{0:?} is not a piece: use K, Q, R, B or N")]
    NoPiece(char),
    /// The name does not have two sides that each begin with a king.
    #[error("an ending is named by two sides, each with its king first, such as KBNK or KQKR")]
    Kings,
    /// Tables have no pawns.
    #[error("endings with pawns are not solved; use pieces, such as KBNK or KQKR")]
    Pawns,
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
    /// If there are pawns, or more than [`MAX_PIECES`](Self::MAX_PIECES) pieces.
    pub fn on(board: &Board) -> Result<Material, MaterialError> {
        if board.pawns().any() {
            return Err(MaterialError::Pawns);
        }
        let pieces = board.occupied().count();
        if pieces > Material::MAX_PIECES {
            return Err(MaterialError::TooMany(pieces));
        }
        Ok(Material::new(ByColor::new_with(|color| {
            ROLES.map(|role| (board.by_color(color) & board.by_role(role)).count() as u8)
        })))
    }

    fn new(mut counts: ByColor<[u8; ROLES.len()]>) -> Material {
        if counts.white < counts.black {
            counts.swap();
        }
        Material { counts }
    }

    /// The ending that is left when one piece has been taken; for a king the ending itself.
    pub(super) fn without(&self, taken: Piece) -> Material {
        let mut counts = self.counts;
        if let Some(i) = ROLES.iter().position(|&role| role == taken.role) {
            let count = &mut counts.get_mut(taken.color)[i];
            *count = count.saturating_sub(1);
        }
        Material::new(counts)
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
        let mut sides: Vec<[u8; ROLES.len()]> = Vec::new();
        let mut pieces = 0;
        for letter in name.chars() {
            match (letter.to_ascii_uppercase(), sides.last_mut()) {
                ('K', _) => sides.push([0; ROLES.len()]),
                ('V', Some(_)) => continue,
                ('P', _) => return Err(MaterialError::Pawns),
                (upper, side) => {
                    let role = Role::from_char(upper).ok_or(MaterialError::NoPiece(letter))?;
                    let side = side.ok_or(MaterialError::Kings)?;
                    let i = ROLES.iter().position(|&known| known == role);
                    side[i.ok_or(MaterialError::NoPiece(letter))?] += 1;
                }
            }
            pieces += 1;
        }
        let [white, black] = sides[..] else { return Err(MaterialError::Kings) };
        if pieces > Material::MAX_PIECES {
            return Err(MaterialError::TooMany(pieces));
        }
        Ok(Material::new(ByColor { white, black }))
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
            ("KPK", MaterialError::Pawns),
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
        assert_eq!(Material::on(&Board::new()), Err(MaterialError::Pawns));
        let board = Board::from_ascii_board_fen(b"8/6k1/3r4/4K3/3NN3/8/8/8").unwrap();
        assert_eq!(Material::on(&board), Err(MaterialError::TooMany(5)));
    }

    #[test]
    fn a_capture_may_change_who_is_stronger() {
        let queen_against_rook: Material = "KQKR".parse().unwrap();
        assert_eq!(queen_against_rook.without(Role::Queen.of(Color::White)).to_string(), "KRK");
        assert_eq!(queen_against_rook.without(Role::Rook.of(Color::Black)).to_string(), "KQK");
    }
}
