//! Hash maps by position key. A key is a hash already, so the hasher of the standard library only takes time.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A hash map by position key, or by a position key and a small number.
pub(super) type KeyMap<K, V> = HashMap<K, V, BuildHasherDefault<KeyHasher>>;

/// Takes keys as they are.
#[derive(Copy, Clone, Default, Debug)]
pub(super) struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(byte.into()));
    }

    fn write_u64(&mut self, key: u64) {
        // An odd multiplier spreads the number that came before over the word.
        self.0 = self.0.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ key;
    }

    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }
}
