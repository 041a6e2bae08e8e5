//! From the text of an expression to its tree.

use super::{Mistake, Type};
use pest::Parser;
use pest::error::{ErrorVariant, InputLocation};
use pest::iterators::Pair;
use pest::pratt_parser::{Assoc, Op, PrattParser};
use std::{fmt, ops::Range, sync::LazyLock};

#[derive(pest_derive::Parser)]
#[grammar = "eval/formula/grammar.pest"]
struct Grammar;

/// The longest text of an expression, in bytes.
pub const MAX_LENGTH: usize = 2000;

/// How deep expressions may be nested.
pub(super) const MAX_DEPTH: usize = 32;

/// The most operators and words of one expression.
pub(super) const MAX_PARTS: usize = 400;

/// An expression and where it stands in its text.
#[derive(Clone, Debug)]
pub(super) struct Expression {
    pub(super) span: Range<usize>,
    pub(super) node: Node,
}

impl Expression {
    /// Whether it is a number or a word without arguments.
    pub(super) const fn is_leaf(&self) -> bool {
        matches!(self.node, Node::Number(_) | Node::Word(_))
    }

    /// The expressions that it is made of.
    pub(super) fn parts(&self) -> impl Iterator<Item = &Expression> {
        let parts: Vec<&Expression> = match &self.node {
            Node::Number(_) | Node::Word(_) => Vec::new(),
            Node::Call(_, arguments) => arguments.iter().collect(),
            Node::Loop(parts) => vec![&parts.each.set, &parts.body],
            Node::Unary(_, operand) => vec![operand],
            Node::Binary(_, operands) => operands.iter().collect(),
            Node::If(parts) => parts.iter().collect(),
        };
        parts.into_iter()
    }

    /// Whether it is this word without arguments.
    pub(super) fn is_word(&self, word: &str) -> bool {
        matches!(&self.node, Node::Word(name) if name == word)
    }

    /// Whether a word stands in it, alone or as a function.
    pub(super) fn mentions(&self, word: &str) -> bool {
        let is_call = matches!(&self.node, Node::Call(name, _) if name == word);
        is_call || self.is_word(word) || self.parts().any(|part| part.mentions(word))
    }
}

/// The same text for the same expression, however it is spaced and grouped.
impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.node {
            Node::Number(text) | Node::Word(text) => return f.write_str(text),
            Node::Call(name, _) => write!(f, "{name}(")?,
            Node::Loop(parts) => write!(f, "{}({}: ", parts.quantifier, parts.each.variable)?,
            Node::Unary(rule, _) | Node::Binary(rule, _) => write!(f, "{rule:?}(")?,
            Node::If(_) => f.write_str("if(")?,
        }
        self.parts().try_for_each(|part| write!(f, "{part}, "))?;
        f.write_str(")")
    }
}

/// What an expression is made of.
#[derive(Clone, Debug)]
pub(super) enum Node {
    /// A whole number, as it is written.
    Number(String),
    /// A word without arguments.
    Word(String),
    /// A word with arguments.
    Call(String, Vec<Expression>),
    /// `QUANTIFIER(VARIABLE in SET: BODY)`.
    Loop(Box<Loop>),
    /// An operator before its operand.
    Unary(Rule, Box<Expression>),
    /// An operator between its operands.
    Binary(Rule, Box<[Expression; 2]>),
    /// `if CONDITION then A else B`.
    If(Box<[Expression; 3]>),
}

/// A word that is applied to each square of a set.
#[derive(Clone, Debug)]
pub(super) struct Loop {
    pub(super) quantifier: String,
    pub(super) quantifier_span: Range<usize>,
    pub(super) each: Each,
    pub(super) body: Expression,
}

/// `VARIABLE in SET`.
#[derive(Clone, Debug)]
pub(super) struct Each {
    pub(super) variable: String,
    pub(super) variable_span: Range<usize>,
    pub(super) set: Expression,
}

/// What a name of `let` stands for: a value, or with parameters a function.
#[derive(Clone, Debug)]
pub(super) struct Definition {
    pub(super) parameters: Vec<Parameter>,
    pub(super) body: Expression,
}

/// `NAME: TYPE`.
#[derive(Clone, Debug)]
pub(super) struct Parameter {
    pub(super) name: String,
    pub(super) span: Range<usize>,
    pub(super) kind: Type,
}

/// The operators from the weakest to the strongest.
static OPERATORS: LazyLock<PrattParser<Rule>> = LazyLock::new(|| {
    let left = |rule| Op::infix(rule, Assoc::Left);
    PrattParser::new()
        .op(left(Rule::or))
        .op(left(Rule::and))
        .op(Op::prefix(Rule::not))
        .op(left(Rule::less_equal)
            | left(Rule::greater_equal)
            | left(Rule::less)
            | left(Rule::greater)
            | left(Rule::equal)
            | left(Rule::unequal)
            | left(Rule::member))
        .op(left(Rule::union))
        .op(left(Rule::intersection))
        .op(left(Rule::plus) | left(Rule::minus))
        .op(left(Rule::times) | left(Rule::divide) | left(Rule::remainder))
        .op(Op::prefix(Rule::negative) | Op::prefix(Rule::complement))
});

/// Reads an expression.
pub(super) fn expression(text: &str) -> Result<Expression, Mistake> {
    Ok(parse(Rule::formula, text)?.body)
}

/// Reads a value, or a function with its parameters.
pub(super) fn definition(text: &str) -> Result<Definition, Mistake> {
    check_parameters(text)?;
    parse(Rule::definition, text)
}

/// Refuses names in parentheses before an expression, some of which have no type.
fn check_parameters(text: &str) -> Result<(), Mistake> {
    let list = text.trim_start().strip_prefix('(').and_then(|rest| rest.split_once(')'));
    let Some((names, body)) = list else { return Ok(()) };
    let is_name = |name: &str| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let is_untyped = |part: &&str| !part.is_empty() && part.split_whitespace().all(is_name);
    let body = body.trim_start();
    let first = body.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
    let is_infix = ["and", "or", "in"].contains(&first);
    let is_function = body.starts_with('(') || !first.is_empty() && !is_infix;
    let untyped = names.split(',').map(str::trim).find(is_untyped);
    match untyped.filter(|_| is_function) {
        Some(part) => {
            let name = part.split_whitespace().next().unwrap_or_default();
            let start = name.as_ptr() as usize - text.as_ptr() as usize;
            let message = format!("the parameter `{name}` needs a type");
            Err(Mistake::new(start..start + name.len(), message)
                .hint(format!("write `{name}: square`, or number, set or condition")))
        }
        None => Ok(()),
    }
}

fn parse(rule: Rule, text: &str) -> Result<Definition, Mistake> {
    check_size(text)?;
    let mut parameters = Vec::new();
    for pair in Grammar::parse(rule, text).map_err(|error| explain(text, &error))? {
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::expression => return Ok(Definition { parameters, body: tree(part)? }),
                _ => {
                    let read = part.into_inner().map(parameter);
                    parameters = read.collect::<Result<_, _>>()?;
                }
            }
        }
    }
    Err(Mistake::new(0..text.len(), "an expression is missing"))
}

fn parameter(pair: Pair<'_, Rule>) -> Result<Parameter, Mistake> {
    let mut names = pair.into_inner();
    let (Some(name), Some(kind)) = (names.next(), names.next()) else {
        return Err(Mistake::new(0..0, "a parameter is incomplete"));
    };
    let types = [Type::Number, Type::Square, Type::Set, Type::Condition];
    match types.into_iter().find(|known| known.noun() == kind.as_str()) {
        Some(kind) => Ok(Parameter { name: name.as_str().to_owned(), span: span(&name), kind }),
        None => Err(Mistake::new(span(&kind), format!("unknown type `{}`", kind.as_str()))
            .hint("write number, square, set or condition")),
    }
}

/// Reads `VARIABLE in SET`.
pub(super) fn each(text: &str) -> Result<Each, Mistake> {
    let each = expression(text).and_then(|expression| {
        let span = expression.span.clone();
        let message = "`each` must be a name, `in` and a set of squares";
        as_each(expression).ok_or_else(|| Mistake::new(span, message))
    });
    each.map_err(|mistake| mistake.example("each = \"rook in own.rooks\""))
}

fn as_each(expression: Expression) -> Option<Each> {
    let Node::Binary(Rule::member, operands) = expression.node else { return None };
    let [variable, set] = *operands;
    let Node::Word(name) = variable.node else { return None };
    Some(Each { variable: name, variable_span: variable.span, set })
}

/// Limits length and nesting before the parser sees the text, so that neither its time nor its stack
/// depends on the file.
fn check_size(text: &str) -> Result<(), Mistake> {
    if text.len() > MAX_LENGTH {
        let message = format!("the expression has {} bytes; the most is {MAX_LENGTH}", text.len());
        return Err(Mistake::new(0..0, message).hint("give parts of it a name with `let`"));
    }
    let mut open = 0;
    for (at, letter) in text.char_indices() {
        match letter {
            '(' => open += 1,
            ')' => open -= 1,
            _ => {}
        }
        if open > MAX_DEPTH as i32 {
            let message = format!("the parentheses are nested more than {MAX_DEPTH} deep");
            return Err(Mistake::new(at..at + 1, message)
                .hint("give the inner expression a name with `let`"));
        }
    }
    // A run of prefixes or of `if` nests without parentheses.
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '.'));
    let parts = words.filter(|word| !word.is_empty()).count()
        + text.matches(['-', '~', '+', '*', '/', '%', '|', '&', '<', '>', '=']).count();
    let ifs = text.matches("if").count() + text.matches("not").count();
    let prefixes = text.matches(['-', '~']).count();
    if parts > MAX_PARTS || ifs > 2 * MAX_DEPTH || prefixes > 2 * MAX_DEPTH {
        return Err(Mistake::new(0..0, "the expression has too many words and operators")
            .hint("give parts of it a name with `let`"));
    }
    Ok(())
}

fn tree(pair: Pair<'_, Rule>) -> Result<Expression, Mistake> {
    OPERATORS
        .map_primary(primary)
        .map_prefix(|operator, operand| {
            let (start, operand) = (operator.as_span().start(), operand?);
            let span = start..operand.span.end;
            let node = Node::Unary(operator.as_rule(), Box::new(operand));
            Ok(Expression { span, node })
        })
        .map_infix(|left, operator, right| {
            let (left, right) = (left?, right?);
            let span = left.span.start..right.span.end;
            let node = Node::Binary(operator.as_rule(), Box::new([left, right]));
            Ok(Expression { span, node })
        })
        .parse(pair.into_inner())
}

fn span(pair: &Pair<'_, Rule>) -> Range<usize> {
    // Rules that end with optional parts include the white space after them.
    let text = pair.as_str();
    let start = pair.as_span().start();
    start..start + text.trim_end().len()
}

fn primary(pair: Pair<'_, Rule>) -> Result<Expression, Mistake> {
    let (span, rule, text) = (span(&pair), pair.as_rule(), pair.as_str());
    let mut parts = pair.into_inner();
    let node = match (rule, parts.next(), parts.next()) {
        (Rule::number, ..) => Some(Node::Number(text.to_owned())),
        (Rule::group, Some(inner), _) => Some(tree(inner)?.node),
        (Rule::choice, _, condition) => {
            let expressions = condition.into_iter().chain(parts);
            let expressions = expressions.filter(|part| part.as_rule() == Rule::expression);
            let expressions = expressions.map(tree).collect::<Result<Vec<_>, _>>()?;
            <[Expression; 3]>::try_from(expressions).ok().map(|parts| Node::If(Box::new(parts)))
        }
        (_, Some(name), None) => Some(Node::Word(name.as_str().to_owned())),
        (_, Some(name), Some(arguments)) => Some(call(&span, &name, arguments)?),
        _ => None,
    };
    match node {
        Some(node) => Ok(Expression { span, node }),
        None => Err(Mistake::new(span, "the expression is incomplete")),
    }
}

fn call(
    span: &Range<usize>,
    name: &Pair<'_, Rule>,
    arguments: Pair<'_, Rule>,
) -> Result<Node, Mistake> {
    let mut expressions = Vec::new();
    let mut body = None;
    for part in arguments.into_inner() {
        match part.as_rule() {
            Rule::body => body = part.into_inner().next().map(tree).transpose()?,
            _ => expressions.push(tree(part)?),
        }
    }
    let quantifier = name.as_str().to_owned();
    let Some(body) = body else { return Ok(Node::Call(quantifier, expressions)) };
    match expressions.pop().and_then(as_each) {
        Some(each) => {
            let quantifier_span = self::span(name);
            Ok(Node::Loop(Box::new(Loop { quantifier, quantifier_span, each, body })))
        }
        None => Err(Mistake::new(span.clone(), "before `:` there must be a name, `in` and a set")
            .example("sum(pawn in own.pawns: chebyshev(own.king, pawn))")),
    }
}

const LOOP: &str = "a loop is written `sum(x in set: number)`";

/// What people write who know other languages, and what it is called here.
const HABITS: [(&str, &str); 15] = [
    ("&&", "write `and`"),
    ("||", "write `or`"),
    ("=", "`==` compares"),
    ("!", "write `not`"),
    (".", "numbers are whole: count in fractions and give `per`, as in `per = 10`"),
    ("?", "write `if CONDITION then A else B`"),
    ("[", "an array is the `worth` of a weight with an `index`"),
    ("{", "a set is made with `|`, as in `own.rooks | own.queens`"),
    ("^", "there is no power; write a product"),
    ("**", "there is no power; write a product"),
    ("//", "`/` divides whole numbers"),
    ("'", "nothing in an expression stands in quotes"),
    ("not in", "write `not x in s`"),
    ("if ", "write `if CONDITION then A else B`"),
    ("for ", LOOP),
];

/// A mistake of syntax in words.
fn explain(text: &str, error: &pest::error::Error<Rule>) -> Mistake {
    let at = match error.location {
        InputLocation::Pos(at) | InputLocation::Span((at, _)) => at,
    };
    let rest = &text[at..];
    let length = rest
        .find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
        .filter(|&length| length > 0)
        .unwrap_or_else(|| rest.chars().next().map_or(0, char::len_utf8));
    let span = at..at + length;
    let wants = |rules: &[Rule]| match &error.variant {
        ErrorVariant::ParsingError { positives, .. } => {
            positives.iter().any(|rule| rules.contains(rule))
        }
        ErrorVariant::CustomError { .. } => false,
    };
    let is_open = text[..at].matches('(').count() > text[..at].matches(')').count();
    let expected = match () {
        () if wants(&[Rule::expression, Rule::number, Rule::name, Rule::word, Rule::group]) => {
            "a number, a word or `(`"
        }
        () if wants(&[Rule::then_word]) => "`then`",
        () if wants(&[Rule::else_word]) => "`else`",
        () if is_open && rest.starts_with(',') => "an operator or `)`",
        () if is_open => "an operator, `,` or `)`",
        () => "an operator or the end",
    };
    let found = match &text[span.clone()] {
        "" => "the end".to_owned(),
        found => format!("`{found}`"),
    };
    let mistake = Mistake::new(span, format!("expected {expected}, found {found}"));
    // `a = b` fails at `=`; `a && b` fails at its second `&`.
    let habit = HABITS.iter().find(|(habit, _)| {
        rest.starts_with(habit)
            || (habit.len() == 2
                && at > 0
                && text.get(at - 1..).is_some_and(|rest| rest.starts_with(habit)))
    });
    let before = text[..at].trim_end();
    let list = before.trim_end_matches(['-', '=']).trim_end();
    match habit {
        _ if list.starts_with('(') && list.ends_with(')') && list.contains(':') => {
            mistake.hint("after the parameters stands the expression, as in `(s: set) count(s)`")
        }
        _ if before.ends_with("for") || is_open && rest.starts_with(',') => mistake.hint(LOOP),
        _ if rest.starts_with(',') => mistake.hint("`|` unites sets"),
        Some((".", _)) if !before.ends_with(|c: char| c.is_ascii_digit()) => {
            mistake.hint("a function stands before its argument, as in `count(own.rooks)`")
        }
        Some((_, hint)) => mistake.hint(*hint),
        None => mistake,
    }
}
