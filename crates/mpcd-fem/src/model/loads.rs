//! What acts on a body at one time: acceleration of gravity, tractions, pressures, forces at nodes, prescribed motions. Functions
//! of time belong to the caller.

use std::collections::BTreeMap;

use mpcd_core::{SurfacePoint, Vec3};

use super::point::{depth, radius};
use super::{Model, Space, State};
use crate::cell::{Purpose, table};
use crate::error::{FemError, check};
use crate::mesh::{Face, Mesh};

/// A prescribed motion of one unknown at the end of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Prescribed {
    /// Displacement (m).
    Displacement(f64),
    /// Velocity (m/s).
    Velocity(f64),
}

/// Loads and prescribed motions at one time. Which unknowns are held decides the factorisation: it should not change from step to step.
#[derive(Clone, Debug, Default)]
pub struct Conditions {
    gravity: Vec3,
    tractions: Vec<(Vec<Face>, Vec3)>,
    pub(super) pressures: Vec<(Vec<Face>, f64)>,
    forces: Vec<(Vec<usize>, Vec3)>,
    held: Vec<(usize, Prescribed)>,
    free_strain: Vec<f64>,
}

impl Conditions {
    /// An acceleration of the whole body (m/s²).
    #[must_use]
    pub fn with_gravity(mut self, acceleration: Vec3) -> Self {
        self.gravity += acceleration;
        self
    }

    /// A force per area at rest (Pa) on a group of faces, constant in direction.
    ///
    /// # Errors
    /// [`FemError::Mesh`] for an unknown group, [`FemError::Value`].
    pub fn with_traction(mut self, model: &Model, group: &str, traction: Vec3) -> Result<Self, FemError> {
        finite("traction", &traction)?;
        self.tractions.push((model.mesh().face_group(group)?.to_vec(), traction));
        Ok(self)
    }

    /// A pressure (Pa) against the outward normal of a group of faces: of the moved faces when a material of the body has large
    /// strain, else of the faces at rest; the symmetric part of its derivative is in Newton's tangent.
    ///
    /// # Errors
    /// [`FemError::Mesh`] for an unknown group, [`FemError::Value`].
    pub fn with_pressure(mut self, model: &Model, group: &str, pressure: f64) -> Result<Self, FemError> {
        check("pressure", pressure, true, "a finite number (Pa)")?;
        self.pressures.push((model.mesh().face_group(group)?.to_vec(), pressure));
        Ok(self)
    }

    /// A force (N) at every node of a group.
    ///
    /// # Errors
    /// [`FemError::Mesh`] for an unknown group, [`FemError::Value`].
    pub fn with_force(mut self, model: &Model, group: &str, force: Vec3) -> Result<Self, FemError> {
        finite("force", &force)?;
        self.forces.push((model.mesh().nodes_of(group)?, force));
        Ok(self)
    }

    /// Prescribes component `axis` (0, 1, 2) of the nodes of a group. The last word on an unknown counts.
    ///
    /// # Errors
    /// [`FemError::Mesh`] for an unknown group, [`FemError::Value`].
    pub fn with_held(self, model: &Model, group: &str, axis: usize, motion: Prescribed) -> Result<Self, FemError> {
        self.with_held_nodes(model, &model.mesh().nodes_of(group)?, axis, motion)
    }

    /// Prescribes the motion of nodes along an axis.
    ///
    /// # Errors
    /// [`FemError::Value`] for an axis that there is not, or a motion that is no number.
    pub fn with_held_nodes(mut self, model: &Model, nodes: &[usize], axis: usize, motion: Prescribed) -> Result<Self, FemError> {
        let d = model.dimension();
        check("axis of a prescribed motion", axis as f64, axis < d, "0, 1 or, in space, 2")?;
        let (Prescribed::Displacement(value) | Prescribed::Velocity(value)) = motion;
        check("prescribed motion", value, true, "a finite number")?;
        self.held.extend(nodes.iter().map(|n| (n * d + axis, motion)));
        Ok(self)
    }

    /// Prescribes all displacements (m) of the nodes of a group as a function of their place at rest.
    ///
    /// # Errors
    /// [`FemError::Mesh`] for an unknown group, [`FemError::Value`].
    pub fn with_field(mut self, model: &Model, group: &str, field: impl Fn(Vec3) -> Vec3) -> Result<Self, FemError> {
        let d = model.dimension();
        for node in model.mesh().nodes_of(group)? {
            let u = field(model.mesh().nodes()[node]);
            finite("prescribed displacement", &u)?;
            self.held.extend((0..d).map(|i| (node * d + i, Prescribed::Displacement(u[i]))));
        }
        Ok(self)
    }

    /// Holds all components of the nodes of a group where they are at rest.
    ///
    /// # Errors
    /// [`FemError::Mesh`] for an unknown group.
    pub fn with_fixed(self, model: &Model, group: &str) -> Result<Self, FemError> {
        (0..model.dimension()).try_fold(self, |c, axis| c.with_held(model, group, axis, Prescribed::Displacement(0.0)))
    }

    /// Strain along all axes that each node would have if nothing held it, as by heat: the stress is that of what is left of the strain
    /// without it. Without one that of the state stays. Where it is not the same in all elements of a node: [`Model::free_strains`].
    ///
    /// # Errors
    /// [`FemError::Length`] for other than one number per node or those of [`Model::free_strains`], [`FemError::Value`].
    pub fn with_free_strain(mut self, model: &Model, strain: Vec<f64>) -> Result<Self, FemError> {
        let expected = model.mesh().nodes().len();
        if !model.has_free_rows(strain.len()) {
            return Err(FemError::Length { what: "free strain", expected, found: strain.len() });
        }
        strain.iter().try_for_each(|s| check("free strain", *s, *s > -1.0, "a finite number above −1"))?;
        self.free_strain = strain;
        Ok(self)
    }

    /// The free strain of the nodes at a state and with these conditions; both empty where there is none.
    pub(crate) fn free_strain(&self, state: &State) -> Result<(Vec<f64>, Vec<f64>), FemError> {
        let (mut before, mut after) = (state.free_strain.clone(), self.free_strain.clone());
        match (before.is_empty(), after.is_empty()) {
            (_, true) => after.clone_from(&before),
            (true, false) => before.resize(after.len(), 0.0),
            (false, false) if before.len() != after.len() => {
                return Err(FemError::Length { what: "free strain", expected: before.len(), found: after.len() });
            }
            _ => {}
        }
        Ok((before, after))
    }

    /// What acts at a part `at` (0 to 1) of the way from one state of loads to another: a straight line for loads and for motions
    /// prescribed in both; the others as in `end`. A free strain starts from that of `start`, from none where it has none.
    #[must_use]
    pub fn between(start: &Self, end: &Self, at: f64) -> Self {
        let mut mean = Self { gravity: start.gravity * (1.0 - at) + end.gravity * at, ..Self::default() };
        for (from, part) in [(start, 1.0 - at), (end, at)] {
            mean.tractions.extend(from.tractions.iter().map(|(faces, t)| (faces.clone(), t * part)));
            mean.pressures.extend(from.pressures.iter().map(|(faces, p)| (faces.clone(), p * part)));
            mean.forces.extend(from.forces.iter().map(|(nodes, f)| (nodes.clone(), f * part)));
        }
        let before = start.held.iter().copied().collect::<std::collections::BTreeMap<_, _>>();
        let blend = |a: f64, b: f64| a * (1.0 - at) + b * at;
        mean.held = end
            .held
            .iter()
            .map(|&(k, motion)| {
                (
                    k,
                    match (before.get(&k), motion) {
                        (Some(&Prescribed::Displacement(a)), Prescribed::Displacement(b)) => {
                            Prescribed::Displacement(blend(a, b))
                        }
                        (Some(&Prescribed::Velocity(a)), Prescribed::Velocity(b)) => Prescribed::Velocity(blend(a, b)),
                        (_, other) => other,
                    },
                )
            })
            .collect();
        let strain = |of: &Self, node: usize| of.free_strain.get(node).copied().unwrap_or(0.0);
        mean.free_strain = (0..end.free_strain.len()).map(|n| blend(strain(start, n), strain(end, n))).collect();
        mean
    }

    /// Of each unknown, whether its motion is prescribed.
    pub fn is_held(&self, unknowns: usize) -> Vec<bool> {
        self.held(unknowns).iter().map(Option::is_some).collect()
    }

    /// Prescribed motion of each unknown.
    pub(crate) fn held(&self, unknowns: usize) -> Vec<Option<Prescribed>> {
        let mut held = vec![None; unknowns];
        self.held.iter().filter(|(k, _)| *k < unknowns).for_each(|(k, motion)| held[*k] = Some(*motion));
        held
    }

    /// Whether the loads depend on the displacement.
    pub(crate) fn follows(&self, model: &Model) -> bool {
        !self.pressures.is_empty() && model.is_finite()
    }
}

fn finite(what: &'static str, v: &Vec3) -> Result<(), FemError> {
    v.iter().try_for_each(|x| check(what, *x, true, "finite components"))
}

impl Model {
    /// Forces of the loads on all unknowns (N) at a displacement.
    pub(crate) fn load(&self, conditions: &Conditions, displacement: &[f64]) -> Result<Vec<f64>, FemError> {
        let d = self.dimension();
        let mut force = vec![0.0; self.unknowns()];
        let mut add = |node: usize, f: Vec3| (0..d).for_each(|i| force[node * d + i] += f[i]);
        if conditions.gravity != Vec3::zeros() {
            self.nodal_mass.iter().enumerate().for_each(|(node, mass)| add(node, conditions.gravity * *mass));
        }
        for (faces, traction) in &conditions.tractions {
            for face in faces {
                self.on_face(*face, None, |node, share, area| add(node, traction * (share * area.norm())));
            }
        }
        for (faces, pressure) in &conditions.pressures {
            let moved = self.is_finite().then_some(displacement);
            for face in faces {
                self.on_face(*face, moved, |node, share, area| add(node, area * (-pressure * share)));
            }
        }
        for (nodes, f) in &conditions.forces {
            nodes.iter().for_each(|&node| add(node, *f));
        }
        Ok(force)
    }

    /// Calls with node, value of its shape function and outward area (m²) for every node at every quadrature point of a face.
    pub(crate) fn on_face(&self, face: Face, moved: Option<&[f64]>, mut add: impl FnMut(usize, f64, Vec3)) {
        face_points((&self.mesh, self.space), face, moved, |nodes, shares, area| {
            nodes.iter().zip(shares).for_each(|(&node, &share)| add(node, share, area));
        });
    }

    /// Area of one face at rest (m²).
    pub fn face_area(&self, face: Face) -> f64 {
        let mut area = 0.0;
        self.on_face(face, None, |_, share, a| area += share * a.norm());
        area
    }

    /// Area of a group of faces at rest (m²).
    ///
    /// # Errors
    /// [`FemError::Mesh`] for an unknown group.
    pub fn area(&self, group: &str) -> Result<f64, FemError> {
        Ok(self.mesh.face_group(group)?.iter().map(|face| self.face_area(*face)).sum())
    }
}

impl Model {
    /// The mean place of a group, as weights of its nodes that add up to 1: over the area of a group of faces, ∫ N dA/A at rest; of a group of
    /// nodes, or of elements, all nodes alike.
    ///
    /// # Errors
    /// [`FemError::Mesh`] for an unknown group.
    pub fn mean_of(&self, group: &str) -> Result<SurfacePoint, FemError> {
        let [_, faces, nodes] = self.mesh.group_names();
        let mut weights: BTreeMap<usize, f64> = BTreeMap::new();
        if faces.contains(&group) && !nodes.contains(&group) {
            for &face in self.mesh.face_group(group)? {
                self.on_face(face, None, |node, share, area| *weights.entry(node).or_default() += share * area.norm());
            }
        } else {
            weights.extend(self.mesh.nodes_of(group)?.into_iter().map(|node| (node, 1.0)));
        }
        let whole: f64 = weights.values().sum();
        let mut point = SurfacePoint::nowhere();
        weights.iter().for_each(|(node, w)| point.add(*node as u32, w / whole));
        Ok(point)
    }
}

/// Calls with nodes, values of their shape functions and outward area (m²) of every quadrature point of a face.
pub(crate) fn face_points(
    (mesh, space): (&Mesh, Space),
    face: Face,
    moved: Option<&[f64]>,
    mut each: impl FnMut(&[usize], &[f64], Vec3),
) {
    let d = mesh.dimension();
    let (cell, nodes) = mesh.face(face);
    let nodes: Vec<usize> = nodes.collect();
    let place = |&n: &usize| {
        let mut x = mesh.nodes()[n];
        if let Some(u) = moved {
            (0..d).for_each(|i| x[i] += u[n * d + i]);
        }
        x
    };
    let places: Vec<Vec3> = nodes.iter().map(place).collect();
    let table = table(cell, Purpose::Mass);
    for (shape, weight) in table.shapes.iter().zip(&table.rule.weights) {
        let tangent = |k: usize| -> Vec3 { places.iter().zip(&shape.derivative).map(|(x, g)| x * g[k]).sum() };
        let normal = match cell.dimension() {
            1 => Vec3::new(tangent(0).y, -tangent(0).x, 0.0),
            _ => tangent(0).cross(&tangent(1)),
        };
        let area = normal * (weight * depth(space, radius(shape, &places)));
        each(&nodes, &shape.value[..nodes.len()], area);
    }
}
