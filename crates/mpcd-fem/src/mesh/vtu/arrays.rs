//! The arrays of a `.vtu` file: text, base64 in place, or appended, compressed by ZLib or not. Format: VTK file formats, section "XML file formats". Errors are
//! what was found, in words.

use std::{borrow::Cow, collections::BTreeMap};

use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;

/// The compressor that is read: the default of VTK's writers.
const ZLIB: &str = "vtkZLibDataCompressor";

/// What a mesh needs of a grid.
#[derive(Default)]
pub(super) struct Grid {
    pub(super) points: Vec<f64>,
    pub(super) connectivity: Vec<f64>,
    pub(super) offsets: Vec<f64>,
    pub(super) types: Vec<f64>,
    /// Cell arrays of whole numbers, by name.
    pub(super) cell_integers: Vec<(String, Vec<f64>)>,
}

/// A tag with its attributes, and where it ends.
struct Tag<'a> {
    name: &'a str,
    attributes: BTreeMap<&'a str, &'a str>,
    end: usize,
}

/// How the bytes of blocks are written.
struct Encoding<'a> {
    wide_header: bool,
    compressed: bool,
    appended: &'a [u8],
    appended_base64: bool,
}

pub(super) fn read(bytes: &[u8]) -> Result<Grid, String> {
    let appended_at = find(bytes, b"<AppendedData", 0);
    let head =
        std::str::from_utf8(&bytes[..appended_at.unwrap_or(bytes.len())]).map_err(|_| "a file that is not text".to_owned())?;
    let root = tags(head).find(|t| t.name == "VTKFile").ok_or("a file without <VTKFile>")?;
    let root_attribute = |name: &str| root.attributes.get(name).copied();
    match (root_attribute("type"), root_attribute("byte_order"), root_attribute("compressor")) {
        (Some("UnstructuredGrid"), Some("LittleEndian") | None, None | Some(ZLIB)) => {}
        (Some("UnstructuredGrid"), Some("LittleEndian") | None, Some(other)) => {
            return Err(format!("a grid compressed by `{}`", short(other)));
        }
        (Some("UnstructuredGrid"), ..) => return Err("a grid with big-endian numbers".to_owned()),
        _ => return Err("another kind of VTK data".to_owned()),
    }
    if tags(head).filter(|t| t.name == "Piece").count() != 1 {
        return Err("a grid of no or several pieces".to_owned());
    }
    let mut encoding = Encoding {
        wide_header: root_attribute("header_type") == Some("UInt64"),
        compressed: root_attribute("compressor").is_some(),
        appended: &[],
        appended_base64: false,
    };
    if let Some(at) = appended_at {
        let start = find(bytes, b"_", at).ok_or("appended data without a beginning")?;
        encoding.appended_base64 = find(&bytes[at..start], b"base64", 0).is_some();
        encoding.appended = &bytes[start + 1..];
    }
    let mut grid = Grid::default();
    let mut section = "";
    for tag in tags(head) {
        match tag.name {
            "Points" | "Cells" | "CellData" | "PointData" => section = tag.name,
            "DataArray" => {
                let name = tag.attributes.get("Name").copied().unwrap_or("");
                let kind = tag.attributes.get("type").copied().unwrap_or("");
                let values = || array(&tag, kind, head, &encoding).map_err(|e| format!("its array `{}` ({e})", short(name)));
                match (section, name) {
                    ("Points", _) => grid.points = values()?,
                    ("Cells", "connectivity") => grid.connectivity = values()?,
                    ("Cells", "offsets") => grid.offsets = values()?,
                    ("Cells", "types") => grid.types = values()?,
                    ("CellData", _) if kind.contains("Int") => grid.cell_integers.push((name.to_owned(), values()?)),
                    _ => {}
                }
            }
            _ => {}
        }
    }
    Ok(grid)
}

/// Opening tags in their order, comments left out.
fn tags(text: &str) -> impl Iterator<Item = Tag<'_>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let start = at + text[at..].find('<')?;
            let inside = &text[start + 1..];
            if inside.starts_with("!--") {
                at = start + 1 + inside.find("-->")? + 3;
                continue;
            }
            let length = inside.find('>')?;
            at = start + 1 + length + 1;
            let body = inside[..length].trim_end_matches(['/', '?']);
            let name = body.split(char::is_whitespace).next().unwrap_or("");
            if !name.starts_with(['/', '?', '!']) {
                return Some(Tag { name, attributes: attributes(&body[name.len()..]), end: at });
            }
        }
    })
}

/// name="value" pairs.
fn attributes(mut text: &str) -> BTreeMap<&str, &str> {
    let mut found = BTreeMap::new();
    while let Some((name, rest)) = text.split_once('=') {
        let rest = rest.trim_start();
        let Some(quote) = rest.chars().next().filter(|c| matches!(c, '"' | '\'')) else { break };
        let Some((value, after)) = rest[1..].split_once(quote) else { break };
        found.insert(name.trim(), value);
        text = after;
    }
    found
}

fn array(tag: &Tag<'_>, kind: &str, text: &str, encoding: &Encoding<'_>) -> Result<Vec<f64>, String> {
    let inside = || text[tag.end..].split('<').next().unwrap_or("");
    match tag.attributes.get("format").copied().unwrap_or("ascii") {
        "ascii" => inside().split_whitespace().map(|w| w.parse().map_err(|_| format!("`{}` is no number", short(w)))).collect(),
        "binary" => {
            let bytes = base64(inside().trim().as_bytes());
            numbers(kind, &block(&bytes, encoding)?)
        }
        "appended" => {
            let offset = tag.attributes.get("offset").and_then(|o| o.parse::<usize>().ok()).ok_or("no offset")?;
            let rest = encoding.appended.get(offset..).ok_or("an offset behind the end")?;
            if encoding.appended_base64 {
                numbers(kind, &block(&base64(rest), encoding)?)
            } else {
                numbers(kind, &block(rest, encoding)?)
            }
        }
        other => Err(format!("format `{}`", short(other))),
    }
}

/// The bytes behind their count, or behind the table of their compressed parts.
fn block<'a>(bytes: &'a [u8], encoding: &Encoding<'_>) -> Result<Cow<'a, [u8]>, String> {
    let size = if encoding.wide_header { 8 } else { 4 };
    let mut rest = bytes;
    let mut next = || -> Result<usize, String> {
        let (head, after) = rest.split_at_checked(size).ok_or("a block without its size")?;
        rest = after;
        let number = head.iter().rev().fold(0_u64, |n, b| (n << 8) | u64::from(*b));
        usize::try_from(number).map_err(|_| format!("a block of {number} bytes"))
    };
    let count = next()?;
    if !encoding.compressed {
        let found = rest.get(..count).ok_or_else(|| format!("a block of {count} bytes in {}", rest.len()))?;
        return Ok(found.into());
    }
    if count == 0 {
        return Ok(Cow::default());
    }
    let (whole, last) = (next()?, next()?);
    // as many sizes as there are in the bytes at most, whatever the count says
    let sizes = (0..count).map(|_| next()).collect::<Result<Vec<_>, _>>()?;
    let mut out = Vec::new();
    for (k, packed) in sizes.into_iter().enumerate() {
        let wanted = if k + 1 == count && last > 0 { last } else { whole };
        let (part, after) = rest.split_at_checked(packed).ok_or_else(|| format!("a part of {packed} bytes in {}", rest.len()))?;
        let found = decompress_to_vec_zlib_with_limit(part, wanted).map_err(|e| format!("its compressed part {k}: {e}"))?;
        if found.len() != wanted {
            return Err(format!("its compressed part {k} has {} bytes, not {wanted}", found.len()));
        }
        out.extend(found);
        rest = after;
    }
    Ok(out.into())
}

fn numbers(kind: &str, bytes: &[u8]) -> Result<Vec<f64>, String> {
    fn all<const N: usize>(bytes: &[u8], read: impl Fn([u8; N]) -> f64) -> Vec<f64> {
        bytes.as_chunks::<N>().0.iter().map(|c| read(*c)).collect()
    }
    Ok(match kind {
        "Float64" => all(bytes, f64::from_le_bytes),
        "Float32" => all(bytes, |b| f64::from(f32::from_le_bytes(b))),
        "Int64" => all(bytes, |b| i64::from_le_bytes(b) as f64),
        "UInt64" => all(bytes, |b| u64::from_le_bytes(b) as f64),
        "Int32" => all(bytes, |b| f64::from(i32::from_le_bytes(b))),
        "UInt32" => all(bytes, |b| f64::from(u32::from_le_bytes(b))),
        "Int16" => all(bytes, |b| f64::from(i16::from_le_bytes(b))),
        "UInt16" => all(bytes, |b| f64::from(u16::from_le_bytes(b))),
        "Int8" => all(bytes, |b| f64::from(i8::from_le_bytes(b))),
        "UInt8" => all(bytes, |b| f64::from(u8::from_le_bytes(b))),
        other => return Err(format!("numbers of type `{}`", short(other))),
    })
}

/// Decodes up to the first character that is none of base64; padding in between (a size coded by itself) is passed over.
fn base64(text: &[u8]) -> Vec<u8> {
    let value = |c: u8| match c {
        b'A'..=b'Z' => Some(c - b'A'),
        b'a'..=b'z' => Some(c - b'a' + 26),
        b'0'..=b'9' => Some(c - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    for four in text.chunks_exact(4) {
        let (mut word, mut count) = (0_u32, 0);
        for &c in four {
            let Some(v) = value(c) else { break };
            (word, count) = ((word << 6) | u32::from(v), count + 1);
        }
        if count < 2 {
            break;
        }
        word <<= 6 * (4 - count);
        bytes.extend_from_slice(&word.to_be_bytes()[1..count]);
    }
    bytes
}

fn find(bytes: &[u8], needle: &[u8], from: usize) -> Option<usize> {
    bytes[from..].windows(needle.len()).position(|w| w == needle).map(|k| from + k)
}

/// The beginning of a word that was found: a damaged file may have any where one is expected.
fn short(word: &str) -> String {
    word.chars().take(40).collect()
}
