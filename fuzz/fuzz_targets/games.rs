//! Any bytes as games in PGN: the moves that are read are legal, and all variations as well. The steps of reading grow
//! with the length only, whatever the text is.
#![no_main]

use libfuzzer_sys::fuzz_target;
use shakmaty::{Chess, Position};
use tropism_coach::notation::{Games, Line, decode};

fuzz_target!(|bytes: &[u8]| {
    let Some(text) = decode(bytes) else { return };
    let mut games = Games::new(&text);
    for game in games.by_ref() {
        check(game.start.clone(), &game.text);
        let moves: Vec<_> = game.text.moves.iter().map(|noted| noted.m).collect();
        assert_eq!(moves, game.moves);
        let _ = game.fault();
    }
    assert!(games.steps <= Games::MAX_STEPS * text.len());
});

fn check(mut position: Chess, line: &Line) {
    for noted in &line.moves {
        assert!(position.is_legal(noted.m));
        for variation in &noted.variations {
            check(position.clone(), variation);
        }
        position.play_unchecked(noted.m);
    }
}
