//! The `go` line.

use crate::search::Limits;
use std::time::Duration;

/// What a `go` line asks for.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Go {
    /// The limits without moves.
    pub limits: Limits,
    /// Whether the line has something of a time control, with a clock or without.
    pub is_timed: bool,
    /// No best move before `stop`, even if the search has ended.
    pub infinite: bool,
    /// No best move before `stop` or `ponderhit`.
    pub ponder: bool,
    /// Moves are still words: their meaning depends on the position.
    pub search_moves: Vec<String>,
    pub perft: Option<u32>,
    /// What could not be read, as texts for the user.
    pub complaints: Vec<String>,
}

/// What follows a keyword, and what it sets.
enum Argument {
    Nothing(fn(&mut Go)),
    /// A count.
    Number(fn(&mut Go, u64)),
    /// Milliseconds. Some GUIs send less than 0.
    Time(fn(&mut Limits, Duration)),
    /// All words up to the next keyword.
    Moves,
}

use Argument::{Moves, Nothing, Number, Time};

const KEYWORDS: [(&str, Argument); 13] = [
    ("depth", Number(|go, plies| go.limits.depth = Some(small(plies)))),
    ("nodes", Number(|go, nodes| go.limits.nodes = Some(nodes))),
    ("movetime", Time(|limits, time| limits.move_time = Some(time))),
    ("mate", Number(|go, moves| go.limits.mate = Some(small(moves)))),
    ("wtime", Time(|limits, time| limits.time.white = Some(time))),
    ("btime", Time(|limits, time| limits.time.black = Some(time))),
    ("winc", Time(|limits, time| limits.increment.white = time)),
    ("binc", Time(|limits, time| limits.increment.black = time)),
    (
        "movestogo",
        Number(|go, moves| {
            // Some GUIs send 0 and mean the rest of the game.
            go.limits.moves_to_go = (moves > 0).then_some(small(moves));
            go.is_timed = true;
        }),
    ),
    ("perft", Number(|go, plies| go.perft = Some(small(plies)))),
    ("infinite", Nothing(|go| go.infinite = true)),
    ("ponder", Nothing(|go| go.ponder = true)),
    ("searchmoves", Moves),
];

impl Go {
    /// Reads the words after `go`. Words that cannot be read become complaints and the rest still
    /// counts, because a GUI always waits for a best move.
    pub fn parse(arguments: &str) -> Go {
        let mut go = Go::default();
        let mut words = arguments.split_whitespace().peekable();
        while let Some(word) = words.next() {
            match argument(word) {
                Some(Nothing(set)) => set(&mut go),
                Some(Number(set)) => {
                    let next = words.next_if(|next| argument(next).is_none());
                    if let Some(read) = go.number(word, next, false) {
                        set(&mut go, read);
                    }
                }
                Some(Time(set)) => {
                    let next = words.next_if(|next| argument(next).is_none());
                    if let Some(read) = go.number(word, next, true) {
                        set(&mut go.limits, time(read));
                        go.is_timed = true;
                    }
                }
                Some(Moves) => {
                    while let Some(m) = words.next_if(|next| argument(next).is_none()) {
                        go.search_moves.push(m.to_owned());
                    }
                }
                None => go.complaints.push(format!("go: {word:?} is not understood")),
            }
        }
        go
    }

    /// The number after a keyword, with a complaint if it is not quite one.
    fn number(&mut self, keyword: &str, word: Option<&str>, is_time: bool) -> Option<u64> {
        let Some((word, number)) = word.and_then(|word| Some((word, number(word, is_time)?)))
        else {
            self.complaints.push(format!("go: {keyword} needs a whole number"));
            return None;
        };
        let is_whole = word.trim_start_matches('+').chars().all(|c| c.is_ascii_digit());
        let is_negative_time = is_time && word.parse::<i64>().is_ok_and(|number| number < 0);
        if !is_whole && !is_negative_time {
            self.complaints.push(format!("go: {keyword} {word:?} is read as {number}"));
        }
        Some(number)
    }
}

fn argument(keyword: &str) -> Option<&'static Argument> {
    let known = KEYWORDS.iter().find(|(known, _)| known.eq_ignore_ascii_case(keyword));
    known.map(|(_, argument)| argument)
}

/// The whole number that a word begins with, of any length. Below 0 it counts as 0, and above `i64::MAX` as `i64::MAX`.
/// Thousands may be separated, and a time may be in seconds: `1,000`, `0.5s`.
fn number(word: &str, is_time: bool) -> Option<u64> {
    let seconds = word.strip_suffix('s').filter(|_| is_time).and_then(|it| it.parse::<f64>().ok());
    if let Some(seconds) = seconds {
        // A conversion from floating point saturates.
        return Some((seconds * 1000.0) as u64);
    }
    let is_negative = word.starts_with('-');
    let mut digits = word.strip_prefix(['-', '+']).unwrap_or(word);
    let mut number = 0_i64;
    let mut is_first = true;
    loop {
        let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        // After a separator there are three digits.
        if end == 0 || !is_first && end != 3 {
            break;
        }
        for digit in digits[..end].bytes() {
            number = number.saturating_mul(10).saturating_add(i64::from(digit - b'0'));
        }
        is_first = false;
        let Some(rest) = digits[end..].strip_prefix([',', '_', '\'']) else { break };
        digits = rest;
    }
    if is_first {
        return None;
    }
    Some(if is_negative { 0 } else { number as u64 })
}

fn small(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// At most 2^40 milliseconds, which is 35 years, so that sums do not overflow.
fn time(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds.min(1 << 40))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The lines of `go.txt`.
    #[test]
    fn lines_mean_what_the_file_says() {
        for row in include_str!("go.txt").lines().filter(|row| row.contains(" | ")) {
            let mut parts = row.split(" | ");
            let go = format!("{:?}", Go::parse(parts.next().unwrap()));
            parts.for_each(|part| assert!(go.contains(part), "{row}: {go}"));
        }
    }

    proptest! {
        #[test]
        fn no_mixture_of_words_panics(
            words in proptest::collection::vec(
                proptest::sample::select(vec![
                    "depth", "ponder", "infinite", "searchmoves", "e2e4", "nodes", "movetime", "-1",
                    "99999999999999999999", "-", "wtime", "movestogo", "perft", "<empty>", "0",
                ]),
                0..12,
            ),
        ) {
            let _ = Go::parse(&words.join(" "));
        }
    }
}
