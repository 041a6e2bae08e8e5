//! The motifs and their names.

/// Declares the motifs: variant, name among the themes of puzzles, name in plain English, and the clause about it. What
/// each is on the board stands where it is found.
macro_rules! motifs {
    ($($motif:ident $name:literal $title:literal $clause:literal,)*) => {
        /// A tactical idea that players have a name for.
        #[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Motif { $(#[doc = concat!("\"", $clause, "\"")] $motif,)* }

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
    Fork "fork" "fork" "{by} forks {targets}",
    Pin "pin" "pin" "{by} pins {first} to {second}",
    RelativePin "relativePin" "relative pin" "{by} pins {first} to {second}",
    Skewer "skewer" "skewer" "{by} skewers {first} and {second} behind it",
    DiscoveredAttack "discoveredAttack" "discovered attack" "{helper} opens the line on which {by} attacks {targets}",
    DiscoveredCheck "discoveredCheck" "discovered check" "{helper} opens the line on which {by} gives check to {first}",
    DoubleCheck "doubleCheck" "double check" "{by} and {helper} give check to {first} at once",
    HangingPiece "hangingPiece" "hanging piece" "{by} attacks {first}, which nothing defends",
    TrappedPiece "trappedPiece" "trapped piece" "{by} attacks {first}, which has no safe square",
    CapturingDefender "capturingDefender" "capture of the defender" "{mover} captures {first}, which defends {second}",
    Deflection "deflection" "deflection" "{by} forces {first} away from {second}",
    Attraction "attraction" "attraction" "{mover} lures {first} to {square}",
    Interference "interference" "interference" "{by} cuts {first} off from {second}",
    Clearance "clearance" "clearance" "{by} has made way for {helper} to go to {first}",
    XRayAttack "xRayAttack" "x-ray attack" "{by} works through {first} to {second}",
    Intermezzo "intermezzo" "in-between move" "{own} plays {mover} to {square} before capturing {first}",
    Sacrifice "sacrifice" "sacrifice" "{own} sacrifices {by}",
    QuietMove "quietMove" "quiet move" "{by} makes a quiet move, without check or capture",
    DefensiveMove "defensiveMove" "defensive move" "{by} makes a defensive move",
    Zugzwang "zugzwang" "zugzwang" "{enemy} is in zugzwang: every move makes the position worse",
    ExposedKing "exposedKing" "exposed king" "no pawn shields {first}",
    AttackingF2F7 "attackingF2F7" "attack on f2 or f7" "{mover} captures on {square}, beside {first}",
    KingsideAttack "kingsideAttack" "kingside attack" "{own} attacks {first} on the kingside",
    QueensideAttack "queensideAttack" "queenside attack" "{own} attacks {first} on the queenside",
    AdvancedPawn "advancedPawn" "advanced pawn" "{own} has a far advanced pawn on {square}",
    Promotion "promotion" "promotion" "the pawn becomes {piece} on {square}",
    UnderPromotion "underPromotion" "underpromotion" "the pawn becomes {piece} on {square}",
    EnPassant "enPassant" "capture en passant" "the pawn captures en passant on {square}",
    Castling "castling" "castling" "{own} castles",
    StalemateTrick "stalemateTrick" "stalemate trick" "{own} saves the game by stalemate",
    PerpetualCheck "perpetualCheck" "perpetual check" "{own} saves the game by perpetual check",
    Mate "mate" "mate" "{by} mates {first}",
    MateIn1 "mateIn1" "mate in 1" "{own} forces mate in 1",
    MateIn2 "mateIn2" "mate in 2" "{own} forces mate in 2",
    MateIn3 "mateIn3" "mate in 3" "{own} forces mate in 3",
    MateIn4 "mateIn4" "mate in 4" "{own} forces mate in 4",
    MateIn5 "mateIn5" "mate in 5 or more" "{own} forces mate in 5 or more",
    SmotheredMate "smotheredMate" "smothered mate" "{by} mates {first}: smothered mate",
    BackRankMate "backRankMate" "back-rank mate" "{by} mates {first}: back-rank mate",
    AnastasiaMate "anastasiaMate" "Anastasia's mate" "{by} mates {first}: Anastasia's mate",
    ArabianMate "arabianMate" "Arabian mate" "{by} mates {first}: Arabian mate",
    BodenMate "bodenMate" "Boden's mate" "{by} mates {first}: Boden's mate",
    DoubleBishopMate "doubleBishopMate" "double bishop mate" "{by} mates {first}: double bishop mate",
    HookMate "hookMate" "hook mate" "{by} mates {first}: hook mate",
    DovetailMate "dovetailMate" "dovetail mate" "{by} mates {first}: dovetail mate",
    OperaMate "operaMate" "opera mate" "{by} mates {first}: opera mate",
    PillsburysMate "pillsburysMate" "Pillsbury's mate" "{by} mates {first}: Pillsbury's mate",
    MorphysMate "morphysMate" "Morphy's mate" "{by} mates {first}: Morphy's mate",
    KillBoxMate "killBoxMate" "kill box mate" "{by} mates {first}: kill box mate",
    TriangleMate "triangleMate" "triangle mate" "{by} mates {first}: triangle mate",
    BlindSwineMate "blindSwineMate" "blind swine mate" "{by} mates {first}: blind swine mate",
    CornerMate "cornerMate" "corner mate" "{by} mates {first}: corner mate",
    BalestraMate "balestraMate" "Balestra mate" "{by} mates {first}: Balestra mate",
    VukovicMate "vukovicMate" "Vuković mate" "{by} mates {first}: Vuković mate",
    EpauletteMate "epauletteMate" "epaulette mate" "{by} mates {first}: epaulette mate",
    SwallowstailMate "swallowstailMate" "swallow's tail mate" "{by} mates {first}: swallow's tail mate",
    PawnEndgame "pawnEndgame" "pawn endgame" "this is a pawn endgame",
    KnightEndgame "knightEndgame" "knight endgame" "this is a knight endgame",
    BishopEndgame "bishopEndgame" "bishop endgame" "this is a bishop endgame",
    RookEndgame "rookEndgame" "rook endgame" "this is a rook endgame",
    QueenEndgame "queenEndgame" "queen endgame" "this is a queen endgame",
    QueenRookEndgame "queenRookEndgame" "endgame of queen and rooks" "this is an endgame of queen and rooks",
}
