//! The curve of the value during a game.

use crate::board::points;
use crate::format::signed;
use askama::Template;

/// The size, and the margins for the figures on the left and below, and at the top. The template has the same numbers.
const HEIGHT: f64 = 150.0;
const WIDTH: f64 = 800.0;
const LEFT: f64 = 60.0;
const BELOW: f64 = 18.0;
const TOP: f64 = 12.0;
/// Larger values are drawn as this, in centipawns: otherwise a mate would flatten everything else.
pub const MOST: f64 = 1000.0;
/// The scale never shows less than this, in centipawns: small changes look small.
const LEAST: f64 = 50.0;

#[derive(Template)]
#[template(path = "curve.svg")]
struct Curve {
    line: String,
    /// Between the line and the axis.
    area: String,
    figures: [(f64, String); 3],
    ticks: Vec<(f64, u32)>,
    dots: Vec<((f64, f64), String)>,
}

/// Draws a value for each position in centipawns, above the axis if good for White. `dots` are points to highlight, by
/// the index of the position, with their tooltips; `first` is the number of the first move, and whether Black plays it.
pub fn draw(values: &[f64], dots: Vec<(usize, String)>, first: (u32, bool)) -> String {
    let most = values.iter().fold(LEAST, |most, value| most.max(value.abs())).min(MOST);
    let plies = values.len().saturating_sub(1).max(1) as f64;
    let x = |ply: usize| LEFT + (WIDTH - LEFT - 6.0) * ply as f64 / plies;
    let middle = TOP + (HEIGHT - TOP - BELOW) / 2.0;
    let y = |value: f64| middle - (HEIGHT - TOP - BELOW) / 2.0 * value.clamp(-most, most) / most;
    let point = |(ply, &value): (usize, &f64)| (x(ply), y(value));
    let line: Vec<(f64, f64)> = values.iter().enumerate().map(point).collect();
    let ends = [x(values.len().saturating_sub(1)), x(0)].map(|x| (x, middle));
    let curve = Curve {
        line: points(&line),
        area: points(&[&line[..], &ends].concat()),
        figures: [most, 0.0, -most].map(|value| (y(value), signed(value))),
        ticks: ticks(values.len(), first).into_iter().map(|(ply, it)| (x(ply), it)).collect(),
        dots: dots.into_iter().filter_map(|(ply, it)| Some((*line.get(ply)?, it))).collect(),
    };
    curve.to_string()
}

/// Labels of the axis: positions with White to move, by index, and their move numbers.
fn ticks(positions: usize, (first, black): (u32, bool)) -> Vec<(usize, u32)> {
    let moves = positions.div_ceil(2) as u32;
    let step = [1, 2, 5, 10, 20, 50, 100, 200].into_iter().find(|step| moves / step <= 20);
    let step = step.unwrap_or(500);
    let ply = |number: u32| (2 * (number - first)).checked_sub(u32::from(black));
    let numbers = (first..=first + moves).filter(|number| number % step == 0);
    let ticks = numbers.filter_map(|number| Some((ply(number)? as usize, number)));
    ticks.filter(|&(ply, _)| ply < positions).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_for_each_position_and_ticks_at_whites_moves() {
        let values = [0.0, 50.0, -2000.0, 25.0, 0.0];
        let dots = vec![(2, "2.Qh5 & all".to_owned())];
        let svg = draw(&values, dots, (7, true));
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
        assert_eq!(ticks(5, (7, true)), [(1, 8), (3, 9)]);
    }
}
