//! Pairs of games with the same opening, and matches of such pairs.

use crate::{
    opening_book::OpeningBook,
    play::{Adjudication, FinishedGame, MATCH_ADJUDICATION, Player, Seat, play},
    random_moves::RandomMoves,
    statistics::MatchStats,
};
use anyhow::Result;
use rayon::prelude::*;
use shakmaty::KnownOutcome;
use tropism::{
    eval::Engine,
    random::SplitMix64,
    search::{Control, Game, TranspositionTable},
};

/// The size of a player's transposition table in MiB, in matches of many short games.
const TABLE_SIZE: usize = 4;

/// Nodes for the balance of a random move.
const BALANCE_NODES: u64 = 1000;

/// What all games of a match have in common.
pub(super) struct Pairing<'a> {
    /// The player whose results are counted, and the other one.
    pub(super) players: [Player<'a>; 2],
    pub(super) openings: &'a OpeningBook,
    /// Finds balanced random moves when each opening has been played.
    pub(super) referee: &'a Engine,
    pub(super) adjudication: Option<&'a Adjudication>,
    pub(super) seed: u64,
    pub(super) control: &'a Control,
}

/// Both games of a pair: the first player has White in the first of them.
#[derive(Clone, Debug)]
pub(super) struct FinishedPair {
    pub(super) start: Game,
    pub(super) games: [FinishedGame; 2],
}

impl FinishedPair {
    pub(super) fn results(&self) -> [KnownOutcome; 2] {
        [self.games[0].result, self.games[1].result]
    }
}

impl Pairing<'_> {
    /// What both players need, with tables of so many MiB.
    pub(super) fn seats(&self, mebibytes: usize) -> Result<[Seat; 2]> {
        let [first, second] = self.players;
        Ok([first.seat(mebibytes)?, second.seat(mebibytes)?])
    }

    /// Plays the pair of this number, or nothing if the control stops it. Each player forgets a game before the next one,
    /// so a pair depends on nothing before it.
    pub(super) fn play(&self, number: u64, seats: &mut [Seat; 2]) -> Result<Option<FinishedPair>> {
        let mut random = SplitMix64::stream(self.seed, number);
        let (start, plies) = self.openings.start(0, number);
        let start = self.balanced(start, plies, &mut random)?;
        let (seed, [first, second]) = (random.next(), self.players);
        let [own, other] = seats;
        let game = |players, seats: [&mut Seat; 2]| {
            play(start.clone(), players, seats, self.adjudication, seed, self.control)
        };
        let Some(as_white) = game([first, second], [own, other])? else { return Ok(None) };
        let Some(as_black) = game([second, first], [other, own])? else { return Ok(None) };
        Ok(Some(FinishedPair { start, games: [as_white, as_black] }))
    }

    /// The position after so many random moves that keep the balance.
    fn balanced(&self, start: Game, plies: usize, random: &mut SplitMix64) -> Result<Game> {
        if plies == 0 {
            return Ok(start);
        }
        let table = TranspositionTable::new(TranspositionTable::MIN_SIZE)?;
        let moves = RandomMoves {
            engine: self.referee,
            table: &table,
            nodes: BALANCE_NODES,
            max_lead: None,
            control: self.control,
        };
        Ok(moves.play(start, plies, random))
    }
}

/// Plays a match on all cores, each opening once with either colour, and counts it for the first player. `on_pair` is
/// called after each pair of games.
pub(super) fn play_match(
    referee: &Engine,
    players: [Player; 2],
    games: u64,
    seed: u64,
    on_pair: impl Fn() + Sync,
) -> Result<MatchStats> {
    let pairing = Pairing {
        players,
        openings: &OpeningBook::shipped(seed)?,
        referee,
        adjudication: players.iter().all(Player::is_full).then_some(&MATCH_ADJUDICATION),
        seed,
        control: &Control::default(),
    };
    let pairs = (0..games.div_ceil(2)).into_par_iter().map(|number| {
        let pair = pairing.play(number, &mut pairing.seats(TABLE_SIZE)?)?;
        on_pair();
        Ok(pair.map(|pair| pair.results()))
    });
    let pairs = pairs.collect::<Result<Vec<_>>>()?;
    let mut stats = MatchStats::default();
    pairs.into_iter().flatten().for_each(|pair| stats.add(pair));
    Ok(stats)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::results::WHITE_WINS;
    use crate::play::MoveLimit;
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

    fn book(text: &str) -> OpeningBook {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("book.epd");
        std::fs::write(&path, text).unwrap();
        OpeningBook::read(&path).unwrap()
    }

    #[test]
    fn a_match_counts_for_its_first_player() {
        let engine = tropism::default_engine().unwrap();
        let [strong, weak] = [1000, 1].map(|nodes| Player::new(&engine, MoveLimit::Nodes(nodes)));
        let pairs = AtomicU64::new(0);
        let on_pair = || {
            pairs.fetch_add(1, Relaxed);
        };
        let stats = play_match(&engine, [strong, weak], 6, 1, on_pair).unwrap();
        assert_eq!((stats.count(), pairs.into_inner()), (6, 3));
        let [won, drawn, lost] = stats.games;
        assert!(won > lost, "{stats:?}");
        let swapped = play_match(&engine, [weak, strong], 6, 1, || ()).unwrap();
        assert_eq!(swapped.games, [lost, drawn, won]);
    }

    #[test]
    fn each_opening_is_played_with_both_colours() {
        let engine = tropism::default_engine().unwrap();
        let openings = book("7k/5Q2/8/8/8/8/8/R5K1 w - - 0 1\n");
        let player = Player::new(&engine, MoveLimit::Nodes(100));
        let pairing = Pairing {
            players: [player; 2],
            openings: &openings,
            referee: &engine,
            adjudication: None,
            seed: 1,
            control: &Control::default(),
        };
        let mut seats = pairing.seats(1).unwrap();
        let mut play = |number| pairing.play(number, &mut seats).unwrap().unwrap();
        let pair = play(0);
        // White mates at once, whoever it is.
        assert_eq!(pair.results(), [WHITE_WINS; 2]);
        assert_eq!(pair.games[0].moves.len(), 1);
        // The opening has been played, so random moves follow it: no two pairs start alike.
        let mut starts = vec![pair.start.keys()];
        for number in 1..6 {
            let start = play(number).start.keys();
            assert!(start[0] == starts[0][0] && !starts.contains(&start), "{number}");
            starts.push(start);
        }
    }
}
