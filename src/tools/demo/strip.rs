//! A game as a film strip: the board after each whole move.

use super::Demo;
use svg::Document;
use svg::node::element::{Rectangle, Text, Title};

/// Boards side by side, and their size in pixels.
const COLUMNS: usize = 6;
const WIDTH: usize = 240;
const HEIGHT: usize = 256;
/// Room for heading and result.
const MARGIN: usize = 40;

impl Demo<'_> {
    /// The game so far as one standalone SVG document.
    pub fn strip(&self) -> Document {
        let boards: Vec<_> = self.scenes.iter().filter(|scene| scene.is_whole).collect();
        let columns = COLUMNS.min(boards.len());
        let (width, rows) = (WIDTH * columns, boards.len().div_ceil(COLUMNS));
        let height = 2 * MARGIN + HEIGHT * rows;
        let text = |y: usize, size: usize, words: String| {
            Text::new(words)
                .set("x", width / 2)
                .set("y", y)
                .set("font-size", size)
                .set("text-anchor", "middle")
        };
        let title = format!("{}: the engine against the best defence", self.material);
        let mut document = Document::new()
            .set("viewBox", (0, 0, width, height))
            .set("width", width)
            .set("height", height)
            .set("font-family", "sans-serif")
            .add(Title::new(&title))
            .add(Rectangle::new().set("width", width).set("height", height).set("fill", "#ffffff"))
            .add(text(MARGIN * 2 / 3, 20, title))
            .add(text(height - MARGIN / 3, 16, self.result()));
        for (place, scene) in boards.into_iter().enumerate() {
            let board = scene.picture.svg_within(&format!("move-{place}-"));
            let (column, row) = (place % COLUMNS, place / COLUMNS);
            document = document.add(
                board
                    .set("x", WIDTH * column)
                    .set("y", MARGIN + HEIGHT * row)
                    .set("width", WIDTH)
                    .set("height", HEIGHT),
            );
        }
        document
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_for_each_move_and_no_name_twice() {
        let engine = crate::default_engine().unwrap();
        let mut demo = Demo::new(&engine, "KQK".parse().unwrap(), 1).unwrap();
        while demo.step() {}
        let svg = demo.strip().to_string();
        let boards = 1 + demo.exercise.used();
        assert_eq!(svg.matches("<g id=").count(), 64 * boards);
        let mut names: Vec<&str> =
            svg.split("<g id=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), 64 * boards);
        assert!(svg.contains(&demo.result()));
    }
}
