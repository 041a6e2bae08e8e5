//! A board of a page: the pieces, and what a term measured on the squares.

use askama::Template;
use shakmaty::{Bitboard, Chess, Color, File, Move, Position, Square, attacks};
use tropism::eval::{Arrow, Marks};

/// The side of a square, and the margin for the coordinates on the left and below. The templates have the same numbers.
const SIDE: f64 = 48.0;
const MARGIN: f64 = 16.0;

/// White's pieces as symbols, each in a square of 45 by 45 units, drawn for this project.
const WHITE_PIECES: &str = include_str!("../templates/pieces.svg");

/// What is drawn on a board in addition to the pieces.
#[derive(Clone, Debug, Default)]
pub struct Overlay {
    pub values: Vec<SquareValue>,
    pub marks: Marks,
    /// Moves, each with its class: that of its side, a mistake, or the move that is better.
    pub moves: Vec<(Arrow, &'static str)>,
}

impl Overlay {
    /// Moves of a side, each with its class.
    pub fn of_moves(moves: impl Iterator<Item = (Move, Color, &'static str)>) -> Overlay {
        let arrow = |(m, side, class)| {
            let (from, to) = ends(m, side)?;
            Some((Arrow::straight(from, to, side), class))
        };
        Overlay { moves: moves.filter_map(arrow).collect(), ..Overlay::default() }
    }

    /// The same for a board that is seen from Black's side.
    pub fn turned(mut self) -> Overlay {
        let turn = |square: &mut Square| *square = square.flip_vertical().flip_horizontal();
        self.values.iter_mut().for_each(|value| turn(&mut value.square));
        self.marks.rings.iter_mut().chain(&mut self.marks.dots).for_each(turn);
        let moves = self.moves.iter_mut().map(|(arrow, _)| arrow);
        let arrows = self.marks.arrows.iter_mut().chain(moves);
        arrows.flat_map(|arrow| &mut arrow.squares).for_each(turn);
        self
    }
}

/// What a square contributes to a term.
#[derive(Clone, Debug)]
pub struct SquareValue {
    pub square: Square,
    /// In centipawns, positive if good for White.
    pub value: i32,
    /// Its share of the largest contribution, 0 to 1.
    pub strength: f64,
    /// What is counted there; empty without a figure.
    pub figure: String,
    /// The name of the square, and everything measured there, one item per line.
    pub tooltip: String,
}

/// The squares of a move. For castling, those of the king.
pub fn ends(m: Move, side: Color) -> Option<(Square, Square)> {
    let to = m.castling_side().map_or(m.to(), |castling| castling.king_to(side));
    m.from().map(|from| (from, to))
}

/// An invisible document with the symbols of the pieces, and maybe of the empty board.
#[derive(Template)]
#[template(path = "symbols.svg")]
struct Symbols<'a> {
    has_board: bool,
    white: &'a str,
    black: &'a str,
}

impl Symbols<'_> {
    fn text(has_board: bool) -> String {
        // Black's pieces have the outlines of White's.
        let black = WHITE_PIECES.replace("white", "black").replace("id=\"w", "id=\"b");
        Symbols { has_board, white: WHITE_PIECES, black: &black }.to_string()
    }
}

/// An invisible SVG document with the symbols of all twelve pieces. Their ids are the letters `w` or `b` and
/// that of the piece in lower case, such as `wn`; their style is in `templates/pieces.css`.
pub fn piece_symbols() -> String {
    Symbols::text(false)
}

/// An invisible document with the symbols that all boards of a page refer to: the empty board and the pieces.
pub fn definitions() -> String {
    Symbols::text(true)
}

#[derive(Template)]
#[template(path = "board.svg")]
struct Drawing<'a> {
    position: &'a Chess,
    overlay: &'a Overlay,
    name: &'a str,
}

/// Draws a board. `name` is its title for screen readers.
pub fn draw(position: &Chess, overlay: &Overlay, name: &str) -> String {
    Drawing { position, overlay, name }.to_string()
}

#[derive(Template)]
#[template(path = "board.svg", block = "under")]
struct UnderPieces<'a> {
    overlay: &'a Overlay,
}

#[derive(Template)]
#[template(path = "board.svg", block = "over")]
struct OverPieces<'a> {
    overlay: &'a Overlay,
}

/// The two layers of an overlay without the board, for a program that draws the pieces itself: what lies
/// under the pieces, and what lies on them. Each is as large as the 64 squares.
pub fn layers(overlay: &Overlay) -> [String; 2] {
    let attributes = r#"viewBox="16 0 384 384" xmlns="http://www.w3.org/2000/svg""#;
    let layers = [UnderPieces { overlay }.to_string(), OverPieces { overlay }.to_string()];
    layers.map(|layer| format!("<svg aria-hidden=\"true\" {attributes}>{layer}</svg>"))
}

/// An arrow as it is drawn: its class, the points of its line and its head, and its number with the place.
struct DrawnArrow {
    class: &'static str,
    line: String,
    head: String,
    number: Option<(u32, f64, f64)>,
}

impl Overlay {
    fn arrows(&self) -> Vec<DrawnArrow> {
        let of_side = |arrow: &Arrow| (arrow.clone(), arrow.side.fold_wb("white", "black"));
        let moves = self.moves.iter().cloned();
        let (arrows, classes): (Vec<Arrow>, Vec<&str>) =
            self.marks.arrows.iter().map(of_side).chain(moves).unzip();
        let drawn = |((arrow, class), lane): ((&Arrow, _), _)| {
            let path = path(arrow, lane);
            let number = arrow.length.map(|length| {
                let (x, y) = along(&path);
                (length, x, y + 5.0)
            });
            let [line, head] = line_and_head(&path)?;
            Some(DrawnArrow { class, line, head, number })
        };
        arrows.iter().zip(classes).zip(lanes(&arrows)).filter_map(drawn).collect()
    }
}

/// For each arrow the lane it is drawn in: 0 on the centres of its squares, others beside it. Arrows that
/// lie on each other for a step have different lanes.
fn lanes(arrows: &[Arrow]) -> Vec<usize> {
    let mut lanes: Vec<(Bitboard, usize)> = Vec::new();
    for arrow in arrows {
        let between = arrow.squares.windows(2).flat_map(|pair| attacks::between(pair[0], pair[1]));
        let own: Bitboard = arrow.squares.iter().copied().chain(between).collect();
        let is_free = |&lane: &usize| {
            !lanes.iter().any(|&(other, taken)| lane == taken && (own & other).more_than_one())
        };
        lanes.push((own, (0..).find(is_free).unwrap_or_default()));
    }
    lanes.into_iter().map(|(_, lane)| lane).collect()
}

/// The line of an arrow: through the centres of its squares, or beside them in a lane other than 0.
fn path(arrow: &Arrow, lane: usize) -> Vec<(f64, f64)> {
    /// The distance of neighbouring lanes.
    const LANE: f64 = 7.0;
    let mut points: Vec<(f64, f64)> = arrow.squares.iter().map(centre).collect();
    if let (Some(&first), Some(&last)) = (points.first(), points.last()) {
        // To the right of the arrow, to the left, and so on.
        let side = if lane % 2 == 1 { 1.0 } else { -1.0 };
        let shift = side * LANE * lane.div_ceil(2) as f64;
        let (dx, dy) = (last.0 - first.0, last.1 - first.1);
        let length = dx.hypot(dy).max(1.0);
        for point in &mut points {
            *point = (point.0 - shift * dy / length, point.1 + shift * dx / length);
        }
    }
    points
}

/// The place of a number on a line: nearer to its beginning, because several ways may have one end.
fn along(points: &[(f64, f64)]) -> (f64, f64) {
    const SHARE: f64 = 0.4;
    let parts = points.windows(2).map(|part| (part[0], part[1]));
    let length = |(from, to): ((f64, f64), (f64, f64))| (to.0 - from.0).hypot(to.1 - from.1);
    let mut left = SHARE * parts.clone().map(length).sum::<f64>();
    for (from, to) in parts {
        let part = length((from, to)).max(1.0);
        if left <= part {
            let share = left / part;
            return (from.0 + share * (to.0 - from.0), from.1 + share * (to.1 - from.1));
        }
        left -= part;
    }
    points.last().copied().unwrap_or_default()
}

/// The points of a line and of its arrowhead. It stops before its end, so that the piece there stays visible.
fn line_and_head(path: &[(f64, f64)]) -> Option<[String; 2]> {
    const SHORT: f64 = 10.0;
    const HEAD: f64 = 11.0;
    let [start @ .., from, to] = path else { return None };
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = dx.hypot(dy).max(1.0);
    let (dx, dy) = (dx / length, dy / length);
    let tip = (to.0 - SHORT * dx, to.1 - SHORT * dy);
    let neck = (tip.0 - HEAD * dx, tip.1 - HEAD * dy);
    let wing = |side: f64| (neck.0 - side * dy, neck.1 + side * dx);
    let head = [tip, wing(HEAD / 2.0), wing(-HEAD / 2.0)];
    Some([points(&[start, &[*from, neck]].concat()), points(&head)])
}

/// The attribute of a line or polygon.
pub fn points(points: &[(f64, f64)]) -> String {
    points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect::<Vec<_>>().join(" ")
}

/// The upper left corner of a square.
fn corner(square: &Square) -> (f64, f64) {
    let (file, rank) = (f64::from(square.file().to_u32()), f64::from(square.rank().to_u32()));
    (MARGIN + SIDE * file, SIDE * (7.0 - rank))
}

fn centre(square: &Square) -> (f64, f64) {
    let (x, y) = corner(square);
    (x + SIDE / 2.0, y + SIDE / 2.0)
}

/// Size and place of a square, as attributes of a rectangle.
fn area(square: &Square) -> String {
    let (x, y) = corner(square);
    format!(r#"height="{SIDE}" width="{SIDE}" x="{x}" y="{y}""#)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrows_on_the_same_squares_run_beside_each_other() {
        let straight = |from, to| Arrow::straight(from, to, Color::White);
        let arrows = [
            straight(Square::B5, Square::B8),
            // A step back on the same squares.
            straight(Square::B7, Square::B6),
            // It only crosses.
            straight(Square::A6, Square::D6),
            Arrow {
                squares: vec![Square::C5, Square::B5, Square::B6],
                ..Arrow::straight(Square::C5, Square::B6, Color::Black)
            },
            straight(Square::G1, Square::F3),
            straight(Square::F3, Square::G1),
        ];
        assert_eq!(lanes(&arrows), [0, 1, 0, 1, 0, 1]);
    }
}
