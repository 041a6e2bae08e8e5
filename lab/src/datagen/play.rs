//! One game of the engine against itself.

use super::{super::data::Ending, Played};
use shakmaty::{Chess, Color, EnPassantMode, Position, fen::Fen};
use std::sync::atomic::Ordering::Relaxed;
use tropism::random::SplitMix64;
use tropism::{
    eval::Engine,
    search::{Control, Game, Limits, MATE, Outcome, Search, TranspositionTable, Value, search},
};

/// Plies played at random before the game begins, and one more in every second game.
const OPENING: usize = 8;
/// An opening is played if a search sees neither side ahead by more, in centipawns.
const OPENING_LEAD: i32 = 200;

/// A game is won if both sides have seen one ahead by so many centipawns for so many plies.
const WON: i32 = 1000;
const WON_PLIES: u32 = 6;
/// A game is drawn if both have seen no more than this for so many plies, the opening being over.
const DRAWN: i32 = 5;
const DRAWN_PLIES: u32 = 12;
const DRAWN_FROM: usize = 80;
/// No game is longer.
const LONGEST: usize = 400;

/// Beyond this score a position teaches nothing: any weights would do.
const DECIDED: i32 = 2000;

/// Who plays, and how.
pub(super) struct Player<'a> {
    pub(super) engine: &'a Engine,
    pub(super) table: &'a TranspositionTable,
    pub(super) nodes: u64,
    pub(super) control: &'a Control,
}

impl Player<'_> {
    /// Plays the game of this number, or as much of it as there is time for.
    pub(super) fn game(&self, seed: u64, number: u64) -> Played {
        let mut random = SplitMix64::stream(seed, number);
        self.table.clear();
        let mut game = self.opening(&mut random);
        let mut positions = Vec::new();
        let (mut won, mut drawn) = (0, 0);
        for ply in 0..LONGEST {
            if let Some(ending) = ending(&game) {
                return Played { positions, ending };
            }
            let outcome = self.search(&game);
            let Some(best) = outcome.best.filter(|_| !self.control.stop.load(Relaxed)) else {
                break;
            };
            let chess = game.position().chess();
            let score = white(&outcome, chess.turn());
            won = if score.abs() >= WON { won + 1 } else { 0 };
            drawn = if score.abs() <= DRAWN && ply >= DRAWN_FROM { drawn + 1 } else { 0 };
            if won >= WON_PLIES {
                let ending = if score > 0 { Ending::WhiteWins } else { Ending::BlackWins };
                return Played { positions, ending };
            }
            if drawn >= DRAWN_PLIES {
                break;
            }
            let is_quiet = !chess.is_check() && !best.is_capture() && !best.is_promotion();
            if is_quiet && score.abs() < DECIDED {
                positions.push((four_fields(chess), score));
            }
            game.play(best);
        }
        Played { positions, ending: Ending::Draw }
    }

    /// A position after random moves in which the game is still open.
    fn opening(&self, random: &mut SplitMix64) -> Game {
        loop {
            let mut game = Game::new(Chess::default());
            for _ in 0..OPENING + random.below(2) {
                let moves = game.position().chess().legal_moves();
                if let Some(&m) = moves.get(random.below(moves.len())) {
                    game.play(m);
                }
            }
            let is_over = game.position().chess().legal_moves().is_empty();
            if !is_over && white(&self.search(&game), Color::White).abs() <= OPENING_LEAD {
                return game;
            }
            if self.control.stop.load(Relaxed) {
                return game;
            }
        }
    }

    fn search(&self, game: &Game) -> Outcome {
        let limits = Limits { nodes: Some(self.nodes), ..Limits::default() };
        let Player { engine, table, control, .. } = *self;
        search(&Search::new(game, engine, table, &limits).with_control(control), |_| ())
    }
}

/// White's score in centipawns.
fn white(outcome: &Outcome, turn: Color) -> i32 {
    let value = match outcome.value {
        Value::Centipawns(value) => value,
        Value::Mate(moves) => moves.signum() * MATE,
    };
    if turn.is_white() { value } else { -value }
}

/// The result where the rules end the game.
fn ending(game: &Game) -> Option<Ending> {
    let chess = game.position().chess();
    if chess.legal_moves().is_empty() {
        return Some(match (chess.is_check(), chess.turn()) {
            (false, _) => Ending::Draw,
            (true, Color::White) => Ending::BlackWins,
            (true, Color::Black) => Ending::WhiteWins,
        });
    }
    let key = game.position().key();
    let seen = game.keys().into_iter().filter(|&other| other == key).count();
    let is_draw = chess.is_insufficient_material() || chess.halfmoves() >= 100 || seen >= 3;
    is_draw.then_some(Ending::Draw)
}

/// The FEN without its counters.
fn four_fields(chess: &Chess) -> String {
    let fen = Fen::from_position(chess, EnPassantMode::Legal).to_string();
    fen.splitn(5, ' ').take(4).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use tropism::search::TranspositionTable;

    #[test]
    fn a_game_repeats_itself_and_others_differ() {
        let (engine, table) =
            (tropism::default_engine().unwrap(), TranspositionTable::new(1).unwrap());
        let control = Control::default();
        let player = Player { engine: &engine, table: &table, nodes: 100, control: &control };
        let first = player.game(1, 0);
        let again = player.game(1, 0);
        assert_eq!(first.positions, again.positions);
        assert_eq!(first.ending, again.ending);
        assert_ne!(first.positions, player.game(1, 1).positions);
        assert_ne!(first.positions, player.game(2, 0).positions);
    }

    #[test]
    fn the_rules_end_a_game() {
        let ending = |fen: &str| ending(&Game::from_fen(fen, None).unwrap());
        assert_eq!(ending("7k/5KQ1/8/8/8/8/8/8 b - - 0 1"), Some(Ending::WhiteWins));
        assert_eq!(ending("8/8/8/8/8/8/5kq1/7K w - - 0 1"), Some(Ending::BlackWins));
        assert_eq!(ending("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), Some(Ending::Draw));
        assert_eq!(ending("7k/8/6K1/8/8/8/8/B7 b - - 0 1"), Some(Ending::Draw));
        assert_eq!(ending("7k/8/6K1/8/8/8/8/R7 b - - 100 90"), Some(Ending::Draw));
        assert_eq!(ending("7k/8/6K1/8/8/8/8/R7 b - - 99 90"), None);
    }

    #[test]
    fn a_position_is_written_without_its_counters() {
        let fen = "4k3/8/8/8/8/8/8/4K2R w K - 3 17";
        let game = Game::from_fen(fen, None).unwrap();
        assert_eq!(four_fields(game.position().chess()), "4k3/8/8/8/8/8/8/4K2R w K -");
    }
}
