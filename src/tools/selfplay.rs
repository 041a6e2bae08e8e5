//! Games of the engine against itself, for calibration.

use crate::eval::Engine;
use crate::random::SplitMix64;
use crate::search::{
    Clock, Control, Game, Level, Limits, Resources, Search, Table, search_at_level,
};
use shakmaty::{Chess, Color, Outcome as Ending, Position};
use std::{collections::TryReserveError, time::Duration};

/// Random moves that a game begins with, so that no two are the same.
const OPENING_PLIES: usize = 8;

/// Openings are drawn again until neither side is ahead by more than this, in centipawns.
const FAIR: i32 = 100;

/// A game this long is a draw, in plies.
const LONGEST: usize = 400;

/// The size of a player's table in MiB.
const TABLE_SIZE: usize = 4;

/// How one side plays.
#[derive(Copy, Clone, Debug)]
pub(super) struct Player {
    pub(super) level: Level,
    pub(super) nodes: u64,
}

/// A fair position after a few random moves.
pub(super) fn opening(engine: &Engine, seed: u64) -> Game {
    let mut random = SplitMix64(seed);
    loop {
        let mut game = Game::new(Chess::default());
        for _ in 0..OPENING_PLIES {
            let moves = game.position().chess().legal_moves();
            match moves.get(random.below(moves.len())) {
                Some(&m) => game.play(m),
                None => break,
            }
        }
        let chess = game.position().chess();
        let is_quiet = !chess.is_check() && !chess.legal_moves().iter().any(|m| m.is_capture());
        if is_quiet && !chess.is_game_over() && engine.evaluate(chess).abs() <= FAIR {
            return game;
        }
    }
}

/// Plays a game to its end; `see` is called before each move. Gives the winner, if there is one.
pub(super) fn play(
    engine: &Engine,
    players: [Player; 2],
    seed: u64,
    mut see: impl FnMut(),
) -> Result<Option<Color>, TryReserveError> {
    let mut game = opening(engine, seed);
    let tables = [Table::new(TABLE_SIZE)?, Table::new(TABLE_SIZE)?];
    let mut random = SplitMix64(seed);
    for _ in 0..LONGEST {
        let chess = game.position().chess();
        if let Ending::Known(known) = chess.outcome() {
            return Ok(known.winner());
        }
        let keys = game.keys();
        let times = keys.iter().filter(|&&key| key == game.position().key()).count();
        if chess.halfmoves() >= 100 || times >= 3 {
            return Ok(None);
        }
        let side = usize::from(chess.turn() == Color::Black);
        let Player { level, nodes } = players[side];
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let control = Control::default();
        let request = Search {
            game: &game,
            engine,
            table: &tables[side],
            limits: &limits,
            clock: Clock::start(&limits, chess.turn(), Duration::ZERO),
            control: &control,
            resources: Resources::default(),
        };
        let outcome = search_at_level(&request, level, random.next(), |_| ());
        see();
        match outcome.best {
            Some(m) => game.play(m),
            None => break,
        }
    }
    Ok(None)
}
