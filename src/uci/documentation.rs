//! The lists of `docs/uci.md` say what the program says.

use super::commands::COMMANDS;
use super::options::{Kind, OPTIONS, Spin, TERM_PERCENT};
use crate::documentation::{assert_table, list_item};

fn options() -> String {
    let range = |Spin { default, min, max }| format!("{min} to {max}, default {default}");
    let item = |name: &str, values, doc| list_item(&format!("`{name}` ({values}): {doc}"));
    let mut list = String::new();
    for option in OPTIONS {
        let values = match option.kind {
            Kind::Spin(spin, _) => range(spin),
            Kind::Check(default, _) => format!("true or false, default {default}"),
            Kind::Button(_) => "button".to_owned(),
            Kind::Text(_) => "text".to_owned(),
        };
        list += &item(option.name, values, option.doc);
    }
    let doc = "weight of this term, in percent of what the engine file gives it";
    list + &item("TERM percent", format!("one for each term, {}", range(TERM_PERCENT)), doc)
}

fn commands() -> String {
    COMMANDS
        .iter()
        .map(|command| list_item(&format!("`{}`: {}", command.usage, command.doc)))
        .collect()
}

#[test]
fn the_lists_of_the_page_are_up_to_date() {
    assert_table("docs/uci.md", "options", &options());
    assert_table("docs/uci.md", "commands", &commands());
}
