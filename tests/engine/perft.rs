//! Move generation agrees with published counts.

use crate::common::chess;
use rayon::prelude::*;
use tropism::search::{Control, perft};

#[test]
fn counts_are_the_published_ones() {
    include_str!("perft.txt").par_lines().for_each(|line| {
        let Some((fen, counts)) = line.split_once(" : ") else { return };
        for (depth, count) in (1..).zip(counts.split(' ')) {
            let found = perft(&chess(fen), depth, &Control::default());
            assert_eq!(found.to_string(), count, "{fen} depth {depth}");
        }
    });
}
