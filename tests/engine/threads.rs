//! Several threads, several lines, and memory that must not grow.

use crate::symmetry::{STARTS, random_game};
use crate::{gui::Gui, program};
use proptest::prelude::*;
use shakmaty::Position;
use std::{fs, sync::atomic::Ordering::Relaxed, thread, time::Duration};
use tropism::search::{
    Bound, Control, Game, Limits, Outcome, PackedMove, Report, Resources, SearchRequest,
    TranspositionTable, TtEntry, Value, search,
};

const MIDDLEGAME: &str = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10";

fn think(fen: &str, limits: &Limits, threads: usize) -> (Outcome, Vec<Report>) {
    reports_until(&Game::from_fen(fen, None).unwrap(), limits, threads, usize::MAX)
}

/// A search and its reports, after so many of which it is stopped.
fn reports_until(
    game: &Game,
    limits: &Limits,
    threads: usize,
    stop_after: usize,
) -> (Outcome, Vec<Report>) {
    let engine = tropism::default_engine().unwrap();
    let table = TranspositionTable::new(4).unwrap();
    let control = Control::default();
    let resources = Resources { threads, ..Resources::default() };
    let request = SearchRequest::new(game, &engine, &table, limits).with_resources(resources);
    let mut reports = Vec::new();
    let outcome = search(&SearchRequest { control: &control, ..request }, |report| {
        reports.push(Report { time: Duration::ZERO, ..report.clone() });
        control.stop.fetch_or(reports.len() >= stop_after, Relaxed);
    });
    (outcome, reports)
}

#[test]
fn threads_share_one_limit_of_nodes() {
    let limits = Limits { nodes: Some(50_000), ..Limits::default() };
    let (outcome, reports) = think(MIDDLEGAME, &limits, 4);
    // Each thread may search a few more nodes until it next reads the shared count.
    assert!((50_000..50_000 + 4 * 1024).contains(&outcome.nodes), "{}", outcome.nodes);
    assert_eq!(reports.last().unwrap().line.first().copied(), outcome.best);
}

#[test]
fn with_any_number_of_threads_the_requested_depth_is_reported_and_played() {
    for depth in [1, 2, 7, 8] {
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        for threads in [1, 2, 3, 8] {
            let (outcome, reports) = think(MIDDLEGAME, &limits, threads);
            let last = reports.last().unwrap();
            assert_eq!((last.depth, last.bound), (depth, Bound::Exact));
            assert_eq!(last.line.first().copied(), outcome.best);
            assert_eq!(last.value, outcome.value);
        }
    }
}

/// Report: with several threads, nodes that no thread had shared yet were not counted.
#[test]
fn the_nodes_of_all_threads_are_counted() {
    // The first iteration is never cut off: in each thread the position and its moves.
    let limits = Limits { depth: Some(1), ..Limits::default() };
    let moves = Game::from_fen(MIDDLEGAME, None).unwrap().position().chess().legal_moves().len();
    let nodes = think(MIDDLEGAME, &limits, 8).0.nodes;
    assert!(nodes >= 8 * (1 + moves as u64), "{nodes}");
}

/// Several threads write and read the same few slots.
#[test]
fn the_table_returns_only_entries_that_were_written() {
    let entry = |key: u64| TtEntry {
        best: PackedMove::NONE,
        value: (key % 20_011) as i32 - 10_000,
        evaluation: (key % 10_007) as i32 - 5_000,
        depth: (key % 97) as i32,
        bound: Bound::Exact,
    };
    let table = TranspositionTable::with_entries(8).unwrap();
    thread::scope(|scope| {
        for seed in 1..=4u64 {
            let table = &table;
            scope.spawn(move || {
                let mut found = 0;
                // Miri is slow.
                for round in 0..if cfg!(miri) { 200 } else { 50_000u64 } {
                    // Few keys, spread over the whole range, so that threads collide.
                    let key = (round * seed % 61).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
                    table.put(key, 0, entry(key));
                    let other = ((round + seed) % 61).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
                    if let Some(known) = table.get(other, 0) {
                        assert_eq!(known, entry(other));
                        found += 1;
                    }
                }
                assert!(found > 0);
            });
        }
    });
}

/// Resident memory in kilobytes, if the system reports it.
fn resident(gui: &Gui) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{}/status", gui.id())).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// The program starts itself anew, because only the environment of a program can ask the allocator for huge pages.
#[test]
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn the_allocator_is_asked_for_huge_pages() {
    for (variable, value, is_asked) in
        [("GLIBC_TUNABLES", "glibc.malloc.check=0", true), ("TROPISM_HUGE_PAGES", "no", false)]
    {
        let mut command = program::command(&["uci"]);
        command.env_remove("GLIBC_TUNABLES").env_remove("TROPISM_HUGE_PAGES").env(variable, value);
        let mut gui = Gui::of(command);
        gui.settled();
        let environment = fs::read(format!("/proc/{}/environ", gui.id())).unwrap();
        let asked = b"glibc.malloc.hugetlb=1";
        assert_eq!(environment.windows(asked.len()).any(|part| part == asked), is_asked);
    }
}

#[test]
fn memory_does_not_grow_with_the_games() {
    let mut gui = Gui::start();
    gui.send("setoption name Hash value 1");
    gui.send("setoption name Threads value 2");
    let round = |gui: &mut Gui| {
        gui.send("ucinewgame");
        gui.send("position startpos moves e2e4 e7e5 g1f3");
        gui.go("go nodes 200");
    };
    (0..100).for_each(|_| round(&mut gui));
    let before = resident(&gui);
    (0..1000).for_each(|_| round(&mut gui));
    if let (Some(before), Some(after)) = (before, resident(&gui)) {
        assert!(after < before + 4096, "{before} kB before, {after} kB after");
    }
}

/// A number by which values are compared.
fn worth(value: Value) -> i32 {
    match value {
        Value::Centipawns(value) => value,
        Value::Mate(moves) if moves > 0 => 100_000 - moves,
        Value::Mate(moves) => -100_000 - moves,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Report: `go multipv 4 nodes 20000` showed lines of depth 6 as lines of depth 7, out of order.
    #[test]
    fn a_limit_cuts_reports_short_and_changes_none(
        picks in prop::collection::vec(any::<u8>(), 1..120),
        lines in 2..=8_usize,
        nodes in 1..6000_u64,
        stop_after in 1..60_usize,
    ) {
        let game = random_game(STARTS[0], &picks, |_| ());
        let limits = Limits { nodes: Some(nodes), lines, ..Limits::default() };
        let (outcome, reports) = reports_until(&game, &limits, 1, stop_after);
        let is_over = game.position().chess().legal_moves().is_empty();
        prop_assert_eq!(outcome.best.is_none(), is_over);
        let mut last: Option<&Report> = None;
        for report in &reports {
            match last {
                Some(last) if report.number > 1 => {
                    prop_assert_eq!((report.number, report.depth), (last.number + 1, last.depth));
                    prop_assert!(worth(report.value) <= worth(last.value), "{reports:#?}");
                }
                last => {
                    prop_assert_eq!(report.number, 1);
                    prop_assert!(last.is_none_or(|last| last.depth < report.depth));
                }
            }
            last = Some(report);
        }
        let best = reports.iter().rfind(|report| report.number == 1).unwrap();
        prop_assert_eq!(best.line.first().copied(), outcome.best);
        prop_assert_eq!(best.value, outcome.value);
        // The first iteration counts even if it is cut off, which it is only after 20,000 nodes.
        let legal = game.position().chess().legal_moves().len();
        prop_assume!(reports.len() >= lines.min(legal));
        // Without the other limits, the iterations up to this depth say the same.
        let whole = Limits { depth: Some(best.depth), lines, ..Limits::default() };
        prop_assert_eq!(&reports, &reports_until(&game, &whole, 1, usize::MAX).1);
    }

    #[test]
    fn every_reported_line_is_legal(picks in prop::collection::vec(any::<u8>(), 1..120)) {
        let game = random_game(STARTS[0], &picks, |_| ());
        let engine = tropism::default_engine().unwrap();
        let limits = Limits { nodes: Some(2000), lines: 3, ..Limits::default() };
        let (outcome, _) = crate::common::think(&game, &engine, &limits);
        let table = TranspositionTable::with_entries(512).unwrap();
        let resources = Resources { threads: 2, ..Resources::default() };
        let request = SearchRequest::new(&game, &engine, &table, &limits).with_resources(resources);
        let is_over = game.position().chess().legal_moves().is_empty();
        prop_assert_eq!(outcome.best.is_none(), is_over);
        search(&request, |report| {
            let mut chess = game.position().chess().clone();
            for &m in &report.line {
                assert!(chess.is_legal(m), "{m:?} in {report:?}");
                chess.play_unchecked(m);
            }
        });
    }
}
