//! What can be wrong with a deformable body: one enum, the faults of meshes and materials inside.

use mpcd_sparse::SparseError;

use crate::material::MaterialError;
use crate::mesh::MeshError;

/// A fault of a model, of what is asked of it, or of a step. Elements and nodes are numbered as in the mesh's file.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum FemError {
    /// A fault of the mesh.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// A fault of a material's parameters.
    #[error(transparent)]
    Material(#[from] MaterialError),
    /// A number out of its range.
    #[error("the {what} is {value}, expected {expected}")]
    Value {
        /// Which number.
        what: &'static str,
        /// Its value.
        value: f64,
        /// Its range.
        expected: &'static str,
    },
    /// A plane kinematic of a spatial mesh, or the other way round.
    #[error("{file}: the mesh has dimension {found}, but the kinematic `{space}` needs {expected}")]
    Space {
        /// The mesh.
        file: String,
        /// Its dimension.
        found: usize,
        /// Kinematic asked for.
        space: &'static str,
        /// Dimension that it needs.
        expected: usize,
    },
    /// An axisymmetric mesh on the wrong side of the axis.
    #[error("{file}: node {node} lies at radius {radius} m; an axisymmetric mesh lies at x ≥ 0")]
    Radius {
        /// The mesh.
        file: String,
        /// The node.
        node: usize,
        /// Its x (m).
        radius: f64,
    },
    /// An element without a material, or with two.
    #[error(
        "{file}: element {element} has {found} materials; expected one: give each group of elements its section, without overlap"
    )]
    Section {
        /// The mesh.
        file: String,
        /// The element.
        element: usize,
        /// Sections that have it.
        found: usize,
    },
    /// Plane stress of a viscous material whose two parts of the stress vanish across the plane at different strains.
    #[error(
        "in plane stress the stress across the plane vanishes as a sum of the law's and the viscous one, which is not computed where the two thin the plate unlike each other, as here; expected no viscosity (`retardation`, `stiffness_damping`), or a law whose stress is a constant matrix times the strain, and a viscosity in proportion to it"
    )]
    ViscousPlane,
    /// An element that turns inside out, or whose material has no stress.
    #[error("{file}: element {element} cannot follow the motion: {reason}")]
    Element {
        /// The mesh.
        file: String,
        /// The element.
        element: usize,
        /// Why.
        reason: String,
    },
    /// Statics of a body that can move freely, or a structure at its limit of stability.
    #[error(
        "{file}: nothing keeps node {node} from moving along {axis}; hold enough nodes that the body cannot move as a whole{instability}"
    )]
    Free {
        /// The mesh.
        file: String,
        /// The node at which it showed.
        node: usize,
        /// The axis: x, y or z.
        axis: char,
        /// What else may be the cause; empty for linear bodies.
        instability: &'static str,
    },
    /// Dynamics of a body that can move freely, in a step so long that the rounding of its stiffness hides its inertia.
    #[error(
        "{file}: nothing but its inertia keeps node {node} from moving along {axis}, and in a step of {step:e} s that is below the rounding of its stiffness; take shorter steps, or have loads hold enough nodes that the body cannot move as a whole"
    )]
    Weightless {
        /// The mesh.
        file: String,
        /// The node at which it showed.
        node: usize,
        /// The axis: x, y or z.
        axis: char,
        /// The step (s).
        step: f64,
    },
    /// A factorisation that failed for another reason.
    #[error("{file}: the system of the body cannot be solved: {source}")]
    Solve {
        /// The mesh.
        file: String,
        /// The cause.
        source: SparseError,
    },
    /// A vector of another length than there are unknowns.
    #[error("the {what} has {found} entries, expected {expected}")]
    Length {
        /// Which vector.
        what: &'static str,
        /// Expected.
        expected: usize,
        /// Found.
        found: usize,
    },
    /// Newton's method did not get there.
    #[error(
        "{file}: no balance of forces at t = {time} s after {iterations} iterations (residual {residual:e} of the forces){halved}; take smaller steps, or look for an instability"
    )]
    Convergence {
        /// The mesh.
        file: String,
        /// End of the step (s).
        time: f64,
        /// Newton iterations made.
        iterations: usize,
        /// Residual over the largest of the forces.
        residual: f64,
        /// How often the step was halved, in words; or nothing.
        halved: String,
    },
    /// A step longer than the explicit scheme bears.
    #[error(
        "{file}: the step of {step:e} s is longer than the explicit scheme bears, {stable:e} s (element {element} is the stiffest for its mass); take a shorter step or an implicit scheme"
    )]
    Unstable {
        /// The mesh.
        file: String,
        /// The step (s).
        step: f64,
        /// The longest stable step (s).
        stable: f64,
        /// The element that limits it.
        element: usize,
    },
    /// Something the scheme does not do.
    #[error("{what}; {cure}")]
    Unsupported {
        /// What was asked.
        what: &'static str,
        /// What to do instead.
        cure: &'static str,
    },
}

/// A number that must lie in a range.
pub(crate) fn check(what: &'static str, value: f64, good: bool, expected: &'static str) -> Result<(), FemError> {
    if good && value.is_finite() { Ok(()) } else { Err(FemError::Value { what, value, expected }) }
}
