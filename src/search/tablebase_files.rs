//! Checks Syzygy files: name, size, header and checksum.
//!
//! The checksum is the one that the generator of the tables writes at the end of each file: CityHashCrc256 of the
//! content, and CityHash128 of that. Formulas: [CityHash 1.0.3](https://github.com/google/cityhash) (MIT licence).

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

/// Larger files are not read as a whole, so that tables of six pieces open quickly. The checksum of a file up to this
/// size has one part.
const MAX_READ: u64 = 1 << 24;

/// There are no tables of more pieces.
const MAX_PIECES: usize = 7;

/// The bytes of a file that name its kind and its pieces.
const HEADER: usize = 16;

/// The kind of a table.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Win, draw or loss (`.rtbw`).
    Wdl,
    /// The distance to the next capture or pawn move (`.rtbz`).
    Dtz,
}

/// The kind and the pieces that the name of a file says, as in `KQvKR.rtbw`; none if it is no name of a table.
pub fn of_name(path: &Path) -> Option<(Kind, &str)> {
    let kind = match path.extension()?.to_str()? {
        "rtbw" => Kind::Wdl,
        "rtbz" => Kind::Dtz,
        _ => return None,
    };
    let pieces = path.file_stem()?.to_str()?;
    let (white, black) = pieces.split_once('v')?;
    let is_side = |side: &str| {
        side.starts_with('K') && side[1..].chars().all(|piece| "QRBNP".contains(piece))
    };
    (is_side(white) && is_side(black) && pieces.len() <= MAX_PIECES + 1).then_some((kind, pieces))
}

/// Checks that the content of a file is what its name says.
///
/// # Errors
///
/// A text that says what is wrong with the file.
pub fn check(path: &Path, kind: Kind, pieces: &str) -> Result<(), String> {
    let read = |max: u64| -> io::Result<(Vec<u8>, u64)> {
        let mut bytes = Vec::new();
        let size = fs::metadata(path)?.len();
        File::open(path)?.take(max).read_to_end(&mut bytes)?;
        Ok((bytes, size))
    };
    let (bytes, size) = read(MAX_READ + 16).map_err(|error| error.to_string())?;
    if size % 64 != 16 {
        return Err(format!("a table does not have {size} bytes; the file is cut or not finished"));
    }
    let magic: [u8; 4] = match kind {
        Kind::Wdl => [0x71, 0xe8, 0x23, 0x5d],
        Kind::Dtz => [0xd7, 0x66, 0x0c, 0xa5],
    };
    if !bytes.starts_with(&magic) {
        return Err("the file does not begin as a table of this kind".to_owned());
    }
    let found = header_pieces(&bytes, pieces);
    if ![false, true].iter().any(|&swapped| found == name_pieces(pieces, swapped)) {
        return Err("the file has the table of other pieces".to_owned());
    }
    if size <= MAX_READ + 16 {
        let (content, sum) = bytes.split_at(bytes.len() - 16);
        if checksum(content) != [fetch(sum, 0), fetch(sum, 8)] {
            return Err("the checksum is wrong: the file is damaged".to_owned());
        }
    }
    Ok(())
}

/// The pieces of the first part of a table, sorted: 1 to 6 for a white pawn to king, 8 more for a black one.
fn header_pieces(bytes: &[u8], pieces: &str) -> Vec<u8> {
    // After magic number and flags stands the order of the pieces; where both sides have pawns, that of the others too.
    let have_both_pawns = pieces.split('v').all(|side| side.contains('P'));
    let start = 6 + usize::from(have_both_pawns);
    let all = bytes.iter().take(HEADER).skip(start).take(pieces.len() - 1);
    let mut all: Vec<u8> = all.map(|byte| byte & 0xf).collect();
    all.sort_unstable();
    all
}

/// The pieces of a name, sorted, with the codes of [`header_pieces`].
fn name_pieces(pieces: &str, swapped: bool) -> Vec<u8> {
    let code = |piece| "PNBRQK".find(piece).map_or(0, |at| at as u8 + 1);
    let side = |text: &str, is_black: bool| -> Vec<u8> {
        text.chars().map(|piece| code(piece) + 8 * u8::from(is_black)).collect()
    };
    let (white, black) = pieces.split_once('v').unwrap_or((pieces, ""));
    let mut all = [side(white, swapped), side(black, !swapped)].concat();
    all.sort_unstable();
    all
}

const K0: u64 = 0xc3a5_c85c_97cb_3127;
const K1: u64 = 0xb492_b66f_be98_f273;
const K3: u64 = 0xc949_d7c7_509e_6557;

/// The checksum of the content of a file of up to [`MAX_READ`] bytes, without the checksum itself.
fn checksum(content: &[u8]) -> [u64; 2] {
    let [first, second, third, fourth] = city_hash_crc_256(content);
    // CityHash128 of these 32 bytes.
    let mut a = shift_mix((first ^ K3).wrapping_mul(K1)).wrapping_mul(K1);
    let mut b = second;
    let c = b
        .wrapping_mul(K1)
        .wrapping_add(hash_16(third, fourth.wrapping_add(16).rotate_right(16)) ^ fourth);
    let d = shift_mix(a.wrapping_add(third));
    a = hash_16(a, c);
    b = hash_16(d, b);
    [a ^ b, hash_16(b, a)]
}

/// CityHashCrc256 of at least 240 bytes; less is filled up with zeros, as the format asks.
fn city_hash_crc_256(content: &[u8]) -> [u64; 4] {
    let mut filled = [0; 240];
    let (bytes, seed) = match filled.get_mut(..content.len()) {
        Some(start) if content.len() < 240 => {
            start.copy_from_slice(content);
            (&filled[..], u64::from(!(content.len() as u32)))
        }
        _ => (content, 0),
    };
    let length = bytes.len() as u64;
    let mut a = fetch(bytes, 56).wrapping_add(K0);
    let mut b = fetch(bytes, 96).wrapping_add(K0);
    let first = hash_16(b, length);
    let mut c = first;
    let second = fetch(bytes, 120).wrapping_mul(K0).wrapping_add(length);
    let mut d = second;
    let mut e = fetch(bytes, 184).wrapping_add(seed);
    let mut crc = [seed, 0, 0, 0, 0];
    let mut t = c.wrapping_add(d);
    let mut chunk = |at: usize, multiplier: u64, z: u32| {
        let old_a = a;
        let next = |value: u64, rotation: u32, offset: usize| {
            value
                .rotate_right(rotation ^ z)
                .wrapping_mul(multiplier)
                .wrapping_add(fetch(bytes, at + offset))
        };
        a = next(b, 41, 0);
        b = next(c, 27, 8);
        c = next(d, 41, 16);
        d = next(e, 33, 24);
        e = next(t, 25, 32);
        t = old_a;
        for (sum, word) in crc.iter_mut().zip([a, b, c, d, e]) {
            *sum = crc32c(*sum, word);
        }
    };
    let whole = bytes.len() / 240 * 240;
    for at in (0..whole).step_by(80) {
        chunk(at, 1, 1);
        chunk(at + 40, K0, 0);
    }
    let mut at = whole;
    while at + 40 <= bytes.len() {
        chunk(at, K0, 0);
        at += 40;
    }
    if at < bytes.len() {
        chunk(bytes.len() - 40, K0, 0);
    }
    let [mut f, mut g, mut h, mut i, mut j] = crc;
    j = j.wrapping_add(i << 32);
    a = hash_16(a, j);
    h = h.wrapping_add(g << 32);
    b = b.wrapping_add(h);
    c = hash_16(c, f).wrapping_add(i);
    d = hash_16(d, e.wrapping_add(first));
    j = j.wrapping_add(e);
    i = i.wrapping_add(hash_16(h, t));
    e = hash_16(a, d).wrapping_add(j);
    f = hash_16(b, c).wrapping_add(a);
    g = hash_16(j, i).wrapping_add(c);
    let first = e.wrapping_add(f).wrapping_add(g).wrapping_add(h);
    let mix = |a: u64| shift_mix(a.wrapping_mul(K0)).wrapping_mul(K0);
    a = mix(a.wrapping_add(g)).wrapping_add(b);
    let second = second.wrapping_add(a).wrapping_add(first);
    a = mix(a).wrapping_add(c);
    let third = a.wrapping_add(second);
    a = mix(a.wrapping_add(e));
    [first, second, third, a.wrapping_add(third)]
}

fn shift_mix(value: u64) -> u64 {
    value ^ (value >> 47)
}

fn hash_16(low: u64, high: u64) -> u64 {
    const MULTIPLIER: u64 = 0x9ddf_ea08_eb38_2d69;
    let a = shift_mix((low ^ high).wrapping_mul(MULTIPLIER));
    shift_mix((high ^ a).wrapping_mul(MULTIPLIER)).wrapping_mul(MULTIPLIER)
}

/// The little-endian word that begins at this byte. Bytes beyond the end count as 0.
fn fetch(bytes: &[u8], at: usize) -> u64 {
    let word = bytes.get(at..at + 8).and_then(|word| word.try_into().ok());
    u64::from_le_bytes(word.unwrap_or_default())
}

/// The CRC-32C of the eight bytes of a word.
fn crc32c(sum: u64, word: u64) -> u64 {
    let mut sum = sum as u32;
    for byte in word.to_le_bytes() {
        sum = (sum >> 8) ^ CRC32C[usize::from(sum as u8 ^ byte)];
    }
    u64::from(sum)
}

const CRC32C: [u32; 256] = {
    /// The polynomial of Castagnoli, bits reversed.
    const POLYNOMIAL: u32 = 0x82f6_3b78;
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut sum = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            sum = (sum >> 1) ^ ((sum & 1) * POLYNOMIAL);
            bit += 1;
        }
        table[byte] = sum;
        byte += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    /// Report: zeroed, cut, swapped and flipped files were counted as tables, and one of them hid all others.
    #[test]
    fn a_file_must_be_the_table_that_its_name_says() {
        let folder = tempfile::tempdir().unwrap();
        let told = |name: &str, bytes: &[u8]| {
            let path = folder.path().join(name);
            fs::write(&path, bytes).unwrap();
            let (kind, pieces) = of_name(&path).unwrap();
            check(&path, kind, pieces).err().unwrap_or_default()
        };
        let table = include_bytes!("../../tests/engine/tables/KNvK.rtbw");
        assert_eq!(told("KNvK.rtbw", table), "");
        assert!(told("KNvK.rtbz", table).contains("this kind"));
        assert!(told("KBvK.rtbw", table).contains("other pieces"));
        assert!(told("KNvK.rtbw", &table[..79]).contains("79 bytes"));
        assert!(told("KNvK.rtbw", &[]).contains("0 bytes"));
        assert!(told("KNvK.rtbw", &[0; 80]).contains("this kind"));
        for at in 9..80 {
            let mut flipped = *table;
            flipped[at] ^= 4;
            assert!(told("KNvK.rtbw", &flipped).contains("checksum"), "byte {at}");
        }
    }

    /// The value was found by this code, which agrees with the checksums of all tables of up to four pieces.
    #[test]
    fn the_checksum_of_a_thousand_bytes() {
        let content: Vec<u8> = (0..1000).map(|n| n as u8).collect();
        assert_eq!(checksum(&content), [0xc1a5_773f_f2ff_8743, 0x1b84_e400_5470_20b1]);
    }

    #[test]
    fn names_of_tables_are_read() {
        let of = |name: &'static str| of_name(Path::new(name));
        assert_eq!(of("a/KQvKR.rtbw"), Some((Kind::Wdl, "KQvKR")));
        assert_eq!(of("KPvK.rtbz"), Some((Kind::Dtz, "KPvK")));
        for other in ["KQvKR.rtbx", "KQKR.rtbw", "QvK.rtbw", "KXvK.rtbw", "readme", "KvÄ.rtbw"] {
            assert_eq!(of(other), None, "{other}");
        }
        assert_eq!(name_pieces("KPvK", false), [1, 6, 14]);
        assert_eq!(name_pieces("KPvK", true), [6, 9, 14]);
    }

    /// With a folder of tables, all of them are checked.
    #[test]
    #[ignore = "needs Syzygy tables"]
    fn all_tables_have_the_right_checksum() {
        let folder = std::env::var("TROPISM_SYZYGY").unwrap();
        let mut checked = 0;
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if let Some((kind, pieces)) = of_name(&path) {
                assert_eq!(check(&path, kind, pieces), Ok(()), "{path:?}");
                checked += 1;
            }
        }
        assert!(checked > 0);
    }
}
