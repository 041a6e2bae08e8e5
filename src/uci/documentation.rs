//! The tables of `docs/uci.md` say what the program says.

use super::commands::COMMANDS;
use super::options::{Kind, OPTIONS, Spin, TERM_PERCENT};
use crate::documentation::assert_table;
use std::fmt::Write;

fn options() -> String {
    let range = |Spin { default, min, max }| format!("{min} to {max}, default {default}");
    let mut table = "| option | values | what it does |\n|---|---|---|\n".to_owned();
    for option in OPTIONS {
        let values = match option.kind {
            Kind::Spin(spin, _) => range(spin),
            Kind::Check(default, _) => format!("true or false, default {default}"),
            Kind::Button(_) => "button".to_owned(),
            Kind::Text(_) => "text".to_owned(),
        };
        writeln!(table, "| `{}` | {values} | {} |", option.name, option.doc).unwrap();
    }
    let doc = "weight of this term, in percent of what the engine file gives it";
    writeln!(table, "| `TERM percent`, one for each term | {} | {doc} |", range(TERM_PERCENT))
        .unwrap();
    table
}

fn commands() -> String {
    let mut table = "| command | what it does |\n|---|---|\n".to_owned();
    for command in COMMANDS {
        let usage = command.usage.replace('|', "\\|");
        writeln!(table, "| `{usage}` | {} |", command.doc).unwrap();
    }
    table
}

#[test]
fn the_tables_of_the_page_are_up_to_date() {
    assert_table("docs/uci.md", "options", &options());
    assert_table("docs/uci.md", "commands", &commands());
}
