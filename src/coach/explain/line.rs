//! The best line of a search, and what it changes.

use crate::coach::format::signed;
use super::swings::{Swing, swings};
use crate::endgame::Endgames;
use crate::eval::Engine;
use crate::notation::after;
use crate::search::{Game, Limits, Outcome, Search, TranspositionTable, Value, search, see_ge};
use crate::text::line_in_san;
use shakmaty::{Chess, Move, Position};

/// The most changes that are listed.
const LISTED: usize = 4;
/// The smallest change that is listed, in centipawns.
const SMALLEST: f64 = 10.0;
/// The most plies by which a line is continued to a quiet position.
const MAX_CONTINUATION: usize = 16;

/// The best line of a search, and how the terms change until its end. The line goes on after the last
/// move of the search until no exchange is left, so that these changes last.
#[derive(Clone, Debug)]
pub struct BestLine {
    pub(super) depth: u32,
    /// Positive if good for White.
    pub(super) value: Value,
    pub(super) moves: Vec<Move>,
    /// The moves in SAN with move numbers.
    pub(super) san: String,
    pub(super) changes: Vec<Swing>,
}

impl BestLine {
    /// Searches to a depth, in plies.
    ///
    /// # Errors
    ///
    /// If there is no memory for the transposition table.
    pub fn new(
        engine: &Engine,
        game: &Game,
        depth: u32,
    ) -> Result<BestLine, std::collections::TryReserveError> {
        let table = TranspositionTable::new(TranspositionTable::DEFAULT_SIZE)?;
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        let turn = game.position().chess().turn();
        let endgames = Endgames::of(game.position().chess().board());
        let request = Search::new(game, engine, &table, &limits).with_endgames(&endgames);
        let mut moves = Vec::new();
        let outcome = search(&request, |report| moves.clone_from(&report.line));
        if let Value::Centipawns(_) = outcome.value {
            extend_until_quiet(engine, game, &table, &mut moves);
        }
        let value = match outcome.value {
            Value::Centipawns(value) => Value::Centipawns(turn.fold_wb(value, -value)),
            Value::Mate(value) => Value::Mate(turn.fold_wb(value, -value)),
        };
        let start = game.position().chess();
        let (san, end) = (line_in_san(start, &moves), after(start, &moves));
        let changes = swings(&engine.trace(start), &engine.trace(&end));
        Ok(BestLine { depth, value, moves, san, changes })
    }

    /// The value in words, positive if good for White.
    pub(super) fn score(&self) -> String {
        match self.value {
            Value::Centipawns(value) => signed(f64::from(value)),
            Value::Mate(moves) => {
                let side = if moves > 0 { "White" } else { "Black" };
                format!("{side} mates in {}", moves.abs())
            }
        }
    }

    /// The value and the moves in the first line, then one line for each of the largest changes.
    pub(super) fn lines(&self) -> Vec<String> {
        if self.moves.is_empty() {
            return vec!["best line: there is no legal move".to_owned()];
        }
        let mut lines =
            vec![format!("best line to depth {}: {}  {}", self.depth, self.score(), self.san)];
        // A mate needs no reasons.
        if let Value::Centipawns(_) = self.value {
            let changes =
                self.changes.iter().take(LISTED).filter(|swing| swing.change.abs() >= SMALLEST);
            lines.extend(changes.map(|swing| format!("this line changes {}", swing.sentence())));
        }
        lines
    }
}

/// Plays captures and evasions that a search finds at the end of a line, until the side to move is not in
/// check and wins nothing by a capture.
fn extend_until_quiet(
    engine: &Engine,
    game: &Game,
    table: &TranspositionTable,
    moves: &mut Vec<Move>,
) {
    let mut game = game.clone();
    moves.iter().for_each(|&m| game.play(m));
    let limits = Limits { depth: Some(1), ..Limits::default() };
    for _ in 0..MAX_CONTINUATION {
        let chess = game.position().chess();
        if game.outcome().is_some() || is_quiet(chess) {
            return;
        }
        let Outcome { best: Some(best), .. } =
            search(&Search::new(&game, engine, table, &limits), |_| ())
        else {
            return;
        };
        // The search knows more than a static exchange evaluation: the capture that seems to win is bad.
        if !chess.is_check() && !best.is_capture() && !best.is_promotion() {
            return;
        }
        moves.push(best);
        game.play(best);
    }
}

/// Whether the side to move is not in check and no capture or promotion wins material.
fn is_quiet(chess: &Chess) -> bool {
    let wins = |&m: &Move| (m.is_capture() || m.is_promotion()) && see_ge(chess, m, 1);
    !chess.is_check() && !chess.legal_moves().iter().any(wins)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_ends_in_a_quiet_position() {
        let engine = crate::default_engine().unwrap();
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
            "r1bqkbnr/pppp1ppp/2n5/4p3/3PP3/5N2/PPP2PPP/RNBQKB1R b KQkq - 0 3",
            "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        ] {
            let game = Game::from_fen(fen, None).unwrap();
            for depth in 1..=6 {
                let line = BestLine::new(&engine, &game, depth).unwrap();
                let end = after(game.position().chess(), &line.moves);
                // A capture that seems to win may be bad for another reason.
                let next = BestLine::new(&engine, &Game::new(end.clone()), 1).unwrap().moves[0];
                let goes_on = end.is_check() || next.is_capture();
                assert!(is_quiet(&end) || !goes_on, "{fen} to depth {depth}: {}", line.san);
            }
        }
    }

    #[test]
    fn a_mate_is_shown_with_its_moves() {
        let engine = crate::default_engine().unwrap();
        let line = |fen: &str| {
            BestLine::new(&engine, &Game::from_fen(fen, None).unwrap(), 3).unwrap().lines()
        };
        let lines = line("r5k1/8/8/8/8/8/5PPP/6K1 b - - 0 7");
        assert_eq!(lines[0], "best line to depth 3: Black mates in 1  7...Ra1#");
        assert_eq!(line("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), ["best line: there is no legal move"]);
    }
}
