//! The processor features that this build needs. On an older processor the program can then name the
//! missing ones instead of crashing.
//!
//! `std::is_x86_feature_detected` cannot find them: for a feature that the build assumes, it answers yes
//! without checking. This module therefore reads the processor's registers.

/// The registers of CPUID in which a processor lists its features: ECX of leaf 1, EBX of leaf 7 and ECX of leaf
/// 0x8000_0001.
type Registers = [u32; 3];

/// A feature of the level x86-64-v3, where it is listed, and whether this build needs it.
struct Feature {
    name: &'static str,
    register: usize,
    bit: u32,
    is_needed: bool,
}

impl Feature {
    fn is_in(&self, registers: Registers) -> bool {
        registers[self.register] >> self.bit & 1 == 1
    }
}

macro_rules! features {
    ($($name:tt: $register:literal $bit:literal),* $(,)?) => {
        [$(Feature {
            name: $name, register: $register, bit: $bit, is_needed: cfg!(target_feature = $name),
        }),*]
    };
}

/// Intel, Software Developer's Manual, volume 2, CPUID; AMD, Architecture Programmer's Manual, volume 3,
/// appendix E (`lzcnt`).
const FEATURES: [Feature; 12] = features! {
    "sse3": 0 0, "ssse3": 0 9, "fma": 0 12, "sse4.1": 0 19, "sse4.2": 0 20, "movbe": 0 22, "popcnt": 0 23, "avx": 0 28,
    "bmi1": 1 3, "avx2": 1 5, "bmi2": 1 8, "lzcnt": 2 5,
};

/// The features that this build needs and the processor lacks. There are none in a build for all
/// processors, or on an architecture other than x86-64.
pub fn missing() -> impl Iterator<Item = &'static str> {
    let registers = read();
    let is_missing = move |feature: &Feature| {
        feature.is_needed && registers.is_some_and(|registers| !feature.is_in(registers))
    };
    FEATURES.into_iter().filter(is_missing).map(|feature| feature.name)
}

#[cfg(target_arch = "x86_64")]
fn read() -> Option<Registers> {
    use std::arch::x86_64::{__cpuid, __cpuid_count};
    // A leaf beyond the highest has no defined content.
    let (highest, highest_advanced) = (__cpuid(0).eax, __cpuid(0x8000_0000).eax);
    Some([
        __cpuid(1).ecx,
        if highest >= 7 { __cpuid_count(7, 0).ebx } else { 0 },
        if highest_advanced > 0x8000_0000 { __cpuid(0x8000_0001).ecx } else { 0 },
    ])
}

#[cfg(not(target_arch = "x86_64"))]
fn read() -> Option<Registers> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(registers: Registers) -> Vec<&'static str> {
        let found = FEATURES.into_iter().filter(|feature| feature.is_in(registers));
        found.map(|feature| feature.name).collect()
    }

    #[test]
    fn nothing_is_missing_where_the_tests_run() {
        assert_eq!(missing().count(), 0);
    }

    #[test]
    fn the_features_of_an_old_and_a_new_processor() {
        // Registers like those of a Core 2 with SSE 4.1 and of a Zen 2.
        assert_eq!(named([0x0008_e3fd, 0, 1]), ["sse3", "ssse3", "sse4.1"]);
        let new = [0x7ed8_320b, 0x219c_91a9, 0x75c2_37ff];
        assert_eq!(named(new).len(), FEATURES.len());
    }

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn the_registers_agree_with_the_standard_library() {
        let Some(registers) = read() else { panic!("x86-64 has these registers") };
        let named = named(registers);
        for (name, detected) in [
            ("sse4.2", std::is_x86_feature_detected!("sse4.2")),
            ("popcnt", std::is_x86_feature_detected!("popcnt")),
            ("avx2", std::is_x86_feature_detected!("avx2")),
            ("bmi1", std::is_x86_feature_detected!("bmi1")),
            ("bmi2", std::is_x86_feature_detected!("bmi2")),
            ("lzcnt", std::is_x86_feature_detected!("lzcnt")),
            ("movbe", std::is_x86_feature_detected!("movbe")),
            ("fma", std::is_x86_feature_detected!("fma")),
        ] {
            assert_eq!(named.contains(&name), detected, "{name}");
        }
    }
}
