//! The UCI options.
//!
//! An entry of [`OPTIONS`] holds everything about an option: name, type, range, default, sentence,
//! and what it sets. The `uci` reply, `setoption` and `docs/uci.md` follow from it.

use super::messages::parse;
use super::session::Session;
use crate::eval::{PERCENT, file::is_term_name};
use crate::search::{DEFAULT_MOVE_OVERHEAD, Level, TranspositionTable};
use crate::text::did_you_mean;
use std::time::Duration;
use vampirc_uci::{UciMessage, UciOptionConfig};

/// One UCI option.
#[derive(Debug)]
pub struct UciOption {
    /// Its name. Case does not matter.
    pub name: &'static str,
    /// What it does, for the documentation.
    pub doc: &'static str,
    pub kind: Kind,
}

/// The type of an option, its default, and what it sets. The errors are texts for the user.
#[derive(Debug)]
pub enum Kind {
    /// A whole number.
    Spin(Spin, Effect<i64>),
    /// True or false, with its default.
    Check(bool, Effect<bool>),
    /// An action without a value.
    Button(fn(&mut Session)),
    /// Text, empty at start. The function receives `None` for an empty text.
    Text(fn(&mut Session, Option<&str>) -> Result<(), String>),
}

/// What the value of an option changes.
#[derive(Debug)]
pub enum Effect<T> {
    /// A value that the next search reads.
    Setting(fn(&mut Settings, T)),
    /// A part of the session.
    Session(fn(&mut Session, T) -> Result<(), String>),
}

use Effect::Setting;

/// The values of options that a search reads when it starts.
#[derive(Clone, Default, Debug)]
pub struct Settings {
    pub threads: usize,
    /// The number of best lines to show.
    pub lines: usize,
    pub chess960: bool,
    pub show_wdl: bool,
    pub move_overhead: Duration,
    pub skill_level: u32,
    pub limit_strength: bool,
    pub elo: u32,
    pub fifty_move_rule: bool,
}

impl Settings {
    /// How strong to play. `UCI_Elo` takes precedence over `Skill Level`.
    pub fn level(&self) -> Level {
        if self.limit_strength { Level::of_elo(self.elo) } else { Level::new(self.skill_level) }
    }
}

/// A whole number from `min` to `max`.
#[derive(Clone, Copy, Debug)]
pub struct Spin {
    pub default: i64,
    pub min: i64,
    pub max: i64,
}

const fn spin(default: i64, min: i64, max: i64) -> Spin {
    Spin { default, min, max }
}

/// The percentage of a term: 100 is the weight that the engine file gives it.
pub const TERM_PERCENT: Spin = spin(100, *PERCENT.start() as i64, *PERCENT.end() as i64);

/// The Elo number of full strength.
const MAX_ELO: i64 = Level::HIGHEST_ELO as i64;

/// The options of every engine, in the order of the `uci` reply. One for each built-in term and for
/// each term that the engine file of the start writes follows them.
pub const OPTIONS: &[UciOption] = &[
    UciOption {
        name: "Hash",
        doc: "size of the transposition table in MiB; refused if the machine has not enough free memory",
        kind: Kind::Spin(
            spin(
                TranspositionTable::DEFAULT_SIZE as i64,
                TranspositionTable::MIN_SIZE as i64,
                1 << 20,
            ),
            Effect::Session(|session, size| session.resize_table(size as usize)),
        ),
    },
    UciOption {
        name: "Clear Hash",
        doc: "clear the transposition table",
        kind: Kind::Button(Session::clear_table),
    },
    UciOption {
        name: "Threads",
        doc: "number of search threads",
        kind: Kind::Spin(spin(1, 1, 1024), Setting(|it, n| it.threads = n as usize)),
    },
    UciOption {
        name: "Ponder",
        doc: "the GUI may let the engine think on the opponent's time",
        // GUIs only ask whether the option exists. `go ponder` says what a search needs to know.
        kind: Kind::Check(false, Setting(|_, _| ())),
    },
    UciOption {
        name: "MultiPV",
        doc: "number of best lines to show",
        kind: Kind::Spin(spin(1, 1, 218), Setting(|it, n| it.lines = n as usize)),
    },
    UciOption {
        name: "Move Overhead",
        doc: "milliseconds kept in reserve on every move for the delay between engine and GUI",
        kind: Kind::Spin(
            spin(DEFAULT_MOVE_OVERHEAD.as_millis() as i64, 0, 10_000),
            Setting(|it, ms| it.move_overhead = Duration::from_millis(ms as u64)),
        ),
    },
    UciOption {
        name: "UCI_Chess960",
        doc: "play Chess960: castling is written as king takes rook",
        kind: Kind::Check(false, Setting(|it, on| it.chess960 = on)),
    },
    UciOption {
        name: "UCI_ShowWDL",
        doc: "show the chances of a win, a draw and a loss, in thousandths",
        kind: Kind::Check(false, Setting(|it, on| it.show_wdl = on)),
    },
    UciOption {
        name: "UCI_LimitStrength",
        doc: "limit the playing strength to UCI_Elo",
        kind: Kind::Check(false, Setting(|it, on| it.limit_strength = on)),
    },
    UciOption {
        name: "UCI_Elo",
        doc: "playing strength with UCI_LimitStrength, in Elo",
        kind: Kind::Spin(
            spin(MAX_ELO, Level::LOWEST_ELO as i64, MAX_ELO),
            Setting(|it, elo| it.elo = elo as u32),
        ),
    },
    UciOption {
        name: "Skill Level",
        doc: "playing strength without UCI_LimitStrength; 20 is full strength",
        kind: Kind::Spin(
            spin(Level::FULL as i64, 0, Level::FULL as i64),
            Setting(|it, level| it.skill_level = level as u32),
        ),
    },
    UciOption {
        name: "SyzygyPath",
        doc: "folders of Syzygy tablebases, separated by `:` (`;` on Windows)",
        kind: Kind::Text(Session::open_tablebases),
    },
    UciOption {
        name: "Syzygy50MoveRule",
        doc: "count a tablebase win as a draw if the fifty-move rule comes first",
        kind: Kind::Check(true, Setting(|it, on| it.fifty_move_rule = on)),
    },
    UciOption {
        name: "ExactEndgames",
        doc: "play endings of up to four pieces perfectly, from tables that are computed when they are needed",
        kind: Kind::Check(true, Effect::Session(Session::use_exact_endgames)),
    },
    UciOption {
        name: "EngineFile",
        doc: "engine file (TOML) to evaluate with; empty for the built-in engine",
        kind: Kind::Text(Session::load_engine),
    },
    UciOption {
        name: "TermPercent",
        doc: "`NAME=PERCENT` sets the weight of a term, also of one that the engine file writes; several are separated by commas or blanks",
        kind: Kind::Text(set_term_percents),
    },
    UciOption {
        name: "Debug Log File",
        doc: "file to which all traffic is written with the time in seconds since 1970; empty for none",
        kind: Kind::Text(Session::log_to),
    },
];

/// The settings at start: the defaults of [`OPTIONS`].
pub fn default_settings() -> Settings {
    let mut settings = Settings::default();
    for option in OPTIONS {
        match option.kind {
            Kind::Spin(Spin { default, .. }, Effect::Setting(set)) => set(&mut settings, default),
            Kind::Check(default, Effect::Setting(set)) => set(&mut settings, default),
            _ => {}
        }
    }
    settings
}

/// The `option` lines of the `uci` reply.
pub fn messages(session: &Session) -> impl Iterator<Item = UciMessage> {
    let options = OPTIONS.iter().map(UciOption::message);
    let terms = session.terms_with_option();
    let terms = terms.map(|term| TERM_PERCENT.message(percent_option(&term.name)));
    #[cfg(feature = "tune")]
    let terms = terms.chain(parameters().map(|(name, spin, _)| spin.message(name.to_owned())));
    options.chain(terms)
}

/// Reads the rest of a `setoption` line and sets the option.
///
/// # Errors
///
/// A text for the user, if the line cannot be read, no option has this name, or the value does not
/// fit. Nothing is changed then.
pub fn set_option(session: &mut Session, arguments: &str) -> Result<(), String> {
    let (name, value) = read(arguments).ok_or("usage: setoption name NAME [value VALUE]")?;
    let name = set(session, &name, value.as_deref())?;
    if session.debug {
        session.output.info(format_args!("{name} is {}", value.as_deref().unwrap_or("set")));
    }
    Ok(())
}

/// Sets an option and returns its name as `uci` lists it.
fn set(session: &mut Session, name: &str, value: Option<&str>) -> Result<String, String> {
    let text = value.unwrap_or_default();
    if let Some(option) = OPTIONS.iter().find(|option| option.name.eq_ignore_ascii_case(name)) {
        option.set(session, value).map_err(unchanged)?;
        return Ok(option.name.to_owned());
    }
    let terms = session.known_terms();
    let has_name = |term: &&str| percent_option(term).eq_ignore_ascii_case(name);
    if let Some(term) = terms.iter().copied().find(has_name).map(str::to_owned) {
        let percent = read_percent(&term, text).map_err(unchanged)?;
        session.set_percents([(term.as_str(), percent)]);
        return Ok(percent_option(&term));
    }
    #[cfg(feature = "tune")]
    if let Some((known, spin, parameter)) = parameters().find(|(known, ..)| *known == name) {
        parameter.set(spin.number(known, text).map_err(unchanged)? as i32);
        return Ok(known.to_owned());
    }
    let terms: Vec<String> = terms.into_iter().map(percent_option).collect();
    let known = OPTIONS.iter().map(|option| option.name).chain(terms.iter().map(String::as_str));
    let hint = did_you_mean(name, known).unwrap_or_else(|| "`uci` lists all options".to_owned());
    Err(format!("unknown option {name:?}; {hint}"))
}

/// The name of the option that sets the percentage of a term.
fn percent_option(term: &str) -> String {
    format!("{term} percent")
}

fn read_percent(term: &str, text: &str) -> Result<u32, String> {
    Ok(TERM_PERCENT.number(&percent_option(term), text)? as u32)
}

/// An error of an option. Only its first line says what is wrong; the others show where.
fn unchanged(error: String) -> String {
    match error.split_once('\n') {
        Some((message, excerpt)) => format!("{message}; nothing is changed\n{excerpt}"),
        None => format!("{error}; nothing is changed"),
    }
}

/// Sets percentages of terms: `NAME=PERCENT`, or several of them. GUIs send an empty text too.
fn set_term_percents(session: &mut Session, text: Option<&str>) -> Result<(), String> {
    let Some(text) = text else { return Ok(()) };
    let percents = read_term_percents(text, &session.known_terms())?;
    session.set_percents(percents.iter().map(|(term, percent)| (term.as_str(), *percent)));
    Ok(())
}

/// The pairs of `TermPercent`. The names are those of `known`, in any case, or names that no known term
/// resembles.
fn read_term_percents(text: &str, known: &[&str]) -> Result<Vec<(String, u32)>, String> {
    const FORMAT: &str = "TermPercent must be NAME=PERCENT, as in mobility=50, or several of them \
                          separated by commas or blanks";
    let words = text.split(|c: char| c == ',' || c.is_whitespace());
    let mut percents: Vec<(String, u32)> = Vec::new();
    for word in words.filter(|word| !word.is_empty()) {
        let Some((name, percent)) = word.split_once('=') else {
            return Err(format!("{FORMAT}; {word:?} has no `=`"));
        };
        if name.is_empty() || percent.is_empty() {
            let missing = if name.is_empty() { "name before" } else { "number after" };
            return Err(format!("{FORMAT}; {word:?} has no {missing} the `=`"));
        }
        let is_known = |known: &&&str| known.eq_ignore_ascii_case(name);
        let term = match (known.iter().find(is_known), did_you_mean(name, known.iter().copied())) {
            (Some(term), _) => *term,
            (None, Some(hint)) => {
                return Err(format!("TermPercent: unknown term {name:?}; {hint}"));
            }
            // It may be a term of a file that is loaded later: programs send options in any order.
            (None, None) if is_term_name(name) => name,
            (None, None) => return Err(format!("TermPercent: {name:?} cannot be a term")),
        };
        if percents.iter().any(|(before, _)| before == term) {
            return Err(format!("TermPercent: {term} is given twice"));
        }
        percents.push((term.to_owned(), read_percent(term, percent)?));
    }
    if percents.is_empty() { Err(format!("{FORMAT}, not {text:?}")) } else { Ok(percents) }
}

/// Name and value of `name NAME [value VALUE]`. White space inside the value is part of the value.
fn read(arguments: &str) -> Option<(String, Option<String>)> {
    let (head, value) = find_word(arguments, "value")
        .map_or((arguments, ""), |at| (&arguments[..at], arguments[at + "value".len()..].trim()));
    let head = head.split_whitespace().collect::<Vec<_>>().join(" ");
    let value = if value.is_empty() { String::new() } else { format!(" value {value}") };
    let message = parse(&format!("setoption {head}{value}"));
    let UciMessage::SetOption { name, value } = message else { return None };
    let name = name.trim().to_owned();
    let value = value.map(|value| value.trim().to_owned());
    let value = value.filter(|value| !value.is_empty() && value != "<empty>");
    (!name.is_empty()).then_some((name, value))
}

/// The index at which `word` stands alone in `text`.
fn find_word(text: &str, word: &str) -> Option<usize> {
    let is_edge = |c: Option<char>| c.is_none_or(char::is_whitespace);
    text.match_indices(word).map(|(at, _)| at).find(|&at| {
        is_edge(text[..at].chars().next_back()) && is_edge(text[at + word.len()..].chars().next())
    })
}

impl UciOption {
    fn set(&self, session: &mut Session, value: Option<&str>) -> Result<(), String> {
        let text = value.unwrap_or_default();
        match &self.kind {
            Kind::Spin(spin, effect) => effect.apply(session, spin.number(self.name, text)?),
            Kind::Check(_, effect) => effect.apply(session, true_or_false(self.name, text)?),
            Kind::Button(press) => {
                press(session);
                Ok(())
            }
            Kind::Text(set) => set(session, value),
        }
    }

    fn message(&self) -> UciMessage {
        let name = self.name.to_owned();
        UciMessage::Option(match self.kind {
            Kind::Spin(spin, _) => return spin.message(name),
            Kind::Check(default, _) => UciOptionConfig::Check { name, default: Some(default) },
            Kind::Button(_) => UciOptionConfig::Button { name },
            Kind::Text(_) => UciOptionConfig::String { name, default: Some("<empty>".to_owned()) },
        })
    }
}

impl<T> Effect<T> {
    fn apply(&self, session: &mut Session, value: T) -> Result<(), String> {
        match self {
            Effect::Setting(set) => set(&mut session.settings, value),
            Effect::Session(set) => return set(session, value),
        }
        Ok(())
    }
}

impl Spin {
    fn message(self, name: String) -> UciMessage {
        let [default, min, max] = [self.default, self.min, self.max].map(Some);
        UciMessage::Option(UciOptionConfig::Spin { name, default, min, max })
    }

    /// Reads a number within the range.
    fn number(self, name: &str, value: &str) -> Result<i64, String> {
        let Spin { min, max, .. } = self;
        let number = value.parse().ok().filter(|number| (min..=max).contains(number));
        number.ok_or_else(|| {
            format!("{name} must be a whole number from {min} to {max}, not {value:?}")
        })
    }
}

fn true_or_false(name: &str, value: &str) -> Result<bool, String> {
    let complaint = |_| format!("{name} must be true or false, not {value:?}");
    value.to_ascii_lowercase().parse().map_err(complaint)
}

/// The search parameters as options.
#[cfg(feature = "tune")]
fn parameters() -> impl Iterator<Item = (&'static str, Spin, &'static crate::search::Parameter)> {
    crate::search::PARAMETERS.iter().map(|parameter| {
        let [default, min, max] = [parameter.default, parameter.low, parameter.high].map(i64::from);
        (parameter.name, spin(default, min, max), parameter)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines of `percents.txt`: a value, and what is read of it or said against it.
    #[test]
    fn percentages_of_terms_are_read() {
        for line in include_str!("percents.txt").lines().filter(|line| !line.starts_with('#')) {
            let (text, wanted) = line.split_once(" => ").unwrap();
            let found = read_term_percents(text, &["mobility", "mop_up", "safe_forks"]);
            let found = found.map_or_else(|error| error, |terms| format!("{terms:?}"));
            assert!(found.contains(wanted), "{line}: {found}");
        }
    }

    proptest::proptest! {
        #[test]
        fn no_text_of_percentages_panics(text in "([a-z_]{0,3}|mop_up|[=, 0-9]){0,9}|\\PC{0,30}") {
            let _ = read_term_percents(&text, &["mop_up", "a"]);
        }
    }

    /// The lines of `setoption.txt`: what follows the keyword, the name and the value.
    #[test]
    fn name_and_value_are_read() {
        for line in include_str!("setoption.txt").lines().filter(|line| line.contains('|')) {
            let mut parts = line.split('|');
            let [text, name, value] = [(); 3].map(|()| parts.next().unwrap());
            let wanted = (name.to_owned(), Some(value.to_owned()).filter(|it| !it.is_empty()));
            assert_eq!(read(text), Some(wanted).filter(|it| !it.0.is_empty()), "{line}");
        }
    }
}
