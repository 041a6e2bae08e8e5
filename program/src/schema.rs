//! `tropism schema`: the JSON Schema of engine files.
//!
//! With it an editor completes and explains keys, and marks those that are misspelt or missing. Expressions are checked
//! when the file is read.

use super::Context;
use anyhow::Result;
use clap::Args;
use serde_json::{Map, Value, json};
use std::io::{self, Write};
use tropism::eval::file::{DRAWS_KEYS, KEEPS_SPEC, ON, PER_SPEC, PERCENT_SPEC, SCALE, TERM_KEYS};
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
    let definitions = &mut schema["definitions"];
    definitions["term"]["not"]["propertyNames"]["enum"] = json!(TERM_KEYS);
    for section in ["term", "change"] {
        definitions[section]["properties"][PERCENT_SPEC.name] = parameter(&PERCENT_SPEC);
    }
    let weight = &mut definitions["weight"]["properties"];
    weight[PER_SPEC.name] = parameter(&PER_SPEC);
    for key in DRAWS_KEYS {
        let mark = match key {
            "ring" | "dots" => "Squares that get the mark.",
            _ => "From where to where, as in `rook -> enemy.king`.",
        };
        weight["draws"]["properties"][key] =
            json!({ "description": mark, "type": ["string", "array"] });
    }
    let keeps = json!({ "anyOf": [parameter(&KEEPS_SPEC), { "$ref": "#/definitions/tuned" }] });
    let scale = &mut definitions["scale"]["properties"];
    scale[KEEPS_SPEC.name] = json!({ "anyOf": [keeps, { "$ref": "#/definitions/expression" }] });
    let on = scale[ON].clone();

    let properties = &mut schema["properties"];
    properties["base"]["enum"] = json!(registry.bases().collect::<Vec<_>>());
    let scales = &mut properties[SCALE];
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
    use tropism::eval::Engine;
    use tropism::eval::file::{SCALE_KEYS, TOP_LEVEL_KEYS, WEIGHT_KEYS};
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
        let definitions = &schema["definitions"];
        assert_eq!(keys(&definitions["scale"]), SCALE_KEYS);
        assert_eq!(keys(&definitions["term"]), TERM_KEYS);
        assert_eq!(keys(&definitions["weight"]), WEIGHT_KEYS);
    }

    /// Whether a value has the form that a part of the schema asks for.
    fn fits(value: &Value, part: &Value, schema: &Value) -> bool {
        let fit = |part: &Value| fits(value, part, schema);
        let Some(rules) = part.as_object() else { return *part != json!(false) };
        let is_type = |name: &Value| match name.as_str().unwrap() {
            "object" => value.is_object(),
            "array" => value.is_array(),
            "string" => value.is_string(),
            "boolean" => value.is_boolean(),
            "integer" => value.is_i64(),
            _ => value.is_number(),
        };
        let (number, items) = (value.as_f64(), value.as_array());
        let entries = || value.as_object().into_iter().flatten();
        let is_known = |key: &str| part["properties"].get(key).is_some();
        rules.iter().all(|(keyword, rule)| {
            let mut list = rule.as_array().into_iter().flatten();
            match keyword.as_str() {
                "type" => list.any(is_type) || rule.is_string() && is_type(rule),
                "enum" => list.any(|known| known == value),
                "minimum" => number.is_none_or(|number| number >= rule.as_f64().unwrap()),
                "maximum" => number.is_none_or(|number| number <= rule.as_f64().unwrap()),
                "minItems" => {
                    items.is_none_or(|items| json!(items.len()).as_u64() >= rule.as_u64())
                }
                "maxItems" => {
                    items.is_none_or(|items| json!(items.len()).as_u64() <= rule.as_u64())
                }
                "items" => items.into_iter().flatten().all(|item| fits(item, rule, schema)),
                "required" => list.all(|key| value.get(key.as_str().unwrap()).is_some()),
                "properties" => entries().all(|(key, value)| fits(value, &rule[key], schema)),
                "additionalProperties" => {
                    entries().all(|(key, value)| is_known(key) || fits(value, rule, schema))
                }
                "propertyNames" => entries().all(|(key, _)| fits(&json!(key), rule, schema)),
                "not" => !fit(rule),
                "anyOf" => list.any(fit),
                "allOf" => list.all(fit),
                "if" => fit(&part[if fit(rule) { "then" } else { "else" }]),
                "$ref" => fit(schema.pointer(&rule.as_str().unwrap()[1..]).unwrap()),
                _ => true,
            }
        })
    }

    /// Whether the schema accepts a file.
    fn accepts(text: &str) -> bool {
        let schema = schema(&registry()).unwrap();
        fits(&toml::from_str(text).unwrap(), &schema, &schema)
    }

    /// The first line of `schema.txt` is a file. In the others, a part of it is replaced.
    #[test]
    fn the_schema_and_the_reader_agree() {
        let text = include_str!("schema.txt").replace("\\n", "\0");
        let mut lines = text.lines().map(|line| line.replace('\0', "\n"));
        let good = lines.next().unwrap();
        for line in lines {
            let parts: Vec<&str> = line.splitn(3, " :: ").collect();
            let changed = good.replacen(parts[1], parts[2], 1);
            assert_ne!(changed, good, "{line}");
            let is_read = Engine::parse(&changed, "x", &registry()).is_ok();
            let expected = parts[0] == "accepted";
            assert_eq!((is_read, accepts(&changed)), (expected, expected), "{line}");
        }
    }

    #[test]
    fn shipped_files_name_the_schema_in_their_first_line() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join("engines");
        let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let files = paths.filter(|path| path.extension().is_some_and(|end| end == "toml"));
        let texts: Vec<String> = files.map(|file| fs::read_to_string(file).unwrap()).collect();
        let names_it = |text: &String| text.starts_with("#:schema schema.json\n") && accepts(text);
        assert!(texts.len() >= 6 && texts.iter().all(names_it));
    }
}
