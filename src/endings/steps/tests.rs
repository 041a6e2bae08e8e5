//! Steps and outcomes, compared with plain searches and with games.

use super::*;
use crate::{
    endgame::{Dtm, Endgames, Material, Table},
    endings::{graph::position_at, outcome::Outcome, prove::won_against_bare_king, solve::fen},
    eval::Engine,
    random::SplitMix64,
    search::strong_side_value,
};
use shakmaty::Color;
use std::sync::LazyLock;

pub(super) struct Ending {
    endgames: Endgames,
    material: Material,
    pub(super) graph: Graph,
}

impl Ending {
    pub(super) fn new(name: &str) -> Ending {
        let material = name.parse().unwrap();
        let mut endgames = Endgames::default();
        let graph = Graph::new(won_against_bare_king(&mut endgames, material).unwrap());
        Ending { endgames, material, graph }
    }

    /// The values of perfect play: a level for each number of moves to mate, the fewer the higher.
    fn perfect_values(&self) -> Vec<i32> {
        let value = |index| {
            self.graph.moves_to_mate_after(index).map_or(-100_000, |it| -100 * i32::from(it))
        };
        (0..self.graph.entry_count() as u32).map(value).collect()
    }

    pub(super) fn table(&self) -> &Table {
        self.endgames.table(&self.material).unwrap()
    }

    pub(super) fn values_of(&self, engine: &Engine) -> Vec<i32> {
        let table = self.table();
        let value = |index| {
            position_at(table, Color::Black, index)
                .map_or(Steps::NONE, |position| strong_side_value(engine, &position))
        };
        (0..self.graph.entry_count()).map(value).collect()
    }
}

/// The steps of these values, where they count.
pub(super) fn steps(graph: &Graph, mut values: Vec<i32>, moves: usize) -> Steps<'_> {
    for (value, has_level) in values.iter_mut().zip(has_level(graph)) {
        if !has_level {
            *value = Steps::NONE;
        }
    }
    Steps::new(graph, values, moves)
}

static ROOK: LazyLock<Ending> = LazyLock::new(|| Ending::new("KRK"));

#[test]
fn perfect_levels_need_steps_of_one_move_and_mate_in_the_least() {
    let graph = &ROOK.graph;
    let steps = steps(graph, ROOK.perfect_values(), 1);
    let plans = Plans::new(&steps);
    for &index in &graph.won {
        let moves = graph.moves_to_mate(index).unwrap();
        assert_eq!(plans.outcomes()[index as usize], Outcome::Mates(moves.into()));
    }
    assert_eq!(plans.longest_wait(), 1);
    assert!(steps.counted().all(|index| steps.longest_step(index) == Some(1)));
}

#[test]
fn on_one_level_only_mate_is_a_step() {
    let graph = &ROOK.graph;
    for moves in 1..=3 {
        // All these values are one level.
        let values = (0..graph.entry_count()).map(|index| -200 + index as i32 % 100);
        let steps = steps(graph, values.collect(), moves);
        for index in steps.counted() {
            let is_mated =
                graph.moves_to_mate_after(index).is_some_and(|it| usize::from(it) <= moves);
            assert_eq!(steps.longest_step(index).is_some(), is_mated);
        }
    }
}

/// The highest value that White can force within this many moves, by trying everything.
fn force(steps: &Steps, index: u32, moves: usize) -> i32 {
    let moves_to = steps.graph.moves.get(index as usize).iter();
    moves_to.map(|&next| force_by(steps, next, moves)).max().unwrap()
}

/// The same with a given first move.
fn force_by(steps: &Steps, next: u32, moves: usize) -> i32 {
    match (steps.graph.after[next as usize], moves) {
        (AfterMove::Mate, _) => MATE,
        (_, 1) => steps.values[next as usize],
        _ if steps.values[next as usize] == Steps::NONE => Steps::NONE,
        _ => steps.values[next as usize].max(defend(steps, next, moves - 1)),
    }
}

/// The same with Black to move.
fn defend(steps: &Steps, index: u32, moves: usize) -> i32 {
    let replies = steps.graph.replies.get(index as usize).iter();
    replies.map(|&reply| force(steps, reply, moves)).min().unwrap()
}

#[test]
fn the_steps_of_the_default_engine_are_those_that_a_plain_search_finds() {
    let engine = crate::default_engine().unwrap();
    let steps = steps(&ROOK.graph, ROOK.values_of(&engine), 3);
    let mut found = [0; 4];
    for index in steps.counted().step_by(29) {
        let higher = (steps.values[index as usize].div_euclid(100) + 1) * 100;
        let expected = (1..=3).find(|&moves| defend(&steps, index, moves) >= higher);
        assert_eq!(steps.longest_step(index), expected);
        found[expected.unwrap_or(0)] += 1;
    }
    assert!(found[1..].iter().all(|&count| count > 0), "{found:?}");
}

/// The most moves of a step in these games.
const MOVES: usize = 3;

/// The moves of a game against the longest defence, and the most moves without a higher level. Each plan is found by
/// trying everything.
fn play(plans: &Plans, steps: &Steps, start: u32, random: &mut SplitMix64) -> (u16, usize) {
    let (mut index, mut aim, mut wait, mut longest) = (start, i32::MIN, 0, 0);
    for moves in 1..=200 {
        let level_of = |value: i32| value.div_euclid(100);
        let highest = force(steps, index, MOVES);
        let length = (1..=MOVES).find(|&it| level_of(force(steps, index, it)) == level_of(highest));
        let length = length.unwrap();
        let forced = force(steps, index, length);
        let first = steps.graph.moves.get(index as usize).iter().copied();
        let first: Vec<u32> =
            first.filter(|&next| force_by(steps, next, length) == forced).collect();
        if first.iter().any(|&next| steps.graph.after[next as usize] == AfterMove::Mate) {
            return (moves, longest);
        }
        let next = first[random.below(first.len())];
        let level = level_of(steps.values[next as usize]);
        wait += 1;
        if steps.values[next as usize] != Steps::NONE && level > aim {
            longest = if aim == i32::MIN { longest } else { longest.max(wait) };
            (aim, wait) = (level, 0);
        }
        let mates_in = |&reply: &u32| plans.outcomes()[reply as usize].moves().unwrap_or(u16::MAX);
        let replies = steps.graph.replies.get(next as usize).iter().copied();
        index = replies.max_by_key(mates_in).unwrap();
    }
    panic!("no mate")
}

/// Plays games with the default engine from every 601st won position that is proved. Returns their number and
/// the moves of the longest.
fn play_games(ending: &Ending) -> (usize, u16) {
    let engine = crate::default_engine().unwrap();
    let steps = steps(&ending.graph, ending.values_of(&engine), MOVES);
    let plans = Plans::new(&steps);
    let longest_wait = plans.longest_wait();
    let mut random = SplitMix64(1);
    let (mut games, mut longest) = (0, 0);
    for &start in ending.graph.won.iter().step_by(601) {
        let Outcome::Mates(proved) = plans.outcomes()[start as usize] else { continue };
        games += 1;
        let (played, wait) = play(&plans, &steps, start, &mut random);
        // Of equal moves the proof takes the worst.
        assert!(played <= proved, "{start}: {played} moves, {proved} proved");
        assert!(wait <= longest_wait, "{start}: {wait} moves without a higher level");
        longest = longest.max(played);
    }
    (games, longest)
}

#[test]
fn games_of_the_default_engine_end_in_mate_as_proved() {
    let (games, longest) = play_games(&ROOK);
    assert!(games > 30 && longest >= 12, "{games} games, {longest} moves");
    let (games, longest) = play_games(&Ending::new("KQK"));
    assert!(games > 20 && longest >= 7, "{games} games, {longest} moves");
}

#[test]
fn a_position_that_loses_a_piece_has_no_level() {
    let ending = Ending::new("KRK");
    let table = ending.table();
    for (index, counts) in (0..).zip(has_level(&ending.graph)) {
        let Some(position) = position_at(table, Color::Black, index) else { continue };
        let is_lost = ending.endgames.probe(&position).is_some_and(|it| it != Dtm::Draw);
        assert!(is_lost || !counts, "{}", fen(&position));
    }
}
