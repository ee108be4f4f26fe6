//! Wavefront OBJ: vertices and faces. Textures, normals, groups and materials are skipped; polygons become fans of triangles.

use mpcd_core::Vec3;

use super::Triangles;
use crate::polytope::PolytopeError;

/// Words that may begin a line besides `v` and `f`; they say nothing about the surface.
const SKIPPED: [&str; 14] =
    ["vt", "vn", "vp", "o", "g", "s", "usemtl", "mtllib", "l", "p", "mg", "lod", "shadow_obj", "trace_obj"];

/// The vertices and triangles of an OBJ file. There may be no face at all: a cloud of points for a convex hull.
///
/// # Errors
/// If a line does not fit (with its number), a face names a vertex that is not there, or there is no vertex.
pub fn read_obj(bytes: &[u8]) -> Result<Triangles, PolytopeError> {
    let fault = |why: String| PolytopeError::File { kind: "OBJ", why };
    let text = std::str::from_utf8(bytes).map_err(|e| fault(format!("byte {} is no text", e.valid_up_to())))?;
    let mut read = Triangles::default();
    for (i, line) in text.lines().enumerate() {
        let words = line.split('#').next().unwrap_or_default();
        let wrong = |expected| PolytopeError::Line { line: i + 1, expected, found: line.trim().into() };
        let mut words = words.split_whitespace();
        match words.next() {
            Some("v") => {
                let mut next = || {
                    words
                        .next()
                        .and_then(|w| w.parse().ok())
                        .filter(|x: &f64| x.is_finite())
                        .ok_or_else(|| wrong("\"v\" and three numbers"))
                };
                read.vertices.push(Vec3::new(next()?, next()?, next()?));
            }
            Some("f") => {
                let corners: Option<Vec<u32>> = words.map(|w| vertex(w, read.vertices.len())).collect();
                let corners = corners
                    .ok_or_else(|| wrong("\"f\" and numbers of vertices that stand above it (from 1, or from -1 backwards)"))?;
                let [first, rest @ ..] = &corners[..] else { return Err(wrong("a face of at least three vertices")) };
                if rest.len() < 2 {
                    return Err(wrong("a face of at least three vertices"));
                }
                read.triangles.extend(rest.windows(2).map(|w| [*first, w[0], w[1]]));
            }
            None => {}
            Some(word) if SKIPPED.contains(&word) => {}
            Some(_) => return Err(wrong("v, f, or one of vt vn vp o g s usemtl mtllib l p")),
        }
    }
    if read.vertices.is_empty() {
        return Err(fault("it has no vertex (a line \"v x y z\")".into()));
    }
    Ok(read)
}

/// Index of the vertex of a word such as `3`, `3/1`, `3//2` or `-1`.
fn vertex(word: &str, known: usize) -> Option<u32> {
    let number: i64 = word.split('/').next()?.parse().ok()?;
    let index = if number < 0 { known as i64 + number } else { number - 1 };
    (0..known as i64).contains(&index).then(|| u32::try_from(index).ok()).flatten()
}
