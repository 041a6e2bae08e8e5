//! Motifs along lines.

use super::super::{Motif, motifs_of_line};
use super::{clauses, moves, position, rows, said};
use shakmaty::Color;

/// Motif, position, line, what is said.
const FOUND: &str = "
fork | 3q3r/8/8/k5N1/8/8/8/6K1 w - - | Nf7 Qd7 Nxh8 | the knight on f7 forks the queen on d8 and the rook on h8
pin | 6k1/5r2/8/8/8/3B4/8/6K1 w - - | Bc4 Kf8 Bxf7 | the bishop on c4 pins the rook on f7 to the king on g8
relativePin | 3q2k1/8/5n2/8/8/8/8/2B3K1 w - - | Bg5 Kh8 Bxf6 | the bishop on g5 pins the knight on f6 to the queen on d8
skewer | 8/8/8/q3k3/8/8/8/6KR w - - | Rh5 Kd4 Rxa5 | the rook on h5 skewers the king on e5 and the queen on a5 behind it
discoveredAttack | 4q1k1/8/8/8/4N3/8/8/4R1K1 w - - | Nf6 Kf7 Rxe8 | the knight on f6 opens the line on which the rook on e1 attacks the queen on e8
discoveredCheck | 4k3/8/8/8/4N3/8/8/4R1K1 w - - | Ng5 Kf8 Kf2 | the knight on g5 opens the line on which the rook on e1 gives check to the king on e8
doubleCheck | 4k3/8/8/8/4N3/8/8/4R1K1 w - - | Nf6 Kf8 Kf2 | the knight on f6 and the rook on e1 give check to the king on e8 at once
hangingPiece | 6k1/8/8/3n4/8/8/8/3R2K1 w - - | Rxd5 | the rook captures the knight on d5, which nothing defends
trappedPiece | 6k1/8/8/8/8/8/bP3PPP/2K5 w - - | b3 Kf8 Kb2 Kg8 Kxa2 | the king on b2 attacks the bishop on a2, which has no safe square
capturingDefender | 6k1/8/5n2/3r2B1/8/8/8/3R2K1 w - - | Bxf6 Kf7 Rxd5 | the bishop captures the knight on f6, which defends the rook on d5
deflection | 6k1/4qppp/8/2b5/1Q6/8/8/3R3K w - - | Rd8 Qxd8 Qxc5 | the rook on d8 forces the queen on e7 away from the bishop on c5
attraction | 6k1/5p2/5Pp1/8/8/8/8/K1Q4R w - - | Rh8 Kxh8 Qh6 | the rook on h8 lures the king on g8 there
interference | 6k1/8/8/r6b/8/5N2/8/6KR w - - | Ng5 Ra8 Rxh5 | the knight on g5 cuts the rook on a5 off from the bishop on h5
interference | 6k1/8/6n1/r6b/8/8/6N1/6KR w - - | Nf4 Ne5 Rxh5 | the knight on e5 cuts the rook on a5 off from the bishop on h5
clearance | 6k1/5ppp/8/8/3N4/8/8/3R2K1 w - - | Nf5 h6 Rd8 | the knight on f5 has made way for the rook on d1 to go to d8
xRayAttack | 4R3/6pk/8/3r4/8/8/8/3Q2K1 w - - | Rd8 Rxd8 Qxd8 | the queen on d1 works through the rook on d5 to d8
intermezzo | 3rk3/8/8/3N4/4P3/8/8/4K2Q b - - | Rxd5 Qh8 Kd7 exd5 | White plays the queen to h8 before capturing the rook on d5
sacrifice | 6k1/5p2/5Pp1/8/8/8/8/K1Q4R w - - | Rh8 Kxh8 Qh6 | White sacrifices the rook on h8
quietMove | 6k1/8/8/8/8/8/4N3/6K1 w - - | Nf4 Kf7 Nd5 | the knight on f4 makes a quiet move, without check or capture
defensiveMove | 6k1/8/8/8/8/8/4N3/6K1 w - - | Nf4 Kf7 Nd5 | the knight on d5 makes a defensive move
defensiveMove | 4k3/8/8/8/8/8/8/r4K2 w - - | Ke2 | the king on e2 makes a defensive move
exposedKing | 4k3/8/8/8/8/8/8/Q3K2R w - - | Qa8 Kd7 Rh7 Kd6 Qd8 | no pawn shields the king on e8
attackingF2F7 | rnbqkbnr/pppp1ppp/8/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - | Qxf7 | the queen captures on f7, beside the king on e8
kingsideAttack | r1bq1rk1/pppnbppp/4p3/3pP3/3P4/3B1N2/PPP2PPP/R1BQK2R w KQ - | Bxh7 Kxh7 Ng5 | White attacks the king on g8 on the kingside
queensideAttack | 2kr3r/pp1nbppp/2p1p3/8/3P1B2/2N2Q2/PPP1BPPP/R3R1K1 w - - | Qxc6 bxc6 Ba6 | White attacks the king on c8 on the queenside
advancedPawn | 8/8/4P1k1/8/8/8/8/6K1 w - - | e7 | White has a far advanced pawn on e7
promotion | 8/4P1k1/8/8/8/8/8/6K1 w - - | e8=Q | the pawn becomes a queen on e8
underPromotion | 8/4P1k1/8/8/8/8/8/6K1 w - - | e8=N | the pawn becomes a knight on e8
enPassant | 6k1/8/8/3pP3/8/8/8/6K1 w - d6 | exd6 | the pawn captures en passant on d6
castling | 4k3/8/8/8/8/8/8/4K2R w K - | O-O | White castles
mateIn2 | 5r1k/6pp/7N/8/8/1Q6/8/6K1 w - - | Qg8 Rxg8 Nf7 | White forces mate in 2
rookEndgame | 8/5pk1/8/8/8/8/R4PK1/1r6 w - - | Ra7 | this is a rook endgame
pawnEndgame | 8/5pk1/8/8/8/8/5PK1/8 w - - | f4 | this is a pawn endgame
queenRookEndgame | 8/5pk1/8/8/8/8/R4PK1/1q6 w - - | Ra7 | this is an endgame of queen and rooks
";

/// Motif, position, and a line without it.
const NOT_FOUND: &str = "
# The king captures the knight.
fork | 3q3r/4k3/8/6N1/8/8/8/6K1 w - - | Nf7 Kxf7 Kf1
# The king is not behind the rook.
pin | 7k/5r2/8/8/8/3B4/8/6K1 w - - | Bc4 Rg7 Kf1
# A bishop is worth no more than the knight.
relativePin | 3b2k1/8/5n2/8/8/8/8/2B3K1 w - - | Bg5 Kh8 Bxf6
# The pawn defends the rook behind the king.
skewer | 8/8/1p6/r3k3/8/8/8/6KR w - - | Rh5 Kd4 Rxa5
discoveredAttack | 4q1k1/8/8/8/4N3/8/8/4R1K1 w - - | Nf6 Kf7 Nxe8
discoveredAttack | 4k3/8/8/8/4N3/8/8/4R1K1 w - - | Nf6 Kf8 Kf2
discoveredCheck | 4k3/8/8/8/8/8/8/R5K1 w - - | Re1
doubleCheck | 4k3/8/8/8/4N3/8/8/4R1K1 w - - | Ng5 Kf8 Kf2
hangingPiece | 3r2k1/8/8/3n4/8/8/8/3R2K1 w - - | Rxd5
# A recapture is no gain.
hangingPiece | 6k1/8/8/3B4/5n2/8/8/3R2K1 b - - | Nxd5 Rxd5
# The bishop can leave.
trappedPiece | 6k1/8/8/8/8/8/bP3PPP/K7 w - - | h3 Kf8 Kxa2
capturingDefender | 6k1/8/7n/3r2B1/8/8/8/3R2K1 w - - | Bxh6 Kf7 Rxd5
# The rook captures; the queen still defends the bishop.
deflection | r5k1/4qppp/8/2b5/1Q6/8/8/3R3K w - - | Rd8 Rxd8 Qxc5
attraction | 6k1/5p2/5Pp1/8/8/8/8/K1Q4R w - - | Rh8 Kxh8 Kb1
interference | 6k1/8/8/r6b/8/5N2/8/6KR w - - | Nd4 Ra8 Rxh5
# The king leaves the rook.
interference | 8/8/6k1/r6b/8/8/8/6KR w - - | Kg2 Kf5 Rxh5
clearance | 6k1/5ppp/8/8/2N5/8/8/3R2K1 w - - | Ne5 h6 Rd8
# The rook comes from the side.
xRayAttack | r7/3R2pk/8/8/8/8/8/3Q2K1 w - - | Rd8 Rxd8 Qxd8
intermezzo | 3rk3/8/8/3N4/4P3/8/8/4K2Q b - - | Rxd5 exd5 Kd7 Kd2
sacrifice | 3r2k1/3r4/8/8/3R4/8/8/3R2K1 w - - | Rxd7 Rxd7 Rxd7
# The knight attacks the pawn.
quietMove | 6k1/8/4p3/8/8/8/4N3/6K1 w - - | Nf4 Kf7 Nxe6
defensiveMove | 6k1/8/4p3/8/8/8/4N3/6K1 w - - | Nf4 Kf7 Nxe6
exposedKing | 4k3/4p3/8/8/8/8/8/Q3K2R w - - | Qa8 Kd7 Rh7 Kd6 Qd8
attackingF2F7 | 5rk1/5ppp/8/8/2B5/8/8/6K1 w - - | Bxf7
# The king has not castled.
kingsideAttack | r1bqk2r/pppnbppp/4p3/3pP3/3P4/3B1N2/PPP2PPP/R1BQK2R w KQkq - | Bxh7 Rxh7 Ng5
advancedPawn | 8/8/8/4P3/6k1/8/8/6K1 w - - | e6
# The queen would mate as well.
underPromotion | 6k1/4Pppp/8/8/8/8/8/6K1 w - - | e8=R
enPassant | 6k1/8/3p4/4P3/8/8/8/6K1 w - - | exd6
# The line begins with the capture of the last rook.
rookEndgame | 8/5pk1/8/8/8/8/5P2/rK6 w - - | Kxa1
";

#[test]
fn motifs_are_found_with_their_pieces() {
    for (motif, [fen, line, clause]) in rows(FOUND) {
        assert_eq!(clauses(motif, fen, line), [clause], "{motif}: {fen} {line}");
    }
}

#[test]
fn what_looks_like_a_motif_is_none() {
    for (motif, [fen, line]) in rows(NOT_FOUND) {
        assert_eq!(clauses(motif, fen, line), [""; 0], "{motif}: {fen} {line}");
    }
}

/// A draw is forced by the side that does not move last.
#[test]
fn stalemate_and_perpetual_check_save_the_side_that_is_behind() {
    let clauses = |motif, fen: &str, line: &str| {
        let start = position(fen);
        said(&motifs_of_line(&start, &moves(&start, line), Color::White), motif)
    };
    let (rook, queen) = ("8/8/8/8/8/7k/5q2/6RK w - - 0 1", "6k1/6p1/8/7Q/8/8/8/6K1 w - - 0 1");
    let stalemate = clauses(Motif::StalemateTrick, rook, "Rg3 Kxg3");
    assert_eq!(stalemate, ["White saves the game by stalemate"]);
    assert_eq!(clauses(Motif::StalemateTrick, rook, "Rg3"), [""; 0]);
    let perpetual = clauses(Motif::PerpetualCheck, queen, "Qe8 Kh7 Qh5 Kg8");
    assert_eq!(perpetual, ["White saves the game by perpetual check"]);
    assert_eq!(clauses(Motif::PerpetualCheck, queen, "Qe8 Kh7 Qe4 Kg8"), [""; 0]);
}

#[test]
fn plies_are_counted_from_one_and_a_line_ends_at_an_illegal_move() {
    let start = position("3q3r/8/8/k5N1/8/8/8/6K1 w - - 0 1");
    let line = moves(&start, "Nf7 Qd7 Nxh8");
    let found = motifs_of_line(&start, &line, Color::White);
    let plies: Vec<(Motif, usize)> = found.iter().map(|it| (it.motif, it.ply)).collect();
    assert!(plies.contains(&(Motif::Fork, 1)), "{plies:?}");
    assert_eq!(found[0].sentence(), "The knight on f7 forks the queen on d8 and the rook on h8.");
    let broken = [line[0], line[0]];
    assert_eq!(motifs_of_line(&start, &broken, Color::White).len(), 1);
    assert!(motifs_of_line(&start, &[], Color::White).is_empty());
}
