//! `tropism prove --progress`: can the engine always get nearer to mate, whatever the defence?
//!
//! A player without memory may undo its own work. A player that remembers how far it has come cannot
//! (Barbara Huberman, A program to play chess end games, Stanford 1968):
//!
//! - The *level* of a position with the bare king to move is its static evaluation in centipawns. Mate is
//!   above all levels.
//! - The *aim* is the highest level that the game has reached.
//! - A *step* is a line that reaches a higher level than the aim, or mate, against every reply. The engine
//!   plays the shortest one, and of these the one that forces the highest level.
//!
//! Each step raises the aim, and there are only so many levels. So if a step of at most D moves exists at
//! every level, every game ends in mate, without a cycle.
//!
//! No level counts where the bare king can win a piece, or is stalemated, within its next
//! [`REPLIES_SEEN`] replies.

use super::{
    graph::{AfterMove, Graph, position_at},
    outcome::{Outcome, Stats},
    prove::{ProveError, won_against_bare_king},
    solve::fen,
};
use crate::{
    endgame::{Endgames, Material, Table},
    eval::Engine,
};
use indicatif::HumanCount;
use rayon::prelude::*;
use shakmaty::{Chess, Color};
use std::fmt;

/// How many replies of the bare king are tried before a level counts. With two, no lost piece is missed
/// in any ending of a bishop and a knight against a bare king.
pub(super) const REPLIES_SEEN: usize = 2;

/// A level in centipawns.
type Level = i32;

/// No level can be forced.
const NONE: Level = i32::MIN;
/// Mate can be forced.
const MATE: Level = i32::MAX;

/// Positions per task of a thread.
const CHUNK: usize = 1 << 12;

/// From how many won positions of an ending the engine makes progress until mate.
#[derive(Clone, Debug)]
pub struct ProgressProof {
    material: Material,
    /// The most moves of a step.
    moves: usize,
    /// Won positions with White to move, rotated and reflected ones counted once.
    won: usize,
    /// Those from which mate is forced at all.
    proved: usize,
    /// Those from which it comes within fifty moves.
    stats: Stats,
    /// The moves of the longest mate.
    worst: u16,
    /// The number of positions with Black to move in which the longest step has this many moves, from one
    /// move on.
    steps: Vec<usize>,
    /// The number of positions with Black to move without a step.
    without_step: usize,
    /// Of those the one nearest to mate.
    nearest: Option<Failure>,
}

/// A position from which no higher level can be forced.
#[derive(Clone, Debug)]
struct Failure {
    position: Chess,
    moves_to_mate: u8,
    level: Level,
    /// The highest level that can be forced within one move, two moves and so on.
    forced: Vec<Level>,
}

impl ProgressProof {
    /// Computes the steps of at most `moves` moves in all positions of an ending against a bare king.
    ///
    /// # Errors
    ///
    /// If the ending cannot be proved.
    pub fn new(
        engine: &Engine,
        material: Material,
        moves: usize,
    ) -> Result<ProgressProof, ProveError> {
        let mut endgames = Endgames::default();
        let table = won_against_bare_king(&mut endgames, material)?;
        let graph = Graph::new(table);
        if graph.won.is_empty() {
            return Err(ProveError::NothingWon(material));
        }
        let level = |index| position_at(table, Color::Black, index).map(|it| -engine.evaluate(&it));
        let levels: Vec<Level> = (0..graph.entry_count())
            .into_par_iter()
            .map(|index| level(index).unwrap_or(NONE))
            .collect();
        let steps = Steps::new(&graph, levels, moves);
        let defended = steps.outcomes();
        let outcomes: Vec<Outcome> = (0..graph.entry_count() as u32)
            .map(|index| steps.from(index, NONE, &defended).map_or(Outcome::NotMated, |it| it.0))
            .collect();
        let mated = graph.won.iter().filter_map(|&index| match outcomes[index as usize] {
            Outcome::Mates(moves) => Some(moves),
            _ => None,
        });
        let mut lengths = vec![0; moves];
        let mut failures = Vec::new();
        for index in steps.counted() {
            match steps.longest_step(index) {
                Some(length) => lengths[length - 1] += 1,
                None => failures.push(index),
            }
        }
        let nearest = failures
            .iter()
            .filter_map(|&index| Some((graph.moves_to_mate_after(index)?, index)))
            .min()
            .and_then(|(moves_to_mate, index)| steps.failure(table, index, moves_to_mate));
        Ok(ProgressProof {
            material,
            moves,
            won: graph.won.len(),
            proved: mated.clone().count(),
            stats: Stats::new(&graph, &outcomes, &graph.won),
            worst: mated.max().unwrap_or_default(),
            steps: lengths,
            without_step: failures.len(),
            nearest,
        })
    }

    /// Whether mate is forced from every won position within fifty moves.
    pub fn is_complete(&self) -> bool {
        self.stats.proved == self.won
    }
}

impl fmt::Display for ProgressProof {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let count = |number: usize| HumanCount(number as u64).to_string();
        // Shares are rounded down: they must not read 100 % while one position is unproved.
        let percent = |number: usize| (number as f64 / self.won as f64 * 1e5).floor() / 1e3;
        let mean = |sum: u64| sum as f64 / self.stats.proved.max(1) as f64;
        writeln!(f, "{} with steps of at most {} moves", self.material, self.moves)?;
        writeln!(f, "won positions          {:>12}", count(self.won))?;
        for (name, number) in [("mate", self.proved), ("mate within 50 moves", self.stats.proved)] {
            writeln!(f, "{name:<22} {:>12}  {:.3} %", count(number), percent(number))?;
        }
        if self.proved > 0 {
            writeln!(f, "worst case             {:>12}  moves", self.worst)?;
        }
        if self.stats.proved > 0 {
            let Stats { moves, above, .. } = self.stats;
            writeln!(f, "mean, longest defence  {:>12.2}  moves", mean(moves))?;
            writeln!(f, "mean above the minimum {:>12.2}  moves", mean(above))?;
        }
        write!(f, "\nmoves of a step   positions, Black to move")?;
        for (length, &number) in (1..).zip(&self.steps) {
            write!(f, "\n{length:>15}{:>12}", count(number))?;
        }
        write!(f, "\n{:>15}{:>12}", "no step", count(self.without_step))?;
        if let Some(Failure { position, moves_to_mate, level, forced }) = &self.nearest {
            write!(f, "\n\nThe nearest to mate without a step: {}", fen(position))?;
            write!(
                f,
                "\n  mate in {moves_to_mate}, level {level}; the highest level that can be forced:"
            )?;
            for (moves, forced) in (1..).zip(forced) {
                match *forced {
                    NONE => write!(f, "\n  {moves:>2} moves: none")?,
                    forced => write!(f, "\n  {moves:>2} moves: {forced}")?,
                }
            }
        }
        Ok(())
    }
}

/// The levels that can be forced from every position of an ending.
struct Steps<'a> {
    graph: &'a Graph,
    /// By index with Black to move; [`NONE`] where no level counts.
    levels: Vec<Level>,
    /// By the number of moves less one, then by index with White to move: the highest level that White can
    /// force within them.
    white: Vec<Vec<Level>>,
    /// The same with Black to move.
    black: Vec<Vec<Level>>,
}

impl<'a> Steps<'a> {
    /// `levels` by index with Black to move.
    fn new(graph: &'a Graph, mut levels: Vec<Level>, moves: usize) -> Steps<'a> {
        let counts = levels_that_count(graph);
        for (level, counts) in levels.iter_mut().zip(counts) {
            if !counts {
                *level = NONE;
            }
        }
        let mut steps = Steps { graph, levels, white: Vec::new(), black: Vec::new() };
        for number in 0..moves {
            let white = sweep(graph, |index| steps.highest(index, number));
            let black = sweep(graph, |index| match steps.levels[index as usize] {
                NONE => NONE,
                _ => steps.least(index, &white),
            });
            steps.white.push(white);
            steps.black.push(black);
        }
        steps
    }

    /// The highest level that White can force within `earlier + 1` moves, given those within `earlier`.
    fn highest(&self, index: u32, earlier: usize) -> Level {
        let after = |&next: &u32| match self.graph.after[next as usize] {
            AfterMove::Mate => MATE,
            _ => self.levels[next as usize].max(match earlier.checked_sub(1) {
                Some(earlier) => self.black[earlier][next as usize],
                None => NONE,
            }),
        };
        self.graph.moves.get(index as usize).iter().map(after).max().unwrap_or(NONE)
    }

    /// The level after the best reply.
    fn least(&self, index: u32, white: &[Level]) -> Level {
        let replies = self.graph.replies.get(index as usize).iter();
        replies.map(|&next| white[next as usize]).min().unwrap_or(NONE)
    }

    /// The positions with Black to move whose level counts.
    fn counted(&self) -> impl Iterator<Item = u32> {
        (0..).zip(&self.levels).filter(|&(_, &level)| level != NONE).map(|(index, _)| index)
    }

    /// By index with Black to move, the moves to mate when the level of the position is the aim.
    fn outcomes(&self) -> Vec<Outcome> {
        let mut order: Vec<u32> = self.counted().collect();
        order.par_sort_by_key(|&index| std::cmp::Reverse(self.levels[index as usize]));
        let mut outcomes = vec![Outcome::Unknown; self.levels.len()];
        for index in order {
            let aim = self.levels[index as usize];
            outcomes[index as usize] = self.after_any_reply(index, aim, &outcomes);
        }
        outcomes
    }

    /// The outcome after Black's longest defence.
    fn after_any_reply(&self, index: u32, aim: Level, outcomes: &[Outcome]) -> Outcome {
        let mut worst = 0;
        for &next in self.graph.replies.get(index as usize) {
            match self.from(next, aim, outcomes) {
                Some((Outcome::Mates(moves), _)) => worst = worst.max(moves),
                _ => return Outcome::NotMated,
            }
        }
        Outcome::Mates(worst)
    }

    /// The outcome of a position with White to move, and the number of moves of the next step; none if there
    /// is no step. `outcomes` has those of all positions above the aim. Of equal moves it takes the worst.
    fn from(&self, index: u32, aim: Level, outcomes: &[Outcome]) -> Option<(Outcome, usize)> {
        self.graph.plies[index as usize]?;
        let number = self.white.iter().position(|white| white[index as usize] > aim)?;
        let forced = self.white[number][index as usize];
        let moves = self.graph.moves.get(index as usize);
        if moves.iter().any(|&next| self.graph.after[next as usize] == AfterMove::Mate) {
            return Some((Outcome::Mates(1), 1));
        }
        let mut worst = 0;
        for &next in moves {
            let outcome = match number.checked_sub(1) {
                None if self.levels[next as usize] == forced => outcomes[next as usize],
                Some(earlier) if self.black[earlier][next as usize] == forced => {
                    self.after_any_reply(next, aim, outcomes)
                }
                _ => continue,
            };
            match outcome {
                Outcome::Mates(moves) => worst = worst.max(moves),
                _ => return Some((Outcome::NotMated, number + 1)),
            }
        }
        Some((Outcome::Mates(worst + 1), number + 1))
    }

    /// The number of moves within which a higher level is forced after every reply; none if it is not.
    fn longest_step(&self, index: u32) -> Option<usize> {
        let level = self.levels[index as usize];
        let number = self.black.iter().position(|black| black[index as usize] > level)?;
        Some(number + 1)
    }

    fn failure(&self, table: &Table, index: u32, moves_to_mate: u8) -> Option<Failure> {
        let position = position_at(table, Color::Black, index as usize)?;
        let forced = self.black.iter().map(|black| black[index as usize]).collect();
        Some(Failure { position, moves_to_mate, level: self.levels[index as usize], forced })
    }
}

/// By index with Black to move: whether the bare king neither wins a piece nor is stalemated within
/// [`REPLIES_SEEN`] replies.
pub(super) fn levels_that_count(graph: &Graph) -> Vec<bool> {
    let holds =
        |index: u32| matches!(graph.after[index as usize], AfterMove::Check | AfterMove::Quiet);
    let mut counts = sweep(graph, holds);
    for _ in 0..REPLIES_SEEN {
        let goes_on =
            |next: &u32| graph.after[*next as usize] == AfterMove::Mate || counts[*next as usize];
        counts = sweep(graph, |index| {
            holds(index)
                && graph
                    .replies
                    .get(index as usize)
                    .iter()
                    .all(|&reply| graph.moves.get(reply as usize).iter().any(goes_on))
        });
    }
    counts
}

/// A value for each index.
fn sweep<T: Send>(graph: &Graph, value: impl Fn(u32) -> T + Sync + Send) -> Vec<T> {
    let indices = (0..graph.entry_count() as u32).into_par_iter();
    indices.with_min_len(CHUNK).map(value).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::LazyLock;

    struct Ending {
        endgames: Endgames,
        material: Material,
        graph: Graph,
    }

    impl Ending {
        fn new(name: &str) -> Ending {
            let material = name.parse().unwrap();
            let mut endgames = Endgames::default();
            let graph = Graph::new(won_against_bare_king(&mut endgames, material).unwrap());
            Ending { endgames, material, graph }
        }

        /// The levels of perfect play: the plies to mate, the fewer the higher.
        fn perfect_levels(&self) -> Vec<Level> {
            let plies =
                |index| self.graph.moves_to_mate_after(index).map_or(-1000, |it| -i32::from(it));
            (0..self.graph.entry_count() as u32).map(plies).collect()
        }

        fn levels_of(&self, engine: &Engine) -> Vec<Level> {
            let table = self.endgames.table(&self.material).unwrap();
            let level = |index| {
                position_at(table, Color::Black, index).map_or(NONE, |it| -engine.evaluate(&it))
            };
            (0..self.graph.entry_count()).map(level).collect()
        }
    }

    static ROOK: LazyLock<Ending> = LazyLock::new(|| Ending::new("KRK"));

    #[test]
    fn perfect_levels_need_steps_of_one_move_and_mate_in_the_least() {
        let graph = &ROOK.graph;
        let steps = Steps::new(graph, ROOK.perfect_levels(), 1);
        let defended = steps.outcomes();
        for &index in &graph.won {
            let moves = graph.moves_to_mate(index).unwrap();
            let mates = Some((Outcome::Mates(moves.into()), 1));
            assert_eq!(steps.from(index, NONE, &defended), mates);
        }
        assert!(steps.counted().all(|index| steps.longest_step(index) == Some(1)));
    }

    #[test]
    fn on_one_level_only_mate_is_a_step() {
        let graph = &ROOK.graph;
        for moves in 1..=3 {
            let steps = Steps::new(graph, vec![0; graph.entry_count()], moves);
            for index in steps.counted() {
                let is_mated =
                    graph.moves_to_mate_after(index).is_some_and(|it| usize::from(it) <= moves);
                assert_eq!(steps.longest_step(index).is_some(), is_mated);
            }
        }
    }

    /// The highest level that White can force within this many moves, by trying everything.
    fn force(steps: &Steps, index: u32, moves: usize) -> Level {
        let after = |&next: &u32| match (steps.graph.after[next as usize], moves) {
            (AfterMove::Mate, _) => MATE,
            (_, 1) => steps.levels[next as usize],
            _ if steps.levels[next as usize] == NONE => NONE,
            _ => steps.levels[next as usize].max(defend(steps, next, moves - 1)),
        };
        steps.graph.moves.get(index as usize).iter().map(after).max().unwrap()
    }

    /// The same with Black to move.
    fn defend(steps: &Steps, index: u32, moves: usize) -> Level {
        let replies = steps.graph.replies.get(index as usize).iter();
        replies.map(|&reply| force(steps, reply, moves)).min().unwrap()
    }

    #[test]
    fn the_steps_of_the_default_engine_are_those_that_a_plain_search_finds() {
        let engine = crate::default_engine().unwrap();
        let steps = Steps::new(&ROOK.graph, ROOK.levels_of(&engine), 3);
        let mut found = [0; 4];
        for index in steps.counted().step_by(29) {
            let aim = steps.levels[index as usize];
            let expected = (1..=3).find(|&moves| defend(&steps, index, moves) > aim);
            assert_eq!(steps.longest_step(index), expected);
            found[expected.unwrap_or(0)] += 1;
        }
        assert!(found.iter().all(|&count| count > 0), "{found:?}");
    }

    /// The moves of a game against the longest defence. Each step is found by trying everything; the aim
    /// must rise with each.
    fn play(steps: &Steps, defended: &[Outcome], start: u32) -> u16 {
        let (mut index, mut aim, mut since_step) = (start, NONE, 0);
        for moves in 1..=200 {
            let length = (1..=4).find(|&moves| force(steps, index, moves) > aim).unwrap();
            let level = force(steps, index, length);
            let next = steps.graph.moves.get(index as usize).iter().copied().find(|&next| {
                match (steps.graph.after[next as usize], length) {
                    (AfterMove::Mate, _) => true,
                    (_, 1) => steps.levels[next as usize] == level,
                    _ => {
                        steps.levels[next as usize] != NONE
                            && defend(steps, next, length - 1) == level
                    }
                }
            });
            let next = next.unwrap();
            if steps.graph.after[next as usize] == AfterMove::Mate {
                return moves;
            }
            since_step += 1;
            assert!(since_step <= 4);
            if length == 1 {
                assert!(steps.levels[next as usize] > aim);
                (aim, since_step) = (steps.levels[next as usize], 0);
            }
            let longest = |&reply: &u32| match steps.from(reply, aim, defended) {
                Some((Outcome::Mates(moves), _)) => moves,
                _ => u16::MAX,
            };
            index =
                steps.graph.replies.get(next as usize).iter().copied().max_by_key(longest).unwrap();
        }
        panic!("no mate")
    }

    #[test]
    fn games_of_the_default_engine_end_in_mate_as_proved() {
        let engine = crate::default_engine().unwrap();
        let steps = Steps::new(&ROOK.graph, ROOK.levels_of(&engine), 4);
        let defended = steps.outcomes();
        let (mut games, mut longest) = (0, 0);
        for &start in ROOK.graph.won.iter().step_by(151) {
            let Some((Outcome::Mates(proved), _)) = steps.from(start, NONE, &defended) else {
                continue;
            };
            games += 1;
            let played = play(&steps, &defended, start);
            // Of equal moves the proof takes the worst.
            assert!(played <= proved, "{start}: {played} moves, {proved} proved");
            longest = longest.max(played);
        }
        assert!(games > 100 && longest >= 16, "{games} games, {longest} moves");
    }

    #[test]
    fn a_position_that_loses_a_piece_has_no_level() {
        let ending = Ending::new("KRK");
        let counts = levels_that_count(&ending.graph);
        let table = ending.endgames.table(&ending.material).unwrap();
        for (index, counts) in (0..).zip(counts) {
            let Some(position) = position_at(table, Color::Black, index as usize) else { continue };
            let is_lost =
                ending.endgames.probe(&position).is_some_and(|it| it != crate::endgame::Dtm::Draw);
            assert!(is_lost || !counts, "{}", fen(&position));
        }
    }
}
