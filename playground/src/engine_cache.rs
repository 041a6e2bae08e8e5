//! The engines of the last texts.

use std::collections::VecDeque;
use tokio::sync::Mutex;
use tropism::eval::{Engine, EngineFileError, Registry};

/// The name of the file in errors. The page does not show it.
pub(crate) const ORIGIN: &str = "engine.toml";

/// How many engines are kept. One for the text of each of a few open pages is enough.
const KEPT: usize = 16;

/// The engines of the last texts: a slider or a move changes no text.
#[derive(Default)]
pub(crate) struct EngineCache(Mutex<VecDeque<(String, Engine)>>);

impl EngineCache {
    /// The engine of a text.
    pub(crate) fn parse(&self, text: &str, registry: &Registry) -> Result<Engine, EngineFileError> {
        let known = |(of, _): &&(String, Engine)| of == text;
        if let Some((_, engine)) = self.0.blocking_lock().iter().find(known) {
            return Ok(engine.clone());
        }
        let engine = Engine::parse(text, ORIGIN, registry)?;
        let mut kept = self.0.blocking_lock();
        kept.push_front((text.to_owned(), engine.clone()));
        kept.truncate(KEPT);
        Ok(engine)
    }
}
