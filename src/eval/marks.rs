//! What a term draws on a board: data, from which a page makes a picture.

use shakmaty::{Color, Square};

/// The most ways that a drawing has; more would hide the board.
pub(super) const MAX_WAYS: usize = 6;

/// Arrows, rings and dots, and the text below the board.
#[derive(Clone, Debug, Default)]
pub struct Marks {
    /// Arrows and ways.
    pub arrows: Vec<Arrow>,
    /// Squares with a ring: what is measured.
    pub rings: Vec<Square>,
    /// Squares with a dot: a set.
    pub dots: Vec<Square>,
    /// Findings, one sentence each.
    pub notes: Vec<String>,
    /// What the marks mean, one sentence each.
    pub legend: Vec<String>,
}

/// An arrow along squares, in the colour of a side.
#[derive(Clone, PartialEq, Debug)]
pub struct Arrow {
    /// At least two squares.
    pub squares: Vec<Square>,
    /// The side.
    pub side: Color,
    /// The number on it: how long the way is that it shows.
    pub length: Option<u32>,
}

impl Arrow {
    /// A straight arrow from one square to another.
    pub fn straight(from: Square, to: Square, side: Color) -> Arrow {
        Arrow { squares: vec![from, to], side, length: None }
    }
}

impl Marks {
    /// Adds a ring, once.
    pub fn add_ring(&mut self, square: Square) {
        if !self.rings.contains(&square) {
            self.rings.push(square);
        }
    }

    /// Adds an arrow, once.
    pub fn add_arrow(&mut self, arrow: Arrow) {
        if !self.arrows.contains(&arrow) {
            self.arrows.push(arrow);
        }
    }
}
