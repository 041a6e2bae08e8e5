//! The playing strength.

/// The playing strength, from 0 to [`Level::FULL`].
#[derive(Copy, Clone, PartialEq, PartialOrd, Debug)]
pub struct Level(f64);

/// The `UCI_Elo` of each whole level from 0 on.
///
/// The scale is that of Stockfish 15.1's own `UCI_Elo`. From level 12 on the levels are fitted to 550 games against it at
/// 1400, 1700 and 2000 and interpolated; `docs/uci.md` has the result of 200 games at each of five numbers. Below level 10
/// the steps are results of `tropism-lab calibrate levels --games 60`, reduced by 30 %, because the steps from 10 to 14
/// were too large by that much. A new engine needs a new calibration.
const ELO: [u32; 20] = [
    480, 520, 540, 550, 630, 760, 800, 850, 920, 1010, 1110, 1220, 1360, 1490, 1640, 1790, 1880,
    1935, 1985, 2040,
];

impl Level {
    /// Full strength.
    pub const FULL: u32 = 20;
    /// The lowest `UCI_Elo`.
    pub const LOWEST_ELO: u32 = ELO[0];
    /// The highest `UCI_Elo`.
    pub const HIGHEST_ELO: u32 = ELO[ELO.len() - 1];

    /// A whole level.
    pub fn new(level: u32) -> Level {
        Level(f64::from(level.min(Level::FULL)))
    }

    /// The level of an Elo number, interpolated between whole levels.
    pub fn of_elo(elo: u32) -> Level {
        let above = ELO.partition_point(|&known| known <= elo);
        let (Some(&low), Some(&high)) = (ELO.get(above.wrapping_sub(1)), ELO.get(above)) else {
            return Level(if above == 0 { 0.0 } else { (ELO.len() - 1) as f64 });
        };
        Level((above - 1) as f64 + f64::from(elo - low) / f64::from(high - low))
    }

    /// Whether this is full strength.
    pub fn is_full(self) -> bool {
        self.0 >= f64::from(Level::FULL)
    }

    /// From 0 to [`Level::FULL`], with a fraction between two whole levels.
    pub(crate) fn number(self) -> f64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elo_and_levels_agree() {
        assert!(ELO.is_sorted_by(|low, high| low < high));
        assert_eq!(ELO.len(), Level::FULL as usize);
        for (level, &elo) in ELO.iter().enumerate() {
            assert_eq!(Level::of_elo(elo), Level::new(level as u32));
        }
        assert_eq!(Level::of_elo((ELO[3] + ELO[4]) / 2).0, 3.5);
        assert_eq!(Level::of_elo(0), Level::new(0));
        assert!(!Level::of_elo(9999).is_full() && Level::new(20).is_full());
    }
}
