//! What a move wins by force: a search that counts material and nothing else.

use super::lines::{is_quiet, played};
use crate::motifs::worth;
use shakmaty::{Move, Position, Role};
use std::sync::LazyLock;
use tropism::eval::Engine;
use tropism::search::{Game, Limits, SearchRequest, TranspositionTable, Value, search};
use tropism::terms::registry;
use tropism::text::{Balance, noun};

/// The positions of the search. With a million, 5 of 105 claims differ by more than a pawn.
const NODES: u64 = 40_000;
/// The entries of its table.
const ENTRIES: usize = 1 << 15;
/// With so few pieces a search knows exact values, which count no material.
const FEW: usize = 6;

/// The engine of the search: the material term, with the value that everything else counts a piece by.
static COUNTER: LazyLock<Option<Engine>> = LazyLock::new(|| {
    let weight = |role: &Role| format!("{} = [{1}, {1}]\n", noun(*role), 100 * worth(*role));
    let weights: String = Role::ALL.iter().filter(|it| **it != Role::King).map(weight).collect();
    let file = format!("name = \"material\"\nterms = [\"material\"]\n[material]\n{weights}");
    Engine::parse(&file, "the values of the pieces", &registry()).ok()
});

/// The balance of material that the side to move reaches with a move against every defence, and after how many plies
/// of a quiet line. `None` if that is a mate, or if the line does not say.
pub fn forced(game: &Game, m: Move) -> Option<(Balance, usize)> {
    if game.position().chess().board().occupied().count() <= FEW {
        return None;
    }
    let table = TranspositionTable::with_entries(ENTRIES).ok()?;
    let limits = Limits { nodes: Some(NODES), search_moves: vec![m], ..Limits::default() };
    let mut line = Vec::new();
    let request = SearchRequest::new(game, COUNTER.as_ref()?, &table, &limits);
    let outcome = search(&request, |report| line.clone_from(&report.line));
    let Value::Centipawns(value) = outcome.value else { return None };
    let side = game.position().chess().turn();
    (1..=line.len()).find_map(|plies| {
        let then = played(game, &line[..plies]);
        let balance = Balance::new(then.position().chess().board(), side);
        // The search corrects what it counts by what it has learned.
        let is_it = (100 * balance.pawns() - value).abs() < 50 && is_quiet(then.position().chess());
        is_it.then_some((balance, plies))
    })
}
