//! Tactical motifs and the themes of puzzles.

use rayon::prelude::*;
use shakmaty::{Move, Position};
use std::{env, fs};
use tropism::notation::read_fen;
use tropism_coach::motifs::{FoundMotif, Motif, motifs_of_line, zugzwang};
use tropism_coach::notation::read_move;

/// Prints precision and recall of each theme, with some puzzles that disagree. `TROPISM_PUZZLES` names a CSV with the
/// names of Lichess's columns in its first line, the id first:
/// `cargo test --test engine -- --ignored --nocapture puzzles`.
#[test]
#[ignore = "needs puzzles"]
fn motifs_are_compared_with_themes() {
    let file = env::var("TROPISM_PUZZLES").expect("TROPISM_PUZZLES names a CSV of Lichess");
    let engine = tropism::default_engine().unwrap();
    let text = fs::read_to_string(file).unwrap();
    let mut lines = text.lines();
    let columns: Vec<String> = lines.next().unwrap().split(',').map(str::to_lowercase).collect();
    let [fen, moves_to_play, tags] = ["fen", "moves", "themes"]
        .map(|name| columns.iter().position(|column| column == name).expect(name));
    let lines: Vec<&str> = lines.collect();
    let puzzles = lines.par_iter().map(|line| {
        let fields: Vec<&str> = line.split(',').collect();
        let start = read_fen(fields[fen], None).unwrap();
        let mut position = start.clone();
        let mut moves: Vec<Move> = Vec::new();
        for word in fields[moves_to_play].split(' ') {
            moves.push(read_move(word, &position).expect(line));
            position.play_unchecked(moves[moves.len() - 1]);
        }
        let mut found = motifs_of_line(&start, &moves, !start.turn());
        found.extend(zugzwang(&engine, &start, &moves, !start.turn()));
        (fields[0], fields[tags], found)
    });
    let puzzles: Vec<(&str, &str, Vec<FoundMotif>)> = puzzles.collect();
    // Collections of puzzles have no themes of these names.
    let ours = [Motif::PerpetualCheck, Motif::RelativePin, Motif::StalemateTrick];
    for &motif in Motif::ALL.iter().filter(|motif| !ours.contains(motif)) {
        let ids = |is_tagged: bool, is_found: bool| -> Vec<&str> {
            let matching = puzzles.iter().filter(|(_, themes, found)| {
                themes.split(' ').any(|theme| theme == motif.name()) == is_tagged
                    && found.iter().any(|found| found.motif == motif) == is_found
            });
            matching.map(|&(id, ..)| id).collect()
        };
        let (both, missed, extra) = (ids(true, true), ids(true, false), ids(false, true));
        let share = |others: usize| both.len() as f64 / (both.len() + others).max(1) as f64;
        let (precision, recall) = (share(extra.len()), share(missed.len()));
        let few = |ids: &[&str]| ids.iter().take(5).copied().collect::<Vec<_>>().join(" ");
        println!(
            "{:18} {} tagged, precision {precision:.3}, recall {recall:.3}; missed {}; extra {}",
            motif.name(),
            both.len() + missed.len(),
            few(&missed),
            few(&extra)
        );
    }
}
