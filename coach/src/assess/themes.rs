//! What speaks for each side, theme by theme: the values from the terms, the words from the board.
//!
//! This module knows the built-in terms by name. A term of an engine file is a theme of its own.

use super::material::Balance;
use crate::contributions::{Reason, reasons};
use crate::motifs::{Motif, motifs_of_position};
use crate::races::lateness;
use shakmaty::{Bitboard, Chess, Color, File, Position, Rank, Role, Square};
use tropism::eval::{EvalContext, Piece, Row, Side, Trace};
use tropism::geometry::{
    ahead, beside, centre_distance, chebyshev, edge_distance, king_attacks, pawn_attacks,
    promotion_distance, step,
};
use tropism::text::{capitalized, counted, joined, noun, side_name};

/// The smallest value of a theme that is a reason, in centipawns.
const SMALLEST: f64 = 15.0;
/// The most reasons.
const MOST: usize = 5;
/// The most pieces, files or squares in one sentence.
const MOST_NAMED: usize = 3;
/// At most this game phase is an endgame, in which kings are active and need no shelter.
pub const ENDGAME_PHASE: i32 = 8;
/// Above these phases development counts, and pieces on their first rank are not called poor.
const OPENING_PHASE: i32 = 20;
const EARLY_PHASE: i32 = 16;

/// What a reason is about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Theme {
    Material,
    King,
    Pawns,
    Pieces,
    Threats,
    /// A term that the program does not know.
    Term(String),
}

impl Theme {
    /// The theme of a term.
    fn of(term: &str) -> Theme {
        match term {
            "material" | "imbalance" => Theme::Material,
            "shelter" | "king_safety" | "king_pawn_tropism" | "mop_up" | "kbnk" => Theme::King,
            "pawns" | "pawn_offsets" | "passed_pawns" | "kpk" => Theme::Pawns,
            "placement" | "mobility" | "pieces" | "knight_forks" => Theme::Pieces,
            "threats" | "initiative" => Theme::Threats,
            other => Theme::Term(other.to_owned()),
        }
    }

    pub fn name(&self) -> &str {
        match self {
            Theme::Material => "material",
            Theme::King => "king",
            Theme::Pawns => "pawns",
            Theme::Pieces => "pieces",
            Theme::Threats => "threats",
            Theme::Term(name) => name,
        }
    }
}

/// One reason why a position is good for a side.
#[derive(Clone, Debug)]
pub struct ThemeReason {
    /// What it is about.
    pub theme: Theme,
    /// In centipawns, positive if good for White.
    pub value: f64,
    /// The fact in a few words, as the main clause of a sentence.
    pub clause: String,
    /// What it consists of.
    pub detail: Option<String>,
}

impl ThemeReason {
    /// The side that it is good for.
    pub fn side(&self) -> Color {
        Color::from_white(self.value > 0.0)
    }

    /// The clause with what it consists of.
    pub fn sentence(&self) -> String {
        let detail = self.detail.as_ref().map(|detail| format!(": {detail}")).unwrap_or_default();
        format!("{}{detail}.", capitalized(&self.clause))
    }
}

/// The reasons of a position, the largest first.
pub fn theme_reasons(position: &Chess, trace: &Trace, context: &EvalContext) -> Vec<ThemeReason> {
    let view = View { position, trace, context };
    let mut found = Vec::new();
    found.extend(view.material());
    found.extend(view.bishop_pair());
    found.extend(if context.phase > ENDGAME_PHASE { view.shelter() } else { view.activity() });
    found.extend(Color::ALL.into_iter().filter_map(|side| view.passed_pawn(side)));
    found.extend(view.pawns());
    found.extend(view.pieces());
    found.extend(view.pins());
    found.extend(trace.rows.iter().filter_map(|row| view.other_term(row)));
    found.retain(|reason| reason.value.abs() >= SMALLEST);
    found.sort_by(|a, b| b.value.abs().total_cmp(&a.value.abs()));
    found.truncate(MOST);
    found
}

struct View<'a> {
    position: &'a Chess,
    trace: &'a Trace,
    context: &'a EvalContext,
}

impl View<'_> {
    /// The sum of a theme, White minus Black, in centipawns.
    fn sum(&self, theme: &Theme) -> f64 {
        let rows = self.trace.rows.iter().filter(|row| Theme::of(row.name()) == *theme);
        rows.map(|row| row.total().centipawns(self.trace.phase)).sum()
    }

    /// What some terms say of a side's thing on a square, for that side.
    fn on_square(&self, terms: &[&str], side: Color, square: Square) -> f64 {
        let rows = self.trace.rows.iter().filter(|row| terms.contains(&row.name()));
        let worth = |row: &Row| {
            let contributions = side.fold_wb(&row.white_contributions, &row.black_contributions);
            let here = contributions.iter().filter(|seen| seen.square == square);
            here.map(|seen| row.worth(seen).centipawns(self.trace.phase)).sum::<f64>()
        };
        rows.map(worth).sum()
    }

    /// A reason that is good for a side by this value.
    fn reason(
        &self,
        theme: Theme,
        side: Color,
        value: f64,
        clause: String,
        details: Vec<String>,
    ) -> ThemeReason {
        let detail = (!details.is_empty()).then(|| joined(&details));
        ThemeReason { theme, value: side.fold_wb(value, -value), clause, detail }
    }

    fn material(&self) -> Option<ThemeReason> {
        let value = self.sum(&Theme::Material);
        let side = Color::from_white(value > 0.0);
        let balance = Balance::new(self.position.board(), side);
        // The bishop pair is a reason of its own.
        if balance == Balance::BISHOP_FOR_KNIGHT && self.bishop_pair().is_some() {
            return None;
        }
        let clause = balance.clause()?;
        let clause = format!("{} {clause}", side_name(side));
        Some(self.reason(Theme::Material, side, value.abs(), clause, Vec::new()))
    }

    fn bishop_pair(&self) -> Option<ThemeReason> {
        let has = |side: Color| {
            let bishops = self.context.side(side).bishops;
            let light = bishops & Bitboard::LIGHT_SQUARES;
            light.any() && light != bishops
        };
        let side = Color::ALL.into_iter().find(|&side| has(side) && !has(!side))?;
        let row = self.trace.rows.iter().find(|row| row.name() == "pieces")?;
        let spec = row.entry.weights.iter().find(|spec| spec.name == "bishop_pair")?;
        let score = Reason::new(row, spec).score.centipawns(self.trace.phase);
        let clause = format!("{} has the bishop pair", side_name(side));
        Some(self.reason(Theme::Material, side, side.fold_wb(score, -score), clause, Vec::new()))
    }

    /// Whose king is less safe, and why.
    fn shelter(&self) -> Option<ThemeReason> {
        let safety = |row: &&Row| matches!(row.name(), "shelter" | "king_safety");
        let rows = self.trace.rows.iter().filter(safety);
        let value: f64 = rows.map(|row| row.total().centipawns(self.trace.phase)).sum();
        let (side, weaker) = (Color::from_white(value > 0.0), Color::from_white(value <= 0.0));
        let (own, enemy) = (self.context.side(weaker), self.context.side(side));
        let king = own.king;
        let bare = bare_files(own, weaker);
        let near = king_attacks(king.into()).with(king);
        let attackers: Vec<String> = enemy
            .pieces
            .iter()
            .filter(|piece| (piece.attacks & near).any())
            .map(piece_name)
            .take(MOST_NAMED)
            .collect();
        let at_home = king.rank() == weaker.fold_wb(Rank::First, Rank::Eighth);
        let in_centre = at_home && matches!(king.file(), File::D | File::E);
        let safer = enemy.king;
        let both_in_centre = matches!(safer.file(), File::D | File::E);
        let verb = match (attackers.len(), bare.is_empty()) {
            (2.., _) => "is under attack",
            (_, false) if !in_centre => "is exposed",
            _ if in_centre && !both_in_centre => "is still in the centre",
            _ => return None,
        };
        let mut details = Vec::new();
        if !bare.is_empty() {
            let plural = if bare.len() == 1 { "" } else { "s" };
            let files: Vec<String> = bare.iter().map(|file| format!("{}-", file.char())).collect();
            details.push(format!("no pawn shelters it on the {}file{plural}", joined(&files)));
        }
        match &attackers[..] {
            [] => {}
            [one] => details.push(format!("{one} attacks squares beside it")),
            several => details.push(format!("{} attack squares beside it", joined(several))),
        }
        let clause = format!("{}'s king on {king} {verb}", side_name(weaker));
        Some(self.reason(Theme::King, side, value.abs(), clause, details))
    }

    /// Whose king is more active in an endgame.
    fn activity(&self) -> Option<ThemeReason> {
        let kings = Color::ALL.map(|side| self.context.side(side).king);
        let tropism = self.trace.rows.iter().find(|row| row.name() == "king_pawn_tropism");
        let tropism = tropism.map_or(0.0, |row| row.total().centipawns(self.trace.phase));
        let [white, black] = [0, 1]
            .map(|index: usize| self.on_square(&["placement"], Color::ALL[index], kings[index]));
        let value = tropism + white - black;
        let side = Color::from_white(value > 0.0);
        let (king, other) = side.fold_wb((kings[0], kings[1]), (kings[1], kings[0]));
        let pawns = self.context.pawns();
        let distance =
            |king: Square| pawns.into_iter().map(|pawn| chebyshev(king, pawn)).sum::<u32>();
        let mut details = Vec::new();
        // A king on the edge may be shut in.
        if edge_distance(king) == 0 {
            return None;
        }
        if pawns.any() && distance(king) < distance(other) {
            let noun = if pawns.more_than_one() { "pawns" } else { "pawn" };
            details.push(format!("it is closer to the {noun}"));
        }
        let [near, far] = [king, other].map(centre_distance);
        if near < far {
            let moves = counted((far - near).into(), "move");
            details.push(format!("it is {moves} closer to the centre than the other king"));
        }
        if details.is_empty() {
            return None;
        }
        let clause = format!("{}'s king on {king} is more active", side_name(side));
        Some(self.reason(Theme::King, side, value.abs(), clause, details))
    }

    /// The most valuable passed pawn of a side.
    fn passed_pawn(&self, side: Color) -> Option<ThemeReason> {
        const TERMS: [&str; 3] = ["passed_pawns", "pawns", "kpk"];
        let (own, enemy) = (self.context.side(side), self.context.side(!side));
        let valued = own.passed.into_iter().map(|pawn| (self.on_square(&TERMS, side, pawn), pawn));
        let (value, pawn) = valued.max_by(|a, b| a.0.total_cmp(&b.0))?;
        if value < 2.0 * SMALLEST {
            return None;
        }
        let way = ahead(side, pawn.into());
        let moves = counted(promotion_distance(side, pawn).into(), "move");
        let mut details = vec![format!("it is {moves} from promotion")];
        let next = step(side, pawn.into()).first()?;
        if let Some(piece) = self.position.board().piece_at(next) {
            let owner = if piece.color == side { "its own" } else { "the" };
            details.push(format!("{owner} {} on {next} blocks it", noun(piece.role)));
        } else if (way & enemy.attacks).is_empty() && (way & self.context.occupied).is_empty() {
            details.push("its path is free".to_owned());
        }
        if let Some(late) = lateness(self.context, self.position, side, pawn) {
            let (late, king) = (counted(late.into(), "move"), side_name(!side));
            details.push(format!("{king}'s king is {late} too late to catch it"));
        }
        let guards = pawn_attacks(!side, pawn.into()) & own.pawns;
        if let Some(guard) = guards.first() {
            details.push(format!("the pawn on {guard} protects it"));
        }
        let clause = format!("{} has a passed pawn on {pawn}", side_name(side));
        Some(self.reason(Theme::Pawns, side, value, clause, details))
    }

    /// Whose pawns are weaker, apart from passed pawns, or else who has more space in the centre.
    fn pawns(&self) -> Option<ThemeReason> {
        let passed: f64 = Color::ALL
            .into_iter()
            .map(|side| {
                let own = self.context.side(side);
                let terms = ["passed_pawns", "pawns", "kpk"];
                let value: f64 =
                    own.passed.into_iter().map(|pawn| self.on_square(&terms, side, pawn)).sum();
                side.fold_wb(value, -value)
            })
            .sum();
        let value = self.sum(&Theme::Pawns) - passed;
        let (side, weaker) = (Color::from_white(value > 0.0), Color::from_white(value <= 0.0));
        let [own, enemy] = [weaker, side].map(|side| weaknesses(self.context.side(side), side));
        let count = |kinds: [Bitboard; 3]| kinds.map(Bitboard::count).iter().sum::<usize>();
        if count(own) <= count(enemy) {
            return self.space(side, value.abs());
        }
        let kinds = ["isolated", "doubled", "backward"];
        let kinds = kinds.into_iter().zip(own).filter(|(_, pawns)| pawns.any());
        let detail = |(kind, pawns): (&str, Bitboard)| {
            let squares: Vec<String> =
                pawns.into_iter().take(MOST_NAMED).map(|square| square.to_string()).collect();
            match squares.len() {
                1 => format!("the pawn on {} is {kind}", squares[0]),
                _ => format!("the pawns on {} are {kind}", joined(&squares)),
            }
        };
        let details = kinds.map(detail).collect();
        let clause = format!("{}'s pawns are weaker", side_name(weaker));
        Some(self.reason(Theme::Pawns, side, value.abs(), clause, details))
    }

    /// Who has more pawns in the centre on the fourth rank or beyond.
    fn space(&self, side: Color, value: f64) -> Option<ThemeReason> {
        const MORE: usize = 2;
        let centre = [File::C, File::D, File::E, File::F].map(Bitboard::from_file);
        let centre = centre.into_iter().fold(Bitboard::EMPTY, |all, file| all | file);
        let far = |side: Color| {
            let third = side.fold_wb(Rank::Third, Rank::Sixth);
            self.context.side(side).pawns & centre & ahead(side, Bitboard::from_rank(third))
        };
        let [own, enemy] = [far(side), far(!side)];
        if own.count() < enemy.count() + MORE || self.context.phase <= ENDGAME_PHASE {
            return None;
        }
        let squares: Vec<String> =
            own.into_iter().take(MOST_NAMED).map(|square| square.to_string()).collect();
        let clause = format!("{} has more space in the centre", side_name(side));
        let detail = format!("pawns on {}", joined(&squares));
        Some(self.reason(Theme::Pawns, side, value, clause, vec![detail]))
    }

    /// Whose pieces are more active.
    fn pieces(&self) -> Option<ThemeReason> {
        let activity = |row: &&Row| matches!(row.name(), "placement" | "mobility" | "pieces");
        let rows = self.trace.rows.iter().filter(activity);
        let mut value: f64 = rows.map(|row| row.total().centipawns(self.trace.phase)).sum();
        for side in Color::ALL {
            let king = self.on_square(&["placement", "pieces"], side, self.context.side(side).king);
            value -= side.fold_wb(king, -king);
        }
        // With other pieces on each side, the terms weigh these, not only their squares.
        let counts = |side: &Side| {
            [side.knights, side.bishops, side.rooks, side.queens].map(|set| set.count())
        };
        let sides = Color::ALL.map(|side| self.context.side(side));
        if counts(sides[0]) != counts(sides[1]) {
            return None;
        }
        let side = Color::from_white(value > 0.0);
        let mut details = self.strong_pieces(side);
        details.extend(self.poor_pieces(!side));
        if let Some(detail) = self.development(side) {
            details.insert(0, detail);
        }
        if details.is_empty() {
            let [own, enemy] = [side, !side].map(|side| self.safe_squares(side));
            if own <= enemy {
                return None;
            }
            details.push(format!(
                "they reach {own} safe squares, {}'s reach {enemy}",
                side_name(!side)
            ));
        }
        details.truncate(MOST_NAMED);
        let clause = format!("{}'s pieces are more active", side_name(side));
        Some(self.reason(Theme::Pieces, side, value.abs(), clause, details))
    }

    /// Squares that a side's pieces reach and no enemy pawn attacks.
    fn safe_squares(&self, side: Color) -> usize {
        let own = self.context.side(side);
        own.pieces.iter().map(|piece| self.safe(side, piece).count()).sum()
    }

    fn safe(&self, side: Color, piece: &Piece) -> Bitboard {
        piece.attacks & !self.context.side(side).all & !self.context.side(!side).pawn_attacks
    }

    /// In an opening: who has more knights and bishops off their first rank.
    fn development(&self, side: Color) -> Option<String> {
        let at_home = |side: Color| {
            let own = self.context.side(side);
            let rank = Bitboard::from_rank(side.fold_wb(Rank::First, Rank::Eighth));
            ((own.knights | own.bishops) & rank).count() as u64
        };
        let late = at_home(!side);
        (self.trace.phase > OPENING_PHASE && late > at_home(side)).then(|| {
            let verb = if late == 1 { "is" } else { "are" };
            let pieces = counted(late, "minor piece");
            format!("{pieces} of {} {verb} still at home", side_name(!side))
        })
    }

    /// Where the term of the pieces counts a weight for a side.
    fn counted(&self, side: Color, weight: &str) -> Vec<Square> {
        let row = self.trace.rows.iter().find(|row| row.name() == "pieces");
        let of_weight = |row: &Row| {
            let contributions = side.fold_wb(&row.white_contributions, &row.black_contributions);
            let named = contributions.iter().filter(|seen| {
                row.weight(seen.weight).is_some_and(|(spec, _)| spec.name == weight)
            });
            named.map(|seen| seen.square).collect()
        };
        row.map(of_weight).unwrap_or_default()
    }

    /// Knights and bishops on outposts, and rooks on open files.
    fn strong_pieces(&self, side: Color) -> Vec<String> {
        let of = |noun: &str, weight: &str| {
            let text =
                |square| format!("the {noun} on {square} has an outpost that no pawn can attack");
            self.counted(side, weight).into_iter().map(text).collect::<Vec<_>>()
        };
        let mut strong = of("knight", "knight_outpost");
        strong.extend(of("bishop", "bishop_outpost"));
        let open = self.counted(side, "rook_open");
        let open = open.first().filter(|_| self.counted(!side, "rook_open").is_empty());
        let text =
            |rook: &Square| format!("the rook on {rook} has the open {}-file", rook.file().char());
        strong.extend(open.map(text));
        strong
    }

    /// Pieces with hardly a safe square. In a middlegame those on their first rank may just not be developed.
    fn poor_pieces(&self, side: Color) -> Vec<String> {
        let own = self.context.side(side);
        let home = Bitboard::from_rank(side.fold_wb(Rank::First, Rank::Eighth));
        // Beside a king in the centre a rook may just wait for castling.
        let is_home = matches!(own.king.file(), File::D | File::E);
        let shut_in = self.counted(side, "rook_trapped").into_iter().filter(|_| !is_home);
        let shut_in = shut_in.map(|rook| format!("the rook on {rook} is shut in by its king"));
        let mut poor: Vec<String> = shut_in.collect();
        for piece in &own.pieces {
            let safe = self.safe(side, piece).count();
            let few = match piece.role {
                Role::Knight => 1,
                Role::Bishop | Role::Rook => 2,
                _ => 4,
            };
            let is_home = home.contains(piece.square) && self.trace.phase > EARLY_PHASE;
            if safe <= few && !is_home {
                let squares = match safe {
                    0 => "no safe square".to_owned(),
                    safe => format!("only {}", counted(safe as u64, "safe square")),
                };
                poor.push(format!("{} has {squares}", piece_name(piece)));
            }
        }
        poor
    }

    /// Pins, which the terms of threats count.
    fn pins(&self) -> Option<ThemeReason> {
        let value = self.sum(&Theme::Threats);
        let side = Color::from_white(value > 0.0);
        let found = motifs_of_position(self.position);
        let is_pin = |motif: Motif| matches!(motif, Motif::Pin | Motif::RelativePin);
        let pin = found.iter().find(|found| is_pin(found.motif) && found.side == side)?;
        // Pins on both sides are no difference.
        if found.iter().any(|found| is_pin(found.motif) && found.side != side) {
            return None;
        }
        Some(self.reason(Theme::Threats, side, value.abs(), pin.to_string(), Vec::new()))
    }

    /// The strongest reason of a term that the program does not know.
    fn other_term(&self, row: &Row) -> Option<ThemeReason> {
        let theme = Theme::of(row.name());
        let Theme::Term(_) = theme else { return None };
        let value = row.total().centipawns(self.trace.phase);
        let side = Color::from_white(value > 0.0);
        let all = reasons(row, self.trace.phase);
        let clause = all.first()?.sentence();
        Some(self.reason(theme, side, value.abs(), clause, Vec::new()))
    }
}

/// A piece and its square in a sentence.
fn piece_name(piece: &Piece) -> String {
    format!("the {} on {}", noun(piece.role), piece.square)
}

/// The files of a king and beside it on which no pawn of its side stands ahead of it.
fn bare_files(own: &Side, side: Color) -> Vec<File> {
    let king = own.king;
    let files = File::ALL.into_iter().filter(|file| file.distance(king.file()) <= 1);
    let is_bare = |file: &File| {
        let square = Square::from_coords(*file, king.rank());
        let here = ahead(side, square.into()).with(square);
        (here & own.pawns).is_empty()
    };
    files.filter(is_bare).collect()
}

/// The isolated, the doubled and the backward pawns of a side.
fn weaknesses(own: &Side, side: Color) -> [Bitboard; 3] {
    let file = |square: Square| Bitboard::from_file(square.file());
    let isolated =
        own.pawns.into_iter().filter(|&pawn| (beside(file(pawn)) & own.pawns).is_empty());
    let isolated: Bitboard = isolated.collect();
    let doubled = own.pawns & (ahead(side, own.pawns) | ahead(!side, own.pawns));
    let backward = own.backward & !isolated & !own.passed;
    [isolated & !own.passed, doubled & !isolated, backward & !doubled]
}
