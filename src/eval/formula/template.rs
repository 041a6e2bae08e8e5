//! Sentences with places that the program fills in: `{the rook} {is|are} shut in by {its|their} king`.

use super::Mistake;
use super::code::Owner;
use crate::eval::{Weight, WeightSpec, named};
use crate::text::{did_you_mean, side_name};
use shakmaty::{Bitboard, Color, Square};

/// Squares in a sentence; more become a number.
const MAX_SQUARES: usize = 3;

/// A sentence with places.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::eval) struct Template {
    parts: Vec<Part>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Part {
    Text(String),
    /// The name of a side.
    Side(Owner),
    /// What stands on the squares of a set, with its side if that is sure.
    Things {
        noun: String,
        owner: Option<Owner>,
        set: usize,
    },
    /// What was counted, with its unit.
    Value,
    /// The squares of the contributions.
    Squares,
    /// The words for one thing and for several.
    Choice([String; 2]),
}

/// One contribution with the values of the sets.
pub(in crate::eval) struct Sight {
    pub(in crate::eval) weight: Weight,
    pub(in crate::eval) count: i32,
    pub(in crate::eval) square: Square,
    pub(in crate::eval) sets: Vec<Bitboard>,
}

impl Template {
    /// Reads a template. `value` is the name of the weight. `set` compiles the expression after `the`, which stands at a
    /// place of the text, and returns its index and its side.
    pub(in crate::eval) fn read(
        text: &str,
        value: &str,
        mut set: impl FnMut(&str, usize) -> Result<(usize, Option<Owner>), Mistake>,
    ) -> Result<Template, Mistake> {
        let mut parts = Vec::new();
        let mut at = 0;
        while let Some(open) = text[at..].find(['{', '}']).map(|open| at + open) {
            let place = text[open..].strip_prefix('{').and_then(|rest| rest.split_once('}'));
            let Some((place, _)) = place.filter(|(place, _)| !place.contains('{')) else {
                let mistake = Mistake::new(open..open + 1, "a brace without its partner");
                return Err(mistake.hint("a place is written as `{square}`"));
            };
            parts.push(Part::Text(text[at..open].to_owned()));
            let span = open + 1..open + 1 + place.len();
            parts.push(match (place, place.split_once('|'), place.strip_prefix("the ")) {
                (_, Some((_, several)), None) if several.contains('|') => {
                    let mistake = Mistake::new(span, "more than two choices");
                    return Err(
                        mistake.hint("write the words for one and for several, as in `{is|are}`")
                    );
                }
                (_, Some((one, several)), None) => Part::Choice([one, several].map(str::to_owned)),
                (_, _, Some(expression)) => {
                    let (set, side) = set(expression, span.start + "the ".len())?;
                    let word = expression.rsplit('.').next().unwrap_or(expression);
                    let noun = word.strip_suffix('s').unwrap_or(word).replace('_', " ");
                    Part::Things { noun, owner: side, set }
                }
                ("side", ..) => Part::Side(Owner::Own),
                ("enemy", ..) => Part::Side(Owner::Enemy),
                ("square" | "squares", ..) => Part::Squares,
                ("count", ..) => Part::Value,
                _ if place == value => Part::Value,
                _ => {
                    let known = ["side", "enemy", "square", "squares", "count", value];
                    let usual =
                        "write one of {side}, {enemy}, {squares}, {count}, {the NAME} and {is|are}";
                    let choice = place.split_once('/').map(|(one, several)| {
                        format!("write `{{{one}|{several}}}` for one and for several")
                    });
                    let is_set = set(place, 0).is_ok();
                    let noun = is_set.then(|| format!("write `{{the {place}}}`"));
                    let hint = choice.or(noun).or_else(|| did_you_mean(place, known));
                    let message = format!("unknown place `{{{place}}}`");
                    return Err(Mistake::new(span, message).hint(hint.as_deref().unwrap_or(usual)));
                }
            });
            at = open + place.len() + 2;
        }
        parts.push(Part::Text(text[at..].to_owned()));
        Ok(Template { parts })
    }

    /// The sentence for contributions of one value.
    pub(super) fn fill(
        &self,
        spec: &WeightSpec,
        side: Color,
        value: f64,
        sights: &[&Sight],
    ) -> String {
        let union = |set: usize| {
            let sets = sights.iter().filter_map(|sight| sight.sets.get(set));
            sets.fold(Bitboard::EMPTY, |all, set| all | *set)
        };
        let squares: Bitboard = sights.iter().map(|sight| sight.square).collect();
        let first = self.parts.iter().find_map(|part| match part {
            Part::Things { set, .. } => Some(union(*set)),
            _ => None,
        });
        let is_one = first.unwrap_or(squares).count() <= 1;
        let parts = self.parts.iter().map(|part| match part {
            Part::Text(text) => text.clone(),
            Part::Side(owner) => owner_name(*owner, side).to_owned(),
            Part::Things { noun, owner, set } => {
                things(noun, owner.map(|owner| owner_name(owner, side)), union(*set))
            }
            Part::Value => spec.amount(value, side),
            Part::Squares => match squares.count() {
                ..=MAX_SQUARES => named(squares),
                count => format!("{count} squares"),
            },
            Part::Choice([one, several]) => if is_one { one } else { several }.clone(),
        });
        parts.collect()
    }
}

/// `White's rook on h1`, `the squares on c3 and e4`, `4 pawns of Black`.
fn things(noun: &str, side: Option<&str>, squares: Bitboard) -> String {
    let whose = side.map_or("the".to_owned(), |side| format!("{side}'s"));
    match squares.count() {
        0 => format!("no {noun}"),
        1 => format!("{whose} {noun} on {}", named(squares)),
        2..=MAX_SQUARES => format!("{whose} {noun}s on {}", named(squares)),
        count => match side {
            Some(side) => format!("{count} {noun}s of {side}"),
            None => format!("{count} {noun}s"),
        },
    }
}

/// The name of a side as a sentence sees it.
fn owner_name(owner: Owner, side: Color) -> &'static str {
    match owner {
        Owner::Own => side_name(side),
        Owner::Enemy => side_name(!side),
    }
}
