//! `tropism solve`: the statistics of an ending, or the exact value of each move of a position.

use crate::exercise::san;
use rayon::prelude::*;
use shakmaty::{ByColor, Chess, Color, EnPassantMode, Move, Position, fen::Fen};
use std::{collections::BTreeMap, fmt, time::Duration};
use thiserror::Error;
use tropism::endgame::{Dtm, Endgames, Material, MaterialError, Squares, Table};
use tropism::text::{columns, line_in_san};
use web_time::Instant;

/// The number of longest mates that are shown with their lines.
const SHOWN: usize = 3;
/// The columns before the bars of the histogram, and the longest bar.
const NUMBERS: usize = 22;
const BAR: usize = 48;

/// The statistics of an ending, from its exact table.
#[derive(Clone, Debug)]
pub struct Solution {
    material: Material,
    /// The time to build the table and those of all endings that it leads to.
    elapsed: Duration,
    /// The size of all these tables in bytes.
    size: usize,
    /// By the side to move.
    counts: ByColor<Counts>,
    /// Some of the positions in which mate takes longest, and how.
    longest: Vec<(Chess, String)>,
}

/// The numbers of positions of an ending with one side to move; rotated and reflected positions count
/// separately.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Counts {
    /// The positions that a side wins, by plies to mate.
    won: ByColor<BTreeMap<u8, u64>>,
    drawn: u64,
}

impl Counts {
    fn new(table: &Table, turn: Color) -> Counts {
        let add = |mut counts: Counts, (_, value, images): (Squares, Dtm, u64)| {
            let (winner, plies) = match value {
                Dtm::Win(plies) => (turn, plies),
                Dtm::Loss(plies) => (!turn, plies),
                Dtm::Draw => {
                    counts.drawn += images;
                    return counts;
                }
            };
            *counts.won.get_mut(winner).entry(plies).or_default() += images;
            counts
        };
        table.positions(turn).fold(Counts::default, add).reduce(Counts::default, Counts::sum)
    }

    fn sum(mut self, other: Counts) -> Counts {
        for (into, from) in self.won.iter_mut().zip(other.won) {
            for (plies, count) in from {
                *into.entry(plies).or_default() += count;
            }
        }
        self.drawn += other.drawn;
        self
    }
}

impl Solution {
    /// Builds the table of an ending and counts its positions.
    pub fn new(material: Material) -> Solution {
        let start = Instant::now();
        let mut endgames = Endgames::default();
        endgames.build(material);
        let elapsed = start.elapsed();
        let Some(table) = endgames.table(&material) else {
            unreachable!("the table of {material} has just been built")
        };
        let with_line = |position: Chess| {
            let line = line_in_san(&position, &endgames.line(&position).unwrap_or_default());
            (position, line)
        };
        Solution {
            material,
            elapsed,
            size: endgames.size(),
            counts: ByColor::new_with(|turn| Counts::new(table, turn)),
            longest: longest(table).into_iter().map(with_line).collect(),
        }
    }

    /// For each side that wins any position: the number of positions with that side to move, by moves
    /// to mate.
    fn histograms(&self) -> impl Iterator<Item = (Color, Vec<(u8, u64)>)> {
        Color::ALL.into_iter().filter_map(|winner| {
            let won = self.counts.get(winner).won.get(winner);
            let moves = won.iter().map(|(&plies, &count)| (plies.div_ceil(2), count)).collect();
            (!won.is_empty()).then_some((winner, moves))
        })
    }
}

/// A number with commas between thousands.
fn grouped(number: u64) -> String {
    match number / 1000 {
        0 => number.to_string(),
        thousands => format!("{},{:03}", grouped(thousands), number % 1000),
    }
}

impl fmt::Display for Solution {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let mebibytes = self.size as f64 / f64::from(1 << 20);
        let elapsed = self.elapsed.as_secs_f64();
        writeln!(f, "{}: solved in {elapsed:.2} s, {mebibytes:.1} MiB", self.material)?;
        writeln!(f, "\n{:<15}{:>12}{:>12}{:>12}", "", "White mates", "drawn", "Black mates")?;
        for turn in Color::ALL {
            let Counts { won, drawn } = self.counts.get(turn);
            let ByColor { white, black } = won.as_ref().map(|won| grouped(won.values().sum()));
            let drawn = grouped(*drawn);
            writeln!(f, "{:<15}{white:>12}{drawn:>12}{black:>12}", format!("{turn} to move"))?;
        }
        let longest = BAR.min(columns().saturating_sub(NUMBERS)) as u64;
        for (winner, moves) in self.histograms() {
            writeln!(f, "\nmate in   positions   {winner} to move")?;
            let highest = moves.iter().map(|&(_, count)| count).max().unwrap_or(1);
            for (moves, count) in moves {
                let bar = "#".repeat((longest * count).div_ceil(highest) as usize);
                writeln!(f, "{moves:>7}{:>12}   {bar}", grouped(count))?;
            }
        }
        if !self.longest.is_empty() {
            write!(f, "\nLongest mates:")?;
        }
        for (position, line) in &self.longest {
            write!(f, "\n{}\n  {line}", fen(position))?;
        }
        Ok(())
    }
}

/// Some of the positions in which mate takes longest, the winner to move.
fn longest(table: &Table) -> Vec<Chess> {
    let positions = || {
        Color::ALL.into_par_iter().flat_map(|turn| {
            table.positions(turn).filter_map(move |(squares, value, _)| match value {
                Dtm::Win(plies) => Some((plies, turn, squares)),
                Dtm::Draw | Dtm::Loss(_) => None,
            })
        })
    };
    let most = positions().map(|(plies, _, _)| plies).max();
    let mut found: Vec<(Color, Squares)> = positions()
        .filter(|&(plies, _, _)| Some(plies) == most)
        .map(|(_, turn, squares)| (turn, squares))
        .collect();
    found.truncate(SHOWN);
    found.into_iter().filter_map(|(turn, squares)| table.position(turn, &squares)).collect()
}

fn fen(position: &Chess) -> Fen {
    Fen::from_position(position, EnPassantMode::Legal)
}

/// Why a position cannot be solved.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SolveError {
    /// Its pieces are not an ending that can be solved.
    #[error(transparent)]
    Material(#[from] MaterialError),
    /// Tables do not include castling.
    #[error("castling is possible in this position, and the tables do not include castling")]
    Castling,
}

/// The ending of a position whose exact value tables can give.
///
/// # Errors
///
/// If there are more than [`Material::MAX_PIECES`] pieces, pawns of both sides, or castling rights.
pub fn ending_of(position: &Chess) -> Result<Material, SolveError> {
    let material = Material::on(position.board())?;
    if position.castles().is_empty() { Ok(material) } else { Err(SolveError::Castling) }
}

/// The exact value of a position and of each of its moves.
#[derive(Clone, Debug)]
pub struct PositionSolution {
    position: Chess,
    value: Dtm,
    /// Best first.
    moves: Vec<(Move, Dtm)>,
}

impl PositionSolution {
    /// Builds the tables that the position needs and looks it up.
    ///
    /// # Errors
    ///
    /// If there are more than [`Material::MAX_PIECES`] pieces, pawns of both sides, or castling rights.
    pub fn new(position: Chess) -> Result<PositionSolution, SolveError> {
        let material = ending_of(&position)?;
        let endgames = Endgames::of_ending(material);
        let value = endgames.probe(&position).ok_or(SolveError::Castling)?;
        let moves = endgames.moves(&position).ok_or(SolveError::Castling)?;
        Ok(PositionSolution { position, value, moves })
    }
}

impl fmt::Display for PositionSolution {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}: {} to move, {}", fen(&self.position), self.position.turn(), self.value)?;
        let halfmoves = self.position.halfmoves();
        if !self.value.is_in_time(halfmoves) {
            write!(
                f,
                "\nThe fifty-move rule may end the game before: {halfmoves} halfmoves without a capture or pawn move. \
                 These values do not count it."
            )?;
        }
        for &(m, value) in &self.moves {
            write!(f, "\n{:<7} {value}", san(&self.position, m))?;
        }
        Ok(())
    }
}
