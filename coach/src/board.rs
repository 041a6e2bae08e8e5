//! A board of a page: the pieces, and what a term measured on the squares.

use super::pieces;
use shakmaty::{Chess, Color, File, Move, Position, Rank, Square, attacks};
use svg::node::element::{
    Circle, Definitions, Group, Path, Polygon, Polyline, Rectangle, Symbol, Text, Title, Use,
};
use svg::{Document, Node};
use tropism::eval::{Arrow, Marks};
use tropism::geometry::chebyshev;

/// The side of a square, and the margin for the coordinates on the left and below.
const SIDE: f64 = 48.0;
const MARGIN: f64 = 16.0;
/// The side of the whole picture.
const SIZE: f64 = MARGIN + 8.0 * SIDE;

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
    pub fn of_mistake(played: Move, better: Option<Move>, side: Color) -> Overlay {
        let moves = [(Some(played), "arrow mistake"), (better, "arrow better")];
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

/// An invisible document with the symbols that all boards of a page refer to.
pub fn definitions() -> Document {
    let definitions = symbols().into_iter().fold(Definitions::new(), Definitions::add);
    Document::new().set("width", 0).set("height", 0).set("class", "definitions").add(definitions)
}

/// The empty board and the pieces.
pub fn symbols() -> Vec<Symbol> {
    std::iter::once(empty()).chain(pieces::symbols()).collect()
}

fn empty() -> Symbol {
    let mut board = Symbol::new().set("id", "board").set("viewBox", format!("0 0 {SIZE} {SIZE}"));
    for square in Square::ALL {
        let class = if square.is_light() { "light" } else { "dark" };
        board = board.add(rectangle(square).set("class", class));
    }
    for (i, (file, rank)) in (0..8).zip(File::ALL.into_iter().zip(Rank::ALL)) {
        let along = (f64::from(i) + 0.5) * SIDE;
        board = board
            .add(text(file.to_string(), MARGIN + along, SIZE - 4.0, "coordinate"))
            .add(text(rank.to_string(), MARGIN / 2.0, SIZE - MARGIN - along + 4.0, "coordinate"));
    }
    board
}

/// Draws a board. `name` is its title for screen readers.
pub fn draw(position: &Chess, overlay: &Overlay, name: &str) -> Document {
    let mut document = Document::new()
        .set("viewBox", format!("0 0 {SIZE} {SIZE}"))
        .set("class", "board")
        .set("role", "img")
        .add(Title::new(name))
        .add(Use::new().set("href", "#board").set("width", SIZE).set("height", SIZE));
    document = under_pieces(overlay).into_iter().fold(document, Document::add);
    for (square, piece) in position.board() {
        let (x, y) = corner(square);
        document = document.add(
            Use::new()
                .set("href", format!("#{}", pieces::name(piece)))
                .set("x", x + 2.0)
                .set("y", y + 1.0)
                .set("width", SIDE - 4.0)
                .set("height", SIDE - 4.0),
        );
    }
    on_pieces(overlay).into_iter().fold(document, Document::add)
}

/// The two layers of an overlay without the board, for a program that draws the pieces itself: what lies
/// under the pieces, and what lies on them. Each is as large as the 64 squares.
pub fn layers(overlay: &Overlay) -> [Document; 2] {
    [under_pieces(overlay), on_pieces(overlay)].map(|parts| {
        let squares = format!("{MARGIN} 0 {} {}", 8.0 * SIDE, 8.0 * SIDE);
        let layer = Document::new().set("viewBox", squares).set("aria-hidden", "true");
        parts.into_iter().fold(layer, Document::add)
    })
}

fn under_pieces(overlay: &Overlay) -> Vec<Box<dyn Node>> {
    let mut parts: Vec<Box<dyn Node>> = Vec::new();
    for square in overlay.values.iter().filter(|square| square.value != 0) {
        let class = if square.value > 0 { "tint white" } else { "tint black" };
        // Even the weakest contribution is visible.
        let opacity = format!("{:.2}", 0.12 + 0.68 * square.strength);
        let tint = rectangle(square.square).set("class", class).set("fill-opacity", opacity);
        parts.push(tint.into());
    }
    for &square in &overlay.marks.dots {
        let (x, y) = centre(square);
        parts.push(Circle::new().set("cx", x).set("cy", y).set("r", 5).set("class", "dot").into());
    }
    parts
}

fn on_pieces(overlay: &Overlay) -> Vec<Box<dyn Node>> {
    let mut parts: Vec<Box<dyn Node>> = Vec::new();
    for &square in &overlay.marks.rings {
        let (x, y) = centre(square);
        let ring = Circle::new().set("cx", x).set("cy", y).set("r", SIDE / 2.0 - 3.0);
        parts.push(ring.set("class", "ring").into());
    }
    let of_side = |arrow: &Arrow| (arrow.clone(), arrow.side.fold_wb("arrow white", "arrow black"));
    let moves = overlay.moves.iter().cloned();
    let arrows: Vec<_> = overlay.marks.arrows.iter().map(of_side).chain(moves).collect();
    let paths: Vec<Arrow> = arrows.iter().map(|(path, _)| path.clone()).collect();
    let mut numbers = Vec::new();
    for ((path, class), lane) in arrows.iter().zip(lanes(&paths)) {
        let points = points(path, lane);
        parts.push(arrow(&points, class).into());
        numbers.extend(path.length.map(|length| {
            let (x, y) = along(&points);
            text(length.to_string(), x, y + 5.0, "number").into()
        }));
    }
    parts.append(&mut numbers);
    for square in &overlay.values {
        parts.push(labels(square).into());
    }
    parts
}

/// The figure and the value on a square, and its tooltip.
fn labels(square: &SquareValue) -> Group {
    let (x, y) = corner(square.square);
    let mut group = Group::new();
    if !square.figure.is_empty() {
        group = group.add(text(square.figure.clone(), x + 3.0, y + 11.0, "distance"));
    }
    if square.value != 0 {
        let value = format!("{:+}", square.value);
        group = group.add(text(value, x + SIDE / 2.0, y + SIDE - 3.0, "worth"));
    }
    let area = rectangle(square.square).set("class", "area");
    group.add(area.add(Title::new(square.tooltip.as_str())))
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
fn arrow(points: &[(f64, f64)], class: &str) -> Group {
    const SHORT: f64 = 10.0;
    const HEAD: f64 = 11.0;
    let mut points = points.to_vec();
    let group = Group::new().set("class", class);
    let [.., from, to] = points[..] else { return group };
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = dx.hypot(dy).max(1.0);
    let (dx, dy) = (dx / length, dy / length);
    let tip = (to.0 - SHORT * dx, to.1 - SHORT * dy);
    let neck = (tip.0 - HEAD * dx, tip.1 - HEAD * dy);
    if let Some(last) = points.last_mut() {
        *last = neck;
    }
    let wing = |side: f64| (neck.0 - side * dy, neck.1 + side * dx);
    let (left, right) = (wing(HEAD / 2.0), wing(-HEAD / 2.0));
    group
        .add(Polyline::new().set("points", joined(&points)))
        .add(Polygon::new().set("points", joined(&[tip, left, right])))
}

/// Points as SVG writes them.
pub fn joined(points: &[(f64, f64)]) -> String {
    let pairs: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    pairs.join(" ")
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

fn rectangle(square: Square) -> Rectangle {
    let (x, y) = corner(square);
    Rectangle::new().set("x", x).set("y", y).set("width", SIDE).set("height", SIDE)
}

fn text(content: String, x: f64, y: f64, class: &str) -> Text {
    let text = Text::new(content).set("x", x).set("y", y).set("class", class);
    // The halo lies behind the letters.
    text.set("paint-order", "stroke")
}

/// A bar from the middle to the right for White, to the left for Black. `share` is the value divided
/// by the largest one, -1 to 1.
pub fn bar(share: f64) -> Document {
    let (from, class) = if share > 0.0 { (50.0, "white") } else { (50.0 + 50.0 * share, "black") };
    let end = from + 50.0 * share.abs();
    // The line stays thin however wide the bar is drawn.
    let axis = Path::new().set("d", "M50 0 V10").set("class", "axis");
    let axis = axis.set("vector-effect", "non-scaling-stroke");
    Document::new()
        .set("viewBox", "0 0 100 10")
        .set("preserveAspectRatio", "none")
        .set("class", "bar")
        .set("aria-hidden", "true")
        .add(
            Path::new()
                .set("d", format!("M{from:.2} 1 H{end:.2} V9 H{from:.2} Z"))
                .set("class", class),
        )
        .add(axis)
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
