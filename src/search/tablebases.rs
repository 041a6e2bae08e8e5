//! Syzygy tablebases: who wins positions of few men, the fifty-move rule counted.

use super::position::Game;
use super::score::{DRAW, TABLEBASE_WIN};
use shakmaty::{Chess, Move, Position as _};
use shakmaty_syzygy::{Dtz, MaybeRounded, Tablebase, Wdl};
use std::{io, path::Path, sync::Arc};
use thiserror::Error;

/// Plies without a capture or pawn move after which a game is drawn.
const FIFTY_MOVES: i32 = 100;

/// The rank of a move that wins whatever happens; far above all distances.
const SURE: i32 = 1 << 18;

/// Files of tablebases, and how they are to be used. Clones share the files.
#[derive(Clone, Debug)]
pub struct Tablebases {
    files: Arc<Tablebase<Chess>>,
    /// Positions of more men are not asked about.
    pub limit: usize,
    /// Positions of exactly as many men as the limit are asked about from this depth on, in plies.
    pub depth: i32,
    /// Whether a win that the fifty-move rule spoils is a draw.
    pub fifty_moves: bool,
}

/// Why tablebases cannot be used.
#[derive(Debug, Error)]
pub enum TablebaseError {
    /// A folder cannot be read, or holds a broken file.
    #[error("{0}: {1}")]
    Folder(String, io::Error),
    /// There is no table in any of the folders.
    #[error("no Syzygy tables in {0:?}")]
    Nothing(String),
}

/// What tablebases know of the moves in a position.
#[derive(Clone, Debug)]
pub struct Ranked {
    /// All legal moves.
    pub moves: Vec<RankedMove>,
    /// Whether the ranks know the distance to the next capture or pawn move. They do unless a file
    /// is missing.
    pub by_distance: bool,
}

/// What tablebases know of a move.
#[derive(Copy, Clone, Debug)]
pub struct RankedMove {
    /// The move.
    pub m: Move,
    /// Higher is better. Wins that the fifty-move rule cannot spoil share a rank, as do draws.
    pub rank: i32,
    /// What the move is worth, in centipawns.
    pub value: i32,
}

impl Tablebases {
    /// The most men a table can have.
    pub const MOST_MEN: usize = 7;

    /// Finds the tables in folders, separated as the platform separates paths (a colon, or a
    /// semicolon on Windows). Returns them and the number of files.
    ///
    /// # Errors
    ///
    /// If a folder cannot be read, or none holds a table.
    pub fn open(paths: &str) -> Result<(Tablebases, usize), TablebaseError> {
        let mut files = Tablebase::new();
        let mut number = 0;
        for path in std::env::split_paths(paths).filter(|path| !path.as_os_str().is_empty()) {
            number += add(&mut files, &path)?;
        }
        if number == 0 {
            return Err(TablebaseError::Nothing(paths.to_owned()));
        }
        let files = Arc::new(files);
        let limit = Tablebases::MOST_MEN;
        Ok((Tablebases { files, limit, depth: 1, fifty_moves: true }, number))
    }

    /// The most men of a position that is asked about.
    pub fn men(&self) -> usize {
        self.limit.min(self.files.max_pieces())
    }

    /// The value of a position inside the tree, `ply` plies from the root. Only positions right
    /// after a capture or pawn move are asked about: their answer is cheap and does not depend on
    /// what was before.
    pub fn probe(&self, chess: &Chess, depth: i32, ply: usize) -> Option<i32> {
        let men = chess.board().occupied().count();
        if men > self.men()
            || chess.halfmoves() != 0
            || chess.castles().any()
            || (men == self.men() && depth < self.depth)
        {
            return None;
        }
        let wdl = self.files.probe_wdl_after_zeroing(chess).ok()?;
        Some(match self.result(wdl) {
            0 => DRAW,
            1.. => TABLEBASE_WIN - ply as i32,
            _ => ply as i32 - TABLEBASE_WIN,
        })
    }

    /// Ranks the moves of the position on the board. `None` if it has too many men or castling
    /// rights, or a file is missing.
    pub fn rank(&self, game: &Game) -> Option<Ranked> {
        let chess = game.position().chess();
        if chess.board().occupied().count() > self.men() || chess.castles().any() {
            return None;
        }
        let legal = chess.legal_moves();
        let exact = legal.iter().map(|&m| self.by_distance(game, m)).collect::<Option<Vec<_>>>();
        let by_distance = exact.is_some();
        let moves = exact
            .or_else(|| legal.iter().map(|&m| self.by_result(game, m)).collect::<Option<_>>())?;
        Some(Ranked { moves, by_distance })
    }

    /// Ranks a move by its distance to the next capture or pawn move (DTZ).
    ///
    /// A won position may take any way that stays clear of the fifty-move rule, so that the search
    /// can look for mate; once a position has come back, or the rule is near, only the shortest
    /// way. A lost one makes the win as long as it can where the rule may save it.
    fn by_distance(&self, game: &Game, m: Move) -> Option<RankedMove> {
        let before = game.position().chess().halfmoves().min(2 * FIFTY_MOVES as u32) as i32;
        let next = game.position().play(m);
        let seen = game.keys().iter().filter(|&&key| key == next.key()).count();
        let chess = next.chess();
        let dtz = if chess.is_checkmate() {
            MaybeRounded::Precise(Dtz(1))
        } else if seen >= 2 || chess.legal_moves().is_empty() {
            MaybeRounded::Precise(Dtz(0))
        } else if chess.halfmoves() == 0 {
            let wdl = self.files.probe_wdl_after_zeroing(chess).ok()?;
            MaybeRounded::Precise(Dtz::before_zeroing(-wdl))
        } else {
            (-self.files.probe_dtz(chess).ok()?).add_plies(1)
        };
        // A rounded distance may be one ply too short.
        let doubt = i32::from(matches!(dtz, MaybeRounded::Rounded(_)));
        let dtz = dtz.ignore_rounding().0;
        let wins_in_time = dtz > 0 && before + dtz + doubt <= FIFTY_MOVES;
        let loses_in_time = dtz < 0 && before - dtz + doubt <= FIFTY_MOVES;
        let rank = match dtz {
            0 => 0,
            1.. if wins_in_time && !game.has_repeated() => SURE,
            1.. if wins_in_time => SURE - dtz,
            1.. => SURE / 2 - dtz - before,
            _ if 2 * -dtz + before < FIFTY_MOVES => -SURE,
            _ => -SURE - dtz,
        };
        let value = match dtz {
            1.. if wins_in_time || !self.fifty_moves => TABLEBASE_WIN,
            ..=-1 if loses_in_time || !self.fifty_moves => -TABLEBASE_WIN,
            _ => DRAW,
        };
        Some(RankedMove { m, rank, value })
    }

    /// Ranks a move by its result alone.
    fn by_result(&self, game: &Game, m: Move) -> Option<RankedMove> {
        let next = game.position().play(m);
        let wdl = -self.files.probe_wdl_after_zeroing(next.chess()).ok()?;
        let value = self.result(wdl) * TABLEBASE_WIN;
        Some(RankedMove { m, rank: i32::from(wdl), value })
    }

    /// 1 for a win, 0 for a draw, -1 for a loss.
    fn result(&self, wdl: Wdl) -> i32 {
        match wdl {
            Wdl::Win => 1,
            Wdl::Loss => -1,
            Wdl::CursedWin if !self.fifty_moves => 1,
            Wdl::BlessedLoss if !self.fifty_moves => -1,
            Wdl::CursedWin | Wdl::Draw | Wdl::BlessedLoss => 0,
        }
    }
}

fn add(files: &mut Tablebase<Chess>, path: &Path) -> Result<usize, TablebaseError> {
    let complaint = |error| TablebaseError::Folder(path.display().to_string(), error);
    files.add_directory(path).map_err(complaint)
}
