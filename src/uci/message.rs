//! From search reports to vampirc's messages.

use crate::search::{Bound, Odds, Report, Value};
use shakmaty::{CastlingMode, Move, Role, Square, uci::UciMove};
use vampirc_uci::{UciInfoAttribute, UciMessage, UciPiece, UciSquare};

/// An `info` line: everything a GUI wants to see together, the line of moves last.
pub(super) fn info(report: &Report, odds: Option<Odds>, mode: CastlingMode) -> UciMessage {
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
    // A search of microseconds has no speed worth telling; counted as a millisecond it is no lie.
    let microseconds = report.time.as_micros().max(1000) as u64;
    attributes.extend([
        UciInfoAttribute::Nodes(report.nodes),
        UciInfoAttribute::Nps(report.nodes.saturating_mul(1_000_000) / microseconds),
        UciInfoAttribute::HashFull(report.table_fullness as u16),
        UciInfoAttribute::TbHits(report.tablebase_hits),
        UciInfoAttribute::Time(chrono::Duration::milliseconds(milliseconds as i64)),
    ]);
    if !report.line.is_empty() {
        let moves = report.line.iter().map(|&m| vampirc_move(m, mode)).collect();
        attributes.push(UciInfoAttribute::Pv(moves));
    }
    UciMessage::Info(attributes)
}

/// An `info` line that says which root move is being searched.
pub(super) fn root_move(depth: u32, m: Move, number: usize, mode: CastlingMode) -> UciMessage {
    UciMessage::Info(vec![
        UciInfoAttribute::Depth(depth as u8),
        UciInfoAttribute::CurrMove(vampirc_move(m, mode)),
        // vampirc's own attribute has a name that GUIs do not know.
        UciInfoAttribute::Any("currmovenumber".to_owned(), number.to_string()),
    ])
}

/// The `bestmove` line. `None` if there is no move, which vampirc cannot say.
pub(super) fn best_move(
    best: Option<Move>,
    ponder: Option<Move>,
    mode: CastlingMode,
) -> Option<UciMessage> {
    Some(UciMessage::BestMove {
        best_move: vampirc_move(best?, mode),
        ponder: ponder.map(|m| vampirc_move(m, mode)),
    })
}

/// A move in vampirc's type, castling as the mode writes it.
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
