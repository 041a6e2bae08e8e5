//! How each kind of system becomes a board.

use super::systems::{Guards, Kind, System};
use super::{DiagramError, DiagramRequest, naming, nearest};
use crate::coach::picture::Picture;
use crate::geometry::layout::Choice;
use crate::geometry::{
    KnightJump, Mover, Terrain, Trajectories, fork_targets, knight_attacks, mobility, pawn_attacks,
    sum_rule,
};
use shakmaty::{Bitboard, Color, Square, fen::Fen};

pub(super) fn draw(
    system: &System,
    squares: &[Square],
    request: &DiagramRequest,
) -> Result<Picture, DiagramError> {
    let name = system.name;
    let layout = request.layout.map(|layout| choice(system, layout)).transpose()?;
    if request.fen.is_some() && !system.kind.has_position() {
        return Err(DiagramError::NoPosition { name, having: naming(Kind::has_position) });
    }
    if squares.len() > 2 {
        return Err(DiagramError::Squares { name, wanted: system.kind.wanted() });
    }
    let words: Vec<String> = squares.iter().map(Square::to_string).collect();
    let title = [&[name.to_owned()], words.as_slice()].concat().join(" ");
    let mut board = Picture::new(title, system.doc);
    for &square in squares {
        board.cell(square).mark = true;
    }
    let set: Bitboard = squares.iter().copied().collect();
    match (&system.kind, squares) {
        (Kind::Layouts(choices), &[from, ..]) => {
            // All layouts agree; the second is what the public functions use.
            let distance = layout.map_or(choices[1].distance, |choice| choice.distance);
            draw_numbers(&mut board, |to| Some(distance(from, to)));
            tell_pair(&mut board, squares, |a, b| distance(a, b).to_string());
            if let Some(Choice { name, entries, .. }) = layout {
                board.add_caption(format!("layout {name}, {entries} table entries"));
            }
        }
        (&Kind::Pair(distance), &[from, ..]) => {
            draw_numbers(&mut board, |to| Some(distance(from, to)));
            tell_pair(&mut board, squares, |a, b| distance(a, b).to_string());
        }
        (&Kind::Single(distance), [] | [_]) => {
            draw_numbers(&mut board, |square| Some(distance(square)));
            if let [square] = squares {
                board.add_caption(format!("{square}: {}", distance(*square)));
            }
        }
        (&Kind::Relation(holds), &[from, ..]) => {
            draw_set(&mut board, Square::ALL.into_iter().filter(|&to| holds(from, to)).collect());
            tell_pair(&mut board, squares, |a, b| {
                if holds(a, b) { "yes" } else { "no" }.to_owned()
            });
        }
        (Kind::Set(image), [_, ..]) => draw_set(&mut board, image(set)),
        (Kind::Sets(distance), [_, ..]) => draw_numbers(&mut board, |to| distance(set, to.into())),
        (Kind::Jumps, &[from]) => {
            for jump in KnightJump::ALL {
                for to in jump.shift_then_mask(from.into()) {
                    let cell = board.cell(to);
                    (cell.text, cell.heat) = (format!("{:+}", jump.offset()), Some(0.0));
                }
            }
        }
        (Kind::SumRule(distance), &[from, to]) => {
            draw_set(&mut board, sum_rule(from, to, distance));
        }
        (&Kind::Ways(mover), &[from, to]) => {
            draw_ways(&mut board, mover, from, to, &Terrain::EMPTY)?;
        }
        (Kind::WaysOnBoard, &[from, to]) => {
            let stand = Stand::of(name, request.fen, from)?;
            draw_ways(&mut board, stand.mover, from, to, &stand.terrain(Guards::Open))?;
            stand.draw_men(&mut board);
        }
        (&Kind::Mobility(guards), &[from, ..]) => {
            let stand = Stand::of(name, request.fen, from)?;
            let map = mobility(stand.mover, from, &stand.terrain(guards));
            draw_numbers(&mut board, |to| map.get(to));
            stand.draw_men(&mut board);
            tell_pair(&mut board, squares, |_, to| {
                map.get(to).map_or_else(|| "no way".to_owned(), |moves| moves.to_string())
            });
        }
        (Kind::Forks, &[from]) => {
            let stand = Stand::of(name, request.fen, from)?;
            if stand.mover != Mover::Knight {
                return Err(DiagramError::Piece { name, square: from, wanted: "knight" });
            }
            draw_set(&mut board, stand.forks(from));
            stand.draw_men(&mut board);
        }
        (kind, _) => return Err(DiagramError::Squares { name, wanted: kind.wanted() }),
    }
    if let Some(fen) = request.fen {
        board.add_caption(format!("position {fen}"));
    }
    Ok(board)
}

/// The layout of that name.
fn choice<'a>(system: &'a System, layout: &str) -> Result<&'a Choice, DiagramError> {
    let Some(choices) = system.layouts() else {
        let having = naming(|kind| matches!(kind, Kind::Layouts(_)));
        return Err(DiagramError::NoLayouts { name: system.name, having });
    };
    choices.iter().find(|choice| choice.name == layout).ok_or_else(|| {
        let nearest = nearest(layout, choices.iter().map(|choice| choice.name));
        DiagramError::Layout { layout: layout.to_owned(), nearest }
    })
}

/// Writes a number on each square that has one, coloured from the least to the largest.
fn draw_numbers(board: &mut Picture, value: impl Fn(Square) -> Option<u32>) {
    let values = Square::ALL.map(value);
    let least = values.into_iter().flatten().min().unwrap_or(0);
    let range = values.into_iter().flatten().max().unwrap_or(0) - least;
    for (square, value) in Square::ALL.into_iter().zip(values) {
        if let Some(value) = value {
            let cell = board.cell(square);
            cell.text = value.to_string();
            cell.heat = Some(f64::from(value - least) / f64::from(range.max(1)));
        }
    }
}

/// Marks the squares of a set with ones, as the sources print them.
fn draw_set(board: &mut Picture, set: Bitboard) {
    draw_numbers(board, |square| set.contains(square).then_some(1));
    board.add_caption(counted(set.count() as u64, "square"));
}

/// Writes after how many moves the piece is on each square of its shortest ways.
fn draw_ways(
    board: &mut Picture,
    mover: Mover,
    from: Square,
    to: Square,
    terrain: &Terrain,
) -> Result<(), DiagramError> {
    let ways = Trajectories::new(mover, from, to, terrain);
    let ways = ways.ok_or(DiagramError::NoWay { from, to })?;
    let moves = |square| (0..=ways.length()).find(|&moves| ways.after(moves).contains(square));
    draw_numbers(board, moves);
    let [moves, squares] =
        [counted(ways.length().into(), "move"), counted(ways.squares().count() as u64, "square")];
    board.add_caption(format!("{moves}, {squares}, {}", counted(ways.count(), "shortest way")));
    Ok(())
}

fn counted(count: u64, what: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {what}{plural}")
}

/// Says what holds between the two squares, if two were given.
fn tell_pair(board: &mut Picture, squares: &[Square], tell: impl Fn(Square, Square) -> String) {
    if let &[a, b] = squares {
        board.add_caption(format!("{a} to {b}: {}", tell(a, b)));
    }
}

/// The piece that is asked about and all men around it.
struct Stand {
    mover: Mover,
    side: Color,
    men: shakmaty::Board,
}

impl Stand {
    fn of(name: &'static str, fen: Option<&str>, square: Square) -> Result<Stand, DiagramError> {
        let men = match fen {
            None => shakmaty::Board::default(),
            Some(text) => {
                let fen: Fen = text
                    .parse()
                    .map_err(|source| DiagramError::Fen { fen: text.to_owned(), source })?;
                fen.into_setup().board
            }
        };
        let piece = men.piece_at(square);
        let piece = piece.ok_or(DiagramError::Piece { name, square, wanted: "piece" })?;
        Ok(Stand { mover: piece.into(), side: piece.color, men })
    }

    /// Shows the men, by their letters, where nothing else is written.
    fn draw_men(&self, board: &mut Picture) {
        for (square, piece) in self.men.iter() {
            let cell = board.cell(square);
            if cell.text.is_empty() {
                cell.text = piece.char().to_string();
            }
        }
    }

    fn enemies(&self) -> Bitboard {
        self.men.by_color(!self.side)
    }

    fn guarded_by_pawns(&self) -> Bitboard {
        pawn_attacks(!self.side, self.men.pawns() & self.enemies())
    }

    fn terrain(&self, guards: Guards) -> Terrain {
        let guarded = match guards {
            Guards::Open => Bitboard::EMPTY,
            Guards::Closed => self.guarded_by_pawns(),
        };
        Terrain { own: self.men.by_color(self.side), enemy: self.enemies(), guarded }
    }

    /// Where the knight on `from` would safely fork two of king, queen and rooks.
    fn forks(&self, from: Square) -> Bitboard {
        let targets = self.men.kings() | self.men.rooks_and_queens();
        let guarded = self.guarded_by_pawns() | knight_attacks(self.men.knights() & self.enemies());
        let own = self.men.by_color(self.side);
        fork_targets(targets & self.enemies(), from.into(), own, guarded)
    }
}
