//! Arguments that clap does not read by itself.

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
