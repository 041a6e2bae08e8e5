//! The outlines of the pieces in a square of 45 by 45 units, drawn for this project.

use shakmaty::{Color, Piece, Role};
use svg::Document;
use svg::node::element::{Circle, Definitions, Path, Rectangle, Symbol};

/// The side of the square that the outlines are drawn in.
const SIDE: i32 = 45;

/// The id of the symbol of a piece.
pub fn name(piece: Piece) -> String {
    format!("{}{}", piece.color.char(), piece.role.char())
}

/// An invisible SVG document with the symbols of all twelve pieces. Their ids are the letters `w` or `b` and
/// that of the piece in lower case, such as `wn`; their style is in `templates/pieces.css`.
pub fn piece_symbols() -> String {
    let definitions = symbols().into_iter().fold(Definitions::new(), Definitions::add);
    let document = Document::new().set("width", 0).set("height", 0).set("aria-hidden", "true");
    document.add(definitions).to_string()
}

/// The symbols of all twelve pieces. A page contains them once.
pub fn symbols() -> Vec<Symbol> {
    let pieces =
        Color::ALL.into_iter().flat_map(|color| Role::ALL.map(move |role| Piece { color, role }));
    pieces.map(symbol).collect()
}

fn symbol(piece: Piece) -> Symbol {
    let class = piece.color.fold_wb("piece white", "piece black");
    let part = |outline: &str| Path::new().set("d", outline).set("class", class);
    let line = |outline: &str| {
        let class = piece.color.fold_wb("line white", "line black");
        Path::new().set("d", outline).set("class", class)
    };
    let ball = |x: f64, y: f64, r: f64| {
        Circle::new().set("cx", x).set("cy", y).set("r", r).set("class", class)
    };
    let foot = |x: i32, width: i32| {
        let foot = Rectangle::new().set("x", x).set("y", 34).set("width", width);
        foot.set("height", 5).set("rx", 1.5).set("class", class)
    };
    let symbol = Symbol::new().set("id", name(piece)).set("viewBox", format!("0 0 {SIDE} {SIDE}"));
    match piece.role {
        Role::Pawn => symbol
            .add(part("M22.5 17 C17 21 16.5 28 14 34 H31 C28.5 28 28 21 22.5 17 Z"))
            .add(ball(22.5, 14.0, 5.5))
            .add(foot(11, 23)),
        Role::Rook => symbol
            .add(part(
                "M11 8 H16.5 V12 H20 V8 H25 V12 H28.5 V8 H34 V16 L30 20 V30 L33 34 H12 L15 30 V20 \
                 L11 16 Z",
            ))
            .add(line("M15 20 H30 M15 30 H30"))
            .add(foot(9, 27)),
        Role::Bishop => symbol
            .add(part("M22.5 10 C13 16 13 25 17 34 H28 C32 25 32 16 22.5 10 Z"))
            .add(line("M22.5 16 V25 M18.5 20 H26.5"))
            .add(ball(22.5, 8.0, 2.8))
            .add(foot(10, 25)),
        Role::Knight => symbol
            .add(part(
                "M13 34 C13 27 19 24 20 19.5 C17 20.5 15 24 11.5 23.5 C8.5 22.5 10.5 18 13 14.5 \
                 C14 11.5 17 9.5 20 9 L21 5 L25 9 C32 11.5 35 21 33 34 Z",
            ))
            .add(line("M17.5 14.5 H19 M26 12 C29 16 30 22 29.5 30"))
            .add(foot(10, 26)),
        Role::Queen => symbol
            .add(part(
                "M11 34 L7 14 L14.5 24 L15.5 10.5 L22.5 23 L29.5 10.5 L30.5 24 L38 14 L34 34 Z",
            ))
            .add(line("M12 29.5 H33"))
            .add(ball(7.0, 12.5, 2.5))
            .add(ball(15.5, 9.0, 2.5))
            .add(ball(29.5, 9.0, 2.5))
            .add(ball(38.0, 12.5, 2.5))
            .add(foot(9, 27)),
        Role::King => symbol
            // Filled like the rest of the piece, so that it is seen on light and dark squares.
            .add(part("M21.4 3.5 H23.6 V5.9 H26.5 V8.1 H23.6 V13 H21.4 V8.1 H18.5 V5.9 H21.4 Z"))
            .add(part("M22.5 12 C18 16 19 21 22.5 26 C26 21 27 16 22.5 12 Z"))
            .add(part(
                "M12 34 C4 25 8 16.5 15 17.5 C19 18 21.5 22 22.5 27 C23.5 22 26 18 30 17.5 C37 \
                 16.5 41 25 33 34 Z",
            ))
            .add(line("M12.5 30 C18 28 27 28 32.5 30"))
            .add(foot(9, 27)),
    }
}
