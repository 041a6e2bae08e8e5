//! Arguments that clap does not read by itself.

use crate::play::MoveLimit;
use clap::builder::RangedU64ValueParser;
use std::time::Duration;
use tropism::eval::{Engine, PERCENT};

/// Reads a whole number from 1 on.
pub(crate) fn at_least_1<T: TryFrom<u64> + Clone + Send + Sync>() -> RangedU64ValueParser<T> {
    RangedU64ValueParser::new().range(1..)
}

/// Reads a number of games, which are played in pairs: an even number from `least` on.
pub(crate) fn games(least: u64) -> impl Fn(&str) -> Result<u64, String> + Clone + Send + Sync {
    move |text| match text.parse() {
        Ok(games) if games >= least && games % 2 == 0 => Ok(games),
        _ => Err(format!(
            "each opening is played with both colours: write an even number from {least} on"
        )),
    }
}

/// Reads a number of a range.
fn number(text: &str, is_in: impl Fn(f64) -> bool, range: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|&number| is_in(number));
    number.ok_or_else(|| format!("not a number {range}"))
}

/// Reads the probability of a wrong verdict, above 0 and below one half.
pub(crate) fn error_probability(text: &str) -> Result<f64, String> {
    number(text, |error| error > 0.0 && error < 0.5, "above 0 and below 0.5")
}

/// Reads a number above 0.
pub(crate) fn positive(text: &str) -> Result<f64, String> {
    number(text, |number| number > 0.0 && number.is_finite(), "above 0")
}

/// Reads a share, 0 to 1.
pub(crate) fn share(text: &str) -> Result<f64, String> {
    number(text, |share| (0.0..=1.0).contains(&share), "from 0 to 1")
}

/// Reads a time control, `3+0.03`: seconds for the game, and seconds that each move adds.
pub(crate) fn time_control(text: &str) -> Result<MoveLimit, String> {
    let seconds = |text: &str| Duration::try_from_secs_f64(text.parse().ok()?).ok();
    let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
    match (seconds(base), seconds(increment)) {
        (Some(base), Some(increment)) if !base.is_zero() => {
            Ok(MoveLimit::Clock { base, increment })
        }
        _ => Err("write the seconds for the game and those that each move adds, as in 3+0.03; \
                  other time controls are not possible"
            .to_owned()),
    }
}

/// Reads the percentage of a term, `knight_forks=0`.
pub(crate) fn term_percent(text: &str) -> Result<(String, u32), String> {
    let percent = text.split_once('=').and_then(|(term, percent)| {
        let percent = percent.parse().ok().filter(|percent| PERCENT.contains(percent))?;
        (!term.is_empty()).then(|| (term.to_owned(), percent))
    });
    let (min, max) = (PERCENT.start(), PERCENT.end());
    percent.ok_or_else(|| {
        format!("write TERM=PERCENT, as in knight_forks=0; the number is from {min} to {max}")
    })
}

/// Says that an engine has no term of this name, and which terms it has.
pub(crate) fn no_such_term(engine: &Engine, term: &str) -> String {
    let known: Vec<&str> = engine.terms().collect();
    format!("the engine has no term {term:?}; it has {}", known.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls_are_read() {
        let clock = |base, increment| {
            let [base, increment] = [base, increment].map(Duration::from_millis);
            Ok(MoveLimit::Clock { base, increment })
        };
        assert_eq!(time_control("3+0.03"), clock(3000, 30));
        assert_eq!(time_control("60"), clock(60_000, 0));
        for text in ["", "3+", "3:00", "40/60", "0+1", "-3", "3+-1", "3+inf", "1e99", "x"] {
            assert!(time_control(text).is_err(), "{text}");
        }
    }

    #[test]
    fn percentages_are_read() {
        assert_eq!(term_percent("mop_up=50"), Ok(("mop_up".to_owned(), 50)));
        for text in ["", "mop_up", "=50", "mop_up=", "mop_up=50%", "mop_up=401", "mop_up=-1"] {
            let error = term_percent(text).unwrap_err();
            assert!(error.starts_with("write TERM=PERCENT") && error.ends_with("0 to 400"));
        }
    }
}
