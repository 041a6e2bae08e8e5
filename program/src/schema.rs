//! `tropism schema`: the JSON Schema of engine files.
//!
//! It says what the reader of engine files accepts, as far as a schema can: names of keys, types, lengths
//! and ranges. What an expression means stays with the reader.

use super::Context;
use anyhow::Result;
use clap::Args;
use serde_json::{Map, Value, json};
use std::io::{self, Write};
use tropism::eval::file::{
    DRAWS_KEYS, KEEPS_SPEC, MAX_NAME, MAX_TEXT, MAX_WEIGHT, NUMBER_SPECS, ON, PER_SPEC,
    PERCENT_SPEC, SCALE, TERM_KEYS, TOP_LEVEL_KEYS, WORTH,
};
use tropism::eval::{Entry, MAX_LENGTH, MAX_PAIRS, ParameterSpec, Registry};

/// Print the JSON Schema of engine files, with which editors check and complete them.
#[derive(Args)]
pub struct Schema {}

impl Schema {
    pub fn run(self, context: Context) -> Result<()> {
        writeln!(io::stdout(), "{:#}", schema(&context.registry))?;
        Ok(())
    }
}

/// The schema of the engine files that this registry reads. It is in draft 7, which the language servers
/// for TOML know.
fn schema(registry: &Registry) -> Value {
    let bases: Vec<&str> = registry.bases().collect();
    let built_in: Vec<&str> = registry.entries().iter().map(|entry| &*entry.name).collect();
    let number = json!({ "type": "number", "minimum": -MAX_WEIGHT, "maximum": MAX_WEIGHT });
    let mut schema = json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "Engine file of tropism",
        "description": "The terms of an evaluation and their weights.",
        "type": "object",
        "properties": {
            "name": { "description": "The name of the engine, which GUIs show.", "type": "string" },
            "base": {
                "description": "The engine file that this file builds on: it states only what differs.",
                "type": "string",
                "enum": bases,
            },
            "terms": {
                "description": "The terms to use, by name, in the order of the trace. With a base it may be missing.",
                "type": "array",
                "items": { "type": "string", "anyOf": [{ "enum": built_in }, { "pattern": name_pattern() }] },
                "uniqueItems": true,
            },
            SCALE: scales(registry),
            "let": names("Names for the values of expressions, which the terms of the file can read."),
        },
        "propertyNames": { "pattern": name_pattern() },
        "additionalProperties": reference("term"),
        "required": ["name"],
        "if": { "required": ["base"] },
        "else": {
            "required": ["terms"],
            "properties": known(&TOP_LEVEL_KEYS),
            "additionalProperties": { "required": ["doc"] },
        },
        "definitions": {
            "pair": {
                "description": "[middlegame, endgame] in centipawns, or one number for both",
                "anyOf": [number, { "type": "array", "items": number, "minItems": 2, "maxItems": 2 }],
            },
            "pairs": {
                "description": "one pair [middlegame, endgame] of centipawns for each index",
                "type": "array",
                "items": reference("pair"),
                "minItems": 1,
                "maxItems": MAX_PAIRS,
                // Two numbers could be one pair or two.
                "not": { "items": { "type": "number" }, "minItems": 2, "maxItems": 2 },
            },
            "term": term(),
            "weight": weight(),
            "worth": {
                "type": "object",
                "properties": { WORTH: { "anyOf": [reference("pair"), reference("pairs")] } },
                "required": [WORTH],
                "additionalProperties": false,
            },
        },
    });
    for entry in registry.entries() {
        let section = section(entry);
        // A file without a base gives all weights and parameters.
        let keys = section["properties"].as_object().into_iter().flat_map(Map::keys);
        let keys: Vec<&String> = keys.filter(|&key| key != PERCENT_SPEC.name).collect();
        schema["else"]["properties"][&*entry.name] = json!({ "required": keys });
        schema["properties"][&*entry.name] = section;
    }
    schema
}

/// A table of named values.
fn names(description: &str) -> Value {
    json!({
        "description": description,
        "type": "object",
        "propertyNames": { "pattern": name_pattern() },
        "additionalProperties": { "anyOf": [
            expression("An expression: a number, square, set or condition."),
            tunable_number(),
        ] },
    })
}

fn tunable_number() -> Value {
    json!({
        "description": "A number that the tuner may change.",
        "type": "object",
        "properties": NUMBER_SPECS.iter().map(|spec| (spec.name.to_owned(), parameter(spec))).collect::<Map<_, _>>(),
        "required": NUMBER_SPECS.map(|spec| spec.name),
        "additionalProperties": false,
    })
}

/// The scale factors: what can be said of those that the registry has, and those that the file writes itself.
fn scales(registry: &Registry) -> Value {
    let keeps = json!([parameter(&KEEPS_SPEC), tunable_number()]);
    let on =
        json!({ "description": "Whether it is used; true if it is missing.", "type": "boolean" });
    let mut known = Map::new();
    for scale in registry.scales() {
        let mut properties = json!({ ON: on });
        if scale.keeps.is_some() {
            properties[KEEPS_SPEC.name] = json!({ "anyOf": keeps });
        }
        let section = json!({
            "description": scale.doc,
            "type": "object",
            "properties": properties,
            "additionalProperties": false,
        });
        known.insert(scale.name.to_string(), section);
    }
    let [number, tunable] = [&keeps[0], &keeps[1]];
    json!({
        "description": "Scale factors, which keep a part of the advantage of the side ahead. The first that applies decides.",
        "type": "object",
        "properties": known,
        "propertyNames": { "pattern": name_pattern() },
        "additionalProperties": {
            "description": "A scale factor that this file writes itself; `own` is the side ahead.",
            "type": "object",
            "properties": {
                "doc": line("One sentence: what it is."),
                "says": line("Why the side ahead does not keep all, as in `it has no pawn`."),
                "let": names("Names for the values of expressions, which all later expressions can read."),
                "when": expression("Where it applies; everywhere if it is missing."),
                KEEPS_SPEC.name: { "anyOf": [number, tunable, expression(KEEPS_SPEC.doc)] },
                ON: on,
            },
            "additionalProperties": false,
            "if": { "required": ["doc"] },
            "then": { "required": ["says", KEEPS_SPEC.name] },
        },
    })
}

/// The section of a built-in term.
fn section(entry: &Entry) -> Value {
    let mut properties = Map::new();
    for spec in entry.weights.iter() {
        let label = spec.meaning.label();
        let weight = match spec.length {
            // A description beside a reference would be ignored.
            None => json!({ "description": label, "allOf": [reference("pair")] }),
            Some(length) => json!({
                "description": format!("{label}: {length} pairs"),
                "type": "array",
                "items": reference("pair"),
                "minItems": length,
                "maxItems": length,
            }),
        };
        properties.insert(spec.name.to_string(), weight);
    }
    for spec in entry.parameters.iter().chain([&PERCENT_SPEC]) {
        properties.insert(spec.name.to_string(), parameter(spec));
    }
    json!({
        "description": format!("{} Source: {}.", entry.doc, entry.source),
        "type": "object",
        "properties": properties,
        "additionalProperties": false,
    })
}

/// A name of a term, weight or value.
fn name_pattern() -> String {
    format!("^[a-z][a-z0-9_]{{0,{}}}$", MAX_NAME - 1)
}

/// A schema of the definitions.
fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/definitions/{name}") })
}

/// Keys that are checked elsewhere.
fn known(keys: &[&str]) -> Value {
    keys.iter().map(|&key| (key.to_owned(), json!({}))).collect::<Map<_, _>>().into()
}

fn parameter(spec: &ParameterSpec) -> Value {
    json!({ "description": spec.doc, "type": "integer", "minimum": spec.min, "maximum": spec.max })
}

fn text(description: &str, max: usize, pattern: &str) -> Value {
    json!({ "description": description, "type": "string", "maxLength": max, "pattern": pattern })
}

/// One line of text for people.
fn line(description: &str) -> Value {
    text(description, MAX_TEXT, "^\\s*\\S[^\\n\\r]*\\s*$")
}

/// The text of an expression. The pattern also asks for a word or number.
fn expression(description: &str) -> Value {
    text(description, MAX_LENGTH, "[A-Za-z0-9_]")
}

/// `NAME in SET`.
fn each(description: &str) -> Value {
    text(description, MAX_LENGTH, "^\\s*[A-Za-z_][A-Za-z0-9_]*\\s+in\\b")
}

/// A term that the file writes itself, or other worths for such a term of the base.
fn term() -> Value {
    json!({
        "description": "A term that this file writes itself.",
        "type": "object",
        "properties": {
            "doc": line("One sentence: what the term measures and why that matters on the board."),
            "source": line("Where the idea was published."),
            "theme": text(
                "What the sentences of the term are about: material, king, pawns, pieces, threats or a new theme.",
                MAX_NAME,
                &name_pattern(),
            ),
            "let": names("Names for the values of expressions, which all later expressions can read."),
            "when": expression("The condition of the term: where it does not hold, nothing is measured."),
            "each": each("A loop over squares, such as `rook in own.rooks`: all weights are measured for each."),
            "tuned_from_games": {
                "description": "Whether the tuner fits the weights to the results of games; true if it is missing.",
                "type": "boolean",
            },
            PERCENT_SPEC.name: parameter(&PERCENT_SPEC),
        },
        "propertyNames": { "pattern": name_pattern() },
        "additionalProperties": { "type": "object" },
        // Written with `doc`, or with worths only.
        "if": { "required": ["doc"] },
        "then": {
            "properties": known(&TERM_KEYS),
            "additionalProperties": reference("weight"),
            // One key at least is that of a weight.
            "not": { "propertyNames": { "enum": TERM_KEYS } },
        },
        "else": {
            "properties": { PERCENT_SPEC.name: {} },
            "additionalProperties": reference("worth"),
        },
    })
}

/// The drawing of a weight.
fn draws() -> Value {
    let part = |key: &str| match key {
        "ring" | "dots" => expression("Squares that get the mark."),
        _ => expression("From where to where, as in `rook -> enemy.king`."),
    };
    let either = |key: &str| {
        let part = part(key);
        json!({
            "description": part["description"],
            "anyOf": [part, { "type": "array", "items": part, "minItems": 1 }],
        })
    };
    json!({
        "description": "What is drawn; without it, the ways whose lengths are counted.",
        "type": "object",
        "properties": DRAWS_KEYS.map(|key| (key.to_owned(), either(key))).into_iter().collect::<Map<_, _>>(),
        "additionalProperties": false,
    })
}

/// A weight of a term that the file writes itself.
fn weight() -> Value {
    let unit = line(
        "What is counted, as in `king moves from the enemy king`; as an array the words for one and for several.",
    );
    let mut count = expression("How often the worth counts; 1 if it is missing.");
    count["type"] = json!(["string", "integer"]);
    json!({
        "description": "A weight of the term.",
        "type": "object",
        "properties": {
            "each": each("A loop over squares, such as `pawn in own.pawns`: the weight is measured for each."),
            "when": expression("The condition of the weight."),
            "count": count,
            "index": expression("Which pair of an array counts; the first has the index 0."),
            "at": expression(
                "The square on which the weight is shown; without it, the square of the loop, or else the king of \
                 the side that is measured.",
            ),
            "unit": {
                "description": unit["description"],
                "anyOf": [unit, { "type": "array", "items": unit, "minItems": 2, "maxItems": 2 }],
            },
            "per": parameter(&PER_SPEC),
            WORTH: {
                "description":
                    "[middlegame, endgame] in centipawns, or one number for both; with `index` an array of such pairs",
            },
            "says": line(
                "A sentence with places that are filled in, as in `{the rook} {is|are} {count} from {enemy}'s king`.",
            ),
            "draws": draws(),
        },
        "additionalProperties": false,
        "required": ["unit", WORTH],
        "not": { "required": ["count", "index"] },
        "if": { "required": ["index"] },
        "then": { "properties": { WORTH: reference("pairs") } },
        "else": { "properties": { WORTH: reference("pair") } },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::documentation::assert_file;
    use std::{fs, path::Path};
    use tropism::eval::Engine;
    use tropism::eval::file::{SCALE_KEYS, WEIGHT_KEYS};
    use tropism::terms::registry;

    fn keys(value: &Value) -> Vec<&str> {
        value.as_object().unwrap().keys().map(String::as_str).collect()
    }

    /// The file is tracked so that an editor finds it in a fresh clone. It has one line, because nobody reads
    /// the changes of a generated file.
    #[test]
    fn the_schema_is_up_to_date() {
        assert_file("engines/schema.json", &format!("{}\n", schema(&registry())));
    }

    #[test]
    fn the_schema_has_every_key() {
        let (schema, registry) = (schema(&registry()), registry());
        let complete = &schema["else"]["properties"];
        let names = registry.entries().iter().map(|entry| &*entry.name);
        let known: Vec<&str> = TOP_LEVEL_KEYS.into_iter().chain(names).collect();
        assert_eq!(keys(&schema["properties"]), known);
        assert_eq!(keys(complete), known);
        for entry in registry.entries() {
            let section = &schema["properties"][&*entry.name]["properties"];
            let weights = entry.weights.iter().map(|spec| &*spec.name);
            let known: Vec<_> =
                weights.chain(entry.parameters.iter().map(|spec| spec.name)).collect();
            assert_eq!(complete[&*entry.name]["required"], json!(known));
            assert_eq!(keys(section), [known.as_slice(), &["percent"]].concat());
            for spec in entry.weights.iter() {
                let weight = &section[&*spec.name];
                assert_eq!(weight["allOf"].is_array(), spec.length.is_none(), "{}", spec.name);
                for bound in ["minItems", "maxItems"] {
                    assert_eq!(weight[bound], json!(spec.length), "{} {}", entry.name, spec.name);
                }
            }
        }
        assert_eq!(
            keys(&schema["properties"][SCALE]["additionalProperties"]["properties"]),
            SCALE_KEYS
        );
        let definitions = &schema["definitions"];
        assert_eq!(keys(&definitions["term"]["properties"]), TERM_KEYS);
        assert_eq!(keys(&definitions["term"]["then"]["properties"]), TERM_KEYS);
        assert_eq!(keys(&definitions["weight"]["properties"]), WEIGHT_KEYS);
    }

    /// As the reader does: `broken_files.txt` has its error.
    #[test]
    fn one_number_is_a_worth_and_two_numbers_are_no_array() {
        let weight = weight();
        let worth = weight["properties"][WORTH].as_object().unwrap();
        assert_eq!(worth.keys().collect::<Vec<_>>(), ["description"]);
        assert_eq!(weight["else"]["properties"][WORTH], reference("pair"));
        let text = "name = 'x'\nterms = ['x']\n[x]\ndoc = 'd'\n[x.y]\nunit = 'u'\nworth = 10";
        assert!(Engine::parse(text, "x", &registry()).is_ok());
        let schema = schema(&registry());
        let [pair, pairs] = ["pair", "pairs"].map(|name| &schema["definitions"][name]);
        assert_eq!(pair["anyOf"][0]["type"], "number");
        assert_eq!(pairs["not"]["items"]["type"], "number");
    }

    #[test]
    fn shipped_files_name_the_schema_in_their_first_line() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join("engines");
        let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let files = paths.filter(|path| path.extension().is_some_and(|end| end == "toml"));
        let texts: Vec<String> = files.map(|file| fs::read_to_string(file).unwrap()).collect();
        assert!(
            texts.len() >= 6 && texts.iter().all(|text| text.starts_with("#:schema schema.json\n"))
        );
    }
}
