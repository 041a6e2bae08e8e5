//! Any text as a FEN: an accepted position can be searched, evaluated and written again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use shakmaty::{CastlingMode, EnPassantMode, Position, fen::Fen};
use std::sync::OnceLock;
use tropism::eval::Engine;
use tropism::search::{Game, Limits, SearchRequest, TranspositionTable, search};

fuzz_target!(|text: &str| {
    static ENGINE: OnceLock<Engine> = OnceLock::new();
    let engine = ENGINE.get_or_init(|| tropism::default_engine().unwrap());
    let (chess960, fen) = match text.strip_prefix('c') {
        Some(rest) => (Some(CastlingMode::Chess960), rest),
        None => (None, text),
    };
    let Ok(game) = Game::from_fen(fen, chess960) else { return };
    let chess = game.position().chess();
    let mode = chess.castles().mode();
    let again = Fen::from_position(chess, EnPassantMode::Legal).to_string();
    let again = Game::from_fen(&again, Some(mode)).unwrap();
    assert_eq!(again.position().key(), game.position().key());
    engine.evaluate(chess);
    let table = TranspositionTable::with_entries(64).unwrap();
    let limits = Limits { nodes: Some(300), ..Limits::default() };
    let request = SearchRequest::new(&game, engine, &table, &limits);
    let outcome = search(&request, |_| ());
    assert_eq!(outcome.best.is_none(), chess.legal_moves().is_empty());
});
