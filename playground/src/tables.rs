//! The tables of the endings of lessons.

use std::sync::{Mutex, PoisonError};
use tropism::endgame::{Endgames, Material};

/// The tables of the endings that were asked for.
#[derive(Default)]
pub(crate) struct Tables(Mutex<Endgames>);

impl Tables {
    /// The tables with that of an ending.
    pub(crate) fn of(&self, material: Material) -> Endgames {
        // Tables stay usable after a panic in another thread: one that is not finished is missing.
        let mut endgames = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        endgames.build(material, |_| ());
        endgames.clone()
    }
}
