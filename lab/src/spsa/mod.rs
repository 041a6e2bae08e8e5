//! `tropism-lab spsa`, in a build with the feature `tune`: the numbers of the search moved by games of the
//! engine against itself.

mod file;
mod games;
mod rule;

pub(crate) use games::Spsa;
