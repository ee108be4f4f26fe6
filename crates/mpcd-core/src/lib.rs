//! Floor 0: the vocabulary every room of mpcd shares.
//!
//! What lives here: ids, units, quantities, fields and their ports, bodies and their motion, the contact
//! network, the [`Physics`] contract, solve reports, the books, and the located errors of a model file.
//! What may not: any physics, any solver, any shape, any file format of results.
#![forbid(unsafe_code)]

pub mod body;
pub mod column;
pub mod contact_memory;
pub mod field;
pub mod filling;
pub mod formula;
pub mod hertz;
pub mod ids;
pub mod input;
pub mod joint_path;
pub mod ledger;
pub mod math;
pub mod mesh;
pub mod module;
pub mod named;
pub mod network;
pub mod pair_laws;
pub mod patch;
mod patch_values;
pub mod physics;
pub mod port;
pub mod quadrature;
pub mod quantity;
pub mod report;
pub mod setup;
pub mod sum;
pub mod surface_point;
pub mod time;
pub mod time_function;
pub mod touching;
pub mod typed;
pub mod unit;

pub use body::{BodySet, CellMotion, Form, Kinematics};
pub use field::{FieldSpec, FieldStore, GridSpec, Support};
pub use filling::Filling;
pub use ids::{BodyId, ContactKey, GroupId, MaterialId};
pub use input::{Fragment, InputError, Slot};
pub use joint_path::{JointPath, JointPaths};
pub use ledger::{Balance, Book};
pub use math::{Frame, Mat3, Quat, Vec3};
pub use mesh::{MeshArray, MeshQuantity, MeshTopology, MeshView};
pub use module::{Module, PhysicsEntry};
pub use named::{Named, NamedLaws};
pub use network::{Contact, ContactGeometry, ContactNetwork, ContactStatus, MeshPoints};
pub use pair_laws::{Between, PairLaws};
pub use patch::{Patch, PatchPoint, Patches};
pub use physics::{FieldView, Inputs, Outputs, Physics, World};
pub use port::{Access, Port};
pub use quantity::Quantity;
pub use report::{Search, SolveError, SolveReport, Stage, Status, Watched};
pub use setup::{CellDrive, Dimension, MovingCell, Setup};
pub use sum::Sum;
pub use surface_point::SurfacePoint;
pub use time::Step;
pub use time_function::TimeFunction;
pub use typed::{
    Once, OptionalPort, PerBody, PerCell, PerContact, PerElement, PerJoint, PerNode, PortMisuse, ReadPort, Scalar, Vector,
    WritePort,
};
pub use unit::Unit;
