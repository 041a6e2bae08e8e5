//! What a move is good for, in sentences.

use super::lines::{LineEnd, SOON, SearchedLine, played};
use super::value::WhiteValue;
use crate::exercise::san;
use crate::motifs::{FoundMotif, Motif, is_in_danger, motifs_of_line, worth};
use shakmaty::{Bitboard, Board, Chess, Color, Move, Position, Rank, Role, Square};
use tropism::eval::{ENDGAME_PHASE, EvalContext};
use tropism::geometry::{centre_distance, chebyshev, promotion_distance};
use tropism::search::Game;
use tropism::text::{Balance, capitalized, counted, line_in_san, noun, side_name};

/// Motifs that say why a line wins, the most telling first.
const TELLING: [Motif; 16] = [
    Motif::Fork,
    Motif::Skewer,
    Motif::DoubleCheck,
    Motif::DiscoveredAttack,
    Motif::DiscoveredCheck,
    Motif::TrappedPiece,
    Motif::Pin,
    Motif::RelativePin,
    Motif::CapturingDefender,
    Motif::Deflection,
    Motif::Attraction,
    Motif::Interference,
    Motif::Intermezzo,
    Motif::XRayAttack,
    Motif::HangingPiece,
    Motif::Clearance,
];

/// A mate in so many moves is not plain to see.
const LONG_MATE: u32 = 6;
/// The share of a lead in material that the value of a search must have.
const AGREES: f64 = 0.7;

/// So many pieces are on the board while players take the centre and while they develop, and until these moves.
const MANY_PIECES: usize = 24;
const SEVERAL_PIECES: usize = 18;
const CENTRE_MOVES: u32 = 10;
const DEVELOPING_MOVES: u32 = 15;

/// A line with all that its sentences need.
pub struct Idea<'a> {
    pub game: &'a Game,
    /// The line to its end in a quiet position.
    pub moves: &'a [Move],
    pub value: WhiteValue,
    pub result: LineEnd,
    /// By how many pawns the side with the first move is ahead before what the line wins.
    ahead: i32,
}

impl<'a> Idea<'a> {
    pub fn new(game: &'a Game, line: &'a SearchedLine) -> Idea<'a> {
        Idea::since(game.position().chess().board(), game, line)
    }

    /// The answer to a move. Material counts from before that move, which may have taken something.
    pub fn answer(before: &Game, game: &'a Game, line: &'a SearchedLine) -> Idea<'a> {
        Idea::since(before.position().chess().board(), game, line)
    }

    fn since(before: &Board, game: &'a Game, line: &'a SearchedLine) -> Idea<'a> {
        // A mate after many moves says nothing of the first ones, which may win material.
        let moves = match line.value {
            WhiteValue::Mate(_, LONG_MATE..) => &line.moves[..line.moves.len().min(SOON)],
            _ => &line.moves[..],
        };
        let result = LineEnd::since(before, game, moves);
        let ahead = Balance::new(before, game.position().chess().turn()).pawns();
        Idea { game, moves: &line.moves, value: line.value, result, ahead }
    }

    /// What the side wins, after its name: `wins a pawn`, `wins back a knight`. `None` if it wins nothing.
    pub fn gain(&self) -> Option<String> {
        let LineEnd::Material(balance) = &self.result else { return None };
        if !self.is_worth_it(*balance) {
            return None;
        }
        let back = self.ahead < 0 && (-1..=1).contains(&(self.ahead + balance.pawns()));
        balance.won().map(|won| format!("wins {}{won}", if back { "back " } else { "" }))
    }

    /// Whether the value of the search agrees with material that a line wins: the other side may have played on badly.
    fn is_worth_it(&self, won: Balance) -> bool {
        let ahead = self.ahead + won.pawns();
        let value = self.side().fold_wb(1.0, -1.0) * self.value.clamped(3000.0);
        ahead <= i32::from(self.ahead < 0) || value >= AGREES * 100.0 * f64::from(ahead)
    }

    fn chess(&self) -> &Chess {
        self.game.position().chess()
    }

    fn side(&self) -> Color {
        self.chess().turn()
    }

    /// The sentences about the line: what it forces, wins or draws, and the motif that does it. `None` if there is
    /// nothing of the kind to say.
    pub fn tactics(&self) -> Option<String> {
        let side = side_name(self.side());
        let outcome = match (self.value, &self.result) {
            (WhiteValue::Mate(winner, moves @ 1..LONG_MATE), _) if winner == self.side() => {
                let named = self.motifs().into_iter().find(|found| is_named_mate(found.motif));
                let named = named.map(|found| format!(": {found}")).unwrap_or_default();
                return Some(format!("It mates in {}{named}.", counted(moves.into(), "move")));
            }
            (WhiteValue::Centipawns(0), LineEnd::Draw(how)) => Some(format!("draws {how}")),
            _ => self.gain(),
        }?;
        // Who takes what is won needs no motif.
        let takes = self.moves.first().and_then(|m| m.capture()).map_or(0, worth);
        let is_plain = matches!(self.result, LineEnd::Material(won) if won.pawns() > 0 && takes >= won.pawns());
        let telling = |found: &&FoundMotif| {
            found.ply <= 3
                && TELLING.contains(&found.motif)
                && self.is_used(found)
                && (!is_plain || found.motif == Motif::HangingPiece)
        };
        let motifs = self.motifs();
        let rank = |found: &&FoundMotif| {
            (found.ply, TELLING.iter().position(|&telling| telling == found.motif))
        };
        let is_draw = matches!(self.result, LineEnd::Draw(_));
        Some(match motifs.iter().filter(telling).min_by_key(rank).filter(|_| !is_draw) {
            None => match self.offer() {
                Some(offer) => format!("{offer} {side} {outcome}."),
                None => format!("It {outcome}."),
            },
            Some(found) if found.ply <= 1 => {
                format!("{}, and {side} {outcome}.", capitalized(&found.to_string()))
            }
            Some(found) => {
                let m = self.name(found.ply - 1);
                format!("It {outcome}: after {m}, {found}.")
            }
        })
    }

    /// Whether a piece that a motif is about is captured by it or later: others are not why the line wins.
    fn is_used(&self, found: &FoundMotif) -> bool {
        let own = self.moves.iter().enumerate().filter(|(index, _)| index % 2 == 0);
        let mut later = own.filter(|(index, m)| index + 1 >= found.ply && m.is_capture());
        let targets = || found.targets.iter().chain(&found.helper);
        later.any(|(_, m)| targets().any(|spot| spot.square == m.to()))
    }

    fn motifs(&self) -> Vec<FoundMotif> {
        motifs_of_line(self.chess(), self.moves, self.side())
    }

    /// A move of the line with its number, `22.Nd5`.
    pub fn name(&self, ply: usize) -> String {
        named(self.game, self.moves, ply)
    }

    /// What a quiet first move does, if it is plain to see.
    pub fn plan(&self) -> Option<String> {
        let chess = self.chess();
        let side = self.side();
        let m = *self.moves.first()?;
        let piece = noun(m.role());
        if m.is_castle() {
            return Some("It castles and brings a rook into play.".to_owned());
        }
        let is_even = matches!(self.result, LineEnd::Material(balance) if balance.is_even());
        if let Some(captured) = m.capture().filter(|_| is_even) {
            let again = |ply: usize| self.moves.get(ply).filter(|next| next.to() == m.to());
            let is_trade = again(1).is_some();
            let takes_back =
                again(1).zip(again(2)).is_some_and(|(reply, _)| reply.role() == m.role());
            match captured == m.role() || takes_back {
                true if is_trade => return Some(format!("It trades {piece}s.")),
                _ if is_trade => {
                    let verb = if worth(captured) < worth(m.role()) { "gives" } else { "trades" };
                    return Some(format!("It {verb} the {piece} for the {}.", noun(captured)));
                }
                _ if captured != Role::Pawn => {
                    return Some(format!("It captures the {} on {}.", noun(captured), m.to()));
                }
                _ => {}
            }
        }
        let from = m.from()?;
        let is_home = from.rank() == side.fold_wb(Rank::First, Rank::Eighth);
        let number = chess.fullmoves().get();
        match m.role() {
            Role::Pawn
                if number <= CENTRE_MOVES
                    && chess.board().occupied().count() >= MANY_PIECES
                    && matches!(m.to(), Square::D4 | Square::E4 | Square::D5 | Square::E5) =>
            {
                Some("It takes space in the centre.".to_owned())
            }
            Role::Knight | Role::Bishop
                if is_home
                    && !m.is_capture()
                    && number <= DEVELOPING_MOVES
                    && chess.board().occupied().count() >= SEVERAL_PIECES =>
            {
                Some(format!("It develops the {piece}."))
            }
            Role::Pawn if is_passed(chess, m) => {
                let left = counted(promotion_distance(side, m.to()).into(), "move");
                Some(format!("The passed pawn is then {left} from promotion."))
            }
            _ => self.offer().or_else(|| attack(chess, m)).or_else(|| activity(chess, m)),
        }
    }

    /// A trade that a quiet move offers, if the line accepts it.
    fn offer(&self) -> Option<String> {
        let [m, reply, back, ..] = self.moves else { return None };
        let is_offer = reply.to() == m.to() && back.to() == m.to() && !m.is_capture();
        if !is_offer || reply.role() != m.role() {
            return None;
        }
        let after = played(self.game, &self.moves[..3]);
        let board = after.position().chess().board();
        let is_pawn_ending = (board.occupied() & !board.kings() & !board.pawns()).is_empty();
        let end = if is_pawn_ending { ", which leads to a pawn ending" } else { "" };
        Some(format!("It offers to trade {}s{end}.", noun(m.role())))
    }
}

/// The piece that a move attacks and that has to be defended or moved.
fn attack(chess: &Chess, m: Move) -> Option<String> {
    let mut after = chess.clone();
    after.play_unchecked(m);
    let board = after.board();
    let before = m.from().map_or(Bitboard::EMPTY, |from| chess.board().attacks_from(from));
    let new = board.attacks_from(m.to()) & board.by_color(!chess.turn()) & !board.kings() & !before;
    let endangered = new.into_iter().filter(|&square| is_in_danger(board, square));
    let target = endangered.max_by_key(|&square| board.role_at(square).map_or(0, worth))?;
    let role = board.role_at(target).filter(|_| !is_in_danger(board, m.to()))?;
    Some(format!("It attacks the {} on {target}.", noun(role)))
}

/// A rook that takes an open file, and in an endgame a king on its way.
fn activity(chess: &Chess, m: Move) -> Option<String> {
    let (from, to) = (m.from()?, m.to());
    let pawns = chess.board().pawns();
    let is_open = |square: Square| (Bitboard::from_file(square.file()) & pawns).is_empty();
    let distance = |king: Square| pawns.into_iter().map(|pawn| chebyshev(king, pawn)).sum::<u32>();
    match m.role() {
        Role::Rook if is_open(to) && !is_open(from) => {
            Some(format!("It takes the open {}-file.", to.file().char()))
        }
        Role::King if chess.is_check() || EvalContext::new(chess).phase > ENDGAME_PHASE => None,
        Role::King if distance(to) < distance(from) => {
            let plural = if pawns.count() == 1 { "" } else { "s" };
            Some(format!("The king goes towards the pawn{plural}."))
        }
        Role::King if centre_distance(to) < centre_distance(from) => {
            Some("The king goes towards the centre.".to_owned())
        }
        _ => None,
    }
}

/// Whether a pawn is passed after its move.
fn is_passed(chess: &Chess, m: Move) -> bool {
    let side = chess.turn();
    let mut after = chess.clone();
    after.play_unchecked(m);
    EvalContext::new(&after).side(side).passed.contains(m.to())
}

/// A move of a line with its number, `22.Nd5`.
pub fn named(game: &Game, moves: &[Move], ply: usize) -> String {
    line_in_san(played(game, &moves[..ply]).position().chess(), &moves[ply..=ply])
}

fn is_named_mate(motif: Motif) -> bool {
    motif.name().ends_with("Mate")
}

/// A threat in words, and the move that carries it out.
pub struct Threat {
    pub m: Move,
    pub clause: String,
}

/// The value by which a threat must change that of the position at least, in centipawns.
const MIN_THREAT: i32 = 70;

/// What the side that is not to move threatens: the line that it would play, if that mates or wins something that it does
/// not win anyway. `value` is that of the position.
pub fn threat(passed: &Game, line: &SearchedLine, value: WhiteValue) -> Option<Threat> {
    let m = *line.moves.first()?;
    let side = passed.position().chess().turn();
    let own = |value: WhiteValue| side.fold_wb(1.0, -1.0) * value.clamped(3000.0);
    if own(line.value) - own(value) < f64::from(MIN_THREAT) {
        return None;
    }
    let name = san(passed.position().chess(), m);
    let idea = Idea::new(passed, line);
    let gained = match line.value {
        WhiteValue::Mate(winner, moves @ ..LONG_MATE) if winner == side => {
            format!("mates in {}", counted(moves.into(), "move"))
        }
        _ => idea.gain()?,
    };
    Some(Threat { m, clause: format!("{} threatens {name}, which {gained}", side_name(side)) })
}
