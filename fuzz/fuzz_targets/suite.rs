//! Any bytes as test positions in EPD: the moves that are read are legal.
#![no_main]

use libfuzzer_sys::fuzz_target;
use shakmaty::Position;
use tropism_coach::notation::{decode, parse_suite};

fuzz_target!(|bytes: &[u8]| {
    let Some(text) = decode(bytes) else { return };
    for test in parse_suite(&text).0 {
        assert!(test.best.iter().chain(&test.avoid).all(|&m| test.position.is_legal(m)));
    }
});
