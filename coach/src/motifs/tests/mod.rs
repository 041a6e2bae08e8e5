//! Each motif in a position made for it, and in one that looks like it.

mod boards;
mod lines;
mod mates;

use super::{FoundMotif, Motif, motifs_of_line};
use crate::notation::read_move;
use shakmaty::{Chess, Move, Position};
use tropism::notation::read_fen;

/// The rows of a table, with the motif of the name in the first column. A row that begins with `#` is a comment.
fn rows<const N: usize>(table: &str) -> impl Iterator<Item = (Motif, [&str; N])> {
    let rows = table.lines().filter(|row| !row.is_empty() && !row.starts_with('#'));
    rows.map(|row| {
        let mut columns = row.split('|').map(str::trim);
        let name = columns.next().unwrap();
        let motif = Motif::ALL.iter().find(|motif| motif.name() == name);
        let columns: Vec<&str> = columns.collect();
        (*motif.unwrap_or_else(|| panic!("{name}")), columns.try_into().unwrap())
    })
}

fn position(fen: &str) -> Chess {
    read_fen(fen, None).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn moves(start: &Chess, line: &str) -> Vec<Move> {
    let mut position = start.clone();
    let read = |word| {
        let m = read_move(word, &position).unwrap_or_else(|error| panic!("{word}: {error:?}"));
        position.play_unchecked(m);
        m
    };
    line.split(' ').map(read).collect()
}

/// What is said about a motif along a line, seen from the side that moves last.
fn clauses(motif: Motif, fen: &str, line: &str) -> Vec<String> {
    let start = position(fen);
    let moves = moves(&start, line);
    let side = if moves.len() % 2 == 1 { start.turn() } else { !start.turn() };
    said(&motifs_of_line(&start, &moves, side), motif)
}

/// What is said about one of the motifs.
fn said(found: &[FoundMotif], motif: Motif) -> Vec<String> {
    found.iter().filter(|found| found.motif == motif).map(ToString::to_string).collect()
}

#[test]
fn names_are_different_and_titles_are_words() {
    let names: std::collections::HashSet<&str> = Motif::ALL.iter().map(|it| it.name()).collect();
    assert_eq!(names.len(), Motif::ALL.len());
    for motif in Motif::ALL {
        let first = motif.name().chars().next();
        assert!(first.is_some_and(char::is_lowercase), "{motif:?}");
        assert!(motif.title().len() >= 3, "{motif:?}");
    }
}
