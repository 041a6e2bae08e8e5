//! `tropism prove`: does the engine mate from every won position of an ending, whatever the defence?
//!
//! The engine chooses one move in each won position, with a search of fixed depth and an empty
//! table. Following these moves and every reply gives a graph. A position is proved if no reply
//! leads out of the won positions, none leads round in a circle (a defender could repeat for ever),
//! and the longest way to mate is no longer than the fifty-move rule allows.

use super::solve::{build_tables, fen, numbered};
use super::{FIFTY_MOVES, Graph, Outcome, Stats, Walk, follow, position_at};
use crate::{
    endgame::{Endgames, Material, Table},
    eval::Engine,
    random::SplitMix64,
    search::{self, Game, Limits, Search, search},
};
use indicatif::{HumanCount, ParallelProgressIterator, ProgressBar, ProgressStyle};
use rayon::prelude::*;
use shakmaty::{Chess, Color, Move, Position};
use std::{
    collections::TryReserveError,
    fmt,
    sync::atomic::{AtomicU32, Ordering::Relaxed},
};
use thiserror::Error;

/// Entries of the table that each search finds empty: enough for its depth, and soon emptied. A full-width
/// search visits some eight times as many positions.
fn entries(depth: u32, full_width: bool) -> usize {
    let depth = if full_width { depth + 3 } else { depth };
    1 << (depth + 6).clamp(12, 20)
}

/// A choice that is not known.
const OPEN: u32 = u32::MAX;

/// The choice of an engine that has no move to give.
const NONE: u32 = u32::MAX - 1;

/// Why there is nothing to prove.
#[derive(Debug, Error)]
pub enum ProveError {
    /// The graph follows one side's moves only.
    #[error("{0}: only endings against a bare king are proved, such as KBNK or KRK")]
    NotBare(Material),
    /// Nobody can mate.
    #[error("{0}: no position is won for the side to move")]
    NothingWon(Material),
    /// No table for the search.
    #[error("no memory for the search: {0}")]
    Memory(#[from] TryReserveError),
}

/// Some of the won positions, drawn by lot: what can be reached from them is searched, and no more.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Sample {
    /// How many.
    pub positions: usize,
    /// Which.
    pub seed: u64,
}

/// How to make a [`Proof`]. The default is one ply, a selective search, all positions and no refutations.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct ProofOptions {
    /// Plies that the engine searches each move.
    pub depth: u32,
    /// Whether these searches are full-width: see [`Limits::full_width`].
    pub full_width: bool,
    /// Start from these positions only.
    pub sample: Option<Sample>,
    /// The most refutations to look for.
    pub refutations: usize,
}

impl Default for ProofOptions {
    fn default() -> ProofOptions {
        ProofOptions { depth: 1, full_width: false, sample: None, refutations: 0 }
    }
}

/// A defence after which the engine no longer wins.
#[derive(Clone, Debug)]
struct Refutation {
    start: Chess,
    line: Vec<Move>,
    reason: &'static str,
}

/// A proof, or how much of one.
#[derive(Clone, Debug)]
pub struct Proof {
    material: Material,
    depth: u32,
    /// Won positions with the winner to move, turned and mirrored ones counted once.
    won: usize,
    /// How many of them were looked at: all, or a sample.
    positions: usize,
    /// How many positions the engine searched.
    searched: u64,
    /// How those that were looked at fare.
    tally: Stats,
    /// Why some positions are not proved.
    refutations: Vec<Refutation>,
}

impl Proof {
    /// Follows the engine through all won positions of an ending against a bare king, or from a sample of them.
    ///
    /// # Errors
    ///
    /// If the weaker side has more than its king, nothing is won, or memory is short.
    pub fn new(
        engine: &Engine,
        material: Material,
        options: &ProofOptions,
    ) -> Result<Proof, ProveError> {
        if material.men().iter().filter(|man| man.color == Color::Black).count() > 1 {
            return Err(ProveError::NotBare(material));
        }
        let mut endgames = Endgames::default();
        build_tables(&mut endgames, material);
        let table = endgames.table(&material).ok_or(ProveError::NothingWon(material))?;
        let policy = Policy::new(table, engine, options)?;
        if policy.starts.is_empty() {
            return Err(ProveError::NothingWon(material));
        }
        Ok(Proof {
            material,
            depth: options.depth,
            won: policy.graph.won.len(),
            positions: policy.starts.len(),
            searched: policy.searched,
            tally: Stats::new(&policy.graph, &policy.outcomes, &policy.starts),
            refutations: policy.refutations(options.refutations),
        })
    }

    /// Whether every won position is proved.
    pub fn is_complete(&self) -> bool {
        self.tally.proved == self.positions
    }

    /// The share of won positions that are proved, 0 to 1.
    pub fn share(&self) -> f64 {
        self.tally.proved as f64 / self.positions as f64
    }
}

impl fmt::Display for Proof {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Stats { proved, worst, moves, above } = self.tally;
        let mean = |sum: u64| sum as f64 / proved.max(1) as f64;
        writeln!(f, "{} at depth {}", self.material, self.depth)?;
        writeln!(f, "won positions          {:>12}", HumanCount(self.won as u64).to_string())?;
        if self.positions < self.won {
            writeln!(
                f,
                "drawn by lot           {:>12}",
                HumanCount(self.positions as u64).to_string()
            )?;
            writeln!(f, "searched               {:>12}", HumanCount(self.searched).to_string())?;
        }
        let proved = HumanCount(proved as u64).to_string();
        // A share is rounded down: it may not say 100 % while one position is left.
        let percent = (self.share() * 1e5).floor() / 1e3;
        writeln!(f, "mate within {FIFTY_MOVES} moves   {proved:>12}  {percent:.3} %")?;
        writeln!(f, "worst case             {worst:>12}  moves")?;
        writeln!(f, "mean, longest defence  {:>12.2}  moves", mean(moves))?;
        write!(f, "mean above the minimum {:>12.2}  moves", mean(above))?;
        for Refutation { start, line, reason } in &self.refutations {
            write!(f, "\n\n{}\n  {}, {reason}", fen(start), numbered(start, line))?;
        }
        Ok(())
    }
}

/// What the engine plays in each won position, and what comes of it.
struct Policy<'a> {
    table: &'a Table,
    engine: &'a Engine,
    depth: u32,
    full_width: bool,
    graph: Graph,
    /// The won positions that are looked at.
    starts: Vec<u32>,
    /// By place, where the engine's move leads.
    choices: Vec<u32>,
    /// How many the engine searched.
    searched: u64,
    /// By place.
    outcomes: Vec<Outcome>,
}

impl<'a> Policy<'a> {
    fn new(
        table: &'a Table,
        engine: &'a Engine,
        options: &ProofOptions,
    ) -> Result<Policy<'a>, ProveError> {
        let &ProofOptions { depth, full_width, sample, .. } = options;
        let graph = Graph::new(table);
        let (starts, choices, outcomes) = (Vec::new(), Vec::new(), Vec::new());
        let mut policy = Policy {
            table,
            engine,
            depth,
            full_width,
            graph,
            starts,
            choices,
            searched: 0,
            outcomes,
        };
        match sample.filter(|sample| sample.positions < policy.graph.won.len()) {
            None => policy.follow_all()?,
            Some(sample) => policy.follow_some(sample)?,
        }
        Ok(policy)
    }

    fn follow_all(&mut self) -> Result<(), TryReserveError> {
        let won = &self.graph.won;
        let chosen: Result<Vec<u32>, TryReserveError> = won
            .par_iter()
            .with_min_len(1024)
            .progress_with(progress(won.len()))
            .map_init(
                || search::TranspositionTable::with_entries(entries(self.depth, self.full_width)),
                |memory, &place| {
                    let memory = memory.as_ref().map_err(Clone::clone)?;
                    Ok(self.search(place, memory))
                },
            )
            .collect();
        self.choices = vec![OPEN; self.graph.entry_count()];
        for (&place, chosen) in won.iter().zip(chosen?) {
            self.choices[place as usize] = chosen;
        }
        self.outcomes = follow(&self.graph, |place| known(self.choices[place as usize]));
        self.starts = won.clone();
        self.searched = won.len() as u64;
        Ok(())
    }

    /// Each thread walks from positions of its own; what the engine chooses anywhere is searched once.
    fn follow_some(&mut self, sample: Sample) -> Result<(), TryReserveError> {
        let mut random = SplitMix64(sample.seed);
        let mut left = self.graph.won.clone();
        let draw = |_| left.swap_remove(random.below(left.len()));
        let starts: Vec<u32> = (0..sample.positions).map(draw).collect();
        let choices: Vec<AtomicU32> =
            self.graph.plies.iter().map(|_| AtomicU32::new(OPEN)).collect();
        let bar = progress(starts.len());
        let part = starts.len().div_ceil(rayon::current_num_threads()).max(1);
        let walks: Result<Vec<Vec<Outcome>>, TryReserveError> = starts
            .par_chunks(part)
            .map(|part| {
                let memory =
                    search::TranspositionTable::with_entries(entries(self.depth, self.full_width))?;
                let mut walk = Walk::new(&self.graph, |place| {
                    let choice = &choices[place as usize];
                    if choice.load(Relaxed) == OPEN {
                        choice.store(self.search(place, &memory), Relaxed);
                    }
                    known(choice.load(Relaxed))
                });
                for &place in part {
                    walk.from(place);
                    bar.inc(1);
                }
                Ok(walk.outcomes)
            })
            .collect();
        bar.finish_and_clear();
        self.outcomes = vec![Outcome::Unknown; self.graph.entry_count()];
        for walk in walks? {
            for (outcome, seen) in self.outcomes.iter_mut().zip(walk) {
                if seen != Outcome::Unknown {
                    *outcome = seen;
                }
            }
        }
        self.choices = choices.into_iter().map(AtomicU32::into_inner).collect();
        self.searched = self.choices.iter().filter(|&&choice| choice != OPEN).count() as u64;
        self.starts = starts;
        Ok(())
    }

    /// Where the engine's move leads, found with nothing remembered.
    fn search(&self, place: u32, memory: &search::TranspositionTable) -> u32 {
        let after = || {
            let mut position = position_at(self.table, Color::White, place as usize)?;
            let limits = Limits {
                depth: Some(self.depth),
                full_width: self.full_width,
                ..Limits::default()
            };
            let chosen = choose(position.clone(), self.engine, &limits, memory)?;
            position.play_unchecked(chosen);
            place_of(self.table, &position)
        };
        after().unwrap_or(NONE)
    }

    /// The engine's move, turned and mirrored as the board is here.
    fn choice(&self, position: &Chess) -> Option<Move> {
        let chosen = known(self.choices[place_of(self.table, position)? as usize])?;
        position.legal_moves().into_iter().find(|&m| {
            let mut after = position.clone();
            after.play_unchecked(m);
            place_of(self.table, &after) == Some(chosen)
        })
    }

    /// The won position that a reply leads to, if it leads to one.
    fn won_after(&self, position: &Chess, reply: Move) -> Option<u32> {
        let mut next = position.clone();
        next.play_unchecked(reply);
        place_of(self.table, &next).filter(|&place| self.graph.plies[place as usize].is_some())
    }

    /// Defences that show why positions are not proved, of the shortest kind there is.
    fn refutations(&self, most: usize) -> Vec<Refutation> {
        let escapes = |place: &&u32| self.outcomes[**place as usize] == Outcome::NotMated;
        (1..=usize::from(FIFTY_MOVES))
            .map(|length| {
                let unproved = self.starts.iter().filter(escapes);
                let found = unproved.filter_map(|&place| {
                    let start = position_at(self.table, Color::White, place as usize)?;
                    let mut line = Vec::new();
                    let reason = self.refute(place, &start, length, &mut line)?;
                    Some(Refutation { start, line, reason })
                });
                found.take(most).collect::<Vec<_>>()
            })
            .find(|found| !found.is_empty())
            .unwrap_or_default()
    }

    /// A line of at most `length` moves that gives the win away or comes back to where it `start`ed,
    /// turned or mirrored.
    fn refute(
        &self,
        start: u32,
        position: &Chess,
        length: usize,
        line: &mut Vec<Move>,
    ) -> Option<&'static str> {
        let chosen = self.choice(position)?;
        let mut after = position.clone();
        after.play_unchecked(chosen);
        line.push(chosen);
        let replies = after.legal_moves();
        if replies.is_empty() && !after.is_check() {
            return Some("stalemate");
        }
        for reply in replies {
            line.push(reply);
            match self.won_after(&after, reply) {
                None => return Some("no longer won"),
                Some(next) if next == start => return Some("and round again"),
                Some(next) if length > 1 && self.outcomes[next as usize] == Outcome::NotMated => {
                    let mut next = after.clone();
                    next.play_unchecked(reply);
                    let reason = self.refute(start, &next, length - 1, line);
                    if reason.is_some() {
                        return reason;
                    }
                }
                Some(_) => {}
            }
            line.pop();
        }
        line.pop();
        None
    }
}

fn known(choice: u32) -> Option<u32> {
    (choice < NONE).then_some(choice)
}

fn progress(length: usize) -> ProgressBar {
    let bar = ProgressBar::new(length as u64);
    if let Ok(style) = ProgressStyle::with_template("{wide_bar} {human_pos} of {human_len}, {eta}")
    {
        bar.set_style(style);
    }
    bar
}

/// The place of a position in the table, whoever is to move.
fn place_of(table: &Table, position: &Chess) -> Option<u32> {
    Some(table.place(&Endgames::squares(table, position)?)? as u32)
}

/// The engine's move, found with nothing remembered.
fn choose(
    position: Chess,
    engine: &Engine,
    limits: &Limits,
    memory: &search::TranspositionTable,
) -> Option<Move> {
    memory.clear();
    let game = Game::new(position);
    search(&Search::new(&game, engine, memory, limits), |_| ()).best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::endgame::Dtm;
    use proptest::prelude::*;
    use std::sync::LazyLock;

    /// King and queen with a search of two plies: most positions are proved, some are not.
    struct Queen {
        engine: Engine,
        endgames: Endgames,
        material: Material,
    }

    const QUEEN_OPTIONS: ProofOptions =
        ProofOptions { depth: 2, full_width: false, sample: None, refutations: 0 };

    static QUEEN: LazyLock<Queen> = LazyLock::new(|| {
        let material: Material = "KQK".parse().unwrap();
        let mut endgames = Endgames::default();
        endgames.build(material, |_| ());
        Queen { engine: crate::default_engine().unwrap(), endgames, material }
    });

    static POLICY: LazyLock<Policy<'static>> = LazyLock::new(|| {
        let table = QUEEN.endgames.table(&QUEEN.material).unwrap();
        Policy::new(table, &QUEEN.engine, &QUEEN_OPTIONS).unwrap()
    });

    /// The position after the engine's move.
    fn after(place: u32) -> Option<Chess> {
        let mut position = position_at(POLICY.table, Color::White, place as usize)?;
        let chosen = POLICY.choice(&position)?;
        position.play_unchecked(chosen);
        Some(position)
    }

    /// Plays the engine's moves against a defender who answers as `replies` say: the moves to mate,
    /// or none if the win was given away or the fifty moves are over.
    fn play(mut place: u32, replies: &[usize]) -> Option<u16> {
        for (moves, reply) in (1..=FIFTY_MOVES).zip(replies.iter().cycle()) {
            let after = after(place)?;
            let legal = after.legal_moves();
            if legal.is_empty() {
                return after.is_check().then_some(moves);
            }
            place = POLICY.won_after(&after, legal[reply % legal.len()])?;
        }
        None
    }

    proptest! {
        #[test]
        fn what_is_proved_is_mated_in_time_whatever_the_replies(
            number in 0..POLICY.graph.won.len(), replies in proptest::collection::vec(0usize..8, 50)
        ) {
            let place = POLICY.graph.won[number];
            if let Outcome::Mates(worst) = POLICY.outcomes[place as usize] {
                let moves = play(place, &replies);
                prop_assert!(moves.is_some_and(|moves| moves <= worst), "{moves:?} of {worst}");
            }
        }
    }

    #[test]
    fn the_fate_of_a_position_follows_from_those_after_its_replies() {
        for &place in &POLICY.graph.won {
            let outcome = POLICY.outcomes[place as usize];
            let plies = POLICY.graph.plies[place as usize].unwrap();
            let after = after(place).unwrap();
            let outcomes: Vec<_> = after
                .legal_moves()
                .into_iter()
                .map(|reply| {
                    POLICY.won_after(&after, reply).map(|place| POLICY.outcomes[place as usize])
                })
                .collect();
            match outcome {
                Outcome::Mates(1) => assert!(after.is_checkmate()),
                Outcome::Mates(moves) => {
                    let worst = outcomes.iter().map(|outcome| match outcome {
                        Some(Outcome::Mates(moves)) => *moves,
                        other => panic!("{other:?} after a proved position"),
                    });
                    assert_eq!(worst.max(), Some(moves - 1));
                    assert!(moves >= u16::from(plies.div_ceil(2)));
                }
                Outcome::NotMated => {
                    let escapes =
                        |outcome: &Option<Outcome>| !matches!(outcome, Some(Outcome::Mates(_)));
                    assert!(after.is_stalemate() || outcomes.iter().any(escapes));
                }
                Outcome::Unknown | Outcome::InProgress => panic!("{outcome:?} when all is done"),
            }
        }
    }

    #[test]
    fn a_refutation_can_be_played_and_ends_as_it_says() {
        let refutations = POLICY.refutations(5);
        assert!(!refutations.is_empty());
        let table = POLICY.table;
        let place = |position: &Chess| table.place(&Endgames::squares(table, position)?);
        for Refutation { start, line, reason } in refutations {
            let mut position = start.clone();
            for m in line {
                position = position.play(m).unwrap();
            }
            match reason {
                "and round again" => assert_eq!(place(&position), place(&start)),
                "stalemate" => assert!(position.is_stalemate()),
                _ => assert!(!matches!(QUEEN.endgames.probe(&position), Some(Dtm::Win(_)))),
            }
        }
    }

    #[test]
    fn a_sample_fares_as_it_does_among_all() {
        let table = QUEEN.endgames.table(&QUEEN.material).unwrap();
        let sample = Sample { positions: 300, seed: 7 };
        let some = Policy::new(
            table,
            &QUEEN.engine,
            &ProofOptions { sample: Some(sample), ..QUEEN_OPTIONS },
        )
        .unwrap();
        let mut starts = some.starts.clone();
        starts.sort_unstable();
        starts.dedup();
        assert_eq!(starts.len(), 300);
        for &place in &starts {
            assert_eq!(some.outcomes[place as usize], POLICY.outcomes[place as usize]);
        }
        assert!((300..POLICY.searched).contains(&some.searched), "{}", some.searched);
        let proof = |positions| {
            let sample = Some(Sample { positions, seed: 7 });
            let options = ProofOptions { sample, ..QUEEN_OPTIONS };
            Proof::new(&QUEEN.engine, QUEEN.material, &options).unwrap()
        };
        let mates = |place: &&u32| matches!(POLICY.outcomes[**place as usize], Outcome::Mates(_));
        assert_eq!(proof(300).tally.proved, starts.iter().filter(mates).count());
        assert!(proof(300).to_string().contains("drawn by lot                    300\n"));
        assert_eq!(proof(1 << 20).positions, POLICY.graph.won.len());
    }

    #[test]
    fn only_won_endings_against_a_bare_king() {
        let proof = |name: &str| {
            let material = name.parse().unwrap();
            Proof::new(&QUEEN.engine, material, &ProofOptions::default()).unwrap_err().to_string()
        };
        assert_eq!(
            proof("KQKR"),
            "KQKR: only endings against a bare king are proved, such as KBNK or KRK"
        );
        assert_eq!(proof("KBK"), "KBK: no position is won for the side to move");
    }
}
