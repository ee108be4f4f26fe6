//! The way out of mpcd: VTK frames with their `.pvd` collections, `history.csv`, `summary.json`.
//!
//! Plain data come in, files go out; no physics lives here and no other crate of mpcd is known here. The rooms:
//! - [`data`]: what can be written (points, polygons, image grids, meshes) and [`surfaces`], which draws walls;
//! - [`run`]: [`RunOutput`], the face that the step loop uses: one call per frame;
//! - [`folder`]: the folder of a run: its lock, its record, and which files are its own;
//! - [`history`] and [`summary`]: the two files with names fixed by the design;
//! - [`sink`]: the only place that touches the file system, and [`fault`], which breaks it on purpose in tests.
//!
//! # What an interrupted run leaves
//! Every file is written beside its place and then renamed, and collections are rewritten after each frame. So whatever
//! moment the run dies, the `.pvd` files list complete frames only, and [`Start::Resume`] goes on from there.
//!
//! ```
//! use mpcd_output::{Array, DataSet, DiskSink, Frame, Part, PointSet, RunOutput, Start};
//! # fn main() -> Result<(), mpcd_output::OutputError> {
//! # let folder = tempfile::tempdir().map_err(|_| mpcd_output::OutputError::NoName { what: "folder" })?;
//! let mut out = RunOutput::start(DiskSink::shared(), folder.path(), "two_spheres", Start::Fresh)?;
//! let bodies = PointSet {
//!     points: vec![[0.0, 0.0, 0.5], [0.0, 0.0, 1.5]],
//!     arrays: vec![Array::scalars("radius", vec![0.5, 0.5])],
//! };
//! out.write_frame(Frame { step: 0, time: 0.0 }, vec![Part::new("bodies", DataSet::Points(bodies))])?;
//! # Ok(()) }
//! ```
#![forbid(unsafe_code)]

pub mod data;
mod error;
pub mod fault;
pub mod folder;
pub mod history;
mod pvd;
pub mod run;
pub mod sink;
pub mod summary;
pub mod surfaces;
mod vtk;

pub use data::{Array, CellType, DataSet, ImageGrid, Mesh, PointSet, Polys, Topology, Values};
pub use error::{OutputError, Saved};
pub use folder::{ReadFile, Record, RunFolder};
pub use history::{Cell, History};
pub use run::{Frame, Part, RunOutput, Start};
pub use sink::{DiskSink, Lock, Sink, SinkFile, write_atomically, write_durably, write_durably_with};
pub use summary::{MethodWork, Range, Spread, Summary};
pub use surfaces::{Placement, Surfaces};
