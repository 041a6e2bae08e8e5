//! Draws each kind of system on a board.

use super::systems::{Kind, SYSTEMS, System};
use crate::picture::Picture;
use crate::refusal::Refusal;
use shakmaty::{Bitboard, Color, Square};
use tropism::geometry::{
    KnightJump, Mover, Terrain, Trajectories, chebyshev, fork_targets, knight_attacks, mobility,
    pawn_attacks, sum_rule,
};
use tropism::notation::parse_fen;
use tropism::text::counted;

pub fn draw(system: &System, squares: &[Square], fen: Option<&str>) -> Result<Picture, Refusal> {
    let name = system.name;
    if fen.is_some() && !system.kind.has_position() {
        let having = SYSTEMS.iter().filter(|system| system.kind.has_position());
        let having = having.map(|system| system.name).collect::<Vec<_>>().join(", ");
        let error = format!("{name} measures an empty board; these take a FEN: {having}");
        return Err(Refusal(error));
    }
    let words: Vec<String> = squares.iter().map(Square::to_string).collect();
    let title = [&[name.to_owned()], words.as_slice()].concat().join(" ");
    let mut board = Picture::new(title, system.doc);
    for &square in squares {
        board.cell(square).mark = true;
    }
    draw_kind(&mut board, system, squares, fen)?;
    if let Some(fen) = fen {
        board.add_caption(format!("position {fen}"));
    }
    Ok(board)
}

fn draw_kind(
    board: &mut Picture,
    &System { name, ref kind, .. }: &System,
    squares: &[Square],
    fen: Option<&str>,
) -> Result<(), Refusal> {
    let set: Bitboard = squares.iter().copied().collect();
    let piece = |from| PieceInPosition::of(name, fen, from);
    let wanted = || Err(Refusal(format!("{name} needs {}", kind.wanted())));
    match (kind, squares) {
        (_, [_, _, _, ..]) => return wanted(),
        (&Kind::Pair(distance), &[from, ..]) => {
            draw_numbers(board, |to| Some(distance(from, to)));
            caption_pair(board, squares, |a, b| distance(a, b).to_string());
        }
        (&Kind::Single(distance), [] | [_]) => {
            draw_numbers(board, |square| Some(distance(square)));
            if let [square] = squares {
                board.add_caption(format!("{square}: {}", distance(*square)));
            }
        }
        (&Kind::Relation(holds), &[from, ..]) => {
            draw_set(board, Square::ALL.into_iter().filter(|&to| holds(from, to)).collect());
            caption_pair(board, squares, |a, b| if holds(a, b) { "yes" } else { "no" }.to_owned());
        }
        (Kind::Set(image), [_, ..]) => draw_set(board, image(set)),
        (Kind::Sets(distance), [_, ..]) => draw_numbers(board, |to| distance(set, to.into())),
        (Kind::Jumps, &[from]) => {
            for jump in KnightJump::ALL {
                for to in jump.shift_then_mask(from.into()) {
                    let cell = board.cell(to);
                    (cell.text, cell.heat) = (format!("{:+}", jump.offset()), Some(0.0));
                }
            }
        }
        (Kind::SumRule, &[from, to]) => draw_set(board, sum_rule(from, to, chebyshev)),
        (&Kind::Paths(mover), &[from, to]) => draw_paths(board, mover, from, to, &Terrain::EMPTY)?,
        (Kind::PathsOnBoard, &[from, to]) => {
            let piece = piece(from)?;
            draw_paths(board, piece.mover, from, to, &piece.terrain(false))?;
            piece.draw_other_pieces(board);
        }
        (&Kind::Mobility(avoids_pawns), &[from, ..]) => {
            let piece = piece(from)?;
            let map = mobility(piece.mover, from, &piece.terrain(avoids_pawns));
            draw_numbers(board, |to| map.get(to));
            caption_pair(board, squares, |_, to| {
                map.get(to).map_or_else(|| "no path".to_owned(), |moves| moves.to_string())
            });
            piece.draw_other_pieces(board);
        }
        (Kind::Forks, &[from]) => {
            let piece = piece(from)?;
            if piece.mover != Mover::Knight {
                return Err(Refusal(format!("{name} needs a knight on {from}")));
            }
            draw_set(board, piece.forks(from));
            piece.draw_other_pieces(board);
        }
        _ => return wanted(),
    }
    Ok(())
}

/// Writes a number on each square that has one, coloured from the smallest to the largest.
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

/// Writes a 1 on each square of a set, as the sources print sets.
fn draw_set(board: &mut Picture, set: Bitboard) {
    draw_numbers(board, |square| set.contains(square).then_some(1));
    board.add_caption(counted(set.count() as u64, "square"));
}

/// Writes on each square of the shortest paths after how many moves the piece is there.
fn draw_paths(
    board: &mut Picture,
    mover: Mover,
    from: Square,
    to: Square,
    terrain: &Terrain,
) -> Result<(), Refusal> {
    let paths = Trajectories::new(mover, from, to, terrain);
    let no_path = || Refusal(format!("there is no path from {from} to {to}"));
    let paths = paths.ok_or_else(no_path)?;
    let moves = |square| (0..=paths.length()).find(|&moves| paths.after(moves).contains(square));
    draw_numbers(board, moves);
    let [moves, squares] =
        [counted(paths.length().into(), "move"), counted(paths.squares().count() as u64, "square")];
    board.add_caption(format!("{moves}, {squares}, {}", counted(paths.count(), "shortest path")));
    Ok(())
}

/// Adds a caption about a pair of squares, if two squares were given.
fn caption_pair(board: &mut Picture, squares: &[Square], text: impl Fn(Square, Square) -> String) {
    if let &[a, b] = squares {
        board.add_caption(format!("{a} to {b}: {}", text(a, b)));
    }
}

/// The piece on the requested square, and the position around it.
struct PieceInPosition {
    mover: Mover,
    side: Color,
    board: shakmaty::Board,
}

impl PieceInPosition {
    fn of(
        name: &'static str,
        fen: Option<&str>,
        square: Square,
    ) -> Result<PieceInPosition, Refusal> {
        let board = match fen {
            None => shakmaty::Board::default(),
            Some(text) => {
                let error = |error| Refusal(format!("{text:?}: {error}"));
                parse_fen(text).map_err(error)?.into_setup().board
            }
        };
        let no_piece = || Refusal(format!("{name} needs a piece on {square}"));
        let piece = board.piece_at(square).ok_or_else(no_piece)?;
        Ok(PieceInPosition { mover: piece.into(), side: piece.color, board })
    }

    /// Writes the letters of all pieces on squares without text.
    fn draw_other_pieces(&self, picture: &mut Picture) {
        for (square, piece) in self.board.iter() {
            let cell = picture.cell(square);
            if cell.text.is_empty() {
                cell.text = piece.char().to_string();
            }
        }
    }

    fn enemies(&self) -> Bitboard {
        self.board.by_color(!self.side)
    }

    fn guarded_by_pawns(&self) -> Bitboard {
        pawn_attacks(!self.side, self.board.pawns() & self.enemies())
    }

    fn terrain(&self, avoids_pawns: bool) -> Terrain {
        let guarded = if avoids_pawns { self.guarded_by_pawns() } else { Bitboard::EMPTY };
        Terrain { own: self.board.by_color(self.side), enemy: self.enemies(), guarded }
    }

    /// The squares where the knight on `from` would safely fork two of king, queen and rooks.
    fn forks(&self, from: Square) -> Bitboard {
        let targets = self.board.kings() | self.board.rooks_and_queens();
        let guarded =
            self.guarded_by_pawns() | knight_attacks(self.board.knights() & self.enemies());
        let own = self.board.by_color(self.side);
        fork_targets(targets & self.enemies(), from.into(), own, guarded)
    }
}
