//! What expressions say that is faster in another form. Loops that are operations of sets: `count(x in s: x in t)` is `count(s & t)`, in a fraction of the time.

use super::syntax::{Each, Expression, Loop, Node, Rule, expression};
use super::words::find;
use crate::eval::Scope;

/// Words of one set, and the word that leads back: a square of the one word's set of x is a square whose set of the other
/// word has x.
const INVERSES: [(&str, &str); 13] = [
    ("same_file", "same_file"),
    ("same_rank", "same_rank"),
    ("king_attacks", "king_attacks"),
    ("knight_attacks", "knight_attacks"),
    ("beside", "beside"),
    ("own.pawn_attacks", "enemy.pawn_attacks"),
    ("enemy.pawn_attacks", "own.pawn_attacks"),
    ("own.step", "enemy.step"),
    ("enemy.step", "own.step"),
    ("own.ahead", "enemy.ahead"),
    ("enemy.ahead", "own.ahead"),
    ("own.behind", "enemy.behind"),
    ("enemy.behind", "own.behind"),
];

/// The set of all squares x for which a condition holds, as an expression without x; `None` if no rule finds it.
pub(super) fn lifted(condition: &Expression, x: &str) -> Option<Expression> {
    let at = |node| Expression { span: condition.span.clone(), node };
    if !condition.mentions(x) {
        let [all, none] = ["all_squares", "no_squares"].map(|word| at(Node::Word(word.to_owned())));
        return Some(at(Node::If(Box::new([condition.clone(), all, none]))));
    }
    match &condition.node {
        Node::Unary(Rule::not, operand) => {
            Some(at(Node::Unary(Rule::complement, Box::new(lifted(operand, x)?))))
        }
        Node::Binary(operator @ (Rule::and | Rule::or), operands) => {
            let [a, b] = &**operands;
            let operator = if *operator == Rule::and { Rule::intersection } else { Rule::union };
            Some(at(Node::Binary(operator, Box::new([lifted(a, x)?, lifted(b, x)?]))))
        }
        Node::Binary(Rule::member, operands) => {
            let [square, set] = &**operands;
            (square.is_word(x) && !set.mentions(x)).then(|| set.clone())
        }
        Node::Call(word, arguments) if word == "any" => match &arguments[..] {
            [set] => meeting(set, x),
            _ => None,
        },
        _ => None,
    }
}

/// The positions that a term applies to, as far as its condition says so in plain words: it is measured nowhere else.
pub(in crate::eval) fn scope(when: &str) -> Scope {
    let Ok(when) = expression(when) else { return Scope::Everywhere };
    let mut conditions = Vec::new();
    conjuncts(&when, &mut conditions);
    let holds = |word: &str| conditions.iter().any(|condition| condition.is_word(word));
    let fails = |word: &str| {
        let is_not = |node: &Node| matches!(node, Node::Unary(Rule::not, of) if of.is_word(word));
        conditions.iter().any(|condition| is_not(&condition.node))
    };
    let mates = || holds("own.pieces_can_mate") || holds("own.is_bishop_and_knight");
    if fails("is_bare_king_ending") {
        Scope::NotBareKing
    } else if holds("is_bare_king_ending") || (holds("enemy.is_bare") && mates()) {
        Scope::BareKing
    } else {
        Scope::Everywhere
    }
}

/// The conditions that must all hold.
fn conjuncts<'e>(condition: &'e Expression, all: &mut Vec<&'e Expression>) {
    match &condition.node {
        Node::Binary(Rule::and, operands) => {
            operands.iter().for_each(|operand| conjuncts(operand, all));
        }
        _ => all.push(condition),
    }
}

/// The set of all squares x for which a set is not empty.
fn meeting(set: &Expression, x: &str) -> Option<Expression> {
    let at = |node| Expression { span: set.span.clone(), node };
    let mut parts = Vec::new();
    factors(set, &mut parts);
    let (of_x, others): (Vec<_>, Vec<_>) = parts.into_iter().partition(|part| part.mentions(x));
    let [of_x] = &of_x[..] else { return None };
    let all = at(Node::Word("all_squares".to_owned()));
    let rest = intersection(others).unwrap_or(all);
    match &of_x.node {
        Node::Word(_) => Some(rest),
        Node::Call(word, arguments) => match &arguments[..] {
            [argument] if argument.is_word(x) => {
                let (_, inverse) = INVERSES.iter().find(|(known, _)| known == word)?;
                Some(at(Node::Call((*inverse).to_owned(), vec![rest])))
            }
            _ => None,
        },
        _ => None,
    }
}

/// The sets whose common squares a set is.
pub(super) fn factors(set: &Expression, parts: &mut Vec<Expression>) {
    match &set.node {
        Node::Binary(Rule::intersection, operands) => {
            operands.iter().for_each(|operand| factors(operand, parts));
        }
        Node::Binary(Rule::minus, operands) => {
            let [a, b] = &**operands;
            factors(a, parts);
            let node = Node::Unary(Rule::complement, Box::new(b.clone()));
            parts.push(Expression { span: b.span.clone(), node });
        }
        _ => parts.push(set.clone()),
    }
}

/// The common squares of sets.
pub(super) fn intersection(sets: Vec<Expression>) -> Option<Expression> {
    sets.into_iter().reduce(|a, b| {
        let span = a.span.start..b.span.end;
        Expression { span, node: Node::Binary(Rule::intersection, Box::new([a, b])) }
    })
}

/// The loop as an expression without a loop; `None` if no rule finds it.
pub(super) fn without_loop(
    quantifier: &str,
    set: &Expression,
    body: &Expression,
    x: &str,
) -> Option<Expression> {
    let at = |node| Expression { span: body.span.clone(), node };
    let holding = lifted(body, x)?;
    let operator = if quantifier == "all" { Rule::minus } else { Rule::intersection };
    let squares = at(Node::Binary(operator, Box::new([set.clone(), holding])));
    let call = |word: &str, squares| at(Node::Call(word.to_owned(), vec![squares]));
    Some(match quantifier {
        "squares" => squares,
        "all" => at(Node::Unary(Rule::not, Box::new(call("any", squares)))),
        "count" | "any" => call(quantifier, squares),
        _ => return None,
    })
}

/// What a weight counts on all squares of its loops, as one number. `within` limits the count of a square.
pub(super) fn sum(
    mut loops: Vec<Each>,
    when: Option<Expression>,
    count: Option<Expression>,
    within: Option<i32>,
) -> Expression {
    let at = |node| Expression { span: 0..0, node };
    let number = |number: i32| at(Node::Number(number.to_string()));
    let call = |word: &str, arguments| at(Node::Call(word.to_owned(), arguments));
    let over = |quantifier: &str, each: Each, body| {
        let quantifier = quantifier.to_owned();
        at(Node::Loop(Box::new(Loop { quantifier, quantifier_span: 0..0, each, body })))
    };
    let count = match (count, within) {
        (Some(count), Some(most)) => {
            let count = call("min", vec![count, number(most)]);
            Some(call("max", vec![count, number(-most)]))
        }
        (count, _) => count,
    };
    let mut sum = match (when, count, loops.pop()) {
        (None, None, Some(each)) => call("count", vec![each.set]),
        (Some(when), None, Some(each)) => over("count", each, when),
        (Some(when), Some(count), Some(each)) => match lifted(&when, &each.variable) {
            Some(holding) => {
                let set = Node::Binary(Rule::intersection, Box::new([each.set.clone(), holding]));
                over("sum", Each { set: at(set), ..each }, count)
            }
            None => over("sum", each, at(Node::If(Box::new([when, count, number(0)])))),
        },
        (when, count, each) => {
            let count = count.unwrap_or_else(|| number(1));
            let count = match when {
                Some(when) => at(Node::If(Box::new([when, count, number(0)]))),
                None => count,
            };
            if let Some(each) = each { over("sum", each, count) } else { count }
        }
    };
    while let Some(each) = loops.pop() {
        sum = over("sum", each, sum);
    }
    sum
}

/// The sum of a small number and a distance, or of their difference, as a product and the sum of distances. No number in it
/// can exceed those of expressions.
pub(super) fn without_constant(quantifier: &str, parts: &Loop) -> Option<Expression> {
    let Node::Binary(operator @ (Rule::plus | Rule::minus), operands) = &parts.body.node else {
        return None;
    };
    let is_small =
        |part: &Expression| matches!(&part.node, Node::Number(digits) if digits.len() < 5);
    let is_distance = |part: &Expression| {
        let Node::Call(name, _) = &part.node else { return false };
        find(name, true).is_some_and(|(word, _)| word.range.is_some())
    };
    let is_sum = operands.iter().any(is_small) && operands.iter().any(is_distance);
    if quantifier != "sum" || !is_sum {
        return None;
    }
    let at = |node| Expression { span: parts.body.span.clone(), node };
    let parts_of_sum = operands.each_ref().map(|part| match is_small(part) {
        true => {
            let count = at(Node::Call("count".to_owned(), vec![parts.each.set.clone()]));
            at(Node::Binary(Rule::times, Box::new([part.clone(), count])))
        }
        false => at(Node::Loop(Box::new(Loop { body: part.clone(), ..parts.clone() }))),
    });
    Some(at(Node::Binary(*operator, Box::new(parts_of_sum))))
}

/// The word for what all pieces of a kind attack, if the squares are those: `king_attacks(own.king)` is
/// `own.king_attacks`.
pub(super) fn attacks_of_all(word: &str, arguments: &[Expression]) -> Option<String> {
    let [Expression { node: Node::Word(pieces), .. }] = arguments else { return None };
    let (owner, pieces) = pieces.split_once('.')?;
    let (side, word) = word.split_once('.').unwrap_or((owner, word));
    let kind = word.strip_suffix("_attacks")?;
    let is_all = side == owner && (pieces == kind || pieces.strip_suffix('s') == Some(kind));
    let known = format!("{owner}.{word}");
    (is_all && find(&known, false).is_some()).then_some(known)
}
