//! What a term draws on a board: data, from which a page makes a picture.

use shakmaty::{Color, Square};

/// Arrows, rings, dots and numbers, and the text below the board.
#[derive(Clone, Debug, Default)]
pub struct Marks {
    /// Arrows and ways.
    pub arrows: Vec<Arrow>,
    /// Squares with a ring: what is measured.
    pub rings: Vec<Square>,
    /// Squares with a dot: a set.
    pub dots: Vec<Square>,
    /// Text in the middle of a square.
    pub numbers: Vec<(Square, String)>,
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
}

impl Arrow {
    /// A straight arrow from one square to another.
    pub fn straight(from: Square, to: Square, side: Color) -> Arrow {
        Arrow { squares: vec![from, to], side }
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
