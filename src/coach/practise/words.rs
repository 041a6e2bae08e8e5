//! Moves as people write them.

use shakmaty::{Chess, Move, Position, san::SanPlus, uci::UciMove};

/// Why a word is no move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Misread {
    /// No legal move is written so.
    NoMove,
    /// Several are.
    Ambiguous(Vec<Move>),
}

/// The legal move that is meant: rightly written in SAN or UCI, or with forgiveness for upper and
/// lower case, for signs left out or added, and for squares named beyond need.
pub(super) fn read(word: &str, position: &Chess) -> Result<Move, Misread> {
    let san = word.parse::<SanPlus>().ok().and_then(|san| san.san.to_move(position).ok());
    let uci = || word.parse::<UciMove>().ok().and_then(|uci| uci.to_move(position).ok());
    if let Some(m) = san.or_else(uci).filter(|&m| position.is_legal(m)) {
        return Ok(m);
    }
    let written: String =
        word.chars().filter(|c| c.is_alphanumeric()).collect::<String>().to_lowercase();
    // The only letter that no piece, file or rank has.
    let written = written.replace('x', "");
    let legal = position.legal_moves().into_iter();
    let meant: Vec<Move> = legal.filter(|&m| spellings(m).contains(&written)).collect();
    match meant[..] {
        [m] => Ok(m),
        [] => Err(Misread::NoMove),
        _ => Err(Misread::Ambiguous(meant)),
    }
}

/// How a move of a piece may be written, in lower case and without signs.
fn spellings(m: Move) -> Vec<String> {
    let Some(from) = m.from() else { return Vec::new() };
    let (piece, to) = (m.role().char(), m.to());
    vec![
        format!("{from}{to}"),
        format!("{piece}{to}"),
        format!("{piece}{}{to}", from.file()),
        format!("{piece}{}{to}", from.rank()),
        format!("{piece}{from}{to}"),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{CastlingMode, fen::Fen};

    fn position(fen: &str) -> Chess {
        fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap()
    }

    fn meant(word: &str, position: &Chess) -> Option<String> {
        read(word, position).ok().map(|m| m.to_uci(CastlingMode::Standard).to_string())
    }

    #[test]
    fn a_move_may_be_written_in_many_ways() {
        let capture = position("8/8/8/2r5/4B3/8/1N5k/K7 w - - 0 1");
        assert_eq!(meant("Nb2a4", &capture), Some("b2a4".to_owned()));
        for word in ["Nd3", "nd3", "ND3", "b2d3", "B2D3", "b2-d3", "Nb2-d3", "nbd3", "N2d3", "Nd3!"]
        {
            assert_eq!(meant(word, &capture), Some("b2d3".to_owned()), "{word}");
        }
        let takes = position("8/8/8/2r5/4N3/8/8/K6k w - - 0 1");
        for word in ["Nxc5", "Nc5", "nxc5", "nc5+", "Nec5", "e4xc5", "e4c5"] {
            assert_eq!(meant(word, &takes), Some("e4c5".to_owned()), "{word}");
        }
        for word in ["", "x", "Nc6", "Rc5", "e4", "e9e8", "K", "\u{2654}a2", "a1a1"] {
            assert_eq!(read(word, &takes), Err(Misread::NoMove), "{word}");
        }
    }

    #[test]
    fn several_moves_may_be_meant() {
        let two = position("8/8/8/8/8/1N3N2/8/K6k w - - 0 1");
        for word in ["Nd2", "nd4"] {
            let Err(Misread::Ambiguous(moves)) = read(word, &two) else { panic!("{word}") };
            assert_eq!(moves.len(), 2, "{word}");
        }
        assert_eq!(meant("nbd2", &two), Some("b3d2".to_owned()));
        // From b1 to c3, or a bishop from the first rank: the square it comes from goes first.
        let bishop = position("7k/8/8/8/8/8/8/KN2B3 w - - 0 1");
        assert_eq!(meant("b1c3", &bishop), Some("b1c3".to_owned()));
        assert_eq!(meant("B1c3", &bishop), Some("e1c3".to_owned()));
    }
}
