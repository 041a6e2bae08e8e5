//! What a search may use besides the table and one thread.

use super::shared_state::Watcher;
use super::tablebases::Tablebases;

/// What a search may use; the default is one thread and nothing else.
#[derive(Copy, Clone, Default, Debug)]
pub struct Resources<'a> {
    /// Threads that search together; 0 and 1 are the same.
    pub threads: usize,
    /// Tables that know the result of positions of few men.
    pub tablebases: Option<&'a Tablebases>,
    /// Who is told which root move is being searched.
    pub watcher: Option<&'a dyn Watcher>,
}
