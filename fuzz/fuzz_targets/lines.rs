//! Any bytes as the lines of a session: nothing panics, and every `isready` is answered.
#![no_main]

use libfuzzer_sys::fuzz_target;
use std::{
    io::{self, Write},
    sync::{Arc, Mutex},
};
use tropism::uci::{Command, Setup, run};

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

/// Lines that touch files or take all memory are left out.
fn is_harmless(command: &Command) -> bool {
    match command {
        Command::SetOption { name, .. } => !["debug log file", "enginefile", "hash", "threads"]
            .contains(&name.to_ascii_lowercase().as_str()),
        _ => true,
    }
}

fuzz_target!(|bytes: &[u8]| {
    let mut input = Vec::new();
    let mut asked = 0;
    for line in bytes.split(|&byte| byte == b'\n') {
        let text = String::from_utf8_lossy(line);
        match Command::parse(text.trim_end_matches(['\n', '\r'])) {
            Ok(Some(Command::Quit)) => break,
            Ok(Some(command)) if !is_harmless(&command) => continue,
            Ok(Some(Command::IsReady)) => asked += 1,
            _ => {}
        }
        input.extend_from_slice(line);
        input.push(b'\n');
    }
    let said = Said::default();
    let setup = Setup {
        engine: tropism::default_engine().unwrap(),
        registry: tropism::terms::registry(),
    };
    run(setup, input.as_slice(), said.clone()).unwrap();
    let said = said.0.lock().unwrap();
    let text = String::from_utf8_lossy(&said);
    assert!(!text.contains("broke down"), "{text}");
    assert_eq!(text.lines().filter(|&line| line == "readyok").count(), asked, "{text}");
});
