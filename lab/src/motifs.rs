//! `tropism-lab motifs`: how often the motifs that the program finds are the themes of puzzles.

use crate::terminal::print_line;
use anyhow::{Context as _, Result, anyhow, ensure};
use clap::Args;
use rayon::{iter::Either, prelude::*};
use shakmaty::{Move, Position};
use std::{collections::HashSet, fmt, fs, path::PathBuf};
use tropism::{eval::Engine, notation::read_fen};
use tropism_coach::{
    motifs::{Motif, motifs_of_line, zugzwang},
    notation::read_move,
};
use tropism_program::Context;

/// Bad rows that the error lists.
const MAX_LISTED: usize = 10;

/// Compare the motifs that the program finds in puzzles with the themes of the puzzles.
#[derive(Args, Clone, Debug)]
pub(crate) struct Motifs {
    /// The puzzles in CSV, with the columns id, fen, moves and themes, or Lichess's own. The opponent moves first.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Also list the puzzles in which the program and the puzzles disagree on this theme.
    #[arg(long, value_name = "THEME")]
    differences: Option<String>,
}

impl Motifs {
    /// Prints the table. Bad rows are left out of it, and end the command with an error.
    pub(crate) fn run(&self, context: &Context) -> Result<()> {
        let path = self.file.display();
        let text = fs::read_to_string(&self.file).with_context(|| format!("cannot read {path}"))?;
        let (puzzles, faults) =
            read_puzzles(&context.engine, &text).with_context(|| path.to_string())?;
        if let Some(theme) = &self.differences {
            let motif = Motif::ALL.iter().find(|motif| motif.name() == theme);
            let motif =
                *motif.ok_or_else(|| anyhow!("{theme}: the program finds no such theme"))?;
            puzzles.iter().filter_map(|it| it.difference(motif)).for_each(|it| print_line(&it));
        }
        print_line(&Table(&puzzles));
        let listed = faults[..faults.len().min(MAX_LISTED)].join("\n");
        ensure!(faults.is_empty(), "{path}: {} bad rows:\n{listed}", faults.len());
        Ok(())
    }
}

/// A puzzle, its themes, and the motifs that the program finds in it.
struct Puzzle {
    id: String,
    themes: HashSet<String>,
    found: HashSet<Motif>,
}

impl Puzzle {
    fn new(engine: &Engine, row: &[String], columns: [usize; 4]) -> Result<Puzzle> {
        let field = |index: usize| {
            let field = row.get(columns[index]);
            field.with_context(|| format!("there is no field {}", COLUMNS[index]))
        };
        let [id, fen, moves, themes] = [0, 1, 2, 3].map(field);
        let start = read_fen(fen?, None)?;
        let mut position = start.clone();
        let mut line: Vec<Move> = Vec::new();
        for word in moves?.split_whitespace() {
            let m = read_move(word, &position)
                .map_err(|misread| anyhow!("move {word}: {}", misread.reason(&position)))?;
            position.play_unchecked(m);
            line.push(m);
        }
        ensure!(line.len() >= 2, "there are fewer than two moves");
        let mut found = motifs_of_line(&start, &line, !start.turn());
        found.extend(zugzwang(engine, &start, &line, !start.turn())?);
        Ok(Puzzle {
            id: id?.clone(),
            themes: themes?.split_whitespace().map(str::to_owned).collect(),
            found: found.into_iter().map(|found| found.motif).collect(),
        })
    }

    fn is_tagged(&self, motif: Motif) -> bool {
        self.themes.contains(motif.name())
    }

    /// What is said if the program and the puzzle disagree.
    fn difference(&self, motif: Motif) -> Option<String> {
        match (self.is_tagged(motif), self.found.contains(&motif)) {
            (true, false) => Some(format!("{} is tagged, but not found", self.id)),
            (false, true) => Some(format!("{} is found, but not tagged", self.id)),
            _ => None,
        }
    }
}

/// The names of the columns that are read, and Lichess's name of the first.
const COLUMNS: [&str; 4] = ["id", "fen", "moves", "themes"];
const LICHESS_ID: &str = "PuzzleId";

/// Where the columns stand, by the header.
fn find_columns(header: &[String]) -> Result<[usize; 4]> {
    let mut places = [0; 4];
    for (place, name) in places.iter_mut().zip(COLUMNS) {
        let is_named = |field: &String| {
            field.eq_ignore_ascii_case(name)
                || name == "id" && field.eq_ignore_ascii_case(LICHESS_ID)
        };
        *place = header.iter().position(is_named).with_context(|| {
            format!("line 1: there is no column {name}; name the columns there")
        })?;
    }
    Ok(places)
}

/// The puzzles of a file, and what is wrong with its bad rows.
fn read_puzzles(engine: &Engine, text: &str) -> Result<(Vec<Puzzle>, Vec<String>)> {
    let text = text.trim_start_matches('\u{feff}');
    let mut lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    let (_, header) = lines.next().context("the file is empty")?;
    let columns = find_columns(&fields(header))?;
    let rows: Vec<(usize, &str)> = lines.collect();
    ensure!(!rows.is_empty(), "there is no puzzle in the file");
    Ok(rows.into_par_iter().partition_map(|(number, line)| {
        match Puzzle::new(engine, &fields(line), columns) {
            Ok(puzzle) => Either::Left(puzzle),
            Err(error) => Either::Right(format!("line {number}: {error:#}")),
        }
    }))
}

/// The fields of a line. A field in quotes may have commas; two quotes in it are one.
fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut is_quoted = false;
    let mut letters = line.trim_end().chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' if is_quoted && letters.next_if_eq(&'"').is_some() => push(&mut fields, '"'),
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => fields.push(String::new()),
            letter => push(&mut fields, letter),
        }
    }
    fields
}

fn push(fields: &mut [String], letter: char) {
    if let Some(field) = fields.last_mut() {
        field.push(letter);
    }
}

/// By theme: how many puzzles are tagged with it, in how many it is found, precision and recall.
struct Table<'a>(&'a [Puzzle]);

impl fmt::Display for Table<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(
            f,
            "{:<18}{:>8}{:>8}{:>11}{:>8}",
            "theme", "tagged", "found", "precision", "recall"
        )?;
        for &motif in Motif::ALL.iter().filter(|motif| motif.is_theme()) {
            let count = |wanted: fn(bool, bool) -> bool| {
                let agrees = |it: &&Puzzle| wanted(it.is_tagged(motif), it.found.contains(&motif));
                self.0.iter().filter(agrees).count()
            };
            let (tagged, found) = (count(|tagged, _| tagged), count(|_, found| found));
            let both = count(|tagged, found| tagged && found);
            let [precision, recall] = [ratio(both, found), ratio(both, tagged)];
            write!(f, "\n{:<18}{tagged:>8}{found:>8}{precision:>11}{recall:>8}", motif.name())?;
        }
        Ok(())
    }
}

/// A ratio with three decimals; a dash if there is nothing to share.
fn ratio(part: usize, all: usize) -> String {
    match all {
        0 => "-".to_owned(),
        _ => format!("{:.3}", part as f64 / all as f64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PUZZLES: &str = "PuzzleId,FEN,Moves,Rating,Themes\r\n\
        one,3q3r/k7/8/6N1/8/8/8/6K1 b - - 0 1,a7a6 g5f7 d8d7 f7h8,900,fork short\r\n\
        \"two\",6k1/5ppp/8/8/8/8/8/3R2K1 b - - 0 1,g7g6 Rd8+ g8g7 d8d7,900,\"backRankMate fork\"\n\n\
        three,6k1/5ppp/7r/8/8/8/8/3R2K1 b - - 0 1,h6a6 d1d8,900,mate mateIn1 backRankMate\n";

    fn read(text: &str) -> (Vec<Puzzle>, Vec<String>) {
        read_puzzles(&tropism::default_engine().unwrap(), text).unwrap()
    }

    #[test]
    fn the_table_counts_puzzles_by_theme() {
        let (puzzles, faults) = read(PUZZLES);
        assert_eq!(faults, [""; 0]);
        let table = Table(&puzzles).to_string();
        let row = |theme: &str| -> Vec<String> {
            let row = table.lines().find(|line| line.starts_with(&format!("{theme} "))).unwrap();
            row.split_whitespace().skip(1).map(str::to_owned).collect()
        };
        assert_eq!(row("fork"), ["2", "1", "1.000", "0.500"]);
        assert_eq!(row("backRankMate"), ["2", "1", "1.000", "0.500"]);
        assert_eq!(row("mateIn1"), ["1", "1", "1.000", "1.000"]);
        assert_eq!(row("castling"), ["0", "0", "-", "-"]);
        let missing = puzzles.iter().filter_map(|it| it.difference(Motif::Fork));
        assert_eq!(missing.collect::<Vec<_>>(), ["two is tagged, but not found"]);
    }

    #[test]
    fn bad_rows_are_named_by_their_line() {
        let (puzzles, faults) = read(
            "id,fen,moves,rating,themes\n\
             a,8/8 w - -,e2e4 e7e5,1,fork\n\
             b,6k1/8/8/8/8/8/8/3R2K1 w - - 0 1,d1d8 g8h1,1,pin\n\
             c,6k1/8/8/8/8/8/8/3R2K1 w - - 0 1,d1d8,1,pin\n\
             d,6k1/8/8/8/8/8/8/3R2K1 w - - 0 1\n",
        );
        assert!(puzzles.is_empty());
        let starts = [
            "line 2: not a FEN",
            "line 3: move g8h1: ",
            "line 4: there are fewer than two moves",
            "line 5: there is no field moves",
        ];
        assert_eq!(faults.len(), starts.len(), "{faults:?}");
        for (fault, start) in faults.iter().zip(starts) {
            assert!(fault.starts_with(start), "{fault}");
        }
    }

    #[test]
    fn the_header_names_the_columns() {
        let engine = tropism::default_engine().unwrap();
        let error = |text| read_puzzles(&engine, text).err().unwrap().to_string();
        assert_eq!(error(""), "the file is empty");
        assert_eq!(error("id,fen,moves,themes\n"), "there is no puzzle in the file");
        let text = "line 1: there is no column themes; name the columns there";
        assert_eq!(error("id,fen,moves\nx,y,z\n"), text);
    }

    #[test]
    fn quotes_keep_commas() {
        assert_eq!(fields("a,\"b,c\",\"d\"\"e\",\r"), ["a", "b,c", "d\"e", ""]);
    }
}
