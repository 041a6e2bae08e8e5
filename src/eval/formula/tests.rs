//! What expressions mean: each operator and loop on known positions.

use crate::eval::{Engine, Entry, Scope, Trace};
use crate::{terms::registry, testing::position};
use shakmaty::{Bitboard, Color};
use std::{env, fmt::Write as _, fs};

/// White: Kd4, Ra1, Rh1, Nb1, pawns a2, b2, e5. Black: Kg8, Qd8, pawns f7, g7, h6.
const FEN: &str = "3q2k1/5pp1/7p/4P3/3K4/8/PP6/RN5R w - - 0 1";

/// The trace of a position with one formula term, called `x`, with this section.
fn trace(section: &str, fen: &str) -> Trace {
    let text = format!("name = 'x'\nterms = ['x']\n[x]\ndoc = 'x'\n{section}\n");
    let engine = Engine::parse(&text, "x", &registry()).unwrap_or_else(|error| panic!("{error}"));
    engine.trace(&position(fen))
}

/// What the terms of a file count, say and draw in a position.
fn report(trace: &Trace) -> String {
    let mut text = String::new();
    for row in &trace.rows {
        let Entry { scope, weights, pawns_and_kings, .. } = &*row.entry;
        writeln!(text, "[{}] White {}, Black {}", row.name(), row.white, row.black).unwrap();
        if *scope != Scope::Everywhere {
            writeln!(text, "{scope:?}").unwrap();
        }
        if *pawns_and_kings {
            writeln!(text, "PawnCache").unwrap();
        }
        for spec in weights.iter().filter(|spec| spec.cap.is_some()) {
            writeln!(text, "{}: {} or more", spec.name, spec.length.unwrap() - 1).unwrap();
        }
        for side in Color::ALL {
            for seen in row.contributions(side) {
                let (spec, index) = row.weight(seen.weight).unwrap();
                let (name, count, square) = (&spec.name, seen.count, seen.square);
                writeln!(text, "{side} {square}: {name}.{index} {count} times").unwrap();
            }
        }
        for counted in row.counted(trace.context.phase) {
            writeln!(text, "{}", counted.sentence()).unwrap();
        }
        let marks = trace.marks(row);
        for arrow in &marks.arrows {
            let squares: Vec<String> = arrow.squares.iter().map(ToString::to_string).collect();
            let length = arrow.length.map_or(String::new(), |length| format!(", length {length}"));
            writeln!(text, "arrow {}{length}", squares.join(" ")).unwrap();
        }
        for (mark, squares) in [("ring", &marks.rings), ("dots", &marks.dots)] {
            let squares: Bitboard = squares.iter().copied().collect();
            if squares.any() {
                writeln!(text, "{mark} {}", crate::eval::named(squares)).unwrap();
            }
        }
    }
    trace.scaling().into_iter().for_each(|scaling| writeln!(text, "{scaling}").unwrap());
    for reason in trace.reasons() {
        writeln!(text, "\"{}\"", reason.sentence()).unwrap();
    }
    text
}

/// The blocks of `terms.txt`.
#[test]
fn terms_count_say_and_draw() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/eval/formula/terms.txt");
    let text = fs::read_to_string(path).unwrap();
    let mut blocks = text.split("\n== ");
    let mut written = blocks.next().unwrap().to_owned();
    for block in blocks {
        let mut parts = block.split("\n-- ");
        let (title, sections) = parts.next().unwrap().split_once('\n').unwrap();
        // What the program added is written again.
        let own = sections.split_inclusive('\n').filter(|line| !line.starts_with("warning "));
        let sections = own.collect::<String>().trim_end().to_owned();
        let names = sections.lines().filter_map(|line| line.strip_prefix('[')?.strip_suffix(']'));
        let names: Vec<&str> = names.filter(|name| !name.contains('.') && *name != "let").collect();
        let terms = if sections.starts_with("terms") {
            String::new()
        } else {
            format!("terms = {names:?}")
        };
        let engine = engine(&format!("name = 'x'\n{terms}\n{sections}")).unwrap();
        write!(written, "\n== {title}\n{sections}").unwrap();
        engine.warnings().iter().try_for_each(|text| write!(written, "\nwarning {text}")).unwrap();
        for part in parts {
            let fen = part.lines().next().unwrap();
            write!(written, "\n-- {fen}\n{}", report(&engine.trace(&position(fen)))).unwrap();
        }
    }
    match env::var_os("UPDATE_DOCS") {
        Some(_) => fs::write(path, written).unwrap(),
        None => assert!(text == written, "`UPDATE_DOCS=1` writes {path} again"),
    }
}

/// The lines of `expressions.txt`.
#[test]
fn expressions_mean_what_the_file_says() {
    let (mut fen, mut names, mut count) = ("", String::new(), 0);
    for line in include_str!("expressions.txt").lines() {
        if let Some(position) = line.strip_prefix("position ") {
            (fen, names) = (position, String::new());
        } else if let Some((name, value)) =
            line.strip_prefix("let ").and_then(|name| name.split_once(" = "))
        {
            names += &format!("let.{name} = '{value}'\n");
        } else if !line.is_empty() && !line.starts_with('#') {
            let weight = format!("{names}[x.y]\nwhen = '{line}'\nunit = 'u'\nworth = [1, 1]");
            assert_eq!(trace(&weight, fen).rows[0].white_contributions.len(), 1, "{line}");
            count += 1;
        }
    }
    assert!(count > 100, "{count}");
}

/// The engine of a file with terms that write themselves.
fn engine(text: &str) -> Result<Engine, String> {
    Engine::parse(text, "x", &registry()).map_err(|error| error.to_string())
}

/// A base has its own names; the file that builds on it cannot read them.
#[test]
fn the_terms_of_a_base_call_its_functions() {
    let mut registry = registry();
    registry.add_base(
        "near",
        "name = 'near'\nterms = ['a', 'b']\n[let]\nnear = '(s: set) count(s & king_attacks(own.king))'\n\
         [a]\ndoc = 'a'\n[a.w]\ncount = 'near(own.all)'\nunit = 'a'\nworth = [1, 1]\n\
         [b]\ndoc = 'b'\n[b.w]\ncount = 'near(all_squares)'\nunit = 'b'\nworth = [1, 1]\n",
    );
    let text = "name = 'x'\nbase = 'near'\n[let]\nfar = '(s: set) count(s - king_attacks(own.king))'\n\
                [b]\ndoc = 'b'\n[b.w]\ncount = 'far(own.all)'\nunit = 'b'\nworth = [1, 1]\n";
    let whole = Engine::flatten(text, "x", &registry).unwrap();
    for text in [text, &*whole] {
        let trace = Engine::parse(text, "x", &registry).unwrap().trace(&position(FEN));
        let counts: Vec<i32> =
            trace.rows.iter().map(|row| row.white_contributions[0].count).collect();
        assert_eq!(counts, [1, 6]);
    }
}

/// Functions that call functions end, and do not use up time or stack.
#[test]
fn functions_are_limited() {
    let file = |names: &str, count: &str| {
        let error = engine(&format!(
            "name = 'x'\nterms = ['x']\n[let]\n{names}\n[x]\ndoc = 'x'\n[x.y]\ncount = '{count}'\nunit = 'u'\nworth = [1, 1]"
        ));
        error.map(|_| ()).unwrap_err()
    };
    let doubled = |at: usize| format!("f{} = '(n: number) f{at}(n) + f{at}(n + 1)'\n", at + 1);
    let names = "f0 = '(n: number) n'\n".to_owned() + &(0..20).map(doubled).collect::<String>();
    let error = file(&names, "f20(1)");
    assert!(error.contains("more than 256 calls of functions in a term"), "{error}");
    let long = |at: usize| format!("f{} = '(n: number) f{at}(n){}'\n", at + 1, " + 1".repeat(190));
    let names = "f0 = '(n: number) n'\n".to_owned() + &(0..20).map(long).collect::<String>();
    let error = file(&names, "f20(1)");
    assert!(error.contains("`f0` is called inside of more than 256 expressions"), "{error}");
}

#[test]
fn the_term_of_a_base_gets_another_worth() {
    let mut registry = registry();
    registry.add_base(
        "near",
        "name = 'near'\nterms = ['near']\n[near]\ndoc = 'near'\n\
         [near.a]\ncount = '1'\nunit = 'a'\nworth = [1, 1]\n\
         [near.b]\ncount = '1'\nunit = 'b'\nworth = [2, 2]\n",
    );
    let parse = |section: &str| {
        let text = format!("name = 'x'\nbase = 'near'\n{section}");
        Engine::parse(&text, "x.toml", &registry)
    };
    let weights = |section: &str| -> Vec<i32> {
        parse(section).unwrap().weights().map(|weight| weight.taper(0)).collect()
    };
    assert_eq!(weights(""), [1, 2]);
    assert_eq!(weights("[near]\nb.worth = [5, 5]\n"), [1, 5]);
    assert_eq!(parse("[near]\npercent = 50\n").unwrap().percent("near"), Some(50));
    // A section with `doc` writes the term anew.
    assert_eq!(weights("[near]\ndoc = 'x'\n[near.c]\nunit = 'c'\nworth = [7, 7]\n"), [7]);
    for (section, error) in [
        (
            "[near]\nzzz.worth = [5, 5]\n",
            "x.toml:4:1: unknown key \"zzz\" in [near]; known are a, b, percent\n  zzz.worth = [5, 5]\n  ^^^",
        ),
        (
            "[near]\nb.count = '2'\n",
            "x.toml:3:1: [near] comes from the base: change only `worth`, or write the whole term, with `doc`\n  \
             [near]\n  ^^^^^^",
        ),
    ] {
        assert_eq!(parse(section).unwrap_err().to_string(), error);
    }
}
