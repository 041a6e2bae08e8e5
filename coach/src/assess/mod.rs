//! The assessment of a position: one verdict, the reasons by theme, what is threatened, the best move and what
//! it is for, and the mistake that is easiest to make.

mod idea;
mod lines;
mod text;
mod value;

pub(super) use idea::Idea;
pub(super) use lines::{LineEnd, SearchedLine, Searcher, played};
pub use value::WhiteValue;

use crate::Explanation;
use crate::motifs::{FoundMotif, motifs_of_move, pins};
use idea::{Threat, named, threat};
use lines::passed;
use shakmaty::{Chess, Color, Move, Position, Rank, Role};
use tropism::endgame::Dtm;
use tropism::eval::{Engine, Reason, Trace, theme};
use tropism::search::{
    Game, GameOutcome, Limits, SearchRequest, TranspositionTable, exact_value, search, see_ge,
};
use tropism::text::{counted, side_name};

/// The nodes of each search for a threat or a mistake, as a share of the main one.
const SIDE_SEARCH: u64 = 8;
/// The depth at which a move looks good, in plies, and how many such moves are looked into.
const GLANCE: u32 = 1;
const TEMPTING: usize = 4;
/// The replies of a line that are looked at for a threat.
const SHOWN_REPLIES: usize = 4;
/// With fewer expected points, a side has other worries than a threat of its own.
const LOST: f64 = 0.1;
/// The expected points that a tempting mistake loses at least, and one that no tactics refute.
const COSTLY: f64 = 0.15;
const PLAINLY_COSTLY: f64 = 0.3;
/// The smallest value of a reason, in centipawns, and the most reasons.
const SMALLEST: f64 = 15.0;
const MOST: usize = 5;
/// A reason is why a side is better if it has at least this share of the value.
const WHY: f64 = 0.3;

/// What a teacher says of a position. Prints as text; values are in pawns and positive if good for White.
#[derive(Clone, Debug)]
pub struct Assessment {
    start: Chess,
    /// Who is better, how much, and why.
    pub verdict: String,
    /// The largest first.
    pub reasons: Vec<Reason>,
    /// Why the static value is less than what the terms add up to, as a main clause: a scale factor or a known draw.
    pub scaling: Option<String>,
    /// What the side that is not to move threatens, as a main clause.
    pub threat: Option<String>,
    /// The depth of the search, in plies.
    pub depth: u32,
    /// The best move; none of a finished game.
    pub best: Option<AssessedMove>,
    /// A move that looks good and is not.
    pub mistake: Option<AssessedMove>,
}

/// A move with its value and what it is for, or why it is bad.
#[derive(Clone, Debug)]
pub struct AssessedMove {
    /// With its number, `22.Nd5`.
    pub name: String,
    /// The value of the search.
    pub value: WhiteValue,
    /// What it is for, or why it is bad.
    pub sentences: Vec<String>,
    /// The move and those that follow, to a quiet position.
    pub line: Vec<Move>,
}

impl Assessment {
    /// The nodes of the search if no limits are given.
    pub const DEFAULT_NODES: u64 = 100_000;

    /// Assesses an explained position. The limits are those of the search for the best move; threats and mistakes are
    /// looked for with an eighth of its nodes.
    pub(crate) fn new(
        explanation: &Explanation,
        engine: &Engine,
        game: &Game,
        table: &TranspositionTable,
        limits: &Limits,
    ) -> Assessment {
        let (trace, exact) = (&explanation.trace, explanation.exact);
        let chess = &trace.position;
        let start = chess.clone();
        if let Some(outcome) = game.outcome() {
            return Assessment::ended(start, outcome);
        }
        let searcher = Searcher { engine, table };
        let best = searcher.with_quiet_end(game, searcher.line(game, limits));
        let idea = Idea::new(game, &best);
        let side_limits = Limits {
            nodes: Some(limits.nodes.unwrap_or(Assessment::DEFAULT_NODES) / SIDE_SEARCH),
            ..Limits::default()
        };
        let threat = searcher.threat(game, &side_limits, best.value);
        let mut reasons = reasons(trace);
        // What is captured next does not count as an advantage.
        if idea.gain().is_some() {
            reasons
                .retain(|reason| reason.theme != theme::MATERIAL || reason.side() == chess.turn());
        }
        // Where the end is known, what speaks for the other side does not.
        let decided = decided(game, exact, &best);
        if let Some(winner) = decided {
            reasons.retain(|reason| Some(reason.side()) == winner);
        }
        let scaling = trace.scaling().filter(|_| decided.is_none());
        let verdict = verdict(game, exact, &best, &idea, &reasons);
        let mut sentences: Vec<String> = Vec::new();
        let is_forced = chess.legal_moves().len() == 1;
        if is_forced {
            sentences.push("It is the only legal move.".to_owned());
        }
        let tactics = idea.tactics();
        let is_quiet_move = tactics.is_none();
        // What is threatened and still happens in the best line is not met.
        let is_met = |threat: &Threat| {
            let replies = best.moves.iter().skip(1).step_by(2);
            !replies.take(SHOWN_REPLIES).any(|m| *m == threat.m)
        };
        let turn = chess.turn();
        let points = best.value.expected_points(chess.board());
        let is_lost = turn.fold_wb(points, 1.0 - points) < LOST;
        let meets = is_quiet_move && !is_lost && threat.as_ref().is_some_and(is_met);
        // A king that goes out of the way goes nowhere else.
        let is_walk = best.moves.first().is_some_and(|m| m.role() == Role::King && !m.is_castle());
        let plan = || idea.plan().filter(|_| !(is_forced || meets && is_walk));
        sentences.extend(tactics.or_else(plan));
        if meets {
            sentences.push("It meets the threat.".to_owned());
        }
        if is_quiet_move
            && !is_lost
            && let Some(m) = best.moves.first().filter(|m| !m.is_capture())
        {
            sentences.extend(searcher.new_threat(game, *m, &side_limits, best.value));
        }
        let threat = threat.map(|threat| threat.clause);
        let mistake = mistake(&searcher, game, &best, &side_limits);
        let depth = best.depth;
        let best = best.moves.first().map(|_| AssessedMove {
            name: named(game, &best.moves, 0),
            value: best.value,
            sentences,
            line: best.moves.clone(),
        });
        Assessment { start, verdict, reasons, scaling, threat, depth, best, mistake }
    }

    /// The assessment of a finished game.
    fn ended(start: Chess, outcome: GameOutcome) -> Assessment {
        let verdict = format!("The game is over: {outcome}.");
        Assessment {
            start,
            verdict,
            reasons: Vec::new(),
            scaling: None,
            threat: None,
            depth: 0,
            best: None,
            mistake: None,
        }
    }
}

impl Searcher<'_> {
    /// What the side that is not to move threatens. `value` is that of the position.
    fn threat(&self, game: &Game, limits: &Limits, value: WhiteValue) -> Option<Threat> {
        let passed = passed(game.position().chess()).filter(|_| game.outcome().is_none())?;
        let line = self.with_quiet_end(&passed, self.line(&passed, limits));
        threat(&passed, &line, value)
    }

    /// What a move of the side to move threatens, as a sentence. `value` is that of the position after it.
    pub fn new_threat(
        &self,
        game: &Game,
        m: Move,
        limits: &Limits,
        value: WhiteValue,
    ) -> Option<String> {
        let threat = self.threat(&played(game, &[m]), limits, value)?;
        Some(format!("{}.", threat.clause))
    }
}

/// The reasons of a position that weigh, the largest first.
fn reasons(trace: &Trace) -> Vec<Reason> {
    let mut reasons = trace.reasons();
    reasons.extend(pin(trace));
    reasons.retain(|reason| reason.value.abs() >= SMALLEST);
    reasons.sort_by(|a, b| b.value.abs().total_cmp(&a.value.abs()));
    reasons.truncate(MOST);
    reasons
}

/// A pin by one side only. Its value is that of all threats.
fn pin(trace: &Trace) -> Option<Reason> {
    let threats = trace.rows.iter().filter(|row| row.entry.theme == theme::THREATS);
    let value: f64 = threats.map(|row| row.total().centipawns(trace.context.phase)).sum();
    let side = Color::from_white(value > 0.0);
    let board = trace.position.board();
    let found = Color::ALL.into_iter().flat_map(|side| pins(board, side));
    let found: Vec<FoundMotif> = found.map(|pin| pin.found(board, 0)).collect();
    let pin = found.iter().find(|found| found.side == side)?;
    let is_one_sided = found.iter().all(|found| found.side == side);
    let theme = theme::THREATS.into();
    is_one_sided.then(|| Reason { theme, value, clause: pin.to_string(), detail: None })
}

/// The side that mates by an exact value for the side to move, and a clause about it; none in a draw.
pub(super) fn exact_mate(value: Dtm, turn: Color) -> Option<(Color, String)> {
    let (winner, plies) = match value {
        Dtm::Win(plies) => (turn, plies),
        Dtm::Loss(plies) => (!turn, plies),
        Dtm::Draw => return None,
    };
    let moves = counted(plies.div_ceil(2).into(), "move");
    Some((winner, format!("{} mates in {moves}", side_name(winner))))
}

/// The side that mates, or none in an exact draw, if the outcome is known.
fn decided(game: &Game, exact: Option<Dtm>, best: &SearchedLine) -> Option<Option<Color>> {
    let turn = game.position().chess().turn();
    match (exact, best.value) {
        (Some(value), _) => Some(exact_mate(value, turn).map(|(winner, _)| winner)),
        (None, WhiteValue::Mate(winner, _)) => Some(Some(winner)),
        (None, WhiteValue::Centipawns(_)) => None,
    }
}

/// Who is better, how much, and why in half a sentence.
fn verdict(
    game: &Game,
    exact: Option<Dtm>,
    best: &SearchedLine,
    idea: &Idea,
    reasons: &[Reason],
) -> String {
    let chess = game.position().chess();
    let turn = chess.turn();
    match exact.map(|value| exact_mate(value, turn)) {
        Some(None) => return "The position is a draw with best play (exact).".to_owned(),
        Some(Some((_, clause))) => return format!("{clause} with best play (exact)."),
        None => {}
    }
    if let WhiteValue::Mate(winner, moves) = best.value {
        return format!("{} mates in {}.", side_name(winner), counted(moves.into(), "move"));
    }
    let figure = best.value.figure();
    let size = best.value.clamped(1000.0).abs();
    let for_side = |side: Color| reasons.iter().find(move |reason| reason.side() == side);
    let why = |side: Color| for_side(side).filter(|reason| reason.value.abs() >= WHY * size);
    let own = || idea.gain().map(|gain| format!("{} {gain}", named(game, &best.moves, 0)));
    let other = || match &idea.result {
        LineEnd::Material(won) => {
            won.negated().won().map(|won| format!("{} wins {won}", side_name(!turn)))
        }
        _ => None,
    };
    match best.value.words(chess.board()) {
        None => {
            let balance = match [Color::White, Color::Black].map(for_side) {
                [Some(white), Some(black)] if is_balanced(white, black) => {
                    Some(format!("{}, but {}", white.clause, black.clause))
                }
                _ => None,
            };
            let balance =
                own().or_else(other).or(balance).map(|why| format!(": {why}")).unwrap_or_default();
            format!("The position is about equal ({figure}){balance}.")
        }
        Some((side, words)) => {
            let gain = if side == turn { own() } else { other() };
            let why = gain.or_else(|| why(side).map(|reason| reason.clause.clone()));
            let why = why.map(|why| format!(": {why}")).unwrap_or_default();
            format!("{} {words} ({figure}){why}.", side_name(side))
        }
    }
}

/// Whether two reasons weigh about the same.
fn is_balanced(a: &Reason, b: &Reason) -> bool {
    const MOST: f64 = 3.0;
    let ratio = a.value.abs() / b.value.abs().max(1.0);
    (1.0 / MOST..=MOST).contains(&ratio)
}

/// A move that looks good at first sight and is a mistake, with its refutation.
fn mistake(
    searcher: &Searcher,
    game: &Game,
    best: &SearchedLine,
    limits: &Limits,
) -> Option<AssessedMove> {
    let chess = game.position().chess();
    let side = chess.turn();
    let first = *best.moves.first()?;
    let points = |value: WhiteValue| side.fold_wb(1.0, -1.0) * value.expected_points(chess.board());
    let others = chess.legal_moves().into_iter().filter(|&m| m != first && is_natural(chess, m));
    let others: Vec<Move> = others.collect();
    if others.is_empty() {
        return None;
    }
    // Without exact tables: at first sight nobody knows them.
    let glance = Limits {
        depth: Some(GLANCE),
        search_moves: others.clone(),
        lines: others.len(),
        ..Limits::default()
    };
    let mut tempting: Vec<Move> = Vec::new();
    search(&SearchRequest::new(game, searcher.engine, searcher.table, &glance), |report| {
        if report.depth == GLANCE {
            tempting.extend(report.line.first().filter(|m| !tempting.contains(m)).copied());
        }
    });
    let mut plain = None;
    for m in tempting.into_iter().take(TEMPTING) {
        let limits = Limits { search_moves: vec![m], ..limits.clone() };
        let line = searcher.line(game, &limits);
        let loss = points(best.value) - points(line.value);
        if loss < COSTLY {
            continue;
        }
        let line = searcher.with_quiet_end(game, line);
        let after = played(game, &line.moves[..1]);
        let reply = SearchedLine { moves: line.moves[1..].to_vec(), ..line.clone() };
        let refutation = Idea::answer(game, &after, &reply);
        let answer = reply.moves.first().map(|_| format!("{} is the answer.", refutation.name(0)));
        let why = match refutation.result {
            LineEnd::Draw(how) if reply.moves.is_empty() => {
                Some(format!("The game is then drawn {how}."))
            }
            _ if matches!(exact_value(&after), Some(Dtm::Draw)) => {
                Some("Then the position is a draw.".to_owned())
            }
            _ => refutation.tactics(),
        };
        let is_telling = why.is_some();
        let sentences = answer.into_iter().chain(why).collect();
        let name = named(game, &line.moves, 0);
        let mistake = AssessedMove { name, value: line.value, sentences, line: line.moves };
        if is_telling {
            return Some(mistake);
        }
        plain = plain.or_else(|| (loss >= PLAINLY_COSTLY).then_some(mistake));
    }
    plain
}

/// Whether a move is one that players look at first: it takes, checks, attacks, promotes, castles or develops, and does
/// not just give a piece away. With few pieces, any move is.
fn is_natural(chess: &Chess, m: Move) -> bool {
    const ENDGAME_PIECES: usize = 8;
    let mut after = chess.clone();
    after.play_unchecked(m);
    let home = chess.turn().fold_wb(Rank::First, Rank::Eighth);
    let is_minor = matches!(m.role(), Role::Knight | Role::Bishop);
    let is_active = m.is_capture()
        || m.is_castle()
        || m.is_promotion()
        || after.is_check()
        || is_minor && m.from().is_some_and(|from| from.rank() == home)
        || !motifs_of_move(chess, m).is_empty()
        || chess.board().occupied().count() <= ENDGAME_PIECES;
    is_active && see_ge(chess, m, 0)
}
