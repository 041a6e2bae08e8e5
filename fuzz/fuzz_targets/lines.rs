//! Any bytes as the lines of a session: nothing panics, and every `isready` is answered.
#![no_main]

use libfuzzer_sys::fuzz_target;
use std::io::{self, Write};
use std::sync::{Arc, Mutex};
use tropism::uci::{Setup, run};

#[derive(Clone, Default)]
struct Said(Arc<Mutex<Vec<u8>>>);

impl Write for Said {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Lines that end the session, write files or take much memory are left out.
fn is_harmless(line: &str) -> bool {
    let line = line.to_ascii_lowercase();
    !["quit", "exit", "debug log file", "enginefile", "hash", "threads"]
        .iter()
        .any(|word| line.contains(word))
}

fuzz_target!(|bytes: &[u8]| {
    let mut input = Vec::new();
    let mut asked = 0;
    for line in bytes.split(|&byte| byte == b'\n') {
        if is_harmless(&String::from_utf8_lossy(line)) {
            input.extend_from_slice(line);
            input.extend_from_slice(b"\nisready\n");
            asked += 1;
        }
    }
    let said = Said::default();
    let setup = Setup::new(tropism::default_engine().unwrap(), tropism::terms::registry());
    run(setup, input.as_slice(), said.clone()).unwrap();
    let said = said.0.lock().unwrap();
    let text = String::from_utf8_lossy(&said);
    assert!(!text.contains("crashed"), "{text}");
    assert!(text.lines().filter(|&line| line == "readyok").count() >= asked, "{text}");
});
