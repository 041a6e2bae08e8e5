//! Shifts a set of squares by one file. Masks prevent wrapping around the board.

pub(super) const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
pub(super) const NOT_AB: u64 = 0xfcfc_fcfc_fcfc_fcfc;
pub(super) const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;
pub(super) const NOT_GH: u64 = 0x3f3f_3f3f_3f3f_3f3f;

pub(super) const fn east_one(set: u64) -> u64 {
    (set << 1) & NOT_A
}

pub(super) const fn west_one(set: u64) -> u64 {
    (set >> 1) & NOT_H
}
