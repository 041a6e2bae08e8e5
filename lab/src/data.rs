//! Files of training data: positions of games, each with its score and the result of its game.
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
//! A line that begins with `#` is a comment; the first comment says how the file was made. A position
//! is the first four fields of its FEN and the score of the search during the game, in centipawns from
//! White's point of view. `=` ends a game: its number and result belong to the positions above it. A
//! game without that line was interrupted and does not count.

use shakmaty::Color;
use std::fmt;

/// How a game ended.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum GameResult {
    WhiteWins,
    Draw,
    BlackWins,
}

impl GameResult {
    const ALL: [(GameResult, &'static str); 3] = [
        (GameResult::WhiteWins, "1-0"),
        (GameResult::Draw, "1/2-1/2"),
        (GameResult::BlackWins, "0-1"),
    ];

    /// The result of a game with this winner, or without one.
    pub(super) fn of_winner(winner: Option<Color>) -> GameResult {
        match winner {
            Some(Color::White) => GameResult::WhiteWins,
            Some(Color::Black) => GameResult::BlackWins,
            None => GameResult::Draw,
        }
    }

    /// White's points: 1, 0.5 or 0.
    pub(super) fn points(self) -> f64 {
        match self {
            GameResult::WhiteWins => 1.0,
            GameResult::Draw => 0.5,
            GameResult::BlackWins => 0.0,
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = GameResult::ALL.iter().find(|(result, _)| result == self).map(|(_, name)| name);
        f.write_str(name.copied().unwrap_or_default())
    }
}

/// One line of a data file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Line<'a> {
    /// A comment or an empty line.
    Comment,
    /// Four fields of a FEN, and White's score in centipawns.
    Position { fen: &'a str, score: i32 },
    /// The end of a game.
    End { number: u64, result: GameResult },
}

impl<'a> Line<'a> {
    /// Reads a line. The fields of the FEN are not checked.
    ///
    /// # Errors
    ///
    /// A sentence that says what is wrong with the line.
    pub(super) fn parse(line: &'a str) -> Result<Line<'a>, String> {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            return Ok(Line::Comment);
        }
        if let Some(end) = line.strip_prefix('=') {
            let (number, result) = end.trim().split_once(' ').unwrap_or_default();
            let number = number.parse().map_err(|_| "no game number after `=`")?;
            let known = GameResult::ALL.iter().find(|(_, name)| *name == result.trim());
            let (result, _) = known.ok_or("no result 1-0, 0-1 or 1/2-1/2 at the end of a game")?;
            return Ok(Line::End { number, result: *result });
        }
        let (fen, score) = line.rsplit_once(' ').ok_or("no score after the position")?;
        let score = score.parse().map_err(|_| format!("the score {score:?} is not a number"))?;
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
    match end_of_line(last) {
        Some(end) => &text[..end],
        // The line of the last result was cut short.
        None if last > 0 => whole_games(&text[..last]),
        None => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_line_is_read() {
        let fen = "4k3/8/8/8/8/8/8/4K2R w K -";
        let line = format!("{fen} -34");
        assert_eq!(Line::parse(&line), Ok(Line::Position { fen, score: -34 }));
        for (result, name) in GameResult::ALL {
            assert_eq!(result.to_string(), name);
            let line = format!("= 17 {name}\r");
            assert_eq!(Line::parse(&line), Ok(Line::End { number: 17, result }));
        }
        assert_eq!(Line::parse("# anything"), Ok(Line::Comment));
        assert_eq!(Line::parse(""), Ok(Line::Comment));
    }

    #[test]
    fn a_bad_line_is_refused_with_a_reason() {
        for (line, error) in [
            ("nonsense", "no score after the position"),
            ("4k3/8/8/8/8/8/8/4K2R w K -", "the score \"-\" is not a number"),
            ("=", "no game number after `=`"),
            ("= 17", "no game number after `=`"),
            ("= 17 2-0", "no result 1-0, 0-1 or 1/2-1/2 at the end of a game"),
        ] {
            assert_eq!(Line::parse(line), Err(error.to_owned()), "{line}");
        }
    }

    #[test]
    fn an_interrupted_game_is_cut_off() {
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
