//! What `setoption` can set.

use crate::eval::PERCENT;
use crate::search::{DEFAULT_MOVE_OVERHEAD, Level, Tablebases, TranspositionTable};
use vampirc_uci::{UciMessage, UciOptionConfig};

/// One UCI option, from which the `uci` reply and the documentation are made.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct OptionSpec<'a> {
    /// Its name; upper and lower case are the same.
    pub name: &'a str,
    /// Its type with default and range.
    pub kind: Kind,
    /// What it does, for people.
    pub doc: &'a str,
}

/// The type of an option.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A whole number.
    Spin {
        /// The value at start.
        default: i64,
        /// The smallest value.
        min: i64,
        /// The largest value.
        max: i64,
    },
    /// True or false.
    Check {
        /// The value at start.
        default: bool,
    },
    /// Something to press.
    Button,
    /// Text, empty at start.
    Text,
}

/// The options of every engine, in the order GUIs are told of them. One a term follows, see
/// [`OptionSpec::of_term`].
pub const OPTIONS: &[OptionSpec<'static>] = &[
    OptionSpec {
        name: "Hash",
        kind: Kind::Spin {
            default: TranspositionTable::DEFAULT_SIZE as i64,
            min: TranspositionTable::MIN_SIZE as i64,
            max: 1 << 20,
        },
        doc: "size of the transposition table in MiB, as far as the machine has it",
    },
    OptionSpec {
        name: "Clear Hash",
        kind: Kind::Button,
        doc: "forget everything in the transposition table",
    },
    OptionSpec {
        name: "Threads",
        kind: Kind::Spin { default: 1, min: 1, max: 1024 },
        doc: "number of search threads",
    },
    OptionSpec {
        name: "Ponder",
        kind: Kind::Check { default: false },
        doc: "the GUI may let it think on the opponent's time",
    },
    OptionSpec {
        name: "MultiPV",
        kind: Kind::Spin { default: 1, min: 1, max: 218 },
        doc: "number of best lines to show",
    },
    OptionSpec {
        name: "Move Overhead",
        kind: Kind::Spin { default: DEFAULT_MOVE_OVERHEAD.as_millis() as i64, min: 0, max: 10_000 },
        doc: "milliseconds kept back on every move for the way to the GUI",
    },
    OptionSpec {
        name: "UCI_Chess960",
        kind: Kind::Check { default: false },
        doc: "play Chess960: castling is written as king takes rook",
    },
    OptionSpec {
        name: "UCI_AnalyseMode",
        kind: Kind::Check { default: false },
        doc: "the game is not played but looked at: always full strength",
    },
    OptionSpec {
        name: "UCI_ShowWDL",
        kind: Kind::Check { default: false },
        doc: "show the chances of win, draw and loss, in thousandths",
    },
    OptionSpec {
        name: "UCI_LimitStrength",
        kind: Kind::Check { default: false },
        doc: "play as weakly as UCI_Elo says",
    },
    OptionSpec {
        name: "UCI_Elo",
        kind: Kind::Spin {
            default: Level::HIGHEST_ELO as i64,
            min: Level::LOWEST_ELO as i64,
            max: Level::HIGHEST_ELO as i64,
        },
        doc: "how strong to play with UCI_LimitStrength",
    },
    OptionSpec {
        name: "Skill Level",
        kind: Kind::Spin { default: Level::FULL as i64, min: 0, max: Level::FULL as i64 },
        doc: "how strong to play without UCI_LimitStrength; 20 is full strength",
    },
    OptionSpec {
        name: "SyzygyPath",
        kind: Kind::Text,
        doc: "folders of Syzygy tablebases, separated by `:` (`;` on Windows)",
    },
    OptionSpec {
        name: "SyzygyProbeDepth",
        kind: Kind::Spin { default: 1, min: 1, max: 100 },
        doc: "least depth at which the largest tablebases are asked",
    },
    OptionSpec {
        name: "SyzygyProbeLimit",
        kind: Kind::Spin {
            default: Tablebases::MAX_PIECES as i64,
            min: 0,
            max: Tablebases::MAX_PIECES as i64,
        },
        doc: "most men of a position that tablebases are asked about",
    },
    OptionSpec {
        name: "Syzygy50MoveRule",
        kind: Kind::Check { default: true },
        doc: "a tablebase win that the fifty-move rule spoils is a draw",
    },
    OptionSpec {
        name: "ExactEndgames",
        kind: Kind::Check { default: false },
        doc: "play endings of up to four men without pawns from exact tables, made in the background",
    },
    OptionSpec {
        name: "EngineFile",
        kind: Kind::Text,
        doc: "the engine file (TOML) to evaluate with; empty for the built-in one",
    },
    OptionSpec {
        name: "Debug Log File",
        kind: Kind::Text,
        doc: "file that all traffic is written to, with time stamps; empty for none",
    },
];

impl<'a> OptionSpec<'a> {
    /// The option that weighs a term, in percent of what the engine file gives it. `name` is
    /// [`Entry::option_name`](crate::eval::Entry::option_name), `doc` the term's sentence.
    pub fn of_term(name: &'a str, doc: &'a str) -> OptionSpec<'a> {
        let [min, max] = [*PERCENT.start(), *PERCENT.end()].map(i64::from);
        OptionSpec { name, kind: Kind::Spin { default: 100, min, max }, doc }
    }

    /// The option of this name, upper and lower case being the same.
    pub(super) fn find(name: &str) -> Option<&'static OptionSpec<'static>> {
        OPTIONS.iter().find(|option| option.name.eq_ignore_ascii_case(name))
    }

    /// What to tell GUIs.
    pub(super) fn message(&self) -> UciMessage {
        let name = self.name.to_owned();
        UciMessage::Option(match self.kind {
            Kind::Spin { default, min, max } => UciOptionConfig::Spin {
                name,
                default: Some(default),
                min: Some(min),
                max: Some(max),
            },
            Kind::Check { default } => UciOptionConfig::Check { name, default: Some(default) },
            Kind::Button => UciOptionConfig::Button { name },
            Kind::Text => UciOptionConfig::String { name, default: Some("<empty>".to_owned()) },
        })
    }

    /// Reads a number within the option's range.
    pub(super) fn number(&self, value: &str) -> Result<i64, String> {
        let Kind::Spin { min, max, .. } = self.kind else {
            return Err(format!("{} takes no number", self.name));
        };
        let complaint =
            || format!("{} must be a whole number from {min} to {max}, not {value:?}", self.name);
        let number = value.parse().map_err(|_| complaint())?;
        if (min..=max).contains(&number) { Ok(number) } else { Err(complaint()) }
    }

    /// Reads true or false.
    pub(super) fn check(&self, value: &str) -> Result<bool, String> {
        match value.to_ascii_lowercase().as_str() {
            "true" => Ok(true),
            "false" => Ok(false),
            _ => Err(format!("{} must be true or false, not {value:?}", self.name)),
        }
    }
}

/// What to tell GUIs of a number of the search.
#[cfg(feature = "tune")]
pub(super) fn tuned(parameter: &crate::search::Parameter) -> UciMessage {
    UciMessage::Option(UciOptionConfig::Spin {
        name: parameter.name.to_owned(),
        default: Some(parameter.default.into()),
        min: Some(parameter.low.into()),
        max: Some(parameter.high.into()),
    })
}

/// Sets the number of the search that is called this, if there is one and the value is a number.
#[cfg(feature = "tune")]
pub(super) fn tune(name: &str, value: Option<&str>) -> bool {
    let named = crate::search::PARAMETERS.iter().find(|parameter| parameter.name == name);
    let value = value.and_then(|value| value.parse().ok());
    match (named, value) {
        (Some(parameter), Some(value)) => {
            parameter.set(value);
            true
        }
        _ => false,
    }
}
