//! Text files of unknown encoding.

use crate::refusal::Refusal;
use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};
use std::{fs, path::Path};
use tropism::notation::is_control;

/// Reads a text file in UTF-8, UTF-16 or an encoding of single bytes, such as Windows-1252 or KOI8-R. A control
/// character in it is named in the log, and those who read games and positions read over it.
///
/// # Errors
///
/// If the file cannot be read or is not a text file.
pub fn read_text_file(path: &Path) -> Result<String, Refusal> {
    let file = path.display();
    let refusal = |what: String| Refusal(format!("{what}; give the path of a text file"));
    let bytes = fs::read(path).map_err(|error| refusal(format!("cannot open {file}: {error}")))?;
    let text = decode(&bytes).ok_or_else(|| refusal(format!("{file} is not a text file")))?;
    if let Some(complaint) = control_characters(&text) {
        log::warn!("{file}, {complaint}");
    }
    Ok(text)
}

/// The first control character of a text, with its line.
fn control_characters(text: &str) -> Option<String> {
    let mut found = text.char_indices().filter(|&(_, c)| is_control(c));
    let (at, first) = found.next()?;
    let line = text[..at].replace("\r\n", "\n").matches(['\n', '\r']).count() + 1;
    let (other, are) = match found.count() {
        0 => (String::new(), "is"),
        1 => (" and another one".to_owned(), "are"),
        count => (format!(" and {count} others"), "are"),
    };
    let code = u32::from(first);
    Some(format!(
        "line {line}: the control character U+{code:04X}{other} {are} read over; remove what is no text"
    ))
}

/// Decodes a text. A byte order mark says how; without one it is UTF-8 or UTF-16, or the encoding that its letters fit.
/// Returns `None` if this is no text.
pub fn decode(bytes: &[u8]) -> Option<String> {
    // Old programs end files with this.
    let bytes = bytes.strip_suffix(&[0x1a]).unwrap_or(bytes);
    let (encoding, mark) = Encoding::for_bom(bytes).unwrap_or((utf_16(bytes).unwrap_or(UTF_8), 0));
    let text = match &bytes[mark..] {
        bytes if encoding == UTF_8 => mixed(bytes),
        bytes => encoding.decode_without_bom_handling(bytes).0.into_owned(),
    };
    (!is_binary(&text)).then_some(text)
}

/// UTF-8, maybe with single bytes of Windows-1252; or no UTF-8 at all.
fn mixed(bytes: &[u8]) -> String {
    let is_ascii = bytes.utf8_chunks().all(|chunk| chunk.valid().is_ascii());
    if is_ascii && !bytes.is_ascii() {
        let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
        detector.feed(bytes, true);
        let encoding = detector.guess(None, Utf8Detection::Deny);
        return encoding.decode_without_bom_handling(bytes).0.into_owned();
    }
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.push_str(&WINDOWS_1252.decode_without_bom_handling(chunk.invalid()).0);
    }
    text
}

/// Most texts about chess have zero bytes in UTF-16 only, and at every second place.
fn utf_16(bytes: &[u8]) -> Option<&'static Encoding> {
    let zeros = |odd: usize| bytes.iter().skip(odd).step_by(2).filter(|&&byte| byte == 0).count();
    let (even, odd) = (zeros(0), zeros(1));
    let half = bytes.len() / 2;
    match (even, odd) {
        _ if half == 0 || !bytes.len().is_multiple_of(2) => None,
        (0, odd) if odd * 2 > half => Some(UTF_16LE),
        (even, 0) if even * 2 > half => Some(UTF_16BE),
        _ => None,
    }
}

/// Whether control characters are too many for a text with a fault. Of the bytes of a compressed file they are a tenth.
/// Programs and pictures have many zero bytes.
fn is_binary(text: &str) -> bool {
    let weight = |c| match c {
        '\0' => 4,
        c => usize::from(is_control(c)),
    };
    let controls: usize = text.chars().map(weight).sum();
    controls.saturating_sub(1) * 16 > text.chars().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings_are_told_apart() {
        let text = "[White \"M\u{fc}ller\"]\n\n1. e4 e5 *\n";
        let utf_16 =
            |bytes: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(bytes).collect::<Vec<_>>();
        let latin_1: Vec<u8> = text.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect();
        let (little, big) = (utf_16(u16::to_le_bytes), utf_16(u16::to_be_bytes));
        let marked = |mark: &[u8], bytes: &[u8]| [mark, bytes].concat();
        for bytes in [
            text.as_bytes().to_vec(),
            marked(b"\xef\xbb\xbf", text.as_bytes()),
            latin_1,
            little.clone(),
            big.clone(),
            marked(b"\xff\xfe", &little),
            marked(b"\xfe\xff", &big),
        ] {
            assert_eq!(decode(&bytes).as_deref(), Some(text), "{bytes:?}");
        }
        // Names in Cyrillic letters, in two encodings, and in Polish ones.
        let names =
            "[White \"\u{421}\u{432}\u{430}\u{43d}\u{43e}\u{432}, \u{41f}\u{435}\u{442}\u{440}\"]";
        for encoding in [encoding_rs::WINDOWS_1251, encoding_rs::KOI8_R] {
            assert_eq!(decode(&encoding.encode(names).0).as_deref(), Some(names));
        }
        let names = "[White \"W\u{142}adys\u{142}aw \u{15b}wi\u{119}ty\"]";
        let polish = encoding_rs::WINDOWS_1250.encode(names).0;
        assert_eq!(decode(&polish).as_deref(), Some(names));
        // Quotation marks of Windows beside UTF-8.
        assert_eq!(decode(b"\x93\xc3\xbc\x94").as_deref(), Some("\u{201c}\u{fc}\u{201d}"));
        for binary in [&b"\x7fELF\x02\x01\x01"[..], b"a\0b\0\0\0", b"PK\x03\x04"] {
            assert_eq!(decode(binary), None, "{binary:?}");
        }
        assert_eq!(decode(b"").as_deref(), Some(""));
        // All bytes equally often, as in a compressed file.
        let mut random = tropism::random::SplitMix64::stream(1, 0);
        let bytes: Vec<u8> = (0..5_000).map(|_| random.below(256) as u8).collect();
        assert_eq!(decode(&bytes), None);
    }

    #[test]
    fn a_control_character_is_named_with_its_line() {
        // A report on a file that a whole program refused for one byte.
        let text = decode(b"[White \"A\"]\r\n\r\n1. e4\x07 e5 *\r\n").unwrap();
        let complaint = control_characters(&text).unwrap();
        assert_eq!(
            complaint,
            "line 3: the control character U+0007 is read over; remove what is no text"
        );
        let complaint = control_characters("\0\n1. e4\x07\x08").unwrap();
        assert!(complaint.starts_with("line 1: the control character U+0000 and 2 others are"));
        assert_eq!(control_characters("1. e4\t\x0b\x0c\u{85}\u{a0}\n"), None);
    }
}
