//! The contract of a plug-in.

use super::{EvalContext, Sink};
use shakmaty::Color;

/// An evaluation term: a plug-in that measures distances in a position.
///
/// A term lives in one file of [`terms`](crate::terms). The macro [`term!`](crate::term!) declares what it is
/// called, which weights it has and, if its formula needs any, which parameters; the values of all of them
/// stand in engine files and nowhere in code. [`Term::measure`] is written once, for every reader.
///
/// ```
/// use shakmaty::Color;
/// use tropism::eval::meaning::{ROOK_STEPS, distance, own, place};
/// use tropism::eval::{EvalContext, Sink, Term};
/// use tropism::geometry::centre_manhattan;
/// use tropism::term;
///
/// term! {
///     /// Measures how far a king is from the centre.
///     struct CentralKing;
///
///     name = "central_king";
///     doc = "A king should stand in the centre when few pieces are left.";
///     source = "Chess Programming Wiki, Center Manhattan-Distance";
///
///     weights {
///         step = own("king").is(distance(ROOK_STEPS, place("the centre")));
///     }
/// }
///
/// impl Term for CentralKing {
///     fn measure<S: Sink>(&self, context: &EvalContext, side: Color, sink: &mut S) {
///         let king = context.side(side).king;
///         sink.add(W.step, centre_manhattan(king) as i32, king);
///     }
/// }
///
/// let mut registry = tropism::terms::registry();
/// registry.add::<CentralKing>();
/// assert_eq!(registry.get("central_king").unwrap().weights[0].name, "step");
/// ```
pub trait Term: Send + Sync + 'static {
    /// Reports everything that it measures for `side`, good or bad, to `sink`.
    ///
    /// In the mirrored position, the term should report the same counts for the other side on the mirrored
    /// squares; a test checks all shipped terms.
    fn measure<S: Sink>(&self, context: &EvalContext, side: Color, sink: &mut S);
}

/// Declares a term in Rust: its struct, its names, weights and parameters. See [`Term`](crate::eval::Term)
/// for an example.
///
/// In this order:
///
/// - The struct, with documentation and visibility.
/// - `name`: its key in engine files and its row in the trace: lower case, words joined by `_`.
/// - `doc`: one sentence for people: what it measures and why that matters on the board.
/// - `source`: where the idea was published.
/// - `theme`: what its sentences are about: `material`, `king`, `pawns`, `pieces`, `threats` or a new one; without it,
///   the name of the term.
/// - `says`: the function that puts the counts into words, [`Reason`](crate::eval::Reason)s. Without it, a sentence is
///   made of the meaning of the weights. A term with `is_spoken_for = true` leaves the words to the term of its theme
///   that has them.
/// - `draws`: the function that makes the [`Marks`](crate::eval::Marks) on the board. Without it, distances from kings
///   are drawn.
/// - `scope`: the [positions](crate::eval::Scope) that the term applies to, if it does not apply to all.
/// - `pawns_and_kings = true`, if the term reads only the pawns and kings of the context. Its sum is then
///   cached until one of them moves.
/// - `is_tuned_from_games = false`, if the tuner must leave the weights alone.
/// - `weights`: what the term multiplies its counts with, each with its
///   [meaning](crate::eval::meaning). `name` is a middlegame/endgame pair, `name[8]` an array of 8 such
///   pairs, and of `name per 16` 16 counts make one unit. `W.name` is the handle that
///   [`measure`](crate::eval::Term::measure) gives to its sink.
/// - `parameters`, if the term has any: whole numbers inside its formula, such as a ratio in a mean. Each is
///   a field of the struct, with a meaning and a range. Engine files set them like weights, but a count is
///   not linear in them, so the tuner leaves them alone.
///
/// A module can declare one term.
#[macro_export]
macro_rules! term {
    (
        $(#[$attribute:meta])*
        $visibility:vis struct $Term:ident;

        name = $name:expr;
        doc = $doc:expr;
        source = $source:expr;
        $(theme = $theme:expr;)?
        $(says = $says:expr;)?
        $(is_spoken_for = $is_spoken_for:expr;)?
        $(draws = $draws:expr;)?
        $(scope = $scope:expr;)?
        $(pawns_and_kings = $pawns_and_kings:expr;)?
        $(is_tuned_from_games = $is_tuned_from_games:expr;)?

        weights {
            $($weight:ident $([$length:expr])? $(per $per:tt)? = $meaning:expr;)*
        }

        $(parameters {
            $($parameter:ident = $what:literal in $min:literal..=$max:literal;)*
        })?
    ) => {
        $crate::term!(@struct [$(#[$attribute])* $visibility struct $Term] $($($parameter)*)?);

        /// The handles of the weights.
        struct Weights {
            $($weight: $crate::eval::Weight,)*
        }

        #[allow(unused_mut, reason = "a term may have no weights")]
        const W: Weights = {
            let mut next = 0;
            let weights = Weights {
                $($weight: {
                    let first = next;
                    let pairs = $crate::term!(@pairs $($length)?);
                    next += pairs;
                    $crate::eval::Weight::array(first, pairs)
                },)*
            };
            assert!(next <= $crate::eval::MAX_PAIRS, "the term has too many weights");
            weights
        };

        impl $crate::eval::Declared for $Term {
            #[allow(unused_mut, reason = "most terms have the usual scope")]
            fn entry() -> $crate::eval::Entry {
                let weights = vec![
                    $($crate::term!(@spec $weight, $meaning $(, $length)?) $(.per($per))?,)*
                ];
                let parameters = &[
                    $($($crate::eval::ParameterSpec {
                        name: stringify!($parameter),
                        doc: $what,
                        min: $min,
                        max: $max,
                    },)*)?
                ];
                let mut entry =
                    $crate::eval::Entry::new::<Self>($name, $doc, $source, weights, parameters);
                $(entry.theme = $theme.into();)?
                $(entry.speech = $crate::eval::Speech::Own($says);)?
                $(if $is_spoken_for {
                    entry.speech = $crate::eval::Speech::OfTheme;
                })?
                $(entry.draws = Some($draws);)?
                $(entry.scope = $scope;)?
                $(entry.pawns_and_kings = $pawns_and_kings;)?
                $(entry.is_tuned_from_games = $is_tuned_from_games;)?
                entry
            }

            #[allow(unused_mut, reason = "a term may have no parameters")]
            fn new(parameters: &[i32]) -> Self {
                let mut _values = parameters.iter().copied();
                Self {
                    $($($parameter: _values.next().unwrap_or($min),)*)?
                }
            }
        }
    };
    (@struct [$($head:tt)*]) => {
        $($head)*;
    };
    (@struct [$($head:tt)*] $($parameter:ident)+) => {
        $($head)* {
            $($parameter: i32,)+
        }
    };
    (@pairs) => { 1 };
    (@pairs $length:expr) => { $length };
    (@spec $name:ident, $meaning:expr) => {
        $crate::eval::WeightSpec::pair(stringify!($name), $meaning)
    };
    (@spec $name:ident, $meaning:expr, $length:expr) => {
        $crate::eval::WeightSpec::array(stringify!($name), $length, $meaning)
    };
}

/// The positions that a term applies to. A *bare king ending* is a position in which one side has
/// nothing but its king and the pieces of the other side can force mate
/// ([`EvalContext::is_bare_king_ending`]).
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Scope {
    /// All positions.
    Everywhere,
    /// Bare king endings only: the term is not measured anywhere else.
    BareKing,
    /// All positions except bare king endings.
    NotBareKing,
}

impl Scope {
    /// Whether a position belongs to the scope, given whether it is a bare king ending.
    pub(super) const fn includes(self, is_bare_king_ending: bool) -> bool {
        match self {
            Scope::Everywhere => true,
            Scope::BareKing => is_bare_king_ending,
            Scope::NotBareKing => !is_bare_king_ending,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::meaning::{count, has};
    use crate::eval::{Declared, Weight};

    term! {
        struct Example;

        name = "example";
        doc = "An example.";
        source = "";
        scope = Scope::BareKing;
        is_tuned_from_games = false;

        weights {
            a = has("a");
            ab[4] per 16 = count("ab", "abs");
            b = has("b");
        }

        parameters {
            first = "the first" in 0..=10;
            second = "the second" in 2..=10;
        }
    }

    impl Term for Example {
        fn measure<S: Sink>(&self, _: &EvalContext, _: Color, _: &mut S) {}
    }

    #[test]
    fn an_index_beyond_an_array_is_its_last_pair() {
        let indices = [3, 4, 65_535, u32::MAX].map(|index| W.ab.at(index).index());
        assert_eq!(indices, [4; 4]);
        // A single pair is an array of one.
        assert_eq!(W.a.at(1), W.a);
    }

    #[test]
    fn a_declaration_gives_names_weights_and_parameters() {
        assert_eq!([W.a, W.ab, W.ab.at(3), W.b].map(Weight::index), [0, 1, 4, 5]);
        let entry = Example::entry();
        assert_eq!((&*entry.name, entry.scope), ("example", Scope::BareKing));
        assert!(!entry.is_tuned_from_games && !entry.pawns_and_kings);
        let shapes: Vec<_> =
            entry.weights.iter().map(|spec| (&*spec.name, spec.length, spec.per)).collect();
        assert_eq!(shapes, [("a", None, 1), ("ab", Some(4), 16), ("b", None, 1)]);
        let example = Example::new(&[7, 9]);
        assert_eq!((example.first, example.second), (7, 9));
        let ranges: Vec<_> =
            entry.parameters.iter().map(|spec| (spec.name, spec.min..=spec.max)).collect();
        assert_eq!(ranges, [("first", 0..=10), ("second", 2..=10)]);
    }
}
