//! One face over the two VTK writers: a data set and a time are written as a file.
//!
//! `.vtp` and `.vtu` are written with inline base64 ([`inline`]), `.vti` with the numbers as raw bytes behind the tags ([`appended`], [`image`]).
//! Both put the time into the field data as `TimeValue`.

mod appended;
mod image;
mod inline;

use std::io::{self, Write};

use crate::data::DataSet;

/// Writes a data set that was checked.
///
/// # Errors
/// Those of the writer.
pub(crate) fn write(out: &mut dyn Write, data: &DataSet, time: f64) -> io::Result<()> {
    match data {
        DataSet::Image(grid) => out.write_all(&image::encode(grid, time)),
        DataSet::Points(points) => inline::points(out, points, time),
        DataSet::Polys(polys) => inline::polys(out, polys, time),
        DataSet::Mesh(mesh) => inline::mesh(out, mesh, time),
    }
}

/// Text made safe inside an XML attribute.
pub(crate) fn escape(text: &str) -> String {
    text.chars().fold(String::with_capacity(text.len()), |mut out, c| {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&apos;"),
            c => out.push(c),
        }
        out
    })
}
