//! `tropism schema`: the JSON Schema of engine files.
//!
//! With it an editor completes and explains keys and marks those that are misspelt. What their values may be is checked
//! when the file is read.

use super::Context;
use anyhow::Result;
use clap::Args;
use serde_json::{Map, Value, json};
use std::io::{self, Write};
use tropism::eval::file::{DRAWS_KEYS, KEEPS_SPEC, LET, ON, PER_SPEC, PERCENT_SPEC, SCALE, WORTH};
use tropism::eval::{Entry, ParameterSpec, Registry};

/// Print the JSON Schema of engine files, with which editors explain and complete them.
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
    let mut properties = json!({
        "name": string("The name of the engine, which GUIs show."),
        "base": {
            "description": "The engine file that this file builds on: it states only what differs.",
            "enum": bases,
        },
        "terms": {
            "description": "The terms to use, by name, in the order of the trace. With a base it may be missing.",
            "type": "array",
            "items": { "type": "string" },
            "uniqueItems": true,
        },
        SCALE: scales(registry),
        LET: names("Names for the values of expressions, which the terms of the file can read."),
    });
    for entry in registry.entries() {
        properties[&*entry.name] = section(entry);
    }
    json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "Engine file of tropism",
        "description": "The terms of an evaluation and their weights.",
        "type": "object",
        "properties": properties,
        "additionalProperties": term(),
        "required": ["name"],
        "definitions": {
            "pair": {
                "description": "[middlegame, endgame] in centipawns, or one number for both",
                "anyOf": [
                    { "type": "number" },
                    { "type": "array", "items": { "type": "number" }, "minItems": 2, "maxItems": 2 },
                ],
            },
        },
    })
}

/// The scale factors: those that the registry has, and those that the file writes itself.
fn scales(registry: &Registry) -> Value {
    let on =
        json!({ "description": "Whether it is used; true if it is missing.", "type": "boolean" });
    let known = registry.scales().iter().map(|scale| {
        let mut properties = json!({ ON: on });
        if scale.keeps.is_some() {
            properties[KEEPS_SPEC.name] = json!({ "description": KEEPS_SPEC.doc });
        }
        (scale.name.to_string(), object(&scale.doc, properties))
    });
    let own = json!({
        "doc": string("One sentence: what it is."),
        "says": string("Why the side ahead does not keep all, as in `it has no pawn`."),
        LET: names("Names for the values of expressions, which all later expressions can read."),
        "when": string("Where it applies; everywhere if it is missing."),
        KEEPS_SPEC.name: { "description": KEEPS_SPEC.doc },
        ON: on,
    });
    json!({
        "description": "Scale factors, which keep a part of the advantage of the side ahead. The first that applies decides.",
        "type": "object",
        "properties": known.collect::<Map<_, _>>(),
        "additionalProperties":
            object("A scale factor that this file writes itself; `own` is the side ahead.", own),
    })
}

/// The section of a built-in term.
fn section(entry: &Entry) -> Value {
    let mut properties = json!({});
    for spec in entry.weights.iter() {
        let label = spec.meaning.label();
        properties[&*spec.name] = match spec.length {
            // A description beside a reference would be ignored.
            None => json!({ "description": label, "allOf": [pair()] }),
            Some(length) => json!({
                "description": format!("{label}: {length} pairs"),
                "type": "array",
                "items": pair(),
                "minItems": length,
                "maxItems": length,
            }),
        };
    }
    for spec in entry.parameters.iter().chain([&PERCENT_SPEC]) {
        properties[spec.name] = parameter(spec);
    }
    object(&format!("{} Source: {}.", entry.doc, entry.source), properties)
}

/// A term that the file writes itself, or other worths for such a term of the base.
fn term() -> Value {
    json!({
        "description": "A term that this file writes itself.",
        "type": "object",
        "properties": {
            "doc": string("One sentence: what the term measures and why that matters on the board."),
            "source": string("Where the idea was published."),
            "theme": string(
                "What the sentences of the term are about: material, king, pawns, pieces, threats or a new theme.",
            ),
            LET: names("Names for the values of expressions, which all later expressions can read."),
            "when": string("The condition of the term: where it does not hold, nothing is measured."),
            "each": string("A loop over squares, such as `rook in own.rooks`: all weights are measured for each."),
            "tuned_from_games": {
                "description": "Whether the tuner fits the weights to the results of games; true if it is missing.",
                "type": "boolean",
            },
            PERCENT_SPEC.name: parameter(&PERCENT_SPEC),
        },
        "additionalProperties": weight(),
    })
}

/// A weight of a term that the file writes itself.
fn weight() -> Value {
    let mark = |key: &str| match key {
        "ring" | "dots" => "Squares that get the mark.",
        _ => "From where to where, as in `rook -> enemy.king`.",
    };
    let marks = DRAWS_KEYS.map(|key| (key.to_owned(), json!({ "description": mark(key) })));
    let draws = "What is drawn; without it, the ways whose lengths are counted.";
    let properties = json!({
        "each": string("A loop over squares, such as `pawn in own.pawns`: the weight is measured for each."),
        "when": string("The condition of the weight."),
        "count": { "description": "How often the worth counts; 1 if it is missing." },
        "index": string("Which pair of an array counts; the first has the index 0."),
        "at": string(
            "The square on which the weight is shown; without it, the square of the loop, or else the king of the side \
             that is measured.",
        ),
        "unit": {
            "description": "What is counted, as in `king moves from the enemy king`; as an array the words for one and \
                            for several.",
        },
        "per": parameter(&PER_SPEC),
        WORTH: {
            "description": "[middlegame, endgame] in centipawns, or one number for both; with `index` an array of such \
                            pairs",
        },
        "says": string(
            "A sentence with places that are filled in, as in `{the rook} {is|are} {count} from {enemy}'s king`.",
        ),
        "draws": object(draws, Value::Object(marks.into_iter().collect())),
    });
    object("A weight of the term.", properties)
}

/// A table of these keys and no others.
fn object(description: &str, properties: Value) -> Value {
    json!({
        "description": description,
        "type": "object",
        "properties": properties,
        "additionalProperties": false,
    })
}

/// A table of named values.
fn names(description: &str) -> Value {
    json!({ "description": description, "type": "object" })
}

fn string(description: &str) -> Value {
    json!({ "description": description, "type": "string" })
}

fn parameter(spec: &ParameterSpec) -> Value {
    json!({ "description": spec.doc, "type": "integer", "minimum": spec.min, "maximum": spec.max })
}

fn pair() -> Value {
    json!({ "$ref": "#/definitions/pair" })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::documentation::assert_file;
    use std::{fs, path::Path};
    use tropism::eval::file::{SCALE_KEYS, TERM_KEYS, TOP_LEVEL_KEYS, WEIGHT_KEYS};
    use tropism::terms::registry;

    fn keys(table: &Value) -> Vec<&str> {
        table["properties"].as_object().unwrap().keys().map(String::as_str).collect()
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
        let names = registry.entries().iter().map(|entry| &*entry.name);
        assert_eq!(keys(&schema), TOP_LEVEL_KEYS.into_iter().chain(names).collect::<Vec<_>>());
        for entry in registry.entries() {
            let section = &schema["properties"][&*entry.name];
            let weights = entry.weights.iter().map(|spec| &*spec.name);
            let parameters = entry.parameters.iter().map(|spec| spec.name);
            let known: Vec<_> = weights.chain(parameters).chain(["percent"]).collect();
            assert_eq!(keys(section), known);
            for spec in entry.weights.iter() {
                let weight = &section["properties"][&*spec.name];
                assert_eq!(weight["allOf"].is_array(), spec.length.is_none(), "{}", spec.name);
                assert_eq!(weight["maxItems"], json!(spec.length), "{} {}", entry.name, spec.name);
            }
        }
        assert_eq!(keys(&schema["properties"][SCALE]["additionalProperties"]), SCALE_KEYS);
        let term = &schema["additionalProperties"];
        assert_eq!(
            (keys(term), keys(&term["additionalProperties"])),
            (TERM_KEYS.to_vec(), WEIGHT_KEYS.to_vec())
        );
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
