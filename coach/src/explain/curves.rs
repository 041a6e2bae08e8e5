//! The curve of the value during a game.

use crate::format::signed;
use crate::svg::{document, element, points_of, title};

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

/// Draws a value for each position in centipawns, above the axis if good for White. `dots` are points to highlight, by
/// the index of the position, with their tooltips; `first` is the number of the first move, and whether Black plays it.
pub fn draw(values: &[f64], dots: &[(usize, String)], first: (u32, bool)) -> String {
    let most = values.iter().fold(LEAST, |most, value| most.max(value.abs())).min(MOST);
    let plies = values.len().saturating_sub(1).max(1) as f64;
    let x = |ply: usize| LEFT + (WIDTH - LEFT - 6.0) * ply as f64 / plies;
    let middle = TOP + (HEIGHT - TOP - BELOW) / 2.0;
    let y = |value: f64| middle - (HEIGHT - TOP - BELOW) / 2.0 * value.clamp(-most, most) / most;
    let points: Vec<(f64, f64)> =
        values.iter().enumerate().map(|(ply, &value)| (x(ply), y(value))).collect();
    let area = |class, side| {
        format!(r#"<polygon class="{class}" {}/>"#, points_of(&outline(&points, middle, side)))
    };
    let mut parts = vec![
        title("The value during the game"),
        area("white", f64::min),
        area("black", f64::max),
        line("axis", (LEFT, middle), (WIDTH, middle)),
    ];
    let figures = [most, 0.0, -most].into_iter();
    parts.extend(figures.map(|value| label(&signed(value), LEFT - 5.0, y(value) + 4.0, "end")));
    for (ply, number) in ticks(values.len(), first) {
        parts.push(line("tick", (x(ply), TOP), (x(ply), HEIGHT - BELOW)));
        parts.push(label(&number.to_string(), x(ply), HEIGHT - 4.0, "middle"));
    }
    parts.push(format!(r#"<polyline class="value" {}/>"#, points_of(&points)));
    for (ply, tooltip) in dots {
        let Some(&(x, y)) = points.get(*ply) else { continue };
        let dot = format!(r#"circle class="swing" cx="{x}" cy="{y}" r="4.5""#);
        parts.push(element("g", &[element(&dot, &[title(tooltip)])]));
    }
    document(&format!(r#"class="curve" role="img" viewBox="0 0 {WIDTH} {HEIGHT}""#), &parts)
}

/// Labels of the axis: positions with White to move, by index, and their move numbers.
fn ticks(positions: usize, (first, black): (u32, bool)) -> Vec<(usize, u32)> {
    let moves = positions.div_ceil(2) as u32;
    let step = [1, 2, 5, 10, 20, 50, 100, 200].into_iter().find(|step| moves / step <= 20);
    let step = step.unwrap_or(500);
    let ply = |number: u32| (2 * (number - first)).checked_sub(u32::from(black));
    let numbers = (first..=first + moves).filter(|number| number % step == 0);
    numbers
        .filter_map(|number| Some((ply(number)? as usize, number)))
        .filter(|&(ply, _)| ply < positions)
        .collect()
}

/// The outline of the area between the curve and the axis, on one side of it.
fn outline(points: &[(f64, f64)], middle: f64, side: fn(f64, f64) -> f64) -> Vec<(f64, f64)> {
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
    outline
}

fn line(class: &str, from: (f64, f64), to: (f64, f64)) -> String {
    let ((x1, y1), (x2, y2)) = (from, to);
    format!(r#"<line class="{class}" x1="{x1}" x2="{x2}" y1="{y1}" y2="{y2}"/>"#)
}

fn label(content: &str, x: f64, y: f64, anchor: &str) -> String {
    let tag = format!(r#"text class="figure" text-anchor="{anchor}" x="{x}" y="{y}""#);
    element(&tag, &[content.to_owned()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_for_each_position_and_ticks_at_whites_moves() {
        let values = [0.0, 50.0, -2000.0, 25.0, 0.0];
        let dots = vec![(2, "2.Qh5 & all".to_owned())];
        let svg = draw(&values, &dots, (7, true));
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
