//! The game as a film strip: the board after each full move, as one picture or as a page.

use super::game::Demo;
use super::scene::Scene;
use crate::coach::board::{self, Overlay};
use askama::Template;
use shakmaty::Color;
use svg::Document;
use svg::node::element::{Definitions, Rectangle, Style, Text, Title};

/// Boards side by side, and their size in pixels.
const COLUMNS: usize = 6;
const SIDE: usize = 220;
/// Height of the moves and the distances above a board, and the gap around it.
const HEADING: usize = 42;
const GAP: usize = 16;
/// Height of the heading and of the result.
const MARGIN: usize = 40;

/// The colours of squares, arrows and text, which a page has in its own style.
const COLOURS: &str = "
.light { fill: #efe9dd; } .dark { fill: #c9bda6; }
text { fill: #22262b; font-family: sans-serif; text-anchor: middle; }
.coordinate { fill: #5d6670; font-size: 11px; }
.arrow { opacity: .8; } .arrow polyline { fill: none; stroke-width: 3.5; }
.arrow.white polyline { stroke: #1f6fc4; } .arrow.white polygon { fill: #1f6fc4; }
.arrow.black polyline { stroke: #b3560b; } .arrow.black polygon { fill: #b3560b; }
";

#[derive(Template)]
#[template(path = "film.html")]
struct FilmPage {
    definitions: String,
    title: String,
    about: String,
    result: String,
    meanings: String,
    frames: Vec<Frame>,
}

struct Frame {
    moves: String,
    value: String,
    board: String,
    distances: String,
}

impl Demo {
    /// The game so far as one standalone SVG document.
    pub fn film_strip(&self) -> Document {
        let scenes: Vec<_> = self.whole_scenes().collect();
        let columns = COLUMNS.min(scenes.len());
        let (width, height) = (SIDE + GAP, SIDE + HEADING + GAP);
        let whole = (width * columns + GAP, 2 * MARGIN + height * scenes.len().div_ceil(COLUMNS));
        let mut document = Document::new()
            .set("viewBox", (0, 0, whole.0, whole.1))
            .set("width", whole.0)
            .set("height", whole.1)
            .add(Title::new(self.title()))
            .add(Style::new(format!("{}{COLOURS}", board::PIECES_CSS)))
            .add(board::symbols().into_iter().fold(Definitions::new(), Definitions::add))
            .add(Rectangle::new().set("width", whole.0).set("height", whole.1).set("fill", "#fff"))
            .add(text(whole.0 / 2, MARGIN * 2 / 3, 20, self.title()))
            .add(text(whole.0 / 2, whole.1 - MARGIN / 3, 16, self.result()));
        for (place, scene) in scenes.into_iter().enumerate() {
            let (x, y) = (GAP + width * (place % COLUMNS), MARGIN + height * (place / COLUMNS));
            let words = format!("{} {}", scene.heading(), scene.value);
            let board = scene.board().set("x", x).set("y", y + HEADING);
            document = document
                .add(text(x + SIDE / 2, y + HEADING * 2 / 5, 14, words))
                .add(text(x + SIDE / 2, y + HEADING * 4 / 5, 11, scene.distances()))
                .add(board.set("width", SIDE).set("height", SIDE));
        }
        document
    }

    /// The game so far as one page of HTML that needs no other file. It is also well-formed XML.
    ///
    /// # Errors
    ///
    /// Never in practice: only if formatting into memory fails.
    pub fn page(&self) -> Result<String, askama::Error> {
        let frames = self.whole_scenes().map(|scene| Frame {
            moves: scene.heading().to_owned(),
            value: scene.value.clone(),
            board: scene.board().to_string(),
            distances: scene.distances(),
        });
        let mut meanings: Vec<String> = Vec::new();
        for gauge in self.scenes.iter().flat_map(|scene| &scene.gauges) {
            let meaning = gauge.meaning();
            if !meanings.contains(&meaning) {
                meanings.push(meaning);
            }
        }
        let page = FilmPage {
            definitions: board::definitions().to_string(),
            title: self.title(),
            about: format!("Seed {}", self.seed),
            result: self.result(),
            meanings: meanings.join("; "),
            frames: frames.collect(),
        };
        page.render()
    }

    fn title(&self) -> String {
        format!("{}: the shortest mate against the best defence", self.material)
    }

    fn whole_scenes(&self) -> impl Iterator<Item = &Scene> {
        self.scenes.iter().filter(|scene| scene.is_whole)
    }
}

impl Scene {
    fn heading(&self) -> &str {
        if self.words.is_empty() { "Start" } else { &self.words }
    }

    /// The board with the moves that led to it.
    fn board(&self) -> Document {
        let overlay = Overlay::of_moves(&self.played, Color::White);
        board::draw(&self.position, &overlay, self.heading())
    }
}

/// Text centred on a point.
fn text(x: usize, y: usize, size: usize, words: String) -> Text {
    Text::new(words).set("x", x).set("y", y).set("font-size", size)
}

#[cfg(test)]
mod tests {
    use super::*;
    use roxmltree::{Document as Xml, Node, ParsingOptions};

    fn played(ending: &str) -> (usize, String, String, String) {
        let mut demo = Demo::new(ending.parse().unwrap(), 1).unwrap();
        while demo.step() {}
        let boards = 1 + demo.exercise.used();
        (boards, demo.result(), demo.film_strip().to_string(), demo.page().unwrap())
    }

    fn parsed(text: &str) -> Xml<'_> {
        let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
        Xml::parse_with_options(text, options).unwrap()
    }

    fn count(xml: &Xml, name: &str, attribute: (&str, &str)) -> usize {
        let fits = |node: &Node| {
            node.has_tag_name(("http://www.w3.org/2000/svg", name))
                && node.attribute(attribute.0) == Some(attribute.1)
        };
        xml.descendants().filter(fits).count()
    }

    #[test]
    fn a_board_for_each_move_and_each_piece_defined_once() {
        let (boards, result, strip, page) = played("KQK");
        for text in [&strip, &page] {
            let xml = parsed(text);
            assert_eq!(count(&xml, "svg", ("class", "board")), boards);
            assert_eq!(count(&xml, "use", ("href", "#board")), boards);
            assert_eq!(count(&xml, "symbol", ("id", "wq")), 1);
            for piece in ["#wk", "#wq", "#bk"] {
                assert_eq!(count(&xml, "use", ("href", piece)), boards, "{piece}");
            }
            // The start has no move, and mate has no reply.
            assert_eq!(count(&xml, "g", ("class", "arrow white")), boards - 1);
            assert_eq!(count(&xml, "g", ("class", "arrow black")), boards - 2);
            assert!(text.contains(&result));
            assert!(!text.contains("http://www.w3.org/1999/xlink") && !text.contains("<script"));
        }
    }

    #[test]
    fn one_more_board_adds_few_bytes() {
        let (short, _, strip, _) = played("KQK");
        let (long, _, longer, _) = played("KRK");
        let each = (longer.len() - strip.len()) / (long - short);
        assert!((500..2000).contains(&each), "{each}");
    }
}
