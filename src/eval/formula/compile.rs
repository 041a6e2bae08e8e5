//! From the tree of an expression to code: types and cost.

use super::checked::{Arguments, Checked, Facts};
use super::code::{
    Chain, Code, Environment, Fold, Lanes, MAX_LETS, MAX_LOCALS, MAX_NAMES, Name, Owner,
    SetOperator, SquareLoop, Typed, Value, Variable, with_type,
};
use super::lift;
use super::syntax::{self, Definition, Each, Expression, Loop, Node, Parameter, Rule};
use super::words::{MakeLoop, QUANTIFIERS, Word, find, is_word, name_of, quantifier, written};
use super::{MAX_COST, MAX_COUNT, Mistake, SQUARES, Type};
use crate::eval::EvalContext;
use crate::text::{counted, did_you_mean};
use shakmaty::{Bitboard, Chess, Square};
use std::{
    collections::{HashMap, VecDeque},
    ops::{Range, RangeInclusive},
    rc::Rc,
    sync::LazyLock,
};

/// Steps that a term takes for a side whatever it measures.
const COST_OF_TERM: u64 = 25;

/// The most calls of functions in a term, so that reading a file takes no time that a person notices.
pub(super) const MAX_CALLS: usize = 256;

/// The most expressions around a call, so that functions that call functions do not use up the stack.
const MAX_CALL_DEPTH: usize = 64;

/// A named value: a `let` or the variable of a loop.
#[derive(Debug)]
struct Local {
    name: String,
    kind: Type,
    place: Place,
    facts: Facts,
}

/// Where a named value is.
#[derive(Copy, Clone, Debug)]
enum Place {
    Variable(Variable),
    Name(Name),
    /// The same in every position.
    Constant([u64; 2]),
    /// A function, by its index. Only its calls have values.
    Function(usize),
}

/// A function of the file, of which each call is compiled with its arguments.
#[derive(Debug)]
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

impl Place {
    fn code<T: Typed>(self) -> Code<T> {
        match self {
            Place::Variable(variable) => Code::Variable(variable),
            Place::Name(name) => Code::Name(name),
            Place::Constant(packed) => Code::Constant(T::unpacked(packed)),
            Place::Function(_) => Code::Constant(T::unpacked([0; 2])),
        }
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

/// Compiles the expressions of a term, one after the other, with the names that are in scope.
pub(in crate::eval) struct Compiler {
    locals: Vec<Local>,
    functions: Vec<Rc<Function>>,
    /// How many calls of functions were compiled.
    calls: usize,
    /// How many loops are around the next expression.
    loops: u8,
    /// The next expression is a part of one that is computed once for all squares of the loops around it.
    is_fixed: bool,
    /// How many expressions are around the next one, those that call functions among them.
    depth: usize,
    /// What environments compute when it is read first, and keep.
    pub(in crate::eval) names: Vec<Value>,
    /// What they depend on, as [`Facts::reads`].
    names_read: Vec<u16>,
    /// Expressions without variables that stand in the term more than once, and how often.
    repeated: HashMap<String, u32>,
    /// Those of them, and of what loops need not compute again for each square, that environments keep.
    kept: HashMap<String, (Type, Place, Facts)>,
    /// Names of `let` that have no value yet, for messages. The first one is defined next.
    later: VecDeque<String>,
    /// The square of the term's loop and the names that read it, while they are not known yet, for messages.
    pub(in crate::eval) of_loop: Vec<String>,
    /// How often the next expression runs for a side, at most in a game.
    rounds: u64,
    /// Steps for a side at most.
    cost: u64,
    /// Those of words and drawings.
    told: u64,
    /// The expression that adds the most steps, and its steps.
    pub(in crate::eval) longest: (String, u64),
    /// What the expressions depend on, as [`Facts::reads`].
    reads: u16,
}

impl Default for Compiler {
    fn default() -> Compiler {
        Compiler {
            locals: Vec::new(),
            functions: Vec::new(),
            calls: 0,
            loops: 0,
            is_fixed: false,
            depth: 0,
            names: Vec::new(),
            names_read: Vec::new(),
            repeated: HashMap::new(),
            kept: HashMap::new(),
            later: VecDeque::new(),
            of_loop: Vec::new(),
            rounds: 1,
            cost: COST_OF_TERM,
            told: 0,
            longest: (String::new(), 0),
            reads: 0,
        }
    }
}

impl Compiler {
    /// An expression of this type.
    pub(in crate::eval) fn read<T: Typed>(&mut self, text: &str) -> Result<Code<T>, Mistake> {
        self.compile_text(text)?.into()
    }

    /// A number, and one that is never smaller in a game.
    pub(in crate::eval) fn number(&mut self, text: &str) -> Result<(Code<i32>, i32), Mistake> {
        let compiled = self.compile_text(text)?;
        let max = compiled.facts.max;
        Ok((compiled.into()?, max))
    }

    /// A set, or a square as the set of it, with its side if that is sure.
    pub(in crate::eval) fn set(
        &mut self,
        text: &str,
    ) -> Result<(Code<Bitboard>, Option<Owner>), Mistake> {
        let compiled = self.compile_text(text)?;
        let owner = compiled.facts.side;
        Ok((compiled.into()?, owner))
    }

    /// A loop over a set, `VARIABLE in SET`. What is compiled next is its body.
    pub(in crate::eval) fn each(&mut self, text: &str) -> Result<(SquareLoop, Subject), Mistake> {
        let each = syntax::each(text)?;
        let (squares, facts) = self.enter(&each)?;
        self.reads |= facts.reads;
        let is_own = facts.side.map(|side| side == Owner::Own);
        Ok((squares, Subject { name: each.variable, is_own }))
    }

    fn compile_text(&mut self, text: &str) -> Result<Checked, Mistake> {
        let compiled = self.compile(&syntax::expression(text)?)?;
        self.reads |= compiled.facts.reads;
        Ok(compiled)
    }

    /// Whether the expressions read pawns and kings only. A name counts if one of them reads it.
    pub(in crate::eval) const fn pawns_and_kings(&self) -> bool {
        self.reads & Facts::PIECES == 0
    }

    /// Announces the names that [`Compiler::define`] defines next, in this order.
    pub(in crate::eval) fn announce<'n>(&mut self, names: impl Iterator<Item = &'n str>) {
        self.later = names.map(str::to_owned).collect();
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
            self.count_parts(&definition.body);
        }
    }

    fn count_parts(&mut self, expression: &Expression) {
        if !expression.is_leaf() {
            *self.repeated.entry(expression.to_string()).or_default() += 1;
        }
        expression.parts().for_each(|part| self.count_parts(part));
    }

    /// Gives the value of an expression a name.
    pub(in crate::eval) fn define(&mut self, name: &str, text: &str) -> Result<(), Mistake> {
        let definition = syntax::definition(text)?;
        self.check_new(name, 0..text.len())?;
        let lets = self.locals.iter().filter(|local| !matches!(local.place, Place::Variable(_)));
        if lets.count() >= MAX_LETS {
            let message = format!("more than {MAX_LETS} named values in a term");
            return Err(Mistake::new(0..text.len(), message)
                .hint("those of the file that it reads are among them"));
        }
        let (kind, place, facts) = match &*definition.parameters {
            [] => {
                let compiled = self.compile_anew(&definition.body)?;
                let (facts, kind) = (compiled.facts, compiled.value.kind());
                let (place, facts) = self.keep(compiled.value, facts)?;
                if facts.reads & Facts::BOUND == 0 {
                    let key = definition.body.to_string();
                    self.kept.entry(key).or_insert((kind, place, facts));
                }
                (kind, place, facts)
            }
            _ => self.check_function(definition)?,
        };
        self.later.pop_front();
        self.locals.push(Local { name: name.to_owned(), kind, place, facts });
        Ok(())
    }

    /// A place for a value. What stands at a name is known only while a term is measured, even if it is the same in
    /// every position.
    fn keep(&mut self, value: Value, facts: Facts) -> Result<(Place, Facts), Mistake> {
        if facts.reads == 0 && self.cost() <= MAX_COST {
            return Ok((Place::Constant(packed(&value)), facts));
        }
        if self.names.len() == MAX_NAMES {
            return Err(Mistake::new(
                0..0,
                format!("more than {MAX_NAMES} values of names and arguments in a term"),
            ));
        }
        let name = Name(self.names.len() as u8);
        self.names.push(value);
        self.names_read.push(facts.reads);
        Ok((Place::Name(name), Facts { reads: facts.reads | Facts::POSITION, ..facts }))
    }

    /// Checks a function with arguments of which nothing is known but their types.
    fn check_function(&mut self, definition: Definition) -> Result<(Type, Place, Facts), Mistake> {
        for (index, Parameter { name, span, .. }) in definition.parameters.iter().enumerate() {
            self.check_new(name, span.clone())?;
            if definition.parameters[..index].iter().any(|other| other.name == *name) {
                return Err(Mistake::new(span.clone(), format!("`{name}` is a parameter already")));
            }
        }
        let reads = Facts::POSITION | Facts::PIECES;
        let unknown = definition.parameters.iter().map(|parameter| {
            let squares = if parameter.kind == Type::Square { 1 } else { SQUARES };
            (Place::Name(Name(0)), Facts { squares, reads, ..Facts::NOTHING })
        });
        let unknown = unknown.collect();
        let function = Rc::new(Function { definition, visible: self.locals.len() });
        let cost = self.cost;
        let checked = self.dry_run(true, |compiler| compiler.body(&function, unknown))?;
        self.cost = cost;
        self.functions.push(function);
        let place = Place::Function(self.functions.len() - 1);
        Ok((checked.value.kind(), place, Facts::NOTHING))
    }

    /// The body of a function with these arguments.
    fn body(
        &mut self,
        function: &Function,
        arguments: Vec<(Place, Facts)>,
    ) -> Result<Checked, Mistake> {
        let hidden = self.locals.split_off(function.visible);
        let parameters = function.definition.parameters.iter().zip(arguments);
        self.locals.extend(parameters.map(|(Parameter { name, kind, .. }, (place, facts))| {
            let facts = Facts { reads: facts.reads | Facts::PARAMETER, ..facts };
            Local { name: name.clone(), kind: *kind, place, facts }
        }));
        let compiled = self.nested(|compiler| compiler.compile(&function.definition.body));
        self.locals.truncate(function.visible);
        self.locals.extend(hidden);
        let Checked { value, facts, span } = compiled?;
        let facts = Facts { reads: facts.reads & !Facts::PARAMETER, ..facts };
        Ok(Checked { value, facts, span })
    }

    /// The call of a function, or of another name by mistake.
    fn call_named(
        &mut self,
        place: Place,
        name: &str,
        arguments: &[Expression],
        span: &Range<usize>,
    ) -> Result<(Value, Facts), Mistake> {
        let wrong = |message: String| Mistake::new(span.clone(), format!("`{name}` {message}"));
        let Place::Function(index) = place else {
            return Err(wrong("takes no arguments".to_owned()).hint(format!("write `{name}`")));
        };
        let function = Rc::clone(&self.functions[index]);
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
                false => "is called too deep inside of expressions".to_owned(),
            }));
        }
        let arguments = parameters.iter().zip(arguments).map(|(parameter, argument)| {
            let compiled = self.compile(argument)?;
            with_type!(parameter.kind, T => self.argument::<T>(compiled))
        });
        let arguments = arguments.collect::<Result<Vec<_>, _>>()?;
        let body = self.body(&function, arguments);
        // What is wrong with a body that was checked is wrong with the call.
        let body =
            body.map_err(|mistake| wrong(format!("cannot be called: {}", mistake.message)))?;
        Ok((body.value, body.facts))
    }

    /// The place of an argument. It is computed when the function reads it first.
    fn argument<T: Typed>(&mut self, argument: Checked) -> Result<(Place, Facts), Mistake> {
        let (facts, span) = (argument.facts, argument.span.clone());
        let place = match argument.into::<T>()? {
            Code::Constant(pair) => Place::Constant(T::packed(pair)),
            Code::Variable(variable) => Place::Variable(variable),
            Code::Name(name) => Place::Name(name),
            code => {
                let kept = self.keep(T::value(code), facts);
                return kept.map_err(|mistake| Mistake { span, ..mistake });
            }
        };
        Ok((place, facts))
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
        let outer = (self.rounds, self.loops, self.is_fixed);
        let result = inside(self);
        self.locals.truncate(names);
        (self.rounds, self.loops, self.is_fixed) = outer;
        result
    }

    /// Checks that a name is neither a word nor the name of another value.
    pub(in crate::eval) fn check_new(&self, name: &str, span: Range<usize>) -> Result<(), Mistake> {
        let (what, hint) = if name.contains('.') {
            ("cannot be a new name", "names have letters, digits and `_` only")
        } else if is_word(name) || quantifier(name).is_some() {
            ("is a word already", "choose another name")
        } else if self.locals.iter().any(|local| local.name == name) {
            ("is a name already", "choose another name")
        } else {
            return Ok(());
        };
        Err(Mistake::new(span, format!("`{name}` {what}")).hint(hint))
    }

    /// Enters a loop. Returns also what is known of its set.
    fn enter(&mut self, each: &Each) -> Result<(SquareLoop, Facts), Mistake> {
        let set = self.compile(&each.set)?;
        let facts = set.facts;
        let set = set.into()?;
        let span = each.variable_span.clone();
        self.check_new(&each.variable, span.clone())?;
        let variable = Variable(self.loops);
        if usize::from(variable.0) >= MAX_LOCALS {
            return Err(Mistake::new(
                span,
                format!("more than {MAX_LOCALS} loops inside each other"),
            ));
        }
        let of_variable = Facts { squares: 1, reads: 1 << variable.0, ..facts };
        self.locals.push(Local {
            name: each.variable.clone(),
            kind: Type::Square,
            place: Place::Variable(variable),
            facts: of_variable,
        });
        self.loops += 1;
        self.is_fixed = false;
        self.rounds = self.rounds.saturating_mul(facts.squares);
        Ok((SquareLoop { set, variable, names: 0 }, facts))
    }

    /// Tells a loop, whose body is compiled, the names that read its variable.
    pub(in crate::eval) fn leave(&self, squares: &mut SquareLoop) {
        let reads = |reads: &u16| reads >> squares.variable.0 & 1;
        let bits = self.names_read.iter().map(reads).enumerate();
        squares.names = bits.fold(0, |names, (index, bit)| names | u64::from(bit) << index);
    }

    /// Whether an expression has another value for another square of a loop or in another call.
    fn is_bound(&self, expression: &Expression) -> bool {
        let mut bound = self.locals.iter().filter(|local| local.facts.reads & Facts::BOUND != 0);
        bound.any(|local| expression.mentions(&local.name))
    }

    /// Compiles; in a dry run only for types and cost, because something else runs instead.
    fn dry_run<T>(&mut self, is_dry_run: bool, compile: impl FnOnce(&mut Compiler) -> T) -> T {
        if !is_dry_run {
            return compile(self);
        }
        let (names, kept) = (self.names.len(), self.kept.clone());
        let compiled = compile(self);
        self.names.truncate(names);
        self.names_read.truncate(names);
        self.kept = kept;
        compiled
    }

    /// What a weight counts on all squares of its loops, as one number.
    pub(in crate::eval) fn sum(
        &mut self,
        loops: &[&str],
        when: Option<&str>,
        count: Option<&str>,
    ) -> Result<Code<i32>, Mistake> {
        let loops = loops.iter().map(|text| syntax::each(text)).collect::<Result<Vec<_>, _>>()?;
        let when = when.map(syntax::expression).transpose()?;
        let count = count.map(syntax::expression).transpose()?;
        let mut within = None;
        if let Some(count) = &count {
            let compiled = self.dry_run(true, |outer| {
                outer.nested(|inner| {
                    loops.iter().try_for_each(|each| inner.enter(each).map(drop))?;
                    inner.compile(count)
                })
            })?;
            let [min, max] = compiled.facts.range;
            within = (min < -MAX_COUNT || max > MAX_COUNT).then_some(MAX_COUNT);
        }
        let compiled = self.compile(&lift::sum(loops, when, count, within))?;
        self.reads |= compiled.facts.reads;
        compiled.into()
    }

    /// Counts the steps of what only a person waits for apart from those of the search.
    pub(in crate::eval) fn told<T>(&mut self, compile: impl FnOnce(&mut Compiler) -> T) -> T {
        let before = self.cost;
        let compiled = compile(self);
        self.told = self.told.saturating_add(self.cost - before);
        self.cost = before;
        compiled
    }

    /// Compiles an expression. What stands in the term twice, or stays the same while a loop runs, is computed once.
    fn compile(&mut self, expression: &Expression) -> Result<Checked, Mistake> {
        if expression.is_leaf() || self.is_bound(expression) {
            return self.compile_anew(expression);
        }
        let key = expression.to_string();
        if let Some(&(kind, place, facts)) = self.kept.get(&key) {
            self.spend(1);
            let value = with_type!(kind, T => T::value(place.code()));
            return Ok(Checked { value, facts, span: expression.span.clone() });
        }
        let is_kept = self.loops > 0 || self.repeated.get(&key).is_some_and(|&times| times > 1);
        // Nothing inside of it needs a place of its own.
        let outer = self.is_fixed;
        self.is_fixed |= is_kept;
        let compiled = self.compile_anew(expression);
        self.is_fixed = outer;
        let compiled = compiled?;
        // The names of the file need places, too.
        if !is_kept || self.names.len() >= MAX_NAMES - MAX_LETS {
            return Ok(compiled);
        }
        let Checked { value, facts, span } = compiled;
        let kind = value.kind();
        let (place, facts) = self.keep(value, facts)?;
        self.kept.insert(key, (kind, place, facts));
        let value = with_type!(kind, T => T::value(place.code()));
        Ok(Checked { value, facts, span })
    }

    fn compile_anew(&mut self, expression: &Expression) -> Result<Checked, Mistake> {
        self.depth += 1;
        let compiled = self.compile_node(expression);
        self.depth -= 1;
        compiled
    }

    fn compile_node(&mut self, expression: &Expression) -> Result<Checked, Mistake> {
        let span = expression.span.clone();
        // A loop spends its steps itself, round by round.
        if !matches!(expression.node, Node::Loop(_)) {
            self.spend(1);
        }
        let (value, facts) = match &expression.node {
            Node::Number(digits) => match digits.parse() {
                Ok(number) => {
                    let facts = Facts { max: number, range: [number; 2], ..Facts::NOTHING };
                    (i32::value(Code::constant(number)), facts)
                }
                Err(_) => {
                    let message = format!("the largest number is {}", i32::MAX);
                    return Err(Mistake::new(span, message));
                }
            },
            Node::Word(name) => self.word(name, &span)?,
            Node::Call(name, arguments) => self.call(name, arguments, &span)?,
            Node::Loop(parts) => self.quantified(parts)?,
            Node::Unary(operator, operand) => self.unary(*operator, operand)?,
            Node::Binary(operator, operands) => match self.regrouped(expression) {
                Some(sets) => self.binary(Rule::intersection, &sets, &span)?,
                None => self.binary(*operator, operands, &span)?,
            },
            Node::If(parts) => self.choice(parts)?,
        };
        // A file whose terms take too many steps is rejected, and must not take them here.
        let value = match facts.reads == 0 && self.cost() <= MAX_COST {
            true => {
                let packed = packed(&value);
                with_type!(value.kind(), T => T::value(Code::Constant(T::unpacked(packed))))
            }
            false => value,
        };
        Ok(Checked { value, facts, span })
    }

    /// An intersection or difference of sets in a loop: what changes from square to square, and what is computed once.
    fn regrouped(&self, expression: &Expression) -> Option<[Expression; 2]> {
        let is_wanted =
            matches!(expression.node, Node::Binary(Rule::intersection | Rule::minus, _));
        if self.loops == 0 || !is_wanted {
            return None;
        }
        let mut parts = Vec::new();
        lift::factors(expression, &mut parts);
        let are_sets = parts.iter().all(|part| self.is_set(part));
        let (bound, fixed): (Vec<_>, Vec<_>) =
            parts.into_iter().partition(|part| self.is_bound(part));
        let is_shorter = are_sets && fixed.len() > 1;
        is_shorter.then_some([lift::intersection(bound)?, lift::intersection(fixed)?])
    }

    /// Whether an expression is a set or a square for sure.
    fn is_set(&self, expression: &Expression) -> bool {
        let kind = match &expression.node {
            Node::Word(name) | Node::Call(name, _) => {
                let local = self.locals.iter().find(|local| local.name == *name);
                let has_arguments = matches!(expression.node, Node::Call(..));
                let word = || find(name, has_arguments).map(|(word, _)| word.signature.result);
                local.map(|local| local.kind).or_else(word)
            }
            Node::Unary(Rule::complement, _) | Node::Binary(Rule::union, _) => Some(Type::Set),
            _ => None,
        };
        matches!(kind, Some(Type::Set | Type::Square))
    }

    fn word(&mut self, name: &str, span: &Range<usize>) -> Result<(Value, Facts), Mistake> {
        if let Some(local) = self.locals.iter().find(|local| local.name == name) {
            if let Place::Function(index) = local.place {
                return Err(Mistake::new(span.clone(), format!("`{name}` needs arguments"))
                    .hint(format!("write `{}`", self.functions[index].usage(name))));
            }
            let value = with_type!(local.kind, T => T::value(local.place.code()));
            return Ok((value, local.facts));
        }
        if let Some((word, side)) = find(name, false) {
            return self.apply(word, side, Vec::new());
        }
        Err(match find(name, true) {
            Some((word, _)) => Mistake::new(span.clone(), format!("`{name}` needs arguments"))
                .hint(format!("write `{}`", word.usage())),
            None => self.unknown(name, span.clone()),
        })
    }

    /// A word that does not exist, with the nearest that does.
    fn unknown(&self, name: &str, span: Range<usize>) -> Mistake {
        match self.later.iter().position(|later| later == name) {
            Some(0) => {
                let message = format!("the expression of `{name}` cannot read `{name}` itself");
                return Mistake::new(span, message);
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
        let mistake = Mistake::new(span, format!("unknown word `{name}`"));
        let (side, plain) = name.split_once('.').unwrap_or(("", name));
        if matches!(side, "white" | "black") {
            return mistake.hint(format!(
                "a term is written for both sides at once: `own.{plain}` or `enemy.{plain}`"
            ));
        }
        if matches!(name.as_bytes(), [b'a'..=b'h', b'1'..=b'8']) {
            return mistake.hint(
                "single squares have no names, as they are others for the other side: `own.rank(4)`, `centre`",
            );
        }
        if side.is_empty() && is_word(&format!("own.{plain}")) {
            return mistake.hint(format!("write `own.{plain}` or `enemy.{plain}`"));
        }
        if !side.is_empty() && is_word(plain) {
            return mistake.hint(format!("`{plain}` has no side: write `{plain}`"));
        }
        let known: Vec<String> =
            written().chain(self.locals.iter().map(|local| local.name.clone())).collect();
        let hint = did_you_mean(name, known.iter().map(String::as_str));
        mistake.hint(hint.as_deref().unwrap_or("`tropism words` lists all words"))
    }

    fn call(
        &mut self,
        name: &str,
        arguments: &[Expression],
        span: &Range<usize>,
    ) -> Result<(Value, Facts), Mistake> {
        if let Some(local) = self.locals.iter().find(|local| local.name == name) {
            return self.call_named(local.place, name, arguments, span);
        }
        let mistake = |message: &str, usage: &str| {
            let message = format!("`{name}` {message}");
            Err(Mistake::new(span.clone(), message).hint(format!("write `{usage}`")))
        };
        let Some((word, side)) = find(name, true) else {
            return match (quantifier(name), find(name, false)) {
                (Some((usage, ..)), _) => mistake("needs a loop", usage),
                (None, Some((word, _))) => mistake("takes no arguments", &word.usage()),
                (None, None) => Err(self.unknown(name, span.start..span.start + name.len())),
            };
        };
        let expected = word.signature.types.len();
        if expected != arguments.len() {
            let expected = counted(expected as u64, "argument");
            let message = format!("takes {expected}, not {}", arguments.len());
            let as_loop = quantifier(name).map(|(usage, ..)| format!("` or `{usage}"));
            return mistake(&message, &(word.usage() + as_loop.as_deref().unwrap_or_default()));
        }
        if let Some(known) = lift::attacks_of_all(name, arguments) {
            return self.word(&known, span);
        }
        let compiled = arguments.iter().map(|argument| self.compile(argument));
        let arguments = compiled.collect::<Result<Vec<Checked>, Mistake>>()?;
        self.spend(word.cost);
        self.apply(word, side, arguments)
    }

    fn apply(
        &mut self,
        word: &'static Word,
        side: Option<Owner>,
        arguments: Vec<Checked>,
    ) -> Result<(Value, Facts), Mistake> {
        let of_first = arguments.first().map_or(Facts::NOTHING, |argument| argument.facts);
        let position = match (word.is_fixed, word.pawns_and_kings) {
            (true, _) => 0,
            (false, true) => Facts::POSITION,
            (false, false) => Facts::POSITION | Facts::PIECES,
        };
        let range = word.range.map_or(Facts::NOTHING.range, |(min, max)| [min, max]);
        let facts = Facts {
            range,
            reads: arguments.iter().fold(position, |reads, argument| reads | argument.facts.reads),
            side: side.filter(|_| word.is_pieces),
            squares: word.max_squares(of_first.squares),
            max: match (&*word.name, &*arguments) {
                ("min", [a, b]) => a.facts.max.min(b.facts.max),
                ("count", [set]) => set.facts.squares as i32,
                _ => word.range.map_or(i32::MAX, |(_, max)| max),
            },
        };
        let arguments = &mut Arguments(arguments.into_iter());
        Ok(((word.signature.make)(side.unwrap_or(Owner::Own), arguments)?, facts))
    }

    fn quantified(&mut self, parts: &Loop) -> Result<(Value, Facts), Mistake> {
        let name = parts.quantifier.as_str();
        if quantifier(name).is_none() {
            let known = QUANTIFIERS.iter().map(|(usage, ..)| name_of(usage));
            let hint = did_you_mean(name, known.clone())
                .unwrap_or_else(|| format!("known are {}", known.collect::<Vec<_>>().join(", ")));
            let message = format!("`{name}` is no word for a loop");
            return Err(Mistake::new(parts.quantifier_span.clone(), message).hint(hint));
        }
        let Each { variable, set, .. } = &parts.each;
        let lifted = lift::without_loop(name, set, &parts.body, variable)
            .or_else(|| lift::without_constant(name, parts));
        let direct = if lifted.is_some() { None } else { self.direct(parts) };
        let is_dry_run = lifted.is_some() || direct.is_some();
        let (squares, facts, when, body) = self.dry_run(is_dry_run, |outer| {
            outer.nested(|inner| {
                let (mut squares, facts) = inner.enter(&parts.each)?;
                inner.spend(1);
                let (when, body) = match &parts.body.node {
                    // Squares of which nothing is added.
                    Node::If(choice) if name == "sum" && choice[2].is_zero() => {
                        inner.spend(2);
                        (Some(inner.compile(&choice[0])?), inner.compile(&choice[1])?)
                    }
                    _ => (None, inner.compile(&parts.body)?),
                };
                inner.leave(&mut squares);
                Ok::<_, Mistake>((squares, facts, when, body))
            })
        })?;
        let of_when = when.as_ref().map_or(0, |when| when.facts.reads);
        let reads = facts.reads | (of_when | body.facts.reads) & !(1 << squares.variable.0);
        let (max, range) = match name {
            "count" => (facts.squares as i32, [0, SQUARES as i32]),
            _ => (i32::MAX, range_of_loop(name, body.facts.range)),
        };
        let facts = Facts { max, range, reads, ..facts };
        if let Some(lifted) = lifted {
            let cost = self.cost;
            let Checked { value, facts: of_lifted, .. } = self.compile_anew(&lifted)?;
            self.cost = cost;
            return Ok((value, Facts { reads: facts.reads | of_lifted.reads, ..facts }));
        }
        if let Some(direct) = direct {
            let cost = self.cost;
            let value = self.without_calls(name, &parts.each.set, direct)?;
            self.cost = cost;
            return Ok((value, facts));
        }
        if let Some(fold) = Fold::named(name) {
            let when = when.map(|when| when.into::<bool>()).transpose()?;
            return Ok((i32::value(fold.over(squares, when, body.into()?)), facts));
        }
        let (wanted, is_enough) = wanted(name);
        Ok((of_squares(name, over(squares, body.into()?, wanted, is_enough)), facts))
    }

    /// How a loop runs without calls for each square, if it can.
    fn direct(&self, parts: &Loop) -> Option<Direct> {
        let x = &*parts.each.variable;
        match (&parts.body.node, Fold::named(&parts.quantifier)) {
            (Node::Binary(operator, operands), None) => {
                let Node::Number(digits) = &operands[1].node else { return None };
                let (range, is_in) = compared(*operator, digits.parse().ok()?)?;
                let of = self.attacks_counted(&operands[0], x)?;
                Some(Direct::AttacksCompared(of, range, is_in))
            }
            (Node::Call(name, arguments), Some(fold)) => {
                if let Some(of) = self.attacks_counted(&parts.body, x) {
                    return Some(Direct::Attacks(fold, of));
                }
                let [a, b] = &arguments[..] else { return None };
                let make = find(name, true)?.0.signature.make_loop.as_ref()?;
                let fixed = match (a.is_word(x), b.is_word(x)) {
                    (true, false) => b,
                    (false, true) => a,
                    _ => return None,
                };
                (!fixed.mentions(x)).then(|| Direct::Word(fold, make, fixed.clone()))
            }
            _ => None,
        }
    }

    /// The value of such a loop.
    fn without_calls(
        &mut self,
        name: &str,
        set: &Expression,
        direct: Direct,
    ) -> Result<Value, Mistake> {
        let set = self.compile(set)?.into()?;
        Ok(match direct {
            Direct::Word(fold, make, fixed) => {
                i32::value(make(fold, set, self.compile(&fixed)?.into()?))
            }
            Direct::Attacks(fold, of) => {
                i32::value(fold.over_attacks(set, self.compile(&of)?.into()?))
            }
            Direct::AttacksCompared(of, range, is_in) => {
                let of: Code<Bitboard> = self.compile(&of)?.into()?;
                let is_wanted = wanted(name).0 == is_in;
                let found = Code::run(move |environment, lanes| {
                    let sets = lanes.of_sets(set.get(environment, lanes));
                    let of = of.get(environment, lanes);
                    [0, 1].map(|lane| {
                        let mut found = Bitboard::EMPTY;
                        environment.each_attack(sets[lane], |square, attacks| {
                            let count = (attacks & of[lane]).count() as i32;
                            let is_here = range.contains(&count) == is_wanted;
                            found |= Bitboard(u64::from(is_here) << square as u32);
                        });
                        found
                    })
                });
                of_squares(name, found)
            }
        })
    }

    /// The set of which a number counts what the piece on the square of a loop attacks, if it does nothing else.
    fn attacks_counted(&self, number: &Expression, x: &str) -> Option<Expression> {
        let Node::Call(name, arguments) = &number.node else { return None };
        let ("count", [set]) = (name.as_str(), &arguments[..]) else { return None };
        let mut parts = Vec::new();
        lift::factors(set, &mut parts);
        let are_sets = parts.iter().all(|part| self.is_set(part));
        let (of_x, others): (Vec<_>, Vec<_>) = parts.into_iter().partition(|part| part.mentions(x));
        let [Expression { node: Node::Call(name, arguments), span }] = &of_x[..] else {
            return None;
        };
        let is_attacks = are_sets && name == "attacks" && arguments[0].is_word(x);
        let all = Expression { span: span.clone(), node: Node::Word("all_squares".to_owned()) };
        is_attacks.then(|| lift::intersection(others).unwrap_or(all))
    }

    fn unary(&mut self, operator: Rule, operand: &Expression) -> Result<(Value, Facts), Mistake> {
        let operand = self.compile(operand)?;
        let reads = operand.facts.reads;
        let facts = Facts { reads, ..Facts::NOTHING };
        let value = match operator {
            Rule::negative => {
                let [min, max] = operand.facts.range.map(i64::from);
                match (operand.value, Facts::range_of([-max, -min])) {
                    (Value::Number(sum), Some(range)) => {
                        return Ok((Value::Number(sum.times(-1)), Facts { range, ..facts }));
                    }
                    (value, _) => {
                        let number = Checked { value, ..operand }.into::<i32>()?;
                        i32::value(number.map(i32::saturating_neg))
                    }
                }
            }
            Rule::not => Value::Condition(!operand.conditions()?),
            _ => {
                let all: Chain = Code::constant(Bitboard::FULL).into();
                let set = operand.into::<Bitboard>()?;
                Value::Set(all.then(SetOperator::Difference, set.into()))
            }
        };
        Ok((value, facts))
    }

    fn binary(
        &mut self,
        operator: Rule,
        [a, b]: &[Expression; 2],
        span: &Range<usize>,
    ) -> Result<(Value, Facts), Mistake> {
        let (a, b) = (self.compile(a)?, self.compile(b)?);
        let (p, q) = (a.facts, b.facts);
        let are_sets = a.is_set() && b.is_set();
        let facts = match operator {
            Rule::union => Facts {
                side: p.common_side(q),
                squares: SQUARES.min(p.squares + q.squares),
                ..Facts::NOTHING
            },
            Rule::intersection => Facts {
                side: p.side.or(q.side),
                squares: p.squares.min(q.squares),
                ..Facts::NOTHING
            },
            Rule::minus => Facts { max: i32::MAX, range: Facts::NOTHING.range, ..p },
            _ => Facts::NOTHING,
        };
        let facts = Facts { reads: p.reads | q.reads, ..facts };
        let set = match operator {
            Rule::union => Some(SetOperator::Union),
            Rule::intersection => Some(SetOperator::Intersection),
            Rule::minus if are_sets => Some(SetOperator::Difference),
            _ => None,
        };
        if let Some(operator) = set {
            return Ok((Value::Set(a.chain()?.then(operator, b.chain()?)), facts));
        }
        if matches!(operator, Rule::plus | Rule::minus | Rule::times) && !are_sets {
            return arithmetic(operator, a, b, facts);
        }
        let value = match operator {
            Rule::or | Rule::and => {
                let (a, b) = (a.conditions()?, b.conditions()?);
                Ok(Value::Condition(if operator == Rule::or { a.or(b) } else { a.and(b) }))
            }
            Rule::member => apply(a, b, |square: Square, set: Bitboard| set.contains(square)),
            Rule::plus => {
                Err(Mistake::new(span.clone(), "`+` adds numbers").hint("`|` unites sets"))
            }
            Rule::equal => {
                with_type!(a.common_type(&b), T => apply(a, b, |a: T, b: T| a == b))
            }
            Rule::unequal => {
                with_type!(a.common_type(&b), T => apply(a, b, |a: T, b: T| a != b))
            }
            Rule::less => apply(a, b, |a: i32, b: i32| a < b),
            Rule::less_equal => apply(a, b, |a: i32, b: i32| a <= b),
            Rule::greater => apply(a, b, |a: i32, b: i32| a > b),
            Rule::greater_equal => apply(a, b, |a: i32, b: i32| a >= b),
            Rule::divide => {
                apply(a, b, |a: i32, b: i32| if b == 0 { 0 } else { a.saturating_div(b) })
            }
            _ => apply(a, b, |a: i32, b: i32| a.checked_rem(b).unwrap_or(0)),
        };
        Ok((value?, facts))
    }

    fn choice(
        &mut self,
        [condition, yes, no]: &[Expression; 3],
    ) -> Result<(Value, Facts), Mistake> {
        let condition = self.compile(condition)?;
        let reads = condition.facts.reads;
        let condition: Code<bool> = condition.into()?;
        let (yes, no) = (self.compile(yes)?, self.compile(no)?);
        let (p, q) = (yes.facts, no.facts);
        let facts = Facts {
            side: p.common_side(q),
            squares: p.squares.max(q.squares),
            max: p.max.max(q.max),
            range: [p.range[0].min(q.range[0]), p.range[1].max(q.range[1])],
            reads: reads | p.reads | q.reads,
        };
        let value = with_type!(yes.common_type(&no), T => {
            T::value(Code::choice(condition, yes.into::<T>()?, no.into::<T>()?))
        });
        Ok((value, facts))
    }
}

/// Sums, differences and products. Those that cannot exceed the numbers of expressions become one sum.
fn arithmetic(
    operator: Rule,
    a: Checked,
    b: Checked,
    facts: Facts,
) -> Result<(Value, Facts), Mistake> {
    let [[a0, a1], [b0, b1]] = [&a, &b].map(|part| part.facts.range.map(i64::from));
    let ends = match operator {
        Rule::plus => [a0 + b0, a1 + b1],
        Rule::minus => [a0 - b1, a1 - b0],
        _ => {
            let products = [a0 * b0, a0 * b1, a1 * b0, a1 * b1];
            products
                .iter()
                .fold([products[0]; 2], |[min, max], &product| [min.min(product), max.max(product)])
        }
    };
    let Some(range) = Facts::range_of(ends) else {
        let value = match operator {
            Rule::plus => apply(a, b, i32::saturating_add),
            Rule::minus => apply(a, b, i32::saturating_sub),
            _ => apply(a, b, i32::saturating_mul),
        };
        return Ok((value?, facts));
    };
    let (a, b) = (a.sum()?, b.sum()?);
    let sum = match (operator, a.known(), b.known()) {
        (Rule::plus, ..) => a.plus(b),
        (Rule::minus, ..) => a.plus(b.times(-1)),
        (_, Some(factor), _) => b.times(factor),
        (_, _, Some(factor)) => a.times(factor),
        _ => Code::apply(a.finish(), b.finish(), i32::wrapping_mul).into(),
    };
    Ok((Value::Number(sum), Facts { range, ..facts }))
}

/// A loop that needs no calls for each square.
enum Direct {
    /// The numbers of a word of its square and of a square that stays the same.
    Word(Fold, &'static MakeLoop, Expression),
    /// How many squares of a set the pieces on its squares attack.
    Attacks(Fold, Expression),
    /// The squares on which such a number is in a range, or with `false` is not.
    AttacksCompared(Expression, RangeInclusive<i32>, bool),
}

/// The numbers that compare so with a number, or with `false` those that do not.
fn compared(operator: Rule, number: i32) -> Option<(RangeInclusive<i32>, bool)> {
    Some(match operator {
        Rule::less => (number..=i32::MAX, false),
        Rule::less_equal => (i32::MIN..=number, true),
        Rule::greater => (i32::MIN..=number, false),
        Rule::greater_equal => (number..=i32::MAX, true),
        Rule::equal => (number..=number, true),
        Rule::unequal => (number..=number, false),
        _ => return None,
    })
}

/// Whether a loop looks for squares on which its condition holds, or fails, and whether one of them is enough.
fn wanted(name: &str) -> (bool, bool) {
    match name {
        "any" => (true, true),
        "all" => (false, true),
        _ => (true, false),
    }
}

/// The value of a loop that found these squares.
fn of_squares(name: &str, found: Code<Bitboard>) -> Value {
    match name {
        "count" => i32::value(found.map(|set| set.count() as i32)),
        "any" => bool::value(found.map(Bitboard::any)),
        "all" => bool::value(found.map(Bitboard::is_empty)),
        _ => Bitboard::value(found),
    }
}

/// The squares of a loop on which a condition holds, or fails. One of them may be enough.
fn over(
    squares: SquareLoop,
    condition: Code<bool>,
    wanted: bool,
    is_enough: bool,
) -> Code<Bitboard> {
    Code::run(move |environment, lanes| {
        let mut found = [Bitboard::EMPTY; 2];
        squares.visit(environment, lanes, |lanes, squares| {
            let holds = condition.get(environment, lanes);
            let here = lanes & if wanted { holds } else { !holds };
            let sets = here.of_sets(squares.map(Bitboard::from_square));
            found = [found[0] | sets[0], found[1] | sets[1]];
            if is_enough { here } else { Lanes::NONE }
        });
        found
    })
}

/// The smallest and largest number of a loop over numbers in a range.
fn range_of_loop(name: &str, range: [i32; 2]) -> [i32; 2] {
    // An empty set gives 0.
    let [min, max] = [i64::from(range[0].min(0)), i64::from(range[1].max(0))];
    let factor = if name == "sum" { SQUARES as i64 } else { 1 };
    Facts::range_of([min * factor, max * factor]).unwrap_or(Facts::NOTHING.range)
}

/// A value that depends on nothing, as an environment keeps it.
fn packed(value: &Value) -> [u64; 2] {
    static ANY: LazyLock<EvalContext> = LazyLock::new(|| EvalContext::new(&Chess::default()));
    value.packed(&Environment::new(&ANY, Lanes::BOTH, &[], &[]), Lanes::BOTH)
}

/// A function of two values.
fn apply<A: Typed, B: Typed, T: Typed>(
    a: Checked,
    b: Checked,
    function: impl Fn(A, B) -> T + Copy + Send + Sync + 'static,
) -> Result<Value, Mistake> {
    Ok(T::value(Code::apply(a.into::<A>()?, b.into::<B>()?, function)))
}

/// The value of an expression without loops or names around it, in both lanes, for the tests of words.
#[cfg(test)]
pub(super) fn value(text: &str) -> Result<(Value, Vec<Value>), Mistake> {
    let mut compiler = Compiler::default();
    let value = compiler.compile(&syntax::expression(text)?)?.value;
    Ok((value, compiler.names))
}
