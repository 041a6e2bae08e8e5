//! The `go` line.

use std::time::Duration;

/// What a `go` line asks for. Moves are still words: what they mean depends on the position.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Go {
    /// `depth N`
    pub depth: Option<u32>,
    /// `nodes N`
    pub nodes: Option<u64>,
    /// `movetime MS`
    pub move_time: Option<Duration>,
    /// `mate N`
    pub mate: Option<u32>,
    /// `wtime MS`
    pub white_time: Option<Duration>,
    /// `btime MS`
    pub black_time: Option<Duration>,
    /// `winc MS`
    pub white_increment: Duration,
    /// `binc MS`
    pub black_increment: Duration,
    /// `movestogo N`; 0, which some GUIs send, means the rest of the game.
    pub moves_to_go: Option<u32>,
    /// `infinite`: no best move before `stop`, even if the search has come to an end.
    pub infinite: bool,
    /// `ponder`: no best move before `stop` or `ponderhit`.
    pub ponder: bool,
    /// `searchmoves ...`
    pub search_moves: Vec<String>,
    /// `perft N`
    pub perft: Option<u32>,
    /// What could not be read, in words for the user.
    pub complaints: Vec<String>,
}

impl Go {
    /// Reads the words after `go`. What cannot be read is left out and complained of: a GUI waits
    /// for a best move, whatever it has written.
    pub(super) fn parse(words: &[&str]) -> Go {
        let mut go = Go::default();
        let mut rest = words.iter().copied().peekable();
        while let Some(word) = rest.next() {
            match word {
                "infinite" => go.infinite = true,
                "ponder" => go.ponder = true,
                "searchmoves" => {
                    while let Some(m) = rest.next_if(|word| !is_keyword(word)) {
                        go.search_moves.push(m.to_owned());
                    }
                }
                _ if is_keyword(word) => {
                    match rest.next_if(|next| !is_keyword(next)).and_then(number) {
                        Some(number) => go.set(word, number),
                        None => go.complaints.push(format!("go: {word} needs a whole number")),
                    }
                }
                _ => go.complaints.push(format!("go: {word:?} is not understood")),
            }
        }
        go
    }

    fn set(&mut self, keyword: &str, number: i64) {
        let natural = number.max(0) as u64;
        let small = u32::try_from(natural).unwrap_or(u32::MAX);
        // Nobody waits longer than this, and sums of it do not overflow.
        let time = Duration::from_millis(natural.min(1 << 40));
        match keyword {
            "depth" => self.depth = Some(small),
            "nodes" => self.nodes = Some(natural),
            "movetime" => self.move_time = Some(time),
            "mate" => self.mate = Some(small),
            "wtime" => self.white_time = Some(time),
            "btime" => self.black_time = Some(time),
            "winc" => self.white_increment = time,
            "binc" => self.black_increment = time,
            "movestogo" => self.moves_to_go = (small > 0).then_some(small),
            _ => self.perft = Some(small),
        }
    }
}

fn is_keyword(word: &str) -> bool {
    matches!(
        word,
        "depth"
            | "nodes"
            | "movetime"
            | "mate"
            | "wtime"
            | "btime"
            | "winc"
            | "binc"
            | "movestogo"
            | "perft"
            | "infinite"
            | "ponder"
            | "searchmoves"
    )
}

/// A whole number of any length, cut to what 64 bits can hold.
fn number(word: &str) -> Option<i64> {
    let digits = word.strip_prefix(['-', '+']).unwrap_or(word);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let limit = if word.starts_with('-') { i64::MIN } else { i64::MAX };
    Some(word.parse().unwrap_or(limit))
}
