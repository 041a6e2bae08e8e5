//! Scale factors in engine files: sections `[scale.NAME]` change a known one or write a new one.

use super::numbers::number;
use super::section::{LET, Named, boolean, check_name, scale_sections, text};
use super::{
    FileReader, ParameterSpec, Read, Value, fault, known_key, nearest, read_parameter, wrong_type,
};
use crate::eval::formula::{Code, Compiler, FormulaTerm};
use crate::eval::scale::{LoadedScale, Rule, share};
use crate::eval::{ScaleEntry, ScaleScope};
use std::sync::Arc;
use toml::de::{DeTable, DeValue};

/// The keys of a scale factor that the file writes itself.
pub const SCALE_KEYS: [&str; 6] = ["doc", "says", LET, "when", KEEPS_SPEC.name, ON];

/// The key that switches a scale factor on or off.
pub const ON: &str = "on";

/// The key for what a scale factor keeps.
pub const KEEPS_SPEC: ParameterSpec = ParameterSpec {
    name: "keeps",
    doc: "how many percent of its advantage the side ahead keeps; the search rounds to 64ths",
    min: 0,
    max: 100,
};

impl<'a> FileReader<'a> {
    /// The scale factors of a file: those that it writes, in its order, then those that it has already. Known draws come
    /// before all others, because no share of them wins.
    pub(super) fn scales(
        &self,
        file: &DeTable<'a>,
        mut known: Vec<LoadedScale>,
        shared: &[Named<'_, 'a>],
    ) -> Read<Vec<LoadedScale>> {
        let mut scales = Vec::new();
        for (key, section) in scale_sections(file)? {
            let name = check_name(key)?;
            let Some(table) = section.get_ref().as_table() else {
                let found = &self.text[section.span()];
                let hint = match section.get_ref() {
                    DeValue::Boolean(_) => format!(": write `{name}.{ON} = {found}`"),
                    DeValue::Integer(_) | DeValue::Float(_) => {
                        format!(": write `{name}.keeps = {found}` if it keeps so many percent")
                    }
                    _ => String::new(),
                };
                let wanted = format!("a section of a scale factor{hint}");
                return wrong_type(section, name, &wanted);
            };
            let old = known.iter().position(|scale| scale.entry.name == name);
            match old.map(|index| &mut known[index]) {
                Some(scale) if scale.is_built_in() || !table.contains_key("doc") => {
                    change(scale, table)?;
                    continue;
                }
                None if !table.contains_key("doc") => {
                    let hint = nearest(name, known.iter().map(|scale| &*scale.entry.name));
                    let message = format!("[scale.{name}] has no `doc` and no known name; {hint}");
                    return fault(key.span(), message);
                }
                _ => known.retain(|scale| scale.entry.name != name),
            }
            scales.push(self.written_scale(name, section, table, shared)?);
        }
        scales.append(&mut known);
        scales.sort_by_key(|scale| !scale.entry.is_draw());
        Ok(scales)
    }

    fn written_scale(
        &self,
        name: &str,
        section: &Value<'a>,
        table: &DeTable<'a>,
        shared: &[Named<'_, 'a>],
    ) -> Read<LoadedScale> {
        for key in table.keys() {
            known_key(key, &format!("[scale.{name}]"), SCALE_KEYS)?;
        }
        let get = |key: &str, doc: &str| {
            let lacks = || fault(section.span(), format!("[scale.{name}] lacks `{key}`: {doc}"));
            table.get(key).map_or_else(lacks, Ok)
        };
        let doc = text(get("doc", "one sentence on what it is")?, "doc")?;
        let says = "why the side ahead does not keep all, as in \"it has no pawn\"";
        let value = get("says", says)?;
        let says = text(value, "says")?;
        if says.contains(['{', '}']) {
            let message =
                "says of a scale factor is one clause about the side ahead, without places";
            return fault(value.span(), message);
        }
        let kept = get(KEEPS_SPEC.name, KEEPS_SPEC.doc)?;
        let (mut compiler, _) = self.compiler(table, shared)?;
        let when = self.compiled(table, &mut compiler, ("", "when"), Compiler::when)?;
        let keeps = if kept.get_ref().is_str() { None } else { Some(percent(kept)?) };
        let mut percent = Code::constant(0);
        if keeps.is_none() {
            let key = ("", KEEPS_SPEC.name);
            if let Some((read, _)) = self.compiled(table, &mut compiler, key, Compiler::number)? {
                percent = read;
                percent.known().map_or(Ok(()), |percent| check_percent(kept, percent))?;
            }
        }
        let term = FormulaTerm {
            when: when.map(|(when, _)| when),
            cost: compiler.cost(),
            longest: compiler.longest.clone(),
            names: compiler.names(),
            ..FormulaTerm::default()
        };
        let [name, doc, says] = [name, doc, says].map(|text| text.to_owned().into());
        let (scope, rule) = (ScaleScope::Everywhere, Rule::Formula(Box::new(term), percent));
        let entry = ScaleEntry { name, doc, says, keeps, scope, rule };
        let mut scale = LoadedScale::new(Arc::new(entry));
        scale.is_on = table.get(ON).map_or(Ok(true), |on| boolean(on, ON))?;
        Ok(scale)
    }
}

/// What a section without `doc` says of a known scale factor.
fn change(scale: &mut LoadedScale, table: &DeTable<'_>) -> Read<()> {
    let ScaleEntry { name, keeps, .. } = &*scale.entry;
    let keys = if keeps.is_some() { &[KEEPS_SPEC.name, ON][..] } else { &[ON] };
    for key in table.keys() {
        if scale.is_built_in() && SCALE_KEYS[..4].contains(&key.get_ref().as_ref()) {
            let message = format!("{name} is built in; one that you write needs another name");
            return fault(key.span(), message);
        }
        known_key(key, &format!("[scale.{name}]"), keys.iter().copied())?;
    }
    if let Some(value) = table.get(KEEPS_SPEC.name) {
        scale.share = share(percent(value)?);
    }
    if let Some(on) = table.get(ON) {
        scale.is_on = boolean(on, ON)?;
    }
    Ok(())
}

/// A percentage, or one that the tuner may change.
fn percent(value: &Value<'_>) -> Read<u32> {
    if !value.get_ref().is_table() {
        return Ok(read_parameter(&KEEPS_SPEC, value)? as u32);
    }
    let (percent, range) = number(KEEPS_SPEC.name, value)?;
    check_percent(value, *range.start())?;
    check_percent(value, *range.end())?;
    Ok(percent as u32)
}

/// Checks that a known number is a percentage.
fn check_percent(value: &Value<'_>, percent: i32) -> Read<()> {
    let ParameterSpec { name, min, max, .. } = KEEPS_SPEC;
    if (min..=max).contains(&percent) {
        return Ok(());
    }
    fault(value.span(), format!("{name} is {percent}, which is out of range: {min} to {max}"))
}
