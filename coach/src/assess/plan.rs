//! What a quiet move is for.

use super::idea::Idea;
use super::lines::{LineEnd, SOON, played, promoted};
use crate::motifs::{FoundMotif, Spot, Step, is_in_danger, motifs_of_move, pins, value, worth};
use crate::practise::king_of;
use shakmaty::{Bitboard, Board, Chess, File, Move, Position, Rank, Role, Square, attacks};
use tropism::eval::{ENDGAME_PHASE, EvalContext, the_piece};
use tropism::geometry::{centre_distance, chebyshev, promotion_distance, step};
use tropism::text::{Balance, article, counted, joined, noun};

/// So many pieces are on the board while players take the centre and while they develop, and until these moves.
const MANY_PIECES: usize = 24;
const SEVERAL_PIECES: usize = 18;
const CENTRE_MOVES: u32 = 10;
const DEVELOPING_MOVES: u32 = 15;
/// Who is worth so many centipawns less is lost.
const LOST: f64 = 300.0;
/// Who is worth so many centipawns less has no plans.
const HOPELESS: f64 = 1000.0;
/// A rook has a file if it reaches so many of its squares.
const SEEN_OF_FILE: usize = 3;

/// The square that a move leaves and the one that it goes to.
pub fn ends(m: Move) -> Bitboard {
    m.from().into_iter().chain([m.to()]).collect()
}

/// What another line is about, which a move has to answer.
#[derive(Copy, Clone, Default)]
pub struct Stake {
    /// A move that was played or is better.
    pub other: Option<Move>,
    /// Where it takes something, and from where; none if it wins nothing by force.
    pub squares: Option<Bitboard>,
}

impl Idea<'_> {
    /// The squares of its first move and of its captures.
    pub fn squares(&self) -> Bitboard {
        let own = self.moves.iter().step_by(2).take(SOON / 2).enumerate();
        let own = own.filter(|(index, m)| *index == 0 || m.is_capture());
        own.fold(Bitboard::EMPTY, |squares, (_, &m)| squares | ends(m))
    }

    /// What a quiet first move does, if it is plain to see. Where something else is at stake, only what concerns that, and
    /// never what the move does that was played instead. `reason` says more than what a move does in any case.
    pub fn plan(&self, stake: Stake, reason: impl FnOnce() -> Option<String>) -> Option<String> {
        if self.value.of(self.side()) < -HOPELESS {
            return None;
        }
        let step = |m: Move| Step::new(1, self.chess(), m);
        let other = stake.other.and_then(step);
        let quiet = step(*self.moves.first()?)?;
        let is_relevant = |text: &String| {
            let is_check = self.chess().is_check() || quiet.after.is_check();
            let is_offer = text == "It offers to trade queens.";
            !is_check
                && stake.squares.is_none_or(|squares| {
                    is_offer || squares.into_iter().any(|it| text.contains(&it.to_string()))
                })
        };
        let is_taken = self.moves.get(1).is_some_and(|reply| reply.to() == quiet.m.to());
        let says = |&(purpose, always): &(fn(&Step) -> Option<String>, bool)| {
            let found = purpose(&quiet).filter(|it| always || is_relevant(it))?;
            let is_new = other.as_ref().and_then(purpose).as_ref() != Some(&found);
            let is_ahead = ["The passed", "It takes space"].iter().any(|it| found.starts_with(it));
            let falls = found.starts_with("No pawn") && is_taken || is_ahead && self.loses_first();
            (is_new && !falls).then_some(found)
        };
        let first = [
            (Step::unpins as fn(&Step) -> Option<String>, true),
            (Step::defends, false),
            (Step::castles, true),
            (Step::develops, true),
            (Step::advances, true),
        ];
        let then = [
            (Step::pins_piece as fn(&Step) -> Option<String>, true),
            (Step::attacks, false),
            (Step::saves, true),
            (Step::takes_outpost, false),
            (Step::takes_file, false),
            (Step::attacks_as_minority, true),
            (Step::challenges, false),
            (Step::cuts_off, true),
            (Step::walks, false),
            (Step::takes_space, false),
            (Step::gives_air, false),
            (Step::pins_pawn, true),
        ];
        // What concerns the stake comes before what a move does in any case.
        let is_strong = |it: &String| stake.squares.is_some() || it.starts_with("It defends");
        let concerns = || {
            first.iter().chain(&then).filter_map(says).find(|it| is_strong(it) && is_relevant(it))
        };
        self.trade()
            .map(|trade| self.with_next(trade))
            .or_else(|| self.breakthrough())
            .or_else(concerns)
            .or_else(reason)
            .or_else(|| first.iter().find_map(says))
            .or_else(|| self.offered_trade())
            .or_else(|| then.iter().find_map(says))
    }

    /// Whether what moves first is soon captured, and that is not taken back.
    fn loses_first(&self) -> bool {
        let first = self.moves.first().map(|m| m.to());
        let takes = |&ply: &usize| self.moves.get(ply).is_some_and(|m| Some(m.to()) == first);
        (1..SOON).step_by(2).find(takes).is_some_and(|ply| !takes(&(ply + 1)))
    }

    /// Lucena's bridge: the king before its pawn comes out, and the rook will stand between it and the checks.
    pub fn bridge(&self) -> Option<String> {
        let (board, side) = (self.chess().board(), self.side());
        let king = board.king_of(side)?;
        let pawn = (board.pawns() & board.by_color(side)).single_square()?;
        let rooks = [side, !side].map(|side| (board.by_piece(Role::Rook.of(side))).count());
        let is_lucena = board.occupied().count() == 5
            && rooks == [1, 1]
            && promotion_distance(side, pawn) == 1
            && pawn.offset(side.fold_wb(8, -8)) == Some(king);
        let own = self.moves.iter().enumerate().step_by(2).take(3);
        let ranks = side.fold_wb([Rank::Fourth, Rank::Fifth], [Rank::Fifth, Rank::Fourth]);
        let mut rook =
            own.filter(|(_, m)| m.role() == Role::Rook && ranks.contains(&m.to().rank()));
        let (ply, m) = rook.next().filter(|_| is_lucena)?;
        let rook = format!("the rook on {} will protect the king from the checks", m.to());
        Some(format!("{} builds a bridge: {rook}.", self.name(ply)))
    }

    /// What comes next and attacks something, where the move itself says nothing.
    pub fn next(&self) -> Option<String> {
        let attacks = self.attacks_at(2)?;
        Some(format!("It prepares {}, which {attacks}", self.name(2)))
    }

    /// What an own move of the line attacks, after its name, if it is no answer to the move before it.
    fn attacks_at(&self, ply: usize) -> Option<String> {
        let (reply, next) = (self.moves.get(ply - 1)?, *self.moves.get(ply)?);
        let then = played(self.game, &self.moves[..ply]);
        // A capture back and a way out of check need no preparation, and a piece that moves twice has its own aim.
        let is_new = next.to() != reply.to() && next.from() != Some(self.moves[0].to());
        let step = Step::new(1, then.position().chess(), next).filter(|_| is_new)?;
        let is_free = !then.position().is_check() && !next.is_capture();
        let why = step.attacks().filter(|_| is_free)?;
        Some(why.strip_prefix("It ").filter(|why| why.starts_with("attacks"))?.to_owned())
    }

    /// A capture of as much as is lost.
    fn trade(&self) -> Option<String> {
        let m = *self.moves.first()?;
        let captured = m.capture()?;
        let balance = match self.result {
            LineEnd::Material(balance) => balance,
            LineEnd::Level => Balance::default(),
            _ => return None,
        };
        let [piece, other] = [m.role(), captured].map(noun);
        let again = |ply: usize| self.moves.get(ply).filter(|next| next.to() == m.to());
        let takes_back = again(1).zip(again(2)).is_some_and(|(reply, _)| reply.role() == m.role());
        // The value may say less than the material: the whole exchange does it, not its first move.
        let [won, lost] = [balance, balance.negated()].map(Balance::won);
        let takes = Some(self.takes_back(m, captured));
        match again(1) {
            // A pawn that has just become a queen is none in the balance.
            _ if self.takes_other(balance) => takes,
            Some(_) if captured == m.role() || takes_back => {
                let is_bad = m.role() == Role::Bishop && is_bad_bishop(self.chess(), m);
                let traded = if is_bad { "the bad bishop".into() } else { format!("{piece}s") };
                Some(format!("It trades {traded}."))
            }
            Some(_) if self.last == Some(m.to()) => takes,
            // What the rest of the line wins is said elsewhere.
            Some(_) if worth(captured) >= worth(m.role()) => {
                let verb = if worth(captured) > worth(m.role()) { "wins" } else { "trades" };
                let [first, second] = if verb == "wins" { [other, piece] } else { [piece, other] };
                Some(format!("It {verb} the {first} for the {second}."))
            }
            // Who is lost anyway sacrifices nothing.
            Some(_) if lost.is_some() => lost
                .filter(|_| self.value.of(self.side()) > -LOST)
                .map(|lost| format!("It sacrifices {lost}.")),
            _ => won.map(|won| format!("It wins {won}.")).or(takes),
        }
    }

    /// A trade, and what is attacked after it.
    fn with_next(&self, trade: String) -> String {
        let is_trade = trade.starts_with("It trades") || trade.ends_with("traded.");
        let next = || [2, 4].into_iter().find_map(|ply| Some((ply, self.attacks_at(ply)?)));
        match is_trade.then(next).flatten() {
            Some((ply, attacks)) => format!("{trade} Then {} {attacks}", self.name(ply)),
            None => trade,
        }
    }

    /// A capture, and what the move that the line answers has taken with the captured piece.
    fn takes_back(&self, m: Move, role: Role) -> String {
        let now = Balance::new(self.chess().board(), self.side());
        let lost = self.before.since(now).most().filter(|_| self.last == Some(m.to()));
        let goes_to = |ply: usize, to| self.moves.get(ply).is_some_and(|m| m.to() == to);
        // What the whole exchange comes to is not plain to see.
        let is_plain = |&lost: &Role| lost == role || role != Role::Pawn && !goes_to(1, m.to());
        let (lost, other) = (lost.filter(is_plain), noun(role));
        // The line takes what is attacked, or leaves what attacks it.
        let attacked = Step::new(1, self.chess(), m).and_then(|step| {
            let is_used = |&target: &Square| !goes_to(1, m.to()) || goes_to(2, target);
            step.named(step.target().filter(is_used))
        });
        let attacks = attacked.map(|it| format!(" and attacks {it}")).unwrap_or_default();
        let takes = match lost.map(noun) {
            None => format!("captures the {other} on {}", m.to()),
            Some(lost) if lost != other => {
                format!("takes the {other} for {} {lost}", article(lost))
            }
            Some(_) if attacks.is_empty() => format!("takes back: {other}s are traded"),
            Some(_) => "takes back".to_owned(),
        };
        format!("It {takes}{attacks}.")
    }

    /// In a pawn ending, a pawn that may be taken by another, so that one promotes.
    fn breakthrough(&self) -> Option<String> {
        let (m, board) = (*self.moves.first()?, self.chess().board());
        let takers =
            attacks::pawn_attacks(self.side(), m.to()) & board.by_piece((!self.side()).pawn());
        let is_breakthrough = m.role() == Role::Pawn
            && !m.is_capture()
            && takers.any()
            && board.occupied() == board.kings() | board.pawns()
            && !promoted(self.game, self.moves, self.side()).is_empty();
        is_breakthrough.then(|| "It is a breakthrough.".to_owned())
    }

    /// A trade that a quiet move offers, if the line accepts it.
    fn offered_trade(&self) -> Option<String> {
        let [m, reply, back, ..] = self.moves else { return None };
        let is_offer = reply.to() == m.to() && back.to() == m.to() && !m.is_capture();
        if !is_offer || reply.role() != m.role() {
            return None;
        }
        let after = played(self.game, &self.moves[..3]);
        let board = after.position().chess().board();
        let pieces = board.occupied() & !board.kings() & !board.pawns();
        let end = match pieces.is_empty() && m.role() != Role::Pawn {
            true => ", which leads to a pawn ending",
            false => "",
        };
        Some(format!("It offers to trade {}s{end}.", noun(m.role())))
    }
}

/// Whether the bishop that moves has own pawns on its colour: at least four, of which two cannot move.
fn is_bad_bishop(chess: &Chess, m: Move) -> bool {
    let (side, board) = (chess.turn(), chess.board());
    let colour = if m.to().is_light() { Bitboard::LIGHT_SQUARES } else { Bitboard::DARK_SQUARES };
    let pawns = board.by_piece(side.pawn()) & colour;
    let fixed = pawns & step(!side, board.by_piece((!side).pawn()));
    pawns.count() >= 4 && fixed.count() >= 2
}

/// What a move that wins nothing by force is for.
impl Step {
    /// The pieces of a role and side after the move.
    fn own(&self, role: Role) -> Bitboard {
        self.board().by_piece(role.of(self.side()))
    }

    fn enemies(&self, role: Role) -> Bitboard {
        self.board().by_piece(role.of(!self.side()))
    }

    /// What the moved piece attacks now and did not attack before.
    fn new_attacks(&self) -> Bitboard {
        let before = self.before.board().attacks_from(self.from());
        self.board().attacks_from(self.to()) & !before
    }

    /// Pieces as a list: "the knight on d5 and the pawn on c4".
    fn named(&self, squares: impl IntoIterator<Item = Square>) -> Option<String> {
        let named = squares.into_iter();
        let named = named.filter_map(|it| Some(the_piece(self.board().role_at(it)?, it)));
        let named: Vec<String> = named.collect();
        (!named.is_empty()).then(|| joined(&named))
    }

    fn is_early(&self, moves: u32, pieces: usize) -> bool {
        self.before.fullmoves().get() <= moves && self.board().occupied().count() >= pieces
    }

    fn castles(&self) -> Option<String> {
        let text = "It castles and brings a rook into play.";
        self.m.is_castle().then(|| text.to_owned())
    }

    fn develops(&self) -> Option<String> {
        let (m, home) = (self.m, self.side().fold_wb(Rank::First, Rank::Eighth));
        let is_centre = matches!(m.to(), Square::D4 | Square::E4 | Square::D5 | Square::E5);
        match m.role() {
            Role::Pawn if is_centre && self.is_early(CENTRE_MOVES, MANY_PIECES) => {
                Some("It takes space in the centre.".to_owned())
            }
            Role::Knight | Role::Bishop
                if self.from().rank() == home
                    && !m.is_capture()
                    && self.is_early(DEVELOPING_MOVES, SEVERAL_PIECES) =>
            {
                Some(format!("It develops the {}.", noun(self.m.role())))
            }
            _ => None,
        }
    }

    /// A piece that is not pinned any more, where it stood.
    fn unpins(&self) -> Option<String> {
        let pinned =
            |board: &Board| pins(board, self.side()).map(|pin| pin.pinned).collect::<Bitboard>();
        let pieces = self.board().by_color(self.side()) & !self.board().pawns();
        let free = pinned(self.before.board()) & !pinned(self.board()) & pieces;
        Some(format!("It unpins {}.", self.named(free.without(self.to()).first())?))
    }

    fn advances(&self) -> Option<String> {
        let passed = EvalContext::new(&self.after).side(self.side()).passed;
        let left = promotion_distance(self.side(), self.to());
        (self.m.role() == Role::Pawn && left > 0 && passed.contains(self.to())).then(|| {
            format!("The passed pawn is then {} from promotion.", counted(left.into(), "move"))
        })
    }

    /// The piece that has to be defended or moved, and had not before.
    fn target(&self) -> Option<Square> {
        let (before, board) = (self.before.board(), self.board());
        let enemies = board.by_color(!self.side()) & !board.kings();
        let is_new = |&it: &Square| is_in_danger(board, it) && !is_in_danger(before, it);
        // On an opened line, who is attacked takes the attacker.
        let attackers = |it| board.attacks_to(it, self.side(), board.occupied()).without(self.to());
        let takes = |it: &Square| (board.attacks_from(*it) & attackers(*it)).any();
        let endangered = enemies.into_iter().filter(|it| is_new(it) && !takes(it));
        endangered.max_by_key(|&square| value(board, square))
    }

    fn attacks(&self) -> Option<String> {
        let (board, target, role) = (self.board(), self.target()?, self.m.role());
        if board.role_at(target) == Some(role) && board.attacks_from(target).contains(self.to()) {
            return Some(format!("It offers to trade {}s.", noun(role)));
        }
        let named = self.named([target]).filter(|_| !is_in_danger(board, self.to()))?;
        Some(format!("It attacks {named}."))
    }

    fn saves(&self) -> Option<String> {
        let was = is_in_danger(self.before.board(), self.from());
        let is_saved = was && !is_in_danger(self.board(), self.to()) && self.m.role() != Role::King;
        is_saved.then(|| format!("It brings the attacked {} to safety.", noun(self.m.role())))
    }

    /// An own piece that was in danger where it stands and is not any more.
    fn defends(&self) -> Option<String> {
        // A queen is rather moved than defended.
        let pieces = !self.board().kings() & !self.board().queens();
        let stayed = self.board().by_color(self.side()) & pieces;
        let saved = stayed.without(self.to()).into_iter().filter(|&square| {
            is_in_danger(self.before.board(), square) && !is_in_danger(self.board(), square)
        });
        let most = saved.max_by_key(|&square| value(self.board(), square))?;
        Some(format!("It defends {}.", self.named([most])?))
    }

    fn pins_piece(&self) -> Option<String> {
        self.pins(|[pinned, _]| pinned.piece.is_some_and(|piece| piece.role != Role::Pawn))
    }

    /// Pawns seldom want to leave a line, and never a file.
    fn pins_pawn(&self) -> Option<String> {
        self.pins(|[pinned, behind]| pinned.square.file() != behind.square.file())
    }

    fn pins(&self, what: fn([Spot; 2]) -> bool) -> Option<String> {
        let is_pin = |found: &FoundMotif| {
            found.motif.name().to_lowercase().ends_with("pin")
                && found.targets.first_chunk().is_some_and(|&targets| what(targets))
        };
        Some(motifs_of_move(&self.before, self.m).into_iter().find(is_pin)?.sentence())
    }

    /// A knight or bishop on a square where a pawn defends it and none can attack it.
    fn takes_outpost(&self) -> Option<String> {
        let to = self.to();
        let is_outpost = matches!(self.m.role(), Role::Knight | Role::Bishop)
            && (3..6).contains(&self.rank_of_target())
            && !matches!(to.file(), File::A | File::H)
            && EvalContext::new(&self.after).outposts(self.side()).contains(to);
        is_outpost.then(|| format!("No pawn can drive the {} away from {to}.", noun(self.m.role())))
    }

    /// A rook on a file without own pawns, or on the rank of the enemy pawns.
    fn takes_file(&self) -> Option<String> {
        let to = self.to();
        let file = Bitboard::from_file(to.file());
        let is_free = |square: Square, pawns: Bitboard| {
            (Bitboard::from_file(square.file()) & pawns).is_empty()
        };
        let own = self.own(Role::Pawn);
        let pawns = self.board().pawns();
        let majors = self.own(Role::Rook) | self.own(Role::Queen);
        let is_joined = |it| (attacks::between(it, to) & self.board().occupied()).is_empty();
        let (letter, rank) = (to.file().char(), to.rank());
        let stood = is_free(self.from(), own);
        let seen = attacks::rook_attacks(to, self.board().occupied()) & file;
        match self.m.role() {
            Role::Rook
                if self.rank_of_target() == 6
                    && self.from().rank() != rank
                    && (Bitboard::from_rank(rank) & pawns & !own).any() =>
            {
                Some("The rook attacks the pawns from the seventh rank.".to_owned())
            }
            Role::Rook | Role::Queen
                if self.from().file() != to.file()
                    && (file & majors).without(to).into_iter().any(is_joined)
                    && is_free(to, own) =>
            {
                Some(format!("It doubles the major pieces on the {letter}-file."))
            }
            // Behind its own pieces, a rook takes nothing.
            Role::Rook if seen.count() < SEEN_OF_FILE => None,
            Role::Rook if is_free(to, pawns) && !is_free(self.from(), pawns) => {
                let rivals = self.enemies(Role::Rook) | self.enemies(Role::Queen);
                let verb = if (file & rivals).any() { "contests" } else { "takes" };
                Some(format!("It {verb} the open {letter}-file."))
            }
            Role::Rook if is_free(to, own) && !stood => {
                Some(format!("It takes the half-open {letter}-file."))
            }
            _ => None,
        }
    }

    /// In an endgame, a rook beside the king, between it and the own pawns.
    fn cuts_off(&self) -> Option<String> {
        let king = self.board().king_of(!self.side())?;
        let cuts = |line: fn(Square) -> u32| {
            let [king, rook, before] = [king, self.to(), self.from()].map(line);
            let is_behind = |pawn| line(pawn) != rook && (line(pawn) > rook) == (rook > king);
            rook.abs_diff(king) == 1
                && before != rook
                && self.own(Role::Pawn).into_iter().all(is_behind)
        };
        // It guards the line beside the king.
        let seen = self.board().attacks_from(self.to());
        let [file, rank] = [self.to().file().into(), self.to().rank().into()];
        let guards = |line: Bitboard| (attacks::king_attacks(king) & line & !seen).is_empty();
        let is_cut = self.m.role() == Role::Rook
            && EvalContext::new(&self.before).phase <= ENDGAME_PHASE
            && self.own(Role::Pawn).any()
            && (cuts(|it| it.file().into()) && guards(file)
                || cuts(|it| it.rank().into()) && guards(rank));
        is_cut.then(|| format!("The rook cuts {} off.", king_of(!self.side())))
    }

    /// Two pawns on the queenside, beside a half-open file, that go against three.
    fn attacks_as_minority(&self) -> Option<String> {
        let wing = [File::A, File::B, File::C].map(Bitboard::from_file);
        let on_wing = |set: Bitboard| wing.map(|file| (set & file).count());
        let is_minority = self.m.role() == Role::Pawn
            && matches!(self.to().file(), File::A | File::B)
            && (3..5).contains(&self.rank_of_target())
            && on_wing(self.own(Role::Pawn)) == [1, 1, 0]
            && on_wing(self.enemies(Role::Pawn)) == [1; 3]
            && on_wing(self.board().kings()) == [0; 3];
        is_minority.then(|| {
            "It is a minority attack: two pawns go against three on the queenside.".to_owned()
        })
    }

    /// A pawn that meets an enemy pawn. If that stands before another own pawn, it breaks up a chain.
    fn challenges(&self) -> Option<String> {
        let met = self.new_attacks() & self.enemies(Role::Pawn);
        let chain = met & step(self.side(), self.own(Role::Pawn));
        let named = self.named(met).filter(|_| self.m.role() == Role::Pawn)?;
        Some(match chain.is_empty() {
            true => format!("It challenges {named}."),
            false => format!("It is a pawn break: it challenges {named}."),
        })
    }

    /// In an endgame, a king on its way.
    fn walks(&self) -> Option<String> {
        let (from, to) = (self.from(), self.to());
        if self.m.role() != Role::King || self.m.is_castle() || self.before.is_check() {
            return None;
        }
        let pawns = self.board().pawns();
        let distance =
            |king: Square| pawns.into_iter().map(|pawn| chebyshev(king, pawn)).sum::<u32>();
        if EvalContext::new(&self.before).phase > ENDGAME_PHASE {
            return None;
        }
        if distance(to) < distance(from) {
            let plural = if pawns.count() == 1 { "" } else { "s" };
            return Some(format!("The king goes towards the pawn{plural}."));
        }
        let is_closer = centre_distance(to) < centre_distance(from);
        is_closer.then(|| "The king goes towards the centre.".to_owned())
    }

    fn takes_space(&self) -> Option<String> {
        let wing = match self.to().file() {
            File::A | File::B | File::C => "on the queenside",
            File::D | File::E => "in the centre",
            _ => "on the kingside",
        };
        let is_space = self.m.role() == Role::Pawn
            && self.rank_of_target() >= 3
            && self.board().occupied().count() >= SEVERAL_PIECES;
        is_space.then(|| format!("It takes space {wing}."))
    }

    /// A pawn move that opens a square for the king on its back rank.
    fn gives_air(&self) -> Option<String> {
        let king = self
            .board()
            .king_of(self.side())
            .filter(|king| king.rank() == self.side().backrank())?;
        let before = Bitboard::from_rank(self.side().fold_wb(Rank::Second, Rank::Seventh));
        let shut = |board: &Board| {
            (attacks::king_attacks(king) & before & !board.by_color(self.side())).is_empty()
        };
        // In the centre or in the opening it has other aims.
        let is_air = self.m.role() == Role::Pawn
            && matches!(self.to().file(), File::A | File::B | File::G | File::H)
            && !self.is_early(DEVELOPING_MOVES, SEVERAL_PIECES)
            && shut(self.before.board())
            && !shut(self.board())
            && (self.enemies(Role::Rook) | self.enemies(Role::Queen)).any();
        is_air.then(|| "It gives the king an escape square.".to_owned())
    }
}
