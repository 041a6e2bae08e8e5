//! The numbers of the search, all in one place.
//!
//! Values are centipawns, depths plies, histories the units of `history`; reductions are in 1024ths
//! of a ply. In a build with the feature `tune` each is a UCI option of the same name, so that a
//! tuner can move it; otherwise each is a constant.

macro_rules! parameters {
    ($($(#[$doc:meta])* $name:ident = $value:literal in $low:literal..=$high:literal;)*) => {
        $(
            $(#[$doc])*
            #[inline]
            pub(super) fn $name() -> i32 {
                #[cfg(feature = "tune")]
                return tuned::$name.value();
                #[cfg(not(feature = "tune"))]
                return $value;
            }
        )*

        #[cfg(feature = "tune")]
        #[expect(non_upper_case_globals, reason = "named like the functions that read them")]
        mod tuned {
            use super::Tuned;
            use std::{cell::Cell, sync::atomic::AtomicI32};
            $(pub(super) static $name: Tuned = {
                thread_local!(static HERE: Cell<Option<i32>> = const { Cell::new(None) });
                Tuned { everywhere: AtomicI32::new($value), here: &HERE }
            };)*
        }

        /// The numbers of the search that a tuner may move.
        #[cfg(feature = "tune")]
        pub const PARAMETERS: &[Parameter] = &[
            $(Parameter {
                name: stringify!($name),
                default: $value,
                low: $low,
                high: $high,
                value: &tuned::$name,
            },)*
        ];

        #[cfg(test)]
        const RANGES: &[(&str, i32, i32, i32)] = &[$((stringify!($name), $low, $value, $high),)*];
    };
}

/// A number of the search that a tuner may move.
#[cfg(feature = "tune")]
#[derive(Debug)]
pub struct Parameter {
    /// Its name, also as UCI option.
    pub name: &'static str,
    /// Its value in a build without the feature.
    pub default: i32,
    /// The least value worth trying.
    pub low: i32,
    /// The greatest value worth trying.
    pub high: i32,
    value: &'static Tuned,
}

/// The value of a number: everywhere, and in a thread that has one of its own.
#[cfg(feature = "tune")]
struct Tuned {
    everywhere: std::sync::atomic::AtomicI32,
    here: &'static std::thread::LocalKey<std::cell::Cell<Option<i32>>>,
}

#[cfg(feature = "tune")]
impl Tuned {
    fn value(&self) -> i32 {
        let everywhere = || self.everywhere.load(std::sync::atomic::Ordering::Relaxed);
        self.here.get().unwrap_or_else(everywhere)
    }
}

#[cfg(feature = "tune")]
impl std::fmt::Debug for Tuned {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.value().fmt(f)
    }
}

#[cfg(feature = "tune")]
impl Parameter {
    /// Sets it for all searches that begin from now on, within its range.
    pub fn set(&self, value: i32) {
        let value = value.clamp(self.low, self.high);
        self.value.everywhere.store(value, std::sync::atomic::Ordering::Relaxed);
    }

    /// Sets it, within its range, for searches of one thread that run in this one: so can two sets of
    /// numbers play each other.
    pub fn set_here(&self, value: i32) {
        self.value.here.set(Some(value.clamp(self.low, self.high)));
    }
}

parameters! {
    /// Reverse futility: up to this depth,
    reverse_futility_depth = 6 in 2..=12;
    /// a position this much a ply above beta is good enough.
    reverse_futility_margin = 85 in 30..=200;

    /// Razoring: up to this depth,
    razor_depth = 3 in 0..=6;
    /// a position this much a ply below alpha is left to the quiescence search, unless that thinks
    /// better of it.
    razor_margin = 220 in 80..=500;

    /// Null move: from this depth on,
    null_move_depth = 3 in 1..=6;
    /// reduced by this many plies and a quarter of the depth,
    null_move_base = 3 in 1..=6;
    /// and one more for each such lead over beta, two at most.
    null_move_lead = 200 in 50..=500;

    /// Probcut: from this depth on,
    probcut_depth = 5 in 3..=8;
    /// a capture that comes out this much above beta
    probcut_margin = 170 in 60..=400;
    /// in a search of so many plies less is good enough.
    probcut_reduction = 4 in 2..=6;

    /// Up to this depth quiet moves are left out once one move has been searched,
    pruning_depth = 8 in 3..=12;
    /// if this and so much a ply does not bring the position up to alpha,
    futility_base = 80 in 0..=250;
    /// (the plies are those left after the reduction)
    futility_margin = 80 in 30..=250;
    /// if so many moves and the square of the depth have been tried before, or half of that where
    /// the position does not get better,
    late_moves = 6 in 1..=16;
    /// if the move's history is worse than this a ply,
    bad_history = 3000 in 500..=10000;
    /// or if the man that moves can be taken at a loss of more than this a ply.
    quiet_loss = 30 in 5..=150;

    /// Up to this depth captures and checks are left out likewise,
    capture_depth = 7 in 2..=12;
    /// if the exchange loses more than this much a ply.
    capture_loss = 110 in 30..=250;

    /// Late moves are reduced from this depth on,
    reduction_depth = 3 in 2..=5;
    /// from this move on,
    reduction_move = 3 in 1..=6;
    /// by this
    reduction_base = 1230 in 0..=2500;
    /// and the product of the logarithms of depth and move number over this, in hundredths,
    reduction_divisor = 150 in 80..=400;
    /// less on the principal variation,
    reduction_principal = 1024 in 0..=3000;
    /// more where a cut is expected,
    reduction_cut = 900 in 0..=3000;
    /// more where the position does not get better,
    reduction_worse = 500 in 0..=2000;
    /// and a ply less for each such history of the move.
    reduction_history = 9000 in 2000..=30000;

    /// From this depth on a table move is searched deeper,
    singular_depth = 8 in 4..=16;
    /// if all others are worse than it by so many sixteenths of a centipawn a ply.
    singular_margin = 24 in 4..=80;

    /// Quiescence search: a capture must be able to win what is missing to alpha, but for this.
    delta_margin = 150 in 30..=400;

    /// Without a table move, nodes from this depth on are searched a ply less: a guess is cheap first.
    iir_depth = 5 in 2..=10;
}

#[cfg(test)]
mod tests {
    use super::RANGES;

    #[test]
    fn every_number_is_within_its_range() {
        for (name, low, value, high) in RANGES {
            assert!(low < high && low <= value && value <= high, "{name}");
        }
    }
}
