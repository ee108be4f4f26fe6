//! What an axisymmetric mesh asks of the rest of its model, in which x is the radius and y the axis: everything is a ring, so nothing may do what
//! rings cannot. Elements are in `mpcd-fem`, the way around the axis of a contact in `mpcd-geometry`.

use mpcd_core::{BodyId, InputError, Setup, Vec3};
use mpcd_fem::{Mesh, Space};

use super::Deformables;
use crate::{law::LawTable, loads::Loads};

/// Part of the size of a mesh up to which a node lies on the axis.
const ON_AXIS: f64 = 1e-9;
/// Place of x among the axes of a rigid body, and of its turning in the plane.
const HELD: [(usize, &str); 2] = [(0, "x"), (5, "spin_z")];

/// Nodes on the axis of rings, rising: no motion takes them off, and faces between them are no surface.
pub(super) fn axis_nodes(mesh: &Mesh, space: Space) -> Vec<usize> {
    if space != Space::Axisymmetric {
        return Vec::new();
    }
    let (low, high) = mesh.bounds();
    let near = ON_AXIS * (high - low).norm();
    (0..mesh.nodes().len()).filter(|n| mesh.nodes()[*n].x <= near).collect()
}

/// Of a vector, what the momentum of a body has: of a ring along its axis alone.
pub(super) fn mask(space: Space) -> Vec3 {
    if space == Space::Axisymmetric { Vec3::y() } else { Vec3::repeat(1.0) }
}

impl Deformables {
    /// Whether x is a radius.
    pub(crate) fn is_axisymmetric(&self) -> bool {
        self.members.iter().any(|m| m.model.space() == Space::Axisymmetric)
    }

    /// What cannot be beside an axisymmetric mesh.
    ///
    /// # Errors
    /// A mesh of another kind, or off its place; gravity across the axis; a rigid body that may move off the axis, or whose mass is that of its
    /// shape in the plane; two rigid bodies that push each other.
    pub(super) fn check_rings(&self, setup: &Setup, loads: &Loads, laws: &LawTable) -> Result<(), InputError> {
        if !self.is_axisymmetric() {
            return Ok(());
        }
        for member in &self.members {
            if member.model.space() != Space::Axisymmetric {
                let message = format!("{} is not axisymmetric, but another mesh is: a model has one kind", member.label);
                return Err(InputError::new(message).help("write `plane: Axisymmetric` for every mesh, or for none").at("plane"));
            }
            let i = member.body.index();
            let turned = setup.initial.orientation[i].angle() > 0.0;
            if setup.initial.position[i].x != 0.0 || turned {
                let message = format!("{} is axisymmetric, but was moved along x or turned: x is its radius", member.label);
                return Err(InputError::new(message)
                    .help("give `at: (0, …)` and no `rotation`; `inner_radius` of the mesh says where it begins")
                    .at("at"));
            }
            if setup.initial.velocity[i].x != 0.0 || setup.initial.angular_velocity[i] != Vec3::zeros() {
                let message = format!("{} is axisymmetric: as a whole it moves along y alone", member.label);
                return Err(InputError::new(message).help("give `velocity: (0, …)` and no spin").at("velocity"));
            }
        }
        if setup.gravity.x != 0.0 {
            let error = InputError::new("gravity has a part along x, which is the radius of an axisymmetric mesh");
            return Err(error.help("gravity acts along the axis y: `gravity: (0, …)`").at("gravity"));
        }
        let rigid = |i: &usize| !loads.is_deformable(BodyId::from_index(*i));
        (0..setup.bodies.len()).filter(rigid).try_for_each(|i| rigid_ring(setup, loads, i))?;
        for interaction in &setup.interactions {
            let (a, b) = interaction.groups;
            let of = |group| setup.bodies.of_group(group).filter(|b| !loads.is_deformable(*b));
            let moved = |body: BodyId| loads.responds(body);
            let pushed = of(a).any(|x| of(b).any(|y| x != y && (moved(x) || moved(y))));
            if laws.between(a, b).is_some() && pushed {
                return Err(InputError::new(
                    "two groups of rigid bodies push each other, but a mesh of the model is axisymmetric",
                )
                .help("there rigid bodies meet meshes alone: make one of the two a mesh, or give them `NoContact`")
                .within(&interaction.law));
            }
        }
        Ok(())
    }
}

fn rigid_ring(setup: &Setup, loads: &Loads, i: usize) -> Result<(), InputError> {
    let label = || setup.body_label(BodyId::from_index(i));
    for (axis, name) in HELD {
        if !loads.stands(i, axis) {
            return Err(InputError::new(format!(
                "{} may move along {name}, but a mesh of the model is axisymmetric: x is the radius there",
                label()
            ))
            .help(
                "a rigid body beside it moves along y alone: hold the rest with `Locked(axes: [X, SpinZ])` or `Velocity(x: 0, spin_z: 0)`, or all with `Fixed`; a formula is not known to be 0",
            )
            .at("loads"));
        }
    }
    let bodies = &setup.bodies;
    let by_shape = bodies.volume[i] * setup.materials[bodies.material[i].index()].density;
    let free = loads.free_mask(i).0.y > 0.0;
    if free && by_shape > 0.0 && (bodies.mass[i] - by_shape).abs() <= 1e-12 * by_shape {
        return Err(InputError::new(format!(
            "the mass of {} is that of its shape in the plane, but a mesh of the model is axisymmetric",
            label()
        ))
        .help("give the mass (kg) of the whole body around the axis: `mass: …`")
        .at("bodies"));
    }
    Ok(())
}
