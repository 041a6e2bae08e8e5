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

    const MS: fn(u64) -> Option<Duration> = |ms| Some(Duration::from_millis(ms));

    fn go(arguments: &str) -> Go {
        Go::parse(arguments)
    }

    fn limits(arguments: &str) -> Limits {
        go(arguments).limits
    }

    #[test]
    fn trailing_blanks_are_ignored() {
        // vampirc panics on each of these.
        assert_eq!(go(""), Go::default());
        assert!(go("infinite ").infinite);
        assert!(go("ponder ").ponder);
        assert_eq!(limits("wtime 1000 btime 2000 ").time.black, MS(2000));
    }

    #[test]
    fn numbers_may_have_any_size() {
        assert_eq!(limits("depth 256").depth, Some(256));
        assert_eq!(limits("mate 300").mate, Some(300));
        assert_eq!(limits("movestogo 256").moves_to_go, Some(256));
        assert_eq!(limits("movestogo 0").moves_to_go, None);
        assert_eq!(limits("nodes 1234567890123").nodes, Some(1_234_567_890_123));
        assert_eq!(limits("nodes 99999999999999999999999").nodes, Some(i64::MAX as u64));
        assert_eq!(limits("depth 99999999999").depth, Some(u32::MAX));
        assert_eq!(limits("wtime -50 btime 100").time.white, MS(0));
        assert_eq!(limits("wtime 99999999999999999999").time.white, MS(1 << 40));
        assert_eq!(limits("movetime +250").move_time, MS(250));
    }

    #[test]
    fn several_limits_are_read() {
        let both = limits("movetime 100 wtime 1000 btime 1000 winc 10 binc 20 movestogo 5");
        assert_eq!((both.move_time, both.time.white), (MS(100), MS(1000)));
        assert_eq!(both.moves_to_go, Some(5));
        assert_eq!([both.increment.white, both.increment.black].map(Some), [MS(10), MS(20)]);
        let ponder = go("ponder wtime 1000 btime 900");
        assert!(ponder.ponder);
        assert_eq!((ponder.limits.time.white, ponder.limits.time.black), (MS(1000), MS(900)));
        let endless = go("ponder infinite");
        assert!(endless.ponder && endless.infinite);
        let all = limits("depth 5 nodes 1000 mate 2");
        assert_eq!((all.depth, all.nodes, all.mate), (Some(5), Some(1000), Some(2)));
        // One clock alone.
        let alone = limits("wtime 100").time;
        assert_eq!((alone.white, alone.black), (MS(100), None));
    }

    #[test]
    fn what_can_be_read_of_a_number_is_read() {
        let clock = go("wtime 5000.0 btime 4000.5 winc 10.0");
        assert_eq!((clock.limits.time.white, clock.limits.time.black), (MS(5000), MS(4000)));
        assert_eq!(clock.complaints[0], "go: wtime \"5000.0\" is read as 5000");
        assert_eq!(clock.complaints.len(), 3);
        assert_eq!(limits("movetime 100ms").move_time, MS(100));
        assert_eq!(limits("depth 12x").depth, Some(12));
        assert_eq!(limits("Depth 12 NODES 5").depth, Some(12));
        assert_eq!(limits("wtime -12.5").time.white, MS(0));
        assert_eq!(limits("depth x12").depth, None);
        assert_eq!(limits("depth --3").depth, None);
        assert_eq!(limits("nodes 1,000,000").nodes, Some(1_000_000));
        assert_eq!(limits("nodes 12'345x").nodes, Some(12_345));
        let clocks = ["wtime 5000,0", "wtime 1,0000"].map(|text| limits(text).time.white);
        assert_eq!(clocks, [MS(5000), MS(1)]);
        for (seconds, read) in [("0.5s", 500), ("2s", 2000), ("infs", 1 << 40), ("-1s", 0)] {
            assert_eq!(limits(&format!("movetime {seconds}")).move_time, MS(read));
        }
        assert_eq!(go("depth -1").complaints, ["go: depth \"-1\" is read as 0"]);
        assert_eq!(go("wtime -50").complaints, [""; 0]);
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
