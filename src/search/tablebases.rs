//! Syzygy tablebases: results of positions with few pieces under the fifty-move rule.

use super::position::Game;
use super::score::{DRAW, TABLEBASE_WIN};
use super::tablebase_files::{Kind, check, of_name};
use crate::endgame;
use shakmaty::{Chess, Move, Position as _};
use shakmaty_syzygy::{Dtz, MaybeRounded, Tablebase, Wdl};
use std::path::{Path, PathBuf};
use std::{collections::BTreeSet, sync::Arc};
use thiserror::Error;

/// Halfmoves without a capture or pawn move after which a game is drawn.
const FIFTY_MOVES: i32 = endgame::FIFTY_MOVES as i32;

/// The rank of a move that wins for certain, far above all distances.
const CERTAIN: i32 = 1 << 18;

/// Tablebase files and settings. Clones share the files.
#[derive(Clone, Debug)]
pub struct Tablebases {
    files: Arc<Tablebase<Chess>>,
    /// Whether a win that the fifty-move rule prevents counts as a draw.
    pub fifty_moves: bool,
}

/// Why tablebases cannot be used: no folder contains a table, or what is wrong with the folders and files.
#[derive(Debug, Error)]
#[error("{0}")]
pub struct TablebaseError(String);

/// What was found in folders of tables.
#[derive(Clone, Default, Debug)]
pub struct TablebaseFiles {
    /// The number of endings with a table of results (WDL).
    pub tables: usize,
    /// How many of them have a table of distances (DTZ) too.
    pub with_distances: usize,
    /// What is wrong with folders and files that are not used: a text for each.
    pub complaints: Vec<String>,
}

/// The ranks that tables give to the moves in a position.
#[derive(Clone, Debug)]
pub struct RankedMoves {
    /// All legal moves.
    pub moves: Vec<RankedMove>,
    /// Whether the ranks say enough of a position. Then tables are not asked inside the tree: their values would hide
    /// the mates that the search still has to find, repetitions, and traps in a draw.
    pub is_solved: bool,
}

/// The rank that tables give to a move.
#[derive(Copy, Clone, Debug)]
pub struct RankedMove {
    /// The move.
    pub m: Move,
    /// Higher is better. Wins that the fifty-move rule cannot prevent have the same rank, and so have draws.
    pub rank: i32,
    /// The value of the move in centipawns; `None` if the search finds it.
    pub value: Option<i32>,
}

/// Tablebases without a file, where the system has files.
#[cfg(any(unix, windows))]
fn no_files() -> Option<Tablebase<Chess>> {
    Some(Tablebase::new())
}

/// A web page has none.
#[cfg(not(any(unix, windows)))]
fn no_files() -> Option<Tablebase<Chess>> {
    None
}

impl Tablebases {
    /// Opens the tables in folders, separated by a colon (a semicolon on Windows). Each file is checked: its name, size
    /// and header, and up to 16 MiB its checksum too. One that is broken is left out.
    ///
    /// # Errors
    ///
    /// If no table can be used. Distances alone are of no use, because they depend on the result.
    pub fn open(paths: &str) -> Result<(Tablebases, TablebaseFiles), TablebaseError> {
        let nothing = || TablebaseError(format!("no Syzygy tables in {paths:?}"));
        let mut files = no_files().ok_or_else(nothing)?;
        let (mut found, mut complaints) = (Vec::new(), Vec::new());
        for folder in std::env::split_paths(paths).filter(|path| !path.as_os_str().is_empty()) {
            match entries(&folder) {
                Ok(entries) => found.extend(entries),
                Err(error) => complaints.push(format!("{}: {error}", folder.display())),
            }
        }
        let mut added: [BTreeSet<String>; 2] = Default::default();
        for (number, kind) in [Kind::Wdl, Kind::Dtz].into_iter().enumerate() {
            let of_kind = found.iter().filter_map(|file| Some((file, of_name(file)?)));
            for (file, (_, pieces)) in of_kind.filter(|(_, (its, _))| *its == kind) {
                let is_alone = kind == Kind::Dtz && !added[0].contains(pieces);
                let checked = check(file, kind, pieces).and_then(|()| match is_alone {
                    true => Err("the table of results (.rtbw) is missing".to_owned()),
                    false => files.add_file(file).map_err(|error| error.to_string()),
                });
                match checked {
                    Ok(_) => _ = added[number].insert(pieces.to_owned()),
                    Err(error) => complaints.push(format!("{}: {error}", file.display())),
                }
            }
        }
        let [tables, with_distances] = added.map(|pieces| pieces.len());
        if tables > 0 {
            let found = TablebaseFiles { tables, with_distances, complaints };
            return Ok((Tablebases { files: Arc::new(files), fifty_moves: true }, found));
        }
        Err(match complaints.is_empty() {
            true => nothing(),
            false => {
                TablebaseError(format!("{}; no Syzygy table can be used", first_few(&complaints)))
            }
        })
    }

    /// The largest number of pieces of any table, kings included.
    pub fn max_pieces(&self) -> usize {
        self.files.max_pieces()
    }

    /// The value of a position inside the tree, `ply` plies from the root. Only positions after a capture or pawn
    /// move are probed: their result does not depend on the halfmove clock.
    pub fn probe(&self, chess: &Chess, ply: usize) -> Option<i32> {
        let pieces = chess.board().occupied().count();
        if pieces > self.max_pieces() || chess.halfmoves() != 0 || chess.castles().any() {
            return None;
        }
        let wdl = self.files.probe_wdl_after_zeroing(chess).ok()?;
        Some(match self.result(wdl) {
            0 => DRAW,
            1.. => TABLEBASE_WIN - ply as i32,
            _ => ply as i32 - TABLEBASE_WIN,
        })
    }

    /// Ranks the moves of the current position. Returns `None` if it has too many pieces or castling rights, or a
    /// file is missing.
    pub fn rank(&self, game: &Game) -> Option<RankedMoves> {
        let chess = game.position().chess();
        if chess.board().occupied().count() > self.max_pieces() || chess.castles().any() {
            return None;
        }
        let legal = chess.legal_moves();
        let exact = legal.iter().map(|&m| self.by_distance(game, m)).collect::<Option<Vec<_>>>();
        // They are known by distance unless a file is missing, or a rounded distance does not tell.
        let is_solved = exact.iter().flatten().all(|it| it.value.is_some()) && exact.is_some();
        let moves = exact
            .or_else(|| legal.iter().map(|&m| self.by_result(game, m)).collect::<Option<_>>())?;
        Some(RankedMoves { moves, is_solved })
    }

    /// Ranks a move by its distance to zeroing (DTZ): the next capture or pawn move.
    ///
    /// In a won position all moves that win in time have the same rank, so that the search can look for mate. After
    /// a repetition, or when the fifty-move rule is near, only the shortest way has the highest rank. In a lost
    /// position the longest way has the highest rank where the rule may save the game.
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
        let is_rounded = matches!(dtz, MaybeRounded::Rounded(_));
        let dtz = dtz.ignore_rounding().0;
        let is_in_time = is_in_time(dtz, before, is_rounded);
        let wins_in_time = is_in_time == Some(true);
        let rank = match dtz {
            0 => 0,
            1.. if wins_in_time && !game.has_repeated() => CERTAIN,
            1.. if wins_in_time => CERTAIN - dtz,
            1.. => CERTAIN / 2 - dtz - before,
            _ if 2 * -dtz + before < FIFTY_MOVES => -CERTAIN,
            _ => -CERTAIN - dtz,
        };
        let is_decided = if self.fifty_moves { is_in_time } else { Some(true) };
        let value = is_decided.map(|is_decided| match dtz {
            1.. if is_decided => TABLEBASE_WIN,
            ..=-1 if is_decided => -TABLEBASE_WIN,
            _ => DRAW,
        });
        Some(RankedMove { m, rank, value })
    }

    /// Ranks a move by its result alone.
    fn by_result(&self, game: &Game, m: Move) -> Option<RankedMove> {
        let next = game.position().play(m);
        let wdl = -self.files.probe_wdl_after_zeroing(next.chess()).ok()?;
        let value = Some(self.result(wdl) * TABLEBASE_WIN);
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

/// Whether a mate, capture or pawn move at this distance comes before the fifty-move rule ends the game. `None` if it
/// comes on the hundredth ply or one later: a rounded distance may be one ply too short.
fn is_in_time(dtz: i32, before: i32, is_rounded: bool) -> Option<bool> {
    match before + dtz.abs() {
        FIFTY_MOVES if is_rounded => None,
        plies => Some(plies <= FIFTY_MOVES),
    }
}

/// The first texts in one line, and how many more there are.
fn first_few(texts: &[String]) -> String {
    const FEW: usize = 3;
    let few = texts.iter().take(FEW).map(String::as_str).collect::<Vec<_>>().join("; ");
    match texts.len().saturating_sub(FEW) {
        0 => few,
        more => format!("{few}; {more} more"),
    }
}

/// The files in a folder, in the order of their names.
fn entries(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path()));
    let mut entries: Vec<PathBuf> = entries.collect::<std::io::Result<_>>()?;
    entries.sort_unstable();
    Ok(entries)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Report: with tables, a mate exactly on the hundredth ply was a draw.
    #[test]
    fn the_hundredth_ply_still_counts() {
        assert_eq!(is_in_time(3, 97, false), Some(true));
        assert_eq!(is_in_time(-2, 98, false), Some(true));
        assert_eq!(is_in_time(4, 97, false), Some(false));
        // The true distance may be 4, which is too late: the search must tell.
        assert_eq!(is_in_time(3, 97, true), None);
        assert_eq!(is_in_time(-3, 97, true), None);
        assert_eq!((is_in_time(3, 96, true), is_in_time(4, 97, true)), (Some(true), Some(false)));
    }
}
