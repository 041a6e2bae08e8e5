//! The assessment of a position: one verdict, the reasons by theme, what is threatened, the best move and what
//! it is for, and the mistake that is easiest to make.

mod forced;
mod idea;
mod lines;
mod mistake;
mod offer;
mod plan;
mod study;
mod text;
mod value;
mod verdict;

pub(super) use idea::{Idea, TELLING, named, uncapitalized};
pub use lines::{SearchedLine, Searcher};
pub(super) use lines::{passed, played, scaled};
pub(super) use mistake::{answer, second};
pub(super) use offer::{offer, offered};
pub(super) use plan::{Stake, ends};
pub use study::Thinking;
pub use value::WhiteValue;
pub(super) use verdict::exact_mate;

use crate::Explanation;
use crate::motifs::{FoundMotif, Motif, motifs_of_move, pins, zugzwang};
use crate::practise::king_of;
use lines::LineEnd;
use shakmaty::{Chess, Color, Move, Position, Role};
use study::Study;
use tropism::eval::{ENDGAME_PHASE, EvalContext, Reason, Trace, theme};
use tropism::search::{Game, Limits};
use tropism::text::side_name;
use verdict::Verdict;

/// The smallest value of a reason, in centipawns and as a share of the value of the position, and the most reasons.
const SMALLEST: f64 = 15.0;
const SMALLEST_SHARE: f64 = 0.08;
const MOST: usize = 5;
/// One sees a mate in fewer moves.
const SEEN: u32 = 6;
/// From so many expected points on, a side wins in spite of a scale factor.
const EASY: f64 = 0.9;

/// What a teacher says of a position. Prints as text; values are in pawns and positive if good for White.
#[derive(Clone, Default, Debug)]
pub struct Assessment {
    start: Chess,
    /// Who is better, how much, and why.
    pub verdict: String,
    /// The largest first.
    pub reasons: Vec<Reason>,
    /// Why the side that is better wins less easily: a scale factor, as a main clause.
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
    /// The nodes of the search for the best move of a game's position if no limits are given.
    pub const DEFAULT_NODES: u64 = 100_000;

    /// Assesses an explained position.
    pub(crate) fn new(
        explanation: &Explanation,
        searcher: &Searcher,
        game: &Game,
        thinking: &Thinking,
    ) -> Assessment {
        let (trace, exact) = (&explanation.trace, explanation.exact);
        let chess = &trace.position;
        if let Some(outcome) = game.outcome() {
            let verdict = format!("The game is over: {outcome}.");
            return Assessment { start: chess.clone(), verdict, ..Assessment::default() };
        }
        let study = Study::new(*searcher, game, thinking);
        let best = &study.best;
        let idea = Idea::new(game, game, best);
        let mut reasons = reasons(trace);
        let scale = trace.scale_reason();
        let mut verdict =
            Verdict { study: &study, idea: &idea, exact, reasons: &reasons, scaling: None };
        let decided = verdict.decided();
        let better = best.value.words(chess.board()).map(|it| it.0);
        let points = best.value.expected_points(chess.board());
        let scale = scale.filter(|&(side, _)| {
            let is_easy = side.fold_wb(points, 1.0 - points) >= EASY;
            decided.is_none() && better.is_none_or(|better| better == side) && !is_easy
        });
        verdict.scaling = scale;
        let sentence = verdict.sentence();
        let scaling = scale.filter(|_| better.is_some());
        let scaling = scaling
            .map(|(side, why)| format!("{} wins less easily, because {why}", side_name(side)));
        // What is captured next does not count as an advantage.
        let is_stable = matches!(&idea.result, LineEnd::Material(change) if change.is_even())
            || idea.result == LineEnd::Level;
        let least = |side: Color| {
            // What speaks for the side that is worse has to weigh more.
            let share = if better.is_none_or(|better| better == side) { 1.0 } else { 6.0 };
            SMALLEST.max(share * SMALLEST_SHARE * best.value.clamped(1000.0).abs())
        };
        // Beside a mate that one sees, only threats and an attack on the king count.
        let is_seen = matches!(best.value, WhiteValue::Mate(_, ..SEEN));
        let attacks_king =
            |it: &Reason| it.theme == theme::THREATS || it.clause.starts_with(&king_of(!it.side()));
        reasons.retain(|reason| match decided {
            // Where the end is known, only what brings it about counts.
            Some(winner) => winner == Some(reason.side()) && (!is_seen || attacks_king(reason)),
            None => {
                reason.value.abs() >= least(reason.side())
                    && (is_stable || reason.theme != theme::MATERIAL)
            }
        });
        // A reason of the other side does not stand first, or alone.
        reasons.sort_by_key(|reason| better.is_some_and(|better| better != reason.side()));
        if reasons.first().is_some_and(|reason| better.is_some_and(|it| it != reason.side())) {
            reasons.clear();
        }
        reasons.truncate(MOST);
        let (threat, sentences) = advice(&study, &idea);
        let mistake = mistake::mistake(&study, &idea);
        let best = best.moves.first().map(|_| AssessedMove {
            name: named(game, &best.moves, 0),
            value: best.value,
            sentences,
            line: best.moves.clone(),
        });
        let (start, depth) = (chess.clone(), study.best.depth);
        Assessment { start, verdict: sentence, reasons, scaling, threat, depth, best, mistake }
    }
}

/// What the side that is not to move threatens, and the sentences about the best move.
fn advice(study: &Study, idea: &Idea) -> (Option<String>, Vec<String>) {
    let (game, best) = (study.game, &study.best);
    let chess = game.position().chess();
    let found = study.threat.as_ref();
    let threat = found.and_then(|(passed, line)| idea::threat(passed, line, best.value));
    let clause = threat.as_ref().map(|threat| threat.of(!chess.turn()));
    let Some(&m) = best.moves.first() else { return (clause, Vec::new()) };
    let mut sentences: Vec<String> = Vec::new();
    let is_forced = chess.legal_moves().len() == 1;
    if is_forced {
        sentences.push("It is the only legal move.".to_owned());
    }
    sentences.extend(study.only_move().map(str::to_owned));
    let tactics = idea.tactics();
    let offer = || offer(&study.searcher, game, best, study.limits);
    let offer = (!study.is_lost()).then(offer).flatten();
    // Who is mated has no plans.
    let is_mated = matches!(best.value, WhiteValue::Mate(winner, _) if winner != chess.turn());
    let is_quiet_move = tactics.is_none() && offer.is_none() && !is_mated;
    sentences.extend(offer);
    // What is threatened and still happens in the best line is not met.
    let replies = best.moves.iter().skip(1).step_by(2).take(SHOWN_REPLIES);
    let is_met = |threat: &idea::Threat| !replies.clone().any(|m| *m == threat.m);
    let meets = is_quiet_move && !study.is_lost() && threat.as_ref().is_some_and(is_met);
    // A king that goes out of the way goes nowhere else.
    let is_walk = m.role() == Role::King && !m.is_castle();
    let plan = || idea.plan(Stake::default(), || None);
    let plan = || plan().filter(|_| is_quiet_move && !(is_forced || meets && is_walk));
    let limits = scaled(study.limits, study::NEW_THREAT);
    let has_threat = is_quiet_move && !study.is_lost() && !m.is_capture();
    let new = || study.searcher.new_threat(game, m, &limits, best.value);
    let new = has_threat.then(new).flatten().map(|it| it.of(chess.turn()) + ".");
    // What is threatened says what is attacked.
    let is_new = |plan: &String| new.is_none() || !plan.starts_with("It attacks");
    let is_endgame = EvalContext::new(chess).phase <= ENDGAME_PHASE;
    sentences.extend(tactics.or_else(|| plan().filter(is_new)));
    sentences.extend(idea.in_the_end().filter(|_| is_endgame && !study.is_lost()));
    sentences.extend(idea.bridge());
    if meets {
        sentences.push("It meets the threat.".to_owned());
    }
    sentences.extend(new);
    if !m.is_capture() && !study.is_lost() {
        let engine = study.searcher.engine;
        let found = zugzwang(engine, chess, &[m], chess.turn());
        sentences.extend(found.map(|found| found.sentence()));
    }
    sentences.dedup();
    if sentences.is_empty() {
        let resists = || study.is_lost().then(|| "It resists longest.".to_owned());
        let next = || Some(second(&study.searcher, game, study.rival.as_ref()?, &limits));
        let later = || idea.next().or_else(|| idea.in_the_end()).or_else(next);
        sentences.extend(resists().or_else(later));
    }
    (clause, sentences)
}

/// The replies of a line that are looked at for a threat.
const SHOWN_REPLIES: usize = 4;

impl Searcher<'_> {
    /// What a move of the side to move threatens. `value` is that of the position after it.
    pub fn new_threat(
        &self,
        game: &Game,
        m: Move,
        limits: &Limits,
        value: WhiteValue,
    ) -> Option<idea::Threat> {
        let after = played(game, &[m]);
        let passed =
            lines::passed(after.position().chess()).filter(|_| after.outcome().is_none())?;
        let line = self.defended(&passed, self.line(&passed, limits), 1, limits);
        // Who attacks a piece that attacks it as well offers to trade.
        let (first, board) = (*line.moves.first()?, passed.position().chess().board());
        let is_mutual = first.from().is_some_and(|it| board.attacks_from(first.to()).contains(it));
        if first.capture() == Some(first.role()) && is_mutual {
            return None;
        }
        let threat = idea::threat(&passed, &line, value)?;
        // A fork threatens more than one capture.
        let takes = |it: &FoundMotif| it.targets.iter().any(|spot| spot.square == first.to());
        let mut motifs = motifs_of_move(game.position().chess(), m).into_iter();
        let fork = motifs.find(|it| it.motif == Motif::Fork && takes(it)).map(|it| it.to_string());
        let forks = fork.as_ref().and_then(|it| it.split_once(" forks "));
        let what = forks.map_or(threat.what, |(_, targets)| format!("forks {targets}"));
        Some(idea::Threat { what, ..threat })
    }
}

/// The reasons of a position that weigh, the largest first.
fn reasons(trace: &Trace) -> Vec<Reason> {
    let mut reasons = trace.reasons();
    reasons.extend(pin(trace));
    reasons.retain(|reason| reason.value.abs() >= SMALLEST);
    reasons.sort_by(|a, b| b.value.abs().total_cmp(&a.value.abs()));
    reasons
}

/// What all terms of a theme come to, in centipawns.
fn total(trace: &Trace, theme: &str) -> f64 {
    let rows = trace.rows.iter().filter(|row| row.entry.theme == theme);
    rows.map(|row| row.total().centipawns(trace.context.phase)).sum()
}

/// A pin by one side only. Its value is that of all threats.
fn pin(trace: &Trace) -> Option<Reason> {
    let value = total(trace, theme::THREATS);
    let side = Color::from_white(value > 0.0);
    let board = trace.position.board();
    let [own, other] = [!side, side].map(|pinned| pins(board, pinned).next());
    let clause = own.filter(|_| other.is_none())?.found(board, 0).to_string();
    Some(Reason { theme: theme::THREATS.into(), value, clause, detail: None })
}
