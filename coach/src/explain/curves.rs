//! The curve of the value during a game.

use crate::board::joined;
use crate::format::signed;
use svg::Document;
use svg::node::element::{Circle, Group, Line, Polygon, Polyline, Text, Title};

const HEIGHT: f64 = 150.0;
const WIDTH: f64 = 800.0;
/// Margins for the figures on the left and below, and at the top.
const LEFT: f64 = 60.0;
const BELOW: f64 = 18.0;
const TOP: f64 = 12.0;
/// Larger values are drawn as this, in centipawns: otherwise a mate would flatten everything else.
pub const MOST: f64 = 1000.0;
/// The scale never shows less than this, in centipawns: small changes look small.
const LEAST: f64 = 50.0;

/// A value for each position in centipawns, above the axis if good for White.
pub struct Curve<'a> {
    pub values: &'a [f64],
    /// Points to highlight, by the index of the position, with their tooltips.
    pub dots: Vec<(usize, String)>,
    /// The number of the first move, and whether Black plays it.
    pub first: (u32, bool),
}

impl Curve<'_> {
    pub fn draw(&self) -> Document {
        let most = self.values.iter().fold(LEAST, |most, value| most.max(value.abs())).min(MOST);
        let plies = self.values.len().saturating_sub(1).max(1) as f64;
        let x = |ply: usize| LEFT + (WIDTH - LEFT - 6.0) * ply as f64 / plies;
        let middle = TOP + (HEIGHT - TOP - BELOW) / 2.0;
        let y =
            |value: f64| middle - (HEIGHT - TOP - BELOW) / 2.0 * value.clamp(-most, most) / most;
        let points: Vec<(f64, f64)> =
            self.values.iter().enumerate().map(|(ply, &value)| (x(ply), y(value))).collect();
        let mut document = Document::new()
            .set("viewBox", format!("0 0 {WIDTH} {HEIGHT}"))
            .set("class", "curve")
            .set("role", "img")
            .add(Title::new("The value during the game"))
            .add(area(&points, middle, f64::min).set("class", "white"))
            .add(area(&points, middle, f64::max).set("class", "black"))
            .add(line((LEFT, middle), (WIDTH, middle)).set("class", "axis"));
        for value in [most, 0.0, -most] {
            let figure = signed(value);
            document = document.add(label(figure, LEFT - 5.0, y(value) + 4.0, "end"));
        }
        for (ply, number) in self.ticks() {
            let tick = line((x(ply), TOP), (x(ply), HEIGHT - BELOW)).set("class", "tick");
            document =
                document.add(tick).add(label(number.to_string(), x(ply), HEIGHT - 4.0, "middle"));
        }
        document =
            document.add(Polyline::new().set("points", joined(&points)).set("class", "value"));
        for (ply, tooltip) in &self.dots {
            let Some(&(x, y)) = points.get(*ply) else { continue };
            let dot = Circle::new().set("cx", x).set("cy", y).set("r", 4.5).set("class", "swing");
            document = document.add(Group::new().add(dot.add(Title::new(tooltip))));
        }
        document
    }

    /// Labels of the axis: positions with White to move, by index, and their move numbers.
    fn ticks(&self) -> Vec<(usize, u32)> {
        let (first, black) = self.first;
        let moves = self.values.len().div_ceil(2) as u32;
        let step = [1, 2, 5, 10, 20, 50, 100, 200].into_iter().find(|step| moves / step <= 20);
        let step = step.unwrap_or(500);
        let ply = |number: u32| (2 * (number - first)).checked_sub(u32::from(black));
        let numbers = (first..=first + moves).filter(|number| number % step == 0);
        numbers
            .filter_map(|number| Some((ply(number)? as usize, number)))
            .filter(|&(ply, _)| ply < self.values.len())
            .collect()
    }
}

/// The area between the curve and the axis, on one side of it.
fn area(points: &[(f64, f64)], middle: f64, side: fn(f64, f64) -> f64) -> Polygon {
    let mut outline: Vec<(f64, f64)> = Vec::with_capacity(points.len() + 2);
    for (place, &(x, y)) in points.iter().enumerate() {
        // Both areas end where the curve crosses the axis.
        if let Some(&(before, was)) = place.checked_sub(1).and_then(|place| points.get(place))
            && (was - middle) * (y - middle) < 0.0
        {
            outline.push((before + (x - before) * (middle - was) / (y - was), middle));
        }
        outline.push((x, side(y, middle)));
    }
    if let (Some(&(first, _)), Some(&(last, _))) = (points.first(), points.last()) {
        outline.extend([(last, middle), (first, middle)]);
    }
    Polygon::new().set("points", joined(&outline))
}

fn line(from: (f64, f64), to: (f64, f64)) -> Line {
    Line::new().set("x1", from.0).set("y1", from.1).set("x2", to.0).set("y2", to.1)
}

fn label(content: String, x: f64, y: f64, anchor: &str) -> Text {
    Text::new(content).set("x", x).set("y", y).set("text-anchor", anchor).set("class", "figure")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_for_each_position_and_ticks_at_whites_moves() {
        let values = [0.0, 50.0, -2000.0, 25.0, 0.0];
        let dots = vec![(2, "2.Qh5 & all".to_owned())];
        let curve = Curve { values: &values, dots, first: (7, true) };
        let svg = curve.draw().to_string();
        let document = roxmltree::Document::parse(&svg).unwrap();
        let of = |class: &'static str| {
            document.descendants().filter(move |node| node.attribute("class") == Some(class))
        };
        let points = of("value").next().unwrap().attribute("points").unwrap();
        assert_eq!(points.split(' ').count(), 5);
        // The lowest is drawn as ten pawns, at the lower edge.
        assert!(points.contains("427.0,132.0"), "{points}");
        assert_eq!(of("swing").count(), 1);
        // Black plays first, in move 7. White is to move in the second and fourth position.
        assert_eq!(curve.ticks(), [(1, 8), (3, 9)]);
    }
}
