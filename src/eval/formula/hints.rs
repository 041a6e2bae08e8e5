//! What a mistaken author could have meant.

use super::Type;
use super::syntax::{self, Expression, Node, Rule};
use super::vocabulary::is_name_for_words;
use super::words::{is_word, written};
use crate::text::did_you_mean;
use std::collections::VecDeque;

/// How to write what an unknown word could mean; `names` are those of the file.
pub(super) fn of_word(name: &str, names: &[&str]) -> String {
    let (side, plain) = name.split_once('.').unwrap_or(("", name));
    let is_side = matches!(side, "own" | "enemy");
    let has_side = is_word(&format!("own.{plain}"));
    let written: Vec<String> = written().collect();
    let similar = |name: &str| {
        did_you_mean(name, written.iter().map(String::as_str).chain(names.iter().copied()))
    };
    match (side, name.as_bytes()) {
        ("", [b'a'..=b'h']) => "files have numbers: `file(5)` is the e-file".into(),
        ("", [_]) => "a loop names squares, as in `sum(x in own.pawns: 1)`".into(),
        ("", [b'a'..=b'h', b'1'..=b'8']) => {
            "single squares have no names, as they are others for the other side: `own.rank(4)`, `centre`".into()
        }
        ("", b"true" | b"false") => {
            "a condition stands alone, as in `any(own.rooks)`; without `when` all positions count".into()
        }
        ("", b"distance") => {
            "write `chebyshev` for moves of a king, `manhattan` for steps of a rook".into()
        }
        ("", _) if has_side => format!("write `own.{plain}` or `enemy.{plain}`"),
        _ if is_side && names.contains(&plain) && !is_word(&format!("own.{plain}s")) => {
            format!("`{plain}` is a name of this file and has no side: write `{plain}`")
        }
        _ if names.contains(&side) => {
            format!("a function stands before its argument, as in `count({side})`")
        }
        _ if !side.is_empty() && !is_side && has_side => {
            format!("a term is written for both sides at once: `own.{plain}` or `enemy.{plain}`")
        }
        _ if !side.is_empty() && is_word(plain) => {
            format!("`{plain}` has no side: write `{plain}`")
        }
        _ => {
            let is_part = written.iter().any(|word| word.contains(plain));
            let listing = if is_part { None } else { listing(plain) };
            let of_side = if side.is_empty() { plain.to_owned() } else { format!("own.{plain}") };
            let similar = listing.or_else(|| similar(name)).or_else(|| similar(&of_side));
            similar.unwrap_or_else(|| "`tropism words` lists all words".to_owned())
        }
    }
}

/// The command that lists the words for which people have this name, if there are any.
fn listing(text: &str) -> Option<String> {
    let text = text.replace('_', " ");
    is_name_for_words(&text).then(|| format!("`tropism words {text}` lists what is about it"))
}

/// The operator that was meant, if these operands have another one.
pub(super) fn of_operator(
    operator: Rule,
    left: &Expression,
    kinds: [Type; 2],
) -> Option<&'static str> {
    let are_sets = kinds.iter().all(|kind| matches!(kind, Type::Set | Type::Square));
    let are_conditions = kinds == [Type::Condition; 2];
    let is_order = |operator| {
        matches!(
            operator,
            Rule::less | Rule::less_equal | Rule::greater | Rule::greater_equal | Rule::equal
        )
    };
    let is_compared = matches!(left.node, Node::Binary(rule, _) if is_order(rule));
    Some(match operator {
        Rule::plus if are_sets => "`+` adds numbers; `|` unites sets",
        Rule::times if are_sets => "`*` multiplies numbers; `&` intersects sets",
        Rule::and if are_sets => "`and` joins conditions, as `any(...)`; `&` intersects sets",
        Rule::or if are_sets => "`or` joins conditions, as `any(...)`; `|` unites sets",
        Rule::intersection if are_conditions => "`&` intersects sets; `and` joins conditions",
        Rule::union if are_conditions => "`|` unites sets; `or` joins conditions",
        _ if is_order(operator) && is_compared && kinds == [Type::Condition, Type::Number] => {
            "only two numbers are compared; write `a < b and b < c`"
        }
        _ => return None,
    })
}

/// Whether a name that is defined later reads, also by others of them, the one that is defined next. They have their
/// texts.
pub(super) fn reads_next(later: &VecDeque<(String, String)>, name: &str) -> bool {
    let mut reached = vec![name];
    let mut at = 0;
    while let Some(&name) = reached.get(at) {
        at += 1;
        let text = later.iter().find(|(known, _)| known == name).map(|(_, text)| &**text);
        if let Ok(read) = syntax::definition(text.unwrap_or_default()) {
            let names = later.iter().map(|(known, _)| &**known);
            let new = names.filter(|known| !reached.contains(known) && read.body.mentions(known));
            reached.extend(new.collect::<Vec<_>>());
        }
    }
    later.front().is_some_and(|(next, _)| reached.contains(&&**next))
}
