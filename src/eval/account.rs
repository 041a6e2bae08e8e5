//! What a term tells a person: reasons in words, and a drawing.
//!
//! A term declares with `theme`, `says` and `draws` what its counts mean. Every reader, such as an explanation or a page,
//! asks the [`Trace`]; none knows a term by name.

use super::counted::{Counted, Seen};
use super::formula::FormulaTerm;
use super::marks::MAX_WAYS;
use super::meaning::Text;
use super::{Arrow, EvalContext, Marks, Row, Trace};
use crate::text::{joined, noun, side_name};
use shakmaty::{Bitboard, Chess, Color, Role, Square};

/// At most this game phase is an endgame, in which kings are active and need no shelter.
pub const ENDGAME_PHASE: i32 = 8;

/// What the sentences of terms are about. A term may declare a theme of its own.
pub mod theme {
    /// Who has which pieces.
    pub const MATERIAL: &str = "material";
    /// Where the kings stand, and what attacks them.
    pub const KING: &str = "king";
    /// Passed pawns, weak pawns and space.
    pub const PAWNS: &str = "pawns";
    /// What the pieces can do from their squares.
    pub const PIECES: &str = "pieces";
    /// What is attacked, pinned or forked.
    pub const THREATS: &str = "threats";
}

/// The most pieces, files or squares in one sentence.
pub(crate) const MAX_NAMED: usize = 3;

/// One reason why a position is good for a side.
#[derive(Clone, PartialEq, Debug)]
pub struct Reason {
    /// What it is about, as the term declares it: `king`, `pawns`.
    pub theme: Text,
    /// In centipawns, positive if good for White.
    pub value: f64,
    /// The fact in a few words, as the main clause of a sentence.
    pub clause: String,
    /// What it consists of.
    pub detail: Option<String>,
}

impl Reason {
    /// The side that it is good for.
    pub fn side(&self) -> Color {
        Color::from_white(self.value > 0.0)
    }

    /// The clause with what it consists of.
    pub fn sentence(&self) -> String {
        let detail = self.detail.as_ref().map(|detail| format!(": {detail}")).unwrap_or_default();
        format!("{}{detail}.", crate::text::capitalized(&self.clause))
    }
}

/// Who puts the counts of a term into words.
#[derive(Copy, Clone, Default)]
pub enum Speech {
    /// The program makes a sentence of what a weight counts.
    #[default]
    Plain,
    /// The term that speaks for its theme, if the engine has one; else as [`Speech::Plain`].
    OfTheme,
    /// The term itself. It speaks for its theme, too.
    Own(fn(&Account) -> Vec<Reason>),
}

/// The position and the counts of one term, for its words and its drawing.
#[derive(Copy, Clone)]
pub struct Account<'a> {
    /// The evaluation of the position.
    pub trace: &'a Trace,
    /// The row of the term.
    pub row: &'a Row,
}

impl<'a> Account<'a> {
    /// The position.
    pub fn position(&self) -> &'a Chess {
        &self.trace.position
    }

    /// What terms read of the position.
    pub fn context(&self) -> &'a EvalContext {
        &self.trace.context
    }

    /// The value of some rows, White minus Black, in centipawns.
    fn sum(&self, is_meant: impl Fn(&Row) -> bool) -> f64 {
        let rows = self.trace.rows.iter().filter(|row| is_meant(row));
        rows.map(|row| row.total().centipawns(self.context().phase)).sum()
    }

    /// The value of the term and of those that it speaks for, White minus Black, in centipawns.
    pub fn of_theme(&self) -> f64 {
        let theme = &self.row.entry.theme;
        self.sum(|row| row.entry.theme == *theme && !matches!(row.entry.speech, Speech::Plain))
    }

    /// The value of some terms, White minus Black, in centipawns.
    pub fn of_terms(&self, terms: &[&str]) -> f64 {
        self.sum(|row| terms.contains(&row.name()))
    }

    /// What some terms count of a side's thing on a square, in centipawns for that side.
    pub fn on_square(&self, terms: &[&str], side: Color, square: Square) -> f64 {
        let rows = self.trace.rows.iter().filter(|row| terms.contains(&row.name()));
        let worth = |row: &Row| {
            let here = row.contributions(side).iter().filter(|seen| seen.square == square);
            here.map(|seen| row.worth(seen).centipawns(self.context().phase)).sum::<f64>()
        };
        rows.map(worth).sum()
    }

    /// The value of one weight of the term, White minus Black, in centipawns.
    pub fn of_weight(&self, weight: &str) -> f64 {
        let spec = self.row.entry.weights.iter().find(|spec| spec.name == weight);
        let score = spec.map(|spec| Counted::new(self.row, spec).score).unwrap_or_default();
        score.centipawns(self.context().phase)
    }

    /// Where the term counts a weight for a side.
    pub fn squares(&self, side: Color, weights: &[&str]) -> Vec<Square> {
        let named = self.row.contributions(side).iter().filter(|seen| {
            let spec = self.row.weight(seen.weight);
            seen.count != 0 && spec.is_some_and(|(spec, _)| weights.contains(&&*spec.name))
        });
        named.map(|seen| seen.square).collect()
    }

    /// A reason that is good for a side by this value in centipawns.
    pub fn reason(&self, side: Color, value: f64, clause: String, details: Vec<String>) -> Reason {
        Reason {
            theme: self.row.entry.theme.clone(),
            value: side.fold_wb(value, -value),
            clause,
            detail: (!details.is_empty()).then(|| joined(&details)),
        }
    }
}

/// A piece and its square in a sentence: `the rook on h1`.
pub fn the_piece(role: Role, square: Square) -> String {
    format!("the {} on {square}", noun(role))
}

/// Squares in a sentence.
pub(crate) fn named(squares: Bitboard) -> String {
    let names: Vec<String> = squares.into_iter().map(|square| square.to_string()).collect();
    joined(&names)
}

impl Trace {
    /// Why the position is good for each side, as its terms say it: the largest reason first.
    pub fn reasons(&self) -> Vec<Reason> {
        let accounts = self.rows.iter().map(|row| Account { trace: self, row });
        let mut reasons: Vec<Reason> = accounts.flat_map(|account| account.reasons()).collect();
        reasons.sort_by(|a, b| b.value.abs().total_cmp(&a.value.abs()));
        reasons
    }

    /// The drawing of one of its rows.
    pub fn marks(&self, row: &Row) -> Marks {
        let account = Account { trace: self, row };
        match (row.entry.formula(), row.entry.draws) {
            (Some(term), _) => term.marks(&self.context),
            (None, Some(draws)) => draws(&account),
            (None, None) => account.distances(),
        }
    }
}

impl Account<'_> {
    /// The distances from kings that a sentence tells first: of those that the sides do not have alike.
    fn distances(&self) -> Marks {
        let mut marks = Marks::default();
        for counted in self.row.counted(self.context().phase) {
            for (side, seen) in Color::ALL.into_iter().zip(counted.unlike()) {
                let Some((walk, owner, of)) = counted.spec.meaning.walk(side) else { continue };
                let king = self.context().side(of).king;
                for seen in seen {
                    let way = walk.way(self.context(), owner, seen.square, king);
                    let is_read = |way: &Arrow| {
                        way.length.map(|length| length.to_string()) == Some(counted.number(&seen))
                    };
                    way.filter(is_read).into_iter().for_each(|way| marks.add_arrow(way));
                }
            }
        }
        marks.arrows.truncate(MAX_WAYS);
        marks
    }

    fn reasons(&self) -> Vec<Reason> {
        let entry = &self.row.entry;
        let is_spoken_for = || {
            let others = self.trace.rows.iter().map(|row| &row.entry);
            let mut of_theme = others.filter(|other| other.theme == entry.theme);
            of_theme.any(|other| matches!(other.speech, Speech::Own(_)))
        };
        match entry.speech {
            Speech::Own(says) => says(self),
            Speech::OfTheme if is_spoken_for() => Vec::new(),
            _ => match entry.formula().filter(|term| term.has_words()) {
                Some(term) => self.of_weights(term),
                None => self.plain().into_iter().collect(),
            },
        }
    }

    /// A reason for each weight of a term for which the file writes sentences.
    fn of_weights(&self, term: &FormulaTerm) -> Vec<Reason> {
        let phase = self.context().phase;
        let all = self.row.counted(phase);
        let reasons = all.iter().filter_map(|counted| {
            let value = counted.score.centipawns(phase);
            let side = Color::from_white(value > 0.0);
            let (of, group) = self.group(counted, side)?;
            let written = term.clause(self, counted, of, &group);
            let clause = written.or_else(|| self.clause(counted, side))?;
            Some(self.reason(side, value.abs(), clause, Vec::new()))
        });
        reasons.collect()
    }

    /// A sentence of what the strongest weights count.
    fn plain(&self) -> Option<Reason> {
        let phase = self.context().phase;
        let value = self.row.total().centipawns(phase);
        let side = Color::from_white(value > 0.0);
        let all = self.row.counted(phase);
        let helps = |counted: &&Counted| counted.score.centipawns(phase) * value > 0.0;
        let clause = all.iter().filter(helps).find_map(|counted| self.clause(counted, side))?;
        Some(self.reason(side, value.abs(), clause, Vec::new()))
    }

    fn clause(&self, counted: &Counted, side: Color) -> Option<String> {
        let (of, group) = self.group(counted, side)?;
        let clause = counted.spec.prose(of, &group);
        // The distance of one thing on each side, such as the kings, is told beside the other.
        let compared = match &counted.seen {
            [white, black]
                if counted.spec.is_distance() && white.len() == 1 && black.len() == 1 =>
            {
                let other = counted.number(&of.fold_wb(black, white)[0]);
                format!(", {}'s {other}", side_name(!of))
            }
            _ => String::new(),
        };
        Some(clause + &compared)
    }

    /// What of a weight is good for a side: its own things that count for it, or the other side's that count against
    /// that. What both sides have alike is left out. Of things with a value, those whose value matters most.
    fn group(&self, counted: &Counted, side: Color) -> Option<(Color, Vec<Seen>)> {
        let phase = self.context().phase;
        let telling = counted.telling();
        let of_side = |of: Color| &telling[of.fold_wb(0, 1)];
        let helps = |of: Color| {
            let worth: f64 = of_side(of).iter().map(|seen| seen.worth.centipawns(phase)).sum();
            if of == side { worth } else { -worth }
        };
        let of = if helps(side) >= helps(!side) { side } else { !side };
        let mut seen: Vec<&Seen> = of_side(of).iter().collect();
        seen.sort_by(|a, b| {
            let worth = |seen: &Seen| seen.worth.centipawns(phase).abs();
            worth(b).total_cmp(&worth(a))
        });
        let first = *seen.first()?;
        let alike = |other: &&Seen| {
            !counted.spec.has_own_values()
                || (other.distance, other.count) == (first.distance, first.count)
        };
        Some((of, seen.into_iter().filter(alike).cloned().collect()))
    }
}
