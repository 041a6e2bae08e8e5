//! What a line is good for, in sentences.

use super::forced::forced;
use super::lines::{LineEnd, SOON, SearchedLine, played, promoted};
use super::value::{WhiteValue, mates_in};
use crate::exercise::san;
use crate::motifs::{FoundMotif, Motif, motifs_of_line, worth};
use shakmaty::{Chess, Color, Move, Position, Role, Square};
use tropism::search::{Game, see_ge};
use tropism::text::{Balance, article, capitalized, line_in_san, noun, side_name};

/// Motifs that say why a line wins, the most telling first.
pub const TELLING: [Motif; 16] = [
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
/// The share of a lead in material that the value of a search must have, and a value that is enough for any.
const AGREES: f64 = 0.5;
const WINNING: f64 = 200.0;
/// How much better all that a line wins fits its value than what it wins early, in pawns, if it is told instead.
const FAR: f64 = 1.5;

/// A line with all that its sentences need.
pub struct Idea<'a> {
    pub game: &'a Game,
    /// The line to its end in a quiet position.
    pub moves: &'a [Move],
    pub value: WhiteValue,
    pub result: LineEnd,
    /// The material of the side with the first move before what the line wins, and what it wins in all.
    pub before: Balance,
    whole: Balance,
    /// Where the move that the line answers has taken something, if it is known.
    pub last: Option<Square>,
}

impl<'a> Idea<'a> {
    /// Material counts from `before`: the game itself, or before the move that the line answers, which may have taken
    /// something.
    pub fn new(before: &Game, game: &'a Game, line: &'a SearchedLine) -> Idea<'a> {
        let side = game.position().chess().turn();
        let [before, now] = [before, game].map(|game| game.position().chess().board());
        let last = (before.by_color(side) & now.by_color(!side)).first();
        // A pawn that is not taken back is gone before the line begins.
        let is_pawn = last.is_some_and(|it| before.pawns().contains(it));
        let takes_back = line.moves.iter().step_by(2).any(|m| Some(m.to()) == last);
        let before = if is_pawn && !takes_back { now } else { before };
        // A mate after many moves says nothing of the first ones, which may win material.
        let is_mate = played(game, &line.moves).position().chess().is_checkmate();
        let moves = match line.value {
            WhiteValue::Mate(_, ..LONG_MATE) => &line.moves[..],
            WhiteValue::Centipawns(_) if !is_mate => &line.moves,
            _ => &line.moves[..line.moves.len().min(SOON)],
        };
        let value = 0.01 * line.value.of(side);
        let mut result = LineEnd::of(before, game, moves, value);
        let before = Balance::new(before, side);
        let mut whole = Balance::default();
        if let LineEnd::Material(early) = &mut result {
            let end = played(game, moves);
            whole = Balance::new(end.position().chess().board(), side).since(before);
            let apart =
                |won: Balance| (f64::from((before + won).pawns()) - value.clamp(-10.0, 10.0)).abs();
            // What is won early and kept says it, unless what is won in all fits the value far better and costs no
            // greater piece.
            let is_plain = greatest(whole) >= greatest(whole.negated());
            // A line may show more than its value says yet.
            let agrees = 100.0 * value.abs() >= WINNING && value * f64::from(whole.pawns()) > 0.0;
            let is_early =
                !is_plain || !(agrees && early.is_even()) && apart(whole) + FAR >= apart(*early);
            if early.pawns() > 0 {
                *early = checked(game, &line.moves, before, *early);
            }
            if is_early {
                whole = *early;
            }
        }
        Idea { game, moves: &line.moves, value: line.value, result, before, whole, last }
    }

    /// The material of a side now, and its change by the line.
    pub fn material(&self, side: Color) -> (Balance, Balance) {
        match side == self.side() {
            true => (self.before, self.whole),
            false => (self.before.negated(), self.whole.negated()),
        }
    }

    /// What a side wins early, after its name.
    pub fn wins_early(&self, side: Color) -> Option<String> {
        let LineEnd::Material(change) = self.result else { return None };
        self.wins(side, if side == self.side() { change } else { change.negated() })
    }

    /// What the side wins, after its name: `wins a pawn`, `wins back the knight`, `makes a queen`. `None` if it wins
    /// nothing.
    pub fn gain(&self) -> Option<String> {
        let LineEnd::Material(balance) = &self.result else { return None };
        // A pawn that falls later is often not won. It is not the point where the first move takes a piece for another one.
        let is_pawn = balance.pawns() == 1 && balance.without_trade().without(Role::Pawn).is_even();
        let takes_pawn = |m: &Move| m.capture() == Some(Role::Pawn);
        let takes_pawn = self.moves.iter().take(3).step_by(2).any(takes_pawn);
        let is_for_another = self.moves.first().zip(self.last).is_some_and(|(m, last)| {
            m.to() != last && m.capture().is_some_and(|role| role != Role::Pawn)
        });
        let is_won = (!is_pawn || takes_pawn && !is_for_another)
            && !self.takes_other(*balance)
            && self.is_worth_it(*balance);
        let at_once = self.at_once().filter(|won| won.pawns() < balance.pawns());
        is_won.then(|| self.wins(self.side(), at_once.unwrap_or(*balance)))?
    }

    /// Whether the line takes a rook or queen first and does not have one more in the end: it wins something else.
    pub fn takes_other(&self, balance: Balance) -> bool {
        let Some(m) = self.moves.first() else { return false };
        let is_great = |role: &Role| worth(*role) > worth(m.role()).max(worth(Role::Knight));
        m.capture().filter(is_great).is_some_and(|role| balance.count(role) <= 0)
    }

    /// The sentences about the line; of a capture that may be taken back and is not, why it may not.
    pub fn tactics_or(&self, offer: impl Fn() -> Option<String>) -> Option<String> {
        let why = self.tactics()?;
        let [m, reply, ..] = self.moves else { return Some(why) };
        let is_declined = m.is_capture() && reply.to() != m.to() && !see_ge(self.chess(), *m, 100);
        Some(is_declined.then(offer).flatten().unwrap_or(why))
    }

    /// A piece that the first move takes and that is not taken back: that is won, whatever the line wins after it.
    fn at_once(&self) -> Option<Balance> {
        let [m, reply, ..] = self.moves else { return None };
        let takes = m.capture().is_some_and(|role| role != Role::Pawn) && reply.to() != m.to();
        let then = played(self.game, &self.moves[..1]);
        let won = Balance::new(then.position().chess().board(), self.side()).since(self.before);
        (takes && won.pawns() > 0).then_some(won)
    }

    /// What the side has more of after what the line wins, where that is why it wins.
    pub fn stands(&self) -> Option<String> {
        let LineEnd::Material(change) = self.result else { return None };
        let (then, value) = (self.before + change, 0.01 * self.value.of(self.side()));
        let is_shown = (1..=self.moves.len().min(SOON)).any(|plies| {
            let end = played(self.game, &self.moves[..plies]);
            Balance::new(end.position().chess().board(), self.side()).pawns() == then.pawns()
        });
        let is_why = then.pawns() >= 2 && value >= AGREES * f64::from(then.pawns());
        let clause = then.clause().filter(|_| is_why && is_shown)?;
        Some(format!("Then {} {clause}.", side_name(self.side())))
    }

    /// What the side has won at the end of a line that is not sure to win something early.
    pub fn in_the_end(&self) -> Option<String> {
        let end = played(self.game, self.moves);
        let won = Balance::new(end.position().chess().board(), self.side()).since(self.before);
        let is_unsure =
            || self.moves.first().is_some_and(|m| m.is_capture()) && self.gain().is_none();
        let is_late =
            matches!(self.result, LineEnd::Material(early) if early.is_even() || is_unsure());
        // Near the end of its sight a search gives away what it need not: only what decides the game is sure.
        let is_pawn = won.pawns() == 1 && won.without_trade().most() == Some(Role::Pawn);
        let agrees = !is_pawn && self.value.of(self.side()) >= WINNING;
        if !(is_late && agrees && self.is_worth_it(won)) {
            return None;
        }
        let won = self.wins(self.side(), checked(self.game, self.moves, self.before, won));
        // A long list of pieces is no plain end.
        let won = won.filter(|won| won.matches(" and ").count() < 2)?;
        Some(format!("In the end {} {won}.", side_name(self.side())))
    }

    /// What a side wins by the line: a balance of material in its favour, in words.
    pub fn wins(&self, side: Color, balance: Balance) -> Option<String> {
        let before = if side == self.side() { self.before } else { self.before.negated() };
        // A queen against rook and bishop is not won back, a knight for a lost bishop is. More than was lost is not.
        let of = |balance: Balance, role: Role| match role {
            Role::Knight | Role::Bishop => {
                balance.count(Role::Knight) + balance.count(Role::Bishop)
            }
            role => balance.count(role),
        };
        // Nor is a pawn, where pawns were given for a piece.
        let is_back = |role: Role| {
            of(balance, role) <= -of(before, role).min(0)
                && -3 * before.pawns() >= 2 * worth(role)
                && (role != Role::Pawn || before.without(Role::Pawn).is_even())
        };
        let takes = self.moves.first().filter(|m| self.last == Some(m.to()));
        let takes = takes.and_then(|m| m.capture()).filter(|_| side == self.side());
        let first = self.moves.first().and_then(|m| m.capture()).filter(|_| side == self.side());
        let won = |balance: Balance| {
            let (mut won, most) = (balance.won()?, balance.most()?);
            // Of two minor pieces, the one that is captured first is won, and the other traded.
            let minors = [Role::Knight, Role::Bishop].map(|role| balance.count(role).max(0));
            let is_minor = |role: &Role| worth(*role) == worth(Role::Knight);
            let first = first.filter(|first| [first, &most].into_iter().all(is_minor));
            if let Some(first) = first.filter(|_| minors == [0, 1] || minors == [1, 0]) {
                won = won.replacen(noun(most), noun(first), 1);
            }
            if !is_back(most) {
                return Some(format!("wins {won}"));
            }
            if takes.is_some_and(|role| worth(role) >= balance.pawns()) {
                return Some(format!("recaptures on {}", self.moves[0].to()));
            }
            let rest = balance.without(most);
            if balance.count(most) == 1 && rest.without(Role::Pawn).is_even() && rest.pawns() <= 2 {
                return Some(format!("wins back the {}", noun(most)));
            }
            Some(match rest.won().filter(|_| won.starts_with("a ") && !won.contains(" for ")) {
                Some(rest) => format!("wins back the {} and wins {rest}", noun(most)),
                None => format!("wins back {won}"),
            })
        };
        let promoted = promoted(self.game, self.moves, side);
        let Some(&role) = promoted.iter().find(|&&role| balance.count(role) > 0) else {
            return won(balance);
        };
        // Beside a queen, pawns do not count.
        let rest = balance.with_promotion(role, -1).without(Role::Pawn);
        let given = || rest.negated().won();
        let joint = |given: &str| if given.contains(" for ") { " and gives" } else { " for" };
        let given = || given().map(|given| format!("{} {given}", joint(&given)));
        Some(match won(rest) {
            Some(won) => format!("makes a {} and {won}", noun(role)),
            None => format!("makes a {}{}", noun(role), given().unwrap_or_default()),
        })
    }

    /// Whether the value of the search agrees with material that a line wins: the other side may have played on badly.
    fn is_worth_it(&self, won: Balance) -> bool {
        let ahead = self.before.pawns() + won.pawns();
        ahead <= i32::from(self.before.pawns() < 0)
            || self.value.of(self.side()) >= WINNING.min(AGREES * 100.0 * f64::from(ahead))
    }

    pub fn chess(&self) -> &Chess {
        self.game.position().chess()
    }

    pub fn side(&self) -> Color {
        self.chess().turn()
    }

    /// The sentences about the line: what it forces, wins or draws, and the motif that does it. `None` if there is
    /// nothing of the kind to say.
    pub fn tactics(&self) -> Option<String> {
        let side = side_name(self.side());
        let outcome = match (self.value, &self.result) {
            (WhiteValue::Mate(winner, moves @ 1..LONG_MATE), _) if winner == self.side() => {
                let mut named = self.motifs().into_iter().map(|found| found.motif.title());
                let named = named.find(|title| title.ends_with(" mate"));
                let Some(title) = named else { return Some(format!("It {}.", mates_in(moves))) };
                let mates = if moves == 1 { "mates".to_owned() } else { mates_in(moves) };
                // A mate that bears a name needs no article.
                let an = if title.contains("'s ") { "" } else { article(title) };
                return Some(format!("It {mates}: {}.", format!("{an} {title}").trim_start()));
            }
            (WhiteValue::Centipawns(0), LineEnd::Draw(how)) => Some(format!("draws {how}")),
            _ => self.gain(),
        }?;
        // Who takes what is won needs no motif.
        let takes = self.moves.first().and_then(|m| m.capture()).map_or(0, worth);
        let is_given = |m: &Move| {
            self.moves.get(1).is_some_and(|it| it.to() == m.to()) && worth(m.role()) > takes
        };
        let is_all = matches!(self.result, LineEnd::Material(won) if won.pawns() > 0 && takes >= won.pawns());
        let is_plain =
            !self.moves.first().is_some_and(is_given) && (is_all || self.at_once().is_some());
        // What the move before has taken is not hanging, but taken back.
        let given = self.before.since(Balance::new(self.chess().board(), self.side())).pawns();
        let is_back = |verb: &&str| outcome.starts_with(verb);
        let takes_back = takes <= given || ["recaptures", "wins back"].iter().any(is_back);
        let telling = |found: &&FoundMotif| {
            found.is_soon()
                && TELLING.contains(&found.motif)
                && self.is_used(found)
                && (!is_plain || found.motif == Motif::HangingPiece && !takes_back)
        };
        let motifs = self.motifs();
        let rank = |found: &&FoundMotif| {
            (found.ply, TELLING.iter().position(|&telling| telling == found.motif))
        };
        let is_draw = matches!(self.result, LineEnd::Draw(_));
        Some(match motifs.iter().filter(telling).min_by_key(rank).filter(|_| !is_draw) {
            None => format!("It {outcome}."),
            Some(found) if found.ply <= 1 => {
                let (text, all) = (found.to_string(), outcome.replacen("wins a ", "the ", 1));
                match text.split_once(" captures ").filter(|(_, what)| what.starts_with(&all)) {
                    Some((_, what)) if found.motif == Motif::HangingPiece => {
                        format!("It wins {what}.")
                    }
                    _ => format!("{}, and {side} {outcome}.", capitalized(&text)),
                }
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

    pub fn motifs(&self) -> Vec<FoundMotif> {
        motifs_of_line(self.chess(), self.moves, self.side())
    }

    /// A move of the line with its number, `22.Nd5`.
    pub fn name(&self, ply: usize) -> String {
        named(self.game, self.moves, ply)
    }
}

/// What the greatest piece is worth that a side has more, apart from a bishop for a knight.
fn greatest(balance: Balance) -> i32 {
    balance.without_trade().most().map_or(0, worth)
}

/// What a line seems to win, or what its first move wins against every defence, where that is not the same: less, or more
/// that it wins soon.
fn checked(game: &Game, moves: &[Move], before: Balance, won: Balance) -> Balance {
    let Some((forced, ply)) = moves.first().and_then(|&m| forced(game, m)) else { return won };
    let forced = forced.since(before);
    let [pieces, seen] = [forced, won].map(|it| it.without(Role::Pawn).pawns());
    // Beside a piece, pawns that are won are not named. Nobody need give a greater piece for the one that is lost.
    let is_piece = pieces == seen && pieces >= worth(Role::Knight);
    let is_same = is_piece && forced.won().is_some_and(|it| !it.contains(" for "));
    let is_known = match won.pawns() - forced.pawns() {
        ..=-1 => ply >= SOON,
        0 => true,
        1.. => greatest(forced) > greatest(won),
    };
    if is_same || is_known { won } else { forced }
}

/// A move of a line with its number, `22.Nd5`.
pub fn named(game: &Game, moves: &[Move], ply: usize) -> String {
    line_in_san(played(game, &moves[..ply]).position().chess(), &moves[ply..=ply])
}

/// What a move is for, after its name in another sentence: `, which wins a pawn.`
pub fn relative(why: &str) -> String {
    match why.strip_prefix("It ") {
        Some(why) => format!(", which {why}"),
        None => format!(": {}.", uncapitalized(why)),
    }
}

/// A sentence without its full stop, for the middle of another.
pub fn uncapitalized(sentence: &str) -> String {
    let mut letters = sentence.trim_end_matches('.').chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

/// A threat, after the name of who threatens, and the move that carries it out.
pub struct Threat {
    pub m: Move,
    pub what: String,
}

impl Threat {
    pub fn of(&self, side: Color) -> String {
        format!("{} {}", side_name(side), self.what)
    }
}

/// The value by which a threat must change that of the position at least, in centipawns: for itself, and for each pawn
/// of what it wins.
const MIN_THREAT: f64 = 70.0;
const MIN_FOR_A_PAWN: f64 = 50.0;

/// What the side that is not to move threatens: the line that it would play, if that mates or wins something that it does
/// not win anyway. `value` is that of the position.
pub fn threat(passed: &Game, line: &SearchedLine, value: WhiteValue) -> Option<Threat> {
    let m = *line.moves.first()?;
    let side = passed.position().chess().turn();
    let idea = Idea::new(passed, passed, line);
    let (gained, least) = match (line.value, &idea.result) {
        (WhiteValue::Mate(winner, moves @ ..LONG_MATE), _) if winner == side => {
            (mates_in(moves), MIN_THREAT)
        }
        (_, LineEnd::Material(won)) => {
            let least = MIN_THREAT.max(MIN_FOR_A_PAWN * f64::from(won.pawns()));
            // Three kinds of pieces are a whole combination.
            let is_short = |gain: &String| {
                !(gain.contains(", ") || gain.contains(" and ") && gain.contains(" for "))
            };
            (idea.gain().filter(is_short)?, least)
        }
        _ => return None,
    };
    let name = san(passed.position().chess(), m);
    let what = format!("threatens {name}, which {gained}");
    (line.value.of(side) - value.of(side) >= least).then_some(Threat { m, what })
}
