//! Pairs of games with the same opening, and matches of such pairs.

use crate::play::{Adjudication, FinishedGame, Player, play};
use crate::{opening_book::OpeningBook, random_moves::RandomMoves, statistics::MatchStats};
use anyhow::Result;
use std::{ops::Range, sync::atomic::AtomicBool};
use tropism::search::{Game, TranspositionTable};
use tropism::{eval::Engine, random::SplitMix64};
use tropism_program::{cores, in_order};

/// The size of a player's transposition table in MiB, in matches of many short games.
pub(super) const TABLE_SIZE: usize = 4;

/// Nodes for the balance of a random move.
const BALANCE_NODES: u64 = 1000;

/// What all games of a match have in common.
pub(super) struct Pairing<'a> {
    pub(super) openings: &'a OpeningBook,
    /// Finds balanced random moves when each opening has been played.
    pub(super) referee: &'a Engine,
    pub(super) adjudication: Option<&'a Adjudication>,
    pub(super) seed: u64,
}

/// Both games of a pair: the first player has White in the first of them.
#[derive(Clone, Debug)]
pub(super) struct FinishedPair {
    pub(super) start: Game,
    pub(super) games: [FinishedGame; 2],
}

impl Pairing<'_> {
    /// Plays the pairs of these numbers, each two players on a thread of their own. `take` gets them in their order, and
    /// says whether to go on.
    pub(super) fn play(
        &self,
        players: Vec<[Player; 2]>,
        numbers: Range<u64>,
        stop: &AtomicBool,
        take: impl FnMut(FinishedPair) -> Result<bool>,
    ) -> Result<()> {
        let end = numbers.end;
        let workers = players.into_iter().map(|mut players| {
            move |number| match number < end {
                true => self.pair(number, &mut players, stop).transpose(),
                false => None,
            }
        });
        in_order(workers.collect(), numbers.start, stop, take)
    }

    /// Plays the pair of this number, or nothing if it is stopped. Each player forgets a game before the next one, so a
    /// pair depends on nothing before it.
    fn pair(
        &self,
        number: u64,
        [first, second]: &mut [Player; 2],
        stop: &AtomicBool,
    ) -> Result<Option<FinishedPair>> {
        let mut random = SplitMix64::stream(self.seed, number);
        let (mut start, plies) = self.openings.start(0, number);
        if plies > 0 {
            let table = &TranspositionTable::new(TranspositionTable::MIN_SIZE)?;
            let moves = RandomMoves { engine: self.referee, table, nodes: BALANCE_NODES, stop };
            start = moves.play(start, plies, &mut random);
        }
        let seed = random.next();
        let game =
            |players: [&mut Player; 2]| play(start.clone(), players, self.adjudication, seed, stop);
        let Some(as_white) = game([&mut *first, &mut *second])? else { return Ok(None) };
        let Some(as_black) = game([second, first])? else { return Ok(None) };
        Ok(Some(FinishedPair { start, games: [as_white, as_black] }))
    }

    /// Plays so many games on all cores, and counts them for the first of the players. `on_pair` is called after each
    /// pair of games.
    pub(super) fn count<'p>(
        &self,
        players: impl Fn() -> Result<[Player<'p>; 2]>,
        games: u64,
        on_pair: impl Fn(),
    ) -> Result<MatchStats> {
        let players = (0..cores()).map(|_| players()).collect::<Result<_>>()?;
        let mut stats = MatchStats::default();
        self.play(players, 0..games.div_ceil(2), &AtomicBool::new(false), |pair| {
            stats.add(pair.games.map(|game| game.result));
            on_pair();
            Ok(true)
        })?;
        Ok(stats)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::results::WHITE_WINS;
    use crate::play::MoveLimit;
    use std::cell::Cell;
    use tropism::search::Level;

    fn player(engine: &Engine, nodes: u64) -> Result<Player<'_>> {
        Player::own(engine, Level::FULL, MoveLimit::Nodes(nodes), 1)
    }

    #[test]
    fn a_match_counts_for_its_first_player() {
        let engine = tropism::default_engine().unwrap();
        let openings = OpeningBook::shipped(1).unwrap();
        let pairing =
            Pairing { openings: &openings, referee: &engine, adjudication: None, seed: 1 };
        let pairs = Cell::new(0);
        let count = |nodes: [u64; 2]| {
            let players = || {
                let [first, second] = nodes.map(|nodes| player(&engine, nodes));
                Ok([first?, second?])
            };
            pairing.count(players, 6, || pairs.set(pairs.get() + 1)).unwrap()
        };
        let stats = count([1000, 1]);
        assert_eq!((stats.count(), pairs.get()), (6, 3));
        let [won, drawn, lost] = stats.games;
        assert!(won > lost, "{stats:?}");
        assert_eq!(count([1, 1000]).games, [lost, drawn, won]);
    }

    #[test]
    fn each_opening_is_played_with_both_colours() {
        let engine = tropism::default_engine().unwrap();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("book.epd");
        std::fs::write(&path, "7k/5Q2/8/8/8/8/8/R5K1 w - - 0 1\n").unwrap();
        let openings = OpeningBook::read(&path).unwrap();
        let pairing =
            Pairing { openings: &openings, referee: &engine, adjudication: None, seed: 1 };
        let players = [player(&engine, 100).unwrap(), player(&engine, 100).unwrap()];
        let mut pairs = Vec::new();
        let take = |pair| {
            pairs.push(pair);
            Ok(true)
        };
        pairing.play(vec![players], 0..6, &AtomicBool::new(false), take).unwrap();
        // White mates at once, whoever it is.
        assert!(pairs[0].games.iter().all(|game| game.result == WHITE_WINS));
        assert_eq!(pairs[0].games[0].moves.len(), 1);
        // The opening has been played, so random moves follow it: no two pairs start alike.
        let starts: Vec<_> = pairs.iter().map(|pair| pair.start.keys()).collect();
        for (number, start) in starts.iter().enumerate() {
            assert!(start[0] == starts[0][0] && !starts[..number].contains(start), "{number}");
        }
    }
}
