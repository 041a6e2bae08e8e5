//! A board as a picture: in plain text, in colour for a terminal, and as an SVG.

use anstyle::{Ansi256Color, Style};
use askama::Template;
use shakmaty::{Board, File, Move, Piece, Rank, Square};
use std::fmt;

/// A board with text and a colour on its squares.
///
/// ```
/// use shakmaty::Square;
/// use tropism::geometry::chebyshev;
/// use tropism_coach::{Cell, Picture};
/// let mut board = Picture::new("chebyshev a1", "king moves");
/// for square in Square::ALL {
///     let moves = chebyshev(Square::A1, square);
///     *board.cell(square) = Cell { text: moves.to_string(), heat: Some(f64::from(moves) / 7.0), mark: false };
/// }
/// board.cell(Square::A1).mark = true;
/// assert!(board.to_string().contains("\n1  [0] 1  2  3  4  5  6  7\n"));
/// assert!(board.svg().contains("chebyshev a1"));
/// ```
#[derive(Clone, Debug)]
pub struct Picture {
    title: String,
    about: String,
    caption: Vec<String>,
    cells: [Cell; 64],
    /// What the coloured picture shows instead of text and heat, where the cells are letters of pieces.
    figurines: Option<[(String, Style); 64]>,
    is_flipped: bool,
}

/// The figurine on a square, or a dot, and its colours. White's pieces are outlined, so that they differ from Black's
/// where the terminal has no colours. The dot has the colour of its square: it is seen only there.
fn figurine(square: Square, piece: Option<Piece>, is_marked: bool) -> (String, Style) {
    const DARK: u8 = 137;
    const LIGHT: u8 = 180;
    const MARKED: u8 = 143;
    const BLACK: u8 = 16;
    let ground = match is_marked {
        true => MARKED,
        false if square.is_light() => LIGHT,
        false => DARK,
    };
    let text = piece.map_or('.', |piece| {
        let figurines = piece.color.fold_wb("♙♘♗♖♕♔", "♟♞♝♜♛♚");
        figurines.chars().nth(piece.role as usize - 1).unwrap_or('?')
    });
    let ink = if piece.is_some() { BLACK } else { ground };
    (text.to_string(), style(ink, ground))
}

/// Two of the 256 colours of a terminal.
fn style(ink: u8, ground: u8) -> Style {
    let colour = |number| Some(Ansi256Color(number).into());
    Style::new().fg_color(colour(ink)).bg_color(colour(ground))
}

/// The content of a square.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Cell {
    /// The text on it. An empty text prints as a dot.
    pub text: String,
    /// Its colour, from 0 (near, bright) to 1 (far, dark), or none.
    pub heat: Option<f64>,
    /// Whether it is highlighted, like the square that a distance is measured from.
    pub mark: bool,
}

impl Picture {
    /// An empty board. The heading is the title, and what the title means.
    pub fn new(title: impl Into<String>, about: impl Into<String>) -> Picture {
        let (title, about, cells) =
            (title.into(), about.into(), std::array::from_fn(|_| Cell::default()));
        Picture { title, about, caption: Vec::new(), cells, figurines: None, is_flipped: false }
    }

    /// Adds a line below the board.
    pub fn add_caption(&mut self, line: impl Into<String>) {
        self.caption.push(line.into());
    }

    /// The pieces of a position as letters; in colour, as figurines on light and dark squares. The last move is marked.
    /// The board may be seen from Black's side.
    pub(super) fn of_pieces(
        title: impl Into<String>,
        about: impl Into<String>,
        pieces: &Board,
        last: Option<Move>,
        is_flipped: bool,
    ) -> Picture {
        let mut picture = Picture { is_flipped, ..Picture::new(title, about) };
        for (square, piece) in pieces {
            let mark = last.is_some_and(|last| last.to() == square);
            *picture.cell(square) = Cell { text: piece.char().to_string(), heat: None, mark };
        }
        let is_marked = |it| last.is_some_and(|last| last.to() == it || last.from() == Some(it));
        let figurines = Square::ALL.map(|it| figurine(it, pieces.piece_at(it), is_marked(it)));
        picture.figurines = Some(figurines);
        picture
    }

    /// The cell of a square, to write on.
    pub fn cell(&mut self, square: Square) -> &mut Cell {
        &mut self.cells[square.to_usize()]
    }

    /// The same board in colour, with the escape codes of terminals.
    pub fn coloured(&self) -> impl fmt::Display {
        fmt::from_fn(|f| {
            self.write(f, |square, cell| {
                let style = cell.heat.map(Colour::of_heat).map(Colour::style);
                let plain = || (cell.text.clone(), style.unwrap_or_default());
                let figurine = self.figurines.as_ref().map(|them| them[square.to_usize()].clone());
                figurine.unwrap_or_else(plain)
            })
        })
    }

    fn write(
        &self,
        f: &mut fmt::Formatter<'_>,
        shown: impl Fn(Square, &Cell) -> (String, Style),
    ) -> fmt::Result {
        let width =
            self.cells.iter().map(|cell| cell.text.chars().count()).max().unwrap_or(0).max(1);
        writeln!(f, "{}: {}\n", self.title, self.about)?;
        let (mut ranks, mut files) = (Rank::ALL, File::ALL);
        match self.is_flipped {
            true => files.reverse(),
            false => ranks.reverse(),
        }
        for rank in ranks {
            write!(f, "{rank}  ")?;
            for file in files {
                let square = Square::from_coords(file, rank);
                let cell = &self.cells[square.to_usize()];
                let (text, style) = shown(square, cell);
                let text = if text.is_empty() { "." } else { &text };
                let [open, close] = if cell.mark { ["[", "]"] } else { [" ", " "] };
                let text = format!("{open}{text:>width$}{close}");
                write!(f, "{style}{text}{style:#}")?;
            }
            writeln!(f)?;
        }
        write!(f, "\n   ")?;
        for file in files {
            write!(f, " {:>width$} ", file.char())?;
        }
        for line in &self.caption {
            write!(f, "\n\n{line}")?;
        }
        Ok(())
    }

    /// The same board as a standalone SVG document.
    pub fn svg(&self) -> String {
        Svg { picture: self, height: 624 + 28 * self.caption.len() }.to_string()
    }

    fn squares(&self) -> impl Iterator<Item = (Square, &Cell)> {
        Square::ALL.into_iter().zip(&self.cells)
    }
}

#[derive(Template)]
#[template(path = "picture.svg")]
struct Svg<'a> {
    picture: &'a Picture,
    height: usize,
}

impl Cell {
    /// The colour of a square with it.
    fn colour(&self, square: &Square) -> Colour {
        let plain = if square.is_light() { Colour(246, 246, 246) } else { Colour(222, 222, 222) };
        self.heat.map_or(plain, Colour::of_heat)
    }

    /// The size of the text, and how far its baseline is below the centre: many programs do not know
    /// `dominant-baseline`.
    fn size(&self) -> (u32, u32) {
        if self.text.chars().count() > 2 { (22, 7) } else { (28, 10) }
    }
}

impl fmt::Display for Picture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = fmt::from_fn(|f| self.write(f, |_, cell| (cell.text.clone(), Style::new())))
            .to_string();
        let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
        f.write_str(&lines.join("\n"))
    }
}

/// Red, green and blue.
#[derive(Copy, Clone)]
struct Colour(u8, u8, u8);

impl Colour {
    /// From bright yellow over green to dark violet: five points of the palette *viridis*. It gets
    /// darker at an even rate, also for colour-blind readers and on paper.
    fn of_heat(heat: f64) -> Colour {
        const POINTS: [Colour; 5] = [
            Colour(253, 231, 37),
            Colour(94, 201, 98),
            Colour(33, 145, 140),
            Colour(59, 82, 139),
            Colour(68, 1, 84),
        ];
        let place = heat.clamp(0.0, 1.0) * (POINTS.len() - 1) as f64;
        let below = (place as usize).min(POINTS.len() - 2);
        let (from, to, share) = (POINTS[below], POINTS[below + 1], place - below as f64);
        let mix =
            |a: u8, b: u8| (f64::from(a) + share * (f64::from(b) - f64::from(a))).round() as u8;
        Colour(mix(from.0, to.0), mix(from.1, to.1), mix(from.2, to.2))
    }

    /// Black or white, whichever is readable on it.
    fn ink(self) -> Colour {
        let [red, green, blue] = [self.0, self.1, self.2].map(u32::from);
        if 299 * red + 587 * green + 114 * blue > 128_000 {
            Colour(0, 0, 0)
        } else {
            Colour(255, 255, 255)
        }
    }

    fn hex(self) -> String {
        format!("#{:02x}{:02x}{:02x}", self.0, self.1, self.2)
    }

    /// The nearest of the 256 colours that nearly all terminals know: a cube of six by six by six,
    /// from entry 16.
    fn ansi(self) -> u8 {
        const LEVELS: [u8; 6] = [0, 95, 135, 175, 215, 255];
        let step = |level: u8| {
            let steps = (0..).zip(LEVELS);
            steps.min_by_key(|(_, known)| known.abs_diff(level)).map_or(0, |(step, _)| step)
        };
        16 + 36 * step(self.0) + 6 * step(self.1) + step(self.2)
    }

    fn style(self) -> Style {
        style(self.ink().ansi(), self.ansi())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn small() -> Picture {
        let mut board = Picture::new("a < b", "steps");
        *board.cell(Square::A1) = Cell { text: "0".into(), heat: Some(0.0), mark: true };
        *board.cell(Square::H8) = Cell { text: "14".into(), heat: Some(1.0), mark: false };
        board.add_caption("14 steps");
        board
    }

    #[test]
    fn plain_text_has_no_escape_codes_and_lines_up() {
        let text = small().to_string();
        assert!(!text.contains('\u{1b}'), "{text}");
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "a < b: steps");
        assert_eq!(lines[2], "8    .   .   .   .   .   .   .  14");
        assert_eq!(lines[9], "1  [ 0]  .   .   .   .   .   .   .");
        assert_eq!(lines[11], "     a   b   c   d   e   f   g   h");
        assert_eq!(lines[13], "14 steps");
    }

    #[test]
    fn coloured_text_is_the_plain_text_with_colours() {
        let board = small();
        let coloured = board.coloured().to_string();
        // Yellow and violet of the 256 colours, with black and white text.
        assert!(coloured.contains("\u{1b}[38;5;16m\u{1b}[48;5;220m[ 0]\u{1b}[0m"), "{coloured:?}");
        assert!(coloured.contains("\u{1b}[38;5;231m\u{1b}[48;5;53m 14 \u{1b}[0m"), "{coloured:?}");
        let stripped = anstream::adapter::strip_str(&coloured).to_string();
        let lines: Vec<&str> = stripped.lines().map(str::trim_end).collect();
        assert_eq!(lines.join("\n"), board.to_string());
    }

    #[test]
    fn the_svg_is_self_contained_and_escapes_text() {
        let svg = small().svg();
        assert!(svg.starts_with("<svg"), "{svg}");
        assert!(svg.contains("xmlns=\"http://www.w3.org/2000/svg\""), "{svg}");
        assert!(svg.contains("a &#60; b") && !svg.contains("a < b"), "{svg}");
        assert_eq!(svg.matches("<g id=").count(), 64);
        assert!(svg.contains("#fde725") && svg.contains("#440154"), "{svg}");
    }

    #[test]
    fn heat_out_of_range_is_clamped() {
        assert_eq!(Colour::of_heat(-1.0).hex(), Colour::of_heat(0.0).hex());
        assert_eq!(Colour::of_heat(2.0).hex(), "#440154");
    }

    #[test]
    fn a_position_in_colour_has_figurines_and_can_be_seen_from_either_side() {
        let (from, to) = (Square::E2, Square::E4);
        let last =
            Move::Normal { role: shakmaty::Role::Pawn, from, capture: None, to, promotion: None };
        let of = |is_flipped| {
            Picture::of_pieces("start", "all pieces", &Board::default(), Some(last), is_flipped)
        };
        let picture = of(false);
        let stripped = |picture: &Picture| {
            anstream::adapter::strip_str(&picture.coloured().to_string()).to_string()
        };
        let text = stripped(&picture);
        assert!(text.contains("\n1   ♖  ♘  ♗  ♕  ♔  ♗  ♘  ♖ \n"), "{text}");
        assert!(text.contains("\n8   ♜  ♞  ♝  ♛  ♚  ♝  ♞  ♜ \n7   ♟  "), "{text}");
        // Both squares of the move have the colour of marks; the squares beside them do not.
        let coloured = picture.coloured().to_string();
        assert_eq!(coloured.matches("48;5;143").count(), 2, "{coloured:?}");
        let picture = of(true);
        let text = stripped(&picture);
        assert!(text.contains("\n8   ♜  ♞  ♝  ♚  ♛  ♝  ♞  ♜ \n\n    h  g  f"), "{text}");
        assert!(picture.to_string().contains("all pieces\n\n1   R  N  B  K  Q"), "{picture}");
    }
}
