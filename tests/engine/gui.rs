//! A GUI's side of a conversation with the real program.

use crate::program;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::{thread, time::Duration};

/// When a test that hangs is ended. No answer takes nearly so long, also where many other programs run.
pub const PATIENCE: Duration = Duration::from_secs(1800);

/// The program and what it says.
pub struct Gui {
    child: Child,
    input: Option<ChildStdin>,
    pub lines: Receiver<String>,
}

impl Gui {
    pub fn start() -> Gui {
        Gui::start_with(&[])
    }

    pub fn start_with(arguments: &[&str]) -> Gui {
        Gui::of(program::command(arguments))
    }

    /// A conversation with another program.
    pub fn of(mut program: Command) -> Gui {
        let mut child = program
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let (sender, lines) = channel();
        let output = BufReader::new(child.stdout.take().unwrap());
        thread::spawn(move || {
            for line in output.lines() {
                if sender.send(line.unwrap()).is_err() {
                    break;
                }
            }
        });
        Gui { input: child.stdin.take(), child, lines }
    }

    /// The number of the program's process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    pub fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(bytes).unwrap();
        input.flush().unwrap();
    }

    /// Reads to the line that starts so; gives all lines, that one last.
    pub fn until(&self, start: &str) -> Vec<String> {
        let mut seen = Vec::new();
        loop {
            let line = self.lines.recv_timeout(PATIENCE);
            seen.push(
                line.unwrap_or_else(|error| panic!("no {start:?} ({error}) after {seen:#?}")),
            );
            if seen.last().unwrap().starts_with(start) {
                return seen;
            }
        }
    }

    /// Everything said up to the answer to `isready`.
    pub fn settled(&mut self) -> Vec<String> {
        self.send("isready");
        let mut lines = self.until("readyok");
        lines.pop();
        lines
    }

    /// Sends a line and gives the lines up to the best move.
    pub fn go(&mut self, line: &str) -> Vec<String> {
        self.send(line);
        self.until("bestmove")
    }

    /// What a search finds, without the time that it takes: the last line to its number of nodes, and the best move.
    pub fn found(&mut self, go: &str) -> (String, String) {
        let lines = self.go(go);
        let (search, rest) = last_info(&lines).split_once(" nodes ").unwrap();
        let nodes = rest.split(' ').next().unwrap();
        (format!("{search} nodes {nodes}"), lines[lines.len() - 1].clone())
    }

    /// Closes the input and gives the exit code and what was still said.
    pub fn finish(mut self) -> (Option<i32>, Vec<String>) {
        self.input = None;
        let code = self.child.wait().unwrap().code();
        (code, self.lines.iter().collect())
    }
}

impl Drop for Gui {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn last_info(lines: &[String]) -> &String {
    lines.iter().rev().find(|line| line.contains(" pv ")).unwrap()
}
