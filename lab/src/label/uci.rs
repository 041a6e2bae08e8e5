//! Another engine, as a process that speaks UCI.

use crate::data::Label;
use anyhow::{Context as _, Result, anyhow, bail};
use std::{
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{Child, ChildStdin, Command, Stdio},
    sync::mpsc::{self, Receiver, RecvTimeoutError},
    thread,
    time::{Duration, Instant},
};
use tropism::search::Value;

/// A running engine. It ends when the value is dropped.
pub(super) struct UciEngine {
    program: String,
    /// What it calls itself.
    pub(super) name: String,
    child: Child,
    input: ChildStdin,
    output: Receiver<String>,
    /// The last command that it was sent.
    command: String,
    timeout: Duration,
}

impl UciEngine {
    /// Starts a program and sets its options. It shows win, draw and loss if it can.
    pub(super) fn start(
        program: &Path,
        arguments: &[String],
        options: &[(String, String)],
        timeout: Duration,
    ) -> Result<UciEngine> {
        let name = program.display().to_string();
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().map_err(|error| {
            anyhow!(
                "cannot start the judge {name}: {error}; --judge needs the name or path of a UCI engine"
            )
        })?;
        let input = child.stdin.take().context("the judge has no input")?;
        let output = BufReader::new(child.stdout.take().context("the judge has no output")?);
        let (sender, receiver) = mpsc::channel();
        thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let mut engine = UciEngine {
            program: name.clone(),
            name,
            child,
            input,
            output: receiver,
            command: String::new(),
            timeout,
        };
        engine.set_options(options)?;
        Ok(engine)
    }

    fn set_options(&mut self, options: &[(String, String)]) -> Result<()> {
        const SHOWS_ODDS: &str = "UCI_ShowWDL";
        let mut known = Vec::new();
        self.send("uci")?;
        loop {
            let line = self.line()?;
            if let Some(name) = line.strip_prefix("id name ") {
                self.name = name.trim().to_owned();
            } else if let Some(option) = line.strip_prefix("option name ") {
                known.extend(option.split_once(" type ").map(|(name, _)| name.to_owned()));
            } else if line.trim() == "uciok" {
                break;
            }
        }
        let is = |name: &str, known: &String| known.eq_ignore_ascii_case(name);
        if known.iter().any(|known| is(SHOWS_ODDS, known)) {
            self.send(&format!("setoption name {SHOWS_ODDS} value true"))?;
        }
        for (name, value) in options {
            if !known.iter().any(|known| is(name, known)) {
                let known = known.join(", ");
                bail!("the judge {} has no option {name:?}; it has {known}", self.program);
            }
            self.send(&format!("setoption name {name} value {value}"))?;
        }
        Ok(())
    }

    /// Forgets the positions before.
    pub(super) fn new_game(&mut self) -> Result<()> {
        self.send("ucinewgame")?;
        self.send("isready")?;
        while self.line()?.trim() != "readyok" {}
        Ok(())
    }

    /// Its verdict of a position, given as four fields of a FEN, after this number of nodes.
    pub(super) fn label(&mut self, fen: &str, nodes: u64) -> Result<Label> {
        self.send(&format!("position fen {fen} 0 1"))?;
        self.send(&format!("go nodes {nodes}"))?;
        let mut last = None;
        loop {
            let line = self.line()?;
            if line.starts_with("bestmove") {
                break;
            }
            // A bound counts only until there is a value.
            if let Some((label, is_exact)) = score(&line)
                && (is_exact || !matches!(last, Some((_, true))))
            {
                last = Some((label, is_exact));
            }
        }
        let is_white = fen.split(' ').nth(1) == Some("w");
        match last {
            Some((label, _)) if is_white => Ok(label),
            Some((label, _)) => Ok(for_the_other_side(label)),
            None => bail!("the judge {} gave no score for the position {fen:?}", self.program),
        }
    }

    fn send(&mut self, command: &str) -> Result<()> {
        command.clone_into(&mut self.command);
        writeln!(self.input, "{command}")
            .and_then(|()| self.input.flush())
            .map_err(|_| self.ended())
    }

    /// Its next line.
    fn line(&mut self) -> Result<String> {
        match self.output.recv_timeout(self.timeout) {
            Ok(line) => Ok(line),
            Err(RecvTimeoutError::Disconnected) => Err(self.ended()),
            Err(RecvTimeoutError::Timeout) => bail!(
                "the judge {} has not answered the command {:?} for {} s; if it needs longer, set --timeout",
                self.program,
                self.command,
                self.timeout.as_secs()
            ),
        }
    }

    fn ended(&self) -> anyhow::Error {
        anyhow!("the judge {} ended after the command {:?}", self.program, self.command)
    }
}

impl Drop for UciEngine {
    fn drop(&mut self) {
        let _ = writeln!(self.input, "quit");
        let start = Instant::now();
        while start.elapsed() < Duration::from_millis(200) {
            if let Ok(Some(_)) = self.child.try_wait() {
                return;
            }
            thread::sleep(Duration::from_millis(5));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The score of an `info` line for the side to move, and whether it is no bound. Lines of other moves than the best have
/// none.
fn score(line: &str) -> Option<(Label, bool)> {
    if !line.starts_with("info ") {
        return None;
    }
    // After `string` and `pv`, words mean something else.
    let end = [" string ", " pv "].iter().filter_map(|word| line.find(word)).min();
    let words: Vec<&str> = line[..end.unwrap_or(line.len())].split_whitespace().collect();
    let at = |word: &str| words.iter().position(|&known| known == word);
    let number = |at: usize| words.get(at)?.parse::<i32>().ok();
    if at("multipv").is_some_and(|at| number(at + 1) != Some(1)) {
        return None;
    }
    let score = at("score")?;
    let value = match (*words.get(score + 1)?, number(score + 2)?) {
        ("cp", value) => Value::Centipawns(value),
        ("mate", moves) if moves != 0 => Value::Mate(moves),
        _ => return None,
    };
    let odds = at("wdl").and_then(|at| {
        let odd = |place| Some(number(at + place)?.unsigned_abs());
        Some([odd(1)?, odd(2)?, odd(3)?])
    });
    let is_exact = at("lowerbound").or_else(|| at("upperbound")).is_none();
    Some((Label { value, odds }, is_exact))
}

fn for_the_other_side(label: Label) -> Label {
    Label {
        value: match label.value {
            Value::Centipawns(value) => Value::Centipawns(-value),
            Value::Mate(moves) => Value::Mate(-moves),
        },
        odds: label.odds.map(|[win, draw, loss]| [loss, draw, win]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_is_read_from_an_info_line() {
        let text = |line| score(line).map(|(label, is_exact)| (label.to_string(), is_exact));
        let label = |label: &str, is_exact| Some((label.to_owned(), is_exact));
        let line =
            "info depth 9 seldepth 12 multipv 1 score cp -35 wdl 61 900 39 nodes 4000 pv e2e4";
        assert_eq!(text(line), label("cp -35 wdl 61 900 39", true));
        assert_eq!(text("info score mate -3 nodes 7"), label("mate -3", true));
        assert_eq!(text("info depth 4 score cp 9 lowerbound nodes 7"), label("cp 9", false));
        for none in [
            "info depth 9 multipv 2 score cp 3",
            "info string NNUE score cp 3",
            "info depth 0 score mate 0",
            "info depth 9 currmove e2e4",
            "bestmove e2e4",
        ] {
            assert_eq!(text(none), None, "{none}");
        }
    }

    #[test]
    fn what_is_good_for_one_side_is_bad_for_the_other() {
        let label = Label { value: Value::Mate(2), odds: Some([990, 10, 0]) };
        assert_eq!(for_the_other_side(label).to_string(), "mate -2 wdl 0 10 990");
        assert_eq!(for_the_other_side(for_the_other_side(label)), label);
    }
}
