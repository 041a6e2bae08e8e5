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
pub(super) const MAX_STEPS: u64 = 20 * MAX_COST;

impl<'a> FileReader<'a> {
    /// What a weight says and draws. It counts `number`.
    pub(super) fn told(
        &self,
        compiler: &mut Compiler,
        table: &DeTable<'a>,
        spec: &WeightSpec,
        number: Option<&Tree>,
    ) -> Read<Told> {
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
    ) -> Read<Template> {
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
    ) -> Read<Vec<Drawing>> {
        const EXAMPLE: &str = "a table such as { ring = \"rook\", arrow = \"rook -> enemy.king\" }";
        let table = as_table(draws, "draws", EXAMPLE)?;
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
    ) -> Read<Drawing> {
        let key = key.get_ref().as_ref();
        let text = text(value, key)?;
        let mut set = |expression: &str| {
            let at = expression.as_ptr() as usize - text.as_ptr() as usize;
            let set = compiler.set(expression).map_err(|mistake| mistake.moved(at));
            sets.push(set.map_err(|mistake| self.mistake(value, mistake))?.0);
            Ok(sets.len() - 1)
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
pub(super) fn theme<'t>(value: &'t Value<'_>, key: &Key<'_>) -> Read<&'t str> {
    let theme = text(value, "theme")?;
    if is_term_name(theme) {
        return Ok(theme);
    }
    let words = "write one word in lower case, such as king, pawns, pieces or threats";
    fault(key.span(), format!("theme is {theme:?}; {words}"))
}
