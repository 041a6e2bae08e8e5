//! Pseudorandom numbers: a seed always gives the same sequence. Public for the tools that train and
//! tune the engine.

/// The generator SplitMix64 with its 64-bit state; any seed is good.
///
/// Source: Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", 2014, in Sebastiano
/// Vigna's version.
#[derive(Debug)]
pub struct SplitMix64(pub u64);

impl SplitMix64 {
    /// A generator for one of many independent sequences, chosen by a seed and a number.
    pub fn stream(seed: u64, number: u64) -> SplitMix64 {
        let base = SplitMix64(seed).next();
        SplitMix64(SplitMix64(base ^ number).next())
    }

    /// The next 64 bits.
    #[expect(clippy::should_implement_trait, reason = "the sequence never ends")]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `limit`; 0 if `limit` is 0.
    pub fn below(&mut self, limit: usize) -> usize {
        ((u128::from(self.next()) * limit as u128) >> 64) as usize
    }

    /// A number in [0, 1).
    pub fn fraction(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Shuffles a slice (Fisher and Yates 1938, Durstenfeld 1964).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first numbers of Vigna's program for the seed 1234567.
    #[test]
    fn the_generator_is_the_published_one() {
        let mut random = SplitMix64(1_234_567);
        let numbers: Vec<u64> = (0..3).map(|_| random.next()).collect();
        assert_eq!(
            numbers,
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        );
        assert_eq!(random.below(0), 0);
        assert!((0..100).all(|_| random.below(3) < 3));
        assert!((0..100).map(|_| random.fraction()).all(|x| (0.0..1.0).contains(&x)));
    }

    #[test]
    fn a_shuffle_keeps_all_and_moves_some() {
        let mut items: Vec<u32> = (0..50).collect();
        SplitMix64::stream(1, 2).shuffle(&mut items);
        assert_ne!(items, (0..50).collect::<Vec<_>>());
        items.sort();
        assert_eq!(items, (0..50).collect::<Vec<_>>());
    }

    #[test]
    fn streams_differ_by_seed_and_number() {
        let first = |seed, number| SplitMix64::stream(seed, number).next();
        assert_eq!(first(1, 2), first(1, 2));
        assert_ne!(first(1, 2), first(1, 3));
        assert_ne!(first(1, 2), first(2, 2));
    }
}
