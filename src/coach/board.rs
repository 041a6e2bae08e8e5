//! A board of a page or a film strip: men, and what a term sees on the squares.

use super::pieces;
use shakmaty::{Chess, Color, File, Move, Position, Rank, Square};
use svg::Document;
use svg::node::element::{
    Circle, Definitions, Group, Path, Polygon, Polyline, Rectangle, Symbol, Text, Title, Use,
};

/// The side of a square, and the room for coordinates left and below.
const SIDE: f64 = 48.0;
const MARGIN: f64 = 16.0;
/// The side of the whole picture.
const SIZE: f64 = MARGIN + 8.0 * SIDE;

/// How the men are filled, the same on light and dark paper.
pub(super) const MEN: &str = include_str!("../../templates/men.css");

/// What stands on a board besides the men.
#[derive(Clone, Debug, Default)]
pub(super) struct Layer {
    /// What a square is worth in centipawns, White's point of view, and what was seen there.
    pub(super) painted: Vec<Painted>,
    pub(super) marks: Marks,
}

/// A square with a contribution.
#[derive(Clone, Debug)]
pub(super) struct Painted {
    pub(super) square: Square,
    /// In centipawns, White's point of view.
    pub(super) value: f64,
    /// The share of the largest contribution, 0 to 1.
    pub(super) strength: f64,
    /// The distances that count most there.
    pub(super) distances: String,
    /// All that was seen there, a line each.
    pub(super) told: String,
}

/// Ways, rings and numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct Marks {
    pub(super) ways: Vec<Way>,
    /// Squares that stand out.
    pub(super) rings: Vec<Square>,
    /// Squares on the shortest ways.
    pub(super) dots: Vec<Square>,
    /// Numbers in the middle of a square.
    pub(super) numbers: Vec<(Square, String)>,
    /// What is found, a sentence each.
    pub(super) notes: Vec<String>,
    /// What the drawing means.
    pub(super) legend: Option<&'static str>,
}

/// An arrow along squares.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Way {
    pub(super) squares: Vec<Square>,
    /// Whose way it is.
    pub(super) side: Color,
}

impl Way {
    /// An arrow from one square straight to another.
    pub(super) fn straight(from: Square, to: Square, side: Color) -> Way {
        Way { squares: vec![from, to], side }
    }

    /// A move; of castling the way of the king.
    pub(super) fn of_move(m: Move, side: Color) -> Option<Way> {
        let to = m.castling_side().map_or(m.to(), |castling| castling.king_to(side));
        m.from().map(|from| Way::straight(from, to, side))
    }
}

/// What all boards of a page are drawn from: the empty board and the men. Takes no room.
pub(super) fn definitions() -> Document {
    let definitions = symbols().into_iter().fold(Definitions::new(), Definitions::add);
    Document::new().set("width", 0).set("height", 0).set("class", "definitions").add(definitions)
}

/// The empty board and the men.
pub(super) fn symbols() -> Vec<Symbol> {
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

/// A board with a name for those who cannot see it.
pub(super) fn draw(position: &Chess, layer: &Layer, name: &str) -> Document {
    let mut document = Document::new()
        .set("viewBox", format!("0 0 {SIZE} {SIZE}"))
        .set("class", "board")
        .set("role", "img")
        .add(Title::new(name))
        .add(whole("#board"));
    for painted in &layer.painted {
        let class = if painted.value > 0.0 { "tint white" } else { "tint black" };
        // The weakest contribution can still be told from none.
        let opacity = format!("{:.2}", 0.12 + 0.68 * painted.strength);
        document = document
            .add(rectangle(painted.square).set("class", class).set("fill-opacity", opacity));
    }
    for &square in &layer.marks.dots {
        let (x, y) = centre(square);
        document =
            document.add(Circle::new().set("cx", x).set("cy", y).set("r", 5).set("class", "dot"));
    }
    for (square, piece) in position.board() {
        let (x, y) = corner(square);
        let man = Use::new().set("href", format!("#{}", pieces::name(piece)));
        document = document.add(
            man.set("x", x + 2.0)
                .set("y", y + 1.0)
                .set("width", SIDE - 4.0)
                .set("height", SIDE - 4.0),
        );
    }
    for &square in &layer.marks.rings {
        let (x, y) = centre(square);
        let ring = Circle::new().set("cx", x).set("cy", y).set("r", SIDE / 2.0 - 3.0);
        document = document.add(ring.set("class", "ring"));
    }
    for way in &layer.marks.ways {
        document = document.add(arrow(way));
    }
    for (square, number) in &layer.marks.numbers {
        let (x, y) = centre(*square);
        document = document.add(text(number.clone(), x, y + 6.0, "number"));
    }
    for painted in &layer.painted {
        document = document.add(labels(painted));
    }
    document
}

fn whole(name: &str) -> Use {
    Use::new().set("href", name).set("width", SIZE).set("height", SIZE)
}

/// What is written on a square, and what is told of it under the mouse.
fn labels(painted: &Painted) -> Group {
    let (x, y) = corner(painted.square);
    let mut group = Group::new();
    if !painted.distances.is_empty() {
        group = group.add(text(painted.distances.clone(), x + 3.0, y + 11.0, "distance"));
    }
    let value = format!("{:+.0}", painted.value);
    if value != "+0" && value != "-0" {
        group = group.add(text(value, x + SIDE / 2.0, y + SIDE - 3.0, "worth"));
    }
    let area = rectangle(painted.square).set("class", "area");
    group.add(area.add(Title::new(format!("{}\n{}", painted.square, painted.told))))
}

/// A line through the squares' centres with a head, stopped short of its end so that the man there is
/// seen.
fn arrow(way: &Way) -> Group {
    const SHORT: f64 = 10.0;
    const HEAD: f64 = 11.0;
    let class = way.side.fold_wb("way white", "way black");
    let mut points: Vec<(f64, f64)> = way.squares.iter().map(|&square| centre(square)).collect();
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
        .add(Polyline::new().set("points", list(&points)))
        .add(Polygon::new().set("points", list(&[tip, left, right])))
}

fn list(points: &[(f64, f64)]) -> String {
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
    // The halo does not eat into the letters.
    text.set("paint-order", "stroke")
}

/// A bar from the middle to one side, for a share of the largest value, -1 to 1.
pub(super) fn bar(share: f64) -> Document {
    let (from, class) = if share > 0.0 { (50.0, "white") } else { (50.0 + 50.0 * share, "black") };
    let end = from + 50.0 * share.abs();
    // As thin as elsewhere, however wide the bar is drawn.
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
