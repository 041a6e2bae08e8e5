//! Squares, sets of squares, and the distances between them: the geometry of the chess board as the
//! field's texts describe it.
//!
//! Nothing here knows a chess position: the currency is shakmaty's [`Square`](shakmaty::Square)
//! and [`Bitboard`](shakmaty::Bitboard), and every function is pure. Each names the text it comes
//! from, shows a board, and is proved equal to a plain reference over its whole domain: all 64
//! squares, all 4096 pairs of them, all sets of one and two squares and random ones. `tropism
//! geometry --list` names all that can be drawn, `tropism geometry NAME SQUARE` draws it.
//!
//! # How to read it
//!
//! 1. *From square to square.* [`chebyshev`] counts the moves of a king, [`manhattan`] the steps of
//!    a rook, [`knight_distance`] the moves of a knight. From them follow the distances to parts of
//!    the board: [`centre_manhattan`], [`edge_distance`], [`corner_distance`],
//!    [`promotion_distance`]. How such numbers are stored, and which way is fastest, is a chapter of
//!    its own: [`layout`].
//! 2. *One number that tells what holds between two squares*, whatever the direction:
//!    [`combined_distance`], [`udr_distance`], and the questions they answer, such as
//!    [`is_opposition`] and [`same_line`].
//! 3. *Sets.* What knights attack, [`knight_attacks`]; where they fork, [`fork_squares`]; what pawns
//!    have ahead, [`ahead`].
//! 4. *Fills.* A set that spreads move by move, [`Layers`], for any [`Mover`] over any [`Terrain`].
//!    King and knight distance are the wave on which a square is reached.
//! 5. *Maps and ways.* [`mobility`] numbers the whole board for one piece as the men stand, and
//!    [`Trajectories`] are all its shortest ways from one square to another.
//!
//! # The sources
//!
//! - *Distance*, *Knight-Distance*, *Knight Pattern* and *KBNK Endgame*: pages of the Chess
//!   Programming Wiki, 2018.
//! - *Isenberg*: Gerd Isenberg, "unique distance relationship", Computer Chess Club, 15 August 2002.
//!
//! Every system that they describe, with the function and the test that proves it:
//!
//! | system | source | function | test |
//! |---|---|---|---|
//! | Chebyshev distance, routine | *Distance* | [`chebyshev`], [`layout::Computed`] | `chebyshev_counts_king_moves` |
//! | lookup, 64 x 64 | *Distance*, *Knight-Distance* | [`layout::SquarePairs`] | `chebyshev_in_every_layout` |
//! | lookup by 0x88 difference, 240 entries | *Distance* | [`layout::Difference0x88`] | `the_0x88_difference_is_unique_for_distance_and_direction_and_fits_its_table` |
//! | lookup of an array 15 x 15, 225 entries | *Distance* (Stilman's Pioneer) | [`layout::Superimposed`] | `the_printed_15x15_array` |
//! | Manhattan or taxi distance | *Distance*, *Isenberg* | [`manhattan`] | `manhattan_counts_the_moves_of_a_king_that_goes_straight` |
//! | file and rank distance | *Distance* | [`file_distance`], [`rank_distance`], [`back_rank_distance`] | `file_and_rank_distance_are_differences_of_coordinates` |
//! | centre distance | *Distance*, see also | [`centre_distance`], [`edge_distance`] | `centre_distance_is_the_least_distance_to_a_centre_square` |
//! | centre Manhattan distance | *Distance*, see also | [`centre_manhattan`] | `centre_manhattan_is_the_least_manhattan_distance_to_a_centre_square` |
//! | trajectories by the sum rule | *Distance* (Stilman 1994) | [`sum_rule`] | `the_printed_example_from_f6_to_h1_cell_by_cell` |
//! | the shortest ways themselves | *Distance* (Stilman 1994) | [`Trajectories`], [`Paths`] | `all_paths_of_the_king_between_all_pairs` |
//! | mobility-graph distance | *Distance* (Levinson and Snyder 1993) | [`mobility`], [`DistanceMap`], [`moves_between`] | `waves_are_the_layers_of_a_breadth_first_walk` |
//! | king-pawn tropism, king-piece tropism | *Distance*, see also | sums of [`chebyshev`], in the term `king_pawn_tropism` | `chebyshev_counts_king_moves` |
//! | mop-up evaluation | *Distance*, applications | [`centre_manhattan`] and [`manhattan`], in the term `mop_up` | `manhattan_adds_file_and_rank_distance` |
//! | way of a pawn to promotion, kings racing it | *Distance*, applications | [`promotion_distance`] | `promotion_distance_counts_the_moves_of_a_pawn` |
//! | combined distance, D + T | *Isenberg* | [`combined_distance`] | `the_printed_table_of_combined_distance_has_one_misprint` |
//! | opposition, far opposition, adjacent, knight distance | *Isenberg* | [`is_opposition`], [`is_diagonal_opposition`], [`is_distant_opposition`], [`is_adjacent`], [`is_knight_distance`] | `every_relation_is_what_it_says_on_all_pairs` |
//! | 7D + T | *Isenberg* | [`combined71_distance`], [`relation_number`] | `combined71_and_udr_tell_all_36_offsets_apart` |
//! | UDRDist | *Isenberg* | [`udr_distance`] | `the_printed_tables_of_udrdist_decimal_and_hexadecimal` |
//! | common line, diagonal, rank or file | *Isenberg* | [`same_line`], [`same_diagonal`], [`same_rank_or_file`] | `every_relation_is_what_it_says_on_all_pairs` |
//! | knight distance by fill of sets | *Knight-Distance* | [`knight_distance_between`] | `the_distance_between_sets_is_the_least_between_their_squares` |
//! | knight distance by fill of squares | *Knight-Distance* | [`layout::Computed`] | `distances_are_those_of_a_breadth_first_walk` |
//! | knight distance by lookup, the corner rule | *Knight-Distance* | [`knight_distance`] | `a_diagonal_neighbour_is_two_moves_away_and_four_from_a_corner` |
//! | the same by 0x88 relation with the corner rule | *Knight-Distance* | [`layout::Difference0x88`] | `knight_distance_in_every_layout` |
//! | the same by absolute rank-file distance, with a condition | *Knight-Distance* | [`layout::AbsoluteDifference`] | `the_printed_tables_of_the_absolute_difference` |
//! | the same without a condition | *Knight-Distance* | [`layout::AbsoluteBranchless`] | `nine_is_the_absolute_index_of_diagonal_neighbours_alone` |
//! | knight attacks by lookup | *Knight Pattern* | [`shakmaty::attacks::knight_attacks`] | `the_printed_attacks_of_d4` |
//! | knight attacks in eight directions, both mask orders | *Knight Pattern* | [`KnightJump`] | `the_compass_rose_is_the_eight_jumps_and_both_mask_orders_agree` |
//! | multiple knight attacks, step by step | *Knight Pattern* | [`knight_attacks_stepwise`] | `attacks_of_every_set_of_one_and_two_knights_are_the_jumps_of_each` |
//! | multiple knight attacks, in parallel | *Knight Pattern*, *Knight-Distance* | [`knight_attacks`] | `attacks_of_any_set_are_the_jumps_of_each` |
//! | knight fill | *Knight Pattern* | [`knight_fill`] | `the_six_printed_fills_of_a1` |
//! | squares reached in two or more moves over safe squares | *Knight Pattern* | [`Layers`] with [`Terrain::guarded`] | `waves_are_the_layers_of_a_breadth_first_walk` |
//! | fills of other pieces | *Distance*, *Knight Pattern* | [`Mover`], [`king_attacks`] | `one_slider_with_all_blockers_that_matter` |
//! | knight forks | *Knight Pattern* | [`fork_squares`] | `fork_squares_of_every_set_of_one_and_two_targets` |
//! | safe forks within reach | *Knight Pattern* | [`fork_targets`] | `fork_targets_keep_exactly_what_the_filter_says` |
//! | corner distance of the bishop's colour | *KBNK Endgame* (Isenberg) | [`bishop_corner_distance`] | `the_bit_trick_equals_the_nearest_corner_of_the_bishops_colour` |
//! | corner distance of a colour, of any | *KBNK Endgame* | [`colour_corner_distance`], [`corner_distance`] | `corner_distance_is_the_least_manhattan_distance_to_a_corner` |
//!
//! What pawns see, [`pawn_attacks`], [`step`], [`beside`] and [`ahead`], is not from these texts;
//! the terms need it (`every_set_of_one_and_two_squares`). Names that the texts only link to and do
//! not describe, such as Euclidean distance, vector attacks or knight's tours, are left out.
//!
//! # Where the sources err
//!
//! Each is a test that shows it.
//!
//! - *Isenberg*'s printed table of D + T says 5 for the offset (4, 1); the formula gives 9, and 5
//!   means a knight's move (`the_printed_table_of_combined_distance_has_one_misprint`).
//! - His `UDRDist` is not divisible by 16 for a square and itself, which is on one rank and file
//!   (`udr_is_divisible_by_16_on_ranks_and_files_but_not_on_the_square_itself`).
//! - *Knight-Distance* says that its fill runs until the target set is a subset of the attacks; its
//!   program stops when the two meet, and for some targets they would never be a subset
//!   (`the_fill_stops_when_the_sets_meet_and_not_when_the_target_is_a_subset`).
//! - *KBNK Endgame* says that mate is delivered in the corner the bishop can attack; a king that
//!   helps is mated in the other as well
//!   (`bishop_and_knight_can_mate_in_the_wrong_corner_if_the_lone_king_helps`).
//!
//! What they say of speed is measured in [`layout`].

mod corner;
mod distance;
mod fill;
mod forks;
mod knight;
pub mod layout;
mod lines;
mod mobility;
mod pawns;
mod relation;
mod steps;
mod trajectory;

pub use corner::{bishop_corner_distance, colour_corner_distance, corner_distance};
pub use distance::{
    back_rank_distance, centre_distance, centre_manhattan, chebyshev, edge_distance, file_distance,
    manhattan, promotion_distance, rank_distance,
};
pub use fill::{Layers, Mover, Terrain, king_attacks, moves_between};
pub use forks::{fork_squares, fork_targets};
pub use knight::{
    KnightJump, knight_attacks, knight_attacks_stepwise, knight_distance, knight_distance_between,
    knight_fill,
};
pub(crate) use lines::alone_before;
pub use mobility::{DistanceMap, mobility};
pub use pawns::{ahead, beside, pawn_attacks, step};
pub use relation::{
    combined_distance, combined71_distance, is_adjacent, is_diagonal_opposition,
    is_distant_opposition, is_knight_distance, is_opposition, relation_number, same_diagonal,
    same_line, same_rank_or_file, udr_distance,
};
pub use trajectory::{Paths, Trajectories, sum_rule};

/// Plain references, walks over whole domains, and readers of printed boards, for the tests of
/// every geometry file.
#[cfg(test)]
pub(crate) mod reference;

#[cfg(test)]
mod coverage;
