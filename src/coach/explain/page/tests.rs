use super::*;
use crate::coach::explain::game::tests::games;
use crate::search::Game;
use roxmltree::{Document, ParsingOptions};

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
    let engine = crate::default_engine().unwrap();
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

/// Every name is given once, every reference leads to one, and nothing comes from elsewhere.
fn assert_self_contained(document: &Document) {
    let mut names: Vec<&str> =
        document.descendants().filter_map(|node| node.attribute("id")).collect();
    names.sort_unstable();
    assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{names:?}");
    for node in document.descendants() {
        assert!(!["script", "link", "img"].contains(&node.tag_name().name()));
        if let Some(target) = node.attribute("href") {
            let name = target.strip_prefix('#').unwrap_or_else(|| panic!("{target}"));
            assert!(names.contains(&name), "{target}");
        }
    }
}

#[test]
fn squares_add_up_to_the_term() {
    for fen in POSITIONS {
        let explained = explained(fen);
        for said in &explained.terms {
            let painted = explained.painted_squares(said);
            let sum: f64 = painted.iter().map(|painted| painted.value).sum();
            let total = explained.now(said.row.total());
            assert!((sum - total).abs() < 1e-6, "{} in {fen}: {sum} {total}", said.row.name);
            assert!(painted.iter().all(|painted| painted.strength <= 1.0));
        }
    }
}

#[test]
fn pages_are_well_formed_and_stand_alone() {
    for fen in POSITIONS {
        let explained = explained(fen);
        let page = explained.page().unwrap();
        let document = parsed(&page);
        assert_self_contained(&document);
        let (speaking, _) = explained.speaking();
        // A board for the position and one for each term that says something.
        assert_eq!(texts(&document, "board").count(), 1 + speaking.len(), "{fen}");
        let articles = document.descendants().filter(|node| node.has_tag_name("article"));
        let named: Vec<&str> = articles.filter_map(|node| node.attribute("id")).collect();
        let names: Vec<&str> = speaking.iter().map(|said| said.row.name).collect();
        assert_eq!(named, names, "{fen}");
        // The figures on the squares are those that add up, each rounded.
        let worth = texts(&document, "worth").map(|text| text.parse::<f64>().unwrap());
        let squares: usize = speaking
            .iter()
            .map(|said| said.row.white_contributions.len() + said.row.black_contributions.len())
            .sum();
        let (shown, sum) = worth.fold((0, 0.0), |(n, sum), worth| (n + 1, sum + worth));
        let total = explained.now(explained.trace.total);
        assert!(shown <= squares, "{fen}");
        assert!((sum - total).abs() <= 0.5 * squares as f64 + 1.0, "{fen}: {sum} {total}");
    }
}

#[test]
fn ways_forks_and_races_are_drawn() {
    let marks_of = |term: &str, fen: &str| {
        let explained = explained(fen);
        let said = explained.terms.iter().find(|said| said.row.name == term).unwrap();
        marks(said, &explained.view, &explained.position)
    };
    let race = marks_of("passed_pawns", "8/8/5k2/1P6/3K4/8/8/8 w - - 0 1");
    let lengths: Vec<usize> = race.ways.iter().map(|way| way.squares.len() - 1).collect();
    // The pawn straight to b8, the own king two moves to b6, the enemy king four.
    assert_eq!(lengths, [1, 2, 4]);
    let told = "b5 needs 3 moves to promote on b8; to b6, before it, White's king needs 2 and Black's 4; to b8 4 and 4. \
                Black's king is 1 move too late to catch it.";
    assert_eq!(race.notes, [told]);
    // Karpov against Unzicker, 1974, after 24.Ba7.
    let bind = "r1rq1bk1/Bn1b1p1p/3p1np1/1p1Pp3/1Pp1P3/2P2NNP/R2Q1PP1/1B2R1K1 b - - 1 24";
    let bind = marks_of("mobility", bind);
    let told = "Black's knight on b7 has nowhere to go: pawns guard a5 and c5, own men stand on d6 and d8.";
    assert_eq!((bind.notes, bind.rings), (vec![told.to_owned()], vec![Square::B7]));
    assert_eq!(marks_of("mobility", POSITIONS[0]).notes, [""; 0]);
    // Lasker against Bauer, 1889, before 15.Bxh7+.
    let sacrifice = "r4rk1/1b2bppp/ppq1p3/2ppB2n/5P2/1P1BP3/P1PPQ1PP/R4RK1 w - - 0 15";
    let told = "Beside Black's king the bishop on d3 attacks h7, the bishop on e5 attacks g7.";
    assert_eq!(marks_of("king_safety", sacrifice).notes, [told]);
    let fork = marks_of("knight_forks", "r3k3/8/8/3N4/8/8/8/4K3 w - - 0 1");
    let to = |way: &Way| (way.squares[0], way.squares[1]);
    let expected = [(Square::D5, Square::C7), (Square::C7, Square::A8), (Square::C7, Square::E8)];
    assert_eq!(fork.ways.iter().map(to).collect::<Vec<_>>(), expected);
    assert_eq!(fork.rings, [Square::C7]);
    assert_eq!(fork.notes, ["White's knight forks a8 and e8 from c7."]);
    // The bishop on d3 runs on light squares: h1 is as far from g7 as a8, and nearer to White.
    let mate = marks_of("kbnk", "8/6k1/8/4K3/3N4/3B4/8/8 b - - 0 1");
    assert_eq!(mate.rings, [Square::H1]);
    assert!(mate.numbers.contains(&(Square::G8, "1".to_owned())), "{:?}", mate.numbers);
}

#[test]
fn a_page_of_games_has_a_curve_a_term_and_names_what_is_broken() {
    let text = "[White \"A & <B>\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Nxe5 Nxe5 4. d4 *\n\n[White \"C\"]\n\n1. Ke2 *\n";
    let engine = crate::default_engine().unwrap();
    let games: Vec<Chronicle> =
        games("page", text).into_iter().map(|game| Chronicle::new(&engine, game)).collect();
    let page = Chronicle::page(engine.name(), &games).unwrap();
    let document = parsed(&page);
    assert_self_contained(&document);
    let curves = games.iter().map(|game| 1 + game.speaking().len()).sum::<usize>();
    assert_eq!(texts(&document, "curve").count(), curves);
    let heads: Vec<String> = document
        .descendants()
        .filter(|node| node.has_tag_name("h1"))
        .filter_map(|node| node.text().map(str::to_owned))
        .collect();
    assert_eq!(heads, ["A & <B> - ?, *", "C - ?, *"]);
    let fault: Vec<String> = texts(&document, "fault").collect();
    assert!(fault.len() == 1 && fault[0].contains("move 1.Ke2: illegal"), "{fault:?}");
}
