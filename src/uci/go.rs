//! The `go` line.

use std::time::Duration;

/// What a `go` line asks for. Moves are still words: their meaning depends on the position.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Go {
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
    pub move_time: Option<Duration>,
    pub mate: Option<u32>,
    pub white_time: Option<Duration>,
    pub black_time: Option<Duration>,
    pub white_increment: Duration,
    pub black_increment: Duration,
    /// `movestogo N`. Some GUIs send 0 and mean the rest of the game.
    pub moves_to_go: Option<u32>,
    /// No best move before `stop`, even if the search has ended.
    pub infinite: bool,
    /// No best move before `stop` or `ponderhit`.
    pub ponder: bool,
    pub search_moves: Vec<String>,
    pub perft: Option<u32>,
    /// What could not be read, as texts for the user.
    pub complaints: Vec<String>,
}

/// What follows a keyword, and what it sets.
enum Argument {
    Nothing(fn(&mut Go)),
    Number(fn(&mut Go, u64)),
    /// All words up to the next keyword.
    Moves,
}

use Argument::{Moves, Nothing, Number};

const KEYWORDS: [(&str, Argument); 13] = [
    ("depth", Number(|go, plies| go.depth = Some(small(plies)))),
    ("nodes", Number(|go, nodes| go.nodes = Some(nodes))),
    ("movetime", Number(|go, ms| go.move_time = Some(time(ms)))),
    ("mate", Number(|go, moves| go.mate = Some(small(moves)))),
    ("wtime", Number(|go, ms| go.white_time = Some(time(ms)))),
    ("btime", Number(|go, ms| go.black_time = Some(time(ms)))),
    ("winc", Number(|go, ms| go.white_increment = time(ms))),
    ("binc", Number(|go, ms| go.black_increment = time(ms))),
    ("movestogo", Number(|go, moves| go.moves_to_go = (moves > 0).then_some(small(moves)))),
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
                    match next.and_then(|next| Some((next, number(next)?))) {
                        Some((_, Read::Whole(number))) => set(&mut go, number),
                        Some((next, Read::Part(number))) => {
                            go.complaints.push(format!("go: {word} {next:?} is read as {number}"));
                            set(&mut go, number);
                        }
                        None => go.complaints.push(format!("go: {word} needs a whole number")),
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
}

fn argument(keyword: &str) -> Option<&'static Argument> {
    let known = KEYWORDS.iter().find(|(known, _)| known.eq_ignore_ascii_case(keyword));
    known.map(|(_, argument)| argument)
}

/// What a word says of a number.
enum Read {
    /// It is a whole number.
    Whole(u64),
    /// It begins with one.
    Part(u64),
}

/// A whole number of any length, or the one that a word begins with. Below 0 it counts as 0, and above `i64::MAX` as
/// `i64::MAX`.
fn number(word: &str) -> Option<Read> {
    let start = word.len() - word.trim_start_matches(['-', '+']).len();
    let is_digit = |c: char| c.is_ascii_digit();
    let end = word[start..].find(|c| !is_digit(c)).map_or(word.len(), |length| start + length);
    if start > 1 || end == start {
        return None;
    }
    let limit = if word.starts_with('-') { 0 } else { i64::MAX };
    let number = word[..end].parse().unwrap_or(limit).max(0) as u64;
    Some(if end == word.len() { Read::Whole(number) } else { Read::Part(number) })
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

    #[test]
    fn trailing_blanks_are_ignored() {
        // vampirc panics on each of these.
        assert_eq!(go(""), Go::default());
        assert!(go("infinite ").infinite);
        assert!(go("ponder ").ponder);
        assert_eq!(go("wtime 1000 btime 2000 ").black_time, MS(2000));
    }

    #[test]
    fn numbers_may_have_any_size() {
        assert_eq!(go("depth 256").depth, Some(256));
        assert_eq!(go("mate 300").mate, Some(300));
        assert_eq!(go("movestogo 256").moves_to_go, Some(256));
        assert_eq!(go("movestogo 0").moves_to_go, None);
        assert_eq!(go("nodes 1234567890123").nodes, Some(1_234_567_890_123));
        assert_eq!(go("nodes 99999999999999999999999").nodes, Some(i64::MAX as u64));
        assert_eq!(go("depth 99999999999").depth, Some(u32::MAX));
        assert_eq!(go("wtime -50 btime 100").white_time, MS(0));
        assert_eq!(go("wtime 99999999999999999999").white_time, MS(1 << 40));
        assert_eq!(go("movetime +250").move_time, MS(250));
    }

    #[test]
    fn several_limits_are_read() {
        let both = go("movetime 100 wtime 1000 btime 1000 winc 10 binc 20 movestogo 5");
        assert_eq!(
            (both.move_time, both.white_time, both.moves_to_go),
            (MS(100), MS(1000), Some(5))
        );
        assert_eq!(both.white_increment, Duration::from_millis(10));
        assert_eq!(both.black_increment, Duration::from_millis(20));
        let ponder = go("ponder wtime 1000 btime 900");
        assert!(ponder.ponder);
        assert_eq!((ponder.white_time, ponder.black_time), (MS(1000), MS(900)));
        let endless = go("ponder infinite");
        assert!(endless.ponder && endless.infinite);
        let all = go("depth 5 nodes 1000 mate 2");
        assert_eq!((all.depth, all.nodes, all.mate), (Some(5), Some(1000), Some(2)));
        // One clock alone.
        assert_eq!((go("wtime 100").white_time, go("wtime 100").black_time), (MS(100), None));
    }

    #[test]
    fn words_that_are_not_understood_become_complaints() {
        let odd = go("foo depth 5");
        assert_eq!(odd.depth, Some(5));
        assert_eq!(odd.complaints, ["go: \"foo\" is not understood"]);
        let bare = go("depth movetime 100");
        assert_eq!((bare.depth, bare.move_time), (None, MS(100)));
        assert_eq!(bare.complaints, ["go: depth needs a whole number"]);
        assert_eq!(go("depth five").complaints.len(), 1);
        assert_eq!(go("depth -").complaints.len(), 1);
    }

    #[test]
    fn what_can_be_read_of_a_number_is_read() {
        let clock = go("wtime 5000.0 btime 4000.5 winc 10.0");
        assert_eq!((clock.white_time, clock.black_time), (MS(5000), MS(4000)));
        assert_eq!(clock.complaints[0], "go: wtime \"5000.0\" is read as 5000");
        assert_eq!(clock.complaints.len(), 3);
        assert_eq!(go("movetime 100ms").move_time, MS(100));
        assert_eq!(go("depth 12x").depth, Some(12));
        assert_eq!(go("Depth 12 NODES 5").depth, Some(12));
        assert_eq!(go("wtime -12.5").white_time, MS(0));
        assert_eq!(go("depth x12").depth, None);
        assert_eq!(go("depth --3").depth, None);
    }

    #[test]
    fn perft_and_searchmoves_are_read() {
        assert_eq!(go("perft 5").perft, Some(5));
        let some = go("searchmoves e2e4 d2d4 depth 3");
        assert_eq!(some.search_moves, ["e2e4", "d2d4"]);
        assert_eq!(some.depth, Some(3));
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
