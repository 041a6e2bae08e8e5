//! A move that looks good at first sight and is a mistake, with its refutation.

use super::idea::{Idea, relative};
use super::lines::{SearchedLine, Searcher, is_capture_with_gain, passed, played, scaled};
use super::offer::offer;
use super::plan::{Stake, ends};
use super::study::Study;
use super::{AssessedMove, WhiteValue, named};
use crate::exercise::{after, san};
use crate::motifs::{is_in_danger, motifs_of_move, worth};
use shakmaty::{Bitboard, Chess, Move, Position, Rank, Role};
use std::cmp::Reverse;
use tropism::endgame::Dtm;
use tropism::search::{Game, Limits, exact_value, see_ge};

/// How many moves that look good are looked into.
const TEMPTING: usize = 4;
/// The searches of a tempting move and of one that seems to be a mistake, as shares of the one for the best move.
const FIRST: f64 = 0.0625;
const CHECKED: f64 = 0.25;
/// The expected points that a tempting mistake loses at least, and one that no tactics refute.
const COSTLY: f64 = 0.15;
const PLAINLY_COSTLY: f64 = 0.3;

/// The most tempting mistake, or a better move than the best so far: what seems to be a mistake is searched twice.
pub fn mistake(study: &Study, best: &Idea) -> Option<AssessedMove> {
    let game = study.game;
    let searched = |m: Move, part: f64| {
        let limits = Limits { search_moves: vec![m], ..scaled(study.limits, part) };
        let line = study.searcher.line(game, &limits);
        let loss = study.loss(&line);
        (loss >= COSTLY).then_some((line, loss))
    };
    let mut plain = None;
    let why = best.tactics();
    let squares = why.as_ref().map(|_| best.squares());
    let stake = Stake { other: best.moves.first().copied(), squares };
    for m in tempting(study) {
        let Some((line, loss)) = searched(m, FIRST).and_then(|_| searched(m, CHECKED)) else {
            continue;
        };
        let limits = scaled(study.limits, CHECKED);
        // The opponent gains by it, and the replies are the player's.
        let line = study.searcher.defended(game, line, 2, &limits);
        let Some(answer) = answer(&study.searcher, game, &line, &limits, stake) else { continue };
        let missed = why.as_ref().filter(|_| answer.stake.is_none());
        let missed = missed.map(|why| format!("It misses {}{}", best.name(0), relative(why)));
        let sentences = vec![missed.unwrap_or_else(|| format!("{}.", answer.text))];
        let name = named(game, &line.moves, 0);
        let mistake = AssessedMove { name, value: line.value, sentences, line: line.moves };
        if answer.stake.is_some() {
            return Some(mistake);
        }
        plain = plain.or_else(|| (loss >= PLAINLY_COSTLY).then_some(mistake));
    }
    plain
}

/// What the opponent answers to a move.
pub struct Answer {
    /// The answer and why it is good, without a full stop.
    pub text: String,
    /// Where it takes something, if something forced makes it good.
    pub stake: Option<Bitboard>,
}

/// What the opponent answers to the first move of a line. `missed` is the better move, and what it wins.
pub fn answer(
    searcher: &Searcher,
    game: &Game,
    line: &SearchedLine,
    limits: &Limits,
    missed: Stake,
) -> Option<Answer> {
    // Where a rule has ended the game, a search finds no move.
    let after = played(game, line.moves.get(..1)?);
    let telling = |text: String| Some(Answer { text, stake: Some(Bitboard::EMPTY) });
    // Players may go on after a third repetition.
    if let Some(outcome) = after.outcome().filter(|_| line.moves.len() == 1) {
        return telling(format!("The game is a {outcome}"));
    }
    let reply = SearchedLine { moves: line.moves[1..].to_vec(), ..line.clone() };
    let reply = searcher.with_quiet_end(&after, reply);
    let idea = Idea::new(game, &after, &reply);
    let name = reply.moves.first().map(|_| idea.name(0));
    if exact_value(&after) == Some(Dtm::Draw) {
        let answer = name.map(|name| format!("The answer is {name}. ")).unwrap_or_default();
        return telling(format!("{answer}Then the position is a draw"));
    }
    let name = name?;
    let quiet = reply.moves.first().copied().filter(|m| !m.is_capture());
    let threat = || searcher.new_threat(&after, quiet?, limits, line.value);
    let chess = after.position().chess();
    // Who gets out of check attacks what gives it.
    let is_plain = |m: Move| chess.is_check() && m.to() == line.moves[0].to();
    let threat =
        || threat().filter(|it| !is_plain(it.m)).map(|it| (it.of(chess.turn()), ends(it.m)));
    let is_mate = matches!(line.value, WhiteValue::Mate(winner, _) if winner == chess.turn());
    let mates = || is_mate.then(|| (line.value.clause(chess.board()), Bitboard::EMPTY));
    let offer = || offer(searcher, &after, &reply, limits);
    let tactics = idea.tactics_or(offer).map(|why| (why, idea.squares()));
    let forced = tactics.or_else(threat).or_else(mates);
    let (forced, stake) = forced.unzip();
    let is_missed = missed.squares.is_some();
    let prevents = || searcher.prevents(&after, quiet?, missed.other?, line.value, limits);
    // What a trade leaves says more than the trade.
    let stands = || idea.stands().filter(|_| is_missed);
    let left = || stands().filter(|_| quiet.is_none());
    let why = forced.or_else(offer).or_else(left).or_else(|| idea.plan(missed, prevents));
    let why = why.or_else(stands).or_else(|| idea.next().filter(|_| !is_missed));
    let why = why.map(|why| format!(". {}", why.trim_end_matches('.'))).unwrap_or_default();
    Some(Answer { text: format!("The answer is {name}{why}"), stake })
}

/// Expected points: by how many an answer must spoil a move and make it worse than another, and how few are none.
const SPOILED: f64 = 0.2;
const BAD: f64 = 0.1;
const NOTHING: f64 = 0.03;

impl Searcher<'_> {
    /// The move of the other side that a quiet move makes bad, as a sentence, if it would be good after a pass. `value` is
    /// that of the position after the quiet move.
    pub fn prevents(
        &self,
        game: &Game,
        m: Move,
        prevented: Move,
        value: WhiteValue,
        limits: &Limits,
    ) -> Option<String> {
        let passed = passed(game.position().chess())
            .filter(|it| it.position().chess().is_legal(prevented))?;
        // A check, a flight and a move to the square itself do more than that. A quiet move is no threat.
        let is_quiet = || !is_active(passed.position().chess(), prevented);
        let then = played(game, &[m]);
        let board = game.position().chess().board();
        let checks = || after(passed.position().chess(), prevented).is_check();
        let flees = |from| prevented.to() == from && !checks() || is_in_danger(board, from);
        let goes = prevented.to() == m.to() || m.from().is_some_and(flees);
        if goes || then.position().is_check() || is_quiet() {
            return None;
        }
        let points = |game: &Game| {
            let limits = Limits { search_moves: vec![prevented], ..scaled(limits, CHECKED) };
            let is_legal = game.position().chess().is_legal(prevented);
            is_legal.then(|| self.line(game, &limits).value.points(game))
        };
        let name = san(passed.position().chess(), prevented);
        let after = points(&then).unwrap_or(0.0);
        // Where all is lost, it loses all.
        let is_bad = after <= (value.points(&then) - BAD).max(NOTHING);
        (is_bad && points(&passed)? - after >= SPOILED).then(|| format!("It prevents {name}."))
    }
}

/// The second best move, and the forced answer that makes it worse.
pub fn second(searcher: &Searcher, game: &Game, line: &SearchedLine, limits: &Limits) -> String {
    let (name, value) = (named(game, &line.moves, 0), line.value.figure());
    let answer = answer(searcher, game, line, limits, Stake::default());
    let answer = answer.filter(|answer| answer.stake.is_some());
    let answer = answer.map(|answer| format!(" {}.", answer.text)).unwrap_or_default();
    format!("Second best is {name} ({value}).{answer}")
}

/// What players look at first: gains, then checks, then what looks good without a search.
fn tempting(study: &Study) -> Vec<Move> {
    let chess = study.game.position().chess();
    let mut moves = study.others();
    moves.retain(|&m| is_natural(chess, m));
    moves.sort_by_cached_key(|&m| {
        let taken = m.capture().map_or(0, worth) + m.promotion().map_or(0, worth);
        let gain = if is_capture_with_gain(chess, m) { taken } else { 0 };
        let after = after(chess, m);
        Reverse((gain, after.is_check(), -study.searcher.engine.evaluate(&after)))
    });
    moves.truncate(TEMPTING);
    moves
}

/// Whether a move is one that players look at first: it acts, castles or develops, and does not just give a piece away.
/// With few pieces, any move is.
fn is_natural(chess: &Chess, m: Move) -> bool {
    const ENDGAME_PIECES: usize = 8;
    let home = chess.turn().fold_wb(Rank::First, Rank::Eighth);
    let is_minor = matches!(m.role(), Role::Knight | Role::Bishop);
    let is_first = is_active(chess, m)
        || m.is_castle()
        || is_minor && m.from().is_some_and(|from| from.rank() == home)
        || chess.board().occupied().count() <= ENDGAME_PIECES;
    let is_queen = m.promotion().is_none_or(|role| role == Role::Queen);
    is_first && is_queen && see_ge(chess, m, 0)
}

/// Whether a move takes, promotes, checks or attacks.
fn is_active(chess: &Chess, m: Move) -> bool {
    m.is_capture()
        || m.is_promotion()
        || after(chess, m).is_check()
        || !motifs_of_move(chess, m).is_empty()
}
