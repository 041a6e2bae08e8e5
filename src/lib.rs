//! See README.
pub mod eval;
pub mod geometry;
pub mod search;
pub mod terms;
pub mod tools;
pub mod uci;

use eval::{Engine, EngineFileError};

/// The default engine.
pub fn default_engine() -> Result<Engine, EngineFileError> {
    Engine::parse(include_str!("../engines/tropism.toml"), "engines/tropism.toml", &terms::registry())
}
