//! Huge pages for the memory of the program.
//!
//! The transposition table and the histories are read at random, and with pages of 4 KiB the processor must look up
//! many addresses anew. On many Linux systems a program gets huge pages only if it asks for them. The allocator of
//! glibc asks if its environment says so when the program starts, so the program starts itself anew.

/// Starts the program anew, in the same process, with an allocator that asks for huge pages. Does nothing where that
/// fails, has been done, or is not wanted: the variable `TROPISM_HUGE_PAGES` is set.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub fn ask_for_huge_pages() {
    use std::{env, os::unix::process::CommandExt, path::Path, process::Command};
    const ASKED: &str = "TROPISM_HUGE_PAGES";
    const TUNABLES: &str = "GLIBC_TUNABLES";
    let mut arguments = env::args_os();
    if env::var_os(ASKED).is_none()
        && let (Ok(program), Some(name)) = (env::current_exe(), arguments.next())
        // Started by the dynamic linker, the process is that of the linker.
        && program.file_name() == Path::new(&name).file_name()
    {
        let mut tunables = env::var_os(TUNABLES).unwrap_or_default();
        if !tunables.is_empty() {
            tunables.push(":");
        }
        tunables.push("glibc.malloc.hugetlb=1");
        // Returns only if it fails, and then the usual pages do.
        let _ = Command::new(program)
            .arg0(name)
            .args(arguments)
            .env(ASKED, "1")
            .env(TUNABLES, tunables)
            .exec();
    }
}

/// Elsewhere there is nothing to ask for.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub fn ask_for_huge_pages() {}
