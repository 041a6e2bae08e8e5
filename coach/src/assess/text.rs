//! The assessment as text and for programs.

use super::{AssessedMove, Assessment};
use crate::exercise::uci;
use crate::format::{lay_out, signed};
use askama::Template;
use serde_json::{Value, json};
use shakmaty::Move;
use std::fmt;
use tropism::eval::Reason;
use tropism::text::line_in_san;

/// The width of the column of themes, unless one is longer.
const THEME_WIDTH: usize = 8;

#[derive(Template)]
#[template(path = "assessment.txt")]
struct Text<'a> {
    it: &'a Assessment,
}

impl fmt::Display for Assessment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        lay_out(f, &Text { it: self }.to_string())
    }
}

impl Assessment {
    /// The value and the theme of a reason in their columns.
    fn head(&self, reason: &Reason) -> String {
        let themes = self.reasons.iter().map(|reason| reason.theme.len());
        let width = themes.max().unwrap_or_default().max(THEME_WIDTH);
        format!("{:>6}  {:<width$}  ", signed(reason.value), reason.theme)
    }

    /// What is threatened, the best move and the mistake: sentences, each with its line.
    pub(crate) fn advice(&self) -> Vec<(String, &[Move])> {
        let mut advice = Vec::new();
        advice.extend(self.threat.as_ref().map(|threat| (format!("{threat}."), &[][..])));
        for (label, m) in [("Best", &self.best), ("A mistake", &self.mistake)] {
            let Some(m) = m else { continue };
            let text = format!("{label} is {} ({}).", m.name, m.value.figure());
            advice.push(([&[text][..], &m.sentences].concat().join(" "), &m.line[..]));
        }
        advice
    }

    /// Everything for programs: `verdict`, `reasons` with their themes, `scaling`, `threat`, `best` and `mistake` with their lines.
    /// Values are in pawns, positive if good for White.
    pub fn json(&self) -> Value {
        let reason = |reason: &Reason| {
            json!({
                "theme": reason.theme,
                "pawns": (reason.value).round() / 100.0,
                "sentence": reason.sentence(),
            })
        };
        let m = |m: &AssessedMove| {
            let (kind, value) = m.value.json();
            json!({
                "move": m.name,
                kind: value,
                "sentences": m.sentences,
                "moves": uci(&self.start, &m.line),
                "san": line_in_san(&self.start, &m.line),
            })
        };
        json!({
            "verdict": self.verdict,
            "scaling": self.scaling,
            "reasons": self.reasons.iter().map(reason).collect::<Vec<_>>(),
            "threat": self.threat.as_ref().map(|threat| format!("{threat}.")),
            "depth": self.depth,
            "best": self.best.as_ref().map(m),
            "mistake": self.mistake.as_ref().map(m),
        })
    }
}
