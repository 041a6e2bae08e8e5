//! What the scripts of the page see.

use crate::Playground;
use js_sys::Function;
use wasm_bindgen::prelude::*;

/// [`Playground`] in a thread of the page.
#[wasm_bindgen]
pub struct Engine(Playground);

#[wasm_bindgen]
impl Engine {
    /// An engine that has read no file yet.
    #[wasm_bindgen(constructor)]
    #[expect(clippy::new_without_default, reason = "only scripts make one")]
    pub fn new() -> Engine {
        Engine(Playground::new())
    }

    /// See [`Playground::answer`].
    pub fn answer(&mut self, name: &str, request: &str) -> String {
        self.0.answer(name, request)
    }

    /// See [`Playground::search`]; `report` is called with each line.
    pub fn search(&mut self, request: &str, report: &Function) -> String {
        // A report that fails is lost, and the search goes on.
        self.0.search(request, |line| drop(report.call1(&JsValue::NULL, &line.into())))
    }
}
