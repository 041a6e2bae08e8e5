use super::*;
use crate::Searcher;
use crate::notation::{Games, PlayedGame};
use roxmltree::{Document, ParsingOptions};
use tropism::eval::{Arrow, Engine};
use tropism::search::{Game, Limits};

const POSITIONS: [&str; 10] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/8/p1p5/1p5p/1P5p/8/PPP2K1p/4R1rk w - - 0 1",
    "8/8/8/8/8/8/k2B2B1/7K w - - 0 1",
    "8/6k1/8/4K3/3N4/3B4/8/8 b - - 0 1",
    "8/8/4k3/8/4K3/8/P7/8 b - - 0 1",
    "4k1b1/p7/8/8/8/8/PP6/B3K3 w - - 0 1",
    "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
];

fn explained(fen: &str) -> Explanation {
    let engine = tropism::default_engine().unwrap();
    Explanation::new(&engine, &Game::from_fen(fen, None).unwrap())
}

fn parsed(page: &str) -> Document<'_> {
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    Document::parse_with_options(page, options).unwrap()
}

/// The texts of the elements of a class.
fn texts<'a>(document: &'a Document, class: &'a str) -> impl Iterator<Item = String> + 'a {
    let has = move |node: &roxmltree::Node| {
        node.attribute("class").is_some_and(|classes| classes.split(' ').any(|c| c == class))
    };
    let nodes = document.descendants().filter(has);
    nodes.map(|node| {
        let texts = node.descendants().filter(|child| child.is_text());
        texts.filter_map(|child| child.text().map(str::trim)).collect()
    })
}

/// Every id is unique, every reference leads to one, and nothing is loaded from outside.
fn assert_self_contained(document: &Document) {
    let mut names: Vec<&str> =
        document.descendants().filter_map(|node| node.attribute("id")).collect();
    names.sort_unstable();
    assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{names:?}");
    for node in document.descendants() {
        assert!(!["link", "img"].contains(&node.tag_name().name()));
        assert!(node.attribute("src").is_none());
        if let Some(target) = node.attribute("href") {
            let name = target.strip_prefix('#').unwrap_or_else(|| panic!("{target}"));
            assert!(names.contains(&name), "{target}");
        }
    }
}

#[test]
fn a_square_shows_what_its_tooltip_says_and_squares_add_up_to_the_term() {
    let hundredths = |line: &str| -> i32 {
        let value = line.split(' ').next().unwrap();
        (value.parse::<f64>().unwrap() * 100.0).round() as i32
    };
    for fen in POSITIONS {
        let explained = explained(fen);
        for term in &explained.terms {
            let values = explained.square_values(term, &[]);
            let sum: i32 = values.iter().map(|square| square.value).sum();
            assert_eq!(sum, term.value(), "{} in {fen}", term.row.name());
            for square in values {
                let said: i32 = square.tooltip.lines().skip(1).map(hundredths).sum();
                assert_eq!(square.value, said, "{} in {fen}", square.tooltip);
                assert!(square.strength <= 1.0);
            }
        }
    }
}

#[test]
fn what_is_read_is_painted_with_its_number_in_the_colour_of_the_side_it_is_good_for() {
    let file = "name = 'x'\nterms = ['near']\n[near]\ndoc = 'Near.'\neach = 'bishop in own.bishops'\n\
        [near.moves]\ncount = 'chebyshev(bishop, enemy.king)'\nunit = 'king moves from the enemy king'\n\
        worth = [-5, -5]\n";
    let engine = Engine::parse(file, "x", &tropism::terms::registry()).unwrap();
    // Seven moves from h8 and seven from a1: what both have in common is painted too.
    let game = Game::from_fen("2b4k/p7/8/8/8/8/P7/K4B2 w - - 0 1", None).unwrap();
    let explained = Explanation::new(&engine, &game);
    let TermLayers { under, over, notes } = explained.layers("near", false).unwrap();
    let [under, over] = [&under, &over].map(|layer| parsed(layer));
    assert_eq!(texts(&over, "worth").collect::<Vec<_>>(), ["-35", "+35"]);
    let tints = under.descendants().filter_map(|node| node.attribute("class"));
    assert_eq!(tints.collect::<Vec<_>>(), ["tint black", "tint white"]);
    assert_eq!(texts(&over, "number").collect::<Vec<_>>(), ["7", "7"]);
    assert!(notes.contains(&"The number on an arrow: the length of its way.".to_owned()));
}

#[test]
fn pages_are_well_formed_and_self_contained() {
    for fen in POSITIONS {
        let explained = explained(fen);
        let page = explained.page();
        let document = parsed(&page);
        assert_self_contained(&document);
        let (contributing, _) = explained.contributing_terms();
        // A board for the position and one for each term that contributes something.
        assert_eq!(texts(&document, "board").count(), 1 + contributing.len(), "{fen}");
        let articles = document.descendants().filter(|node| node.has_tag_name("article"));
        let named: Vec<&str> = articles.filter_map(|node| node.attribute("id")).collect();
        let names: Vec<&str> = contributing.iter().map(|term| term.row.name()).collect();
        assert_eq!(named, names, "{fen}");
        // The values on the squares add up to the sum.
        let sum: i32 = texts(&document, "worth").map(|text| text.parse::<i32>().unwrap()).sum();
        let expected = explained.trace.total.taper(explained.trace.context.phase);
        assert_eq!(sum, if explained.outcome.is_some() { 0 } else { expected }, "{fen}");
    }
}

#[test]
fn arrows_forks_and_races_are_drawn() {
    let marks_of = |term: &str, fen: &str| {
        let explained = explained(fen);
        let term = explained.terms.iter().find(|known| known.row.name() == term).unwrap();
        explained.trace.marks(&term.row)
    };
    let race = marks_of("passed_pawns", "8/8/5k2/1P6/3K4/8/8/8 w - - 0 1");
    let lengths: Vec<usize> = race.arrows.iter().map(|arrow| arrow.squares.len() - 1).collect();
    // The pawn straight to b8, White's king two moves to b6, Black's king four.
    assert_eq!(lengths, [1, 2, 4]);
    let note = "The pawn on b5 promotes on b8 in 3 moves. King moves to b6: White 2, Black 4; to b8: White 4, \
                Black 4. Black's king is 1 move too late to catch the pawn.";
    assert_eq!(race.notes, [note]);
    // Karpov against Unzicker, 1974, after 24.Ba7.
    let bind = "r1rq1bk1/Bn1b1p1p/3p1np1/1p1Pp3/1Pp1P3/2P2NNP/R2Q1PP1/1B2R1K1 b - - 1 24";
    let bind = marks_of("mobility", bind);
    let note = "Black's knight on b7 has no safe move: enemy pawns guard a5 and c5, its own side blocks d6 \
                and d8.";
    assert_eq!((bind.notes, bind.rings), (vec![note.to_owned()], vec![Square::B7]));
    assert_eq!(marks_of("mobility", POSITIONS[0]).notes, [""; 0]);
    // Lasker against Bauer, 1889, before 15.Bxh7+.
    let sacrifice = "r4rk1/1b2bppp/ppq1p3/2ppB2n/5P2/1P1BP3/P1PPQ1PP/R4RK1 w - - 0 15";
    let note = "Next to Black's king: the bishop on d3 attacks h7, the bishop on e5 attacks g7.";
    assert_eq!(marks_of("king_safety", sacrifice).notes, [note]);
    let fork = marks_of("knight_forks", "r3k3/8/8/3N4/8/8/8/4K3 w - - 0 1");
    let ends = |arrow: &Arrow| (arrow.squares[0], arrow.squares[1]);
    let expected = [(Square::D5, Square::C7), (Square::C7, Square::A8), (Square::C7, Square::E8)];
    assert_eq!(fork.arrows.iter().map(ends).collect::<Vec<_>>(), expected);
    assert_eq!(fork.rings, [Square::C7]);
    assert_eq!(fork.notes, ["White's knight forks a8 and e8 from c7."]);
    // The bishop moves on light squares. h1 is as far from g7 as a8, and closer to White's king.
    let mate = marks_of("kbnk", "8/6k1/8/4K3/3N4/3B4/8/8 b - - 0 1");
    assert_eq!(mate.rings, [Square::H1]);
    // King to king, bare king to the centre, knight to king, bare king to the corner: the distances that are read.
    let lengths: Vec<_> = mate.arrows.iter().filter_map(|arrow| arrow.length).collect();
    assert_eq!(lengths, [4, 4, 2, 7]);
    assert!(mate.dots.contains(&Square::G8));
}

fn review(engine: &Engine, game: PlayedGame) -> GameReview {
    let limits = Limits { nodes: Some(500), ..Limits::default() };
    let table = tropism::search::TranspositionTable::new(1).unwrap();
    GameReview::new(&Searcher::new(engine, &table), game, &limits, || ())
}

#[test]
fn a_page_of_games_has_a_curve_for_each_game_and_names_broken_games() {
    let text = "[White \"A & <B>\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Nxe5 Nxe5 4. d4 *\n\n[White \"C\"]\n\n1. Ke2 *\n";
    let engine = tropism::default_engine().unwrap();
    let games: Vec<GameReview> = Games::new(text).map(|game| review(&engine, game)).collect();
    let page = GameReview::page(engine.name(), &games);
    let document = parsed(&page);
    assert_self_contained(&document);
    assert_eq!(texts(&document, "curve").count(), games.len());
    let heads: Vec<String> = document
        .descendants()
        .filter(|node| node.has_tag_name("h1"))
        .filter_map(|node| node.text().map(str::to_owned))
        .collect();
    assert_eq!(heads, ["A & <B> - ?, *", "C - ?, *"]);
    // The lost knight is a mistake with a board of its own.
    let mistakes = games[0].moves.iter().filter(|reviewed| reviewed.mark.is_some()).count();
    assert!(mistakes >= 1 && page.contains("<span>3.Nxe5?"), "{mistakes}");
    assert_eq!(texts(&document, "board").count(), games.len() + mistakes);
    assert!(page.contains("White: accuracy"));
    // A click on a move shows the position after it: here those of the first game.
    let moves = document.descendants().filter(|node| node.attribute("data-pieces").is_some());
    let moves: Vec<_> = moves.take(games[0].moves.len()).collect();
    let last = moves.last().unwrap();
    assert_eq!(moves[0].text(), Some("1.e4"));
    let sign = games[0].moves[4].mark.unwrap().sign();
    assert_eq!(moves[4].text(), Some(&*format!("3.Nxe5{sign}")));
    assert_eq!(last.attribute("data-squares"), Some("d2d4"));
    let pieces = games[0].game.position(7).board().to_string();
    assert_eq!(last.attribute("data-pieces"), Some(&*pieces));
    let fault: Vec<String> = texts(&document, "fault").collect();
    assert!(fault.len() == 1 && fault[0].contains("move 1.Ke2 cannot be read"), "{fault:?}");
}
