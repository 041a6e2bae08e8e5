//! `tropism prove`: does the engine mate from every won position of an ending, against every defence?
//!
//! The engine chooses one move in each won position, with a search of fixed depth and an empty
//! transposition table. These moves and all replies form a graph. A position is proved if no path from
//! it leaves the won positions, no path repeats a position, and the longest path to mate is within the
//! fifty-move rule.

use super::outcome::{Outcome, Stats, Walk, follow};
use super::solve::fen;
use super::{FIFTY_MOVES, graph::Graph, position_at, progress_bar};
use crate::{
    endgame::{Endgames, Material, Table},
    eval::Engine,
    random::SplitMix64,
    search::{self, Game, Limits, Search, search},
    text::line_in_san,
};
use indicatif::{HumanCount, ParallelProgressIterator};
use rayon::prelude::*;
use shakmaty::{Chess, Color, Move, Position};
use std::{
    collections::TryReserveError,
    fmt,
    sync::atomic::{AtomicU32, Ordering::Relaxed},
};
use thiserror::Error;

/// Entries of the table that each search finds empty: enough for its depth, and soon emptied.
fn entries(depth: u32) -> usize {
    1 << (depth + 6).clamp(12, 20)
}

/// The choice in a position that has not been searched.
const UNSEARCHED: u32 = u32::MAX;

/// The choice of an engine that finds no move.
const NO_MOVE: u32 = u32::MAX - 1;

/// Why an ending cannot be proved.
#[derive(Debug, Error)]
pub enum ProveError {
    /// The weaker side has more than its king.
    #[error("{0}: only endings against a bare king are proved, such as KBNK or KRK")]
    NotBare(Material),
    /// A promotion leads to another ending.
    #[error("{0}: endings with pawns are not proved; use pieces, such as KBNK or KRK")]
    Pawns(Material),
    /// White wins no position.
    #[error("{0}: no position is won for the side to move")]
    NothingWon(Material),
    /// The transposition table cannot be allocated.
    #[error("no memory for the search: {0}")]
    Memory(#[from] TryReserveError),
}

/// A random sample of the won positions.
#[derive(clap::Args, Copy, Clone, PartialEq, Eq, Debug)]
pub struct Sample {
    /// Follow the engine only from this number of random positions, for depths at which all positions
    /// take too long.
    #[arg(id = "sample", long = "sample", value_name = "N", required = false,
          value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..))]
    pub positions: usize,
    /// The seed that selects the positions of the sample.
    #[arg(long, default_value_t = 1, value_name = "N", requires = "sample")]
    pub seed: u64,
}

/// How to make a [`Proof`]. The default is one ply, all positions and no refutations.
#[derive(clap::Args, Copy, Clone, PartialEq, Eq, Debug)]
pub struct ProofOptions {
    /// Depth to which the engine searches each move, in plies.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=240))]
    pub depth: u32,
    /// Start from these positions only.
    #[command(flatten)]
    pub sample: Option<Sample>,
    /// Show up to this many positions that are not proved, each with a line that shows the reason.
    #[arg(long, default_value_t = 3, value_name = "N")]
    pub refutations: usize,
}

impl Default for ProofOptions {
    fn default() -> ProofOptions {
        ProofOptions { depth: 1, sample: None, refutations: 0 }
    }
}

/// A defence after which the engine no longer wins.
#[derive(Clone, Debug)]
struct Refutation {
    start: Chess,
    line: Vec<Move>,
    reason: &'static str,
}

/// From how many won positions of an ending the engine mates.
#[derive(Clone, Debug)]
pub struct Proof {
    material: Material,
    depth: u32,
    /// Won positions with White to move, rotated and reflected ones counted once.
    won: usize,
    /// The number of them that were followed: all, or a sample.
    positions: usize,
    /// The number of positions that the engine searched.
    searched: u64,
    /// The outcomes of those that were followed.
    stats: Stats,
    /// Lines that show why some positions are not proved.
    refutations: Vec<Refutation>,
}

impl Proof {
    /// Follows the engine through all won positions of an ending against a bare king, or from a sample of them.
    ///
    /// # Errors
    ///
    /// If the weaker side has more than its king, there are pawns, nothing is won, or memory is short.
    pub fn new(
        engine: &Engine,
        material: Material,
        options: &ProofOptions,
    ) -> Result<Proof, ProveError> {
        let mut endgames = Endgames::default();
        let table = won_against_bare_king(&mut endgames, material)?;
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
            stats: Stats::new(&policy.graph, &policy.outcomes, &policy.starts),
            refutations: policy.refutations(options.refutations),
        })
    }

    /// Whether every won position is proved.
    pub fn is_complete(&self) -> bool {
        self.stats.proved == self.positions
    }

    /// The share of won positions that are proved, 0 to 1.
    pub fn share(&self) -> f64 {
        self.stats.proved as f64 / self.positions as f64
    }
}

impl fmt::Display for Proof {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Stats { proved, worst, moves, above } = self.stats;
        let mean = |sum: u64| sum as f64 / proved.max(1) as f64;
        writeln!(f, "{} at depth {}", self.material, self.depth)?;
        writeln!(f, "won positions          {:>12}", HumanCount(self.won as u64).to_string())?;
        if self.positions < self.won {
            writeln!(
                f,
                "random sample          {:>12}",
                HumanCount(self.positions as u64).to_string()
            )?;
            writeln!(f, "searched               {:>12}", HumanCount(self.searched).to_string())?;
        }
        let proved = HumanCount(proved as u64).to_string();
        // The share is rounded down: it must not read 100 % while one position is unproved.
        let percent = (self.share() * 1e5).floor() / 1e3;
        writeln!(f, "mate within {FIFTY_MOVES} moves   {proved:>12}  {percent:.3} %")?;
        if self.stats.proved == 0 {
            write!(f, "no mate is proved, so there is no worst case")?;
        } else {
            writeln!(f, "worst case             {worst:>12}  moves")?;
            writeln!(f, "mean, longest defence  {:>12.2}  moves", mean(moves))?;
            write!(f, "mean above the minimum {:>12.2}  moves", mean(above))?;
        }
        for Refutation { start, line, reason } in &self.refutations {
            write!(f, "\n\n{}\n  {}, {reason}", fen(start), line_in_san(start, line))?;
        }
        Ok(())
    }
}

/// The engine's move in each won position, and the outcome.
struct Policy<'a> {
    table: &'a Table,
    engine: &'a Engine,
    depth: u32,
    graph: Graph,
    /// The won positions that are followed.
    starts: Vec<u32>,
    /// By index, the position after the engine's move.
    choices: Vec<u32>,
    /// The number of positions that the engine searched.
    searched: u64,
    /// By index.
    outcomes: Vec<Outcome>,
}

impl<'a> Policy<'a> {
    fn new(
        table: &'a Table,
        engine: &'a Engine,
        options: &ProofOptions,
    ) -> Result<Policy<'a>, ProveError> {
        let &ProofOptions { depth, sample, .. } = options;
        let graph = Graph::new(table);
        let (starts, choices, outcomes) = (Vec::new(), Vec::new(), Vec::new());
        let mut policy =
            Policy { table, engine, depth, graph, starts, choices, searched: 0, outcomes };
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
            .progress_with(progress_bar::bar(won.len()))
            .map_init(
                || search::TranspositionTable::with_entries(entries(self.depth)),
                |memory, &index| {
                    let memory = memory.as_ref().map_err(Clone::clone)?;
                    Ok(self.search(index, memory))
                },
            )
            .collect();
        self.choices = vec![UNSEARCHED; self.graph.entry_count()];
        for (&index, chosen) in won.iter().zip(chosen?) {
            self.choices[index as usize] = chosen;
        }
        self.outcomes = follow(&self.graph, |index| known(self.choices[index as usize]));
        self.starts = won.clone();
        self.searched = won.len() as u64;
        Ok(())
    }

    /// Each thread starts from its own part of the sample. The threads share the engine's choices, so
    /// that a position is searched once.
    fn follow_some(&mut self, sample: Sample) -> Result<(), TryReserveError> {
        let mut random = SplitMix64(sample.seed);
        let mut left = self.graph.won.clone();
        let draw = |_| left.swap_remove(random.below(left.len()));
        let starts: Vec<u32> = (0..sample.positions).map(draw).collect();
        let choices: Vec<AtomicU32> =
            self.graph.plies.iter().map(|_| AtomicU32::new(UNSEARCHED)).collect();
        let bar = progress_bar::bar(starts.len());
        let part = starts.len().div_ceil(rayon::current_num_threads()).max(1);
        let walks: Result<Vec<Vec<Outcome>>, TryReserveError> = starts
            .par_chunks(part)
            .map(|part| {
                let memory = search::TranspositionTable::with_entries(entries(self.depth))?;
                let mut walk = Walk::new(&self.graph, |index| {
                    let choice = &choices[index as usize];
                    if choice.load(Relaxed) == UNSEARCHED {
                        choice.store(self.search(index, &memory), Relaxed);
                    }
                    known(choice.load(Relaxed))
                });
                for &index in part {
                    walk.visit(index);
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
        self.searched = self.choices.iter().filter(|&&choice| choice != UNSEARCHED).count() as u64;
        self.starts = starts;
        Ok(())
    }

    /// The position after the engine's move, or [`NO_MOVE`]. The search starts with an empty table.
    fn search(&self, index: u32, memory: &search::TranspositionTable) -> u32 {
        let after = || {
            let mut position = position_at(self.table, Color::White, index as usize)?;
            let limits = Limits { depth: Some(self.depth), ..Limits::default() };
            let chosen = choose(position.clone(), self.engine, &limits, memory)?;
            position.play_unchecked(chosen);
            index_of(self.table, &position)
        };
        after().unwrap_or(NO_MOVE)
    }

    /// The engine's move, rotated or reflected to fit this position.
    fn choice(&self, position: &Chess) -> Option<Move> {
        let chosen = known(self.choices[index_of(self.table, position)? as usize])?;
        position.legal_moves().into_iter().find(|&m| {
            let mut after = position.clone();
            after.play_unchecked(m);
            index_of(self.table, &after) == Some(chosen)
        })
    }

    /// The position after a reply, if it is won.
    fn won_after(&self, position: &Chess, reply: Move) -> Option<u32> {
        let mut next = position.clone();
        next.play_unchecked(reply);
        index_of(self.table, &next).filter(|&index| self.graph.plies[index as usize].is_some())
    }

    /// Lines that show why positions are not proved, all of the shortest length that has any.
    fn refutations(&self, most: usize) -> Vec<Refutation> {
        let escapes = |index: &&u32| self.outcomes[**index as usize] == Outcome::NotMated;
        (1..=usize::from(FIFTY_MOVES))
            .map(|length| {
                let unproved = self.starts.iter().filter(escapes);
                let found = unproved.filter_map(|&index| {
                    let start = position_at(self.table, Color::White, index as usize)?;
                    let mut line = Vec::new();
                    let reason = self.refute(index, &start, length, &mut line)?;
                    Some(Refutation { start, line, reason })
                });
                found.take(most).collect::<Vec<_>>()
            })
            .find(|found| !found.is_empty())
            .unwrap_or_default()
    }

    /// Finds a line of at most `length` moves that loses the win or repeats the `start` position,
    /// possibly rotated or reflected. Returns what happens at its end.
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
                Some(next) if next == start => return Some("the position repeats"),
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

/// The table of an ending against a bare king, built with all smaller ones.
///
/// # Errors
///
/// If the weaker side has more than its king, or there are pawns.
fn won_against_bare_king(
    endgames: &mut Endgames,
    material: Material,
) -> Result<&Table, ProveError> {
    if material.pieces().iter().filter(|piece| piece.color == Color::Black).count() > 1 {
        return Err(ProveError::NotBare(material));
    }
    if material.has_pawns() {
        return Err(ProveError::Pawns(material));
    }
    endgames.build(material);
    endgames.table(&material).ok_or(ProveError::NothingWon(material))
}

fn known(choice: u32) -> Option<u32> {
    (choice < NO_MOVE).then_some(choice)
}

/// The index of a position in the table, with either side to move.
fn index_of(table: &Table, position: &Chess) -> Option<u32> {
    Some(table.index(&Endgames::squares(table, position)?)? as u32)
}

/// The engine's move, searched with an empty table.
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

    /// King and queen with a search of two plies: most positions are proved, but not all.
    struct Queen {
        engine: Engine,
        endgames: Endgames,
        material: Material,
    }

    const QUEEN_OPTIONS: ProofOptions = ProofOptions { depth: 1, sample: None, refutations: 0 };

    static QUEEN: LazyLock<Queen> = LazyLock::new(|| {
        let material: Material = "KQK".parse().unwrap();
        let mut endgames = Endgames::default();
        endgames.build(material);
        Queen { engine: crate::default_engine().unwrap(), endgames, material }
    });

    static POLICY: LazyLock<Policy<'static>> = LazyLock::new(|| {
        let table = QUEEN.endgames.table(&QUEEN.material).unwrap();
        Policy::new(table, &QUEEN.engine, &QUEEN_OPTIONS).unwrap()
    });

    /// The position after the engine's move, as the table has it: a reflection could have other indices after a reply,
    /// if a king is on a diagonal.
    fn after(index: u32) -> Option<Chess> {
        let chosen = known(POLICY.choices[index as usize])?;
        position_at(POLICY.table, Color::Black, chosen as usize)
    }

    /// Plays the engine's moves against a defender who chooses by `replies`. The number of moves to
    /// mate, or none if the win is lost or fifty moves pass.
    fn play(mut index: u32, replies: &[usize]) -> Option<u16> {
        for (moves, reply) in (1..=FIFTY_MOVES).zip(replies.iter().cycle()) {
            let after = after(index)?;
            let legal = after.legal_moves();
            if legal.is_empty() {
                return after.is_check().then_some(moves);
            }
            index = POLICY.won_after(&after, legal[reply % legal.len()])?;
        }
        None
    }

    proptest! {
        #[test]
        fn a_proved_position_is_mated_in_time_against_any_replies(
            number in 0..POLICY.graph.won.len(), replies in proptest::collection::vec(0usize..8, 50)
        ) {
            let index = POLICY.graph.won[number];
            if let Outcome::Mates(worst) = POLICY.outcomes[index as usize] {
                let moves = play(index, &replies);
                prop_assert!(moves.is_some_and(|moves| moves <= worst), "{moves:?} of {worst}");
            }
        }
    }

    #[test]
    fn an_outcome_follows_from_the_outcomes_after_all_replies() {
        for &index in &POLICY.graph.won {
            let outcome = POLICY.outcomes[index as usize];
            let plies = POLICY.graph.plies[index as usize].unwrap();
            let after = after(index).unwrap();
            let outcomes: Vec<_> = after
                .legal_moves()
                .into_iter()
                .map(|reply| {
                    POLICY.won_after(&after, reply).map(|index| POLICY.outcomes[index as usize])
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
                Outcome::Unknown | Outcome::InProgress => panic!("{outcome:?} at the end"),
            }
        }
    }

    #[test]
    fn a_refutation_can_be_played_and_ends_as_stated() {
        let refutations = POLICY.refutations(5);
        assert!(!refutations.is_empty());
        let table = POLICY.table;
        let index = |position: &Chess| table.index(&Endgames::squares(table, position)?);
        for Refutation { start, line, reason } in refutations {
            let mut position = start.clone();
            for m in line {
                position = position.play(m).unwrap();
            }
            match reason {
                "the position repeats" => assert_eq!(index(&position), index(&start)),
                "stalemate" => assert!(position.is_stalemate()),
                _ => assert!(!matches!(QUEEN.endgames.probe(&position), Some(Dtm::Win(_)))),
            }
        }
    }

    #[test]
    fn a_sample_has_the_same_outcomes_as_the_whole() {
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
        for &index in &starts {
            assert_eq!(some.outcomes[index as usize], POLICY.outcomes[index as usize]);
        }
        assert!((300..POLICY.searched).contains(&some.searched), "{}", some.searched);
        let proof = |positions| {
            let sample = Some(Sample { positions, seed: 7 });
            let options = ProofOptions { sample, ..QUEEN_OPTIONS };
            Proof::new(&QUEEN.engine, QUEEN.material, &options).unwrap()
        };
        let mates = |index: &&u32| matches!(POLICY.outcomes[**index as usize], Outcome::Mates(_));
        assert_eq!(proof(300).stats.proved, starts.iter().filter(mates).count());
        assert!(proof(300).to_string().contains("random sample                   300\n"));
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
