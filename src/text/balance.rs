//! Material in words: who has what, and what a line wins.

use super::{joined, noun};
use shakmaty::{Board, ByRole, Color, Role};

/// How many pieces of each role a side has more than the other; negative if fewer.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct Balance(ByRole<i32>);

impl Balance {
    /// The balance of a board, seen from a side.
    pub fn new(board: &Board, side: Color) -> Balance {
        let count = |color: Color, role: Role| board.by_piece(role.of(color)).count() as i32;
        Balance(ByRole::new_with(|role| count(side, role) - count(!side, role)))
    }

    /// What a side has more than before, and what it has less.
    pub fn since(self, before: Balance) -> Balance {
        Balance(ByRole::new_with(|role| self.count(role) - before.count(role)))
    }

    /// Whether it is a bishop more and a knight less.
    pub fn is_bishop_for_knight(self) -> bool {
        self == Balance(ByRole { bishop: 1, knight: -1, ..ByRole::default() })
    }

    /// The balance after one more promotion of the side (`sign` 1) or of the other one (-1).
    pub fn with_promotion(mut self, role: Role, sign: i32) -> Balance {
        *self.0.get_mut(role) += sign;
        self.0.pawn -= sign;
        self
    }

    /// The same without the pieces of a role.
    pub fn without(mut self, role: Role) -> Balance {
        *self.0.get_mut(role) = 0;
        self
    }

    /// How many pieces of a role the side has more.
    pub fn count(self, role: Role) -> i32 {
        *self.0.get(role)
    }

    /// The most valuable piece that the side has more.
    pub fn most(self) -> Option<Role> {
        Role::ALL.into_iter().rev().find(|&role| self.count(role) > 0)
    }

    /// The same, seen from the other side.
    pub fn negated(self) -> Balance {
        Balance(self.0.map(|count| -count))
    }

    /// The value of the difference in pawns, with 3 for a knight or bishop, 5 for a rook and 9 for a queen.
    pub fn pawns(self) -> i32 {
        let ByRole { pawn, knight, bishop, rook, queen, .. } = self.0;
        pawn + 3 * (knight + bishop) + 5 * rook + 9 * queen
    }

    /// Whether both sides have the same pieces.
    pub fn is_even(self) -> bool {
        self == Balance::default()
    }

    /// Whether a rook stands against a knight or bishop, whatever the pawns.
    fn is_exchange(self) -> bool {
        let ByRole { knight, bishop, rook, queen, .. } = self.0;
        (rook, knight + bishop, queen) == (1, -1, 0) && knight * bishop == 0
    }

    fn pieces(self, sign: i32) -> Vec<String> {
        let pieces = Role::ALL.into_iter().rev().map(|role| (self.count(role), role));
        let pieces = pieces.filter(|(count, _)| count * sign > 0);
        pieces.map(|(count, role)| counted_piece(count.unsigned_abs(), role)).collect()
    }

    /// What a side is ahead by or has for what, after its name: `is a pawn up`, `has a rook for a knight and a pawn`.
    pub fn clause(self) -> Option<String> {
        // A knight for a bishop counts where little else does.
        let rest = self.without_trade();
        let more = if rest.pawns().abs() >= 3 { rest } else { self }.described()?;
        Some(if more.contains(" for ") { format!("has {more}") } else { format!("is {more} up") })
    }

    /// What a side wins, as an object: `a pawn`, `the exchange`, `a rook for a knight and a pawn`. `None` if it wins nothing.
    pub fn won(self) -> Option<String> {
        let (won, pieces) = (self.without_trade(), self.without_trade().without(Role::Pawn));
        // Beside a piece, pawns that are won do not count, and one that is given, or three for a queen, neither.
        let pawns = won.count(Role::Pawn);
        let is_piece = pieces.pawns() >= 3 && 3 * pawns >= -pieces.pawns()
            || pieces.is_exchange() && pawns > 2;
        (self.pawns() > 0).then(|| if is_piece { pieces } else { won }.described())?
    }

    /// The same without knights for bishops.
    pub fn without_trade(mut self) -> Balance {
        let ByRole { knight, bishop, .. } = self.0;
        if knight * bishop < 0 {
            let traded = knight.signum() * knight.abs().min(bishop.abs());
            self.0.knight -= traded;
            self.0.bishop += traded;
        }
        self
    }

    /// What a side has more than the other, and for what.
    fn described(self) -> Option<String> {
        if self.is_exchange() {
            let pawns = counted_piece(self.0.pawn.unsigned_abs(), Role::Pawn);
            return Some(match self.0.pawn {
                0 => "the exchange".to_owned(),
                1.. => format!("the exchange and {pawns}"),
                _ => format!("the exchange for {pawns}"),
            });
        }
        let [mut more, fewer] = [1, -1].map(|sign| self.pieces(sign));
        // Beside two kinds of pieces, smaller ones do not count.
        if more.len() > 2 && (self.0.pawn > 0 || fewer.is_empty()) {
            more.pop();
        }
        match [more, fewer] {
            [more, _] if more.is_empty() => None,
            [more, fewer] if fewer.is_empty() => Some(joined(&more)),
            [more, fewer] => Some(format!("{} for {}", joined(&more), joined(&fewer))),
        }
    }
}

impl std::ops::Add for Balance {
    type Output = Balance;

    fn add(self, change: Balance) -> Balance {
        self.since(change.negated())
    }
}

/// `a pawn`, `two knights`.
fn counted_piece(count: u32, role: Role) -> String {
    let noun = noun(role);
    match count {
        1 => format!("a {noun}"),
        2 => format!("two {noun}s"),
        3 => format!("three {noun}s"),
        4 => format!("four {noun}s"),
        _ => format!("{count} {noun}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::fen::Fen;

    fn balance(placement: &str) -> Balance {
        let fen: Fen = format!("{placement} w - - 0 1").parse().unwrap();
        Balance::new(&fen.as_setup().board, Color::White)
    }

    #[test]
    fn who_has_what() {
        for (placement, clause) in [
            ("4k3/8/8/8/8/8/8/4K3", None),
            ("4k3/8/8/8/8/8/P7/4K3", Some("is a pawn up")),
            ("4k3/8/8/8/8/8/PPP5/RN2K3", Some("is a rook and a knight up")),
            ("4k1n1/8/8/8/8/8/8/R3K3", Some("is the exchange up")),
            ("4k1n1/pp6/8/8/8/8/8/R3K3", Some("has the exchange for two pawns")),
            ("4k1b1/8/8/8/8/8/P7/R3K3", Some("is the exchange and a pawn up")),
            ("3qk3/8/8/8/8/8/8/R3K2R", Some("has two rooks for a queen")),
            ("4k1b1/8/8/8/8/8/8/N3K3", Some("has a knight for a bishop")),
            ("4kbnb/8/8/8/8/8/8/R3K3", Some("has a rook for two bishops and a knight")),
            ("4k3/p7/8/8/8/8/8/4K3", None),
        ] {
            assert_eq!(balance(placement).clause().as_deref(), clause, "{placement}");
        }
    }

    #[test]
    fn what_a_line_wins() {
        let start = balance("r3k1n1/p7/8/8/8/8/P7/R3K1N1");
        for (placement, won) in [
            ("r3k1n1/p7/8/8/8/8/P7/R3K1N1", None),
            ("r3k1n1/8/8/8/8/8/P7/R3K1N1", Some("a pawn")),
            ("4k1n1/p7/8/8/8/8/P7/R3K3", Some("the exchange")),
            ("4k1n1/8/8/8/8/8/P7/R3K3", Some("the exchange and a pawn")),
            // A queen for a rook, a knight and a pawn.
            ("r3k1n1/p7/8/8/8/8/8/Q3K3", None),
            ("r3k1n1/p7/8/8/8/8/P7/R3K3", None),
        ] {
            let won_there = balance(placement).since(start).won();
            assert_eq!(won_there.as_deref(), won, "{placement}");
        }
    }
}
