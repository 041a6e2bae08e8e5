//! The constants of the search, all in one place.
//!
//! Values are centipawns, depths are plies, history scores have the unit of `history`, and reductions are
//! 1024ths of a ply. With the feature `tune` each is a UCI option of the same name that a tuner can set;
//! otherwise each is a constant.

macro_rules! parameters {
    ($($(#[$doc:meta])* $name:ident = $value:literal in $low:literal..=$high:literal;)*) => {
        $(
            $(#[$doc])*
            #[inline]
            pub(crate) fn $name() -> i32 {
                #[cfg(feature = "tune")]
                return tuned::$name.load(std::sync::atomic::Ordering::Relaxed);
                #[cfg(not(feature = "tune"))]
                return $value;
            }
        )*

        /// The value of each constant. It is read at every node, so each function reads its own static and not through
        /// a pointer.
        #[cfg(feature = "tune")]
        #[expect(non_upper_case_globals, reason = "named as the functions")]
        mod tuned {
            $(pub(crate) static $name: std::sync::atomic::AtomicI32 = std::sync::atomic::AtomicI32::new($value);)*
        }

        /// The constants of the search that a tuner may set.
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

/// A constant of the search that a tuner may set.
#[cfg(feature = "tune")]
#[derive(Debug)]
pub struct Parameter {
    /// Its name, which is also the name of the UCI option.
    pub name: &'static str,
    /// Its value in a build without the feature.
    pub default: i32,
    /// The smallest value worth trying.
    pub low: i32,
    /// The largest value worth trying.
    pub high: i32,
    value: &'static std::sync::atomic::AtomicI32,
}

#[cfg(feature = "tune")]
impl Parameter {
    /// Sets it, clamped to its range.
    pub fn set(&self, value: i32) {
        let value = value.clamp(self.low, self.high);
        self.value.store(value, std::sync::atomic::Ordering::Relaxed);
    }
}

parameters! {
    /// Reverse futility pruning: maximum depth.
    reverse_futility_depth = 6 in 2..=12;
    /// Reverse futility pruning: margin above beta, per ply.
    reverse_futility_margin = 85 in 30..=200;

    /// Razoring: maximum depth.
    razor_depth = 3 in 0..=6;
    /// Razoring: margin below alpha, per ply. The quiescence search must confirm it.
    razor_margin = 300 in 80..=500;

    /// Null move pruning: minimum depth.
    null_move_depth = 3 in 1..=6;
    /// Null move pruning: reduction, to which a third of the depth is added.
    null_move_base = 4 in 1..=8;
    /// Null move pruning: one ply more for each such lead over beta.
    null_move_lead = 80 in 30..=500;
    /// Null move pruning: the most plies that the lead adds.
    null_move_max = 6 in 0..=12;

    /// Probcut: minimum depth.
    probcut_depth = 5 in 3..=8;
    /// Probcut: margin above beta that a capture must reach.
    probcut_margin = 95 in 60..=400;
    /// Probcut: reduction of the search that confirms it.
    probcut_reduction = 4 in 2..=6;

    /// Futility pruning: constant part of the margin below alpha.
    futility_base = 40 in 0..=250;
    /// Futility pruning: margin per ply that is left after the reduction.
    futility_margin = 50 in 20..=250;
    /// Futility pruning: the history that counts as one centipawn more.
    futility_history = 100 in 20..=1000;
    /// Late move pruning: quiet moves are skipped after this many moves plus the square of the depth, or half of
    /// that if the position is not improving.
    late_moves = 6 in 1..=16;
    /// History pruning: quiet moves with a history below this, negated, per ply after the move are skipped.
    bad_history = 3000 in 500..=10000;
    /// Exchange pruning of quiet moves: largest loss, per squared ply that is left after the reduction.
    quiet_loss = 10 in 2..=60;

    /// Exchange pruning of captures, checks and evasions: largest loss, per ply.
    capture_loss = 80 in 30..=250;

    /// Late move reductions: minimum depth.
    reduction_depth = 3 in 2..=5;
    /// Late move reductions: the number of moves that are not reduced.
    reduction_move = 1 in 1..=6;
    /// Late move reductions: constant part.
    reduction_base = 1400 in 0..=2500;
    /// Late move reductions: divisor, in hundredths, of the product of the logarithms of depth and move number.
    reduction_divisor = 235 in 80..=400;
    /// Late move reductions: less by this in nodes of the principal variation.
    reduction_principal = 1024 in 0..=3000;
    /// Late move reductions: more by this in cut nodes.
    reduction_cut = 2000 in 0..=3000;
    /// Late move reductions: more by this if the position is not improving.
    reduction_worse = 500 in 0..=2000;
    /// Late move reductions: one ply less for each such history of the move.
    reduction_history = 9000 in 2000..=30000;

    /// Nodes of the principal variation: up to this depth, moves after one that raised alpha are searched a ply less deep.
    raised_depth = 5 in 1..=10;

    /// Histories: bonus of a move that causes a beta cutoff, per ply of depth.
    cutoff_bonus = 250 in 20..=600;
    /// Histories: subtracted from that bonus.
    cutoff_bonus_offset = 150 in -300..=600;
    /// Histories: the largest bonus of a beta cutoff.
    cutoff_bonus_max = 1700 in 400..=6000;
    /// Histories: bonus of a quiet move after which the node fails low (no answer raises alpha), per ply of depth.
    fail_low_bonus = 60 in 0..=300;
    /// Histories: the largest bonus of such a move.
    fail_low_bonus_max = 600 in 0..=3000;
    /// Histories: bonus of a quiet move per centipawn by which the static evaluation is better after it for the side
    /// that moved. A penalty if it is worse.
    evaluation_bonus = 4 in 0..=20;
    /// Histories: the largest such bonus or penalty.
    evaluation_bonus_max = 400 in 0..=2000;

    /// Singular extensions: minimum depth.
    singular_depth = 6 in 4..=16;
    /// Singular extensions: a second ply if all other moves are below the margin by more than this, in centipawns.
    singular_second = 20 in 0..=100;
    /// Singular extensions: the plies by which the table move is searched less deep if other moves are as good and its
    /// table entry promises at least beta.
    singular_less = 2 in 0..=4;
    /// Singular extensions: margin below the table move, in sixteenths of a centipawn per ply.
    singular_margin = 24 in 4..=80;

    /// Aspiration windows: half the width of the first.
    aspiration_window = 10 in 5..=60;
    /// Aspiration windows: percent of the width that a failure adds.
    aspiration_growth = 50 in 20..=200;

    /// Delta pruning in quiescence search: margin on top of the material that a capture wins.
    delta_margin = 150 in 30..=400;

    /// Internal iterative reduction: minimum depth.
    iir_depth = 5 in 2..=10;
}

#[cfg(test)]
mod tests {
    use super::RANGES;

    #[test]
    fn every_default_is_within_its_range() {
        for (name, low, value, high) in RANGES {
            assert!(low < high && low <= value && value <= high, "{name}");
        }
    }
}
