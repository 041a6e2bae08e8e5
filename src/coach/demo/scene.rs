//! What is shown after a move: the board, and the distances of the ending's term.

use crate::coach::exercise::Exercise;
use crate::coach::picture::Picture;
use crate::endgame::Material;
use crate::eval::{Row, Trace};
use shakmaty::{Chess, Move, Position};

/// Columns of the board, of a distance's name and number, and of its longest bar.
const BOARD: usize = 27;
const NAME: usize = 15;
const NUMBER: usize = 3;
const BAR: usize = 22;

/// The widest line: board, a gap, a gauge, and a change such as `-12`.
pub(super) const WIDTH: usize = BOARD + 3 + NAME + NUMBER + 2 + BAR + 4;

/// The most distances shown, so that a scene fits 24 rows.
const MOST: usize = 18;

/// One distance that a term measures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Gauge {
    pub(super) name: &'static str,
    pub(super) distance: u32,
    /// The largest possible distance; none for a count.
    most: Option<u32>,
}

/// The game after one of its moves.
pub(super) struct Scene {
    /// The move with its number, and the reply; empty at the start.
    pub(super) words: String,
    /// White's moves so far with the minimum, and the seed of the position.
    pub(super) told: [String; 2],
    /// Whether Black has replied or has no legal move.
    pub(super) is_whole: bool,
    /// The exact value for the side to move.
    pub(super) value: String,
    /// White's move and the reply; none at the start.
    pub(super) played: Vec<Move>,
    pub(super) position: Chess,
    pub(super) picture: Picture,
    /// The term that measures the distances.
    pub(super) term: &'static str,
    pub(super) gauges: Vec<Gauge>,
}

impl Scene {
    pub(super) fn new(
        material: Material,
        words: String,
        played: Vec<Move>,
        exercise: &Exercise,
        trace: &Trace,
        seed: u64,
    ) -> Scene {
        let position = exercise.position();
        let value = exercise.value().to_string();
        let (term, gauges) = gauges(trace);
        let (title, about) = match words.is_empty() {
            true => (material.to_string(), format!("{} to move, {value}", position.turn())),
            false => (format!("{material} {words}"), value.clone()),
        };
        Scene {
            words,
            told: [
                format!("moves {}, at best {}", exercise.used(), exercise.minimum()),
                format!("seed {seed}"),
            ],
            is_whole: position.turn().is_white() || position.legal_moves().is_empty(),
            value,
            played,
            position: position.clone(),
            picture: exercise.picture(title, about),
            term,
            gauges,
        }
    }

    /// Board and distances side by side, each line as wide as [`WIDTH`], in colour. `before` is the
    /// scene one whole move ago.
    pub(super) fn lines(&self, before: Option<&Scene>) -> Vec<String> {
        let board = self.picture.coloured().to_string();
        let (heading, board) = board.split_once("\n\n").unwrap_or((&board, ""));
        let mut left: Vec<String> = board.lines().map(str::to_owned).collect();
        left.push(String::new());
        left.extend(self.told.iter().map(|line| format!("{line:<BOARD$}")));
        let right = self.gauges.iter().map(|gauge| gauge.line(before));
        let blank = " ".repeat(BOARD);
        let height = left.len().max(self.gauges.len());
        let mut lines = vec![format!("{heading:<WIDTH$}")];
        let about = match self.term {
            "" => String::new(),
            term => format!("the distances that {term} measures"),
        };
        lines.push(format!("{blank}   {about:<rest$}", rest = WIDTH - BOARD - 3));
        let mut right = right.chain(std::iter::repeat(String::new()));
        for row in 0..height {
            let board = match left.get(row) {
                // The line between board and files is empty.
                Some(line) if !line.is_empty() => line,
                _ => &blank,
            };
            let beside = right.next().unwrap_or_default();
            lines.push(format!("{board}   {beside:<rest$}", rest = WIDTH - BOARD - 3));
        }
        lines
    }

    /// The distances that are smaller than in another scene, as `king corner 7 to 5`.
    pub(super) fn falls(&self, before: &Scene) -> Vec<String> {
        let falls = self.gauges.iter().filter_map(|gauge| {
            let was = before.distance(gauge.name)?;
            (gauge.distance < was).then(|| format!("{} {was} to {}", gauge.title(), gauge.distance))
        });
        falls.collect()
    }

    fn distance(&self, name: &str) -> Option<u32> {
        self.gauges.iter().find(|gauge| gauge.name == name).map(|gauge| gauge.distance)
    }
}

impl Gauge {
    /// The name as words.
    fn title(&self) -> String {
        self.name.replace('_', " ")
    }

    /// Name, number, a bar, and what has changed.
    fn line(&self, before: Option<&Scene>) -> String {
        let &Gauge { name, distance, most } = self;
        let full = most
            .map_or(0, |most| (BAR * distance as usize).div_ceil(most.max(1) as usize).min(BAR));
        let bar = format!("{}{}", "#".repeat(full), ".".repeat(most.map_or(0, |_| BAR - full)));
        let change = match before.and_then(|before| before.distance(name)) {
            Some(was) if was != distance => format!("{:+}", i64::from(distance) - i64::from(was)),
            _ => String::new(),
        };
        format!("{:<NAME$}{distance:>NUMBER$}  {bar:<BAR$} {change:>3}", self.title())
    }
}

/// White's distances of the term that measures most of them, and that term's name: the term of the
/// ending, if the engine has one. If no term measures distances, the counts of all terms.
fn gauges(trace: &Trace) -> (&'static str, Vec<Gauge>) {
    let gauges = |row: &Row, distances: bool| -> Vec<Gauge> {
        let of_row = row.white_contributions.iter().filter_map(|contribution| {
            let (spec, index) = row.weight(contribution.weight)?;
            let reading = spec.reading(index, contribution.count, contribution.square);
            let (distance, most) = spec.gauge(reading.value)?;
            let is_asked_for = !distances || most.is_some();
            is_asked_for.then_some(Gauge { name: spec.name, distance, most })
        });
        of_row.collect()
    };
    let fitting = |mut gauges: Vec<Gauge>| {
        gauges.truncate(MOST);
        gauges
    };
    let rows = trace.rows.iter().map(|row| (row.name, gauges(row, true)));
    match rows.max_by_key(|(_, gauges)| gauges.len()) {
        Some((term, gauges)) if !gauges.is_empty() => (term, fitting(gauges)),
        _ => ("", fitting(trace.rows.iter().flat_map(|row| gauges(row, false)).collect())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Game;

    fn trace(fen: &str) -> Trace {
        let game = Game::from_fen(fen, None).unwrap();
        crate::default_engine().unwrap().trace(game.position().chess())
    }

    #[test]
    fn the_distances_are_those_of_the_term_of_the_ending() {
        // A test of the term counts the distances of this position by hand.
        let (term, gauges) = super::gauges(&trace("8/8/8/4B3/1N6/2K5/8/1k6 w - - 0 1"));
        let named = |name| gauges.iter().find(|gauge| gauge.name == name).unwrap();
        assert_eq!((term, gauges.len()), ("kbnk", 3));
        assert_eq!((named("corner").distance, named("corner").most), (1, Some(7)));
        assert_eq!((named("kings").distance, named("kings").most), (3, Some(14)));
        assert_eq!((named("knight").distance, named("knight").most), (3, Some(6)));
    }

    #[test]
    fn a_gauge_fits_its_columns() {
        for (distance, bar) in [(0, 0), (1, 1), (32, 11), (64, 22)] {
            let line = Gauge { name: "territory", distance, most: Some(64) }.line(None);
            assert_eq!(line.matches('#').count(), bar);
            assert_eq!(line.matches('.').count(), BAR - bar);
            assert_eq!(line.len(), WIDTH - BOARD - 3);
        }
        const { assert!(WIDTH < 80) };
    }
}
