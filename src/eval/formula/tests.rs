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

#[test]
fn arithmetic() {
    for (expression, value) in [
        ("2 + 3 * 4", 14),
        ("(2 + 3) * 4", 20),
        ("10 - 4 - 3", 3),
        ("-2 * -3", 6),
        ("--5", 5),
        ("2 - -3", 5),
        // Towards zero, with the sign of the dividend.
        ("7 / 2", 3),
        ("-7 / 2", -3),
        ("7 % 3", 1),
        ("-7 % 3", -1),
        ("7 % -3", 1),
        ("24 / 4 / 2", 3),
        ("24 / 4 * 2", 12),
        // Nothing divides by zero.
        ("7 / (count(own.rooks) - 2)", 0),
        ("7 % (count(own.rooks) - 2)", 0),
        ("min(3, -4)", -4),
        ("max(3, -4)", 3),
        ("abs(-4) + abs(4)", 8),
        ("if 1 < 2 then 3 else 4", 3),
        ("if 1 > 2 then 3 else if 1 == 1 then 4 else 5", 4),
    ] {
        assert_eq!(number(expression), value, "{expression}");
    }
}

#[test]
fn conditions() {
    for (condition, value) in [
        ("1 < 2", true),
        ("2 < 2", false),
        ("2 <= 2", true),
        ("3 <= 2", false),
        ("3 > 2", true),
        ("2 >= 3", false),
        ("2 == 2", true),
        ("2 != 2", false),
        ("not 1 == 2", true),
        ("not not 1 == 1", true),
        ("1 == 2 and 1 == 1 or 1 == 1", true),
        ("1 == 1 or 1 == 1 and 1 == 2", true),
        ("(1 == 1 or 1 == 1) and 1 == 2", false),
        ("own.king in own.all", true),
        ("own.king in enemy.all", false),
        ("own.king in own.all - own.king", false),
        ("own.king == own.king", true),
        ("own.king == enemy.king", false),
        ("own.king != enemy.king", true),
        ("own.rooks == own.all", false),
        ("own.king == own.all", false),
        ("own.rooks | own.knights == own.knights | own.rooks", true),
        ("own.is_bare == enemy.is_bare", true),
        ("any(own.queens)", false),
        ("own.to_move", true),
        ("enemy.to_move", false),
    ] {
        assert_eq!(holds(condition), value, "{condition}");
    }
}

/// A number that would be too large is the largest. The smallest is `-2147483647 - 1`.
#[test]
fn numbers_stay_at_their_limits() {
    const MAX: &str = "2147483647";
    const MIN: &str = "(-2147483647 - 1)";
    for (expression, value) in [
        ("MAX + 1", MAX),
        ("MIN - 1", MIN),
        ("MAX * 2", MAX),
        ("MAX * MIN", MIN),
        ("-MIN", MAX),
        ("abs(MIN)", MAX),
        ("MIN / -1", MAX),
        ("MIN % -1", "0"),
        ("MAX / 0 + MIN % 0", "0"),
        ("sum(x in all_squares: MAX)", MAX),
        ("mean(x in all_squares: MAX)", MAX),
        // In whatever order the squares come.
        (
            "sum(x in all_squares: if x in own.rank(1) then MIN else if x in own.rank(8) then MAX else 1)",
            "40",
        ),
        ("count(king_reach(own.king, MAX, no_squares) | own.rank(MIN))", "64"),
    ] {
        let condition = format!("{expression} == {value}").replace("MAX", MAX).replace("MIN", MIN);
        assert!(holds(&condition), "{condition}");
    }
    // A weight counts less.
    assert_eq!((number("2147483647"), number("-2147483647")), (200_000, -200_000));
    assert_eq!(number("200000"), 200_000);
}

#[test]
fn sets() {
    for (set, count) in [
        ("own.all", 7),
        ("own.all | enemy.all", 12),
        ("own.all & own.pawns", 3),
        ("own.all - own.pawns", 4),
        ("own.all - own.pawns - own.rooks", 2),
        ("~own.all", 57),
        ("~own.all & enemy.all", 5),
        // `&` binds stronger than `|`, `-` stronger than both.
        ("own.king | own.pawns & own.rooks", 1),
        ("own.all & own.all - own.pawns", 4),
        ("own.king | enemy.king", 2),
        ("own.king - own.king", 0),
        ("own.king", 1),
        ("if own.to_move then own.rooks else own.king", 2),
        ("own.rank(2) & own.pawns", 2),
        ("enemy.rank(7) & own.pawns", 2),
        ("own.rank(0) | own.rank(9) | own.rank(-1)", 0),
        ("squares(p in own.pawns: own.promotion_distance(p) == 3)", 1),
        ("same_file(own.king)", 8),
        ("king_reach(own.king, 1, no_squares)", 9),
        ("king_reach(own.king, 0, no_squares)", 1),
        ("king_reach(own.king, -1, no_squares)", 0),
    ] {
        assert_eq!(number(&format!("count({set})")), count, "{set}");
    }
}

#[test]
fn loops() {
    for (expression, value) in [
        // The king on d4 is 3 moves from a2, 2 from b2, 1 from e5.
        ("sum(p in own.pawns: chebyshev(own.king, p))", 6),
        ("mean(p in own.pawns: chebyshev(own.king, p))", 2),
        ("mean(p in own.pawns: -chebyshev(own.king, p) - 1)", -3),
        ("min(p in own.pawns: chebyshev(own.king, p))", 1),
        ("max(p in own.pawns: chebyshev(own.king, p))", 3),
        ("max(p in own.pawns: -chebyshev(own.king, p))", -1),
        ("count(p in own.pawns: chebyshev(own.king, p) > 1)", 2),
        ("sum(a in own.pawns: sum(b in own.pawns: file_distance(a, b)))", 2 * (1 + 4 + 3)),
        // An inner loop reads the variable of the outer one.
        ("count(a in own.pawns: any(b in own.pawns: file_distance(a, b) == 1))", 2),
        ("sum(p in own.queens: 1)", 0),
        ("mean(p in own.queens: 1)", 0),
        ("min(p in own.queens: 1)", 0),
        ("max(p in own.queens: -1)", 0),
        ("chebyshev(own.king, own.nearest(own.king, own.pawns))", 1),
        ("chebyshev(own.king, own.nearest(own.king, own.queens))", 0),
        // An empty set has no square without the property.
        ("if all(p in own.queens: 1 == 2) then 1 else 0", 1),
        ("if all(p in own.pawns: p in own.rank(2)) then 1 else 0", 0),
        ("if any(p in own.pawns: p in own.rank(2)) then 1 else 0", 1),
    ] {
        assert_eq!(number(expression), value, "{expression}");
    }
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
    // Mistakes are told even where no term reads the name, and a term cannot give the name another value.
    for (shared, terms, mistake) in [
        (
            "far = 'count(major)'\nmajor = 'own.rooks'",
            &*terms,
            "`major` is defined further down in `let`",
        ),
        ("unread = 'own.rook'", &*terms, "unknown word `own.rook`"),
        ("major = 1", &*terms, "major must be an expression in quotes, or a number for the tuner"),
        (
            shared,
            &*terms.replace("[b]\n", "[b]\neach = 'piece in major'\nwhen = 'piece in far'\n"),
            "`let` and `when` of a term are read before `piece` of its `each`; use it in the weights",
        ),
        (
            shared,
            &*terms.replace("[b]\n", "[b]\nlet.major = 'own.all'\n"),
            "`major` is a name already",
        ),
    ] {
        let error = file(shared, terms).unwrap_err();
        assert!(error.contains(mistake), "{error}");
    }
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
