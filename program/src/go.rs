//! `tropism go`.

use super::{Context, shared::parse_game};
use anyhow::Result;
use clap::Args;
use shakmaty::{Chess, Color, Move, Position, san::SanPlus};
use std::io::{self, IsTerminal, Write};
use std::{thread, time::Duration};
use tropism::endgame::{Dtm, Endgames};
use tropism::search::{
    Bound, Game, Limits, Outcome, Report, STACK_SIZE, SearchRequest, TranspositionTable, Value,
    exact_value, search,
};
use tropism::text::numbered_moves;
use tropism::uci::{best_move_line, info_line};

/// The time of a search without a limit, in milliseconds.
const DEFAULT_TIME: u64 = 3000;

/// The width of the columns before the best line.
const COLUMNS: usize = 36;

/// The fewest columns that the best line has, even in a narrow terminal.
const MIN_LINE: usize = 24;

/// Search one position and name the best move.
///
/// A terminal shows a table with scores for White. If the output goes to a file or a program, it has the
/// lines `info` and `bestmove` of UCI. Without a limit the search takes 3 seconds.
#[derive(Args)]
pub struct Go {
    /// Search to this depth, in plies.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=240))]
    depth: Option<u32>,
    /// Search at most this number of positions.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Search for this time, in milliseconds.
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=1 << 40))]
    movetime: Option<u64>,
    /// Show the best lines of this number of moves.
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..=218))]
    multipv: usize,
    /// The position: startpos or a FEN, and after it, if wanted, `moves` with moves as e2e4 or Nf3. Without it,
    /// the start position.
    #[arg(value_name = "FEN", default_value = "startpos", hide_default_value = true)]
    fen: Vec<String>,
}

impl Go {
    pub fn run(self, context: Context) -> Result<()> {
        let game = parse_game(&self.fen)?;
        let has_limit = self.depth.is_some() || self.nodes.is_some() || self.movetime.is_some();
        let time = self.movetime.or((!has_limit).then_some(DEFAULT_TIME));
        let limits = Limits {
            depth: self.depth,
            nodes: self.nodes,
            move_time: time.map(Duration::from_millis),
            lines: self.multipv,
            ..Limits::default()
        };
        let table = TranspositionTable::new(TranspositionTable::DEFAULT_SIZE)?;
        let endgames = Endgames::of(game.position().chess().board());
        let request =
            SearchRequest::new(&game, &context.engine, &table, &limits).with_endgames(&endgames);
        // The main thread's stack may be too small for the deepest line.
        thread::scope(|scope| {
            let thread = thread::Builder::new().stack_size(STACK_SIZE);
            let thread = thread.spawn_scoped(scope, || match io::stdout().is_terminal() {
                true => show_table(&request, &mut io::stdout().lock()),
                false => show_lines(&request, &mut io::stdout().lock()),
            })?;
            Ok(thread
                .join()
                .map_err(|_| anyhow::anyhow!("the search crashed; this is a bug"))??)
        })
    }
}

/// Searches and writes the lines of UCI.
fn show_lines(request: &SearchRequest, out: &mut impl Write) -> io::Result<()> {
    let mode = request.game.position().chess().castles().mode();
    let mut written = Ok(());
    let outcome = search(request, |report| {
        if written.is_ok() {
            written = writeln!(out, "{}", info_line(report, mode)).and_then(|()| out.flush());
        }
    });
    written?;
    writeln!(out, "{}", best_move_line(&outcome, mode))
}

/// Searches and writes a table for a person.
fn show_table(request: &SearchRequest, out: &mut impl Write) -> io::Result<()> {
    let chess = request.game.position().chess();
    let columns = usize::from(console::Term::stdout().size().1);
    let width = columns.saturating_sub(COLUMNS + 1).max(MIN_LINE);
    let mut written = writeln!(
        out,
        "Scores in pawns: + is good for White, - for Black. #3: White mates in 3, #-3: Black mates in 3.\n\n\
         {:>5} {:>8} {:>12} {:>7}  best line",
        "depth", "score", "nodes", "seconds"
    );
    let outcome = search(request, |report| {
        if written.is_ok() && !report.line.is_empty() {
            written = writeln!(out, "{}", row(report, chess, width)).and_then(|()| out.flush());
        }
    });
    written?;
    writeln!(out, "\n{}", summary(&outcome, request.game))
}

/// A row of the table. The best line is cut after the last move that fits the width.
fn row(report: &Report, chess: &Chess, width: usize) -> String {
    let bound = match (report.bound, chess.turn()) {
        (Bound::Exact, _) => "",
        (Bound::Lower, Color::White) | (Bound::Upper, Color::Black) => ">",
        (Bound::Upper, Color::White) | (Bound::Lower, Color::Black) => "<",
    };
    let score = match report.value {
        Value::Centipawns(value) => {
            format!("{bound}{:+.2}", f64::from(chess.turn().fold_wb(value, -value)) / 100.0)
        }
        Value::Mate(moves) => format!("{bound}#{}", chess.turn().fold_wb(moves, -moves)),
    };
    let (depth, nodes, seconds) = (report.depth, report.nodes, report.time.as_secs_f64());
    let line = cut_line(chess, &report.line, width);
    format!("{depth:>5} {score:>8} {nodes:>12} {seconds:>7.2}  {line}")
}

/// Moves in SAN with their numbers, as many as fit the width.
fn cut_line(chess: &Chess, moves: &[Move], width: usize) -> String {
    const MORE: &str = " ...";
    let words = numbered_moves(chess, moves);
    let mut line = String::new();
    for (index, word) in words.iter().enumerate() {
        let space = if index > 0 { " " } else { "" };
        let more = if index + 1 < words.len() { MORE.len() } else { 0 };
        if index > 0 && line.len() + space.len() + word.len() + more > width {
            return line + MORE;
        }
        line = line + space + word;
    }
    line
}

/// The best move and its value in words.
fn summary(outcome: &Outcome, game: &Game) -> String {
    let chess = game.position().chess();
    let (us, them) = chess.turn().fold_wb(("White", "Black"), ("Black", "White"));
    let Some(best) = outcome.best else {
        return match chess.is_check() {
            true => format!("{us} is checkmated."),
            false => format!("Stalemate: {us} has no legal move."),
        };
    };
    let best = SanPlus::from_move(chess.clone(), best);
    let exact = exact_value(game);
    let value = match outcome.value {
        Value::Centipawns(_) if exact == Some(Dtm::Draw) => "draw".to_owned(),
        Value::Mate(moves) => {
            let side = if moves > 0 { us } else { them };
            let plural = if moves.abs() == 1 { "" } else { "s" };
            format!("{side} mates in {} move{plural}", moves.abs())
        }
        Value::Centipawns(0) => "neither side is better".to_owned(),
        Value::Centipawns(value) => {
            let side = if value > 0 { us } else { them };
            format!("{side} is better by {:.2} pawns", f64::from(value.abs()) / 100.0)
        }
    };
    let separator = if exact.is_some() { "; exact: " } else { ": " };
    format!("The best move is {best}{separator}{value}.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_seen_from_white_and_fits_the_width() {
        let engine = tropism::default_engine().unwrap();
        let table = TranspositionTable::new(1).unwrap();
        let limits = Limits { depth: Some(4), ..Limits::default() };
        let shown = |fen: &str| {
            let game = Game::from_fen(fen, None).unwrap();
            let mut out = Vec::new();
            show_table(&SearchRequest::new(&game, &engine, &table, &limits), &mut out).unwrap();
            String::from_utf8(out).unwrap()
        };
        let mate = shown("r5k1/8/8/8/8/8/5PPP/6K1 b - - 0 7");
        assert!(mate.contains(" #-1 ") && mate.contains("  7...Ra1#\n"), "{mate}");
        assert!(mate.ends_with("The best move is Ra1#: Black mates in 1 move.\n"), "{mate}");
        let over = shown("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
        assert!(over.ends_with("\nStalemate: Black has no legal move.\n"), "{over}");
        let game = Game::from_fen("k7/8/8/8/8/8/8/K6R w - - 0 1", None).unwrap();
        let mut moves = Vec::new();
        let request = SearchRequest::new(&game, &engine, &table, &limits);
        search(&request, |report| moves.clone_from(&report.line));
        let line = cut_line(game.position().chess(), &moves, 15);
        assert!(line.len() <= 15 && line.starts_with("1.") && line.ends_with(" ..."), "{line}");
    }
}
