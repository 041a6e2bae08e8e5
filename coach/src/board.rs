//! A board of a page: the pieces, and what a term measured on the squares.

use crate::svg::{document, element, escaped, points_of, title};
use shakmaty::{Chess, Color, File, Move, Position, Rank, Square, attacks};
use tropism::eval::{Arrow, Marks};
use tropism::geometry::chebyshev;

/// The side of a square, and the margin for the coordinates on the left and below.
const SIDE: f64 = 48.0;
const MARGIN: f64 = 16.0;
/// The side of the whole picture.
const SIZE: f64 = MARGIN + 8.0 * SIDE;

/// White's pieces as symbols, each in a square of 45 by 45 units, drawn for this project.
const WHITE_PIECES: &str = include_str!("../templates/pieces.svg");

/// What is drawn on a board in addition to the pieces.
#[derive(Clone, Debug, Default)]
pub struct Overlay {
    pub values: Vec<SquareValue>,
    pub marks: Marks,
    /// Moves, each with its class: a mistake, and the move that is better.
    pub moves: Vec<(Arrow, &'static str)>,
}

impl Overlay {
    /// The move that was played in one colour and the better one in another.
    pub fn of_mistake(played: Option<Move>, better: Option<Move>, side: Color) -> Overlay {
        let moves = [(played, "arrow mistake"), (better, "arrow better")];
        let arrows = moves.into_iter().filter_map(|(m, class)| Some((of_move(m?, side)?, class)));
        Overlay { moves: arrows.collect(), ..Overlay::default() }
    }

    /// Arrows for moves in a row, the first of which `first` plays.
    pub fn of_moves(moves: &[Move], first: Color) -> Overlay {
        let sides = [first, !first].into_iter().cycle();
        let arrows = moves.iter().zip(sides).filter_map(|(&m, side)| of_move(m, side));
        let marks = Marks { arrows: arrows.collect(), ..Marks::default() };
        Overlay { marks, ..Overlay::default() }
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

/// A move of a side as an arrow.
fn of_move(m: Move, side: Color) -> Option<Arrow> {
    ends(m, side).map(|(from, to)| Arrow::straight(from, to, side))
}

/// The squares of a move. For castling, those of the king.
pub fn ends(m: Move, side: Color) -> Option<(Square, Square)> {
    let to = m.castling_side().map_or(m.to(), |castling| castling.king_to(side));
    m.from().map(|from| (from, to))
}

/// The symbols of all twelve pieces. Black's have the outlines of White's.
fn symbols_of_pieces() -> String {
    let black = WHITE_PIECES.replace("white", "black").replace("id=\"w", "id=\"b");
    [WHITE_PIECES, black.trim_end()].concat()
}

/// An invisible SVG document with the symbols of all twelve pieces. Their ids are the letters `w` or `b` and
/// that of the piece in lower case, such as `wn`; their style is in `templates/pieces.css`.
pub fn piece_symbols() -> String {
    let definitions = element("defs", &[symbols_of_pieces()]);
    document("aria-hidden=\"true\" height=\"0\" width=\"0\"", &[definitions])
}

/// An invisible document with the symbols that all boards of a page refer to: the empty board and the pieces.
pub fn definitions() -> String {
    let definitions = element("defs", &[empty(), symbols_of_pieces()]);
    document("class=\"definitions\" height=\"0\" width=\"0\"", &[definitions])
}

fn empty() -> String {
    let class = |square: Square| if square.is_light() { "light" } else { "dark" };
    let squares = Square::ALL.into_iter();
    let mut parts: Vec<String> =
        squares.map(|it| format!(r#"<rect class="{}" {}/>"#, class(it), area(it))).collect();
    for (i, (file, rank)) in (0..8).zip(File::ALL.into_iter().zip(Rank::ALL)) {
        let along = (f64::from(i) + 0.5) * SIDE;
        parts.push(text(&file.to_string(), MARGIN + along, SIZE - 4.0, "coordinate"));
        let y = SIZE - MARGIN - along + 4.0;
        parts.push(text(&rank.to_string(), MARGIN / 2.0, y, "coordinate"));
    }
    element(&format!(r#"symbol id="board" viewBox="0 0 {SIZE} {SIZE}""#), &parts)
}

/// Draws a board. `name` is its title for screen readers.
pub fn draw(position: &Chess, overlay: &Overlay, name: &str) -> String {
    let mut parts = vec![title(name)];
    parts.push(format!(r##"<use height="{SIZE}" href="#board" width="{SIZE}"/>"##));
    parts.extend(under_pieces(overlay));
    for (square, piece) in position.board() {
        let ((x, y), side) = (corner(square), SIDE - 4.0);
        let id = format!("{}{}", piece.color.char(), piece.role.char());
        let place = format!(r#"x="{}" y="{}""#, x + 2.0, y + 1.0);
        parts.push(format!(r##"<use height="{side}" href="#{id}" width="{side}" {place}/>"##));
    }
    parts.extend(on_pieces(overlay));
    document(&format!(r#"class="board" role="img" viewBox="0 0 {SIZE} {SIZE}""#), &parts)
}

/// The two layers of an overlay without the board, for a program that draws the pieces itself: what lies
/// under the pieces, and what lies on them. Each is as large as the 64 squares.
pub fn layers(overlay: &Overlay) -> [String; 2] {
    let size = 8.0 * SIDE;
    let attributes = format!(r#"aria-hidden="true" viewBox="{MARGIN} 0 {size} {size}""#);
    [under_pieces(overlay), on_pieces(overlay)].map(|parts| document(&attributes, &parts))
}

fn under_pieces(overlay: &Overlay) -> Vec<String> {
    let tint = |square: &SquareValue| {
        let class = if square.value > 0 { "tint white" } else { "tint black" };
        // Even the weakest contribution is visible.
        let opacity = 0.12 + 0.68 * square.strength;
        format!(r#"<rect class="{class}" fill-opacity="{opacity:.2}" {}/>"#, area(square.square))
    };
    let tints = overlay.values.iter().filter(|square| square.value != 0).map(tint);
    tints.chain(overlay.marks.dots.iter().map(|&square| circle(square, 5.0, "dot"))).collect()
}

fn on_pieces(overlay: &Overlay) -> Vec<String> {
    let rings = overlay.marks.rings.iter();
    let mut parts: Vec<String> =
        rings.map(|&square| circle(square, SIDE / 2.0 - 3.0, "ring")).collect();
    let of_side = |arrow: &Arrow| (arrow.clone(), arrow.side.fold_wb("arrow white", "arrow black"));
    let moves = overlay.moves.iter().cloned();
    let (paths, classes): (Vec<Arrow>, Vec<&str>) =
        overlay.marks.arrows.iter().map(of_side).chain(moves).unzip();
    let mut numbers = Vec::new();
    for ((path, class), lane) in paths.iter().zip(classes).zip(lanes(&paths)) {
        let points = points(path, lane);
        parts.push(arrow(&points, class));
        numbers.extend(path.length.map(|length| {
            let (x, y) = along(&points);
            text(&length.to_string(), x, y + 5.0, "number")
        }));
    }
    parts.append(&mut numbers);
    parts.extend(overlay.values.iter().map(labels));
    parts
}

/// The figure and the value on a square, and its tooltip.
fn labels(square: &SquareValue) -> String {
    let (x, y) = corner(square.square);
    let mut parts = Vec::new();
    if !square.figure.is_empty() {
        parts.push(text(&square.figure, x + 3.0, y + 11.0, "distance"));
    }
    if square.value != 0 {
        let value = format!("{:+}", square.value);
        parts.push(text(&value, x + SIDE / 2.0, y + SIDE - 3.0, "worth"));
    }
    let rectangle = format!(r#"rect class="area" {}"#, area(square.square));
    parts.push(element(&rectangle, &[title(&square.tooltip)]));
    element("g", &parts)
}

/// For each arrow the lane it is drawn in: 0 on the centres of its squares, others beside it. Arrows that
/// lie on each other for a step have different lanes.
fn lanes(arrows: &[Arrow]) -> Vec<usize> {
    let mut lanes: Vec<usize> = Vec::new();
    for (index, arrow) in arrows.iter().enumerate() {
        let own = steps(arrow);
        let taken: Vec<usize> = arrows[..index]
            .iter()
            .zip(&lanes)
            .filter(|(other, _)| steps(other).iter().any(|step| own.contains(step)))
            .map(|(_, &lane)| lane)
            .collect();
        lanes.push((0..).find(|lane| !taken.contains(lane)).unwrap_or_default());
    }
    lanes
}

/// The steps of an arrow from square to square, each with the lower square first.
fn steps(arrow: &Arrow) -> Vec<(Square, Square)> {
    let mut steps = Vec::new();
    for pair in arrow.squares.windows(2) {
        let &[from, to] = pair else { continue };
        let mut way: Vec<Square> = attacks::between(from, to).into_iter().collect();
        way.extend([from, to]);
        way.sort_by_key(|&square| chebyshev(from, square));
        steps.extend(way.windows(2).map(|step| (step[0].min(step[1]), step[0].max(step[1]))));
    }
    steps
}

/// The line of an arrow: through the centres of its squares, or beside them in a lane other than 0.
fn points(arrow: &Arrow, lane: usize) -> Vec<(f64, f64)> {
    /// The distance of neighbouring lanes.
    const LANE: f64 = 7.0;
    let mut points: Vec<(f64, f64)> = arrow.squares.iter().map(|&square| centre(square)).collect();
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

/// A line with an arrowhead. It stops before its end, so that the piece there stays visible.
fn arrow(points: &[(f64, f64)], class: &str) -> String {
    const SHORT: f64 = 10.0;
    const HEAD: f64 = 11.0;
    let [start @ .., from, to] = points else { return String::new() };
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = dx.hypot(dy).max(1.0);
    let (dx, dy) = (dx / length, dy / length);
    let tip = (to.0 - SHORT * dx, to.1 - SHORT * dy);
    let neck = (tip.0 - HEAD * dx, tip.1 - HEAD * dy);
    let wing = |side: f64| (neck.0 - side * dy, neck.1 + side * dx);
    let head = points_of(&[tip, wing(HEAD / 2.0), wing(-HEAD / 2.0)]);
    let line = points_of(&[start, &[*from, neck]].concat());
    let [line, head] = [format!("<polyline {line}/>"), format!("<polygon {head}/>")];
    element(&format!(r#"g class="{class}""#), &[line, head])
}

/// The upper left corner of a square.
fn corner(square: Square) -> (f64, f64) {
    let (file, rank) = (f64::from(square.file().to_u32()), f64::from(square.rank().to_u32()));
    (MARGIN + SIDE * file, SIDE * (7.0 - rank))
}

fn centre(square: Square) -> (f64, f64) {
    let (x, y) = corner(square);
    (x + SIDE / 2.0, y + SIDE / 2.0)
}

/// Size and place of a square, as attributes of a rectangle.
fn area(square: Square) -> String {
    let (x, y) = corner(square);
    format!(r#"height="{SIDE}" width="{SIDE}" x="{x}" y="{y}""#)
}

fn circle(square: Square, radius: f64, class: &str) -> String {
    let (x, y) = centre(square);
    format!(r#"<circle class="{class}" cx="{x}" cy="{y}" r="{radius}"/>"#)
}

/// The halo of a text lies behind the letters.
fn text(content: &str, x: f64, y: f64, class: &str) -> String {
    let tag = format!(r#"text class="{class}" paint-order="stroke" x="{x}" y="{y}""#);
    element(&tag, &[escaped(content)])
}

/// A bar from the middle to the right for White, to the left for Black. `share` is the value divided
/// by the largest one, -1 to 1.
pub fn bar(share: f64) -> String {
    let (from, class) = if share > 0.0 { (50.0, "white") } else { (50.0 + 50.0 * share, "black") };
    let end = from + 50.0 * share.abs();
    let bar = format!(r#"<path class="{class}" d="M{from:.2} 1 H{end:.2} V9 H{from:.2} Z"/>"#);
    // The line stays thin however wide the bar is drawn.
    let axis = r#"<path class="axis" d="M50 0 V10" vector-effect="non-scaling-stroke"/>"#;
    let attributes =
        r#"aria-hidden="true" class="bar" preserveAspectRatio="none" viewBox="0 0 100 10""#;
    document(attributes, &[bar, axis.to_owned()])
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
