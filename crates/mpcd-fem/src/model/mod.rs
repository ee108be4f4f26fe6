//! A body's model: mesh, kinematic, sections, and the sums over its elements (forces, stiffness, mass, loads). No time.

mod assembly;
mod element;
mod follower;
mod loads;
mod loose;
mod mass;
mod pattern;
mod point;
mod recovery;
mod section;

use std::sync::Arc;

use mpcd_core::Vec3;

pub(crate) use assembly::{Displacements, Internal, Target};
pub(crate) use loads::face_points;
pub use loads::{Conditions, Prescribed};
pub use loose::Loose;
pub use mass::MassKind;
pub(crate) use mass::products;
pub(crate) use point::Point;
pub use recovery::PointValue;
pub use section::Section;

use crate::cell::{Purpose, table};
use crate::error::{FemError, check};
use crate::mesh::Mesh;
pub(crate) use element::Rate;
use element::{Element, Fault};
use pattern::Pattern;
use section::Law;

/// Kinematics: how a planar mesh stands for a body, or that it is spatial.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Space {
    /// No strain across the plane.
    PlaneStrain {
        /// Thickness (m).
        thickness: f64,
    },
    /// No stress across the plane.
    PlaneStress {
        /// Thickness at rest (m).
        thickness: f64,
    },
    /// x is the radius, y the axis; forces and masses are those of the whole ring.
    Axisymmetric,
    /// Three dimensions.
    Solid,
}

impl Space {
    fn name(self) -> &'static str {
        match self {
            Self::PlaneStrain { .. } => "plane strain",
            Self::PlaneStress { .. } => "plane stress",
            Self::Axisymmetric => "axisymmetric",
            Self::Solid => "solid",
        }
    }

    /// Thickness of a planar body (m); 1 of others.
    #[must_use]
    pub const fn thickness(self) -> f64 {
        match self {
            Self::PlaneStrain { thickness } | Self::PlaneStress { thickness } => thickness,
            Self::Axisymmetric | Self::Solid => 1.0,
        }
    }

    /// Whether a mesh can stand for a body so.
    pub(crate) fn check(self, mesh: &Mesh) -> Result<(), FemError> {
        let expected = if self == Self::Solid { 3 } else { 2 };
        let file = || mesh.name().to_owned();
        if mesh.dimension() != expected {
            return Err(FemError::Space { file: file(), found: mesh.dimension(), space: self.name(), expected });
        }
        if let Self::PlaneStrain { thickness } | Self::PlaneStress { thickness } = self {
            check("thickness", thickness, thickness > 0.0, "a finite number above zero (m)")?;
        }
        let size = (mesh.bounds().1 - mesh.bounds().0).norm();
        let wrong_side = mesh.nodes().iter().position(|x| x.x < -1e-12 * size).filter(|_| self == Self::Axisymmetric);
        match wrong_side {
            Some(node) => Err(FemError::Radius { file: file(), node: mesh.node_label(node), radius: mesh.nodes()[node].x }),
            None => Ok(()),
        }
    }
}

/// A mesh with its kinematic and what fills it. Unknown i of node a is number `a · dimension + i`.
#[derive(Debug)]
pub struct Model {
    mesh: Mesh,
    space: Space,
    laws: Vec<Law>,
    law_of: Vec<usize>,
    history_starts: Vec<usize>,
    /// Number of nodes of all elements before each.
    corner_starts: Vec<usize>,
    /// Sum of the row of each node in the consistent mass (kg).
    nodal_mass: Vec<f64>,
    pattern: Pattern,
}

impl Model {
    /// A model of a mesh whose elements all have one section.
    ///
    /// # Errors
    /// As [`Model::with_sections`].
    pub fn new(mesh: Mesh, space: Space, section: &Section) -> Result<Self, FemError> {
        let of = vec![0; mesh.elements()];
        Self::build(mesh, space, std::slice::from_ref(section), of)
    }

    /// A model whose groups of elements have a section each.
    ///
    /// # Errors
    /// [`FemError::Mesh`] for a group that does not exist, [`FemError::Section`] for an element in none or in two,
    /// [`FemError::Space`], [`FemError::Radius`], [`FemError::Value`].
    pub fn with_sections(mesh: Mesh, space: Space, sections: &[(&str, Section)]) -> Result<Self, FemError> {
        let mut found: Vec<Vec<usize>> = vec![Vec::new(); mesh.elements()];
        for (s, (group, _)) in sections.iter().enumerate() {
            mesh.element_group(group)?.iter().for_each(|&e| found[e].push(s));
        }
        if let Some(e) = found.iter().position(|f| f.len() != 1) {
            let (file, element) = (mesh.name().to_owned(), mesh.element_label(e));
            return Err(FemError::Section { file, element, found: found[e].len() });
        }
        let list: Vec<Section> = sections.iter().map(|(_, section)| section.clone()).collect();
        Self::build(mesh, space, &list, found.into_iter().map(|f| f[0]).collect())
    }

    /// A model with the section of each element by its number among `sections`.
    ///
    /// # Errors
    /// [`FemError::Length`] for other than one number per element, [`FemError::Section`] for a number of no section, [`FemError::Space`],
    /// [`FemError::Radius`], [`FemError::Value`].
    pub fn with_section_of(mesh: Mesh, space: Space, sections: &[Section], of: Vec<usize>) -> Result<Self, FemError> {
        if of.len() != mesh.elements() {
            return Err(FemError::Length { what: "section of the elements", expected: mesh.elements(), found: of.len() });
        }
        if let Some(e) = of.iter().position(|&s| s >= sections.len()) {
            return Err(FemError::Section { file: mesh.name().to_owned(), element: mesh.element_label(e), found: 0 });
        }
        Self::build(mesh, space, sections, of)
    }

    fn build(mesh: Mesh, space: Space, sections: &[Section], law_of: Vec<usize>) -> Result<Self, FemError> {
        space.check(&mesh)?;
        let file = || mesh.name().to_owned();
        let laws = sections.iter().map(|s| Law::new(s, space)).collect::<Result<Vec<_>, _>>()?;
        let (mut history_starts, mut corner_starts) = (vec![0], vec![0]);
        for e in 0..mesh.elements() {
            corner_starts.push(corner_starts[e] + mesh.element(e).len());
            let points = table(mesh.cell(e), Purpose::Stress).shapes.len();
            history_starts.push(history_starts[e] + points * laws[law_of[e]].history_len());
        }
        let pattern = Pattern::new(&mesh).map_err(|source| FemError::Solve { file: file(), source })?;
        let nodal_mass = vec![0.0; mesh.nodes().len()];
        let mut model = Self { mesh, space, laws, law_of, history_starts, corner_starts, nodal_mass, pattern };
        model.nodal_mass = model.row_masses()?;
        Ok(model)
    }

    /// The mesh.
    pub fn mesh(&self) -> &Mesh {
        &self.mesh
    }

    /// The kinematic.
    pub fn space(&self) -> Space {
        self.space
    }

    /// Unknowns per node: 2 or 3.
    pub fn dimension(&self) -> usize {
        self.mesh.dimension()
    }

    /// Number of unknowns.
    pub fn unknowns(&self) -> usize {
        self.mesh.nodes().len() * self.dimension()
    }

    /// Whether forces are linear in displacements and velocities.
    pub fn is_linear(&self) -> bool {
        self.laws.iter().all(Law::is_linear)
    }

    /// The virgin body at rest at time 0.
    pub fn rest(self: &Arc<Self>) -> State {
        let zeros = vec![0.0; self.unknowns()];
        State {
            time: 0.0,
            displacement: zeros.clone(),
            velocity: zeros,
            history: vec![0.0; self.history_len()],
            free_strain: Vec::new(),
        }
    }

    /// Number of history variables of the whole body.
    pub fn history_len(&self) -> usize {
        self.history_starts[self.mesh.elements()]
    }

    /// Internal forces (N) of all unknowns at a state: elastic or plastic, and viscous.
    ///
    /// # Errors
    /// [`FemError::Element`], [`FemError::Length`].
    pub fn forces(&self, state: &State) -> Result<Vec<f64>, FemError> {
        self.check_length("displacement", state.displacement.len())?;
        let rate = self.is_viscous().then_some(Rate::Velocity(state.velocity.as_slice(), 0.0));
        Ok(self
            .internal(Displacements::End { u: &state.displacement, rate, free: &state.free_strain }, &state.history, None)?
            .force)
    }

    /// One column of the stiffness (N/m): what a displacement of an unknown does to all forces at a state.
    ///
    /// # Errors
    /// [`FemError::Element`], [`FemError::Length`].
    pub fn stiffness_column(&self, state: &State, unknown: usize) -> Result<Vec<f64>, FemError> {
        self.check_length("displacement", state.displacement.len())?;
        let d = self.dimension();
        let at = Displacements::End { u: &state.displacement, rate: None, free: &state.free_strain };
        let mut column = vec![0.0; self.unknowns()];
        for e in 0..self.mesh.elements() {
            let nodes = self.mesh.element(e);
            let Some(b) = nodes.iter().position(|&n| n == unknown / d) else { continue };
            let matrix = self.element_stiffness(e, at, &state.history)?;
            for (r, row) in matrix.chunks_exact(nodes.len() * d).enumerate() {
                column[nodes[r / d] * d + r % d] += row[b * d + unknown % d];
            }
        }
        Ok(column)
    }

    pub(crate) fn pattern(&self) -> &Pattern {
        &self.pattern
    }

    /// Whether a material remembers (plasticity, damage).
    pub fn has_history(&self) -> bool {
        self.laws.iter().any(|l| l.section.material.history_len() > 0)
    }

    /// Whether a material of the body has large strain, so that pressures follow their faces.
    pub fn is_finite(&self) -> bool {
        self.laws.iter().any(|l| l.finite)
    }

    pub(crate) fn is_viscous(&self) -> bool {
        self.laws.iter().any(|l| l.viscosity.is_some())
    }

    pub(crate) fn sections(&self) -> impl Iterator<Item = &Section> {
        self.laws.iter().map(|l| &l.section)
    }

    pub(crate) fn law(&self, element: usize) -> &Law {
        &self.laws[self.law_of[element]]
    }

    /// Reference positions of the nodes of an element.
    fn places(&self, element: usize) -> Vec<Vec3> {
        self.mesh.element(element).iter().map(|&n| self.mesh.nodes()[n]).collect()
    }

    fn history_of<'a>(&self, element: usize, history: &'a [f64]) -> &'a [f64] {
        &history[self.history_starts[element]..self.history_starts[element + 1]]
    }

    /// An element with its reference places and its part of a history.
    fn element<'a>(&'a self, e: usize, nodes: &'a [Vec3], history: &'a [f64]) -> Element<'a> {
        Element { cell: self.mesh.cell(e), nodes, space: self.space, law: self.law(e), history: self.history_of(e, history) }
    }

    fn fault(&self, element: usize, fault: Fault) -> FemError {
        let reason = match fault {
            Fault::Inverted(volume) => {
                format!("it turns inside out (volume ratio {volume:e}); take smaller steps or a finer mesh")
            }
            Fault::Material(error) => error.to_string(),
        };
        FemError::Element { file: self.mesh.name().to_owned(), element: self.mesh.element_label(element), reason }
    }

    pub(crate) fn check_length(&self, what: &'static str, found: usize) -> Result<(), FemError> {
        let expected = self.unknowns();
        if found == expected { Ok(()) } else { Err(FemError::Length { what, expected, found }) }
    }
}

/// What a body carries from step to step.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct State {
    /// Time (s).
    pub time: f64,
    /// Displacement of every unknown (m).
    pub displacement: Vec<f64>,
    /// Velocity of every unknown (m/s).
    pub velocity: Vec<f64>,
    /// History variables of all quadrature points.
    pub history: Vec<f64>,
    /// Strain along all axes that each node would have if nothing held it; empty where there is none. As [`Model::free_strains`] has it where that is not
    /// the same in all elements of a node.
    pub free_strain: Vec<f64>,
}

impl State {
    /// Position of every node (m).
    pub fn positions(&self, model: &Model) -> Vec<Vec3> {
        let d = model.dimension();
        let moved = model.mesh().nodes().iter().zip(self.displacement.chunks_exact(d));
        moved.map(|(x, u)| x + Vec3::new(u[0], u[1], if d == 3 { u[2] } else { 0.0 })).collect()
    }
}
