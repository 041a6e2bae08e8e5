//! `tropism explain --game`: values of a search, marks, reasons, and annotated PGN.

use crate::{pages, program};
use pgn_reader::{RawTag, Reader, SanPlus, Skip, Visitor};
use serde_json::Value;
use shakmaty::{CastlingMode, Chess, fen::Fen};
use std::{fs, ops::ControlFlow, path::Path};
use tempfile::{TempDir, tempdir};
use tropism_coach::notation::{Games, NotedMove, PlayedGame};

const EXPLAINING: &str = include_str!("../../docs/explain.md");

/// Paul Morphy's game at the opera of Paris, as the page has it.
fn opera() -> String {
    pages::file(EXPLAINING, "opera.pgn")
}

const FOOLS_MATE: &str = "1. f3 e5 2. g4 Qh4# 0-1\n";

/// A folder with files.
fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempdir().unwrap();
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

/// Runs `explain` in a folder.
fn explain(folder: &TempDir, arguments: &[&str]) -> program::Finished {
    let mut command = program::command(&[&["explain"], arguments].concat());
    command.current_dir(folder);
    program::finish(command, b"")
}

/// The games of a file in JSON.
fn reviewed(text: &str, arguments: &[&str]) -> Value {
    let folder = folder(&[("game.pgn", text)]);
    let arguments = [&["--game", "game.pgn", "--json"], arguments].concat();
    serde_json::from_str(&explain(&folder, &arguments).success()).unwrap()
}

/// The games of `reviews.txt`.
#[test]
fn reviews_have_the_parts_that_the_file_says() {
    for case in include_str!("reviews.txt").split("\n== ").skip(1) {
        let (arguments, rest) = case.split_once('\n').unwrap();
        let (text, lines) = rest.split_once("\n\n").unwrap();
        let arguments: Vec<&str> = arguments.split(' ').collect();
        let games = reviewed(&(text.replace("\\n", "\n") + "\n"), &arguments);
        for line in lines.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let (place, wanted) = line.split_once(' ').unwrap();
            let (sign, wanted) = wanted.split_once(' ').unwrap();
            let found = games.pointer(place).unwrap_or(&Value::Null);
            let value = || serde_json::from_str::<Value>(wanted).unwrap();
            let is_right = match sign {
                "=" => *found == value(),
                "!" => *found != value(),
                ">" => found.as_f64() > value().as_f64(),
                "~" => found.to_string().contains(wanted),
                "!~" => !found.to_string().contains(wanted),
                _ => panic!("{line}"),
            };
            assert!(is_right, "{text} {line}: {found}");
        }
    }
}

/// What another reader of PGN gets from a game.
#[derive(Default)]
struct Read {
    tags: Vec<(String, String)>,
    moves: Vec<String>,
    /// The main line and the open variations: the position, and the one before its last move.
    lines: Vec<(Chess, Chess)>,
}

impl Visitor for Read {
    type Tags = ();
    type Movetext = ();
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn tag(&mut self, (): &mut (), name: &[u8], value: RawTag<'_>) -> ControlFlow<()> {
        let name = String::from_utf8(name.to_vec()).unwrap();
        self.tags.push((name, value.decode_utf8().unwrap().into_owned()));
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<()> {
        let tag = |name| self.tags.iter().find(|(known, _)| known == name).map(|(_, value)| value);
        let mode = CastlingMode::from_chess960(tag("Variant").is_some_and(|v| v == "Chess960"));
        let position = match tag("FEN") {
            Some(fen) => {
                assert_eq!(tag("SetUp").unwrap(), "1");
                fen.parse::<Fen>().unwrap().into_position(mode).unwrap()
            }
            None => Chess::default(),
        };
        self.lines = vec![(position.clone(), position)];
        ControlFlow::Continue(())
    }

    fn san(&mut self, (): &mut (), san: SanPlus) -> ControlFlow<()> {
        if self.lines.len() == 1 {
            self.moves.push(san.to_string());
        }
        let (position, before) = self.lines.last_mut().unwrap();
        let m = san.san.to_move(position).unwrap_or_else(|error| panic!("{san}: {error}"));
        *before = position.clone();
        assert_eq!(SanPlus::from_move_and_play_unchecked(position, m), san);
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, (): &mut ()) -> ControlFlow<(), Skip> {
        let (_, before) = self.lines.last().unwrap().clone();
        self.lines.push((before.clone(), before));
        ControlFlow::Continue(Skip(false))
    }

    fn end_variation(&mut self, (): &mut ()) -> ControlFlow<()> {
        self.lines.pop();
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, (): ()) {}
}

impl Read {
    fn tag(&self, name: &str) -> &str {
        &self.tags.iter().find(|(known, _)| known == name).unwrap().1
    }
}

/// Writes a file of games as annotated PGN and reads it back, by the other reader and by ours.
fn annotated(text: &str, nodes: &str) -> (String, Vec<Read>, Vec<PlayedGame>) {
    let folder = folder(&[("game.pgn", text)]);
    explain(&folder, &["--game", "game.pgn", "--nodes", nodes, "--pgn", "out.pgn"]).success();
    let text = fs::read_to_string(folder.path().join("out.pgn")).unwrap();
    let mut reader = Reader::new(text.as_bytes());
    let mut games = Vec::new();
    let mut read = Read::default();
    while reader.read_game(&mut read).unwrap().is_some() {
        games.push(std::mem::take(&mut read));
    }
    let played = Games::new(&text).collect();
    (text, games, played)
}

#[test]
fn annotated_pgn_is_read_back() {
    let (text, games, played) = annotated(&format!("{}\n{FOOLS_MATE}", opera()), "5000");
    let [opera, fools] = &games[..] else { panic!("{text}") };
    let [noted, fools_moves] = [0, 1].map(|game: usize| &played[game].text.moves[..]);
    let marked = |moves: &[NotedMove], mistakes: &[u32]| {
        moves.iter().filter(|m| m.nags.iter().any(|nag| mistakes.contains(nag))).count()
    };
    let variations = |moves: &[NotedMove]| moves.iter().map(|m| m.variations.len()).sum::<usize>();
    assert!(text.lines().all(|line| line.chars().count() < 80), "{text}");
    assert!(!text.lines().any(|line| line.starts_with('%')), "{text}");
    let moves = "e4 e5 Nf3 d6 d4 Bg4 dxe5 Bxf3 Qxf3 dxe5 Bc4 Nf6 Qb3 Qe7 Nc3 c6 Bg5 b5 Nxb5 cxb5 \
                 Bxb5+ Nbd7 O-O-O Rd8 Rxd7 Rxd7 Rd1 Qe6 Bxd7+ Nxd7 Qb8+ Nxb8 Rd8#";
    assert_eq!(opera.moves.join(" "), moves);
    let [first, .., mate_in_one, last] = noted else { panic!("{text}") };
    assert!(first.comments[0].starts_with("[%eval 0."), "{first:?}");
    // Lines end anywhere.
    let said = |m: &NotedMove| m.comments[0].split_whitespace().collect::<Vec<_>>().join(" ");
    let end = [mate_in_one, last].map(said);
    assert_eq!(end, ["[%eval #1]", "White wins by checkmate."]);
    assert_eq!((played[0].result.as_str(), opera.tag("Result")), ("1-0", "1-0"));
    assert_eq!(opera.tag("Annotator"), concat!("tropism ", env!("CARGO_PKG_VERSION")));
    // Each mistake has its variation.
    let mistakes = marked(noted, &[2, 4, 6]);
    assert!(mistakes > 0 && variations(noted) == mistakes, "{text}");
    let all = noted.iter().map(|m| m.nags.len()).sum::<usize>();
    assert!(all > mistakes && all == marked(noted, &[1, 2, 3, 4, 5, 6]), "{text}");
    // The other game: the third move is a blunder.
    assert_eq!(fools_moves[2].nags, [4]);
    assert_eq!(variations(fools_moves), marked(fools_moves, &[2, 4, 6]));
    let blunder = said(&fools_moves[2]);
    assert!(blunder.starts_with("[%eval #-1] [%cal G"), "{blunder}");
    assert!(blunder.contains(",Rd8h4] [%csl Re1] Blunder, costs 0."), "{blunder}");
    assert!(
        blunder.contains(" The answer is 2...Qh4#. It mates at once.")
            && blunder.contains(" 2.g4 Qh4#."),
        "{blunder}"
    );
    assert_eq!((played[1].result.as_str(), fools.tag("White")), ("0-1", "?"));
}

#[test]
fn the_page_on_games_shows_what_the_command_prints() {
    let shown = pages::shown(EXPLAINING);
    assert!(shown.len() >= 2, "{}", shown.len());
    pages::assert_all(EXPLAINING, &shown, Path::new(program::PATH).parent().unwrap());
}

/// The move that was played is never better than the one that is recommended.
#[test]
fn no_recommended_move_is_worse_than_the_played_one() {
    let games = reviewed(&opera(), &["--nodes", "2000"]);
    let moves = games[0]["moves"].as_array().unwrap();
    for m in moves.iter().filter(|m| m["best"] != m["uci"]) {
        assert!(m["loss"].as_f64().unwrap() >= 0.02, "{m}");
    }
    let best = moves.iter().filter(|m| m["best"] == m["uci"]).count();
    assert!(0 < best && best < moves.len());
}

/// Nigel Short against Jan Timman, 1991: the king's march, which a short search does not understand.
const MARCH: &str = include_str!("readings/march.pgn");

/// Report: "33.Kf4 +0.53 best, 33...Bc8 +19.46 best", and no mark.
#[test]
fn no_value_jumps_without_a_mark() {
    for nodes in ["1000", "5000"] {
        let games = reviewed(MARCH, &["--nodes", nodes]);
        let values = games[0]["values"].as_array().unwrap();
        let white: Vec<f64> = values.iter().map(|it| it["expected"].as_f64().unwrap()).collect();
        let moves = games[0]["moves"].as_array().unwrap();
        for (ply, (m, values)) in moves.iter().zip(white.windows(2)).enumerate() {
            let sign = if ply % 2 == 0 { 1.0 } else { -1.0 };
            let lost = sign * (values[0] - values[1]);
            let is_marked = matches!(m["mark"].as_str(), Some("?!" | "?" | "??"));
            assert!(lost < 0.11 || is_marked, "{nodes} nodes: {m} lost {lost:.2}");
            assert!(lost > -0.11, "{nodes} nodes: {m} won {:.2}", -lost);
        }
    }
}
