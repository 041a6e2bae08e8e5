//! The marks of a game's moves, and why a mistake is one.

use super::game_search::CHECK;
use crate::assess::{
    Idea, SearchedLine, Searcher, Stake, WhiteValue, answer, ends, named, offer, offered, passed,
    played, scaled, second, uncapitalized,
};
use crate::exercise::after;
use crate::motifs::is_in_danger;
use crate::notation::PlayedGame;
use shakmaty::{Bitboard, Chess, Color, Move, Position, Square};
use tropism::search::{Game, Limits, see_ge};
use tropism::text::{capitalized, line_in_san, noun, side_name};

/// The losses of expected points from which a move has a mark.
///
/// Lichess has the same steps, 0.10, 0.20 and 0.30, on a scale from -1 (loss) to 1 (win). Here a loss is 0 and
/// a win is 1, so fewer moves are marked. By the model of `search::wdl`, from an equal position with all
/// pieces on the board, 0.10 is 36 centipawns, 0.20 is 75 and 0.30 is 121.
const LOSSES: [(f64, Mark); 3] =
    [(0.30, Mark::Blunder), (0.20, Mark::Mistake), (0.10, Mark::Inaccuracy)];

/// Where a short mate is missed or allowed, the mark depends on the value without it, in centipawns, as on Lichess.
const MATES: [(f64, Mark); 2] = [(1000.0, Mark::Inaccuracy), (700.0, Mark::Mistake)];

/// The most plies of a line that is shown.
const MAX_PLIES: usize = 12;
/// A move that loses less than this, in expected points, is as good as the best.
const EQUAL: f64 = 0.02;
/// Where all other moves lose so many expected points, the best one is a good move.
const GOOD: f64 = 0.20;
/// Where they lose so many, a best move that offers a piece is brilliant.
const BRILLIANT: f64 = 0.05;
/// The first look at the other moves, as a share of a search.
const GLANCE: f64 = 0.25;
/// The expected points that a brilliant move keeps at least.
const KEPT: f64 = 0.5;
/// A longer mate is a win, not a mate that one sees.
const MANY_MOVES: u32 = 10;
/// A mate in at most so many moves is one that players see.
const SHORT_MATE: u32 = 3;
/// A value that wins as easily as a long mate, in centipawns.
const EASY: f64 = 500.0;

/// How bad or good a move is, as the numeric annotation glyph of the PGN standard.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Mark {
    Inaccuracy = 6,
    Mistake = 2,
    Blunder = 4,
    /// All other moves lose much.
    Good = 1,
    /// The best move, which offers a piece.
    Brilliant = 3,
}

impl Mark {
    /// All marks, in the order in which they are counted.
    pub const ALL: [Mark; 5] =
        [Mark::Brilliant, Mark::Good, Mark::Blunder, Mark::Mistake, Mark::Inaccuracy];

    /// Whether a better move was there.
    pub fn is_mistake(self) -> bool {
        !matches!(self, Mark::Good | Mark::Brilliant)
    }

    /// The mark as players write it, and the name.
    fn forms(self) -> (&'static str, &'static str) {
        match self {
            Mark::Inaccuracy => ("?!", "inaccuracy"),
            Mark::Mistake => ("?", "mistake"),
            Mark::Blunder => ("??", "blunder"),
            Mark::Good => ("!", "good move"),
            Mark::Brilliant => ("!!", "brilliant move"),
        }
    }

    /// The mark as players write it.
    pub fn sign(self) -> &'static str {
        self.forms().0
    }

    /// The name, without a capital.
    pub fn name(self) -> &'static str {
        self.forms().1
    }
}

/// A move of the game, compared with the best move of the search.
#[derive(Clone, Debug)]
pub struct ReviewedMove {
    /// The game before it, and before the move of the other side that it answers.
    pub game: Game,
    previous: Game,
    /// The best move, its value and the line that follows.
    pub best: SearchedLine,
    /// The same of the move that was played.
    pub played: SearchedLine,
    /// Another move is the best of the search, but not by much.
    pub is_equal: bool,
    pub mark: Option<Mark>,
    /// Why the move has its mark, in sentences.
    pub reasons: Vec<String>,
}

/// Reviews all moves of a game. `searched` has each of its positions.
pub fn review_moves(
    searcher: &Searcher,
    game: &PlayedGame,
    mut searched: Vec<SearchedLine>,
    limits: &Limits,
) -> Vec<ReviewedMove> {
    let mut before = Game::new(game.start.clone());
    let mut previous = before.clone();
    let mut reviewed = Vec::with_capacity(game.moves.len());
    let mut defended = 0;
    for (ply, &m) in game.moves.iter().enumerate() {
        let (now, after) = (before.clone(), played(&before, &[m]));
        let of = |lines: &[SearchedLine]| {
            ReviewedMove::new([&previous, &now], m, &lines[ply], &lines[ply + 1])
        };
        let mut it = of(&searched);
        let mark = it.found_mark();
        if mark.is_some() {
            // The answer to a mistake is also what is better than the next move: one line for both.
            for (at, game) in [(ply, &now), (ply + 1, &after)] {
                if defended <= at {
                    searched[at] = searcher.defended(game, searched[at].clone(), 1, limits);
                    defended = at + 1;
                }
            }
            it = of(&searched);
        }
        let found = match mark {
            Some(mark) => Some((mark, it.why_worse(searcher, limits))),
            None => it.praise(searcher, limits, ply.checked_sub(1).map(|it| game.moves[it].to())),
        };
        if let Some((mark, reasons)) = found {
            (it.mark, it.reasons) = (Some(mark), reasons);
        }
        it.best.moves.truncate(MAX_PLIES);
        it.played.moves.truncate(MAX_PLIES);
        reviewed.push(it);
        (previous, before) = (now, after);
    }
    reviewed
}

impl ReviewedMove {
    fn new(games: [&Game; 2], m: Move, here: &SearchedLine, next: &SearchedLine) -> ReviewedMove {
        let mut played = next.clone();
        played.moves.insert(0, m);
        let ([previous, game], best) = (games.map(Game::clone), here.clone());
        let is_equal = here.moves.first() != Some(&m);
        let (mark, reasons) = (None, Vec::new());
        let mut it = ReviewedMove { game, previous, best, played, is_equal, mark, reasons };
        // A move that is as good as the best one is the best.
        if !is_equal || it.loss() < EQUAL && it.found_mark().is_none() {
            it.best = it.played.clone();
        }
        it
    }

    /// A move that somebody tries instead of this one, searched as long as a mistake.
    pub fn tried(&self, searcher: &Searcher, m: Move, limits: &Limits) -> ReviewedMove {
        let limits = Limits { search_moves: vec![m], ..scaled(limits, CHECK) };
        ReviewedMove { played: searcher.line(&self.game, &limits), ..self.clone() }
    }

    /// The position before it.
    pub fn position(&self) -> &Chess {
        self.game.position().chess()
    }

    pub fn side(&self) -> Color {
        self.position().turn()
    }

    /// The move as players write it, `22.Nd5`.
    pub fn name(&self) -> String {
        named(&self.game, &self.played.moves, 0)
    }

    pub fn sign(&self) -> &'static str {
        self.mark.map_or("", Mark::sign)
    }

    /// The move with its mark, `9...b5?`.
    pub fn marked_name(&self) -> String {
        format!("{}{}", self.name(), self.sign())
    }

    pub fn best_san(&self) -> String {
        line_in_san(self.position(), &self.best.moves)
    }

    pub fn played_san(&self) -> String {
        line_in_san(self.position(), &self.played.moves)
    }

    /// The better move, with its number.
    pub fn better(&self) -> String {
        line_in_san(self.position(), &self.best.moves[..self.best.moves.len().min(1)])
    }

    /// The expected points that the side to move loses, in hundredths as they are shown: what is shown decides the mark.
    /// Both values on one board: what a value means depends on the material.
    pub fn loss(&self) -> f64 {
        let lost = self.best.value.points(&self.game) - self.points();
        (100.0 * lost).round().max(0.0) / 100.0
    }

    /// The expected points that the side to move has then, 0 to 1.
    pub fn points(&self) -> f64 {
        self.played.value.points(&self.game)
    }

    /// Whether there is no better move.
    pub fn is_best(&self) -> bool {
        self.best.moves.first() == self.played.moves.first()
    }

    /// Whether it has the mark of a mistake.
    pub fn is_mistake(&self) -> bool {
        self.mark.is_some_and(Mark::is_mistake)
    }

    /// Whether it loses so little that it would have no mark.
    pub fn is_good(&self) -> bool {
        self.loss() < LOSSES[2].0 / 2.0
    }

    /// What the mark says, and why. Nothing of a move without a mark.
    pub fn sentences(&self) -> Vec<String> {
        let Some(mark) = self.mark else { return Vec::new() };
        let mut first = capitalized(mark.name());
        if mark.is_mistake() {
            // The mark of a missed or allowed mate is not by what it costs.
            let is_mate = |line: &SearchedLine| matches!(line.value, WhiteValue::Mate(..));
            let by_mate = is_mate(&self.best) || is_mate(&self.played);
            if self.loss() >= LOSSES[2].0 || self.loss() > 0.0 && !by_mate {
                first += &format!(", costs {:.2} of a point", self.loss());
            }
            first += &format!("; better is {} ({})", self.better(), self.best.value.figure());
        }
        let sentences = std::iter::once(&first).chain(&self.reasons);
        sentences.map(|sentence| format!("{}.", sentence.trim_end_matches('.'))).collect()
    }

    /// The mark of a mistake: by a short mate that it misses or allows, else by its loss.
    fn found_mark(&self) -> Option<Mark> {
        let mates = |line: &SearchedLine, most: u32| match line.value {
            WhiteValue::Mate(winner, moves) if moves <= most => Some(winner),
            _ => None,
        };
        let (side, best, played) = (self.side(), &self.best, &self.played);
        let [missed, allowed] = [best, played].map(|line| mates(line, SHORT_MATE));
        let [was, is] = [best, played].map(|line| mates(line, u32::MAX));
        if missed == Some(side) && is != missed || allowed == Some(!side) && was != allowed {
            // What is left of a mate that is gone, or what the other side had before one was allowed.
            let (winner, other) = if missed == Some(side) { (side, played) } else { (!side, best) };
            let known = MATES.into_iter().find(|&(least, _)| other.value.of(winner) >= least);
            return Some(known.map_or(Mark::Blunder, |it| it.1));
        }
        // The result stays, but a mate is gone.
        let is_gone = mates(best, MANY_MOVES) == Some(side) && played.value.of(side) < EASY;
        let by_loss = LOSSES.into_iter().find(|&(least, _)| self.loss() >= least);
        by_loss.map(|it| it.1).or(is_gone.then_some(Mark::Inaccuracy))
    }

    /// The mark of a best move that is hard to find, and why. A capture that wins or takes back on `last`, a way out of
    /// check or of another attack, and a mate at once are not.
    fn praise(
        &self,
        searcher: &Searcher,
        limits: &Limits,
        last: Option<Square>,
    ) -> Option<(Mark, Vec<String>)> {
        let chess = self.position();
        let m = *self.played.moves.first()?;
        let is_plain = m.is_capture() && (Some(m.to()) == last || see_ge(chess, m, 0))
            || chess.is_check()
            || m.from().is_some_and(|from| is_in_danger(chess.board(), from))
            || matches!(self.played.value, WhiteValue::Mate(_, 0));
        let others: Vec<Move> = chess.legal_moves().into_iter().filter(|&it| it != m).collect();
        if self.best.moves != self.played.moves || is_plain || others.is_empty() {
            return None;
        }
        let offered =
            offered(chess, m).and_then(|take| take.0.capture()).filter(|_| self.points() >= KEPT);
        let (mark, least) = match offered {
            Some(_) => (Mark::Brilliant, BRILLIANT),
            None => (Mark::Good, GOOD),
        };
        let look = |limits: Limits| {
            let limits = Limits { search_moves: others.clone(), ..limits };
            let line = searcher.line(&self.game, &limits);
            let lost = self.points() - line.value.points(&self.game);
            (lost >= least).then_some(line)
        };
        look(scaled(limits, GLANCE))?;
        let next = look(scaled(limits, CHECK))?;
        let mut before = self.clone();
        before.best = searcher.defended(&self.game, before.best, 1, limits);
        let text = || offer(searcher, &self.game, &before.best, limits);
        let plain = |role| format!("It offers the {}", noun(role));
        let offers = offered.map(|role| text().unwrap_or_else(|| plain(role)));
        let next = second(searcher, &self.game, &next, &scaled(limits, GLANCE));
        // Its value is that after the move: the mate was one move longer before it.
        if let WhiteValue::Mate(_, moves) = &mut before.best.value {
            *moves += 1;
        }
        let is_new = |why: &String| offered.is_none() || why.contains(" mates");
        let threat =
            || searcher.line(&passed(chess)?, &scaled(limits, GLANCE)).moves.into_iter().next();
        let prevents = || searcher.prevents(&self.game, m, threat()?, self.played.value, limits);
        let why = before.purpose(searcher, prevents).filter(is_new);
        Some((mark, offers.into_iter().chain(why).chain([next]).collect()))
    }

    /// Why the played move is worse: what it allows, and what the better move does.
    pub fn why_worse(&self, searcher: &Searcher, limits: &Limits) -> Vec<String> {
        let line = searcher.with_quiet_end(&self.game, self.best.clone());
        let better = self.idea(&line);
        let first = |line: &SearchedLine| line.moves.first().copied();
        // What the played move attacks has to be answered too.
        let attacked = |m: Move| after(self.position(), m).board().attacks_from(m.to());
        let attacked = first(&self.played).map(attacked).unwrap_or_default();
        let squares = better.tactics().map(|_| better.squares() | attacked);
        let missed = Stake { other: first(&self.best), squares };
        let answer = answer(searcher, &self.game, &self.played, limits, missed);
        // What it captures is at stake in any case.
        let captures = self.played.moves.get(1).filter(|m| m.is_capture()).map(|&m| ends(m));
        let squares = answer.as_ref().and_then(|answer| answer.stake).or(captures);
        // So is what it moves: the better move may defend that.
        let from = first(&self.played).and_then(|m| m.from());
        let squares = squares.map(|squares| squares | Bitboard::from_iter(from));
        let stake = Stake { other: first(&self.played), squares };
        let answer = answer.map(|it| it.text);
        // Both moves may trade bishops.
        let is_same = |missed: &String| {
            let why = missed.split_once(": ").map(|it| capitalized(it.1));
            answer.as_ref().zip(why).is_some_and(|(answer, why)| answer.ends_with(&why))
        };
        let missed = self.missed(searcher, limits, stake, (&line, &better));
        let missed = missed.filter(|missed| !is_same(missed));
        answer.into_iter().chain(missed).collect()
    }

    /// The idea of a line. What takes back counts from before the move that it answers.
    fn idea<'a>(&'a self, line: &'a SearchedLine) -> Idea<'a> {
        let [before, now] = [&self.previous, &self.game].map(|it| it.position().chess().board());
        let taken = before.by_color(self.side()) & now.by_color(!self.side());
        let takes_back = line.moves.first().is_some_and(|m| taken.contains(m.to()));
        Idea::new(if takes_back { &self.previous } else { &self.game }, &self.game, line)
    }

    /// What the best move is for. `reason` says more than what it does in any case.
    pub fn purpose(
        &self,
        searcher: &Searcher,
        reason: impl FnOnce() -> Option<String>,
    ) -> Option<String> {
        let line = searcher.with_quiet_end(&self.game, self.best.clone());
        let idea = self.idea(&line);
        idea.tactics().or_else(|| idea.plan(Stake::default(), reason))
    }

    /// What the best move threatens and the played one does not.
    fn new_threat(&self, searcher: &Searcher, limits: &Limits) -> Option<String> {
        let of = |line: &SearchedLine| {
            let m = line.moves.first().copied().filter(|m| !m.is_capture())?;
            searcher.new_threat(&self.game, m, limits, line.value)
        };
        let threat = of(&self.best)?;
        let is_same = of(&self.played).is_some_and(|it| it.m == threat.m);
        (!is_same).then(|| format!("It {}.", threat.what))
    }

    /// What the better move does. What both moves do is no difference.
    fn missed(
        &self,
        searcher: &Searcher,
        limits: &Limits,
        stake: Stake,
        (line, idea): (&SearchedLine, &Idea),
    ) -> Option<String> {
        if let WhiteValue::Mate(winner, moves) = self.best.value
            && winner == self.side()
        {
            let missed = match moves {
                ..=MANY_MOVES => format!("misses a mate in {moves}"),
                _ => "lets the win slip".to_owned(),
            };
            return Some(format!("{} {missed}", side_name(winner)));
        }
        let taken = |line: &SearchedLine| Some(line.moves.first().filter(|m| m.is_capture())?.to());
        if taken(&self.best).is_some_and(|square| Some(square) == taken(&self.played)) {
            return None;
        }
        let offer = || offer(searcher, &self.game, line, limits);
        // Where something falls, a threat does not help.
        let reason = || match (stake.squares, &line.moves[..], &self.played.moves[..]) {
            (None, ..) => self.new_threat(searcher, limits),
            (_, &[m, ..], &[_, reply, ..]) if !m.is_capture() => {
                searcher.prevents(&self.game, m, reply, line.value, limits)
            }
            _ => None,
        };
        let why = idea.tactics_or(offer).or_else(offer).or_else(|| idea.plan(stake, reason))?;
        Some(format!("{} is better: {}", self.better(), uncapitalized(&why)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Report: "Mistake, costs 0.30 of a point", which is a blunder.
    #[test]
    fn the_loss_that_is_shown_decides_the_mark() {
        let line = SearchedLine { value: WhiteValue::Centipawns(0), depth: 1, moves: Vec::new() };
        let (chess, game) = (Chess::default(), Game::new(Chess::default()));
        let mut it = ReviewedMove::new([&game; 2], chess.legal_moves()[0], &line, &line);
        for played in -200..=0 {
            it.played.value = WhiteValue::Centipawns(played);
            let shown = format!("{:.2}", it.loss());
            let tenths = (10.0 * shown.parse::<f64>().unwrap()) as usize;
            let sign = ["", "?!", "?", "??"][tenths.min(3)];
            assert_eq!(it.found_mark().map_or("", Mark::sign), sign, "{it:?}: {shown}");
        }
    }
}
