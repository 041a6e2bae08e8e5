//! Engine files without a base: what a file leaves to its base is written out.

use super::file::{LET, SCALE};
use super::{Engine, EngineFileError, Registry};
use std::fmt::Write as _;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A key of an engine file with the remarks above it.
struct Item {
    name: String,
    remarks: String,
    value: Node,
}

/// What a key has: a value as it is written, or a section with its keys in the order of the file.
enum Node {
    Text(String),
    Section(Vec<Item>),
}

impl Engine {
    /// The text of an engine file with its base written out: the same terms, weights and scale factors without `base`,
    /// and the remarks above their keys. A file without a base stays as it is.
    ///
    /// # Errors
    ///
    /// If [`Engine::parse`] rejects the text, or if the base gives a name in `[let]` another value.
    ///
    /// ```
    /// use tropism::{eval::Engine, terms::registry};
    /// let text = "name = 'mine'\nbase = 'tropism'\n[knight_forks]\npercent = 50\n";
    /// let whole = Engine::flatten(text, "mine.toml", &registry())?;
    /// assert!(whole.contains("\n[material]\npawn = [") && !whole.contains("base ="));
    /// assert!(whole.contains("\npercent = 50\n"));
    /// # Ok::<(), tropism::eval::EngineFileError>(())
    /// ```
    pub fn flatten(
        text: &str,
        origin: &str,
        registry: &Registry,
    ) -> Result<String, EngineFileError> {
        let engine = Engine::parse(text, origin, registry)?;
        let file = DeTable::parse(text).ok();
        let base = file
            .as_ref()
            .and_then(|file| registry.base(file.get_ref().get("base")?.get_ref().as_str()?));
        let parsed = base.and_then(|base| DeTable::parse(base).ok().map(|table| (base, table)));
        let (Some(file), Some((base_text, base))) = (file, parsed) else {
            return Ok(text.to_owned());
        };
        let [mut whole, file] = [(base.get_ref(), base_text), (file.get_ref(), text)]
            .map(|(table, text)| items(table, text, 0, ""));
        let names = [&whole, &file].map(|items| section(items, LET));
        for name in names[1] {
            let other = names[0].iter().find(|other| other.name == name.name);
            if let Some(Node::Text(other)) = other.map(|other| &other.value)
                && !matches!(&name.value, Node::Text(own) if own == other)
            {
                let message = format!(
                    "the base has {:?} in [{LET}] too, with another value; take another name",
                    name.name
                );
                return Err(EngineFileError::at(origin, text, 0..0, message));
            }
        }
        // The first scale factor that applies decides, and those that the file writes come before those of its base.
        let is_written = |item: &&Item| matches!(&item.value, Node::Section(keys) if has_doc(keys));
        let first: Vec<String> =
            section(&file, SCALE).iter().filter(is_written).map(|item| item.name.clone()).collect();
        merge(&mut whole, file);
        for item in &mut whole {
            if let ("scale", Node::Section(scales)) = (item.name.as_str(), &mut item.value) {
                scales.sort_by_key(|scale| {
                    first.iter().position(|name| *name == scale.name).unwrap_or(usize::MAX)
                });
            }
        }
        let is_kept =
            |name: &str| [LET, SCALE].contains(&name) || engine.terms().any(|term| term == name);
        whole.retain(|item| match item.value {
            Node::Text(_) => !["base", "terms"].contains(&item.name.as_str()),
            Node::Section(_) => is_kept(&item.name),
        });
        let terms: String = engine.terms().map(|term| format!("\n    \"{term}\",")).collect();
        let (name, remarks) = ("terms".to_owned(), "\n".to_owned());
        whole.push(Item { name, remarks, value: Node::Text(format!("[{terms}\n]")) });
        let schema = text.lines().next().filter(|line| line.starts_with("#:schema"));
        let mut out = schema.map_or_else(String::new, |line| format!("{line}\n"));
        write(&mut out, &whole, "");
        Engine::parse(&out, origin, registry).map(|_| out)
    }
}

/// The keys of a table in the order of its text. `depth` counts the tables around it, of which `parent` is the last.
fn items(table: &DeTable<'_>, text: &str, depth: usize, parent: &str) -> Vec<Item> {
    let mut keys: Vec<_> = table.iter().collect();
    keys.sort_by_key(|(key, _)| key.span().start);
    let item = |(key, value): (&Spanned<_>, &Spanned<DeValue<'_>>)| {
        let name: &str = AsRef::<str>::as_ref(key.get_ref());
        let written = &text[value.span()];
        let value = match value.get_ref() {
            // The order of named values matters, so a number of the tuner keeps its place.
            DeValue::Table(table) if parent == LET => {
                let keys = items(table, text, depth + 1, name);
                let keys = keys.iter().filter_map(|key| match &key.value {
                    Node::Text(value) => Some(format!("{} = {value}", key.name)),
                    Node::Section(_) => None,
                });
                Node::Text(format!("{{ {} }}", keys.collect::<Vec<_>>().join(", ")))
            }
            DeValue::Table(table) if depth < 2 || !written.starts_with('{') => {
                Node::Section(items(table, text, depth + 1, name))
            }
            _ => Node::Text(written.to_owned()),
        };
        Item { name: name.to_owned(), remarks: remarks(text, key.span().start), value }
    };
    keys.into_iter().map(item).collect()
}

/// The remarks in the lines above a key, without those for programs.
fn remarks(text: &str, key: usize) -> String {
    let line = text[..key].rfind('\n').map_or(0, |newline| newline + 1);
    let above = text[..line].split_inclusive('\n').rev().take_while(|line| line.starts_with('#'));
    let mut lines: Vec<&str> = above.filter(|line| !line.starts_with("#:")).collect();
    lines.reverse();
    lines.concat()
}

/// The keys of a section.
fn section<'i>(items: &'i [Item], name: &str) -> &'i [Item] {
    match items.iter().find(|item| item.name == name).map(|item| &item.value) {
        Some(Node::Section(keys)) => keys,
        _ => &[],
    }
}

/// Whether a section writes its term or scale factor itself.
fn has_doc(keys: &[Item]) -> bool {
    keys.iter().any(|key| key.name == "doc")
}

/// Lays the keys of a file over those of its base.
fn merge(base: &mut Vec<Item>, file: Vec<Item>) {
    for item in file {
        let Some(known) = base.iter_mut().find(|known| known.name == item.name) else {
            base.push(item);
            continue;
        };
        match (&mut known.value, item.value) {
            (Node::Section(below), Node::Section(keys)) if !has_doc(&keys) => merge(below, keys),
            (value, new) => *value = new,
        }
    }
}

/// Writes values, then sections.
fn write(out: &mut String, items: &[Item], path: &str) {
    for Item { name, remarks, value } in items {
        if let Node::Text(text) = value {
            let _ = writeln!(out, "{remarks}{name} = {text}");
        }
    }
    for Item { name, remarks, value } in items {
        if let Node::Section(keys) = value {
            let path = format!("{path}{name}");
            if keys.is_empty() || keys.iter().any(|key| matches!(key.value, Node::Text(_))) {
                let _ = write!(out, "\n{remarks}[{path}]\n");
            }
            write(out, keys, &format!("{path}."));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::formula::PAIRS;

    const BASE: &str = include_str!("flatten_base.toml");
    const FILE: &str = include_str!("flatten_file.toml");

    #[test]
    fn a_file_without_its_base_evaluates_alike() {
        let mut registry = crate::terms::registry();
        registry.add_base("house", BASE);
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("engines");
        let mut files = vec![FILE.to_owned()];
        for name in ["builder", "hunter", "miser", "minimal", "tropism", "tropism-material"] {
            files.push(std::fs::read_to_string(folder.join(format!("{name}.toml"))).unwrap());
        }
        for text in files {
            let whole = Engine::flatten(&text, "x.toml", &registry).unwrap();
            assert!(text.contains("\nbase = ") || whole == text);
            let [with_base, without] = [&text, &whole]
                .map(|text| Engine::parse(text, "x.toml", &registry.without_bases()));
            assert!(without.is_ok() && with_base.is_ok() == (whole == text), "{whole}");
            let [old, new] =
                [&text, &whole].map(|text| Engine::parse(text, "x.toml", &registry).unwrap());
            assert_eq!(old.name(), new.name());
            assert!(old.terms().eq(new.terms()), "{whole}");
            for chess in PAIRS.as_flattened() {
                let [old, new] = [&old, &new].map(|engine| engine.trace(chess).to_string());
                assert_eq!(old, new, "{whole}");
            }
        }
    }

    #[test]
    fn a_shared_name_with_two_values_is_refused() {
        let mut registry = crate::terms::registry();
        registry.add_base("house", BASE);
        let text = FILE.replace("flank", "middle");
        let error = Engine::flatten(&text, "x.toml", &registry).unwrap_err().to_string();
        let message = "x.toml:1:1: the base has \"middle\" in [let] too, with another value; take another name";
        assert_eq!(error, message);
    }
}
