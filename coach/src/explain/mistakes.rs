//! The marks of a game's moves, and why a mistake is one.

use crate::assess::{Idea, LineEnd, SearchedLine, Searcher, WhiteValue, played};
use crate::notation::PlayedGame;
use shakmaty::{Color, Move, Position};
use tropism::search::{Game, Limits};
use tropism::text::{line_in_san, side_name};

/// The losses of expected points from which a move has a mark.
///
/// Lichess has the same steps, 0.10, 0.20 and 0.30, on a scale from -1 (loss) to 1 (win). Here a loss is 0 and
/// a win is 1, so fewer moves are marked. By the model of `search::wdl`, from an equal position with all
/// pieces on the board, 0.10 is 36 centipawns, 0.20 is 75 and 0.30 is 121.
const LOSSES: [(f64, Mark); 3] =
    [(0.30, Mark::Blunder), (0.20, Mark::Mistake), (0.10, Mark::Inaccuracy)];

/// The most plies of a line that is shown.
const MAX_PLIES: usize = 12;
/// A move that loses less than this, in expected points, is as good as the best.
const EQUAL: f64 = 0.02;
/// How many times longer a mistake is searched before it is called one, and a sacrifice.
const CHECK: u32 = 4;
const SACRIFICE: u32 = 8;
/// A longer mate is a win, not a mate that one sees.
const MANY_MOVES: u32 = 10;
/// To miss or to allow a mate in at most so many moves is a blunder.
const SHORT_MATE: u32 = 3;

/// How bad a move is. The name of the variant is the name of the mark.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Mark {
    Inaccuracy,
    Mistake,
    Blunder,
}

impl Mark {
    /// The mark of a move that loses so many expected points, as [`Pair::loss`] gives them.
    fn of_loss(loss: f64) -> Option<Mark> {
        LOSSES.into_iter().find(|&(least, _)| loss >= least).map(|(_, mark)| mark)
    }

    /// The mark as players write it.
    pub fn sign(self) -> &'static str {
        match self {
            Mark::Inaccuracy => "?!",
            Mark::Mistake => "?",
            Mark::Blunder => "??",
        }
    }

    /// The numeric annotation glyph of the PGN standard.
    pub fn nag(self) -> u8 {
        match self {
            Mark::Inaccuracy => 6,
            Mark::Mistake => 2,
            Mark::Blunder => 4,
        }
    }
}

/// A move of the game, compared with the best move of the search.
#[derive(Clone, Debug)]
pub struct ReviewedMove {
    /// The move as players write it, `22.Nd5`.
    pub name: String,
    pub side: Color,
    /// The number of the move.
    pub number: u32,
    /// The best move, its value and the line that follows.
    pub best: SearchedLine,
    /// The same of the move that was played.
    pub played: SearchedLine,
    /// Both lines in SAN.
    pub best_san: String,
    pub played_san: String,
    /// The expected points that the side to move loses, 0 to 1.
    pub loss: f64,
    pub mark: Option<Mark>,
    /// Why the move is a mistake, in sentences.
    pub reasons: Vec<String>,
}

impl ReviewedMove {
    /// The move with its mark, `9...b5?`.
    pub fn marked_name(&self) -> String {
        format!("{}{}", self.name, self.mark.map_or("", Mark::sign))
    }

    /// Whether there is no better move.
    pub fn is_best(&self) -> bool {
        self.best.moves.first() == self.played.moves.first()
    }

    /// What a mistake is, what was better, and why. Nothing of another move.
    pub fn sentences(&self) -> Vec<String> {
        let Some(mark) = self.mark else { return Vec::new() };
        let better = self.best_san.split(' ').next().unwrap_or_default();
        let value = self.best.value.figure();
        let costs =
            format!("{mark:?}, costs {:.2} of a point; better is {better} ({value})", self.loss);
        let sentences = std::iter::once(&costs).chain(&self.reasons);
        sentences.map(|sentence| format!("{sentence}.")).collect()
    }
}

/// Reviews all moves of a game. `searched` has each of its positions, searched within `limits`; what a longer search of
/// a seeming mistake finds is put in.
pub fn review_moves(
    searcher: &Searcher,
    game: &PlayedGame,
    searched: &mut [SearchedLine],
    limits: &Limits,
) -> Vec<ReviewedMove> {
    let mut before = Game::new(game.start.clone());
    let mut reviewed = Vec::with_capacity(game.moves.len());
    for (ply, &m) in game.moves.iter().enumerate() {
        let Some([here, next]) = searched.get_mut(ply..ply + 2) else { break };
        let pair = Pair::new(&before, m, here, next).checked(searcher, limits);
        next.value = pair.played.value;
        next.moves = pair.played.moves[1..].to_vec();
        let loss = pair.loss();
        let mark = pair.mark();
        let reasons = if mark.is_some() { pair.reasons(searcher, limits) } else { Vec::new() };
        let Pair { mut best, mut played, .. } = pair;
        best.moves.truncate(MAX_PLIES);
        played.moves.truncate(MAX_PLIES);
        let chess = before.position().chess();
        reviewed.push(ReviewedMove {
            name: game.name(ply),
            side: chess.turn(),
            number: chess.fullmoves().get(),
            best_san: line_in_san(chess, &best.moves),
            played_san: line_in_san(chess, &played.moves),
            best,
            played,
            loss,
            mark,
            reasons,
        });
        before.play(m);
    }
    reviewed
}

/// The best line and the played line from one position.
pub struct Pair<'a> {
    game: &'a Game,
    best: SearchedLine,
    pub played: SearchedLine,
}

impl<'a> Pair<'a> {
    fn new(game: &'a Game, m: Move, here: &SearchedLine, next: &SearchedLine) -> Pair<'a> {
        let mut played = next.clone();
        played.moves.insert(0, m);
        Pair { game, best: here.clone(), played }.with_equal_moves()
    }

    /// A move that somebody tries instead of a mistake, searched as long as one. `best` is the best line.
    pub fn tried(
        searcher: &Searcher,
        game: &'a Game,
        best: SearchedLine,
        m: Move,
        limits: &Limits,
    ) -> Pair<'a> {
        let limits = Limits { search_moves: vec![m], ..longer(limits, CHECK) };
        Pair { game, best, played: searcher.line(game, &limits) }
    }

    /// Whether the played move loses so little that it would have no mark.
    pub fn is_good(&self) -> bool {
        self.loss() < LOSSES[2].0 / 2.0
    }

    fn side(&self) -> Color {
        self.game.position().chess().turn()
    }

    /// A move that is as good as the best one is the best.
    fn with_equal_moves(mut self) -> Pair<'a> {
        let is_same = self.best.moves.first() == self.played.moves.first();
        if is_same || self.best.moves.is_empty() || self.loss() < EQUAL {
            self.best = self.played.clone();
        }
        self
    }

    /// The same after a longer search of both moves, if the played one seems to be a mistake: a sacrifice may need it.
    fn checked(self, searcher: &Searcher, limits: &Limits) -> Pair<'a> {
        if self.loss() < LOSSES[2].0 {
            return self;
        }
        let (Some(&best), Some(&m)) = (self.best.moves.first(), self.played.moves.first()) else {
            return self;
        };
        let gives = LineEnd::of(self.game, &self.played.moves[..self.played.moves.len().min(3)]);
        let is_sacrifice = matches!(gives, LineEnd::Material(balance) if balance.pawns() < 0);
        let longer = longer(limits, if is_sacrifice { SACRIFICE } else { CHECK });
        let [best, played] = [best, m].map(|m| {
            let limits = Limits { search_moves: vec![m], ..longer.clone() };
            searcher.line(self.game, &limits)
        });
        // Where a rule has ended the game, a search finds no move.
        let is_found = |line: &SearchedLine| !line.moves.is_empty();
        match is_found(&best) && is_found(&played) {
            true => Pair { best, played, ..self }.with_equal_moves(),
            false => self,
        }
    }

    /// The expected points that the played move loses, in hundredths as they are shown: what is shown decides the mark.
    /// Both values on one board: what a value means depends on the material.
    pub fn loss(&self) -> f64 {
        let board = self.game.position().chess().board();
        let sign = self.side().fold_wb(1.0, -1.0);
        let points = |line: &SearchedLine| sign * line.value.expected_points(board);
        let hundredths = (100.0 * (points(&self.best) - points(&self.played))).round();
        hundredths.max(0.0) / 100.0
    }

    fn mark(&self) -> Option<Mark> {
        // A short mate is plain to see: whoever misses or allows it has blundered.
        let is_short =
            |line: &SearchedLine| matches!(line.value, WhiteValue::Mate(_, ..=SHORT_MATE));
        match Mark::of_loss(self.loss()) {
            Some(_) if is_short(&self.best) || is_short(&self.played) => Some(Mark::Blunder),
            mark => mark,
        }
    }

    /// Why the played move is worse: what it allows, and what the better move does.
    fn reasons(&self, searcher: &Searcher, limits: &Limits) -> Vec<String> {
        let answer = answer(searcher, self.game, &self.played, limits);
        answer.into_iter().chain(self.missed(searcher)).collect()
    }

    /// What the better move does.
    fn missed(&self, searcher: &Searcher) -> Option<String> {
        let side = self.side();
        match self.best.value {
            WhiteValue::Mate(winner, moves) if winner == side => {
                let missed = match moves {
                    ..=MANY_MOVES => format!("misses a mate in {moves}"),
                    _ => "lets the win slip".to_owned(),
                };
                Some(format!("{} {missed}", side_name(side)))
            }
            _ => {
                let (name, why) = purpose(searcher, self.game, &self.best)?;
                Some(format!("{name} is better: {}", uncapitalized(&why)))
            }
        }
    }
}

/// The first move of a line with its number, and what it is for.
pub fn purpose(searcher: &Searcher, game: &Game, line: &SearchedLine) -> Option<(String, String)> {
    let line = searcher.with_quiet_end(game, line.clone());
    let idea = Idea::new(game, &line);
    Some((idea.name(0), idea.tactics().or_else(|| idea.plan())?))
}

/// What the opponent answers to the first move of a line, and why it is good, without a full stop.
pub fn answer(
    searcher: &Searcher,
    game: &Game,
    line: &SearchedLine,
    limits: &Limits,
) -> Option<String> {
    let side = game.position().chess().turn();
    // Where a rule has ended the game, a search finds no move.
    let after = played(game, line.moves.get(..1)?);
    match line.value {
        WhiteValue::Mate(winner, moves) if winner != side && moves > 0 => {
            return Some(line.value.in_words());
        }
        _ if line.moves.len() == 1 => {
            return after.outcome().map(|outcome| format!("The game is a {outcome}"));
        }
        _ => {}
    }
    let reply = SearchedLine { moves: line.moves[1..].to_vec(), ..line.clone() };
    let reply = searcher.with_quiet_end(&after, reply);
    let idea = Idea::answer(game, &after, &reply);
    let quiet = reply.moves.first().filter(|m| !m.is_capture());
    let threat = || searcher.new_threat(&after, *quiet?, limits, line.value);
    let what = idea.tactics().or_else(threat).or_else(|| idea.plan());
    let what = what.map(|what| format!(". {}", what.trim_end_matches('.'))).unwrap_or_default();
    Some(format!("The answer is {}{what}", idea.name(0)))
}

/// Limits for a search that is so many times as long.
fn longer(limits: &Limits, times: u32) -> Limits {
    Limits {
        depth: limits.depth.map(|depth| depth + times.ilog2()),
        nodes: limits.nodes.map(|nodes| nodes * u64::from(times)),
        move_time: limits.move_time.map(|time| time * times),
        ..Limits::default()
    }
}

/// A sentence without its full stop, for the middle of another.
fn uncapitalized(sentence: &str) -> String {
    let mut letters = sentence.trim_end_matches('.').chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::Chess;

    /// Report: "Mistake, costs 0.30 of a point", which is a blunder.
    #[test]
    fn the_loss_that_is_shown_decides_the_mark() {
        let game = Game::new(Chess::default());
        let line = |value| SearchedLine {
            value: WhiteValue::Centipawns(value),
            depth: 1,
            moves: Vec::new(),
        };
        let of = |played| Pair { game: &game, best: line(0), played: line(played) };
        for played in -200..=0 {
            let (pair, shown) = (of(played), format!("{:.2}", of(played).loss()));
            let sign = match shown.parse::<f64>().unwrap() {
                loss if loss < 0.1 => "",
                loss if loss < 0.2 => "?!",
                loss if loss < 0.3 => "?",
                _ => "??",
            };
            assert_eq!(pair.mark().map_or("", Mark::sign), sign, "{played}: {shown}");
        }
    }
}
