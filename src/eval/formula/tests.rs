//! What expressions mean: each operator and loop on known positions.

use crate::eval::{Engine, Scope, Trace};
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

/// The value of a number for White.
fn number(expression: &str) -> i32 {
    let weight = format!("[x.y]\ncount = '{expression}'\nunit = 'u'\nworth = [0.1, 0.1]");
    trace(&weight, FEN).rows[0].white_contributions.iter().map(|seen| seen.count).sum()
}

/// What the terms of a file count, say and draw in a position.
fn report(trace: &Trace) -> String {
    let mut text = String::new();
    for row in &trace.rows {
        writeln!(text, "[{}] White {}, Black {}", row.name(), row.white, row.black).unwrap();
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
    // A weight counts less than the largest number.
    assert_eq!((number("2147483647"), number("-2147483647")), (200_000, -200_000));
    assert_eq!(number("200000"), 200_000);
}

/// A last index that nothing exceeds stands for itself only, not for "8 or more".
#[test]
fn a_count_is_at_most_the_size_of_its_set() {
    let cap = |index: &str| {
        let pairs = ["[1, 1]"; 9].join(", ");
        let weight =
            format!("[x.y]\nunit = 'steps from home'\nworth = [{pairs}]\nindex = '{index}'");
        trace(&weight, FEN).rows[0].entry.weights[0].cap
    };
    assert_eq!(cap("count(occupied)"), Some(8));
    let sets = ["count(own.pawns)", "count(pawn in own.pawns: pawn in centre)"];
    for index in sets.into_iter().chain(["min(8, count(occupied))"]) {
        assert_eq!(cap(index), None, "{index}");
    }
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
    assert!(error.contains("`f0` is called too deep inside of expressions"), "{error}");
}

#[test]
fn a_condition_in_plain_words_is_a_scope() {
    for (when, scope) in [
        ("not is_bare_king_ending and own.to_move", Scope::NotBareKing),
        ("enemy.is_bare and own.is_bishop_and_knight", Scope::BareKing),
        ("own.pieces_can_mate and (own.to_move and enemy.is_bare)", Scope::BareKing),
        ("is_bare_king_ending", Scope::BareKing),
        ("own.is_bare and own.pieces_can_mate", Scope::Everywhere),
        ("enemy.is_bare or own.pieces_can_mate", Scope::Everywhere),
        ("not (is_bare_king_ending and own.to_move)", Scope::Everywhere),
    ] {
        let text = format!(
            "name = 'x'\nterms = ['x']\n[x]\ndoc = 'x'\nwhen = '{when}'\n[x.y]\nunit = 'u'\nworth = [1, 1]"
        );
        assert_eq!(engine(&text).unwrap().entries().next().unwrap().scope, scope, "{when}");
    }
}

/// What nothing reads is not computed, and the search runs nothing that is shown only.
#[test]
fn a_term_of_pawns_and_kings_uses_the_pawn_cache() {
    for (count, is_cached) in [
        ("sum(p in own.passed | enemy.backward: chebyshev(own.king, p))", true),
        ("count(own.pawns)'\nat = 'own.nearest(own.king, enemy.rooks)", true),
        ("count(own.rooks)", false),
        ("count(own.attacks)", false),
        ("phase", false),
        ("if own.to_move then 1 else 0", false),
        ("count(rook_attacks(own.king))", false),
        ("sum(p in own.all: 1)", false),
        ("if own.is_bare then 1 else 0", false),
    ] {
        let text = format!(
            "name = 'x'\nterms = ['x']\n[x]\ndoc = 'x'\nlet.unread = 'count(own.rooks)'\n\
             [x.y]\ncount = '{count}'\nunit = 'u'\nworth = [1, 1]"
        );
        let engine = engine(&text).unwrap();
        assert_eq!(engine.entries().next().unwrap().pawns_and_kings, is_cached, "{count}");
    }
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
            "x.toml:4:1: unknown key \"zzz\" in [near]; known are a, b, percent",
        ),
        (
            "[near]\nb.count = '2'\n",
            "x.toml:3:1: [near] comes from the base: change only `worth`, or write the whole term, with `doc`",
        ),
    ] {
        assert_eq!(parse(section).unwrap_err().to_string(), error);
    }
}
