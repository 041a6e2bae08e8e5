//! Another engine, as a process that speaks UCI.

use crate::data::Label;
use anyhow::{Context as _, Result, anyhow, bail};
use clap::Args;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::time::{Duration, Instant};
use std::{
    path::Path,
    sync::{
        atomic::{AtomicBool, Ordering::Relaxed},
        mpsc::{self, Receiver, RecvTimeoutError},
    },
    thread,
};
use tropism::search::Value;

/// How often a wait for a line looks whether the user has stopped it.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// The nodes with which it is checked that an engine follows a number of nodes.
const CHECKED_NODES: u64 = 20_000;

/// What another engine is started with.
#[derive(Args, Clone, PartialEq, Eq, Debug)]
pub(crate) struct UciArguments {
    /// A word of the other engine's command line; may be given several times.
    #[arg(long, value_name = "WORD", allow_hyphen_values = true)]
    pub(crate) argument: Vec<String>,
    /// A UCI option of the other engine; may be given several times.
    #[arg(long, value_name = "NAME=VALUE", value_parser = option)]
    pub(crate) option: Vec<(String, String)>,
    /// The other engine is given up if it has not answered a command after so many seconds; in games with a clock after
    /// its time and these.
    #[arg(long, value_name = "S", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) timeout: u64,
}

impl UciArguments {
    /// The options, as in `Hash=16`.
    pub(crate) fn options(&self) -> impl Iterator<Item = String> {
        self.option.iter().map(|(name, value)| format!("{name}={value}"))
    }

    /// What a program with these arguments is called: all words, and its options.
    pub(crate) fn described(&self, name: &str) -> String {
        let words = [name].into_iter().chain(self.argument.iter().map(String::as_str));
        let (words, options) =
            (words.collect::<Vec<_>>().join(" "), self.options().collect::<Vec<_>>().join(" "));
        let options = if options.is_empty() { "none" } else { &options };
        format!("{words}, options {options}")
    }
}

/// Reads an option as NAME=VALUE.
fn option(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("not NAME=VALUE".to_owned()),
    }
}

/// What a search has found.
pub(crate) struct Answer {
    /// The word after `bestmove`.
    pub(crate) best: String,
    /// The last score, from the point of view of the side to move.
    pub(crate) label: Option<Label>,
    /// The nodes that it has counted last.
    nodes: Option<u64>,
}

/// A running engine. It ends when the value is dropped.
pub(crate) struct UciEngine {
    program: String,
    /// What it calls itself.
    pub(crate) name: String,
    /// The names of its options.
    options: Vec<String>,
    is_chess960: bool,
    child: Child,
    input: ChildStdin,
    output: Receiver<String>,
    /// The last command that it was sent, and when its answer is overdue.
    command: String,
    deadline: Instant,
    timeout: Duration,
}

impl UciEngine {
    /// Starts a program and sets its options. It shows win, draw and loss if it can.
    pub(crate) fn start(program: &Path, arguments: &UciArguments) -> Result<UciEngine> {
        let name = program.display().to_string();
        let mut command = Command::new(program);
        command.args(&arguments.argument).stdin(Stdio::piped()).stdout(Stdio::piped());
        // Ctrl-C is for us: we end the engine.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(|error| {
            anyhow!("cannot start {name}: {error}; give the name or path of a UCI engine")
        })?;
        let input = child.stdin.take().with_context(|| format!("{name} has no input"))?;
        let output = child.stdout.take().with_context(|| format!("{name} has no output"))?;
        let (sender, receiver) = mpsc::channel();
        thread::spawn(move || {
            // A name or a line of a book may be in any encoding.
            let lines = BufReader::new(output).split(b'\n').map_while(Result::ok);
            for line in lines {
                if sender.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
                    break;
                }
            }
        });
        let mut engine = UciEngine {
            program: name.clone(),
            name,
            options: Vec::new(),
            is_chess960: false,
            child,
            input,
            output: receiver,
            command: String::new(),
            deadline: Instant::now(),
            timeout: Duration::from_secs(arguments.timeout),
        };
        engine.set_options(&arguments.option)?;
        Ok(engine)
    }

    fn set_options(&mut self, options: &[(String, String)]) -> Result<()> {
        self.send("uci")?;
        loop {
            let line = self.line()?;
            if let Some(name) = line.strip_prefix("id name ") {
                self.name = name.trim().to_owned();
            } else if let Some(option) = line.strip_prefix("option name ") {
                self.options.extend(option.split_once(" type ").map(|(name, _)| name.to_owned()));
            } else if line.trim() == "uciok" {
                break;
            }
        }
        self.set_if_known("UCI_ShowWDL", "true")?;
        for (name, value) in options {
            if !self.set_if_known(name, value)? {
                let known = self.options.join(", ");
                bail!("{} has no option {name:?}; it has {known}", self.program);
            }
        }
        Ok(())
    }

    /// Sets an option, and returns whether the engine has it.
    pub(crate) fn set_if_known(&mut self, name: &str, value: &str) -> Result<bool> {
        let is_known = self.options.iter().any(|known| known.eq_ignore_ascii_case(name));
        if is_known {
            self.send(&format!("setoption name {name} value {value}"))?;
        }
        Ok(is_known)
    }

    /// Forgets the positions before. In Chess960 castling is written as king takes rook.
    pub(crate) fn new_game(&mut self, is_chess960: bool) -> Result<()> {
        if is_chess960 != self.is_chess960 {
            if !self.set_if_known("UCI_Chess960", &is_chess960.to_string())? {
                bail!("{} cannot play Chess960: it has no option UCI_Chess960", self.program);
            }
            self.is_chess960 = is_chess960;
        }
        self.send("ucinewgame")?;
        self.send("isready")?;
        while self.line()?.trim() != "readyok" {}
        Ok(())
    }

    /// Searches a position; both are commands. `clock` is the time that it may take before the timeout begins. `None` if
    /// it is stopped.
    pub(crate) fn search(
        &mut self,
        position: &str,
        go: &str,
        clock: Duration,
        stop: &AtomicBool,
    ) -> Result<Option<Answer>> {
        self.send(position)?;
        self.send(go)?;
        self.deadline += clock;
        let (mut last, mut nodes) = (None, None);
        while let Some(line) = self.line_unless(stop)? {
            if let Some(answer) = line.strip_prefix("bestmove") {
                let best = answer.split_whitespace().next().unwrap_or_default().to_owned();
                return Ok(Some(Answer { best, label: last.map(|(label, _)| label), nodes }));
            }
            let counted = line.split_once(" nodes ").and_then(|(_, rest)| rest.split(' ').next());
            nodes = counted.and_then(|nodes| nodes.parse().ok()).or(nodes);
            // A bound counts only until there is a value.
            if let Some((label, is_exact)) = score(&line)
                && (is_exact || !matches!(last, Some((_, true))))
            {
                last = Some((label, is_exact));
            }
        }
        Ok(None)
    }

    /// Checks on the start position that it follows a number of nodes: some engines know only a clock, and stop at once.
    pub(crate) fn check_nodes(&mut self) -> Result<()> {
        self.new_game(false)?;
        let go = format!("go nodes {CHECKED_NODES}");
        let found =
            self.search("position startpos", &go, Duration::ZERO, &AtomicBool::new(false))?;
        let nodes = found.and_then(|answer| answer.nodes).unwrap_or(CHECKED_NODES);
        // The iteration that was not finished need not be counted.
        if !(CHECKED_NODES / 10..=CHECKED_NODES * 10).contains(&nodes) {
            bail!(
                "{} does not follow `{go}`, asked as a test: it searched {nodes} nodes; matches can use --tc",
                self.name
            );
        }
        Ok(())
    }

    /// Its verdict of a position, given as four fields of a FEN, after this number of nodes, from White's point of view.
    /// `None` if it is stopped.
    pub(crate) fn label(
        &mut self,
        fen: &str,
        nodes: u64,
        stop: &AtomicBool,
    ) -> Result<Option<Label>> {
        let (position, go) = (format!("position fen {fen} 0 1"), format!("go nodes {nodes}"));
        let Some(Answer { label, .. }) = self.search(&position, &go, Duration::ZERO, stop)? else {
            return Ok(None);
        };
        let label = label
            .with_context(|| format!("{} gave no score for the position {fen:?}", self.program))?;
        let is_white = fen.split(' ').nth(1) == Some("w");
        Ok(Some(if is_white { label } else { for_the_other_side(label) }))
    }

    fn send(&mut self, command: &str) -> Result<()> {
        command.clone_into(&mut self.command);
        self.deadline = Instant::now() + self.timeout;
        writeln!(self.input, "{command}")
            .and_then(|()| self.input.flush())
            .map_err(|_| self.ended())
    }

    /// Its next line.
    fn line(&mut self) -> Result<String> {
        let line = self.line_unless(&AtomicBool::new(false))?;
        line.with_context(|| format!("{} was stopped", self.program))
    }

    /// Its next line; `None` if the user stops the wait.
    fn line_unless(&mut self, stop: &AtomicBool) -> Result<Option<String>> {
        while !stop.load(Relaxed) {
            let left = self.deadline.saturating_duration_since(Instant::now());
            match self.output.recv_timeout(left.min(POLL_INTERVAL)) {
                // An engine that talks on and on has not answered.
                Ok(line) if !left.is_zero() => return Ok(Some(line)),
                Err(RecvTimeoutError::Disconnected) => return Err(self.ended()),
                Err(RecvTimeoutError::Timeout) if !left.is_zero() => {}
                _ => bail!(
                    "{} has not answered the command {:?} for {} s; if it needs longer, set --timeout",
                    self.program,
                    self.command,
                    self.timeout.as_secs()
                ),
            }
        }
        Ok(None)
    }

    fn ended(&self) -> anyhow::Error {
        anyhow!("{} ended after the command {:?}", self.program, self.command)
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
