//! Arguments that clap does not read by itself.

#[cfg(feature = "tune")]
use tropism::search::{PARAMETERS, Parameter};

/// Reads a number above 0.
///
/// # Errors
///
/// What is wrong with it.
pub(crate) fn positive(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(number) if number > 0.0 && f64::is_finite(number) => Ok(number),
        _ => Err("not a number above 0".to_owned()),
    }
}

/// Reads a share, 0 to 1.
///
/// # Errors
///
/// What is wrong with it.
pub(crate) fn share(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        _ => Err("not a number from 0 to 1".to_owned()),
    }
}

/// Reads the name of a parameter of the search.
///
/// # Errors
///
/// The names that there are.
#[cfg(feature = "tune")]
pub(crate) fn parameter(name: &str) -> Result<&'static Parameter, String> {
    PARAMETERS.iter().find(|parameter| parameter.name == name).ok_or_else(|| {
        let known: Vec<&str> = PARAMETERS.iter().map(|parameter| parameter.name).collect();
        format!("the search has no parameter {name:?}; it has {}", known.join(", "))
    })
}

#[cfg(all(test, feature = "tune"))]
mod tests {
    use super::parameter;

    #[test]
    fn an_unknown_parameter_is_refused() {
        assert_eq!(parameter("late_moves").unwrap().name, "late_moves");
        let error = parameter("late_mov").unwrap_err();
        assert!(error.starts_with("the search has no parameter \"late_mov\"; it has "), "{error}");
    }
}
