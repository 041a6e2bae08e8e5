//! The play that the proof follows.

use super::{MATE, Steps, sweep};
use crate::{
    endings::{graph::AfterMove, outcome::Outcome},
    search::level,
};
use rayon::prelude::*;
use std::cmp::Reverse;

/// What White plays for: the highest level that can be forced, and the moves after the first of the shortest line
/// that forces it. What reaches more, or as much in fewer moves, is greater.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Plan {
    level: i32,
    later: Reverse<usize>,
}

/// The plan of every position, and the moves to mate if White always begins one of the lines of its plan. Of those
/// that force equal values, the worst is assumed.
pub(crate) struct Plans<'a> {
    steps: &'a Steps<'a>,
    /// By index with White to move; none if no level can be forced.
    plans: Vec<Option<Plan>>,
    /// By index with White to move: mate, if each move leads to greater plans until then.
    outcomes: Vec<Outcome>,
}

impl Plan {
    /// The moves of the line.
    #[cfg(test)]
    pub(super) fn length(self) -> usize {
        self.later.0 + 1
    }
}

impl<'a> Plans<'a> {
    /// Finds the outcomes from the greatest plan downwards.
    pub(crate) fn new(steps: &'a Steps<'a>) -> Plans<'a> {
        let plans = sweep(steps.graph, |index| steps.plan(index));
        let mut order: Vec<(Plan, u32)> =
            plans.iter().zip(0..).filter_map(|(plan, index)| Some(((*plan)?, index))).collect();
        order.par_sort_by_key(|&(plan, index)| (Reverse(plan), index));
        let outcomes = vec![Outcome::NotMated; plans.len()];
        let mut all = Plans { steps, plans, outcomes };
        for (plan, index) in order {
            all.outcomes[index as usize] = all.outcome(index, plan);
        }
        all
    }

    /// The outcome of every position with White to move, by index.
    pub(crate) fn outcomes(&self) -> &[Outcome] {
        &self.outcomes
    }

    /// The outcome of a position, given those of all greater plans.
    fn outcome(&self, index: u32, plan: Plan) -> Outcome {
        let mut worst = 0;
        for next in self.steps.first_moves(index, plan) {
            match self.after(next, plan) {
                Some(moves) => worst = worst.max(moves),
                None => return Outcome::NotMated,
            }
        }
        Outcome::Mates(worst + 1)
    }

    /// The moves to mate after a move of a plan and the longest defence; none if a reply leads to no greater plan.
    fn after(&self, next: u32, plan: Plan) -> Option<u16> {
        if self.steps.graph.after[next as usize] == AfterMove::Mate {
            return Some(0);
        }
        let mut replies = self.steps.graph.replies.get(next as usize).iter();
        replies.try_fold(0, |worst, &reply| {
            let is_greater = self.plans[reply as usize] > Some(plan);
            let moves = self.outcomes[reply as usize].moves().filter(|_| is_greater)?;
            Some(worst.max(moves))
        })
    }

    /// The most moves that pass in any game that ends in mate until a level is reached that is higher than all before.
    pub(crate) fn longest_wait(&self) -> usize {
        let mut starts: Vec<(i32, u32)> =
            self.steps.counted().map(|index| (level(self.steps.value(index)), index)).collect();
        starts.par_sort();
        let wait = |starts: &[(i32, u32)]| {
            let aim = starts.first().map_or(i32::MIN, |&(aim, _)| aim);
            let mut known = vec![None; self.plans.len()];
            let waits = starts.iter().map(|&(_, index)| self.wait_after(index, aim, &mut known));
            waits.max().unwrap_or_default()
        };
        let groups: Vec<&[(i32, u32)]> = starts.chunk_by(|a, b| a.0 == b.0).collect();
        groups.into_par_iter().map(wait).max().unwrap_or_default()
    }

    /// The most moves from a position with Black to move to a level above the aim.
    fn wait_after(&self, index: u32, aim: i32, known: &mut [Option<usize>]) -> usize {
        let replies = self.steps.graph.replies.get(index as usize).iter();
        replies.map(|&reply| self.wait(reply, aim, known)).max().unwrap_or_default()
    }

    /// The same with White to move.
    fn wait(&self, index: u32, aim: i32, known: &mut [Option<usize>]) -> usize {
        let (Some(plan), Outcome::Mates(_)) =
            (self.plans[index as usize], self.outcomes[index as usize])
        else {
            return 0;
        };
        if let Some(wait) = known[index as usize] {
            return wait;
        }
        let later = self.steps.first_moves(index, plan).map(|next| {
            let value = self.steps.forced_by(next, 0);
            match value == MATE || value != Steps::NONE && level(value) > aim {
                true => 0,
                false => self.wait_after(next, aim, known),
            }
        });
        let wait = 1 + later.max().unwrap_or_default();
        known[index as usize] = Some(wait);
        wait
    }
}

impl Steps<'_> {
    /// What White plays for; none if no level can be forced.
    pub(super) fn plan(&self, index: u32) -> Option<Plan> {
        let levels = |white: &Vec<i32>| Self::level_of(white[index as usize]);
        let highest = self.white.last().and_then(levels)?;
        let later = self.white.iter().position(|white| levels(white) == Some(highest))?;
        Some(Plan { level: highest, later: Reverse(later) })
    }

    /// The positions after White's moves that begin the lines of a plan: of those that force its level in as many moves,
    /// those that force the highest value.
    pub(super) fn first_moves(&self, index: u32, plan: Plan) -> impl Iterator<Item = u32> {
        let Reverse(later) = plan.later;
        let moves = self.graph.moves.get(index as usize).iter().copied();
        let highest = self.white[later][index as usize];
        moves.filter(move |&next| self.forced_by(next, later) == highest)
    }

    /// The level of a value that can be forced.
    fn level_of(value: i32) -> Option<i32> {
        (value != Self::NONE).then(|| level(value))
    }
}
