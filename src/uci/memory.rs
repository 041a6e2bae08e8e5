//! What the machine has left.

use sysinfo::{MemoryRefreshKind, RefreshKind, System};

/// Memory that can be had without driving others out of it, in MiB. `None` where the system does
/// not tell.
///
/// Asking for memory does not show whether there is any: most systems promise more than they have
/// and end the program later, when it uses what it was promised.
pub(super) fn available() -> Option<u64> {
    let what = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
    let system = System::new_with_specifics(what).ok()?;
    let machine = system.available_memory();
    // A container may have less than its machine.
    let bytes = system.cgroup_limits().map_or(machine, |limits| machine.min(limits.free_memory));
    (bytes > 0).then_some(bytes >> 20)
}

#[cfg(test)]
mod tests {
    #[test]
    fn there_is_some() {
        // A system that does not tell is no failure, one that tells nonsense is.
        assert!(super::available().is_none_or(|free| (1..1 << 30).contains(&free)));
    }
}
