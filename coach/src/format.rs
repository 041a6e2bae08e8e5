//! How values are written.

/// A smaller value prints as 0.00, in centipawns. It is left out.
pub const NEGLIGIBLE: f64 = 0.5;

/// Centipawns as pawns with a sign; zero has none.
pub fn signed(centipawns: f64) -> String {
    let rounded = centipawns.round();
    if rounded == 0.0 { "0.00".to_owned() } else { format!("{:+.2}", rounded / 100.0) }
}
