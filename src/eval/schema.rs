//! The JSON Schema of engine files.
//!
//! It says what the reader of engine files accepts, as far as a schema can: names of keys, types, lengths
//! and ranges. What an expression means stays with the reader.

use super::file::{
    MAX_NAME, MAX_PER, MAX_TEXT, MAX_WEIGHT, PERCENT_SPEC, TERM_KEYS, TOP_LEVEL_KEYS, WORTH,
};
use super::formula::MAX_LENGTH;
use super::registry::{Entry, Registry};
use super::{MOST_PAIRS, ParameterSpec, WeightSpec};
use serde_json::{Map, Value, json};

/// The schema of the engine files that this registry reads. It is in draft 7, which the language servers
/// for TOML know.
pub(crate) fn schema(registry: &Registry) -> Value {
    let bases: Vec<&str> = registry.bases().collect();
    let built_in: Vec<&str> = registry.entries().iter().map(|entry| &*entry.name).collect();
    let mut properties = object([
        (
            "name",
            json!({ "description": "The name of the engine, which GUIs show.", "type": "string" }),
        ),
        (
            "base",
            json!({
                "description": "The engine file that this file builds on: it states only what differs.",
                "type": "string",
                "enum": bases,
            }),
        ),
        (
            "terms",
            json!({
                "description": "The terms to use, by name, in the order of the trace. With a base it may be missing.",
                "type": "array",
                "items": { "type": "string", "anyOf": [{ "enum": built_in }, { "pattern": name_pattern() }] },
                "uniqueItems": true,
            }),
        ),
    ]);
    // Which keys of a section a file without a base must have.
    let mut complete: Map<String, Value> =
        TOP_LEVEL_KEYS.into_iter().map(|key| (key.to_owned(), json!({}))).collect();
    for entry in registry.entries() {
        properties.insert(entry.name.to_string(), section(entry));
        let weights = entry.weights.iter().map(|spec| &*spec.name);
        let keys: Vec<&str> =
            weights.chain(entry.parameters.iter().map(|spec| spec.name)).collect();
        complete.insert(entry.name.to_string(), json!({ "required": keys }));
    }
    json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "Engine file of tropism",
        "description": "The terms of an evaluation and their weights.",
        "type": "object",
        "properties": properties,
        "propertyNames": { "pattern": name_pattern() },
        "additionalProperties": reference("term"),
        "required": ["name"],
        "if": { "required": ["base"] },
        "else": {
            "required": ["terms"],
            "properties": complete,
            "additionalProperties": { "required": ["doc"] },
        },
        "definitions": {
            "pair": pair(),
            "pairs": pairs(),
            "term": term(),
            "weight": weight(),
            "worth": {
                "type": "object",
                "properties": { WORTH: { "anyOf": [reference("pair"), reference("pairs")] } },
                "required": [WORTH],
                "additionalProperties": false,
            },
        },
    })
}

fn object<const N: usize>(entries: [(&str, Value); N]) -> Map<String, Value> {
    entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}

/// A name of a term, weight or value.
fn name_pattern() -> String {
    format!("^[a-z][a-z0-9_]{{0,{}}}$", MAX_NAME - 1)
}

/// The section of a built-in term.
fn section(entry: &Entry) -> Value {
    let weights = entry.weights.iter().map(|spec| (spec.name.to_string(), built_in_weight(spec)));
    let parameters = entry.parameters.iter().map(|spec| (spec.name.to_owned(), parameter(spec)));
    let percent = [(PERCENT_SPEC.name.to_owned(), parameter(&PERCENT_SPEC))];
    json!({
        "description": format!("{} Source: {}.", entry.doc, entry.source),
        "type": "object",
        "properties": weights.chain(parameters).chain(percent).collect::<Map<String, Value>>(),
        "additionalProperties": false,
    })
}

fn built_in_weight(spec: &WeightSpec) -> Value {
    let label = spec.label();
    match spec.length {
        // A description beside a reference would be ignored.
        None => json!({ "description": label, "allOf": [reference("pair")] }),
        Some(length) => json!({
            "description": format!("{label}: {length} pairs"),
            "type": "array",
            "items": reference("pair"),
            "minItems": length,
            "maxItems": length,
        }),
    }
}

/// A schema of the definitions.
fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/definitions/{name}") })
}

/// A pair of centipawns.
fn pair() -> Value {
    let number = json!({ "type": "number", "minimum": -MAX_WEIGHT, "maximum": MAX_WEIGHT });
    json!({
        "description": "[middlegame, endgame] in centipawns, or one number for both",
        "anyOf": [
            number,
            { "type": "array", "items": number, "minItems": 2, "maxItems": 2 },
        ],
    })
}

/// The pairs of a weight with an index.
fn pairs() -> Value {
    json!({
        "description": "one pair [middlegame, endgame] of centipawns for each index",
        "type": "array",
        "items": reference("pair"),
        "minItems": 1,
        "maxItems": MOST_PAIRS,
    })
}

fn parameter(spec: &ParameterSpec) -> Value {
    json!({
        "description": spec.doc, "type": "integer", "minimum": spec.min, "maximum": spec.max,
    })
}

/// One line of text for people.
fn line(description: &str) -> Value {
    json!({
        "description": description,
        "type": "string",
        "maxLength": MAX_TEXT,
        "pattern": "^\\s*\\S[^\\n\\r]*\\s*$",
    })
}

/// The text of an expression. The pattern also asks for a word or number.
fn expression(description: &str) -> Value {
    json!({
        "description": description, "type": "string", "maxLength": MAX_LENGTH, "pattern": "[A-Za-z0-9_]",
    })
}

/// `NAME in SET`.
fn each(description: &str) -> Value {
    json!({
        "description": description,
        "type": "string",
        "maxLength": MAX_LENGTH,
        "pattern": "^\\s*[A-Za-z_][A-Za-z0-9_]*\\s+in\\b",
    })
}

/// A term that the file writes itself, or other worths for such a term of the base.
fn term() -> Value {
    let properties = object([
        ("doc", line("One sentence: what the term measures and why that matters on the board.")),
        ("source", line("Where the idea was published.")),
        (
            "let",
            json!({
                "description": "Names for the values of expressions, which all later expressions can read.",
                "type": "object",
                "propertyNames": { "pattern": name_pattern() },
                "additionalProperties": expression("An expression: a number, square, set or condition."),
            }),
        ),
        (
            "when",
            expression("The condition of the term: where it does not hold, nothing is measured."),
        ),
        (
            "each",
            each(
                "A loop over squares, such as `rook in own.rooks`: all weights are measured for each.",
            ),
        ),
        (
            "tuned_from_games",
            json!({
                "description": "Whether the tuner fits the weights to the results of games; true if it is missing.",
                "type": "boolean",
            }),
        ),
        (PERCENT_SPEC.name, parameter(&PERCENT_SPEC)),
    ]);
    // Written with `doc`, or with worths only.
    let plain: Map<String, Value> =
        TERM_KEYS.into_iter().map(|key| (key.to_owned(), json!({}))).collect();
    json!({
        "description": "A term that this file writes itself.",
        "type": "object",
        "properties": properties,
        "propertyNames": { "pattern": name_pattern() },
        "additionalProperties": { "type": "object" },
        "if": { "required": ["doc"] },
        "then": {
            "properties": plain,
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

/// A weight of a term that the file writes itself.
fn weight() -> Value {
    let unit = "What is counted, as in `king moves from the enemy king`; as an array the words for one and for \
                several.";
    let properties = object([
        (
            "each",
            each(
                "A loop over squares, such as `pawn in own.pawns`: the weight is measured for each.",
            ),
        ),
        ("when", expression("The condition of the weight.")),
        (
            "count",
            json!({
                "description": "How often the worth counts; 1 if it is missing.",
                "type": ["string", "integer"],
                "maxLength": MAX_LENGTH,
                "pattern": "[A-Za-z0-9_]",
            }),
        ),
        ("index", expression("Which pair of an array counts; the first has the index 0.")),
        (
            "at",
            expression(
                "The square on which the weight is shown; without it, the square of the loop, or else the king of the side that is measured.",
            ),
        ),
        (
            "unit",
            json!({
                "description": unit,
                "anyOf": [
                    line(unit),
                    { "type": "array", "items": line(unit), "minItems": 2, "maxItems": 2 },
                ],
            }),
        ),
        (
            "per",
            json!({
                "description": "How many counts make one unit; 1 if it is missing.",
                "type": "integer",
                "minimum": 1,
                "maximum": MAX_PER,
            }),
        ),
        (
            WORTH,
            json!({
                "description": "[middlegame, endgame] in centipawns, or with `index` an array of such pairs",
                "type": "array",
            }),
        ),
    ]);
    json!({
        "description": "A weight of the term.",
        "type": "object",
        "properties": properties,
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
    use super::super::file::WEIGHT_KEYS;
    use super::*;
    use crate::documentation::assert_file;
    use crate::terms::registry;
    use std::{fs, path::Path};

    fn keys(value: &Value) -> Vec<&str> {
        value.as_object().unwrap().keys().map(String::as_str).collect()
    }

    #[test]
    fn the_schema_is_up_to_date() {
        assert_file("engines/schema.json", &format!("{:#}\n", schema(&registry())));
    }

    #[test]
    fn the_schema_has_every_built_in_term_with_its_keys() {
        let (schema, registry) = (schema(&registry()), registry());
        let complete = &schema["else"]["properties"];
        assert_eq!(keys(&schema["properties"]), keys(complete));
        assert_eq!(keys(complete)[..TOP_LEVEL_KEYS.len()], TOP_LEVEL_KEYS);
        assert_eq!(keys(complete).len(), TOP_LEVEL_KEYS.len() + registry.entries().len());
        for entry in registry.entries() {
            let section = &schema["properties"][&*entry.name];
            let required = complete[&*entry.name]["required"].as_array().unwrap();
            assert_eq!(required.len(), entry.weights.len() + entry.parameters.len());
            assert!(
                required.iter().all(|key| !section["properties"][key.as_str().unwrap()].is_null())
            );
            assert_eq!(keys(&section["properties"]).len(), required.len() + 1);
            assert_eq!(section["additionalProperties"], false);
            for spec in entry.weights.iter() {
                let weight = &section["properties"][&*spec.name];
                assert_eq!(weight["allOf"].is_array(), spec.length.is_none(), "{}", spec.name);
                for bound in ["minItems", "maxItems"] {
                    let length = weight[bound].as_u64().map(|length| length as usize);
                    assert_eq!(length, spec.length, "{} {}", entry.name, spec.name);
                }
            }
        }
    }

    #[test]
    fn the_schema_has_every_key_of_written_terms() {
        let schema = schema(&registry());
        let definitions = &schema["definitions"];
        assert_eq!(keys(&definitions["term"]["properties"]), TERM_KEYS);
        assert_eq!(keys(&definitions["term"]["then"]["properties"]), TERM_KEYS);
        assert_eq!(keys(&definitions["weight"]["properties"]), WEIGHT_KEYS);
    }

    #[test]
    fn shipped_files_name_the_schema_in_their_first_line() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("engines");
        let mut files = 0;
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "toml") {
                let text = fs::read_to_string(&path).unwrap();
                assert_eq!(text.lines().next(), Some("#:schema schema.json"), "{}", path.display());
                files += 1;
            }
        }
        assert!(files >= 6, "{files}");
    }
}
