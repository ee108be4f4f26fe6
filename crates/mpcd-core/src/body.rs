//! Bodies: what never changes in a run ([`BodySet`]) and what does ([`Kinematics`]), both as columns.
//! Shapes are not here; they belong to the geometry.

use serde::{Deserialize, Serialize};

use crate::{
    ids::{BodyId, GroupId, MaterialId},
    math::{Quat, Vec3},
    setup::Dimension,
};

/// What a body is outside, at every size: for who needs to know it without a look at shapes, and could not tell it from measures that bodies outgrow.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Form {
    /// A ball, also in a planar model, where it grows along z as well.
    Ball,
    /// All within a distance of a line, with round ends; in space.
    Capsule,
    /// Anything else; in a planar model straight along z.
    #[default]
    Other,
}

/// Immutable set-up of all bodies, one row each.
#[derive(Debug, Clone, Default)]
pub struct BodySet {
    /// Mass at reference size (kg); 0 for a boundary that has none (a plane).
    pub mass: Vec<f64>,
    /// Principal moments of inertia at reference size in body axes [kg m²].
    pub inertia: Vec<Vec3>,
    /// Volume at reference size (m³); 0 for a plane.
    pub volume: Vec<f64>,
    /// Outer surface at reference size (m²) (in 2D the rim times the thickness, of a ball all of it); 0 for a plane.
    pub surface: Vec<f64>,
    /// What each body is outside; none where nobody says.
    pub form: Vec<Form>,
    /// What each body of a planar model is thick (m), infinite of what goes on without end; none in space and where nobody says.
    pub thickness: Vec<f64>,
    /// Group of each body.
    pub group: Vec<GroupId>,
    /// Material of each body.
    pub material: Vec<MaterialId>,
}

impl BodySet {
    /// Number of bodies.
    #[must_use]
    pub fn len(&self) -> usize {
        self.mass.len()
    }

    /// Whether there is no body.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.mass.is_empty()
    }

    /// What a body is outside; [`Form::Other`] where nobody says.
    #[must_use]
    pub fn form_of(&self, body: usize) -> Form {
        self.form.get(body).copied().unwrap_or_default()
    }

    /// Outer surface of a body of the linear size factor `size` over that at reference size (1): the square of it, in the plane (rim times a
    /// thickness that stays) the factor itself, but for a ball.
    #[must_use]
    pub fn surface_growth(&self, body: usize, size: f64, dimension: Dimension) -> f64 {
        match (self.form_of(body), dimension) {
            (Form::Ball, _) | (_, Dimension::Spatial) => size * size,
            (_, Dimension::Planar) => size,
        }
    }

    /// Ids of all bodies of `group`, in order.
    pub fn of_group(&self, group: GroupId) -> impl Iterator<Item = BodyId> + '_ {
        self.group.iter().enumerate().filter(move |(_, g)| **g == group).map(|(i, _)| BodyId::from_index(i))
    }
}

/// Lengths of a periodic cell and how they move.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct CellMotion {
    /// Lengths (m) after which the model repeats along x, y, z; `None` where it does not.
    pub lengths: [Option<f64>; 3],
    /// How fast they grow [m/s]; zero along an axis whose length is fixed.
    pub speeds: Vec3,
}

impl CellMotion {
    /// Growth of the lengths over the lengths [1/s]: the uniform motion that the velocities of the bodies are relative to.
    #[must_use]
    pub fn rates(&self) -> Vec3 {
        Vec3::from_fn(|k, _| self.lengths[k].map_or(0.0, |l| self.speeds[k] / l))
    }
}

/// Motion of all bodies, one row each. Part of the contact module's state; everybody else gets a read view.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Kinematics {
    /// Centre of mass (m).
    pub position: Vec<Vec3>,
    /// Rotation from body axes to world axes.
    pub orientation: Vec<Quat>,
    /// Velocity of the centre of mass [m/s]; in a cell whose lengths move, relative to the uniform motion rate ∘ position.
    pub velocity: Vec<Vec3>,
    /// Angular velocity in world axes [rad/s].
    pub angular_velocity: Vec<Vec3>,
    /// Linear size over reference size (1).
    pub size: Vec<f64>,
    /// The periodic cell.
    pub cell: CellMotion,
}

impl Clone for Kinematics {
    fn clone(&self) -> Self {
        Self {
            position: self.position.clone(),
            orientation: self.orientation.clone(),
            velocity: self.velocity.clone(),
            angular_velocity: self.angular_velocity.clone(),
            size: self.size.clone(),
            cell: self.cell,
        }
    }

    // Column by column, so that the two buffers of a run are copied without allocation.
    fn clone_from(&mut self, other: &Self) {
        self.position.clone_from(&other.position);
        self.orientation.clone_from(&other.orientation);
        self.velocity.clone_from(&other.velocity);
        self.angular_velocity.clone_from(&other.angular_velocity);
        self.size.clone_from(&other.size);
        self.cell = other.cell;
    }
}

impl Kinematics {
    /// Number of bodies.
    #[must_use]
    pub fn len(&self) -> usize {
        self.position.len()
    }

    /// Whether there is no body.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.position.is_empty()
    }

    /// Makes room for so many bodies more.
    pub fn reserve(&mut self, bodies: usize) {
        self.position.reserve_exact(bodies);
        self.orientation.reserve_exact(bodies);
        self.velocity.reserve_exact(bodies);
        self.angular_velocity.reserve_exact(bodies);
        self.size.reserve_exact(bodies);
    }

    /// Adds a body at rest.
    pub fn push_at_rest(&mut self, position: Vec3, orientation: Quat) {
        self.position.push(position);
        self.orientation.push(orientation);
        self.velocity.push(Vec3::zeros());
        self.angular_velocity.push(Vec3::zeros());
        self.size.push(1.0);
    }

    /// Velocity of the material point of `body` that is now at `point` [m/s].
    #[must_use]
    pub fn velocity_at(&self, body: BodyId, point: &Vec3) -> Vec3 {
        let i = body.index();
        self.velocity[i] + self.angular_velocity[i].cross(&(point - self.position[i]))
    }
}
