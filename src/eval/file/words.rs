//! What a section of an engine file says and draws: its `says` and `draws`, checked when the file is read.

use super::section::{is_term_name, text};
use super::{Fault, FileReader, Key, Value, fault, known_key, wrong_type};
use crate::eval::formula::{Code, Compiler, Drawing, MAX_COST, Template, Told, Tree, Way, ways};
use crate::eval::{Walk, WeightSpec};
use toml::de::DeTable;

/// The keys of `draws`. Those with an arrow in their value lead from one place to another.
pub const DRAWS_KEYS: [&str; 6] =
    ["ring", "dots", "arrow", "king_path", "knight_path", "rook_path"];

/// The most steps that words and drawings of a term can take. A person waits for them, not a search.
pub(super) const MAX_STEPS: u64 = 20 * MAX_COST;

impl<'a> FileReader<'a> {
    /// What a weight says and draws. It counts `number`.
    pub(super) fn told(
        &self,
        compiler: &mut Compiler,
        table: &DeTable<'a>,
        spec: &WeightSpec,
        number: Option<&Tree>,
    ) -> Result<Told, Fault> {
        let mut sets = Vec::new();
        let says = table.get("says").map(|says| self.template(compiler, says, spec, &mut sets));
        let draws = match table.get("draws") {
            Some(draws) => self.drawings(compiler, draws, &mut sets)?,
            None => number.map_or(Vec::new(), |number| usual_drawings(compiler, number, &mut sets)),
        };
        Ok(Told { sets, says: says.transpose()?, draws })
    }

    /// The sentence of a weight.
    fn template(
        &self,
        compiler: &mut Compiler,
        says: &Value<'a>,
        spec: &WeightSpec,
        sets: &mut Vec<Code>,
    ) -> Result<Template, Fault> {
        let set = |expression: &str, at: usize| {
            let moved = compiler.set(expression).map_err(|mistake| mistake.moved(at))?;
            sets.push(moved.0);
            Ok((sets.len() - 1, moved.1))
        };
        let template = Template::read(text(says, "says")?, &spec.name, set);
        template.map_err(|mistake| self.mistake(says, mistake))
    }

    /// The drawing of a weight.
    fn drawings(
        &self,
        compiler: &mut Compiler,
        draws: &Value<'a>,
        sets: &mut Vec<Code>,
    ) -> Result<Vec<Drawing>, Fault> {
        const EXAMPLE: &str = "a table such as { ring = \"rook\", arrow = \"rook -> enemy.king\" }";
        let Some(table) = draws.get_ref().as_table() else {
            return wrong_type(draws, "draws", EXAMPLE);
        };
        let mut drawings = Vec::new();
        for (key, value) in table {
            known_key(key, "draws", DRAWS_KEYS)?;
            for value in several(value) {
                drawings.push(self.drawing(compiler, key, value, sets)?);
            }
        }
        Ok(drawings)
    }

    /// One part of a drawing.
    fn drawing(
        &self,
        compiler: &mut Compiler,
        key: &Key<'a>,
        value: &Value<'a>,
        sets: &mut Vec<Code>,
    ) -> Result<Drawing, Fault> {
        let key = key.get_ref().as_ref();
        let text = text(value, key)?;
        let mut set = |expression: &str| {
            let at = expression.as_ptr() as usize - text.as_ptr() as usize;
            let set = compiler.set(expression).map_err(|mistake| mistake.moved(at));
            sets.push(set.map_err(|mistake| self.mistake(value, mistake))?.0);
            Ok(sets.len() - 1)
        };
        let marks_squares = ["ring", "dots"].contains(&key);
        match text.split_once("->") {
            None if key == "ring" => Ok(Drawing::Ring(set(text)?)),
            None if marks_squares => Ok(Drawing::Dot(set(text)?)),
            Some((from, to)) if !marks_squares => {
                let (from, to) = (set(from)?, set(to)?);
                let walk = match key {
                    "king_path" => Walk::King,
                    "knight_path" => Walk::KNIGHT,
                    "rook_path" => Walk::RookSteps,
                    _ => return Ok(Drawing::Arrow(from, to)),
                };
                Ok(Drawing::Way(Way { walk, from, to, closed: None, is_shortest: false }))
            }
            Some(_) => fault(
                value.span(),
                format!("{key} marks squares: write a set of them, as in {key} = \"own.rooks\""),
            ),
            None => fault(
                value.span(),
                format!("{key} leads somewhere: write {key} = \"own.king -> enemy.king\""),
            ),
        }
    }
}

/// The values of an array, or the one value.
fn several<'v, 'a>(value: &'v Value<'a>) -> &'v [Value<'a>] {
    let array = value.get_ref().as_array().map(|array| &**array);
    array.unwrap_or(std::slice::from_ref(value))
}

/// The drawing of a weight without `draws`: the ways whose lengths it counts.
fn usual_drawings(compiler: &mut Compiler, number: &Tree, sets: &mut Vec<Code>) -> Vec<Drawing> {
    let mut drawings = Vec::new();
    for Way { walk, from, to, closed, is_shortest } in ways(number) {
        // What stands inside of a loop over pairs has no squares here.
        let mut set = |tree: &Tree| {
            sets.push(compiler.part(tree)?);
            Some(sets.len() - 1)
        };
        if let (Some(from), Some(to)) = (set(&from), set(&to)) {
            let closed = closed.as_ref().and_then(&mut set);
            drawings.push(Drawing::Way(Way { walk, from, to, closed, is_shortest }));
        }
    }
    drawings
}

/// The theme of a term: a word of people, and of programs that group reasons by it.
pub(super) fn theme<'t>(value: &'t Value<'_>, key: &Key<'_>) -> Result<&'t str, Fault> {
    let theme = text(value, "theme")?;
    match is_term_name(theme) {
        true => Ok(theme),
        false => fault(
            key.span(),
            format!(
                "theme is {theme:?}; write one word in lower case, such as king, pawns, pieces or threats"
            ),
        ),
    }
}

#[cfg(test)]
mod tests {
    use crate::eval::{Engine, Reason};
    use crate::{terms::registry, testing::position};

    fn file(weight: &str) -> String {
        format!(
            "name = 'x'\nterms = ['far']\n[far]\ntheme = 'pieces'\ndoc = 'Far.'\n\
             each = 'rook in own.rooks'\n[far.moves]\ncount = 'chebyshev(rook, enemy.king)'\n\
             unit = ['move', 'moves']\nworth = [-10, -10]\n{weight}"
        )
    }

    fn engine(weight: &str) -> Engine {
        Engine::parse(&file(weight), "x", &registry()).unwrap_or_else(|error| panic!("{error}"))
    }

    fn said(weight: &str, fen: &str) -> Vec<String> {
        engine(weight).trace(&position(fen)).reasons().iter().map(Reason::sentence).collect()
    }

    #[test]
    fn a_sentence_names_pieces_sides_and_numbers() {
        let says = "says = '{the rook} {is|are} {moves} from {enemy}, {side}, {squares}'";
        let one = said(says, "4k3/8/8/8/8/8/8/4K2R w - - 0 1");
        assert_eq!(one, ["White's rook on h1 is 7 moves from Black, White, h1."]);
        let two = said(says, "r6r/4k3/8/8/8/8/8/4K3 w - - 0 1");
        assert_eq!(two, ["Black's rooks on a8 and h8 are 7 moves from White, Black, a8 and h8."]);
        let many = said(says, "4k3/8/8/8/8/8/8/R2RK1RR w - - 0 1");
        assert_eq!(many, ["4 rooks of White are 7 moves from Black, White, 4 squares."]);
    }

    #[test]
    fn without_says_a_sentence_is_made_of_the_unit() {
        let said = said("", "4k3/8/8/8/8/8/8/4K2R w - - 0 1");
        assert_eq!(said, ["White's rook on h1 has 7 moves."]);
    }

    #[test]
    fn drawings_cannot_take_longer_than_a_person_waits() {
        let squares = "squares(a in all_squares: any(b in all_squares: any(c in all_squares: any(d in all_squares: \
                       chebyshev(a, rook) + chebyshev(b, rook) > chebyshev(c, rook) + chebyshev(d, rook)))))";
        let text = file(&format!("draws = {{ dots = '{squares}' }}"));
        let error = Engine::parse(&text, "x", &registry()).unwrap_err().to_string();
        assert!(error.contains("words and drawings of [far] can take "), "{error}");
    }

    #[test]
    fn drawings_in_an_array_read_the_names_of_the_file() {
        let weight =
            "draws = { arrow = ['rook -> goal', 'goal -> rook'] }\n[let]\ngoal = 'enemy.king'";
        let trace = engine(weight).trace(&position("4k3/8/8/8/8/8/8/4K2R w - - 0 1"));
        assert_eq!(trace.marks(&trace.rows[0]).arrows.len(), 2);
    }

    #[test]
    fn a_unit_with_its_article_has_no_number_before_it() {
        let said = |weight: &str, fen: &str| {
            let text = format!(
                "name = 'x'\nterms = ['far']\n[far]\ndoc = 'Far.'\n{weight}\nworth = [60, 60]"
            );
            let engine = Engine::parse(&text, "x", &registry()).unwrap();
            engine.trace(&position(fen)).reasons()[0].sentence()
        };
        let whole =
            "[far.w]\ncount = 'count(own.rooks & own.rank(7))'\nunit = ['a far rook', 'far rooks']";
        assert_eq!(said(whole, "8/1R6/8/5k2/8/8/8/6K1 w - - 0 1"), "White has a far rook.");
        assert_eq!(said(whole, "8/RR6/8/5k2/8/8/8/6K1 w - - 0 1"), "White has 2 far rooks.");
        let each = "each = 'knight in own.knights'\n[far.w]\ncount = 'if knight in centre then 1 else 0'\n\
                    unit = ['a central knight', 'central knights']";
        let fen = "4k3/pppp4/8/8/3NN3/8/PPPP4/4K3 w - - 0 1";
        assert_eq!(said(each, fen), "White has 2 central knights on d4 and e4.");
    }

    #[test]
    fn drawings_are_those_of_the_file_or_the_ways_that_are_counted() {
        let marks = |weight: &str| {
            let trace = engine(weight).trace(&position("4k3/8/8/8/8/8/8/4K2R w - - 0 1"));
            trace.marks(&trace.rows[0])
        };
        let usual = marks("");
        assert_eq!((usual.arrows.len(), usual.arrows[0].squares.len()), (1, 8));
        assert_eq!(usual.arrows[0].length, Some(7));
        let written = marks(
            "draws = { ring = 'rook', dots = 'rook_attacks(rook) & own.rank(1)', \
             arrow = ['rook -> enemy.king', 'own.king -> rook'], rook_path = 'rook -> enemy.king' }",
        );
        assert_eq!((written.rings.len(), written.arrows.len()), (1, 3));
        assert!(written.dots.len() == 3, "{:?}", written.dots);
        // Seven ranks and three files.
        let lengths: Vec<u32> = written.arrows.iter().filter_map(|arrow| arrow.length).collect();
        assert_eq!(lengths, [10]);
    }

    #[test]
    fn ways_are_those_that_are_counted() {
        let lengths = |count: &str, fen: &str| {
            let text = file("").replace("chebyshev(rook, enemy.king)", count)
                + "[let]\nnear = 'min(p in own.pawns: chebyshev(own.king, p))'\n";
            let engine =
                Engine::parse(&text, "x", &registry()).unwrap_or_else(|error| panic!("{error}"));
            let trace = engine.trace(&position(fen));
            let arrows = trace.marks(&trace.rows[0]).arrows;
            arrows.into_iter().filter_map(|arrow| arrow.length).collect::<Vec<_>>()
        };
        let fen = "4k3/8/8/8/8/8/P4P2/2R1K3 w - - 0 1";
        // Of a name, the expression; of the smallest number, only that.
        assert_eq!(lengths("7 - near", fen), [1]);
        assert_eq!(lengths("sum(p in own.pawns: chebyshev(own.king, p))", fen), [1, 4]);
        assert_eq!(lengths("file_distance(rook, enemy.king)", fen), [2]);
        // Around the closed squares; nothing where there is no path, or where it is already.
        assert_eq!(lengths("rook_moves(rook, enemy.king, no_squares)", fen), [2]);
        assert_eq!(lengths("rook_moves(rook, enemy.king, same_file(rook) | own.king)", fen), [3]);
        assert_eq!(lengths("rook_moves(rook, enemy.king, all_squares)", fen), [0; 0]);
        assert_eq!(lengths("1 + rook_moves(rook, own.rank(1), no_squares)", fen), [0; 0]);
    }
}
