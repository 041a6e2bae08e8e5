//! The table of words: types, docs, ranges, precedence and symmetry.

use super::Type;
use super::code::{Environment, Owner, Pair};
use super::compile::value;
use super::files_tests::filled;
use super::plain_tests::Plain;
use super::vocabulary::{IDEAS, vocabulary};
use super::words::{OPERATORS, QUANTIFIERS, Word, find, words};
use crate::eval::EvalContext;
use crate::random::SplitMix64;
use crate::testing::{mirrored, position};
use shakmaty::{Board, Chess, Color, Position, Role, Square};
use std::{cell::Cell, collections::BTreeSet, fs, path::Path};

/// Positions with many pieces and with few, with each kind of ending, White or Black to move.
fn fens() -> impl Iterator<Item = &'static str> {
    include_str!("positions.txt").lines()
}

/// Functions of the geometry that no word is named after, and how an expression says the same.
const NO_WORDS: [(&str, &str); 6] = [
    ("knight_attacks_stepwise", "the same set as `knight_attacks`, computed in another way"),
    ("colour_corner_distance", "`bishop_corner_distance` and `wrong_corner_distance`"),
    ("fork_targets", "`fork_squares(targets) & own.knight_attacks`"),
    ("moves_between", "`king_moves`, `knight_moves` and so on"),
    ("mobility", "`king_reach`, `knight_reach` and so on"),
    ("sum_rule", "`taxi_paths`, and `king_paths` or `knight_paths` with `no_squares` closed"),
];

/// The value of an expression.
fn known(text: &str, context: &EvalContext, side: Color) -> Plain {
    let (kind, code, names) = value(text).unwrap_or_else(|mistake| panic!("{text}: {mistake:?}"));
    let values = vec![Cell::new(Pair::ZERO); names.len()];
    let environment = Environment::new(context, &names, &values);
    Plain::computed((kind, &code), &environment, side)
}

fn upside_down(value: Plain) -> Plain {
    match value {
        Plain::Square(square) => Plain::Square(square.flip_vertical()),
        Plain::Set(set) => Plain::Set(set.flip_vertical()),
        same => same,
    }
}

/// The word with arguments of its types, for both sides if it has one.
fn written(word: &Word, number: &str, square: &[&str], set: &[&str]) -> Vec<String> {
    let (mut squares, mut sets) = (square.iter().cycle(), set.iter().cycle());
    let arguments = word.signature.types.iter().map(|kind| match kind {
        Type::Square => *squares.next().unwrap(),
        Type::Set => *sets.next().unwrap(),
        _ => number,
    });
    let arguments = arguments.collect::<Vec<_>>().join(", ");
    let arguments = if arguments.is_empty() { arguments } else { format!("({arguments})") };
    let sides: &[&str] = if word.has_side { &["own.", "enemy."] } else { &[""] };
    sides.iter().map(|side| format!("{side}{}{arguments}", word.name)).collect()
}

#[test]
fn every_function_of_the_geometry_is_a_word() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/geometry");
    let mut functions = BTreeSet::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let file = path.file_name().unwrap().to_str().unwrap();
        let is_other = ["lines.rs", "reference.rs"].contains(&file);
        if is_other || !file.ends_with(".rs") {
            continue;
        }
        for line in fs::read_to_string(&path).unwrap().lines() {
            let rest = line.strip_prefix("pub fn ").or(line.strip_prefix("pub const fn "));
            functions.extend(rest.map(|rest| rest.split('(').next().unwrap().to_owned()));
        }
    }
    assert!(functions.len() > 30, "{functions:?}");
    for name in &functions {
        let is_word = words().any(|word| word.name == *name);
        let is_exception = NO_WORDS.iter().any(|(exception, _)| exception == name);
        assert!(is_word != is_exception, "{name}: add a word, or an exception with its reason");
    }
    for (exception, reason) in NO_WORDS {
        assert!(functions.contains(exception), "{exception} is no function: {reason}");
    }
}

/// The type of an expression, in one word.
fn type_of(text: &str) -> &'static str {
    value(text).unwrap_or_else(|mistake| panic!("{text}: {mistake:?}")).0.noun()
}

#[test]
fn every_word_compiles_and_is_found() {
    for word in words() {
        for text in written(word, "3", &["own.king"], &["own.all"]) {
            assert_eq!(type_of(&text), word.signature.result.noun(), "{text}");
        }
        let usage = word.usage();
        let arguments = usage.split('(').nth(1).map_or(0, |rest| rest.split(',').count());
        assert_eq!(arguments, word.signature.types.len(), "{usage}");
        let name = usage.split('(').next().unwrap();
        let (found, side) = find(name, arguments > 0).unwrap();
        assert!(std::ptr::eq(found, word), "{name} is in the table twice");
        assert_eq!(side, word.has_side.then_some(Owner::Own));
    }
}

#[test]
fn every_word_has_a_doc_of_its_own() {
    for (index, word) in words().enumerate() {
        assert!(!word.doc.starts_with("the same for") && !word.doc.ends_with('.'), "{}", word.name);
        let twin = words().skip(index + 1).find(|other| other.doc == word.doc);
        assert!(twin.is_none(), "{} and {:?}", word.name, twin.map(Word::usage));
    }
}

#[test]
fn loops_and_operators_compile_as_they_are_documented() {
    let filled = |usage: &str| {
        let value = |word: &str, kind| match kind {
            Type::Number => "3",
            Type::Condition => "any(pawns)",
            Type::Set => "own.all",
            Type::Square if word == "x" => "x",
            Type::Square => "enemy.king",
        };
        filled(usage, |word, kind| value(word, kind).to_owned())
    };
    for (usage, kind, _) in QUANTIFIERS {
        assert_eq!(type_of(&filled(usage)), kind.split(',').next().unwrap(), "{usage}");
    }
    for row in vocabulary().into_iter().filter(|it| it.title == IDEAS).flat_map(|it| it.rows) {
        assert_eq!(type_of(&row.doc), row.value, "{}", row.usage);
    }
    for (usages, kind, _) in OPERATORS {
        for usage in usages.split(", ") {
            // A loop around it declares `x`.
            let text = match *kind {
                "condition" => format!("any(x in own.all: {})", filled(usage)),
                _ => filled(usage),
            };
            assert_eq!(type_of(&text), if *kind == "any" { "number" } else { kind }, "{usage}");
        }
    }
}

#[test]
fn the_declared_ranges_hold() {
    const SETS: [&str; 9] = [
        "no_squares",
        "all_squares",
        "corners",
        "edge - corners",
        "own.king",
        "enemy.king",
        "own.all",
        "pawns",
        "own.rank(4)",
    ];
    let contexts: Vec<_> = fens().map(|fen| EvalContext::new(&position(fen))).collect();
    for word in words().filter(|word| word.signature.result == Type::Number) {
        let types = &word.signature.types;
        if types.contains(&Type::Number) {
            assert_eq!(word.range, None, "{} depends on its arguments", word.name);
            continue;
        }
        let (min, max) = word.range.unwrap_or_else(|| panic!("{} has no range", word.name));
        // Each argument in turn is each of the sets.
        let mut sets = vec![Vec::new()];
        for _ in types.iter().filter(|&&kind| kind == Type::Set) {
            let longer = |sets: &Vec<&'static str>| {
                let sets = sets.clone();
                SETS.map(move |set| [sets.as_slice(), &[set]].concat())
            };
            sets = sets.iter().flat_map(longer).collect();
        }
        let (mut least, mut most) = (i32::MAX, i32::MIN);
        for sets in &sets {
            for text in written(word, "", &["a", "b"], sets) {
                for name in ["min", "max"] {
                    let squares = ["b", "a"].into_iter().skip(2 - types.len().min(2));
                    let squares = squares.filter(|_| types.contains(&Type::Square));
                    let looped = |text, x| format!("{name}({x} in all_squares: {text})");
                    let text = squares.fold(text.clone(), looped);
                    let contexts = if word.is_fixed { &contexts[..1] } else { &contexts[..] };
                    for context in contexts {
                        let Plain::Number(value) = known(&text, context, Color::White) else {
                            panic!("{text}");
                        };
                        (least, most) = (least.min(value), most.max(value));
                    }
                }
            }
        }
        assert!(min <= least && most <= max, "{}: {least} to {most}", word.name);
        if word.is_fixed {
            assert_eq!((least, most), (min, max), "{}", word.name);
        }
    }
}

#[test]
fn every_word_sees_both_sides_alike() {
    // Arguments are seen from the side, too.
    let arguments: [(&str, &[&str], &[&str]); 4] = [
        ("3", &["own.king", "enemy.king"], &["own.all", "enemy.pawns", "enemy.attacks"]),
        ("0", &["enemy.king", "own.king"], &["own.rank(2)", "own.rank(8)", "own.pawns"]),
        (
            "7",
            &["own.nearest(own.king, enemy.all - enemy.king)"],
            &["enemy.pieces", "edge", "no_squares"],
        ),
        ("-1", &["own.king", "own.nearest(enemy.king, own.pieces)"], &["own.ahead(pawns)"]),
    ];
    let mut checked = 0;
    for fen in fens() {
        let here = position(fen);
        let there = mirrored(&here);
        let [here, there] = [here, there].map(|position| EvalContext::new(&position));
        for word in words() {
            for (number, squares, sets) in arguments {
                for text in written(word, number, squares, sets) {
                    let [white, black] = [(&here, Color::White), (&there, Color::Black)]
                        .map(|(context, side)| known(&text, context, side));
                    assert_eq!(upside_down(white), black, "{text} in {fen}");
                    checked += 1;
                }
            }
        }
    }
    assert!(checked > 10_000, "{checked}");
}

/// The positions of the list and of random moves from them.
fn many_positions() -> Vec<Chess> {
    let mut random = SplitMix64(1);
    let mut positions = Vec::new();
    for fen in fens() {
        let mut chess = position(fen);
        for _ in 0..20 {
            positions.push(chess.clone());
            let moves = chess.legal_moves();
            if moves.is_empty() {
                break;
            }
            chess.play_unchecked(moves[random.below(moves.len())]);
        }
    }
    positions
}

/// The lines of `definitions.txt` hold in all positions. What a set is by definition is not always empty.
#[test]
fn words_are_what_their_definitions_say() {
    let positions = many_positions();
    assert!(positions.len() > 500, "{}", positions.len());
    for text in include_str!("definitions.txt").lines() {
        let defined = text.split(" == ").next().unwrap();
        let is_set = value(defined).is_ok_and(|(kind, ..)| kind == Type::Set);
        let mut squares = 0;
        for chess in &positions {
            let context = EvalContext::new(chess);
            for side in Color::ALL {
                let holds = known(text, &context, side);
                assert_eq!(holds, Plain::Condition(true), "{text} {side} {chess:?}");
                if is_set && let Plain::Set(set) = known(defined, &context, side) {
                    squares += set.count();
                }
            }
        }
        assert_eq!(squares > 0, is_set, "{text}");
    }
}

/// What a side wins at most on a square, by trying every capture of the least valuable kind of piece.
fn best_exchange(board: &Board, side: Color, square: Square) -> i32 {
    const POINTS: [i32; 6] = [1, 3, 3, 5, 9, 0];
    let victim = board.piece_at(square).filter(|piece| piece.color != side);
    let Some(victim) = victim.filter(|piece| piece.role != Role::King) else { return 0 };
    let attackers = |board: &Board, side| board.attacks_to(square, side, board.occupied());
    let own = attackers(board, side);
    let Some(role) = Role::ALL.into_iter().find(|&role| (own & board.by_role(role)).any()) else {
        return 0;
    };
    let captures = (own & board.by_role(role)).into_iter().filter_map(|from| {
        let mut after = board.clone();
        let piece = after.remove_piece_at(from)?;
        after.set_piece_at(square, piece);
        let is_legal = role != Role::King || attackers(&after, !side).is_empty();
        is_legal.then(|| POINTS[victim.role as usize - 1] - best_reply(&after, !side, square, role))
    });
    captures.max().unwrap_or(0).max(0)
}

/// The same for the answer; the king is never captured.
fn best_reply(board: &Board, side: Color, square: Square, on_square: Role) -> i32 {
    if on_square == Role::King { 0 } else { best_exchange(board, side, square) }
}

#[test]
fn an_exchange_wins_what_the_best_captures_win() {
    let (mut compared, mut different, mut won) = (0, 0, 0);
    for chess in many_positions() {
        let context = EvalContext::new(&chess);
        for side in Color::ALL {
            let text = |x: &str| format!("own.exchange({x})");
            for square in chess.board().by_color(!side) {
                let expected = best_exchange(chess.board(), side, square);
                let of_square = super::functions::exchange(&context, side, square);
                // Which of two equal pieces captures first can matter, and the word does not try both.
                different += u32::from(of_square != expected);
                compared += 1;
                won += u32::from(expected > 0);
            }
            let all = known(&format!("sum(x in enemy.all: {})", text("x")), &context, side);
            let squares = context.side(!side).all.into_iter();
            let sum = squares.map(|at| super::functions::exchange(&context, side, at)).sum();
            assert_eq!(all, Plain::Number(sum));
        }
    }
    assert!(compared > 5000 && won > 500, "{compared} {won}");
    assert!(different * 500 < compared, "{different} of {compared}");
}
