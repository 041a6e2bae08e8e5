//! Messages of vampirc-uci: search reports, and what it reads in a line.

use crate::search::{Bound, Odds, Report, Value};
use shakmaty::{CastlingMode, Move, Role, Square, uci::UciMove};
use std::panic::catch_unwind;
use vampirc_uci::{Duration, UciInfoAttribute, UciMessage, UciPiece, UciSquare, parse_one};

/// What vampirc-uci reads in a line. If its parser panics, the line is unknown and the session
/// continues.
pub fn parse(line: &str) -> UciMessage {
    catch_unwind(|| parse_one(line)).unwrap_or_else(|_| UciMessage::Unknown(line.to_owned(), None))
}

/// The `info` line of a report. The moves come last, because they have no fixed number.
pub fn info(report: &Report, odds: Option<Odds>, mode: CastlingMode) -> UciMessage {
    let (cp, mate) = match report.value {
        Value::Centipawns(value) => (Some(value), None),
        Value::Mate(moves) => (None, Some(moves as i8)),
    };
    let milliseconds = report.time.as_millis() as u64;
    let mut attributes = vec![
        UciInfoAttribute::Depth(report.depth as u8),
        UciInfoAttribute::SelDepth(report.selective_depth as u8),
        UciInfoAttribute::MultiPv(report.number as u16),
        UciInfoAttribute::Score {
            cp,
            mate,
            lower_bound: (report.bound == Bound::Lower).then_some(true),
            upper_bound: (report.bound == Bound::Upper).then_some(true),
        },
    ];
    if let Some(Odds { win, draw, loss }) = odds {
        attributes.push(UciInfoAttribute::Any("wdl".to_owned(), format!("{win} {draw} {loss}")));
    }
    // The speed of a shorter search says nothing, so it counts as a millisecond.
    let microseconds = report.time.as_micros().max(1000) as u64;
    attributes.extend([
        UciInfoAttribute::Nodes(report.nodes),
        UciInfoAttribute::Nps(report.nodes.saturating_mul(1_000_000) / microseconds),
        UciInfoAttribute::HashFull(report.table_fullness as u16),
        UciInfoAttribute::TbHits(report.tablebase_hits),
        UciInfoAttribute::Time(Duration::milliseconds(milliseconds as i64)),
    ]);
    if !report.line.is_empty() {
        let moves = report.line.iter().map(|&m| vampirc_move(m, mode)).collect();
        attributes.push(UciInfoAttribute::Pv(moves));
    }
    UciMessage::Info(attributes)
}

/// The `info` line that names the root move which is searched now.
pub fn root_move(depth: u32, m: Move, number: usize, mode: CastlingMode) -> UciMessage {
    UciMessage::Info(vec![
        UciInfoAttribute::Depth(depth as u8),
        UciInfoAttribute::CurrMove(vampirc_move(m, mode)),
        // vampirc-uci's own attribute has a name that GUIs do not know.
        UciInfoAttribute::Any("currmovenumber".to_owned(), number.to_string()),
    ])
}

/// The `bestmove` line. vampirc-uci has none for a position without a move.
pub fn best_move(best: Option<Move>, ponder: Option<Move>, mode: CastlingMode) -> String {
    let Some(best) = best else { return "bestmove (none)".to_owned() };
    let ponder = ponder.map(|m| vampirc_move(m, mode));
    UciMessage::BestMove { best_move: vampirc_move(best, mode), ponder }.to_string()
}

/// A move in the type of vampirc-uci. The mode decides how castling is written.
fn vampirc_move(m: Move, mode: CastlingMode) -> vampirc_uci::UciMove {
    let (from, to) = match UciMove::from_move(m, mode) {
        UciMove::Normal { from, to, .. } => (from, to),
        UciMove::Put { to, .. } => (to, to),
        UciMove::Null => (Square::A1, Square::A1),
    };
    let square = |square: Square| UciSquare::from(square.file().char(), square.rank() as u8 + 1);
    vampirc_uci::UciMove {
        from: square(from),
        to: square(to),
        promotion: m.promotion().map(|role| match role {
            Role::Pawn => UciPiece::Pawn,
            Role::Knight => UciPiece::Knight,
            Role::Bishop => UciPiece::Bishop,
            Role::Rook => UciPiece::Rook,
            Role::Queen => UciPiece::Queen,
            Role::King => UciPiece::King,
        }),
    }
}
