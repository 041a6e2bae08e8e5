//! Files of training data: positions of our own games, each with its score and its result.
//!
//! They are lines of text, so that any tool can read, count, cut and join them:
//!
//! ```text
//! # tropism data 1: seed 1, nodes 1000, engine tropism
//! rnbqk2r/pp2bppp/4pn2/2pp4/8/1P1P1NP1/P1P1PPBP/RNBQ1RK1 b kq - -34
//! r2q1rk1/pp1bbppp/2n1pn2/2pp4/8/1P1PPNP1/PBPN1PBP/R2Q1RK1 b - - -12
//! = 17 1-0
//! ```
//!
//! A line that begins with `#` is a remark; the first says how the file was made. A position is the
//! first four fields of its FEN and the score in centipawns from White's point of view, as a search of
//! the game saw it. `=` ends a game: its number and its result belong to the positions above it. A
//! game without that line was broken off and does not count.

use std::fmt;

/// How a game ended.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Ending {
    WhiteWins,
    Draw,
    BlackWins,
}

impl Ending {
    const ALL: [(Ending, &'static str); 3] =
        [(Ending::WhiteWins, "1-0"), (Ending::Draw, "1/2-1/2"), (Ending::BlackWins, "0-1")];

    /// White's share of the point.
    pub(super) fn points(self) -> f64 {
        match self {
            Ending::WhiteWins => 1.0,
            Ending::Draw => 0.5,
            Ending::BlackWins => 0.0,
        }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = Ending::ALL.iter().find(|(ending, _)| ending == self).map(|(_, name)| name);
        f.write_str(name.copied().unwrap_or_default())
    }
}

/// One line of a data file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Line<'a> {
    /// To be passed over.
    Remark,
    /// Four fields of a FEN, and White's score in centipawns.
    Position { fen: &'a str, score: i32 },
    /// The end of a game.
    End { number: u64, ending: Ending },
}

impl<'a> Line<'a> {
    /// Reads a line. The fields of a position are not looked at.
    ///
    /// # Errors
    ///
    /// What is wrong with it.
    pub(super) fn parse(line: &'a str) -> Result<Line<'a>, String> {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            return Ok(Line::Remark);
        }
        if let Some(end) = line.strip_prefix('=') {
            let (number, ending) = end.trim().split_once(' ').unwrap_or_default();
            let number = number.parse().map_err(|_| "no game number after `=`")?;
            let known = Ending::ALL.iter().find(|(_, name)| *name == ending.trim());
            let (ending, _) = known.ok_or("no result 1-0, 0-1 or 1/2-1/2 at the end of a game")?;
            return Ok(Line::End { number, ending: *ending });
        }
        let (fen, score) = line.rsplit_once(' ').ok_or("no score after the position")?;
        let score = score.parse().map_err(|_| format!("the score {score:?} is no number"))?;
        Ok(Line::Position { fen, score })
    }
}

/// The part of a file's text that consists of whole games.
pub(super) fn whole_games(text: &str) -> &str {
    let end_of_line = |from: usize| text[from..].find('\n').map(|length| from + length + 1);
    let last = match text.rfind("\n=") {
        Some(break_before) => break_before + 1,
        None => 0,
    };
    // A closing line that was cut short has no end of line either.
    match end_of_line(last) {
        Some(end) => &text[..end],
        None if last > 0 => whole_games(&text[..last]),
        None => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines() {
        let fen = "4k3/8/8/8/8/8/8/4K2R w K -";
        let line = format!("{fen} -34");
        assert_eq!(Line::parse(&line), Ok(Line::Position { fen, score: -34 }));
        for (ending, name) in Ending::ALL {
            assert_eq!(ending.to_string(), name);
            let line = format!("= 17 {name}\r");
            assert_eq!(Line::parse(&line), Ok(Line::End { number: 17, ending }));
        }
        assert_eq!(Line::parse("# anything"), Ok(Line::Remark));
        assert_eq!(Line::parse(""), Ok(Line::Remark));
    }

    #[test]
    fn what_is_wrong_with_a_line() {
        for (line, error) in [
            ("nonsense", "no score after the position"),
            ("4k3/8/8/8/8/8/8/4K2R w K -", "the score \"-\" is no number"),
            ("=", "no game number after `=`"),
            ("= 17", "no game number after `=`"),
            ("= 17 2-0", "no result 1-0, 0-1 or 1/2-1/2 at the end of a game"),
        ] {
            assert_eq!(Line::parse(line), Err(error.to_owned()), "{line}");
        }
    }

    #[test]
    fn what_a_kill_leaves_behind_is_cut() {
        let whole = "# head\na\n= 1 1-0\nb\n= 2 0-1\n";
        let one = "# head\na\n= 1 1-0\n";
        assert_eq!(whole_games(whole), whole);
        assert_eq!(whole_games(&format!("{whole}c\nd")), whole);
        assert_eq!(whole_games("# head\na\n= 1 1-0\nb\n= 2 0"), one);
        assert_eq!(whole_games("# head\na\nb\n"), "# head\n");
        assert_eq!(whole_games("# he"), "");
        assert_eq!(whole_games("# head\n= 1"), "# head\n");
    }
}
