//! `tropism solve`: the statistics of an ending, or the exact value of each move of a position.

use crate::exercise::{fen, san};
use crate::refusal::Refusal;
use rayon::prelude::*;
use shakmaty::{Chess, Color, Position};
use std::collections::HashMap;
use tropism::endgame::{Dtm, Endgames, Material, Squares, Table};
use tropism::text::{columns, line_in_san};
use web_time::Instant;

/// The number of longest mates that are shown with their lines.
const SHOWN: usize = 3;
/// The columns before the bars of the histogram, and the longest bar.
const NUMBERS: usize = 22;
const BAR: usize = 48;

/// The numbers of positions of an ending, by the side to move and the value; rotated and reflected positions count
/// separately.
type Counts = HashMap<(Color, Dtm), u64>;

fn counts(table: &Table) -> Counts {
    let positions = Color::ALL.into_par_iter().flat_map(|turn| {
        table.positions(turn).map(move |(_, value, images)| ((turn, value), images))
    });
    let add = |mut counts: Counts, (key, count)| {
        *counts.entry(key).or_default() += count;
        counts
    };
    positions
        .fold(Counts::new, add)
        .reduce(Counts::new, |counts, other| other.into_iter().fold(counts, add))
}

/// Builds the table of an ending and those of all endings that it leads to. Says how many positions each side wins, and
/// how, in text.
pub fn solved_ending(material: Material) -> String {
    let start = Instant::now();
    let mut endgames = Endgames::default();
    endgames.build(material);
    let (elapsed, mebibytes) =
        (start.elapsed().as_secs_f64(), endgames.size() as f64 / f64::from(1 << 20));
    let mut text = format!("{material}: solved in {elapsed:.2} s, {mebibytes:.1} MiB\n");
    let Some(table) = endgames.table(&material) else { return text };
    let counts = counts(table);
    let count = |turn: Color, is_counted: &dyn Fn(Dtm) -> bool| {
        let counted =
            counts.iter().filter(|((side, value), _)| *side == turn && is_counted(*value));
        counted.map(|(_, count)| count).sum::<u64>()
    };
    text += &format!("\n{:<15}{:>12}{:>12}{:>12}\n", "", "White mates", "drawn", "Black mates");
    for turn in Color::ALL {
        let wins = count(turn, &|value| matches!(value, Dtm::Win(_)));
        let losses = count(turn, &|value| matches!(value, Dtm::Loss(_)));
        let drawn = grouped(count(turn, &|value| value == Dtm::Draw));
        let (white, black) = turn.fold_wb((wins, losses), (losses, wins));
        let (name, white, black) = (format!("{turn} to move"), grouped(white), grouped(black));
        text += &format!("{name:<15}{white:>12}{drawn:>12}{black:>12}\n");
    }
    let longest = BAR.min(columns().saturating_sub(NUMBERS)) as u64;
    for winner in Color::ALL {
        let moves = (1..=u8::MAX / 2)
            .map(|moves| (moves, count(winner, &|value| value == Dtm::Win(2 * moves - 1))));
        let moves: Vec<(u8, u64)> = moves.filter(|&(_, count)| count > 0).collect();
        let Some(highest) = moves.iter().map(|&(_, count)| count).max() else { continue };
        text += &format!("\nmate in   positions   {winner} to move\n");
        for (moves, count) in moves {
            let bar = "#".repeat((longest * count).div_ceil(highest) as usize);
            text += &format!("{moves:>7}{:>12}   {bar}\n", grouped(count));
        }
    }
    let longest = longest_mates(table, &counts);
    if !longest.is_empty() {
        text += "\nLongest mates:";
    }
    for position in longest {
        let line = line_in_san(&position, &endgames.line(&position).unwrap_or_default());
        text += &format!("\n{}\n  {line}", fen(&position));
    }
    text
}

/// A number with commas between thousands.
fn grouped(number: u64) -> String {
    match number / 1000 {
        0 => number.to_string(),
        thousands => format!("{},{:03}", grouped(thousands), number % 1000),
    }
}

/// Some of the positions in which mate takes longest, the winner to move.
fn longest_mates(table: &Table, counts: &Counts) -> Vec<Chess> {
    let wins = counts.keys().map(|&(_, value)| value).filter(|value| matches!(value, Dtm::Win(_)));
    let Some(longest) = wins.min_by_key(|value| value.rank()) else { return Vec::new() };
    let positions = Color::ALL.into_par_iter().flat_map(|turn| {
        let positions = table.positions(turn).filter(|&(_, value, _)| value == longest);
        positions.map(move |(squares, ..)| (turn, squares))
    });
    let mut found: Vec<(Color, Squares)> = positions.collect();
    found.truncate(SHOWN);
    found.into_iter().filter_map(|(turn, squares)| table.position(turn, &squares)).collect()
}

/// The ending of a position whose exact value tables can give.
pub fn ending_of(position: &Chess) -> Result<Material, Refusal> {
    let material = Material::on(position.board()).map_err(|error| Refusal(error.to_string()))?;
    let castling = "castling is possible in this position, and the tables do not include castling";
    match position.castles().is_empty() {
        true => Ok(material),
        false => Err(Refusal(castling.to_owned())),
    }
}

/// Builds the tables that a position needs. Says its exact value and that of each move in text, the best move first.
///
/// # Errors
///
/// If there are more than [`Material::MAX_PIECES`] pieces, pawns of both sides, or castling rights.
pub fn solved_position(position: &Chess) -> Result<String, Refusal> {
    let endgames = Endgames::of_ending(ending_of(position)?);
    // A position without a table has too few pieces to mate.
    let value = endgames.probe(position).unwrap_or(Dtm::Draw);
    let moves = endgames.moves(position).unwrap_or_default();
    let mut text = format!("{}: {} to move, {value}", fen(position), position.turn());
    let halfmoves = position.halfmoves();
    if !value.is_in_time(halfmoves) {
        text += &format!(
            "\nThe fifty-move rule may end the game before: {halfmoves} halfmoves without a capture or pawn move. \
             These values do not count it."
        );
    }
    for (m, value) in moves {
        text += &format!("\n{:<7} {value}", san(position, m));
    }
    Ok(text)
}
