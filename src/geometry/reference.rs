use shakmaty::{Bitboard, Square};
use std::collections::VecDeque;

/// Every ordered pair of squares: 4096 of them.
pub(crate) fn pairs() -> impl Iterator<Item = (Square, Square)> {
    Square::ALL.into_iter().flat_map(|a| Square::ALL.into_iter().map(move |b| (a, b)))
}

/// File and rank as plain numbers, 0..=7 each.
pub(crate) fn coordinates(square: Square) -> (i32, i32) {
    let index = square.to_u32() as i32;
    (index % 8, index / 8)
}

/// The squares that a knight on `from` attacks, by adding the eight jumps to its coordinates.
pub(crate) fn knight_jumps(from: Square) -> Bitboard {
    let (file, rank) = coordinates(from);
    [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]
        .into_iter()
        .map(|(df, dr)| (file + df, rank + dr))
        .filter(|(f, r)| (0..8).contains(f) && (0..8).contains(r))
        .map(|(f, r)| Square::new((8 * r + f) as u32))
        .collect()
}

/// The least number of moves from a square to every other, by a breadth-first search with a queue.
pub(crate) fn breadth_first(from: Square, moves: impl Fn(Square) -> Bitboard) -> [Option<u32>; 64] {
    let mut distances = [None; 64];
    distances[from.to_usize()] = Some(0);
    let mut queue = VecDeque::from([from]);
    while let Some(square) = queue.pop_front() {
        let next = distances[square.to_usize()].map(|here| here + 1);
        for to in moves(square) {
            if distances[to.to_usize()].is_none() {
                distances[to.to_usize()] = next;
                queue.push_back(to);
            }
        }
    }
    distances
}

/// The rows of a table in `printed.txt`.
fn printed(name: &str) -> impl Iterator<Item = Vec<&'static str>> {
    let sections = include_str!("printed.txt").split("\n= ");
    let mut sections = sections.filter_map(|section| section.split_once('\n'));
    let (_, table) = sections.find(|(known, _)| *known == name).expect(name);
    let rows = table.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    rows.filter(|row| !row.is_empty())
}

/// The numbers of a printed table, in reading order.
pub(crate) fn numbers(name: &str, radix: u32) -> Vec<u32> {
    printed(name).flatten().map(|word| u32::from_str_radix(word, radix).unwrap()).collect()
}

/// Printed boards of dots and ones: eight lines a board, the eighth rank first, boards side by side and below each other.
pub(crate) fn pictures(name: &str) -> Vec<Bitboard> {
    let rows: Vec<Vec<&str>> = printed(name).collect();
    let mut boards = Vec::new();
    for ranks in rows.chunks(8) {
        for left in (0..ranks[0].len()).step_by(8) {
            let marked = |square: &Square| {
                let (file, rank) = coordinates(*square);
                ranks[7 - rank as usize][left + file as usize] == "1"
            };
            boards.push(Square::ALL.into_iter().filter(marked).collect());
        }
    }
    boards
}
