//! The state of the page as text for its address: JSON, compressed, in the letters of addresses.

use crate::{Playground, problem::Problem};
use data_encoding::BASE64URL_NOPAD;
use flate2::{Compression, read::DeflateDecoder, write::DeflateEncoder};
use serde_json::{Value, json};
use std::io::{Read, Write};

/// The most bytes that a link may unfold to.
const MAX_STATE: u64 = 16 << 20;

/// A state as text.
pub(crate) fn pack(state: &Value, _: &mut Playground) -> Result<Value, Problem> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    let bytes = encoder.write_all(state.to_string().as_bytes()).and_then(|()| encoder.finish());
    let bytes = bytes.map_err(|error| Problem::Malformed(error.to_string()))?;
    Ok(json!({ "packed": BASE64URL_NOPAD.encode(&bytes) }))
}

/// The state of a text.
pub(crate) fn unpack(packed: &String, _: &mut Playground) -> Result<Value, Problem> {
    let state = || {
        let bytes = BASE64URL_NOPAD.decode(packed.as_bytes()).ok()?;
        let mut text = String::new();
        DeflateDecoder::new(&*bytes).take(MAX_STATE).read_to_string(&mut text).ok()?;
        serde_json::from_str::<Value>(&text).ok().filter(Value::is_object)
    };
    let unreadable = || Problem::Input("the link cannot be read; the page starts anew".to_owned());
    Ok(json!({ "state": state().ok_or_else(unreadable)? }))
}
