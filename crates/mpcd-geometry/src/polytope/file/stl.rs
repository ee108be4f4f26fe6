//! STL, as text or binary. Equal vertices become one. Normals in the file are not read: the order of the vertices tells.

use std::collections::HashMap;

use mpcd_core::Vec3;

use super::Triangles;
use crate::polytope::PolytopeError;

/// Header and number of triangles of a binary file (bytes).
const HEAD: usize = 84;
/// One triangle of a binary file: normal, three vertices, two more bytes.
const TRIANGLE: usize = 50;

/// The triangles of an STL file, text or binary.
///
/// # Errors
/// If the file is neither, ends too early, has a line that does not fit (with its number), or no triangle.
pub fn read_stl(bytes: &[u8]) -> Result<Triangles, PolytopeError> {
    // Binary files may begin with "solid" too: the length decides.
    let count = bytes.get(80..HEAD).and_then(|b| b.try_into().ok()).map(u32::from_le_bytes);
    let binary = count.is_some_and(|n| bytes.len() as u64 == HEAD as u64 + TRIANGLE as u64 * u64::from(n));
    let corners = match (binary, bytes.trim_ascii_start().starts_with(b"solid")) {
        (true, _) => binary_corners(&bytes[HEAD..]),
        (false, true) => text_corners(bytes)?,
        (false, false) => return Err(fault(unknown(count, bytes.len()))),
    };
    if corners.is_empty() {
        return Err(fault("it has no triangle".into()));
    }
    if let Some(i) = corners.iter().position(|p| !p.iter().all(|c| c.is_finite())) {
        return Err(PolytopeError::NotFinite(i));
    }
    Ok(join(&corners))
}

fn fault(why: String) -> PolytopeError {
    PolytopeError::File { kind: "STL", why }
}

fn unknown(count: Option<u32>, got: usize) -> String {
    match count {
        Some(n) => format!(
            "it does not begin with \"solid\" (text), and a binary file of {n} triangles has {} bytes, this one {got}; export it again",
            HEAD as u64 + TRIANGLE as u64 * u64::from(n)
        ),
        None => format!("it does not begin with \"solid\" (text), and {got} bytes are too few for a binary one; export it again"),
    }
}

fn binary_corners(body: &[u8]) -> Vec<Vec3> {
    let number = |b: &[u8]| f64::from(f32::from_le_bytes([b[0], b[1], b[2], b[3]]));
    let vertex = |b: &[u8]| Vec3::new(number(b), number(&b[4..]), number(&b[8..]));
    body.chunks_exact(TRIANGLE).flat_map(|t| [vertex(&t[12..24]), vertex(&t[24..36]), vertex(&t[36..48])]).collect()
}

fn text_corners(bytes: &[u8]) -> Result<Vec<Vec3>, PolytopeError> {
    let text = std::str::from_utf8(bytes)
        .map_err(|e| fault(format!("it begins like a text file, but byte {} is no text; export it again", e.valid_up_to())))?;
    let mut corners = Vec::new();
    let mut ended = false;
    for (i, line) in text.lines().enumerate() {
        let mut words = line.split_whitespace();
        let wrong = |expected| PolytopeError::Line { line: i + 1, expected, found: line.trim().into() };
        match words.next().map(str::to_ascii_lowercase).as_deref() {
            Some("vertex") => {
                let mut next = || words.next().and_then(|w| w.parse().ok()).ok_or_else(|| wrong("\"vertex\" and three numbers"));
                corners.push(Vec3::new(next()?, next()?, next()?));
            }
            Some("endloop") if corners.len() % 3 != 0 => return Err(wrong("three vertices before the end of the loop")),
            Some("endsolid") => ended = true,
            Some("solid" | "facet" | "outer" | "endloop" | "endfacet") | None => {}
            Some(_) => return Err(wrong("solid, facet, outer loop, vertex, endloop, endfacet or endsolid")),
        }
    }
    if !ended || corners.len() % 3 != 0 {
        return Err(fault("it ends before \"endsolid\"; export it again".into()));
    }
    Ok(corners)
}

/// Corners with the same coordinates become one vertex, numbered as they come.
fn join(corners: &[Vec3]) -> Triangles {
    let mut numbers: HashMap<[u64; 3], u32> = HashMap::new(); // looked up only, never walked
    let mut vertices = Vec::new();
    let mut number = |p: &Vec3| {
        *numbers.entry([p.x, p.y, p.z].map(|c| (c + 0.0).to_bits())).or_insert_with(|| {
            vertices.push(*p);
            vertices.len() as u32 - 1
        })
    };
    let triangles = corners.chunks_exact(3).map(|t| [number(&t[0]), number(&t[1]), number(&t[2])]).collect();
    Triangles { vertices, triangles }
}
