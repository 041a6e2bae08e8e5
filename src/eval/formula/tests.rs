//! What expressions mean: each operator and loop on known positions.

use crate::eval::{Engine, Scope, Trace};
use crate::{terms::registry, testing::position};
use shakmaty::Square;

/// White: Kd4, Ra1, Rh1, Nb1, pawns a2, b2, e5. Black: Kg8, Qd8, pawns f7, g7, h6.
const FEN: &str = "3q2k1/5pp1/7p/4P3/3K4/8/PP6/RN5R w - - 0 1";

/// The trace of a position with one formula term, called `x`, with this section.
fn trace(section: &str, fen: &str) -> Trace {
    let text = format!("name = 'x'\nterms = ['x']\n[x]\ndoc = 'x'\n{section}\n");
    let engine = Engine::parse(&text, "x", &registry()).unwrap_or_else(|error| panic!("{error}"));
    engine.trace(&position(fen))
}

/// White's contributions of the term with this section: index of the pair, count, square.
fn measured(section: &str) -> Vec<(usize, i32, Square)> {
    let trace = trace(section, FEN);
    let seen = trace.rows[0].white_contributions.iter();
    seen.map(|seen| (seen.weight.index(), seen.count, seen.square)).collect()
}

/// The value of a number for White.
fn number(expression: &str) -> i32 {
    let weight = format!("[x.y]\ncount = '{expression}'\nunit = 'u'\nworth = [0.1, 0.1]");
    measured(&weight).iter().map(|&(_, count, _)| count).sum()
}

fn holds(condition: &str) -> bool {
    number(&format!("if {condition} then 1 else 0")) == 1
}

/// The lines of `expressions.txt`.
#[test]
fn expressions_mean_what_the_file_says() {
    let (mut fen, mut count) = ("", 0);
    for line in include_str!("expressions.txt").lines() {
        match line.strip_prefix("position ") {
            Some(position) => fen = position,
            None if line.is_empty() || line.starts_with('#') => {}
            None => {
                let weight = format!("[x.y]\nwhen = '{line}'\nunit = 'u'\nworth = [1, 1]");
                assert_eq!(trace(&weight, fen).rows[0].white_contributions.len(), 1, "{line}");
                count += 1;
            }
        }
    }
    assert!(count > 100, "{count}");
    // A weight counts less than the largest number.
    assert_eq!((number("2147483647"), number("-2147483647")), (200_000, -200_000));
    assert_eq!(number("200000"), 200_000);
}

#[test]
fn a_term_visits_each_square_and_each_weight_of_it() {
    let section = "each = 'rook in own.rooks'\n\
        [x.distance]\nindex = 'chebyshev(rook, own.king)'\nunit = 'king moves'\nworth = [[0, 0], [0, 0], [0, 0], [0, 0], [1, 1]]\n\
        [x.far]\nwhen = 'chebyshev(rook, own.king) > 3'\nunit = 'far rook'\nworth = [1, 1]\nat = 'own.king'\n\
        [x.pawns]\neach = 'pawn in own.pawns & same_file(rook)'\nunit = 'pawn'\nworth = [1, 1]";
    assert_eq!(
        measured(section),
        [(3, 1, Square::A1), (6, 1, Square::A2), (4, 1, Square::H1), (5, 1, Square::D4),]
    );
}

#[test]
fn an_index_beyond_the_array_counts_as_the_nearest_end() {
    let section = |index: &str| {
        let weight = "[x.y]\nunit = 'u'\nworth = [[1, 1], [2, 2], [3, 3]]";
        measured(&format!("{weight}\nindex = '{index}'"))
    };
    assert_eq!(section("count(own.all) - 8"), [(0, 1, Square::D4)]);
    assert_eq!(section("count(own.all) - 6"), [(1, 1, Square::D4)]);
    assert_eq!(section("count(own.all)"), [(2, 1, Square::D4)]);
    assert_eq!(section("8 + count(own.all)"), [(2, 1, Square::D4)]);
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

#[test]
fn names_are_computed_before_what_reads_them() {
    let section = |when: &str| {
        format!(
            "when = '{when}'\n\
             let = {{ far = 'squares(p in own.pawns: chebyshev(own.king, p) > 1)', number = 'count(far)',\
             first = 'own.nearest(own.king, far)', some = 'number > 1' }}\n\
             [x.y]\ncount = 'if some then number else 0'\nat = 'first'\nunit = 'u'\nworth = [1, 1]"
        )
    };
    assert_eq!(measured(&section("own.to_move")), [(0, 2, Square::B2)]);
    assert_eq!(measured(&section("number == 2")), [(0, 2, Square::B2)]);
    assert_eq!(measured(&section("some and first in far")), [(0, 2, Square::B2)]);
    assert_eq!(measured(&section("number == 3")), []);
}

/// The engine of a file with terms that write themselves.
fn engine(text: &str) -> Result<Engine, String> {
    Engine::parse(text, "x", &registry()).map_err(|error| error.to_string())
}

#[test]
fn the_terms_of_a_file_share_names() {
    let term = |name: &str, count: &str| {
        format!("[{name}]\ndoc = 'x'\n[{name}.y]\ncount = '{count}'\nunit = 'u'\nworth = [1, 1]\n")
    };
    let file = |shared: &str, terms: &str| {
        engine(&format!("name = 'x'\nterms = ['a', 'b']\n[let]\n{shared}\n{terms}"))
    };
    let shared =
        "major = 'own.rooks | own.queens'\nfar = 'squares(x in major: chebyshev(x, own.king) > 3)'";
    let terms = term("a", "count(major)") + &term("b", "10 * count(far) + count(major)");
    let trace = file(shared, &terms).unwrap().trace(&position(FEN));
    let counts: Vec<i32> = trace.rows.iter().map(|row| row.white_contributions[0].count).collect();
    assert_eq!(counts, [2, 12]);
}

#[test]
fn names_read_the_square_of_the_loop() {
    let section = "each = 'rook in own.rooks'\nwhen = 'rooks > 1'\n\
        let = { rooks = 'count(own.rooks)', far = 'chebyshev(rook, own.king)', twice = '2 * far' }\n\
        [x.a]\nwhen = 'far > 3'\ncount = 'twice'\nunit = 'u'\nworth = [1, 1]\n\
        [x.b]\neach = 'pawn in own.pawns'\nwhen = 'far == 3'\ncount = 'far + rooks'\nunit = 'u'\nworth = [1, 1]";
    let pawns = [Square::A2, Square::B2, Square::E5].map(|square| (1, 5, square));
    let seen = measured(section);
    assert_eq!((&seen[..3], &seen[3..]), (&pawns[..], &[(0, 8, Square::H1)][..]));
}

/// A function is read like a word: with values of its own for each call, inside of loops and of other functions.
#[test]
fn functions_have_parameters() {
    let count = |count: &str| {
        let section = format!(
            "let = {{ base = '10', near = '(king: square, set: set) count(x in set: chebyshev(x, king) < 3)',\
             both = '(y: square) near(y, own.pawns) + base * near(y, enemy.pawns | y)',\
             most = '(n: number, p: condition) if p then max(n, 3) else n', of = '(n: number) same_file(own.pawns) & own.rank(n)' }}\n\
             [x.y]\ncount = '{count}'\nunit = 'u'\nworth = [1, 1]"
        );
        measured(&section).iter().map(|&(_, count, _)| count).sum::<i32>()
    };
    for (text, value) in [
        ("near(own.king, own.pawns)", 2),
        ("near(own.king, own.pawns - own.king) + near(enemy.king, enemy.all)", 2 + 4),
        ("both(enemy.king)", 10 * 4),
        ("near(own.king, own.king)", 1),
        ("sum(x in enemy.pawns: both(x) + near(x, x | own.king))", 31 + 31 + 30 + 3),
        ("sum(x in own.pawns: near(x, squares(y in own.all: chebyshev(x, y) < 2)))", 4 + 4 + 2),
        ("most(1, own.to_move) + most(most(7, 1 == 2), 1 == 1)", 10),
        ("most(near(own.king, own.all), near(own.king, own.all) > 1)", 3),
        ("count(of(2)) + 10 * count(of(9))", 3),
    ] {
        assert_eq!(count(text), value, "{text}");
    }
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

/// What nothing reads is not computed: it neither takes the term out of the pawn cache nor counts as read.
#[test]
fn names_that_nothing_reads_change_nothing() {
    let text = "name = 'x'\nterms = ['x']\n[x]\ndoc = 'x'\nlet.unread = 'count(own.rooks)'\n\
                [x.y]\ncount = 'count(own.pawns)'\nunit = 'u'\nworth = [1, 1]";
    assert!(engine(text).unwrap().entries().next().unwrap().pawns_and_kings);
}

/// Expressions that the compiler turns into others count the same as what they say, square by square.
#[test]
fn loops_that_become_sets_count_the_same() {
    for (condition, plain) in [
        ("x in own.rooks", "1 == count(own.rooks & x)"),
        ("not any(same_file(x) & own.pawns)", "0 == count(same_file(x) & own.pawns)"),
        (
            "any(own.ahead(x) & enemy.pawns - own.rank(7))",
            "0 < count(own.ahead(x) & enemy.pawns - own.rank(7))",
        ),
        ("any(own.pawns - beside(x))", "0 < count(own.pawns - beside(x))"),
        (
            "any(knight_attacks(x) & own.all) and own.to_move",
            "0 < count(knight_attacks(x) & own.all) and own.to_move",
        ),
        (
            "any(enemy.pawn_attacks(x)) or x in edge",
            "0 < count(enemy.pawn_attacks(x)) or 1 == count(x & edge)",
        ),
        ("any(enemy.behind(x) & own.king)", "0 < count(enemy.behind(x) & own.king)"),
        ("any(king_attacks(x) & beside(x))", "0 < count(king_attacks(x) & beside(x))"),
    ] {
        for text in [
            format!("squares(x in all_squares: {condition}) == squares(x in all_squares: {plain})"),
            format!("count(x in ~own.all: {condition}) == count(x in ~own.all: {plain})"),
            format!("any(x in own.all: {condition}) == any(x in own.all: {plain})"),
            format!("all(x in own.all: {condition}) == all(x in own.all: {plain})"),
        ] {
            assert!(holds(&text), "{text}");
        }
        let weight = |condition: &str| {
            let weight = format!("when = '{condition}'\nunit = 'u'\nworth = [1, 1]");
            let own = measured(&format!("[x.y]\neach = 'x in all_squares'\n{weight}"));
            assert_eq!(own, measured(&format!("each = 'x in all_squares'\n[x.y]\n{weight}")));
            own
        };
        assert_eq!(weight(condition), weight(plain), "{condition}");
    }
}

/// Values that are the same in every position, computed when the file is read or only while a term is measured.
#[test]
fn constants_of_costly_loops_and_of_large_factors_are_values() {
    for (text, value) in [
        ("count(x in all_squares: all(y in all_squares: count(centre) < 3))", 0),
        ("count(x in all_squares: all(y in all_squares: count(centre) < 5))", 64),
        ("(if own.king in own.pawns then 0 else 0) * 100000 * 100000", 0),
        ("(if own.king in own.pawns then 1 else 1) * 100000 * 100000", 200_000),
    ] {
        assert_eq!(number(text), value, "{text}");
    }
}

#[test]
fn fractions_of_a_unit() {
    let text = |per: &str| {
        format!("[x.y]\ncount = '160'\nunit = 'steps from the centre'\nworth = [10, 20]\n{per}")
    };
    let [whole, sixteenths] = [text(""), text("per = 16")].map(|section| trace(&section, FEN));
    let white = |trace: &Trace| trace.rows[0].white.taper(0);
    assert_eq!((white(&whole), white(&sixteenths)), (160 * 20, 10 * 20));
}

#[test]
fn a_term_of_pawns_and_kings_uses_the_pawn_cache() {
    let is_cached = |count: &str| {
        let text = format!(
            "name = 'x'\nterms = ['x']\n[x]\ndoc = 'x'\n[x.y]\ncount = '{count}'\nunit = 'u'\nworth = [1, 1]"
        );
        let engine = Engine::parse(&text, "x", &registry()).unwrap();
        engine.entries().next().unwrap().pawns_and_kings
    };
    assert!(is_cached("sum(p in own.passed | enemy.backward: chebyshev(own.king, p))"));
    for other in [
        "count(own.rooks)",
        "count(own.attacks)",
        "phase",
        "if own.to_move then 1 else 0",
        "count(rook_attacks(own.king))",
        "sum(p in own.all: 1)",
        "if own.is_bare then 1 else 0",
    ] {
        assert!(!is_cached(other), "{other}");
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
