//! Syzygy tablebases. The tables are not part of the project. With a folder of all tables of up to four pieces,
//! `TROPISM_SYZYGY=FOLDER cargo test --release --test engine -- --ignored tablebases` runs all tests.

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use shakmaty::{
    Bitboard, CastlingMode, Chess, Color, FromSetup, Piece, Position, Role, Setup, Square,
};
use shakmaty_syzygy::{Dtz, MaybeRounded, Tablebase};
use tropism::eval::Engine;
use tropism::search::{
    Game, Limits, Outcome, Resources, SearchRequest, TABLEBASE_WIN, Tablebases, TranspositionTable,
    Value, search,
};

fn folder() -> String {
    std::env::var("TROPISM_SYZYGY").expect("TROPISM_SYZYGY names the folder of the tables")
}

fn think(engine: &Engine, tablebases: &Tablebases, game: &Game, limits: &Limits) -> Outcome {
    let table = TranspositionTable::new(1).unwrap();
    let resources = Resources { tablebases: Some(tablebases), ..Resources::default() };
    let request = SearchRequest::new(game, engine, &table, limits).with_resources(resources);
    search(&request, |_| ())
}

/// A legal position of two kings and two other pieces, White to move.
fn four_pieces(runner: &mut TestRunner) -> Option<Chess> {
    let squares = proptest::sample::subsequence(Square::ALL.to_vec(), 4).prop_shuffle();
    let roles = proptest::sample::select(&Role::ALL[..5]);
    let tree = (squares, [roles.clone(), roles], proptest::bool::ANY);
    let (squares, roles, with) = tree.new_tree(runner).unwrap().current();
    let mut setup = Setup::empty();
    setup.board.set_piece_at(squares[0], Role::King.of(Color::White));
    setup.board.set_piece_at(squares[1], Role::King.of(Color::Black));
    setup.board.set_piece_at(squares[2], roles[0].of(Color::White));
    let color = Color::from_white(with);
    setup.board.set_piece_at(squares[3], Piece { color, role: roles[1] });
    let on_board = setup.board.occupied() == Bitboard::from_iter(squares);
    Chess::from_setup(setup, CastlingMode::Standard).ok().filter(|_| on_board)
}

/// The same position after so many halfmoves without a capture or pawn move.
fn aged(chess: &Chess, halfmoves: u32) -> Game {
    let mut setup = chess.to_setup(shakmaty::EnPassantMode::Legal);
    setup.halfmoves = halfmoves;
    setup.fullmoves = std::num::NonZeroU32::new(100).unwrap();
    Game::new(Chess::from_setup(setup, CastlingMode::Standard).unwrap())
}

/// Plays two hundred won positions in which the next capture or pawn move is at least ten moves away. The
/// halfmove clock is so high that only the shortest way there wins, and the defence makes it as long as
/// possible.
#[test]
#[ignore = "needs Syzygy tables"]
fn wins_are_converted_before_the_fifty_move_rule() {
    let engine = tropism::default_engine().unwrap();
    let tables = folder();
    let (tablebases, _) = Tablebases::open(&tables).unwrap();
    let mut truth = Tablebase::new();
    truth.add_directory(&tables).unwrap();
    let mut runner = TestRunner::deterministic();
    let mut played = 0;
    while played < 200 {
        let Some(chess) = four_pieces(&mut runner) else { continue };
        // Most tables count moves, not plies: the true number may be one ply higher.
        let most = match truth.probe_dtz(&chess) {
            Ok(MaybeRounded::Precise(Dtz(plies))) => plies,
            Ok(MaybeRounded::Rounded(Dtz(plies))) => plies + 1,
            Err(_) => continue,
        };
        if !(20..=100).contains(&most) || chess.is_game_over() {
            continue;
        }
        let mut game = aged(&chess, (100 - most) as u32);
        let start = format!("{:?}", game.position().chess());
        let limits = Limits { nodes: Some(300), ..Limits::default() };
        while !game.position().chess().is_game_over() {
            let chess = game.position().chess();
            assert!(chess.halfmoves() < 100, "drawn from {start}");
            let key = game.position().key();
            assert!(game.keys().iter().filter(|&&known| known == key).count() < 3);
            let m = match chess.turn() {
                Color::White => {
                    let outcome = think(&engine, &tablebases, &game, &limits);
                    let is_won = matches!(
                        outcome.value,
                        Value::Centipawns(TABLEBASE_WIN) | Value::Mate(1..)
                    );
                    assert!(is_won, "{:?} in {chess:?} from {start}", outcome.value);
                    outcome.best.unwrap()
                }
                Color::Black => truth.best_move(chess).unwrap().unwrap().0,
            };
            game.play(m);
        }
        assert!(game.position().chess().is_checkmate(), "{:?}", game.position().chess());
        played += 1;
    }
}

/// A win that comes too late for the fifty-move rule is a draw, unless the rule is switched off.
#[test]
#[ignore = "needs Syzygy tables"]
fn the_fifty_move_rule_turns_late_wins_into_draws() {
    let (mut tablebases, found) = Tablebases::open(&folder()).unwrap();
    assert!(found.tables > 10 && found.complaints.is_empty());
    // Bishop and knight need 33 moves from here.
    let game = Game::from_fen("8/8/7N/8/8/8/8/K1k1B3 w - - 60 100", None).unwrap();
    let best = |tablebases: &Tablebases| {
        tablebases.rank(&game).unwrap().moves.iter().map(|known| known.value).max()
    };
    assert_eq!(best(&tablebases), Some(Some(0)));
    tablebases.fifty_moves = false;
    assert_eq!(best(&tablebases), Some(Some(TABLEBASE_WIN)));
    // Inside the tree only positions after a capture or pawn move are probed.
    let probe = |fen: &str| {
        let game = Game::from_fen(fen, None).unwrap();
        tablebases.probe(game.position().chess(), 3)
    };
    assert_eq!(probe("8/8/8/8/8/k7/8/K6R w - - 0 1"), Some(TABLEBASE_WIN - 3));
    assert_eq!(probe("8/8/8/8/8/k7/8/K6R b - - 0 1"), Some(3 - TABLEBASE_WIN));
    assert_eq!(probe("8/8/8/8/8/k7/8/K6N w - - 0 1"), Some(0));
    assert_eq!(probe("8/8/8/8/8/k7/8/K6R w - - 1 1"), None);
    assert_eq!(probe("4k3/8/8/8/8/8/8/4K2R w K - 0 1"), None);
}

/// Report: with tables, a mate exactly on the hundredth ply was a draw. The distances of these tables are rounded.
#[test]
#[ignore = "needs Syzygy tables"]
fn a_mate_on_the_hundredth_ply_counts() {
    let engine = tropism::default_engine().unwrap();
    let (tablebases, _) = Tablebases::open(&folder()).unwrap();
    for (fen, value) in [
        ("6k1/8/5K2/3R4/8/8/8/8 w - - 96 100", Value::Mate(2)),
        ("6k1/8/5K2/3R4/8/8/8/8 w - - 97 100", Value::Mate(2)),
        ("6k1/8/5K2/3R4/8/8/8/8 w - - 98 100", Value::Centipawns(0)),
        ("8/8/8/8/8/2k5/8/K1q5 w - - 98 100", Value::Mate(-1)),
        ("8/8/8/8/8/2k5/8/K1q5 w - - 99 100", Value::Centipawns(0)),
    ] {
        let game = Game::from_fen(fen, None).unwrap();
        let limits = Limits { depth: Some(6), ..Limits::default() };
        assert_eq!(think(&engine, &tablebases, &game, &limits).value, value, "{fen}");
    }
}

#[test]
fn folders_without_tables_are_refused() {
    let nothing = Tablebases::open(env!("CARGO_MANIFEST_DIR"));
    assert!(nothing.unwrap_err().to_string().starts_with("no Syzygy tables in "));
    let paths = std::env::join_paths(["/no/such folder", env!("CARGO_MANIFEST_DIR")]).unwrap();
    let error = Tablebases::open(paths.to_str().unwrap()).unwrap_err().to_string();
    assert!(error.starts_with("/no/such folder: "), "{error}");
}

#[test]
fn several_folders_may_be_given_with_blanks_in_their_names() {
    let folder = tempfile::Builder::new().prefix("tropism tables ").tempdir().unwrap();
    let folder = folder.path();
    let other = folder.join("more of them");
    std::fs::create_dir_all(&other).unwrap();
    for (folder, name, bytes) in [
        (folder, "KNvK.rtbw", KNVK_WDL),
        (folder, "KNvK.rtbz", KNVK_DTZ),
        (&other, "KBvK.rtbw", KBVK_WDL),
    ] {
        std::fs::write(folder.join(name), bytes).unwrap();
    }
    let paths = std::env::join_paths([folder, &other]).unwrap();
    let (tablebases, found) = Tablebases::open(paths.to_str().unwrap()).unwrap();
    assert_eq!((found.tables, found.with_distances, tablebases.max_pieces()), (2, 1, 3));
    assert_eq!(found.complaints, [""; 0]);
    let probe = |fen: &str| {
        let game = Game::from_fen(fen, None).unwrap();
        tablebases.probe(game.position().chess(), 1)
    };
    assert_eq!(probe("8/8/8/8/8/k7/8/K6N w - - 0 1"), Some(0));
    assert_eq!(probe("8/8/8/8/8/k7/8/K6R w - - 0 1"), None);
}

/// Report: one broken file hid all others, and distances without results were counted as tables.
#[test]
fn broken_files_are_named_and_the_others_stay() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| std::fs::write(folder.path().join(name), bytes).unwrap();
    let open = || Tablebases::open(folder.path().to_str().unwrap());
    write("KNvKN.rtbz", KNVKN_DTZ);
    let error = open().unwrap_err().to_string();
    assert!(error.contains("KNvKN.rtbz: the table of results (.rtbw) is missing"), "{error}");
    write("KNvK.rtbw", KNVK_WDL);
    write("KQvK.rtbw", &[0; 80]);
    write("KRvK.rtbw", KBVK_WDL);
    write("KBvK.rtbw", &KBVK_WDL[..64]);
    std::fs::create_dir(folder.path().join("KPvK.rtbw")).unwrap();
    let mut flipped = *KNVK_DTZ;
    flipped[70] ^= 1;
    write("KNvK.rtbz", &flipped);
    let (tablebases, found) = open().unwrap();
    assert_eq!((found.tables, found.with_distances, tablebases.max_pieces()), (1, 0, 3));
    let names = ["KBvK.rtbw", "KPvK.rtbw", "KQvK.rtbw", "KRvK.rtbw", "KNvK.rtbz", "KNvKN.rtbz"];
    assert_eq!(found.complaints.len(), names.len(), "{:#?}", found.complaints);
    for (complaint, name) in found.complaints.iter().zip(names) {
        assert!(complaint.contains(name), "{complaint} instead of {name}");
    }
}

/// Tables of Ronald de Man in which every position is a draw.
const KNVK_WDL: &[u8; 80] = include_bytes!("tables/KNvK.rtbw");
const KNVK_DTZ: &[u8; 80] = include_bytes!("tables/KNvK.rtbz");
const KBVK_WDL: &[u8; 80] = include_bytes!("tables/KBvK.rtbw");
const KNVKN_DTZ: &[u8; 80] = include_bytes!("tables/KNvKN.rtbz");
