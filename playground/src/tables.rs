//! The tables of the endings of lessons.

use shakmaty::{Chess, Color};
use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};
use tropism::{
    endgame::{Dtm, Endgames, Material},
    endings::position_at,
    eval::Engine,
};

/// How many positions of an ending are evaluated to find its lowest and its highest level.
const SAMPLE: usize = 4096;

/// The tables of the endings that were asked for, and their ranges of levels.
#[derive(Default)]
pub(crate) struct Tables(Mutex<Known>);

#[derive(Default)]
struct Known {
    endgames: Endgames,
    ranges: HashMap<Material, (i32, i32)>,
}

impl Tables {
    /// The tables with that of an ending, and the lowest and the highest level of its won positions by the
    /// default engine, with which lessons are played.
    pub(crate) fn of(&self, material: Material, default: &Engine) -> (Endgames, (i32, i32)) {
        // Tables stay usable after a panic in another thread: one that is not finished is missing.
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Known { endgames, ranges } = &mut *known;
        if endgames.table(&material).is_none() {
            endgames.build(material, |_| ());
        }
        let range = ranges.entry(material);
        let range = *range.or_insert_with(|| level_range(endgames, material, default));
        (endgames.clone(), range)
    }
}

/// The evaluation of a position with the bare king to move, in whole pawns for the other side.
pub(crate) fn level(engine: &Engine, position: &Chess) -> i32 {
    (-engine.evaluate(position)).div_euclid(100)
}

/// The lowest and the highest level of a sample of the positions that White wins, Black to move.
fn level_range(endgames: &Endgames, material: Material, engine: &Engine) -> (i32, i32) {
    let Some(table) = endgames.table(&material) else { return (0, 1) };
    let step = (table.entry_count() / SAMPLE).max(1);
    let levels = (0..table.entry_count()).step_by(step).filter_map(|index| {
        let position = position_at(table, Color::Black, index)?;
        let is_won = matches!(endgames.probe(&position)?, Dtm::Loss(1..));
        is_won.then(|| level(engine, &position))
    });
    let (low, high) =
        levels.fold((i32::MAX, i32::MIN), |(low, high), level| (low.min(level), high.max(level)));
    if low < high { (low, high) } else { (0, 1) }
}
