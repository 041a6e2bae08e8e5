//! The processor features that this build needs. On an older processor the program can then name the
//! missing ones instead of crashing.
//!
//! `std::is_x86_feature_detected` cannot find them: for a feature that the build assumes, it answers yes
//! without checking. This module therefore reads the processor's registers.

/// The CPUID registers in which a processor lists its features.
#[derive(Clone, Copy, Debug)]
struct Registers {
    /// Leaf 1, ECX.
    basic: u32,
    /// Leaf 7, EBX.
    extended: u32,
    /// Leaf 0x8000_0001, ECX.
    advanced: u32,
}

/// A feature of the level x86-64-v3, its bit, and whether this build needs it.
struct Feature {
    name: &'static str,
    bit: fn(Registers) -> u32,
    is_needed: bool,
}

macro_rules! features {
    ($($name:tt: $register:ident $bit:literal),* $(,)?) => {
        [$(Feature {
            name: $name,
            bit: |registers| registers.$register >> $bit & 1,
            is_needed: cfg!(target_feature = $name),
        }),*]
    };
}

/// Intel, Software Developer's Manual, volume 2, CPUID; AMD, Architecture Programmer's Manual, volume 3,
/// appendix E (`lzcnt`).
const FEATURES: [Feature; 12] = features! {
    "sse3": basic 0, "ssse3": basic 9, "fma": basic 12, "sse4.1": basic 19, "sse4.2": basic 20,
    "movbe": basic 22, "popcnt": basic 23, "avx": basic 28, "bmi1": extended 3, "avx2": extended 5,
    "bmi2": extended 8, "lzcnt": advanced 5,
};

/// The features that this build needs and the processor lacks. There are none in a build for all
/// processors, or on an architecture other than x86-64.
pub fn missing() -> impl Iterator<Item = &'static str> {
    let registers = read();
    FEATURES
        .into_iter()
        .filter(move |feature| {
            feature.is_needed && registers.is_some_and(|registers| (feature.bit)(registers) == 0)
        })
        .map(|feature| feature.name)
}

#[cfg(target_arch = "x86_64")]
fn read() -> Option<Registers> {
    use std::arch::x86_64::{__cpuid, __cpuid_count};
    // A leaf beyond the highest has no defined content.
    let (highest, highest_advanced) = (__cpuid(0).eax, __cpuid(0x8000_0000).eax);
    Some(Registers {
        basic: __cpuid(1).ecx,
        extended: if highest >= 7 { __cpuid_count(7, 0).ebx } else { 0 },
        advanced: if highest_advanced > 0x8000_0000 { __cpuid(0x8000_0001).ecx } else { 0 },
    })
}

#[cfg(not(target_arch = "x86_64"))]
fn read() -> Option<Registers> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn has(registers: Registers) -> Vec<&'static str> {
        let named = FEATURES.into_iter().filter(|feature| (feature.bit)(registers) == 1);
        named.map(|feature| feature.name).collect()
    }

    #[test]
    fn nothing_is_missing_where_the_tests_run() {
        assert_eq!(missing().count(), 0);
    }

    #[test]
    fn the_features_of_an_old_and_a_new_processor() {
        // Registers like those of a Core 2 with SSE 4.1 and of a Zen 2.
        let old = Registers { basic: 0x0008_e3fd, extended: 0, advanced: 1 };
        assert_eq!(has(old), ["sse3", "ssse3", "sse4.1"]);
        let new = Registers { basic: 0x7ed8_320b, extended: 0x219c_91a9, advanced: 0x75c2_37ff };
        assert_eq!(has(new).len(), FEATURES.len());
    }

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn the_registers_agree_with_the_standard_library() {
        let Some(registers) = read() else { panic!("x86-64 has these registers") };
        let named = has(registers);
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
