//! The motifs and their names.

/// Declares the motifs: variant, name among the themes of puzzles, name in plain English, and the clause about it.
macro_rules! motifs {
    ($($(#[$doc:meta])* $motif:ident $name:literal $title:literal $clause:literal,)*) => {
        /// A tactical idea that players have a name for.
        #[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Motif { $($(#[$doc])* $motif,)* }

        impl Motif {
            /// All motifs, in the order of this list.
            pub const ALL: &[Motif] = &[$(Motif::$motif,)*];

            /// The name that collections of puzzles use, such as `discoveredAttack`. A motif that they do not
            /// have is named in the same way.
            pub const fn name(self) -> &'static str {
                match self { $(Motif::$motif => $name,)* }
            }

            /// The name in plain English, such as "discovered attack".
            pub const fn title(self) -> &'static str {
                match self { $(Motif::$motif => $title,)* }
            }

            /// What is said about it, with the names of [`FoundMotif`](super::FoundMotif)'s parts in braces.
            pub(super) const fn clause(self) -> &'static str {
                match self { $(Motif::$motif => $clause,)* }
            }
        }
    };
}

motifs! {
    /// One piece attacks two or more.
    Fork "fork" "fork" "{by} forks {targets}",
    /// A piece must not leave a line, because its king stands behind it.
    Pin "pin" "pin" "{by} pins {first} to {second}",
    /// A piece that leaves a line loses a more valuable piece behind it.
    RelativePin "relativePin" "relative pin" "{by} pins {first} to {second}",
    /// A valuable piece must move off a line and leaves a piece behind it to be captured.
    Skewer "skewer" "skewer" "{by} skewers {first} and {second} behind it",
    /// A move opens the line of another piece, which attacks.
    DiscoveredAttack "discoveredAttack" "discovered attack" "{helper} opens the line on which {by} attacks {targets}",
    /// A move opens the line of another piece, which gives check.
    DiscoveredCheck "discoveredCheck" "discovered check" "{helper} opens the line on which {by} gives check to {first}",
    /// Two pieces give check with one move.
    DoubleCheck "doubleCheck" "double check" "{by} and {helper} give check to {first} at once",
    /// A piece is attacked and nothing defends it.
    HangingPiece "hangingPiece" "hanging piece" "{by} attacks {first}, which nothing defends",
    /// A piece is attacked and has no safe square.
    TrappedPiece "trappedPiece" "trapped piece" "{by} attacks {first}, which has no safe square",
    /// The piece that defends another is captured.
    CapturingDefender "capturingDefender" "capture of the defender" "{mover} captures {first}, which defends {second}",
    /// A piece is forced away from what it defends.
    Deflection "deflection" "deflection" "{by} forces {first} away from {second}",
    /// A piece is forced to a square where it can be attacked.
    Attraction "attraction" "attraction" "{mover} lures {first} to {square}",
    /// A piece steps between a defender and what it defends.
    Interference "interference" "interference" "{by} cuts {first} off from {second}",
    /// A piece leaves a square or line for another piece.
    Clearance "clearance" "clearance" "{by} has made way for {helper} to go to {first}",
    /// A piece works along a line through an enemy piece.
    XRayAttack "xRayAttack" "x-ray attack" "{by} works through {first} to {second}",
    /// A stronger move is played before the expected recapture.
    Intermezzo "intermezzo" "in-between move" "{own} plays {mover} to {square} before capturing {first}",
    /// Material is given up for something better.
    Sacrifice "sacrifice" "sacrifice" "{own} sacrifices {by}",
    /// A strong move that gives no check, captures nothing and attacks nothing.
    QuietMove "quietMove" "quiet move" "{by} makes a quiet move, without check or capture",
    /// A move that saves what was lost otherwise.
    DefensiveMove "defensiveMove" "defensive move" "{by} makes a defensive move",
    /// Whatever the side to move plays makes its position worse.
    Zugzwang "zugzwang" "zugzwang" "{enemy} is in zugzwang: every move makes the position worse",
    /// A king without a pawn before it.
    ExposedKing "exposedKing" "exposed king" "no pawn shields {first}",
    /// A capture beside a king that has not left its first square.
    AttackingF2F7 "attackingF2F7" "attack on f2 or f7" "{mover} captures on {square}, beside {first}",
    /// An attack on a king that has castled short.
    KingsideAttack "kingsideAttack" "kingside attack" "{own} attacks {first} on the kingside",
    /// An attack on a king that has castled long.
    QueensideAttack "queensideAttack" "queenside attack" "{own} attacks {first} on the queenside",
    /// A pawn on the last two ranks.
    AdvancedPawn "advancedPawn" "advanced pawn" "{own} has a far advanced pawn on {square}",
    /// A pawn becomes a piece.
    Promotion "promotion" "promotion" "the pawn becomes {piece} on {square}",
    /// A pawn becomes a piece that is better than a queen there.
    UnderPromotion "underPromotion" "underpromotion" "the pawn becomes {piece} on {square}",
    /// A pawn captures a pawn that has just passed it.
    EnPassant "enPassant" "capture en passant" "the pawn captures en passant on {square}",
    /// King and rook move together.
    Castling "castling" "castling" "{own} castles",
    /// A side without moves is not in check.
    StalemateTrick "stalemateTrick" "stalemate trick" "{own} saves the game by stalemate",
    /// Checks without end.
    PerpetualCheck "perpetualCheck" "perpetual check" "{own} saves the game by perpetual check",
    /// Check that nothing can be done about.
    Mate "mate" "mate" "{by} mates {first}",
    /// The first move mates.
    MateIn1 "mateIn1" "mate in 1" "{own} forces mate in 1",
    /// The second move mates.
    MateIn2 "mateIn2" "mate in 2" "{own} forces mate in 2",
    /// The third move mates.
    MateIn3 "mateIn3" "mate in 3" "{own} forces mate in 3",
    /// The fourth move mates.
    MateIn4 "mateIn4" "mate in 4" "{own} forces mate in 4",
    /// The fifth or a later move mates.
    MateIn5 "mateIn5" "mate in 5 or more" "{own} forces mate in 5 or more",
    /// A knight mates a king that its own pieces lock in.
    SmotheredMate "smotheredMate" "smothered mate" "{by} mates {first}: smothered mate",
    /// Rook or queen mate a king that its own pieces keep on its back rank.
    BackRankMate "backRankMate" "back-rank mate" "{by} mates {first}: back-rank mate",
    /// Rook or queen mate along the edge, a knight takes the squares beside the king's own piece.
    AnastasiaMate "anastasiaMate" "Anastasia's mate" "{by} mates {first}: Anastasia's mate",
    /// A rook next to a king in the corner, defended by a knight.
    ArabianMate "arabianMate" "Arabian mate" "{by} mates {first}: Arabian mate",
    /// Two bishops on crossing diagonals.
    BodenMate "bodenMate" "Boden's mate" "{by} mates {first}: Boden's mate",
    /// Two bishops on parallel diagonals.
    DoubleBishopMate "doubleBishopMate" "double bishop mate" "{by} mates {first}: double bishop mate",
    /// A rook defended by a knight that a pawn defends.
    HookMate "hookMate" "hook mate" "{by} mates {first}: hook mate",
    /// A queen diagonally next to a king whose own pieces take the two squares that she leaves.
    DovetailMate "dovetailMate" "dovetail mate" "{by} mates {first}: dovetail mate",
    /// A rook on the king's first rank, defended by a bishop.
    OperaMate "operaMate" "opera mate" "{by} mates {first}: opera mate",
    /// A rook on the open file beside the corner, and a bishop on the long diagonal.
    PillsburysMate "pillsburysMate" "Pillsbury's mate" "{by} mates {first}: Pillsbury's mate",
    /// A bishop mates a king in the corner, a rook closes the file beside it.
    MorphysMate "morphysMate" "Morphy's mate" "{by} mates {first}: Morphy's mate",
    /// Rook and queen enclose the king in a box of three by three squares.
    KillBoxMate "killBoxMate" "kill box mate" "{by} mates {first}: kill box mate",
    /// King, queen and rook stand in a triangle.
    TriangleMate "triangleMate" "triangle mate" "{by} mates {first}: triangle mate",
    /// Two rooks on the seventh rank.
    BlindSwineMate "blindSwineMate" "blind swine mate" "{by} mates {first}: blind swine mate",
    /// A knight mates a king in the corner that rook or queen keep there.
    CornerMate "cornerMate" "corner mate" "{by} mates {first}: corner mate",
    /// A bishop mates, and the queen takes the flight squares.
    BalestraMate "balestraMate" "Balestra mate" "{by} mates {first}: Balestra mate",
    /// A defended rook mates at the edge, and a knight takes the flight squares.
    VukovicMate "vukovicMate" "Vuković mate" "{by} mates {first}: Vuković mate",
    /// A queen mates a king between two own rooks.
    EpauletteMate "epauletteMate" "epaulette mate" "{by} mates {first}: epaulette mate",
    /// A queen mates from the front a king whose own pieces stand diagonally behind it.
    SwallowstailMate "swallowstailMate" "swallow's tail mate" "{by} mates {first}: swallow's tail mate",
    /// Kings and pawns only.
    PawnEndgame "pawnEndgame" "pawn endgame" "this is a pawn endgame",
    /// Knights are the only pieces.
    KnightEndgame "knightEndgame" "knight endgame" "this is a knight endgame",
    /// Bishops are the only pieces.
    BishopEndgame "bishopEndgame" "bishop endgame" "this is a bishop endgame",
    /// Rooks are the only pieces.
    RookEndgame "rookEndgame" "rook endgame" "this is a rook endgame",
    /// Queens are the only pieces.
    QueenEndgame "queenEndgame" "queen endgame" "this is a queen endgame",
    /// One queen, and rooks.
    QueenRookEndgame "queenRookEndgame" "endgame of queen and rooks" "this is an endgame of queen and rooks",
}

impl Motif {
    /// Whether collections of puzzles have a theme of this name.
    pub const fn is_theme(self) -> bool {
        !matches!(self, Motif::PerpetualCheck | Motif::RelativePin | Motif::StalemateTrick)
    }
}
