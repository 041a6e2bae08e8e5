//! `tropism schema`: the JSON Schema of engine files.
//!
//! With it an editor completes and explains keys and marks those that are misspelt. What their values may be is checked
//! when the file is read.

use super::Context;
use anyhow::Result;
use clap::Args;
use serde_json::{Map, Value, json};
use std::io::{self, Write};
use tropism::eval::file::{DRAWS_KEYS, KEEPS_SPEC, ON, PER_SPEC, PERCENT_SPEC, SCALE};
use tropism::eval::{Entry, ParameterSpec, Registry};

/// The keys that every engine file may have. It is in draft 7, which the language servers for TOML know.
const KEYS: &str = include_str!("schema.json");

/// Print the JSON Schema of engine files, with which editors explain and complete them.
#[derive(Args)]
pub struct Schema {}

impl Schema {
    pub fn run(self, context: Context) -> Result<()> {
        writeln!(io::stdout(), "{:#}", schema(&context.registry)?)?;
        Ok(())
    }
}

/// The schema of the engine files that this registry reads.
fn schema(registry: &Registry) -> serde_json::Result<Value> {
    let mut schema: Value = serde_json::from_str(KEYS)?;
    let term = &mut schema["additionalProperties"];
    term["properties"][PERCENT_SPEC.name] = parameter(&PERCENT_SPEC);
    let weight = &mut term["additionalProperties"]["properties"];
    weight[PER_SPEC.name] = parameter(&PER_SPEC);
    for key in DRAWS_KEYS {
        let mark = match key {
            "ring" | "dots" => "Squares that get the mark.",
            _ => "From where to where, as in `rook -> enemy.king`.",
        };
        weight["draws"]["properties"][key] = json!({ "description": mark });
    }

    let properties = &mut schema["properties"];
    properties["base"]["enum"] = json!(registry.bases().collect::<Vec<_>>());
    let scales = &mut properties[SCALE];
    let keeps = json!({ "description": KEEPS_SPEC.doc });
    scales["additionalProperties"]["properties"][KEEPS_SPEC.name] = keeps.clone();
    let on = scales["additionalProperties"]["properties"][ON].clone();
    let known = registry.scales().iter().map(|scale| {
        let mut properties = json!({ ON: on });
        if scale.keeps.is_some() {
            properties[KEEPS_SPEC.name] = keeps.clone();
        }
        (scale.name.to_string(), object(&scale.doc, properties))
    });
    scales["properties"] = known.collect::<Map<_, _>>().into();
    for entry in registry.entries() {
        properties[&*entry.name] = section(entry);
    }
    Ok(schema)
}

/// The section of a built-in term.
fn section(entry: &Entry) -> Value {
    let pair = json!({ "$ref": "#/definitions/pair" });
    let mut properties = json!({});
    for spec in entry.weights.iter() {
        let label = spec.meaning.label();
        properties[&*spec.name] = match spec.length {
            // A description beside a reference would be ignored.
            None => json!({ "description": label, "allOf": [pair] }),
            Some(length) => json!({
                "description": format!("{label}: {length} pairs"),
                "type": "array",
                "items": pair,
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

/// A table of these keys and no others.
fn object(description: &str, properties: Value) -> Value {
    json!({
        "description": description,
        "type": "object",
        "properties": properties,
        "additionalProperties": false,
    })
}

fn parameter(spec: &ParameterSpec) -> Value {
    json!({ "description": spec.doc, "type": "integer", "minimum": spec.min, "maximum": spec.max })
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
        assert_file("engines/schema.json", &format!("{}\n", schema(&registry()).unwrap()));
    }

    #[test]
    fn the_schema_has_every_key() {
        let (schema, registry) = (schema(&registry()).unwrap(), registry());
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
