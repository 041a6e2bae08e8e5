//! `tropism-lab mates`: how well the engine mates a bare king against perfect defence.

use crate::{arguments::at_least_1, terminal::print_line};
use anyhow::{Context as _, Result, ensure};
use clap::Args;
use rayon::prelude::*;
use shakmaty::{Color, Position};
use tropism::{
    endgame::{Dtm, Endgames, Material, Squares},
    eval::Engine,
    random::SplitMix64,
    search::{Game, Limits, SearchRequest, TranspositionTable, search},
};
use tropism_program::Context;

/// Mate a bare king from random won positions, against the longest defence.
#[derive(Args, Clone, Debug)]
pub(crate) struct Mates {
    /// An ending against a bare king, such as KBNK.
    #[arg(value_name = "ENDING")]
    ending: Material,
    /// The number of random positions, White to move.
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = at_least_1::<u32>())]
    positions: u32,
    /// Nodes for each move.
    #[arg(long, value_name = "N", value_parser = at_least_1::<u64>(),
          required_unless_present = "depth")]
    nodes: Option<u64>,
    /// The depth of each search, in plies.
    #[arg(long, value_name = "PLIES", value_parser = at_least_1::<u32>())]
    depth: Option<u32>,
    /// Selects the positions.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

/// The moves to mate that the fifty-move rule allows.
const MAX_MOVES: u32 = 50;

/// The size of a game's transposition table in MiB.
const TABLE_SIZE: usize = 8;

impl Mates {
    /// Plays the games and prints their summary.
    pub(crate) fn run(&self, context: &Context) -> Result<()> {
        print_line(&summary(&self.play(&context.engine)?));
        Ok(())
    }

    /// By game, the moves to mate under perfect play and in the game; none if there was no mate within fifty moves.
    fn play(&self, engine: &Engine) -> Result<Vec<(u32, Option<u32>)>> {
        let mut endgames = Endgames::default();
        endgames.build(self.ending);
        let ending = self.ending;
        let table = endgames.table(&ending).with_context(|| {
            format!("{ending}: no exact table can be made; use an ending of pieces such as KBNK")
        })?;
        let won: Vec<(Squares, u8)> = table
            .positions(Color::White)
            .filter_map(|(squares, value, _)| match value {
                Dtm::Win(plies) => Some((squares, plies)),
                Dtm::Draw | Dtm::Loss(_) => None,
            })
            .collect();
        let black = ending.pieces().iter().filter(|piece| piece.color == Color::Black).count();
        ensure!(
            !won.is_empty() && black == 1,
            "{ending}: only endings that White wins against a bare king can be played, such as KBNK"
        );
        let mut random = SplitMix64(self.seed);
        let starts: Vec<(Squares, u8)> =
            (0..self.positions).map(|_| won[random.below(won.len())]).collect();
        let moves = starts.into_par_iter().filter_map(|(squares, plies)| {
            let game = Game::new(table.position(Color::White, &squares)?);
            Some((plies.div_ceil(2).into(), self.moves_to_mate(engine, &endgames, game)))
        });
        Ok(moves.collect())
    }

    /// The moves to mate in a game; none if there is none within fifty moves.
    fn moves_to_mate(&self, engine: &Engine, endgames: &Endgames, mut game: Game) -> Option<u32> {
        let limits = Limits { nodes: self.nodes, depth: self.depth, ..Limits::default() };
        let table = TranspositionTable::new(TABLE_SIZE).ok()?;
        for played in 1..=MAX_MOVES {
            game.play(search(&SearchRequest::new(&game, engine, &table, &limits), |_| ()).best?);
            let position = game.position().chess();
            if position.legal_moves().is_empty() {
                return position.is_check().then_some(played);
            }
            let replies = endgames.moves(position)?;
            // A reply that draws comes first.
            let &(reply, _) = replies.first().filter(|(_, value)| matches!(value, Dtm::Loss(_)))?;
            game.play(reply);
        }
        None
    }
}

/// How many games of [`Mates::play`] ended in mate, and how many moves too late.
fn summary(games: &[(u32, Option<u32>)]) -> String {
    let above: Vec<u32> = games.iter().filter_map(|&(min, moves)| Some(moves? - min)).collect();
    let mut text = format!("{} of {} mated within fifty moves", above.len(), games.len());
    if let Some(max) = above.iter().max() {
        let mean = f64::from(above.iter().sum::<u32>()) / above.len() as f64;
        text += &format!(", {mean:.2} moves above the minimum on average and {max} at most");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mates(ending: &str, depth: u32) -> Mates {
        let ending = ending.parse().unwrap();
        Mates { ending, positions: 40, nodes: None, depth: Some(depth), seed: 1 }
    }

    #[test]
    fn a_queen_mates_and_less_search_takes_longer() {
        let engine = tropism::default_engine().unwrap();
        let games = mates("KQK", 4).play(&engine).unwrap();
        assert_eq!(games.len(), 40);
        assert!(games.iter().all(|&(least, moves)| moves.is_some_and(|it| it >= least)));
        let text = summary(&games);
        assert!(text.starts_with("40 of 40 mated within fifty moves, "), "{text}");
    }

    #[test]
    fn the_mean_and_the_most_moves_are_of_the_mates() {
        let games = [(3, Some(5)), (4, None), (7, Some(8))];
        assert_eq!(
            summary(&games),
            "2 of 3 mated within fifty moves, 1.50 moves above the minimum on average and 2 at most"
        );
    }

    #[test]
    fn endings_that_nobody_wins_are_refused() {
        let engine = tropism::default_engine().unwrap();
        let error = |ending| mates(ending, 1).play(&engine).unwrap_err().to_string();
        let text = "only endings that White wins against a bare king can be played, such as KBNK";
        assert_eq!(error("KBK"), format!("KBK: {text}"));
    }
}
