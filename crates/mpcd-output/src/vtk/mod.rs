//! One face over the two VTK writers: a data set and a time become the bytes of a file.
//!
//! `.vtp` and `.vtu` go through the crate vtkio ([`with_vtkio`]). `.vti` goes through our own [`appended`] writer
//! ([`image`]), because vtkio keeps origin and spacing of a grid as 32-bit floats: a grid 1 m from its origin with
//! cells of 0.1 mm would be off by parts of a cell. Both put the time into the field data as `TimeValue`.

mod appended;
mod image;
mod with_vtkio;

use std::path::Path;

use crate::data::DataSet;
use crate::error::OutputError;
use crate::sink::{Sink, write_atomically, write_atomically_with};

/// Writes a data set into the file `path` of a sink, after checking it.
///
/// # Errors
/// Those of [`DataSet::check`], [`OutputError::Encode`] and [`OutputError::Write`] naming `path`.
pub(crate) fn write(sink: &dyn Sink, path: &Path, data: DataSet, time: f64) -> Result<(), OutputError> {
    data.check()?;
    let bytes = match data {
        DataSet::Points(points) => {
            return write_atomically_with(sink, path, |file| with_vtkio::points(&points, time, file));
        }
        DataSet::Image(grid) => Ok(image::encode(&grid, time)),
        DataSet::Polys(polys) => with_vtkio::polys(polys, time),
        DataSet::Mesh(mesh) => with_vtkio::mesh(mesh, time),
    };
    let bytes = bytes.map_err(|problem: String| OutputError::Encode { path: path.to_path_buf(), problem })?;
    write_atomically(sink, path, &bytes)
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
