//! From the tree of an expression to a typed one: types, cost, and what is known of values.

use super::code::{
    Code, Fold, MAX_CALL_DEPTH, MAX_CALLS, MAX_LETS, MAX_LOCALS, MAX_NAMES, Owner, SquareLoop,
    Variable,
};
use super::generate::Generator;
use super::hints;
use super::syntax::{self, Definition, Each, Expression, Loop, Node as Syntax, Parameter, Rule};
use super::tree::{Facts, Node, Op, Tree, factors};
use super::words::{QUANTIFIERS, find, is_word, name_of, quantifier};
use super::{MAX_COST, Mistake, Type};
use crate::eval::Scope;
use crate::text::{counted, did_you_mean};
use std::{
    collections::{HashMap, VecDeque},
    ops::Range,
    rc::Rc,
};

/// Steps that a term takes for a side whatever it measures.
const COST_OF_TERM: u64 = 25;

/// Words of the grammar, which no name can be.
const KEYWORDS: [&str; 7] = ["and", "or", "not", "in", "if", "then", "else"];

/// A named value: a `let`, a parameter or the variable of a loop.
struct Local {
    name: String,
    meaning: Meaning,
    /// The same text can have several values, because it reads the variable of a loop or a parameter.
    is_bound: bool,
}

/// What a name stands for.
#[derive(Clone)]
enum Meaning {
    Value(Tree),
    /// Only calls have values. Each is compiled with its arguments.
    Function(Rc<Function>),
}

/// A function of the file.
struct Function {
    definition: Definition,
    /// How many names it can read: those that were defined before it.
    visible: usize,
}

impl Function {
    /// How a call is written.
    fn usage(&self, name: &str) -> String {
        let parameters = self.definition.parameters.iter().map(|parameter| &*parameter.name);
        format!("{name}({})", parameters.collect::<Vec<_>>().join(", "))
    }
}

/// The piece that a loop visits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::eval) struct Subject {
    /// The variable's name.
    pub(in crate::eval) name: String,
    /// Whether it is a piece of the own side or of the other, if that is sure.
    pub(in crate::eval) is_own: Option<bool>,
}

/// An expression whose type is known.
struct Checked {
    tree: Tree,
    span: Range<usize>,
}

impl Checked {
    fn wrong_type(&self, expected: Type) -> Mistake {
        let kind = self.tree.kind;
        let [_, article, example] = expected.words();
        let message = format!("{article} is expected here, but this is {}", kind.words()[1]);
        let mistake = Mistake::new(self.span.clone(), message).example(example);
        match (expected, kind) {
            (Type::Number, Type::Set) => mistake.hint("`count(...)` counts the squares of a set"),
            (Type::Number, Type::Condition) => mistake.hint("write `if ... then 1 else 0`"),
            (Type::Number, Type::Square) => {
                mistake.hint("`file_number(...)` and `own.rank_number(...)` are its numbers")
            }
            (Type::Condition, Type::Set) => mistake.hint("write `any(...)`"),
            (Type::Condition, Type::Number) => mistake.hint("compare it, as in `... > 0`"),
            (Type::Square, Type::Set) => mistake
                .hint("a loop takes the squares of a set one by one, as in `sum(x in set: ...)`"),
            _ => mistake,
        }
    }

    /// The same as a value of this type. A square is the set of that square, too.
    fn into(self, kind: Type) -> Result<Tree, Mistake> {
        match (kind, self.tree.kind) {
            (Type::Set, Type::Square) => Ok(Node::set_of(self.tree)),
            (wanted, found) if wanted == found => Ok(self.tree),
            _ => Err(self.wrong_type(kind)),
        }
    }

    /// The type that two values have in common, if any.
    fn common_type(&self, other: &Checked) -> Type {
        match (self.tree.kind, other.tree.kind) {
            (Type::Square, Type::Square) => Type::Square,
            (Type::Square, _) => Type::Set,
            (kind, _) => kind,
        }
    }

    fn is_set(&self) -> bool {
        matches!(self.tree.kind, Type::Set | Type::Square)
    }
}

/// Compiles the expressions of a term, one after the other, with the names that are in scope.
#[derive(Default)]
pub(in crate::eval) struct Compiler {
    locals: Vec<Local>,
    /// How many calls of functions were compiled.
    calls: usize,
    /// How many loops are around the next expression.
    loops: u8,
    /// A function is checked, of which nothing is run.
    is_check: bool,
    /// How many expressions are around the next one, those that call functions among them.
    depth: usize,
    /// The loops that [`Compiler::each`] entered.
    sets: Vec<(Variable, Tree)>,
    generator: Generator,
    /// Expressions that stand in the term more than once, and how often.
    repeated: HashMap<String, u32>,
    /// Those of them, and of what loops need not compute again for each square, that were compiled.
    known: HashMap<String, Tree>,
    /// The same for those that read variables, while these are in scope.
    in_scope: HashMap<String, Tree>,
    /// Names of `let` that [`Compiler::define`] defines next, in this order, and their texts, for messages.
    pub(in crate::eval) later: VecDeque<(String, String)>,
    /// The square of the term's loop and the names that read it, while they are not known yet, for messages.
    pub(in crate::eval) of_loop: Vec<String>,
    /// Names of the squares of other loops and of parameters, for messages.
    pub(in crate::eval) elsewhere: Vec<String>,
    /// How often the next expression runs for a side, at most in a game.
    rounds: u64,
    /// Steps for a side at most.
    cost: u64,
    /// Those of words and drawings.
    told: u64,
    /// The expression that adds the most steps, and its steps.
    pub(in crate::eval) longest: (String, u64),
    /// What the expressions that the search runs depend on, as [`Facts::reads`].
    reads: u16,
}

impl Compiler {
    pub(in crate::eval) fn new() -> Compiler {
        Compiler { rounds: 1, cost: COST_OF_TERM, ..Compiler::default() }
    }

    /// A number, and what is known of it.
    pub(in crate::eval) fn number(&mut self, text: &str) -> Result<(Code, Tree), Mistake> {
        self.typed(text, Type::Number)
    }

    /// An expression of this type that has no code yet.
    pub(in crate::eval) fn tree(&mut self, text: &str, kind: Type) -> Result<Tree, Mistake> {
        let tree = self.compile_as(&syntax::expression(text)?, kind)?;
        self.reads |= tree.facts.reads;
        Ok(tree)
    }

    /// What a weight counts on all squares of the loops around it, as one number.
    pub(in crate::eval) fn sum(
        &mut self,
        when: Option<&Tree>,
        count: Option<&Tree>,
    ) -> Option<Code> {
        let count = count.map_or_else(|| Node::number(1), |count| Node::limited(Rc::clone(count)));
        let count = match when {
            Some(when) => Node::choice(Rc::clone(when), count, Node::number(0)),
            None => count,
        };
        let loops = self.sets.iter().rev();
        let sum =
            loops.fold(count, |sum, (x, set)| Node::looped(Fold::Sum, *x, Rc::clone(set), sum));
        self.generate(&sum, 0).ok()
    }

    /// A set, or a square as the set of it, with its side if that is sure.
    pub(in crate::eval) fn set(&mut self, text: &str) -> Result<(Code, Option<Owner>), Mistake> {
        let (code, tree) = self.typed(text, Type::Set)?;
        Ok((code, tree.facts.side))
    }

    /// The code of a part of an expression; `None` if that reads the square of a loop that is left.
    pub(in crate::eval) fn part(&mut self, tree: &Tree) -> Option<Code> {
        let is_in_scope = tree.depth() <= self.loops;
        is_in_scope.then(|| self.generate(tree, self.loops).ok()).flatten()
    }

    /// The condition of a term, and the positions that it applies to as far as the condition says so in plain words.
    pub(in crate::eval) fn when(&mut self, text: &str) -> Result<(Code, Scope), Mistake> {
        let (code, tree) = self.typed(text, Type::Condition)?;
        Ok((code, scope(&tree)))
    }

    fn typed(&mut self, text: &str, kind: Type) -> Result<(Code, Tree), Mistake> {
        let tree = self.tree(text, kind)?;
        Ok((self.generate(&tree, self.loops)?, tree))
    }

    /// A loop over a set, `VARIABLE in SET`. What is compiled next is its body.
    pub(in crate::eval) fn each(&mut self, text: &str) -> Result<(SquareLoop, Subject), Mistake> {
        let each = syntax::each(text)?;
        let (set, variable) = self.enter(&each)?;
        self.reads |= set.facts.reads;
        let is_own = set.facts.side.map(|side| side == Owner::Own);
        let code = self.generate(&set, variable.0)?;
        let squares = SquareLoop { set: code, variable, names: 0 };
        self.sets.push((variable, set));
        Ok((squares, Subject { name: each.variable, is_own }))
    }

    /// The name in a loop that is not entered yet.
    pub(in crate::eval) fn variable(&mut self, text: &str) -> Result<String, Mistake> {
        Ok(syntax::each(text)?.variable)
    }

    /// Tells a loop, whose body is compiled, what that reads of its square.
    pub(in crate::eval) fn leave(&self, squares: &mut SquareLoop) {
        squares.names = self.generator.names_of(squares.variable);
    }

    /// What the code of the expressions reads, computed when it is read first.
    pub(in crate::eval) fn names(self) -> Vec<Code> {
        self.generator.names
    }

    fn generate(&mut self, tree: &Tree, loops: u8) -> Result<Code, Mistake> {
        self.generator.is_too_long = self.cost() > MAX_COST;
        let code = self.generator.code(tree, loops);
        match self.generator.is_full {
            true => Err(Mistake::new(
                0..0,
                format!("more than {MAX_NAMES} values of names and arguments in a term"),
            )),
            false => Ok(code),
        }
    }

    /// Whether the expressions read pawns and kings only. A name counts if one of them reads it.
    pub(in crate::eval) const fn pawns_and_kings(&self) -> bool {
        self.reads & Facts::PIECES == 0
    }

    /// Whether a value reads the square of the term's loop, or a name that does. If so, `name` is one, too.
    pub(in crate::eval) fn reads_loop(&mut self, name: &str, text: &str) -> bool {
        let Ok(Definition { parameters, body }) = syntax::definition(text) else { return false };
        let mut of_loop = self
            .of_loop
            .iter()
            .filter(|&known| !parameters.iter().any(|parameter| parameter.name == *known));
        let reads = of_loop.any(|known| body.mentions(known));
        self.of_loop.extend(reads.then(|| name.to_owned()));
        reads
    }

    /// Counts the expressions of a text that the term has, so that what stands there twice is computed once. A text
    /// with a mistake is passed over, because it is compiled later.
    pub(in crate::eval) fn preview(&mut self, text: &str) {
        if let Ok(definition) = syntax::definition(text) {
            self.count_parts(&definition.body, !definition.parameters.is_empty());
        }
    }

    /// A function can be called more than once, and what it calls by name is computed as often.
    fn count_parts(&mut self, expression: &Expression, is_function: bool) {
        let times = if is_function && expression.is_leaf() { 2 } else { 1 };
        *self.repeated.entry(expression.to_string()).or_default() += times;
        expression.parts().for_each(|part| self.count_parts(part, is_function));
    }

    fn is_repeated(&self, text: &str) -> bool {
        self.repeated.get(text).is_some_and(|&times| times > 1)
    }

    /// Gives the value of an expression a name.
    pub(in crate::eval) fn define(&mut self, name: &str, text: &str) -> Result<(), Mistake> {
        let definition = syntax::definition(text)?;
        self.check_new(name, 0..text.len())?;
        // Loops are left before names are defined, but that of the term.
        if self.locals.len() - usize::from(self.loops) >= MAX_LETS {
            let message = format!("more than {MAX_LETS} named values in a term");
            return Err(Mistake::new(0..text.len(), message)
                .hint("those of the file that it reads are among them"));
        }
        let is_bound = self.is_bound(&definition.body);
        let meaning = match &*definition.parameters {
            [] => {
                let Checked { tree, .. } = self.compile_anew(&definition.body)?;
                let key = definition.body.to_string();
                if self.is_repeated(name) || self.is_repeated(&key) {
                    tree.is_named.set(true);
                    self.generate(&tree, self.loops)?;
                }
                if !is_bound {
                    self.known.entry(key).or_insert_with(|| Rc::clone(&tree));
                }
                Meaning::Value(tree)
            }
            _ => Meaning::Function(self.check_function(definition)?),
        };
        self.later.pop_front();
        self.locals.push(Local { name: name.to_owned(), meaning, is_bound });
        Ok(())
    }

    /// Checks a function with arguments of which nothing is known but their types.
    fn check_function(&mut self, definition: Definition) -> Result<Rc<Function>, Mistake> {
        for (index, Parameter { name, span, .. }) in definition.parameters.iter().enumerate() {
            self.check_new(name, span.clone())?;
            if definition.parameters[..index].iter().any(|other| other.name == *name) {
                return Err(Mistake::new(span.clone(), format!("`{name}` is a parameter already")));
            }
        }
        let reads = Facts::POSITION | Facts::PIECES;
        let unknown = definition.parameters.iter().map(|&Parameter { kind, .. }| {
            let of_set = Facts { reads, ..Facts::NOTHING };
            let squares = if kind == Type::Square { 1 } else { of_set.squares };
            Node::new(Op::Parameter, kind, Facts { squares, ..of_set }, Vec::new())
        });
        let unknown = unknown.collect();
        let function = Rc::new(Function { definition, visible: self.locals.len() });
        let outer = (self.cost, self.is_check, self.known.clone());
        self.is_check = true;
        let checked = self.body(&function, unknown);
        (self.cost, self.is_check, self.known) = outer;
        checked.map(|_| function)
    }

    /// The body of a function with these arguments.
    fn body(&mut self, function: &Function, arguments: Vec<Tree>) -> Result<Tree, Mistake> {
        let hidden = self.locals.split_off(function.visible);
        let in_scope = std::mem::take(&mut self.in_scope);
        let parameters = function.definition.parameters.iter().zip(arguments);
        self.locals.extend(parameters.map(|(Parameter { name, .. }, argument)| Local {
            name: name.clone(),
            meaning: Meaning::Value(argument),
            is_bound: true,
        }));
        let compiled = self.nested(|compiler| compiler.compile(&function.definition.body));
        self.forget(function.visible);
        self.locals.extend(hidden);
        self.in_scope = in_scope;
        Ok(compiled?.tree)
    }

    /// The call of a function.
    fn call_function(
        &mut self,
        function: &Function,
        name: &str,
        arguments: &[Expression],
        span: &Range<usize>,
    ) -> Result<Tree, Mistake> {
        let wrong = |message: String| Mistake::new(span.clone(), format!("`{name}` {message}"));
        let parameters = &function.definition.parameters;
        if parameters.len() != arguments.len() {
            let expected = counted(parameters.len() as u64, "argument");
            return Err(wrong(format!("takes {expected}, not {}", arguments.len()))
                .hint(format!("write `{}`", function.usage(name))));
        }
        self.calls += 1;
        if self.calls > MAX_CALLS || self.depth > MAX_CALL_DEPTH {
            return Err(wrong(match self.calls > MAX_CALLS {
                true => format!("is one of more than {MAX_CALLS} calls of functions in a term"),
                false => format!("is called inside of more than {MAX_CALL_DEPTH} expressions"),
            }));
        }
        let arguments = parameters.iter().zip(arguments).map(|(parameter, argument)| {
            let tree = self.compile_as(argument, parameter.kind)?;
            tree.is_named.set(true);
            if !self.is_check {
                let at_argument = |mistake| Mistake { span: argument.span.clone(), ..mistake };
                self.generate(&tree, self.loops).map_err(at_argument)?;
            }
            Ok(tree)
        });
        let arguments = arguments.collect::<Result<Vec<_>, _>>()?;
        // What is wrong with a body that was checked is wrong with the call.
        self.body(function, arguments)
            .map_err(|mistake| wrong(format!("cannot be called: {}", mistake.message)))
    }

    /// Counts steps: a word or an operator is one.
    pub(in crate::eval) fn spend(&mut self, steps: u64) {
        self.cost = self.cost.saturating_add(self.rounds.saturating_mul(steps));
    }

    /// Remembers what an expression adds to the cost, if no other adds more. `name` makes its name.
    pub(in crate::eval) fn timed<T>(
        &mut self,
        name: impl FnOnce() -> String,
        compile: impl FnOnce(&mut Compiler) -> T,
    ) -> T {
        let before = self.cost;
        let compiled = compile(self);
        // For both sides, as the cost of the term is.
        let steps = self.cost.saturating_sub(before).saturating_mul(2);
        if steps > self.longest.1 {
            self.longest = (name(), steps);
        }
        compiled
    }

    /// Steps for both sides at most.
    pub(in crate::eval) const fn cost(&self) -> u64 {
        self.cost.saturating_mul(2)
    }

    /// The same with words and drawings.
    pub(in crate::eval) const fn cost_with_words(&self) -> u64 {
        self.cost.saturating_add(self.told).saturating_mul(2)
    }

    /// Leaves the loops that are entered in between.
    pub(in crate::eval) fn nested<T>(&mut self, inside: impl FnOnce(&mut Compiler) -> T) -> T {
        let names = self.locals.len();
        let outer = (self.rounds, self.loops, self.in_scope.clone());
        let sets = self.sets.len();
        let result = inside(self);
        self.forget(names);
        self.sets.truncate(sets);
        (self.rounds, self.loops, self.in_scope) = outer;
        result
    }

    /// Leaves so many names in scope.
    fn forget(&mut self, names: usize) {
        self.elsewhere.extend(self.locals.drain(names..).map(|local| local.name));
    }

    /// Checks that a name is neither a word nor the name of another value.
    pub(in crate::eval) fn check_new(&self, name: &str, span: Range<usize>) -> Result<(), Mistake> {
        let (what, hint) = if name.contains('.') {
            ("cannot be a new name", "names have letters, digits and `_` only")
        } else if is_word(name) || quantifier(name).is_some() || KEYWORDS.contains(&name) {
            ("is a word already", "choose another name")
        } else if self.locals.iter().any(|local| local.name == name) {
            ("is a name already", "choose another name")
        } else {
            return Ok(());
        };
        Err(Mistake::new(span, format!("`{name}` {what}")).hint(hint))
    }

    /// Enters a loop over a set.
    fn enter(&mut self, each: &Each) -> Result<(Tree, Variable), Mistake> {
        let set = self.compile_as(&each.set, Type::Set)?;
        let span = each.variable_span.clone();
        self.check_new(&each.variable, span.clone())?;
        let variable = Variable(self.loops);
        if usize::from(variable.0) >= MAX_LOCALS {
            return Err(Mistake::new(
                span,
                format!("more than {MAX_LOCALS} loops inside each other"),
            ));
        }
        let facts = Facts { squares: 1, reads: 1 << variable.0, ..set.facts };
        let square = Node::new(Op::Square(variable), Type::Square, facts, Vec::new());
        self.locals.push(Local {
            name: each.variable.clone(),
            meaning: Meaning::Value(square),
            is_bound: true,
        });
        self.loops += 1;
        self.rounds = self.rounds.saturating_mul(set.facts.squares);
        Ok((set, variable))
    }

    /// Whether an expression has another value for another square of a loop or in another call.
    fn is_bound(&self, expression: &Expression) -> bool {
        let mut bound = self.locals.iter().filter(|local| local.is_bound);
        bound.any(|local| expression.mentions(&local.name))
    }

    /// Counts the steps of what only a person waits for apart from those of the search.
    pub(in crate::eval) fn told<T>(&mut self, compile: impl FnOnce(&mut Compiler) -> T) -> T {
        let before = (self.cost, self.reads);
        let compiled = compile(self);
        self.told = self.told.saturating_add(self.cost - before.0);
        (self.cost, self.reads) = before;
        compiled
    }

    /// Compiles an expression that must have this type.
    fn compile_as(&mut self, expression: &Expression, kind: Type) -> Result<Tree, Mistake> {
        self.compile(expression)?.into(kind)
    }

    /// Compiles an expression. What stands in the term twice, or stays the same while a loop runs, is one tree.
    fn compile(&mut self, expression: &Expression) -> Result<Checked, Mistake> {
        if expression.is_leaf() {
            return self.compile_anew(expression);
        }
        let (key, is_bound) = (expression.to_string(), self.is_bound(expression));
        let known = if is_bound { &self.in_scope } else { &self.known };
        if let Some(tree) = known.get(&key) {
            let tree = Rc::clone(tree);
            self.spend(1);
            return Ok(Checked { tree, span: expression.span.clone() });
        }
        let checked = self.compile_anew(expression)?;
        let is_repeated = self.is_repeated(&key);
        if is_repeated || (self.loops > 0 && !is_bound) {
            checked.tree.is_repeated.set(is_repeated || checked.tree.is_repeated.get());
            let known = if is_bound { &mut self.in_scope } else { &mut self.known };
            known.insert(key, Rc::clone(&checked.tree));
        }
        Ok(checked)
    }

    fn compile_anew(&mut self, expression: &Expression) -> Result<Checked, Mistake> {
        self.depth += 1;
        // A loop spends its steps itself, round by round.
        if !matches!(expression.node, Syntax::Loop(_)) {
            self.spend(1);
        }
        let span = expression.span.clone();
        let tree = match &expression.node {
            Syntax::Number(digits) => digits.parse().map(Node::number).map_err(|_| {
                let message = format!("numbers are {} to {}", i32::MIN, i32::MAX);
                Mistake::new(span.clone(), message)
            }),
            Syntax::Word(name) => self.word(name, &span),
            Syntax::Call(name, arguments) => self.call(name, arguments, &span),
            Syntax::Loop(parts) => self.quantified(parts),
            Syntax::Unary(operator, operand) => self.unary(*operator, operand),
            Syntax::Binary(operator, operands) => self.binary(*operator, operands, &span),
            Syntax::If(parts) => self.choice(parts),
        };
        self.depth -= 1;
        Ok(Checked { tree: tree?, span })
    }

    fn word(&mut self, name: &str, span: &Range<usize>) -> Result<Tree, Mistake> {
        match self.locals.iter().find(|local| local.name == name).map(|local| &local.meaning) {
            Some(Meaning::Value(tree)) => return Ok(Rc::clone(tree)),
            Some(Meaning::Function(function)) => {
                return Err(Mistake::new(span.clone(), format!("`{name}` needs arguments"))
                    .hint(format!("write `{}`", function.usage(name))));
            }
            None => {}
        }
        if let Some((word, side)) = find(name, false) {
            let side = side.unwrap_or(Owner::Own);
            let known = self.known.entry(name.to_owned());
            return Ok(Rc::clone(known.or_insert_with(|| Node::word(word, side, Vec::new()))));
        }
        Err(match find(name, true) {
            Some((word, _)) => Mistake::new(span.clone(), format!("`{name}` needs arguments"))
                .hint(format!("write `{}`", word.usage())),
            None => self.unknown(name, span.clone()),
        })
    }

    /// A word that does not exist, with the nearest that does.
    fn unknown(&self, name: &str, span: Range<usize>) -> Mistake {
        match self.later.iter().position(|(later, _)| later == name) {
            Some(0) => {
                let message = format!("the expression of `{name}` cannot read `{name}` itself");
                return Mistake::new(span, message);
            }
            Some(_) if hints::reads_next(&self.later, name) => {
                let message = format!("`{}` and `{name}` read each other", self.later[0].0);
                return Mistake::new(span, message).hint("a name can read those above it only");
            }
            Some(_) => {
                return Mistake::new(span, format!("`{name}` is defined further down in `let`"))
                    .hint("define it above the expressions that read it");
            }
            None => {}
        }
        if let Some(index) = self.of_loop.iter().position(|known| known == name) {
            let reads = if index == 0 {
                String::new()
            } else {
                format!(", which reads `{}`", self.of_loop[0])
            };
            let message = format!(
                "`when` and `each` of a term are read before `{name}`{reads} of its `each`"
            );
            return Mistake::new(span, message)
                .hint("use it in the weights, which have a `when` too");
        }
        if self.elsewhere.iter().any(|known| known == name) {
            return Mistake::new(span, format!("`{name}` is not known here"))
                .hint("only the loop or the function that names it can read it");
        }
        let names: Vec<&str> = self.locals.iter().map(|local| &*local.name).collect();
        Mistake::new(span, format!("unknown word `{name}`")).hint(hints::of_word(name, &names))
    }

    fn call(
        &mut self,
        name: &str,
        arguments: &[Expression],
        span: &Range<usize>,
    ) -> Result<Tree, Mistake> {
        let mistake = |message: &str, usage: &str| {
            let message = format!("`{name}` {message}");
            Err(Mistake::new(span.clone(), message).hint(format!("write `{usage}`")))
        };
        match self.locals.iter().find(|local| local.name == name).map(|local| &local.meaning) {
            Some(Meaning::Value(_)) => return mistake("takes no arguments", name),
            Some(Meaning::Function(function)) => {
                return self.call_function(&Rc::clone(function), name, arguments, span);
            }
            None => {}
        }
        let Some((word, side)) = find(name, true) else {
            return match (quantifier(name), find(name, false)) {
                (Some((usage, ..)), _) => mistake("needs a loop", usage),
                (None, Some((word, _))) => mistake("takes no arguments", &word.usage()),
                (None, None) => Err(self.unknown(name, span.start..span.start + name.len())),
            };
        };
        let types = &word.signature.types;
        if types.len() != arguments.len() {
            let expected = counted(types.len() as u64, "argument");
            let message = format!("takes {expected}, not {}", arguments.len());
            let as_loop = quantifier(name).map(|(usage, ..)| format!("` or `{usage}"));
            return mistake(&message, &(word.usage() + as_loop.as_deref().unwrap_or_default()));
        }
        let compiled = arguments.iter().map(|argument| self.compile(argument));
        let compiled = compiled.collect::<Result<Vec<_>, _>>()?;
        let own_king = |part: &Checked| match part.tree.op {
            Op::Word(king, side) if king.name == "king" => Some(side),
            _ => None,
        };
        // The context knows what the kings attack.
        if let ("king_attacks", Some(side)) = (name, compiled.first().and_then(own_king)) {
            let own = if side == Owner::Own { "own.king_attacks" } else { "enemy.king_attacks" };
            return self.word(own, span);
        }
        let arguments = compiled.into_iter().zip(types).map(|(part, &kind)| part.into(kind));
        let arguments = arguments.collect::<Result<Vec<_>, _>>()?;
        self.spend(word.cost_of(arguments.first().map_or(1, |part| part.facts.squares)));
        Ok(Node::word(word, side.unwrap_or(Owner::Own), arguments))
    }

    fn quantified(&mut self, parts: &Loop) -> Result<Tree, Mistake> {
        let name = parts.quantifier.as_str();
        let Some(fold) = Fold::named(name) else {
            let known = QUANTIFIERS.iter().map(|(usage, ..)| name_of(usage));
            let hint = did_you_mean(name, known.clone())
                .unwrap_or_else(|| format!("known are {}", known.collect::<Vec<_>>().join(", ")));
            let message = format!("`{name}` is no word for a loop");
            return Err(Mistake::new(parts.quantifier_span.clone(), message).hint(hint));
        };
        self.nested(|inner| {
            let (set, variable) = inner.enter(&parts.each)?;
            inner.spend(1);
            let body = inner.compile_as(&parts.body, fold.types()[1])?;
            Ok(Node::looped(fold, variable, set, body))
        })
    }

    fn unary(&mut self, operator: Rule, operand: &Expression) -> Result<Tree, Mistake> {
        let kind = match operator {
            Rule::negative => Type::Number,
            Rule::not => Type::Condition,
            _ => Type::Set,
        };
        // The least number has no positive twin.
        if let (Rule::negative, Syntax::Number(digits)) = (operator, &operand.node)
            && let Ok(number) = format!("-{digits}").parse()
        {
            return Ok(Node::number(number));
        }
        Ok(Node::operator(operator, vec![self.compile_as(operand, kind)?]))
    }

    fn binary(
        &mut self,
        operator: Rule,
        [a, b]: &[Expression; 2],
        span: &Range<usize>,
    ) -> Result<Tree, Mistake> {
        let (left, a, b) = (a, self.compile(a)?, self.compile(b)?);
        if let Some(hint) = hints::of_operator(operator, left, [a.tree.kind, b.tree.kind]) {
            return Err(Mistake::new(span.clone(), hint));
        }
        let are_sets = a.is_set() && b.is_set();
        let [of_a, of_b] = match operator {
            Rule::or | Rule::and => [Type::Condition; 2],
            Rule::union | Rule::intersection => [Type::Set; 2],
            Rule::minus if are_sets => [Type::Set; 2],
            Rule::member => [Type::Square, Type::Set],
            Rule::equal | Rule::unequal => [a.common_type(&b); 2],
            _ => [Type::Number; 2],
        };
        Ok(Node::operator(operator, vec![a.into(of_a)?, b.into(of_b)?]))
    }

    fn choice(&mut self, [condition, yes, no]: &[Expression; 3]) -> Result<Tree, Mistake> {
        let condition = self.compile_as(condition, Type::Condition)?;
        let (yes, no) = (self.compile(yes)?, self.compile(no)?);
        let kind = yes.common_type(&no);
        Ok(Node::choice(condition, yes.into(kind)?, no.into(kind)?))
    }
}

/// The positions in which a condition can hold, as far as it says so in plain words.
fn scope(when: &Tree) -> Scope {
    let mut parts = Vec::new();
    factors(when, true, &mut parts);
    let has = |side: Owner, name: &str, has_to_hold: bool| {
        parts.iter().any(|(part, is_negated)| {
            let is_word = matches!(part.op, Op::Word(word, of) if word.name == name && of == side);
            is_word && *is_negated != has_to_hold
        })
    };
    let mates = ["pieces_can_mate", "is_bishop_and_knight"];
    let is_bare = has(Owner::Enemy, "is_bare", true);
    if has(Owner::Own, "is_bare_king_ending", false) {
        Scope::NotBareKing
    } else if has(Owner::Own, "is_bare_king_ending", true)
        || is_bare && mates.iter().any(|mates| has(Owner::Own, mates, true))
    {
        Scope::BareKing
    } else {
        Scope::Everywhere
    }
}

/// The type of an expression without loops or names around it, its code and what that reads, for the tests of words.
#[cfg(test)]
pub(super) fn value(text: &str) -> Result<(Type, Code, Vec<Code>), Mistake> {
    let mut compiler = Compiler::new();
    let tree = compiler.compile(&syntax::expression(text)?)?.tree;
    let code = compiler.generate(&tree, 0)?;
    Ok((tree.kind, code, compiler.names()))
}
