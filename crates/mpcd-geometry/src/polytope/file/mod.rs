//! Triangles and vertices from files of other programs. Bytes in, lengths out in the unit of the file; no file is opened here.

mod obj;
mod stl;

pub use obj::read_obj;
pub use stl::read_stl;

use mpcd_core::Vec3;

/// A triangulated surface as a file gives it: no check of closedness or orientation.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Triangles {
    /// The vertices (unit of the file).
    pub vertices: Vec<Vec3>,
    /// Three vertices each, in the order of the file: counter-clockwise as seen from outside.
    pub triangles: Vec<[u32; 3]>,
}
