//! What is shown after a move: the board, and the distances that matter in the ending.

use crate::exercise::Exercise;
use crate::picture::Picture;
use shakmaty::{
    Board,
    Color::{self, Black, White},
    Position, Rank, Role, Square,
};
use tropism::endgame::Material;
use tropism::geometry::{
    bishop_corner_distance, centre_manhattan, chebyshev, edge_distance, knight_distance,
    promotion_distance,
};
use tropism::text::width;

/// Columns of the board, of a distance's name and number, and of its longest bar.
const BOARD: usize = 27;
const NAME: usize = 9;
const NUMBER: usize = 2;
const BAR: usize = 28;

/// The widest line: board, a gap, a gauge, and a change such as `-1`.
pub const WIDTH: usize = BOARD + 3 + NAME + NUMBER + 2 + BAR + 4;

/// The most distances shown.
const MOST: usize = 4;

/// A distance that matters in an ending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gauge {
    name: &'static str,
    meaning: &'static str,
    distance: u32,
    /// The largest possible distance.
    most: u32,
}

/// The game after one of its moves.
pub struct Scene {
    /// The move with its number, and the reply; empty at the start.
    pub words: String,
    /// White's moves so far with the minimum, and the seed of the position.
    told: [String; 2],
    /// Whether Black has replied or has no legal move.
    pub is_whole: bool,
    /// The exact value for the side to move.
    pub value: String,
    pub picture: Picture,
    pub gauges: Vec<Gauge>,
}

impl Scene {
    pub fn new(material: Material, words: String, exercise: &Exercise, seed: u64) -> Scene {
        let position = exercise.position();
        let value = exercise.value().to_string();
        let (title, about) = match words.is_empty() {
            true => (material.to_string(), format!("{} to move, {value}", position.turn())),
            false => (format!("{material} {words}"), value.clone()),
        };
        Scene {
            words,
            told: [
                format!("moves {}, at best {}", exercise.used(), exercise.minimum()),
                format!("seed {seed}"),
            ],
            is_whole: position.turn().is_white() || position.legal_moves().is_empty(),
            value,
            picture: exercise.picture(title, about),
            gauges: gauges(position.board()),
        }
    }

    /// Board and distances side by side, each line as wide as [`WIDTH`]. `before` is the scene one whole move ago.
    pub fn lines(&self, before: Option<&Scene>, coloured: bool) -> Vec<String> {
        let board = match coloured {
            true => self.picture.coloured().to_string(),
            false => self.picture.to_string(),
        };
        let (heading, board) = board.split_once("\n\n").unwrap_or((&board, ""));
        let mut left: Vec<String> = board.lines().map(str::to_owned).collect();
        left.push(String::new());
        left.extend(self.told.iter().map(|line| format!("{line:<BOARD$}")));
        let gauges = self.gauges.iter();
        let right = gauges.flat_map(|gauge| [gauge.line(before), gauge.meaning.to_owned()]);
        let mut right = right.chain(std::iter::repeat(String::new()));
        let mut lines = vec![format!("{heading:<WIDTH$}"), " ".repeat(WIDTH)];
        for board in &left {
            let end = BOARD.saturating_sub(width(board));
            let beside = right.next().unwrap_or_default();
            lines.push(format!("{board}{:end$}   {beside:<rest$}", "", rest = WIDTH - BOARD - 3));
        }
        lines
    }
}

impl Gauge {
    /// As `kings 2`.
    pub fn words(&self) -> String {
        format!("{} {}", self.name, self.distance)
    }

    /// As `kings: king to king`.
    pub fn meaning(&self) -> String {
        format!("{}: {}", self.name, self.meaning)
    }

    /// Name, number, a bar, and what has changed.
    fn line(&self, before: Option<&Scene>) -> String {
        let &Gauge { name, distance, most, .. } = self;
        let bar = "#".repeat((BAR * distance as usize).div_ceil(most as usize).min(BAR));
        let mut earlier = before.into_iter().flat_map(|before| &before.gauges);
        let change = match earlier.find(|gauge| gauge.name == name) {
            Some(was) if was.distance != distance => {
                format!("{:+}", i64::from(distance) - i64::from(was.distance))
            }
            _ => String::new(),
        };
        format!("{name:<NAME$}{distance:>NUMBER$}  {bar:.<BAR$} {change:>3}")
    }
}

/// The distances that matter most, White being the side that mates. Those to a corner and to the centre are in
/// steps along ranks and files, the others in moves of the piece.
fn gauges(board: &Board) -> Vec<Gauge> {
    let [Some(white), Some(black)] = [White, Black].map(|side| board.king_of(side)) else {
        return Vec::new();
    };
    let of = |side: Color, role: Role| board.by_piece(role.of(side));
    let pawn = of(White, Role::Pawn).into_iter().min_by_key(|&it| promotion_distance(White, it));
    let knight = of(White, Role::Knight).first();
    let others = board.black() & !board.kings();
    let mut gauges = Vec::new();
    let mut add = |name, meaning, distance, most| {
        gauges.push(Gauge { name, meaning, distance, most });
    };
    match (pawn, of(White, Role::Bishop).first()) {
        (Some(pawn), _) => {
            let end = Square::from_coords(pawn.file(), Rank::Eighth);
            add("pawn", "pawn to promotion", promotion_distance(White, pawn), 5);
            add("king", "white king to the promotion square", chebyshev(white, end), 7);
            add("defender", "black king to the promotion square", chebyshev(black, end), 7);
        }
        (None, Some(bishop)) if knight.is_some() => {
            let meaning = "black king to a corner of the bishop's colour";
            add("corner", meaning, bishop_corner_distance(bishop, black), 7);
        }
        _ => add("edge", "black king to the edge", edge_distance(black), 3),
    }
    add("kings", "king to king", chebyshev(white, black), 7);
    if let Some(knight) = knight {
        add("knight", "knight to the black king", knight_distance(knight, black), 6);
    }
    if let Some(pawn) = (others & board.pawns()).first() {
        add("pawn", "black pawn to promotion", promotion_distance(Black, pawn), 5);
    } else if let Some(piece) = others.first() {
        add("guard", "black king to its piece", chebyshev(black, piece), 7);
    }
    if pawn.is_none() {
        add("centre", "black king to the centre", centre_manhattan(black), 6);
    }
    gauges.truncate(MOST);
    gauges
}

#[cfg(test)]
mod tests {
    use super::*;

    fn distances(board: &str) -> String {
        let board = Board::from_ascii_board_fen(board.as_bytes()).unwrap();
        gauges(&board).iter().map(Gauge::words).collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn the_distances_fit_the_ending() {
        // The bishop is dark, so its nearest corner is a1. The knight needs three moves to b1.
        let four = "corner 1, kings 2, knight 3, centre 5";
        assert_eq!(distances("8/8/8/4B3/1N6/2K5/8/1k6"), four);
        assert_eq!(distances("8/8/8/3k4/8/8/8/K6R"), "edge 3, kings 4, centre 0");
        assert_eq!(distances("8/8/8/3k4/8/1P6/8/K7"), "pawn 5, king 7, defender 3, kings 4");
        assert_eq!(distances("8/n7/8/3k4/8/8/8/K6R"), "edge 3, kings 4, guard 3, centre 0");
        assert_eq!(distances("8/8/8/8/8/2k5/1p6/K6Q"), "edge 2, kings 2, pawn 1, centre 2");
    }

    #[test]
    fn a_gauge_fits_its_columns() {
        for (distance, bar) in [(0, 0), (1, 4), (6, 24), (7, 28)] {
            let line = Gauge { name: "defender", meaning: "", distance, most: 7 }.line(None);
            assert_eq!(line.matches('#').count(), bar);
            assert_eq!(line.matches('.').count(), BAR - bar);
            assert_eq!(line.len(), WIDTH - BOARD - 3);
        }
        const { assert!(WIDTH < 80) };
    }
}
