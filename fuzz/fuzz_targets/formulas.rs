//! Random engine files with terms that write themselves: what they count is what their expressions mean.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tropism::eval::compare_formulas;

fuzz_target!(|choices: Vec<u16>| {
    compare_formulas(&choices);
});
