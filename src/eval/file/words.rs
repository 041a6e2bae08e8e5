//! What a section of an engine file says and draws: its `says` and `draws`, checked when the file is read.

use super::section::{is_term_name, text};
use super::{FileReader, Key, Read, Value, as_table, fault, known_key};
use crate::eval::formula::{Code, Compiler, Drawing, MAX_COST, Template, Told, Tree, Way, ways};
use crate::eval::{Walk, WeightSpec};
use toml::de::DeTable;

/// The keys of `draws`. Those with an arrow in their value lead from one place to another.
pub const DRAWS_KEYS: [&str; 6] =
    ["ring", "dots", "arrow", "king_path", "knight_path", "rook_path"];

/// The most steps that words and drawings of a term can take. A person waits for them, not a search.
pub(in crate::eval) const MAX_STEPS: u64 = 20 * MAX_COST;

/// Reads what a weight says and draws.
struct Words<'w, 'a> {
    file: &'w FileReader<'a>,
    compiler: &'w mut Compiler,
    /// The sets that words and drawings name.
    sets: Vec<Code>,
}

impl<'a> FileReader<'a> {
    /// What a weight says and draws. It counts `number`.
    pub(super) fn told(
        &self,
        compiler: &mut Compiler,
        table: &DeTable<'a>,
        spec: &WeightSpec,
        number: Option<&Tree>,
    ) -> Read<Told> {
        let mut words = Words { file: self, compiler, sets: Vec::new() };
        let says = table.get("says").map(|says| words.template(says, &spec.name));
        let draws = match table.get("draws") {
            Some(draws) => words.drawings(draws)?,
            None => number.map_or(Vec::new(), |number| words.usual_drawings(number)),
        };
        Ok(Told { sets: words.sets, says: says.transpose()?, draws })
    }
}

impl Words<'_, '_> {
    /// The sentence of a weight.
    fn template(&mut self, says: &Value, weight: &str) -> Read<Template> {
        let set = |expression: &str, at: usize| {
            let moved = self.compiler.set(expression).map_err(|mistake| mistake.moved(at))?;
            self.sets.push(moved.0);
            Ok((self.sets.len() - 1, moved.1))
        };
        let template = Template::read(text(says, "says")?, weight, set);
        template.map_err(|mistake| self.file.mistake(says, mistake))
    }

    /// The drawing of a weight.
    fn drawings(&mut self, draws: &Value) -> Read<Vec<Drawing>> {
        const EXAMPLE: &str = "a table such as { ring = \"rook\", arrow = \"rook -> enemy.king\" }";
        let mut drawings = Vec::new();
        for (key, value) in as_table(draws, "draws", EXAMPLE)? {
            known_key(key, "draws", DRAWS_KEYS)?;
            for value in several(value) {
                drawings.push(self.drawing(key, value)?);
            }
        }
        Ok(drawings)
    }

    /// One part of a drawing.
    fn drawing(&mut self, key: &Key, value: &Value) -> Read<Drawing> {
        let key = key.get_ref().as_ref();
        let text = text(value, key)?;
        let mut set = |expression: &str| {
            let at = expression.as_ptr() as usize - text.as_ptr() as usize;
            let set = self.compiler.set(expression).map_err(|mistake| mistake.moved(at));
            self.sets.push(set.map_err(|mistake| self.file.mistake(value, mistake))?.0);
            Ok(self.sets.len() - 1)
        };
        let marks_squares = ["ring", "dots"].contains(&key);
        let message = match text.split_once("->") {
            None if key == "ring" => return Ok(Drawing::Ring(set(text)?)),
            None if marks_squares => return Ok(Drawing::Dot(set(text)?)),
            Some((from, to)) if !marks_squares => {
                let (from, to) = (set(from)?, set(to)?);
                let walk = match key {
                    "king_path" => Walk::King,
                    "knight_path" => Walk::KNIGHT,
                    "rook_path" => Walk::RookSteps,
                    _ => return Ok(Drawing::Arrow(from, to)),
                };
                let way = Way { walk, from, to, closed: None, is_shortest: false };
                return Ok(Drawing::Way(way));
            }
            Some(_) => format!("marks squares: write a set of them, as in {key} = \"own.rooks\""),
            None => format!("leads somewhere: write {key} = \"own.king -> enemy.king\""),
        };
        fault(value.span(), format!("{key} {message}"))
    }

    /// The drawing of a weight without `draws`: the ways whose lengths it counts.
    fn usual_drawings(&mut self, number: &Tree) -> Vec<Drawing> {
        let mut drawings = Vec::new();
        for Way { walk, from, to, closed, is_shortest } in ways(number) {
            // What stands inside of a loop over pairs has no squares here.
            let mut set = |tree: &Tree| {
                self.sets.push(self.compiler.part(tree)?);
                Some(self.sets.len() - 1)
            };
            if let (Some(from), Some(to)) = (set(&from), set(&to)) {
                let closed = closed.as_ref().and_then(&mut set);
                drawings.push(Drawing::Way(Way { walk, from, to, closed, is_shortest }));
            }
        }
        drawings
    }
}

/// The values of an array, or the one value.
fn several<'v, 'a>(value: &'v Value<'a>) -> &'v [Value<'a>] {
    let array = value.get_ref().as_array().map(|array| &**array);
    array.unwrap_or(std::slice::from_ref(value))
}

/// The theme of a term: a word of people, and of programs that group reasons by it.
pub(super) fn theme<'t>(value: &'t Value<'_>, key: &Key<'_>) -> Read<&'t str> {
    let theme = text(value, "theme")?;
    if is_term_name(theme) {
        return Ok(theme);
    }
    let words = "write one word in lower case, such as king, pawns, pieces or threats";
    fault(key.span(), format!("theme is {theme:?}; {words}"))
}
