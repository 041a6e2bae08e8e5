//! Pages of HTML that need nothing but themselves.

use super::board::{self, Layer, Marks, Painted, Way};
use super::curves::Curve;
use super::marks::marks;
use super::reasons::{Reason, side_name};
use super::{BestLine, Chronicle, Explanation, NOTHING, Said, signed};
use askama::Template;
use shakmaty::{Chess, Color, Position, Square};
use std::collections::BTreeMap;

/// Reasons told for each side at the head of the page.
const FOREMOST: usize = 5;
/// Reasons shown below a board; the others are folded.
const LISTED: usize = 4;
/// Distances written on one square.
const DISTANCES: usize = 2;
/// Moves of the best line drawn on the board.
const ARROWS: usize = 3;

#[derive(Template)]
#[template(path = "position.html")]
struct PositionPage {
    definitions: String,
    headline: String,
    turn: &'static str,
    tapering: String,
    fen: String,
    engine: String,
    taken: Option<String>,
    board: String,
    /// What speaks for White, and for Black.
    sides: Vec<SideView>,
    line: Vec<String>,
    rows: Vec<RowView>,
    sum: RowView,
    value: String,
    silent: String,
    cards: Vec<Card>,
}

struct SideView {
    name: &'static str,
    reasons: Vec<ReasonView>,
}

struct ReasonView {
    value: String,
    class: &'static str,
    term: &'static str,
    sentence: String,
}

struct RowView {
    name: &'static str,
    bar: String,
    white: String,
    black: String,
    total: String,
    class: &'static str,
    middlegame: String,
    endgame: String,
}

struct Card {
    name: &'static str,
    doc: &'static str,
    total: String,
    class: &'static str,
    board: String,
    notes: Vec<String>,
    reasons: Vec<ReasonView>,
    rest: Vec<ReasonView>,
}

#[derive(Template)]
#[template(path = "game.html")]
struct GamePage {
    definitions: String,
    engine: String,
    games: Vec<GameView>,
}

struct GameView {
    number: usize,
    heading: String,
    length: String,
    fault: Option<String>,
    total: String,
    curves: Vec<CurveView>,
    turns: Vec<TurnView>,
}

struct CurveView {
    name: &'static str,
    curve: String,
}

struct TurnView {
    name: String,
    term: &'static str,
    value: String,
    class: &'static str,
    words: String,
    board: String,
}

impl Explanation {
    /// One page of HTML, also well-formed as XML, that needs no other file.
    ///
    /// # Errors
    ///
    /// If the template cannot be filled in, which formatting into memory rules out.
    pub fn page(&self) -> Result<String, askama::Error> {
        let (speaking, silent) = self.speaking();
        let largest = speaking.iter().map(|said| self.now(said.row.total()).abs());
        let largest = largest.fold(NOTHING, f64::max);
        let rows = speaking.iter().map(|said| {
            let row = &said.row;
            self.row_view(row.name, Some((row.white, row.black)), row.total(), largest)
        });
        let sides = Color::ALL.map(|side| {
            let reasons = self.reasons_for(side).into_iter().take(FOREMOST);
            let reasons = reasons.map(|(term, reason)| self.reason_view(term, reason)).collect();
            SideView { name: side_name(side), reasons }
        });
        let page = PositionPage {
            definitions: board::definitions().to_string(),
            headline: self.headline(),
            turn: side_name(self.position.turn()),
            tapering: self.tapering(),
            fen: self.fen.clone(),
            engine: self.trace.engine.clone(),
            taken: self.taken(),
            board: self.main_board(),
            sides: sides.into(),
            line: self.line.as_ref().map(BestLine::told).unwrap_or_default(),
            rows: rows.collect(),
            sum: self.row_view("sum", None, self.trace.total, f64::INFINITY),
            value: signed(f64::from(self.white_value())),
            silent: silent.join(", "),
            cards: speaking.iter().map(|said| self.card(said)).collect(),
        };
        page.render()
    }

    /// The position, with the first moves of the best line.
    fn main_board(&self) -> String {
        let mut marks = Marks::default();
        let moves = self.line.iter().flat_map(|line| &line.moves).take(ARROWS);
        for (side, m) in
            [self.position.turn(), !self.position.turn()].into_iter().cycle().zip(moves)
        {
            marks.ways.extend(Way::of_move(*m, side));
        }
        let layer = Layer { marks, ..Layer::default() };
        board::draw(&self.position, &layer, &format!("The position {}", self.fen)).to_string()
    }

    fn row_view(
        &self,
        name: &'static str,
        sides: Option<(crate::eval::Score, crate::eval::Score)>,
        total: crate::eval::Score,
        largest: f64,
    ) -> RowView {
        let [white, black] = sides.map_or([const { String::new() }; 2], |(white, black)| {
            [white, black].map(|score| signed(self.now(score)))
        });
        let [middlegame, endgame] =
            [crate::eval::Score::MAX_PHASE, 0].map(|phase| signed(total.centipawns(phase)));
        // The sum is rounded as the search does it.
        let now = match largest {
            f64::INFINITY => f64::from(total.taper(self.trace.phase)),
            _ => self.now(total),
        };
        let bar = board::bar(now / largest).to_string();
        let (total, class) = (signed(now), class(now));
        RowView { name, bar, white, black, total, class, middlegame, endgame }
    }

    fn reason_view(&self, term: &'static str, reason: &Reason) -> ReasonView {
        let value = self.now(reason.score);
        ReasonView { value: signed(value), class: class(value), term, sentence: reason.sentence() }
    }

    fn card(&self, said: &Said) -> Card {
        let now = self.now(said.row.total());
        let painted = self.painted_squares(said);
        let marks = marks(said, &self.view, &self.position);
        let legend = marks.legend.map(str::to_owned);
        let notes = marks.notes.iter().cloned().chain(legend).collect();
        let name = format!("{}: contributions by square", said.row.name);
        let board = board::draw(&self.position, &Layer { painted, marks }, &name).to_string();
        let mut reasons: Vec<ReasonView> =
            said.reasons.iter().map(|reason| self.reason_view(said.row.name, reason)).collect();
        let count = |reason: &&Reason| self.now(reason.score).abs() >= NOTHING;
        let listed = said.reasons.iter().filter(count).count().min(LISTED);
        let rest = reasons.split_off(listed);
        let (total, class) = (signed(now), class(now));
        Card { name: said.row.name, doc: said.row.doc, total, class, board, notes, reasons, rest }
    }

    /// What each square contributes to a term; all together come to its total. See
    /// [`Reason::shares`].
    pub(super) fn painted_squares(&self, said: &Said) -> Vec<Painted> {
        let mut squares: BTreeMap<Square, Vec<(f64, String, String)>> = BTreeMap::new();
        for reason in &said.reasons {
            let shares = reason.shares(self.trace.phase);
            let sides = Color::ALL.into_iter().zip(reason.seen.iter().zip(shares));
            for (side, (seen, shares)) in sides {
                for (seen, share) in seen.iter().zip(shares) {
                    let worth = self.now(side.fold_wb(seen.worth, -seen.worth));
                    let distance = reason.spec.length.map(|_| short(&reason.number(seen)));
                    let told = reason.told(seen);
                    let told = format!("{} {}: {told}", signed(worth), side_name(side));
                    squares.entry(seen.square).or_default().push((
                        side.fold_wb(share, -share),
                        distance.unwrap_or_default(),
                        told,
                    ));
                }
            }
        }
        let value = |seen: &[(f64, String, String)]| seen.iter().map(|seen| seen.0).sum::<f64>();
        let largest = squares.values().map(|seen| value(seen).abs()).fold(NOTHING, f64::max);
        let painted = squares.into_iter().map(|(square, mut seen)| {
            seen.sort_by(|a, b| b.0.abs().total_cmp(&a.0.abs()));
            let value = value(&seen);
            let distances = seen.iter().filter(|seen| !seen.1.is_empty()).take(DISTANCES);
            let distances: Vec<&str> = distances.map(|seen| seen.1.as_str()).collect();
            let told: Vec<&str> = seen.iter().map(|seen| seen.2.as_str()).collect();
            Painted {
                square,
                value,
                strength: value.abs() / largest,
                distances: distances.join(" · "),
                told: told.join("\n"),
            }
        });
        painted.collect()
    }
}

impl Chronicle {
    /// One page of HTML for games, also well-formed as XML, that needs no other file.
    ///
    /// # Errors
    ///
    /// If the template cannot be filled in, which formatting into memory rules out.
    pub fn page(engine: &str, games: &[Chronicle]) -> Result<String, askama::Error> {
        let page = GamePage {
            definitions: board::definitions().to_string(),
            engine: engine.to_owned(),
            games: games.iter().map(Chronicle::view).collect(),
        };
        page.render()
    }

    fn view(&self) -> GameView {
        let start = &self.game.start;
        let first = (u32::from(start.fullmoves()), start.turn().is_black());
        let draw = |name: &str, values: &[f64], term: Option<usize>| {
            let turns = self.turns.iter().filter(|turn| term.is_none_or(|term| turn.term == term));
            let dots = turns.map(|turn| {
                let (name, term) = (&turn.name, self.terms[turn.term]);
                (turn.end, format!("{name} {term} {}", signed(turn.change)))
            });
            Curve { name, values, dots: dots.collect(), first, large: term.is_none() }
                .draw()
                .to_string()
        };
        let curves = self.speaking().into_iter().map(|term| {
            let values: Vec<f64> = self.values.iter().map(|row| row[term]).collect();
            let name = self.terms[term];
            CurveView { name, curve: draw(name, &values, Some(term)) }
        });
        let turns = self.turns.iter().map(|turn| {
            let mut marks = Marks::default();
            // The last move was made by the side that is not to move now.
            let sides = [!turn.after.turn(), turn.after.turn()].into_iter().cycle();
            let played = turn.played.iter().rev().zip(sides);
            marks.ways.extend(played.filter_map(|(&m, side)| Way::of_move(m, side)));
            let layer = Layer { marks, ..Layer::default() };
            TurnView {
                name: turn.name.clone(),
                term: self.terms[turn.term],
                value: signed(turn.change),
                class: class(turn.change),
                words: turn.words.clone(),
                board: draw_after(&turn.after, &layer, &turn.name),
            }
        });
        GameView {
            number: self.game.number,
            heading: self.game.heading.clone(),
            length: self.length(),
            fault: self.game.fault.clone(),
            total: draw("The value", &self.totals, None),
            curves: curves.collect(),
            turns: turns.collect(),
        }
    }
}

fn draw_after(position: &Chess, layer: &Layer, name: &str) -> String {
    board::draw(position, layer, &format!("The position after {name}")).to_string()
}

/// The class of a value: whose it is.
fn class(value: f64) -> &'static str {
    match value {
        value if value.abs() < NOTHING => "level",
        value if value > 0.0 => "white",
        _ => "black",
    }
}

/// A distance as it fits on a square.
fn short(number: &str) -> String {
    number
        .replace(" and ", "/")
        .replace(" by ", "/")
        .replace("more than ", ">")
        .replace("none", "-")
}

#[cfg(test)]
mod tests {
    use super::super::game::tests::games;
    use super::*;
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
        nodes.map(|node| node.descendants().filter_map(|child| child.text()).collect())
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
                .map(|said| said.row.white_judgements.len() + said.row.black_judgements.len())
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
        let told = "b5 needs 3 moves to promote on b8; to b6, before it, White's king needs 2 and Black's 4; to b8 4 and 4.";
        assert_eq!(race.notes, [told]);
        let fork = marks_of("knight_forks", "r3k3/8/8/3N4/8/8/8/4K3 w - - 0 1");
        let to = |way: &Way| (way.squares[0], way.squares[1]);
        let expected =
            [(Square::D5, Square::C7), (Square::C7, Square::A8), (Square::C7, Square::E8)];
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
}
