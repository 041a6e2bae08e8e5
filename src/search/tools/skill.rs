//! Weaker play that resembles a person's: few nodes, and a random choice among moves that are nearly best.

use crate::random::SplitMix64;
use crate::search::level::Level;
use crate::search::request::{Limits, Outcome, Report, Resources, SearchRequest};
use crate::search::root::threads::search_fully;
use crate::search::score::{MATE_BOUND, Value};
use crate::search::transposition_table::TranspositionTable;
use crate::search::tree::depth_adjustment::has_bare_king;
use shakmaty::{Chess, Move, Position};

/// The number of moves to choose from.
const CHOICES: usize = 8;

/// The number of nodes at level 0, and its growth factor per level.
const NODES: f64 = 40.0;
const NODES_GROWTH: f64 = 1.45;

/// How many times as many nodes a search has if one side has a bare king.
const TECHNIQUE: u64 = 4;

/// At level 0 a move this many centipawns worse than the best is played e times less often. The number shrinks by
/// the factor at each level.
const TOLERANCE: f64 = 400.0;
const TOLERANCE_SHRINKS: f64 = 0.82;

/// From this level on, moves that allow a mate in one are not searched if there are others.
const SEES_MATE: f64 = 5.0;

/// The size of the transposition table of one search: more than the highest level has nodes.
const TABLE_ENTRIES: usize = 1 << 16;

fn nodes(level: Level) -> u64 {
    (NODES * NODES_GROWTH.powf(level.number())) as u64
}

fn tolerance(level: Level) -> f64 {
    TOLERANCE * TOLERANCE_SHRINKS.powf(level.number())
}

/// Searches few nodes and plays one of the moves that seem nearly best; a worse move is less likely. There is one
/// report: that of the chosen move.
pub fn search_at_level(request: &SearchRequest, report: &mut dyn FnMut(&Report)) -> Outcome {
    let SearchRequest { level, seed, .. } = *request;
    let chess = request.game.position().chess();
    // With a bare king all good moves have much the same value, and only the best one makes headway: a player
    // weakens in judgement before technique.
    let (lines, factor) = if has_bare_king(chess) { (1, TECHNIQUE) } else { (CHOICES, 1) };
    let level_nodes = nodes(level) * factor;
    let mut search_moves = request.limits.search_moves.clone();
    if level.number() >= SEES_MATE {
        let all = if search_moves.is_empty() {
            chess.legal_moves().to_vec()
        } else {
            search_moves.clone()
        };
        let safe: Vec<Move> = all.iter().copied().filter(|&m| !allows_mate(chess, m)).collect();
        if !safe.is_empty() && safe.len() < all.len() {
            search_moves = safe;
        }
    }
    let limits = Limits {
        search_moves,
        nodes: Some(request.limits.nodes.map_or(level_nodes, |nodes| nodes.min(level_nodes))),
        lines,
        ..request.limits.clone()
    };
    let resources = Resources { threads: 1, tablebases: None, endgames: None, ..request.resources };
    // A table of its own: what a search at full strength has left would make it stronger.
    let own_table = TranspositionTable::with_entries(TABLE_ENTRIES).ok();
    let table = own_table.as_ref().unwrap_or(request.table);
    let weaker = SearchRequest { limits: &limits, resources, table, ..*request };
    let mut found: Vec<Report> = Vec::new();
    let mut outcome = search_fully(&weaker, &mut |line: &Report| {
        found.truncate(line.number - 1);
        found.push(line.clone());
    });
    let chosen = choose(&found, level, seed);
    if let Some(line) = found.get(chosen) {
        report(&Report { number: 1, is_last: true, ..line.clone() });
        outcome.best = line.line.first().copied();
        outcome.ponder = line.line.get(1).copied();
        outcome.value = line.value;
    }
    outcome
}

/// The index of the line to play.
fn choose(lines: &[Report], level: Level, seed: u64) -> usize {
    let best = match lines.first().map(|line| line.value) {
        // Who sees a mate plays the shortest.
        None | Some(Value::Mate(1..)) => return 0,
        Some(value) => centipawns(value),
    };
    let weight =
        |line: &Report| (f64::from(centipawns(line.value) - best) / tolerance(level)).exp();
    let weights: Vec<f64> = lines.iter().map(weight).collect();
    let mut left = SplitMix64(seed).fraction() * weights.iter().sum::<f64>();
    weights
        .iter()
        .position(|weight| {
            left -= weight;
            left < 0.0
        })
        .unwrap_or(0)
}

fn centipawns(value: Value) -> i32 {
    match value {
        Value::Centipawns(value) => value,
        Value::Mate(moves) if moves > 0 => MATE_BOUND - moves,
        Value::Mate(moves) => -MATE_BOUND - moves,
    }
}

/// Whether the opponent can mate in one after this move.
fn allows_mate(chess: &Chess, m: Move) -> bool {
    let mut next = chess.clone();
    next.play_unchecked(m);
    next.legal_moves().into_iter().any(|reply| {
        let mut end = next.clone();
        end.play_unchecked(reply);
        end.is_checkmate()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::endgame::Endgames;
    use crate::search::{Bound, Game, GameOutcome, search};
    use shakmaty::Color;
    use std::time::Duration;

    fn line(number: usize, m: Move, value: i32) -> Report {
        Report {
            number,
            is_last: true,
            depth: 1,
            selective_depth: 1,
            value: Value::Centipawns(value),
            bound: Bound::Exact,
            nodes: 1,
            tablebase_hits: 0,
            time: Duration::ZERO,
            table_fullness: 0,
            line: vec![m],
        }
    }

    fn table() -> TranspositionTable {
        TranspositionTable::new(1).unwrap()
    }

    /// Searches at a level, whose numbers end with that of full strength, to a depth.
    fn search_at(
        game: &Game,
        table: &TranspositionTable,
        level: u32,
        depth: Option<u32>,
        seed: u64,
    ) -> (Outcome, Vec<Report>) {
        let engine = crate::default_engine().unwrap();
        let limits = Limits { depth, ..Limits::default() };
        let request = SearchRequest::new(game, &engine, table, &limits);
        let mut reports = Vec::new();
        let outcome = search(&request.at_level(Level::new(level), seed), |report| {
            reports.push(Report { time: Duration::ZERO, ..report.clone() });
        });
        (outcome, reports)
    }

    /// The move of a level.
    fn best_at(game: &Game, table: &TranspositionTable, level: u32, seed: u64) -> Move {
        search_at(game, table, level, None, seed).0.best.unwrap()
    }

    /// Report: a test of levels compared their formulas with themselves.
    #[test]
    fn higher_levels_search_more() {
        let game = Game::new(Chess::default());
        // The first iteration is always completed, so the lowest levels may search the same.
        let searched =
            [0, 6, 9, 12, 15, 19].map(|level| search_at(&game, &table(), level, None, 1).0.nodes);
        assert!(searched.is_sorted_by(|low, high| low < high), "{searched:?}");
        assert!(searched[0] < 1000 && (20_000..80_000).contains(&searched[5]), "{searched:?}");
    }

    #[test]
    fn worse_moves_are_rarer_especially_at_higher_levels() {
        let chess = Chess::default();
        let moves = chess.legal_moves();
        let lines = [line(1, moves[0], 50), line(2, moves[1], 0), line(3, moves[2], -400)];
        let counts = |level| {
            let mut counts = [0; 3];
            (0..2000).for_each(|seed| counts[choose(&lines, Level::new(level), seed)] += 1);
            counts
        };
        let (low, high) = (counts(2), counts(15));
        assert!(low[0] > low[1] && low[1] > low[2] && low[2] > 0, "{low:?}");
        assert!(high[0] > low[0] && high[1] < low[1] && high[2] == 0, "{high:?}");
    }

    /// Report: where each of the best moves allowed mate in one, one of them was played.
    #[test]
    fn middle_levels_do_not_allow_mate_in_one() {
        let fen = "7r/p1pQ4/5k2/1B1q2p1/8/5bP1/PPP2P2/R5K1 w - - 0 29";
        let (game, table) = (Game::from_fen(fen, None).unwrap(), table());
        let allows = |level| allows_mate(game.position().chess(), best_at(&game, &table, level, 3));
        assert_eq!([4, 5, 6, 7, 8, 9].map(allows), [true, false, false, false, false, false]);
    }

    /// Report: a fixed time was shortened by what searches of another kind had taught.
    #[test]
    fn a_search_at_full_strength_does_not_help_a_level() {
        let fen = "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4";
        let (game, table) = (Game::from_fen(fen, None).unwrap(), table());
        let search_at = |level, depth| {
            let (outcome, reports) = search_at(&game, &table, level, depth, 7);
            let reports = reports.into_iter().map(|one| (one.depth, one.value, one.line));
            (outcome, reports.collect::<Vec<_>>())
        };
        let before = search_at(6, None);
        search_at(Level::FULL, Some(8));
        assert_eq!(search_at(6, None), before);
    }

    /// Report: all moves that mate had the same value, so the stronger levels took one at random.
    #[test]
    fn every_level_mates_in_one() {
        let fen = "1Q6/p3P3/N6k/2P3R1/P3PP1p/7P/6P1/2R3K1 w - - 3 39";
        let (game, table) = (Game::from_fen(fen, None).unwrap(), table());
        for level in 0..Level::FULL {
            let best = best_at(&game, &table, level, 3);
            let end = game.position().chess().clone().play(best).unwrap();
            assert!(end.is_checkmate(), "level {level} plays {best}");
        }
    }

    /// Report: a level chose at random among moves that all win, and never came to the mate.
    #[test]
    fn a_middle_level_mates_a_bare_king_that_defends_best() {
        let engine = crate::default_engine().unwrap();
        let (table, limits) = (table(), Limits { depth: Some(1), ..Limits::default() });
        for (level, fen) in [
            (8, "8/8/8/3k4/8/8/8/KQ6 w - - 0 1"),
            (8, "8/8/3k4/8/8/8/8/K6R w - - 0 1"),
            (10, "8/8/3k4/8/8/8/8/K1B2B2 w - - 0 1"),
            (10, "8/8/4k3/8/8/4K3/4P3/8 w - - 0 1"),
            (14, "8/8/8/3k4/8/8/8/K1B2N2 w - - 0 1"),
        ] {
            let mut game = Game::from_fen(fen, None).unwrap();
            while game.outcome().is_none() {
                let chess = game.position().chess();
                let endgames = Endgames::of(chess.board());
                let best = match chess.turn() {
                    Color::White => best_at(&game, &table, level, 1),
                    Color::Black => {
                        let request = SearchRequest::new(&game, &engine, &table, &limits);
                        search(&request.with_endgames(&endgames), |_| ()).best.unwrap()
                    }
                };
                game.play(best);
            }
            let outcome = game.outcome();
            let is_mate = matches!(outcome, Some(GameOutcome::Checkmate { .. }));
            assert!(is_mate, "level {level} in {fen}: {outcome:?}");
        }
    }

    #[test]
    fn the_report_is_of_the_chosen_move_and_a_seed_repeats_it() {
        let game = Game::new(Chess::default());
        let play = |seed| {
            let (outcome, reports) = search_at(&game, &table(), 1, None, seed);
            assert_eq!(reports.len(), 1);
            assert_eq!(reports[0].line.first().copied(), outcome.best);
            outcome.best
        };
        let moves: Vec<_> = (0..12).map(play).collect();
        assert_eq!(play(3), moves[3]);
        assert!(moves.iter().any(|m| *m != moves[0]));
    }
}
