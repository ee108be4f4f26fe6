//! Which bodies are grains, and what they are over a step: position, volume, radius. The only place that sees shapes.

use mpcd_core::{BodyId, Dimension, InputError, Kinematics, Setup};
use mpcd_geometry::{Shape, Shapes};

use crate::{deposit::GrainStep, error::DarcyError};

/// The spheres that discs stand for in a monolayer fill 2/3 of them: 4/3 πr³ over πr² · 2r.
const SPHERE_IN_CYLINDER: f64 = 2.0 / 3.0;

/// One grain at reference size.
#[derive(Debug, Clone)]
pub struct Grain {
    /// The body.
    pub body: BodyId,
    shape: Shape,
    radius: f64,
}

/// The grains of a model.
#[derive(Debug, Clone)]
pub struct Grains {
    /// In the order of the bodies.
    pub list: Vec<Grain>,
    /// Bodies with a mass that are neither ball nor disc, left out.
    pub left_out: usize,
    dimension: Dimension,
    disc_factor: f64,
}

impl Grains {
    /// Takes the balls and discs of the named groups, or all that have a mass.
    ///
    /// # Errors
    /// An unknown group, or a named group with other shapes.
    pub fn find(setup: &Setup, groups: Option<&[String]>, monolayer: bool) -> Result<Self, InputError> {
        let shapes = setup.part::<Shapes>()?;
        let mut chosen = vec![false; setup.bodies.len()];
        match groups {
            None => chosen.iter_mut().zip(&setup.bodies.mass).for_each(|(c, m)| *c = *m > 0.0),
            Some(names) => {
                for name in names {
                    for body in setup.bodies_of(name)? {
                        let shape = shapes.0.get(body.index()).map_or("nothing", Shape::name);
                        if shapes.0.get(body.index()).and_then(Shape::radius).is_none() {
                            return Err(InputError::new(format!(
                                "the group \"{name}\" has a {shape}, expected spheres or discs as grains of the pore fluid"
                            ))
                            .help("name groups of spheres or discs only, or leave `grains` out")
                            .at(name));
                        }
                        chosen[body.index()] = true;
                    }
                }
            }
        }
        let mut list = Vec::new();
        let mut left_out = 0;
        for (index, shape) in shapes.0.iter().enumerate().filter(|(i, _)| chosen.get(*i) == Some(&true)) {
            match shape.radius() {
                Some(radius) => list.push(Grain { body: BodyId::from_index(index), shape: shape.clone(), radius }),
                None => left_out += 1,
            }
        }
        let disc_factor = if monolayer { SPHERE_IN_CYLINDER } else { 1.0 };
        Ok(Self { list, left_out, dimension: setup.dimension, disc_factor })
    }

    /// Whether some are discs.
    #[must_use]
    pub fn has_discs(&self) -> bool {
        self.list.iter().any(|g| matches!(g.shape, Shape::Disc { .. }))
    }

    /// Thickness of a planar grid (m): that of the discs, or the thickness at which spheres fill 2/3 of their outlines.
    ///
    /// # Errors
    /// Discs of different thickness.
    pub fn thickness(&self) -> Result<f64, InputError> {
        let mut discs =
            self.list.iter().filter_map(|g| if let Shape::Disc { thickness, .. } = g.shape { Some(thickness) } else { None });
        if let Some(first) = discs.next() {
            return match discs.find(|t| (t - first).abs() > 1e-9 * first) {
                None => Ok(first),
                Some(other) => Err(InputError::new(format!(
                    "the discs have thicknesses {first} m and {other} m, expected one for the pore fluid"
                ))
                .help("give all discs one thickness, or say `thickness` of the fluid")),
            };
        }
        let sum = |power: i32| self.list.iter().map(|g| g.radius.powi(power)).sum::<f64>();
        Ok(if self.list.is_empty() { 1.0 } else { 2.0 * sum(3) / sum(2) })
    }

    /// Volume over radius summed, as a radius (m): the mean that the permeability of an empty place takes.
    #[must_use]
    pub fn mean_radius(&self) -> f64 {
        let volume = |g: &Grain| self.volume(g, 1.0);
        let total: f64 = self.list.iter().map(volume).sum();
        let over_radius: f64 = self.list.iter().map(|g| volume(g) / g.radius).sum();
        if over_radius > 0.0 { total / over_radius } else { 1e-3 }
    }

    /// Volume that the fluid sees (m³).
    #[must_use]
    pub fn volume(&self, grain: &Grain, size: f64) -> f64 {
        let factor = if matches!(grain.shape, Shape::Disc { .. }) { self.disc_factor } else { 1.0 };
        factor * grain.shape.volume(size, self.dimension)
    }

    /// A grain over a step. `member` says whether its volume was in the grid before.
    ///
    /// # Errors
    /// A position or size that is not a finite number.
    pub fn over_step(
        &self,
        grain: &Grain,
        member: bool,
        before: &Kinematics,
        after: &Kinematics,
        setup: &Setup,
    ) -> Result<GrainStep, DarcyError> {
        let i = grain.body.index();
        let wrong = |what| DarcyError::Motion { body: setup.body_label(grain.body), what };
        let position = [before.position[i], after.position[i]];
        if position.iter().flat_map(|x| x.iter()).any(|x| !x.is_finite()) {
            return Err(wrong("position"));
        }
        let size = [before.size[i], after.size[i]];
        if size.iter().any(|s| !(s.is_finite() && *s > 0.0)) {
            return Err(wrong("size"));
        }
        Ok(GrainStep {
            position,
            volume: size.map(|s| self.volume(grain, s)),
            radius: grain.radius * size[1],
            smoothing: grain.radius,
            member,
        })
    }
}
