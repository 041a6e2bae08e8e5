//! King and pawn against king: evaluation and play agree with the exact table.

use crate::common::think_with;
use shakmaty::{
    CastlingMode, Chess, Color, FromSetup, Position, PositionError, Role, Setup, Square,
};
use tropism::search::{Game, Limits, TranspositionTable};
use tropism::{endgame::pawn_wins, eval::Engine};

/// All legal positions of White's king and pawn against Black's king, and whether White wins.
fn positions() -> impl Iterator<Item = (Chess, bool)> {
    let places = Square::ALL.into_iter().flat_map(|pawn| {
        Square::ALL.into_iter().flat_map(move |king| {
            Square::ALL.into_iter().flat_map(move |bare| {
                [Color::White, Color::Black].map(|turn| (turn, [king, pawn, bare]))
            })
        })
    });
    places.filter_map(|(turn, squares)| {
        let mut setup = Setup { turn, ..Setup::empty() };
        let pieces =
            [Role::King.of(Color::White), Role::Pawn.of(Color::White), Role::King.of(Color::Black)];
        for (square, piece) in squares.into_iter().zip(pieces) {
            setup.board.set_piece_at(square, piece);
        }
        let position: Chess = Chess::from_setup(setup, CastlingMode::Standard)
            .or_else(PositionError::ignore_impossible_check)
            .ok()?;
        let is_whole = position.board().occupied().count() == 3;
        let wins = is_whole.then(|| white_wins(&position))??;
        Some((position, wins))
    })
}

#[test]
fn every_evaluation_agrees_with_the_table() {
    let engine = tropism::default_engine().unwrap();
    let queen = Game::from_fen("8/8/8/8/3k4/8/8/KQ6 w - - 0 1", None).unwrap();
    let queen = engine.evaluate(queen.position().chess());
    let (mut won, mut drawn) = (0, 0);
    for (position, wins) in positions() {
        let value = position.turn().fold_wb(1, -1) * engine.evaluate(&position);
        if wins {
            won += 1;
            // More than two pawns and less than a queen.
            assert!((200..queen).contains(&value), "{value} in {position:?}");
        } else {
            drawn += 1;
            assert_eq!(value, 0, "{position:?}");
        }
    }
    assert_eq!((won, drawn), (124_960 + 97_604, 38_368 + 70_420));
}

/// The best move of a small search.
fn best(engine: &Engine, table: &TranspositionTable, game: &Game, depth: u32) -> shakmaty::Move {
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    think_with(game, engine, &limits, table).0.best.unwrap()
}

fn white_wins(position: &Chess) -> Option<bool> {
    let board = position.board();
    let [king, bare] = [Color::White, Color::Black].map(|side| board.king_of(side).unwrap());
    let pawn = board.pawns().first()?;
    Some(pawn_wins(Color::White, position.turn(), king, pawn, bare))
}

#[test]
fn a_search_of_one_ply_keeps_every_win_and_draw() {
    let engine = tropism::default_engine().unwrap();
    let table = TranspositionTable::new(1).unwrap();
    let mut seen = 0;
    for (position, wins) in positions().step_by(83) {
        // Only White can lose a win, and only Black a draw.
        if position.is_game_over() || position.turn().is_white() != wins {
            continue;
        }
        let mut game = Game::new(position);
        game.play(best(&engine, &table, &game, 1));
        if let Some(still) = white_wins(game.position().chess()) {
            assert_eq!(still, wins, "{:?}", game.position().chess());
            seen += 1;
        }
    }
    assert!(seen > 1500, "{seen}");
}

/// Plays wins of the engine against itself.
#[test]
fn in_a_win_the_pawn_promotes_to_a_queen_or_rook() {
    let engine = tropism::default_engine().unwrap();
    let mut games = 0;
    for (position, _) in
        positions().filter(|(position, wins)| *wins && position.turn().is_white()).step_by(2501)
    {
        let start = format!("{position:?}");
        let table = TranspositionTable::new(1).unwrap();
        let mut game = Game::new(position);
        let mut plies = 0;
        while game.position().chess().board().pawns().any() {
            game.play(best(&engine, &table, &game, 4));
            plies += 1;
            assert!(plies < 80, "{start}");
        }
        let board = game.position().chess().board();
        assert!((board.queens() | board.rooks()).any(), "{start}");
        games += 1;
    }
    assert_eq!(games, 50);
}
