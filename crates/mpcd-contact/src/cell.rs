//! A periodic cell whose lengths follow a stress or a rate: its part of the θ-scheme, of the contact problem and of the books.
//!
//! Positions follow the uniform motion of the cell and each body its own velocity, ẋ = ε̇ ∘ x + c with ε̇ = L̇/L; velocities of bodies are c
//! everywhere. A contact with the branch ℓ, from the antagonist's centre (of the image met) to the candidate's, has the relative velocity
//! c_i − c_j + ε̇ ∘ ℓ of material points, so an impulse p does the work p·(ε̇ ∘ ℓ) on the cell. By virtual work, per axis,
//!
//! ```text
//! M (L̇⁺ − L̇⁻) = Σ ℓ p / L_m − h A (σ + ζ L̇⁺/L_m),      A = V/L_m
//! ```
//!
//! which is M L̈ = A (σ_contacts − σ − ζ ε̇) with the stress of Love and Weber. L_m is the length in the contact configuration, where contacts are
//! found: both rates of a step are taken over it, so work and kinetic energy balance exactly. What bodies carry by their own motion (the
//! stress of a gas) is not counted, as in the probe `stress`; c is unchanged by the motion of the cell.

use mpcd_core::{BodyId, CellDrive, CellMotion, Dimension, InputError, Kinematics, Setup, Step, Vec3};
use mpcd_friction::problem;
use mpcd_geometry::{Shape, Shapes, Touch};

use crate::{error::ContactError, loads::Loads, rotation::inverse_or_zero};

const AXES: [&str; 3] = ["x", "y", "z"];

/// A cell whose lengths move.
#[derive(Debug)]
pub(crate) struct Cell {
    drives: [CellDrive; 3],
    /// Inertia of each length (kg).
    mass: f64,
    /// Stress per rate [Pa s].
    viscosity: f64,
    /// Thickness of a planar model (m); `None` in space.
    thickness: Option<f64>,
    /// Planes stretch with the cell along its axes: their own place there has no meaning.
    planes: Vec<bool>,
    /// Radius of the largest finite body (m).
    largest: f64,
}

/// What the cell does in a step, known before the solve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct CellStep {
    /// Lengths in the contact configuration (m); 1 along axes without a period.
    lengths: Vec3,
    /// Rates before the step and after it, over those lengths [1/s].
    pub(crate) before: Vec3,
    pub(crate) after: Vec3,
    /// 1 on axes that follow a stress.
    follows: Vec3,
    /// Section across each such axis (m²).
    section: Vec3,
    /// Wanted stress on them (Pa).
    wanted: Vec3,
    /// Σ ℓ p of all contacts [J s], by axis.
    virial: Vec3,
}

impl Cell {
    /// The moving cell of a set-up, if it has one.
    pub(crate) fn build(setup: &Setup, loads: &Loads, shapes: &Shapes) -> Result<Option<Self>, InputError> {
        let Some(cell) = &setup.cell else { return Ok(None) };
        let moves = |k: usize| !matches!(cell.drives[k], CellDrive::Fixed);
        let refuse = |message: String, help: &str| Err(InputError::new(message).help(help).within(&cell.text));
        if !setup.joints.is_empty() {
            return refuse(
                "joints are not computed in a cell whose lengths move".to_owned(),
                "remove the joints, or `stress` and `rate`",
            );
        }
        let planes: Vec<bool> = shapes.0.iter().map(|s| matches!(s, Shape::Plane { .. })).collect();
        for (k, axis) in AXES.iter().enumerate().filter(|(k, _)| moves(*k)) {
            if setup.gravity[k] != 0.0 {
                let message = format!("gravity acts along {axis}, where the length of the cell moves; expected none there");
                return refuse(message, "set that component of `gravity` to 0, or keep the length of that axis");
            }
            let held = (0..planes.len()).find(|&i| !planes[i] && loads.free_mask(i).0[k] == 0.0);
            if let Some(body) = held.map(BodyId::from_index) {
                let message = format!(
                    "{} is held or driven along {axis}, where the length of the cell moves; expected every body free there",
                    setup.body_label(body)
                );
                return refuse(message, "free it along that axis, or keep the length of that axis");
            }
        }
        let mass = cell.mass.unwrap_or_else(|| setup.bodies.mass.iter().sum());
        if mass <= 0.0 {
            return refuse(
                "the bodies have no mass to give the cell; expected a mass above zero".to_owned(),
                "write `mass` in `periodic`",
            );
        }
        let grains = || shapes.0.iter().zip(&setup.bodies.volume).filter(|(_, v)| **v > 0.0).map(|(s, _)| s);
        let thickness = (setup.dimension == Dimension::Planar).then(|| grains().map(depth).fold(0.0, f64::max));
        let largest = shapes.0.iter().filter_map(|s| s.bounding_radius(setup.dimension)).fold(0.0, f64::max);
        Ok(Some(Self { drives: cell.drives.clone(), mass, viscosity: cell.viscosity, thickness, planes, largest }))
    }

    /// The motion at the start.
    pub(crate) fn start(&self, motion: &mut CellMotion) {
        for (k, drive) in self.drives.iter().enumerate() {
            if let (CellDrive::Rate(rate), Some(length)) = (drive, motion.lengths[k]) {
                motion.speeds[k] = rate.at(0.0) * length;
            }
        }
    }

    /// How fast neighbours come nearer by the motion of the cell [m/s], at most.
    pub(crate) fn closing(&self, motion: &CellMotion) -> f64 {
        2.0 * self.largest * motion.rates().abs().max()
    }

    /// Volume of the cell (m³), where all its axes are periodic.
    fn volume(&self, lengths: &[Option<f64>; 3]) -> Option<f64> {
        Some(lengths[0]? * lengths[1]? * self.thickness.or(lengths[2])?)
    }

    /// Moves the cell to the contact configuration and carries the bodies along. Adds the cell, as it moves without contacts, to the problem.
    pub(crate) fn predict(
        &self,
        step: &Step,
        prev: &Kinematics,
        next: &mut Kinematics,
        problem: &mut problem::ContactProblem,
    ) -> Result<CellStep, ContactError> {
        drift(&prev.cell, prev.cell.speeds * (step.h * (1.0 - step.theta)), next);
        let cell = &next.cell;
        let lengths = Vec3::from_fn(|k, _| cell.lengths[k].unwrap_or(1.0));
        let mut out = CellStep {
            lengths,
            before: prev.cell.speeds.component_div(&lengths),
            after: Vec3::zeros(),
            follows: Vec3::zeros(),
            section: Vec3::zeros(),
            wanted: Vec3::zeros(),
            virial: Vec3::zeros(),
        };
        let mut inverse_inertia = Vec3::zeros();
        for (k, drive) in self.drives.iter().enumerate() {
            match drive {
                CellDrive::Fixed => {}
                CellDrive::Rate(rate) => out.after[k] = rate.at(step.end()),
                CellDrive::Stress(stress) => {
                    let section = self.volume(&cell.lengths).unwrap_or(0.0) / lengths[k];
                    let wanted = step.theta * stress.at(step.end()) + (1.0 - step.theta) * stress.at(step.time);
                    (out.follows[k], out.section[k], out.wanted[k]) = (1.0, section, wanted);
                    let inertia = self.mass + step.h * section * self.viscosity / lengths[k];
                    let speed = (self.mass * prev.cell.speeds[k] - step.h * section * wanted) / inertia;
                    out.after[k] = speed / lengths[k];
                    inverse_inertia[k] = inverse_or_zero(inertia * lengths[k] * lengths[k]);
                }
            }
        }
        if !out.after.iter().all(|r| r.is_finite()) {
            return Err(ContactError::Cell { time: step.time });
        }
        let mut branches = problem.cell.take().map(|c| c.branches).unwrap_or_default();
        branches.clear();
        problem.cell = Some(problem::Cell { rate: out.after, inverse_inertia, branches });
        Ok(out)
    }

    /// Takes the solution of the problem.
    pub(crate) fn take_solution(&self, problem: &problem::ContactProblem, step: &mut CellStep, motion: &mut CellMotion) {
        let Some(cell) = &problem.cell else { return };
        step.after = cell.rate;
        motion.speeds = cell.rate.component_mul(&step.lengths);
        let virial = |(contact, branch): (&problem::Contact, &Vec3)| contact.world_impulse().component_mul(branch);
        step.virial = problem.contacts.iter().zip(&cell.branches).map(virial).sum();
    }

    /// Moves the cell from the contact configuration to the end of the step and carries the bodies along, before their own motion: the gaps then
    /// change as the contact problem has it.
    pub(crate) fn correct(step: &Step, next: &mut Kinematics) {
        let motion = next.cell;
        drift(&motion, motion.speeds * (step.h * step.theta), next);
    }

    /// The branch of a contact (m).
    pub(crate) fn branch(&self, touch: &Touch) -> Vec3 {
        let arm = |body: BodyId, arm: &Vec3| if self.planes[body.index()] { Vec3::zeros() } else { *arm };
        arm(touch.key.antagonist, &touch.arm_antagonist) - arm(touch.key.candidate, &touch.arm_candidate)
    }

    /// Names of the columns of the history.
    pub(crate) fn columns(&self, motion: &CellMotion) -> Vec<&'static str> {
        let lengths = ["cell_x", "cell_y", "cell_z"];
        let stresses = ["cell_stress_x", "cell_stress_y", "cell_stress_z"];
        let of = |names: [&'static str; 3]| (0..3).filter(|k| motion.lengths[*k].is_some()).map(move |k| names[k]);
        let stresses: Vec<_> = if self.volume(&motion.lengths).is_some() { of(stresses).collect() } else { Vec::new() };
        of(lengths).chain(stresses).collect()
    }

    /// The numbers of [`Self::columns`]: lengths at the end of the step, stress of the contacts in it.
    pub(crate) fn numbers(&self, step: &CellStep, motion: &CellMotion, h: f64) -> Vec<(&'static str, f64)> {
        let at_contact = [0, 1, 2].map(|k| motion.lengths[k].map(|_| step.lengths[k]));
        let stress = self.volume(&at_contact).map(|v| step.virial / (h * v));
        let axes = || (0..3).filter(|k| motion.lengths[*k].is_some());
        let values = axes().filter_map(|k| motion.lengths[k]).chain(stress.into_iter().flat_map(|s| axes().map(move |k| s[k])));
        self.columns(motion).into_iter().zip(values).collect()
    }

    /// The part of the cell in the books.
    pub(crate) fn book(&self, step: &CellStep, before: &CellMotion, after: &CellMotion, h: f64) -> CellBook {
        let follows = step.follows;
        let viscous = step.section.component_mul(&step.after) * (-h * self.viscosity);
        let wanted = step.section.component_mul(&step.wanted) * -h;
        let mean = (step.before + step.after) * 0.5;
        let speeds = mean.component_mul(&step.lengths);
        let kinetic = |motion: &CellMotion| 0.5 * self.mass * motion.speeds.component_mul(&follows).norm_squared();
        CellBook {
            momentum: [before, after].map(|m| m.speeds.component_mul(&follows) * self.mass),
            contacts: step.virial.component_div(&step.lengths).component_mul(&follows),
            wanted,
            viscous,
            kinetic: (kinetic(before), kinetic(after)),
            work_of_stress: wanted.dot(&speeds),
            work_of_drives: -step.virial.component_mul(&(Vec3::repeat(1.0) - follows)).dot(&mean),
            heat: -viscous.dot(&speeds),
            throughput: 0.5 * wanted.norm_squared() / self.mass,
        }
    }
}

/// What the books say of a cell.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CellBook {
    /// Momentum of the lengths that follow a stress, before and after [N s].
    pub(crate) momentum: [Vec3; 2],
    /// Impulses on them: of contacts, of the wanted stress, of the viscosity [N s].
    pub(crate) contacts: Vec3,
    pub(crate) wanted: Vec3,
    pub(crate) viscous: Vec3,
    /// Kinetic energy before and after (J).
    pub(crate) kinetic: (f64, f64),
    /// Work of the wanted stress, and of what moves the other lengths (J).
    pub(crate) work_of_stress: f64,
    pub(crate) work_of_drives: f64,
    /// What the viscosity takes (J).
    pub(crate) heat: f64,
    /// What the wanted stress would give a cell at rest (J).
    pub(crate) throughput: f64,
}

/// Lets the lengths of `from` grow by `by` and carries the bodies of `next` along.
fn drift(from: &CellMotion, by: Vec3, next: &mut Kinematics) {
    next.cell = *from;
    let mut stretch = Vec3::repeat(1.0);
    for k in 0..3 {
        if let (Some(length), true) = (&mut next.cell.lengths[k], by[k] != 0.0) {
            stretch[k] = (*length + by[k]) / *length;
            *length += by[k];
        }
    }
    if stretch != Vec3::repeat(1.0) {
        next.position.iter_mut().for_each(|x| x.component_mul_assign(&stretch));
    }
}

/// Thickness of a grain of a planar model (m).
fn depth(shape: &Shape) -> f64 {
    let thickness = shape.thickness();
    if thickness.is_finite() { thickness } else { shape.radius().map_or(1.0, |r| 2.0 * r) }
}
