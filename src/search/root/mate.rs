//! Completes mate lines up to the mate.

use crate::search::position::Position;
use crate::search::request::SearchRequest;
use crate::search::score::MATE;
use shakmaty::{Move, Position as _};

/// The maximum number of positions visited to complete one line.
const BUDGET: u32 = 20_000;

/// Completes a line with a mate value, counted from the root, until the mate is on the board. Lines end early
/// where the search used an exact table or an entry of the transposition table. The next move comes from there; if the
/// entry is lost, all moves are searched for a mate of the right length. If that takes too long, the line stays short.
pub fn complete_mate_line(request: &SearchRequest, mut line: Vec<Move>, value: i32) -> Vec<Move> {
    let plies = (MATE - value.abs()) as usize;
    let mut position = request.game.position().clone();
    for &m in &line {
        position = position.play(m);
    }
    while line.len() < plies {
        let ply = line.len();
        let exact = request.resources.endgames.and_then(|it| it.line(position.chess()));
        if let Some(rest) = exact
            && ply + rest.len() == plies
        {
            line.extend(rest);
            break;
        }
        // Values for the side to move after this move. The mating side moves if the rest is odd.
        let ours = MATE - plies as i32;
        let theirs = if (plies - ply) % 2 == 1 { -ours } else { ours };
        let next = position.chess().legal_moves().into_iter().find(|&m| {
            let child = position.play(m);
            if ply + 1 == plies {
                return child.chess().is_checkmate();
            }
            request.table.get(child.key(), ply + 1).is_some_and(|entry| entry.value == theirs)
        });
        let Some(next) = next else {
            let mut budget = BUDGET;
            line.extend(forced(&position, plies - ply, &mut budget).unwrap_or_default());
            break;
        };
        position = position.play(next);
        line.push(next);
    }
    line
}

/// The line of a mate in at most `plies` plies against the longest defence. The mating side is to move if
/// `plies` is odd. Returns `None` if there is no such mate or the budget is spent.
fn forced(position: &Position, plies: usize, budget: &mut u32) -> Option<Vec<Move>> {
    *budget = budget.checked_sub(1)?;
    let chess = position.chess();
    let moves = chess.legal_moves();
    if plies.is_multiple_of(2) {
        if moves.is_empty() {
            return chess.is_check().then(Vec::new);
        }
        if plies == 0 {
            return None;
        }
        let mut longest = Vec::new();
        for m in moves {
            let rest = forced(&position.play(m), plies - 1, budget)?;
            if rest.len() + 1 > longest.len() {
                longest = [vec![m], rest].concat();
            }
        }
        return Some(longest);
    }
    // The shortest mate first.
    for within in (1..=plies).step_by(2) {
        for m in moves.iter().copied() {
            let child = position.play(m);
            // A mate in one must give check.
            if within == 1 && !child.chess().is_check() {
                continue;
            }
            if let Some(rest) = forced(&child, within - 1, budget) {
                return Some([vec![m], rest].concat());
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::{Bound, Game, Limits, PackedMove, TranspositionTable, TtEntry};
    use shakmaty::Chess;

    /// Two rooks mate in two moves: first a rook goes to the seventh rank.
    const FEN: &str = "7k/8/8/8/8/8/R7/1R5K w - - 0 1";

    fn completed(
        game: &Game,
        table: &TranspositionTable,
        line: Vec<Move>,
        value: i32,
    ) -> Vec<Move> {
        let (engine, limits) = (crate::default_engine().unwrap(), Limits::default());
        complete_mate_line(&SearchRequest::new(game, &engine, table, &limits), line, value)
    }

    fn played(game: &Game, line: &[Move]) -> Chess {
        let mut chess = game.position().chess().clone();
        for &m in line {
            assert!(chess.is_legal(m));
            chess.play_unchecked(m);
        }
        chess
    }

    #[test]
    fn a_line_is_completed_without_table_entries() {
        let (game, table) =
            (Game::from_fen(FEN, None).unwrap(), TranspositionTable::new(1).unwrap());
        let line = completed(&game, &table, vec![], MATE - 3);
        assert_eq!(line.len(), 3);
        assert!(played(&game, &line).is_checkmate());
        // A complete line stays as it is.
        assert_eq!(completed(&game, &table, line.clone(), MATE - 3), line);
        // There is no mate in one.
        assert_eq!(completed(&game, &table, vec![], MATE - 1), []);
        // The rest of the line is found from its first move too.
        let rest = completed(&game, &table, line[..1].to_vec(), MATE - 3);
        assert_eq!(rest.len(), 3);
        assert!(played(&game, &rest).is_checkmate());
    }

    #[test]
    fn a_table_entry_with_the_right_distance_is_followed() {
        let (game, table) =
            (Game::from_fen(FEN, None).unwrap(), TranspositionTable::new(1).unwrap());
        let quiet = game.position().chess().legal_moves()[0];
        let entry = TtEntry {
            best: PackedMove::NONE,
            value: 3 - MATE,
            evaluation: 0,
            depth: 3,
            bound: Bound::Exact,
        };
        table.put(game.position().play(quiet).key(), 1, entry);
        assert_eq!(completed(&game, &table, vec![], MATE - 3)[0], quiet);
    }
}
