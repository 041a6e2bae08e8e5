//! The memory that is free on this machine.

#[cfg(feature = "program")]
use sysinfo::{MemoryRefreshKind, RefreshKind, System};

/// The memory in MiB that is available without taking it from other programs. `None` if the system
/// does not report it.
///
/// A successful allocation proves nothing: most systems promise more memory than they have, and end
/// the program later, when it uses what was promised.
#[cfg(feature = "program")]
pub fn available() -> Option<u64> {
    let what = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
    let system = System::new_with_specifics(what).ok()?;
    let machine = system.available_memory();
    // A container may have less memory than its machine.
    let bytes = system.cgroup_limits().map_or(machine, |limits| machine.min(limits.free_memory));
    (bytes > 0).then_some(bytes >> 20)
}

/// Unknown without the feature `program`.
#[cfg(not(feature = "program"))]
pub fn available() -> Option<u64> {
    None
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_reported_memory_is_plausible() {
        assert!(super::available().is_none_or(|free| (1..1 << 30).contains(&free)));
    }
}
